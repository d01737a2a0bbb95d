//! The attribute and the derive of `stormless`. Depend on that crate.

//! Its dependencies are all there is to it: `Cargo.toml` says why.

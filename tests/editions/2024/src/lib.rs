//! What the macros write, in a crate of edition 2024; the sources are those of edition 2018.
#![cfg(test)]
#![forbid(unsafe_code)]

mod attribute {
    include!("../../2018/src/attribute.rs");
}
mod derive {
    include!("../../2018/src/derive.rs");
}
mod forms {
    include!("../../2018/src/forms.rs");
}

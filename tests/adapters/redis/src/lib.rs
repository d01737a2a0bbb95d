//! Nothing: the tests of this package are what it is for.
#![forbid(unsafe_code)]

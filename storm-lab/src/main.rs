//! `storm-lab`: what a retry policy does to a system, before it is shipped.

fn main() {}

//! Calls that nobody makes.
#![deny(unused_must_use)]

use std::io;

use stormless::Policy;

fn main() {
    Policy::new().run(async || Ok::<u32, io::Error>(7)); //~ ERROR unused `Run` that must be used
    Policy::new().run_mut(async || Ok::<u32, io::Error>(7)); //~ ERROR unused `Run` that must be used
    Policy::new().run_blocking(|| Ok::<u32, io::Error>(7)).named("orders"); //~ ERROR unused `Run` that must be used
}

//! What Linux knows about this process.

use std::fs;

/// The pages of Linux on the machines of today.
const PAGE: u64 = 4096;

/// The bytes that are resident.
///
/// # Panics
///
/// Where there is no `/proc`: without it there is nothing to report.
pub fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").expect("this needs Linux's /proc");
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.expect("the second figure counts pages") * PAGE
}

/// For how many nanoseconds the main thread has run on a processor: what others do on the machine is not
/// in it.
///
/// # Panics
///
/// As [`resident`].
pub fn on_cpu() -> u64 {
    let stat = fs::read_to_string("/proc/self/schedstat").expect("this needs Linux's /proc");
    let nanos = stat.split(' ').next().and_then(|nanos| nanos.parse().ok());
    nanos.expect("the first figure is the time")
}

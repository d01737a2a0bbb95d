//! What Linux says of processes.
#![cfg(target_os = "linux")]

use std::fs;

/// The processes that say that they are this one's children.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let wanted = format!("\0load-child\0--parent\0{parent}\0");
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        // A process that has ended in between has no line.
        fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains(&wanted))
    })
    .collect()
}

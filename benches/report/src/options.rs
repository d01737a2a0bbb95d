//! What all commands of the benchmarks say alike about their options.

use std::process::exit;

/// Ends the process with a message, and with status 2.
pub fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    exit(2);
}

/// Ends the process with a message about its command line, and with status 2.
pub fn misused(message: &str) -> ! {
    eprintln!("error: {message}");
    eprintln!("`--help` lists the options: `cargo run … -- --help`");
    exit(2);
}

/// The value of an option that counts something.
///
/// Ends the process with a message if it is no whole number from `least` on.
pub fn count(option: &str, value: Option<&str>, least: u64) -> u64 {
    let number = value.and_then(|value| value.parse().ok()).filter(|number| *number >= least);
    number.unwrap_or_else(|| {
        let value = value.map_or("nothing".to_owned(), |value| format!("`{value}`"));
        misused(&format!("`{option}` needs a whole number from {least} on, and got {value}"))
    })
}

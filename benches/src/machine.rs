//! Where, how and from what a binary was built.

/// Resolved versions, as cargo wrote them down for this very build.
const LOCK: &str = include_str!("../Cargo.lock");

/// The profile that built this binary.
pub const PROFILE: &str = env!("BENCHES_PROFILE");

/// `rustc --version` of the compiler that built this binary.
pub const RUSTC: &str = env!("BENCHES_RUSTC");

/// The head of a table: the machine, the compiler, the versions of stormless, tokio and the peers, and the
/// profile.
pub fn head<'a>(peers: impl IntoIterator<Item = &'a str>) -> String {
    let mut packages = vec!["stormless", "tokio"];
    packages.extend(peers);
    packages.dedup();
    format!("{}profile `{PROFILE}`\n", report::head(LOCK, &packages))
}

//! What `docs/migration/reqwest-retry.md` says of both sides.

mod answers;
mod requests;
mod server;
mod time;

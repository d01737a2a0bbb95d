//! Servers on loopback that fail by script.
//!
//! ```no_run
//! use faults::{Script, Server, h1, h2};
//!
//! // Every connection: one request is read, then the connection is closed without an answer.
//! let server = Server::start(Script::connections([h1::read_then_close()]))?;
//! // … a client calls `server.addr()` …
//! assert_eq!(server.hits().requests, 1);
//!
//! // HTTP/2: the first stream is refused, every later one answered.
//! let server = Server::start(Script::streams([h2::reset(h2::REFUSED_STREAM), h2::answer(200, "done")]))?;
//! # std::io::Result::Ok(())
//! ```
//!
//! A server has threads of its own and no runtime, so it serves clients of any runtime, with paused time
//! too. It ends when it is dropped. HTTP is spoken by hand: no library stands between a script and what
//! a client sees of it.

#![forbid(unsafe_code)]

pub mod h1;
pub mod h2;
mod script;
mod server;
mod state;

pub use script::Script;
pub use server::Server;
pub use state::Hits;

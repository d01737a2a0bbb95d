//! What can go wrong, and with which exit code the program ends then.

use std::process::ExitCode;

use thiserror::Error;

use crate::{
    attribute::Mistakes, load::LoadError, output::WholeError, plots::PngError,
    scenario::ScenarioError,
};

/// Why a command has not done all that it should.
#[derive(Debug, Error)]
pub enum CliError {
    /// An argument cannot be followed. The message says what to write instead.
    #[error("{0}")]
    Usage(String),
    /// A policy cannot be read. Each mistake begins with `error: ` itself.
    #[error("{0}")]
    Policy(Mistakes),
    /// A scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] WholeError),
    /// A plot cannot be made into pixels.
    #[error(transparent)]
    Picture(#[from] PngError),
    /// Standard output failed.
    #[error("standard output cannot be written: {0}")]
    Output(std::io::Error),
    /// Whoever reads standard output has read enough. Not said.
    #[error("standard output was closed")]
    Closed,
    /// Simulations have failed.
    #[error("{0} simulations failed; they are listed below their table")]
    Failed(usize),
    /// The experiment with real sockets could not begin.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Parts of that experiment failed.
    #[error("{0} things went wrong with the experiment itself; they are listed below its table")]
    Partial(usize),
    /// Built-in scenarios do not show what they are there to show.
    #[error("{0} rules do not hold")]
    Rules(usize),
    /// Ctrl-C.
    #[error("stopped before the end; {0}")]
    Stopped(&'static str),
}

impl CliError {
    /// 0, 1, 2 or 130.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Closed => 0,
            Self::File(_)
            | Self::Picture(_)
            | Self::Output(_)
            | Self::Failed(_)
            | Self::Rules(_)
            | Self::Load(_)
            | Self::Partial(_) => 1,
            Self::Usage(_) | Self::Policy(_) | Self::Scenario(_) => 2,
            Self::Stopped(_) => 130,
        })
    }
}

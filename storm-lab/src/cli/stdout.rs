//! Standard output, which somebody may close.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use super::CliError;
use crate::output::Style;

/// Writes to standard output.
///
/// # Errors
/// [`CliError::Closed`] if nobody reads it any more.
pub(super) fn write(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    let mut writer = BufWriter::new(io::stdout().lock());
    fill(&mut writer).and_then(|()| writer.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CliError::Closed,
        _ => CliError::Output(error),
    })
}

/// How text on it is laid out.
pub(super) fn style() -> Style {
    let terminal = io::stdout().is_terminal();
    let columns = console::Term::stdout().size_checked().map(|(_, columns)| columns);
    let columns = terminal.then(|| columns.unwrap_or(0));
    Style::detect(columns, &|name| std::env::var(name).ok())
}

//! What a server asks for beside the code.

use std::time::Duration;

use ::tonic::{Status, metadata::MetadataMap};
use prost::Message;
use tonic_types::pb::{self, RetryInfo};

use super::super::http::Fields;
use crate::{Classification, Hint, Kind};

/// What the server asks for.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    Nothing,
    /// To come back after this time; zero means with no wait of the server's.
    Return(Duration),
    /// Not to come back.
    Never,
}

/// What is said beside the code.
pub(super) struct Beside {
    pub(super) asked: Asked,
    /// A proxy has refused the call, which nobody else has seen.
    pub(super) refused: bool,
}

/// The pushback, or else the `RetryInfo`, or else the fields that HTTP has for it: the first is said by
/// whoever serves the call, the others may have been copied along from further away.
pub(super) fn of(status: &Status) -> Beside {
    let fields = Fields::of(status.metadata().as_ref());
    let asked = match of_metadata(status.metadata()) {
        _ if fields.never => Asked::Never,
        Asked::Nothing => match of_details(status) {
            Asked::Nothing => fields.wait.map_or(Asked::Nothing, Asked::Return),
            asked => asked,
        },
        asked => asked,
    };
    Beside { asked, refused: fields.limited || fields.overloaded }
}

/// Source: gRPC's retry design (A6), "Pushback": 32 bits of milliseconds; whatever is negative or is no
/// such number means "never", and so do several values.
pub(super) fn of_metadata(metadata: &MetadataMap) -> Asked {
    let mut values = metadata.get_all("grpc-retry-pushback-ms").iter();
    let Some(value) = values.next() else { return Asked::Nothing };
    // Rust reads a sign that the format has not.
    let text = value.to_str().ok().filter(|text| !text.starts_with('+'));
    let millis = text.and_then(|text| text.parse::<i32>().ok());
    match millis.and_then(|millis| u64::try_from(millis).ok()) {
        Some(millis) if values.next().is_none() => Asked::Return(Duration::from_millis(millis)),
        _ => Asked::Never,
    }
}

fn of_details(status: &Status) -> Asked {
    retry_info(status.details()).map_or(Asked::Nothing, |info| Asked::Return(wait(info)))
}

fn retry_info(details: &[u8]) -> Option<RetryInfo> {
    let details = pb::Status::decode(details).ok()?.details;
    let info = details.iter().find(|any| any.type_url == tonic_types::RetryInfo::TYPE_URL)?;
    RetryInfo::decode(&info.value[..]).ok()
}

/// The conversion that comes with the message overflows where the delay is the least there is.
fn wait(info: RetryInfo) -> Duration {
    let Some(delay) = info.retry_delay else { return Duration::ZERO };
    match (u64::try_from(delay.seconds), u32::try_from(delay.nanos)) {
        (Ok(seconds), Ok(nanos)) => {
            Duration::from_secs(seconds).saturating_add(Duration::from_nanos(nanos.into()))
        }
        // Before now is at once.
        _ => Duration::ZERO,
    }
}

impl Asked {
    /// Whether the server asks for anything. A refusal for good needs no word about when.
    pub(super) const fn is_said(self) -> bool {
        !matches!(self, Self::Nothing)
    }

    pub(super) const fn refine(self, class: Classification) -> Classification {
        match (self, class.kind()) {
            (Self::Never, _) => class.do_not_retry(),
            // Who says both is not asked again.
            (Self::Return(_), _) if matches!(class.hint(), Some(Hint::DoNotRetry)) => class,
            // A wait does not turn a final answer into one that may be asked for again.
            (Self::Nothing, _) | (_, Kind::Permanent | Kind::Cancelled) => class,
            (Self::Return(wait), _) => class.retry_after(wait),
        }
    }
}

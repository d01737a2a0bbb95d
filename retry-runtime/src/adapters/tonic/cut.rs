//! Cuts as statuses, which an enclosing call knows again by their source.

use std::sync::Arc;

use ::tonic::{Code, Status};

use crate::{AttemptTimeout, BreakerOpen, DeadlineExceeded};

/// `DEADLINE_EXCEEDED`
impl From<AttemptTimeout> for Status {
    fn from(cut: AttemptTimeout) -> Self {
        from_cut(Code::DeadlineExceeded, cut)
    }
}

/// `DEADLINE_EXCEEDED`
impl From<DeadlineExceeded> for Status {
    fn from(cut: DeadlineExceeded) -> Self {
        from_cut(Code::DeadlineExceeded, cut)
    }
}

/// `UNAVAILABLE`
impl From<BreakerOpen> for Status {
    fn from(cut: BreakerOpen) -> Self {
        from_cut(Code::Unavailable, cut)
    }
}

fn from_cut(code: Code, cut: impl std::error::Error + Send + Sync + 'static) -> Status {
    let mut status = Status::new(code, cut.to_string());
    status.set_source(Arc::new(cut));
    status
}

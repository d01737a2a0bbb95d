//! Placeholder.
use crate::{BreakerOpen, Classification, Cut, Moment};
/// Placeholder.
#[derive(Debug)]
pub struct Breaker(&'static str);
impl Breaker {
    /// Placeholder.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }
    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.0
    }
    pub(crate) fn admit(
        &'static self,
        _clock: impl FnOnce() -> Moment,
    ) -> Result<Permit, BreakerOpen> {
        Ok(Permit(self))
    }
    pub(crate) fn refuses(&self, _now: Moment) -> Option<BreakerOpen> {
        None
    }
}
/// Placeholder.
#[derive(Debug)]
pub struct Permit(#[allow(dead_code)] &'static Breaker);
impl Permit {
    pub(crate) fn settle(self, _seen: Seen, _clock: impl FnOnce() -> Moment) {}
}
/// Placeholder.
#[derive(Clone, Copy, Debug)]
pub enum Seen {
    Success,
    Failure,
    Timeout,
    Ignored,
}
impl Seen {
    pub(crate) const fn of(_c: &Classification, _cut: Option<Cut>) -> Self {
        Self::Failure
    }
}
/// Placeholder.
#[derive(Debug)]
pub struct NamedBreaker(&'static str);
impl NamedBreaker {
    /// Placeholder.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }
    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.0
    }
    pub(crate) fn resolve(&self) -> &'static Breaker {
        static B: Breaker = Breaker::new("x");
        &B
    }
}

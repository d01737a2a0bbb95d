//! What is a layer's to know about its requests: how one is cloned, and what is special about each.

use super::per_request::PerRequest;

/// How a request is cloned for another attempt.
#[diagnostic::on_unimplemented(
    message = "a request of type `{Req}` cannot be cloned for another attempt",
    label = "the layer does not know how to send `{Req}` twice",
    note = "it needs `Clone`, or a `.clone_with(fn(&{Req}) -> Option<{Req}>)` on the layer, such as `.clone_with(reqwest::Request::try_clone)`",
    note = "`.clone_with(|_| None)` sends each request once"
)]
pub trait Cloning<Req> {
    /// A clone; `None` where there cannot be one.
    fn clone_request(&self, request: &Req) -> Option<Req>;
}

/// What is special about the call that sends a request.
pub trait Preparing<Req> {
    /// Says so.
    fn prepare(&self, request: &Req, call: &mut PerRequest);
}

/// Both.
#[derive(Clone, Copy, Debug)]
pub struct Sending<C = ByClone, P = Unprepared> {
    pub(super) cloning: C,
    pub(super) preparing: P,
}

/// Requests are `Clone`.
#[derive(Clone, Copy, Debug)]
pub struct ByClone;

/// A function clones requests.
#[derive(Clone, Copy, Debug)]
pub struct CloneWith<F>(pub(super) F);

/// All requests are alike.
#[derive(Clone, Copy, Debug)]
pub struct Unprepared;

/// A request's method says whether a repeat is harmless: [`by_method`](super::by_method).
#[derive(Clone, Copy, Debug)]
pub struct ByMethod;

/// A function looks at each request.
#[derive(Clone, Copy, Debug)]
pub struct PerRequestWith<F>(pub(super) F);

#[diagnostic::do_not_recommend]
impl<Req: Clone> Cloning<Req> for ByClone {
    fn clone_request(&self, request: &Req) -> Option<Req> {
        Some(request.clone())
    }
}

impl<Req, F: Fn(&Req) -> Option<Req>> Cloning<Req> for CloneWith<F> {
    fn clone_request(&self, request: &Req) -> Option<Req> {
        (self.0)(request)
    }
}

impl<Req> Preparing<Req> for Unprepared {
    fn prepare(&self, _: &Req, _: &mut PerRequest) {}
}

impl<B> Preparing<http::Request<B>> for ByMethod {
    fn prepare(&self, request: &http::Request<B>, call: &mut PerRequest) {
        super::http::by_method(request, call);
    }
}

#[cfg(feature = "reqwest-0-13")]
impl Preparing<reqwest::Request> for ByMethod {
    fn prepare(&self, request: &reqwest::Request, call: &mut PerRequest) {
        super::reqwest::by_method(request, call);
    }
}

impl<Req, F: Fn(&Req, &mut PerRequest)> Preparing<Req> for PerRequestWith<F> {
    fn prepare(&self, request: &Req, call: &mut PerRequest) {
        (self.0)(request, call);
    }
}

impl<Req, C: Cloning<Req>, P> Cloning<Req> for Sending<C, P> {
    fn clone_request(&self, request: &Req) -> Option<Req> {
        self.cloning.clone_request(request)
    }
}

impl<Req, C, P: Preparing<Req>> Preparing<Req> for Sending<C, P> {
    fn prepare(&self, request: &Req, call: &mut PerRequest) {
        self.preparing.prepare(request, call);
    }
}

//! What is a layer's to know about its requests: how one is cloned, and what is special about each.

use super::{layer::RetryLayer, per_request::PerRequest};

/// How a request is cloned for another attempt.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::{ByClone, Cloning};
///
/// fn twice<Req>(request: &Req, how: &impl Cloning<Req>) -> Option<[Req; 2]> {
///     Some([how.clone_request(request)?, how.clone_request(request)?])
/// }
///
/// assert_eq!(twice(&7, &ByClone), Some([7, 7]));
/// ```
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
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Nobody}};
/// use stormless::tower::{ByClone, RetryLayer, Sending, Unprepared};
///
/// // The same as `RetryLayer<u32, io::Error>`: nothing was said.
/// type Layer = RetryLayer<
///     u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Nobody, Nobody, Sending<ByClone, Unprepared>,
/// >;
///
/// let layer: Layer = RetryLayer::new(Policy::new()).named("orders");
/// # drop(layer);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sending<C = ByClone, P = Unprepared> {
    pub(super) cloning: C,
    pub(super) preparing: P,
}

/// Requests are `Clone`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::{ByClone, Cloning};
///
/// assert_eq!(ByClone.clone_request(&7), Some(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByClone;

/// A function clones requests.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Nobody}};
/// use stormless::tower::{CloneWith, RetryLayer, Sending};
///
/// /// Not `Clone`: the file can be read once.
/// enum Upload { Text(String), File(std::fs::File) }
///
/// impl Upload {
///     fn again(&self) -> Option<Self> {
///         match self {
///             Self::Text(text) => Some(Self::Text(text.clone())),
///             Self::File(_) => None,
///         }
///     }
/// }
///
/// type Again = fn(&Upload) -> Option<Upload>;
///
/// /// What can be a field.
/// type Layer = RetryLayer<
///     u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Nobody, Nobody, Sending<CloneWith<Again>>,
/// >;
///
/// let layer: Layer = RetryLayer::new(Policy::new()).clone_with(Upload::again as Again);
/// # drop(layer);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CloneWith<F>(pub(super) F);

/// All requests are alike.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::{ByClone, RetryLayer, Sending, Unprepared};
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Nobody}};
///
/// type Layer = RetryLayer<
///     u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Nobody, Nobody, Sending<ByClone, Unprepared>,
/// >;
///
/// let layer: Layer = RetryLayer::new(Policy::new());
/// # drop(layer);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Unprepared;

/// A request's method says whether a repeat is harmless: [`by_method`](super::by_method).
#[derive(Clone, Copy, Debug)]
pub struct ByMethod;

/// A function looks at each request, after `P` has.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io;
/// use stormless::{Policy, run::{Awaited, ByError, ByTrait, Nobody}};
/// use stormless::tower::{ByClone, PerRequest, PerRequestWith, RetryLayer, Sending, Unprepared};
///
/// type Prepare = fn(&String, &mut PerRequest);
///
/// /// What can be a field.
/// type Layer = RetryLayer<
///     u32, io::Error, Awaited, ByError<io::Error>, ByTrait, Nobody, Nobody, Sending<ByClone, PerRequestWith<Unprepared, Prepare>>,
/// >;
///
/// let prepare: Prepare = |query, call| {
///     call.set_policy(call.policy().idempotent_if(query.starts_with("SELECT")));
/// };
/// let layer: Layer = RetryLayer::new(Policy::new()).per_request(prepare);
/// # drop(layer);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PerRequestWith<P, F>(pub(super) P, pub(super) F);

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

impl<Req, P, F> Preparing<Req> for PerRequestWith<P, F>
where
    P: Preparing<Req>,
    F: Fn(&Req, &mut PerRequest),
{
    fn prepare(&self, request: &Req, call: &mut PerRequest) {
        self.0.prepare(request, call);
        (self.1)(request, call);
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

impl<T, E, M, C, J, K, A, L, P> RetryLayer<T, E, M, C, J, K, A, Sending<L, P>> {
    /// How a request is cloned for another attempt, where it is not [`Clone`]: such as
    /// `.clone_with(reqwest::Request::try_clone)`.
    ///
    /// `None` is for a request that cannot be sent twice, such as one whose body is a stream. It is sent once,
    /// as it is, and if that fails with what would be retried, the call ends with this failure; the reason is
    /// [`StopReason::Unrepeatable`](crate::StopReason::Unrepeatable). Never is there a clone without the body.
    ///
    /// It is asked right before an attempt that another can follow, inside that attempt: a clone may have what
    /// [`current()`](crate::current) tells. The last one that there can be sends the request itself. What is
    /// to be written to every request belongs into a layer inside, such as
    /// [`InjectLayer`](crate::tower::InjectLayer).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, tower::RetryLayer};
    ///
    /// /// Not `Clone`: the file can be read once.
    /// enum Upload { Text(String), File(std::fs::File) }
    ///
    /// let layer = RetryLayer::<u32, std::io::Error>::new(Policy::new()).clone_with(
    ///     |upload: &Upload| match upload {
    ///         Upload::Text(text) => Some(Upload::Text(text.clone())),
    ///         Upload::File(_) => None,
    ///     },
    /// );
    /// # drop(layer);
    /// ```
    #[expect(clippy::type_complexity, reason = "no name would say more")]
    pub fn clone_with<Req, F>(
        self,
        clone: F,
    ) -> RetryLayer<T, E, M, C, J, K, A, Sending<CloneWith<F>, P>>
    where
        F: Fn(&Req) -> Option<Req> + Clone,
    {
        self.sending(|Sending { cloning: _, preparing }| Sending {
            cloning: CloneWith(clone),
            preparing,
        })
    }

    /// Looks at each request before its call begins, and changes what is special about the call: whether it
    /// may be repeated, who pays, the key. Of several functions each sees what those before it have said, and
    /// the layers for HTTP have said by the method whether a repeat is harmless.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use tower_layer::Layer;
    /// # use tower_service::Service;
    /// use http::{Request, Response};
    /// use stormless::{Budget, Policy, budget, tower::{PerRequest, RetryLayer}};
    ///
    /// budget! { static OUTSIDE: Budget = Budget::new("outside").burst(10).ratio(0.1); }
    ///
    /// # fn decorate<S>(client: S) -> impl Service<Request<String>, Response = Response<String>>
    /// # where S: Service<Request<String>, Response = Response<String>, Error = std::io::Error> + Clone {
    /// let client = RetryLayer::new(Policy::new())
    ///     .per_request(|request: &Request<String>, call: &mut PerRequest| {
    ///         call.set_policy(call.policy().idempotent_if(request.method().is_idempotent()));
    ///         call.budget_key(&OUTSIDE, request.uri().host().unwrap_or_default());
    ///     })
    ///     .layer(client);
    /// # client
    /// # }
    /// ```
    #[expect(clippy::type_complexity, reason = "no name would say more")]
    pub fn per_request<Req, F>(
        self,
        prepare: F,
    ) -> RetryLayer<T, E, M, C, J, K, A, Sending<L, PerRequestWith<P, F>>>
    where
        F: Fn(&Req, &mut PerRequest) + Clone,
    {
        self.sending(|Sending { cloning, preparing }| Sending {
            cloning,
            preparing: PerRequestWith(preparing, prepare),
        })
    }

    pub(super) fn by_method(self) -> RetryLayer<T, E, M, C, J, K, A, Sending<L, ByMethod>> {
        self.sending(|Sending { cloning, preparing: _ }| Sending { cloning, preparing: ByMethod })
    }
}

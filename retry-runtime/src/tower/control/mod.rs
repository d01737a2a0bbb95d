//! Overrides and tables over HTTP.

mod answer;
mod body;
mod change;
mod future;
mod target;

use std::{
    convert::Infallible,
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Buf;
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body::Body;
use tower_service::Service;

pub use body::ControlBody;
pub use future::ControlFuture;

use crate::{Context as Ambient, control, report_page};
use answer::Answer;
use change::{clear, set};

/// A service that shows what retries do, and changes it: the tables, and the overrides of the layer `code`.
///
/// **Whoever reaches it can switch the retries of this process off, or make them many. It asks nobody who they
/// are: put it behind the authentication of the host, or on a port that only operators reach.**
/// [`read_only`](Self::read_only) leaves out what changes anything.
///
/// | request | answer |
/// |---|---|
/// | `GET /` | the overrides in force and the tables as a page of HTML; with `accept: application/json` what [`json`](Self::json) says |
/// | `GET /text` | the overrides in force and the tables as text |
/// | `POST /` | a document of overrides, each of whose tables is set in the layer `code`; the answer is how many were set, and what is in force then. If anything is wrong with it, or it sets nothing, nothing is changed and the answer is 400, with all that is wrong |
/// | `DELETE /` | takes away all that was set in the layer `code`, switches included |
/// | `DELETE /?target=budget.orders` | the same for one target, or several: `all`, `site.NAME`, `budget.NAME`, `budget.NAME.sites`, `breaker.NAME`, percent-encoded where a query needs it. If nothing was set for one of them, nothing is changed and the answer is 404 |
/// | any other path | 404 |
///
/// A document needs the field `content-type: application/toml`, with which no page of another origin makes a
/// browser send it without asking first. The three that forms can have, `text/plain` among them, are refused,
/// and so is none at all. It may have 64 KiB. The paths are those behind where it is nested, which can be
/// anywhere; a router that leaves the path as it is needs [`at`](Self::at):
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::tower::ControlService;
///
/// let service = ControlService::new();
/// // axum::Router::new().nest_service("/debug/retries", service)
/// # drop(service);
/// ```
///
/// Made inside an isolated test, it is about that test, on whichever task it answers.
#[derive(Clone)]
pub struct ControlService {
    context: Ambient,
    page: Arc<dyn Fn() -> String + Send + Sync>,
    json: Option<Arc<dyn Fn() -> String + Send + Sync>>,
    read_only: bool,
    at: Arc<str>,
}

impl ControlService {
    /// One that shows and changes.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ControlService;
    ///
    /// let service = ControlService::new();
    /// # drop(service);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            context: Ambient::root(),
            page: Arc::new(report_page),
            json: None,
            read_only: false,
            at: "".into(),
        }
    }

    /// The path at which it is mounted, for routers that do not cut it off, as axum's `route_service` does not.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ControlService;
    ///
    /// let service = ControlService::new().at("/debug/retries");
    /// // axum::Router::new().route_service("/debug/retries", service)
    /// # drop(service);
    /// ```
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        self.at = path.trim_end_matches('/').into();
        self
    }

    /// One that only shows: `POST` and `DELETE` are methods that it does not have.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ControlService;
    ///
    /// // For a port that others than operators reach.
    /// let service = ControlService::new().read_only();
    /// # drop(service);
    /// ```
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Another page than [`report_page`](crate::report_page)'s, such as one with the name of the service.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{tables::Page, tower::ControlService};
    ///
    /// let page = Page::new().title("orders-api").processes(12);
    /// let service = ControlService::new().page(move || page.render());
    /// # drop(service);
    /// ```
    #[must_use]
    pub fn page(mut self, page: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.page = Arc::new(page);
        self
    }

    /// What is answered to `accept: application/json`. Without it that is the page too.
    ///
    /// With the feature `serde-1` the overrides and the tables serialize, so that with `serde_json` it is one line:
    /// `.json(|| json!({ "overrides": control::overrides(), "sites": sites(), "budgets": budgets() }).to_string())`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tower::ControlService;
    ///
    /// let service = ControlService::new().json(|| format!("[{}]", stormless::sites().iter().count()));
    /// # drop(service);
    /// ```
    #[must_use]
    pub fn json(mut self, json: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.json = Some(Arc::new(json));
        self
    }

    /// What a path is, if it is one of ours: with or without where the service is mounted.
    fn place(&self, path: &str) -> Option<Place> {
        match path.strip_prefix(&*self.at).unwrap_or(path) {
            "" | "/" => Some(Place::Root),
            "/text" => Some(Place::Text),
            _ => None,
        }
    }

    const fn methods(&self, place: Place) -> &'static str {
        match place {
            Place::Root if !self.read_only => "GET, HEAD, POST, DELETE",
            Place::Root | Place::Text => "GET, HEAD",
        }
    }

    fn show(&self, place: Place, headers: &HeaderMap) -> Answer {
        match (place, &self.json) {
            (Place::Text, _) => Answer::text(StatusCode::OK, text()),
            (Place::Root, Some(json)) if wants_json(headers) => Answer::json(json()),
            (Place::Root, _) => Answer::html((self.page)()),
        }
    }
}

/// What there is.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Text,
}

impl Default for ControlService {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ControlService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlService")
            .field("read_only", &self.read_only)
            .field("json", &self.json.is_some())
            .finish_non_exhaustive()
    }
}

impl<B> Service<Request<B>> for ControlService
where
    B: Body,
    B::Data: Buf,
{
    type Response = Response<ControlBody>;
    type Error = Infallible;
    type Future = ControlFuture<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ControlFuture<B> {
        let (parts, body) = request.into_parts();
        let Some(place) = self.place(parts.uri.path()) else {
            return ControlFuture::ready(nowhere(parts.uri.path()));
        };
        let changes = matches!(place, Place::Root) && !self.read_only;
        let answer = match parts.method {
            Method::GET | Method::HEAD => {
                self.context.clone().run(|| self.show(place, &parts.headers))
            }
            Method::POST if changes => {
                return match refusal(&parts.headers, &body) {
                    Some(answer) => ControlFuture::ready(answer),
                    None => ControlFuture::reading(body, self.context.clone()),
                };
            }
            Method::DELETE if changes => self.context.clone().run(|| clear(parts.uri.query())),
            _ => Answer::not_allowed(self.methods(place)),
        };
        ControlFuture::ready(answer)
    }
}

/// That there is no such path, and how one comes to ask for it.
fn nowhere(path: &str) -> Answer {
    let said: String = path.chars().take(200).collect();
    Answer::not_found(&format!(
        "there is no `{said}`: there are `/` and `/text`; a router that does not cut off the path at which this is mounted needs `ControlService::at`"
    ))
}

/// Why a document is not even read.
fn refusal<B: Body>(headers: &HeaderMap, body: &B) -> Option<Answer> {
    if !is_toml(headers) {
        return Some(Answer::text(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a document of overrides needs the field `content-type: application/toml`\n".to_owned(),
        ));
    }
    // Said before anything is read, where the length is known.
    let length = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    (length > answer::LIMIT).then(Answer::too_large)
}

/// Exactly that type: those of forms come from pages of any origin.
fn is_toml(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::CONTENT_TYPE).into_iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let kind = value.to_str().ok().and_then(|value| value.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/toml"))
}

/// Browsers ask for HTML, and take anything else too.
fn wants_json(headers: &HeaderMap) -> bool {
    let values =
        headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut kinds =
        values.flat_map(|value| value.split(',')).filter_map(|kind| kind.split(';').next());
    kinds.any(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Everything, for terminals.
fn text() -> String {
    format!(
        "overrides\n\n{}\n\nsites\n\n{}\n\nbudgets\n\n{}\n\nbreakers\n\n{}\n",
        control::overrides(),
        crate::sites(),
        crate::budgets(),
        crate::breakers()
    )
}

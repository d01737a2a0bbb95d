//! Overrides and tables over HTTP, in a router of axum's, with a real client.

use std::{convert::Infallible, net::SocketAddr};

use axum::Router;
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use http::{Request, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use reqwest::{Method, Response};
use stormless::{
    Budget, budget,
    control::{self, Layer, Override, Overrides, Target},
    retry,
    testing::isolated,
    tower::ControlService,
};
use tower::ServiceExt;

budget! { static ORDERS: Budget = Budget::new("control.orders"); }

/// A router in which the service is mounted in the two ways there are, on a port of its own.
async fn serve(service: ControlService) -> SocketAddr {
    let router = Router::new()
        .nest_service("/debug/retries", service.clone())
        .route_service("/retries", service.at("/retries/"));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, router).await });
    address
}

struct Client(SocketAddr);

impl Client {
    async fn new(service: ControlService) -> Self {
        Self(serve(service).await)
    }

    async fn send(&self, method: Method, path: &str, field: (&str, &str), body: &str) -> Response {
        let url = format!("http://{}{path}", self.0);
        let request = reqwest::Client::new().request(method, url).header(field.0, field.1);
        request.body(body.to_owned()).send().await.unwrap()
    }

    async fn get(&self, path: &str, accept: &str) -> (String, String) {
        let answer = self.send(Method::GET, path, ("accept", accept), "").await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
        (kind, answer.text().await.unwrap())
    }

    async fn post(&self, kind: &str, document: &str) -> (u16, String) {
        let field = ("content-type", kind);
        let answer = self.send(Method::POST, "/debug/retries", field, document).await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    }
}

const TOML: &str = "application/toml";

/// What is in force.
fn said() -> Vec<String> {
    let overrides = control::overrides();
    overrides
        .iter()
        .map(|row| format!("{}: {}: {}", row.layer(), row.target(), row.settings()))
        .collect()
}

#[tokio::test]
async fn the_page_and_the_tables_are_there_wherever_it_is_mounted() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        for path in ["/debug/retries", "/debug/retries/", "/retries", "/retries?from=a-link"] {
            let (kind, page) = client.get(path, "text/html,*/*;q=0.8").await;
            assert_eq!(kind, "text/html; charset=utf-8", "{path}");
            assert!(page.contains("<!doctype html>") && page.contains("control.orders"), "{path}");
        }
        let (kind, text) = client.get("/debug/retries/text", "*/*").await;
        assert_eq!(kind, "text/plain; charset=utf-8");
        assert!(text.starts_with("overrides\n\nnothing is overridden\n"), "{text}");
        assert!(text.contains("control.orders"), "{text}");
        let head = client.send(Method::HEAD, "/retries", ("accept", "*/*"), "").await;
        assert_eq!((head.status(), head.text().await.unwrap().len()), (StatusCode::OK, 0));
    })
    .await;
}

#[tokio::test]
async fn whoever_asks_for_json_gets_what_the_host_makes_of_it() {
    isolated(async {
        let plain = Client::new(ControlService::new()).await;
        assert_eq!(plain.get("/retries", "application/json").await.0, "text/html; charset=utf-8");
        let service = ControlService::new().json(|| "{}".to_owned()).page(|| "<p>".to_owned());
        let client = Client::new(service).await;
        let json = ("application/json".to_owned(), "{}".to_owned());
        assert_eq!(client.get("/retries", "text/plain;q=0.5, Application/JSON;q=0.9").await, json);
        assert_eq!(client.get("/retries", "*/*").await.1, "<p>");
    })
    .await;
}

#[tokio::test]
async fn a_document_is_set_table_by_table_and_taken_away_again() {
    isolated(async {
        let mut file = Overrides::new();
        file.push(Override::new(Target::All).set("base", "1s").unwrap());
        control::apply(Layer::File, file).unwrap();
        let client = Client::new(ControlService::new()).await;

        let document = "[all]\nattempts = 2\nnote = \"INC-4711\"\n";
        let (status, shown) = client.post("Application/TOML; charset=utf-8", document).await;
        assert_eq!(status, 200, "{shown}");
        assert!(shown.starts_with("1 override set\n\n"), "{shown}");
        assert!(shown.contains("INC-4711") && shown.contains("base"), "{shown}");
        let document = "{ budget.\"control.orders\" = { retries = \"off\" } }";
        assert_eq!(client.post(TOML, document).await.0, 200);
        assert_eq!(
            said(),
            [
                "file: all sites: base = \"1s\"",
                "code: all sites: attempts = 2",
                "code: budget `control.orders`: retries = \"off\"",
            ]
        );
        assert!(control::budget("control.orders").unwrap().is_off());

        let cleared = client.send(Method::DELETE, "/retries", ("accept", "*/*"), "").await;
        assert_eq!(cleared.status(), StatusCode::OK);
        assert_eq!(said(), ["file: all sites: base = \"1s\""]);
        assert!(!control::budget("control.orders").unwrap().is_off());
    })
    .await;
}

#[tokio::test]
async fn a_bad_document_changes_nothing_and_all_that_is_wrong_is_answered() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        let document = "[all]\nattempts = 2\n[budget.\"control.order\"]\nretries = \"off\"\n";
        let (status, said_of_it) = client.post(TOML, document).await;
        assert_eq!(status, 400);
        assert_eq!(
            said_of_it,
            "request:3:9: budget `control.order`: there is no budget `control.order`: did you mean `control.orders`?\n"
        );
        let (status, said_of_it) = client.post(TOML, "[all]\nattempts = 0\nbase = 1\n").await;
        assert_eq!((status, said_of_it.lines().count()), (400, 2), "{said_of_it}");
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

// A form of any page can be sent to any address, and so can what a script sends without a type.
#[tokio::test]
async fn what_a_page_of_another_origin_can_make_a_browser_send_is_refused() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        let document = "retries = \"off\"";
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "text/plain; application/toml",
            "application/tomlish",
            "",
        ] {
            let (status, said_of_it) = client.post(kind, document).await;
            assert_eq!(status, 415, "{kind}: {said_of_it}");
            assert!(said_of_it.ends_with("`content-type: application/toml`\n"), "{said_of_it}");
        }
        let answer = client.send(Method::POST, "/retries", ("accept", "*/*"), document).await;
        assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
        // Nor does it allow what a browser asks for before anything else.
        let asked = client.send(Method::OPTIONS, "/retries", ("origin", "http://evil.example"), "");
        let asked = asked.await;
        assert_eq!(asked.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert!(!asked.headers().keys().any(|name| name.as_str().starts_with("access-control")));
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn other_methods_are_told_which_there_are() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        let answer = client.send(Method::PUT, "/retries", ("content-type", TOML), "").await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(answer.headers()["allow"], "GET, HEAD, POST, DELETE");

        let client = Client::new(ControlService::new().read_only()).await;
        for method in [Method::POST, Method::DELETE] {
            let field = ("content-type", TOML);
            let answer = client.send(method, "/retries", field, "retries = \"off\"").await;
            assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(answer.headers()["allow"], "GET, HEAD");
        }
        assert_eq!(said(), [""; 0]);
        client.get("/retries", "*/*").await;
    })
    .await;
}

#[tokio::test]
async fn a_document_that_is_too_long_or_no_text_is_refused() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        let long = format!("retries = \"off\" #{}", "x".repeat(64 * 1024));
        assert_eq!(client.post(TOML, &long).await.0, 413);

        // In pieces, whose sum nobody has announced.
        let post = |body| Request::post("/").header("content-type", TOML).body(body).unwrap();
        let pieces = |count: usize| {
            let piece = |bytes| Ok::<_, Infallible>(Frame::data(Bytes::from_static(bytes)));
            let first: &[u8] = b"all.attempts = 2";
            let rest = (0..count).map(move |_| piece(&[b'#'; 1024]));
            StreamBody::new(stream::iter([piece(first)]).chain(stream::iter(rest)))
        };
        let answer = ControlService::new().oneshot(post(pieces(64))).await.unwrap();
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let answer = ControlService::new().oneshot(post(pieces(63))).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        control::clear(&Target::All);

        let request = Request::post("/").header("content-type", TOML);
        let request = request.body(Full::new(Bytes::from_static(b"# caf\xe9"))).unwrap();
        let answer = ControlService::new().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, "the document is not UTF-8: send it in that encoding\n");
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn a_document_that_breaks_off_changes_nothing() {
    isolated(async {
        let frames = [Ok(Frame::data(Bytes::from("retries = \"off\"\n"))), Err("reset")];
        let request = Request::post("/").header("content-type", TOML);
        let request = request.body(StreamBody::new(stream::iter(frames))).unwrap();
        let answer = ControlService::new().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

#[retry(attempts = 3, budget = ORDERS, name = "control.fetch")]
async fn fetch() -> Result<(), std::io::Error> {
    Ok(())
}

#[tokio::test]
async fn what_is_posted_stands_on_the_page_in_the_text_and_in_the_json_until_it_is_deleted() {
    isolated(async {
        fetch().await.unwrap();
        let everything = || {
            let sites = stormless::sites();
            serde_json::json!({ "overrides": control::overrides(), "sites": sites }).to_string()
        };
        let client = Client::new(ControlService::new().json(everything)).await;
        let paths = [
            ("/retries", "text/html"),
            ("/debug/retries/text", "*/*"),
            ("/retries", "application/json"),
        ];
        for (path, accept) in [paths[0], paths[2]] {
            assert!(!client.get(path, accept).await.1.contains("INC-4711"), "{accept}");
        }
        let document =
            "[budget.\"control.orders\".sites]\nattempts = 2\nnote = '<INC-4711>'\nfor = '30m'\n";
        let (status, answer) = client.post(TOML, document).await;
        assert_eq!(status, 200, "{answer}");
        let page = client.get("/retries", "text/html").await.1;
        for shown in [
            "data-override=\"sites of budget `control.orders`\"",
            "&lt;INC-4711&gt;",
            "<mark>2 attempts</mark> (declared: 3 attempts)",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        let text = client.get("/debug/retries/text", "*/*").await.1;
        assert!(text.contains("<INC-4711>") && text.contains("2 (declared 3)"), "{text}");
        let json = client.get("/retries", "application/json").await;
        assert_eq!(json.0, "application/json");
        let json: serde_json::Value = serde_json::from_str(&json.1).unwrap();
        assert_eq!(json["overrides"]["overrides"][0]["settings"]["attempts"], 2);
        assert_eq!(json["sites"][0]["overrides"][0]["note"], "<INC-4711>");

        let field = ("accept", "*/*");
        client.send(Method::DELETE, "/retries", field, "").await.error_for_status().unwrap();
        for (path, accept) in paths {
            assert!(!client.get(path, accept).await.1.contains("INC-4711"), "{accept}");
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_happens_at_a_path_that_is_none() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        assert_eq!(client.post(TOML, "all.attempts = 2").await.0, 200);
        let field = ("content-type", TOML);
        for method in [Method::GET, Method::HEAD, Method::POST, Method::DELETE, Method::PUT] {
            for path in ["/debug/retries/txt", "/debug/retries/text/text", "/debug/retries/retries"]
            {
                let answer = client.send(method.clone(), path, field, "retries = 'off'").await;
                assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{method} {path}");
            }
        }
        for method in [Method::POST, Method::DELETE] {
            let answer = client.send(method, "/debug/retries/text", field, "retries = 'off'").await;
            assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(answer.headers()["allow"], "GET, HEAD");
        }
        assert_eq!(said(), ["code: all sites: attempts = 2"]);

        // A router that leaves the path as it is.
        let request = Request::get("/retries").body(Full::<Bytes>::default()).unwrap();
        let answer = ControlService::new().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&body).contains("needs `ControlService::at`"), "{body:?}");
    })
    .await;
}

#[tokio::test]
async fn a_document_that_sets_nothing_is_told_so() {
    isolated(async {
        let client = Client::new(ControlService::new()).await;
        assert_eq!(client.post(TOML, "all.attempts = 2").await.0, 200);
        let expired = "[all]\nattempts = 1\nexpires = 2020-01-01T00:00:00Z";
        for (document, lines) in
            [("", 1), ("# nothing", 1), ("[all]\nnote = 'why'", 1), (expired, 2)]
        {
            let (status, answer) = client.post(TOML, document).await;
            assert_eq!((status, answer.lines().count()), (400, lines), "{document}: {answer}");
            assert!(answer.contains("there is nothing to set: "), "{answer}");
            assert!(answer.ends_with("to take back what was set, send DELETE\n"), "{answer}");
        }
        assert_eq!(said(), ["code: all sites: attempts = 2"]);
    })
    .await;
}

#[tokio::test]
async fn what_was_set_is_taken_back_by_target() {
    isolated(async {
        fetch().await.unwrap();
        let client = Client::new(ControlService::new()).await;
        let document = "all.attempts = 2\nsite.'control.fetch'.base = '1s'\nbudget.'control.orders'.retries = 'off'\nbudget.'control.orders'.sites.attempts = 3";
        let (status, answer) = client.post(TOML, document).await;
        assert_eq!(status, 200, "{answer}");
        assert!(answer.starts_with("4 overrides set\n"), "{answer}");
        let delete = async |query: &str| {
            let path = format!("/debug/retries?{query}");
            let answer = client.send(Method::DELETE, &path, ("accept", "*/*"), "").await;
            (answer.status().as_u16(), answer.text().await.unwrap())
        };
        for (query, status, said_of_it) in [
            ("traget=all", 400, "there is no `traget=all`"),
            ("target=al", 400, "`al` is no target"),
            ("target=site.", 400, "`site.` is no target"),
            ("target=site.%ff", 400, "`site.%ff` is not percent-encoded"),
            ("target=site.%f", 400, "`site.%f` is not percent-encoded"),
            ("target=all&target=breaker.x", 404, "nothing is set for breaker `x`"),
        ] {
            let (code, answer) = delete(query).await;
            assert_eq!(code, status, "{query}: {answer}");
            assert!(answer.starts_with(said_of_it), "{answer}");
        }
        assert_eq!(said().len(), 4);
        assert_eq!(delete("target=site.control.fetch&target=budget.control.orders").await.0, 200);
        assert_eq!(
            said(),
            [
                "code: all sites: attempts = 2",
                "code: sites of budget `control.orders`: attempts = 3"
            ]
        );
        assert!(!control::budget("control.orders").unwrap().is_off());
        assert_eq!(delete("target=budget.%22control.orders%22.sites").await.0, 200);
        assert_eq!(said(), ["code: all sites: attempts = 2"]);
        assert_eq!(delete("").await.0, 200);
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn an_answer_is_given_once() {
    isolated(async {
        let body = Full::new(Bytes::from_static(b"all.attempts = 2"));
        let request = Request::post("/").header("content-type", TOML).body(body).unwrap();
        let mut answer = Box::pin(tower::Service::call(&mut ControlService::new(), request));
        assert_eq!((&mut answer).await.unwrap().status(), StatusCode::OK);
        assert!(control::clear(&Target::All));
        assert!((&mut answer).now_or_never().is_none());
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

//! The requests of a page, and the answers to them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    LOCATION, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bid::engine::wire;
use bid_language::diagnostic::plain;
use bid_language::files::MOST_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

use super::Server;
use super::folder::FileRefusal;
use super::guard::Verdict;
use super::page::{ASSETS, POLICY, refusal};
use super::sessions::Log;
use bid_language::convert::fit;

/// The most bytes of a request: the longest worksheet with every character escaped, and a margin.
const MOST_SENT: u64 = 3 * MOST_BYTES;

/// The time within which a request must arrive.
const ARRIVES_IN: Duration = Duration::from_secs(20);

/// The most events in transit to a page at a time.
const UNDER_WAY: usize = 16;

type SharedServer = Arc<Server>;

/// Returns the router of all requests.
pub fn router(server: SharedServer) -> Router {
    let pages = ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(([(CONTENT_TYPE, asset.kind)], asset.bytes)))
    });
    pages
        .route("/api/start", get(start))
        .route("/api/events", get(events))
        .route("/api/orders", post(orders))
        .route("/api/close", post(close))
        .route("/api/files", get(files))
        .route("/api/file", get(file))
        .route("/api/save", post(save))
        // The guard has read the body, and limits its length.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guarded))
        .with_state(server)
}

/// Admits a request or refuses it, and adds the headers that restrict the use of the answer.
async fn guarded(State(server): State<SharedServer>, request: Request, next: Next) -> Response {
    let verdict = server
        .door
        .judge(request.method(), request.uri(), request.headers());
    let mut response = match verdict {
        Verdict::In => match arrived(request).await {
            Ok(request) => next.run(request).await,
            Err(refused) => refused,
        },
        Verdict::Exchange(cookie) => (
            // The redirection takes the token out of the address, which histories keep.
            StatusCode::SEE_OTHER,
            [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())],
        )
            .into_response(),
        Verdict::Out(status, why) => (
            status,
            [(CONTENT_TYPE, "text/html; charset=utf-8")],
            refusal(why),
        )
            .into_response(),
    };
    let resources = HeaderName::from_static("cross-origin-resource-policy");
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (resources, "same-origin"),
    ];
    response
        .headers_mut()
        .extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// Returns a request with its body, if that arrives in time and is not too long.
async fn arrived(request: Request) -> Result<Request, Response> {
    // These have no body that would have to arrive.
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    match timeout(ARRIVES_IN, to_bytes(body, fit::<usize>(MOST_SENT))).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(error(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the request is too long, or broke off",
        )),
        Err(_) => Err(error(
            StatusCode::REQUEST_TIMEOUT,
            "the request took too long to arrive",
        )),
    }
}

fn error(status: StatusCode, why: &str) -> Response {
    answer(status, &json!({ "error": why }))
}

fn answer(status: StatusCode, value: &Value) -> Response {
    (
        status,
        [(CONTENT_TYPE, "application/json")],
        value.to_string(),
    )
        .into_response()
}

/// Answers with the worksheet that is opened first.
async fn start(State(server): State<SharedServer>) -> Response {
    let folder = server
        .folder
        .root()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    answer(
        StatusCode::OK,
        &json!({
            "file": server.file,
            "folder": folder,
            "version": env!("CARGO_PKG_VERSION"),
            "playground": server.playground,
        }),
    )
}

/// The tab that asks, and the last event that it has received.
#[derive(Deserialize)]
struct Tab {
    session: String,
    #[serde(default)]
    seen: u64,
}

impl Tab {
    /// Returns `true` if the session has a name. Pages draw names as 128 random bits.
    fn is_named(&self) -> bool {
        self.session.len() == 32 && self.session.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// Streams the events of the tab's engine, from those that the page has missed on.
async fn events(
    State(server): State<SharedServer>,
    Query(tab): Query<Tab>,
    headers: HeaderMap,
) -> Response {
    if !tab.is_named() {
        return error(StatusCode::BAD_REQUEST, "this is not a session");
    }
    // A page that finds its engine gone has to send its texts again.
    let is_new = server.sessions.find(&tab.session).is_none();
    let session = match server.sessions.start(&tab.session, server.folder.root()) {
        Ok(session) => session,
        Err(why) => return error(StatusCode::SERVICE_UNAVAILABLE, &plain(&why)),
    };
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.parse().ok());
    // A browser that connects again by itself sends the header, and a page that does so the
    // parameter.
    let seen = if is_new { 0 } else { last.unwrap_or(tab.seen) };
    let (sender, receiver) = mpsc::channel(UNDER_WAY);
    let hello = Event::default()
        .event("hello")
        .data(json!({ "new": is_new }).to_string());
    let log = Arc::clone(session.log());
    tokio::spawn(async move {
        if sender.send(Ok::<_, Infallible>(hello)).await.is_ok() {
            tell(&log, seen, &sender).await;
        }
    });
    Sse::new(ReceiverStream::new(receiver))
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// Sends the events of an engine until the page has gone.
async fn tell(log: &Arc<Log>, mut seen: u64, sender: &mpsc::Sender<Result<Event, Infallible>>) {
    let _listening = log.listen();
    let mut news = log.news();
    loop {
        // The number is marked as seen before events are read, so that no later one is missed.
        news.borrow_and_update();
        while let Some((number, text)) = log.after(seen) {
            // Events between were dropped for lack of room, so the page has to ask again.
            if number > seen + 1 {
                let lost = Event::default().event("lost").data("{}");
                if sender.send(Ok(lost)).await.is_err() {
                    return;
                }
            }
            let event = Event::default().id(number.to_string()).data(&*text);
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
            seen = number;
        }
        tokio::select! {
            changed = news.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
    }
}

/// Passes orders to the tab's engine.
async fn orders(
    State(server): State<SharedServer>,
    Query(tab): Query<Tab>,
    body: String,
) -> Response {
    let Some(session) = server.sessions.find(&tab.session) else {
        return error(StatusCode::NOT_FOUND, "there is no such session");
    };
    // Each message confirms the events received so far, which frees their memory.
    session.log().seen(tab.seen);
    match wire::orders(&body) {
        Ok(orders) => {
            orders.into_iter().for_each(|order| session.obey(order));
            answer(StatusCode::OK, &json!({}))
        }
        Err(why) => error(StatusCode::BAD_REQUEST, &why),
    }
}

/// Closes the session of a tab.
async fn close(State(server): State<SharedServer>, Query(tab): Query<Tab>) -> Response {
    server.sessions.close(&tab.session);
    answer(StatusCode::OK, &json!({}))
}

async fn files(State(server): State<SharedServer>) -> Response {
    answer(StatusCode::OK, &json!({ "files": server.folder.list() }))
}

#[derive(Deserialize)]
struct NamedPath {
    path: String,
}

async fn file(State(server): State<SharedServer>, Query(named): Query<NamedPath>) -> Response {
    match server.folder.open(&named.path) {
        Ok(opened) => answer(
            StatusCode::OK,
            &json!({ "text": opened.text, "version": opened.version }),
        ),
        Err(why) => refused(&why),
    }
}

/// A worksheet to be written.
#[derive(Deserialize)]
struct Worksheet {
    path: String,
    text: String,
    /// The version on the disk that the page has seen, if there was any.
    seen: Option<String>,
}

async fn save(State(server): State<SharedServer>, body: String) -> Response {
    let Ok(worksheet) = serde_json::from_str::<Worksheet>(&body) else {
        return error(StatusCode::BAD_REQUEST, "this is not a worksheet");
    };
    match server
        .folder
        .save(&worksheet.path, &worksheet.text, worksheet.seen.as_deref())
    {
        Ok(version) => answer(StatusCode::OK, &json!({ "version": version })),
        Err(why) => refused(&why),
    }
}

fn refused(why: &FileRefusal) -> Response {
    match why {
        FileRefusal::Path(_) => error(StatusCode::FORBIDDEN, &why.to_string()),
        FileRefusal::Failed(_) => error(StatusCode::UNPROCESSABLE_ENTITY, &why.to_string()),
        FileRefusal::Changed(text, version) => {
            let there = json!({ "error": why.to_string(), "text": text, "version": version });
            answer(StatusCode::CONFLICT, &there)
        }
    }
}

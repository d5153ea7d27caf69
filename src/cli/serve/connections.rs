//! Serves connections, each with a task of its own. The head of a request must arrive in time, so
//! that idle connections are not held open.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// The time within which the head of a request must arrive, and for which a connection may be idle
/// between two requests.
const HEAD_ARRIVES_IN: Duration = Duration::from_secs(10);

/// The time to wait if the system has no room for another connection.
const ROOM_AFTER: Duration = Duration::from_secs(1);

/// Answers all connections, for ever.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_ARRIVES_IN);
    loop {
        let stream = accept(&listener).await;
        let connection = http.serve_connection(
            TokioIo::new(stream),
            TowerToHyperService::new(router.clone()),
        );
        // A broken connection is handled by the page.
        tokio::spawn(async move { drop(connection.await) });
    }
}

/// Accepts the next connection.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Replies are short and urgent. Without this option they are only sent later.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(error) if has_gone(&error) => {}
            // There are too many open files; some will be closed.
            Err(_) => sleep(ROOM_AFTER).await,
        }
    }
}

/// Returns `true` if the other side has gone before it was answered.
fn has_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

//! Connections, each with a task of its own. The head of a request must arrive in time, so that
//! nobody holds connections open for nothing.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How long the head of a request may take to arrive, and how long a connection may stand idle
/// between two requests.
const HEAD_ARRIVES_IN: Duration = Duration::from_secs(10);

/// How long to wait when the system has no room for another connection.
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
        // A connection that breaks is the page's to notice.
        tokio::spawn(async move { drop(connection.await) });
    }
}

/// The next connection.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Replies are short and are wanted at once; without this they may only be later.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(error) if has_gone(&error) => {}
            // There are too many open files: some will be closed.
            Err(_) => sleep(ROOM_AFTER).await,
        }
    }
}

/// Whether the other side has gone before it was answered.
fn has_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

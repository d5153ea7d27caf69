//! The language server (`bid lsp`), on standard input and output.
//!
//! Questions about texts are answered at a desk by plain calls, one after another; a change that
//! arrives meanwhile stops them ([`arrivals`]). Statements are run in the background, by an
//! [`Engine`]. This folder keeps the open texts, converts places to lines and columns and back, and
//! speaks the protocol; [`protocol`] alone names its types.

mod answer;
mod arrivals;
mod background;
mod capabilities;
mod completion;
mod diagnostics;
mod edit;
mod lens;
mod protocol;
mod requests;
mod server;
mod symbols;
mod texts;
mod tokens;
mod uri;

use std::io::{ErrorKind, Write, stdout};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};

use bid::engine::{Engine, Event, Reply};
use bid_language::diagnostic::plain;
use bid_language::files::{DiskFiles, Files};
use bid_report::Format;
use lsp_server::{Connection, ErrorCode, Message, Response};

use super::output::complain;
use super::status::Status;
use arrivals::Arrivals;
use protocol::{Exit, Notification as _};
use server::LanguageServer;

/// A message for the server.
enum Incoming {
    /// A message of the editor.
    Client(Message),
    /// A reply of the bench; a value comes as text, unless writing it was stopped.
    Bench(Reply, Option<String>),
    /// The editor has gone.
    Closed,
}

/// Serves an editor until it sends `exit`.
pub fn run() -> Status {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection);
    // The threads end with the connection.
    let why = match (threads.join(), served) {
        // The error of the reading thread comes first, because it is the cause of the other one.
        (Err(error), _) if error.kind() == ErrorKind::InvalidData => {
            tell_of_unreadable();
            "the editor has sent something that is not a message of the protocol".to_owned()
        }
        (Err(error), _) if error.kind() == ErrorKind::UnexpectedEof => {
            "the editor has closed the connection in the middle of a message".to_owned()
        }
        (_, Err(why)) => why,
        (Err(error), Ok(())) => format!("the editor cannot be reached: {}", plain(&error)),
        (Ok(()), Ok(())) => return Status::Good,
    };
    complain(&format!("the language server has ended: {why}"));
    Status::Wrong
}

/// Answers a message that cannot be parsed. The answer has no number, because that cannot be read.
fn tell_of_unreadable() {
    let message = "this is not a message of the protocol: the server ends";
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": ErrorCode::ParseError as i32, "message": message },
    });
    let answer = answer.to_string();
    let head = format!("Content-Length: {}\r\n\r\n", answer.len());
    let mut out = stdout().lock();
    // If the editor has gone, the answer is not read.
    let _ = out
        .write_all((head + &answer).as_bytes())
        .and_then(|()| out.flush());
}

fn serve(connection: Connection) -> Result<(), String> {
    let (id, params) = connection
        .initialize_start()
        .map_err(|_| "the editor did not begin with `initialize`")?;
    let Some(client) = capabilities::Client::of(&params) else {
        let why = "the parameters of `initialize` cannot be read";
        let refused = Response::new_err(id, ErrorCode::InvalidParams as i32, why.to_owned());
        // If the editor has gone, the answer is not read.
        let _ = connection.sender.send(refused.into());
        return Err(why.to_owned());
    };
    let about = serde_json::json!({
        "capabilities": capabilities::server(&client),
        "serverInfo": { "name": "bid", "version": env!("CARGO_PKG_VERSION") },
    });
    connection
        .initialize_finish(id, about)
        .map_err(|_| "the editor did not say `initialized`")?;
    let (sender, incoming) = mpsc::channel();
    let replies = sender.clone();
    let engine = Engine::start(
        || Rc::new(DiskFiles) as Rc<dyn Files>,
        move |reply, context| {
            let text = match &reply.event {
                Event::Value { value, .. } => value.render(Format::Text, context).ok(),
                _ => None,
            };
            // If the editor has gone, there is no receiver.
            let _ = replies.send(Incoming::Bench(reply, text));
        },
    );
    let engine = engine.map_err(|error| plain(&error))?;
    let Connection {
        sender: outgoing,
        receiver,
    } = connection;
    let arrivals = Arc::new(Arrivals::default());
    let arriving = Arc::clone(&arrivals);
    // Messages are read in a thread of their own, so that a change can stop the current question.
    let reader = std::thread::Builder::new()
        .name("editor".to_owned())
        .spawn(move || {
            for message in receiver {
                arriving.arrived(&message);
                if sender.send(Incoming::Client(message)).is_err() {
                    return;
                }
            }
            arriving.close();
            let _ = sender.send(Incoming::Closed);
        });
    reader.map_err(|error| plain(&error))?;
    let outgoing = move |message| {
        // If the editor has gone, the message is not read.
        let _ = outgoing.send(message);
    };
    listen(
        &mut LanguageServer::new(client, engine, arrivals, Box::new(outgoing)),
        &incoming,
    )
}

/// Handles messages; whenever none is waiting, another file is analysed.
fn listen(server: &mut LanguageServer, incoming: &Receiver<Incoming>) -> Result<(), String> {
    loop {
        let next = match incoming.try_recv() {
            Ok(next) => next,
            Err(mpsc::TryRecvError::Disconnected) => return Ok(()),
            Err(mpsc::TryRecvError::Empty) => {
                // After each file the queue is looked at again, so that a question does not wait
                // for all files.
                if server.settle() {
                    continue;
                }
                match incoming.recv_timeout(server.patience()) {
                    Ok(next) => next,
                    Err(RecvTimeoutError::Timeout) => {
                        server.work();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        };
        match next {
            Incoming::Client(Message::Request(request)) => server.request(request),
            Incoming::Client(Message::Notification(notification))
                if notification.method == Exit::METHOD =>
            {
                // The protocol demands an error status if `exit` comes without `shutdown`.
                return if server.is_shut_down() {
                    Ok(())
                } else {
                    Err("the editor said `exit` without `shutdown`".to_owned())
                };
            }
            Incoming::Client(Message::Notification(notification)) => {
                server.notification(notification)
            }
            // Responses to the server's own requests say nothing that it needs.
            Incoming::Client(Message::Response(_)) => {}
            Incoming::Bench(reply, text) => server.reply(reply, text.as_deref()),
            Incoming::Closed => return Ok(()),
        }
    }
}

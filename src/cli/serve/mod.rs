//! Serves the worksheet in a browser, with this program as its engine (`bid serve`).
//!
//! It listens to this machine only, and answers only clients with its token: [`guard`]. Pages see
//! the `.bid` files of one folder: [`folder`]. Each tab has an engine of its own: [`sessions`].

mod api;
mod connections;
mod folder;
mod guard;
mod page;
mod sessions;

use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal;
use xxhash_rust::xxh3::xxh3_64;

use bid_language::convert::fit;
use bid_language::diagnostic::{Code, Diagnostic, plain};
use bid_language::watch::Settings;

use super::args::{Options, ServeOptions};
use super::output::Output;
use super::status::Status;
use folder::ServedFolder;
use guard::Door;
use sessions::Sessions;

/// The ports that are free for private use.
const FREE_PORTS: std::ops::RangeInclusive<u16> = 49_152..=65_535;

/// The state that all requests share.
pub struct Server {
    door: Door,
    folder: ServedFolder,
    sessions: Sessions,
    /// The worksheet that is opened first, by its path in the folder.
    file: Option<String>,
    /// The address of a playground, to which links lead.
    playground: Option<String>,
}

/// Serves until Ctrl-C.
pub fn run(output: &Output, wanted: &ServeOptions, options: &Options) -> Status {
    let (root, file) = match place(wanted.file.as_deref()) {
        Ok(place) => place,
        Err(trouble) => return output.trouble(&trouble),
    };
    let folder = ServedFolder::new(root);
    let opened = file.as_deref().map(|file| folder.open(file)).transpose();
    // A worksheet that cannot be read is reported here, before a browser is opened for it.
    if let Err(why) = opened {
        return output.trouble(&Diagnostic::new(Code::NoFile, why.to_string()));
    }
    // Requests are short and engines have threads of their own, so one thread suffices.
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output.trouble(&no_server(plain(&error))),
    };
    let settings = Settings {
        limits: output.guard.guard().limits(),
        timeout: options.timeout,
    };
    let served: io::Result<()> = runtime.block_on(async {
        let listener = listen(wanted.port, folder.root()).await?;
        let port = listener.local_addr()?.port();
        // The port is known only after binding, and the door compares it with `Host`.
        let door = Door::new(port)?;
        let address = door.address();
        output.result(&address);
        output.remark(&format!(
            "serving {}; Ctrl-C ends it",
            folder.root().display()
        ));
        if wanted.open && !open_browser(&address) {
            output.remark("no browser could be started: open the address in one");
        }
        let server = Arc::new(Server {
            door,
            folder,
            sessions: Sessions::new(settings),
            file,
            playground: wanted.playground.clone(),
        });
        tokio::select! {
            never = connections::serve(listener, api::router(server)) => match never {},
            () = told_to_end() => Ok(()),
        }
    });
    // Files that are being saved are completed; engines are stopped.
    drop(runtime);
    match served {
        Ok(()) => Status::Good,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let port = wanted.port.unwrap_or_default();
            let taken = no_server(format!("port {port} is taken"))
                .help("choose another `--port`, or give none for a free one");
            output.trouble(&taken)
        }
        Err(error) => output.trouble(&no_server(plain(&error))),
    }
}

fn no_server(why: String) -> Diagnostic {
    Diagnostic::new(Code::CommandLine, format!("cannot serve: {why}"))
}

/// Returns the folder that is served, and the worksheet in it.
fn place(path: Option<&Path>) -> Result<(PathBuf, Option<String>), Diagnostic> {
    let path = path.unwrap_or(Path::new("."));
    let wrong = |why: &str| {
        Diagnostic::new(
            Code::NoFile,
            format!("cannot serve {}: {why}", path.display()),
        )
    };
    let canonical = |path: &Path| path.canonicalize().map_err(|error| wrong(&plain(&error)));
    if path.is_dir() {
        return Ok((canonical(path)?, None));
    }
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or_else(|| wrong("it names no file"))?;
    if !name.ends_with(".bid") {
        return Err(wrong("it is not a `.bid` file")
            .help("a worksheet is a `.bid` file; it need not exist yet"));
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Ok((canonical(parent)?, Some(name.to_owned())))
}

/// Listens to this machine, at a given port or a free one. Without a given port the folder
/// determines the first one tried, so that a browser, which keeps unsaved text by the address,
/// finds it when the program is started again.
async fn listen(port: Option<u16>, root: &Path) -> io::Result<TcpListener> {
    if let Some(port) = port {
        return TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    }
    let ports = u64::from(FREE_PORTS.end() - FREE_PORTS.start());
    let own = FREE_PORTS.start() + fit::<u16>(xxh3_64(root.as_os_str().as_encoded_bytes()) % ports);
    match TcpListener::bind((Ipv4Addr::LOCALHOST, own)).await {
        Ok(listener) => Ok(listener),
        Err(_) => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await,
    }
}

/// Waits for Ctrl-C, or for the system to end the program.
async fn told_to_end() {
    #[cfg(unix)]
    {
        let Ok(mut ended) = signal::unix::signal(signal::unix::SignalKind::terminate()) else {
            return drop(signal::ctrl_c().await);
        };
        tokio::select! {
            _ = signal::ctrl_c() => {}
            _ = ended.recv() => {}
        }
    }
    #[cfg(not(unix))]
    drop(signal::ctrl_c().await);
}

/// Opens the address in a browser; returns `true` if a browser was started.
fn open_browser(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        // `start` takes a first quoted argument as a title, so an empty one is given.
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new(program)
    };
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}

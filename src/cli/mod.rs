//! The command line: the part of the program that the library leaves to its front end, which is
//! terminals, files, clocks and signals.

mod args;
mod certificate;
mod explain;
mod export;
mod fmt;
#[cfg(feature = "lsp")]
mod lsp;
mod mistakes;
mod output;
mod progress;
mod repl;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod status;
mod talk;
mod terminal_guard;
mod test;
mod tokens;

use std::fs;
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;

use args::{Args, Command};
use bid::engine::STACK;
use bid_language::diagnostic::plain;
use bid_language::files::{self, WorkFolder};
use bid_language::parallel;
use output::Output;
use status::Status;
use terminal_guard::TerminalGuard;

/// The text printed before an input.
pub const PROMPT: &str = "bid> ";

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let args = match mistakes::parsed(&arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and the version go to standard output, errors in the arguments to standard
            // error.
            let printed = error.print().and_then(|()| stdout().flush());
            if let Some(failed) = printed.err().filter(|_| !error.use_stderr()) {
                output::leave(&failed);
            }
            return ExitCode::from(error.exit_code().try_into().unwrap_or(2));
        }
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or_else(String::new, |place| format!(" at {place}"));
        let what = panic.payload_as_str().unwrap_or("no message");
        output::complain(&format!(
            "internal error{place}: {what}\nThis is a bug in bid, not in your program; please report it."
        ));
    }));
    let interpreter = std::thread::Builder::new()
        .name("interpreter".to_owned())
        // Deeply nested programs need more stack than the main thread may have.
        .stack_size(STACK);
    let status = interpreter
        .spawn(move || dispatch(args))
        .map(std::thread::JoinHandle::join);
    match status {
        Ok(Ok(status)) => status.into(),
        Ok(Err(_)) => Status::Internal.into(),
        Err(error) => {
            let why = plain(&error);
            output::complain(&format!("cannot start the interpreter's thread: {why}"));
            Status::Stopped.into()
        }
    }
}

fn dispatch(args: Args) -> Status {
    let (folder, trouble) = match args
        .options
        .checkpoint
        .as_deref()
        .map(WorkFolder::open)
        .transpose()
    {
        Ok(folder) => (folder, None),
        Err(trouble) => (None, Some(trouble)),
    };
    let guard = TerminalGuard::new(&args.options, folder);
    // The handler is installed before any work, so that no Ctrl-C is missed.
    if args.command.as_ref().is_none_or(Command::ends_by_interrupt) {
        terminal_guard::listen_for_interrupts(&guard);
    }
    let output = Output::new(&args.options, Arc::clone(&guard));
    if let Some(trouble) = trouble {
        // The error waited for the output, which knows the colours and the format.
        return output.trouble(&trouble);
    }
    // Solvers share one pool; if there is one already, it keeps its size, and all answers are the
    // same.
    parallel::set_threads(args.options.threads());
    match args.command {
        Some(Command::Repl { files }) => repl::run(&output, &files),
        None if stdin().is_terminal() => repl::run(&output, &[]),
        None => run::standard_input(&output),
        Some(Command::Run { files }) => run::files(&output, &files),
        Some(Command::Eval {
            asked,
            certificate,
            output: file,
        }) => {
            let done = match (certificate, file) {
                (Some(file), _) => certificate::write(&output, &asked, &file),
                (None, Some(file)) => run::to_file(&output, &asked, &file),
                (None, None) => run::expression(&output, &asked),
            };
            done.unwrap_or_else(|status| status)
        }
        Some(Command::Plan(asked)) => run::plan(&output, &asked).unwrap_or_else(|status| status),
        Some(Command::Verify { file }) => certificate::verify(&output, &file),
        Some(Command::Check { files }) => run::check(&output, &files),
        Some(Command::Test(options)) => test::run(&output, &options, args.options.threads()),
        Some(Command::Fmt { check, paths }) => fmt::run(&output, &paths, check),
        Some(Command::Explain { code }) => explain::run(&output, code.as_deref()),
        Some(Command::Export(wanted)) => export::run(&output, &wanted, args.options.timeout),
        #[cfg(feature = "serve")]
        Some(Command::Serve(wanted)) => serve::run(&output, &wanted, &args.options),
        #[cfg(feature = "lsp")]
        Some(Command::Lsp { stdio: _ }) => lsp::run(),
        Some(Command::Tokens { files }) => tokens::run(&output, &files),
        Some(Command::Completions { shell }) => completions(&output, shell),
        Some(Command::Man { folder }) => manual_pages(&output, &folder),
    }
}

fn manual_pages(output: &Output, folder: &Path) -> Status {
    let mut commands = Args::command().disable_help_subcommand(true);
    // Building fills in the full names of subcommands, which the pages carry.
    commands.build();
    let written = fs::create_dir_all(folder).and_then(|()| manual_page(commands, folder));
    match written {
        Ok(()) => Status::Good,
        Err(error) => output.file_error("write", folder, &error),
    }
}

/// Writes the manual page of a command and those of its subcommands.
fn manual_page(command: clap::Command, folder: &Path) -> io::Result<()> {
    let inner = command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set());
    inner
        .cloned()
        .try_for_each(|inner| manual_page(inner, folder))?;
    let page = clap_mangen::Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    files::replace(&folder.join(page.get_filename()), text)
}

fn completions(output: &Output, shell: clap_complete::Shell) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "bid", &mut script);
    output.result(String::from_utf8_lossy(&script).trim_end());
    Status::Good
}

//! The `bid` program: arguments to command to exit status.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}

//! The command line: arguments to command to exit status.
fn main() {}

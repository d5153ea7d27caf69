//! Writes `src/` of the grammar in a folder from its `grammar.js`, like tree-sitter's own command,
//! which npm cannot install without fetching a program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The version of the tables: what editors since 2022 can read.
const ABI: usize = 14;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("name the folder of grammar.js");
        return ExitCode::from(2);
    };
    let mut remarks = Vec::new();
    let grammar = Path::new(&folder).join("grammar.js");
    let written = generate_parser_in_directory(
        PathBuf::from(&folder),
        None::<PathBuf>,
        Some(grammar),
        ABI,
        None,
        Some("native"),
        true,
        OptLevel::default(),
        &mut remarks,
    );
    for remark in &remarks {
        eprintln!("{remark:?}");
    }
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

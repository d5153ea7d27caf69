//! Runs the README and the pages in `docs/`: their programs, shell transcripts, dialogues. The
//! pictures of the pages are those of their examples: `INSTA_UPDATE=always cargo test readme::`
//! draws them again.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bid::session::FileForm;
use bid_language::rules::FIELDS;

use crate::support::{session, transcript as told};

/// A fenced block: its language, its text, and the line at which it starts.
struct Block<'r> {
    language: &'r str,
    lines: Vec<&'r str>,
    start: usize,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                open = Some(Block {
                    language,
                    lines: Vec::new(),
                    start: index + 1,
                })
            }
            (None, Some(block)) => block.lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

/// Runs a shell command, or `bid` with this input; returns its output on both streams, and its
/// status.
fn outcome(command: &str, input: &str) -> (String, i32) {
    let program = Path::new(env!("CARGO_BIN_EXE_bid"));
    let folder = program.parent().expect("the program is in a folder");
    let path = format!(
        "{}:{}",
        folder.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut shell = Command::new("sh")
        // A transcript shows both streams in the order in which they are written.
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", path)
        // The user's own library must not change the answers.
        .env_remove("BID_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh starts");
    shell
        .stdin
        .take()
        .expect("the input is piped")
        .write_all(input.as_bytes())
        .expect("sh reads its input");
    let output = shell.wait_with_output().expect("sh ends");
    (
        String::from_utf8(output.stdout).expect("output is UTF-8"),
        output.status.code().expect("no signal ends it"),
    )
}

/// Returns each `$ bid …` with the lines below it.
fn transcript(block: &Block, prompt: &str, place: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix(prompt), steps.last_mut()) {
            (Some(command), _) => steps.push((command.to_owned(), String::new())),
            (None, Some((_, printed))) => printed.extend([line, "\n"]),
            (None, None) => panic!("{place}: output before the first `{prompt}`"),
        }
    }
    steps
}

/// Runs all blocks of a page and compares their output; returns the number of blocks.
fn run(page: &str, text_of_page: &str) -> usize {
    let blocks = blocks(text_of_page);
    for block in &blocks {
        let place = format!("{page}:{}", block.start);
        match block.language {
            "bid" => {
                let (printed, status) = outcome("bid", &block.lines.join("\n"));
                assert_eq!(status, 0, "{place}: {printed}");
            }
            "console" => {
                for (command, expected) in transcript(block, "$ ", &place) {
                    // Other commands may need programs that the machine lacks, or the network.
                    if command.starts_with("bid ") {
                        assert_eq!(outcome(&command, "").0, expected, "{place}: {command}");
                    }
                }
            }
            "text"
                if block
                    .lines
                    .first()
                    .is_some_and(|line| line.starts_with("bid> ")) =>
            {
                let steps = transcript(block, "bid> ", &place);
                let inputs: String = steps
                    .iter()
                    .map(|(input, _)| format!("{input}\n"))
                    .collect();
                let expected: String = steps.into_iter().map(|(_, printed)| printed).collect();
                assert_eq!(outcome("bid repl", &inputs).0, expected, "{place}");
            }
            "sh" => {
                let folder = tempfile::tempdir().expect("a folder is made");
                let text = block.lines.join("\n");
                let (printed, status) = outcome(
                    &format!("cd '{}' && set -e\n(\n{text}\n)", folder.path().display()),
                    "",
                );
                assert_eq!(status, 0, "{place}: {printed}");
                for picture in below(folder.path())
                    .filter(|path| path.extension().is_some_and(|end| end == "svg"))
                {
                    let name = picture
                        .file_name()
                        .expect("it has a name")
                        .to_string_lossy();
                    if shows(text_of_page, &format!("pictures/{name}")) {
                        let drawn = std::fs::read_to_string(&picture).expect("it is there");
                        is_on_the_page(&format!("docs/pictures/{name}"), &drawn);
                    }
                }
            }
            other => panic!("{place}: nothing runs a block of `{other}`"),
        }
    }
    blocks.len()
}

/// Returns `true` if generated files are written again.
fn is_renewed() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always")
}

/// Returns `true` if a page shows a picture.
fn shows(page: &str, picture: &str) -> bool {
    page.contains(&format!("]({picture})"))
}

/// Compares a picture of the pages, given by its path from the root, with the picture of its
/// example.
fn is_on_the_page(path: &str, drawn: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if is_renewed() {
        std::fs::create_dir_all(file.parent().expect("it is in a folder"))
            .expect("the folder is made");
        std::fs::write(&file, drawn).expect("the picture is written");
    }
    let shown = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        shown == drawn,
        "{path}: `INSTA_UPDATE=always cargo test readme::` draws it anew"
    );
}

/// Returns the entries of a folder.
fn below(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it is there").path())
}

#[test]
fn the_pictures_of_the_readme_are_what_it_says() {
    let readme = include_str!("../README.md");
    let commands = readme
        .split('`')
        .filter_map(|code| code.strip_prefix("bid eval ")?.split_once(" > docs/"));
    let mut count = 0;
    for (arguments, picture) in commands {
        let (drawn, status) = outcome(&format!("bid eval {arguments}"), "");
        assert_eq!(status, 0, "{arguments}: {drawn}");
        is_on_the_page(&format!("docs/{picture}"), &drawn);
        count += 1;
    }
    assert!(count >= 1, "the README has a picture");
}

#[test]
fn the_readme_tells_the_truth() {
    assert!(
        run("README.md", include_str!("../README.md")) >= 3,
        "the README has examples"
    );
}

#[test]
fn the_page_of_the_language_tells_the_truth() {
    assert!(
        run("docs/language.md", include_str!("../docs/language.md")) >= 7,
        "the page has examples"
    );
}

#[test]
fn the_tutorial_tells_the_truth() {
    assert!(
        run("docs/tutorial.md", include_str!("../docs/tutorial.md")) >= 9,
        "the page has examples"
    );
}

#[test]
fn the_cookbook_tells_the_truth() {
    assert!(
        run("docs/cookbook.md", include_str!("../docs/cookbook.md")) >= 15,
        "the page has examples"
    );
}

#[test]
fn the_gallery_shows_what_its_lines_draw() {
    assert!(
        run("docs/gallery.md", include_str!("../docs/gallery.md")) >= 10,
        "the page has pictures"
    );
}

#[test]
fn the_faq_and_the_glossary_tell_the_truth() {
    assert!(
        run("docs/faq.md", include_str!("../docs/faq.md")) >= 3,
        "the page has examples"
    );
    assert!(
        run("docs/glossary.md", include_str!("../docs/glossary.md")) >= 1,
        "the page has an example"
    );
}

#[test]
fn the_pages_of_the_papers_tell_the_truth() {
    let papers = [
        ("arun", include_str!("../docs/papers/arun.md")),
        (
            "develin_payne",
            include_str!("../docs/papers/develin_payne.md"),
        ),
        ("goodfellow", include_str!("../docs/papers/goodfellow.md")),
        (
            "larsson_patel_rai",
            include_str!("../docs/papers/larsson_patel_rai.md"),
        ),
        (
            "menz_wang_xie",
            include_str!("../docs/papers/menz_wang_xie.md"),
        ),
    ];
    for (paper, page) in papers {
        assert!(
            run(&format!("docs/papers/{paper}.md"), page) >= 1,
            "{paper} has examples"
        );
        assert!(
            page.contains(&format!("games/{paper}.bid")),
            "{paper} names its file"
        );
    }
    assert!(
        run("docs/index.md", include_str!("../docs/index.md")) >= 1,
        "the first page has an example"
    );
}

/// Returns the Markdown pages below a folder, except for the site that is built from them.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
        below(folder).partition(|path| path.is_dir());
    let folders = folders
        .iter()
        .filter(|folder| folder.file_name().is_some_and(|name| name != "book"));
    let pages = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "md"));
    pages
        .chain(folders.flat_map(|folder| pages_below(folder)))
        .collect()
}

/// Returns the targets of a page's links to files.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target);
    targets
        .map(|target| target.split('#').next().unwrap_or(""))
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Checks that the table of contents of the site names every page once, and that no link of a page
/// is dead.
#[test]
fn the_site_has_every_page_and_no_dead_link() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut pages = pages_below(&docs);
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("it is there");
    let mut named: Vec<PathBuf> = links(&summary).map(|target| docs.join(target)).collect();
    named.push(docs.join("SUMMARY.md"));
    pages.sort();
    named.sort();
    assert_eq!(named, pages, "docs/SUMMARY.md names the pages");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    for page in pages.iter().chain([&readme]) {
        let text = std::fs::read_to_string(page).expect("it is there");
        for target in links(&text) {
            let there = page.parent().expect("a page has a folder").join(target);
            assert!(there.exists(), "{}: {target}", page.display());
        }
    }
}

/// Checks that the lines of pages have at most 100 columns, unless they are code, tables or links.
#[test]
fn prose_is_broken_at_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = pages_below(&root.join("docs"));
    let others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    pages.extend(others.map(|name| root.join(name)));
    let mut seen = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("it is there");
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            let is_other = ["|", "    ", "!["]
                .iter()
                .any(|start| line.starts_with(start));
            if is_code || is_other {
                continue;
            }
            // Code and the targets of links are not broken, and the words beside them are few.
            let prose = line.split('`').step_by(2).collect::<String>();
            let is_long = line.chars().count() > 100 && prose.chars().count() > 30;
            assert!(!is_long, "{}: {line}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 2000, "only {seen} lines were seen");
}

/// Returns the picture that `svg` draws of an example; `None` if it has no picture.
fn picture_of(example: &str) -> Option<String> {
    let (prelude, example) = match example
        .strip_prefix("use ")
        .and_then(|rest| rest.split_once('\n'))
    {
        Some((file, example)) => (format!("use {file}\n"), example),
        None => (String::new(), example),
    };
    let (expression, rules) = match example.split_once(" using ") {
        Some((expression, rules)) => (expression, format!(" using {rules}")),
        None => (example, String::new()),
    };
    let drawn = told(
        &mut session(),
        "example",
        &format!("{prelude}svg({expression}){rules}"),
    );
    // A game that is an answer needs no picture of its graph.
    let is_shown = |drawn: &String| {
        let is_graph = drawn.contains("<title>The graph of a game</title>");
        drawn.starts_with("<svg") && (!is_graph || example.starts_with("draw("))
    };
    Some(drawn).filter(is_shown)
}

/// Breaks a paragraph into lines of at most 100 columns, between words and not within code. No line
/// begins with a sign that would make it an item of a list.
fn broken(paragraph: &str) -> String {
    let (mut lines, mut line, mut word) = (Vec::new(), String::new(), String::new());
    let mut in_code = false;
    let mut letters = paragraph.chars().chain([' ']).peekable();
    while let Some(letter) = letters.next() {
        in_code ^= letter == '`';
        // Markdown would read such a sign at the beginning of a line as an item, a head or a quote.
        let before_sign = matches!(letters.peek(), Some('+' | '-' | '*' | '#' | '>'));
        if letter != ' ' || in_code || before_sign {
            word.push(letter);
            continue;
        }
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &std::mem::take(&mut word);
    }
    lines.push(line);
    lines.join("\n")
}

/// Writes the page of all functions, from their entries, with the pictures of their examples.
fn page_of_functions() -> String {
    let mut page =
        "# Functions\n\nThis page has the help of every function, as `:help NAME` prints it. The tests run the examples, and\n`svg` draws the picture below an example.\n".to_owned();
    for theme in bid::library::THEMES {
        let (first, rest) = theme.title.split_at(1);
        page += &format!("\n## {}{rest}\n", first.to_uppercase());
        for builtin in theme.signatures() {
            let help = broken(builtin.help);
            page += &format!("\n### `{}`\n\n{help}\n", builtin.heading());
            for (number, (expression, value)) in builtin.examples.iter().enumerate() {
                let separator = if value.contains('\n') { "\n" } else { " = " };
                page += &format!(
                    "\n    {}\n",
                    format!("{expression}{separator}{value}").replace('\n', "\n    ")
                );
                if let Some(drawn) = picture_of(expression) {
                    let name = format!("pictures/{}_{number}.svg", builtin.name);
                    is_on_the_page(&format!("docs/{name}"), &drawn);
                    let last = expression.lines().last().unwrap_or_default();
                    page += &format!("\n![{last}]({name})\n");
                }
            }
        }
    }
    page
}

#[test]
fn the_page_of_functions_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/functions.md");
    if is_renewed() {
        std::fs::write(&path, page_of_functions()).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).expect("the page is there");
    assert_eq!(
        written,
        page_of_functions(),
        "`INSTA_UPDATE=always cargo test readme::` writes it anew"
    );
}

/// Writes the page of all diagnostics, from their codes.
fn page_of_diagnostics() -> String {
    let mut page = "# Diagnostics\n\nEach error and warning has a code. `bid explain CODE` prints its page: the meaning, a source that\ncauses it, and a way to mend that. Some of the sources need the games of the REPL; as files of their\nown they begin with `use \"games/classics.bid\"`.\n\n".to_owned();
    for code in bid_language::diagnostic::Code::ALL {
        page += &format!("- [{0}](codes/{0}.md): {1}\n", code.as_str(), code.title());
    }
    page
}

#[test]
fn the_page_of_diagnostics_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    if is_renewed() {
        std::fs::write(&path, page_of_diagnostics()).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).expect("the page is there");
    assert_eq!(
        written,
        page_of_diagnostics(),
        "`INSTA_UPDATE=always cargo test readme::` writes it anew"
    );
}

/// Formats words in backticks, as a sentence lists them.
fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match &words[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        words => words.concat(),
    }
}

fn page(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(path).expect("the page is there")
}

/// Checks that lists in pages equal the tables of the program, in the same order.
#[test]
fn lists_in_pages_are_those_of_the_tables() {
    let fields = listed(FIELDS.iter().map(|field| field.name));
    let endings: Vec<String> = FileForm::extensions()
        .map(|ending| format!(".{ending}"))
        .collect();
    for (path, list) in [
        ("docs/codes/E0601.md", format!("The fields are {fields}.")),
        ("README.md", format!("`{}`", endings.join(" "))),
    ] {
        let words: Vec<String> = page(path).split_whitespace().map(str::to_owned).collect();
        assert!(words.join(" ").contains(&list), "{path} lacks: {list}");
    }
}

/// Checks that the manual has a row for each field of rules with each of the field's values.
#[test]
fn the_manual_lists_all_rules() {
    let manual = page("docs/language.md");
    for field in FIELDS {
        let begins = format!("| `{}` |", field.name);
        let row = manual.lines().find(|line| line.starts_with(&begins));
        let row = row.unwrap_or_else(|| panic!("docs/language.md has no row {begins}"));
        for word in field.words() {
            let written = [format!("`{word}`"), format!("`{word}(")];
            let is_there = written.iter().any(|written| row.contains(written));
            assert!(is_there, "docs/language.md, {}: {word}", field.name);
        }
    }
}

/// The codes that no source can produce, with the reason.
const WITHOUT_SOURCE: [(&str, &str); 2] = [
    ("E1001", "it would be a defect of the program"),
    (
        "W0801",
        "a disk would have to be damaged; `truncation::stopped_work_goes_on` does that",
    ),
];

/// Returns the output of a block of a code's page, a program or lines for the shell, in a folder of
/// its own.
fn shown(block: &Block) -> String {
    let text = block.lines.join("\n");
    match block.language {
        // Games that a page does not define are those of the library.
        "bid" => {
            outcome(
                "bid --timeout 20s --max-positions 100000",
                &format!("use \"games/classics.bid\"\n{text}"),
            )
            .0
        }
        "sh" => {
            let folder = tempfile::tempdir().expect("a folder is made");
            outcome(
                &format!("cd '{}'\n(\n{text}\n)", folder.path().display()),
                "",
            )
            .0
        }
        other => panic!("nothing runs a block of `{other}`"),
    }
}

/// Checks that the first block of a diagnostic's page produces the code. Every other block produces
/// it too, or is a corrected form and runs without an error.
#[test]
fn the_pages_of_the_codes_tell_the_truth() {
    let mut wrong = Vec::new();
    for code in bid_language::diagnostic::Code::ALL {
        let (name, page) = (code.as_str(), code.page());
        assert!(
            page.starts_with(&format!("# {name}: {}\n", code.title())),
            "{name}"
        );
        let blocks = blocks(page);
        let needs_none = WITHOUT_SOURCE.iter().any(|(without, _)| *without == name);
        assert_eq!(
            blocks.is_empty(),
            needs_none,
            "{name} shows a source, unless it is named with a reason"
        );
        for (index, block) in blocks.iter().enumerate() {
            let printed = shown(block);
            let shows_it = printed.contains(&format!("[{name}]"));
            // Only the first block must show the code, and the others may be mended forms of it.
            if !shows_it && (index == 0 || printed.contains("Error")) {
                wrong.push(format!("{name}.md:{}: {printed}", block.start));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

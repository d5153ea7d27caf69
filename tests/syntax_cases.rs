//! The syntax stage on files: canonical text of what is read, diagnostics of what is not.
use bid::source::SourceMap;
use bid::syntax;

#[test]
fn library_parses() {
    for entry in std::fs::read_dir("games").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "bid") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut sources = SourceMap::default();
        let id = sources.add(path.display().to_string(), text);
        let parsed = syntax::parse(&sources, id);
        for d in &parsed.diagnostics {
            println!("{} {:?} {} {:?}", path.display(), d.span().map(|s| sources.position(s)), d.message, d.help);
        }
        assert!(parsed.diagnostics.is_empty());
        println!("{} {}", path.display(), parsed.file.statements.len());
    }
}

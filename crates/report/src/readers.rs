//! Readers of the LaTeX and Graphviz output that detect errors in it, for tests that every name
//! comes through.

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};

use super::latex;
use super::safe::{self, visible};
use bid_language::syntax::quoted;

/// A reader of TeX.
pub(super) mod tex {
    /// A group that is open.
    struct TexGroup {
        is_raised: bool,
        /// `true` if the group stands in a formula (`outside`), and if its contents are a formula
        /// (`inside`).
        outside: bool,
        inside: bool,
    }

    /// The state of TeX while it reads.
    #[derive(Default)]
    struct TexReader {
        groups: Vec<TexGroup>,
        /// `true` if the last command takes text, also in formulas.
        takes_text: bool,
        in_math: bool,
        /// `true` if the next item is to be raised.
        raises: bool,
        /// `true` if the last item read is raised.
        is_raised: bool,
    }

    /// Returns the error that TeX would find in a text, if there is one.
    pub fn trouble(latex: &str) -> Option<String> {
        let mut reader = TexReader::default();
        let mut rest = latex;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("\\begin{verbatim}") {
                let end = after.find("\\end{verbatim}")?;
                rest = &after[end + "\\end{verbatim}".len()..];
                continue;
            }
            let at = latex.len() - rest.len();
            rest = &rest[c.len_utf8()..];
            match c {
                '\\' => {
                    let word = rest
                        .find(|c: char| !c.is_ascii_alphabetic())
                        .unwrap_or(rest.len());
                    let first = rest.chars().next().map_or(0, char::len_utf8);
                    let line_end = rest.strip_prefix('\\').map(str::trim_start);
                    if line_end.is_some_and(|next| next.starts_with(['[', '*'])) {
                        return Some(format!("the end of a line takes what follows it at {at}"));
                    }
                    reader.takes_text = rest[..word].starts_with("text");
                    rest = &rest[word.max(first)..];
                    reader.is_raised = false;
                }
                '%' if latex[..at].ends_with('\n') || at == 0 => {
                    rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
                }
                '%' => return Some(format!("a comment at {at}")),
                c => {
                    let why = reader.character(c, rest);
                    if let Some(why) = why {
                        return Some(format!("{why} at {at}"));
                    }
                }
            }
        }
        if reader.in_math {
            return Some("a formula does not end".to_owned());
        }
        (!reader.groups.is_empty()).then(|| "a group does not end".to_owned())
    }

    impl TexReader {
        fn character(&mut self, c: char, rest: &str) -> Option<&'static str> {
            let was_raised = self.is_raised;
            self.is_raised = was_raised && c == ' ';
            let takes_text = std::mem::take(&mut self.takes_text);
            match c {
                '{' => {
                    let outside = self.in_math;
                    self.in_math = outside && !takes_text;
                    self.groups.push(TexGroup {
                        is_raised: std::mem::take(&mut self.raises),
                        outside,
                        inside: self.in_math,
                    });
                }
                '}' => match self.groups.pop() {
                    Some(group) if group.inside != self.in_math => {
                        return Some("a formula ends in another group");
                    }
                    Some(group) => {
                        (self.is_raised, self.in_math) = (group.is_raised, group.outside);
                    }
                    None => return Some("a group ends that was not begun"),
                },
                '$' => self.in_math = !self.in_math,
                '^' | '_' if !self.in_math => return Some("something is raised outside a formula"),
                '^' if was_raised => return Some("something is raised twice"),
                '^' if rest.starts_with(['*', '2', '{']) => self.raises = true,
                '^' => return Some("a command is raised"),
                '*' | '2' => self.is_raised = std::mem::take(&mut self.raises),
                '\'' if self.in_math && was_raised => return Some("a prime is raised twice"),
                // A prime takes what is raised right after it, but nothing behind a space.
                '\'' if self.in_math => self.is_raised = !rest.starts_with(['\'', '^']),
                '#' => return Some("a parameter of a macro"),
                '\n' if self.in_math && rest.starts_with('\n') => {
                    return Some("a paragraph ends in a formula");
                }
                _ => {}
            }
            None
        }
    }

    /// Returns the letters of the strings in a formula.
    pub fn strings(latex: &str) -> String {
        let mut read = String::new();
        for part in latex.split("\\texttt{").skip(1) {
            let mut depth = 1;
            let mut rest = part;
            while let Some(c) = rest.chars().next() {
                let word = WORDS.iter().find(|(tex, _)| rest.starts_with(tex));
                if let Some((tex, letter)) = word {
                    read.push_str(letter);
                    rest = &rest[tex.len()..];
                    continue;
                }
                rest = &rest[c.len_utf8()..];
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    c => read.push(c),
                }
                if depth == 0 {
                    break;
                }
            }
        }
        read
    }

    /// The commands for letters that TeX uses for other purposes, or that few fonts have.
    const WORDS: [(&str, &str); 41] = [
        ("\\textbackslash{}", "\\"),
        ("\\textasciicircum{}", "^"),
        ("\\textasciitilde{}", "~"),
        ("\\textendash{}", "–"),
        ("\\{", "{"),
        ("\\}", "}"),
        ("\\$", "$"),
        ("\\&", "&"),
        ("\\#", "#"),
        ("\\%", "%"),
        ("\\_", "_"),
        ("$<$", "<"),
        ("$>$", ">"),
        ("$|$", "|"),
        ("$\\wedge$", "∧"),
        ("$\\le$", "≤"),
        ("$\\ge$", "≥"),
        ("$\\equiv$", "≡"),
        ("$\\not\\equiv$", "≢"),
        ("$\\ne$", "≠"),
        ("$\\parallel$", "∥"),
        ("$\\in$", "∈"),
        ("$\\pm$", "±"),
        ("$\\cdot$", "·"),
        ("$\\times$", "×"),
        ("$\\dots$", "…"),
        ("$\\to$", "→"),
        ("$\\infty$", "∞"),
        ("$\\alpha$", "α"),
        ("$\\beta$", "β"),
        ("$\\varepsilon$", "ε"),
        ("${}^2{}$", "²"),
        ("$-$", "−"),
        ("$\\lfloor$", "⌊"),
        ("$\\rfloor$", "⌋"),
        ("$\\mathbb{A}$", "𝔸"),
        ("$\\mathbb{B}$", "𝔹"),
        ("{-}", "-"),
        ("{`}", "`"),
        ("{'}", "'"),
        ("{}", ""),
    ];
}

/// A reader of Graphviz.
pub(super) mod graphviz {
    use roxmltree::Document;

    /// Reads the string with which a text begins, after its first quote, as Graphviz's scanner
    /// does. Also returns the text after it.
    pub fn string(text: &str) -> (String, &str) {
        let (mut read, mut rest) = (String::new(), text);
        loop {
            let c = rest.chars().next().expect("a string ends");
            rest = &rest[c.len_utf8()..];
            match c {
                '"' => return (read, rest),
                '\\' => {
                    let escaped = rest.chars().next().expect("a string ends");
                    rest = &rest[escaped.len_utf8()..];
                    match escaped {
                        'n' => read.push('\n'),
                        '\\' | '"' => read.push(escaped),
                        other => panic!("\\{other} means something to Graphviz: {text}"),
                    }
                }
                c => read.push(c),
            }
        }
    }

    /// Reads a whole graph.
    pub fn read(dot: &str) {
        let mut rest = dot;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c == '"' {
                rest = string(rest).1;
            } else if c == '<' {
                let (label, after) = rest.split_once("</TABLE>>]").expect("a label ends");
                let label = format!("{label}</TABLE>");
                let read = Document::parse(&label);
                assert!(read.is_ok(), "{:?}: {label}", read.err());
                rest = after;
            } else {
                let is_plain = c.is_ascii_alphanumeric() || " \n{}[]=,->".contains(c);
                assert!(is_plain, "{c:?} in {dot}");
            }
        }
    }
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a \"b\" \\ {c} ^d_e".to_owned()),
        "[ab\"\\\\{}^_$&#%~'`<>|\n\t –∧-]{0,60}",
        // Marks that become superscripts, next to each other and apart.
        "[a1^'* \t_]{0,9}",
        any::<String>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn names_come_through(name in names()) {
        let literal = quoted(&name);
        let shown = visible(&name).replace('\n', "\\n").replace('\t', "\\t");

        let set = latex::in_math(&literal);
        assert_eq!(tex::trouble(&set), None, "{set}");
        assert_eq!(tex::strings(&set), shown, "{set}");

        // The literal is broken into lines, which loses white space.
        let lines: Vec<String> = textwrap::wrap(&literal, 20).into_iter().map(String::from).collect();
        let set = latex::lines_in_math(&lines);
        let packed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let read: String = set.iter().map(|line| tex::strings(line)).collect();
        assert_eq!(packed(&read), packed(&shown), "{set:?}");
        set.iter().for_each(|line| assert_eq!(tex::trouble(line), None, "{line}"));

        let escaped = latex::escape(&name);
        assert_eq!(tex::trouble(&escaped), None, "{escaped}");

        let dot = safe::dot(&name);
        let (read, rest) = graphviz::string(&dot[1..]);
        assert_eq!((&*read, rest), (&*visible(&name), ""));
    }

    #[test]
    fn expressions_are_set(text in names()) {
        let set = latex::in_math(&text);
        assert_eq!(tex::trouble(&set), None, "{text:?}: {set}");
    }
}

#[test]
fn superscripts_behind_spaces_are_kept_apart() {
    for (text, expected) in [
        ("^_\t'", "$^{\\_} {}'$"),
        ("1* ^2", "$1^* {}^{2}$"),
        ("a' ^2", "$a' {}^{2}$"),
        ("a'^2", "$a'^{2}$"),
        ("²^2", "${}^2{} ^{2}$"),
        ("²'", "${}^2{} '$"),
    ] {
        let set = latex::in_math(text);
        assert_eq!((&*set, tex::trouble(&set)), (expected, None));
    }
}

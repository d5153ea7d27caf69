//! Writes the inputs of a session as a program that gives the same answers.
//!
//! A file defines each name once, before its first use. So definitions that were replaced are
//! comments, with the questions about them, and those that were taken back are gone. If a definition
//! that stays was made with one of them, that one stays too, under another name.

use std::collections::{HashMap, HashSet};

use super::history::{Entry, ParsedInput};
use crate::syntax::{Token, TokenKind, tokens};

/// An entry of the history, with its words.
struct ScriptLine<'e> {
    text: &'e str,
    words: Vec<Token>,
    /// The name that it defines or takes back.
    name: Option<String>,
    parsed: ParsedInput,
    /// The index of the entry that defines the name again or takes it back.
    next: Option<usize>,
}

impl<'e> ScriptLine<'e> {
    fn new(entry: &'e Entry) -> Self {
        let (text, name) = match entry {
            Entry::Input(text) => (text.as_str(), None),
            Entry::Forgotten(name) => ("", Some(name.clone())),
        };
        let parsed = ParsedInput::of(text);
        Self {
            text,
            words: words(text),
            name: name.or_else(|| parsed.definition.clone()),
            parsed,
            next: None,
        }
    }

    /// Returns `true` for an entry that takes a definition back, and has no text.
    fn takes_back(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns `true` if the text uses a name that earlier entries may define.
    fn uses(&self, name: &str) -> bool {
        let of_name = self
            .words
            .iter()
            .filter(|word| word.text(self.text) == name);
        if self.name.as_deref() != Some(name) {
            return of_name.count() > 0;
        }
        // The first word is the name that is defined, and a function calls itself.
        !self.parsed.is_recursive && of_name.count() > 1
    }

    /// Returns the text with other names: `own` for the one that it defines, and those of `earlier`
    /// definitions.
    fn renamed(&self, own: Option<&String>, earlier: &HashMap<&str, &String>) -> String {
        let mut text = self.text.to_owned();
        let mut is_first = true;
        let mut changes = Vec::new();
        for word in &self.words {
            let name = word.text(self.text);
            let is_own = self.name.as_deref() == Some(name)
                && (self.parsed.is_recursive || std::mem::take(&mut is_first));
            let new = if is_own {
                own
            } else {
                earlier.get(name).copied()
            };
            changes.extend(new.map(|new| (word.start as usize..word.end as usize, new)));
        }
        // Replacing from the end keeps the earlier places valid.
        for (range, new) in changes.into_iter().rev() {
            text.replace_range(range, new);
        }
        text
    }
}

/// Returns the names in a text, those of arguments and rules left out.
fn words(text: &str) -> Vec<Token> {
    let tokens = tokens(text);
    let follows = |index: usize| tokens.get(index + 1).map(|token| token.text(text));
    let is_name = |(index, token): (usize, &Token)| {
        let is_name = token.kind == TokenKind::Word && follows(index) != Some(":");
        is_name.then_some(*token)
    };
    tokens.iter().enumerate().filter_map(is_name).collect()
}

/// Returns the inputs as a program, each a text.
pub(super) fn written(entries: &[Entry]) -> Vec<String> {
    let mut lines: Vec<ScriptLine<'_>> = entries.iter().map(ScriptLine::new).collect();
    let mut last = HashMap::new();
    for index in (0..lines.len()).rev() {
        if let Some(name) = lines[index].name.clone() {
            lines[index].next = last.insert(name, index);
        }
    }
    let kept = kept(&lines);
    let mut used: HashSet<String> = lines
        .iter()
        .flat_map(|line| {
            line.words
                .iter()
                .map(|word| word.text(line.text).to_owned())
        })
        .collect();
    let mut others: Vec<Option<String>> = Vec::with_capacity(lines.len());
    for (line, kept) in lines.iter().zip(&kept) {
        let other = line.name.as_ref().filter(|_| line.next.is_some() && *kept);
        others.push(other.map(|name| {
            let mut other = format!("{name}'");
            while !used.insert(other.clone()) {
                other.push('\'');
            }
            other
        }));
    }
    let mut earlier: HashMap<&str, &String> = HashMap::new();
    let mut written = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let own = others[index].as_ref();
        let text = line.renamed(own, &earlier);
        let is_taken_back = line.next.is_some_and(|next| lines[next].takes_back());
        if kept[index] && !line.takes_back() {
            written.push(text);
        } else if !line.takes_back() && !is_taken_back {
            written.push(commented(&text));
        }
        if let Some(name) = &line.name {
            match own {
                Some(own) => earlier.insert(name, own),
                None => earlier.remove(name.as_str()),
            };
        }
    }
    written
}

/// Returns for each line whether it is part of the program.
fn kept(lines: &[ScriptLine<'_>]) -> Vec<bool> {
    let mut kept = vec![true; lines.len()];
    for index in (0..lines.len()).rev() {
        let line = &lines[index];
        if let (Some(name), Some(next)) = (&line.name, line.next) {
            let mut later = index + 1..=next;
            kept[index] = !line.takes_back()
                && later.any(|k| kept[k] && lines[k].parsed.changes && lines[k].uses(name));
        }
    }
    let mut past: HashMap<&str, bool> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        if !line.parsed.changes {
            let mut names = line.words.iter().map(|word| word.text(line.text));
            kept[index] = names.all(|name| past.get(name).copied().unwrap_or(true));
        }
        if let Some(name) = &line.name {
            past.insert(name, kept[index]);
        }
    }
    kept
}

fn commented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("// {line}")).collect();
    lines.join("\n")
}

//! What processes must have in common before they work together.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// So many characters of a value are told in messages.
const EXCERPT: usize = 200;

/// Named values that must be the same everywhere: the version of the program, the source, the
/// rules, the question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fingerprint {
    fields: Vec<Field>,
}

/// One of them. Only its digest travels, with as much of its text as a message can hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Field {
    name: String,
    digest: String,
    excerpt: String,
}

/// A field in which two processes differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// The beginning of what is here and of what is there, if they differ there.
    pub excerpts: Option<(String, String)>,
}

impl Fingerprint {
    /// A fingerprint with no fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a named value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        let digest = format!("{:032x}", xxh3_128(value.as_bytes()));
        let excerpt = value
            .chars()
            .take(EXCERPT)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.fields.push(Field {
            name: name.to_owned(),
            digest,
            excerpt,
        });
        self
    }

    /// A name for the whole.
    pub fn digest(&self) -> String {
        let all: Vec<String> = self
            .fields
            .iter()
            .map(|field| format!("{} {}", field.name, field.digest))
            .collect();
        format!("{:032x}", xxh3_128(all.join("\n").as_bytes()))
    }

    /// The first field in which another process differs.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let pairs = self.fields.iter().zip(&other.fields);
        for (here, there) in pairs {
            if here.name != there.name || here.digest != there.digest {
                let excerpts = (here.excerpt != there.excerpt)
                    .then(|| (here.excerpt.clone(), there.excerpt.clone()));
                return Some(Difference {
                    name: here.name.clone(),
                    excerpts,
                });
            }
        }
        let longer = if self.fields.len() > other.fields.len() {
            self
        } else {
            other
        };
        let extra = longer
            .fields
            .get(self.fields.len().min(other.fields.len()))?;
        Some(Difference {
            name: extra.name.clone(),
            excerpts: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(source: &str, question: &str) -> Fingerprint {
        Fingerprint::new()
            .with("source", source)
            .with("question", question)
    }

    #[test]
    fn the_first_difference_is_named() {
        let here = print("game A = E", "R(A)");
        assert_eq!(here.difference(&here), None);
        assert_eq!(here.digest(), print("game A = E", "R(A)").digest());
        let other = here
            .difference(&print("game A = E", "R(B)"))
            .expect("they differ");
        assert_eq!(other.name, "question");
        assert_eq!(other.excerpts, Some(("R(A)".to_owned(), "R(B)".to_owned())));
        assert_eq!(
            here.difference(&print("game A = 1", "R(B)"))
                .expect("they differ")
                .name,
            "source"
        );
        assert_ne!(here.digest(), print("game A = E", "R(B)").digest());
    }

    #[test]
    fn what_differs_late_is_named_without_its_text() {
        let long = "x".repeat(1000);
        let found = print(&format!("{long}a"), "")
            .difference(&print(&format!("{long}b"), ""))
            .expect("they differ");
        assert_eq!((found.name.as_str(), found.excerpts), ("source", None));
    }

    #[test]
    fn a_field_too_many_is_a_difference() {
        let found = print("a", "b").difference(&print("a", "b").with("rules", ""));
        assert_eq!(found.expect("they differ").name, "rules");
        assert!(print("a", "b").difference(&Fingerprint::new()).is_some());
    }
}

//! The entries of the table of rules, with functions that find them.

use num_rational::BigRational;

use super::table::{FIELDS, PRESETS};
use super::{FieldValue, Rules};

/// A field of rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleField {
    /// The name as it is written.
    pub name: &'static str,
    /// The aspect of play that the field decides.
    pub meaning: &'static str,
    /// The names of its values. The first is the default.
    pub values: &'static [RuleWord],
    /// The numbers that the field accepts, if its value is a number.
    pub number: Option<Numeric>,
    /// A program that writes the field.
    pub example: &'static str,
    /// The output of that program.
    pub prints: &'static str,
}

/// A value of a field, or a preset of rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleWord {
    /// The name as it is written.
    pub name: &'static str,
    /// The value.
    pub meant: WordMeaning,
    /// The meaning, as a sentence.
    pub meaning: &'static str,
    /// A program that uses it.
    pub example: &'static str,
    /// The output of that program.
    pub prints: &'static str,
}

/// The value of a word of rules.
#[derive(Debug, Clone, Copy)]
pub enum WordMeaning {
    /// A value of a field.
    Value(fn() -> FieldValue),
    /// A value of a field that is called with a number: `taxman(1/2)`.
    Number(Numeric),
    /// A preset of rules.
    Rules(fn() -> Rules),
}

/// The numbers that a field accepts: one, or a list of one for each player.
#[derive(Debug, Clone, Copy)]
pub struct Numeric {
    /// `true` if the field accepts a list with a number for each player.
    pub for_each_player: bool,
    /// Returns the value that numbers stand for, or `None` if they are out of range or not as many
    /// as needed.
    pub value: fn(&[BigRational]) -> Option<FieldValue>,
    /// Returns the numbers in a value of the field, as the language writes them, or `None` if there
    /// are none.
    pub text: fn(&FieldValue) -> Option<String>,
    /// The range, as a sentence.
    pub takes: &'static str,
    /// The message, the label and the remedy for a number out of range.
    pub refusal: [&'static str; 3],
}

impl RuleField {
    /// Creates a field with these values. The example of the one at `shown` is that of the field.
    pub(super) const fn of_words(
        name: &'static str,
        meaning: &'static str,
        values: &'static [RuleWord],
        shown: usize,
    ) -> Self {
        Self {
            name,
            meaning,
            values,
            number: None,
            example: values[shown].example,
            prints: values[shown].prints,
        }
    }

    /// Creates a field that accepts numbers.
    pub(super) const fn of_numbers(
        name: &'static str,
        meaning: &'static str,
        number: Numeric,
        example: &'static str,
        prints: &'static str,
    ) -> Self {
        Self {
            name,
            meaning,
            values: &[],
            number: Some(number),
            example,
            prints,
        }
    }

    /// Finds the field with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// Returns the names of its values.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.values.iter().map(|value| value.name)
    }

    /// Returns the value with this name, or `None` if there is none or it is called with a number.
    pub fn value(&self, name: &str) -> Option<FieldValue> {
        let value = self.values.iter().find(|value| value.name == name)?;
        match value.meant {
            WordMeaning::Value(value) => Some(value()),
            WordMeaning::Number(_) | WordMeaning::Rules(_) => None,
        }
    }

    /// Returns the numbers with which the value of this name is called.
    pub fn called(&self, name: &str) -> Option<Numeric> {
        let value = self.values.iter().find(|value| value.name == name)?;
        match value.meant {
            WordMeaning::Number(numeric) => Some(numeric),
            WordMeaning::Value(_) | WordMeaning::Rules(_) => None,
        }
    }

    /// Writes a value of the field as the language does, and finds the entry that explains it.
    /// Returns `None` for values of other fields.
    fn written(&self, value: &FieldValue) -> Option<(String, Option<&'static RuleWord>)> {
        if let Some(number) = self.number {
            return (number.text)(value).map(|text| (text, None));
        }
        self.values.iter().find_map(|word| match word.meant {
            WordMeaning::Value(named) => {
                (named() == *value).then(|| (word.name.to_owned(), Some(word)))
            }
            WordMeaning::Number(numeric) => {
                let number = (numeric.text)(value)?;
                Some((format!("{}({number})", word.name), Some(word)))
            }
            WordMeaning::Rules(_) => None,
        })
    }
}

impl FieldValue {
    /// Returns the field's name and the value as the language writes it.
    pub fn words(&self) -> (&'static str, String) {
        let mut found = FIELDS.iter();
        let found = found.find_map(|field| Some((field.name, field.written(self)?.0)));
        found.expect("every value is one of the table")
    }

    /// Returns the sentence that explains the value, if the value has a name.
    pub fn meaning(&self) -> Option<&'static str> {
        let (_, word) = FIELDS.iter().find_map(|field| field.written(self))?;
        // A number has no meaning of its own.
        word.map(|word| word.meaning)
    }
}

/// Returns the rules of a preset.
pub fn preset(name: &str) -> Option<Rules> {
    let preset = PRESETS.iter().find(|preset| preset.name == name)?;
    match preset.meant {
        WordMeaning::Rules(rules) => Some(rules()),
        WordMeaning::Value(_) | WordMeaning::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Overrides;
    use super::*;

    #[test]
    fn every_word_of_the_table_is_printed_as_it_is_read() {
        for field in FIELDS {
            for word in field.values {
                let value = match word.meant {
                    WordMeaning::Value(value) => value(),
                    WordMeaning::Number(numeric) => {
                        (numeric.value)(&[BigRational::new(1.into(), 3.into())]).expect("a part")
                    }
                    WordMeaning::Rules(_) => panic!("rules stand among the presets"),
                };
                let (name, text) = value.words();
                assert_eq!(name, field.name);
                assert_eq!(text.split('(').next(), Some(word.name));
                assert_eq!(value.meaning(), Some(word.meaning));
            }
        }
        assert!(PRESETS.iter().all(|known| preset(known.name).is_some()));
    }

    /// The table has every field, in the order of [`Rules`], and the first value of each is the
    /// default.
    #[test]
    fn the_table_is_complete() {
        let fields = Overrides::from(Rules::default()).fields();
        assert_eq!(fields.len(), FIELDS.len());
        for (value, field) in fields.iter().zip(FIELDS) {
            assert_eq!(value.words().0, field.name);
            assert_eq!(field.number.is_some(), field.values.is_empty());
            if let Some(first) = field.values.first() {
                assert_eq!(value.words().1, first.name);
            }
        }
    }
}

//! Scans numbers and chip counts: `12`, `0.125`, `1e-30`, `4*`, `3-ε`.

use super::{Scanner, TokenKind, is_word_part};
use crate::diagnostic::{Code, Fix, Help};

/// The most digits of a number when it is written out.
const MAX_DIGITS: usize = 10_000;

impl<'s> Scanner<'s> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        self.eat(|c| c.is_ascii_digit());
        let integer_end = self.at;
        if let Some(mistake) = self.fraction_and_exponent() {
            return self.malformed(start, mistake.0, mistake.1);
        }
        // Only whole numbers are chip counts.
        if self.at == integer_end && self.chip_suffix() {
            return self.finish_number(start);
        }
        if self.peek().is_some_and(is_word_part) {
            let number = &self.text[start..self.at];
            let length = self.eat(is_word_part);
            let word = &self.text[self.at - length..self.at];
            let (help, right) = if word.starts_with('_') {
                let right = format!("{number}{}", word.replace('_', ""));
                (format!("digits are not grouped: write `{right}`"), right)
            } else if word == "'" {
                let right = format!("{number}*");
                (
                    format!("chips with the tie-breaking advantage are written `{right}`"),
                    right,
                )
            } else {
                let right = format!("{number}*{word}");
                (
                    format!("a product is written `{right}`; a name starts with a letter"),
                    right,
                )
            };
            let help = Help::from(help).with(Fix::replace(self.since(start), right));
            return self.malformed(start, "letters and primes cannot follow a number", help);
        }
        self.finish_number(start);
    }

    /// Accepts a fraction and an exponent, or returns the mistake in them.
    fn fraction_and_exponent(&mut self) -> Option<(&'static str, Help)> {
        let whole = self.at;
        let digits = self.digits_before(whole);
        let start = whole - digits.len();
        let rest = self.rest();
        // Two dots are a range: `1..4`.
        if rest.starts_with('.') && !rest.starts_with("..") {
            self.at += 1;
            if self.eat(|c| c.is_ascii_digit()) == 0 {
                let help = Help::from(format!("write `{digits}` or `{digits}.0`"));
                let help = [digits.to_owned(), format!("{digits}.0")]
                    .into_iter()
                    .fold(help, |help, right| {
                        help.with(Fix::replace(self.since(start), right))
                    });
                return Some(("a decimal point needs digits after it", help));
            }
            if self.rest().starts_with('.') && !self.rest().starts_with("..") {
                self.eat(|c| c.is_ascii_digit() || c == '.');
                return Some((
                    "a number has one decimal point at most",
                    "write a range with two dots: `1..4`".into(),
                ));
            }
        }
        if !self.rest().starts_with(['e', 'E']) {
            return None;
        }
        let after = &self.rest()[1..];
        let signed = after.strip_prefix(['+', '-']).unwrap_or(after);
        if signed.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += self.rest().len() - signed.len();
            self.eat(|c| c.is_ascii_digit());
            return None;
        }
        // This is no exponent but a name behind a number, which is reported below.
        if after.starts_with(is_word_part) {
            return None;
        }
        self.at += self.rest().len() - signed.len();
        let help = Help::from(format!("write `{digits}` or `{digits}e-3`"));
        Some(("an exponent needs digits after the `e`", help))
    }

    fn digits_before(&self, end: usize) -> &'s str {
        let head = &self.text[..end];
        let start = head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |i| {
            i + head[i..].chars().next().map_or(1, char::len_utf8)
        });
        &head[start..]
    }

    /// Accepts the `*` of `4*` or the `-ε` of `3-ε`, and returns `true` if there is one.
    fn chip_suffix(&mut self) -> bool {
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix('*')
            // In `4*x` and `4*(x)` the star multiplies.
            && !after.starts_with(|c| is_word_part(c) || c == '(')
        {
            self.at += 1;
            return true;
        }
        for suffix in ["-ε", "-eps", "−ε", "−eps"] {
            if rest
                .strip_prefix(suffix)
                .is_some_and(|after| !after.starts_with(is_word_part))
            {
                self.at += suffix.len();
                return true;
            }
        }
        false
    }

    fn finish_number(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        let exponent = text
            // The `e` of `-eps` begins no exponent.
            .trim_end_matches("eps")
            .split_once(['e', 'E'])
            .map_or(Some(0), |(_, exponent)| exponent.parse::<i32>().ok());
        let is_too_long = text.len() > MAX_DIGITS
            // A short text such as `1e999999999` may stand for a number of very many digits.
            || exponent.is_none_or(|e| e.unsigned_abs() as usize > MAX_DIGITS);
        if is_too_long {
            let help = match exponent {
                Some(..0) => "write small fractions as powers, such as `10^-16000`",
                Some(_) | None => "write large numbers as powers, such as `10^20000`",
            };
            return self.malformed(
                start,
                "a number may have 10,000 digits at most",
                help.into(),
            );
        }
        if text.ends_with('*') && self.rest().starts_with('*') {
            self.at += 1;
            let base = text.trim_end_matches('*');
            let help = Help::from(format!("a power is written `{base}^n`"));
            let help = help.with(Fix::replace(self.since(start), format!("{base}^")));
            return self.malformed(start, "`**` is not an operator", help);
        }
        self.push(TokenKind::Number, start);
    }

    pub(super) fn malformed(&mut self, start: usize, what: &str, help: Help) {
        self.push(TokenKind::Bad, start);
        let text = &self.text[start..self.at];
        let shown = if text.len() > 40 {
            "this"
        } else {
            &format!("`{text}`")
        };
        let message = format!("{shown} is not a number");
        self.report(Code::BadLiteral, start, &message, what.into(), Some(help));
    }
}

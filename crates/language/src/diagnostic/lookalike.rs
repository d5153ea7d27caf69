//! Characters that look like those of the language, or that cannot be seen, with the characters
//! that were meant.
//!
//! The table is our own rather than Unicode's table of confusable characters, because that one
//! lists characters that look alike, whether or not the language uses them, and has no
//! superscripts, no `⩽` and no `（`.

use crate::convert::fit;

/// Signs, each with the characters that word processors, keyboards and other notations use instead.
const SIGNS: [(&str, &str); 40] = [
    ("-", "\u{2010}\u{2011}‒–—―﹣－"),
    ("+", "＋﹢"),
    ("*", "＊∗⋅•∙✕✖"),
    ("/", "÷∕⁄／"),
    ("%", "％"),
    ("^", "＾"),
    ("~", "～∼˜"),
    ("=", "＝﹦"),
    ("==", "≅≃"),
    ("<", "＜﹤‹"),
    (">", "＞﹥›"),
    ("<=", "⩽≦"),
    (">=", "⩾≧"),
    ("->", "→⟶➔➝"),
    ("<->", "↔⟷"),
    ("..", "…‥"),
    ("∧", "⋀"),
    ("∥", "‖"),
    ("in", "∈"),
    ("not ", "¬"),
    ("or", "∨"),
    ("(", "（﹙❨"),
    (")", "）﹚❩"),
    ("[", "［【⟦"),
    ("]", "］】⟧"),
    ("{", "｛"),
    ("}", "｝"),
    (",", "，、﹐‚"),
    (":", "：∶﹕"),
    (";", "；\u{37e}﹔"),
    (".", "．。"),
    ("|", "｜∣❘"),
    ("\"", "＂″"),
    ("'", "＇′"),
    ("_", "＿"),
    ("1/2", "½"),
    ("1/3", "⅓"),
    ("2/3", "⅔"),
    ("1/4", "¼"),
    ("3/4", "¾"),
];

/// Letters, each with those of other alphabets that look like it.
const LETTERS: [(char, &str); 42] = [
    ('A', "АΑ"),
    ('B', "ВΒℬ"),
    ('C', "СϹℂ"),
    ('D', "ⅅ"),
    ('E', "ЕΕℰ"),
    ('F', "ℱ"),
    ('G', "Ԍ"),
    ('H', "НΗℍℋ"),
    ('I', "ІΙℐ"),
    ('J', "Ј"),
    ('K', "КΚ\u{212a}"),
    ('L', "ℒ"),
    ('M', "МΜℳ"),
    ('N', "Νℕ"),
    ('O', "ОΟ"),
    ('P', "РΡℙ"),
    ('Q', "ℚ"),
    ('R', "ℝℛℜ"),
    ('S', "Ѕ"),
    ('T', "ТΤ"),
    ('V', "Ѵ"),
    ('W', "Ԝ"),
    ('X', "ХΧ"),
    ('Y', "УΥҮ"),
    ('Z', "Ζℤ"),
    ('a', "аɑ"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еℯ"),
    ('g', "ɡℊ"),
    ('h', "һℎ"),
    ('i', "і"),
    ('j', "ј"),
    ('o', "оοℴ"),
    ('p', "рρ"),
    ('q', "ԛ"),
    ('s', "ѕ"),
    ('u', "υ"),
    ('v', "νѵ"),
    ('w', "ԝ"),
    ('x', "хχ"),
    ('y', "у"),
];

/// Letters that look like the ε of `3-ε`.
const EPSILONS: &str = "ϵɛє";

/// The zeros of other scripts and styles. Nine digits follow each of them in Unicode.
const ZEROS: [char; 9] = [
    '٠',
    '۰',
    '०',
    '\u{ff10}',
    '\u{1d7ce}',
    '\u{1d7d8}',
    '\u{1d7e2}',
    '\u{1d7ec}',
    '\u{1d7f6}',
];

const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SUBSCRIPTS: &str = "₀₁₂₃₄₅₆₇₈₉";

/// Finds the sign that was meant by a character.
pub fn sign(c: char) -> Option<&'static str> {
    let found = SIGNS.iter().find(|(_, others)| others.contains(c));
    found.map(|(sign, _)| *sign)
}

/// Finds the digits that were meant by the characters with which a text begins, and the number of
/// bytes of these characters: `²³` stands for `^23`, `₁` for `_1`, `１２` for `12`.
pub fn digits(text: &str) -> Option<(String, usize)> {
    let in_list = |list: &str, c| list.chars().position(|digit| digit == c);
    let of_script = |c: char| {
        let values = ZEROS
            .iter()
            // Wrapped around, a character before the zero is a large number and no digit.
            .map(|zero| u32::from(c).wrapping_sub(u32::from(*zero)));
        values.into_iter().find(|value| *value < 10)
    };
    type DigitReader<'a> = &'a dyn Fn(char) -> Option<u32>;
    let kinds: [(&str, &str, DigitReader<'_>); 3] = [
        ("^", "⁻", &|c| {
            in_list(SUPERSCRIPTS, c).map(|digit| fit::<u32>(digit))
        }),
        ("_", "", &|c| {
            in_list(SUBSCRIPTS, c).map(|digit| fit::<u32>(digit))
        }),
        ("", "", &of_script),
    ];
    for (before, minus, digit) in kinds {
        let unsigned = text.strip_prefix(minus).unwrap_or(text);
        let is_negative = unsigned.len() < text.len();
        let end = unsigned
            .find(|c| digit(c).is_none())
            .unwrap_or(unsigned.len());
        if end > 0 {
            let digits = unsigned[..end].chars().filter_map(digit);
            let digits = digits.filter_map(|digit| char::from_digit(digit, 10));
            let meant = [before, if is_negative { "-" } else { "" }].concat();
            let length = text.len() - unsigned.len() + end;
            return Some((
                digits.fold(meant, |meant, digit| meant + &digit.to_string()),
                length,
            ));
        }
    }
    None
}

/// Finds the word that was meant, if some of its letters only look like those of the language.
pub fn word(word: &str) -> Option<String> {
    let meant: String = word.chars().map(|c| letter(c).unwrap_or(c)).collect();
    (meant != word).then_some(meant)
}

/// Finds the first letter of a word that only looks like one of the language, and that one.
pub fn first_letter(word: &str) -> Option<(char, char)> {
    word.chars().find_map(|c| Some((c, letter(c)?)))
}

fn letter(c: char) -> Option<char> {
    let place = |from: u32| u32::from(c).checked_sub(from);
    let latin = |place: u32| {
        let base = if place < 26 {
            u32::from(b'A')
        } else {
            u32::from(b'a') - 26
        };
        char::from_u32(base + place)
    };
    match c {
        // The language's own letters stand for themselves.
        _ if c.is_ascii() => None,
        'Ａ'..='Ｚ' => latin(place(u32::from('Ａ'))?),
        'ａ'..='ｚ' => latin(26 + place(u32::from('ａ'))?),
        // Unicode has thirteen styles of letters for mathematics here.
        '\u{1d400}'..='\u{1d6a3}' => latin(place(0x1d400)? % 52),
        _ if EPSILONS.contains(c) => Some('ε'),
        _ => {
            let found = LETTERS.iter().find(|(_, others)| others.contains(c));
            found.map(|(letter, _)| *letter)
        }
    }
}

/// Names a character that cannot be seen, or not by itself.
pub fn unseen(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' => "a zero-width non-joiner",
        '\u{200d}' => "a zero-width joiner",
        '\u{2060}' => "a word joiner",
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a mark that turns the direction of writing"
        }
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}' => "a mark on the character before it",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            "a variant of the character before it"
        }
        '\u{180e}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e00ff}' => "an invisible character",
        _ if c.is_control() => "a control character",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_character_stands_for_one() {
        let signs = SIGNS.iter().flat_map(|(_, others)| others.chars());
        let letters = LETTERS.iter().flat_map(|(_, others)| others.chars());
        let mut met = HashSet::new();
        for c in signs.chain(letters) {
            assert!(!c.is_ascii() && met.insert(c), "{c}");
        }
        // Letters stand in words, which the scanner reads before it looks for signs.
        assert!(
            SIGNS
                .iter()
                .all(|(_, others)| !others.contains(char::is_alphabetic))
        );
        assert!(
            LETTERS
                .iter()
                .all(|(_, others)| others.chars().all(char::is_alphabetic))
        );
    }

    #[test]
    fn what_was_meant() {
        assert_eq!(
            [sign('–'), sign('⩽'), sign('（'), sign('a')],
            [Some("-"), Some("<="), Some("("), None]
        );
        assert_eq!(word("АВ"), Some("AB".to_owned()));
        assert_eq!(word("ｔｕｇ𝐴ℝ"), Some("tugAR".to_owned()));
        assert_eq!(word("größe_π"), None);
        let meant = |text| digits(text).map(|(meant, length)| (meant, &text[length..]));
        assert_eq!(meant("²³ + 1"), Some(("^23".to_owned(), " + 1")));
        assert_eq!(meant("⁻¹)"), Some(("^-1".to_owned(), ")")));
        assert_eq!(meant("₁₀"), Some(("_10".to_owned(), "")));
        assert_eq!(meant("１٣x"), Some(("13".to_owned(), "x")));
        assert_eq!(meant("12"), None);
        assert_eq!(unseen('\u{200b}'), Some("a zero-width space"));
        assert_eq!(unseen('x'), None);
    }
}

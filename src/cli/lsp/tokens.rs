//! Semantic tokens: the type of each word, by the analysis.

use std::ops::Range;

use bid::analysis::Meaning;
use bid_language::check::DeclarationKind;
use bid_language::source::Columns;
use bid_language::syntax::{Classified, TokenClass};

use super::protocol::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
};
use super::texts::Text;

/// The types, in the order of their numbers.
const TYPES: [SemanticTokenType; 13] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::CLASS,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::STRUCT,
    SemanticTokenType::METHOD,
];

/// The modifiers, in the order of their bits.
const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const LIBRARY: u32 = 4;

/// Returns the meaning of the numbers of tokens.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

/// Returns the tokens of a text, or of a part of it. No token of the language extends over several
/// lines, so the length of each is a difference of columns.
pub fn tokens(
    text: &Text,
    found: &[(Classified, Meaning)],
    part: Option<Range<usize>>,
    columns: Columns,
) -> SemanticTokens {
    let part = part.unwrap_or(0..text.text.len());
    let (mut data, mut last) = (Vec::new(), (0, 0));
    for (token, meaning) in found {
        let (start, end) = (token.start as usize, token.end as usize);
        let Some((kind, modifiers)) = kind(token.class, *meaning) else {
            continue;
        };
        if end <= part.start || part.end <= start {
            continue;
        }
        let (from, to) = (text.position(start, columns), text.position(end, columns));
        // The protocol gives places relative to the token before, on its line.
        let delta_start = if from.line == last.0 {
            from.character - last.1
        } else {
            from.character
        };
        data.push(SemanticToken {
            delta_line: from.line - last.0,
            delta_start,
            length: to.character.saturating_sub(from.character),
            token_type: number(&kind),
            token_modifiers_bitset: modifiers,
        });
        last = (from.line, from.character);
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

fn number(kind: &SemanticTokenType) -> u32 {
    let at = TYPES.iter().position(|known| known == kind);
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or_default()
}

/// Returns the type of a token; `None` for brackets and words without a meaning.
fn kind(class: TokenClass, meaning: Meaning) -> Option<(SemanticTokenType, u32)> {
    let by_meaning = match meaning {
        Meaning::Plain => None,
        Meaning::Declared(kind) => Some((declared(kind), 0)),
        Meaning::Declaration(DeclarationKind::Test) => {
            Some((SemanticTokenType::STRING, DECLARATION))
        }
        Meaning::Declaration(kind) => Some((declared(kind), DECLARATION)),
        Meaning::Builtin if class == TokenClass::Constant => {
            Some((SemanticTokenType::VARIABLE, READONLY | LIBRARY))
        }
        Meaning::Builtin => Some((SemanticTokenType::FUNCTION, LIBRARY)),
        Meaning::Parameter => Some((SemanticTokenType::PARAMETER, LIBRARY)),
        Meaning::Field => Some((SemanticTokenType::PROPERTY, LIBRARY)),
        Meaning::FieldValue => Some((SemanticTokenType::ENUM_MEMBER, LIBRARY)),
    };
    by_meaning.or(match class {
        TokenClass::Keyword => Some((SemanticTokenType::KEYWORD, 0)),
        TokenClass::Constant => Some((SemanticTokenType::VARIABLE, READONLY | LIBRARY)),
        TokenClass::Name => Some((SemanticTokenType::VARIABLE, 0)),
        TokenClass::Number => Some((SemanticTokenType::NUMBER, 0)),
        TokenClass::String => Some((SemanticTokenType::STRING, 0)),
        TokenClass::Comment => Some((SemanticTokenType::COMMENT, 0)),
        TokenClass::Symbol => Some((SemanticTokenType::OPERATOR, 0)),
        TokenClass::Bracket | TokenClass::Malformed => None,
    })
}

fn declared(kind: DeclarationKind) -> SemanticTokenType {
    match kind {
        DeclarationKind::Value
        | DeclarationKind::Variable
        | DeclarationKind::State
        | DeclarationKind::Unknown => SemanticTokenType::VARIABLE,
        DeclarationKind::Function | DeclarationKind::RulesetLet => SemanticTokenType::FUNCTION,
        DeclarationKind::Game | DeclarationKind::Family => SemanticTokenType::CLASS,
        DeclarationKind::Rules => SemanticTokenType::STRUCT,
        DeclarationKind::Test => SemanticTokenType::STRING,
        DeclarationKind::Parameter => SemanticTokenType::PARAMETER,
        DeclarationKind::Move => SemanticTokenType::METHOD,
    }
}

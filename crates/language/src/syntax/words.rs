//! The names of the grammar's rules in the user's words, in one table for every message about
//! expected texts.

use super::grammar::Rule;

/// The description of a rule in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// A fixed spelling, which messages quote. It carries no meaning of its own in the tree.
    Punctuation(&'static str),
    /// A fixed spelling that the tree needs.
    Token(&'static str),
    /// One of the infix operators, which messages mention together.
    Operator,
    /// A kind of thing.
    Thing(&'static str),
    /// A place for an expression.
    Expression,
    /// A rule that messages do not mention, because they mention its parts.
    Silent,
}

/// Returns `true` if the pairs of this rule only separate or enclose others.
pub fn is_punctuation(rule: Rule) -> bool {
    matches!(wording(rule), Wording::Punctuation(_))
}

/// Returns the description of a rule.
pub fn wording(rule: Rule) -> Wording {
    use Wording::{Expression, Operator, Punctuation, Silent, Thing, Token};
    match rule {
        Rule::open_paren => Punctuation("("),
        Rule::close_paren => Punctuation(")"),
        Rule::open_bracket => Punctuation("["),
        Rule::close_bracket => Punctuation("]"),
        Rule::open_brace => Punctuation("{"),
        Rule::close_brace => Punctuation("}"),
        Rule::comma => Punctuation(","),
        Rule::colon => Punctuation(":"),
        Rule::bar => Punctuation("|"),
        Rule::equals => Punctuation("="),
        Rule::separator => Punctuation(";"),
        Rule::kw_use => Punctuation("use"),
        Rule::kw_let => Punctuation("let"),
        Rule::kw_game => Punctuation("game"),
        Rule::kw_rules => Punctuation("rules"),
        Rule::kw_show => Punctuation("show"),
        Rule::kw_check => Punctuation("check"),
        Rule::kw_test => Punctuation("test"),
        Rule::kw_if => Punctuation("if"),
        Rule::kw_then => Punctuation("then"),
        Rule::kw_else => Punctuation("else"),
        Rule::kw_for => Punctuation("for"),
        Rule::kw_after => Punctuation("after"),
        Rule::kw_graph => Punctuation("graph"),
        Rule::kw_start => Punctuation("start"),
        Rule::kw_edges => Punctuation("edges"),
        Rule::kw_win => Punctuation("win"),
        Rule::kw_draw => Punctuation("draw"),
        Rule::kw_score => Punctuation("score"),
        Rule::kw_turn => Punctuation("turn"),
        Rule::kw_accepting => Punctuation("accepting"),
        Rule::kw_priority => Punctuation("priority"),
        Rule::kw_weight => Punctuation("weight"),
        Rule::kw_income => Punctuation("income"),
        Rule::kw_state => Punctuation("state"),
        Rule::kw_move => Punctuation("move"),
        Rule::kw_stuck => Punctuation("stuck"),
        Rule::kw_symmetry => Punctuation("symmetry"),
        Rule::kw_drop => Punctuation("drop"),
        Rule::plus_equals => Token("+="),
        Rule::minus_equals => Token("-="),
        Rule::one_way => Token("->"),
        Rule::two_way => Token("<->"),
        Rule::kw_both => Token("both"),
        Rule::kw_turns => Token("turns"),
        Rule::kw_loses => Token("loses"),
        Rule::kw_wins => Token("wins"),
        Rule::kw_draws => Token("draws"),
        Rule::kw_passes => Token("passes"),
        Rule::kw_mirror => Token("mirror"),
        Rule::kw_rotate => Token("rotate"),
        Rule::kw_in => Token("in"),
        Rule::kw_using => Token("using"),
        Rule::operator | Rule::after => Operator,
        Rule::name | Rule::word => Thing("a name"),
        Rule::string => Thing("a string"),
        Rule::player => Thing("a player"),
        Rule::parameters => Thing("parameters in parentheses"),
        Rule::pattern => Thing("a name"),
        Rule::block => Thing("`{`"),
        Rule::EOI => Thing("the end of the line"),
        Rule::expression | Rule::expression_without_in | Rule::prefix => Expression,
        Rule::number | Rule::boolean => Expression,
        Rule::parentheses | Rule::list | Rule::rules_literal | Rule::braces | Rule::graph => {
            Expression
        }
        Rule::conditional
        | Rule::binding
        | Rule::conditional_without_in
        | Rule::binding_without_in => Expression,
        Rule::options | Rule::nodes | Rule::argument | Rule::expression_statement => Expression,
        Rule::graph_item
        | Rule::start_line
        | Rule::win_line
        | Rule::draw_line
        | Rule::score_line => Thing("a graph line"),
        Rule::edge_line
        | Rule::accepting_line
        | Rule::priority_line
        | Rule::weight_line
        | Rule::income_line
        | Rule::file_line => Thing("a graph line"),
        Rule::turn_line => Thing("a graph line"),
        Rule::state_line | Rule::let_line | Rule::move_line | Rule::win_if | Rule::draw_if => {
            Thing("a line of the game")
        }
        Rule::turn_if
        | Rule::income_if
        | Rule::score_if
        | Rule::stuck_line
        | Rule::symmetry_line => Thing("a line of the game"),
        Rule::if_update | Rule::assignment | Rule::drop_update | Rule::score_update => {
            Thing("an update")
        }
        Rule::use_statement
        | Rule::let_statement
        | Rule::game_statement
        | Rule::rules_statement => Thing("a statement"),
        Rule::using_statement | Rule::show_statement | Rule::check_statement => {
            Thing("a statement")
        }
        Rule::test_statement => Thing("a statement"),
        Rule::ply => Thing("a move like `alice place(1, 1)`"),
        Rule::field => Thing("a field like `ties: advantage`"),
        Rule::definition | Rule::arguments | Rule::indices | Rule::for_clause | Rule::if_clause => {
            Silent
        }
        Rule::edge_score
        | Rule::edge_weight
        | Rule::ruleset
        | Rule::move_arguments
        | Rule::file
        | Rule::lines => Silent,
        Rule::WHITESPACE
        | Rule::statements
        | Rule::statement
        | Rule::operand
        | Rule::operand_without_in => Silent,
        Rule::primary | Rule::clauses | Rule::graph_items | Rule::rule_items | Rule::rule_item => {
            Silent
        }
        Rule::updates | Rule::update | Rule::keyword | Rule::player_word | Rule::word_part => {
            Silent
        }
        Rule::fraction | Rule::exponent | Rule::star | Rule::minus_epsilon => Silent,
        Rule::infix | Rule::infix_without_in => Silent,
    }
}

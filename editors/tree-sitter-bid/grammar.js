/**
 * The bid language for editors: its syntax by grammar/bid.pest, read leniently.
 *
 * Line ends come from src/scanner.c: one separates statements or lines only where a statement or a line may end. What stands in
 * parentheses, brackets and the braces of expressions, and what follows an operator, has no place for a separator, and a line that starts
 * with `then`, `else`, `in`, `for`, `and`, `or`, `at` or `after` goes on with the one before it.
 */

// How tightly operators bind, loosest first (crates/language/src/syntax/operators.rs).
const LEVEL = {
  open: 0,
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  range: 5,
  context: 6,
  wedge: 7,
  sum: 8,
  product: 9,
  prefix: 10,
  power: 11,
  operand: 12,
};

const BINARY = [
  [prec.left, LEVEL.or, ["or"]],
  [prec.left, LEVEL.and, ["and"]],
  [prec.left, LEVEL.comparison, ["==", "!=", "≠", "<", "≤", "<=", ">", "≥", ">=", "≡", "≢", "∥", "||"]],
  [prec.left, LEVEL.range, [".."]],
  [prec.left, LEVEL.context, ["at", "using"]],
  [prec.left, LEVEL.wedge, ["∧", "/\\"]],
  [prec.left, LEVEL.sum, ["+", "-", "−", "++", "±", "+/-"]],
  [prec.left, LEVEL.product, ["*", "×", "·", "/", "%"]],
  [prec.right, LEVEL.power, ["^"]],
];

const MEMBERSHIP = [prec.left, LEVEL.comparison, ["in"]];

const either = (symbols) => (symbols.length > 1 ? choice(...symbols) : symbols[0]);
const list = (element) => seq(element, repeat(seq(",", element)));
const optionalList = (element) => optional(seq(list(element), optional(",")));
const block = (separator, item) =>
  seq("{", repeat(separator), optional(seq(item, repeat(seq(repeat1(separator), item)), repeat(separator))), "}");

/** The rules of expressions: on the right-hand side of a `let`, `in` ends the expression. */
function expressions($, suffix, operators) {
  const rule = (name) => $[name + suffix];
  const named = (name) => (suffix ? alias(rule(name), $[name]) : rule(name));
  const expression = rule("_expression");
  return {
    ["_expression" + suffix]: () =>
      choice(
        $._primary,
        named("binary_expression"),
        named("unary_expression"),
        named("after_expression"),
        named("conditional_expression"),
        named("let_expression"),
      ),
    ["binary_expression" + suffix]: () =>
      choice(
        ...operators.map(([group, level, symbols]) =>
          group(level, seq(field("left", expression), field("operator", either(symbols)), field("right", expression))),
        ),
      ),
    ["unary_expression" + suffix]: () =>
      choice(
        prec(LEVEL.not, seq("not", expression)),
        prec(LEVEL.prefix, seq(choice("-", "−", "~"), expression)),
      ),
    ["after_expression" + suffix]: () =>
      prec.left(LEVEL.context, seq(field("game", expression), "after", "[", optionalList($.ply), "]")),
    ["conditional_expression" + suffix]: () =>
      prec.right(
        LEVEL.open,
        seq(
          "if",
          field("condition", $._expression),
          "then",
          field("then", $._expression),
          "else",
          field("else", expression),
        ),
      ),
    ["let_expression" + suffix]: () =>
      prec.right(LEVEL.open, seq("let", $.definition, "in", field("body", expression))),
  };
}

const RULES = (names) => {
  // The functions of `expressions` name rules by `$`, which tree-sitter hands to each rule.
  const made = {};
  for (const [suffix, operators] of [["", [...BINARY, MEMBERSHIP]], ["_without_in", BINARY]]) {
    for (const name of names) {
      made[name + suffix] = ($) => expressions($, suffix, operators)[name + suffix]();
    }
  }
  return made;
};

module.exports = grammar({
  name: "bid",

  externals: ($) => [$._line_end, $._item_end, $.chips, $._error_sentinel],
  extras: ($) => [/[\s\p{White_Space}\uFEFF]/, $.comment, $.doc_comment],
  word: ($) => $.identifier,
  supertypes: ($) => [$._statement],
  inline: ($) => [$._separator, $._item_separator, $._clause],

  rules: {
    source_file: ($) =>
      seq(
        repeat($._separator),
        optional(
          seq($._statement, repeat(seq(repeat1($._separator), $._statement)), repeat($._separator)),
        ),
      ),

    // Statements, updates; lines of graphs and rulesets, which go on before `if`.
    _separator: ($) => choice(";", $._line_end),
    _item_separator: ($) => choice(";", $._item_end),

    // ---- Statements ----

    _statement: ($) =>
      choice(
        $.use_statement,
        $.let_statement,
        $.game_statement,
        $.rules_statement,
        $.using_statement,
        $.show_statement,
        $.check_statement,
        $.test_statement,
        $.expression_statement,
      ),

    use_statement: ($) => seq("use", field("path", $.string)),
    let_statement: ($) => seq("let", $.definition),
    definition: ($) =>
      seq(
        field("name", $.identifier),
        field("parameters", optional($.parameters)),
        "=",
        field("value", $._expression_without_in),
      ),
    parameters: ($) => seq("(", optional(list($.identifier)), ")"),
    game_statement: ($) =>
      seq(
        "game",
        field("name", $.identifier),
        field("parameters", optional($.parameters)),
        choice(seq("=", field("value", $._expression)), field("rules", $.ruleset)),
      ),
    rules_statement: ($) =>
      seq("rules", field("name", $.identifier), choice(seq("=", field("value", $._expression)), $.rules_literal)),
    using_statement: ($) => seq("using", $._expression),
    show_statement: ($) => seq("show", $._expression),
    check_statement: ($) => seq("check", $._expression),
    test_statement: ($) => seq("test", field("name", $.string), field("body", $.test_block)),
    test_block: ($) => block($._separator, $._statement),
    expression_statement: ($) => $._expression,

    // ---- Expressions ----

    ...RULES([
      "_expression",
      "binary_expression",
      "unary_expression",
      "after_expression",
      "conditional_expression",
      "let_expression",
    ]),

    ply: ($) => seq($.player, $._expression),

    _primary: ($) =>
      choice(
        $.identifier,
        $.integer,
        $.decimal,
        $.chips,
        $.string,
        $.boolean,
        $.player,
        $.parentheses,
        $.list,
        $.rules_literal,
        $.options,
        $.graph,
        $.call,
        $.index,
      ),

    call: ($) => prec(LEVEL.operand, seq(field("function", $._primary), field("arguments", $.arguments))),
    index: ($) => prec(LEVEL.operand, seq(field("value", $._primary), $.indices)),
    arguments: ($) => seq("(", optionalList($._argument), ")"),
    _argument: ($) => choice($._expression, $.named_argument),
    named_argument: ($) => seq(field("name", $._word), ":", field("value", $._expression)),
    _word: ($) => choice($.identifier, $.player),
    indices: ($) => seq("[", list($._expression), optional(","), "]"),
    parentheses: ($) => seq("(", list($._expression), ")"),
    list: ($) =>
      seq(
        "[",
        optional(
          choice(
            seq($._expression, $.for_clause, repeat($._clause)),
            seq(list($._expression), optional(",")),
          ),
        ),
        "]",
      ),
    _clause: ($) => choice($.for_clause, $.if_clause),
    for_clause: ($) => seq("for", field("pattern", $._pattern), "in", field("values", $._expression)),
    if_clause: ($) => seq("if", $._expression),
    _pattern: ($) => choice($.identifier, $.tuple_pattern),
    tuple_pattern: ($) => seq("(", $.identifier, repeat1(seq(",", $.identifier)), ")"),
    rules_literal: ($) => seq("{", optionalList($.field), "}"),
    field: ($) => seq(field("name", $._word), ":", field("value", $._expression)),
    // { G1, G2 | H1 }: Alice's options, Bob's options.
    options: ($) =>
      seq(
        "{",
        field("alice", optionalList($._expression)),
        "|",
        field("bob", optionalList($._expression)),
        "}",
      ),

    // ---- Graphs ----

    graph: ($) => seq("graph", field("body", $.graph_block)),
    graph_block: ($) => block($._item_separator, $._graph_item),
    _graph_item: ($) =>
      choice(
        $.start_line,
        $.win_line,
        $.draw_line,
        $.score_line,
        $.turn_line,
        $.accepting_line,
        $.priority_line,
        $.weight_line,
        $.income_line,
        $.file_line,
        $.edge_line,
      ),
    start_line: ($) => seq("start", $._expression, repeat($._clause)),
    win_line: ($) => seq("win", $.player, ":", $.nodes, repeat($._clause)),
    draw_line: ($) => seq("draw", ":", $.nodes, repeat($._clause)),
    score_line: ($) => seq("score", $._expression, ":", $.nodes, repeat($._clause)),
    turn_line: ($) => seq("turn", $.player, ":", $.nodes, repeat($._clause)),
    accepting_line: ($) => seq("accepting", ":", $.nodes, repeat($._clause)),
    priority_line: ($) => seq("priority", $._expression, ":", $.nodes, repeat($._clause)),
    weight_line: ($) => seq("weight", $._expression, ":", $.nodes, repeat($._clause)),
    income_line: ($) => seq("income", $.player, $._expression, ":", $.nodes, repeat($._clause)),
    file_line: ($) => seq(optional($._mover), "edges", field("path", $.string), optional("turns"), repeat($._clause)),
    edge_line: ($) =>
      seq(
        $._mover,
        field("from", $._expression),
        choice("->", "<->"),
        field("to", $.nodes),
        optional(seq(choice("score", "weight"), $._expression)),
        repeat($._clause),
      ),
    _mover: ($) => choice($.player, "both"),
    nodes: ($) => list($._expression),

    // ---- Rulesets ----

    ruleset: ($) => block($._item_separator, $._rule_item),
    _rule_item: ($) =>
      choice(
        $.state_line,
        $.let_line,
        $.move_line,
        $.win_rule,
        $.turn_rule,
        $.income_rule,
        $.draw_rule,
        $.score_rule,
        $.stuck_line,
        $.symmetry_line,
      ),
    state_line: ($) => seq("state", field("name", $.identifier), "=", field("value", $._expression)),
    let_line: ($) => seq("let", $.definition),
    move_line: ($) =>
      seq(
        "move",
        optional($.player),
        field("name", $.identifier),
        optional($.move_arguments),
        repeat($._clause),
        field("body", $.update_block),
      ),
    move_arguments: ($) => seq("(", optionalList($._expression), ")"),
    win_rule: ($) => seq("win", $._expression, "if", $._expression),
    turn_rule: ($) => seq("turn", $._expression, "if", $._expression),
    income_rule: ($) => seq("income", $.player, $._expression, "if", $._expression),
    draw_rule: ($) => seq("draw", "if", $._expression),
    score_rule: ($) => seq("score", $._expression, "if", $._expression),
    stuck_line: ($) => seq("stuck", choice("loses", "wins", "draws", "passes", seq("score", $._expression))),
    symmetry_line: ($) =>
      seq(
        "symmetry",
        choice(
          seq(choice("mirror", "rotate"), "(", $.identifier, ")"),
          $.identifier,
          alias(choice("mirror", "rotate"), $.identifier),
        ),
      ),

    update_block: ($) => block($._separator, $._update),
    _update: ($) => choice($.if_update, $.assignment, $.drop_update, $.score_update),
    if_update: ($) =>
      seq(
        "if",
        field("condition", $._expression),
        field("then", $.update_block),
        optional(seq("else", field("else", choice($.update_block, $.if_update)))),
      ),
    assignment: ($) =>
      seq(
        // `drop` and `score` begin updates, and may be variables.
        choice(
          seq(field("name", $.identifier), repeat($.indices)),
          field("name", alias(choice("drop", "score"), $.identifier)),
        ),
        choice("=", "+=", "-="),
        field("value", $._expression),
      ),
    drop_update: ($) =>
      seq("drop", "(", $.identifier, ",", $._expression, ",", $._expression, optional(","), ")"),
    score_update: ($) => seq("score", $._expression),

    // ---- Names and literals ----

    boolean: () => choice("true", "false"),
    player: () => choice("alice", "bob", "left", "right", "red", "blue"),
    identifier: () => /\p{Alphabetic}[\p{Alphabetic}0-9_]*'*/,
    integer: () => /[0-9]+/,
    decimal: () => /[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/,
    string: () => /"([^"\\\n]|\\["\\nt])*"/,
    doc_comment: () => token(prec(1, /\/\/\/([^\/\n][^\n]*)?/)),
    comment: () => token(/\/\/[^\n]*/),
  },
});

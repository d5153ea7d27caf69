//! Generates random syntax trees, as the parser can make them up to parentheses.

use bid_language::player::Player;
use bid_language::source::{SourceMap, Span};
use bid_language::syntax::ast::*;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;

fn span() -> Span {
    Span::new(SourceMap::default().add("tree", ""), 0..0)
}

const NAMES: [&str; 25] = [
    "G",
    "H'",
    "x",
    "x_1",
    "board",
    "me",
    "other",
    "empty",
    "draw",
    "score",
    "start",
    "win",
    "both",
    "state",
    "move",
    "mirror",
    "drop",
    "ε",
    "eps",
    "größe",
    "weight",
    "priority",
    "accepting",
    "income",
    "edges",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(&["A.B/...", "a \"quoted\" \\ line\nanother", ""][..])
            .prop_map(str::to_owned),
        "[^\r\u{0}]{0,6}"
    ]
}

fn name() -> impl Strategy<Value = Name> {
    prop::sample::select(&NAMES[..]).prop_map(|text| Name {
        text: text.to_owned(),
        span: span(),
    })
}

/// Generates names of fields and arguments, for which any word may be used.
fn label() -> impl Strategy<Value = Name> {
    prop_oneof![
        name(),
        prop::sample::select(&["if", "alice", "using"][..]).prop_map(|text| Name {
            text: text.into(),
            span: span()
        })
    ]
}

fn player() -> impl Strategy<Value = Player> {
    prop::sample::select(&Player::BOTH[..])
}

fn expr_of(kind: ExprKind) -> Expr {
    Expr {
        kind: Box::new(kind),
        span: span(),
    }
}

pub fn statement_of(kind: StatementKind) -> Statement {
    Statement {
        kind,
        doc: None,
        span: span(),
    }
}

fn leaf() -> impl Strategy<Value = ExprKind> {
    let spelled = [
        (Player::Alice, "alice"),
        (Player::Alice, "left"),
        (Player::Alice, "red"),
        (Player::Bob, "bob"),
        (Player::Bob, "right"),
        (Player::Bob, "blue"),
    ];
    let decimals = [
        ("0.125", (1, 8)),
        ("1e-3", (1, 1000)),
        ("2.50E+1", (25, 1)),
        ("007.5", (15, 2)),
    ];
    prop_oneof![
        4 => name().prop_map(|name| ExprKind::Name(name.text)),
        2 => any::<u16>().prop_map(|n| ExprKind::Integer(BigUint::from(n))),
        1 => any::<u128>().prop_map(|n| ExprKind::Integer(BigUint::from(n))),
        1 => any::<u8>().prop_map(|n| ExprKind::Star(BigUint::from(n))),
        1 => any::<u8>().prop_map(|n| ExprKind::MinusEpsilon(BigUint::from(n))),
        1 => prop::sample::select(decimals.to_vec()).prop_map(|(text, (n, d))| {
            ExprKind::Decimal(BigRational::new(BigInt::from(n), BigInt::from(d)), text.to_owned())
        }),
        1 => text().prop_map(ExprKind::String),
        1 => any::<bool>().prop_map(ExprKind::Bool),
        1 => prop::sample::select(spelled.to_vec()).prop_map(|(player, word)| ExprKind::Player(player, word)),
    ]
}

const BINARY: [BinaryOp; 22] = [
    BinaryOp::Power,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Concatenate,
    BinaryOp::PlusMinus,
    BinaryOp::Wedge,
    BinaryOp::Range,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equivalent,
    BinaryOp::NotEquivalent,
    BinaryOp::Incomparable,
    BinaryOp::In,
    BinaryOp::And,
    BinaryOp::Or,
];

type Exprs = BoxedStrategy<Expr>;

fn some(inner: &Exprs, least: usize) -> impl Strategy<Value = Vec<Expr>> + use<> {
    prop::collection::vec(inner.clone(), least..4)
}

pub fn expr() -> Exprs {
    leaf()
        .prop_map(expr_of)
        .boxed()
        .prop_recursive(5, 40, 4, |inner| compound(&inner.boxed()).prop_map(expr_of))
        .boxed()
}

fn compound(e: &Exprs) -> BoxedStrategy<ExprKind> {
    let binary = || (prop::sample::select(&BINARY[..]), e.clone(), e.clone());
    let unary = prop::sample::select(&[UnaryOp::Negate, UnaryOp::Conjugate, UnaryOp::Not][..]);
    let argument =
        (prop::option::of(label()), e.clone()).prop_map(|(name, value)| Argument { name, value });
    let field = (label(), e.clone()).prop_map(|(name, value)| RuleSetting { name, value });
    let ply = (player(), e.clone()).prop_map(|(player, action)| Ply {
        player,
        action,
        span: span(),
    });
    prop_oneof![
        6 => binary().prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
        2 => (unary, e.clone()).prop_map(|(op, inner)| ExprKind::Unary(op, inner)),
        2 => (e.clone(), prop::collection::vec(argument, 0..3))
            .prop_map(|(callee, arguments)| ExprKind::Call { callee, arguments }),
        1 => (e.clone(), some(e, 1)).prop_map(|(base, indices)| ExprKind::Index { base, indices }),
        1 => some(e, 0).prop_map(ExprKind::List),
        1 => (e.clone(), clauses(e)).prop_map(|(element, clauses)| ExprKind::Comprehension { element, clauses }),
        1 => some(e, 2).prop_map(ExprKind::Tuple),
        1 => e.clone().prop_map(ExprKind::Paren),
        1 => (some(e, 0), some(e, 0)).prop_map(|(alice, bob)| ExprKind::Braces { alice, bob }),
        1 => prop::collection::vec(field, 0..3).prop_map(ExprKind::Rules),
        1 => prop::collection::vec(graph_item(e), 0..4).prop_map(ExprKind::Graph),
        1 => (e.clone(), e.clone()).prop_map(|(game, position)| ExprKind::At(game, position)),
        1 => (e.clone(), prop::collection::vec(ply, 0..3)).prop_map(|(game, plies)| ExprKind::After(game, plies)),
        1 => (e.clone(), e.clone()).prop_map(|(value, rules)| ExprKind::Using(value, rules)),
        1 => (e.clone(), e.clone(), e.clone())
            .prop_map(|(condition, then, otherwise)| ExprKind::If { condition, then, otherwise }),
        1 => (definition(e), e.clone()).prop_map(|(definition, body)| ExprKind::Let(definition, body)),
    ]
    .boxed()
}

fn definition(e: &Exprs) -> impl Strategy<Value = Definition> + use<> {
    let parameters = prop::option::of(prop::collection::vec(name(), 0..3));
    (name(), parameters, e.clone()).prop_map(|(name, parameters, body)| Definition {
        name,
        parameters,
        body,
    })
}

fn for_clause(e: &Exprs) -> impl Strategy<Value = Clause> + use<> {
    (prop::collection::vec(name(), 1..3), e.clone())
        .prop_map(|(pattern, iterable)| Clause::For { pattern, iterable })
}

fn clause(e: &Exprs) -> impl Strategy<Value = Clause> + use<> {
    prop_oneof![for_clause(e), e.clone().prop_map(Clause::If)]
}

fn clauses(e: &Exprs) -> impl Strategy<Value = Vec<Clause>> + use<> {
    (for_clause(e), prop::collection::vec(clause(e), 0..2)).prop_map(|(first, mut rest)| {
        rest.insert(0, first);
        rest
    })
}

fn graph_item(e: &Exprs) -> impl Strategy<Value = GraphItem> + use<> {
    let number = prop_oneof![
        Just((None, None)),
        e.clone().prop_map(|score| (Some(score), None)),
        e.clone().prop_map(|weight| (None, Some(weight))),
    ];
    let edges = (
        prop::option::of(player()),
        e.clone(),
        any::<bool>(),
        some(e, 1),
        number,
    );
    let mark = prop_oneof![
        player().prop_map(Mark::Turn),
        Just(Mark::Accepting),
        e.clone().prop_map(Mark::Priority),
        e.clone().prop_map(Mark::Weight),
        (player(), e.clone()).prop_map(|(player, part)| Mark::Income(player, part)),
    ];
    let owners = prop_oneof![
        Just(Vec::new()),
        player().prop_map(|player| vec![player]),
        Just(Player::BOTH.to_vec())
    ];
    let kind = prop_oneof![
        e.clone().prop_map(GraphItemKind::Start),
        edges.prop_map(
            |(owner, from, two_way, to, (score, weight))| GraphItemKind::Edges {
                owner,
                from,
                two_way,
                to,
                score,
                weight
            }
        ),
        (mark, some(e, 1)).prop_map(|(mark, nodes)| GraphItemKind::Mark(mark, nodes)),
        (e.clone(), some(e, 1)).prop_map(|(score, nodes)| GraphItemKind::Score(score, nodes)),
        (player(), some(e, 1)).prop_map(|(winner, nodes)| GraphItemKind::Win(winner, nodes)),
        some(e, 1).prop_map(GraphItemKind::Draw),
        (owners, text(), any::<bool>()).prop_map(|(owners, path, turns)| GraphItemKind::File {
            owners,
            path,
            turns,
            span: span()
        }),
    ];
    (kind, prop::collection::vec(clause(e), 0..3)).prop_map(|(kind, clauses)| GraphItem {
        kind,
        clauses,
        span: span(),
    })
}

fn update(e: &Exprs) -> BoxedStrategy<Update> {
    let op = prop::sample::select(&[AssignOp::Set, AssignOp::Add, AssignOp::Subtract][..]);
    let assign = (name(), some(e, 0), op, e.clone());
    let kind = prop_oneof![
        assign.prop_map(|(target, indices, op, value)| UpdateKind::Assign {
            target,
            indices,
            op,
            value
        }),
        (name(), e.clone(), e.clone()).prop_map(|(board, column, value)| UpdateKind::Drop {
            board,
            column,
            value
        }),
        e.clone().prop_map(UpdateKind::Score),
    ];
    let e = e.clone();
    let simple = kind.prop_map(|kind| Update { kind, span: span() }).boxed();
    simple
        .prop_recursive(2, 8, 3, move |inner| {
            let block = prop::collection::vec(inner, 0..3);
            (e.clone(), block.clone(), block).prop_map(|(condition, then, otherwise)| Update {
                kind: UpdateKind::If {
                    condition,
                    then,
                    otherwise,
                },
                span: span(),
            })
        })
        .boxed()
}

fn rule_item(e: &Exprs) -> impl Strategy<Value = RuleItem> + use<> {
    let updates = prop::collection::vec(update(e), 0..3);
    let clauses = prop::collection::vec(clause(e), 0..3);
    let moves = (
        prop::option::of(player()),
        name(),
        some(e, 0),
        clauses,
        updates,
    );
    let stuck = prop_oneof![
        Just(StuckKind::Loses),
        Just(StuckKind::Wins),
        Just(StuckKind::Draws),
        Just(StuckKind::Passes),
        e.clone().prop_map(StuckKind::Score),
    ];
    let symmetry = prop::sample::select(
        &[
            SymmetryKind::All,
            SymmetryKind::Mirror,
            SymmetryKind::Rotate,
        ][..],
    );
    let kind = prop_oneof![
        1 => (name(), e.clone()).prop_map(|(name, initial)| RuleItemKind::State(name, initial)),
        1 => definition(e).prop_map(RuleItemKind::Let),
        3 => moves.prop_map(|(player, name, arguments, clauses, updates)| {
            RuleItemKind::Move { player, name, arguments, clauses, updates }
        }),
        1 => (e.clone(), e.clone()).prop_map(|(winner, condition)| RuleItemKind::Win(winner, condition)),
        1 => (e.clone(), e.clone()).prop_map(|(player, condition)| RuleItemKind::Turn(player, condition)),
        1 => (player(), e.clone(), e.clone())
            .prop_map(|(player, part, condition)| RuleItemKind::Income(player, part, condition)),
        1 => e.clone().prop_map(RuleItemKind::Draw),
        1 => (e.clone(), e.clone()).prop_map(|(value, condition)| RuleItemKind::Score(value, condition)),
        1 => stuck.prop_map(RuleItemKind::Stuck),
        1 => (symmetry, name()).prop_map(|(kind, board)| RuleItemKind::Symmetry(kind, board)),
    ];
    kind.prop_map(|kind| RuleItem { kind, span: span() })
}

fn statement() -> BoxedStrategy<Statement> {
    let e = expr();
    let parameters = prop::option::of(prop::collection::vec(name(), 0..3));
    let ruleset = (
        name(),
        parameters,
        prop::collection::vec(rule_item(&e), 0..4),
    );
    let kind = prop_oneof![
        1 => text().prop_map(|path| StatementKind::Use { path, span: span() }),
        2 => definition(&e).prop_map(StatementKind::Let),
        2 => definition(&e).prop_map(StatementKind::Game),
        3 => ruleset.prop_map(|(name, parameters, items)| StatementKind::Ruleset(RulesetDefinition { name, parameters, items })),
        1 => (name(), e.clone()).prop_map(|(name, body)| StatementKind::Rules { name, body }),
        1 => e.clone().prop_map(StatementKind::Using),
        1 => e.clone().prop_map(StatementKind::Show),
        1 => e.clone().prop_map(StatementKind::Check),
        2 => e.prop_map(StatementKind::Expr),
    ];
    let doc = prop::option::weighted(
        0.2,
        prop::sample::select(&["one line", "two\n  lines", ""][..]),
    );
    (kind, doc)
        .prop_map(|(kind, doc)| Statement {
            kind,
            doc: doc.map(str::to_owned),
            span: span(),
        })
        .boxed()
}

pub fn file() -> impl Strategy<Value = File> {
    let test = (text(), prop::collection::vec(statement(), 0..3)).prop_map(|(name, body)| {
        statement_of(StatementKind::Test {
            name,
            name_span: span(),
            body,
        })
    });
    let statement = prop_oneof![4 => statement(), 1 => test];
    prop::collection::vec(statement, 0..4).prop_map(|statements| File {
        statements,
        comments: vec![],
        broken: vec![],
    })
}

//! Compiled rulesets: compared, position by position, with the plain evaluation of the same source;
//! known numbers of positions; exact merging of symmetric positions.

mod bits;
mod crafted;
mod explored;
mod layers;
mod products;
mod rounded;
mod shared;
mod stored;
mod sweeps;
mod widths;

use crate::plain;
use bid_testing::share;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use crate::plain::{Plain, Position, template, text};
use bid::eval::{Evaluator, SessionState};
use bid_game::ruleset::{self, Ruleset, State};
use bid_game::{Blocks, GameGraph, explore_ruleset};
use bid_language::diagnostic::Result;
use bid_language::ir::Value;
use bid_language::player::Player;
use bid_language::rules::Overrides;
use bid_language::watch::Context;

/// The number of positions compared for each random ruleset.
const COMPARED: usize = 40;

/// The ending and the moves of a ruleset at a position, in words; errors are not distinguished.
type Said = std::result::Result<(String, [Vec<(String, String)>; 2]), ()>;

fn compiled_says(ruleset: &Ruleset, state: &State) -> Said {
    let moves = |player| -> Result<Vec<(String, String)>> {
        let moves = ruleset.labelled_moves(state, player)?;
        let mut plain = Vec::new();
        ruleset.scored_moves(state, player, &mut |to, _| plain.push(to))?;
        assert!(
            moves.iter().map(|(_, to, _)| to).eq(&plain),
            "labels change nothing"
        );
        Ok(sorted(moves.into_iter().map(|(label, to, score)| {
            (label, format!("{} for {score}", ruleset.print(&to)))
        })))
    };
    let said = || {
        let ending = match ruleset.ending(state)? {
            Some(ending) => Some(format!("{ending:?} for {}", ruleset.ending_score(state)?)),
            None => None,
        };
        let stuck = [
            ruleset.stuck_score(state, Player::Alice)?,
            ruleset.stuck_score(state, Player::Bob)?,
        ];
        let owner = ruleset.owner(state)?;
        let words = format!(
            "{ending:?}, stuck for {} and {}, turn of {owner:?}",
            stuck[0], stuck[1]
        );
        Ok((words, [moves(Player::Alice)?, moves(Player::Bob)?]))
    };
    said().map_err(|_: Box<bid_language::diagnostic::Diagnostic>| ())
}

fn plain_says(plain: &mut Plain<'_, '_>, position: &Position) -> (Said, Vec<Position>) {
    let mut next = Vec::new();
    let mut said = || -> Result<_> {
        let ending = plain
            .ending(position)?
            .map(|(ending, score)| format!("{ending:?} for {score}"));
        let stuck = [
            plain.stuck_score(position, Player::Alice)?,
            plain.stuck_score(position, Player::Bob)?,
        ];
        let owner = plain.owner(position)?;
        let words = format!(
            "{ending:?}, stuck for {} and {}, turn of {owner:?}",
            stuck[0], stuck[1]
        );
        let mut moves = [Vec::new(), Vec::new()];
        for (player, moves) in Player::BOTH.into_iter().zip(&mut moves) {
            for (label, to, score) in plain.moves(position, player)? {
                moves.push((label, format!("{} for {score}", text(plain.template, &to))));
                next.push(to);
            }
        }
        Ok((words, moves))
    };
    let said = said()
        .map_err(|_| ())
        .map(|(words, moves)| (words, moves.map(sorted)));
    (said, next)
}

/// Sorts moves. Their order may differ, because loops that depend on the position run inside
/// constant loops.
fn sorted(moves: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort();
    moves
}

/// The number of positions that were compared, of those that plain evaluation rejects, and of those
/// among them that the compiled ruleset rejects too. It evaluates no more than it needs, so it may
/// still know an answer.
#[derive(Default)]
struct Tally {
    compared: usize,
    faults: usize,
    agreed: usize,
}

/// Compares a random ruleset.
fn compare(seed: u64, tally: &mut Tally) {
    let source = with_turns(plain::random::Writer::write(seed), seed);
    let mut world = SessionState::new(bid::library::all());
    let template = template(&source, &mut world);
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), Context::plain());
    let arguments = [Value::integer(2)];
    let compiled = ruleset::compile(&template, &arguments, &mut evaluator, Context::plain());
    let compiled = compiled.unwrap_or_else(|error| panic!("seed {seed}\n{source}\n{error:#?}"));
    let score = num_traits::Zero::zero();
    let mut plain = Plain {
        template: &template,
        arguments: &arguments,
        evaluator: &mut evaluator,
        score,
    };
    let start = plain.start().expect("the initial values are in range");
    let mut seen = BTreeSet::from([text(&template, &start)]);
    let mut open = VecDeque::from([start]);
    let most = tally.compared + COMPARED;
    while let Some(position) = open.pop_front().filter(|_| tally.compared < most) {
        let words = text(&template, &position);
        let state = compiled
            .read(&words)
            .unwrap_or_else(|why| panic!("seed {seed}: {words}: {why}"));
        assert_eq!(
            compiled.print(&state),
            words,
            "seed {seed}: a position reads back"
        );
        let (expected, next) = plain_says(&mut plain, &position);
        let found = compiled_says(&compiled, &state);
        tally.compared += 1;
        match expected {
            Ok(_) => assert_eq!(found, expected, "seed {seed} at {words}\n{source}"),
            Err(()) => {
                tally.faults += 1;
                tally.agreed += usize::from(found.is_err());
            }
        }
        open.extend(
            next.into_iter()
                .filter(|next| seen.insert(text(&template, next))),
        );
    }
}

/// Returns the ruleset, with turns without a bid for every third seed.
fn with_turns(source: String, seed: u64) -> String {
    const LINES: [&str; 4] = [
        "turn alice if n > 2",
        "turn last if flag",
        "turn bob if heaps[0] < 3",
        "turn if_odd(n) if n != 4 and not flag",
    ];
    if seed % 3 != 1 {
        return source;
    }
    let lines = [LINES[seed as usize % 4], LINES[(seed as usize / 4) % 4]];
    let turns: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    let odd = "let if_odd(n) = if n % 2 == 1 then alice else bob\n";
    format!(
        "{odd}{}{turns}}}\n",
        source
            .strip_suffix("}\n")
            .expect("a ruleset ends with its brace")
    )
}

#[test]
fn compiled_rulesets_agree_with_plain_evaluation() {
    let mut tally = Tally::default();
    for seed in 0..share(520) {
        compare(seed, &mut tally);
    }
    let Tally {
        compared,
        faults,
        agreed,
    } = tally;
    let counts = format!("{compared} compared, {faults} of them faults, {agreed} agreed on");
    assert!(
        compared > share(2_000)
            && faults > share(100)
            && faults < compared / 2
            // A program need not compute a value on which nothing depends.
            && faults - agreed <= 1 + faults / 50,
        "{counts}"
    );
}

/// Compiles a ruleset of the library or of a source of its own.
fn compiled(source: &str, arguments: &[i64]) -> Ruleset {
    try_compiled(source, arguments).unwrap_or_else(|error| panic!("{source}\n{error:#?}"))
}

fn try_compiled(source: &str, arguments: &[i64]) -> Result<Ruleset> {
    let mut world = SessionState::new(bid::library::all());
    let template = template(source, &mut world);
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), Context::plain());
    let arguments: Vec<Value> = arguments.iter().map(|n| Value::integer(*n)).collect();
    ruleset::compile(&template, &arguments, &mut evaluator, Context::plain())
}

/// A ruleset's graph with the positions of its first vertices.
struct Labelled {
    graph: GameGraph,
    positions: Vec<State>,
}

/// Explores a ruleset from its start.
fn explore(ruleset: &Ruleset, context: &Context<'_>) -> Result<Labelled> {
    let (graph, positions) = explore_ruleset(ruleset, ruleset.start(), Blocks::default(), context)?;
    let positions = positions.states().collect();
    Ok(Labelled { graph, positions })
}

/// Returns the reachable positions, with symmetric ones merged.
fn reachable(ruleset: &Ruleset) -> Vec<State> {
    let explored = explore(ruleset, Context::plain()).expect("the game stays in its range");
    explored.positions
}

/// Returns the ruleset of this name in the library of games.
fn classic(name: &str) -> String {
    ruleset_in(include_str!("../games/classics.bid"), name)
}

/// Returns the ruleset of this name in a file.
fn ruleset_in(library: &str, name: &str) -> String {
    let start = library
        .find(&format!("game {name}"))
        .expect("the library has it");
    let end = start + library[start..].find("\n}\n").expect("a ruleset ends") + 3;
    library[start..end].to_owned()
}

fn without_symmetry(source: &str) -> String {
    source
        .lines()
        .filter(|line| !line.trim().starts_with("symmetry"))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Checks the texts that say which ruleset a checkpoint belongs to. They contain names of types, so
/// a type that is renamed must not change them: a checkpoint would not be found any more.
#[test]
fn identities_of_rulesets_stay() {
    for name in ["tictactoe", "connect"] {
        let arguments: &[i64] = if name == "connect" { &[2, 2, 2] } else { &[] };
        let ruleset = compiled(&classic(name), arguments);
        insta::assert_snapshot!(format!("identity_of_{name}"), ruleset.identity());
    }
}

/// Checks that rulesets that differ in their income only have different identities.
#[test]
fn income_is_part_of_the_identity() {
    let plain = classic("tictactoe");
    let paid = |line: &str| {
        let (head, end) = plain.rsplit_once('}').expect("a ruleset ends");
        compiled(&format!("{head}    {line}\n}}{end}"), &[]).identity()
    };
    let lines = [
        "income alice 1/8 if true",
        "income alice 1/4 if true",
        "income bob 1/8 if true",
        "income alice 1/8 if full(board)",
        "income alice 1/8 if false",
    ];
    let identities = lines.map(paid);
    let own = compiled(&plain, &[]).identity();
    assert_eq!(identities[4], own, "a line that never holds is no line");
    let distinct: std::collections::BTreeSet<&String> = identities.iter().collect();
    assert_eq!(distinct.len(), lines.len());
    assert_eq!(paid(lines[0]), identities[0]);
}

/// Checks known numbers of positions. Under bidding the turns come in any order, so there are
/// 18,753 positions of Tic-Tac-Toe, and 758,495 of Connect Four on 4 × 4.
#[test]
fn known_counts_of_positions() {
    assert_eq!(
        reachable(&compiled(&without_symmetry(&classic("tictactoe")), &[])).len(),
        18_753
    );
    assert_eq!(
        reachable(&compiled(
            &without_symmetry(&classic("connect")),
            &[4, 4, 4]
        ))
        .len(),
        758_495
    );
}

/// Checks that the representatives reached are those of the positions reached without merging, each
/// once.
#[test]
fn symmetric_positions_are_merged_exactly() {
    let two_boards = "game two {
        state left_board = grid(2, 2)
        state n = 4
        state right_board = grid(1, 3, 0)
        move place(c) for c in cells(left_board) if left_board[c] == empty and n > 0 { left_board[c] = me; n -= 1 }
        move add(c) for c in cells(right_board) if right_board[c] < 2 and n > 0 { right_board[c] += 1; n -= 1 }
        win me if count(left_board, me) == 3
        symmetry left_board
        symmetry mirror(right_board)
    }\n";
    let rotated = classic("hex").replace("    win bob", "    symmetry rotate(board)\n    win bob");
    let cases: [(String, &[i64]); 5] = [
        (classic("tictactoe"), &[]),
        (classic("connect"), &[3, 3, 4]),
        (rotated.clone(), &[3, 3]),
        (rotated, &[2, 4]),
        (two_boards.to_owned(), &[]),
    ];
    for (source, arguments) in cases {
        let merged = compiled(&source, arguments);
        let all = reachable(&compiled(&without_symmetry(&source), arguments));
        let representatives: BTreeSet<State> = all
            .iter()
            .map(|state| merged.canonical(state.clone()))
            .collect();
        let reached = reachable(&merged);
        assert!(reached.len() < all.len(), "something is merged in {source}");
        assert_eq!(BTreeSet::from_iter(reached), representatives, "{source}");
    }
}

/// Checks that an integer's range is the one that the guards leave, and that reading a position
/// respects it.
#[test]
fn integers_have_the_ranges_that_guards_leave() {
    let ranges = [
        (
            "game g(n) { state heap = n\n move take(s) for s in [1, 2] if s <= heap { heap -= s } }\n",
            "0 and 20",
        ),
        (
            "game g(n) { state heap = n\n move take(s) for s in 1 .. heap { heap -= s } }\n",
            "0 and 20",
        ),
        (
            "game g(n) { state heap = n\n move turn { heap = (heap + 7) % 30 } }\n",
            "0 and 29",
        ),
        (
            "game g(n) { state heap = n\n move up if heap < 25 { heap += 1 }\n move down if heap > -3 { heap -= 1 } }\n",
            "-3 and 25",
        ),
        (
            "game g(n) { state heap = n\n move away { heap = 50; heap = 3 } }\n",
            "3 and 50",
        ),
        (
            "game g(n) { state heap = n\n move up { heap += 1 } }\n",
            "20 and 2147483647",
        ),
    ];
    for (source, range) in ranges {
        let refused = compiled(source, &[20])
            .read("out")
            .expect_err("a word is no integer");
        assert!(
            refused.contains(&format!("an integer between {range} here")),
            "{source}: {refused}"
        );
    }
}

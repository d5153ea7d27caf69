//! Games for other programs: `node_link`, `prism`, `nfg`, `efg`.

use std::fmt::{self, Write};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::all_pay::exact_turn;
use super::node_link;
use super::queries::biased;
use super::{GAME_AND_CHIPS, GAME_AND_COIN};
use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator};
use crate::game::{Explored, Games, print_game, print_position};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::player::{Ending, Player};
use crate::report::Page;
use crate::syntax::quoted;

const GAME: &[Parameter] = &[Parameter {
    name: "G",
    kinds: Kinds::GAME,
}];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        signature: BuiltinSignature {
            endless: true,
            help: "The graph of a game as node-link JSON, as networkx and D3 read it: edges say by `player` whose they are, vertices by `win`, `draw`, \
               `score`, `turn`, `accepting`, `priority` and `weight` what they mean. `edges` in a graph reads it back. In a conjugate accepting \
               vertices are Bob's aim, for which there is no word: it is refused.",
            examples: &[(
                "node_link(E)",
                "{\"directed\":true,\"multigraph\":true,\"graph\":{\"name\":\"E\",\"start\":\"E\"},\
                 \"nodes\":[{\"id\":\"E\"},{\"id\":\"A\",\"win\":\"alice\"},{\"id\":\"B\",\"win\":\"bob\"}],\
                 \"edges\":[{\"source\":\"E\",\"target\":\"A\",\"player\":\"both\"},{\"source\":\"E\",\"target\":\"B\",\"player\":\"both\"}]}",
            )],
            ..BuiltinSignature::new("node_link", GAME, Kinds::TEXT)
        },
        run: node_link::node_link,
    },
    Builtin {
        signature: BuiltinSignature {
            required: 1,
            help: "Random turns of a game in the language of PRISM-games: a coin, fair or with probability p for Alice, decides who moves. \
               `<<alice>> Pmax=? [ F \"alice_wins\" ]` is then `P(G)`, where nothing is drawn.",
            examples: &[(
                "prism(A^2, 2/3)",
                "// Random turns of A^2: a coin decides who moves.\n\
                 // <<alice>> Pmax=? [ F \"alice_wins\" ] is what alice can make sure of.\n\
                 smg\n\
                 \n\
                 player alice [toss], [over], [alice] endplayer\n\
                 player bob [bob] endplayer\n\
                 \n\
                 module game\n\
                 \x20   position : [0..3] init 0;\n\
                 \x20   // 0: the coin is tossed; 1: alice moves; 2: bob moves.\n\
                 \x20   turn : [0..2] init 0;\n\
                 \n\
                 \x20   // 0: A^2\n\
                 \x20   [toss] position=0 & turn=0 -> 2/3 : (turn'=1) + 1/3 : (turn'=2);\n\
                 \x20   [alice] position=0 & turn=1 -> (position'=1) & (turn'=0);\n\
                 \x20   [bob] position=0 & turn=2 -> (position'=2) & (turn'=0);\n\
                 \x20   // 1: A\n\
                 \x20   [over] position=1 -> true;\n\
                 \x20   // 2: E\n\
                 \x20   [toss] position=2 & turn=0 -> 2/3 : (turn'=1) + 1/3 : (turn'=2);\n\
                 \x20   [alice] position=2 & turn=1 -> (position'=1) & (turn'=0);\n\
                 \x20   [alice] position=2 & turn=1 -> (position'=3) & (turn'=0);\n\
                 \x20   [bob] position=2 & turn=2 -> (position'=1) & (turn'=0);\n\
                 \x20   [bob] position=2 & turn=2 -> (position'=3) & (turn'=0);\n\
                 \x20   // 3: B\n\
                 \x20   [over] position=3 -> true;\n\
                 endmodule\n\
                 \n\
                 label \"alice_wins\" = position=1;\n\
                 label \"bob_wins\" = position=3;\n\
                 label \"drawn\" = false;",
            )],
            ..BuiltinSignature::new("prism", GAME_AND_COIN, Kinds::TEXT)
        },
        run: prism,
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The turn at G with these chips under all-pay bidding, as a game in normal form for Gambit (`.nfg`): both bid at once; Alice's payoff is \
               her winning probability after the bids, Bob's his. It has to be exact.",
            examples: &[(
                "nfg(E, 1, 1) using menz",
                "NFG 1 R \"E: alice has 1, bob has 1\" { \"alice\" \"bob\" }\n\
                 { { \"0\" \"1\" } { \"0\" \"1\" } }\n\
                 \"\"\n\
                 \n\
                 1 0 1 0 0 1 1 0",
            )],
            ..BuiltinSignature::new("nfg", GAME_AND_CHIPS, Kinds::TEXT)
        },
        run: |evaluator, call| turn(evaluator, call, write_nfg),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The same turn as a game tree for Gambit (`.efg`): Alice bids, then Bob without knowing her bid.",
            examples: &[(
                "efg(A^2, 1, 0) using menz",
                "EFG 2 R \"A^2: alice has 1, bob has 0\" { \"alice\" \"bob\" }\n\
                 \"\"\n\
                 \n\
                 p \"\" 1 1 \"alice bids\" { \"0\" \"1\" } 0\n\
                 p \"\" 2 1 \"bob bids\" { \"0\" } 0\n\
                 t \"\" 1 \"0 and 0\" { 1 0 }\n\
                 p \"\" 2 1 \"bob bids\" { \"0\" } 0\n\
                 t \"\" 2 \"1 and 0\" { 1 0 }",
            )],
            ..BuiltinSignature::new("efg", GAME_AND_CHIPS, Kinds::TEXT)
        },
        run: |evaluator, call| turn(evaluator, call, write_efg),
    },
];

// ---- PRISM
// ---------------------------------------------------------------------------------------------------

fn prism(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    evaluator.locate(game)?.solved.needs_wins()?;
    let half = BigRational::new(1.into(), 2.into());
    let alice = match call.arguments.get(1) {
        Some(coin) => {
            biased(coin)?;
            coin.0.as_rational().unwrap_or(half)
        }
        None => half,
    };
    let explored = evaluator.explore(game)?;
    let title = print_game(&evaluator.world.games, game);
    let watch = evaluator.watch;
    let games = &mut evaluator.world.games;
    Ok(Value::text(Page::written(watch, |page| {
        write_prism(&explored, (games, &title), &alice, page)
    })?))
}

fn write_prism(
    explored: &Explored,
    (games, title): (&mut Games, &str),
    alice: &BigRational,
    page: &mut Page<'_>,
) -> fmt::Result {
    let graph = &explored.graph;
    let bob = BigRational::one() - alice;
    writeln!(
        page,
        "// Random turns of {}: a coin decides who moves.",
        one_line(title)
    )?;
    page.write_str(
        "// <<alice>> Pmax=? [ F \"alice_wins\" ] is what alice can make sure of.\nsmg\n\n",
    )?;
    page.write_str("player alice [toss], [over], [alice] endplayer\nplayer bob [bob] endplayer\n\nmodule game\n")?;
    writeln!(
        page,
        "    position : [0..{}] init {};",
        (graph.len() - 1).max(1),
        graph.start().index()
    )?;
    page.write_str("    // 0: the coin is tossed; 1: alice moves; 2: bob moves.\n    turn : [0..2] init 0;\n\n")?;
    for node in graph.nodes() {
        let at = node.index();
        if at < explored.position_count() {
            let game = explored.game(games, node);
            writeln!(
                page,
                "    // {at}: {}",
                one_line(&print_position(games, game))
            )?;
        }
        if graph.ending(node).is_some() {
            writeln!(page, "    [over] position={at} -> true;")?;
            continue;
        }
        let turns = match Player::BOTH.map(|player| graph.successors(node, player).is_empty()) {
            [false, true] => "(turn'=1)".to_owned(),
            [true, false] => "(turn'=2)".to_owned(),
            [false, false] | [true, true] if bob.is_zero() => "(turn'=1)".to_owned(),
            [false, false] | [true, true] if alice.is_zero() => "(turn'=2)".to_owned(),
            [false, false] | [true, true] => format!("{alice} : (turn'=1) + {bob} : (turn'=2)"),
        };
        writeln!(page, "    [toss] position={at} & turn=0 -> {turns};")?;
        for (turn, player) in (1..).zip(Player::BOTH) {
            for head in graph.successors(node, player) {
                let (word, to) = (player.word(), head.index());
                writeln!(
                    page,
                    "    [{word}] position={at} & turn={turn} -> (position'={to}) & (turn'=0);"
                )?;
            }
        }
    }
    page.write_str("endmodule\n")?;
    let ends = [
        ("alice_wins", Ending::Win(Player::Alice)),
        ("bob_wins", Ending::Win(Player::Bob)),
        ("drawn", Ending::Draw),
    ];
    for (label, ending) in ends {
        let found: Vec<String> = graph
            .nodes()
            .filter(|node| graph.ending(*node) == Some(ending))
            .map(|node| format!("position={}", node.index()))
            .collect();
        let condition = if found.is_empty() {
            "false".to_owned()
        } else {
            found.join(" | ")
        };
        write!(page, "\nlabel \"{label}\" = {condition};")?;
    }
    Ok(())
}

/// A text for a comment.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

// ---- Gambit
// --------------------------------------------------------------------------------------------------

/// A turn of bids: what it is called, and Alice's winning probability by both bids.
pub(super) struct BidTurn {
    pub title: String,
    pub payoffs: Vec<Vec<BigRational>>,
}

fn turn(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    write: fn(&BidTurn, &mut Page<'_>) -> fmt::Result,
) -> Result<Value> {
    let turn = exact_turn(evaluator, call)?;
    Ok(Value::text(Page::written(evaluator.watch, |page| {
        write(&turn, page)
    })?))
}

impl BidTurn {
    /// Both players' payoffs.
    fn payoffs(value: &BigRational) -> String {
        format!("{value} {}", BigRational::one() - value)
    }

    /// `{ "0" "1" }`
    fn bids(count: usize) -> String {
        let bids: Vec<String> = (0..count).map(|bid| format!("\"{bid}\"")).collect();
        format!("{{ {} }}", bids.join(" "))
    }

    fn counts(&self) -> (usize, usize) {
        (self.payoffs.len(), self.payoffs.first().map_or(0, Vec::len))
    }
}

fn write_nfg(turn: &BidTurn, page: &mut Page<'_>) -> fmt::Result {
    let (alice, bob) = turn.counts();
    writeln!(
        page,
        "NFG 1 R {} {{ \"alice\" \"bob\" }}",
        quoted(&one_line(&turn.title))
    )?;
    writeln!(
        page,
        "{{ {} {} }}\n\"\"\n",
        BidTurn::bids(alice),
        BidTurn::bids(bob)
    )?;
    // The first player's bid runs fastest.
    let payoffs = (0..bob).flat_map(|column| {
        turn.payoffs
            .iter()
            .map(move |row| BidTurn::payoffs(&row[column]))
    });
    let payoffs: Vec<String> = payoffs.collect();
    page.write_str(&payoffs.join(" "))
}

fn write_efg(turn: &BidTurn, page: &mut Page<'_>) -> fmt::Result {
    let (alice, bob) = turn.counts();
    writeln!(
        page,
        "EFG 2 R {} {{ \"alice\" \"bob\" }}\n\"\"\n",
        quoted(&one_line(&turn.title))
    )?;
    write!(page, "p \"\" 1 1 \"alice bids\" {} 0", BidTurn::bids(alice))?;
    let mut outcome = 0;
    for (own, row) in turn.payoffs.iter().enumerate() {
        write!(page, "\np \"\" 2 1 \"bob bids\" {} 0", BidTurn::bids(bob))?;
        for (other, value) in row.iter().enumerate() {
            outcome += 1;
            write!(
                page,
                "\nt \"\" {outcome} \"{own} and {other}\" {{ {} }}",
                BidTurn::payoffs(value)
            )?;
        }
    }
    Ok(())
}

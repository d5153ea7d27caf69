//! Exports of games for other programs: `node_link`, `nfg`, `efg`.

use std::fmt::{self, Write};

use num_rational::BigRational;
use num_traits::One;

use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::ir::{Kinds, Value};
use crate::library::all_pay::exact_turn;
use crate::library::formats::node_link;
use crate::library::{GAME, GAME_AND_CHIPS};
use crate::player::{PerPlayer, Player};
use crate::report::Page;
use crate::syntax::quoted;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "node_link"(GAME) -> Kinds::TEXT, Some(graphs), node_link::node_link,
        { income: true, endless: true }
        "The graph of a game as node-link JSON, as networkx and D3 read it. Edges name their player \
         by `player`; vertices carry `win`, `draw`, `score`, `turn`, `accepting`, `priority`, \
         `weight`, `income_alice` and `income_bob`. `edges` in a graph reads it back. The rules \
         `stuck` and `draws` become part of it: a player without edges gets a move to a vertex `no \
         move`, which counts for `moves:`, or the vertex becomes a draw. A conjugate with accepting \
         vertices is refused: they are Bob's aim there, for which the format has no word.",
        "node_link(E)" => "{\"directed\":true,\"multigraph\":true,\"graph\":{\"name\":\"E\",\"start\":\"E\"},\
                 \"nodes\":[{\"id\":\"E\"},{\"id\":\"A\",\"win\":\"alice\"},{\"id\":\"B\",\"win\":\"bob\"}],\
                 \"edges\":[{\"source\":\"E\",\"target\":\"A\",\"player\":\"both\"},{\"source\":\"E\",\"target\":\"B\",\"player\":\"both\"}]}";
    "nfg"(GAME_AND_CHIPS)
        -> Kinds::TEXT, Some(graphs), |evaluator, call| turn(evaluator, call, write_nfg),
        "The turn at G with these chips under all-pay bidding, as a game in normal form for Gambit \
         (`.nfg`). Both bid at once; Alice's payoff is her winning probability after the bids, Bob's payoff is \
         his. The values must be exact.",
        "nfg(E, 1, 1) using menz" => "NFG 1 R \"E: alice has 1, bob has 1\" { \"alice\" \"bob\" }\n\
                 { { \"0\" \"1\" } { \"0\" \"1\" } }\n\
                 \"\"\n\
                 \n\
                 1 0 1 0 0 1 1 0";
    "efg"(GAME_AND_CHIPS)
        -> Kinds::TEXT, Some(graphs), |evaluator, call| turn(evaluator, call, write_efg),
        "The turn at G with these chips under all-pay bidding, as a game tree for Gambit (`.efg`): Alice \
         bids, then Bob without knowing her bid.",
        "efg(A^2, 1, 0) using menz" => "EFG 2 R \"A^2: alice has 1, bob has 0\" { \"alice\" \"bob\" }\n\
                 \"\"\n\
                 \n\
                 p \"\" 1 1 \"alice bids\" { \"0\" \"1\" } 0\n\
                 p \"\" 2 1 \"bob bids\" { \"0\" } 0\n\
                 t \"\" 1 \"0 and 0\" { 1 0 }\n\
                 p \"\" 2 1 \"bob bids\" { \"0\" } 0\n\
                 t \"\" 2 \"1 and 0\" { 1 0 }";
};

/// Puts a text on one line, for a comment.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A turn of bids: its title, and Alice's winning probability for each pair of bids.
pub(crate) struct BidTurn {
    pub title: String,
    /// The least bids, to which the first row and the first column belong.
    pub least: PerPlayer<u64>,
    pub payoffs: Vec<Vec<BigRational>>,
}

fn turn(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    write: fn(&BidTurn, &mut Page<'_>) -> fmt::Result,
) -> Result<Value> {
    let turn = exact_turn(evaluator, call)?;
    Ok(Value::text(Page::written(evaluator.context, |page| {
        write(&turn, page)
    })?))
}

impl BidTurn {
    /// Formats both players' payoffs.
    fn payoffs(value: &BigRational) -> String {
        format!("{value} {}", BigRational::one() - value)
    }

    /// Formats a player's bids as `{ "0" "1" }`.
    fn bids(&self, player: Player) -> String {
        let count = match player {
            Player::Alice => self.payoffs.len(),
            Player::Bob => self.payoffs.first().map_or(0, Vec::len),
        };
        let bids: Vec<String> = (self.least[player]..)
            .take(count)
            .map(|bid| format!("\"{bid}\""))
            .collect();
        format!("{{ {} }}", bids.join(" "))
    }
}

fn write_nfg(turn: &BidTurn, page: &mut Page<'_>) -> fmt::Result {
    let [alice, bob] = Player::both(|player| turn.bids(player));
    writeln!(
        page,
        "NFG 1 R {} {{ \"alice\" \"bob\" }}",
        quoted(&one_line(&turn.title))
    )?;
    writeln!(page, "{{ {alice} {bob} }}\n\"\"\n")?;
    // In this format the first player's bid varies fastest.
    let columns = turn.payoffs.first().map_or(0, Vec::len);
    let payoffs = (0..columns).flat_map(|column| {
        turn.payoffs
            .iter()
            .map(move |row| BidTurn::payoffs(&row[column]))
    });
    let payoffs: Vec<String> = payoffs.collect();
    page.write_str(&payoffs.join(" "))
}

fn write_efg(turn: &BidTurn, page: &mut Page<'_>) -> fmt::Result {
    let [alice, bob] = Player::both(|player| turn.bids(player));
    writeln!(
        page,
        "EFG 2 R {} {{ \"alice\" \"bob\" }}\n\"\"\n",
        quoted(&one_line(&turn.title))
    )?;
    write!(page, "p \"\" 1 1 \"alice bids\" {alice} 0")?;
    let mut outcome = 0;
    for (own, row) in (turn.least.alice..).zip(&turn.payoffs) {
        write!(page, "\np \"\" 2 1 \"bob bids\" {bob} 0")?;
        for (other, value) in (turn.least.bob..).zip(row) {
            // Gambit demands a number of its own for each outcome, from 1 on.
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

//! Writes random turns of a game in the language of PRISM-games (`prism`), as a model in which
//! Alice can guarantee `P(G, p)`.

use std::fmt::{self, Write};
use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator, Placed, graphs};
use crate::game::{Explored, GameGraph, Games, NodeId, print_game, print_position};
use crate::ir::{Kinds, Value};
use crate::library::GAME_AND_COIN;
use crate::library::formats::interchange::one_line;
use crate::player::{Ending, PerPlayer, Player};
use crate::report::Page;
use crate::rules::admit;
use crate::rules::{Draws, FieldValue, Objective, Rules, Winner};

/// The builtin of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "prism"(GAME_AND_COIN) -> Kinds::TEXT, Some(graphs), prism,
        { endless: true, required: 1 }
        "Random turns of a game in the language of PRISM-games: the model whose value is `P(G, p)`, with a fair \
         coin or one that falls for Alice with probability p. Its comments name the property that gives the value: \
         `<<alice>> Pmax=? [ F \"alice_wins\" ]`, except under `draws: alice` and `draws: half`.",
        "prism(A^2, 2/3)" => "// Random turns of A^2: whoever wins the toss of a coin decides who moves.\n\
             // P is <<alice>> Pmax=? [ F \"alice_wins\" ].\n\
             smg\n\
             \n\
             player alice game, [alice] endplayer\n\
             player bob [bob] endplayer\n\
             \n\
             module game\n\
             \x20   position : [0..3] init 0;\n\
             \x20   // 0: the coin is tossed; 1: alice moves; 2: bob moves; 3: alice decides who moves; 4: bob does.\n\
             \x20   turn : [0..4] init 0;\n\
             \x20   [alice] turn=3 -> (turn'=1);\n\
             \x20   [alice] turn=3 -> (turn'=2);\n\
             \x20   [bob] turn=4 -> (turn'=1);\n\
             \x20   [bob] turn=4 -> (turn'=2);\n\
             \n\
             \x20   // 0: A^2\n\
             \x20   [] position=0 & turn=0 -> 2/3 : (turn'=3) + 1/3 : (turn'=4);\n\
             \x20   [alice] position=0 & turn=1 -> (position'=1) & (turn'=0);\n\
             \x20   [bob] position=0 & turn=2 -> (position'=2) & (turn'=0);\n\
             \x20   // 1: A\n\
             \x20   [] position=1 -> true;\n\
             \x20   // 2: E\n\
             \x20   [] position=2 & turn=0 -> 2/3 : (turn'=3) + 1/3 : (turn'=4);\n\
             \x20   [alice] position=2 & turn=1 -> (position'=1) & (turn'=0);\n\
             \x20   [alice] position=2 & turn=1 -> (position'=3) & (turn'=0);\n\
             \x20   [bob] position=2 & turn=2 -> (position'=1) & (turn'=0);\n\
             \x20   [bob] position=2 & turn=2 -> (position'=3) & (turn'=0);\n\
             \x20   // 3: B\n\
             \x20   [] position=3 -> true;\n\
             endmodule\n\
             \n\
             label \"alice_wins\" = position=1;\n\
             label \"bob_wins\" = position=3;\n\
             label \"drawn\" = false;";
};

fn prism(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let rules = evaluator.rules();
    admit::random_turns(&rules).placed(call.span)?;
    let alice = call.coin()?.unwrap_or_default().probability();
    let place = evaluator.ask().locate_start(game)?;
    place.solved.needs_wins().placed(call.span)?;
    let explored = Rc::clone(&place.solved.explored);
    has_no_objective(&explored.graph, rules.objective).placed(call.span)?;
    let title = print_game(&evaluator.world.games, game);
    let context = evaluator.context;
    let model = Model {
        graph: &explored.graph,
        explored: &explored,
        rules: &rules,
        coin: PerPlayer::new(alice.clone(), BigRational::one() - alice),
    };
    let games = &mut evaluator.world.games;
    Ok(Value::text(Page::written(context, |page| {
        model.write(&title, games, page)
    })?))
}

/// Checks that play without end is a draw, if there is any.
fn has_no_objective(graph: &GameGraph, objective: Objective) -> Result<()> {
    if objective == Objective::Reachability || graph.is_acyclic() {
        return Ok(());
    }
    Err(admit::unsupported("a model for PRISM-games", &FieldValue::Objective(objective))
    .note("PRISM-games has no property about vertices that come again and again in a play that goes on for ever")
    .help("ask for the value, `P(G, p)`, or write `objective: reachability`, by which such a play is a draw")
    .into())
}

/// Random turns of an explored game.
struct Model<'a> {
    graph: &'a GameGraph,
    explored: &'a Explored,
    rules: &'a Rules,
    /// The probability with which each player wins a toss.
    coin: PerPlayer<BigRational>,
}

/// Returns the number that the variable `turn` has when this player moves. While `turn` is 0 the
/// mover is not yet decided.
fn moves(player: Player) -> u8 {
    match player {
        Player::Alice => 1,
        Player::Bob => 2,
    }
}

fn decides(player: Player) -> u8 {
    moves(player) + 2
}

impl Model<'_> {
    fn write(&self, title: &str, games: &mut Games, page: &mut Page<'_>) -> fmt::Result {
        self.write_head(title, page)?;
        for node in self.graph.nodes() {
            if node.index() < self.explored.position_count() {
                let game = self.explored.game(games, node);
                let name = one_line(&print_position(games, game));
                writeln!(page, "    // {}: {name}", node.index())?;
            }
            self.write_position(node, page)?;
        }
        page.write_str("endmodule\n")?;
        self.write_labels(page)
    }

    /// Returns `true` if at some position the winner of a toss decides who moves.
    fn has_decisions(&self) -> bool {
        self.rules.winner == Winner::Chooses && self.graph.nodes().any(|node| self.is_tossed(node))
    }

    /// Returns `true` if a coin is tossed at a position.
    fn is_tossed(&self, node: NodeId) -> bool {
        Player::BOTH
            .iter()
            .all(|player| !self.graph.successors(node, *player).is_empty())
    }

    fn write_head(&self, title: &str, page: &mut Page<'_>) -> fmt::Result {
        let what = match self.rules.winner {
            Winner::Chooses => "decides who moves",
            Winner::Moves => "moves",
        };
        writeln!(
            page,
            "// Random turns of {}: whoever wins the toss of a coin {what}.",
            one_line(title)
        )?;
        self.write_property(page)?;
        page.write_str("smg\n\n")?;
        // Commands without an action belong to the module, and PRISM-games accepts only actions
        // that occur in some command.
        let decided = self.has_decisions();
        let acts = |player: Player| {
            decided
                || self
                    .graph
                    .nodes()
                    .any(|node| !self.graph.successors(node, player).is_empty())
        };
        let [alice, bob] = [(Player::Alice, ", [alice]"), (Player::Bob, " [bob]")]
            .map(|(player, action)| if acts(player) { action } else { "" });
        writeln!(
            page,
            "player alice game{alice} endplayer\nplayer bob{bob} endplayer\n\nmodule game"
        )?;
        writeln!(
            page,
            "    position : [0..{}] init {};",
            // PRISM refuses a range of a single value.
            (self.graph.len() - 1).max(1),
            self.graph.start().index()
        )?;
        page.write_str("    // 0: the coin is tossed; 1: alice moves; 2: bob moves")?;
        if !decided {
            return page.write_str(".\n    turn : [0..2] init 0;\n\n");
        }
        page.write_str("; 3: alice decides who moves; 4: bob does.\n    turn : [0..4] init 0;\n")?;
        for winner in Player::BOTH {
            for mover in Player::BOTH {
                let (from, to) = (decides(winner), moves(mover));
                writeln!(page, "    [{}] turn={from} -> (turn'={to});", winner.word())?;
            }
        }
        page.write_str("\n")
    }

    /// Writes the property whose value is the value of the game.
    fn write_property(&self, page: &mut Page<'_>) -> fmt::Result {
        const WINS: &str = "<<alice>> Pmax=? [ F \"alice_wins\" ]";
        const LOSES: &str = "<<alice>> Pmin=? [ F \"bob_wins\" ]";
        match self.rules.draws {
            Draws::Neither | Draws::Bob => writeln!(page, "// P is {WINS}."),
            // Without draws and endless play their worth does not matter.
            Draws::Half if self.is_always_won() => writeln!(page, "// P is {WINS}."),
            Draws::Alice => writeln!(page, "// P is 1 - {LOSES}."),
            Draws::Half => writeln!(
                page,
                "// P counts a draw, and play without end, as half a win: no property does, but P is at least\n\
                 // {WINS} and at most 1 - {LOSES}."
            ),
        }
    }

    /// Returns `true` if every play ends with a winner.
    fn is_always_won(&self) -> bool {
        let is_draw = |node| self.graph.ending(node) == Some(Ending::Draw);
        !self.graph.nodes().any(is_draw) && self.graph.is_acyclic()
    }

    fn write_position(&self, node: NodeId, page: &mut Page<'_>) -> fmt::Result {
        let at = node.index();
        if self.graph.ending(node).is_some() {
            // A loop is written at endings, because PRISM reports states without a command as
            // deadlocks.
            return writeln!(page, "    [] position={at} -> true;");
        }
        writeln!(
            page,
            "    [] position={at} & turn=0 -> {};",
            self.turns(node)
        )?;
        for player in Player::BOTH {
            let (word, turn) = (player.word(), moves(player));
            for head in self.graph.successors(node, player) {
                let to = head.index();
                writeln!(
                    page,
                    "    [{word}] position={at} & turn={turn} -> (position'={to}) & (turn'=0);"
                )?;
            }
        }
        Ok(())
    }

    /// Formats the choice of the mover at a position, with probabilities.
    fn turns(&self, node: NodeId) -> String {
        if !self.is_tossed(node) {
            let able = Player::BOTH
                .into_iter()
                .filter(|player| !self.graph.successors(node, *player).is_empty());
            // If only one player can move, the toss decides nothing and is left out.
            return able
                .map(|player| format!("(turn'={})", moves(player)))
                .collect();
        }
        let turn = |player| match self.rules.winner {
            Winner::Chooses => decides(player),
            Winner::Moves => moves(player),
        };
        let likely = |player: &Player| !self.coin[*player].is_zero();
        let sides: Vec<String> = Player::BOTH
            .into_iter()
            // A side that never wins the toss needs no update.
            .filter(likely)
            .map(|player| match &self.coin[player] {
                chance if chance.is_one() => format!("(turn'={})", turn(player)),
                chance => format!("{chance} : (turn'={})", turn(player)),
            })
            .collect();
        sides.join(" + ")
    }

    fn write_labels(&self, page: &mut Page<'_>) -> fmt::Result {
        let ends = [
            ("alice_wins", Ending::Win(Player::Alice)),
            ("bob_wins", Ending::Win(Player::Bob)),
            ("drawn", Ending::Draw),
        ];
        for (label, ending) in ends {
            let found: Vec<String> = self
                .graph
                .nodes()
                .filter(|node| self.graph.ending(*node) == Some(ending))
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
}

//! The least chips with which Alice wins against each budget of Bob's, whatever part of a winning bid goes to the bank.
//!
//! More chips never hurt, so for every vertex, budget b of Bob's and holder of the tie status there is a least number T of chips with
//! which Alice has a bid that is good against every bid of Bob's. For a bid x of hers she needs
//!
//! - if she wins by it, `x + T'(b + r(x))`, where T' is the threshold of where she then goes and r(x) what Bob gets of her bid;
//! - for each higher bid y of Bob's, `T''(b − y) − r(y)`, where T'' is that of where he goes;
//! - on a tie what the rule for ties says of these two;
//!
//! and T is the least over x of the greatest of these. (Under `ties: richer` with `winner: moves` more chips can hurt, since who has more must
//! move on a tie: there is no threshold then.)
//! On cycles T is the least fixed point, from "never". What it takes not to lose is the greatest one, from 0. Where it is finite it is at
//! most [`Table::enough`], budget by budget: along a play that Alice does not lose, Bob's budget stays as it is or shrinks; while it stays, she pays at a
//! position and holder at most once (paying again would make her need more than she needs), and never more than his budget and one.

mod totals;
mod unbeaten;

use std::convert::Infallible;
use std::ops::Range;

use num_traits::{One, Zero};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::admit;
use crate::rules::{Draws, FieldValue, Purses, Rules, Tie, TieBreak, Winner, next_holder, tie};
use crate::solve::worklist::{EdgesWithin, Worklist};
use crate::watch::{Asking, Stop, Watch};

/// How many thresholds are worked out between two looks at the watch.
const CELLS: usize = 1 << 12;

/// No number of chips suffices.
pub const NEVER: u64 = u64::MAX;

/// Who holds the tie status, if there is one.
type Holder = Option<Player>;

/// The thresholds of a vertex against each budget in question, for each holder of the tie status.
///
/// # Errors
/// If the rules have no such thresholds, or none that are known to be found where Bob's budget may grow on cycles, or the watch stops the work.
pub fn against(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    budgets: &[u64],
    watch: &dyn Watch,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    admit::against(rules)?;
    let holders: &[Holder] = if rules.ties.has_status() { &[Some(Player::Alice), Some(Player::Bob)] } else { &[None] };
    let turn = Turn::new(graph, rules);
    let most = budgets.iter().copied().max().unwrap_or(0);
    if turn.bank_keeps_all() {
        let table = Table::solve(&turn, most, holders, watch)?;
        let row = |holder: &Holder| budgets.iter().map(|budget| table.get(node, *budget, *holder)).collect();
        return Ok(holders.iter().map(|holder| (*holder, row(holder))).collect());
    }
    if !graph.components().acyclic() {
        return totals::against(&turn, node, budgets, holders, watch);
    }
    let mut memo = Memo::new(turn, watch);
    let mut rows = Vec::new();
    for &holder in holders {
        let row = budgets.iter().map(|budget| memo.threshold(node, *budget, holder)).collect::<Result<_>>()?;
        rows.push((holder, row));
    }
    Ok(rows)
}

fn growing(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Pay(rules.pay.clone()).words();
    Diagnostic::new(
        Code::NotSupported,
        format!(
            "not supported: thresholds against a budget under `{name}: {value}, winner: moves` in a game with cycles, where Alice may need \
             Bob to win bids"
        ),
    )
    .note(
        "each of her bids that he lets win makes his budget grow, and each of his makes it shrink: whether she can keep that up for ever is \
         a game of energy for which no bound of the chips is known here, so that a number that is not enough does not tell whether more are",
    )
    .help("write `winner: chooses`, ask for totals, `f(G, 0..100)`, or ask about `G[n]`")
    .into()
}

/// One turn at a vertex.
#[derive(Clone, Copy)]
struct Turn<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
}

impl<'a> Turn<'a> {
    fn new(graph: &'a GameGraph, rules: &'a Rules) -> Self {
        Self { graph, rules }
    }

    fn bank_keeps_all(&self) -> bool {
        self.rules.pay.tax().is_none_or(|part| part.is_one())
    }

    fn bank_keeps_nothing(&self) -> bool {
        self.rules.pay.tax().is_some_and(|part| part.is_zero())
    }

    /// What the loser gets of a bid.
    fn returned(&self, bid: u64) -> u64 {
        self.rules.pay.returned(bid)
    }

    /// The threshold at an ending.
    fn ended(&self, ending: Ending) -> u64 {
        let won = match ending {
            Ending::Win(player) => player == Player::Alice,
            Ending::Draw => self.rules.draws == Draws::Alice,
        };
        if won { 0 } else { NEVER }
    }

    /// The threshold at a vertex that is no ending, from those of its successors; the search for the best bid begins at `hint`.
    ///
    /// The more Alice bids the more she needs if she wins, and the less if Bob outbids her, who then has less left or has paid her more.
    /// Of his higher bids the least is therefore the one that she has to fear, and the best bid of hers lies where the two needs cross.
    fn threshold<E>(
        &self,
        (node, budget, holder): (NodeId, u64, Holder),
        hint: u64,
        mut of: impl FnMut(NodeId, u64, Holder) -> std::result::Result<u64, E>,
    ) -> std::result::Result<Best, E> {
        let next = |winner, tied| holder.map(|holder| next_holder(self.rules.ties, holder, winner, tied));
        let mut needs = |bid: u64, decides: Decides| {
            let mut won = |tied: bool| {
                let (left, status) = (budget + self.returned(bid), next(Player::Alice, tied));
                Ok(bid.saturating_add(after_bid((self.graph, self.rules), node, Player::Alice, |head| {
                    of(head, left, status)
                })?))
            };
            let mut rises = if bid == 0 { 0 } else { won(false)? };
            if bid <= budget && decides.is_won {
                rises = rises.max(won(true)?);
            }
            let mut lost = |bid: u64, tied: bool| {
                let (left, status) = (budget - bid, next(Player::Bob, tied));
                let needed = after_bid((self.graph, self.rules), node, Player::Bob, |head| of(head, left, status))?;
                Ok(if needed == NEVER { NEVER } else { needed.saturating_sub(self.returned(bid)) })
            };
            let mut falls = if bid < budget { lost(bid + 1, false)? } else { 0 };
            if bid <= budget && decides.is_lost {
                falls = falls.max(lost(bid, true)?);
            }
            Ok(Needs { rises: rises.max(bid), falls })
        };
        let mut best = |decides: Decides| best(budget, hint, |bid| needs(bid, decides));
        if self.rules.ties == TieBreak::Richer {
            let poorer = best(Decides::LOST)?;
            if poorer.chips < budget {
                return Ok(poorer);
            }
            let richer = best(Decides::WON)?;
            return Ok(Best { chips: richer.chips.max(budget), ..richer });
        }
        let purses = Purses { chips: PerPlayer::new(0, budget), status: holder };
        match tie(self.rules, &purses) {
            Tie::Goes(Player::Alice) => best(Decides::WON),
            Tie::Goes(Player::Bob) => best(Decides::LOST),
            Tie::ChosenBy(Player::Alice) => Ok(best(Decides::WON)?.or(best(Decides::LOST)?)),
            Tie::ChosenBy(Player::Bob) => best(Decides { is_won: true, is_lost: true }),
            Tie::Coin => unreachable!("rules with a coin are not admitted"),
        }
    }
}

/// What Alice needs where a bid's winner takes the play, by what she needs at each vertex.
pub(super) fn after_bid<E>(
    (graph, rules): (&GameGraph, &Rules),
    node: NodeId,
    winner: Player,
    mut of: impl FnMut(NodeId) -> std::result::Result<u64, E>,
) -> std::result::Result<u64, E> {
    let able = |player: Player| !graph.successors(node, player).is_empty();
    let must_move = rules.winner == Winner::Moves && Player::BOTH.into_iter().all(able);
    let mut best: Option<u64> = None;
    for mover in Player::BOTH.into_iter().filter(|mover| able(*mover) && (!must_move || *mover == winner)) {
        let mut moved: Option<u64> = None;
        for &head in graph.successors(node, mover) {
            let value = of(head)?;
            moved = Some(moved.map_or(value, |moved| better(mover, moved, value)));
        }
        let moved = moved.expect("who is able to move has a move");
        best = Some(best.map_or(moved, |best| better(winner, best, moved)));
    }
    Ok(best.expect("a vertex without an ending has an edge"))
}

/// What Alice must be able to bear if the bids are equal.
#[derive(Debug, Clone, Copy)]
struct Decides {
    is_won: bool,
    is_lost: bool,
}

impl Decides {
    const WON: Self = Self { is_won: true, is_lost: false };
    const LOST: Self = Self { is_won: false, is_lost: true };
}

/// What a bid of Alice's needs: a part that rises with the bid, and one that falls. It needs the greater of them.
#[derive(Debug, Clone, Copy)]
struct Needs {
    rises: u64,
    falls: u64,
}

impl Needs {
    fn chips(self) -> u64 {
        self.rises.max(self.falls)
    }
}

/// The least that any bid needs, and a bid that needs no more.
#[derive(Debug, Clone, Copy)]
struct Best {
    chips: u64,
    bid: u64,
}

impl Best {
    fn or(self, other: Self) -> Self {
        if other.chips < self.chips { other } else { self }
    }
}

/// The best bid against a budget: 0, one more than the budget, or one in between, which is searched for from `hint` on. (Bids of 0 are apart, since
/// a tie at 0 leaves the chips as they are, and what is needed there may not be final yet.)
fn best<E>(
    budget: u64,
    hint: u64,
    mut needs: impl FnMut(u64) -> std::result::Result<Needs, E>,
) -> std::result::Result<Best, E> {
    let mut at = |bid: u64| needs(bid).map(|needs| (needs.rises >= needs.falls, Best { chips: needs.chips(), bid }));
    let (_, mut found) = at(0)?;
    // The first bid from which on the part that rises is the greater one lies above `low` and is `high` at most.
    let (mut low, mut high) = (0, budget + 1);
    let (mut probe, mut step) = (hint.clamp(1, budget.max(1)), 1);
    while high - low > 1 {
        let (is_above, here) = at(probe)?;
        found = found.or(here);
        if is_above {
            high = probe;
            probe = probe.saturating_sub(step);
        } else {
            low = probe;
            probe += step;
        }
        step *= 2;
        if probe <= low || probe >= high {
            probe = u64::midpoint(low, high);
        }
    }
    // One more than the budget takes that many chips at least, and Bob's budget may then grow far: so it is looked at last.
    if found.chips > budget + 1 { Ok(found.or(at(budget + 1)?.1)) } else { Ok(found) }
}

fn better(player: Player, a: u64, b: u64) -> u64 {
    match player {
        Player::Alice => a.min(b),
        Player::Bob => a.max(b),
    }
}

/// The first of these numbers from which on something is so, or their end; found soon if it is near their start.
fn first(numbers: Range<u64>, is_so: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (numbers.start, numbers.end);
    let mut probe = low;
    while low < high {
        if is_so(probe) {
            high = probe;
            probe = u64::midpoint(low, high);
        } else {
            // As far again as has been gone since the start, until that is too far.
            let step = probe - numbers.start + 1;
            low = probe + 1;
            probe = probe.saturating_add(step);
        }
        if probe >= high {
            probe = u64::midpoint(low, high);
        }
    }
    high
}

/// All thresholds for budgets that never grow.
struct Table {
    budgets: usize,
    cells: Vec<u64>,
    /// By vertex and holder, the best bid that was found last.
    hints: Vec<u64>,
    /// The greatest threshold so far that is a number.
    greatest: u64,
}

impl Table {
    fn place(node: NodeId, holder: Holder) -> usize {
        2 * node.index() + usize::from(holder == Some(Player::Bob))
    }

    fn index(&self, node: NodeId, budget: u64, holder: Holder) -> usize {
        Self::place(node, holder) * self.budgets + budget as usize
    }

    fn get(&self, node: NodeId, budget: u64, holder: Holder) -> u64 {
        self.cells[self.index(node, budget, holder)]
    }

    fn solve(turn: &Turn<'_>, most: u64, holders: &[Holder], watch: &dyn Watch) -> Result<Self> {
        let budgets = most as usize + 1;
        let cells = (2 * turn.graph.len()).saturating_mul(budgets);
        let limit = watch.limits().max_memory;
        if cells.saturating_mul(size_of::<u64>()) as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        let components = turn.graph.components();
        let from = if turn.rules.draws == Draws::Alice { 0 } else { NEVER };
        let hints = vec![0; 2 * turn.graph.len()];
        let mut table = Self { budgets, cells: vec![from; cells], hints, greatest: 0 };
        let mut asking = Asking::every(CELLS, watch);
        for (done, (vertices, cyclic)) in components.iter().enumerate() {
            watch.report("solving", done as u64, None);
            let edges = cyclic.then(|| EdgesWithin::of(turn.graph, vertices));
            let mut waiting = Worklist::all(vertices.len());
            for budget in 0..=most {
                let capped = if from == 0 { table.enough(vertices.len() as u64, budget) } else { NEVER };
                waiting.add_all();
                while let Some(place) = waiting.take() {
                    asking.step(holders.len())?;
                    if table.vertex(turn, vertices[place], budget, (holders, capped)) {
                        edges.iter().flat_map(|edges| edges.tails_of(place)).for_each(|tail| waiting.add(*tail));
                    }
                }
                table.look_at(vertices, budget, holders);
            }
        }
        Ok(table)
    }

    /// As much as any threshold of a component against a budget of Bob's, if those of less and of where it leads to are known.
    fn enough(&self, vertices: u64, budget: u64) -> u64 {
        self.greatest.saturating_add((2 * vertices).saturating_mul(budget + 1))
    }

    fn look_at(&mut self, vertices: &[NodeId], budget: u64, holders: &[Holder]) {
        for (&node, &holder) in vertices.iter().flat_map(|node| holders.iter().map(move |holder| (node, holder))) {
            let least = self.get(node, budget, holder);
            if least != NEVER {
                self.greatest = self.greatest.max(least);
            }
        }
    }

    /// Computes a vertex anew, where what exceeds `capped` is never enough; whether anything has changed.
    fn vertex(&mut self, turn: &Turn<'_>, node: NodeId, budget: u64, (holders, capped): (&[Holder], u64)) -> bool {
        let mut changed = false;
        for &holder in holders {
            let value = match turn.graph.ending(node) {
                Some(ending) => turn.ended(ending),
                None => {
                    let known = |head, budget, holder| Ok(self.get(head, budget, holder));
                    let hint = self.hints[Self::place(node, holder)];
                    let Ok(best) = turn.threshold::<Infallible>((node, budget, holder), hint, known);
                    self.hints[Self::place(node, holder)] = best.bid;
                    best.chips
                }
            };
            let value = if value > capped { NEVER } else { value };
            let index = self.index(node, budget, holder);
            changed |= std::mem::replace(&mut self.cells[index], value) != value;
        }
        changed
    }
}

/// Thresholds as they are needed: budgets may grow.
struct Memo<'a> {
    turn: Turn<'a>,
    /// By vertex and holder.
    rows: Vec<Row>,
    cells: u64,
    asking: Asking<'a>,
}

/// The thresholds that are known, by budget.
#[derive(Default)]
struct Row {
    /// [`UNKNOWN`] where they are not.
    known: Vec<u64>,
    /// A budget with the best bid against it.
    hint: (u64, u64),
}

/// In a [`Row`]: more than any number of chips and less than [`NEVER`].
const UNKNOWN: u64 = NEVER - 1;

impl<'a> Memo<'a> {
    fn new(turn: Turn<'a>, watch: &'a dyn Watch) -> Self {
        let rows = (0..2 * turn.graph.len()).map(|_| Row::default()).collect();
        Self { turn, rows, cells: 0, asking: Asking::every(CELLS, watch) }
    }

    fn threshold(&mut self, node: NodeId, budget: u64, holder: Holder) -> Result<u64> {
        if let Some(ending) = self.turn.graph.ending(node) {
            return Ok(self.turn.ended(ending));
        }
        let place = Table::place(node, holder);
        let row = &self.rows[place];
        match row.known.get(budget as usize) {
            Some(&UNKNOWN) | None => {}
            Some(known) => return Ok(*known),
        }
        // Bids are about in proportion to budgets.
        let (against, bid) = row.hint;
        let hint = (u128::from(bid) * u128::from(budget) / u128::from(against.max(1))) as u64;
        self.asking.step(1)?;
        let turn = self.turn;
        let of = |head, budget, holder| self.threshold(head, budget, holder);
        let best =
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || turn.threshold((node, budget, holder), hint, of))?;
        self.make_room(place, budget)?;
        let row = &mut self.rows[place];
        row.known[budget as usize] = best.chips;
        row.hint = (budget, best.bid);
        Ok(best.chips)
    }

    fn make_room(&mut self, place: usize, budget: u64) -> Result<()> {
        let known = &mut self.rows[place].known;
        let (before, needed) = (known.len() as u64, budget + 1);
        if needed > before {
            let limit = self.asking.watch().limits().max_memory;
            self.cells += needed - before;
            if self.cells.saturating_mul(2 * size_of::<u64>() as u64) > limit {
                return Err(Stop::Memory(limit).into());
            }
            known.resize(needed as usize, UNKNOWN);
        }
        Ok(())
    }
}

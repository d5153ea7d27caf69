//! The sequences of all positions of a game.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::cyclic::{self, Settling, StablePlayer};
use super::lift::{LiftedStep, MemoryLeft, ThresholdSequences, lift};
use super::sequence::Sequence;
use super::stable::Stable;
use super::totals::Totals;
use crate::chips::{Afterwards, Kernel, Movers, Quantity, Scale, Threshold};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::richman;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{FieldValue, Rules, TieBreak, Winner};
use crate::watch::{Context, Stop};

/// A class of positions that have the same thresholds for every total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u32);

impl ClassId {
    /// Returns the number of the class, in the order in which classes were found.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of chips from which on Alice forces a win, at every position, for every total.
#[derive(Debug, Clone)]
pub struct Sequences {
    ties: TieBreak,
    /// Alice's recursion.
    kernel: Kernel,
    winner: Winner,
    forms: IndexSet<ThresholdSequences, FxBuildHasher>,
    classes: Vec<ClassId>,
    settling: Option<Settling>,
}

impl Sequences {
    /// Solves a game for Alice.
    ///
    /// # Errors
    /// Returns E0602 or E0603 under rules without thresholds ([`admit::chips`]), E0603 if the game
    /// has cycles and no window of stable play is found, and an error if the work is stopped.
    pub fn solve(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        Self::solve_play(graph, rules, None, context, |node, seeker| {
            let heads = |player| graph.successors(node, player).to_vec();
            (heads(seeker), heads(seeker.other()), rules.winner.into())
        })
    }

    /// Solves a game in which one player is restricted to stable play: to decisions that are
    /// optimal by the Richman values.
    ///
    /// # Errors
    /// The errors of [`Self::solve`].
    pub fn solve_stable(
        graph: &GameGraph,
        rules: &Rules,
        player: Player,
        values: &richman::Values,
        context: &Context<'_>,
    ) -> Result<Self> {
        let stable = Stable::new(graph, values, player);
        Self::solve_play(graph, rules, Some(player), context, |node, seeker| {
            let heads = |player| stable.moves(node, player);
            (
                heads(seeker),
                heads(seeker.other()),
                stable.movers(node, seeker, rules),
            )
        })
    }

    /// Solves with the moves of the seeker and of the opponent, and the choice of the mover, that
    /// `play` gives for each position.
    fn solve_play(
        graph: &GameGraph,
        rules: &Rules,
        kept: StablePlayer,
        context: &Context<'_>,
        play: impl Fn(NodeId, Player) -> (Vec<NodeId>, Vec<NodeId>, Movers),
    ) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        refuse_owners(graph, rules)?;
        let components = graph.components();
        // If draws count for Alice, only Bob has to bring about an ending, so the recursion is his.
        let draws_count = rules.draws.favours(Player::Alice);
        let seeker = if draws_count {
            Player::Bob
        } else {
            Player::Alice
        };
        let mut solving = Solving::new(Kernel::of(rules, seeker), draws_count, context);
        let mut classes = vec![ClassId(0); graph.len()];
        let on_cycles: Vec<NodeId> = components
            .iter()
            .filter(|(_, cyclic)| *cyclic)
            .flat_map(|(members, _)| members.iter().copied())
            .collect();
        let mut settling = None;
        // Positions on cycles come first: their forms come from the theorem, not from their
        // successors.
        if !on_cycles.is_empty() {
            let (forms, found) = cyclic::forms(graph, rules, seeker, kept, &on_cycles, context)?;
            settling = Some(found);
            for (node, form) in on_cycles.iter().zip(forms) {
                classes[node.index()] = solving.class(form)?;
            }
        }
        let on_cycles: FxHashSet<NodeId> = on_cycles.into_iter().collect();
        // In this order all successors have a class already.
        for (done, &node) in components.order().iter().enumerate() {
            if on_cycles.contains(&node) {
                continue;
            }
            classes[node.index()] = match graph.ending(node) {
                Some(ending) => solving.ending(ending == Ending::Win(seeker))?,
                None => {
                    let (own, others, movers) = play(node, seeker);
                    let all = |heads: Vec<NodeId>| {
                        heads.iter().map(|head| classes[head.index()]).collect()
                    };
                    solving.position(all(own), all(others), movers)?
                }
            };
            context.report("closed forms", done as u64, Some(graph.len() as u64));
        }
        let kernel = Kernel::of(rules, Player::Alice);
        let mut solved = Self {
            ties: rules.ties,
            kernel,
            winner: rules.winner,
            forms: solving.forms,
            classes,
            settling,
        };
        if draws_count {
            // The classes keep their numbers, because different sequences have different
            // complements.
            solved.complement(context)?;
        }
        Ok(solved)
    }

    /// Replaces Bob's thresholds by Alice's. Draws count for her, so she wins by keeping Bob from
    /// winning.
    fn complement(&mut self, context: &Context<'_>) -> Result<()> {
        let step = Complement(self.kernel.scale().other());
        let room = self.room(context);
        self.forms = self
            .forms
            .iter()
            .map(|form| lift(&step, &[form], room))
            .collect::<Result<_>>()?;
        Ok(())
    }

    /// Returns the totals for which a position has the same thresholds here as in other solutions
    /// of the same graph.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn agreeing(
        &self,
        others: &[&Self],
        node: NodeId,
        context: &Context<'_>,
    ) -> Result<Totals> {
        let forms: Vec<_> = [self]
            .iter()
            .chain(others)
            .map(|solved| solved.form(solved.class(node)))
            .collect();
        Totals::equal(&forms, self.room(context))
    }

    /// Returns the totals for which a player's move from a position is optimal: without the
    /// player's other moves the thresholds of the position would be the same.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn optimal(
        &self,
        graph: &GameGraph,
        node: NodeId,
        player: Player,
        head: NodeId,
        context: &Context<'_>,
    ) -> Result<Totals> {
        let only = [head];
        let heads = |mover| {
            if mover == player {
                &only[..]
            } else {
                graph.successors(node, mover)
            }
        };
        let forms = |mover| heads(mover).iter().map(|&head| self.form(self.class(head)));
        let inputs: Vec<&ThresholdSequences> = Player::BOTH.into_iter().flat_map(forms).collect();
        let own = heads(Player::Alice).len();
        let bid = BidRecursion {
            kernel: self.kernel,
            preventing: false,
            own,
            movers: self.winner.into(),
        };
        // A move is optimal for a total if the player gives up nothing by having it alone.
        let restricted = lift(&bid, &inputs, self.room(context))?;
        Totals::equal(
            &[&restricted, self.form(self.class(node))],
            self.room(context),
        )
    }

    /// Returns the totals for which a class here needs more chips than a class of another solution,
    /// under the same rules.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn above(
        &self,
        class: ClassId,
        other: &Self,
        other_class: ClassId,
        context: &Context<'_>,
    ) -> Result<Totals> {
        Totals::above(
            self.form(class),
            other.form(other_class),
            self.room(context),
        )
    }

    /// Returns the memory that is left besides these sequences.
    fn room<'a>(&self, context: &'a Context<'a>) -> MemoryLeft<'a> {
        let bytes = self
            .forms
            .iter()
            .flat_map(|form| form.iter())
            .map(Sequence::bytes)
            .sum();
        MemoryLeft {
            context,
            taken: bytes,
        }
    }

    /// Returns the totals that settle all later ones, if there are positions on cycles.
    pub fn settling(&self) -> Option<Settling> {
        self.settling
    }

    fn form(&self, class: ClassId) -> &ThresholdSequences {
        &self.forms[class.index()]
    }

    /// Returns the class of a position.
    pub fn class(&self, node: NodeId) -> ClassId {
        self.classes[node.index()]
    }

    /// Returns the number of classes.
    pub fn class_count(&self) -> usize {
        self.forms.len()
    }

    /// Returns the thresholds of a class: one sequence, or two if the rule for ties needs two.
    pub fn sequences(&self, class: ClassId) -> &[Sequence] {
        &self.forms[class.index()]
    }

    /// Returns the threshold of a class for one total in the rule's notation, which `f(G, k)`
    /// prints.
    pub fn threshold(&self, class: ClassId, total: u64) -> Threshold {
        let mut raw = [0; 2];
        for (raw, sequence) in raw.iter_mut().zip(self.sequences(class)) {
            *raw = sequence.at(total);
        }
        Threshold::new(self.scale(), self.ties, raw, total)
    }

    /// Returns the rule for ties of the thresholds.
    pub(super) fn ties(&self) -> TieBreak {
        self.ties
    }

    /// Returns the scale of the numbers.
    pub(super) fn scale(&self) -> Scale {
        self.kernel.scale()
    }
}

/// The state of a solution in progress.
pub(crate) struct Solving<'a> {
    kernel: Kernel,
    preventing: bool,
    context: &'a Context<'a>,
    forms: IndexSet<ThresholdSequences, FxBuildHasher>,
    known: FxHashMap<PositionOptions, ClassId>,
    bytes: u64,
}

/// The options that determine a position's thresholds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PositionOptions {
    own: Vec<ClassId>,
    others: Vec<ClassId>,
    movers: Movers,
}

impl PositionOptions {
    /// Returns the size of the options as a key, in bytes.
    fn bytes(&self) -> u64 {
        (size_of::<Self>() + size_of::<ClassId>() * (self.own.len() + self.others.len() + 1)) as u64
    }
}

impl<'a> Solving<'a> {
    fn new(kernel: Kernel, preventing: bool, context: &'a Context<'a>) -> Self {
        Self {
            kernel,
            // Without a gap the player who prevents needs exactly what the other does not, so one
            // recursion serves both.
            preventing: preventing && kernel.has_gap(),
            context,
            forms: IndexSet::default(),
            known: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// Creates the state for solving positions one by one for Alice.
    pub(crate) fn for_alice(rules: &Rules, context: &'a Context<'a>) -> Self {
        Self::new(Kernel::of(rules, Player::Alice), false, context)
    }

    /// Returns the class of an ending, won by the seeker or not.
    pub(crate) fn ending(&mut self, won: bool) -> Result<ClassId> {
        let form = lift(
            &EndedThresholds {
                scale: self.kernel.scale(),
                won,
            },
            &[],
            self.room(),
        )?;
        self.class(form)
    }

    /// Returns the class of a position with these moves.
    pub(crate) fn position(
        &mut self,
        own: Vec<ClassId>,
        others: Vec<ClassId>,
        movers: Movers,
    ) -> Result<ClassId> {
        let distinct = |mut classes: Vec<ClassId>| {
            classes.sort_unstable();
            // Options of one class have the same thresholds, so the minimum over them needs only
            // one.
            classes.dedup();
            classes
        };
        let options = PositionOptions {
            own: distinct(own),
            others: distinct(others),
            movers,
        };
        // Positions with the same classes of options are frequent, and lifting a step is the costly
        // part.
        if let Some(&class) = self.known.get(&options) {
            return Ok(class);
        }
        let inputs: Vec<&ThresholdSequences> = options
            .own
            .iter()
            .chain(&options.others)
            .map(|class| &self.forms[class.index()])
            .collect();
        let bid = BidRecursion {
            kernel: self.kernel,
            preventing: self.preventing,
            own: options.own.len(),
            movers,
        };
        let form = lift(&bid, &inputs, self.room())?;
        let class = self.class(form)?;
        self.take(options.bytes())?;
        self.known.insert(options, class);
        Ok(class)
    }

    /// Returns the totals for which a class needs more chips than another.
    pub(crate) fn above(&self, g: ClassId, h: ClassId) -> Result<Totals> {
        Totals::above(&self.forms[g.index()], &self.forms[h.index()], self.room())
    }

    /// Adds to the memory that is taken. Returns an error if it exceeds the limit.
    fn take(&mut self, bytes: u64) -> Result<()> {
        self.bytes += bytes;
        let limit = self.context.limits.max_memory;
        if self.bytes > limit {
            Err(Stop::Memory(limit).into())
        } else {
            Ok(())
        }
    }

    fn room(&self) -> MemoryLeft<'a> {
        MemoryLeft {
            context: self.context,
            taken: self.bytes,
        }
    }

    /// Returns the number of classes.
    pub(crate) fn class_count(&self) -> usize {
        self.forms.len()
    }

    /// Returns the class that has these sequences.
    pub(crate) fn class(&mut self, form: ThresholdSequences) -> Result<ClassId> {
        let bytes: u64 = form.iter().map(Sequence::bytes).sum();
        // Only a new form takes memory.
        let (index, new) = self.forms.insert_full(form);
        if new {
            self.take(bytes)?;
        }
        Ok(ClassId(
            u32::try_from(index).expect("no more classes than positions"),
        ))
    }
}

/// The step that gives the thresholds of an ending.
struct EndedThresholds {
    scale: Scale,
    won: bool,
}

impl LiftedStep for EndedThresholds {
    fn slots(&self) -> usize {
        self.scale.slots()
    }

    fn run<T: Quantity>(&self, _: &[Vec<T>], beyond: &[T], out: &mut [T]) {
        let lanes = beyond.len();
        for (lane, &beyond) in beyond.iter().enumerate() {
            write(out, lanes, lane, self.scale.ended(self.won, beyond));
        }
    }
}

/// The recursion of one position; the first `own` of the inputs are the seeker's options.
struct BidRecursion {
    kernel: Kernel,
    preventing: bool,
    own: usize,
    movers: Movers,
}

impl LiftedStep for BidRecursion {
    fn slots(&self) -> usize {
        self.kernel.scale().slots()
    }

    fn run<T: Quantity>(&self, rows: &[Vec<T>], beyond: &[T], out: &mut [T]) {
        let mut after = Afterwards::new(out.len());
        let places: Vec<usize> = (0..rows.len()).collect();
        let (own, others) = places.split_at(self.own);
        after.collect(own, others, self.movers, |place: usize| &rows[place][..]);
        self.kernel
            .apply(self.preventing, &after.won, &after.lost, beyond, out);
    }
}

/// The step from the thresholds of one player's forced wins to those from which the opponent
/// prevents them.
struct Complement(Scale);

impl LiftedStep for Complement {
    fn slots(&self) -> usize {
        self.0.slots()
    }

    fn run<T: Quantity>(&self, rows: &[Vec<T>], beyond: &[T], out: &mut [T]) {
        let lanes = beyond.len();
        for (lane, &beyond) in beyond.iter().enumerate() {
            // A scale with one threshold has rows without a second half.
            let second = rows[0].get(lanes + lane).copied().unwrap_or(T::NOTHING);
            write(
                out,
                lanes,
                lane,
                self.0.complement([rows[0][lane], second], beyond),
            );
        }
    }
}

/// Writes a lane of a row that has all lanes of the first threshold, then all of the second if
/// there is one.
fn write<T: Quantity>(out: &mut [T], lanes: usize, lane: usize, [first, second]: [T; 2]) {
    out[lane] = first;
    if let Some(out) = out.get_mut(lanes + lane) {
        *out = second;
    }
}

/// Returns whether a turn without a bid differs from a bid about nothing.
pub(super) fn minds_owners(rules: &Rules) -> bool {
    !Kernel::of(rules, Player::Alice).is_indifferent()
}

/// Refuses vertices with an owner where a bid about nothing would change something, because the
/// closed form has no other turns.
fn refuse_owners(graph: &GameGraph, rules: &Rules) -> Result<()> {
    if !graph.has_owners() || !minds_owners(rules) {
        return Ok(());
    }
    let (name, value) = FieldValue::Ties(rules.ties).words();
    Err(Diagnostic::new(
        Code::NotSupported,
        format!("there is no closed form under `{name}: {value}` of a game in which a player moves without a bid"),
    )
    .note("under these rules a bid moves the tie status even where nothing else is at stake, and a turn without one does not")
    .help("ask for a range of totals, `f(G, 0..1000)`, or use `ties: advantage` and `winner: chooses`")
    .into())
}

//! Rulesets whose positions form products: every move changes one *component*, whatever the
//! contents of the others.
//!
//! A component's contents are grouped by *level*, the number of moves made in it since the start.
//! So in a position after m moves the levels of the components add up to m, and each component can
//! have any content that so many moves can lead to. Boards on which pieces are placed or dropped
//! are of this kind: a component is a column, or some cells.
//!
//! The conditions that end the game must consist of lines of one player's cells and comparisons of
//! counts that the levels alone determine.

use rustc_hash::FxHashMap;

use super::additive::Additive;
use super::parts::{StatePart, Tuple};
use super::reads::BitSet;
use super::{ConstantBits, Numbering, Ruleset, State};
use crate::convert::fit;
use crate::player::{Ending, PerPlayer, Player};
use crate::ruleset::endings::EndingProgram;
use crate::ruleset::formula::Formula;
use crate::ruleset::program::{Bool, Plane};

/// The number of contents up to which parts are joined to a component.
const JOINED: usize = 128;

/// The greatest number of contents of a component at one level.
const MOST: usize = 1 << 16;

/// A ruleset as a product, starting from a position.
#[derive(Debug)]
pub struct Product {
    /// The components, which moves change one at a time.
    pub components: Vec<Component>,
    /// The tests that end the game, in order.
    pub endings: Vec<(Formula<Test>, Ending)>,
    /// The sets of lines that the tests refer to.
    pub lines: Vec<Vec<EndingCells>>,
    /// The ending if a player must move and cannot; `None` if the opponent moves then.
    pub stuck: PerPlayer<Option<Ending>>,
}

/// A part of the position that moves change independently of the others.
#[derive(Debug, PartialEq)]
pub struct Component {
    /// The contents after each number of moves in the component.
    pub levels: Vec<ComponentLevel>,
}

/// The possible contents of a component after a number of moves in it.
#[derive(Debug, PartialEq)]
pub struct ComponentLevel {
    /// The number of contents.
    pub len: usize,
    /// For each content, the contents of the next level that a player's moves lead to. Empty at the
    /// last level; before that both players can move from every content.
    pub steps: PerPlayer<Vec<Vec<u32>>>,
}

/// The cells of a line of one player, which end the game together.
#[derive(Debug)]
pub struct EndingCells {
    /// The components that contain cells of the line, in order, and for each level and content
    /// whether all of the line's cells in the component are the player's.
    pub needs: Vec<(usize, Vec<Vec<bool>>)>,
}

/// A test that may end the game.
#[derive(Debug)]
pub enum Test {
    /// The test whether a line of this set is complete.
    Line(usize),
    /// A comparison of a count, which the levels determine.
    Count(SumComparison),
}

/// A comparison of a sum over the components with 0.
#[derive(Debug)]
pub struct SumComparison {
    /// The term of each component at each level.
    worth: Vec<Vec<i64>>,
    additive: Additive,
}

impl Product {
    /// Returns `true` if the product is unchanged when its components are taken in reverse order.
    ///
    /// **Lemma.** Then a position and its *mirror image*, the contents in reverse order, have the
    /// same value, wherever play is stopped. *Proof.* A player's moves from the one are the mirror
    /// images of those from the other, as a component and the one that it is exchanged with have
    /// the same steps; lines of a set are exchanged with lines of the same set, and sums over the
    /// levels are unchanged. So plays are mapped to plays that end alike. ∎
    pub fn is_its_mirror_image(&self) -> bool {
        let last = self.components.len().saturating_sub(1);
        // The reversal is an involution, so if it maps each line to one of the same set, it maps
        // the set onto itself.
        let are_exchanged = |lines: &Vec<EndingCells>| {
            let is_image = |line: &EndingCells, other: &EndingCells| {
                let mirrored = other
                    .needs
                    .iter()
                    .rev()
                    .map(|(place, needs)| (last - place, needs));
                mirrored.eq(line.needs.iter().map(|(place, needs)| (*place, needs)))
            };
            lines
                .iter()
                .all(|line| lines.iter().any(|other| is_image(line, other)))
        };
        let is_same = |test: &Test| match test {
            Test::Line(_) => true,
            Test::Count(count) => count.gains().eq(count.gains().rev()),
        };
        self.components.iter().eq(self.components.iter().rev())
            && self.lines.iter().all(are_exchanged)
            && self
                .endings
                .iter()
                .all(|(condition, _)| condition.atoms().into_iter().all(is_same))
    }
}

impl SumComparison {
    /// Iterates over the components; yields, for each level, the difference of its term from that
    /// at the start.
    fn gains(&self) -> impl DoubleEndedIterator<Item = Vec<i64>> {
        self.worth
            .iter()
            .map(|worth| worth.iter().map(|here| here - worth[0]).collect())
    }

    /// Returns `true` if the comparison holds at these levels.
    pub fn holds(&self, levels: &[u8]) -> bool {
        self.additive.holds(
            self.worth
                .iter()
                .zip(levels)
                .map(|(worth, level)| worth[usize::from(*level)])
                .sum(),
        )
    }
}

impl Numbering {
    /// Returns the ruleset as a product starting from a position, with levels for up to so many
    /// moves; `None` if it is no product.
    pub fn product(&self, ruleset: &Ruleset, state: &State, moves: u32) -> Option<Product> {
        let is_guarded = Player::BOTH
            .iter()
            .any(|player| !self.guarded_moves[*player].is_empty());
        // Moves must not depend on other components, and owners depend on the whole position.
        if is_guarded || ruleset.has_turns() {
            return None;
        }
        let start = self.digits_of(state)?;
        let grown: Option<Vec<GrownComponent>> = self
            .joined()
            .into_iter()
            .map(|parts| GrownComponent::new(self, parts, &start, moves))
            .collect();
        let mut making = TestBuilder {
            numbering: self,
            ruleset,
            grown: grown?,
            lines: Vec::new(),
        };
        let cases = ruleset
            .endings
            .iter()
            .map(EndingProgram::cases)
            .collect::<Option<Vec<_>>>()?;
        let endings = cases
            .into_iter()
            .flatten()
            .map(|(condition, ending)| Some((making.test(&condition)?, ending)));
        let endings = endings.collect::<Option<Vec<_>>>()?;
        let components = making
            .grown
            .into_iter()
            .map(|grown| Component {
                levels: grown.levels,
            })
            .collect();
        Some(Product {
            components,
            endings,
            lines: making.lines,
            stuck: self.stuck,
        })
    }

    /// Returns the parts in the order of their bits in the state, so that a symmetric board becomes
    /// its own mirror image; adjacent parts with few contents are joined.
    fn joined(&self) -> Vec<Vec<usize>> {
        let mut joined: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut parts: Vec<usize> = (0..self.parts.len()).collect();
        parts.sort_by_key(|part| self.parts[*part].mask.first());
        for index in parts {
            let contents = self.parts[index].contents.len();
            match joined.last_mut() {
                // Fewer, larger components mean fewer combinations of levels to be handled one by
                // one.
                Some((size, parts)) if *size * contents <= JOINED => {
                    *size *= contents;
                    parts.push(index);
                }
                _ => joined.push((contents, vec![index])),
            }
        }
        joined.into_iter().map(|(_, parts)| parts).collect()
    }

    /// Returns the contents that a player's moves lead to from a content of a part.
    fn steps(&self, part: usize, player: Player, content: u32) -> &[u32] {
        let steps = self
            .digits
            .get(part)
            .map_or(&self.row.steps, |digit| &digit.steps);
        &steps[player][content as usize]
    }
}

/// A component with the contents of its parts.
struct GrownComponent {
    parts: Vec<usize>,
    levels: Vec<ComponentLevel>,
    /// For each level and content, the contents of the parts.
    contents: Vec<Vec<Tuple>>,
}

impl GrownComponent {
    /// Finds all contents of some parts that up to so many moves lead to; returns `None` if there
    /// are too many contents, or both players can move from some contents of a level and not from
    /// others.
    fn new(numbering: &Numbering, parts: Vec<usize>, start: &[usize], moves: u32) -> Option<Self> {
        let first: Tuple = parts.iter().map(|part| fit::<u32>(start[*part])).collect();
        let mut grown = Self {
            parts,
            levels: Vec::new(),
            contents: vec![vec![first]],
        };
        for _ in 0..moves {
            let (next, steps) = grown.next(numbering);
            let lasts = steps.alice.iter().chain(&steps.bob).map(Vec::is_empty);
            let (stuck, all) = lasts.fold((0, 0), |(stuck, all), last| {
                (stuck + usize::from(last), all + 1)
            });
            if stuck == all {
                break;
            }
            // Levels are numbers of eight bits.
            if stuck > 0 || next.len() > MOST || grown.contents.len() > usize::from(u8::MAX) {
                return None;
            }
            let len = grown.contents.last().map_or(0, Vec::len);
            grown.levels.push(ComponentLevel { len, steps });
            grown.contents.push(next);
        }
        let len = grown.contents.last().map_or(0, Vec::len);
        grown.levels.push(ComponentLevel {
            len,
            steps: PerPlayer::default(),
        });
        Some(grown)
    }

    /// Returns the contents of the next level, with the steps that lead to them.
    fn next(&self, numbering: &Numbering) -> (Vec<Tuple>, PerPlayer<Vec<Vec<u32>>>) {
        let here = self.contents.last().expect("the start is there");
        let mut numbers = FxHashMap::<Tuple, u32>::default();
        let mut next = Vec::new();
        let mut steps = PerPlayer::new(vec![Vec::new(); here.len()], vec![Vec::new(); here.len()]);
        for (number, content) in here.iter().enumerate() {
            for player in Player::BOTH {
                for (place, part) in self.parts.iter().enumerate() {
                    for to in numbering.steps(*part, player, content[place]) {
                        let mut there = content.clone();
                        there[place] = *to;
                        let new = *numbers.entry(there.clone()).or_insert_with(|| {
                            next.push(there);
                            fit::<u32>(next.len()) - 1
                        });
                        if !steps[player][number].contains(&new) {
                            steps[player][number].push(new);
                        }
                    }
                }
            }
        }
        (next, steps)
    }
}

/// Builds the tests of a product.
struct TestBuilder<'a> {
    numbering: &'a Numbering,
    ruleset: &'a Ruleset,
    grown: Vec<GrownComponent>,
    lines: Vec<Vec<EndingCells>>,
}

impl TestBuilder<'_> {
    /// Converts a condition to a test; returns `None` if it is of another kind.
    fn test(&mut self, condition: &Bool) -> Option<Formula<Test>> {
        match condition {
            Bool::Constant(truth) => Some(Formula::Constant(*truth)),
            Bool::Line(line) => {
                let Plane::Field(field) = line.0 else {
                    return None;
                };
                let cells = line.1.cells();
                let lines = cells.filter_map(|cells| {
                    let mut bits = BitSet::none(self.numbering.constants.values.words().len());
                    cells
                        .into_iter()
                        .for_each(|cell| bits.add(field.bit(fit::<u32>(cell))));
                    self.line(&bits)
                });
                let lines = lines.collect();
                self.lines.push(lines);
                Some(Formula::Atom(Test::Line(self.lines.len() - 1)))
            }
            Bool::Not(inner) => self
                // A negated count is a count itself, which the levels determine as a whole.
                .count(condition)
                .or_else(|| Some(Formula::Not(Box::new(self.test(inner)?)))),
            Bool::All(parts) => parts
                .iter()
                .map(|part| self.test(part))
                .collect::<Option<_>>()
                .map(Formula::All),
            Bool::Any(parts) => parts
                .iter()
                .map(|part| self.test(part))
                .collect::<Option<_>>()
                .map(Formula::Any),
            _ => self.count(condition),
        }
    }

    /// Returns the cells of a line by component; `None` if one of them can never be the player's.
    fn line(&self, bits: &BitSet) -> Option<EndingCells> {
        let ConstantBits { mask, values } = &self.numbering.constants;
        let constant = State(
            mask.0
                .words()
                .iter()
                .zip(bits.0.words())
                .map(|(mask, bits)| mask & bits)
                .collect(),
        );
        // A cell of the line lies outside of all parts and is not the player's.
        if bits.of(values) != constant {
            return None;
        }
        let mut needs = Vec::new();
        for (component, grown) in self.grown.iter().enumerate() {
            let here: Vec<(usize, State)> = grown
                .parts
                .iter()
                .enumerate()
                .filter_map(|(place, part)| {
                    let mask = &self.numbering.parts[*part].mask;
                    bits.meets(mask).then(|| (place, mask.of(&bits.0)))
                })
                .collect();
            if here.is_empty() {
                continue;
            }
            let complete = |content: &Tuple| {
                here.iter().all(|(place, wanted)| {
                    let part: &StatePart = &self.numbering.parts[grown.parts[*place]];
                    bits.of(&part.contents[content[*place] as usize]) == *wanted
                })
            };
            let by_level = grown
                .contents
                .iter()
                .map(|contents| contents.iter().map(complete).collect());
            needs.push((component, by_level.collect()));
        }
        Some(EndingCells { needs })
    }

    /// Converts a condition to a comparison of counts, if the levels determine it.
    fn count(&self, condition: &Bool) -> Option<Formula<Test>> {
        let parts: Vec<&StatePart> = self.numbering.parts.iter().collect();
        let additive = Additive::of(
            condition,
            self.ruleset,
            &self.numbering.constants.values,
            &parts,
        )?;
        let worth = |grown: &GrownComponent| {
            let of = |content: &Tuple| -> i64 {
                let each = grown.parts.iter().zip(content);
                each.map(|(part, content)| additive.worth[*part][*content as usize])
                    .sum()
            };
            let level = |contents: &Vec<Tuple>| {
                let first = of(contents.first()?);
                contents
                    .iter()
                    .all(|content| of(content) == first)
                    // The levels determine the count only if all contents of a level agree.
                    .then_some(first)
            };
            grown
                .contents
                .iter()
                .map(level)
                .collect::<Option<Vec<i64>>>()
        };
        let worth = self.grown.iter().map(worth).collect::<Option<Vec<_>>>()?;
        Some(Formula::Atom(Test::Count(SumComparison {
            worth,
            additive,
        })))
    }
}

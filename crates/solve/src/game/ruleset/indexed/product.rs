//! Rulesets whose positions are products: every move changes one *component*, whatever the others
//! contain.
//!
//! A component's contents are told by *level*: how many moves have been made in it since the start.
//! So a position after m moves belongs to the *levels* of its components, which add up to m; the
//! contents of each component at its level can be anything that so many moves make of it. Boards on
//! which pieces are placed or dropped are of this kind: a component is a column, or some cells.
//!
//! What ends the game must be lines of one player's cells, or a comparison of counts that the
//! levels alone decide, or made of these.

use rustc_hash::FxHashMap;

use super::additive::Additive;
use super::parts::{StatePart, Tuple};
use super::reads::BitSet;
use super::{Numbering, Ruleset, State};
use crate::game::ruleset::endings::EndingProgram;
use crate::game::ruleset::formula::Formula;
use crate::game::ruleset::program::{Bool, Plane};
use crate::player::{Ending, PerPlayer, Player};

/// Parts are joined to components as long as these have no more contents.
const JOINED: usize = 128;

/// The most contents of a component at one level.
const MOST: usize = 1 << 16;

/// A ruleset as a product, from a position on.
#[derive(Debug)]
pub struct Product {
    /// What moves change.
    pub components: Vec<Component>,
    /// The tests that end the game, in order.
    pub endings: Vec<(Formula<Test>, Ending)>,
    /// The sets of lines that tests look for.
    pub lines: Vec<Vec<EndingCells>>,
    /// How the game ends for a player who is to move and cannot; without, the opponent moves.
    pub stuck: PerPlayer<Option<Ending>>,
}

/// A part of the position that moves change alone.
#[derive(Debug, PartialEq)]
pub struct Component {
    /// Its contents after so many moves in it.
    pub levels: Vec<ComponentLevel>,
}

/// What a component can contain after a number of moves in it.
#[derive(Debug, PartialEq)]
pub struct ComponentLevel {
    /// How many contents there are.
    pub len: usize,
    /// By content: the contents of the next level that a player's moves make of it. Empty at the
    /// last level; before that both players can move from every content.
    pub steps: PerPlayer<Vec<Vec<u32>>>,
}

/// Cells of one player that end the game together.
#[derive(Debug)]
pub struct EndingCells {
    /// The components in which they lie, in order, and by level and content whether those of the
    /// line that lie there are the player's.
    pub needs: Vec<(usize, Vec<Vec<bool>>)>,
}

/// What ends the game, or not.
#[derive(Debug)]
pub enum Test {
    /// Whether a line of this set is complete.
    Line(usize),
    /// Whether a count, which the levels tell, compares as it should.
    Count(SumComparison),
}

/// A comparison of a sum over the components.
#[derive(Debug)]
pub struct SumComparison {
    /// By component and level.
    worth: Vec<Vec<i64>>,
    additive: Additive,
}

impl Product {
    /// Whether it stays the same if its components are taken in reverse order.
    ///
    /// **Lemma.** Then a position and its *mirror image*, the contents in reverse order, are worth
    /// the same, wherever play is stopped. *Proof.* A player's moves from the one are the mirror
    /// images of those from the other, as a component and the one that it is exchanged with have
    /// the same steps; lines of a set are exchanged with lines of the same set, and sums over the
    /// levels stay what they are. So plays become plays that end alike. ∎
    pub fn is_its_mirror_image(&self) -> bool {
        let last = self.components.len().saturating_sub(1);
        // An exchange that leads from each line to one of the same set leads from all to all.
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
    /// By component and level how much more it is worth than at the start.
    fn gains(&self) -> impl DoubleEndedIterator<Item = Vec<i64>> {
        self.worth
            .iter()
            .map(|worth| worth.iter().map(|here| here - worth[0]).collect())
    }

    /// Whether it holds at these levels.
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
    /// The ruleset as a product from a position on, as far as so many moves lead; `None` if it is
    /// none.
    pub fn product(&self, ruleset: &Ruleset, state: &State, moves: u32) -> Option<Product> {
        let is_guarded = Player::BOTH
            .iter()
            .any(|player| !self.guarded_moves[*player].is_empty());
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

    /// The parts as they stand in the state, for a board to be its mirror image; those of few
    /// contents together.
    fn joined(&self) -> Vec<Vec<usize>> {
        let mut joined: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut parts: Vec<usize> = (0..self.parts.len()).collect();
        parts.sort_by_key(|part| self.parts[*part].mask.first());
        for index in parts {
            let contents = self.parts[index].contents.len();
            match joined.last_mut() {
                Some((size, parts)) if *size * contents <= JOINED => {
                    *size *= contents;
                    parts.push(index);
                }
                _ => joined.push((contents, vec![index])),
            }
        }
        joined.into_iter().map(|(_, parts)| parts).collect()
    }

    /// What a player's moves make of a content of a part.
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
    /// By level and content: those of the parts.
    contents: Vec<Vec<Tuple>>,
}

impl GrownComponent {
    /// Everything that so many moves can make of some parts; `None` if there are too many contents,
    /// or both players can move from some contents of a level and not from others.
    fn new(numbering: &Numbering, parts: Vec<usize>, start: &[usize], moves: u32) -> Option<Self> {
        let first: Tuple = parts.iter().map(|part| start[*part] as u32).collect();
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

    /// The contents that one more move leads to, with the steps there.
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
                            next.len() as u32 - 1
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

/// Tests being made.
struct TestBuilder<'a> {
    numbering: &'a Numbering,
    ruleset: &'a Ruleset,
    grown: Vec<GrownComponent>,
    lines: Vec<Vec<EndingCells>>,
}

impl TestBuilder<'_> {
    /// A condition as a test; `None` if it is of another kind.
    fn test(&mut self, condition: &Bool) -> Option<Formula<Test>> {
        match condition {
            Bool::Constant(truth) => Some(Formula::Constant(*truth)),
            Bool::Line(line) => {
                let Plane::Field(field) = line.0 else {
                    return None;
                };
                let cells = line.1.cells();
                let lines = cells.filter_map(|cells| {
                    let mut bits = BitSet::none(self.numbering.base.1.words().len());
                    cells
                        .into_iter()
                        .for_each(|cell| bits.add(field.bit(cell as u32)));
                    self.line(&bits)
                });
                let lines = lines.collect();
                self.lines.push(lines);
                Some(Formula::Atom(Test::Line(self.lines.len() - 1)))
            }
            Bool::Not(inner) => self
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

    /// The cells of a line by component; `None` if one of them never is the player's.
    fn line(&self, bits: &BitSet) -> Option<EndingCells> {
        let (mask, base) = &self.numbering.base;
        let constant = State(
            mask.0
                .words()
                .iter()
                .zip(bits.0.words())
                .map(|(mask, bits)| mask & bits)
                .collect(),
        );
        if bits.of(base) != constant {
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

    /// A comparison of counts, if the levels decide it.
    fn count(&self, condition: &Bool) -> Option<Formula<Test>> {
        let parts: Vec<&StatePart> = self.numbering.parts.iter().collect();
        let additive = Additive::of(condition, self.ruleset, &self.numbering.base.1, &parts)?;
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

//! The theorems: the statement about the game for each question, and the check of the theory that
//! proves it.

use std::fmt::Write;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::super::{agrees, count};
use super::claims::{RankedOutcomes, RankedValues, StairClaims, seen_by};
use super::{GameWriter, refused};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::report::Report;
use crate::rules::{Rules, TieBreak, Winner};
use crate::verify::AskedQuantity;
use crate::verify::format::{Claim, Fraction, ListedPurses};
use crate::verify::notation::notation;
use crate::verify::stairs;

/// Returns the rules of bidding with chips as the theory names them.
fn bidding(rules: &Rules) -> String {
    if stairs::applies(rules) {
        return "develin_payne".to_owned();
    }
    let ties = match rules.ties {
        TieBreak::Advantage => "advantage",
        TieBreak::Marker => "marker",
        TieBreak::MakeItTakeIt => "make_it_take_it",
        TieBreak::LosersBall => "losers_ball",
        _ => "fixed",
    };
    let winner = match rules.winner {
        Winner::Chooses => "chooses",
        Winner::Moves => "must_move",
    };
    format!("(Rules {ties} {winner})")
}

/// Returns the possible holders of the tie status, as far as the rules leave this open.
fn holders(rules: &Rules) -> &'static [Player] {
    match rules.ties {
        // One player wins all ties, so that a second theorem would repeat the first.
        TieBreak::LadiesFirst => &[Player::Alice],
        TieBreak::GentlemenFirst => &[Player::Bob],
        _ => &[Player::Alice, Player::Bob],
    }
}

/// Formats a number of half chips as the theory writes it.
fn chips(halves: i32) -> String {
    let kind = if halves % 2 == 0 { "Chip" } else { "Star" };
    format!("({kind} {})", halves / 2)
}

impl GameWriter<'_, '_> {
    pub(super) fn prove(&mut self, asked: &AskedQuantity, answer: &Report) -> Result<()> {
        match asked {
            AskedQuantity::Richman => self.real_money(answer),
            AskedQuantity::Thresholds(totals) => self.thresholds(totals, answer),
            AskedQuantity::Outcome(purses) => self.outcome(purses, answer),
            AskedQuantity::Probability(_)
            | AskedQuantity::Against(_)
            | AskedQuantity::Credit(_)
            | AskedQuantity::AllPay(_)
            | AskedQuantity::Nash(_) => Err(refused("this question is not in the theory")),
        }
    }

    /// Returns a name with the prefix of this game.
    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn theorem(&mut self, kind: &str, name: &str, statement: &str, proof: &str) {
        let _ = writeln!(
            self.file.theorems,
            "\n{kind} {name} :\n  {statement}.\nProof. {proof} Qed."
        );
    }

    fn real_money(&mut self, answer: &Report) -> Result<()> {
        let values = RankedValues::of(self.prover)?;
        let (above, below) = (values.numerators[0].clone(), values.denominator.clone());
        let value = BigRational::new(above.clone().into(), below.clone().into());
        agrees(
            &Claim::Richman {
                answer: Fraction(value.clone()),
            },
            answer,
        )?;
        let listing = self.named("listing");
        self.list(&listing, &values)?;
        let (numer, denom): (&BigInt, &BigInt) = (value.numer(), value.denom());
        let translated = &self.translated;
        let statement = format!(
            "critical {} {} ({numer} # {denom})",
            translated.game, translated.start
        );
        let proof = format!("by_values {below}%positive {listing} {above}%N.");
        self.theorem(
            "Theorem",
            &format!("R_{}", self.translated.name.clone()),
            &statement,
            &proof,
        );
        Ok(())
    }

    fn thresholds(&mut self, totals: &[i64], answer: &Report) -> Result<()> {
        let mut answers = Vec::new();
        for total in totals {
            let total = count(*total)?;
            if total < 0 {
                return Err(refused("a total is not negative"));
            }
            let listing = match totals {
                [_] => self.named("listing"),
                _ => self.named(&format!("listing_{total}")),
            };
            let answer = if stairs::applies(self.prover.graph.rules) {
                self.threshold_by_halves(total, &listing)?
            } else {
                self.threshold_by_bids(total, &listing)?
            };
            answers.push(answer);
        }
        let totals = totals
            .iter()
            .map(|total| count(*total))
            .collect::<Result<Vec<_>>>()?;
        agrees(&Claim::Thresholds { totals, answers }, answer)
    }

    /// Proves `f(G, k)` by Theorem 3.7.
    fn threshold_by_halves(&mut self, total: i32, listing: &str) -> Result<String> {
        let halves = self.threshold_in_halves(total, listing)?;
        Ok(stairs::notation(Player::Alice, total, halves))
    }

    /// Proves the threshold in half chips, and returns it.
    pub(super) fn threshold_in_halves(&mut self, total: i32, listing: &str) -> Result<i32> {
        let claims = StairClaims::of(self.prover, Player::Alice, total)?;
        self.list(listing, &claims)?;
        let halves = stairs::last_threshold(&claims.rows[0], total);
        let translated = &self.translated;
        let statement = format!(
            "f_is {} {} {total} {}",
            translated.game,
            translated.start,
            chips(halves)
        );
        let name = format!("f_{}_{total}", translated.name);
        let proof = format!("by_thresholds {total}%N {listing} {halves}%N.");
        self.theorem("Theorem", &name, &statement, &proof);
        Ok(halves)
    }

    /// Proves `f(G, k)` under other rules, by all bids: a threshold for each holder of the tie
    /// status.
    fn threshold_by_bids(&mut self, total: i32, listing: &str) -> Result<String> {
        let outcomes = RankedOutcomes::of(self.prover, Player::Alice, total)?;
        self.list(listing, &outcomes)?;
        let game = self.translated.game.clone();
        let checked = self.check_outcomes(total, listing, &game);
        let rules = bidding(self.prover.graph.rules);
        for holder in holders(self.prover.graph.rules) {
            let Some(threshold) = outcomes.threshold(0, *holder) else {
                return Err(refused(
                    "more chips do not always win where fewer do, so there is no threshold",
                ));
            };
            let translated = &self.translated;
            let statement = format!(
                "threshold {} {rules} {} {total} {} {threshold}",
                translated.game,
                translated.start,
                holder.name()
            );
            let name = format!("threshold_{}_{total}_{}", translated.name, holder.name());
            self.theorem(
                "Theorem",
                &name,
                &statement,
                &format!("by_outcomes {checked}."),
            );
        }
        let alone = match holders(self.prover.graph.rules) {
            [one] => Some(*one),
            _ => None,
        };
        Ok(notation(
            self.prover.graph.rules.ties,
            total,
            |chips, status| {
                let holder = alone.unwrap_or(Player::BOTH[status]);
                usize::try_from(chips).is_ok_and(|chips| outcomes.wins(0, holder, chips))
            },
        ))
    }

    /// Writes the lemma that a listing of outcomes passes its check.
    fn check_outcomes(&mut self, total: i32, listing: &str, game: &str) -> String {
        let rules = bidding(self.prover.graph.rules);
        let statement =
            format!("all_hold (outcomes_ok (G := {game}) {rules} {total}) {listing} = true");
        self.check(listing, &statement)
    }

    /// Writes the lemma that a listing passes a check, and returns its name.
    fn check(&mut self, listing: &str, statement: &str) -> String {
        let name = listing.replace("listing", "checked");
        let proof = "vm_cast_no_check (eq_refl true).";
        self.theorem("Lemma", &name, statement, proof);
        name
    }

    /// Proves `G(a*, b)`: a player forces a win, or each player prevents the other's win.
    fn outcome(&mut self, purses: &ListedPurses, answer: &Report) -> Result<()> {
        let total = count(i64::from(purses.alice) + i64::from(purses.bob))?;
        let holder = match holders(self.prover.graph.rules) {
            [one] => *one,
            _ => purses.holder.unwrap_or(Player::Alice),
        };
        let Some(words) = answered(answer) else {
            return Err(refused("the theory has no undetermined outcomes"));
        };
        agrees(
            &Claim::Outcome {
                purses: *purses,
                answer: words.to_owned(),
            },
            answer,
        )?;
        let game = &self.translated.game;
        let inner = game
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let state = format!(
            "(State (G := {}) {} {} {} {})",
            inner.unwrap_or(game),
            self.translated.start,
            purses.alice,
            purses.bob,
            holder.name()
        );
        let arena = format!(
            "(with_chips {} {})",
            self.translated.game,
            bidding(self.prover.graph.rules)
        );
        let name = format!("outcome_{}", self.translated.name);
        let purses = ListedPurses {
            holder: Some(holder),
            ..*purses
        };
        let (statement, proof) = match words {
            "alice" | "bob" => {
                let player = if words == "alice" {
                    Player::Alice
                } else {
                    Player::Bob
                };
                let proof = self.side(player, true, &purses, total)?;
                (format!("forces {arena} {} {state}", player.name()), proof)
            }
            _ => {
                // Alice's listing shows that she cannot win, and Bob's that he cannot.
                let [of_alice, of_bob] = [
                    self.side(Player::Alice, false, &purses, total)?,
                    self.side(Player::Bob, false, &purses, total)?,
                ];
                let statement =
                    format!("avoids {arena} Bob {state} /\\ avoids {arena} Alice {state}");
                let proof = format!(
                    "split; [ {} | {} ].",
                    of_alice.trim_end_matches('.'),
                    of_bob.trim_end_matches('.')
                );
                (statement, proof)
            }
        };
        self.theorem("Theorem", &name, &statement, &proof);
        Ok(())
    }

    /// Lists the winners from the view of a player, and checks that the player wins, or does not.
    /// Returns the tactic that proves it. `purses` has the holder of the status.
    fn side(
        &mut self,
        player: Player,
        wins: bool,
        purses: &ListedPurses,
        total: i32,
    ) -> Result<String> {
        let (listing, chips, game) = match player {
            Player::Alice => ("listing", purses.alice, self.translated.game.clone()),
            Player::Bob => (
                "bobs_listing",
                purses.bob,
                format!("(conjugate {})", self.translated.game),
            ),
        };
        let refuse = || refused("the theorem would prove another answer; this is a bug in bid");
        if !stairs::applies(self.prover.graph.rules) {
            let outcomes = RankedOutcomes::of(self.prover, player, total)?;
            let chips = usize::try_from(chips).map_err(|_| refuse())?;
            let holder = seen_by(player, purses.holder.unwrap_or(Player::Alice));
            if outcomes.wins(0, holder, chips) != wins {
                return Err(refuse());
            }
            self.list(listing, &outcomes)?;
            let checked = self.check_outcomes(total, listing, &game);
            return Ok(format!("by_all_bids {checked}."));
        }
        let claims = StairClaims::of(self.prover, player, total)?;
        let halves = stairs::last_threshold(&claims.rows[0], total);
        if (i64::from(halves) <= stairs::purse(purses, player)) != wins {
            return Err(refuse());
        }
        self.list(listing, &claims)?;
        let statement = format!(
            "thresholds_check (G := {game}) {total} {listing} {} {halves} = true",
            self.translated.start
        );
        let checked = self.check(listing, &statement);
        Ok(format!("by_chips {checked}."))
    }
}

/// Returns the word of an outcome that a theorem can state.
fn answered(answer: &Report) -> Option<&'static str> {
    let said = answer.to_string();
    ["alice", "bob", "draw"]
        .into_iter()
        .find(|word| *word == said)
}

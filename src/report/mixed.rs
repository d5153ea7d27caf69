//! Optimal mixed bids: both players' distributions, what each does on winning, and their drawing as bars.

use std::fmt::Write;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{Bounds, Decision, Interval, Scalar};
use crate::player::Player;

/// What a value of mixed bids measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// The probability with which Alice wins.
    Probability,
    /// The expected score, positive for Alice.
    Score,
}

impl Worth {
    /// The name in exports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Probability => "probability",
            Self::Score => "score",
        }
    }

    /// What comes before the value.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Probability => "alice wins with probability",
            Self::Score => "the expected score for Alice is",
        }
    }
}

/// Both players' optimal bids with the value that they prove.
#[derive(Debug, Clone, PartialEq)]
pub struct Nash {
    /// What the value measures.
    pub worth: Worth,
    /// The value: a rational or an interval.
    pub value: Scalar,
    /// How the bids were found.
    pub method: &'static str,
    /// Alice's and Bob's; none if the game is over.
    pub players: Vec<MixedBid>,
}

/// A player's optimal mixed bid.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedBid {
    /// Whose.
    pub player: Player,
    /// What the player holds, with the star if there is one: `10`, `4*`.
    pub chips: String,
    /// The bids that are made with their probabilities, the least first.
    pub bids: Vec<(BigInt, Weight)>,
    /// What the player does on winning, by the chips left.
    pub decisions: Vec<Decided>,
}

/// The probability of a bid.
#[derive(Debug, Clone, PartialEq)]
pub enum Weight {
    /// Exact.
    Exact(num_rational::BigRational),
    /// One of a mixed bid whose value is certified: as good as any other that proves as much.
    Float(f64),
}

/// What the winner of a bid does while these chips are left.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The fewest and the most chips left, with the star if the player has it: `4*`.
    pub chips: (String, String),
    /// What to do.
    pub decision: Decision,
    /// The position that follows, also where the opponent is let move.
    pub position: String,
}

impl Weight {
    /// The nearest floating-point number.
    pub fn approximate(&self) -> f64 {
        match self {
            Self::Exact(exact) => exact.to_f64().unwrap_or(0.0),
            Self::Float(weight) => *weight,
        }
    }

    /// The shortest text that gives it back.
    pub fn full(&self) -> String {
        match self {
            Self::Exact(exact) => exact.to_string(),
            Self::Float(weight) => weight.to_string(),
        }
    }

    /// For a column: a rational where it is short, else decimals.
    pub(super) fn short(&self) -> String {
        match self {
            Self::Exact(exact) if exact.to_string().len() <= RATIONAL_LONGEST => exact.to_string(),
            Self::Exact(_) | Self::Float(_) => format!("{:.8}", self.approximate()),
        }
    }
}

/// Longer rationals are shown as decimals in columns; exports have them in full.
const RATIONAL_LONGEST: usize = 15;
/// The length of the longest bar, in characters.
const BAR: f64 = 40.0;

impl Nash {
    /// For reading: numbers aligned, a bar for each bid.
    pub fn text(&self) -> String {
        let mut lines = vec![format!("{} {}", self.worth.sentence(), self.value)];
        lines.push(match self.value {
            Scalar::Interval(bounds) if bounds.low < bounds.high => {
                format!("found by {}; proved from {} to {}", self.method, bounds.low, bounds.high)
            }
            _ => format!("found by {}", self.method),
        });
        lines.extend(self.players.iter().map(MixedBid::text));
        lines.join("\n")
    }
}

impl MixedBid {
    fn text(&self) -> String {
        let bids: Vec<(String, String)> =
            self.bids.iter().map(|(bid, weight)| (bid.to_string(), weight.short())).collect();
        let width =
            |column: fn(&(String, String)) -> &String| bids.iter().map(|row| column(row).len()).max().unwrap_or(0);
        let (of_bid, of_weight) = (width(|row| &row.0).max(3), width(|row| &row.1));
        let mut lines = vec![format!("\n{} with {}", self.player.word(), self.chips), format!("  {:>of_bid$}", "bid")];
        for ((bid, weight), (_, exact)) in bids.iter().zip(&self.bids) {
            lines.push(
                format!("  {bid:>of_bid$}  {weight:<of_weight$}  {}", bar(self.share(exact))).trim_end().to_owned(),
            );
        }
        lines.extend(self.decisions.iter().map(|decided| format!("  {}", decided.text(self.player))));
        lines.join("\n")
    }

    /// A weight as part of the greatest one.
    fn share(&self, weight: &Weight) -> f64 {
        let greatest = self.bids.iter().map(|(_, weight)| weight.approximate()).fold(0.0, f64::max);
        if greatest > 0.0 { weight.approximate() / greatest } else { 0.0 }
    }
}

impl Decided {
    pub(super) fn text(&self, winner: Player) -> String {
        let (least, most) = &self.chips;
        let left = if least == most { least.clone() } else { format!("{least} to {most}") };
        let what = match &self.decision {
            Decision::Move(ply) if ply.action.is_empty() => format!("move to {}", self.position),
            Decision::Move(ply) => format!("{} to {}", ply.action, self.position),
            Decision::LetMove => format!("let {} move, to {}", winner.other().word(), self.position),
        };
        format!("on winning with {left} left: {what}")
    }
}

/// A bar of up to forty characters, to an eighth of one.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * BAR * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// Both distributions as a picture, one above the other over the same bids; Okabe and Ito's vermilion and blue.
pub fn svg(nash: &Nash) -> String {
    const PANEL: f64 = 190.0;
    let height = PANEL * nash.players.len() as f64 + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Optimal mixed bids</title>\n\
         <text x=\"60\" y=\"20\">{} {}</text>\n",
        nash.worth.sentence(),
        nash.value
    );
    let highest = nash.players.iter().filter_map(|mixed| mixed.bids.last().and_then(|(bid, _)| bid.to_u64())).max();
    for (index, mixed) in nash.players.iter().enumerate() {
        panel(&mut svg, mixed, highest.unwrap_or(0), 46.0 + PANEL * index as f64);
    }
    svg.push_str("</svg>");
    svg
}

/// One player's bars, with room for bids up to the highest that either player makes.
fn panel(svg: &mut String, mixed: &MixedBid, highest: u64, top: f64) {
    const TALL: f64 = 120.0;
    let colour = match mixed.player {
        Player::Alice => "#D55E00",
        Player::Bob => "#0072B2",
    };
    let step = 560.0 / (highest as f64 + 1.0);
    let base = top + TALL + 10.0;
    let greatest = mixed.bids.iter().map(|(_, weight)| weight.approximate()).fold(0.0, f64::max);
    let mut line = |text: String| writeln!(svg, "{text}").expect("writing to a string succeeds");
    line(format!("<text x=\"60\" y=\"{top}\">{} with {}</text>", mixed.player.name(), mixed.chips));
    line(format!("<text x=\"52\" y=\"{}\" text-anchor=\"end\">{greatest:.3}</text>", top + 20.0));
    for (bid, weight) in &mixed.bids {
        let (x, tall) = (60.0 + step * bid.to_f64().unwrap_or(0.0), TALL * mixed.share(weight));
        line(format!(
            "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{tall:.2}\" fill=\"{colour}\"><title>{bid}: {}</title></rect>",
            base - tall,
            step * 0.9,
            weight.full()
        ));
    }
    line(format!("<path d=\"M60 {} V{base} H620\" fill=\"none\" stroke=\"black\"/>", top + 10.0));
    for bid in (0..=highest).step_by(between_ticks(highest)) {
        let x = 60.0 + step * (bid as f64 + 0.45);
        line(format!("<text x=\"{x:.2}\" y=\"{}\" text-anchor=\"middle\">{bid}</text>", base + 14.0));
    }
    line(format!("<text x=\"340\" y=\"{}\" text-anchor=\"middle\">bid</text>", base + 28.0));
}

/// 1, 2 or 5 times a power of ten, so that at most eleven ticks are on the axis.
fn between_ticks(highest: u64) -> usize {
    let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
    let mut widths = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    widths.find(|width| highest / *width as u64 <= 10).expect("the last power is beyond all bids")
}

impl Interval {
    /// The middle to as many digits as the bounds agree on, and how far the bounds are from it.
    pub fn text(&self) -> String {
        if self.low == self.high {
            return self.low.to_string();
        }
        let exact = |bound| BigRational::from_float(bound).unwrap_or_default();
        Bounds { low: exact(self.low), high: exact(self.high) }.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_show_the_digits_that_are_known() {
        let text = |low, high| Interval { low, high }.text();
        assert_eq!(text(0.5, 0.5), "0.5");
        assert_eq!(text(0.25, 0.75), "0.50 ± 0.25");
        assert_eq!(text(0.333_333_333_333, 0.333_333_333_334), "0.3333333333335 ± 6e-13");
    }

    #[test]
    fn bars_are_drawn_to_an_eighth() {
        assert_eq!(bar(1.0), "█".repeat(40));
        assert_eq!(bar(0.5 / 40.0), "▌");
        assert_eq!(bar(0.0), "");
    }

    #[test]
    fn ticks_are_at_round_numbers() {
        assert_eq!(
            [0, 10, 11, 49, 55, 100, 199, u64::MAX].map(between_ticks),
            [1, 1, 2, 5, 10, 10, 20, 2_000_000_000_000_000_000]
        );
    }

    #[test]
    fn the_picture_has_a_bar_for_each_bid() {
        let half = || Weight::Exact(num_rational::BigRational::new(1.into(), 2.into()));
        let mixed = |player| MixedBid {
            player,
            chips: "1".into(),
            bids: vec![(0.into(), half()), (1.into(), half())],
            decisions: Vec::new(),
        };
        let value = Scalar::Rational(num_rational::BigRational::new(1.into(), 3.into()));
        let nash = Nash { worth: Worth::Probability, value, method: "exact", players: Player::BOTH.map(mixed).into() };
        let picture = svg(&nash);
        assert_eq!(picture.matches("<rect").count(), 4);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>") && picture.contains("probability 1/3"));
        assert!(nash.text().contains("  bid\n    0  1/2  ███"), "{}", nash.text());
    }
}

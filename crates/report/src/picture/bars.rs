//! Draws mixed bids as bars, in a panel for each player.

use std::fmt;

use num_traits::ToPrimitive;

use super::colour;
use super::frame::{DrawingFrame, NumberRange, round_step};
use super::svg::{LETTER, Svg};
use crate::{MixedBid, Nash, Page, text};

/// The length of the longest bar in the terminal, in characters.
const BAR: f64 = 40.0;

/// Writes the bids for reading: aligned numbers, a bar for each bid, and the player's decisions.
pub(super) fn told(nash: &Nash) -> String {
    nash.players
        .iter()
        .map(panel_text)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn panel_text(mixed: &MixedBid) -> String {
    let bids: Vec<(String, String)> = mixed
        .bids
        .iter()
        .map(|(bid, weight)| (bid.to_string(), weight.short()))
        .collect();
    let width = |column: fn(&(String, String)) -> &String| {
        bids.iter().map(|row| column(row).len()).max().unwrap_or(0)
    };
    let (of_bid, of_weight) = (width(|row| &row.0).max(3), width(|row| &row.1));
    let mut lines = vec![
        format!("{} with {}", mixed.player.word(), mixed.chips),
        format!("  {:>of_bid$}", "bid"),
    ];
    for ((bid, weight), (_, exact)) in bids.iter().zip(&mixed.bids) {
        let bar = bar(mixed.share(exact));
        lines.push(
            format!("  {bid:>of_bid$}  {weight:<of_weight$}  {bar}")
                // A bid that is hardly ever made has an empty bar.
                .trim_end()
                .to_owned(),
        );
    }
    lines.extend(
        mixed
            .decisions
            .iter()
            .map(|decided| format!("  {}", decided.sentence())),
    );
    lines.join("\n")
}

/// Draws a bar of up to forty characters, to the nearest eighth of a character.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * BAR * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// Draws both distributions, one above the other over the same bids.
pub(super) fn svg(nash: &Nash, page: &mut Page<'_>) -> fmt::Result {
    const PANEL: f64 = 206.0;
    let height = PANEL * nash.players.len() as f64 + 30.0;
    let sentence = page.part(|page| text::line(&nash.sentence(), page))?;
    let highest = nash
        .players
        .iter()
        .filter_map(|mixed| mixed.bids.last().and_then(|(bid, _)| bid.to_f64()));
    let highest = highest.fold(0.0, f64::max);
    Svg::draw(page, "Optimal mixed bids", (640.0, height), |svg| {
        svg.text((60.0, 20.0), "start", &sentence)?;
        for (index, mixed) in nash.players.iter().enumerate() {
            panel(svg, mixed, highest, 46.0 + PANEL * index as f64)?;
        }
        Ok(())
    })
}

/// Returns the range of a player's probabilities, with some room above the greatest.
fn shares(mixed: &MixedBid) -> NumberRange {
    const ROOM: f64 = 1.15;
    NumberRange {
        low: 0.0,
        high: mixed.greatest() * ROOM,
    }
    .wide()
}

/// Draws one player's bars, with room for bids up to the highest that either player makes.
fn panel(svg: &mut Svg<'_, '_>, mixed: &MixedBid, highest: f64, top: f64) -> fmt::Result {
    /// The longest weight written in full above its bar. Longer ones are rounded there, and the
    /// full weight appears under the pointer.
    const MOST_DIGITS: usize = 6;
    /// The part of a bid's room that its bar fills.
    const FULL: f64 = 0.9;
    let frame = DrawingFrame {
        left: 60.0,
        top: top + 34.0,
        width: 560.0,
        height: 112.0,
    };
    svg.text((60.0, top), "start", &mixed.title())?;
    let bids = NumberRange {
        low: -FULL / 2.0,
        high: highest + 1.0 - FULL / 2.0,
    };
    for (bid, weight) in &mixed.bids {
        let share = shares(mixed).part(weight.approximate());
        let corner = frame.at((bids.part(bid.to_f64().unwrap_or(0.0) - FULL / 2.0), share));
        let size = (frame.width * FULL / (highest + 1.0), frame.height * share);
        svg.rectangle(
            corner,
            size,
            &[("fill", colour(mixed.player))],
            Some(&format!("{bid}: {}", weight.full())),
        )?;
        let short = Some(weight.short()).filter(|short| short.chars().count() <= MOST_DIGITS);
        let short = short.unwrap_or_else(|| format!("{:.3}", weight.approximate()));
        // A number that is wider than its bar would run into the next one.
        if short.chars().count() as f64 * LETTER < size.0 {
            svg.text((corner.0 + size.0 / 2.0, corner.1 - 4.0), "middle", &short)?;
        }
    }
    let shares = shares(mixed);
    // A panel is low, so that only every other tick fits.
    let least = round_step(2.0 * (shares.high - shares.low));
    let axes = (bids.axis("bid", 1.0), shares.axis("probability", least));
    frame.draw_axes(svg, &axes.0, &axes.1)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;
    use crate::{MixedMeasure, Report, Weight};
    use bid_language::player::Player;
    use bid_language::scalar::Scalar;
    use bid_language::watch::Context;

    #[test]
    fn bars_are_drawn_to_an_eighth() {
        assert_eq!(bar(1.0), "█".repeat(40));
        assert_eq!(bar(0.5 / 40.0), "▌");
        assert_eq!(bar(0.0), "");
    }

    #[test]
    fn the_picture_has_a_bar_for_each_bid() {
        let half = || Weight::Exact(BigRational::new(1.into(), 2.into()));
        let mixed = |player| MixedBid {
            player,
            chips: "1".into(),
            bids: vec![(0.into(), half()), (1.into(), half())],
            decisions: Vec::new(),
        };
        let value = Scalar::Rational(BigRational::new(1.into(), 3.into()));
        let nash = Nash {
            worth: MixedMeasure::Probability,
            value,
            method: "exact",
            players: Player::both(mixed).into(),
        };
        let picture =
            Page::written(Context::plain(), |page| svg(&nash, page)).expect("nothing stops it");
        assert_eq!(picture.matches("<title>0: 1/2</title></rect>").count(), 2);
        assert_eq!(picture.matches("<rect x=").count(), 4);
        assert!(
            picture.starts_with("<svg")
                && picture.ends_with("</svg>")
                && picture.contains("probability 1/3")
        );
        let text = Report::Nash(nash).to_string();
        assert!(text.contains("  bid\n    0  1/2  ███"), "{text}");
    }
}

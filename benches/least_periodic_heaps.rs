//! Plots, for each total budget, the least heap from which unitary bidding cumulative subtraction
//! has period 2 for good. Writes an SVG to standard output: `cargo bench --bench
//! least_periodic_heaps > docs/least_periodic_heaps.svg`
//!
//! Each heap is proved by a repeated state of the whole table of values (see
//! `bid_solve::scoring::period`).

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "boards and powers are small"
)]

use std::error::Error;
use std::fmt::Write;

use bid_language::rules::preset;
use bid_language::watch::Context;
use bid_solve::scoring::{Takes, period};

const BUDGETS: u64 = 200;
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 56.0;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = preset("larsson").ok_or("the preset is in the table")?;
    let takes = Takes::new(vec![1], vec![1]).ok_or("a set of one number")?;
    let mut heaps = Vec::new();
    for total in 0..=BUDGETS {
        let found = period(&takes, &rules, total, 1_000_000, Context::plain())
            .map_err(|error| error.message)?;
        heaps.push(found.ok_or("a period is found")?.from as f64);
    }
    println!("{}", picture(&heaps));
    Ok(())
}

/// Draws the plot, with the bound h² − h + 1 for h = ⌈TB/2⌉ (docs/results.md).
fn picture(heaps: &[f64]) -> String {
    let most = (BUDGETS * BUDGETS) as f64 / 4.0;
    let bound = |total: f64| {
        let half = (total / 2.0).ceil();
        half * half - half + 1.0
    };
    let x = |total: f64| MARGIN + total * (WIDTH - 1.5 * MARGIN) / BUDGETS as f64;
    let y = |heap: f64| HEIGHT - MARGIN - heap * (HEIGHT - 1.5 * MARGIN) / most;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>The least heap from which the outcomes have period 2, by total budget</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut draw =
        |element: String| writeln!(svg, "{element}").expect("writing to a string succeeds");
    for total in (0..=BUDGETS).step_by(50) {
        let (at, base) = (x(total as f64), y(0.0));
        draw(format!(
            "<line x1=\"{at:.1}\" y1=\"{base:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            y(most)
        ));
        draw(format!(
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{total}</text>",
            base + 18.0
        ));
    }
    for heap in (0..=most as u64).step_by(2000) {
        let (at, left) = (y(heap as f64), x(0.0));
        draw(format!(
            "<line x1=\"{left:.1}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>",
            x(BUDGETS as f64)
        ));
        draw(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{heap}</text>",
            left - 6.0,
            at + 4.0
        ));
    }
    let curve: Vec<String> = (0..=BUDGETS)
        .map(|total| total as f64)
        .map(|t| format!("{:.1},{:.1}", x(t), y(bound(t))))
        .collect();
    draw(format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072B2\" stroke-dasharray=\"6 4\"/>",
        curve.join(" ")
    ));
    draw(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#0072B2\">bound h² − h + 1, h = ⌈TB/2⌉</text>",
        x(165.0),
        y(7600.0)
    ));
    for (total, heap) in heaps.iter().enumerate() {
        draw(format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.6\" fill=\"#D55E00\"/>",
            x(total as f64),
            y(*heap)
        ));
    }
    draw(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">total budget TB</text>",
        x(100.0),
        HEIGHT - 14.0
    ));
    draw(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#D55E00\">least heap with period 2</text>",
        x(122.0),
        y(1700.0)
    ));
    svg.push_str("</svg>");
    svg
}

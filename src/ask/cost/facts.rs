//! Words for costs.

use super::{BatchesCost, Cost, Count, Cycles, MostMemory, TimeRange};
use crate::diagnostic::counted;
use crate::report::{Report, fact};
use crate::watch::size;

impl Cost {
    /// Returns the costs as named facts.
    pub fn facts(&self) -> Vec<(String, Report)> {
        let (least, of_graph, rest) = match self.is_of_graph {
            true => (
                "at least ",
                " for the graph",
                " for the graph; the rest is known only during the run",
            ),
            false => ("", "", ""),
        };
        let positions = |count| match count {
            Count::Exactly(count) => Report::from(count),
            Count::MoreThan(fewer) => format!("more than {fewer}").into(),
            Count::AtMost(most) => format!("at most {most}").into(),
            Count::AtMostPower(bits) => format!("at most 2^{bits}").into(),
        };
        let memory = |bytes| format!("{least}{}", size(bytes));
        let disk = |bytes| format!("about {}", size(bytes));
        let most_memory = |most: MostMemory| {
            let stops = most.stops_at.map(|positions| {
                format!("; it stops if more than about {positions} positions can be reached")
            });
            let stops = stops.unwrap_or_default();
            format!("up to {}{of_graph}{stops}", size(most.bytes))
        };
        let time = |time: TimeRange| {
            let mixing = match time.least < time.most && self.moves.is_some() {
                true => ", the longer the more turns need mixed bids",
                false => "",
            };
            format!("{}{mixing}{rest}", time.words())
        };
        let unbounded = (!self.unbounded.is_empty()).then(|| {
            let names: Vec<String> = self
                .unbounded
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            let names = names.join(" and ");
            fact(
                "unbounded",
                format!("the rules show no bound of {names}, so the state may grow without end"),
            )
        });
        let facts = [
            self.positions
                .map(|count| fact("positions", positions(count))),
            unbounded,
            self.moves.map(|moves| fact("moves", moves)),
            self.cycles.map(|cycles| fact("cycles", cycles.words())),
            self.blocks.map(|blocks| fact("blocks", blocks)),
            self.batches.map(|batches| fact("batches", batches.words())),
            self.memory.map(|bytes| fact("memory", memory(bytes))),
            self.most_memory
                .map(|most| fact("memory", most_memory(most))),
            self.disk.map(|bytes| fact("disk", disk(bytes))),
            self.time.map(|range| fact("time", time(range))),
        ];
        facts.into_iter().flatten().collect()
    }
}

impl TimeRange {
    fn words(self) -> String {
        let most = duration(self.most);
        match self.least {
            _ if self.most < 1.0 => most,
            ..1.0 => format!("up to {most}"),
            least if duration(least) == most => most,
            least => format!(
                "{} to {}",
                duration(least),
                most.trim_start_matches("about ")
            ),
        }
    }
}

impl BatchesCost {
    fn words(self) -> String {
        let Self { count, chain, .. } = self;
        format!(
            "{count} for several machines, the longest {}; each reads at most {} of others; \
             {chain} in a row",
            duration(self.seconds),
            size(self.bytes)
        )
    }
}

impl Cycles {
    fn words(self) -> String {
        match self.parts {
            0 => "none".to_owned(),
            1 => format!("in one part of {}", counted(self.largest, "position")),
            parts => format!(
                "in {parts} parts, the largest of {}",
                counted(self.largest, "position")
            ),
        }
    }
}

/// Formats a duration in words, as coarse as the estimate is.
fn duration(seconds: f64) -> String {
    match seconds {
        ..1.0 => "less than a second".to_owned(),
        ..120.0 => format!("about {} s", seconds.ceil()),
        ..7200.0 => format!("about {} minutes", (seconds / 60.0).ceil()),
        ..172_800.0 => format!("about {} hours", (seconds / 3600.0).ceil()),
        _ => format!("about {} days", (seconds / 86_400.0).ceil()),
    }
}

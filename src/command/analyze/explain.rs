//! What one placement keeps and another gives up: counts of the two playfields, and play-outs.

use std::fmt::Write;

use serde::Serialize;

use super::text::topout;
use super::words::Names;
use maxout_engine::analysis::{Arrival, Choice, Estimate, Question};
use maxout_engine::text::rounded;

/// Facts in which two placements differ, the weightiest first: what ends a game, what brings points, then
/// what makes later pieces difficult. The order was chosen by hand, not measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Explanation {
    best: String,
    other: String,
    /// Rank of the other, from 1.
    against: usize,
    /// Points that the other is behind.
    gap: f64,
    facts: Vec<Fact>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Fact {
    fact: String,
    best: String,
    other: String,
    /// Are these figures of play-outs whose intervals overlap?
    overlap: bool,
}

/// Compares the best placement with that of rank `against`; `None` where there are fewer.
pub(crate) fn explain(question: &Question, choices: &[Choice], against: usize) -> Option<Explanation> {
    let (best, other) = (choices.first()?, choices.get(against.checked_sub(1)?)?);
    let arrival = |choice: &Choice| Arrival::of(&question.position.playfield, &choice.judged.promises);
    let names = Names::of(&question.position.playfield, choices);
    let name = |choice: &Choice| names.name(choice.judged.placement);
    let mut facts = Vec::new();
    let mut tell = |fact: String, of: &dyn Fn(&Choice) -> String| {
        let (best, other) = (of(best), of(other));
        if best != other {
            facts.push(Fact { fact, best, other, overlap: false });
        }
    };
    tell("topout chance".to_owned(), &|choice| choice.played_on.map_or(String::new(), |played| topout(&played.topout)));
    let pieces = question.play_outs.pieces;
    tell(format!("points of the next {pieces} pieces"), &|choice| {
        choice.played_on.map_or(String::new(), |played| interval(&played.points))
    });
    tell("rows cleared now".to_owned(), &|choice| choice.judged.clears.to_string());
    tell("tetris-ready".to_owned(), &|choice| yes(choice.measure.is_tetris_ready));
    tell("holes".to_owned(), &|choice| choice.measure.holes.to_string());
    tell("holes that need a tuck or spin".to_owned(), &|choice| choice.measure.tucks_needed.to_string());
    tell("pieces without a clean place".to_owned(), &|choice| {
        let pieces: String = choice.measure.homeless_pieces().map(|piece| piece.letter()).collect();
        if pieces.is_empty() { "none".to_owned() } else { pieces }
    });
    tell("depends on the next piece, points".to_owned(), &|choice| format!("± {}", rounded(choice.dependence)));
    tell("height".to_owned(), &|choice| choice.measure.height.to_string());
    tell("well".to_owned(), &|choice| match choice.measure.well_column {
        Some(column) => format!("column {}, {} deep", column + 1, choice.measure.well_depth),
        None => "none".to_owned(),
    });
    tell("height differences beside the well".to_owned(), &|choice| choice.measure.bumpiness.to_string());
    tell("arrives by".to_owned(), &|choice| match arrival(choice) {
        (Arrival::Drop, _) => "falling".to_owned(),
        (way, Some(frame)) => format!("a {} at frame {frame}", way.name()),
        (way, None) => format!("a {}", way.name()),
    });
    if let (Some(a), Some(b)) = (best.played_on, other.played_on) {
        for fact in &mut facts {
            fact.overlap = match fact.fact.as_str() {
                "topout chance" => overlaps(&a.topout, &b.topout),
                text if text.starts_with("points of") => overlaps(&a.points, &b.points),
                _ => false,
            };
        }
    }
    let gap = (other.gap * 10.0).round() / 10.0;
    Some(Explanation { best: name(best), other: name(other), against, gap, facts })
}

fn overlaps(a: &Estimate, b: &Estimate) -> bool {
    a.low <= b.high && b.low <= a.high
}

fn interval(estimate: &Estimate) -> String {
    format!("{} ({} to {})", rounded(estimate.value), rounded(estimate.low), rounded(estimate.high))
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

impl Explanation {
    /// As a table.
    pub(crate) fn text(&self) -> String {
        let mut text =
            format!("\n1 {} against {} {}: {} points\n", self.best, self.against, self.other, rounded(self.gap));
        if self.facts.is_empty() {
            text += "  all counts and play-outs are equal\n";
            return text;
        }
        let width =
            |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        let (first, second, third) = (
            width(&mut self.facts.iter().map(|fact| &fact.fact)),
            width(&mut self.facts.iter().map(|fact| &fact.best).chain([&self.best])),
            width(&mut self.facts.iter().map(|fact| &fact.other).chain([&self.other])),
        );
        // Writing into a string does not fail.
        let _ = writeln!(text, "  {:first$}  {:second$}  {}", "", self.best, self.other);
        for fact in &self.facts {
            let overlap = if fact.overlap { "  (the intervals overlap)" } else { "" };
            let line = format!("  {:first$}  {:second$}  {:third$}{overlap}", fact.fact, fact.best, fact.other);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::analyze::request::{Request, analyst};
    use maxout_engine::planner::Settings;

    #[test]
    fn only_facts_that_differ_are_told_in_their_order() {
        let json = r#"{"playfield": "XXXXXXXXX.\nXXXXXXXXX.\nXXXX.XXXX.\nXXXX.XXXX.", "piece": "O", "next": "I",
            "level": 19, "lines": 60, "playouts": 20}"#;
        let request: Request = serde_json::from_str(json).unwrap();
        let question = request.question().unwrap();
        let answer = analyst(Settings::default()).unwrap().answer(&question);
        // Into the well it covers holes.
        let last = answer.choices.len();
        let told = explain(&question, &answer.choices, last).unwrap();
        let facts: Vec<&str> = told.facts.iter().map(|fact| fact.fact.as_str()).collect();
        assert!(facts.contains(&"holes") && !facts.contains(&"rows cleared now"), "{facts:?}");
        let place = |name: &str| facts.iter().position(|fact| *fact == name);
        assert!(
            place("points of the next 10 pieces") < place("holes")
                && place("holes") < place("depends on the next piece, points"),
            "{facts:?}"
        );
        assert!(told.facts.iter().all(|fact| fact.best != fact.other));
        assert!(explain(&question, &answer.choices, last + 1).is_none());
        let same = explain(&question, &answer.choices, 1).unwrap();
        assert!(same.facts.is_empty() && same.text().contains("are equal"));
    }
}

//! `--picture`: the playfield with the best placement and the second.

use std::path::Path;

use super::text::topout;
use super::words::{self, Names};
use crate::system::failure::Failure;
use maxout_engine::analysis::{Analyst, Answer, Choice, Press, Question};
use maxout_engine::planner::Sight;
use maxout_engine::text::{counted, rounded};
use maxout_lab::plot::{self, PlacementPicture};

/// Placements named beside the playfield. Chosen by hand: with the buttons they fill its height.
const NAMED: usize = 5;

/// Writes the picture.
pub(crate) fn write(path: &Path, analyst: &Analyst, question: &Question, answer: &Answer) -> Result<(), Failure> {
    plot::placement(path, &picture(analyst, question, answer)).map_err(Failure::run)
}

fn picture(analyst: &Analyst, question: &Question, answer: &Answer) -> PlacementPicture {
    let position = &question.position;
    let next = match question.sight {
        Sight::WithNext => position.next.letter().to_string(),
        Sight::WithoutNext => "unknown".to_owned(),
    };
    let mut lines = vec![
        (None, format!("level {}, {}", position.level, counted(position.lines.into(), "line"))),
        (None, analyst.settings().describe()),
        (None, String::new()),
    ];
    if answer.choices.is_empty() {
        lines.push((None, "Game over: the piece can reach no placement".to_owned()));
    }
    let names = Names::of(&position.playfield, &answer.choices);
    for (rank, choice) in answer.choices.iter().take(NAMED).enumerate() {
        let gap = if rank == 0 { String::new() } else { format!(", -{}", rounded(choice.gap)) };
        let name = names.name(choice.judged.placement);
        lines
            .push(((rank < 2).then_some(rank), format!("{} {name}: {} points{gap}", rank + 1, rounded(choice.points))));
        lines.extend(details(question, choice, rank).into_iter().map(|line| (None, line)));
    }
    let placement = |rank: usize| answer.choices.get(rank).map(|choice| choice.judged.placement);
    PlacementPicture {
        playfield: position.playfield,
        best: placement(0),
        second: placement(1),
        title: format!("{} falls, next {next}", position.piece.letter()),
        lines,
    }
}

/// More about the first two.
fn details(question: &Question, choice: &Choice, rank: usize) -> Vec<String> {
    if rank > 1 {
        return Vec::new();
    }
    let held = question.falling.held;
    let mut lines = vec![words::way(&question.position.playfield, choice, held)];
    if rank == 0 {
        lines.push(format!("by frame: {}", words::presses(&Press::all(&choice.judged.timeline, held))));
    }
    if let Some(played) = &choice.played_on {
        let interval = format!("{} to {}", rounded(played.points.low), rounded(played.points.high));
        lines.push(format!("next {} pieces: {} points ({interval})", played.pieces, rounded(played.points.value)));
        lines.push(format!("topout within them: {}", topout(&played.topout)));
    }
    if choice.measure.is_tetris_ready {
        lines.push("tetris-ready".to_owned());
    }
    lines
}

//! Grades as CSV: a row for each piece.

use super::words;
use crate::command::analyze::json::tenth;
use maxout_engine::analysis::grade::{Cause, GameGrade, GradedPiece, Within};

/// The names of the columns.
pub(super) const HEADER: &str = "file,game,piece,spawn_frame,landing_frame,falling,next,level,lines,score,\
expected_score,class,loss,cause,played,played_points,clears,best,best_points,best_clears,reachable,better,within,\
burn,best_burns,missed_tetris,unseen_tuck,lost_position,luck,drought,checked_loss,checked_low,checked_high\n";

/// The rows of a game, whose number in its file counts from 1.
pub(super) fn rows(file: &str, game: usize, grade: &GameGrade) -> String {
    let file = quoted(file);
    grade.pieces.iter().map(|piece| row(&file, game, piece)).collect()
}

fn row(file: &str, game: usize, piece: &GradedPiece) -> String {
    let position = &piece.position;
    let yes = |is: bool| u8::from(is).to_string();
    let checked = |number: fn(&maxout_engine::analysis::Estimate) -> f64| {
        piece.checked.as_ref().map_or(String::new(), |checked| tenth(number(&checked.difference)).to_string())
    };
    let fields = [
        file.to_owned(),
        game.to_string(),
        piece.number.to_string(),
        piece.spawn_frame.to_string(),
        piece.landing_frame.to_string(),
        position.piece.letter().to_string(),
        position.next.letter().to_string(),
        position.level.to_string(),
        position.lines.to_string(),
        piece.score.to_string(),
        tenth(piece.expected_score()).to_string(),
        piece.class.name().to_owned(),
        tenth(piece.loss).to_string(),
        piece.cause.map_or("", Cause::name).to_owned(),
        quoted(&words::place(piece.played.placement)),
        tenth(piece.played.points).to_string(),
        piece.played.clears.to_string(),
        quoted(&words::place(piece.best.placement)),
        tenth(piece.best.points).to_string(),
        piece.best.clears.to_string(),
        piece.reachable.to_string(),
        piece.better.to_string(),
        within(piece.within).to_owned(),
        yes(piece.is_burn()),
        yes(piece.best_burns()),
        yes(piece.is_missed_tetris()),
        yes(piece.is_unseen_tuck()),
        yes(piece.is_lost()),
        tenth(piece.luck).to_string(),
        piece.drought.to_string(),
        checked(|difference| difference.value),
        checked(|difference| difference.low),
        checked(|difference| difference.high),
    ];
    fields.join(",") + "\n"
}

fn within(within: Within) -> &'static str {
    match within {
        Within::Hand => "hand",
        Within::Fastest => "fastest",
        Within::Nothing => "nothing",
    }
}

/// A field that may have commas, quotes or line ends in it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

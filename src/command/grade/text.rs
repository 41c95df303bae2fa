//! Grades as text for a terminal: one screen a game, or a table of many.

use std::fmt::Write;

use super::words;
use maxout_engine::analysis::grade::{Cause, Class, DROUGHT, GameGrade, GradedPiece, MeasuredHand, Share, Totals};
use maxout_engine::game::MAXOUT;
use maxout_engine::text::{counted, rounded, thousands, visible};
use maxout_screen::numbers::score_text;

/// Worst placements that are listed. Chosen by hand: the summary fits a screen of 40 lines.
const WORST: usize = 5;
/// Droughts that are listed. Chosen by hand.
const DROUGHTS: usize = 3;

/// With a sign where it is not 0.
fn signed(number: f64) -> String {
    if number >= 0.5 { format!("+{}", rounded(number)) } else { rounded(number) }
}

/// A game.
pub(super) fn game(name: &str, grade: &GameGrade) -> String {
    let GameGrade { hand, measured, totals, plies, .. } = grade;
    let end = if grade.is_topped_out { "topped out" } else { "end of the recording" };
    let shown = grade.score.min(MAXOUT.into()) as u32;
    let mut text = format!(
        "{}: {} points, {}, {}, level {} to {}, {end}\n",
        visible(name),
        score_text(shown, grade.score),
        counted(grade.lines.into(), "line"),
        counted(totals.all.pieces.into(), "piece"),
        grade.start_level,
        grade.level
    );
    let mut line = |label: &str, words: &str| {
        // Writing into a string does not fail.
        let _ = writeln!(text, "{label:<18}{words}");
    };
    line("graded for", &format!("{}, {plies} {}", hand.describe(), if *plies == 1 { "ply" } else { "plies" }));
    line("measured", &measure(measured));
    let a_piece = totals.all.loss / f64::from(totals.all.pieces.max(1));
    let lost = match totals.lost_positions {
        0 => String::new(),
        lost => format!(
            "; {} where the game is lost already {} not count",
            counted(lost.into(), "piece"),
            if lost == 1 { "does" } else { "do" }
        ),
    };
    line("accuracy", &format!("{:.1} %{lost}", totals.accuracy));
    line("points lost", &format!("{}, {} a piece", rounded(totals.all.loss), rounded(a_piece)));
    line("without blunders", &format!("{} points", rounded(grade.score_without_blunders())));
    let i_share = 100.0 * f64::from(totals.i_pieces) / f64::from(totals.all.pieces.max(1));
    line("luck", &format!("{} points; {:.1} % I, 14.3 % are to be expected", signed(totals.luck), i_share));
    let used = 100.0 * totals.used_luck(grade.score);
    let even = rounded(grade.score_with_average_luck());
    line("average luck", &format!("{even} points: the score without the {used:.0} % of the luck that was used"));
    text += "\n                  pieces      share    points lost\n";
    for class in Class::ALL {
        share(&mut text, class.name(), totals.class(class), totals.all.pieces, "");
    }
    text.push('\n');
    let all = totals.all.pieces;
    share(&mut text, "misdrops", totals.misdrops, all, "");
    share(&mut text, "misjudgements", totals.misjudgements, all, "");
    if totals.unknown.pieces > 0 {
        share(&mut text, Cause::Unknown.name(), totals.unknown, all, "  (no buttons in the recording)");
    }
    share(&mut text, "burns", totals.burns, all, &format!("  (the best burns, too: {})", totals.best_burns));
    share(&mut text, "missed tetrises", totals.missed_tetrises, all, "");
    share(&mut text, "tucks not seen", totals.unseen_tucks, all, "");
    if totals.out_of_reach > 0 {
        let _ = writeln!(
            text,
            "{:<18}{:>6}   (not within reach of the hand that it is graded for)",
            "out of reach", totals.out_of_reach
        );
    }
    let _ = writeln!(text, "{:<18}{}", "droughts", droughts(totals));
    let worst = grade.worst(WORST);
    if !worst.is_empty() {
        text += "\nworst\n";
    }
    for piece in worst {
        text += &worst_line(piece);
    }
    text
}

fn share(text: &mut String, label: &str, share: Share, all: u32, remark: &str) {
    let percent = 100.0 * f64::from(share.pieces) / f64::from(all.max(1));
    let _ = writeln!(text, "{label:<18}{:>6}  {percent:>7.1} %  {:>13}{remark}", share.pieces, rounded(share.loss));
}

fn measure(measured: &MeasuredHand) -> String {
    let by = match measured.seen {
        maxout_engine::analysis::grade::Seen::Buttons => "",
        maxout_engine::analysis::grade::Seen::Movement => " (by the movement: no buttons in the recording)",
    };
    let taps = match measured.taps {
        Some(taps) => format!("{taps:.1} taps a second in {} sequences", measured.sequences),
        None => "too few taps for a rate".to_owned(),
    };
    let first = measured.first_press.map_or(String::new(), |first| format!(", first press after {first} frames"));
    let held = match measured.held_share {
        Some(share) if share >= 0.005 => format!(", {:.0} % of the shifts by a held button", 100.0 * share),
        _ => String::new(),
    };
    taps + &first + &held + by
}

fn droughts(totals: &Totals) -> String {
    let count = totals.droughts.len();
    if count == 0 {
        return format!("none of {DROUGHT} pieces or more without an I");
    }
    let mut longest: Vec<_> = totals.droughts.iter().collect();
    longest.sort_by_key(|drought| std::cmp::Reverse(drought.pieces));
    let words = longest.iter().take(DROUGHTS).map(|drought| {
        let end = if drought.is_survived { "" } else { ", not survived" };
        format!("{} from piece {} ({} lost{end})", drought.pieces, drought.first, rounded(drought.loss))
    });
    let survived = totals.droughts.iter().filter(|drought| drought.is_survived).count();
    format!("{survived} of {count} survived; longest {}", words.collect::<Vec<_>>().join(", "))
}

fn worst_line(piece: &GradedPiece) -> String {
    let cause = piece.cause.map_or(String::new(), |cause| format!(", {}", cause.name()));
    format!(
        "  piece {}, frame {}: {}; better {}: {} lost{cause}\n",
        thousands(piece.number.into()),
        thousands(piece.spawn_frame),
        words::place(piece.played.placement),
        words::place(piece.best.placement),
        rounded(piece.loss),
    )
}

/// The head of the table of many games.
const TABLE: &str = "game     score  average luck  lines  pieces  accuracy  lost a piece  blunders  mistakes  misdrops     luck  name\n";

/// Many games in their order, and their totals.
pub(super) fn table<'a>(games: impl IntoIterator<Item = (&'a str, &'a GameGrade)> + Clone, all: &Totals) -> String {
    let mut text = TABLE.to_owned();
    let mut score = 0;
    let mut lines = 0;
    let mut even = 0.0;
    for (number, (name, grade)) in games.into_iter().enumerate() {
        let score_with_average_luck = grade.score_with_average_luck();
        even += score_with_average_luck;
        let shown = rounded(score_with_average_luck);
        let first = format!("{:>4} {:>9}  {shown:>12}  {:>5}", number + 1, thousands(grade.score), grade.lines);
        score += grade.score;
        lines += u64::from(grade.lines);
        let _ = writeln!(text, "{first}{}  {}", numbers(&grade.totals), visible(name));
    }
    let even = rounded(even);
    let _ = writeln!(text, "all  {:>9}  {even:>12}  {lines:>5}{}", thousands(score), numbers(all));
    text
}

fn numbers(totals: &Totals) -> String {
    let a_piece = totals.all.loss / f64::from(totals.all.pieces.max(1));
    format!(
        "  {:>6}  {:>6.1} %  {:>12}  {:>8}  {:>8}  {:>8} {:>8}",
        totals.all.pieces,
        totals.accuracy,
        rounded(a_piece),
        totals.class(Class::Blunder).pieces,
        totals.class(Class::Mistake).pieces,
        totals.misdrops.pieces,
        signed(totals.luck)
    )
}

//! An answer as text for people.

use std::fmt::Write;

use super::drawing;
use super::words::{self, Names};
use maxout_engine::analysis::{Analyst, Answer, Choice, Estimate, Horizon, PlayedOn, Press, Question};
use maxout_engine::gamepad::InputTimeline;
use maxout_engine::planner::{Reply, Sight};
use maxout_engine::text::{counted, rounded};

/// Placements that are shown, unless all are asked for. Chosen by hand: with the drawing they fill a
/// terminal of 40 lines.
pub(crate) const SHOWN: usize = 10;

/// The answer, its first `shown` placements in the table.
pub(crate) fn answer(analyst: &Analyst, question: &Question, answer: &Answer, shown: usize) -> String {
    let mut text = String::new();
    let _ = heading(&mut text, analyst, question, answer);
    let Some(best) = answer.choices.first() else {
        text += "\nGame over: the piece can reach no placement.\n";
        for line in drawing::lines(&question.position.playfield, None) {
            text += &format!("  {line}\n");
        }
        return text;
    };
    let names = Names::of(&question.position.playfield, &answer.choices);
    let _ = opening(&mut text, question, answer, &names);
    let _ = beside_the_drawing(&mut text, analyst, question, best, &names);
    let _ = table(&mut text, question, answer, shown, &names);
    let _ = by_next(&mut text, answer, &names);
    text
}

fn heading(text: &mut String, analyst: &Analyst, question: &Question, answer: &Answer) -> std::fmt::Result {
    let position = &question.position;
    let next = match question.sight {
        Sight::WithNext => position.next.letter().to_string(),
        Sight::WithoutNext => "unknown".to_owned(),
    };
    writeln!(
        text,
        "{} falls, next {next}, level {}, {}; {}",
        position.piece.letter(),
        position.level,
        counted(position.lines.into(), "line"),
        analyst.settings().describe()
    )?;
    match answer.horizon {
        Horizon::Killscreen { lines } => {
            writeln!(text, "Points: expected up to level 29, in {}", counted(lines.into(), "line"))
        }
        Horizon::Lines(lines) => writeln!(text, "Points: expected in the next {}", counted(lines.into(), "line")),
    }
}

/// What a reaction time leaves to be pressed before the next piece is used.
fn opening(text: &mut String, question: &Question, answer: &Answer, names: &Names) -> std::fmt::Result {
    if answer.opening.is_empty() {
        return Ok(());
    }
    let presses = Press::all(&InputTimeline::new(answer.opening.clone()), question.falling.held);
    let pressed = if presses.is_empty() { "no button".to_owned() } else { words::presses(&presses) };
    let leads = answer
        .blind
        .map_or(String::new(), |blind| format!("; best from there without knowing it: {}", names.name(blind)));
    writeln!(text, "Pressed in the {} frames before the next piece is used: {pressed}{leads}", answer.opening.len())
}

fn beside_the_drawing(
    text: &mut String,
    analyst: &Analyst,
    question: &Question,
    best: &Choice,
    names: &Names,
) -> std::fmt::Result {
    let playfield = &question.position.playfield;
    let held = question.falling.held;
    let mut beside = vec![
        format!("Best: {}", names.name(best.judged.placement)),
        format!("{} points expected", rounded(best.points)),
    ];
    if let Some(played) = &best.played_on {
        beside.push(format!(
            "next {} pieces: {} points ({} to {})",
            played.pieces,
            rounded(played.points.value),
            rounded(played.points.low),
            rounded(played.points.high)
        ));
        beside.push(format!("topout within them: {}", topout(&played.topout)));
    }
    if best.judged.clears > 0 {
        beside.push(format!("clears a {}", words::clear(best.judged.clears)));
    }
    beside.push(format!("tetris-ready after it: {}", yes(best.measure.is_tetris_ready)));
    beside.push(words::way(playfield, best, held));
    beside.push(format!("presses by frame: {}", words::presses(&Press::all(&best.judged.timeline, held))));
    beside.extend(replies(analyst, question, best));
    let drawing = drawing::lines(playfield, Some(best.judged.placement));
    let rows = drawing.len().max(beside.len());
    writeln!(text)?;
    for row in 0..rows {
        // The drawing stands on the last line.
        let drawn = (row + drawing.len()).checked_sub(rows).and_then(|row| drawing.get(row));
        let words = beside.get(row).map_or("", |words| words.as_str());
        let line = format!("  {:10}   {words}", drawn.map_or("", |drawn| drawn.as_str()));
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Where the next piece goes after the best placement.
fn replies(analyst: &Analyst, question: &Question, best: &Choice) -> Vec<String> {
    let position = &question.position;
    let over = |reply: &Reply| format!("{}: game over", reply.next.letter());
    match question.sight {
        Sight::WithNext => {
            let next = best.replies.iter().filter(|reply| reply.next == position.next);
            next.map(|reply| format!("then {}", reply.placement.map_or_else(|| over(reply), |place| place.name())))
                .collect()
        }
        Sight::WithoutNext => {
            let mut lines = vec!["then, by the next piece, with the points from there on:".to_owned()];
            lines.extend(best.replies.iter().map(|reply| {
                match (reply.placement, analyst.reply_points(position, best, reply)) {
                    (Some(place), Some(worth)) => format!("  {}: {}", place.name(), rounded(worth)),
                    _ => format!("  {}", over(reply)),
                }
            }));
            lines
        }
    }
}

fn table(text: &mut String, question: &Question, answer: &Answer, shown: usize, names: &Names) -> std::fmt::Result {
    let count = answer.choices.len();
    let pieces = question.play_outs.pieces;
    let is_played = answer.choices.iter().any(|choice| choice.played_on.is_some());
    let rows: Vec<[String; 7]> =
        (1..).zip(answer.choices.iter().take(shown)).map(|(rank, choice)| row(names, rank, choice)).collect();
    let next = format!("next {pieces}");
    let mut heads = vec!["", "placement", "points", "gap", "ready"];
    if is_played {
        heads.extend([next.as_str(), "topout"]);
    }
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[&str]| {
        let mut line = String::from(" ");
        for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            line += &if column == 1 { format!(" {cell:<width$}") } else { format!(" {cell:>width$}") };
            line.push(' ');
        }
        line.trim_end().to_owned()
    };
    writeln!(text, "\n{} within reach", counted(count as u64, "placement"))?;
    if answer.is_lost() {
        writeln!(text, "Lost: all games that are played on top out. Ranked by the points and the pieces before that")?;
    }
    writeln!(text, "{}", line(&heads))?;
    for (row, choice) in rows.iter().zip(&answer.choices) {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        let way = words::way(&question.position.playfield, choice, question.falling.held);
        writeln!(text, "{}   {way}", line(&cells))?;
    }
    if count > shown {
        writeln!(text, "  and {} more: --all shows them", count - shown)?;
    }
    Ok(())
}

fn row(names: &Names, rank: usize, choice: &Choice) -> [String; 7] {
    let mut name = names.name(choice.judged.placement);
    if choice.judged.clears > 0 {
        name += &format!(", {}", words::clear(choice.judged.clears));
    }
    let played = |tell: fn(&PlayedOn) -> String| choice.played_on.as_ref().map_or(String::new(), tell);
    [
        rank.to_string(),
        name,
        rounded(choice.points),
        match rounded(choice.gap).as_str() {
            _ if rank == 1 => String::new(),
            "0" => "0".to_owned(),
            gap => format!("-{gap}"),
        },
        yes(choice.measure.is_tetris_ready).to_owned(),
        played(|played| format!("{} ± {}", rounded(played.points.value), rounded(half(&played.points)))),
        played(|played| topout(&played.topout)),
    ]
}

/// The best placement for each next piece, where it is not known.
fn by_next(text: &mut String, answer: &Answer, names: &Names) -> std::fmt::Result {
    if answer.by_next.is_empty() {
        return Ok(());
    }
    writeln!(text, "\nBest placement if the next piece were known:")?;
    for by in &answer.by_next {
        writeln!(
            text,
            "  {}, {:.1} %: {}, {} points",
            by.next.letter(),
            by.odds * 100.0,
            names.name(by.placement),
            rounded(by.points)
        )?;
    }
    Ok(())
}

/// Half the width of an interval that is as wide to both sides.
fn half(estimate: &Estimate) -> f64 {
    (estimate.high - estimate.low) / 2.0
}

/// A share with its interval, in percent.
pub(crate) fn topout(estimate: &Estimate) -> String {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    format!("{} % ({} to {})", percent(estimate.value), percent(estimate.low), percent(estimate.high))
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

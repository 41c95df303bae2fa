//! The game as lines of text.

use super::game::Game;
use crate::command::analyze::drawing::{self, Mark};
use crate::command::analyze::words::{self, Names};
use maxout_engine::analysis::{Choice, Question};
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::planner::Sight;
use maxout_engine::text::{counted, rounded};
use maxout_screen::numbers::thousands;

/// The keys, in the order of the screen.
const KEYS: [&str; 5] = [
    "left right  column     up a  rotate A     z  rotate B",
    "down  below an overhang     enter  play it     u  undo",
    "h  best placement     n p  next, previous in the ranking",
    "T J Z O S L I  the next piece",
    "q  quit",
];

/// The columns and rows that the playfield and the keys take. Names of placements may be longer.
const SIZE: (u16, u16) = (2 * WIDTH as u16 + 4 + 56, ROWS as u16 + 2);

/// The lines of a screen of this size: those of the game, or how large it must be.
pub(super) fn lines_in(game: &Game, (width, height): (u16, u16)) -> Vec<String> {
    let (least_width, least_height) = SIZE;
    if width < least_width || height < least_height {
        return vec![format!("terminal is too small: {least_width}x{least_height} needed"), "q  quit".to_owned()];
    }
    lines(game)
}

/// The lines of the screen: the playfield with what is known beside it.
fn lines(game: &Game) -> Vec<String> {
    let Some(question) = game.question() else { return Vec::new() };
    let playfield = &question.position.playfield;
    let chosen = game.chosen().map(|(_, choice)| choice.judged.placement);
    let best = game.best().filter(|_| game.shows_best).map(|best| best.judged.placement);
    let yours = drawing::marks(playfield, chosen, 0);
    let theirs = drawing::marks(playfield, best, 0);
    let beside = beside(game, question);
    let mut lines = vec![format!("+{}+", "-".repeat(2 * WIDTH))];
    for (row, (yours, theirs)) in yours.iter().zip(&theirs).enumerate() {
        let cells: String = yours.iter().zip(theirs).map(|(yours, theirs)| cell(*yours, *theirs)).collect();
        let words = beside.get(row).map_or("", |words| words.as_str());
        lines.push(format!("|{cells}|  {words}").trim_end().to_owned());
    }
    lines.push(format!("+{}+", "-".repeat(2 * WIDTH)));
    lines
}

fn cell(yours: Mark, best: Mark) -> &'static str {
    match (yours, best) {
        (Mark::Locked, _) => "[]",
        (Mark::Ghost, Mark::Ghost) => "@@",
        (Mark::Ghost, _) => "<>",
        (_, Mark::Ghost) => "()",
        (Mark::Empty, _) => " .",
    }
}

fn beside(game: &Game, question: &Question) -> Vec<String> {
    let position = &question.position;
    let next = match question.sight {
        Sight::WithNext => position.next.letter().to_string(),
        Sight::WithoutNext => "unknown".to_owned(),
    };
    let mut lines = vec![
        format!("{} falls, next {next}", position.piece.letter()),
        format!(
            "level {}, {}, score {}",
            position.level,
            counted(position.lines.into(), "line"),
            thousands(position.score.into())
        ),
        String::new(),
    ];
    let names = Names::of(&position.playfield, game.choices());
    match game.chosen() {
        None => lines.push("Game over: the piece can reach no placement.".to_owned()),
        Some((rank, choice)) => {
            lines.push(format!(
                "<> yours: {}, {rank} of {}",
                names.name(choice.judged.placement),
                game.choices().len()
            ));
            lines.push(format!("   {}", worth(choice)));
            lines.push(format!("   {}", words::way(&position.playfield, choice, question.falling.held)));
        }
    }
    if let Some(best) = game.best().filter(|_| game.shows_best) {
        lines.push(format!("() best:  {}", names.name(best.judged.placement)));
        lines.push(format!("   {}", worth(best)));
        lines.push(format!("   {}", words::way(&position.playfield, best, question.falling.held)));
    } else {
        lines.extend([String::new(), String::new(), String::new()]);
    }
    let (pieces, lost) = game.played();
    lines.push(String::new());
    lines.push(format!("{pieces} played, {} points behind the best", rounded(lost)));
    lines.push(String::new());
    lines.extend(KEYS.map(str::to_owned));
    lines
}

fn worth(choice: &Choice) -> String {
    let gap = if choice.gap > 0.0 { format!(", {} behind the best", rounded(choice.gap)) } else { String::new() };
    let ready = if choice.measure.is_tetris_ready { ", tetris-ready" } else { "" };
    format!("{} points{gap}{ready}", rounded(choice.points))
}

#[cfg(test)]
mod tests {
    use super::super::game::Command;
    use super::*;
    use crate::command::analyze::request::{Request, analyst};
    use maxout_engine::planner::Settings;

    #[test]
    fn the_screen_shows_yours_and_on_request_the_best() {
        let json = r#"{"playfield": "XXXXXXXXX.\nXXXXXXXXX.\nXXXXXXXXX.\nXXXXXXXXX.", "piece": "I", "next": "T",
            "level": 18, "lines": 100, "score": 1000}"#;
        let request: Request = serde_json::from_str(json).unwrap();
        let mut game = Game::new(analyst(Settings::default()).unwrap(), request.question().unwrap(), 1);
        let screen = lines(&game);
        assert_eq!(screen.len(), 22);
        assert!(screen[1].ends_with("I falls, next T") && screen[2].ends_with("level 18, 100 lines, score 1,000"));
        assert!(screen[16].contains("<><><><>") && screen[4].contains("yours: I flat 4-7"), "{screen:#?}");
        assert!(screen.iter().all(|line| !line.contains("()")), "{screen:#?}");
        game.obey(Command::Best);
        let screen = lines(&game);
        assert!(screen[17].starts_with("|[][][][][][][][][]()|") && screen[7].contains("best:  I upright 10"));
        while game.chosen().unwrap().0 > 1 {
            game.obey(Command::Previous);
        }
        assert!(lines(&game)[17].starts_with("|[][][][][][][][][]@@|"));
        assert!(lines(&game).iter().all(|line| line.chars().count() <= 110), "{screen:#?}");
        let (width, height) = SIZE;
        assert_eq!(lines_in(&game, SIZE), lines(&game));
        assert_eq!(lines(&game).len(), usize::from(height));
        let beside = |keys: &str| 2 * WIDTH + 4 + keys.chars().count();
        assert_eq!(KEYS.map(beside).into_iter().max(), Some(usize::from(width)), "the keys are not cut");
        for small in [(width - 1, height), (width, height - 1)] {
            assert_eq!(lines_in(&game, small)[0], format!("terminal is too small: {width}x{height} needed"));
        }
    }
}

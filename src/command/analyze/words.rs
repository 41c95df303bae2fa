//! Placements and buttons in the words of players.

use maxout_engine::analysis::{Arrival, Choice, Press};
use maxout_engine::game::{Placement, Playfield};
use maxout_engine::gamepad::Buttons;

/// Frames between two taps of one run of taps, at most: a quarter of a second. Chosen by hand, not
/// measured.
const RUN: u32 = 15;

/// The buttons that move a piece, with their names.
const NAMES: [(Buttons, &str); 5] =
    [(Buttons::LEFT, "left"), (Buttons::RIGHT, "right"), (Buttons::A, "A"), (Buttons::B, "B"), (Buttons::DOWN, "down")];

/// The names of the placements of an answer, each of which has another name.
pub(crate) struct Names(Vec<(Placement, Arrival, String)>);

impl Names {
    /// `tuck` or `spin` is added where the piece does not just fall there, and then the row of the origin, from 1 at the
    /// top, where two would have the same name.
    pub(crate) fn of(playfield: &Playfield, choices: &[Choice]) -> Names {
        let named = |choice: &Choice| {
            let placement = choice.judged.placement;
            let (arrival, _) = Arrival::of(playfield, &choice.judged.promises);
            let name = match arrival {
                Arrival::Drop => placement.name(),
                Arrival::Tuck | Arrival::Spin => format!("{} {}", placement.name(), arrival.name()),
            };
            (placement, arrival, name)
        };
        let named: Vec<_> = choices.iter().map(named).collect();
        let is_shared = |name: &str| named.iter().filter(|(.., other)| other == name).count() > 1;
        let unique = |(placement, arrival, name): &(Placement, Arrival, String)| {
            let row = if is_shared(name) { format!(", row {}", placement.y + 1) } else { String::new() };
            (*placement, *arrival, name.clone() + &row)
        };
        Names(named.iter().map(unique).collect())
    }

    /// The name of a placement; without `tuck` or `spin` for one of another piece.
    pub(crate) fn name(&self, placement: Placement) -> String {
        self.find(placement).map_or_else(|| placement.name(), |(.., name)| name.clone())
    }

    /// How the piece comes there; `None` for a placement of another piece.
    pub(crate) fn arrival(&self, placement: Placement) -> Option<Arrival> {
        self.find(placement).map(|&(_, arrival, _)| arrival)
    }

    fn find(&self, placement: Placement) -> Option<&(Placement, Arrival, String)> {
        self.0.iter().find(|(other, ..)| *other == placement)
    }
}

/// Rows that a lock completes, as players say it; nothing for none.
pub(crate) fn clear(rows: u8) -> &'static str {
    match rows {
        0 => "",
        1 => "single",
        2 => "double",
        3 => "triple",
        _ => "tetris",
    }
}

/// The names of buttons.
pub(crate) fn names(buttons: Buttons) -> Vec<&'static str> {
    NAMES.iter().filter(|(button, _)| buttons.contains(*button)).map(|&(_, name)| name).collect()
}

/// Some taps of one button.
struct Taps {
    button: Buttons,
    first: u32,
    last: u32,
    count: u32,
    /// Do they bring the piece under other cells?
    under: bool,
}

/// The way of a placement in a sentence: `hyper-tap 3 left, rotate A, tuck left at frame 27`.
pub(crate) fn way(playfield: &Playfield, choice: &Choice, held: Buttons) -> String {
    let (arrival, entry) = Arrival::of(playfield, &choice.judged.promises);
    of_presses(&Press::all(&choice.judged.timeline, held), arrival, entry)
}

fn of_presses(presses: &[Press], arrival: Arrival, entry: Option<u32>) -> String {
    let mut runs: Vec<Taps> = Vec::new();
    for press in presses {
        let under = entry.is_some_and(|entry| press.frame >= entry);
        for (button, _) in NAMES {
            if !press.buttons.contains(button) {
                continue;
            }
            let same = runs.iter_mut().rev().find(|run| is_sideways(run.button) == is_sideways(button));
            match same.filter(|run| run.button == button && run.under == under && press.frame - run.last <= RUN) {
                Some(run) => (run.last, run.count) = (press.frame, run.count + 1),
                None => runs.push(Taps { button, first: press.frame, last: press.frame, count: 1, under }),
            }
        }
    }
    if runs.is_empty() {
        return "no button".to_owned();
    }
    let mut last = 0;
    let mut words: Vec<String> = Vec::new();
    for run in &runs {
        let text = run.words(arrival);
        let is_late = run.under || run.button == Buttons::DOWN || run.first > last + RUN;
        words.push(if is_late { format!("{text} {} frame {}", run.preposition(), run.first) } else { text });
        last = run.last;
    }
    words.join(", ")
}

fn is_sideways(button: Buttons) -> u8 {
    if button.intersects(Buttons::LEFT | Buttons::RIGHT) {
        0
    } else if button == Buttons::DOWN {
        1
    } else {
        2
    }
}

impl Taps {
    fn words(&self, arrival: Arrival) -> String {
        let name = NAMES.iter().find(|(button, _)| *button == self.button).map_or("", |&(_, name)| name);
        let is_turn = self.button.intersects(Buttons::A | Buttons::B);
        let times = if self.count > 1 { format!(" {} times", self.count) } else { String::new() };
        if self.button == Buttons::DOWN {
            return "push down".to_owned();
        }
        if self.under {
            return match (is_turn, arrival) {
                (true, Arrival::Spin) => format!("spin {name}{times}"),
                (true, _) => format!("rotate {name}{times}"),
                (false, Arrival::Tuck) => format!("tuck {name}{times}"),
                (false, _) => format!("tap {name}{times}"),
            };
        }
        match (is_turn, self.count) {
            (true, _) => format!("rotate {name}{times}"),
            (false, 1) => format!("tap {name}"),
            (false, count) => format!("hyper-tap {count} {name}"),
        }
    }

    fn preposition(&self) -> &'static str {
        if self.button == Buttons::DOWN { "from" } else { "at" }
    }
}

/// Every press with its frame: `0 left+A, 2 left, 27 left, 30-33 down`.
pub(crate) fn presses(presses: &[Press]) -> String {
    let press = |press: &Press| {
        let frames = if press.frames > 1 {
            format!("{}-{}", press.frame, press.frame + press.frames - 1)
        } else {
            press.frame.to_string()
        };
        format!("{frames} {}", names(press.buttons).join("+"))
    };
    presses.iter().map(press).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(frame: u32, buttons: Buttons) -> Press {
        Press { frame, buttons, frames: 1 }
    }

    #[test]
    fn a_way_is_told_in_the_words_of_players() {
        let (l, a, d) = (Buttons::LEFT, Buttons::A, Buttons::DOWN);
        let all =
            [press(0, l | a), press(5, l), press(10, l), press(27, l), Press { frame: 30, buttons: d, frames: 4 }];
        let said = of_presses(&all, Arrival::Tuck, Some(27));
        assert_eq!(said, "hyper-tap 3 left, rotate A, tuck left at frame 27, push down from frame 30");
        assert_eq!(presses(&all), "0 left+A, 5 left, 10 left, 27 left, 30-33 down");
        assert_eq!(of_presses(&[], Arrival::Drop, None), "no button");
        let spin = [press(0, Buttons::RIGHT), press(40, Buttons::B), press(42, Buttons::B)];
        assert_eq!(of_presses(&spin, Arrival::Spin, Some(42)), "tap right, rotate B at frame 40, spin B at frame 42");
        let two = [press(0, a), press(2, a), press(40, l)];
        assert_eq!(of_presses(&two, Arrival::Drop, None), "rotate A 2 times, tap left at frame 40");
    }

    #[test]
    fn every_placement_of_an_answer_has_another_name() {
        use crate::command::analyze::request::{Request, analyst};
        // Two caves, one above the other: the O can be tucked into both, and fall on to the roof.
        let json = r#"{"playfield": "XX..X.....\nXXXX......\nXX........\nXX........\nXXXX......\nXX........\nXX.......X",
            "piece": "O", "next": "unknown", "level": 18, "lines": 0, "playouts": 0}"#;
        let request: Request = serde_json::from_str(json).unwrap();
        let question = request.question().unwrap();
        let analyst = analyst(maxout_engine::planner::Settings::default()).unwrap();
        let answer = analyst.answer(&question);
        let names = Names::of(&question.position.playfield, &answer.choices);
        let mut all: Vec<String> = answer.choices.iter().map(|choice| names.name(choice.judged.placement)).collect();
        all.sort();
        let in_the_caves: Vec<&String> = all.iter().filter(|name| name.starts_with("O 3-4")).collect();
        assert_eq!(in_the_caves, ["O 3-4", "O 3-4 tuck, row 16", "O 3-4 tuck, row 19"]);
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
        // Placements that are named elsewhere in the answer have these names, too.
        let json = serde_json::to_value(crate::command::analyze::json::answer(&analyst, &question, &answer)).unwrap();
        for by in json["by_next"].as_array().unwrap() {
            assert!(all.contains(&by["placement"]["name"].as_str().unwrap().to_owned()), "{by}");
            assert!(by["placement"]["arrival"].is_string(), "{by}");
        }
    }
}

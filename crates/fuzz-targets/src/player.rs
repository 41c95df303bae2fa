//! What an external player answers.

use maxout_engine::game::{Piece, Placement};
use maxout_engine::gamepad::Buttons;
use maxout_engine::movegen::Reached;
use maxout_external::answer::{Answer, Choice, name};

use crate::check;

/// The request that is answered.
const REQUEST: u64 = 7;

/// A line of its output, as the answer to the hello and to a request.
pub(crate) fn answer(bytes: &[u8]) {
    match name(bytes) {
        Ok(name) => assert!((1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control)),
        Err(problem) => check::words(&problem),
    }
    let offered: Vec<Reached> = (1..4)
        .map(|x| Reached { placement: Placement { orientation: Piece::O.spawn(), x, y: 18 }, frames: 40 })
        .collect();
    match Answer::read(bytes, REQUEST, &offered) {
        Ok(answer) => match answer.choice {
            Choice::Placement(reached) => assert!(offered.contains(&reached)),
            Choice::Timeline(frames) => {
                for buttons in frames {
                    assert!(!buttons.intersects(Buttons::START | Buttons::SELECT));
                    assert!(!buttons.contains(Buttons::LEFT | Buttons::RIGHT));
                    assert!(!buttons.contains(Buttons::UP | Buttons::DOWN));
                }
            }
        },
        Err(problem) => check::words(&problem),
    }
}

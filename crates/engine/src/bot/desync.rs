//! The promise of a plan against what RAM shows.

use std::fmt;

use crate::game::Playfield;
use crate::game::control::ControlOutcome;
use crate::gamepad::Buttons;
use crate::planner::Promise;
use crate::ram::{PlayState, RamSnapshot};

/// A frame in which RAM did not show what the plan promised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desync {
    /// Number of the frame since power-on.
    pub frame: u64,
    /// What was promised and what was found, in words; rows and columns are counted from 1.
    pub difference: String,
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "desync in frame {}: {}", self.frame, self.difference)
    }
}

/// Compares one sample with the buttons that were pressed and the place that was promised.
pub(super) fn check(frame: u64, pressed: Buttons, promise: &Promise, snapshot: &RamSnapshot) -> Option<Desync> {
    if snapshot.held_buttons != pressed {
        let difference = format!("pressed {pressed}, the game saw {}", snapshot.held_buttons);
        return Some(Desync { frame, difference });
    }
    let play_state = match promise.outcome {
        ControlOutcome::Falling => PlayState::Control,
        ControlOutcome::Landed => PlayState::Lock,
    };
    let promised = (promise.x, promise.y, Some(promise.orientation), play_state);
    let found = (snapshot.x, snapshot.y, snapshot.piece, snapshot.play_state);
    (promised != found).then(|| Desync {
        frame,
        difference: format!(
            "promised column {} row {} orientation ${:02X} {:?}, found column {} row {} orientation {} {:?}",
            i16::from(promise.x) + 1,
            i16::from(promise.y) + 1,
            promise.orientation.id(),
            play_state,
            i16::from(snapshot.x) + 1,
            i16::from(snapshot.y) + 1,
            snapshot.piece.map_or("none".to_owned(), |piece| format!("${:02X}", piece.id())),
            snapshot.play_state
        ),
    })
}

/// Compares the playfield at a spawn with the one that the last plan promised.
pub(super) fn check_playfield(frame: u64, promised: &Playfield, found: &Playfield) -> Option<Desync> {
    let row = (-2..20).find(|&row| promised.row(row) != found.row(row))?;
    let cells = |bits: u16| (0..10).map(|x| if bits >> x & 1 == 1 { '#' } else { '.' }).collect::<String>();
    let difference =
        format!("promised row {} as {}, found {}", row + 1, cells(promised.row(row)), cells(found.row(row)));
    Some(Desync { frame, difference })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playfield_that_differs_names_the_first_row() {
        let promised = Playfield::drawn("#.........");
        assert_eq!(check_playfield(7, &promised, &promised), None);
        let desync = check_playfield(7, &promised, &Playfield::drawn(".#........")).expect("they differ");
        assert_eq!(desync.to_string(), "desync in frame 7: promised row 20 as #........., found .#........");
    }
}

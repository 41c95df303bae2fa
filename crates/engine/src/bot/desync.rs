//! The promise of a plan against what RAM shows.

use std::fmt;

use crate::game::Playfield;
use crate::game::control::ControlOutcome;
use crate::gamepad::Buttons;
use crate::planner::{Foreseen, Promise};
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

/// Compares the next box with the promise that it is hidden, or shown.
pub(super) fn check_next_box(frame: u64, is_hidden: Option<bool>, snapshot: &RamSnapshot) -> Option<Desync> {
    let words = |is_hidden: bool| if is_hidden { "hidden" } else { "shown" };
    let promised = is_hidden.filter(|&promised| promised != snapshot.next_hidden)?;
    let difference = format!("promised the next box {}, found it {}", words(promised), words(snapshot.next_hidden));
    Some(Desync { frame, difference })
}

/// Compares the playfield at a spawn with the one that the last plan promised.
pub(super) fn check_playfield(frame: u64, promised: &Playfield, found: &Playfield) -> Option<Desync> {
    let row = (-2..20).find(|&row| promised.row(row) != found.row(row))?;
    let cells = |bits: u16| (0..10).map(|x| if bits >> x & 1 == 1 { '#' } else { '.' }).collect::<String>();
    let difference =
        format!("promised row {} as {}, found {}", row + 1, cells(promised.row(row)), cells(found.row(row)));
    Some(Desync { frame, difference })
}

/// Compares the spawn in this frame with the one that the last plan foresaw after the lock in frame `locked`.
pub(super) fn check_spawn(frame: u64, locked: u64, foreseen: &Foreseen, found: &RamSnapshot) -> Option<Desync> {
    let Foreseen { entry_delay, drawn } = *foreseen;
    let delay = frame.saturating_sub(locked);
    if found.next == Some(drawn) && delay == u64::from(entry_delay) {
        return None;
    }
    let difference = format!(
        "foresaw the piece {} {entry_delay} frames after the lock, found {} {delay} frames after it",
        drawn.letter(),
        found.next.map_or("none".to_owned(), |piece| piece.letter().to_string())
    );
    Some(Desync { frame, difference })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Piece;
    use crate::game::memory::address::{CURRENT_PIECE, HELD_BUTTONS, PLAY_STATE, TETRIMINO_X, TETRIMINO_Y};
    use crate::ram::sample;

    const PRESSED: Buttons = Buttons::LEFT;

    fn promise(outcome: ControlOutcome) -> Promise {
        Promise { x: 4, y: 7, orientation: Piece::T.spawn(), outcome }
    }

    /// RAM as it was promised, but for one byte.
    fn shown(play_state: PlayState, address: usize, byte: u8) -> RamSnapshot {
        sample::snapshot(|ram| {
            ram[HELD_BUTTONS] = PRESSED.bits();
            (ram[TETRIMINO_X], ram[TETRIMINO_Y], ram[CURRENT_PIECE]) = (4, 7, Piece::T.spawn().id());
            ram[PLAY_STATE] = play_state.byte();
            ram[address] = byte;
        })
    }

    fn difference(outcome: ControlOutcome, shown: &RamSnapshot) -> Option<String> {
        check(9, PRESSED, &promise(outcome), shown).map(|desync| desync.to_string())
    }

    #[test]
    fn what_was_promised_is_no_desync() {
        let [falling, landed] = [PlayState::Control, PlayState::Lock].map(|state| shown(state, TETRIMINO_X, 4));
        assert_eq!(difference(ControlOutcome::Falling, &falling), None);
        assert_eq!(difference(ControlOutcome::Landed, &landed), None);
    }

    #[test]
    fn every_byte_of_a_promise_is_compared() {
        for (address, byte, found) in [
            (TETRIMINO_X, 5, "found column 6 row 8 orientation $02 Control"),
            (TETRIMINO_Y, 6, "found column 5 row 7 orientation $02 Control"),
            (CURRENT_PIECE, 0x03, "found column 5 row 8 orientation $03 Control"),
            (PLAY_STATE, PlayState::Lock.byte(), "found column 5 row 8 orientation $02 Lock"),
            (HELD_BUTTONS, 0, "the game saw "),
            (HELD_BUTTONS, (PRESSED | Buttons::A).bits(), "the game saw "),
        ] {
            let desync = difference(ControlOutcome::Falling, &shown(PlayState::Control, address, byte));
            let desync = desync.unwrap_or_else(|| panic!("${address:02X} = ${byte:02X} is not noticed"));
            assert!(desync.starts_with("desync in frame 9: ") && desync.contains(found), "{desync}");
        }
        let hidden = RamSnapshot { piece: None, ..shown(PlayState::Control, TETRIMINO_X, 4) };
        assert!(difference(ControlOutcome::Falling, &hidden).is_some_and(|words| words.contains("orientation none")));
        let still_falls = difference(ControlOutcome::Landed, &shown(PlayState::Control, TETRIMINO_X, 4));
        assert!(still_falls.is_some_and(|words| words.contains("promised column 5 row 8 orientation $02 Lock")));
    }

    #[test]
    fn another_piece_or_another_frame_than_foreseen_is_a_desync() {
        let found = RamSnapshot { next: Some(Piece::I), ..shown(PlayState::Control, TETRIMINO_X, 4) };
        let difference = |entry_delay, drawn| {
            check_spawn(112, 100, &Foreseen { entry_delay, drawn }, &found).map(|desync| desync.to_string())
        };
        assert_eq!(difference(12, Piece::I), None);
        let found = "found I 12 frames after it";
        let expected = format!("desync in frame 112: foresaw the piece S 12 frames after the lock, {found}");
        assert_eq!(difference(12, Piece::S), Some(expected));
        assert!(difference(13, Piece::I).is_some_and(|words| words.contains("I 13 frames")));
    }

    #[test]
    fn a_cell_that_differs_is_found_in_each_of_the_22_rows() {
        let promised = Playfield::drawn("#.........");
        assert_eq!(check_playfield(7, &promised, &promised), None);
        for row in -2..20 {
            let mut found = promised;
            found.set_row(row, promised.row(row) ^ 1 << 9);
            let desync = check_playfield(7, &promised, &found).unwrap_or_else(|| panic!("row {row} is not compared"));
            let kept = if row == 19 { '#' } else { '.' };
            let expected = format!("promised row {} as {kept}........., found {kept}........#", row + 1);
            assert_eq!(desync, Desync { frame: 7, difference: expected });
        }
    }
}

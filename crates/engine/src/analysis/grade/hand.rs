//! How fast a player moved, measured from a recording.

use crate::analysis::record::{PlayedGame, PlayedPiece};
use crate::game::timing::{DAS_FULL, DAS_REPEAT};
use crate::gamepad::{Buttons, TapRate, Tapping};
use crate::planner::{Input, Settings, Think};

/// A longer gap between two taps is a correction and no part of a sequence. 12 frames are 5 Hz, slower
/// than anybody taps on purpose. Chosen by hand, not measured.
const LONGEST_GAP: usize = 12;
/// Fewer sequences measure nothing. Chosen by hand, not measured.
const FEWEST_SEQUENCES: usize = 5;
/// The sequence that measures the rate: three of four are slower. Chosen by hand, not measured.
const TYPICAL: f64 = 0.75;
/// The piece that measures the first press: one in ten is pressed earlier. Chosen by hand, not
/// measured.
const EARLY: f64 = 0.1;
/// A shift and a rotation in neighbouring frames, in more than one piece of a hundred: the buttons are
/// pressed independently. Chosen by hand, not measured.
const INDEPENDENT: f64 = 0.01;

/// How a player moves pieces: what decides which placements are within reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Hand {
    /// The way to move.
    pub input: Input,
    /// When the taps of [`Input::Taps`] come.
    pub tap_rate: Tapping,
    /// Frames after the spawn in which nothing is pressed.
    pub first_press: u32,
    /// Frames after the spawn in which the next box is not used.
    pub reaction_frames: u32,
}

impl Hand {
    /// The planner's settings for it, at this number of plies.
    pub fn settings(&self, plies: u8) -> Settings {
        Settings {
            input: self.input,
            tap_rate: self.tap_rate,
            first_press: self.first_press,
            reaction_frames: self.reaction_frames,
            think: Some(Think::Plies(plies)),
            ..Settings::default()
        }
    }

    /// For people, as in `taps 12 Hz, first press after 3 frames`.
    pub fn describe(&self) -> String {
        Settings { think: None, ..self.settings(Think::DEFAULT_PLIES) }.describe()
    }
}

/// By what a hand was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Seen {
    /// By the buttons.
    Buttons,
    /// By the movement of the pieces: the recording has no buttons.
    Movement,
}

/// What a recording tells about the hand of its player.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct MeasuredHand {
    /// By what it was measured.
    pub seen: Seen,
    /// Taps a second in a typical fast sequence; `None` with too few sequences.
    pub taps: Option<f64>,
    /// Sequences that it was measured by.
    pub sequences: u32,
    /// Frames after the spawn before the early presses; `None` if nothing was ever pressed.
    pub first_press: Option<u32>,
    /// Share of the shifts that came from a held button, 0 to 1; `None` without buttons or shifts.
    pub held_share: Option<f64>,
    /// Were shifts and rotations pressed in neighbouring frames, as by two hands?
    pub is_independent: bool,
}

impl MeasuredHand {
    /// Measures.
    pub fn of(game: &PlayedGame) -> MeasuredHand {
        MeasuredHand::of_all([game])
    }

    /// Measures over several games of one player.
    pub fn of_all<'a>(games: impl IntoIterator<Item = &'a PlayedGame>) -> MeasuredHand {
        let pieces: Vec<&PlayedPiece> = games.into_iter().flat_map(|game| &game.pieces).collect();
        let has_buttons = pieces.iter().all(|piece| piece.frames.iter().all(|frame| frame.buttons.is_some()));
        let presses: Vec<Presses> = pieces.iter().map(|piece| Presses::of(piece, has_buttons)).collect();
        let (taps, sequences) = tap_rate(&presses);
        let mut first: Vec<usize> = presses.iter().filter_map(Presses::first).collect();
        first.sort_unstable();
        let first_press = quantile(&first, EARLY).map(|frame| frame as u32);
        let (shifts, held) =
            presses.iter().fold((0, 0), |(shifts, held), presses| (shifts + presses.shifts, held + presses.held));
        let together = presses.iter().filter(|presses| presses.has_neighbours()).count();
        MeasuredHand {
            seen: if has_buttons { Seen::Buttons } else { Seen::Movement },
            taps,
            sequences,
            first_press,
            held_share: (has_buttons && shifts > 0).then(|| f64::from(held) / f64::from(shifts)),
            is_independent: together as f64 > INDEPENDENT * presses.len() as f64,
        }
    }

    /// The hand that moves like this. What could not be measured is as fast as can be.
    pub fn hand(&self) -> Hand {
        let fastest = TapRate::FASTEST;
        let rate = match self.taps {
            // Held buttons shift a column in six frames.
            _ if self.held_share.is_some_and(|share| share > 0.5) => rate_of_frames(f64::from(DAS_FULL - DAS_REPEAT)),
            Some(taps) => rate_of_frames(60.0 / taps),
            None => fastest,
        };
        let input = if rate == fastest && self.is_independent { Input::Gamepad } else { Input::Taps };
        let first_press = self.first_press.unwrap_or(0);
        Hand { input, tap_rate: Tapping::Rate(rate), first_press, reaction_frames: 0 }
    }
}

/// The slowest rate that still taps every so many frames, rounded.
fn rate_of_frames(frames: f64) -> TapRate {
    let frames = frames.round().clamp(2.0, 60.0) as u8;
    let rates = (1..=TapRate::FASTEST.hz()).filter_map(|hz| TapRate::from_hz(hz.into()));
    rates.into_iter().find(|rate| rate.frames() <= frames).unwrap_or(TapRate::FASTEST)
}

/// The value below which this share of the sorted values lies.
fn quantile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let at = (share * sorted.len() as f64) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied()
}

/// Taps a second, and by how many sequences of three taps or more; of two taps where there are too few
/// of those.
fn tap_rate(presses: &[Presses]) -> (Option<f64>, u32) {
    for least in [3, 2] {
        let sequences = presses.iter().flat_map(|presses| [&presses.left, &presses.right]);
        let mut rates: Vec<f64> = sequences.filter_map(|taps| rate_of_sequence(taps, least)).collect();
        if rates.len() >= FEWEST_SEQUENCES {
            rates.sort_by(f64::total_cmp);
            return (quantile(&rates, TYPICAL), rates.len() as u32);
        }
    }
    (None, 0)
}

/// Taps a second in the longest sequence without a gap.
fn rate_of_sequence(taps: &[usize], least: usize) -> Option<f64> {
    let sequence = taps.chunk_by(|a, b| b - a <= LONGEST_GAP).max_by_key(|sequence| sequence.len())?;
    let (first, last) = (sequence.first()?, sequence.last()?);
    (sequence.len() >= least).then(|| 60.0 * (sequence.len() - 1) as f64 / (last - first) as f64)
}

/// When what was pressed for a piece: frames counted from its first control frame.
#[derive(Default)]
struct Presses {
    left: Vec<usize>,
    right: Vec<usize>,
    rotations: Vec<usize>,
    /// The first shift of a button that was held already.
    first_held: Option<usize>,
    /// Columns moved, and those of them by a held button.
    shifts: u32,
    held: u32,
}

impl Presses {
    fn of(piece: &PlayedPiece, has_buttons: bool) -> Presses {
        let mut presses = Presses::default();
        let (mut x, mut orientation) = (piece.falling.piece.x, piece.falling.piece.orientation);
        let mut before = piece.falling.held;
        for (at, frame) in piece.frames.iter().enumerate() {
            let shift = frame.x - x;
            let pressed = match frame.buttons {
                Some(buttons) if has_buttons => {
                    let pressed = buttons.newly_pressed(before);
                    before = buttons;
                    pressed
                }
                _ => moved(shift, frame.orientation != orientation),
            };
            if pressed.contains(Buttons::LEFT) {
                presses.left.push(at);
            }
            if pressed.contains(Buttons::RIGHT) {
                presses.right.push(at);
            }
            if pressed.intersects(Buttons::A | Buttons::B) {
                presses.rotations.push(at);
            }
            if shift != 0 {
                presses.shifts += 1;
                if !pressed.intersects(Buttons::LEFT | Buttons::RIGHT) {
                    presses.held += 1;
                    presses.first_held.get_or_insert(at);
                }
            }
            (x, orientation) = (frame.x, frame.orientation);
        }
        presses
    }

    fn first(&self) -> Option<usize> {
        let firsts = [self.left.first(), self.right.first(), self.rotations.first(), self.first_held.as_ref()];
        firsts.into_iter().flatten().min().copied()
    }

    /// Did a shift and a rotation go down in neighbouring frames?
    fn has_neighbours(&self) -> bool {
        let mut shifts = self.left.iter().chain(&self.right);
        shifts.any(|&shift| self.rotations.iter().any(|&rotation| rotation.abs_diff(shift) == 1))
    }
}

/// The buttons that move a piece like this.
fn moved(shift: i8, is_turned: bool) -> Buttons {
    let side = match shift {
        ..=-1 => Buttons::LEFT,
        0 => Buttons::NONE,
        1.. => Buttons::RIGHT,
    };
    if is_turned { side | Buttons::A } else { side }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_between_taps_are_a_rate_that_keeps_them() {
        for (frames, hz) in [(2.0, 30), (3.0, 20), (4.0, 15), (4.4, 15), (5.0, 12), (6.0, 10), (7.0, 9), (90.0, 1)] {
            assert_eq!(rate_of_frames(frames).hz(), hz, "{frames}");
        }
    }

    #[test]
    fn a_late_correction_is_no_tapping() {
        assert_eq!(rate_of_sequence(&[3, 8, 13, 40], 3), Some(12.0));
        assert_eq!(rate_of_sequence(&[3, 8, 40], 3), None);
        assert_eq!(rate_of_sequence(&[3, 8, 40], 2), Some(12.0));
        assert_eq!(rate_of_sequence(&[], 2), None);
    }

    #[test]
    fn a_quantile_is_one_of_the_values() {
        assert_eq!(quantile(&[1, 2, 3, 4], 0.75), Some(4));
        assert_eq!(quantile(&[1, 2, 3, 4], 1.0), Some(4));
        assert_eq!(quantile::<u8>(&[], 0.5), None);
    }
}

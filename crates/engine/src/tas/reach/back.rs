//! The way back from a lock or a state that a search has reached: which buttons lead there.

use super::{
    DOWN_1, FALLING, HANDS, HANGING, Keep, Landing, Layer, Reach, STOP, Set, TURNS, Task, To, UP, play, rested,
};
use crate::game::Piece;
use crate::gamepad::{Buttons, InputTimeline};
use crate::tas::page::Page;

impl Reach {
    /// The buttons that lock the piece in a placement in exactly the frame of the landing; `None` where no buttons do.
    pub fn way(
        &mut self,
        page: &Page,
        piece: Piece,
        gravity: u8,
        hangs: bool,
        landing: Landing,
    ) -> Option<InputTimeline> {
        let task = Task::new(page, piece, gravity);
        let lock = self.lock(&task, hangs, landing)?;
        Some(back(&task, &self.kept, landing.frames, lock))
    }

    /// Searches up to a lock and keeps the layers; `None` where the piece cannot lock there in that frame.
    pub(super) fn lock(&mut self, task: &Task, hangs: bool, landing: Landing) -> Option<Aim> {
        self.kept.clear();
        let lock = Aim { row: landing.placement.y as usize, stands: None, set: task.bit(landing.placement) };
        let mut is_reached = false;
        self.search(task, hangs, landing.frames, Keep::Layers, &mut |row: usize, set: Set, frames: u32| {
            is_reached |= row == lock.row && frames == landing.frames && set & lock.set != 0;
        });
        is_reached.then_some(lock)
    }

    /// Searches this number of frames and keeps the layers.
    pub(super) fn keep(&mut self, task: &Task, frames: u32) {
        self.kept.clear();
        self.search(task, false, frames, Keep::Layers, &mut |_: usize, _: Set, _: u32| ());
    }

    /// The way to an aim after this number of frames of the layers that were kept, and then the same buttons in every frame
    /// up to the lock.
    pub(super) fn way_with_end(
        &self,
        task: &Task,
        (frames, aim): (u32, Aim),
        end: Buttons,
        lock: u32,
    ) -> InputTimeline {
        let way = (frames > 0).then(|| back(task, &self.kept, frames, aim));
        let mut buttons = way.map_or(Vec::new(), |way| way.frames().to_vec());
        buttons.resize(lock as usize, end);
        InputTimeline::new(buttons)
    }
}

/// A set of states of one row, or of landings in it, as a frame leads to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    pub row: usize,
    /// Fall timer and hand; `None` where the piece lands.
    pub stands: Option<(usize, usize)>,
    pub set: Set,
}

/// Walks back from an aim that stands after this number of frames, frame by frame.
pub(super) fn back(task: &Task, layers: &[[Layer; 2]], frames: u32, mut aim: Aim) -> InputTimeline {
    const FOUND: &str = "a state that was reached has a state before it";
    let mut buttons = vec![Buttons::NONE; frames as usize];
    let mut frame = frames;
    let before = |frame: u32, had_stop: usize| &layers[frame as usize - 1][had_stop];
    // Without a stop if there is such a way.
    let mut had_stop = 0;
    let mut found = source(task, before(frame, 0), frame, aim, false);
    if found.is_none() {
        had_stop = 1;
        found = source(task, before(frame, 1), frame, aim, false);
    }
    loop {
        if found.is_none() && had_stop == 1 && frame as usize > STOP {
            // The stop was just before: Start in the frame of the step, and again after a frame without.
            let down = aim.stands.map_or(Buttons::NONE, |(_, hand)| buttons_of(hand));
            buttons[frame as usize - 1] = Buttons::START | down;
            buttons[frame as usize - 2] = down;
            frame -= STOP as u32;
            buttons[frame as usize - 1] = Buttons::START;
            had_stop = 0;
            found = source(task, before(frame, 0), frame, aim, true);
        }
        let (state, pressed) = found.expect(FOUND);
        buttons[frame as usize - 1] |= pressed;
        aim = state;
        frame -= 1;
        if frame == 0 {
            return InputTimeline::new(buttons);
        }
        found = source(task, before(frame, had_stop), frame, aim, false);
    }
}

/// A state of a layer that one frame leads to the aim, or a frame and a stop, and the buttons of that frame.
fn source(task: &Task, layer: &Layer, frame: u32, aim: Aim, stops: bool) -> Option<(Aim, Buttons)> {
    // Down first: rows of pushdown before the lock are points.
    for hand in (DOWN_1..FALLING).chain(0..UP).chain(HANGING..HANDS) {
        for (row, timer) in task.states(aim.row.saturating_sub(1)..aim.row + 1) {
            let mut left = layer[task.index(row, timer, hand)];
            while left != 0 {
                let state = left & left.wrapping_neg();
                left &= left - 1;
                let mut sets = [0; HANDS];
                sets[hand] = state;
                let mut buttons = None;
                play(task, row, timer, &sets, frame, |to, set| {
                    let (hand, is_aim) = match to {
                        To::Lands { hand } => (hand, aim.stands.is_none() && aim.row == row),
                        To::Stands { row, timer, hand } => {
                            let then = if stops { rested(row, hand) } else { Some(hand) };
                            let stands = then.map(|then| (timer, then));
                            (hand, aim.row == row && stands.is_some() && stands == aim.stands)
                        }
                    };
                    if is_aim && set & aim.set != 0 {
                        buttons = Some(buttons_of(hand));
                    }
                });
                if let Some(buttons) = buttons {
                    return Some((Aim { row, stands: Some((timer, hand)), set: state }, buttons));
                }
            }
        }
    }
    None
}

/// The buttons that are down with this hand.
fn buttons_of(hand: usize) -> Buttons {
    let hand = if hand >= HANGING { hand - HANGING } else { hand };
    let sides = match hand {
        DOWN_1.. => Buttons::DOWN,
        _ => [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT, Buttons::LEFT | Buttons::RIGHT][hand / TURNS],
    };
    sides | [Buttons::NONE, Buttons::A, Buttons::B][hand % TURNS]
}

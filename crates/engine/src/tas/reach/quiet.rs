//! Locks after which nothing more has to be pressed: the last buttons come early, and the piece falls by itself.

use std::collections::HashMap;

use super::back::Aim;
use super::{FALLING, Keep, Landing, Reach, Sees, Set, Task};
use crate::game::{Piece, ROWS};
use crate::gamepad::{Buttons, InputTimeline};
use crate::tas::page::Page;

/// A lock, and the last frame in which a button has to be pressed for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quiet {
    /// The placement, and the frames from the spawn to the lock.
    pub landing: Landing,
    /// Frames from the spawn to the last frame with a button; 0 if none is pressed.
    pub presses: u32,
}

impl Reach {
    /// Calls `each` for every placement and every frame of its lock that the piece can reach with buttons in at
    /// most the first `most` frames. Each comes once, with the fewest such frames; those with fewer come first.
    ///
    /// The first piece of a game, which hangs, is left out: it completes no row.
    pub fn quiet(&mut self, page: &Page, piece: Piece, gravity: u8, most: u32, each: impl FnMut(Quiet)) {
        self.kept.clear();
        let task = Task::new(page, piece, gravity);
        let mut falls = Falls { task: &task, most, seen: HashMap::new(), locks: Vec::new(), each };
        // One frame more: states are told before the frame that follows.
        self.search(&task, false, most + 1, Keep::Nothing, &mut falls);
        falls.flush();
    }

    /// The buttons of one that [`Reach::quiet`] has listed: one entry for each frame up to the lock, none pressed
    /// after the first `presses` frames. `None` where no buttons do it.
    pub fn quiet_way(&mut self, page: &Page, piece: Piece, gravity: u8, quiet: Quiet) -> Option<InputTimeline> {
        let Quiet { landing, presses } = quiet;
        if presses >= landing.frames {
            return self.way(page, piece, gravity, false, landing);
        }
        let task = Task::new(page, piece, gravity);
        self.keep(&task, presses + 1);
        let aim = self.aim(&task, quiet)?;
        Some(self.way_with_end(&task, (presses, aim), Buttons::NONE, landing.frames))
    }

    /// A state after the presses that falls into the placement in time.
    fn aim(&self, task: &Task, Quiet { landing, presses }: Quiet) -> Option<Aim> {
        // A piece that falls by itself keeps its column and its orientation.
        let set = task.bit(landing.placement);
        let layers = self.kept.get(presses as usize)?;
        for layer in layers {
            for (row, timer) in task.states(0..ROWS) {
                let hand = (0..FALLING).find(|&hand| layer[task.index(row, timer, hand)] & set != 0);
                let mut falls = false;
                fall(task, (row, timer), set, presses, |row, _, lock| {
                    falls = (row, lock) == (landing.placement.y as usize, landing.frames);
                });
                if let Some(hand) = hand.filter(|_| falls) {
                    return Some(Aim { row, stands: Some((timer, hand)), set });
                }
            }
        }
        None
    }
}

/// Lets a set fall by itself, and says where each part of it locks: the row, and the frame.
fn fall(task: &Task, (row, timer): (usize, usize), mut set: Set, frames: u32, mut each: impl FnMut(usize, Set, u32)) {
    let mut drop = frames + (task.gravity - timer) as u32;
    for row in row..ROWS {
        let below = task.fits[row + 1];
        // A piece that spawned into blocks tops out.
        let landed = set & task.fits[row] & !below;
        if landed != 0 {
            each(row, landed, drop);
        }
        set &= below;
        if set == 0 {
            return;
        }
        drop += task.gravity as u32;
    }
}

/// Tells each placement and frame once.
struct Falls<'a, Each> {
    task: &'a Task,
    /// Frames in which buttons may be pressed.
    most: u32,
    /// What has been told, by row and frame of the lock.
    seen: HashMap<(usize, u32), Set>,
    /// Locks with buttons up to their frame. States of the frame before come first.
    locks: Vec<(usize, Set, u32)>,
    each: Each,
}

impl<Each: FnMut(Quiet)> Falls<'_, Each> {
    fn tell(&mut self, row: usize, set: Set, frames: u32, presses: u32) {
        let seen = self.seen.entry((row, frames)).or_insert(0);
        let mut new = set & !*seen;
        *seen |= new;
        while new != 0 {
            let landing = Landing { placement: self.task.placement(new.trailing_zeros(), row), frames };
            (self.each)(Quiet { landing, presses });
            new &= new - 1;
        }
    }

    fn flush(&mut self) {
        for (row, set, frame) in std::mem::take(&mut self.locks) {
            self.tell(row, set, frame, frame);
        }
    }
}

impl<Each: FnMut(Quiet)> Sees for Falls<'_, Each> {
    fn lands(&mut self, row: usize, set: Set, frame: u32) {
        if frame <= self.most {
            self.locks.push((row, set, frame));
        }
    }

    fn stands(&mut self, task: &Task, at: (usize, usize), sets: &[Set], frames: u32) {
        if self.locks.last().is_some_and(|&(.., frame)| frame <= frames) {
            self.flush();
        }
        let set = sets[..FALLING].iter().fold(0, |all, set| all | set);
        fall(task, at, set, frames, |row, set, lock| self.tell(row, set, lock, frames));
    }
}

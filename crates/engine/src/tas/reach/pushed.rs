//! Ways to a lock with as many rows of pushdown as can be: they are points, and they cost no time.

use super::back::{Aim, back};
use super::{DOWN_1, FALLING, HANDS, Landing, Reach, Set, TURNS, Task, To, UP, play};
use crate::game::Piece;
use crate::gamepad::{Buttons, InputTimeline};
use crate::tas::page::Page;

/// The last part of a way, with Down held alone up to the lock.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Rows of pushdown.
    rows: u32,
    /// Frames from the spawn before it.
    after: u32,
    /// The state in which Down is pressed.
    from: Aim,
}

impl Reach {
    /// Like [`Reach::way`], with as many rows of pushdown (`$6F`) as ways have whose last frames hold Down alone. The
    /// first piece of a game, which hangs, is not pushed down on purpose.
    pub fn pushing_way(
        &mut self,
        page: &Page,
        piece: Piece,
        gravity: u8,
        hangs: bool,
        landing: Landing,
    ) -> Option<InputTimeline> {
        let task = Task::new(page, piece, gravity);
        let lock = self.lock(&task, hangs, landing)?;
        Some(match self.longest_run(&task, landing).filter(|_| !hangs) {
            Some(Run { after, from, .. }) => self.way_with_end(&task, (after, from), Buttons::DOWN, landing.frames),
            None => back(&task, &self.kept, landing.frames, lock),
        })
    }

    /// The most rows of pushdown of [`Reach::pushing_way`] for each of these locks: one entry each, 0 where there is no
    /// such way. The piece is not the first of a game.
    pub fn pushdowns(&mut self, page: &Page, piece: Piece, gravity: u8, locks: &[Landing]) -> Vec<u32> {
        let task = Task::new(page, piece, gravity);
        self.keep(&task, locks.iter().map(|lock| lock.frames).max().unwrap_or(0));
        let rows = |&lock: &Landing| self.longest_run(&task, lock).map_or(0, |run| run.rows);
        locks.iter().map(rows).collect()
    }

    /// The run with the most rows of pushdown; of equal ones the first.
    fn longest_run(&self, task: &Task, landing: Landing) -> Option<Run> {
        let set = task.bit(landing.placement);
        let mut best: Option<Run> = None;
        for (after, layers) in (0..landing.frames).zip(&self.kept) {
            for layer in layers {
                for (row, timer) in task.states(0..landing.placement.y as usize + 1) {
                    let hand = (0..UP).find(|&hand| layer[task.index(row, timer, hand)] & set != 0);
                    let Some(hand) = hand else { continue };
                    let rows = pushed(task, (row, timer), set, after, landing);
                    if let Some(rows) = rows.filter(|&rows| best.is_none_or(|best| rows > best.rows)) {
                        best = Some(Run { rows, after, from: Aim { row, stands: Some((timer, hand)), set } });
                    }
                }
            }
        }
        best
    }
}

/// Holds Down from a state without Down on: the rows of pushdown, if the piece then locks in the right row and frame.
fn pushed(task: &Task, (mut row, mut timer): (usize, usize), set: Set, after: u32, landing: Landing) -> Option<u32> {
    // The hand without Down becomes one that has pressed it.
    let mut hand = 0;
    let mut rows = 0;
    for frame in after + 1..=landing.frames {
        let mut sets = [0; HANDS];
        sets[hand] = set;
        let mut then = None;
        let mut lands = None;
        let was = hand;
        play(task, row, timer, &sets, frame, |to, to_set| {
            let presses = |hand: usize| (DOWN_1..FALLING).contains(&hand) && (hand - DOWN_1).is_multiple_of(TURNS);
            match to {
                To::Lands { hand } if presses(hand) && to_set == set => lands = Some(hand),
                To::Stands { row, timer, hand } if presses(hand) && to_set == set => then = Some((row, timer, hand)),
                _ => {}
            }
        });
        // Down counts 1, 2, 3. With 3 the piece drops by pushdown, and the count is 1.
        let is_pushed = |hand: usize| was != 0 && hand == DOWN_1;
        match (lands, then) {
            (Some(hand), _) => {
                let is_it = row == landing.placement.y as usize && frame == landing.frames;
                return is_it.then_some(rows + u32::from(is_pushed(hand)));
            }
            (None, Some(next)) => {
                rows += u32::from(is_pushed(next.2));
                (row, timer, hand) = next;
            }
            (None, None) => return None,
        }
    }
    None
}

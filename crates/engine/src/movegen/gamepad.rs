//! The `gamepad` style: shifts, rotations and pushdown, each with its own hold rules.
//!
//! The states of the search are {x, y, orientation, shift button, rotation button, Down,
//! fall timer}: those that share everything but column and orientation are one set in one
//! cell, and a cell is searched again only for states that are new in it.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::{Gravity, ROWS};
use crate::gamepad::{Buttons, InputTimeline};

/// States of Down: released, held for 1, 2 or 3 frames.
const DOWN_STATES: usize = 4;
/// In its third frame Down drops the piece. From then on it may be released.
const DOWN_DROPS: u8 = 3;

/// A state without column and orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    y: u8,
    fall_timer: u8,
    /// Frames for which Down has been held, 0 to 3; 3 means that it has just dropped the piece.
    down: u8,
    /// Was Left or Right down in the frame before?
    shifted: bool,
    /// Was A or B down in the frame before?
    rotated: bool,
}

impl Cell {
    fn index(self, frames_per_row: u8) -> usize {
        let timer = self.y as usize * frames_per_row as usize + self.fall_timer as usize;
        timer * DOWN_STATES * 4 + self.hand()
    }

    /// The part of the index that stands for the buttons.
    fn hand(self) -> usize {
        self.down as usize * 4 + 2 * usize::from(self.shifted) + usize::from(self.rotated)
    }

    /// The other cells that can do all that this one can: those with fewer buttons to release.
    fn freer(self) -> impl Iterator<Item = Cell> {
        [(false, false), (true, false), (false, true)]
            .into_iter()
            .map(move |(shifted, rotated)| Cell { shifted, rotated, ..self })
            .filter(move |cell| (self.shifted || !cell.shifted) && (self.rotated || !cell.rotated) && *cell != self)
    }
}

/// The result of a frame for a set of states.
enum Step {
    /// The states go on in another cell.
    Falls(Cell, Set),
    /// Their drop failed in row `y`.
    Lands { y: u8, set: Set },
}

/// The states that are new in a frame, cell by cell.
type Layer = Vec<(Cell, Set)>;

/// The searched frames, from the first on.
#[derive(Debug, Clone)]
pub(super) struct Gamepad {
    lanes: Lanes,
    gravity: Gravity,
    /// May Down be pressed?
    pushes: bool,
    layers: Vec<Layer>,
}

impl Gamepad {
    pub(super) fn search(
        lanes: Lanes,
        start: &Start,
        gravity: Gravity,
        pushes: bool,
        reached: &mut Vec<Reached>,
    ) -> Gamepad {
        let frames_per_row = gravity.frames();
        let first = Cell {
            y: start.piece.y as u8,
            // A timer past the drop acts like one at the drop.
            fall_timer: start.piece.fall_timer.min(frames_per_row - 1),
            down: 0,
            shifted: false,
            rotated: false,
        };
        let mut search = Gamepad { lanes, gravity, pushes, layers: Vec::new() };
        let cells = ROWS * frames_per_row as usize * DOWN_STATES * 4;
        let mut visited = vec![0; cells];
        let mut pending: Vec<Set> = vec![0; cells];
        let mut locked = [0; ROWS];
        let state = search.lanes.state(start.piece.orientation, start.piece.x);
        visited[first.index(frames_per_row)] = state;
        let mut layer = vec![(first, state)];
        while !layer.is_empty() {
            let frames = search.layers.len() as u32 + 1;
            let mut touched = Vec::new();
            for &(cell, set) in &layer {
                search.expand(cell, set, |_, step| match step {
                    Step::Lands { y, set } => {
                        let new = set & !locked[y as usize];
                        locked[y as usize] |= new;
                        let placements = each(new).map(|state| search.lanes.placement(state, y));
                        reached.extend(placements.map(|placement| Reached { placement, frames }));
                    }
                    Step::Falls(next, set) => {
                        let index = next.index(frames_per_row);
                        let known = next
                            .freer()
                            .fold(visited[index], |known, cell| known | visited[cell.index(frames_per_row)]);
                        if set & !known != 0 {
                            if pending[index] == 0 {
                                touched.push(next);
                            }
                            pending[index] |= set & !known;
                        }
                    }
                });
            }
            let next_layer = touched.into_iter().map(|cell| {
                let index = cell.index(frames_per_row);
                visited[index] |= pending[index];
                (cell, std::mem::take(&mut pending[index]))
            });
            let next_layer = next_layer.collect();
            search.layers.push(std::mem::replace(&mut layer, next_layer));
        }
        search
    }

    /// The states that can lock, row by row: those that [`Gamepad::search`] reaches, without the
    /// frames.
    ///
    /// A frame leads to a later fall timer in the same row or one drop down. Taken row by row and
    /// timer by timer, every cell is complete before it is expanded.
    pub(super) fn locks(lanes: Lanes, start: &Start, gravity: Gravity) -> [Set; ROWS] {
        const HANDS: usize = DOWN_STATES * 4;
        let frames_per_row = gravity.frames();
        let mut fall_timer = start.piece.fall_timer.min(frames_per_row - 1);
        let mut hands: [Set; HANDS] = [0; HANDS];
        hands[0] = lanes.state(start.piece.orientation, start.piece.x);
        let search = Gamepad { lanes, gravity, pushes: true, layers: Vec::new() };
        let mut locks = [0; ROWS];
        for y in (start.piece.y as u8..ROWS as u8).step_by(gravity.rows().into()) {
            let mut fallen: [Set; HANDS] = [0; HANDS];
            while fall_timer < frames_per_row {
                let mut after: [Set; HANDS] = [0; HANDS];
                for (hand, &set) in hands.iter().enumerate().filter(|&(_, &set)| set != 0) {
                    let (down, shifted, rotated) = ((hand / 4) as u8, hand & 2 != 0, hand & 1 != 0);
                    search.expand(Cell { y, fall_timer, down, shifted, rotated }, set, |_, step| match step {
                        Step::Lands { y, set } => locks[y as usize] |= set,
                        Step::Falls(to, set) if to.y == y => after[to.hand()] |= set,
                        Step::Falls(to, set) => fallen[to.hand()] |= set,
                    });
                }
                // Frames that change nothing are skipped, up to the frame of the drop.
                fall_timer = if after == hands { (fall_timer + 1).max(frames_per_row - 1) } else { fall_timer + 1 };
                hands = after;
            }
            (hands, fall_timer) = (fallen, 0);
        }
        locks
    }

    /// All that one frame can do from a cell; no press comes first.
    fn expand(&self, cell: Cell, set: Set, mut each_step: impl FnMut(Buttons, Step)) {
        let fits = self.lanes.fits(cell.y);
        let held: &[u8] = match cell.down {
            0 if self.pushes => &[0, 1],
            0 => &[0],
            1 => &[2],
            2 => &[DOWN_DROPS],
            _ => &[0, 2],
        };
        for &down in held {
            let no_shift = (Buttons::NONE, set);
            let shifts =
                [no_shift, (Buttons::LEFT, Lanes::left(set) & fits), (Buttons::RIGHT, Lanes::right(set) & fits)];
            // Held Down blocks shifting.
            let shifts = if down > 0 || cell.shifted { &shifts[..1] } else { &shifts[..] };
            for &(shift, shifted) in shifts {
                let rotations = [
                    (Buttons::NONE, shifted),
                    (Buttons::A, self.lanes.clockwise(shifted) & fits),
                    (Buttons::B, self.lanes.counter_clockwise(shifted) & fits),
                ];
                let rotations = if cell.rotated { &rotations[..1] } else { &rotations[..] };
                for &(rotation, set) in rotations {
                    if set == 0 {
                        continue;
                    }
                    let after = Cell {
                        y: cell.y,
                        fall_timer: cell.fall_timer + 1,
                        down,
                        shifted: !shift.is_empty(),
                        rotated: !rotation.is_empty(),
                    };
                    let buttons = shift | rotation | if down > 0 { Buttons::DOWN } else { Buttons::NONE };
                    self.drop(after, set, |step| each_step(buttons, step));
                }
            }
        }
    }

    /// The last part of a frame: the drop, if it is time for one.
    fn drop(&self, cell: Cell, set: Set, mut each_step: impl FnMut(Step)) {
        if cell.down != DOWN_DROPS && cell.fall_timer < self.gravity.frames() {
            each_step(Step::Falls(cell, set));
            return;
        }
        let (mut y, mut falling) = (cell.y, set);
        for _ in 0..self.gravity.rows() {
            let below = self.lanes.fits(y + 1);
            // A piece that spawned into blocks and was not moved out of them tops out instead.
            let landed = falling & self.lanes.fits(y) & !below;
            if landed != 0 {
                each_step(Step::Lands { y, set: landed });
            }
            falling &= below;
            y += 1;
        }
        if falling != 0 {
            each_step(Step::Falls(Cell { y, fall_timer: 0, ..cell }, falling));
        }
    }

    /// Walks back from the lock, layer by layer, by repeating each frame.
    pub(super) fn timeline(&self, reached: &Reached) -> InputTimeline {
        let goal = self.lanes.state(reached.placement.orientation, reached.placement.x);
        let lands =
            |step: &Step| matches!(*step, Step::Lands { y, set } if y as i8 == reached.placement.y && set & goal != 0);
        let last = reached.frames as usize - 1;
        let (button, cell, state) = self.source(last, lands).expect("a reached placement has a last frame");
        let mut buttons = self.way(last, cell, state);
        buttons.push(button);
        InputTimeline::new(buttons)
    }

    /// The ways to all states that are new after some frames, in a search without Down: in such a search
    /// no state is reached in two different frames.
    pub(super) fn openings(&self, frames: usize) -> Vec<InputTimeline> {
        let cells = self.layers.get(frames).into_iter().flatten();
        let ways = cells.flat_map(|&(cell, set)| each(set).map(move |state| self.way(frames, cell, state)));
        ways.map(InputTimeline::new).collect()
    }

    /// Walks back from a state of a layer.
    fn way(&self, layer: usize, mut cell: Cell, mut state: Set) -> Vec<Buttons> {
        let mut buttons = Vec::with_capacity(layer + 1);
        for layer in (0..layer).rev() {
            let falls = |step: &Step| matches!(*step, Step::Falls(to, set) if to == cell && set & state != 0);
            let (button, from, before) = self.source(layer, falls).expect("a new state comes from the layer before");
            buttons.push(button);
            (cell, state) = (from, before);
        }
        buttons.reverse();
        buttons
    }

    /// A state of a layer, with its cell and the buttons, whose frame has the wanted result.
    fn source(&self, layer: usize, wanted: impl Fn(&Step) -> bool) -> Option<(Buttons, Cell, Set)> {
        let mut found = None;
        for &(cell, set) in &self.layers[layer] {
            let mut any = false;
            self.expand(cell, set, |_, step| any |= wanted(&step));
            if !any {
                continue;
            }
            for state in each(set) {
                self.expand(cell, state, |buttons, step| {
                    if found.is_none() && wanted(&step) {
                        found = Some((buttons, cell, state));
                    }
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        found
    }
}

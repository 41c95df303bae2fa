//! Movement with any buttons in any frame: where a piece can lock, and the earliest frame for it.
//!
//! The search goes frame by frame. States that differ only in column and orientation are the bits of one
//! word, so that one operation moves all of them. What else a state has: row, fall timer, and the hand:
//! which buttons were down in the frame before.
//!
//! Some of what the game allows is left out because it never makes a piece faster; the test against the
//! slow search holds that:
//!
//! - Shifts by a charged DAS counter. A new press shifts at least as early: Left and Right in turn, or
//!   Right and then Left as well, which shifts right again.
//! - Presses that fail, and buttons that stay down without an effect.

mod back;
mod pushed;
mod quiet;

pub use quiet::Quiet;

use std::ops::Range;

use super::page::Page;
use crate::game::{FULL_ROW, HIDDEN_ROWS, Orientation, Piece, Placement, ROWS, SPAWN_X};

/// Four lanes of 16 bits, one for each orientation in clockwise order; bit `x` of a lane is column `x`
/// of the origin.
type Set = u64;

/// Bits of a lane.
const LANE: u32 = 16;

/// Left and Right in the frame before: none, Left, Right, both.
const SIDES: usize = 4;
/// A and B in the frame before: none, A, B.
const TURNS: usize = 3;
/// Hands without Down: each of the sides with each of the turns. Only what has shifted holds a side.
const UP: usize = SIDES * TURNS;
/// Down is held and counts 1: the next frame counts 2.
const DOWN_1: usize = UP;
/// Down is held and counts 2: the next frame drops.
const DOWN_2: usize = UP + TURNS;
/// All hands of a piece that falls.
const FALLING: usize = UP + 2 * TURNS;
/// The first piece before Down is pressed: the hands without Down once more. It does not fall.
const HANGING: usize = FALLING;
/// All hands.
const HANDS: usize = FALLING + UP;

/// The indices of the sides.
const NO_SIDE: usize = 0;
const LEFT: usize = 1;
const RIGHT: usize = 2;
const BOTH: usize = 3;

/// Where a piece can lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Landing {
    /// The placement.
    pub placement: Placement,
    /// Frames from the spawn to the earliest lock: the drop fails in this frame.
    pub frames: u32,
}

/// The lowest row in which a piece is stopped. After a stop the playfield is drawn again, four rows a frame; a
/// lock waits for the rows that are not drawn yet. From these rows no lock comes so soon.
const LOWEST_STOP: usize = 5;
/// Frames without a step in a stop: Start is pressed in the frame before them and in the second of them.
const STOP: usize = 2;

/// The states of one frame, by row, fall timer and hand.
type Layer = Vec<Set>;

/// A movement search; it keeps its memory from one piece to the next.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// May the game be paused by Start for two frames, at most once a piece? The generator goes on, and
    /// all buttons count as new again.
    stops: bool,
    now: Layer,
    then: Layer,
    /// The same of pieces that have had their stop: of this frame, and of the next ones.
    stopped: [Layer; STOP + 2],
    /// Every layer of the last search, if it was asked to keep them: of pieces without a stop, and with one.
    kept: Vec<[Layer; 2]>,
}

/// What one search is about.
struct Task {
    piece: Piece,
    fits: [Set; ROWS + 1],
    orientations: u32,
    first_id: u8,
    gravity: usize,
}

impl Task {
    fn new(page: &Page, piece: Piece, gravity: u8) -> Task {
        let (first_id, orientations) = shape(piece);
        Task { piece, fits: fits(page, piece), orientations, first_id, gravity: usize::from(gravity) }
    }

    fn clockwise(&self, set: Set) -> Set {
        match self.orientations {
            4 => set.rotate_left(LANE),
            2 => set << LANE | set >> LANE,
            _ => 0,
        }
    }

    fn counter_clockwise(&self, set: Set) -> Set {
        match self.orientations {
            4 => set.rotate_right(LANE),
            2 => set << LANE | set >> LANE,
            _ => 0,
        }
    }

    /// The piece as it spawns in row 0.
    fn spawn(&self) -> Set {
        self.bit(Placement { orientation: self.piece.spawn(), x: SPAWN_X, y: 0 })
    }

    fn index(&self, row: usize, timer: usize, hand: usize) -> usize {
        (row * self.gravity + timer) * HANDS + hand
    }

    /// Each of these rows with each fall timer.
    fn states(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<> {
        let gravity = self.gravity;
        rows.flat_map(move |row| (0..gravity).map(move |timer| (row, timer)))
    }

    fn placement(&self, bit: u32, row: usize) -> Placement {
        let id = self.first_id + (bit / LANE) as u8;
        let orientation = Orientation::from_id(id).expect("a lane is an orientation of the piece");
        Placement { orientation, x: (bit % LANE) as i8, y: row as i8 }
    }

    fn bit(&self, placement: Placement) -> Set {
        1 << (u32::from(placement.orientation.id() - self.first_id) * LANE + placement.x as u32)
    }
}

/// The first orientation id of a piece, and how many follow clockwise.
const fn shape(piece: Piece) -> (u8, u32) {
    match piece {
        Piece::T => (0x00, 4),
        Piece::J => (0x04, 4),
        Piece::Z => (0x08, 2),
        Piece::O => (0x0A, 1),
        Piece::S => (0x0B, 2),
        Piece::L => (0x0D, 4),
        Piece::I => (0x11, 2),
    }
}

/// For each row the columns and orientations in which a piece fits; none in row 20.
fn fits(page: &Page, piece: Piece) -> [Set; ROWS + 1] {
    const HIDDEN: usize = HIDDEN_ROWS;
    let mut free = [0_u32; HIDDEN + ROWS + 3];
    for (row, free) in (-(HIDDEN as i8)..ROWS as i8).zip(&mut free) {
        // Two columns of wall to the left keep every shift positive.
        *free = u32::from(!page.row(row) & FULL_ROW) << 2;
    }
    let (first, orientations) = shape(piece);
    let mut fits = [0; ROWS + 1];
    for lane in 0..orientations {
        let Some(orientation) = Orientation::from_id(first + lane as u8) else { continue };
        for (y, fits) in fits.iter_mut().enumerate().take(ROWS) {
            let mut columns = u32::from(FULL_ROW);
            for &(row, column) in orientation.cells() {
                columns &= free[(y as i8 + row + HIDDEN as i8) as usize] >> (column + 2);
            }
            *fits |= u64::from(columns) << (lane * LANE);
        }
    }
    fits
}

/// What the sets of one row and timer become in one frame, before the drop.
struct Moved {
    /// By hand; those of [`DOWN_1`] have pressed Down anew.
    hands: [Set; FALLING],
    /// Down has counted to 3: these drop and count 1 again.
    pushed: [Set; TURNS],
}

impl Moved {
    fn of(task: &Task, sets: &[Set], fits: Set) -> Moved {
        let mut moved = Moved { hands: [0; FALLING], pushed: [0; TURNS] };
        let mut groups = [[0; TURNS]; SIDES + 3];
        for turn in 0..TURNS {
            let [none, left, right, both] = [NO_SIDE, LEFT, RIGHT, BOTH].map(|side| sets[side * TURNS + turn]);
            let (down_1, down_2) = (sets[DOWN_1 + turn], sets[DOWN_2 + turn]);
            let down = down_1 | down_2;
            let up = none | left | right | both;
            groups[NO_SIDE][turn] = up | down;
            // Left must be new, and Right wins.
            groups[LEFT][turn] = (none | right | down) >> 1 & fits;
            groups[RIGHT][turn] = (none | left | down) << 1 & fits;
            // With Right still down, a new Left shifts right.
            groups[BOTH][turn] = right << 1 & fits;
            groups[SIDES][turn] = up;
            groups[SIDES + 1][turn] = down_1;
            groups[SIDES + 2][turn] = down_2;
        }
        for (group, sets) in groups.iter().enumerate() {
            if sets.iter().all(|&set| set == 0) {
                continue;
            }
            let to = match group {
                0..SIDES => &mut moved.hands[group * TURNS..][..TURNS],
                SIDES => &mut moved.hands[DOWN_1..][..TURNS],
                5 => &mut moved.hands[DOWN_2..][..TURNS],
                _ => &mut moved.pushed[..],
            };
            let [free, a, b] = *sets;
            to[0] |= free | a | b;
            to[1] |= task.clockwise(free | b) & fits;
            to[2] |= task.counter_clockwise(free | a) & fits;
        }
        moved
    }
}

impl Reach {
    /// A search without memory yet.
    pub fn new() -> Reach {
        Reach::default()
    }

    /// The same, with a stop: once a piece the game may be paused by Start for two frames. The generator goes on
    /// meanwhile, and all buttons but Down count as new after it.
    pub fn stopping() -> Reach {
        Reach { stops: true, ..Reach::default() }
    }

    /// Calls `each` for every placement that the piece can lock in within `most` frames, with the earliest
    /// frame, earliest first. `gravity` is in frames a row; `hangs`: it is the first piece, which does not
    /// fall before Down is pressed.
    pub fn landings(
        &mut self,
        page: &Page,
        piece: Piece,
        gravity: u8,
        hangs: bool,
        most: u32,
        mut each: impl FnMut(Landing),
    ) {
        self.kept.clear();
        let task = Task::new(page, piece, gravity);
        let mut seen = [0; ROWS];
        self.search(&task, hangs, most, Keep::Nothing, &mut |row: usize, set: Set, frames: u32| {
            let mut new = set & !seen[row];
            seen[row] |= new;
            while new != 0 {
                each(Landing { placement: task.placement(new.trailing_zeros(), row), frames });
                new &= new - 1;
            }
        });
    }

    /// Like [`Reach::landings`], with the frames of later locks: bit `n` is set where the piece can lock `n`
    /// frames after the earliest one, up to 63. Bit 0 is always set.
    pub fn locks(
        &mut self,
        page: &Page,
        piece: Piece,
        gravity: u8,
        hangs: bool,
        most: u32,
        locks: &mut Vec<(Landing, u64)>,
    ) {
        self.kept.clear();
        let task = Task::new(page, piece, gravity);
        let mut seen = [0; ROWS];
        locks.clear();
        self.search(&task, hangs, most, Keep::Nothing, &mut |row: usize, set: Set, frames: u32| {
            let mut old = set & seen[row];
            while old != 0 {
                let placement = task.placement(old.trailing_zeros(), row);
                if let Some((landing, later)) = locks.iter_mut().find(|(landing, _)| landing.placement == placement)
                    && frames - landing.frames < u64::BITS
                {
                    *later |= 1 << (frames - landing.frames);
                }
                old &= old - 1;
            }
            let mut new = set & !seen[row];
            seen[row] |= new;
            while new != 0 {
                locks.push((Landing { placement: task.placement(new.trailing_zeros(), row), frames }, 1));
                new &= new - 1;
            }
        });
    }

    /// Goes from frame to frame, up to `most` frames.
    fn search(&mut self, task: &Task, hangs: bool, most: u32, keep: Keep, seen: &mut impl Sees) {
        let size = ROWS * task.gravity * HANDS;
        for layer in [&mut self.now, &mut self.then].into_iter().chain(&mut self.stopped) {
            // What a search has used, it has emptied.
            layer.resize(size, 0);
        }
        self.now[if hangs { HANGING } else { 0 }] = task.spawn();
        let mut rows = Rows::one(0);
        let mut stopped_rows = [Rows::NONE; STOP + 2];
        for frame in 1..=most {
            if keep == Keep::Layers {
                self.kept.push([self.now.clone(), self.stopped[0].clone()]);
            }
            let mut then_rows = Rows::NONE;
            let (stopped, later) = self.stopped.split_at_mut(1);
            for (row, timer) in rows.states(task) {
                let at = task.index(row, timer, 0);
                let sets = &self.now[at..at + HANDS];
                if sets.iter().all(|&set| set == 0) {
                    continue;
                }
                seen.stands(task, (row, timer), sets, frame - 1);
                let then = &mut self.then;
                play(task, row, timer, sets, frame, |to, set| match to {
                    To::Lands { .. } => seen.lands(row, set, frame),
                    To::Stands { row, timer, hand } => {
                        then[task.index(row, timer, hand)] |= set;
                        then_rows.add(row);
                        if let Some(hand) = rested(row, hand).filter(|_| self.stops) {
                            later[STOP][task.index(row, timer, hand)] |= set;
                            stopped_rows[STOP + 1].add(row);
                        }
                    }
                });
            }
            for (row, timer) in stopped_rows[0].states(task) {
                let at = task.index(row, timer, 0);
                let sets = &stopped[0][at..at + HANDS];
                if sets.iter().all(|&set| set == 0) {
                    continue;
                }
                seen.stands(task, (row, timer), sets, frame - 1);
                play(task, row, timer, sets, frame, |to, set| match to {
                    To::Lands { .. } => seen.lands(row, set, frame),
                    To::Stands { row, timer, hand } => {
                        later[0][task.index(row, timer, hand)] |= set;
                        stopped_rows[1].add(row);
                    }
                });
            }
            rows.clear(task, &mut self.now);
            stopped_rows[0].clear(task, &mut stopped[0]);
            std::mem::swap(&mut self.now, &mut self.then);
            self.stopped.rotate_left(1);
            stopped_rows.rotate_left(1);
            stopped_rows[STOP + 1] = Rows::NONE;
            rows = then_rows;
            if rows.is_empty() && stopped_rows.iter().all(|rows| rows.is_empty()) {
                break;
            }
        }
        rows.clear(task, &mut self.now);
        for (rows, layer) in stopped_rows.iter().zip(&mut self.stopped) {
            rows.clear(task, layer);
        }
    }
}

/// What is told of a search.
trait Sees {
    /// A set of one row locks in this frame.
    fn lands(&mut self, row: usize, set: Set, frame: u32);

    /// The states of a row and timer, one set for each hand, after so many frames. They are told before what
    /// locks in the next frame.
    #[inline(always)]
    fn stands(&mut self, _task: &Task, _at: (usize, usize), _sets: &[Set], _frames: u32) {}
}

impl<Lands: FnMut(usize, Set, u32)> Sees for Lands {
    #[inline(always)]
    fn lands(&mut self, row: usize, set: Set, frame: u32) {
        self(row, set, frame);
    }
}

/// The rows in which a layer has states.
#[derive(Debug, Clone, Copy)]
struct Rows {
    top: usize,
    bottom: usize,
}

impl Rows {
    const NONE: Rows = Rows { top: usize::MAX, bottom: 0 };

    const fn one(row: usize) -> Rows {
        Rows { top: row, bottom: row }
    }

    const fn is_empty(self) -> bool {
        self.top > self.bottom
    }

    fn add(&mut self, row: usize) {
        self.top = self.top.min(row);
        self.bottom = self.bottom.max(row);
    }

    /// Each row with each fall timer.
    fn states(self, task: &Task) -> impl Iterator<Item = (usize, usize)> + use<> {
        task.states(if self.is_empty() { 0..0 } else { self.top..self.bottom + 1 })
    }

    /// Empties the rows of a layer.
    fn clear(self, task: &Task, layer: &mut Layer) {
        if !self.is_empty() {
            layer[task.index(self.top, 0, 0)..task.index(self.bottom + 1, 0, 0)].fill(0);
        }
    }
}

/// The hand after a stop in this row; `None` where there is none. Down may stay held and goes on counting.
fn rested(row: usize, hand: usize) -> Option<usize> {
    let hand = match hand {
        HANGING.. => return None,
        DOWN_2.. => DOWN_2,
        DOWN_1.. => DOWN_1,
        _ => 0,
    };
    (row <= LOWEST_STOP).then_some(hand)
}

/// Does a search keep its layers, so that the way back can be found?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    Nothing,
    Layers,
}

/// What a frame leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    /// The drop fails.
    Lands { hand: usize },
    /// The piece goes on.
    Stands { row: usize, timer: usize, hand: usize },
}

/// Plays one frame for the sets of a row and timer, one for each hand; `frame` counts from 1.
#[inline(always)]
fn play(task: &Task, row: usize, timer: usize, sets: &[Set], frame: u32, mut each: impl FnMut(To, Set)) {
    let (fits, below) = (task.fits[row], task.fits[row + 1]);
    let drop = |hand: usize, set: Set, each: &mut dyn FnMut(To, Set)| {
        // A piece that spawned into blocks and was not moved out of them tops out instead.
        let landed = set & fits & !below;
        if landed != 0 {
            each(To::Lands { hand }, landed);
        }
        if set & below != 0 {
            each(To::Stands { row: row + 1, timer: 0, hand }, set & below);
        }
    };
    let (falling, hanging) = sets.split_at(FALLING);
    if falling.iter().any(|&set| set != 0) {
        let moved = Moved::of(task, falling, fits);
        for (turn, &set) in moved.pushed.iter().enumerate().filter(|&(_, &set)| set != 0) {
            drop(DOWN_1 + turn, set, &mut each);
        }
        for (hand, &set) in moved.hands.iter().enumerate().filter(|&(_, &set)| set != 0) {
            if timer + 1 >= task.gravity {
                drop(hand, set, &mut each);
            } else {
                each(To::Stands { row, timer: timer + 1, hand }, set);
            }
        }
    }
    if hanging.iter().any(|&set| set != 0) {
        let mut up = [0; FALLING];
        up[..UP].copy_from_slice(hanging);
        let moved = Moved::of(task, &up, fits);
        for (hand, &set) in moved.hands[..UP].iter().enumerate().filter(|&(_, &set)| set != 0) {
            each(To::Stands { row, timer: 0, hand: HANGING + hand }, set);
        }
        // The fall timer has gone on while it hung.
        let timer = frame as usize;
        for (hand, &set) in moved.hands.iter().enumerate().skip(DOWN_1).filter(|&(_, &set)| set != 0) {
            if timer >= task.gravity {
                drop(hand, set, &mut each);
            } else {
                each(To::Stands { row, timer, hand }, set);
            }
        }
    }
}

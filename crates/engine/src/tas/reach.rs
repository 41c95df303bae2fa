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

use super::page::Page;
use crate::game::{FULL_ROW, HIDDEN_ROWS, Orientation, Piece, Placement, ROWS, SPAWN_X};
use crate::gamepad::{Buttons, InputTimeline};

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

/// The states of one frame, by row, fall timer and hand.
type Layer = Vec<Set>;

/// A movement search; it keeps its memory from one piece to the next.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    now: Layer,
    then: Layer,
    /// Every layer of the last search, if it was asked to keep them.
    kept: Vec<Layer>,
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
        self.search(&task, hangs, most, Keep::Nothing, |row, set, frames| {
            let mut new = set & !seen[row];
            seen[row] |= new;
            while new != 0 {
                each(Landing { placement: task.placement(new.trailing_zeros(), row), frames });
                new &= new - 1;
            }
        });
    }

    /// Goes from frame to frame; `lands` is called for each set that locks: with its row, and the frame.
    fn search(&mut self, task: &Task, hangs: bool, most: u32, keep: Keep, mut lands: impl FnMut(usize, Set, u32)) {
        let size = ROWS * task.gravity * HANDS;
        for layer in [&mut self.now, &mut self.then] {
            layer.clear();
            layer.resize(size, 0);
        }
        self.now[if hangs { HANGING } else { 0 }] = task.spawn();
        let (mut top, mut bottom) = (0, 0);
        for frame in 1..=most {
            if keep == Keep::Layers {
                self.kept.push(self.now.clone());
            }
            let mut range = (usize::MAX, 0);
            for row in top..=bottom {
                for timer in 0..task.gravity {
                    let at = task.index(row, timer, 0);
                    let sets = &self.now[at..at + HANDS];
                    if sets.iter().all(|&set| set == 0) {
                        continue;
                    }
                    let then = &mut self.then;
                    play(task, row, timer, sets, frame, |to, set| match to {
                        To::Lands { .. } => lands(row, set, frame),
                        To::Stands { row, timer, hand } => {
                            then[task.index(row, timer, hand)] |= set;
                            range = (range.0.min(row), range.1.max(row));
                        }
                    });
                }
            }
            self.now[task.index(top, 0, 0)..task.index(bottom + 1, 0, 0)].fill(0);
            std::mem::swap(&mut self.now, &mut self.then);
            if range.0 > range.1 {
                break;
            }
            (top, bottom) = range;
        }
    }

    /// The buttons that lock the piece in a placement after exactly so many frames; `None` where no buttons
    /// do.
    pub fn way(
        &mut self,
        page: &Page,
        piece: Piece,
        gravity: u8,
        hangs: bool,
        landing: Landing,
    ) -> Option<InputTimeline> {
        let task = Task::new(page, piece, gravity);
        self.kept.clear();
        let goal = task.bit(landing.placement);
        let goal_row = landing.placement.y as usize;
        let mut is_reached = false;
        self.search(&task, hangs, landing.frames, Keep::Layers, |row, set, frames| {
            is_reached |= row == goal_row && frames == landing.frames && set & goal != 0;
        });
        is_reached.then(|| back(&task, &self.kept, goal_row, goal))
    }
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

/// A set of states of one row, or of landings in it, as a frame leads to it.
#[derive(Debug, Clone, Copy)]
struct Aim {
    row: usize,
    /// Fall timer and hand; `None` where the piece lands.
    stands: Option<(usize, usize)>,
    set: Set,
}

/// Walks back from the lock, frame by frame.
fn back(task: &Task, layers: &[Layer], goal_row: usize, goal: Set) -> InputTimeline {
    let mut aim = Aim { row: goal_row, stands: None, set: goal };
    let mut buttons = Vec::with_capacity(layers.len());
    for (frame, layer) in layers.iter().enumerate().rev() {
        let (before, pressed) =
            source(task, layer, frame as u32 + 1, aim).expect("a state that was reached has a state before it");
        buttons.push(pressed);
        aim = before;
    }
    buttons.reverse();
    InputTimeline::new(buttons)
}

/// A state of a layer that one frame leads to the aim, and the buttons of that frame.
fn source(task: &Task, layer: &Layer, frame: u32, aim: Aim) -> Option<(Aim, Buttons)> {
    for row in aim.row.saturating_sub(1)..=aim.row {
        for timer in 0..task.gravity {
            for hand in 0..HANDS {
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
                                (hand, (aim.row, aim.stands) == (row, Some((timer, hand))))
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

//! The placements of a search without the ways to them. Only the sets of the present row are kept,
//! all on the stack.

use super::gamepad::Gamepad;
use super::gaps::GapHands;
use super::lanes::{Lanes, Set, by_piece, placement};
use super::start::{Start, Waited};
use super::taps::LONGEST;
use crate::game::{Gravity, Orientation, Piece, Placement, Playfield, ROWS, SPAWN_X};
use crate::gamepad::{PressStyle, TapGaps, TapRate, TapRhythm};

/// The placements of one piece that can lock, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locks {
    /// The first of the piece's orientation ids.
    first: u8,
    /// The states that can lock, by the origin's row.
    rows: [Set; ROWS],
}

impl Locks {
    /// At most one placement of a piece.
    pub fn only(piece: Piece, placement: Option<Placement>) -> Locks {
        let first = piece.orientations().next().map_or(0, Orientation::id);
        let mut rows = [0; ROWS];
        if let Some(Placement { orientation, x, y }) = placement {
            rows[y as usize] = Lanes::state_from(first, orientation, x);
        }
        Locks { first, rows }
    }

    /// The states that lock, by row, given the first of the piece's orientation ids.
    pub(super) fn of_rows(first: u8, rows: [Set; ROWS]) -> Locks {
        Locks { first, rows }
    }

    /// Is this placement of the piece among them?
    #[inline]
    pub fn contains(&self, Placement { orientation, x, y }: Placement) -> bool {
        self.rows[y as usize] & Lanes::state_from(self.first, orientation, x) != 0
    }

    /// Each placement once: row 0 (the top) first, in a row the orientations clockwise from the
    /// lowest id, and of an orientation column 0 first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Placement> {
        let mut rows = self.rows.iter().zip(0_u8..);
        let (mut set, mut row) = (0, 0);
        std::iter::from_fn(move || {
            while set == 0 {
                let (&next, y) = rows.next()?;
                (set, row) = (next, y);
            }
            let state = set & set.wrapping_neg();
            set ^= state;
            Some(placement(self.first, state, row))
        })
    }

    /// Number of placements.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.iter().map(|set| set.count_ones() as usize).sum()
    }

    /// Are all placements of these ones among those of `other`, of the same piece?
    pub fn is_within(&self, other: &Locks) -> bool {
        self.rows.iter().zip(&other.rows).all(|(own, other)| own & !other == 0)
    }

    /// Adds the placements of `other`, of the same piece.
    pub fn add(&mut self, other: &Locks) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(own, other)| *own |= other);
    }

    /// Removes the placements that are not among those of `other`, of the same piece.
    pub fn keep(&mut self, other: &Locks) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(own, other)| *own &= other);
    }

    /// Is there no placement?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&set| set == 0)
    }
}

/// The placements of [`generate`](super::generate()), without timelines. A level stands for its gravity
/// by the rules of the original.
///
/// Allocates no memory. [`sweep_plateau`] is the fastest case.
#[inline]
pub fn sweep(playfield: &Playfield, start: &Start, gravity: impl Into<Gravity>, style: PressStyle) -> Locks {
    let gravity = gravity.into();
    if start.waits() {
        sweep_later(playfield, start, gravity, style)
    } else {
        sweep_now(playfield, start, gravity, style)
    }
}

/// [`sweep`] after frames without a press.
#[cold]
fn sweep_later(playfield: &Playfield, start: &Start, gravity: Gravity, style: PressStyle) -> Locks {
    match start.wait(playfield, gravity).1 {
        Waited::Falls(start) => sweep_now(playfield, &start, gravity, style),
        Waited::Locks(placement) => Locks::only(start.piece.orientation.piece(), placement),
    }
}

/// [`sweep`] where something may be pressed in the next frame.
#[inline]
fn sweep_now(playfield: &Playfield, start: &Start, gravity: Gravity, style: PressStyle) -> Locks {
    let piece = start.piece.orientation.piece();
    if gravity.frames() <= 2 && style == PressStyle::Taps(TapRate::FASTEST) && is_spawn(start) {
        return match (gravity.frames(), gravity.rows()) {
            (2, _) => sweep_plateau(playfield, piece),
            (_, 1) => by_piece!(piece, killscreen(playfield)),
            _ => by_piece!(piece, double_killscreen(playfield)),
        };
    }
    // With a constant for the rows of a drop, the usual gravities cost no loop over them.
    if gravity.rows() == 1 {
        sweep_any::<1>(playfield, start, gravity, style)
    } else {
        sweep_any::<2>(playfield, start, gravity, style)
    }
}

/// [`sweep_now`] for any start, style and gravity whose drops are `DROP` rows.
fn sweep_any<const DROP: u8>(playfield: &Playfield, start: &Start, gravity: Gravity, style: PressStyle) -> Locks {
    let frames = gravity.frames();
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let first = lanes.first();
    let rows = match style {
        PressStyle::EvenFrames => even_frames::<DROP>(&lanes, start, frames),
        PressStyle::Gamepad => Gamepad::locks(lanes, start, gravity),
        PressStyle::Taps(rate) => taps::<DROP>(&lanes, start, frames, rate),
        PressStyle::Rhythm(rhythm) => taps_in_rhythm::<DROP>(&lanes, start, frames, rhythm),
        PressStyle::Gaps(gaps) => taps_by_gaps::<DROP>(&lanes, start, frames, gaps),
    };
    Locks { first, rows }
}

/// Drops a set from row `y`: what locks goes into `locks`, row by row, and what falls on is returned.
#[inline(always)]
fn dropped<const DROP: u8>(lanes: &Lanes, set: Set, y: u8, locks: &mut [Set; ROWS]) -> Set {
    let mut falling = set;
    for row in y..(y + DROP).min(ROWS as u8) {
        let (fits, below) = (lanes.fits(row), lanes.fits(row + 1));
        // A piece that spawned into blocks and was not moved out of them tops out instead.
        locks[row as usize] = falling & fits & !below;
        falling &= below;
    }
    falling
}

/// The rows in which a frame of control begins, from that of the start on.
fn rows_from<const DROP: u8>(start: &Start) -> impl Iterator<Item = u8> {
    (start.piece.y as u8..ROWS as u8).step_by(DROP.into())
}

/// [`sweep`] for a piece that spawns, taps at 30 Hz and two frames a row: levels 19 to 28.
#[inline]
pub fn sweep_plateau(playfield: &Playfield, piece: Piece) -> Locks {
    by_piece!(piece, plateau(playfield))
}

/// Is the piece where it spawns, and may it be tapped at once? At two frames a row and fewer each
/// row has time for one tap, also a first row that the fall timer cuts short. The number of the
/// control frame does not matter to this style.
fn is_spawn(start: &Start) -> bool {
    let spawn = Start::spawn(start.piece.orientation.piece());
    let place = |start: &Start| (start.piece.orientation, start.piece.x, start.piece.y);
    place(start) == place(&spawn) && start.rest == 0
}

/// The states in which a piece spawns.
const fn spawned<const FIRST: u8>() -> Set {
    let piece = Orientation::from_id(FIRST).expect("the first orientation of a piece").piece();
    Lanes::state_from(FIRST, piece.spawn(), SPAWN_X)
}

/// The first row in which the sets may differ from those of the empty playfield. Cells reach one
/// row below their origin, and a drop needs the row after that.
#[inline]
fn first_row(playfield: &Playfield) -> usize {
    let rows = playfield.all_rows();
    // Index 0 is row -2. Without an occupied row the floor comes first.
    let above = rows.iter().position(|&row| row != 0).unwrap_or(rows.len());
    above.saturating_sub(4)
}

/// Rows of a fall on the empty playfield that the floor cannot change.
const FALL: usize = ROWS - 1;

/// Taps at 30 Hz at two frames a row. Whenever the tap of a row comes, the next row allows another
/// one, so that one set holds the whole state.
#[inline(always)]
fn plateau<const FIRST: u8, const ORIENTATIONS: u32>(playfield: &Playfield) -> Locks {
    let above = const {
        let lanes = Lanes::of::<FIRST, ORIENTATIONS>(&Playfield::EMPTY);
        let mut above: [Set; FALL] = [spawned::<FIRST>(); FALL];
        let mut y = 1;
        while y < FALL {
            above[y] = lanes.tapped(above[y - 1], lanes.fits(y as u8 - 1)) & lanes.fits(y as u8);
            y += 1;
        }
        above
    };
    let lanes = Lanes::of::<FIRST, ORIENTATIONS>(playfield);
    let mut rows = [0; ROWS];
    let first = first_row(playfield);
    let mut set = above[first];
    for (y, locks) in rows.iter_mut().enumerate().skip(first) {
        let (fits, below) = (lanes.fits(y as u8), lanes.fits(y as u8 + 1));
        let tapped = lanes.tapped(set, fits);
        *locks = tapped & fits & !below;
        set = tapped & below;
        if set == 0 {
            break;
        }
    }
    Locks { first: FIRST, rows }
}

/// The states at the start of a row: those that may tap, and those that tapped in the row before.
type Hands = (Set, Set);

/// One row at one frame a row, with taps at 30 Hz: what locks, and what reaches the next row.
#[inline(always)]
const fn killscreen_row(lanes: &Lanes, (ready, resting): Hands, y: u8) -> (Set, Hands) {
    let (fits, below) = (lanes.fits(y), lanes.fits(y + 1));
    let tapped = lanes.tapped(ready, fits);
    let rested = ready | resting;
    ((rested | tapped) & fits & !below, (rested & below, tapped & !rested & below))
}

/// Taps at 30 Hz at one frame a row, from level 29 on.
#[inline(always)]
fn killscreen<const FIRST: u8, const ORIENTATIONS: u32>(playfield: &Playfield) -> Locks {
    let above = const {
        let lanes = Lanes::of::<FIRST, ORIENTATIONS>(&Playfield::EMPTY);
        let mut above: [Hands; FALL] = [(spawned::<FIRST>(), 0); FALL];
        let mut y = 1;
        while y < FALL {
            above[y] = killscreen_row(&lanes, above[y - 1], y as u8 - 1).1;
            y += 1;
        }
        above
    };
    let lanes = Lanes::of::<FIRST, ORIENTATIONS>(playfield);
    let mut rows = [0; ROWS];
    let first = first_row(playfield);
    let mut hands = above[first];
    for (y, locks) in rows.iter_mut().enumerate().skip(first) {
        (*locks, hands) = killscreen_row(&lanes, hands, y as u8);
        if hands.0 | hands.1 == 0 {
            break;
        }
    }
    Locks { first: FIRST, rows }
}

/// One frame at two rows a frame, with taps at 30 Hz: what locks in row `y` and in the row below it, and
/// what reaches the row after that.
#[inline(always)]
const fn double_killscreen_frame(lanes: &Lanes, (ready, resting): Hands, y: u8) -> ([Set; 2], Hands) {
    let (fits, below, after) = (lanes.fits(y), lanes.fits(y + 1), lanes.fits(y + 2));
    let tapped = lanes.tapped(ready, fits);
    let rested = ready | resting;
    let falling = (rested | tapped) & below;
    let locks = [(rested | tapped) & fits & !below, falling & !after];
    (locks, (rested & below & after, tapped & !rested & below & after))
}

/// Taps at 30 Hz at two rows a frame. Frames begin in even rows.
#[inline(always)]
fn double_killscreen<const FIRST: u8, const ORIENTATIONS: u32>(playfield: &Playfield) -> Locks {
    let above = const {
        let lanes = Lanes::of::<FIRST, ORIENTATIONS>(&Playfield::EMPTY);
        let mut above: [Hands; FALL] = [(spawned::<FIRST>(), 0); FALL];
        let mut y = 2;
        while y < FALL {
            above[y] = double_killscreen_frame(&lanes, above[y - 2], y as u8 - 2).1;
            y += 2;
        }
        above
    };
    let lanes = Lanes::of::<FIRST, ORIENTATIONS>(playfield);
    let mut rows = [0; ROWS];
    let first = first_row(playfield) & !1;
    let mut hands = above[first];
    for y in (first..ROWS).step_by(2) {
        let locks;
        (locks, hands) = double_killscreen_frame(&lanes, hands, y as u8);
        rows[y..y + 2].copy_from_slice(&locks);
        if hands.0 | hands.1 == 0 {
            break;
        }
    }
    Locks { first: FIRST, rows }
}

/// Frames until the first drop, its own frame included.
fn frames_to_drop(start: &Start, frames_per_row: u8) -> u8 {
    frames_per_row.saturating_sub(start.piece.fall_timer).max(1)
}

/// The `even-frames` style at any gravity.
fn even_frames<const DROP: u8>(lanes: &Lanes, start: &Start, frames_per_row: u8) -> [Set; ROWS] {
    let mut rows = [0; ROWS];
    let mut set = lanes.state(start.piece.orientation, start.piece.x);
    let mut may_press = PressStyle::EvenFrames.may_press(start.control_frame);
    let mut frames = frames_to_drop(start, frames_per_row);
    for y in rows_from::<DROP>(start) {
        let fits = lanes.fits(y);
        let presses = (frames + u8::from(may_press)) / 2;
        for _ in 0..presses {
            let before = set;
            set = lanes.pressed(set, fits);
            if set == before {
                break;
            }
        }
        may_press ^= !frames.is_multiple_of(2);
        frames = frames_per_row;
        set = dropped::<DROP>(lanes, set, y, &mut rows);
        if set == 0 {
            break;
        }
    }
    rows
}

/// Taps in a rhythm at any gravity. All states may tap in the same frames, so that one set holds
/// them.
fn taps_in_rhythm<const DROP: u8>(lanes: &Lanes, start: &Start, frames_per_row: u8, rhythm: TapRhythm) -> [Set; ROWS] {
    let mut rows = [0; ROWS];
    let mut set = lanes.state(start.piece.orientation, start.piece.x);
    let mut control_frame = start.control_frame;
    let mut frames = u32::from(frames_to_drop(start, frames_per_row));
    for y in rows_from::<DROP>(start) {
        let fits = lanes.fits(y);
        for _ in 0..rhythm.taps_within(control_frame, frames) {
            let before = set;
            set = lanes.tapped(set, fits);
            if set == before {
                break;
            }
        }
        control_frame += frames;
        frames = u32::from(frames_per_row);
        set = dropped::<DROP>(lanes, set, y, &mut rows);
        if set == 0 {
            break;
        }
    }
    rows
}

/// The `taps` style at any gravity and rate.
fn taps<const DROP: u8>(lanes: &Lanes, start: &Start, frames_per_row: u8, rate: TapRate) -> [Set; ROWS] {
    let period = usize::from(rate.frames());
    let mut rows = [0; ROWS];
    // The states that may tap now, and those that may from a later frame on: those of frame `f`
    // are at `f % period`.
    let mut ready = 0;
    let mut resting: [Set; LONGEST] = [0; LONGEST];
    let mut all = lanes.state(start.piece.orientation, start.piece.x);
    match usize::from(start.rest).min(period - 1) {
        0 => ready = all,
        rest => resting[rest] = all,
    }
    let mut now = 0;
    let mut frames = frames_to_drop(start, frames_per_row);
    for y in rows_from::<DROP>(start) {
        let fits = lanes.fits(y);
        for _ in 0..frames {
            let next = if now + 1 == period { 0 } else { now + 1 };
            let new = lanes.tapped(ready, fits) & !all;
            // When all states may tap and nothing is new, the row's other frames add nothing.
            if new == 0 && all == ready {
                break;
            }
            ready |= std::mem::take(&mut resting[next]);
            resting[now] = new;
            all |= new;
            now = next;
        }
        frames = frames_per_row;
        all = dropped::<DROP>(lanes, all, y, &mut rows);
        if all == 0 {
            break;
        }
        ready &= all;
        resting[..period].iter_mut().for_each(|set| *set &= all);
    }
    rows
}

/// Taps whose gaps change from tap to tap, at any gravity.
fn taps_by_gaps<const DROP: u8>(lanes: &Lanes, start: &Start, frames_per_row: u8, gaps: TapGaps) -> [Set; ROWS] {
    let mut rows = [0; ROWS];
    let mut hands = GapHands::of(start, gaps, lanes.state(start.piece.orientation, start.piece.x));
    let mut frames = frames_to_drop(start, frames_per_row);
    for y in rows_from::<DROP>(start) {
        let fits = lanes.fits(y);
        (0..frames).for_each(|_| hands.pass(lanes, fits));
        frames = frames_per_row;
        let falling = dropped::<DROP>(lanes, hands.all(), y, &mut rows);
        if falling == 0 {
            break;
        }
        hands.keep(falling);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::control::FallingPiece;
    use crate::movegen::generate;

    fn sorted(mut placements: Vec<Placement>) -> Vec<Placement> {
        placements.sort_by_key(|placement| (placement.y, placement.orientation, placement.x));
        placements
    }

    #[test]
    fn placements_come_row_by_row_from_the_top() {
        let playfield = Playfield::drawn(
            "
            ###....###
            ##......##
            #..####..#
            ",
        );
        for (piece, style) in Piece::ALL.into_iter().flat_map(|piece| PressStyle::ALL.map(|style| (piece, style))) {
            let start = Start::spawn(piece);
            let locks = sweep(&playfield, &start, 18, style);
            let listed: Vec<Placement> = locks.iter().collect();
            let reached = generate(&playfield, &start, 18, style).reached().iter().map(|r| r.placement).collect();
            assert_eq!(listed, sorted(reached), "{piece:?} {style:?}");
            assert_eq!((locks.len(), locks.is_empty()), (listed.len(), false));
        }
    }

    #[test]
    fn a_piece_that_spawns_into_blocks_locks_where_it_can_leave_them() {
        let mut playfield = Playfield::EMPTY;
        for row in -2..20 {
            playfield.set_row(row, 0b11_1111_1110);
        }
        for level in [0, 18, 19, 29] {
            for style in PressStyle::ALL {
                assert!(sweep(&playfield, &Start::spawn(Piece::T), level, style).is_empty());
            }
        }
        // One cell in the way of the spawn; one turn leads past it.
        let mut playfield = Playfield::EMPTY;
        playfield.set(0, 6);
        playfield.set(2, 5);
        let turned = Placement { orientation: Piece::T.spawn().clockwise(), x: 5, y: 0 };
        for level in [0, 18, 19, 29] {
            for style in PressStyle::ALL {
                let locks = sweep(&playfield, &Start::spawn(Piece::T), level, style);
                assert!(locks.iter().any(|placement| placement == turned), "level {level} {style:?}");
            }
        }
    }

    /// Otherwise no spawn at these gravities runs the general case.
    #[test]
    fn the_fast_cases_are_cases_of_the_general_one() {
        let playfield = Playfield::drawn(
            "
            #........#
            ##..##...#
            ###.......
            ##.######.
            ",
        );
        for piece in Piece::ALL {
            let lanes = Lanes::new(&playfield, piece);
            for fall_timer in 0..3 {
                let spawn = Start::spawn(piece);
                let start = Start { piece: FallingPiece { fall_timer, ..spawn.piece }, ..spawn };
                let general = |frames_per_row| taps::<1>(&lanes, &start, frames_per_row, TapRate::FASTEST);
                let double = taps::<2>(&lanes, &start, 1, TapRate::FASTEST);
                assert_eq!(sweep_plateau(&playfield, piece).rows, general(2), "{piece:?} timer {fall_timer}");
                assert_eq!(by_piece!(piece, killscreen(&playfield)).rows, general(1), "{piece:?} timer {fall_timer}");
                assert_eq!(by_piece!(piece, double_killscreen(&playfield)).rows, double, "{piece:?} {fall_timer}");
            }
        }
    }

    #[test]
    fn the_start_counts() {
        // At one frame a row and 1 Hz a rest of 30 frames leaves no time to tap.
        let rate = PressStyle::Taps(TapRate::from_hz(1).expect("a rate within the range"));
        let start = Start { rest: 30, ..Start::spawn(Piece::T) };
        assert_eq!(sweep(&Playfield::EMPTY, &start, 29, rate).len(), 1);
        assert!(sweep(&Playfield::EMPTY, &Start::spawn(Piece::T), 29, rate).len() > 1);
        // With the drop due at once in the last row there is time for one tap.
        let piece = FallingPiece { y: 18, fall_timer: 47, ..FallingPiece::spawned(Piece::T.spawn(), 0) };
        let start = Start { piece, ..Start::spawn(Piece::T) };
        let fastest = PressStyle::Taps(TapRate::FASTEST);
        let locks: Vec<i8> = sweep(&Playfield::EMPTY, &start, 0, fastest).iter().map(|p| p.x).collect();
        assert_eq!(locks, [4, 5, 6, 4, 5, 6, 4, 5, 6]);
    }
}

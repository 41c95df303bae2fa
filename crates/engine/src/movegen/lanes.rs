//! Sets of (orientation, column) as the bits of one word.

use crate::game::{FULL_ROW, Orientation, Piece, Placement, Playfield};
use crate::gamepad::Buttons;

/// A set of states of one piece in one row: four lanes of 16 bits, one for each orientation in
/// clockwise order. Bit `x` of a lane is column `x` of the origin.
pub(super) type Set = u64;

/// Bits of a lane.
const LANE: u32 = 16;

/// Rows of a table of [`Lanes`]: 0 to 20, rounded up to whole vectors of eight rows.
const TABLE: usize = 24;
/// The rows of the table and those above and below that a piece's cells reach: index 0 is row -2.
const REACHED: usize = TABLE + 4;
/// Columns of wall to the left of column 0. No cell is further from its origin than two; four keep
/// the shift positive.
const WALL: u32 = 4;
/// The columns of the playfield in a lane.
const COLUMNS: u16 = FULL_ROW;

/// Where one piece fits on one playfield, and how its sets move.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    /// The first of the piece's orientation ids; the others follow clockwise.
    first: u8,
    orientations: u32,
    /// `fits[lane][y]`: the columns in which the piece fits with its origin in row `y`; none from
    /// row 20 on. The lanes of a row become one word only when the row is needed: a search needs
    /// few of the rows, and the processor does it while it waits for the search's own sets.
    fits: [[u16; TABLE]; 4],
}

/// Calls a function that is generic over the first orientation id and the number of orientations of
/// a piece, so that the shapes are constants in each copy of the function.
macro_rules! by_piece {
    ($piece:expr, $($function:ident)::+($($argument:expr),*)) => {
        match $piece {
            Piece::T => $($function)::+::<0x00, 4>($($argument),*),
            Piece::J => $($function)::+::<0x04, 4>($($argument),*),
            Piece::Z => $($function)::+::<0x08, 2>($($argument),*),
            Piece::O => $($function)::+::<0x0A, 1>($($argument),*),
            Piece::S => $($function)::+::<0x0B, 2>($($argument),*),
            Piece::L => $($function)::+::<0x0D, 4>($($argument),*),
            Piece::I => $($function)::+::<0x11, 2>($($argument),*),
        }
    };
}
pub(super) use by_piece;

/// The rows of a playfield between walls: bit `x + WALL` is column `x`. Below the floor
/// everything is blocked.
#[inline(always)]
const fn blocked(playfield: &Playfield) -> [u16; REACHED] {
    let rows = playfield.all_rows();
    let mut blocked = [!0; REACHED];
    let mut row = 0;
    while row < rows.len() {
        blocked[row] = rows[row] << WALL | !(COLUMNS << WALL);
        row += 1;
    }
    blocked
}

/// For each row the columns in which one orientation fits. The offsets are constants and the loop
/// has no branches, so that the compiler turns it into vector instructions.
#[inline(always)]
const fn lane<const FIRST: u8, const LANE_INDEX: u8>(blocked: &[u16; REACHED]) -> [u16; TABLE] {
    // A piece with fewer than four orientations never uses its last lanes, but they are compiled.
    let orientation = const {
        match Orientation::from_id(FIRST + LANE_INDEX) {
            Some(orientation) => orientation,
            None => Piece::I.spawn(),
        }
    };
    let [a, b, c, d] = *orientation.cells();
    let mut fits = [0; TABLE];
    let mut y = 0;
    while y < TABLE {
        fits[y] = !(hit(blocked, y, a) | hit(blocked, y, b) | hit(blocked, y, c) | hit(blocked, y, d)) & COLUMNS;
        y += 1;
    }
    fits
}

/// The origin's columns for which one cell of a piece is blocked.
#[inline(always)]
const fn hit(blocked: &[u16; REACHED], y: usize, (dy, dx): (i8, i8)) -> u16 {
    blocked[y + (dy + 2) as usize] >> (WALL as i8 + dx)
}

impl Lanes {
    pub(super) fn new(playfield: &Playfield, piece: Piece) -> Lanes {
        by_piece!(piece, Lanes::of(playfield))
    }

    /// [`Lanes::new`] for a piece that is known at compile time, see [`by_piece`].
    #[inline(always)]
    pub(super) const fn of<const FIRST: u8, const ORIENTATIONS: u32>(playfield: &Playfield) -> Lanes {
        let blocked = blocked(playfield);
        let none = [0; TABLE];
        let a = lane::<FIRST, 0>(&blocked);
        let b = if ORIENTATIONS > 1 { lane::<FIRST, 1>(&blocked) } else { none };
        let c = if ORIENTATIONS > 2 { lane::<FIRST, 2>(&blocked) } else { none };
        let d = if ORIENTATIONS > 3 { lane::<FIRST, 3>(&blocked) } else { none };
        Lanes { first: FIRST, orientations: ORIENTATIONS, fits: [a, b, c, d] }
    }

    /// The first of the piece's orientation ids.
    pub(super) const fn first(&self) -> u8 {
        self.first
    }

    /// States that fit in row `y`, 0 to 20.
    #[inline]
    pub(super) const fn fits(&self, y: u8) -> Set {
        let y = y as usize;
        let [a, b, c, d] = &self.fits;
        let mut fits = a[y] as Set;
        if self.orientations > 1 {
            fits |= (b[y] as Set) << LANE;
        }
        if self.orientations > 2 {
            fits |= (c[y] as Set) << (2 * LANE) | (d[y] as Set) << (3 * LANE);
        }
        fits
    }

    /// The set of one state.
    pub(super) const fn state(&self, orientation: Orientation, x: i8) -> Set {
        Lanes::state_from(self.first, orientation, x)
    }

    /// [`Lanes::state`], given the first of the piece's orientation ids.
    pub(super) const fn state_from(first: u8, orientation: Orientation, x: i8) -> Set {
        1 << (LANE * (orientation.id() - first) as u32 + x as u32)
    }

    /// The placement of a set of one state.
    pub(super) fn placement(&self, state: Set, y: u8) -> Placement {
        placement(self.first, state, y)
    }

    /// Every state one column to the left. States outside the playfield are in no `fits`.
    pub(super) const fn left(set: Set) -> Set {
        set >> 1
    }

    /// Every state one column to the right.
    pub(super) const fn right(set: Set) -> Set {
        set << 1
    }

    /// Every state turned clockwise, as A does.
    pub(super) const fn clockwise(&self, set: Set) -> Set {
        match self.orientations {
            4 => set.rotate_left(LANE),
            2 => (set << LANE | set >> LANE) & 0xFFFF_FFFF,
            _ => set,
        }
    }

    /// Every state turned counter-clockwise, as B does.
    pub(super) const fn counter_clockwise(&self, set: Set) -> Set {
        match self.orientations {
            4 => set.rotate_right(LANE),
            _ => self.clockwise(set),
        }
    }

    /// Where one tap leads: a shift or none, then a rotation or none.
    #[inline]
    pub(super) const fn tapped(&self, set: Set, fits: Set) -> Set {
        let shifted = set | (Lanes::left(set) | Lanes::right(set)) & fits;
        shifted | (self.clockwise(shifted) | self.counter_clockwise(shifted)) & fits
    }

    /// Where one tap leads that moves the piece.
    #[inline]
    pub(super) const fn moved(&self, set: Set, fits: Set) -> Set {
        let shifted = (Lanes::left(set) | Lanes::right(set)) & fits;
        if self.orientations == 1 {
            return shifted;
        }
        let from = set | shifted;
        shifted | (self.clockwise(from) | self.counter_clockwise(from)) & fits
    }

    /// Where one button leads: a shift or a rotation or none.
    #[inline]
    pub(super) const fn pressed(&self, set: Set, fits: Set) -> Set {
        set | (Lanes::left(set) | Lanes::right(set) | self.clockwise(set) | self.counter_clockwise(set)) & fits
    }

    /// Drops a set from row `y` by some rows. `landed` is given the states that lock in each of them, and the row. What
    /// falls on is returned; `y` is then its row.
    pub(super) fn dropped(&self, set: Set, y: &mut u8, rows: u8, mut landed: impl FnMut(Set, u8)) -> Set {
        let mut falling = set;
        for _ in 0..rows {
            let (fits, below) = (self.fits(*y), self.fits(*y + 1));
            // A piece that spawned into blocks and was not moved out of them tops out instead.
            landed(falling & fits & !below, *y);
            falling &= below;
            *y += 1;
        }
        falling
    }

    /// The way back of [`Lanes::tapped`]: a tap that leads into this state from one of the states
    /// `before` it, and which of them. Never one that moves nothing.
    pub(super) fn tap_into(&self, state: Set, before: Set, fits: Set) -> Option<(Buttons, Set)> {
        let turns =
            [(Buttons::NONE, state), (Buttons::A, self.counter_clockwise(state)), (Buttons::B, self.clockwise(state))];
        let shifts = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
        turns.into_iter().flat_map(|turn| shifts.map(|shift| (turn, shift))).find_map(|((turn, turned), shift)| {
            let from = match shift {
                Buttons::LEFT => Lanes::right(turned),
                Buttons::RIGHT => Lanes::left(turned),
                _ => turned,
            };
            // The turn starts where the shift led, so the piece must have fitted there. A piece
            // that spawned into blocks may turn out of them without a shift.
            let led_there = shift.is_empty() || turned & fits != 0;
            (led_there && before & from != 0 && from != state).then_some((turn | shift, from))
        })
    }

    /// The way back of [`Lanes::pressed`], as [`Lanes::tap_into`].
    pub(super) fn press_into(&self, state: Set, before: Set) -> Option<(Buttons, Set)> {
        [
            (Buttons::LEFT, Lanes::right(state)),
            (Buttons::RIGHT, Lanes::left(state)),
            (Buttons::A, self.counter_clockwise(state)),
            (Buttons::B, self.clockwise(state)),
        ]
        .into_iter()
        .find(|&(_, from)| before & from != 0)
    }
}

/// The placement of a set of one state, given the first of the piece's orientation ids.
#[inline]
pub(super) fn placement(first: u8, state: Set, y: u8) -> Placement {
    let bit = state.trailing_zeros();
    let orientation = Orientation::from_id(first + (bit / LANE) as u8).expect("a lane stands for an orientation");
    Placement { orientation, x: (bit % LANE) as i8, y: y as i8 }
}

/// The states of a set, one at a time.
pub(super) fn each(mut set: Set) -> impl Iterator<Item = Set> {
    std::iter::from_fn(move || {
        let state = set & set.wrapping_neg();
        set ^= state;
        (state != 0).then_some(state)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Obstacles;

    #[test]
    fn the_sets_agree_with_the_rule_of_collision() {
        let playfield = Playfield::drawn(
            "
            #.........
            ..........
            .##..#....
            ####.#####
            ###..##.##
            ",
        );
        for piece in Piece::ALL {
            let lanes = Lanes::new(&playfield, piece);
            for orientation in piece.orientations() {
                for (x, y) in (0..10).flat_map(|x| (0..20).map(move |y| (x, y))) {
                    let fits = lanes.fits(y) & lanes.state(orientation, x) != 0;
                    assert_eq!(fits, playfield.fits(orientation, x, y as i8), "{orientation:?} x {x} y {y}");
                }
            }
        }
    }

    #[test]
    fn the_constants_of_a_piece_are_those_of_its_orientations() {
        for piece in Piece::ALL {
            let lanes = Lanes::new(&Playfield::EMPTY, piece);
            let ids: Vec<u8> = piece.orientations().map(Orientation::id).collect();
            assert_eq!((lanes.first, lanes.orientations as usize), (ids[0], ids.len()), "{piece:?}");
            assert!((0..lanes.orientations as usize).all(|lane| lanes.fits(5) >> (16 * lane) & 0xFFFF != 0));
            assert_eq!((lanes.fits(5).checked_shr(16 * lanes.orientations).unwrap_or(0), lanes.fits(20)), (0, 0));
        }
    }

    #[test]
    fn turning_a_set_turns_its_states() {
        for piece in Piece::ALL {
            let lanes = Lanes::new(&Playfield::EMPTY, piece);
            for orientation in piece.orientations() {
                let state = lanes.state(orientation, 3);
                assert_eq!(lanes.clockwise(state), lanes.state(orientation.clockwise(), 3));
                assert_eq!(lanes.counter_clockwise(state), lanes.state(orientation.counter_clockwise(), 3));
                let placement = lanes.placement(state, 7);
                assert_eq!((placement.orientation, placement.x, placement.y), (orientation, 3, 7));
            }
        }
    }
}

//! Sets of (orientation, column) as the bits of one word.

use crate::game::{Orientation, Piece, Placement, Playfield, ROWS, WIDTH};

/// A set of states of one piece at one row: four lanes of 16 bits, one an orientation in
/// clockwise order; bit `x` of a lane is column `x` of the origin.
pub(super) type Set = u64;

/// Bits of a lane.
const LANE: u32 = 16;

/// Where one piece fits on one playfield, and how its sets move.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    /// The first of the piece's orientation ids; the others follow clockwise.
    first: u8,
    orientations: u32,
    /// `fits[y]`: states in which the piece fits with its origin in row `y`; nothing fits in
    /// row 20.
    fits: [Set; ROWS + 1],
}

impl Lanes {
    pub(super) fn new(playfield: &Playfield, piece: Piece) -> Lanes {
        /// Columns of wall to the left of column 0: no cell is further from its origin.
        const WALL: u32 = 4;
        const WALLS: u32 = !(((1 << WIDTH) - 1) << WALL);
        // Row `r` stands at index r + 2; below the floor everything is blocked.
        let mut blocked = [!0u32; ROWS + 4];
        for (row, &bits) in blocked.iter_mut().zip(playfield.all_rows()) {
            *row = u32::from(bits) << WALL | WALLS;
        }
        let mut fits = [0; ROWS + 1];
        let mut first = None;
        let mut orientations = 0;
        for (lane, orientation) in piece.orientations().enumerate() {
            first.get_or_insert(orientation.id());
            orientations += 1;
            for (y, set) in fits.iter_mut().enumerate().take(ROWS) {
                let hit = orientation
                    .cells()
                    .iter()
                    .fold(0, |hit, &(dy, dx)| hit | blocked[(y as i8 + dy + 2) as usize] >> (WALL as i8 + dx));
                *set |= Set::from(!hit & ((1 << WIDTH) - 1)) << (LANE * lane as u32);
            }
        }
        Lanes { first: first.expect("every piece has an orientation"), orientations, fits }
    }

    /// States that fit in row `y`, 0 to 20.
    pub(super) const fn fits(&self, y: u8) -> Set {
        self.fits[y as usize]
    }

    /// The set of one state.
    pub(super) const fn state(&self, orientation: Orientation, x: i8) -> Set {
        1 << (LANE * (orientation.id() - self.first) as u32 + x as u32)
    }

    /// The placement of a set of one state.
    pub(super) fn placement(&self, state: Set, y: u8) -> Placement {
        let bit = state.trailing_zeros();
        let orientation =
            Orientation::from_id(self.first + (bit / LANE) as u8).expect("a lane stands for an orientation");
        Placement { orientation, x: (bit % LANE) as i8, y: y as i8 }
    }

    /// Every state one column to the left; what leaves the playfield is not in any `fits`.
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

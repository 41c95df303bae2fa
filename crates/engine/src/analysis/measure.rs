//! What can be counted on a playfield: the facts behind an explanation.

use crate::game::{FULL_ROW, Piece, Playfield, ROWS, WIDTH};
use crate::movegen::Start;
use crate::planner::Settings;

/// Counts of a playfield, for a player who moves as the settings say at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Measure {
    /// Empty cells below an occupied cell of their column.
    pub holes: u32,
    /// Those of the holes that can still be filled from the side: in their row, the cells up to a
    /// column that is open to the top are empty. A piece has to tuck or spin into them.
    pub tucks_needed: u32,
    /// Rows from the floor to the highest occupied cell.
    pub height: u8,
    /// Sum of the height differences of neighbouring columns, without the deepest well.
    pub bumpiness: u32,
    /// How far the lowest column is below its lower neighbour; 0 without such a column.
    pub well_depth: u8,
    /// The lowest column, 0 to 9, where it is a well.
    pub well_column: Option<u8>,
    /// Would an I, if it came now, clear four rows?
    pub is_tetris_ready: bool,
    /// Pieces that find no place that leaves the number of holes as it is, one bit each in the order of
    /// [`Piece::ALL`].
    pub homeless: u8,
}

impl Measure {
    /// Counts.
    pub fn of(playfield: &Playfield, level: u8, settings: &Settings) -> Measure {
        let heights = heights(playfield);
        let holes = holes(playfield);
        let (well_column, well_depth) = well(&heights);
        let mut homeless = 0;
        let mut is_tetris_ready = false;
        for piece in Piece::ALL {
            let mut finds_place = false;
            let start = Start::spawn(piece).not_before(settings.first_press);
            for placement in settings.moves(playfield, &start, level).reached().iter().map(|reached| reached.placement)
            {
                let mut after = *playfield;
                let cleared = after.lock(placement).count;
                is_tetris_ready |= cleared == 4;
                finds_place |= self::holes(&after) <= holes;
            }
            homeless |= u8::from(!finds_place) << piece.index();
        }
        Measure {
            holes,
            tucks_needed: tucks_needed(playfield),
            height: (ROWS - playfield.top()) as u8,
            bumpiness: bumpiness(&heights, well_column),
            well_depth,
            well_column,
            is_tetris_ready,
            homeless,
        }
    }

    /// The pieces of [`Measure::homeless`].
    pub fn homeless_pieces(&self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(|piece| self.homeless >> piece.index() & 1 == 1)
    }
}

/// Rows from the floor to the highest occupied cell of each column.
fn heights(playfield: &Playfield) -> [u8; WIDTH] {
    std::array::from_fn(|column| {
        let top = playfield.visible().iter().position(|row| row >> column & 1 == 1);
        top.map_or(0, |row| (ROWS - row) as u8)
    })
}

fn holes(playfield: &Playfield) -> u32 {
    let mut covered = 0;
    let count = |row: &u16| {
        covered |= row;
        (covered & !row & FULL_ROW).count_ones()
    };
    playfield.visible().iter().map(count).sum()
}

fn tucks_needed(playfield: &Playfield) -> u32 {
    let mut covered = 0;
    let mut count = 0;
    for &row in playfield.visible() {
        let empty = !row & FULL_ROW;
        let mut reached = empty & !covered;
        // Spreads sideways through empty cells, at most once for each column.
        for _ in 0..WIDTH {
            reached |= (reached << 1 | reached >> 1) & empty;
        }
        count += (reached & covered & empty).count_ones();
        covered |= row;
    }
    count
}

/// The column that is furthest below its lower neighbour, and how far; the rightmost one of equals.
fn well(heights: &[u8; WIDTH]) -> (Option<u8>, u8) {
    let depth = |column: usize| {
        let left = column.checked_sub(1).map_or(u8::MAX, |left| heights[left]);
        let right = heights.get(column + 1).copied().unwrap_or(u8::MAX);
        left.min(right).saturating_sub(heights[column])
    };
    let deepest = (0..WIDTH).map(|column| (depth(column), column)).max().unwrap_or_default();
    if deepest.0 == 0 { (None, 0) } else { (Some(deepest.1 as u8), deepest.0) }
}

fn bumpiness(heights: &[u8; WIDTH], well: Option<u8>) -> u32 {
    let columns = heights.iter().zip(0_u8..).filter(|&(_, column)| Some(column) != well).map(|(&height, _)| height);
    let columns: Vec<u8> = columns.collect();
    columns.windows(2).map(|pair| u32::from(pair[0].abs_diff(pair[1]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(drawing: &str) -> Measure {
        Measure::of(&Playfield::drawn(drawing), 19, &Settings::default())
    }

    #[test]
    fn what_is_seen_is_counted() {
        let found = measure(
            "
            ##........
            #..######.
            ###.#####.
            #########.
            ",
        );
        // Column 1 of the second row is open to the side, column 3 of the third row is closed in.
        assert_eq!((found.holes, found.tucks_needed), (2, 1));
        assert_eq!((found.height, found.well_column, found.well_depth), (4, Some(9), 3));
        // Heights without the well: 4 4 2 3 3 3 3 3 3.
        assert_eq!(found.bumpiness, 2 + 1);
        assert!(!found.is_tetris_ready);
    }

    #[test]
    fn four_rows_and_a_way_to_the_well_are_ready() {
        let ready = "
            #########.
            #########.
            #########.
            #########.
            ";
        assert!(measure(ready).is_tetris_ready);
        // The way is closed.
        assert!(!measure(&format!(".........#\n{ready}")).is_tetris_ready);
    }

    #[test]
    fn a_player_who_presses_late_is_not_ready() {
        let ready = Playfield::drawn(&"#########.\n".repeat(4));
        let late = Settings { first_press: 36, ..Settings::default() };
        let found = Measure::of(&ready, 19, &late);
        assert!(!found.is_tetris_ready && Measure::of(&ready, 18, &late).is_tetris_ready);
        // All but O and the flat I make a hole where they fall.
        let falls_well = |piece: &Piece| [Piece::O, Piece::I].contains(piece);
        assert!(found.homeless_pieces().eq(Piece::ALL.into_iter().filter(|piece| !falls_well(piece))), "{found:?}");
    }

    #[test]
    fn a_flat_playfield_has_no_clean_place_for_s_and_z() {
        let homeless: Vec<Piece> = measure("##########").homeless_pieces().collect();
        assert_eq!(homeless, [Piece::Z, Piece::S]);
        assert_eq!(measure("#####.....").homeless, 0, "a step takes both");
    }
}

//! What the evaluators measure, on rows of bits: shared by all published methods.
//!
//! Two families share their definitions: Birken's ([`BirkenPile`]) and that of Dellacherie's
//! descendants ([`DellacheriePile`]). Each is one pass over the rows from the top of the pile
//! down, without allocation; counts of bits come from a table of the 1024 rows, because the
//! portable x86-64 target has no instruction for them.
//!
//! Lengths are in rows or columns, counts in cells; only visible rows are looked at.

use crate::game::{FULL_ROW, Placement, Playfield, ROWS, WIDTH};

/// A full row.
pub(crate) const FULL: u16 = FULL_ROW;

/// Occupied cells of every possible row.
static OCCUPIED: [u8; 1 << WIDTH] = {
    let mut table = [0; 1 << WIDTH];
    let mut row = 0;
    while row < table.len() {
        table[row] = row.count_ones() as u8;
        row += 1;
    }
    table
};

/// Occupied/empty changes of every possible row between its two occupied walls.
static TRANSITIONS: [u8; 1 << WIDTH] = {
    let mut table = [0; 1 << WIDTH];
    let mut row = 0;
    while row < table.len() {
        let walled = between_walls(row as u16);
        // Eleven borders between the twelve cells.
        table[row] = ((walled ^ walled >> 1) & ((1 << (WIDTH + 1)) - 1)).count_ones() as u8;
        row += 1;
    }
    table
};

/// How many cells of a row are in the set.
pub(crate) fn count(cells: u16) -> u32 {
    u32::from(OCCUPIED[usize::from(cells & FULL)])
}

/// Occupied/empty changes of a row between its two occupied walls; an empty row has two.
fn transitions(row: u16) -> u32 {
    u32::from(TRANSITIONS[usize::from(row & FULL)])
}

/// The row shifted by one column, bit 0 and bit 11 being the walls.
const fn between_walls(row: u16) -> u16 {
    row << 1 | 1 | 1 << (WIDTH + 1)
}

/// Empty cells whose left and right neighbours are both occupied, walls included.
fn well_cells(row: u16) -> u16 {
    let walled = between_walls(row);
    !row & walled & walled >> 2 & FULL
}

/// How far the placed piece could still fall, keeping its orientation, if every other cell
/// were removed: the rows below its lowest cell.
pub(crate) fn lock_height(placement: &Placement) -> i32 {
    let lowest = placement.orientation.cells().iter().fold(i8::MIN, |lowest, &(dy, _)| lowest.max(dy));
    ROWS as i32 - 1 - i32::from(placement.y + lowest)
}

/// Height of the piece's middle above the floor at its lock, in rows, before any clear: the
/// rows below its lowest cell and half of its own height.
pub(crate) fn landing_height(placement: &Placement) -> f64 {
    let offsets = placement.orientation.cells().iter().map(|&(dy, _)| dy);
    let (highest, lowest) = offsets.fold((i8::MAX, i8::MIN), |(high, low), dy| (high.min(dy), low.max(dy)));
    f64::from(lock_height(placement)) + f64::from(lowest - highest + 1) / 2.0
}

/// What Birken's evaluators measure on a playfield.
///
/// A hole here is an empty cell *directly* below an occupied one; its depth is its row less
/// the row of its column's top-most cell. A well cell is open to the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BirkenPile {
    /// Empty cells above their column's top-most cell between two occupied neighbours or walls.
    pub well_cells: u32,
    /// Columns with at least three well cells.
    pub deep_wells: u32,
    /// Holes.
    pub holes: u32,
    /// Sum of the holes' rows, the top row being 1.
    pub weighted_holes: u32,
    /// Sum of the holes' depths.
    pub hole_depths: u32,
    /// The smallest depth; 20 without a hole.
    pub min_hole_depth: u32,
    /// The largest depth; 0 without a hole.
    pub max_hole_depth: u32,
    /// Changes below the top-most cell of each column, the floor not counted.
    pub column_transitions: u32,
    /// Changes in each row that is not empty, the walls occupied.
    pub row_transitions: u32,
    /// Sum of the columns' heights.
    pub heights: u32,
    /// The highest column.
    pub height: u32,
    /// The highest less the lowest column.
    pub spread: u32,
    /// Occupied cells.
    pub cells: u32,
    /// Sum of the occupied cells' heights, the bottom row being 1.
    pub weighted_cells: u32,
    /// Sum of the height differences of neighbouring columns.
    pub variance: u32,
}

impl BirkenPile {
    /// Measures a playfield.
    pub(crate) fn of(playfield: &Playfield) -> BirkenPile {
        let rows = playfield.visible();
        let top = playfield.top();
        let mut pile = BirkenPile::FLAT;
        pile.height = (ROWS - top) as u32;
        // Columns whose top-most cell is above the present row.
        let mut begun = 0;
        // The row above the present row.
        let mut above = 0;
        let mut lowest = 0;
        let mut column_tops = [0; WIDTH];
        // Columns that have one, two, three well cells or more so far.
        let mut wells = [0; 3];
        for (row, &cells) in rows.iter().enumerate().skip(top) {
            let height = (ROWS - row) as u32;
            pile.column_transitions += count((cells ^ above) & begun);
            pile.hole_cells(above & !cells, row as u32, &column_tops);
            for column in columns(cells & !begun) {
                column_tops[column] = row as u32;
            }
            begun |= cells;
            pile.heights += count(begun);
            pile.variance += count((begun ^ begun >> 1) & (FULL >> 1));
            lowest += u32::from(begun == FULL);

            let open = well_cells(cells) & !begun;
            pile.well_cells += count(open);
            wells = [wells[0] | open, wells[1] | wells[0] & open, wells[2] | wells[1] & open];

            pile.cells += count(cells);
            pile.weighted_cells += count(cells) * height;
            pile.row_transitions += if cells == 0 { 0 } else { transitions(cells) };
            above = cells;
        }
        pile.deep_wells = count(wells[2]);
        pile.spread = pile.height - lowest;
        pile
    }

    /// The values of the empty playfield.
    const FLAT: BirkenPile = BirkenPile {
        well_cells: 0,
        deep_wells: 0,
        holes: 0,
        weighted_holes: 0,
        hole_depths: 0,
        min_hole_depth: ROWS as u32,
        max_hole_depth: 0,
        column_transitions: 0,
        row_transitions: 0,
        heights: 0,
        height: 0,
        spread: 0,
        cells: 0,
        weighted_cells: 0,
        variance: 0,
    };

    /// Counts the holes of one row.
    fn hole_cells(&mut self, holes: u16, row: u32, column_tops: &[u32; WIDTH]) {
        for column in columns(holes) {
            let depth = row - column_tops[column];
            self.holes += 1;
            self.weighted_holes += row + 1;
            self.hole_depths += depth;
            self.min_hole_depth = self.min_hole_depth.min(depth);
            self.max_hole_depth = self.max_hole_depth.max(depth);
        }
    }
}

/// The columns of a set of cells, from the left.
pub(crate) fn columns(cells: u16) -> impl Iterator<Item = usize> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let column = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (column < WIDTH).then_some(column)
    })
}

/// What Dellacherie's evaluator and its descendants measure on a playfield.
///
/// A hole here is an empty cell with an occupied one anywhere above it. A well cell may lie
/// under a roof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DellacheriePile {
    /// Changes along all rows, the walls occupied; an empty row has two.
    pub row_transitions: u32,
    /// Changes along all columns, the floor occupied, empty above the top.
    pub column_transitions: u32,
    /// Holes.
    pub holes: u32,
    /// For every well cell, 1 and the number of consecutive empty cells directly below it.
    pub well_sums: u32,
}

impl DellacheriePile {
    /// Measures a playfield.
    pub(crate) fn of(playfield: &Playfield) -> DellacheriePile {
        let rows = playfield.visible();
        let top = playfield.top();
        let mut pile = DellacheriePile {
            row_transitions: top as u32 * transitions(0),
            column_transitions: 0,
            holes: 0,
            well_sums: 0,
        };
        let mut begun = 0;
        let mut above = 0;
        let mut runs = WellRuns::default();
        for &cells in &rows[top..] {
            pile.row_transitions += transitions(cells);
            pile.column_transitions += count(cells ^ above);
            pile.holes += count(begun & !cells);
            pile.well_sums += runs.step(cells);
            begun |= cells;
            above = cells;
        }
        pile.column_transitions += count(!above);
        pile
    }
}

/// For each column, the well cells of the present run of empty cells.
///
/// Counted from above, that is the number of well cells at or above an empty cell in its run: what
/// the cell adds to the well sums. The ten counters are kept as five planes of bits: a column has
/// at most 20 rows.
#[derive(Default)]
struct WellRuns([u16; 5]);

impl WellRuns {
    /// Takes the next row down; returns what its empty cells add to the well sums.
    fn step(&mut self, cells: u16) -> u32 {
        let mut carry = well_cells(cells);
        let mut sum = 0;
        for (power, plane) in self.0.iter_mut().enumerate() {
            (*plane, carry) = ((*plane ^ carry) & !cells, *plane & carry);
            sum += count(*plane) << power;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Piece;

    /// Heights 4 3 2 2 0 2 2 3 1 0.
    const ROUGH: &str = "
        #.........
        ##.....#..
        #.##.###..
        ##.#.#.##.
    ";

    fn birken(drawing: &str) -> BirkenPile {
        BirkenPile::of(&Playfield::drawn(drawing))
    }

    fn dellacherie(drawing: &str) -> DellacheriePile {
        DellacheriePile::of(&Playfield::drawn(drawing))
    }

    fn row(drawing: &str) -> u16 {
        Playfield::drawn(drawing).row(19)
    }

    #[test]
    fn row_transitions_have_the_published_check_values() {
        // Published: ##..##..##.., 12 columns wide. Its first two cells only go on with the left
        // wall, so the ten others have its six changes between the walls of ten columns.
        assert_eq!(transitions(row("..##..##..")), 6);
        // The end of .....#.#.#.##: into the left gap, six in the middle, up to the right pair.
        assert_eq!(transitions(row("..#.#.#.##")), 1 + 6 + 1);
        assert_eq!(transitions(FULL), 0);
        assert_eq!(transitions(0), 2, "wall to empty and empty to wall");
        // |.#.#.#.##.|: one change at each wall and eight inside.
        assert_eq!(transitions(row(".#.#.#.##.")), 10);
        assert_eq!(transitions(row("#########.")), 2);
    }

    #[test]
    fn birken_measures_the_rough_pile() {
        let expected = BirkenPile {
            // Column 4 in rows 18 and 19, column 9 in row 19; column 1 in row 18 and columns 2
            // and 6 in row 19 are roofed.
            well_cells: 3,
            deep_wells: 0,
            // Column 1 in row 18, columns 2 and 6 in row 19: each one row below its top.
            holes: 3,
            weighted_holes: 19 + 20 + 20,
            hole_depths: 1 + 1 + 1,
            min_hole_depth: 1,
            max_hole_depth: 1,
            // Column 1 changes twice (occupied, empty, occupied), columns 2 and 6 once.
            column_transitions: 2 + 1 + 1,
            row_transitions: 2 + 4 + 6 + 8,
            heights: 4 + 3 + 2 + 2 + 2 + 2 + 3 + 1,
            height: 4,
            spread: 4,
            cells: 1 + 3 + 6 + 6,
            weighted_cells: 4 + 3 * 3 + 6 * 2 + 6,
            variance: 1 + 1 + 2 + 2 + 1 + 2 + 1,
        };
        assert_eq!(birken(ROUGH), expected);
    }

    #[test]
    fn dellacherie_measures_the_rough_pile() {
        let expected = DellacheriePile {
            // The four rows and 16 empty ones.
            row_transitions: 2 + 4 + 6 + 8 + 16 * 2,
            // Columns 1, 2 and 6 have three, every other one, be it at its top or its floor.
            column_transitions: 3 + 3 + 3 + 7,
            holes: 3,
            // Column 4 is a well of depth 2; roofed are column 1 in row 18, columns 2 and 6 in
            // row 19; column 9 in row 19.
            well_sums: (1 + 2) + 1 + 1 + 1 + 1,
        };
        assert_eq!(dellacherie(ROUGH), expected);
    }

    #[test]
    fn the_empty_playfield_has_nothing_but_its_walls_and_floor() {
        assert_eq!(birken(""), BirkenPile::FLAT);
        let expected = DellacheriePile { row_transitions: 20 * 2, column_transitions: 10, holes: 0, well_sums: 0 };
        assert_eq!(dellacherie(""), expected);
    }

    #[test]
    fn hidden_rows_are_not_measured() {
        let mut playfield = Playfield::drawn(ROUGH);
        playfield.set_row(-1, 0b11_0000_0111);
        playfield.set_row(-2, FULL);
        assert_eq!(BirkenPile::of(&playfield), birken(ROUGH));
        assert_eq!(DellacheriePile::of(&playfield), dellacherie(ROUGH));
    }

    #[test]
    fn a_hole_is_as_deep_as_it_lies_below_its_columns_top() {
        let pile = birken(
            "
            #.........
            #.........
            ..........
            ..........
            #......#..
            ..........
            ",
        );
        // Column 0 has its top in row 14: holes in row 16 (depth 2) and 19 (depth 5), while
        // row 17 is not directly below an occupied cell. Column 7: row 19, depth 1.
        assert_eq!((pile.holes, pile.weighted_holes, pile.hole_depths), (3, 17 + 20 + 20, 2 + 5 + 1));
        assert_eq!((pile.min_hole_depth, pile.max_hole_depth), (1, 5));
        // Column 0: into the gap, out of it, into the hole; column 7: into the hole.
        assert_eq!(pile.column_transitions, 4);
        // The empty rows 16, 17 and 19 have no changes; row 18 is |#......#..|.
        assert_eq!(pile.row_transitions, 2 + 2 + 4);
    }

    #[test]
    fn a_column_that_reaches_the_top_row_has_no_air_to_change_into() {
        let mut playfield = Playfield::EMPTY;
        (0..20).for_each(|row| playfield.set(row, 3));
        assert_eq!(BirkenPile::of(&playfield).column_transitions, 0);
        assert_eq!(DellacheriePile::of(&playfield).column_transitions, 9 + 1, "nine floors and one top");
        assert_eq!(BirkenPile::of(&playfield).height, 20);
    }

    #[test]
    fn a_well_is_deep_from_three_cells_on_even_when_they_are_apart() {
        let two = "
            #########.
            #########.
        ";
        assert_eq!((birken(two).well_cells, birken(two).deep_wells), (2, 0));
        let three = "
            #########.
            #########.
            #########.
        ";
        assert_eq!((birken(three).well_cells, birken(three).deep_wells), (3, 1));
        // Column 9 has its well cells in rows 15, 17 and 19.
        let apart = "
            ........#.
            ..........
            ........#.
            ..........
            ........#.
        ";
        assert_eq!((birken(apart).well_cells, birken(apart).deep_wells), (3, 1));
    }

    #[test]
    fn well_sums_have_the_published_check_values() {
        // Two separate wells of depth 2 and 1: (1 + 2) + 1.
        let two_wells = "
            .#########
            .###.#####
        ";
        assert_eq!(dellacherie(two_wells).well_sums, 3 + 1);
        // In one column an open run of 2, a filled cell and a run of 3: (2+1) + (3+2+1).
        let in_one_column = "
            ####.#####
            ####.#####
            ##########
            ####.#####
            ####.#####
            ####.#####
        ";
        assert_eq!(dellacherie(in_one_column).well_sums, 9);
        assert_eq!(birken(in_one_column).well_cells, 2, "Birken's well cells are open to the sky");
    }

    #[test]
    fn empty_cells_below_a_well_cell_count_even_when_they_are_no_well_cells() {
        // Row 17 is a well cell in column 4; below it rows 18 and 19 are empty: 1 + 2.
        let funnel = "
            ...#.#....
            ..........
            ..........
        ";
        assert_eq!(dellacherie(funnel).well_sums, 3);
    }

    #[test]
    fn a_well_of_the_whole_height_fits_the_counters() {
        let playfield = Playfield::from_rows([FULL & !1; ROWS]);
        assert_eq!(DellacheriePile::of(&playfield).well_sums, 20 * 21 / 2);
    }

    #[test]
    fn dellacherie_counts_every_covered_cell_as_a_hole() {
        let covered = "
            #.........
            ..........
            ..........
        ";
        assert_eq!(dellacherie(covered).holes, 2);
        assert_eq!(birken(covered).holes, 1);
    }

    #[test]
    fn spread_counts_from_the_lowest_column() {
        let high = "
            #.........
            ##########
            .#########
        ";
        // Heights 3 2 2 2 ...: the hole in column 0 does not lower it.
        assert_eq!((birken(high).height, birken(high).spread, birken(high).variance), (3, 1, 1));
    }

    #[test]
    fn heights_of_a_placement_are_measured_from_the_floor() {
        let vertical = Piece::I.spawn().clockwise();
        let on_floor = Placement { orientation: vertical, x: 9, y: 18 };
        // Its lowest cell is one below its origin, on row 19; its middle is 2 rows up.
        assert_eq!((lock_height(&on_floor), landing_height(&on_floor)), (0, 2.0));
        let flat = Placement { orientation: Piece::I.spawn(), x: 5, y: 16 };
        assert_eq!((lock_height(&flat), landing_height(&flat)), (3, 3.5));
        let t_up = Placement { orientation: Piece::T.spawn().clockwise().clockwise(), x: 5, y: 0 };
        // Rows -1 and 0: 19 rows below, and one half of two.
        assert_eq!((lock_height(&t_up), landing_height(&t_up)), (19, 20.0));
    }
}

//! Whether a game can go on from a playfield: can every piece spawn, can a row be completed?
//!
//! These are the rules by which `birken-v2` refuses results; any evaluator may use them.

use super::features::{FULL, count};
use crate::game::{HIDDEN_ROWS, Piece, Playfield, ROWS, SPAWN_X};

/// The cells that the seven pieces together occupy when they spawn. Row -2 comes first, as in
/// [`Playfield::all_rows`].
const SPAWN_AREA: [u16; HIDDEN_ROWS + ROWS] = {
    let mut area = [0; HIDDEN_ROWS + ROWS];
    let mut piece = 0;
    while piece < Piece::ALL.len() {
        let cells = Piece::ALL[piece].spawn().cells();
        let mut cell = 0;
        while cell < cells.len() {
            let (dy, dx) = cells[cell];
            area[(HIDDEN_ROWS as i8 + dy) as usize] |= 1 << (SPAWN_X + dx);
            cell += 1;
        }
        piece += 1;
    }
    area
};

/// Could each of the seven pieces spawn?
pub(crate) fn all_types_can_spawn(playfield: &Playfield) -> bool {
    playfield.all_rows().iter().zip(&SPAWN_AREA).all(|(cells, area)| cells & area == 0)
}

/// Can a row still be completed: has a visible row empty cells, and can all of them be reached
/// from the spawn area over empty cells?
pub(crate) fn lines_stay_reachable(playfield: &Playfield) -> bool {
    // The spawn area is part of row 0, so an empty row 0 can be reached in its whole length:
    // that spares the fill for all but the highest piles.
    if playfield.row(0) == 0 {
        return true;
    }
    let reached = reached(playfield);
    playfield.visible().iter().zip(reached).any(|(&cells, reached)| cells != FULL && cells | reached == FULL)
}

/// The visible empty cells that a fill from the spawn area reaches through shared sides, row
/// by row.
fn reached(playfield: &Playfield) -> [u16; ROWS] {
    let empty = playfield.visible().map(|cells| !cells & FULL);
    let mut reached = [0; ROWS];
    for ((reached, empty), area) in reached.iter_mut().zip(empty).zip(&SPAWN_AREA[HIDDEN_ROWS..]) {
        *reached = area & empty;
    }
    loop {
        let before = reached;
        for row in 0..ROWS {
            let above = if row > 0 { reached[row - 1] } else { 0 };
            reached[row] = spread(reached[row] | above & empty[row], empty[row]);
        }
        for row in (0..ROWS - 1).rev() {
            reached[row] = spread(reached[row] | reached[row + 1] & empty[row], empty[row]);
        }
        if reached == before {
            return reached;
        }
    }
}

/// Fills every run of empty cells that has a seed in it; `seeds` are empty cells.
fn spread(seeds: u16, empty: u16) -> u16 {
    let (mut left, mut right) = (seeds, seeds);
    let (mut open_left, mut open_right) = (empty, empty);
    // Each step doubles the width that a seed has filled: 1 + 1 + 2 + 4 + 8 columns.
    for width in [1, 2, 4, 8] {
        left |= open_left & left >> width;
        open_left &= open_left >> width;
        right |= open_right & right << width;
        open_right &= open_right << width;
    }
    left | right
}

/// The penalty for a high pile: every occupied cell in rows 0 to 6 adds 7 less its row.
pub(crate) fn high_pile_penalty(playfield: &Playfield) -> u32 {
    (0..7).zip(playfield.visible()).map(|(row, &cells)| (7 - row) * count(cells)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Obstacles;
    use crate::judge::handmade::oracle;

    #[test]
    fn the_spawn_area_is_four_cells_of_row_0_and_three_of_row_1() {
        let mut expected = [0; HIDDEN_ROWS + ROWS];
        expected[HIDDEN_ROWS] = 0b00_0111_1000;
        expected[HIDDEN_ROWS + 1] = 0b00_0111_0000;
        assert_eq!(SPAWN_AREA, expected);
    }

    #[test]
    fn an_occupied_cell_anywhere_stops_some_spawn_exactly_in_the_spawn_area() {
        for row in -2..20 {
            for column in 0..10 {
                let mut playfield = Playfield::EMPTY;
                playfield.set(row, column);
                let all_fit = Piece::ALL.iter().all(|piece| playfield.fits(piece.spawn(), SPAWN_X, 0));
                assert_eq!(all_types_can_spawn(&playfield), all_fit, "row {row} column {column}");
            }
        }
    }

    /// Playfields drawn from row 0 down.
    fn from_the_top(drawing: &str) -> Playfield {
        let empty_rows = "..........\n".repeat(20 - drawing.lines().filter(|line| !line.trim().is_empty()).count());
        Playfield::drawn(&format!("{drawing}\n{empty_rows}"))
    }

    #[test]
    fn a_pile_up_to_the_top_row_may_still_leave_a_row_that_can_be_completed() {
        assert!(lines_stay_reachable(&Playfield::EMPTY));
        // Row 4 can be reached from wall to wall under the two towers.
        let towers = from_the_top(
            "
            #........#
            #........#
            #........#
            #........#
            ",
        );
        assert!(lines_stay_reachable(&towers));
    }

    #[test]
    fn columns_behind_a_tower_to_the_top_cannot_be_completed() {
        // Column 0 is shut off by column 1 in all twenty rows.
        let shut = Playfield::from_rows([0b10; ROWS]);
        assert!(!lines_stay_reachable(&shut));
        // With a gap at the bottom the fill gets there and up again.
        let mut gap = shut;
        gap.set_row(19, 0);
        assert!(lines_stay_reachable(&gap));
        // The shut column occupied: every row can be completed.
        assert!(lines_stay_reachable(&Playfield::from_rows([0b11; ROWS])));
    }

    #[test]
    fn a_roofed_playfield_is_out_of_reach_and_hidden_rows_are_no_way_around() {
        // Row 0 is shut off at column 2, and row 1 is a floor under the spawn area.
        let mut roofed = Playfield::EMPTY;
        roofed.set_row(0, 0b00_0000_0100);
        roofed.set_row(1, 0b11_1111_1100);
        assert!(!lines_stay_reachable(&roofed));
    }

    #[test]
    fn a_full_row_is_not_a_further_row() {
        let mut playfield = Playfield::from_rows([0b10; ROWS]);
        playfield.set_row(12, FULL);
        assert!(!lines_stay_reachable(&playfield));
    }

    #[test]
    fn the_high_pile_penalty_is_seven_in_row_0_and_one_in_row_6() {
        assert_eq!(high_pile_penalty(&Playfield::EMPTY), 0);
        let tops = from_the_top(
            "
            .#........
            ..........
            ..........
            ..........
            ..........
            ..........
            .##.......
            .####.....
            ",
        );
        assert_eq!(high_pile_penalty(&tops), 7 + 2);
    }

    #[test]
    fn the_fill_and_the_rules_agree_with_the_oracle() {
        let mut refused = 0;
        for playfield in oracle::playfields(4000) {
            let reached = reached(&playfield);
            let bits = |row: [bool; 10]| (0..10).map(|column| u16::from(row[column]) << column).sum::<u16>();
            assert_eq!(reached, oracle::reached(&playfield).map(bits), "\n{playfield}");
            assert_eq!(lines_stay_reachable(&playfield), oracle::lines_stay_reachable(&playfield), "\n{playfield}");
            assert_eq!(all_types_can_spawn(&playfield), oracle::all_types_can_spawn(&playfield), "\n{playfield}");
            assert_eq!(high_pile_penalty(&playfield), oracle::high_pile_penalty(&playfield), "\n{playfield}");
            refused += u32::from(!lines_stay_reachable(&playfield));
        }
        assert!(refused > 100, "only {refused} playfields were refused: the kinds are too tame");
    }
}

//! The `well` filter: the right-most column stays open for the I piece.

use super::children::{Filter, buries, cells, strictest, working_row};
use crate::game::{Placement, Playfield, ROWS, WIDTH};
use crate::movegen::Reached;

/// The column that stays open.
const WELL: usize = WIDTH - 1;
/// Rows of a pile up to which the filter works; higher ones are left to the judge. Chosen by hand,
/// not measured: it leaves a piece of each kind room to turn.
const HIGHEST_PILE: usize = 12;
/// Rows that an I piece in the well must clear.
const TETRIS: u8 = 4;
/// How far above the lowest unfinished row a placement may end. Chosen by hand: with 0 every bump
/// has to be filled by the very next piece, which ruins the pile.
const ROWS_AHEAD: i8 = 2;

/// Keeps the right-most column (the well) open and has the others filled row by row from the bottom.
///
/// A placement has to reach the lowest row with an empty cell beside the well, or one of the two rows
/// above it, and may cover no empty cell. Where no placement does, any beside the well is allowed. An
/// I piece that clears four rows may always drop into the well. The filter refuses nothing while the
/// pile has more than twelve rows or a cell of the well is occupied.
#[derive(Debug, Clone, Copy)]
pub struct Well;

impl Filter for Well {
    fn allowed(&self, playfield: &Playfield, reached: &[Reached]) -> Vec<Reached> {
        const BESIDE: [u16; ROWS] = [(1 << WELL) - 1; ROWS];
        let height = playfield.visible().iter().skip_while(|&&row| row == 0).count();
        let blocked = playfield.visible().iter().any(|row| row >> WELL & 1 == 1);
        if height > HIGHEST_PILE || blocked {
            return reached.to_vec();
        }
        let tetris = |placement| {
            let mut after = *playfield;
            after.lock(placement).count == TETRIS
        };
        let beside = |placement: Placement| cells(placement).all(|(_, column)| column != WELL);
        let row = working_row(playfield, &BESIDE);
        let builds = |placement: Placement| {
            beside(placement)
                && cells(placement).any(|(cell_row, _)| row.is_some_and(|row| cell_row + ROWS_AHEAD >= row))
                && !buries(playfield, placement, &BESIDE)
        };
        strictest(
            reached,
            &[&|placement| builds(placement) || tetris(placement), &|placement| beside(placement) || tetris(placement)],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Piece;
    use crate::movegen::{Start, generate_free};

    fn allowed(playfield: &Playfield, piece: Piece) -> Vec<Placement> {
        let moves = generate_free(playfield, &Start::spawn(piece));
        Well.allowed(playfield, moves.reached()).into_iter().map(|reached| reached.placement).collect()
    }

    #[test]
    fn nothing_goes_into_the_well_before_four_rows_wait() {
        let three = "
            #########.
            #########.
            #########.
            ";
        for piece in Piece::ALL {
            let placements = allowed(&Playfield::drawn(three), piece);
            assert!(!placements.is_empty());
            assert!(
                placements.iter().all(|&placement| cells(placement).all(|(_, column)| column != WELL)),
                "{piece:?}"
            );
        }
        let four = format!("{three}#########.");
        let vertical = Piece::I.spawn().clockwise();
        let tetris = Placement { orientation: vertical, x: 9, y: 18 };
        assert!(allowed(&Playfield::drawn(&four), Piece::I).contains(&tetris));
        assert!(!allowed(&Playfield::drawn(&four), Piece::T).iter().any(|placement| placement.x >= 8));
    }

    #[test]
    fn rows_are_built_from_the_bottom() {
        let playfield = Playfield::drawn(&"####......\n".repeat(4));
        let placements = allowed(&playfield, Piece::T);
        assert!(!placements.is_empty());
        for placement in placements {
            assert!(cells(placement).any(|(row, _)| row >= 17), "{placement}");
            assert!(placement.x > 3, "nothing on top of the high side: {placement}");
        }
    }

    #[test]
    fn a_high_pile_switches_it_off() {
        let high = "#.........\n".repeat(13);
        let placements = allowed(&Playfield::drawn(&high), Piece::O);
        assert!(placements.iter().any(|placement| placement.x == 9));
        // The filter leaves a blocked well to the evaluator.
        let placements = allowed(&Playfield::drawn(".########.\n.#########"), Piece::I);
        assert!(placements.iter().any(|placement| placement.x == 9));
    }
}

//! The `pattern` filter: the pile draws a picture.

use super::{Filter, Picture, buries, cells, strictest, working_row};
use crate::game::{Placement, Playfield};
use crate::movegen::Reached;

/// Allows only placements whose every cell is a cell of the picture, row by row from the bottom:
/// one that reaches into the lowest row that is still to be filled and shuts no cell of the
/// picture off; else one that shuts none off; else any in the picture. A piece that fits nowhere
/// in what is left of the picture is the evaluator's.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    picture: Picture,
}

impl Pattern {
    /// Draws this picture.
    pub fn new(picture: Picture) -> Pattern {
        Pattern { picture }
    }
}

impl Filter for Pattern {
    fn allowed(&self, playfield: &Playfield, reached: &[Reached]) -> Vec<Reached> {
        let wanted = self.picture.cells().visible();
        let inside = |placement: Placement| {
            cells(placement).all(|(row, column)| row >= 0 && wanted[row as usize] >> column & 1 == 1)
        };
        let clean = |placement: Placement| inside(placement) && !buries(playfield, placement, wanted);
        let row = working_row(playfield, wanted);
        let lowest =
            |placement: Placement| clean(placement) && cells(placement).any(|(cell_row, _)| Some(cell_row) == row);
        strictest(reached, &[&lowest, &clean, &inside])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Piece;
    use crate::movegen::{Start, generate_free};

    fn allowed(playfield: &Playfield, piece: Piece) -> Vec<Placement> {
        let picture = Picture::new(Playfield::drawn(
            "
            ####......
            ######....
            .#####....
            ",
        ));
        let pattern = Pattern::new(picture.expect("it can be drawn"));
        let moves = generate_free(playfield, &Start::spawn(piece));
        pattern.allowed(playfield, moves.reached()).into_iter().map(|reached| reached.placement).collect()
    }

    #[test]
    fn the_lowest_row_comes_first_and_nothing_is_shut_off() {
        let placements = allowed(&Playfield::EMPTY, Piece::O);
        assert_eq!(placements.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), [(5, 18), (4, 18), (3, 18), (2, 18)]);
        // A flat Z would leave a cell of the picture empty under it, wherever it stands.
        let placements = allowed(&Playfield::EMPTY, Piece::Z);
        assert!(placements.iter().all(|p| !buries(&Playfield::EMPTY, *p, &[0x3FF; 20]) || p.x == 1), "{placements:?}");
        assert!(!placements.is_empty());
    }

    #[test]
    fn a_cell_that_shall_stay_empty_may_be_covered() {
        let playfield = Playfield::drawn(".#####....");
        let flat = Placement { orientation: Piece::I.spawn(), x: 2, y: 18 };
        assert!(allowed(&playfield, Piece::I).contains(&flat));
    }

    #[test]
    fn a_finished_picture_allows_nothing() {
        let playfield = Playfield::drawn(
            "
            ####......
            ######....
            .#####....
            ",
        );
        assert!(Piece::ALL.iter().all(|&piece| allowed(&playfield, piece).is_empty()));
    }
}

//! The `pattern` filter: the pile makes a drawing.

use super::children::{Filter, buries, cells, strictest, working_row};
use super::drawing::Drawing;
use crate::game::{Placement, Playfield};
use crate::movegen::Reached;

/// Allows only placements whose cells are all inside the drawing, row by row from the bottom.
///
/// Best are those that reach into the lowest row still to be filled and cover no cell of the
/// drawing; next, those that cover none; last, any inside the drawing. A piece that fits nowhere in
/// what is left of the drawing goes where the judge wants it.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    drawing: Drawing,
}

impl Pattern {
    /// Makes this drawing.
    pub fn new(drawing: Drawing) -> Pattern {
        Pattern { drawing }
    }
}

impl Filter for Pattern {
    fn allowed(&self, playfield: &Playfield, reached: &[Reached]) -> Vec<Reached> {
        let wanted = self.drawing.cells().visible();
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
        let drawing = Drawing::new(Playfield::drawn(
            "
            ####......
            ######....
            .#####....
            ",
        ));
        let pattern = Pattern::new(drawing.expect("it can be drawn"));
        let moves = generate_free(playfield, &Start::spawn(piece));
        pattern.allowed(playfield, moves.reached()).into_iter().map(|reached| reached.placement).collect()
    }

    #[test]
    fn the_lowest_row_comes_first_and_nothing_is_shut_off() {
        let placements = allowed(&Playfield::EMPTY, Piece::O);
        assert_eq!(placements.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), [(5, 18), (4, 18), (3, 18), (2, 18)]);
        // A flat Z would leave a cell of the drawing empty under it, wherever it stands.
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
    fn a_finished_drawing_allows_nothing() {
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

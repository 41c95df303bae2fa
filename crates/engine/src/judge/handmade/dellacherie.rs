//! `dellacherie`: six features of one placed piece, by Pierre Dellacherie.

use super::chain::{end_of, weighted_sum};
use super::evaluator::{Afterstate, Evaluator, Verdict};
use super::features::{DellacheriePile, landing_height};
use super::method::Method;
use super::weights::Schema;

/// Name in the CLI, the config and the statistics.
const NAME: &str = "dellacherie";

/// The features in the order of [`features`].
pub(super) const FEATURES: [&str; 6] =
    ["landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "buried_holes", "well_sums"];

/// The method with the published weights.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &[] },
    published: include_str!("../../../config/weights/dellacherie.toml"),
    build: |values| Box::new(Dellacherie { weights: values.weights() }),
};

/// The evaluator with its weights.
struct Dellacherie {
    weights: [f64; FEATURES.len()],
}

/// The six features, in the order of the schema.
pub(super) fn features(chain: &[Afterstate]) -> [f64; FEATURES.len()] {
    let pile = DellacheriePile::of(end_of(chain));
    [
        chain.iter().map(|afterstate| landing_height(&afterstate.placement)).sum(),
        f64::from(chain.iter().map(eroded_piece_cells).sum::<u32>()),
        f64::from(pile.row_transitions),
        f64::from(pile.column_transitions),
        f64::from(pile.holes),
        f64::from(pile.well_sums),
    ]
}

/// Rows cleared times the cells of the placed piece that vanished in them.
///
/// A completed row 0 moves the whole page down before it is cleared as row 1. The game counts two
/// rows then, as this function does; but only the cells of one row vanish.
fn eroded_piece_cells(afterstate: &Afterstate) -> u32 {
    let cleared = afterstate.cleared.rows();
    // Where the numbered rows were when the piece locked.
    let moved = i8::from(cleared.first() == Some(&0));
    let vanished = |row: i8| row >= 0 && cleared.contains(&((row + moved) as u8));
    let rows = afterstate.placement.orientation.cells().iter().map(|&(dy, _)| afterstate.placement.y + dy);
    cleared.len() as u32 * rows.filter(|&row| vanished(row)).count() as u32
}

impl Evaluator for Dellacherie {
    fn name(&self) -> &'static str {
        NAME
    }

    fn plies(&self) -> usize {
        1
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        Verdict::of_value(weighted_sum(&self.weights, &features(chain)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Placement, Playfield};
    use crate::judge::handmade::{WeightSet, oracle};

    fn published() -> Box<dyn Evaluator> {
        WeightSet::published(NAME).unwrap().evaluator()
    }

    fn flat_o(before: &Playfield, x: i8, y: i8) -> Afterstate {
        Afterstate::of(before, Placement { orientation: Piece::O.spawn(), x, y })
    }

    #[test]
    fn an_o_on_a_rough_pile_has_the_score_worked_out_by_hand() {
        let before = Playfield::drawn(
            "
            #.........
            ##.....#..
            #.##.###..
            ##.#.#.##.
            ",
        );
        let afterstate = flat_o(&before, 9, 17);
        let after = Playfield::drawn(
            "
            #.........
            ##.....###
            #.##.#####
            ##.#.#.##.
            ",
        );
        assert_eq!(afterstate.playfield, after);
        // The O's middle is 2 rows up. The rows change 2, 2, 4 and 8 times and 16 empty ones
        // twice; columns 1, 2, 6 and 9 change three times, the others once, and have a hole
        // each. Column 4 is a well of depth 2; roofed wells are in columns 1, 2, 6 and 9.
        let expected = [2.0, 0.0, 16.0 + 32.0, 4.0 * 3.0 + 6.0, 4.0, (1.0 + 2.0) + 4.0];
        assert_eq!(features(&[afterstate]), expected);
        let verdict = published().judge(&[afterstate]);
        assert_eq!(verdict, Verdict::of_value(-2.0 + 0.0 - 48.0 - 18.0 - 4.0 * 4.0 - 7.0));
    }

    #[test]
    fn eroded_cells_are_the_ones_of_the_piece_times_the_rows() {
        let notch = Playfield::drawn(
            "
            ######.###
            #####...##
            ",
        );
        let t_up = Piece::T.spawn().clockwise().clockwise();
        let fitting = Afterstate::of(&notch, Placement { orientation: t_up, x: 6, y: 19 });
        // Nothing is left: 20 empty rows, 10 floors.
        assert_eq!(features(&[fitting]), [1.0, 2.0 * 4.0, 40.0, 10.0, 0.0, 0.0]);
        assert_eq!(published().judge(&[fitting]), Verdict::of_value(-1.0 + 8.0 - 40.0 - 10.0));

        let well = Playfield::drawn(
            "
            #########.
            #########.
            ########..
            ",
        );
        let upright = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
        let partly = Afterstate::of(&well, upright);
        assert_eq!(features(&[partly])[1], 2.0 * 2.0, "two of its four cells stay");
        let neither = flat_o(&well, 1, 15);
        assert_eq!(features(&[neither])[1], 0.0);
    }

    #[test]
    fn a_longer_chain_adds_up_what_its_pieces_do() {
        let before = Playfield::drawn("######....");
        let first = Afterstate::of(&before, Placement { orientation: Piece::I.spawn(), x: 8, y: 19 });
        let second = flat_o(&first.playfield, 1, 18);
        assert_eq!(features(&[first, second])[..2], [0.5 + 1.0, 4.0]);
    }

    #[test]
    fn a_completed_top_row_counts_twice_but_only_its_own_cells_vanish() {
        let mut before = Playfield::EMPTY;
        before.set_row(0, 0b11_1111_1100);
        let afterstate = flat_o(&before, 1, 0);
        assert_eq!(afterstate.cleared.rows(), [0, 1]);
        // The two cells in row 1 are in row 2 now.
        assert!(afterstate.playfield.occupied(2, 0) && afterstate.playfield.cell_count() == 2);
        assert_eq!(features(&[afterstate])[1], 2.0 * 2.0);

        before.set_row(1, 0b11_1111_1100);
        let both = flat_o(&before, 1, 0);
        assert_eq!((both.cleared.rows(), both.playfield), (&[0, 1, 2][..], Playfield::EMPTY));
        assert_eq!(features(&[both])[1], 3.0 * 4.0);
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_value() {
        oracle::compare(NAME, 1.0, features, oracle::dellacherie);
    }
}

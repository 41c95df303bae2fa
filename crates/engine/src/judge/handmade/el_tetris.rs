//! `el-tetris`: six features of one placed piece, by Islam El-Ashi.

use super::chain::{end_of, lines_cleared, weighted_sum};
use super::evaluator::{Afterstate, Evaluator, Verdict};
use super::features::{DellacheriePile, landing_height};
use super::method::Method;
use super::weights::Schema;

/// Name in the CLI, the config and the statistics.
const NAME: &str = "el-tetris";

/// The features in the order of [`features`].
const FEATURES: [&str; 6] =
    ["landing_height", "rows_eliminated", "row_transitions", "column_transitions", "holes", "well_sums"];

/// The method with the published weights.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &[] },
    published: include_str!("../../../config/weights/el-tetris.toml"),
    build: |values| Box::new(ElTetris { weights: values.weights() }),
};

/// The evaluator with its weights.
struct ElTetris {
    weights: [f64; FEATURES.len()],
}

/// The six features, in the order of the schema.
fn features(chain: &[Afterstate]) -> [f64; FEATURES.len()] {
    let pile = DellacheriePile::of(end_of(chain));
    [
        chain.iter().map(|afterstate| landing_height(&afterstate.placement)).sum(),
        f64::from(lines_cleared(chain)),
        f64::from(pile.row_transitions),
        f64::from(pile.column_transitions),
        f64::from(pile.holes),
        f64::from(pile.well_sums),
    ]
}

impl Evaluator for ElTetris {
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

    #[test]
    fn an_o_in_the_corner_is_worth_what_the_publication_says() {
        let placement = Placement { orientation: Piece::O.spawn(), x: 1, y: 18 };
        let afterstate = Afterstate::of(&Playfield::EMPTY, placement);
        // Its middle is 1 row up; every row and every column has its two and one changes.
        assert_eq!(features(&[afterstate]), [1.0, 0.0, 40.0, 10.0, 0.0, 0.0]);
        let verdict = WeightSet::published(NAME).unwrap().evaluator().judge(&[afterstate]);
        // -4.500158825082766 - 40 * 3.2178882868487753 - 10 * 9.348695305445199
        assert!((verdict.value - -226.702_643_353_485_77).abs() < 1e-9, "{}", verdict.value);
        assert_eq!(verdict, Verdict::of_value(verdict.value));
    }

    #[test]
    fn rows_are_counted_and_the_rest_is_measured_after_the_clear() {
        let before = Playfield::drawn(
            "
            #########.
            #########.
            ########..
            ",
        );
        let vertical = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
        // The I is on rows 16 to 19: middle 2 rows up, rows 17 and 18 are cleared. One cell is left
        // in column 9 above row 19, which keeps its hole in column 8.
        // Rows: 18 empty ones; row 18 is |.........#|, row 19 |########.#|: 18 * 2 + 2 + 2.
        // Columns: eight tops, the floor of column 8, the top of column 9.
        assert_eq!(features(&[Afterstate::of(&before, vertical)]), [2.0, 2.0, 39.0 + 1.0, 10.0, 0.0, 1.0]);
    }

    #[test]
    fn a_longer_chain_adds_up_what_its_pieces_do() {
        let first = Placement { orientation: Piece::O.spawn(), x: 1, y: 18 };
        let second = Placement { orientation: Piece::O.spawn(), x: 1, y: 16 };
        let one = Afterstate::of(&Playfield::EMPTY, first);
        let two = Afterstate::of(&one.playfield, second);
        assert_eq!(features(&[one, two])[0], 1.0 + 3.0);
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_value() {
        oracle::compare(NAME, 1.0, features, oracle::el_tetris);
    }
}

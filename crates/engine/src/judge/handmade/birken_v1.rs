//! `birken-v1`: six features of two placed pieces, by Michael Birken.
//!
//! The publication computes a fitness, where lower is better; the value here is its negative. With
//! the movement search of single presses this is the publication's gamepad bot.

use super::chain::{end_of, lines_cleared, weighted_sum};
use super::evaluator::{Afterstate, Evaluator, Verdict};
use super::features::{BirkenPile, lock_height};
use super::method::Method;
use super::weights::Schema;

/// Name in the CLI, the config and the statistics.
const NAME: &str = "birken-v1";

/// The features in the order of [`features`].
const FEATURES: [&str; 6] = [
    "total_lines_cleared",
    "total_lock_height",
    "total_well_cells",
    "total_column_holes",
    "total_column_transitions",
    "total_row_transitions",
];

/// The method with the published weights.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &[] },
    published: include_str!("../../../config/weights/birken-v1.toml"),
    build: |values| Box::new(BirkenV1 { weights: values.weights() }),
};

/// The evaluator with its weights.
struct BirkenV1 {
    weights: [f64; FEATURES.len()],
}

/// The six features, in the order of the schema.
fn features(chain: &[Afterstate]) -> [f64; FEATURES.len()] {
    let pile = BirkenPile::of(end_of(chain));
    let lock_heights: i32 = chain.iter().map(|afterstate| lock_height(&afterstate.placement)).sum();
    [
        f64::from(lines_cleared(chain)),
        f64::from(lock_heights),
        f64::from(pile.well_cells),
        f64::from(pile.holes),
        f64::from(pile.column_transitions),
        f64::from(pile.row_transitions),
    ]
}

impl Evaluator for BirkenV1 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn plies(&self) -> usize {
        2
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        Verdict::of_value(-weighted_sum(&self.weights, &features(chain)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Placement, Playfield};
    use crate::judge::handmade::{WeightSet, oracle};

    #[test]
    fn two_o_pieces_on_a_rough_pile_have_the_fitness_worked_out_by_hand() {
        let before = Playfield::drawn(
            "
            #.........
            ##.....#..
            #.##.###..
            ##.#.#.##.
            ",
        );
        let first = Afterstate::of(&before, Placement { orientation: Piece::O.spawn(), x: 9, y: 17 });
        let second = Afterstate::of(&first.playfield, Placement { orientation: Piece::O.spawn(), x: 4, y: 16 });
        let after = Playfield::drawn(
            "
            #..##.....
            ##.##..###
            #.##.#####
            ##.#.#.##.
            ",
        );
        assert_eq!(second.playfield, after);
        // Lock heights 1 + 2. Column 2 has a well cell in row 17. Holes in columns 1, 2, 4, 6
        // and 9: column 4 has one, although two cells are empty. Column 1 changes twice, the
        // four others once. The rows change 4, 4, 4 and 8 times.
        assert_eq!(features(&[first, second]), [0.0, 1.0 + 2.0, 1.0, 5.0, 2.0 + 4.0, 4.0 + 4.0 + 4.0 + 8.0]);
        // 3 * 12.885008263218383 + 15.842707182438396 + 5 * 26.89449650779595
        // + 6 * 27.616914062397015 + 20 * 30.18511071927904
        // = 38.6550247897 + 15.8427071824 + 134.4724825390 + 165.7014843744 + 603.7022143856
        let verdict = WeightSet::published(NAME).unwrap().evaluator().judge(&[first, second]);
        assert!((verdict.value + 958.373_913_271_0).abs() < 1e-9, "{}", verdict.value);
        assert_eq!(verdict, Verdict::of_value(verdict.value));
    }

    #[test]
    fn lines_and_lock_heights_are_of_both_pieces() {
        let before = Playfield::drawn(
            "
            ########..
            ####....##
            ",
        );
        let first = Afterstate::of(&before, Placement { orientation: Piece::I.spawn(), x: 6, y: 19 });
        let second = Afterstate::of(&first.playfield, Placement { orientation: Piece::O.spawn(), x: 9, y: 18 });
        // Each piece completes row 19; two cells of the O stay there: one change beside them.
        assert_eq!(features(&[first, second]), [2.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
        assert_eq!(features(&[first])[..2], [1.0, 0.0], "a chain of one piece counts that piece");
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_fitness() {
        // The features have the names and values of those of `birken-v2`.
        oracle::compare(NAME, -1.0, features, oracle::birken_v2);
    }
}

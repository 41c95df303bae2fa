//! `dellacherie-ga`: the features of `dellacherie` with weights of a genetic algorithm, and a
//! rule for ties, by Yang Xinnian.
//!
//! The rule is a priority, where lower is better; the preference here is its negative.

use super::chain::weighted_sum;
use super::dellacherie::{FEATURES, features};
use super::evaluator::{Afterstate, Evaluator, Verdict};
use super::method::Method;
use super::weights::Schema;
use crate::game::{Placement, SPAWN_X};

/// Name in the CLI, the config and the statistics.
const NAME: &str = "dellacherie-ga";

/// The method with the published weights.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &[] },
    published: include_str!("../../../config/weights/dellacherie-ga.toml"),
    build: |values| Box::new(DellacherieGa { weights: values.weights() }),
};

/// The evaluator with its weights.
struct DellacherieGa {
    weights: [f64; FEATURES.len()],
}

/// The effort of moving the piece there: 100 for each column from the spawn column, 1 for each
/// rotation, 10 on the left half.
///
/// The publication leaves open how these are counted. Here the column of a piece is that of its
/// origin, which no rotation moves. The horizontal moves are the columns between the spawn's and
/// the lock's, however the piece got there. The left half is columns 0 to 4 (1 to 5 when the first
/// one is 1), so every placement left of the spawn. The rotations are the fewest presses of either
/// button, at most two.
fn priority(placement: &Placement) -> i32 {
    let left = if placement.x < SPAWN_X { 10 } else { 0 };
    100 * i32::from((placement.x - SPAWN_X).abs()) + rotations(placement) + left
}

/// The fewest presses of A or B from the spawn orientation.
fn rotations(placement: &Placement) -> i32 {
    let (spawn, goal) = (placement.orientation.piece().spawn(), placement.orientation);
    if goal == spawn {
        0
    } else if goal == spawn.clockwise() || goal == spawn.counter_clockwise() {
        1
    } else {
        2
    }
}

impl Evaluator for DellacherieGa {
    fn name(&self) -> &'static str {
        NAME
    }

    fn plies(&self) -> usize {
        1
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        let trouble: i32 = chain.iter().map(|afterstate| priority(&afterstate.placement)).sum();
        Verdict { preference: -trouble, ..Verdict::of_value(weighted_sum(&self.weights, &features(chain))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Orientation, Piece, Playfield};
    use crate::judge::handmade::{WeightSet, oracle};

    fn published() -> Box<dyn Evaluator> {
        WeightSet::published(NAME).unwrap().evaluator()
    }

    fn flat_o(before: &Playfield, x: i8, y: i8) -> Afterstate {
        Afterstate::of(before, Placement { orientation: Piece::O.spawn(), x, y })
    }

    #[test]
    fn the_scores_are_the_ones_worked_out_by_hand() {
        let before = Playfield::drawn(
            "
            #.........
            ##.....#..
            #.##.###..
            ##.#.#.##.
            ",
        );
        let rough = flat_o(&before, 9, 17);
        // The features are worked out in the tests of `dellacherie`: 2, 0, 48, 18, 4 and 7.
        assert_eq!(features(&[rough]), [2.0, 0.0, 48.0, 18.0, 4.0, 7.0]);
        let value = -45.0 * 2.0 - 32.0 * 48.0 - 93.0 * 18.0 - 79.0 * 4.0 - 34.0 * 7.0;
        assert_eq!(published().judge(&[rough]).value, value);

        let before = Playfield::drawn("########..\n########..");
        // Two rows and four cells: 2 * 4 eroded; an empty playfield is left.
        let clearing = flat_o(&before, 9, 18);
        assert_eq!(published().judge(&[clearing]).value, -45.0 + 34.0 * 8.0 - 32.0 * 40.0 - 93.0 * 10.0);
    }

    #[test]
    fn the_priority_is_columns_before_rotations_and_the_right_before_the_left() {
        let t = Piece::T.spawn();
        let of = |orientation, x| priority(&Placement { orientation, x, y: 10 });
        assert_eq!(of(t, 5), 0);
        assert_eq!(of(t.clockwise(), 5), 1);
        assert_eq!(of(t.counter_clockwise(), 5), 1);
        assert_eq!(of(t.clockwise().clockwise(), 5), 2);
        assert_eq!(of(t.clockwise(), 8), 301);
        assert_eq!(of(t, 6), 100);
        assert_eq!(of(t, 4), 110, "column 5 of 1 to 10 is on the left half");
        assert_eq!(of(t.clockwise().clockwise(), 2), 312);
        assert_eq!(of(Piece::I.spawn().clockwise(), 0), 511);
        assert_eq!(priority(&Placement { orientation: t, x: 8, y: 2 }), of(t, 8), "the row does not matter");
    }

    #[test]
    fn rotations_are_the_length_of_the_shortest_way_through_the_turns() {
        for goal in Orientation::all() {
            let mut reached = vec![goal.piece().spawn()];
            let mut presses = 0;
            while !reached.contains(&goal) {
                reached = reached.iter().flat_map(|from| [from.clockwise(), from.counter_clockwise()]).collect();
                presses += 1;
            }
            assert_eq!(rotations(&Placement { orientation: goal, x: 5, y: 5 }), presses, "{goal:?}");
        }
    }

    #[test]
    fn among_equal_values_the_lower_priority_is_better() {
        // The two corners mirror each other and are four columns away.
        let (left, right) = (flat_o(&Playfield::EMPTY, 1, 18), flat_o(&Playfield::EMPTY, 9, 18));
        let (left, right) = (published().judge(&[left]), published().judge(&[right]));
        assert_eq!(left.value, right.value);
        assert_eq!((left.preference, right.preference), (-410, -400));
        assert!(right.is_better_than(&left) && !left.is_better_than(&right));
    }

    #[test]
    fn a_better_value_beats_any_priority() {
        // In the middle the O is between no wall: two changes more in each of its rows.
        let (corner, middle) = (flat_o(&Playfield::EMPTY, 1, 18), flat_o(&Playfield::EMPTY, 5, 18));
        let (corner, middle) = (published().judge(&[corner]), published().judge(&[middle]));
        assert_eq!(middle.preference, 0);
        assert!(corner.is_better_than(&middle));
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_value() {
        oracle::compare(NAME, 1.0, features, oracle::dellacherie);
    }
}

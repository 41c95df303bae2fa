//! `exhaustive-pair`: eight features of the playfield with the current and the next piece on it.
//!
//! The publication measures before any row is removed and counts the full rows. In the game the
//! rows that the first piece completes are gone before the second one locks; they are put back
//! here, see [`stack`].

use super::chain::{end_of, weighted_sum};
use super::evaluator::{Afterstate, Evaluator, Verdict};
use super::features::{FULL, columns, count};
use super::method::Method;
use super::weights::Schema;
use crate::game::{ROWS, WIDTH};

/// Name in the CLI, the config and the statistics.
const NAME: &str = "exhaustive-pair";

/// The features in the order of [`features`].
const FEATURES: [&str; 8] = ["full_rows", "v_holes", "v_blocks", "max_height", "std_y", "std_dy", "abs_dy", "max_dy"];

/// The method with the published weights.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &[] },
    published: include_str!("../../../config/weights/exhaustive-pair.toml"),
    build: |values| Box::new(ExhaustivePair { weights: values.weights() }),
};

/// k^0.7 for k confirmed holes in a column. Powers are not computed: their last digit depends on
/// the platform, and may decide a move.
const HOLES_POWER: [f64; 41] = [
    0.0,
    1.0,
    1.624504792712471,
    2.157669279974593,
    2.6390158215457884,
    3.085169313600048,
    3.505144086407193,
    3.904528777122722,
    4.2870938501451725,
    4.6555367217460795,
    5.011872336272723,
    5.357656669484114,
    5.69412336751626,
    6.022271719754773,
    6.342925711719626,
    6.656775051475125,
    6.964404506368993,
    7.266315402400411,
    7.562941717125411,
    7.854662349940811,
    8.141810630738087,
    8.424681795174463,
    8.703538937284877,
    8.978617804534151,
    9.25013070082624,
    9.518269693579393,
    9.783209271758405,
    10.04510856630514,
    10.304113218507693,
    10.560356962676236,
    10.813962975130147,
    11.06504503062049,
    11.313708498984761,
    11.560051208396864,
    11.804164196559915,
    12.046132367247344,
    12.286035066475316,
    12.523946590098143,
    12.759936632617046,
    12.994070685374636,
    13.22641039099137,
];

/// Rows of a stack. Full rows that are put back lift what lies above them, possibly beyond the
/// playfield's top: four rows for each piece of a chain, so five pieces always fit.
const TALL: usize = 2 * ROWS;

/// The evaluator with its weights.
struct ExhaustivePair {
    weights: [f64; FEATURES.len()],
}

/// The playfield with all pieces of the chain on it and no row removed; row 0 is the lowest.
///
/// The rows that each piece completed are put back as full ones where they were, the last piece's
/// first. A completed row 0 of the playfield is an exception: the game moves the whole page down,
/// and clears and counts the full row once more as row 1. It is put back there, on the moved page;
/// the bottom row that left the page is lost.
fn stack(chain: &[Afterstate]) -> [u16; TALL] {
    let mut rows = [0; TALL];
    for (row, &cells) in rows.iter_mut().zip(end_of(chain).visible().iter().rev()) {
        *row = cells;
    }
    for afterstate in chain.iter().rev() {
        // The game removes from the top down, so the way back begins at the bottom.
        for &row in afterstate.cleared.rows().iter().rev().filter(|&&row| row > 0) {
            let row = ROWS - 1 - usize::from(row);
            rows.copy_within(row..TALL - 1, row + 1);
            rows[row] = FULL;
        }
    }
    rows
}

/// The eight features, in the order of the schema.
///
/// A confirmed hole is an empty cell with an occupied one anywhere above. Both deviations are
/// those of a whole population (the mean square is over 10 columns, over 9 differences): the
/// publication does not say.
fn features(chain: &[Afterstate]) -> [f64; FEATURES.len()] {
    let rows = stack(chain);
    let mut heights = [0; WIDTH];
    let mut occupied = [0; WIDTH];
    let mut full_rows = 0;
    let mut blocks = 0;
    // Columns with an empty cell below the present row.
    let mut gaps = 0;
    let height = TALL - rows.iter().rev().take_while(|&&row| row == 0).count();
    for (row, &cells) in rows[..height].iter().enumerate() {
        full_rows += u32::from(cells == FULL);
        blocks += count(cells & gaps);
        gaps |= !cells;
        for column in columns(cells) {
            heights[column] = row as i32 + 1;
            occupied[column] += 1;
        }
    }
    let holes = heights.iter().zip(occupied).map(|(height, occupied)| (height - occupied) as usize);
    let steps: [i32; WIDTH - 1] = std::array::from_fn(|column| heights[column] - heights[column + 1]);
    let (highest, lowest) = heights.iter().fold((0, i32::MAX), |(high, low), &h| (high.max(h), low.min(h)));
    // To the power of 1.5.
    let height = f64::from(highest - full_rows as i32);
    [
        f64::from(full_rows),
        holes.map(|holes| HOLES_POWER[holes]).sum(),
        f64::from(blocks),
        height * height.sqrt(),
        standard_deviation(&heights),
        standard_deviation(&steps),
        f64::from(steps.iter().map(|step| step.abs()).sum::<i32>()),
        f64::from(highest - lowest),
    ]
}

/// The root of the mean square of the distances from the mean.
fn standard_deviation(values: &[i32]) -> f64 {
    let n = values.len() as f64;
    let mean = f64::from(values.iter().sum::<i32>()) / n;
    (values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>() / n).sqrt()
}

impl Evaluator for ExhaustivePair {
    fn name(&self) -> &'static str {
        NAME
    }

    fn plies(&self) -> usize {
        2
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        Verdict::of_value(weighted_sum(&self.weights, &features(chain)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Orientation, Piece, Placement, Playfield};
    use crate::judge::handmade::{WeightSet, oracle};

    /// Places pieces one after the other: orientation, x and y.
    fn chain(before: &Playfield, placements: &[(Orientation, i8, i8)]) -> Vec<Afterstate> {
        let mut playfield = *before;
        let place = |&(orientation, x, y): &(Orientation, i8, i8)| {
            let afterstate = Afterstate::of(&playfield, Placement { orientation, x, y });
            playfield = afterstate.playfield;
            afterstate
        };
        placements.iter().map(place).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(found.iter().zip(expected).all(near), "found {found:?}, expected {expected:?}");
    }

    fn value(chain: &[Afterstate]) -> f64 {
        WeightSet::published(NAME).unwrap().evaluator().judge(chain).value
    }

    /// The lowest rows of the stack look like the drawing, and the others are empty.
    fn assert_stack(chain: &[Afterstate], drawing: &str) {
        let stacked = stack(chain);
        let visible = Playfield::from_rows(std::array::from_fn(|row| stacked[ROWS - 1 - row]));
        assert_eq!(visible, Playfield::drawn(drawing));
        assert_eq!(stacked[ROWS..], [0; TALL - ROWS]);
    }

    const O: Orientation = Piece::O.spawn();
    const I: Orientation = Piece::I.spawn();

    #[test]
    fn two_o_pieces_on_a_rough_pile_have_the_score_worked_out_by_hand() {
        let before = Playfield::drawn(
            "
            #.........
            ##.....#..
            #.##.###..
            ##.#.#.##.
            ",
        );
        let pair = chain(&before, &[(O, 9, 17), (O, 4, 16)]);
        assert_stack(
            &pair,
            "
            #..##.....
            ##.##..###
            #.##.#####
            ##.#.#.##.
            ",
        );
        // Holes: columns 1, 2, 6 and 9 have one, column 4 has two. Above them are one, one, one,
        // two and two blocks. Heights 4 3 2 4 4 2 2 3 3 3: mean 3, squares of the distances 6;
        // steps 1 1 -2 0 2 0 -1 0 0: mean 1/9, mean of the squares 11/9.
        let expected = [
            0.0,
            4.0 + 2.0_f64.powf(0.7),
            7.0,
            8.0,
            (6.0_f64 / 10.0).sqrt(),
            (11.0_f64 / 9.0 - 1.0 / 81.0).sqrt(),
            7.0,
            2.0,
        ];
        assert_near(&features(&pair), &expected);
        // -5.6245047928 - 0.5 * 7 - 0.02 * 8 - 0.01 * 1.0999438819 - 0.2 * 7 - 0.3 * 2
        assert_near(&[value(&pair)], &[-11.295_504_231_531]);
    }

    #[test]
    fn both_pieces_clear_and_their_rows_are_measured_as_if_they_were_still_there() {
        let before = Playfield::drawn(
            "
            ########..
            ####....##
            ",
        );
        // The I completes row 19; what was row 18 then is row 19, which the O completes.
        let pair = chain(&before, &[(I, 6, 19), (O, 9, 18)]);
        assert_eq!(pair[0].cleared.rows(), [19]);
        assert_eq!(pair[1].cleared.rows(), [19]);
        // Without removing rows the O stands on rows 17 and 18.
        assert_stack(
            &pair,
            "
            ........##
            ##########
            ##########
            ",
        );
        // Heights 2 eight times and 3 twice: mean 2.2. One step of -1 among nine.
        let deviation = (1.0_f64 / 9.0 - 1.0 / 81.0).sqrt();
        assert_near(&features(&pair), &[2.0, 0.0, 0.0, 1.0, 0.4, deviation, 1.0, 1.0]);
        // 1.8 * 2 - 0.02 - 0.01 * 0.3142696805 - 0.2 - 0.3
        assert_near(&[value(&pair)], &[3.076_857_303_195]);
        assert_stack(
            &pair[..1],
            "
            ########..
            ##########
            ",
        );
    }

    #[test]
    fn rows_apart_go_back_between_the_rows_that_stayed() {
        let before = Playfield::drawn(
            "
            ##.......#
            #########.
            #.#######.
            #########.
            ###.#####.
            ",
        );
        let upright = I.clockwise();
        let pair = chain(&before, &[(upright, 9, 18), (O, 5, 16)]);
        assert_eq!(pair[0].cleared.rows(), [16, 18]);
        // Rows 17 and 19 stayed with the cells of the I; the O locked in rows 16 and 17, two
        // rows lower than it lies with the cleared rows in place.
        assert_stack(
            &pair,
            "
            ....##....
            ##..##...#
            ##########
            #.########
            ##########
            ###.######
            ",
        );
        assert_eq!(features(&pair)[..3], [2.0, 2.0, 2.0 + 3.0]);
    }

    #[test]
    fn rows_that_are_put_back_may_lift_a_pile_beyond_the_top() {
        let tower = |row| if row >= 16 { 0b01_1111_1111 } else { u16::from(row >= 2) };
        let before = Playfield::from_rows(std::array::from_fn(tower));
        // A tetris, after which column 0 begins in row 6; the second I stands on it.
        let pair = chain(&before, &[(I.clockwise(), 9, 18), (I.clockwise(), 0, 4)]);
        let stacked = stack(&pair);
        assert_eq!(stacked[..4], [FULL; 4]);
        assert_eq!(stacked[4..22], [1; 18]);
        let found = features(&pair);
        assert_near(&[found[0], found[3], found[6], found[7]], &[4.0, 18.0_f64.powf(1.5), 18.0, 18.0]);
    }

    #[test]
    fn a_completed_top_row_is_put_back_once_on_the_page_that_it_moved() {
        let mut before = Playfield::EMPTY;
        before.set_row(0, 0b11_1111_0000);
        before.set_row(18, 0b10);
        before.set_row(19, 0b1);
        let moved = chain(&before, &[(I, 2, 0)]);
        assert_eq!(moved[0].cleared.rows(), [0, 1]);
        let stacked = stack(&moved);
        assert_eq!((stacked[ROWS - 1], stacked[ROWS - 2]), (0, FULL), "full is row 1");
        assert_eq!(stacked[0], 0b10, "the bottom row left the page");
        assert_eq!(features(&moved)[0], 1.0);

        // A second piece that does the same in rows 0 and 1.
        before = Playfield::EMPTY;
        before.set_row(0, 0b11_1111_1100);
        before.set_row(1, 0b11_1111_1100);
        let both = chain(&before, &[(O, 9, 18), (O, 1, 0)]);
        assert_eq!(both[1].cleared.rows(), [0, 1, 2]);
        assert_eq!(features(&both)[0], 2.0);
    }

    #[test]
    fn full_rows_that_the_game_left_standing_are_counted_too() {
        let before = Playfield::drawn("##########\n.#########");
        let pair = chain(&before, &[(O, 5, 16), (O, 5, 14)]);
        assert_eq!(pair[1].cleared.count, 0, "the game looks at four rows only");
        assert_eq!(features(&pair)[0], 1.0);
    }

    #[test]
    fn the_deviation_is_that_of_a_whole_population() {
        assert_eq!(standard_deviation(&[2, 4, 4, 4, 5, 5, 7, 9]), 2.0);
        assert_eq!(standard_deviation(&[3; 9]), 0.0);
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_value() {
        oracle::compare(NAME, 1.0, features, oracle::exhaustive_pair);
    }
}

//! Reports of games made up by hand.

use super::*;
use crate::simulate::{By39, Survival};

fn settings(until: &str) -> Settings {
    Settings { until: until.parse().expect("an end"), ..Settings::default() }
}

fn topouts_at(lines: &[u64]) -> TopOuts {
    let mut distribution = Distribution::default();
    lines.iter().for_each(|&lines| distribution.add(lines));
    TopOuts::of(&distribution)
}

fn game(number: u64, points: u64, pushdown: u64) -> GameResult {
    let mut result = GameResult::new(number);
    (result.points, result.pushdown) = (points, pushdown);
    (result.points_by_29, result.pushdown_by_29) = (points, pushdown);
    result
}

#[test]
fn points_before_the_killscreens_are_means_over_all_games() {
    let at = |number, by_29, by_39: u64, reached| GameResult {
        points_by_29: by_29,
        by_39: Some(By39 { points: by_39, pushdown: 10, reached }),
        ..game(number, by_39 + 500, 20)
    };
    let games = [at(0, 1000, 3000, true), at(1, 2000, 2000, false), at(2, 1500, 4000, true)];
    let settings = Settings { rules: "ksx2".parse().expect("rules"), ..settings("lines:430") };
    let report = Statistics::of(&settings, &games);
    let pair = |without, with| ByPushdown { without_pushdown: Some(without), with_pushdown: Some(with) };
    assert_eq!(report.points_before_29, pair(1500.0, 1520.0));
    assert_eq!(report.points_before_39, Some(pair(3000.0, 3010.0)));
    assert_eq!(report.reached_39.map(|share| share.games), Some(2));
    let report = Statistics::of(&Settings::default(), &games);
    assert_eq!((report.points_before_39, report.reached_39), (None, None));
}

#[test]
fn sums_of_the_largest_games_that_are_read_are_exact() {
    let most = 1 << 48;
    let largest = GameResult {
        by_39: Some(By39 { points: most, pushdown: most, reached: true }),
        frames: most,
        ..game(0, most, most)
    };
    let settings = Settings { rules: "ksx2".parse().expect("rules"), ..settings("lines:430") };
    let mut collector = Collector::new(&settings);
    (0..40_000).for_each(|_| collector.add(&largest));
    let report = collector.statistics();
    let mean = most as f64;
    let pair = ByPushdown { without_pushdown: Some(mean), with_pushdown: Some(2.0 * mean) };
    assert_eq!((report.points_before_29, report.points_before_39), (pair, Some(pair)));
    assert_eq!(report.frames, Some(mean));
}

#[test]
fn dodges_of_all_games_are_added_up() {
    let most = u32::MAX;
    let dodges = Dodges {
        placements: most,
        pushdowns: most,
        selects: most,
        planned_hangs: most,
        risks: most,
        hangs: most,
        nearest: Some(7),
    };
    let far = |nearest| {
        let survival = Survival { rebirths: most, dodges: Dodges { nearest, ..dodges } };
        GameResult { survival: Some(survival), ..game(0, 0, 0) }
    };
    let games = [far(Some(7)), far(None), far(Some(5))];
    let all = 3 * u64::from(most);
    let expected = AllDodges {
        placements: all,
        pushdowns: all,
        selects: all,
        planned_hangs: all,
        risks: all,
        hangs: all,
        nearest: Some(5),
    };
    let survival = Statistics::of(&settings("rebirth"), &games).survival;
    assert_eq!(survival, Some(Survivals { reborn: 3, rebirths: all, dodges: expected }));
}

#[test]
fn points_by_level_29_make_a_maxout_and_later_ones_do_not() {
    let mut late = game(0, 1_200_000, 50_000);
    (late.points_by_29, late.pushdown_by_29, late.reached_29) = (950_000, 49_998, true);
    late.ending = Ending::Goal;
    let report = Statistics::of(&settings("lines:300"), [&late, &game(1, 990_000, 9_999), &game(2, 999_999, 0)]);
    assert_eq!(report.maxout_before_29.without_pushdown.map(|share| share.games), Some(1));
    assert_eq!(report.maxout_before_29.with_pushdown.map(|share| share.games), Some(2));
    assert_eq!(report.reached_900_000.without_pushdown.map(|share| share.games), Some(3));
    let with_pushdown =
        Statistics::of(&settings("topout"), [&game(0, 899_999, 1), &game(1, 899_999, 0), &game(2, 0, 899_999)])
            .reached_900_000;
    assert_eq!(with_pushdown.with_pushdown.map(|share| share.games), Some(1));
    assert_eq!(with_pushdown.without_pushdown.map(|share| share.games), Some(0));
    assert_eq!(report.reached_29.map(|share| share.games), Some(1));
    assert_eq!(report.reached_until.map(|share| share.games), Some(1));
    assert_eq!(report.points.with_pushdown.expect("games").max, 1_250_000.0);
    assert_eq!(Statistics::of(&settings("topout"), [&late]).reached_until, None);
}

#[test]
fn tetris_rates_are_over_all_lines_and_over_games() {
    let with_clears = |number, clears: [u32; 4]| GameResult {
        clears,
        lines: (1..).zip(clears).map(|(rows, count)| rows * count).sum(),
        ..GameResult::new(number)
    };
    // 4 of 4, 8 of 20 and none of no lines.
    let games = [with_clears(0, [0, 0, 0, 1]), with_clears(1, [4, 1, 2, 2]), with_clears(2, [0; 4])];
    let report = Statistics::of(&settings("topout"), &games);
    assert_eq!(report.tetris_rate, Some(0.5));
    assert_eq!(report.tetris_rate_median, Some(0.7));
    assert_eq!((report.clears.tetrises, report.clears.doubles), (1.0, 1.0 / 3.0));
    assert_eq!(report.lines, Some(8.0));
}

#[test]
fn topouts_fall_into_bins_and_games_that_go_on_do_not() {
    let at = |number, lines, ending| GameResult { lines, ending, ..GameResult::new(number) };
    let games =
        [at(0, 9, Ending::Topout), at(1, 10, Ending::Topout), at(2, 19, Ending::Topout), at(3, 230, Ending::Goal)];
    let topouts = Statistics::of(&settings("lines:230"), &games).topouts;
    assert_eq!((topouts.games, topouts.width), (3, 10));
    assert_eq!(topouts.bins, [Bin { lines: 0, games: 1 }, Bin { lines: 10, games: 2 }]);
    assert_eq!(topouts_at(&[5, 240]).width, 20);
    assert_eq!(topouts_at(&[1_000_000]).width, 1000);
}

#[test]
fn rows_that_each_have_half_of_the_row_below_have_that_slope() {
    let mut result = GameResult::new(0);
    (6..=15).for_each(|row| result.lock_rows[row] = 1 << row);
    // Outside of the fitted rows anything may happen.
    (result.lock_rows[5], result.lock_rows[16]) = (77, 3);
    let rows = Statistics::of(&settings("topout"), [&result]).lock_rows;
    assert!((rows.log10_slope.expect("ten rows") - 2f64.log10()).abs() < 1e-12);
    assert!((rows.ratio_to_row_below.expect("ten rows") - 0.5).abs() < 1e-12);
    assert!((rows.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    result.lock_rows = [0; ROWS];
    (result.lock_rows[6], result.lock_rows[8]) = (1, 100);
    let rows = Statistics::of(&settings("topout"), [&result]).lock_rows;
    assert!((rows.log10_slope.expect("two rows") - 1.0).abs() < 1e-12, "empty rows are left out");
}

#[test]
fn perfect_clears_are_counted_over_all_pieces() {
    let games = [(500, 1), (700, 2), (300, 0)].map(|(pieces, perfect_clears)| GameResult {
        pieces,
        perfect_clears,
        frames: 10 * u64::from(pieces),
        ..GameResult::new(0)
    });
    let report = Statistics::of(&settings("topout"), &games);
    assert_eq!((report.perfect_clears, report.pieces_between_perfect_clears), (3, Some(500.0)));
    assert_eq!((report.pieces, report.frames), (Some(500.0), Some(5000.0)));
    assert_eq!(Statistics::of(&settings("topout"), &games[2..]).pieces_between_perfect_clears, None);
}

#[test]
fn games_are_counted_and_the_longest_drought_is_that_of_any() {
    let games = [(500, 30), (700, 41), (300, 12)].map(|(pieces, longest_drought)| GameResult {
        pieces,
        longest_drought,
        ..GameResult::new(0)
    });
    let mut collector = Collector::new(&settings("topout"));
    games.iter().for_each(|result| collector.add(result));
    assert_eq!((collector.games(), collector.pieces()), (3, 1500));
    let report = collector.statistics();
    assert_eq!((report.games, report.longest_drought), (3, 41));
}

#[test]
fn no_games_give_an_empty_report() {
    let report = Statistics::of(&settings("lines:230"), []);
    assert_eq!(report.games, 0);
    assert_eq!((report.points.without_pushdown, report.reached_until, report.tetris_rate), (None, None, None));
    assert_eq!((report.topouts.bins.len(), report.lock_rows.log10_slope), (0, None));
}

#[test]
fn no_games_have_no_means() {
    let report = Statistics::of(&settings("lines:230"), []);
    assert_eq!((report.games, report.lines, report.pieces, report.frames), (0, None, None, None));
    assert_eq!(
        (report.tetris_rate, report.tetris_rate_median, report.pieces_between_perfect_clears),
        (None, None, None)
    );
    assert_eq!(report.clears.tetrises, 0.0);
}

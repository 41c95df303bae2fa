//! `birken-v2`: seventeen features of two placed pieces and four rules, by Michael Birken.
//!
//! The publication computes a fitness, where lower is better; the value here is its negative.

use super::chain::{end_of, lines_cleared, weighted_sum};
use super::evaluator::{Afterstate, Evaluator, Rank, Verdict};
use super::features::{BirkenPile, lock_height};
use super::method::Method;
use super::refusal::{all_types_can_spawn, high_pile_penalty, lines_stay_reachable};
use super::weights::{Schema, Values};

/// Name in the CLI, the config and the statistics.
const NAME: &str = "birken-v2";

/// The features in the order of [`features`].
const FEATURES: [&str; 17] = [
    "total_lines_cleared",
    "total_lock_height",
    "total_well_cells",
    "total_deep_wells",
    "total_column_holes",
    "total_weighted_column_holes",
    "total_column_hole_depths",
    "min_column_hole_depth",
    "max_column_hole_depth",
    "total_column_transitions",
    "total_row_transitions",
    "total_column_heights",
    "pile_height",
    "column_height_spread",
    "total_solid_cells",
    "total_weighted_solid_cells",
    "column_height_variance",
];

/// The rules in the order of [`Rules::from_switches`].
const RULES: [&str; 4] = ["force_tetris", "high_pile_penalty", "all_types_can_spawn", "lines_stay_reachable"];

/// The method with the published weights, all rules on.
pub(super) const METHOD: Method = Method {
    schema: Schema { evaluator: NAME, features: &FEATURES, rules: &RULES },
    published: include_str!("../../../config/weights/birken-v2.toml"),
    build: |values| Box::new(BirkenV2::with(values)),
};

/// Rows of a tetris.
const TETRIS: u8 = 4;

/// The four rules that calmed the bot down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rules {
    /// A chain in which a piece clears four rows is forced, even where another rule would refuse
    /// it: it comes before all others.
    force_tetris: bool,
    /// Every occupied cell in rows 0 to 6 of the chain's last playfield adds 7 - row.
    high_pile_penalty: bool,
    /// Refuses a chain after which one of the seven pieces could not spawn. Only its last playfield
    /// is checked: before that, only the piece of the next box has to spawn, and a chain in which
    /// that piece locked shows that it did.
    all_types_can_spawn: bool,
    /// Refuses a chain if one of its playfields has no row left that can be completed.
    lines_stay_reachable: bool,
}

impl Rules {
    fn from_switches(switches: [bool; RULES.len()]) -> Rules {
        let [force_tetris, high_pile_penalty, all_types_can_spawn, lines_stay_reachable] = switches;
        Rules { force_tetris, high_pile_penalty, all_types_can_spawn, lines_stay_reachable }
    }

    fn rank(&self, chain: &[Afterstate]) -> Rank {
        if self.force_tetris && chain.iter().any(|afterstate| afterstate.cleared.count >= TETRIS) {
            return Rank::Forced;
        }
        let spawns_blocked = self.all_types_can_spawn && !all_types_can_spawn(end_of(chain));
        let out_of_reach =
            self.lines_stay_reachable && !chain.iter().all(|afterstate| lines_stay_reachable(&afterstate.playfield));
        if spawns_blocked || out_of_reach { Rank::Refused } else { Rank::Normal }
    }

    /// What the rules add to the fitness.
    fn penalty(&self, chain: &[Afterstate]) -> f64 {
        if self.high_pile_penalty { f64::from(high_pile_penalty(end_of(chain))) } else { 0.0 }
    }
}

/// The evaluator with its weights and rules.
struct BirkenV2 {
    weights: [f64; FEATURES.len()],
    rules: Rules,
}

impl BirkenV2 {
    fn with(values: &Values) -> BirkenV2 {
        BirkenV2 { weights: values.weights(), rules: Rules::from_switches(values.switches()) }
    }
}

/// The seventeen features, in the order of the schema.
fn features(chain: &[Afterstate]) -> [f64; FEATURES.len()] {
    let pile = BirkenPile::of(end_of(chain));
    let lock_heights: i32 = chain.iter().map(|afterstate| lock_height(&afterstate.placement)).sum();
    [
        f64::from(lines_cleared(chain)),
        f64::from(lock_heights),
        f64::from(pile.well_cells),
        f64::from(pile.deep_wells),
        f64::from(pile.holes),
        f64::from(pile.weighted_holes),
        f64::from(pile.hole_depths),
        f64::from(pile.min_hole_depth),
        f64::from(pile.max_hole_depth),
        f64::from(pile.column_transitions),
        f64::from(pile.row_transitions),
        f64::from(pile.heights),
        f64::from(pile.height),
        f64::from(pile.spread),
        f64::from(pile.cells),
        f64::from(pile.weighted_cells),
        f64::from(pile.variance),
    ]
}

impl Evaluator for BirkenV2 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn plies(&self) -> usize {
        2
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        let fitness = weighted_sum(&self.weights, &features(chain)) + self.rules.penalty(chain);
        Verdict { rank: self.rules.rank(chain), ..Verdict::of_value(-fitness) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Placement, Playfield};
    use crate::judge::handmade::oracle;
    use crate::judge::handmade::weights::WeightsFile;

    const CALM: [bool; 4] = [false; 4];

    fn published(switches: [bool; 4]) -> BirkenV2 {
        BirkenV2 { rules: Rules::from_switches(switches), ..from_toml(METHOD.published) }
    }

    fn from_toml(text: &str) -> BirkenV2 {
        BirkenV2::with(&WeightsFile::parse(text).unwrap().values(&METHOD.schema).unwrap())
    }

    /// All rules off except the one of this name.
    fn only(rule: &str) -> BirkenV2 {
        assert!(RULES.contains(&rule));
        published(RULES.map(|name| name == rule))
    }

    /// Places pieces one after the other.
    fn chain(before: &Playfield, placements: &[(Piece, usize, i8, i8)]) -> Vec<Afterstate> {
        let mut playfield = *before;
        let place = |&(piece, turns, x, y): &(Piece, usize, i8, i8)| {
            let orientation = (0..turns).fold(piece.spawn(), |orientation, _| orientation.clockwise());
            let afterstate = Afterstate::of(&playfield, Placement { orientation, x, y });
            playfield = afterstate.playfield;
            afterstate
        };
        placements.iter().map(place).collect()
    }

    #[test]
    fn two_o_pieces_in_the_corner_have_the_fitness_worked_out_by_hand() {
        let two = chain(&Playfield::EMPTY, &[(Piece::O, 0, 1, 18), (Piece::O, 0, 1, 16)]);
        // Columns 0 and 1 are four high. Lock heights 0 + 2; no hole, so the smallest depth is
        // 20; each of the four rows changes twice; heights 4 + 4; spread 4; cells 8 with
        // heights 2 * (4 + 3 + 2 + 1); one step of 4 between columns.
        let expected = [0., 2., 0., 0., 0., 0., 0., 20., 0., 0., 8., 8., 4., 4., 8., 20., 4.];
        assert_eq!(features(&two), expected);
        // 2 * 1.7012336769099592 + 20 * 0.2898865849496105 + 8 * 0.8741799811132331
        // - 8 * 0.50740968314436190 - 4 * 2.148676202831281 - 4 * 1.187558540281141700
        // - 8 * 2.645656132241128 + 20 * 0.24204341626870662 + 4 * 0.28783812616443144
        // = 3.4024673538 + 5.7977316990 + 6.9934398489 - 4.0592774652 - 8.5947048113
        //   - 4.7502341611 - 21.1652490579 + 4.8408683254 + 1.1513525047
        let verdict = published(CALM).judge(&two);
        assert!((verdict.value - 16.383_605_763_7).abs() < 1e-9, "{}", verdict.value);
        assert_eq!(verdict.rank, Rank::Normal);
    }

    #[test]
    fn lines_and_lock_heights_are_of_both_pieces() {
        let before = Playfield::drawn(
            "
            ########..
            ####....##
            ",
        );
        let both = chain(&before, &[(Piece::I, 0, 6, 19), (Piece::O, 0, 9, 18)]);
        // The I completes row 19; the O then completes row 19, standing on rows 18 and 19.
        assert_eq!(features(&both)[..2], [2.0, 0.0]);
        assert_eq!(features(&both[..1])[..2], [1.0, 0.0], "a chain of one piece counts that piece");
    }

    #[test]
    fn every_feature_agrees_with_the_oracle_and_moves_the_fitness() {
        oracle::compare(NAME, -1.0, features, oracle::birken_v2);
    }

    #[test]
    fn a_tetris_of_either_piece_is_forced() {
        let before = Playfield::from_rows(std::array::from_fn(|row| if row >= 16 { 0b01_1111_1111 } else { 0 }));
        let first = chain(&before, &[(Piece::I, 1, 9, 18), (Piece::O, 0, 1, 18)]);
        let second = chain(&before, &[(Piece::O, 0, 1, 14), (Piece::I, 1, 9, 18)]);
        let neither = chain(&before, &[(Piece::O, 0, 1, 14), (Piece::I, 0, 5, 15)]);
        let evaluator = only("force_tetris");
        assert_eq!(evaluator.judge(&first).rank, Rank::Forced);
        assert_eq!(evaluator.judge(&first[..1]).rank, Rank::Forced);
        assert_eq!(evaluator.judge(&second).rank, Rank::Forced);
        assert_eq!(evaluator.judge(&neither).rank, Rank::Normal);
        assert_eq!(published(CALM).judge(&first).rank, Rank::Normal);
    }

    #[test]
    fn the_high_pile_penalty_makes_a_high_pile_worse() {
        let before = Playfield::from_rows(std::array::from_fn(|row| if row >= 7 { 1 } else { 0 }));
        // The I covers rows 3 to 6 of column 0: 4 + 3 + 2 + 1.
        let high = chain(&before, &[(Piece::I, 1, 0, 5)]);
        let (with, without) = (only("high_pile_penalty").judge(&high), published(CALM).judge(&high));
        assert!((without.value - with.value - 10.0).abs() < 1e-9);
        let low = chain(&before, &[(Piece::I, 1, 1, 18)]);
        assert_eq!(only("high_pile_penalty").judge(&low), published(CALM).judge(&low));
    }

    #[test]
    fn a_result_that_blocks_a_spawn_is_refused_but_only_at_the_end() {
        let mut before = Playfield::from_rows(std::array::from_fn(|row| if row >= 2 { 0b01_1111_1110 } else { 0 }));
        before.set_row(1, 0b01_1000_0000);
        let evaluator = only("all_types_can_spawn");
        // An O in columns 3 and 4 covers a cell that the I needs.
        let blocking = chain(&before, &[(Piece::O, 0, 4, 0)]);
        assert_eq!(evaluator.judge(&blocking).rank, Rank::Refused);
        assert_eq!(published(CALM).judge(&blocking).rank, Rank::Normal);
        let beside = chain(&before, &[(Piece::O, 0, 2, 0)]);
        assert_eq!(evaluator.judge(&beside).rank, Rank::Normal);
        // Before the last playfield only the piece of the next box has to spawn: a clear may make
        // room for the rest.
        let freed = chain(&Playfield::EMPTY, &[(Piece::O, 0, 1, 18)]);
        assert_eq!(evaluator.judge(&[blocking[0], freed[0]]).rank, Rank::Normal);
        assert_eq!(evaluator.judge(&[freed[0], blocking[0]]).rank, Rank::Refused);
    }

    #[test]
    fn a_result_without_a_reachable_row_is_refused_after_either_piece() {
        // Column 1 is a tower from row 2 down, column 0 behind it is empty.
        let before = Playfield::from_rows(std::array::from_fn(|row| if row >= 4 { 0b10 } else { 0 }));
        let evaluator = only("lines_stay_reachable");
        let shut = chain(&before, &[(Piece::I, 1, 1, 2)]);
        assert_eq!(evaluator.judge(&shut).rank, Rank::Refused);
        assert_eq!(published(CALM).judge(&shut).rank, Rank::Normal);
        let open = chain(&before, &[(Piece::I, 1, 2, 18)]);
        assert_eq!(evaluator.judge(&open).rank, Rank::Normal);
        assert_eq!(evaluator.judge(&[shut[0], open[0]]).rank, Rank::Refused, "after the first piece");
        assert_eq!(evaluator.judge(&[open[0], shut[0]]).rank, Rank::Refused, "after the second piece");
    }

    #[test]
    fn a_forced_tetris_is_taken_even_where_a_rule_would_refuse_it() {
        // No game leads here, as column 4 would stop the first I from spawning; after the
        // tetris it begins in row 4, and the second I stands on it in the spawn area.
        let tower = |row| if row >= 16 { 0b01_1111_1111 } else { 1 << 4 };
        let before = Playfield::from_rows(std::array::from_fn(tower));
        let pair = chain(&before, &[(Piece::I, 1, 9, 18), (Piece::I, 1, 4, 2)]);
        assert_eq!(only("all_types_can_spawn").judge(&pair).rank, Rank::Refused);
        assert_eq!(published([true; 4]).judge(&pair).rank, Rank::Forced);
    }

    #[test]
    fn the_published_file_switches_every_rule_on() {
        assert_eq!(from_toml(METHOD.published).rules, Rules::from_switches([true; 4]));
    }

    #[test]
    fn each_switch_of_a_file_switches_its_own_rule() {
        for (index, rule) in RULES.into_iter().enumerate() {
            let text = METHOD.published.replace(&format!("{rule} = true"), &format!("{rule} = false"));
            let mut switches = [true; 4];
            switches[index] = false;
            assert_eq!(from_toml(&text).rules, Rules::from_switches(switches), "{rule}");
        }
    }
}

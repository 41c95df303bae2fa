//! The placements of a position in their order, with their points.

use super::expectation::{Expectation, Valued};
use super::prospect::Prospect;
use crate::game::Position;
use crate::game::scoring::clear_points;
use crate::planner::{Judged, Search, Sight};

/// A placement with its points.
pub(super) struct Ranked {
    pub(super) points: f64,
    /// What the best placement has more.
    pub(super) gap: f64,
    pub(super) prospect: Prospect,
    pub(super) judged: Judged,
}

impl Ranked {
    /// Ranks placements, of which the first one is the best by the net. If that one is lost, games are
    /// played on from each, and tell the order.
    pub(super) fn all(
        search: &Search,
        expectation: &Expectation,
        position: &Position,
        sight: Sight,
        judged: Vec<Judged>,
    ) -> Vec<Ranked> {
        let Some(first) = judged.first() else { return Vec::new() };
        let prospect = Prospect::of(search, expectation, position, first.placement, sight);
        if !prospect.is_lost() {
            return by_value(expectation, position, prospect, judged);
        }
        let ranked = judged.into_iter().map(|judged| {
            let prospect = Prospect::of(search, expectation, position, judged.placement, sight);
            let points = Expectation::final_points(position, judged.clears)
                .unwrap_or_else(|| prospect.points_as_played(expectation.points(position, judged.verdict.value)));
            Ranked { points, gap: 0.0, prospect, judged }
        });
        let mut ranked: Vec<Ranked> = ranked.collect();
        let order = |of: &Ranked| (of.points, of.prospect.pieces_before, of.judged.verdict.value);
        ranked.sort_by(|a, b| {
            let (a, b) = (order(a), order(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
        });
        let most = ranked[0].points;
        ranked.iter_mut().for_each(|one| one.gap = most - one.points);
        ranked
    }
}

/// In the order of what they lose against the highest value, which leaves each at least the points of its own clear. If
/// the count ends with that clear, it has just these.
fn by_value(
    expectation: &Expectation,
    position: &Position,
    prospect: Prospect,
    mut judged: Vec<Judged>,
) -> Vec<Ranked> {
    let valued = |judged: &Judged| Valued { value: judged.verdict.value, clears: judged.clears };
    let highest = judged.iter().map(valued).reduce(|a, b| if b.value > a.value { b } else { a });
    let Some(highest) = highest else { return Vec::new() };
    let most = prospect.points_with(expectation, position, highest).max(most_at_once(position, &judged));
    let gap = |judged: &Judged| {
        let at_once = most - at_once(position, judged);
        if Expectation::final_points(position, judged.clears).is_some() {
            return at_once;
        }
        prospect.difference(expectation.loss(position, highest, valued(judged))).min(at_once)
    };
    judged.sort_by(|a, b| gap(a).total_cmp(&gap(b)));
    let ranked = judged.into_iter().map(|judged| {
        let gap = gap(&judged);
        Ranked { points: most - gap, gap, prospect, judged }
    });
    ranked.collect()
}

/// The points of the clear of a placement.
fn at_once(position: &Position, judged: &Judged) -> f64 {
    clear_points(judged.clears, position.progress_after(judged.clears).level).into()
}

/// The most points that a clear of one of these placements brings.
pub(super) fn most_at_once<'a>(position: &Position, judged: impl IntoIterator<Item = &'a Judged>) -> f64 {
    judged.into_iter().map(|judged| at_once(position, judged)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::analysis::{Analyst, Choice, Question};
    use crate::game::{Piece, Placement, Playfield};
    use crate::judge::{self, Judge};
    use crate::planner::{GeneratorOdds, Settings};

    fn analyst() -> Analyst {
        let Judge::Learned(net) = judge::by_name("learned", None).unwrap() else { panic!("a net") };
        Analyst::new(net, Settings::default())
    }

    /// Every game that is played on from here tops out within a few pieces.
    const LOST: &str = "
        #####.####
        #.#.#.#.#.
        .#.#.#.#.#
        #.#.#.#.#.
        .#.#.#.#.#
        #.#.#.#.#.
        .#.#.#.#.#
        #.#.#.#.#.
        .#.#.#.#.#
        #.#.#.#.#.
        .#.#.#.#.#
        #.#.#.#.#.
        .#.#.#.#.#
        #########.
        #########.
        #########.
        #########.
        ";

    #[test]
    fn a_lost_position_is_ranked_by_the_games_that_were_played_on() {
        let playfield = Playfield::drawn(LOST);
        for (piece, next) in [(Piece::I, Piece::O), (Piece::O, Piece::O)] {
            let position = Position { playfield, piece, next, level: 19, lines: 60, score: 0 };
            let mut question = Question::at_spawn(position, Sight::WithNext);
            question.play_outs.games = 0;
            let analyst = self::analyst();
            let answer = analyst.answer(&question);
            assert!(answer.is_lost() && answer.choices[0].gap == 0.0);
            let order = |choice: &Choice| (choice.points, choice.prospect.pieces_before, choice.judged.verdict.value);
            assert!(answer.choices.is_sorted_by(|a, b| order(a) >= order(b)));
            let most = answer.choices[0].points;
            for choice in &answer.choices {
                let placement = choice.judged.placement;
                let played =
                    Prospect::of(&analyst.search(), analyst.expectation(), &position, placement, Sight::WithNext);
                assert_eq!((choice.points, choice.gap), (played.points_before, most - played.points_before));
            }
            // An I clears a row before the end, or not; an O clears none.
            assert_eq!(answer.choices.iter().any(|choice| choice.gap > 0.0), piece == Piece::I);
            let pieces = answer.choices.iter().map(|choice| choice.prospect.pieces_before);
            let (least, longest) = (pieces.clone().reduce(f64::min), pieces.reduce(f64::max));
            assert!(least < longest);
            // Of placements that win the same, the one with the longest games comes first.
            if piece == Piece::O {
                assert_eq!(longest, Some(answer.choices[0].prospect.pieces_before));
            }
        }
    }

    #[test]
    fn the_next_piece_leaves_occupied_cells_as_in_the_game() {
        // A T at its spawn hits the cell in row 0; tapped to the left at once it is free.
        let playfield = Playfield::drawn(&format!("......#...\n......####\n{}", "......###.\n".repeat(18)));
        let position = Position { playfield, piece: Piece::O, next: Piece::T, level: 0, lines: 0, score: 0 };
        let search = analyst().search();
        let first = Placement { orientation: Piece::O.spawn(), x: 1, y: 18 };
        let after = {
            let mut playfield = playfield;
            playfield.lock(first);
            Position { playfield, piece: Piece::T, next: Piece::I, ..position }
        };
        let falling = Question::at_spawn(after, Sight::WithNext).falling;
        let reach = crate::planner::Reach::of(&after, &falling, &[], search.settings()).expect("it does not land");
        let reached: Vec<Placement> = reach.reached().iter().map(|reached| reached.placement).collect();
        assert!(!reached.is_empty(), "the game goes on");
        let reply = search.replies(&position, first)[Piece::T.index()];
        assert!(reached.contains(&reply.placement.expect("a placement")));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let played = search.play_out(&position, first, Sight::WithNext, &GeneratorOdds, 2, &mut random);
        let played = played.expect("a net");
        assert_eq!((played.pieces, played.is_topped_out), (2, false));
    }
}

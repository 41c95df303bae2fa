//! Whether a high pile comes down again: what the net, which learned from games that go well, does not
//! tell.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::expectation::{Expectation, Valued};
use crate::game::{Placement, Position, ROWS};
use crate::planner::{GeneratorOdds, PlayedOut, Search, Sight};
use crate::seed;

/// Rows from which games are played on. The learned player keeps its pile below them in most positions.
/// Chosen by hand, not measured.
const HIGH: usize = 8;
/// Games that are played on. Chosen by hand: an interval of about 0.2 for a share of one half.
const GAMES: u64 = 24;
/// Pieces of each: 16 lines. Chosen by hand, not measured.
const PIECES: u32 = 40;
/// Lines that [`PIECES`] pieces clear.
const LINES: i32 = 16;

/// The share of the expected points that a position will really get to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// The share of games that do not top out soon, against those of the average position: 0 to 1.
    pub survival: f64,
    /// Points of the games that do, on average.
    pub points_before: f64,
    /// Pieces of these games, on average.
    pub pieces_before: f64,
}

impl Prospect {
    /// Nothing threatens.
    pub const SAFE: Prospect = Prospect { survival: 1.0, points_before: 0.0, pieces_before: 0.0 };

    /// Plays games on from a placement if the pile is high.
    pub fn of(
        search: &Search,
        expectation: &Expectation,
        position: &Position,
        placement: Placement,
        sight: Sight,
    ) -> Prospect {
        if ROWS - position.playfield.top() < HIGH {
            return Prospect::SAFE;
        }
        let game = |game| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(0, game));
            search.play_out(position, placement, sight, &GeneratorOdds, PIECES, &mut random)
        };
        let played: Option<Vec<PlayedOut>> = (0..GAMES).map(game).collect();
        let Some(played) = played else { return Prospect::SAFE };
        let lost = || played.iter().filter(|game| game.is_topped_out);
        let (count, points) = (lost().count(), lost().map(|game| game.points).sum::<u64>());
        let pieces = lost().map(|game| game.pieces).sum::<u32>();
        if count == 0 {
            return Prospect::SAFE;
        }
        let share = 1.0 - count as f64 / GAMES as f64;
        let usual = (1.0 - expectation.fit().hazard).powi(LINES);
        Prospect {
            survival: (share / usual).min(1.0),
            points_before: points as f64 / count as f64,
            pieces_before: f64::from(pieces) / count as f64,
        }
    }

    /// Does every game top out soon?
    pub fn is_lost(&self) -> bool {
        self.survival <= 0.0
    }

    /// What is expected, if `points` are expected of an average position of the same value.
    pub fn points(&self, points: f64) -> f64 {
        self.survival * points + (1.0 - self.survival) * self.points_before.min(points)
    }

    /// Points of clears from this position on with this placement: those of its clear alone if the count ends with it.
    pub fn points_with(&self, expectation: &Expectation, position: &Position, placement: Valued) -> f64 {
        Expectation::final_points(position, placement.clears)
            .unwrap_or_else(|| self.points(expectation.points(position, placement.value)))
    }

    /// The same, if what the games that top out won is believed more than the value: the value of a placement that
    /// ends the game says nothing of the points before the end.
    pub(super) fn points_as_played(&self, points: f64) -> f64 {
        self.survival * points + (1.0 - self.survival) * self.points_before
    }

    /// What a difference in points is worth.
    pub fn difference(&self, points: f64) -> f64 {
        self.survival * points
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Piece, Playfield};
    use crate::judge::{self, Judge};
    use crate::planner::Settings;

    fn prospect(drawing: &str) -> Prospect {
        let Judge::Learned(net) = judge::by_name("learned", None).unwrap() else { panic!("a net") };
        let settings = Settings::default();
        let expectation = Expectation::of(settings.style());
        let search = Search::new(Arc::clone(&net), settings);
        let playfield = Playfield::drawn(drawing);
        let position = Position { playfield, piece: Piece::T, next: Piece::O, level: 19, lines: 50, score: 0 };
        let question = crate::analysis::Question::at_spawn(position, Sight::WithNext);
        let judged = search.analyse(&position, &question.falling, Sight::WithNext, &GeneratorOdds);
        Prospect::of(&search, &expectation, &position, judged[0].placement, Sight::WithNext)
    }

    #[test]
    fn a_low_pile_is_safe_and_a_hopeless_one_is_not() {
        assert_eq!(prospect(&"#########.\n".repeat(7)), Prospect::SAFE);
        assert!(prospect(&"#########.\n".repeat(8)).survival > 0.9);
        let hopeless = prospect(&"#.#.#.#.#.\n.#.#.#.#.#\n".repeat(8));
        assert!(hopeless.survival < 0.2, "{hopeless:?}");
        assert!(hopeless.points(1e6) < 2e5 && hopeless.difference(1e4) < 2e3);
    }
}

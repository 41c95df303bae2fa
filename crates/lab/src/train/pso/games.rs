//! Fitness by playing: every weight set plays the same games, on several threads.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::fitness::Fitness;
use crate::simulate::{self, Error, play_game};
use maxout_engine::judge::handmade::WeightSet;
use maxout_engine::parallel;
use maxout_engine::planner::{self, Search};

/// The games that measure the fitness of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct FitnessGames {
    /// Which games; those with the numbers from 0 are played.
    pub settings: simulate::Settings,
    /// How pieces are moved.
    pub planner: planner::Settings,
    /// How many games each weight set plays.
    pub games: usize,
    /// How the points of a set's games, without those of pushdowns, become its fitness.
    pub fitness: Fitness,
}

impl FitnessGames {
    /// The fitness of every weight set, in their order, with any number of threads; `finished` is
    /// called after each game.
    ///
    /// # Errors
    /// The failure of the first game, of all that failed; [`Error::Stopped`] when `stop` was set before the last game's
    /// end.
    pub fn evaluate(
        &self,
        sets: &[WeightSet],
        threads: usize,
        stop: &AtomicBool,
        finished: &mut dyn FnMut(),
    ) -> Result<Vec<f64>, Error> {
        // Threads take single games, so that no thread is idle before the last game begins.
        let work = |own: &mut Option<(usize, Search)>, index: usize| {
            let (set, game) = (index / self.games, index % self.games);
            let (_, search) = match own {
                Some(searching) if searching.0 == set => searching,
                _ => own.insert((set, Search::new(sets[set].evaluator(), self.planner.clone()))),
            };
            match play_game(search, &self.settings, game as u64, stop) {
                Ok(played) => ControlFlow::Continue(Ok(played.result.points)),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        };
        let mut points = vec![0; sets.len() * self.games];
        let mut failure = None;
        let note = |index: usize, played| match played {
            Ok(of_game) => {
                points[index] = of_game;
                finished();
            }
            Err(error) => keep_first(&mut failure, index, error),
        };
        parallel::as_done(threads, || None, 0..sets.len() * self.games, work, note);
        if let Some((_, error)) = failure {
            return Err(error);
        }
        Ok(points.chunks(self.games).map(|points| self.fitness.of(points)).collect())
    }
}

/// Keeps the failure of the game with the lowest index: outcomes come in any order.
fn keep_first<E>(kept: &mut Option<(usize, E)>, index: usize, error: E) {
    if kept.as_ref().is_none_or(|(first, _)| index < *first) {
        *kept = Some((index, error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Until;

    fn fitness_games() -> FitnessGames {
        FitnessGames {
            settings: simulate::Settings { until: Until::Pieces(40), start_level: 18, ..Default::default() },
            planner: planner::Settings::default(),
            games: 4,
            fitness: Fitness::Best(2),
        }
    }

    fn sets() -> Vec<WeightSet> {
        let published = WeightSet::published("el-tetris").unwrap();
        let tame = published.with_values(vec![-1.0, 0.1, -1.0, -2.0, -3.0, -0.5]).unwrap();
        let foolish = published.with_values(vec![1.0; 6]).unwrap();
        vec![published, tame, foolish]
    }

    #[test]
    fn the_fitness_is_that_of_the_games_played_one_by_one_on_any_number_of_threads() {
        let fitness_games = fitness_games();
        let expected: Vec<f64> = sets()
            .iter()
            .map(|set| {
                let points: Vec<u64> = (0..4)
                    .map(|game| {
                        let mut search = Search::new(set.evaluator(), fitness_games.planner.clone());
                        let played = play_game(&mut search, &fitness_games.settings, game, &AtomicBool::new(false));
                        played.unwrap().result.points
                    })
                    .collect();
                fitness_games.fitness.of(&points)
            })
            .collect();
        assert!(expected[0] > expected[2], "{expected:?}");
        for threads in [1, 3] {
            let mut games = 0;
            let found = fitness_games.evaluate(&sets(), threads, &AtomicBool::new(false), &mut || games += 1);
            assert_eq!((found.unwrap(), games), (expected.clone(), 12));
        }
    }

    #[test]
    fn of_several_failures_that_of_the_first_game_is_kept() {
        let mut kept = None;
        for (index, error, expected) in [(7, "a", "a"), (3, "b", "b"), (5, "c", "b")] {
            keep_first(&mut kept, index, error);
            assert_eq!(kept.map(|(_, error)| error), Some(expected));
        }
    }

    #[test]
    fn a_stop_gives_the_games_up() {
        let found = fitness_games().evaluate(&sets(), 2, &AtomicBool::new(true), &mut || ());
        assert!(matches!(found, Err(Error::Stopped)), "{found:?}");
    }
}

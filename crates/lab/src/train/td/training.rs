//! A training: rounds of games, each followed by what is learned from it.

use super::game::Actor;
use super::learner::{Diverged, Learner};
use super::round::{GAMES, SEGMENT};
use super::schedule::{HeadGames, Schedule};
use super::totals::GameTotals;
use maxout_engine::game::Playfield;
use maxout_engine::judge::learned::QuickNet;
use maxout_engine::parallel;

/// A training between two rounds.
#[derive(Debug, Clone)]
pub struct Training {
    /// Seed of all random numbers.
    pub seed: u64,
    /// The net, and the state of its learning rule.
    pub learner: Learner,
    /// The games.
    pub actors: Vec<Actor>,
    /// Pieces placed in training so far.
    pub placed: u64,
}

impl Training {
    /// Before the first round of a schedule with these heads.
    pub fn begin(seed: u64, heads: &[HeadGames]) -> Training {
        Training::with(seed, heads, Learner::begin(seed, heads))
    }

    /// Before the first round of a training that begins with the numbers of another net. A head begins as
    /// the one of that net that suits its games best.
    pub fn begin_from(seed: u64, heads: &[HeadGames], net: &QuickNet) -> Training {
        Training::with(seed, heads, Learner::begin_from(heads, net))
    }

    fn with(seed: u64, heads: &[HeadGames], learner: Learner) -> Training {
        let head_of_games = (0..heads.len()).flat_map(|head| std::iter::repeat_n(head, heads[head].games));
        let actors = (0..).zip(head_of_games).map(|(game, head)| Actor::begin(seed, game, head));
        Training { seed, learner, actors: actors.collect(), placed: 0 }
    }

    /// Plays a segment of every game on `threads` threads, and learns from all of them. Returns the
    /// totals of the games of each head.
    ///
    /// # Errors
    /// When a number of the net is not finite any more. The training cannot go on then.
    pub fn round(&mut self, schedule: &Schedule, threads: usize) -> Result<Vec<GameTotals>, Diverged> {
        let (behaviour, rates) = schedule.at(self.placed);
        self.learner.quick.outlook.topout = rates.topout;
        self.learner.quick.outlook.discount = rates.discount;
        if rates.spans > 0.0 {
            self.learner.add_spans();
        }
        let (net, placed) = (&self.learner.quick, self.placed);
        let others: Vec<Playfield> = match rates.strays > 0.0 {
            true => self.actors.iter().map(|actor| actor.standing().playfield).collect(),
            false => Vec::new(),
        };
        let play = |(): &mut (), actor: &mut Actor| actor.play(net, behaviour, &rates, placed, &others);
        parallel::map(threads, &mut (), || (), &mut self.actors, play);
        let mut tally = vec![GameTotals::default(); self.learner.net.heads.len()];
        for actor in &mut self.actors {
            tally[actor.head()].add(&actor.take_tally());
        }
        self.learner.learn(&self.actors, &rates)?;
        self.placed = self.placed.saturating_add((GAMES * SEGMENT) as u64);
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::td::{Behaviour, TrainingPhase};

    /// A few rounds of each way to play.
    fn schedule() -> Schedule {
        let phase = |behaviour, lambda, strap| TrainingPhase {
            pieces: 4 * (GAMES * SEGMENT) as u64,
            behaviour,
            discount: [0.98, 0.99],
            step: [1e-3, 5e-4],
            lambda,
            explore: 0.02,
            strap,
            clip: 8.0,
            topout: 0.0,
            strays: 0.0,
            messy: 0.0,
            table: 1.0,
            spans: 0.0,
            cut: None,
        };
        let search = Behaviour::Search { width: 3, margin: 1.0 };
        let phases =
            vec![phase(Behaviour::Heuristic, 0.7, 0.0), phase(Behaviour::Greedy, 0.6, 0.0), phase(search, 0.5, 0.5)];
        Schedule { heads: vec![HeadGames::PLATEAU], phases }
    }

    /// A checksum of all that a training has learned.
    fn checksum(learner: &Learner) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let table = learner.net.table.iter().flat_map(|row| &row.0);
        for number in learner.net.heads[0].dense.numbers().chain(table).chain(learner.rows.iter().flatten()) {
            hasher.update(&number.to_le_bytes());
        }
        for visits in &learner.visits {
            hasher.update(&visits.to_le_bytes());
        }
        hasher.finalize()
    }

    #[test]
    fn the_numbers_are_those_of_the_first_version_to_the_last_bit() {
        let mut training = Training::begin(1, &[HeadGames::PLATEAU]);
        let mut found = Vec::new();
        for round in 1..=12 {
            training.round(&schedule(), 2).unwrap();
            if round % 4 == 0 {
                found.push(checksum(&training.learner));
            }
        }
        assert_eq!(found, [872_957_780, 1_499_195_024, 1_851_204_724]);
    }

    #[test]
    fn a_step_that_is_far_too_large_ends_in_an_error() {
        for step in [1e38, 1e20] {
            let mut schedule = schedule();
            schedule.phases.iter_mut().for_each(|phase| phase.step = [step; 2]);
            let mut training = Training::begin(1, &[HeadGames::PLATEAU]);
            let ended = (0..12).find_map(|_| training.round(&schedule, 2).err());
            assert_eq!(ended, Some(Diverged), "{step}");
        }
    }

    #[test]
    fn spans_come_with_the_first_phase_that_trains_them() {
        let mut schedule = schedule();
        schedule.phases[1].spans = 50.0;
        let mut training = Training::begin(1, &[HeadGames::PLATEAU]);
        let has_spans: Vec<bool> = (0..6)
            .map(|_| {
                training.round(&schedule, 2).unwrap();
                !training.learner.net.spans.is_empty()
            })
            .collect();
        assert_eq!(has_spans, [false, false, false, false, true, true]);
        let learned = training.learner.net.spans.clone();
        assert!(learned.iter().flatten().any(|&number| number != 0.0));
        // Rows that a phase does not train are still counted, and stay as they are.
        let visits: u32 = training.learner.span_visits.iter().sum();
        while training.placed < 8 * (GAMES * SEGMENT) as u64 {
            training.round(&schedule, 2).unwrap();
        }
        let learned = training.learner.net.spans.clone();
        training.round(&schedule, 2).unwrap();
        assert!(training.learner.net.spans == learned);
        assert!(training.learner.span_visits.iter().sum::<u32>() > visits);
        let learner = &mut training.learner;
        let most_seen = (0..learner.span_visits.len()).max_by_key(|&row| learner.span_visits[row]).unwrap();
        learner.span_squares[most_seen] = f32::NAN;
        assert!((0..3).any(|_| training.round(&schedule, 2).is_err()));
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_wherever_it_is() {
        fn most_seen(learner: &Learner) -> usize {
            (0..learner.visits.len()).max_by_key(|&row| learner.visits[row]).unwrap()
        }
        let plant: [fn(&mut Learner, usize) -> &mut f32; 4] = [
            |learner, _| &mut learner.net.heads[0].dense.out_bias[0],
            |learner, _| &mut learner.net.heads[0].dense.hidden[3][5],
            |learner, row| &mut learner.net.table[row].0[7],
            |learner, row| &mut learner.rows[row][0],
        ];
        let mut trained = Training::begin(1, &[HeadGames::PLATEAU]);
        trained.round(&schedule(), 2).unwrap();
        for (index, plant) in plant.into_iter().enumerate() {
            for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut training = trained.clone();
                let row = most_seen(&training.learner);
                *plant(&mut training.learner, row) = odd;
                assert_eq!(training.round(&schedule(), 2).err(), Some(Diverged), "{index} {odd}");
            }
        }
    }
}

//! The chance of each next piece, by the spawn count: it decides which pieces may come twice in a row.

use std::sync::LazyLock;

use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::{Generator, Piece};

/// The chance of each next piece, over all random numbers of the generator.
///
/// A draw that is drawn again takes the next random number, which has all bits but one in common with the first. So the
/// spawn count, which grows by one for each piece, decides which pieces may come twice in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawOdds {
    odds: [[[f32; Piece::COUNT]; Piece::COUNT]; DrawOdds::COUNTS],
}

impl DrawOdds {
    /// Spawn counts with odds of their own: only the three lowest bits matter, since they are added to three bits of the
    /// random number.
    pub const COUNTS: usize = 8;

    /// The chances, counted once.
    pub fn get() -> &'static DrawOdds {
        static ODDS: LazyLock<DrawOdds> = LazyLock::new(DrawOdds::new);
        &ODDS
    }

    /// Counts the draws of all random numbers.
    fn new() -> DrawOdds {
        let mut odds = [[[0.0; Piece::COUNT]; Piece::COUNT]; DrawOdds::COUNTS];
        let mut randomizer = Randomizer::SEED;
        for _ in 0..Randomizer::PERIOD {
            randomizer = randomizer.clocked_times(1);
            for (count, odds) in odds.iter_mut().enumerate() {
                for last in Piece::ALL {
                    let generator = Generator { randomizer, spawn_count: count as u8, frame_counter: 0 };
                    let (next, _) = generator.spawn_drawing(0, randomizer, last);
                    odds[last.index()][next.index()] += 1.0 / Randomizer::PERIOD as f32;
                }
            }
        }
        DrawOdds { odds }
    }

    /// The chance of `next` after `last` if the generator has this spawn count before the draw.
    pub const fn of(&self, spawn_count: u8, last: Piece, next: Piece) -> f32 {
        self.odds[spawn_count as usize % DrawOdds::COUNTS][last.index()][next.index()]
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::game::memory::address::{NEXT_PIECE, SPAWN_COUNT};
    use maxout_engine::game::{Orientation, simulation::Simulation};
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::seed::split_mix;
    use maxout_engine::tas::{MenuChoice, openings};

    use super::*;

    /// The spawn count before each draw, the piece that was next before it and the one that it draws, of games with
    /// random buttons on the rules model.
    fn draws(games: u64) -> Vec<(u8, Piece, Piece)> {
        let opening = openings(MenuChoice { level: 18, height: None }, 0).remove(0);
        let next = |game: &Simulation| Orientation::from_id(game.ram()[NEXT_PIECE]).map(Orientation::piece);
        let mut found = Vec::new();
        for seed in 0..games {
            let mut game = Simulation::power_on();
            opening.buttons.iter().for_each(|&pressed| game.step(pressed));
            let mut dice = split_mix(seed);
            // A game with random buttons is over before: 20 pieces and more of 100 frames at most.
            for _ in 0..4000 {
                let (count, last) = (game.ram()[SPAWN_COUNT], next(&game));
                dice = split_mix(dice);
                let buttons = [Buttons::LEFT, Buttons::RIGHT, Buttons::DOWN, Buttons::DOWN, Buttons::A];
                game.step(buttons[(dice >> 33) as usize % buttons.len()]);
                if let (true, Some(last), Some(next)) = (game.ram()[SPAWN_COUNT] != count, last, next(&game)) {
                    found.push((count, last, next));
                }
            }
        }
        found
    }

    #[test]
    fn what_games_draw_is_as_likely_as_promised() {
        let odds = DrawOdds::get();
        let draws = draws(150);
        assert!(draws.len() > 2000, "{} draws", draws.len());
        for &(count, last, next) in &draws {
            assert!(odds.of(count, last, next) > 0.0, "{count} {last:?} {next:?} came and cannot come");
        }
        // The same piece twice in a row: as often as promised, and not where the count of the draw after allows it.
        let again = |of: &dyn Fn(u8, Piece) -> f32| draws.iter().map(|&(count, last, _)| of(count, last)).sum::<f32>();
        let promised = again(&|count, last| odds.of(count, last, last));
        let variance = again(&|count, last| odds.of(count, last, last) * (1.0 - odds.of(count, last, last)));
        let seen: Vec<_> = draws.iter().filter(|(_, last, next)| last == next).collect();
        assert!((seen.len() as f32 - promised).abs() < 5.0 * variance.sqrt(), "{} against {promised}", seen.len());
        assert!(seen.iter().any(|(count, last, next)| odds.of(count + 1, *last, *next) == 0.0));
    }

    #[test]
    fn the_chances_of_a_draw_add_up_and_some_pieces_cannot_come_twice() {
        let odds = DrawOdds::get();
        for (count, last) in (0..8).flat_map(|count| Piece::ALL.map(|last| (count, last))) {
            let sum: f32 = Piece::ALL.map(|next| odds.of(count, last, next)).iter().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{count} {last:?}: {sum}");
            assert_eq!(odds.of(count, last, last), odds.of(count + 8, last, last));
        }
        // The table of docs/tas.md, in sixteenths, by spawn count.
        let twice = |count| {
            let chance = |piece| (16.0 * odds.of(count, piece, piece)).round() as u8;
            Piece::ALL.map(chance)
        };
        let table = [
            [0, 0, 0, 1, 1, 0, 1],
            [0, 0, 0, 1, 0, 1, 2],
            [0, 0, 0, 1, 1, 1, 1],
            [1, 1, 1, 1, 1, 1, 0],
            [2, 1, 1, 1, 1, 1, 0],
            [1, 1, 0, 1, 2, 0, 0],
            [0, 1, 1, 1, 1, 0, 0],
            [0, 0, 1, 1, 1, 0, 0],
        ];
        (0..8).zip(table).for_each(|(count, row)| assert_eq!(twice(count), row, "{count}"));
    }
}

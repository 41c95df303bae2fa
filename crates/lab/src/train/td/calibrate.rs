//! Measures what a search needs besides a trained net: how its games go on average, and how they
//! end.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::lookahead::{Judge, Lookahead, reward};
use super::plateau::{LAST_LINE, START_LEVEL, level_after};
use super::schedule::Rates;
use maxout_engine::game::{Piece, Playfield};
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::learned::{FINALE, Features, Outlook, QuickNet};
use maxout_engine::parallel;
use maxout_engine::planner::{Forecast, GeneratorOdds};
use maxout_engine::seed::of_game;

/// Rewards in the finale are counted in points of this level, the one that the games start from.
const LEVEL: f64 = START_LEVEL as f64;

/// The beam of the search: at most this many placements, and none that is further behind the best
/// one, in rewards. The same as in the last phases of the built-in schedule, so that the games are
/// played as in training; other beams were not compared.
const BEAM: (usize, f32) = (5, 0.5);

/// The state before a piece of the finale: the last lines before level 29.
struct FinalePiece {
    /// Lines left to level 29.
    left: usize,
    /// The net's value.
    value: f32,
    /// Full cells of the playfield.
    cells: u32,
    /// Rewards so far, each at its level.
    won: f64,
}

/// The result of one game.
#[derive(Default)]
struct CalibrationGame {
    finale: Vec<FinalePiece>,
    pieces: u64,
    /// Rewards without the level.
    rewards: f64,
    /// Rewards, each at its level.
    won: f64,
    /// Did it reach level 29?
    finished: bool,
}

/// Plays games from level 19 to 230 lines, with a search one piece beyond the next box, and
/// computes the outlook from them; the discount and the value of topping out stay as they are. The
/// result is the same for any number of threads. `on_game` is called after each game with the
/// number of games that have ended.
pub fn calibrate(net: &QuickNet, games: u64, seed: u64, threads: usize, on_game: &(dyn Fn(u64) + Sync)) -> Outlook {
    let over = AtomicU64::new(0);
    let play_one = |(): &mut (), game| {
        let game = play(net, seed, game);
        on_game(over.fetch_add(1, Ordering::Relaxed) + 1);
        game
    };
    let played = parallel::map(threads, &mut (), || (), 0..games, play_one);
    outlook_of(&played, &net.outlook)
}

fn outlook_of(played: &[CalibrationGame], known: &Outlook) -> Outlook {
    let pieces: u64 = played.iter().map(|game| game.pieces).sum();
    let rewards: f64 = played.iter().map(|game| game.rewards).sum();
    let finale = || played.iter().flat_map(|game| game.finale.iter().map(move |piece| (game, piece)));
    let mut outlook = Outlook { gain: (rewards / pieces.max(1) as f64) as f32, centre: 0.0, ..*known };
    outlook.centre =
        mean(finale().map(|(_, piece)| f64::from(outlook.beyond(piece.value, piece.cells)))).unwrap_or(0.0);
    outlook.finale[0] = Outlook::BONUS;
    for left in 1..=FINALE {
        let rest = |(game, piece): (&CalibrationGame, &FinalePiece)| {
            let bonus = if game.finished { Outlook::BONUS } else { 0.0 };
            let hoped = Outlook::weight(left) * outlook.beyond(piece.value, piece.cells);
            game.won - piece.won + f64::from(bonus) - f64::from(hoped)
        };
        // Some numbers of lines left are rare, because tetrises skip them.
        let found = mean(finale().filter(|(_, piece)| piece.left == left).map(rest));
        outlook.finale[left] = found.unwrap_or(outlook.finale[left - 1]);
    }
    outlook
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f32> {
    let (sum, count) = numbers.fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| (sum / f64::from(count)) as f32)
}

fn play(net: &QuickNet, seed: u64, game: u64) -> CalibrationGame {
    let rates = Rates {
        discount: net.outlook.discount,
        topout: net.outlook.topout,
        lambda: 0.0,
        step: 0.0,
        explore: 0.0,
        strap: 0.0,
        clip: 0.0,
        strays: 0.0,
        messy: 0.0,
        table: 1.0,
        spans: 0.0,
    };
    // `!game` keeps the key apart from that of every game of a training.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(of_game(seed, !game));
    let head = net.head_for(START_LEVEL.into(), Tapping::FASTEST);
    let (judge, mut lookahead, mut children) = (Judge::of(net, head), Lookahead::default(), Vec::new());
    let mut played = CalibrationGame::default();
    let mut playfield = Playfield::EMPTY;
    let mut piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
    let mut lines = 0;
    while lines < LAST_LINE {
        let left = (LAST_LINE - lines) as usize;
        if left <= FINALE {
            let value = net.values(&Features::of(&playfield), head)[piece.index()];
            played.finale.push(FinalePiece { left, value, cells: playfield.cell_count(), won: played.won });
        }
        let next = GeneratorOdds.draw(piece, &mut random);
        judge.expand(&playfield, piece, &mut children);
        if children.is_empty() {
            return played;
        }
        let child = &children[lookahead.choose(&judge, &children, next, BEAM, &rates)];
        played.pieces += 1;
        (playfield, piece) = (child.playfield, next);
        lines += u32::from(child.rows);
        let reward = f64::from(reward(child));
        played.rewards += reward;
        played.won += reward * (f64::from(level_after(START_LEVEL, lines)) + 1.0) / (LEVEL + 1.0);
    }
    played.finished = true;
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finale_is_what_was_won_after_each_piece_of_it() {
        let piece = |left, value, cells, won| FinalePiece { left, value, cells, won };
        let finished = CalibrationGame {
            finale: vec![piece(4, 7.0, 8, 1.0), piece(4, 5.0, 0, 1.0)],
            pieces: 10,
            rewards: 20.0,
            won: 9.0,
            finished: true,
        };
        let lost = CalibrationGame {
            finale: vec![piece(2, 3.0, 0, 5.0)],
            pieces: 10,
            rewards: 20.0,
            won: 6.0,
            finished: false,
        };
        let known = Outlook { discount: 0.9, topout: -1.0, ..Outlook::default() };
        let outlook = outlook_of(&[finished, lost], &known);
        assert_eq!((outlook.discount, outlook.topout, outlook.gain), (0.9, -1.0, 2.0));
        // Beyond the cells: 7 - 2 / 4 * 8 = 3, 5 and 3.
        assert!((outlook.centre - 11.0 / 3.0).abs() < 1e-5, "{}", outlook.centre);
        assert!(outlook.has_finale());
        let [two, three, four, five] = [2, 3, 4, 5].map(|left| outlook.finale[left]);
        assert!((two - (1.0 - 0.64 * (3.0 - 11.0 / 3.0))).abs() < 1e-5, "{two}");
        assert!((four - (8.0 + Outlook::BONUS - 0.68 * (4.0 - 11.0 / 3.0))).abs() < 1e-4, "{four}");
        assert_eq!((outlook.finale[0], outlook.finale[1]), (Outlook::BONUS, Outlook::BONUS));
        assert_eq!((three, five), (two, four));
    }

    #[test]
    fn threads_change_nothing() {
        let net = QuickNet::by_rule();
        let alone = calibrate(&net, 3, 1, 1, &|_| {});
        assert_eq!(alone, calibrate(&net, 3, 1, 2, &|_| {}));
        assert!(alone.gain > 0.0, "lines are cleared");
        assert_ne!(alone, calibrate(&net, 3, 2, 1, &|_| {}));
    }
}

//! What goes with a trained net: how its games go on average, and how they end.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::Rates;
use super::game::{LAST_LINE, Look, draw, expand, level_after, reward, split_mix};
use maxout_engine::game::{Piece, Playfield};
use maxout_engine::judge::learned::{FINALE, Features, Judge, Outlook, QuickNet};
use maxout_engine::parallel;

/// Level whose points count 1 in what is won.
const LEVEL: f64 = 19.0;

/// Placements looked into: so many, and none that is further behind the most promising one.
const BEAM: (usize, f32) = (5, 0.5);

/// The moment before a piece of the finale.
struct Moment {
    /// Lines to the end of the plateau.
    left: usize,
    /// What the net said.
    value: f32,
    cells: u32,
    /// Rewards so far, at the level that they came at.
    won: f64,
}

/// What one game came to.
#[derive(Default)]
struct Played {
    moments: Vec<Moment>,
    pieces: u64,
    /// Rewards at one level.
    rewards: f64,
    /// Rewards at the level that they came at.
    won: f64,
    /// Did it live to the end of the plateau?
    finished: bool,
}

/// Plays so many games from level 19 to its 230 lines, looking one piece further than the next,
/// and reads the outlook off them; its discount and the worth of topping out stay. The same for
/// any number of threads; `on_game` is told after each game how many are over.
pub fn calibrate(net: &QuickNet, games: u64, seed: u64, threads: usize, on_game: &(dyn Fn(u64) + Sync)) -> Outlook {
    let over = AtomicU64::new(0);
    let played = parallel::map(
        threads,
        &mut (),
        || (),
        0..games,
        |(), game| {
            let game = play(net, seed, game);
            on_game(over.fetch_add(1, Ordering::Relaxed) + 1);
            game
        },
    );
    read_off(&played, &net.outlook)
}

fn read_off(played: &[Played], known: &Outlook) -> Outlook {
    let pieces: u64 = played.iter().map(|game| game.pieces).sum();
    let rewards: f64 = played.iter().map(|game| game.rewards).sum();
    let moments = || played.iter().flat_map(|game| game.moments.iter().map(move |moment| (game, moment)));
    let mut outlook = Outlook { gain: (rewards / pieces.max(1) as f64) as f32, centre: 0.0, ..*known };
    outlook.centre =
        mean(moments().map(|(_, moment)| f64::from(outlook.beyond(moment.value, moment.cells)))).unwrap_or(0.0);
    outlook.finale[0] = Outlook::BONUS;
    for left in 1..=FINALE {
        let rest = |(game, moment): (&Played, &Moment)| {
            let bonus = if game.finished { Outlook::BONUS } else { 0.0 };
            let hoped = Outlook::weight(left) * outlook.beyond(moment.value, moment.cells);
            game.won - moment.won + f64::from(bonus) - f64::from(hoped)
        };
        // Some numbers of lines left are rare: tetrises do not lead there.
        let found = mean(moments().filter(|(_, moment)| moment.left == left).map(rest));
        outlook.finale[left] = found.unwrap_or(outlook.finale[left - 1]);
    }
    outlook
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f32> {
    let (sum, count) = numbers.fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| (sum / f64::from(count)) as f32)
}

fn play(net: &QuickNet, seed: u64, game: u64) -> Played {
    let rates = Rates {
        discount: net.outlook.discount,
        topout: net.outlook.topout,
        lambda: 0.0,
        step: 0.0,
        explore: 0.0,
        strap: 0.0,
        clip: 0.0,
    };
    // Unlike the key of any game of a training.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(split_mix(split_mix(seed) ^ !game));
    let (judge, mut look, mut children) = (Judge::default(), Look::default(), Vec::new());
    let mut played = Played::default();
    let mut playfield = Playfield::EMPTY;
    let mut piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
    let mut lines = 0;
    while lines < LAST_LINE {
        let left = (LAST_LINE - lines) as usize;
        if left <= FINALE {
            let value = net.values(&Features::of(&playfield))[piece.index()];
            played.moments.push(Moment { left, value, cells: playfield.cell_count(), won: played.won });
        }
        let next = draw(piece, &mut random);
        expand(&judge, net, &playfield, piece, &mut children);
        if children.is_empty() {
            return played;
        }
        let child = &children[look.choose(&judge, net, &children, next, BEAM, &rates)];
        played.pieces += 1;
        (playfield, piece) = (child.playfield, next);
        lines += u32::from(child.rows);
        let reward = f64::from(reward(child));
        played.rewards += reward;
        played.won += reward * (f64::from(level_after(lines)) + 1.0) / (LEVEL + 1.0);
    }
    played.finished = true;
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_won_after_a_moment_is_read_off_it() {
        let moment = |left, value, cells, won| Moment { left, value, cells, won };
        let finished = Played {
            moments: vec![moment(4, 7.0, 8, 1.0), moment(4, 5.0, 0, 1.0)],
            pieces: 10,
            rewards: 20.0,
            won: 9.0,
            finished: true,
        };
        let lost =
            Played { moments: vec![moment(2, 3.0, 0, 5.0)], pieces: 10, rewards: 20.0, won: 6.0, finished: false };
        let known = Outlook { discount: 0.9, topout: -1.0, ..Outlook::default() };
        let outlook = read_off(&[finished, lost], &known);
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

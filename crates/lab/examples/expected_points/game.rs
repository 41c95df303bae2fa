//! Games without a console.

use std::error::Error;
use std::sync::Arc;
use std::thread;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::scoring::clear_points;
use maxout_engine::game::{Piece, Playfield, Position};
use maxout_engine::gamepad::{Buttons, TapRate};
use maxout_engine::judge::learned::NetSet;
use maxout_engine::judge::{self, Judge, REWARD_POINTS};
use maxout_engine::planner::{Falling, Forecast, GeneratorOdds, Search, Settings};

pub(crate) fn net() -> Result<Arc<NetSet>, Box<dyn Error>> {
    match judge::by_name("learned", None)? {
        Judge::Learned(net) => Ok(net),
        Judge::Handmade(_) => Err("the learned player has a net".into()),
    }
}

pub(crate) fn tap_rate(hz: u64) -> TapRate {
    TapRate::from_hz(hz).expect("a rate from 1 to 30")
}

/// The learned player plays for the points up to level 29, as analyses and grades count them. All games begin
/// at level 18 or 19, so level 29 comes with line 230.
pub(crate) fn settings(hz: u64) -> Settings {
    Settings { tap_rate: tap_rate(hz).into(), last_line: Some(230), ..Settings::default() }
}

/// A piece of a game: the position, and what was won by all pieces before it.
pub(crate) struct Step {
    pub(crate) position: Position,
    /// The value of the plan, in rewards.
    pub(crate) worth: f64,
    pub(crate) won: u64,
}

/// A game and its points.
pub(crate) struct Game {
    pub(crate) steps: Vec<Step>,
    pub(crate) points: u64,
    pub(crate) is_topped_out: bool,
}

pub(crate) fn falling(piece: Piece) -> Falling {
    Falling { piece: FallingPiece::spawned(piece.spawn(), 0), held: Buttons::NONE, control_frame: 0 }
}

pub(crate) fn points_of_a_reward(level: u8) -> f64 {
    f64::from(REWARD_POINTS) * (f64::from(level) + 1.0)
}

/// Plays from a position until `is_over` says so of a level and the lines since.
pub(crate) fn play(
    search: &Search,
    mut position: Position,
    random: &mut Xoshiro256PlusPlus,
    is_over: impl Fn(u8, u32) -> bool,
) -> Game {
    let mut progress = position.progress();
    let mut game = Game { steps: Vec::new(), points: 0, is_topped_out: false };
    let mut lines = 0;
    while !is_over(position.level, lines) {
        let Some(plan) = search.plan(&position, &falling(position.piece)) else {
            game.is_topped_out = true;
            break;
        };
        let worth = plan.value / points_of_a_reward(position.level);
        game.steps.push(Step { position, worth, won: game.points });
        progress.count_a_type(plan.clears);
        lines += u32::from(plan.clears);
        game.points += u64::from(clear_points(plan.clears, progress.level));
        position = Position {
            playfield: plan.playfield,
            piece: position.next,
            next: GeneratorOdds.draw(position.next, random),
            level: progress.level,
            lines: progress.lines(),
            score: 0,
        };
    }
    game
}

pub(crate) fn start(level: u8, random: &mut Xoshiro256PlusPlus) -> Position {
    let piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
    Position { playfield: Playfield::EMPTY, piece, next: GeneratorOdds.draw(piece, random), level, lines: 0, score: 0 }
}

pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

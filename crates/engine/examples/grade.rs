//! Where did a game lose points?
//!
//! An evaluator plays a game by the rules, then every placement of it is graded.
//!
//! `cargo run --release --example grade -p maxout-engine -- el-tetris 12 300 3`: evaluator, taps a
//! second, pieces at most, plies.

use std::error::Error;

use maxout_engine::analysis::grade::{Class, GradeSettings, Grader};
use maxout_engine::analysis::{PlayedFrame, PlayedGame, PlayedPiece};
use maxout_engine::game::control::{ControlOutcome, FallingPiece};
use maxout_engine::game::scoring::clear_points;
use maxout_engine::game::{Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::{Buttons, TapRate};
use maxout_engine::judge::{self, Judge};
use maxout_engine::planner::{Falling, Forecast, GeneratorOdds, Plan, Search, Settings};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let evaluator = arguments.next().unwrap_or("el-tetris".to_owned());
    let rate = arguments.next().unwrap_or("12".to_owned()).parse()?;
    let pieces = arguments.next().unwrap_or("100".to_owned()).parse()?;
    let plies = arguments.next().unwrap_or("3".to_owned()).parse()?;

    let tap_rate = TapRate::from_hz(rate).ok_or("a tap rate is 1 to 30")?.into();
    let player = Search::new(judge::by_name(&evaluator, None)?, Settings { tap_rate, ..Settings::default() });
    let game = play(&player, pieces);

    let Judge::Learned(net) = judge::by_name("learned", None)? else {
        return Err("the learned player is a net".into());
    };
    let grade = Grader::new(net, GradeSettings { plies, ..GradeSettings::default() }).grade(&game);
    println!("{} points with {} pieces, graded for {}", grade.score, grade.pieces.len(), grade.hand.describe());
    println!("accuracy {:.1} %, {:.0} expected points lost", grade.totals.accuracy, grade.totals.all.loss);
    for class in Class::ALL {
        println!("{:>10}: {} placements", class.name(), grade.totals.class(class).pieces);
    }
    for piece in grade.worst(3) {
        let (played, best) = (piece.played.placement, piece.best.placement);
        println!("piece {}: {played} lost {:.0} points, better {best}", piece.number, piece.loss);
    }
    Ok(())
}

/// A game from level 19, up to a number of pieces or the topout.
fn play(player: &Search, pieces: usize) -> PlayedGame {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let first = Piece::ALL[random.random_range(0..Piece::ALL.len())];
    let next = after(first, &mut random);
    let mut position = Position { playfield: Playfield::EMPTY, piece: first, next, level: 19, lines: 0, score: 0 };
    let mut played: Vec<PlayedPiece> = Vec::new();
    let mut frame = 0;
    while played.len() < pieces {
        let piece = FallingPiece::spawned(position.piece.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        let Some(plan) = player.plan(&position, &falling) else { break };
        let piece = placed(position, falling, &plan, frame);
        // The entry delay is 10 frames or more.
        frame += piece.frames.len() as u64 + 10;
        let cleared = position.playfield.lock(piece.placement).count;
        position = position.after(position.playfield, cleared);
        position.score += clear_points(cleared, position.level);
        (position.piece, position.next) = (position.next, after(position.next, &mut random));
        played.push(piece);
    }
    PlayedGame {
        first_frame: 0,
        start_level: 19,
        is_topped_out: played.len() < pieces,
        pieces: played,
        score: position.score.into(),
        lines: position.lines,
        level: position.level,
    }
}

/// The piece under the buttons of a plan.
fn placed(position: Position, falling: Falling, plan: &Plan, spawn_frame: u64) -> PlayedPiece {
    let (mut piece, mut held, mut frames) = (falling.piece, falling.held, Vec::new());
    loop {
        let buttons = plan.timeline.get(frames.len());
        let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), position.level);
        held = buttons;
        let FallingPiece { orientation, x, y, .. } = piece;
        frames.push(PlayedFrame { orientation, x, y, buttons: Some(buttons) });
        if outcome == ControlOutcome::Landed {
            return PlayedPiece { position, falling, spawn_frame, frames, placement: Placement { orientation, x, y } };
        }
    }
}

/// A next piece by the odds of the game's generator.
fn after(piece: Piece, random: &mut impl Rng) -> Piece {
    let mut rest: f32 = random.random();
    for (next, odds) in Piece::ALL.into_iter().zip(GeneratorOdds.odds(piece)) {
        rest -= odds;
        if rest < 0.0 {
            return next;
        }
    }
    piece
}

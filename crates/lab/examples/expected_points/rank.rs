//! Games of the players of the table in `docs/strength.md`, graded.

use std::error::Error;
use std::fs;
use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::analysis::grade::{GradeSettings, Grader};
use maxout_engine::analysis::{PlayedFrame, PlayedGame, PlayedPiece};
use maxout_engine::game::scoring::{MAXOUT, clear_points};
use maxout_engine::game::{KILLSCREEN, Position};
use maxout_engine::judge;
use maxout_engine::planner::{Forecast, GeneratorOdds, Input, Search, Settings};
use maxout_engine::{parallel, seed};

use crate::game::{falling, net, start, threads};
use crate::ranking::Row;

const TRAINED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/weights/birken-v2-trained.toml");

/// Name, judge, whether it has the trained weights, and input of the players of the table in `docs/strength.md`, in its order.
const PLAYERS: [(&str, &str, bool, Input); 9] = [
    ("learned", "learned", false, Input::Taps),
    ("birken-v2-trained", "birken-v2", true, Input::EvenFrames),
    ("birken-v2-taps", "birken-v2", false, Input::Taps),
    ("birken-v2", "birken-v2", false, Input::EvenFrames),
    ("exhaustive-pair", "exhaustive-pair", false, Input::EvenFrames),
    ("el-tetris", "el-tetris", false, Input::EvenFrames),
    ("dellacherie-ga", "dellacherie-ga", false, Input::EvenFrames),
    ("dellacherie", "dellacherie", false, Input::EvenFrames),
    ("birken-v1", "birken-v1", false, Input::EvenFrames),
];

/// Prints a row for each game of GAMES games of each player from number `first` on, and to standard error
/// how far it is. All players get the same pieces in a game of the same number, and play it before the
/// next one begins: the rows until a stop are complete games. A game starts at level 19 and ends with
/// the clear that reaches level 29.
pub(crate) fn rank(games: u64, seed: u64, first: u64) -> Result<(), Box<dyn Error>> {
    let net = net()?;
    let trained = fs::read(TRAINED)?;
    println!("{}", Row::header());
    let work = |(): &mut (), (game, player): (u64, usize)| {
        let (name, judge, is_trained, input) = PLAYERS[player];
        let settings = Settings { input, last_line: Some(230), ..Settings::default() };
        let found = judge::by_name(judge, is_trained.then_some(&trained)).expect("its weights");
        let played = play(&Search::new(found, settings), seed, game);
        let grade = Grader::new(net.clone(), GradeSettings::default()).grade(&played);
        ControlFlow::<_, _>::Continue(Row::of(game, name, &grade))
    };
    let tasks = (first..first + games).flat_map(|game| (0..PLAYERS.len()).map(move |player| (game, player)));
    let tasks: Vec<(u64, usize)> = tasks.collect();
    let (mut done, all) = (0, tasks.len());
    let each = |row: Row| {
        println!("{row}");
        done += 1;
        eprintln!("{done} of {all} games");
    };
    parallel::in_order(threads(), || (), tasks, work, each);
    Ok(())
}

/// A game with the pieces of this number.
fn play(search: &Search, seed: u64, game: u64) -> PlayedGame {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game));
    let mut position = start(19, &mut random);
    let mut progress = position.progress();
    let (mut score, mut frame) = (0, 0);
    let mut pieces = Vec::new();
    while position.level < KILLSCREEN {
        let falling = falling(position.piece);
        let Some(plan) = search.plan(&position, &falling) else { break };
        let frames: Vec<PlayedFrame> = plan
            .promises
            .iter()
            .enumerate()
            .map(|(index, promise)| PlayedFrame {
                orientation: promise.orientation,
                x: promise.x,
                y: promise.y,
                buttons: Some(plan.timeline.get(index)),
            })
            .collect();
        progress.count_a_type(plan.clears);
        score += u64::from(clear_points(plan.clears, progress.level));
        let spawn_frame = frame;
        frame += frames.len() as u64 + 20;
        pieces.push(PlayedPiece { position, falling, spawn_frame, frames, placement: plan.placement });
        position = Position {
            playfield: plan.playfield,
            piece: position.next,
            next: GeneratorOdds.draw(position.next, &mut random),
            level: progress.level,
            lines: progress.lines(),
            score: score.min(u64::from(MAXOUT)) as u32,
        };
    }
    PlayedGame {
        first_frame: 0,
        start_level: 19,
        pieces,
        is_topped_out: position.level < KILLSCREEN,
        score,
        lines: position.lines,
        level: position.level,
    }
}

//! Games that the bot plays: frame for frame those of the engine.

use crate::front_end::Session;
use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Video};
use maxout_engine::judge;
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_libretro::entry::retro_reset;

/// What `maxout play` runs.
fn run(player: &str, input: Input, start_level: u8, seed: u64) -> Run<Emulator> {
    let judge = judge::by_name(player, None).expect("a judge");
    let player = Search::new(judge, Settings { input, ..Settings::default() });
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
    let console = Emulator::new(&Rom::cartridge()).expect("the cartridge");
    Run::new(console, decoder, Pilot::new(Box::new(player), start_level, seed), Goal::Maxout)
}

#[test]
fn without_content_the_frames_are_those_of_the_engine() {
    let session = Session::of_the_cartridge(&[]);
    let mut run = run("learned", Input::Taps, 19, 1);
    for frame in 0..3000 {
        session.run(1);
        run.frame().expect("a frame");
        assert!(session.ram() == *run.console().ram(), "frame {frame}");
    }
    assert_eq!(session.messages(), [""; 0]);
    let (samples, loudest) = session
        .look(|front_end| (front_end.samples.len() / 2, front_end.samples.iter().map(|sample| sample.abs()).max()));
    // 3,000 frames at 60.0988 Hz, 48,000 samples a second.
    assert!((2_395_000..=2_397_000).contains(&samples), "{samples}");
    assert!(loudest > Some(500), "{loudest:?}");
}

#[test]
fn options_choose_the_game() {
    let options = [("player", "el-tetris"), ("input", "even-frames"), ("start_level", "18"), ("seed", "7")];
    let session = Session::open(&options);
    assert!(session.load("/some/game.nes", Rom::cartridge().bytes()));
    let mut run = run("el-tetris", Input::EvenFrames, 18, 7);
    for frame in 0..900 {
        session.run(1);
        run.frame().expect("a frame");
        assert!(session.ram() == *run.console().ram(), "frame {frame}");
    }
}

#[test]
fn a_reset_begins_the_same_game_again() {
    let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13")]);
    let game = || {
        (0..600).map(|_| {
            session.run(1);
            session.ram()
        })
    };
    let first: Vec<_> = game().collect();
    retro_reset();
    assert!(game().eq(first));
}

#[test]
fn the_plan_is_only_drawn() {
    // Long enough for a whole piece.
    let frames = |overlay| {
        let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13"), ("overlay", overlay)]);
        session.run(400);
        let frame = |_| {
            session.run(1);
            (session.ram(), session.look(|front_end| front_end.picture.clone()))
        };
        (0..60).map(frame).collect::<Vec<_>>()
    };
    let (plain, drawn) = (frames("disabled"), frames("enabled"));
    assert!(plain.iter().zip(&drawn).all(|((ram, _), (same_ram, _))| ram == same_ram));
    let differ = plain.iter().zip(&drawn).map(|((_, plain), (_, drawn))| {
        plain.chunks(4).zip(drawn.chunks(4)).filter(|(plain, drawn)| plain != drawn).count()
    });
    let most = differ.max();
    // Two pieces of four cells of 8 by 8 pixels.
    assert!((Some(64)..=Some(512)).contains(&most), "{most:?} pixels");

    let mut console = Emulator::with_video(&Rom::cartridge(), Video::On).expect("the cartridge");
    let mut run = run("el-tetris", Input::Taps, 19, 13);
    for frame in 0..460 {
        console.step(run.frame().expect("a frame").buttons).expect("a frame");
        if frame >= 400 {
            let picture = console.picture().expect("a picture").pixels;
            let shown = plain[frame - 400].1.chunks(4);
            assert!(shown.eq(picture.iter().map(|&[red, green, blue]| [blue, green, red, 0])), "frame {frame}");
        }
    }
}

#[test]
fn after_the_goal_comes_the_game_of_the_next_seed() {
    let options = [("player", "el-tetris"), ("goal", "pieces:3"), ("seed", "25")];
    let session = Session::of_the_cartridge(&options);
    let mut frames = 0;
    let said = loop {
        session.run(1);
        frames += 1;
        if let Some(said) = session.messages().pop() {
            break said;
        }
        assert!(frames < 3_000, "an end");
    };
    assert_eq!(said, "maxout: pieces:3 reached, seed 25");
    session.run(600);
    let mut next = run("el-tetris", Input::Taps, 19, 26);
    for frame in 0..450 {
        session.run(1);
        next.frame().expect("a frame");
        assert!(session.ram() == *next.console().ram(), "frame {frame} of the next game");
    }
}

/// Plays whole games to 999,999, as many as `MAXOUT_LIBRETRO_SEEDS` says.
#[test]
#[ignore = "a whole game for each seed, on two consoles: a minute"]
fn whole_games_are_those_of_the_engine() {
    let seeds = std::env::var("MAXOUT_LIBRETRO_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number"));
    for seed in 1..=seeds {
        let session = Session::of_the_cartridge(&[("seed", &seed.to_string())]);
        let mut run = run("learned", Input::Taps, 19, seed);
        let frames = loop {
            session.run(1);
            let (frame, outcome) = {
                let report = run.frame().expect("a frame");
                assert_eq!(report.tally.desyncs, 0);
                (report.frame, report.outcome)
            };
            assert!(session.ram() == *run.console().ram(), "seed {seed}, frame {frame}");
            if let Some(outcome) = outcome {
                assert_eq!(outcome, Outcome::Goal, "seed {seed}");
                break frame + 1;
            }
        };
        assert_eq!(session.messages(), [format!("maxout: maxout reached, seed {seed}")]);
        println!("seed {seed}: 999,999 after {frames} frames");
    }
}

//! Games that the bot plays: frame for frame those of the engine.

use crate::front_end::Session;
use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::console::Console;
use maxout_engine::game::memory::address::GAME_MODE;
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
    let session = Session::of_the_cartridge(&[("seed", "13")]);
    let mut run = run("learned", Input::Taps, 19, 13);
    for frame in 0..450 {
        session.run(1);
        run.frame().expect("a frame");
        assert!(session.ram() == *run.console().ram(), "frame {frame}");
    }
    assert_eq!(session.messages(), [""; 0]);
    let (samples, loudest) = session
        .look(|front_end| (front_end.samples.len() / 2, front_end.samples.iter().map(|sample| sample.abs()).max()));
    // 450 frames at 60.0988 Hz, 48,000 samples a second.
    assert!((358_400..=360_400).contains(&samples), "{samples}");
    assert!(loudest > Some(500), "{loudest:?}");
}

#[test]
fn options_choose_the_game() {
    let options = [("player", "el-tetris"), ("input", "even-frames"), ("start_level", "18"), ("seed", "26")];
    let session = Session::open(&options);
    assert!(session.load("/some/game.nes", Rom::cartridge().bytes()));
    let mut run = run("el-tetris", Input::EvenFrames, 18, 26);
    for frame in 0..420 {
        session.run(1);
        run.frame().expect("a frame");
        assert!(session.ram() == *run.console().ram(), "frame {frame}");
    }
}

#[test]
fn a_reset_begins_the_same_game_again() {
    let session = Session::of_the_cartridge(&[("player", "el-tetris"), ("seed", "13")]);
    let game = || {
        (0..350).map(|_| {
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
        let session = Session::in_the_game(&[("overlay", overlay)]);
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

    let mut run = run("el-tetris", Input::Taps, 19, 13);
    for frame in 0..510 {
        if frame >= 448 {
            // The picture of the first frame with video is not whole.
            run.ask_for_picture();
        }
        let picture = run.frame().expect("a frame").picture.map(|picture| picture.pixels.clone());
        if frame >= 450 {
            let picture = picture.expect("a picture");
            let shown = plain[frame - 450].1.chunks(4);
            assert!(shown.eq(picture.iter().map(|&[red, green, blue]| [blue, green, red, 0])), "frame {frame}");
        }
    }
}

#[test]
fn after_the_goal_comes_the_game_of_the_next_seed() {
    let session = Session::in_the_game(&[("goal", "pieces:3")]);
    assert_eq!(end(&session), "maxout: pieces:3 reached, seed 13");
    session.run(300);
    let state = session.save();
    session.run(10);
    assert!(session.restore(&state), "in the middle of the wait");
    session.run(300);
    plays_the_game_of(&session, 14);
    retro_reset();
    plays_the_game_of(&session, 13);
}

/// The next frames are the first ones of el-tetris in the game of this seed.
fn plays_the_game_of(session: &Session, seed: u64) {
    let mut game = run("el-tetris", Input::Taps, 19, seed);
    for frame in 0..310 {
        session.run(1);
        game.frame().expect("a frame");
        assert!(session.ram() == *game.console().ram(), "seed {seed}, frame {frame}");
    }
}

#[test]
fn a_seed_that_is_chosen_in_a_game_is_that_of_the_next_game() {
    let session = Session::in_the_game(&[("goal", "pieces:5")]);
    session.set(&[("seed", "26")]);
    session.run(20);
    let state = session.save();
    session.run(20);
    assert!(session.restore(&state));
    assert_eq!(end(&session), "maxout: pieces:5 reached, seed 13");
    session.run(600);
    plays_the_game_of(&session, 26);
}

/// Plays until the core says something.
fn end(session: &Session) -> String {
    for _ in 0..3_000 {
        session.run(1);
        if let Some(said) = session.messages().pop() {
            return said;
        }
    }
    panic!("no end")
}

#[test]
fn a_reset_takes_options_that_were_set_just_before() {
    let session = Session::in_the_game(&[]);
    session.set(&[("seed", "26"), ("start_level", "0"), ("input", "gamepad")]);
    retro_reset();
    let mut game = run("el-tetris", Input::Gamepad, 0, 26);
    for frame in 0..420 {
        session.run(1);
        game.frame().expect("a frame");
        assert!(session.ram() == *game.console().ram(), "frame {frame}");
    }
}

#[test]
fn no_game_ends_by_the_end_of_another_one_or_after_a_change() {
    for options in [[("goal", "topout")], [("bot", "disabled")]] {
        let session = Session::in_the_game(&[("goal", "pieces:3")]);
        end(&session);
        session.run(5);
        session.set(&options);
        session.run(1);
        session.set(&[("bot", "enabled")]);
        for frame in 0..600 {
            session.run(1);
            assert_eq!(session.ram()[GAME_MODE], 4, "{options:?}, frame {frame}: still in the game");
        }
    }
}

#[test]
fn what_is_said_at_the_end_is_not_repeated_with_run_ahead() {
    let session = Session::in_the_game(&[("goal", "pieces:3")]);
    let mut said = Vec::new();
    for _ in 0..60 {
        session.run(1);
        said.extend(session.messages());
        let state = session.save();
        session.run(2);
        said.extend(session.messages());
        assert!(session.restore(&state));
    }
    assert_eq!(said, ["maxout: pieces:3 reached, seed 13"]);
}

/// Plays whole games to 999,999, as many as `MAXOUT_LIBRETRO_SEEDS` says.
#[test]
#[ignore = "a whole game for each seed, on two consoles: half a minute"]
fn whole_games_are_those_of_the_engine() {
    let seeds = std::env::var("MAXOUT_LIBRETRO_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number"));
    for seed in 1..=seeds {
        let options = [("player", "el-tetris"), ("seed", &seed.to_string())];
        let session = Session::of_the_cartridge(&options);
        let mut run = run("el-tetris", Input::Taps, 19, seed);
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

//! The player against the original's crashes: what it plans is what RAM has when the lock is scored, and no lock of
//! its crashes the game.

use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::Orientation;
use maxout_engine::game::crash::{Crashes, Danger, FIRST_DANGEROUS_LEVEL, Lock, Music, PushdownRows, Scene, Verdict};
use maxout_engine::game::memory::PlayState;
use maxout_engine::game::memory::address::{
    COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE, HIDE_NEXT, LEVEL_NUMBER, LINES, PLAY_STATE, TETRIMINO_Y,
};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Dodging, Falling, Input, Plan, Search, Settings};
use maxout_engine::ram::{Decoder, Phase, RamMap};

fn search(dodge: Dodging) -> Search {
    search_with(Settings { dodge, ..Settings::default() })
}

fn search_with(settings: Settings) -> Search {
    let settings = Settings { crashes: Crashes::On, ..settings };
    Search::new(handmade::by_name("el-tetris", None).expect("an evaluator"), settings)
}

/// A game under way at this level, some lines before the next.
fn game(level: u8) -> Simulation {
    // Level 235 lasts from 2,290 to 3,100 lines.
    let lines = 10 * if level >= 236 { u16::from(level) + 74 } else { u16::from(level) - 6 } + 4;
    let mut game = Simulation::new_game(18, Randomizer::SEED);
    game.set_crashes(Crashes::On);
    let tens = (lines / 10 % 10) as u8;
    for (address, byte) in [(LEVEL_NUMBER, level), (LINES, tens << 4 | 4), (LINES + 1, (lines / 100) as u8)] {
        game.poke(address as u16, byte);
    }
    game
}

fn plan(search: &Search, game: &Simulation, clears: [u32; 4]) -> Option<Plan> {
    let (position, piece) = (game.position()?, game.falling_piece()?);
    let scene = Scene { next_hidden: game.peek(HIDE_NEXT as u16) != 0, clears };
    search.plan_in(&position, &Falling { piece, held: Buttons::NONE, control_frame: 0 }, &scene)
}

/// Plays this many pieces; A ends hangs. The locks as RAM had them, with their plans.
fn play(search: &Search, mut game: Simulation, pieces: usize) -> (Vec<(Plan, Lock)>, Simulation) {
    let mut locks = Vec::new();
    let mut clears = [0; 4];
    while locks.len() < pieces {
        let Some(plan) = plan(search, &game, clears) else { break };
        (0..plan.promises.len()).for_each(|frame| game.step(plan.timeline.get(frame)));
        let scored = (0..60).find_map(|_| {
            let lock = Lock::next(game.ram());
            game.step(Buttons::NONE);
            lock
        });
        for _ in 0..600 {
            if game.falling_piece().is_some() || game.crashed().is_some() {
                break;
            }
            game.step(if game.hangs().is_some() { Buttons::A } else { Buttons::NONE });
        }
        if plan.clears > 0 {
            clears[usize::from(plan.clears) - 1] += 1;
        }
        locks.push((plan, scored.expect("every lock is scored")));
        if game.crashed().is_some() {
            break;
        }
    }
    (locks, game)
}

const LEVELS: [u8; 9] = [153, 156, 160, 168, 172, 181, 248, 252, 254];

#[test]
fn a_plan_knows_the_length_of_its_pass_and_no_lock_of_it_crashes() {
    let (mut dodged, mut cleared) = (0, 0);
    for level in LEVELS {
        let (locks, game) = play(&search(Dodging::Auto), game(level), 16);
        assert_eq!(game.crashed(), None, "level {level}");
        for (plan, lock) in locks {
            let planned = plan.lock.expect("past level 130");
            // Which of the two a tetris has depends on the frame.
            let cycles = [false, true].map(|flash| Lock { flash: lock.rows == 4 && flash, ..lock }.cycles());
            assert!(cycles.contains(&planned.cycles), "level {level}: planned {planned:?}, found {lock:?}");
            assert_eq!(planned.next_hidden, lock.next_hidden, "level {level}");
            dodged += u32::from(!planned.dodge.is_none());
            cleared += u32::from(plan.clears > 0);
        }
    }
    assert!(dodged > 5 && cleared > 20, "{dodged} dodged, {cleared} cleared");
}

/// The blind plan may press Select before the plan with the next box begins.
#[test]
fn with_a_reaction_time_the_next_box_is_as_planned_too() {
    let mut selected = 0;
    for (level, reaction_frames) in LEVELS.into_iter().flat_map(|level| [(level, 2), (level, 5), (level, 10)]) {
        let search = search_with(Settings { reaction_frames, ..Settings::default() });
        let (locks, game) = play(&search, game(level), 16);
        assert_eq!(game.crashed(), None, "level {level}");
        for (plan, lock) in locks {
            let planned = plan.lock.expect("past level 130");
            assert_eq!(planned.next_hidden, lock.next_hidden, "level {level}, {reaction_frames} frames");
            let presses = plan.timeline.frames().iter().take(reaction_frames as usize);
            if presses.into_iter().any(|buttons| buttons.contains(Buttons::SELECT)) {
                assert!(planned.dodge.select, "level {level}, {reaction_frames} frames");
                selected += 1;
            }
        }
    }
    assert!(selected > 3, "{selected}");
}

#[test]
fn select_is_pressed_where_the_hand_may_press() {
    let mut selected = 0;
    for level in LEVELS {
        let rhythm = "..X....".parse().expect("a rhythm");
        for settings in [
            Settings { first_press: 5, ..Settings::default() },
            Settings { input: Input::EvenFrames, ..Settings::default() },
            Settings { tap_rate: rhythm, ..Settings::default() },
        ] {
            let style = settings.style().expect("buttons");
            let first_press = settings.first_press as usize;
            for (plan, _) in play(&search_with(settings), game(level), 16).0 {
                let frames = plan.timeline.frames();
                if let Some(frame) = frames.iter().position(|buttons| buttons.contains(Buttons::SELECT)) {
                    assert!(frame >= first_press && style.may_press(frame as u32), "{style:?}: frame {frame}");
                    selected += 1;
                }
            }
        }
    }
    assert!(selected > 5, "{selected}");
}

/// A pass is told only where it can crash, and only to a player that sees the scene.
#[test]
fn nothing_is_told_of_a_lock_that_cannot_crash_the_game() {
    let game = game(160);
    assert!(plan(&search(Dodging::Off), &game, [0; 4]).is_some_and(|plan| plan.lock.is_some()));
    let settings = Settings { crashes: Crashes::Off, ..Settings::default() };
    let search_without = Search::new(handmade::by_name("el-tetris", None).expect("an evaluator"), settings);
    assert!(plan(&search_without, &game, [0; 4]).is_some_and(|plan| plan.lock.is_none()));
    let (position, piece) = (game.position().expect("a piece"), game.falling_piece().expect("a piece"));
    let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
    assert!(search(Dodging::Off).plan(&position, &falling).is_some_and(|plan| plan.lock.is_none()));
}

#[test]
fn who_does_not_dodge_crashes_or_hangs_in_the_same_games() {
    let dangerous = |level| {
        let (locks, _) = play(&search(Dodging::Off), game(level), 16);
        locks.iter().filter(|(_, lock)| !Verdict::of(lock).is_safe()).count()
    };
    assert!(LEVELS.map(dangerous).iter().sum::<usize>() > 5);
}

#[test]
fn before_the_first_dangerous_level_nothing_is_decided_otherwise() {
    for level in [29, 131, FIRST_DANGEROUS_LEVEL - 2] {
        let played = |dodge| play(&search(dodge), game(level), 6).0;
        let (with, without) = (played(Dodging::Auto), played(Dodging::Off));
        assert_eq!([with.len(), without.len()], [6, 6], "level {level}");
        for (with, without) in with.into_iter().zip(without) {
            assert_eq!(with.0, without.0, "level {level}");
        }
    }
}

/// For every kind of lock the ways to lock it: the next box shown and hidden, three kinds of pushdown.
#[test]
fn every_lock_has_a_safe_way_or_hangs_but_those_of_four_pieces_at_level_253() {
    let mut hangs = Vec::new();
    let mut risks = Vec::new();
    for (level, rows) in (150..=255).flat_map(|level| (0..=4).map(move |rows| (level, rows))) {
        let pieces: &[u8] = if rows > 0 { &[Orientation::HIDDEN_ID] } else { &[0, 8, 10] };
        for &piece in pieces {
            let ways = [false, true].into_iter().flat_map(|next_hidden| {
                PushdownRows::ALL.into_iter().map(move |pushed| Lock {
                    level,
                    lines: 955,
                    rows,
                    far_rows: rows,
                    ones_wrap: false,
                    tens_wrap: false,
                    level_up: false,
                    next_hidden,
                    music: Music { first_block: None, was_fast: false },
                    pushdown: pushed.fewest(),
                    tenth_clear: false,
                    piece,
                    select: false,
                    flash: false,
                })
            });
            let verdicts: Vec<Verdict> = ways.map(|lock| Verdict::of(&lock)).collect();
            if verdicts.iter().any(Verdict::is_safe) {
                continue;
            }
            if verdicts.iter().any(|verdict| verdict.danger != Some(Danger::Crash)) {
                hangs.push((level, rows, piece));
            } else {
                risks.push((level, rows, piece, verdicts.iter().map(|verdict| verdict.margin).max()));
            }
        }
    }
    // O, S, L and I, which have the ids 10 to 18. Twelve cycles, with 8 rows of pushdown and the next box shown.
    assert_eq!(risks, [(253, 0, 10, Some(12))]);
    let levels = |rows| hangs.iter().filter(|hang| hang.1 == rows).map(|hang| hang.0).collect::<Vec<u8>>();
    let expected: [&[u8]; 5] =
        [&[255], &[161, 168, 169, 170], &[181, 182, 183, 184], &[180, 181, 182, 183], &[172, 179, 180, 181, 182]];
    assert_eq!([0, 1, 2, 3, 4].map(levels), expected.map(<[u8]>::to_vec));
    assert!(hangs.iter().all(|&(_, rows, piece)| rows > 0 || piece == 10), "{hangs:?}");
}

#[test]
fn the_pilot_holds_a_until_a_hang_ends() {
    let hanging = || {
        let mut game = game(169);
        for (address, byte) in [
            (COMPLETED_LINES, 1),
            (COMPLETED_ROW, 11),
            (CURRENT_PIECE, Orientation::HIDDEN_ID),
            (TETRIMINO_Y, 10),
            (PLAY_STATE, PlayState::Score.byte()),
        ] {
            game.poke(address as u16, byte);
        }
        Simulated::from(game)
    };
    let decoder = || Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
    let frames_to_spawn = |pilot: Pilot| {
        let mut run = Run::new(hanging(), decoder(), pilot, Goal::Topout);
        let spawned = (0..400).find(|_| run.frame().expect("a frame").snapshot.phase() == Phase::Falling);
        let tally = run.so_far(Outcome::Stopped).expect("frames").tally;
        (spawned, tally.dodges.hangs)
    };
    let (spawned, hangs) = frames_to_spawn(Pilot::new(Box::new(search(Dodging::Auto)), 19, 1));
    assert!(spawned.is_some_and(|frames| frames < 20), "{spawned:?}");
    assert_eq!(hangs, 1);
    assert_eq!(frames_to_spawn(Pilot::onlooker()), (None, 0), "nobody presses A");

    // In every frame of the hang: what a saved run has counted of it is not lost.
    let pilot = || Pilot::new(Box::new(search(Dodging::Auto)), 19, 1);
    let mut played = Run::new(hanging(), decoder(), pilot(), Goal::Topout);
    for frame in 0..20 {
        let mut copy = Run::new(Simulated::power_on(), decoder(), pilot(), Goal::Topout);
        copy.restore(&played.save().expect("saved")).expect("restored");
        for _ in 0..20 {
            copy.frame().expect("a frame");
        }
        let hangs = copy.so_far(Outcome::Stopped).expect("frames").tally.dodges.hangs;
        assert_eq!(hangs, 1, "saved after {frame} frames");
        played.frame().expect("a frame");
    }
}

#[test]
fn a_next_box_that_changes_by_itself_is_a_desync() {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
    for (byte, desyncs) in [(0, 0), (1, 1)] {
        let pilot = Pilot::new(Box::new(search(Dodging::Auto)), 19, 1);
        let mut run = Run::new(Simulated::power_on(), decoder.clone(), pilot, Goal::Topout);
        while run.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
        run.console_mut().poke(HIDE_NEXT as u16, byte);
        for _ in 0..3 {
            run.frame().expect("a frame");
        }
        assert_eq!(run.so_far(Outcome::Stopped).expect("frames").tally.desyncs, desyncs);
    }
}

#[test]
fn level_255_is_followed_by_0_where_pieces_fall_slowly_again() {
    let mut game = game(255);
    // Nine lines past a multiple of ten: the next single counts.
    game.poke(LINES as u16, 0x99);
    game.poke(LINES as u16 + 1, 32);
    let (locks, game) = play(&search(Dodging::Auto), game, 30);
    assert_eq!((game.crashed(), game.level()), (None, 0));
    assert!(game.peek(LINES as u16 + 1) == 33, "hundreds of lines are a plain number");
    let slow = locks.last().expect("a lock");
    assert_eq!(slow.0.lock.map(|lock| lock.cycles), None, "nothing is near a crash at level 0");
    assert!(slow.0.promises.len() > 20, "{} frames", slow.0.promises.len());
}

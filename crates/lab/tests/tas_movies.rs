//! The exact step of the tas search against recorded tool-assisted games, cascades included.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use maxout_engine::game::Placement;
use maxout_engine::game::memory::PlayState;
use maxout_engine::game::memory::address::{HOLD_DOWN_POINTS, PLAY_STATE};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::tas::Spawned;
use maxout_formats::fm2::{Movie, one_game};
use maxout_lab::tas::improve::{Improvement, Improving, Stretches};
use maxout_lab::tas::{Count, Goal};

#[path = "../../../tests/skipped/mod.rs"]
mod skipped;

/// A recorded game, which is no part of the repository.
fn movie(name: &str) -> Option<Movie> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movies").join(name);
    Some(Movie::open(skipped::beside("movies", &path)?).expect("a movie"))
}

/// Plays a movie; every spawn must be the one that the step from the spawn before leads to. Pieces,
/// clears, and clears at the top.
fn compare(movie: &Movie) -> (u32, u32, u32) {
    let mut game = Simulation::power_on();
    let (mut pieces, mut clears, mut cascades) = (0, 0, 0);
    let mut before: Option<Spawned> = None;
    let mut lock: Option<(Placement, u32, u8)> = None;
    let mut was_control = false;
    for (frame, buttons) in one_game(movie.steps()).expect("no resets in it").into_iter().enumerate() {
        let falling = game.falling_piece();
        game.step(buttons);
        let state = PlayState::from_byte(game.ram()[PLAY_STATE]).filter(|_| game.in_game());
        let is_control = state == Some(PlayState::Control);
        if let (true, Some(PlayState::Lock), Some(spawn), Some(_)) = (was_control, state, &before, falling) {
            // It may have moved in the frame of the lock.
            let ram = game.ram();
            let orientation = maxout_engine::game::Orientation::from_id(ram[0x62]).expect("a piece");
            let placement = Placement { orientation, x: ram[0x60] as i8, y: ram[0x61] as i8 };
            lock = Some((placement, frame as u32 - spawn.frame, ram[HOLD_DOWN_POINTS]));
        }
        if is_control && !was_control {
            let now = Spawned::of(&game, frame as u32).expect("a piece is under control");
            if let (Some(spawn), Some((placement, frames, pushdown))) = (&before, lock.take()) {
                let locked = spawn.lock(placement, frames, pushdown);
                let taken = now.frame - spawn.frame;
                let least = locked.frames + locked.entry_delay;
                assert!(taken >= least, "frame {frame}: a spawn after {taken} frames, expected at least {least}");
                let drawn = spawn.generator.randomizer.clocked_times(taken as u16);
                assert_eq!(now, locked.spawn_drawing(taken, drawn), "frame {frame}");
                pieces += 1;
                clears += u32::from(locked.rows > 0);
                cascades += u32::from(locked.rows > 1 && placement.y <= 2);
            }
            before = Some(now);
        }
        was_control = is_control;
    }
    (pieces, clears, cascades)
}

#[test]
fn every_step_of_recorded_games_is_reproduced() {
    for (name, least) in [
        ("tasvideos_4853m.fm2", (370, 40, 10)),
        ("tasvideos_1596m.fm2", (370, 40, 0)),
        ("tasvideos_239m.fm2", (370, 40, 0)),
    ] {
        let Some(movie) = movie(name) else { continue };
        let found = compare(&movie);
        assert!(found.0 >= least.0 && found.1 >= least.1 && found.2 >= least.2, "{name}: {found:?}");
    }
}

/// Two of them up to their first clears only, with a narrow search.
#[test]
fn recorded_games_are_made_faster() {
    for (name, goal, shape) in [
        ("tasvideos_4853m.fm2", Goal::Score(999_999), 1),
        ("tasvideos_1596m.fm2", Goal::Score(300_000), 3),
        ("tasvideos_239m.fm2", Goal::Score(300_000), 2),
    ] {
        let Some(movie) = movie(name) else { continue };
        let buttons = one_game(movie.steps()).expect("no resets in it");
        let improvement = Improvement::of(
            &buttons,
            Improving {
                goal,
                count: Count::Goal,
                shape,
                across: 0,
                cycles: false,
                parts: None,
                width: 300,
                menu_delay: 2,
            },
        )
        .expect("a game to the goal");
        let found = improvement
            .search(Stretches::Short { shift: 0 }, 2, &AtomicBool::new(false), |_| ())
            .expect("a way through");
        let found = found.expect("nothing stops it");
        assert!(found.frame < improvement.frame(), "{name}: {} against {}", found.frame, improvement.frame());
        found.play(goal).expect("the rules model agrees");
    }
}

/// TASVideos counts the 10,405 lines of this movie, up to its last button. The first line comes before frame 0.
#[test]
fn the_record_is_as_long_as_it_is_counted_and_gets_no_longer() {
    let Some(movie) = movie("tasvideos_4853m.fm2") else { return };
    let buttons = one_game(movie.steps()).expect("no resets in it");
    let improving = Improving {
        goal: Goal::Score(999_999),
        count: Count::Input,
        shape: 1,
        across: 0,
        cycles: false,
        parts: None,
        width: 100,
        menu_delay: 2,
    };
    let improvement = Improvement::of(&buttons, improving).expect("a game to the goal");
    assert_eq!((improvement.frame(), improvement.length()), (10_461, 10_405 - 1));
    let found =
        improvement.search(Stretches::Short { shift: 0 }, 2, &AtomicBool::new(false), |_| ()).expect("a way through");
    let played = found.expect("nothing stops it").play(improving.goal).expect("the rules model agrees");
    assert!(played.length <= improvement.length(), "{}", played.length);
}

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}

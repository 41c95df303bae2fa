//! Tool-assisted movies that others made for the cartridge, played on the simulation.
//!
//! The movies are not part of this repository; where they are absent the tests say so.

use std::path::Path;

use maxout::game::MAXOUT;
use maxout::game::simulation::Simulation;
use maxout::gamepad::Buttons;
use maxout::record::fm2::{Movie, Step};

/// What is known about a movie.
struct Expected {
    first_gameplay_frame: u64,
    start_level: u8,
    maxout_frame: u64,
    lines: u16,
    level: u8,
    topout_frame: u64,
}

fn play(name: &str, expected: &Expected) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/movies").join(name);
    if !path.exists() {
        eprintln!("skipped: {} is absent", path.display());
        return;
    }
    let movie = Movie::open(&path).expect("the movie is well-formed");
    assert!(!movie.uses_other_gamepads());
    let past_the_end = std::iter::repeat_n(Step::Frame(Buttons::NONE), 2000);
    let mut simulation = Simulation::power_on();
    let (mut began, mut maxed_out, mut topped_out) = (None, None, None);
    for (frame, step) in (0..).zip(movie.steps().chain(past_the_end)) {
        let Step::Frame(buttons) = step else { panic!("the movie resets the console") };
        simulation.step(buttons);
        if simulation.in_game() && simulation.peek(0xA7) == 2 {
            began.get_or_insert(frame);
        }
        if began == Some(frame) {
            assert_eq!(simulation.level(), expected.start_level);
        }
        if simulation.score().value() == MAXOUT && maxed_out.is_none() {
            maxed_out = Some(frame);
            assert_eq!((simulation.progress().lines(), simulation.level()), (expected.lines, expected.level));
        }
        if simulation.topped_out() {
            topped_out = Some(frame);
            break;
        }
    }
    assert_eq!(began, Some(expected.first_gameplay_frame), "first gameplay frame");
    assert_eq!(maxed_out, Some(expected.maxout_frame), "frame of the maxout");
    assert_eq!(topped_out, Some(expected.topout_frame), "frame of the topout");
}

#[test]
fn tasvideos_4853m_maxes_out_at_frame_10461() {
    play(
        "tasvideos_4853m.fm2",
        &Expected {
            first_gameplay_frame: 292,
            start_level: 18,
            maxout_frame: 10461,
            lines: 172,
            level: 23,
            topout_frame: 10829,
        },
    );
}

#[test]
fn tasvideos_1596m_maxes_out_at_frame_11513() {
    play(
        "tasvideos_1596m.fm2",
        &Expected {
            first_gameplay_frame: 290,
            start_level: 18,
            maxout_frame: 11513,
            lines: 172,
            level: 23,
            topout_frame: 11545,
        },
    );
}

#[test]
fn tasvideos_239m_maxes_out_at_frame_14585() {
    play(
        "tasvideos_239m.fm2",
        &Expected {
            first_gameplay_frame: 303,
            start_level: 19,
            maxout_frame: 14585,
            lines: 164,
            level: 22,
            topout_frame: 14701,
        },
    );
}

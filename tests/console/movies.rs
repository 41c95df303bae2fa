//! Tool-assisted movies that people made on the real game, played on the model and on the
//! cartridge.
//!
//! The movies are not part of this repository; if they are absent, the tests say so.

use std::path::Path;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::Flow;
use maxout_engine::console::{Console, Simulated};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::InputFile;
use maxout_formats::fm2::Movie;
use maxout_formats::replay::{FirstMaxout, play_movie};

use crate::skipped;

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
    let Some(path) = skipped::beside("movies", &path) else { return };
    let movie = Movie::open(&path).expect("the movie is well-formed");
    assert!(!movie.uses_other_gamepads());
    let input = InputFile::from(movie);
    let mut cartridge = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let consoles: [&mut dyn Console; 2] = [&mut Simulated::power_on(), &mut cartridge];
    for console in consoles {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
        let result = play_movie(&input.presses, console, &decoder, 2000, |_, _| Ok(Flow::Continue)).expect("it plays");
        let name = console.name();
        assert_eq!(result.first_game_frame, Some(expected.first_gameplay_frame), "{name}: first gameplay frame");
        let maxout = FirstMaxout { frame: expected.maxout_frame, lines: expected.lines, level: expected.level };
        assert_eq!(result.maxout, Some(maxout), "{name}");
        assert_eq!(result.topout_frame, Some(expected.topout_frame), "{name}: frame of the topout");
        assert_eq!(result.snapshot.start_level, expected.start_level, "{name}");
        assert_eq!(result.snapshot.score, 999_999, "{name}");
    }
}

#[test]
#[ignore = "a whole game on the emulator; .ci/run runs it"]
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
#[ignore = "a whole game on the emulator; .ci/run runs it"]
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
#[ignore = "a whole game on the emulator; .ci/run runs it"]
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

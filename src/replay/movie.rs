//! A movie on a console, from power-on to some frames past its end.

use serde::Serialize;

use super::Error;
use crate::console::{Console, Reset};
use crate::game::MAXOUT;
use crate::gamepad::Buttons;
use crate::ram::{Decoder, Phase, PlayState, RamSnapshot};
use crate::record::fm2::{Movie, Step};

/// The moment in which the score first shows 999,999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Maxout {
    /// The frame.
    pub frame: u64,
    /// Lines then.
    pub lines: u16,
    /// Level then.
    pub level: u8,
}

/// What a movie came to. Frames count from the first power-on, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovieResult {
    /// Frames played, those past the movie's end included.
    pub frames: u64,
    /// First frame at whose end a game runs.
    pub first_game_frame: Option<u64>,
    /// The sample that first shows 999,999.
    pub maxout: Option<Maxout>,
    /// Frame in which the first curtain begins.
    pub topout_frame: Option<u64>,
    /// The last sample.
    #[serde(skip)]
    pub snapshot: RamSnapshot,
}

/// Plays a movie from power-on, and then up to `past_the_end` frames without a button: a movie
/// may end before its last piece has landed. A top-out after the end ends the replay.
///
/// # Errors
/// When the console fails, or its RAM holds what the game cannot have put there.
pub fn play_movie(
    movie: &Movie,
    console: &mut dyn Console,
    decoder: &Decoder,
    past_the_end: u64,
    mut progress: impl FnMut(u64),
) -> Result<MovieResult, Error> {
    let decode =
        |frame, console: &dyn Console| decoder.decode(console.ram()).map_err(|value| Error::Ram { frame, value });
    let snapshot = decode(0, console)?;
    let mut result = MovieResult { frames: 0, first_game_frame: None, maxout: None, topout_frame: None, snapshot };
    let steps = movie.steps().map(|step| (step, false));
    let idle =
        std::iter::repeat_n((Step::Frame(Buttons::NONE), true), usize::try_from(past_the_end).unwrap_or(usize::MAX));
    for (step, past_the_end) in steps.chain(idle) {
        let buttons = match step {
            Step::Frame(buttons) => buttons,
            Step::Reset => {
                console.reset(Reset::Button);
                continue;
            }
            Step::PowerCycle => {
                console.reset(Reset::Power);
                continue;
            }
        };
        if past_the_end && result.topout_frame.is_some() {
            break;
        }
        console.step(buttons)?;
        let frame = result.frames;
        result.snapshot = decode(frame, console)?;
        result.frames += 1;
        let snapshot = &result.snapshot;
        if matches!(snapshot.phase(), Phase::Falling) && snapshot.game_mode_state > 1 {
            result.first_game_frame.get_or_insert(frame);
        }
        if snapshot.score >= MAXOUT {
            result.maxout.get_or_insert(Maxout { frame, lines: snapshot.lines, level: snapshot.level });
        }
        if snapshot.play_state == PlayState::Curtain {
            result.topout_frame.get_or_insert(frame);
        }
        progress(result.frames);
    }
    Ok(result)
}

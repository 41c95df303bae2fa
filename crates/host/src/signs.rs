//! Signs of the game in the RAM of a host.

use maxout_engine::game::memory::address::name;
use maxout_engine::ram::{Decoder, Ram, RamSnapshot};

/// Frames in which a host must show a sign of the game: ten seconds. The game shows one within a second
/// of power-on. Chosen by hand, not measured.
const LONGEST_SEARCH: u64 = 600;
/// Frames in a row that make a sign: half a second in which every byte is possible and the frame counter
/// counts each frame. Chosen by hand, not measured.
const ENOUGH: u32 = 30;

/// Frames in a row for which RAM that is not the game's is not shown once the game was seen: after a power
/// cycle RAM holds anything until the game clears it in its second frame. One second; chosen by hand, not
/// measured.
const LONGEST_GARBAGE: u32 = 60;

/// Looks for the game in RAM until it has seen it, and later past a power cycle.
pub(crate) struct Signs {
    decoder: Decoder,
    has_counter: bool,
    frames: u64,
    /// Good frames in a row.
    good: u32,
    counter: Option<u16>,
    is_seen: bool,
    /// Frames in a row that were not the game's since it was seen.
    garbage: u32,
}

impl Signs {
    pub(crate) fn new(decoder: Decoder) -> Signs {
        let has_counter = !decoder.missing().contains(&name::FRAME_COUNTER);
        Signs { decoder, has_counter, frames: 0, good: 0, counter: None, is_seen: false, garbage: 0 }
    }

    /// Takes the RAM of a frame: is it to be shown? Before the program has cleared RAM it holds anything.
    ///
    /// # Errors
    /// What RAM looks like, once it has shown no sign of the game for too long.
    pub(crate) fn look(&mut self, ram: &Ram) -> Result<bool, String> {
        let decoded = self.decoder.decode(ram);
        if self.is_seen {
            self.garbage = if decoded.is_ok() { 0 } else { self.garbage + 1 };
            return Ok(self.garbage == 0 || self.garbage > LONGEST_GARBAGE);
        }
        self.frames += 1;
        let problem = match &decoded {
            Err(value) => Some(value.to_string()),
            Ok(snapshot) => self.problem(snapshot),
        };
        match problem {
            None => {
                self.good += 1;
                self.is_seen = self.good >= ENOUGH;
            }
            Some(problem) => {
                self.good = 0;
                if self.frames >= LONGEST_SEARCH {
                    let advice = "start the game in the host, or name its RAM map with --map";
                    return Err(format!("no sign of the game in {} frames: {problem}; {advice}", self.frames));
                }
            }
        }
        Ok(decoded.is_ok())
    }

    /// What is not as in the game.
    fn problem(&mut self, snapshot: &RamSnapshot) -> Option<String> {
        if !self.has_counter {
            return None;
        }
        let counter = snapshot.frame_counter;
        let before = self.counter.replace(counter);
        let counts = before.is_some_and(|before| counter == before.wrapping_add(1));
        (!counts).then(|| format!("the frame counter is {counter} and does not count the frames"))
    }
}

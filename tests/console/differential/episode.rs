//! An episode: where it starts and what is pressed. A regression file is an episode as text.
//!
//! ```text
//! # What this shows.
//! covers pauses
//! start game
//! poke 0064 1D
//! press ........ 12
//! press .L..T..A
//! ```
//!
//! `start` names a [`Place`]. `poke` writes bytes, starting at a hexadecimal address, before the
//! first frame. `press` holds the buttons (in FM2's order `RLDUTSBA`) for a number of frames. `covers`
//! names a count of [`Coverage`] that must not be zero after the episode.

use std::collections::HashMap;
use std::fmt;

use maxout_engine::console::{Console, SavedState};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;

use super::coverage::Coverage;
use super::twins::{Difference, Step, Twins};

/// Points at which an episode may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before frame 0.
    PowerOn,
    /// The title screen, just before it reads the buttons for the first time.
    Title,
    /// The level menu, just before it reads the buttons for the first time.
    LevelMenu,
    /// The first gameplay frame of an A-type game at level 0.
    Game,
}

impl Place {
    const ALL: [Place; 4] = [Place::PowerOn, Place::Title, Place::LevelMenu, Place::Game];

    fn name(self) -> &'static str {
        match self {
            Place::PowerOn => "power-on",
            Place::Title => "title",
            Place::LevelMenu => "level-menu",
            Place::Game => "game",
        }
    }

    /// Frames from power-on to this place, with Start pressed as early as possible.
    fn frames(self) -> u32 {
        match self {
            Place::PowerOn => 0,
            Place::Title => 271,
            Place::LevelMenu => 280,
            Place::Game => 286,
        }
    }
}

/// Frames in which Start must be pressed for the fastest way from power-on into a game.
const START_PRESSES: [u32; 4] = [266, 271, 275, 280];

/// Bytes written before the first frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poke {
    pub address: u16,
    pub bytes: Vec<u8>,
}

impl Poke {
    pub fn new(address: usize, bytes: &[u8]) -> Poke {
        Poke { address: address as u16, bytes: bytes.to_vec() }
    }

    /// Its single writes.
    pub fn writes(&self) -> impl Iterator<Item = (u16, u8)> {
        (self.address..).zip(self.bytes.iter().copied())
    }
}

/// A start and the buttons of the frames after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    pub place: Place,
    pub pokes: Vec<Poke>,
    pub inputs: Vec<Buttons>,
    /// What must happen in it.
    pub covers: Vec<String>,
}

/// A difference, and the frame of the episode in which it appears; frame 0 is that of the first input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub frame: usize,
    pub difference: Difference,
}

/// Model and console, and the saved states of every [`Place`].
pub struct Arena {
    pub twins: Twins,
    saved: HashMap<Place, (Simulation, SavedState)>,
}

impl Arena {
    /// Plays from power-on to every place and compares every frame.
    pub fn new(console: Box<dyn Console>) -> Arena {
        let mut arena = Arena { twins: Twins::power_on(console), saved: HashMap::new() };
        let mut frame = 0;
        for place in Place::ALL {
            while frame < place.frames() {
                let buttons = if START_PRESSES.contains(&frame) { Buttons::START } else { Buttons::NONE };
                arena.twins.step(buttons).unwrap_or_else(|difference| panic!("frame {frame}: {difference}"));
                frame += 1;
            }
            let state = arena.twins.console.save_state().expect("the console can be saved");
            arena.saved.insert(place, (arena.twins.model.clone(), state));
        }
        assert!(arena.twins.model.in_game(), "the presses of Start lead into a game");
        arena
    }

    /// The model at this place.
    pub fn model_at(&self, place: Place) -> &Simulation {
        &self.saved[&place].0
    }

    /// Puts both at the start of an episode.
    pub fn begin(&mut self, place: Place, pokes: &[Poke]) {
        let (model, state) = &self.saved[&place];
        self.twins.model = model.clone();
        self.twins.console.restore_state(state).expect("the state is this console's own");
        for (address, value) in pokes.iter().flat_map(Poke::writes) {
            self.twins.poke(address, value);
        }
    }

    /// Plays one frame of both and counts it unless it is out of scope.
    pub fn step(&mut self, buttons: Buttons, coverage: &mut Coverage) -> Result<Step, Difference> {
        let before = self.twins.model.clone();
        let step = self.twins.step(buttons)?;
        match step {
            Step::Compared(bytes) => coverage.observe(&before, &self.twins.model, bytes),
            Step::OutOfScope(into) => coverage.count(into),
        }
        Ok(step)
    }

    /// Plays an episode to its end or its first difference.
    pub fn replay(&mut self, episode: &Episode, coverage: &mut Coverage) -> Option<Failure> {
        self.begin(episode.place, &episode.pokes);
        for (frame, &buttons) in episode.inputs.iter().enumerate() {
            match self.step(buttons, coverage) {
                Err(difference) => return Some(Failure { frame, difference }),
                Ok(Step::OutOfScope(_)) => return None,
                Ok(Step::Compared(_)) => {}
            }
        }
        None
    }
}

impl fmt::Display for Episode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for what in &self.covers {
            writeln!(f, "covers {what}")?;
        }
        writeln!(f, "start {}", self.place.name())?;
        for poke in &self.pokes {
            write!(f, "poke {:04X}", poke.address)?;
            for byte in &poke.bytes {
                write!(f, " {byte:02X}")?;
            }
            writeln!(f)?;
        }
        for run in self.inputs.chunk_by(|before, after| before == after) {
            writeln!(f, "press {} {}", run[0], run.len())?;
        }
        Ok(())
    }
}

impl Episode {
    /// Reads the text of an episode.
    pub fn parse(text: &str) -> Result<Episode, String> {
        let mut place = None;
        let (mut pokes, mut inputs, mut covers) = (Vec::new(), Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| format!("line {}: expected {what}, found `{line}`", index + 1);
            let mut words = line.split_whitespace();
            match words.next() {
                Some("start") => {
                    let name = words.next();
                    place = Place::ALL.into_iter().find(|place| Some(place.name()) == name);
                    place.ok_or_else(|| wrong("the name of a start"))?;
                }
                Some("covers") => covers.push(words.collect::<Vec<_>>().join(" ")),
                Some("poke") => {
                    let address = words.next().and_then(|word| u16::from_str_radix(word, 16).ok());
                    let address = address.filter(|&address| address < 0x800);
                    let bytes: Result<Vec<u8>, _> = words.map(|word| u8::from_str_radix(word, 16)).collect();
                    match (address, bytes) {
                        (Some(address), Ok(bytes)) if !bytes.is_empty() => pokes.push(Poke { address, bytes }),
                        _ => return Err(wrong("an address below 0800 and bytes, hexadecimal")),
                    }
                }
                Some("press") => {
                    let buttons = words.next().and_then(|word| Buttons::from_keys(word).ok());
                    let frames = words.next().map_or(Some(1), |word| word.parse().ok());
                    let (Some(buttons), Some(frames)) = (buttons, frames) else {
                        return Err(wrong("buttons in the order RLDUTSBA and a number of frames"));
                    };
                    inputs.extend(std::iter::repeat_n(buttons, frames));
                }
                _ => return Err(wrong("`covers`, `start`, `poke` or `press`")),
            }
        }
        Ok(Episode { place: place.ok_or("no line begins with `start`")?, pokes, inputs, covers })
    }
}

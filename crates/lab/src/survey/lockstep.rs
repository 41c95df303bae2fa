//! The console and the rules model in step: the same buttons for both, and every sample kept.

use super::error::Error;
use maxout_engine::console::{Console, SavedState};
use maxout_engine::game::memory::address::{
    FRAME_COUNTER, GAME_MODE, GENERAL_COUNTER, HIGH_SCORE_NAMES, NAME_LETTER, NAME_LETTER_PLACE, NAME_OFFSET,
    NAME_PLACE, NAME_SIZE, PLAYFIELD_ADDRESS, RENDER_FLAGS, RENDER_MODE, SELECTING_HEIGHT, VERTICAL_BLANK_FLAG,
};
use maxout_engine::game::memory::{GameMode, RenderMode, render_flag};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, RAM_SIZE, Ram, RamMap, RamSnapshot};

/// High byte of the pointer to the playfield.
const PLAYFIELD_ADDRESS_HIGH: usize = PLAYFIELD_ADDRESS + 1;

/// One frame of console and rules model.
pub(super) struct ObservedFrame {
    /// What was pressed.
    pub buttons: Buttons,
    /// The console's sample.
    pub rom: Box<Ram>,
    /// The model's RAM, at the addresses of the built-in map; `None` where the model says nothing.
    rules: Option<Box<Ram>>,
    /// Does the level menu read the buttons in this frame?
    menu: bool,
    /// Does the next frame have no interrupt, because a screen is being drawn?
    interrupt_lost: bool,
}

/// The frames of one experiment.
pub(super) struct Section {
    /// What is done and what is expected, in words.
    pub title: &'static str,
    /// Its first frame.
    pub first: usize,
    /// One past its last frame.
    pub end: usize,
}

/// All frames of a tour, in order. Where a savepoint was restored, time jumps.
pub(super) struct Observations {
    pub frames: Vec<ObservedFrame>,
    pub sections: Vec<Section>,
    /// Address of the console's playfield, once it is known; the game keeps a pointer to it.
    pub playfield: Option<u16>,
    /// Addresses of the built-in map whose value the rules model promises in every frame.
    promised: Box<[bool; RAM_SIZE]>,
}

impl Observations {
    /// The value of a byte of the built-in map at the end of a frame, by the rules model.
    pub fn expected(&self, frame: usize, address: u16) -> Option<u8> {
        let sample = &self.frames[frame];
        let rules = sample.rules.as_deref()?;
        let at = usize::from(address);
        if let (Some(playfield), PLAYFIELD_ADDRESS | PLAYFIELD_ADDRESS_HIGH) = (self.playfield, at)
            && rules[PLAYFIELD_ADDRESS_HIGH] != 0
        {
            return Some(playfield.to_le_bytes()[at - PLAYFIELD_ADDRESS]);
        }
        if self.promised[at] || (at == SELECTING_HEIGHT && sample.menu) {
            return Some(rules[at]);
        }
        let (mode, render) = (rules[GAME_MODE], rules[RENDER_MODE]);
        match at {
            // The first of the five counters is the countdown of the legal screen.
            GENERAL_COUNTER => (mode == GameMode::Legal.byte() && rules[at] != 0).then_some(rules[at]),
            VERTICAL_BLANK_FLAG if sample.interrupt_lost && mode >= GameMode::LevelMenu.byte() => Some(1),
            VERTICAL_BLANK_FLAG => (mode == GameMode::Play.byte() && render == RenderMode::Play.byte()).then_some(0),
            NAME_OFFSET | NAME_LETTER
                if render == RenderMode::NameEntry.byte() && rules[RENDER_FLAGS] & render_flag::NAME != 0 =>
            {
                let offset = NAME_SIZE as u8 * rules[NAME_PLACE];
                let letter = HIGH_SCORE_NAMES + usize::from(offset) + usize::from(rules[NAME_LETTER_PLACE]);
                Some(if at == NAME_OFFSET { offset } else { rules[letter] })
            }
            _ => None,
        }
    }

    /// The console's byte.
    pub fn found(&self, frame: usize, address: u16) -> u8 {
        self.frames[frame].rom[usize::from(address)]
    }

    /// Frames without a prediction belong to the demo.
    pub fn is_demo(&self, frame: usize) -> bool {
        self.frames[frame].rules.is_none()
    }
}

/// A console and the rules model that get the same buttons.
pub(super) struct Lockstep<'a> {
    console: &'a mut dyn Console,
    model: Simulation,
    decoder: Decoder,
    pub observations: Observations,
    /// Frames played in all, trials included.
    played: u64,
    tick: &'a mut dyn FnMut(u64),
}

/// A state of both to go back to.
#[derive(Clone)]
pub(super) struct Savepoint {
    console: SavedState,
    model: Simulation,
    /// The console's sample.
    pub ram: Box<Ram>,
}

impl<'a> Lockstep<'a> {
    /// At power-on. `tick` is called with the number of frames played so far.
    pub fn new(console: &'a mut dyn Console, tick: &'a mut dyn FnMut(u64)) -> Lockstep<'a> {
        let model = Simulation::power_on();
        let promised = Box::new(std::array::from_fn(|address| model.promises(address as u16)));
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        let observations = Observations { frames: Vec::new(), sections: Vec::new(), playfield: None, promised };
        Lockstep { console, model, decoder, observations, played: 0, tick }
    }

    /// Begins the next section.
    pub fn begin(&mut self, title: &'static str) {
        let at = self.observations.frames.len();
        self.observations.sections.push(Section { title, first: at, end: at });
    }

    /// One frame on both, kept.
    pub fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        let counter_before = self.model.ram()[FRAME_COUNTER];
        self.model.step(buttons);
        self.console.step(buttons)?;
        let interrupt_lost = self.model.ram()[FRAME_COUNTER] == counter_before;
        if let Some(before) = self.observations.frames.last_mut() {
            before.interrupt_lost = interrupt_lost;
        }
        let known = self.model.out_of_scope().is_none();
        self.observations.frames.push(ObservedFrame {
            buttons,
            rom: Box::new(*self.console.ram()),
            rules: known.then(|| Box::new(*self.model.ram())),
            menu: self.model.promises(SELECTING_HEIGHT as u16),
            interrupt_lost: false,
        });
        let frames = self.observations.frames.len();
        if let Some(section) = self.observations.sections.last_mut() {
            section.end = frames;
        }
        self.count();
        Ok(())
    }

    fn count(&mut self) {
        self.played += 1;
        (self.tick)(self.played);
    }

    /// Holds the same buttons for this many frames.
    pub fn hold(&mut self, buttons: Buttons, frames: usize) -> Result<(), Error> {
        (0..frames).try_for_each(|_| self.step(buttons))
    }

    /// One frame of these buttons, one of none.
    pub fn tap(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.step(buttons)?;
        self.step(Buttons::NONE)
    }

    /// The model's RAM, decoded.
    pub fn snapshot(&self) -> RamSnapshot {
        self.decoder.decode(self.model.ram()).expect("the rules reach only possible values")
    }

    /// Writes a byte on the console, and on the model at its address of the built-in map.
    pub fn poke(&mut self, console: u16, rules: u16, value: u8) {
        self.console.poke(console, value);
        self.model.poke(rules, value);
    }

    /// The current state.
    pub fn save(&self) -> Result<Savepoint, Error> {
        Ok(Savepoint {
            console: self.console.save_state()?,
            model: self.model.clone(),
            ram: Box::new(*self.console.ram()),
        })
    }

    /// Goes back to a savepoint.
    pub fn restore(&mut self, moment: &Savepoint) -> Result<(), Error> {
        self.console.restore_state(&moment.console)?;
        self.model = moment.model.clone();
        Ok(())
    }

    /// What the console alone does from a savepoint on, after these pokes and with these buttons.
    /// `None` when the pokes crash the program.
    pub fn try_out(
        &mut self,
        from: &Savepoint,
        pokes: &[(u16, u8)],
        buttons: &[Buttons],
    ) -> Result<Option<Vec<Ram>>, Error> {
        self.console.restore_state(&from.console)?;
        for &(address, value) in pokes {
            self.console.poke(address, value);
        }
        let mut samples = Vec::with_capacity(buttons.len());
        for &pressed in buttons {
            if self.console.step(pressed).is_err() {
                return Ok(None);
            }
            samples.push(*self.console.ram());
            self.count();
        }
        Ok(Some(samples))
    }
}

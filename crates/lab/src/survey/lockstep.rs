//! The console and the rules model in step: the same buttons for both, and every sample kept.

use super::claims::{Claims, Stage};
use super::error::Error;
use maxout_engine::console::{Console, SavedState};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, Ram, RamMap, RamSnapshot};

/// One frame of console and rules model.
pub(super) struct ObservedFrame {
    /// What was pressed.
    pub buttons: Buttons,
    /// The console's sample.
    pub rom: Box<Ram>,
    /// The model's RAM, at the addresses of the built-in map; `None` where the model says nothing.
    rules: Option<Box<Ram>>,
    stage: Stage,
    /// Does the next frame have no interrupt, because a screen is being drawn?
    next_lost: bool,
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
    /// What the bytes must show.
    pub claims: Claims,
}

impl Observations {
    /// What a byte of the built-in map must be at the end of a frame; `None` where any value is right.
    pub fn expected(&self, frame: usize, address: u16) -> Option<u8> {
        let sample = &self.frames[frame];
        self.claims.expected(sample.rules.as_deref()?, sample.stage, Some(sample.next_lost), address)
    }

    /// One section of frames that were not played. Of the model, nothing is known but whether it plays the demo.
    #[cfg(test)]
    pub fn made_up(frames: impl IntoIterator<Item = (Buttons, Ram)>, is_demo: bool) -> Observations {
        let frame = |(buttons, ram)| ObservedFrame {
            buttons,
            rom: Box::new(ram),
            rules: (!is_demo).then(|| Box::new(ram)),
            stage: Stage::default(),
            next_lost: false,
        };
        let frames: Vec<_> = frames.into_iter().map(frame).collect();
        let sections = vec![Section { title: "made up", first: 0, end: frames.len() }];
        Observations { frames, sections, claims: Claims::new() }
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
    stage: Stage,
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
    stage: Stage,
    /// The console's sample.
    pub ram: Box<Ram>,
}

impl<'a> Lockstep<'a> {
    /// At power-on. `tick` is called with the number of frames played so far.
    pub fn new(console: &'a mut dyn Console, tick: &'a mut dyn FnMut(u64)) -> Lockstep<'a> {
        let model = Simulation::power_on();
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        let observations = Observations { frames: Vec::new(), sections: Vec::new(), claims: Claims::new() };
        Lockstep { console, model, stage: Stage::default(), decoder, observations, played: 0, tick }
    }

    /// Begins the next section.
    pub fn begin(&mut self, title: &'static str) {
        let at = self.observations.frames.len();
        self.observations.sections.push(Section { title, first: at, end: at });
    }

    /// One frame on both, kept.
    pub fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.model.step(buttons);
        self.console.step(buttons)?;
        self.stage = self.stage.next(self.model.ram());
        if let Some(before) = self.observations.frames.last_mut() {
            before.next_lost = self.stage.interrupt_lost;
        }
        let known = self.model.out_of_scope().is_none();
        self.observations.frames.push(ObservedFrame {
            buttons,
            rom: Box::new(*self.console.ram()),
            rules: known.then(|| Box::new(*self.model.ram())),
            stage: self.stage,
            next_lost: false,
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
            stage: self.stage,
            ram: Box::new(*self.console.ram()),
        })
    }

    /// Goes back to a savepoint.
    pub fn restore(&mut self, moment: &Savepoint) -> Result<(), Error> {
        self.console.restore_state(&moment.console)?;
        self.model = moment.model.clone();
        self.stage = moment.stage;
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

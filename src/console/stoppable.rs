//! A console whose game can be ended from another thread, and that shows how far it is.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::system::progress::Progress;
use maxout_engine::console::{Console, Error, Processor, Reset};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::Ram;

/// A console that refuses the next frame when the flag is set.
pub(crate) struct Stoppable<'a> {
    console: &'a mut dyn Console,
    stop: &'a AtomicBool,
    progress: Progress,
    frame: u64,
}

impl<'a> Stoppable<'a> {
    pub(crate) fn new(console: &'a mut dyn Console, stop: &'a AtomicBool, progress: Progress) -> Stoppable<'a> {
        Stoppable { console, stop, progress, frame: 0 }
    }
}

impl Console for Stoppable<'_> {
    fn name(&self) -> &'static str {
        self.console.name()
    }

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped { frame: self.frame, reason: "nobody waits for it".to_owned() });
        }
        self.frame += 1;
        self.progress.at(self.frame);
        self.console.step(buttons)
    }

    fn reset(&mut self, reset: Reset) {
        self.console.reset(reset);
    }

    fn resets(&self) -> bool {
        self.console.resets()
    }

    fn polled(&self) -> bool {
        self.console.polled()
    }

    fn ram(&self) -> &Ram {
        self.console.ram()
    }

    fn processor(&self) -> Option<Processor> {
        self.console.processor()
    }

    fn poke(&mut self, address: u16, value: u8) {
        self.console.poke(address, value);
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::console::Simulated;

    use super::*;
    use crate::system::progress::Unit;

    #[test]
    fn a_set_flag_ends_the_game() {
        let (mut console, stop) = (Simulated::power_on(), AtomicBool::new(false));
        let mut stoppable = Stoppable::new(&mut console, &stop, Progress::new("", Unit::Frames, None));
        assert!(stoppable.step(Buttons::NONE).is_ok());
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(stoppable.step(Buttons::NONE), Err(Error::Stopped { frame: 1, .. })));
    }
}

//! A console that somebody watches: asked before each frame whether it may go on.

use maxout_engine::console::{Console, Error};
use maxout_engine::gamepad::Buttons;

/// A console that calls `before` with the number of each frame, and refuses the frame when that fails.
pub(crate) struct Watched<'a, F> {
    console: &'a mut dyn Console,
    before: F,
    frame: u64,
}

impl<'a, F: FnMut(u64) -> Result<(), Error>> Watched<'a, F> {
    pub(crate) fn new(console: &'a mut dyn Console, before: F) -> Watched<'a, F> {
        Watched { console, before, frame: 0 }
    }
}

impl<F: FnMut(u64) -> Result<(), Error> + Send> Console for Watched<'_, F> {
    maxout_engine::pass_on!(self.console, but step);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        (self.before)(self.frame)?;
        self.frame += 1;
        self.console.step(buttons)
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::console::Simulated;

    use super::*;

    #[test]
    fn a_frame_that_is_refused_is_not_played() {
        let mut console = Simulated::power_on();
        let mut watched = Watched::new(&mut console, |frame| match frame {
            0 => Ok(()),
            _ => Err(Error::Stopped { frame, reason: String::new() }),
        });
        assert!(watched.step(Buttons::NONE).is_ok());
        let after_one = *watched.ram();
        assert!(matches!(watched.step(Buttons::NONE), Err(Error::Stopped { frame: 1, .. })));
        assert!(*watched.ram() == after_one);
    }
}

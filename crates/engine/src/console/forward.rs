//! A borrowed or boxed console is a console.

use super::interface::{Console, Error, Processor, Reset};
use super::picture::{Picture, Video};
use super::saved_state::SavedState;
use crate::gamepad::Buttons;
use crate::ram::Ram;

macro_rules! forward {
    ($console:ty) => {
        impl<C: Console + ?Sized> Console for $console {
            fn name(&self) -> &'static str {
                (**self).name()
            }

            fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
                (**self).step(buttons)
            }

            fn reset(&mut self, reset: Reset) {
                (**self).reset(reset);
            }

            fn resets(&self) -> bool {
                (**self).resets()
            }

            fn polled(&self) -> bool {
                (**self).polled()
            }

            fn taken_over(&self) -> Option<Buttons> {
                (**self).taken_over()
            }

            fn is_shared(&self) -> bool {
                (**self).is_shared()
            }

            fn jumped(&self) -> bool {
                (**self).jumped()
            }

            fn ram(&self) -> &Ram {
                (**self).ram()
            }

            fn processor(&self) -> Option<Processor> {
                (**self).processor()
            }

            fn poke(&mut self, address: u16, value: u8) {
                (**self).poke(address, value);
            }

            fn set_video(&mut self, video: Video) {
                (**self).set_video(video);
            }

            fn picture(&mut self) -> Option<Picture> {
                (**self).picture()
            }

            fn save_state(&self) -> Result<SavedState, Error> {
                (**self).save_state()
            }

            fn restore_state(&mut self, state: &SavedState) -> Result<(), Error> {
                (**self).restore_state(state)
            }
        }
    };
}

forward!(&mut C);
forward!(Box<C>);

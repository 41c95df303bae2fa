//! The end of a run: its picture, and its card in the view.

use std::sync::atomic::AtomicBool;

use super::watch::wait_to_leave;
use maxout_engine::bot::{Finished, Goal, Outcome};
use maxout_engine::console::{Console, Picture, Video};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, Phase};
use maxout_screen::{EndCard, View};

/// Frames that are clocked at most until the console has drawn the end. A clear takes 20 frames, the
/// entry delay up to 18.
const LONGEST_WAIT: u32 = 60;

/// The picture of the end of a run; `None` where the console draws none.
///
/// The game scores a clear while the screen still flashes, and draws its counters one frame after it
/// has counted. So the console is clocked on without buttons until the next piece is there, and one
/// frame more. The run is over and its files are complete: nothing of this is part of them.
pub(super) fn picture(console: &mut dyn Console, decoder: &Decoder) -> Option<Picture> {
    let is_drawn = console.picture().is_some();
    console.set_video(Video::On);
    let is_settling = |console: &dyn Console| {
        decoder.decode(console.ram()).is_ok_and(|snapshot| snapshot.phase() == Phase::EntryDelay)
    };
    let mut clocked = 0;
    while is_settling(console) && clocked < LONGEST_WAIT {
        console.step(Buttons::NONE).ok()?;
        clocked += 1;
    }
    if clocked > 0 || !is_drawn {
        console.step(Buttons::NONE).ok()?;
    }
    console.picture()
}

/// The card of a run that is over.
pub(super) fn card(finished: &Finished, until: Goal, saved: &[String]) -> EndCard {
    let stuck = match finished.outcome {
        Outcome::Stuck(stuck) => Some(stuck.short()),
        _ => None,
    };
    EndCard { outcome: until.result(finished.outcome), stuck, saved: saved.to_vec() }
}

/// Shows the end until the watcher leaves it.
pub(super) fn show(view: &mut dyn View, card: EndCard, picture: Option<Picture>, stop: &AtomicBool) {
    if view.end(card, picture)
        && let Err(error) = wait_to_leave(view, stop)
    {
        // The run is over and its result is known: a terminal that has gone away changes nothing.
        log::debug!("the end is no longer shown: {error}");
    }
}

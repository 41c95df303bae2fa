//! The loop of a watched run: the program sleeps here until the next frame.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use maxout_engine::bot::{Error, Finished, Flow, FrameSink, Outcome, Run, SinkError};
use maxout_engine::console::{Console, Error as ConsoleError};
use maxout_screen::{NextFrame, View};

/// Plays until the goal, a topout, or a stop, at the pace of the view. The view gets each frame
/// last: a view that fails must not cost a file its frame.
///
/// # Errors
/// Those of [`Run::play`].
pub(super) fn watch<C: Console>(
    run: &mut Run<C>,
    sinks: &mut [&mut dyn FrameSink],
    view: &mut dyn View,
    stop: &AtomicBool,
) -> Result<Finished, Error> {
    loop {
        // Both are asked: a listener may remember what it has answered.
        if sinks.wants_picture() | view.wants_picture() {
            run.ask_for_picture();
        }
        let report = match run.frame() {
            Err(Error::Crashed { so_far, .. }) => return Ok(*so_far),
            // A host is waited for, and a stop is noticed there.
            Err(error @ Error::Console(ConsoleError::Host { .. })) if stop.load(Ordering::Relaxed) => {
                return run.so_far(Outcome::Stopped).ok_or(error);
            }
            played => played?,
        };
        let heard = [sinks.frame(&report)?, view.frame(&report)?];
        let flow = if heard.contains(&Flow::Stop) { Flow::Stop } else { wait(view, stop)? };
        if let Some(finished) = report.finish(flow)? {
            return Ok(finished);
        }
    }
}

/// Sleeps until the watcher leaves the end of a run, or the program is stopped.
///
/// # Errors
/// When the view can no longer be drawn or asked.
pub(super) fn wait_to_leave(view: &mut dyn View, stop: &AtomicBool) -> Result<(), SinkError> {
    while wait(view, stop)? == Flow::Continue {}
    Ok(())
}

/// Sleeps until the view lets the next frame begin, or the run is stopped.
fn wait(view: &mut dyn View, stop: &AtomicBool) -> Result<Flow, SinkError> {
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(Flow::Stop);
        }
        match view.next_frame()? {
            NextFrame::Now => return Ok(Flow::Continue),
            NextFrame::After(time) => thread::sleep(time),
            NextFrame::Never => return Ok(Flow::Stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::bot::{FrameReport, Goal, Pilot};
    use maxout_engine::console::Simulated;
    use maxout_engine::ram::{Decoder, RamMap};
    use std::time::Duration;

    /// Gives the answers of its list, one for each question.
    struct Scripted<'a> {
        answers: Vec<NextFrame>,
        /// Set at the end of the list.
        stop: &'a AtomicBool,
        heard: u64,
    }

    impl FrameSink for Scripted<'_> {
        fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
            assert_eq!(report.frame, self.heard);
            self.heard += 1;
            Ok(Flow::Continue)
        }
    }

    impl View for Scripted<'_> {
        fn next_frame(&mut self) -> Result<NextFrame, SinkError> {
            Ok(self.answers.pop().unwrap_or_else(|| {
                self.stop.store(true, Ordering::Relaxed);
                NextFrame::After(Duration::from_micros(1))
            }))
        }
    }

    /// Plays with these answers; the outcome, and the frames that were played.
    fn watched(answers: &[NextFrame], goal: Goal) -> (Outcome, u64) {
        let stop = AtomicBool::new(false);
        let mut view = Scripted { answers: answers.iter().rev().copied().collect(), stop: &stop, heard: 0 };
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        let mut run = Run::new(Simulated::power_on(), decoder, Pilot::onlooker(), goal);
        let finished = watch(&mut run, &mut [], &mut view, &stop).expect("a run");
        assert_eq!(finished.frames, view.heard);
        (finished.outcome, finished.frames)
    }

    #[test]
    fn a_frame_waits_for_the_view() {
        let wait = NextFrame::After(Duration::from_micros(1));
        let answers = [wait, wait, NextFrame::Now, NextFrame::Now, wait, NextFrame::Never];
        assert_eq!(watched(&answers, Goal::Topout), (Outcome::Stopped, 3));
    }

    #[test]
    fn a_signal_ends_a_pause() {
        assert_eq!(watched(&[NextFrame::Now], Goal::Topout), (Outcome::Stopped, 2));
    }

    #[test]
    fn the_end_stays_until_it_is_left_or_the_program_is_stopped() {
        let stop = AtomicBool::new(false);
        let wait = NextFrame::After(Duration::from_micros(1));
        let mut left = Scripted { answers: vec![NextFrame::Never, wait, wait], stop: &stop, heard: 0 };
        wait_to_leave(&mut left, &stop).expect("nothing fails");
        assert!(left.answers.is_empty() && !stop.load(Ordering::Relaxed), "it was asked three times");
        let mut held = Scripted { answers: vec![wait, wait], stop: &stop, heard: 0 };
        wait_to_leave(&mut held, &stop).expect("nothing fails");
        assert!(held.answers.is_empty() && stop.load(Ordering::Relaxed));
    }

    #[test]
    fn a_goal_that_is_reached_goes_before_a_quit() {
        assert_eq!(watched(&[NextFrame::Never], Goal::Frames(1)), (Outcome::Goal, 1));
    }
}

//! What a run and a window exchange, without a display.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::shared::Stage;
use super::*;
use crate::menu_pace::MenuPace;
use crate::sample::{self, HandClock};
use crate::speed::Speed;
use crate::view::{NextFrame, View as _};
use crate::{Camera, CameraResult, EndCard};
use maxout_engine::bot::{Flow, FrameSink as _};
use maxout_engine::console::Picture;

/// A run's side, and how often it has woken the window.
fn sink(speed: Speed) -> (WindowSink, Arc<Shared>, Arc<AtomicU32>) {
    let shared = Arc::new(Shared::new(speed));
    let woken = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&woken);
    let wake = Box::new(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let clock = HandClock::default().boxed();
    (
        WindowSink::new(Arc::clone(&shared), wake, sample::header(), Pace { speed, menus: MenuPace::Real }, clock),
        shared,
        woken,
    )
}

/// One frame as a run reports it, with a picture where one is wanted.
fn play(sink: &mut WindowSink, frame: u64) -> Flow {
    let black = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
    let picture = sink.wants_picture().then_some(&black);
    let flow = sample::report(frame, &[], |report| {
        let report =
            maxout_engine::bot::FrameReport { picture, ..maxout_engine::bot::FrameReport { events: &[], ..*report } };
        sink.frame(&report)
    });
    flow.expect("nothing fails")
}

/// The same, and then waits as a host does until the next frame may begin.
fn play_and_wait(sink: &mut WindowSink, frame: u64) -> Flow {
    let flow = play(sink, frame);
    if flow == Flow::Stop {
        return flow;
    }
    loop {
        match sink.next_frame().expect("nothing fails") {
            NextFrame::Now => return Flow::Continue,
            NextFrame::Never => return Flow::Stop,
            NextFrame::After(_) => thread::yield_now(),
        }
    }
}

#[test]
fn moments_replace_one_another_and_the_run_never_waits_for_the_window() {
    let (mut sink, shared, woken) = sink(Speed::Max);
    for frame in 0..1000 {
        assert_eq!(play(&mut sink, frame), Flow::Continue);
    }
    let latest = shared.lock().latest.take().expect("a moment");
    assert_eq!((latest.model.frame, woken.load(Ordering::Relaxed)), (0, 1), "the first one was not taken");
    assert!(latest.picture.is_some());
}

#[test]
fn a_paused_run_shows_each_of_its_steps_and_goes_on() {
    let (sink, shared, _) = sink(Speed::Max);
    shared.wish(|state| (state.is_paused, state.stage) = (true, Stage::Running));
    let frames = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut sink = sink;
            (0..).take_while(|&frame| play_and_wait(&mut sink, frame) == Flow::Continue).last()
        });
        for _ in 0..4 {
            // Until the run has left a moment, it is not held yet.
            let moment = loop {
                if let Some(moment) = shared.lock().latest.take() {
                    break moment;
                }
                thread::yield_now();
            };
            frames.lock().expect("whole").push((moment.model.frame, moment.picture.is_some()));
            shared.wish(|state| state.steps = 1);
        }
        shared.wish(|state| state.quits = true);
        assert!(run.join().expect("no panic").is_some());
    });
    assert_eq!(*frames.lock().expect("whole"), [(0, true), (1, true), (2, true), (3, true)]);
}

#[test]
fn a_wish_to_quit_ends_a_run_that_is_held() {
    let (mut sink, shared, _) = sink(Speed::Times(1));
    shared.wish(|state| (state.is_paused, state.quits) = (true, true));
    assert_eq!(play(&mut sink, 0), Flow::Stop);
}

#[test]
fn a_held_run_answers_its_host_at_once_and_goes_on_at_its_pace() {
    let (mut sink, shared, _) = sink(Speed::Times(1));
    shared.wish(|state| state.is_paused = true);
    assert_eq!(play(&mut sink, 0), Flow::Continue);
    for _ in 0..3 {
        assert!(matches!(sink.next_frame(), Ok(NextFrame::After(wait)) if wait < Duration::from_millis(10)));
    }
    shared.wish(|state| state.is_paused = false);
    assert!(matches!(sink.next_frame(), Ok(NextFrame::After(wait)) if wait.as_micros() == 16_639));
    shared.wish(|state| state.quits = true);
    assert!(matches!(sink.next_frame(), Ok(NextFrame::Never)));
}

#[test]
fn the_end_stays_and_a_run_that_breaks_off_does_not() {
    let (mut one, shared, _) = sink(Speed::Max);
    assert!(!one.end(EndCard::default(), None), "the window waits, not the host");
    drop(one);
    assert_eq!(shared.lock().stage, Stage::Ended);
    assert_eq!(shared.lock().latest.as_ref().map(|moment| moment.model.header.clone()), Some(sample::header()));
    let (other, shared, woken) = sink(Speed::Max);
    drop(other);
    assert_eq!((shared.lock().stage, woken.load(Ordering::Relaxed)), (Stage::Gone, 1));
}

#[test]
fn a_reason_names_no_source_file() {
    let told = "os error at /home/a/winit-0.30/src/mod.rs:765: neither DISPLAY nor\nanother is set.";
    assert_eq!(reason_of(told), "neither DISPLAY nor another is set");
    assert_eq!(reason_of("no: library"), "no: library");
}

/// Counts the pictures that it films.
struct Counting(Arc<AtomicU32>, bool, Vec<String>);

impl Camera for Counting {
    fn toggle(&mut self) -> CameraResult {
        self.1 = !self.1;
        self.2 = vec!["counted.gif".to_owned()];
        Ok(format!("rolling: {}", self.1))
    }

    fn is_rolling(&self) -> bool {
        self.1
    }

    fn saved(&self) -> &[String] {
        &self.2
    }

    fn frame(&mut self, report: &maxout_engine::bot::FrameReport<'_>) -> Option<CameraResult> {
        self.0.fetch_add(u32::from(self.1 && report.picture.is_some()), Ordering::Relaxed);
        None
    }
}

#[test]
fn the_film_key_begins_and_ends_a_film_also_while_the_run_is_held() {
    let (sink, shared, _) = sink(Speed::Max);
    let filmed = Arc::new(AtomicU32::new(0));
    let mut sink = sink.with_camera(Box::new(Counting(Arc::clone(&filmed), false, Vec::new())));
    let press = || shared.wish(|state| state.record_presses += 1);
    play_and_wait(&mut sink, 0);
    press();
    assert!(matches!(sink.next_frame(), Ok(NextFrame::Now)));
    for frame in 1..=5 {
        play_and_wait(&mut sink, frame);
    }
    assert_eq!(filmed.load(Ordering::Relaxed), 5, "every frame has its picture");
    shared.wish(|state| (state.is_paused, state.latest) = (true, None));
    play(&mut sink, 6);
    assert!(shared.lock().latest.take().expect("a moment").model.is_rolling);
    assert!(matches!(sink.next_frame(), Ok(NextFrame::After(_))));
    press();
    assert!(matches!(sink.next_frame(), Ok(NextFrame::After(_))));
    let moment = shared.lock().latest.take().expect("the message is shown at once");
    assert!(!moment.model.is_rolling && moment.picture.is_some());
    assert_eq!(moment.model.messages.back().map(|message| &*message.text), Some("rolling: false"));
    press();
    assert!(matches!(sink.next_frame(), Ok(NextFrame::After(_))));
    shared.wish(|state| state.screenshots = ["one.png", "two.png", "one.png"].map(str::to_owned).to_vec());
    sink.end(EndCard { outcome: "maxout reached".to_owned(), stuck: None, saved: vec!["game.csv".to_owned()] }, None);
    let moment = shared.lock().latest.take().expect("the end");
    assert_eq!(
        moment.model.messages.back().map(|message| &*message.text),
        Some("rolling: false"),
        "the film is closed"
    );
    let card = moment.model.card.expect("a card");
    assert_eq!(card.outcome, "maxout reached");
    assert_eq!(card.saved, ["game.csv", "counted.gif", "one.png", "two.png"]);
}

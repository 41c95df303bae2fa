//! The view's hold on a run, on a terminal in memory with keys from a list.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::backend::TestBackend;

use super::*;
use crate::view::sample;

type Waiting = Rc<RefCell<VecDeque<Option<Event>>>>;

/// A view whose keys are what is put into the list; `None` is a look that finds no key.
fn view(speed: Speed) -> (TerminalView<TestBackend>, Waiting) {
    let waiting = Waiting::default();
    let source = Rc::clone(&waiting);
    let keys: Keys = Box::new(move |_| Ok(source.borrow_mut().pop_front().flatten()));
    let Ok(terminal) = Terminal::new(TestBackend::new(80, 24));
    (TerminalView::with(terminal, keys, sample::header(), speed, ColourMode::Mono), waiting)
}

fn press(waiting: &Waiting, keys: &str) {
    let events = keys.chars().map(|key| Event::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE)));
    waiting.borrow_mut().extend(events.map(Some));
}

/// Shows one frame; keys are looked at whatever the time.
fn show(view: &mut TerminalView<TestBackend>, frame: u64) -> Flow {
    view.next_keys = Instant::now();
    sample::report(frame, &[], |report| view.frame(report)).expect("memory takes all")
}

#[test]
fn a_pause_holds_the_run_until_its_key_comes_again() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, " ");
    keys.borrow_mut().extend([None, None]);
    press(&keys, "xp");
    assert_eq!(show(&mut view, 7), Flow::Continue);
    assert!(keys.borrow().is_empty(), "all keys up to the second were waited for");
    assert_eq!(view.model().status, Status::Running);
}

#[test]
fn a_step_lets_one_frame_pass() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, "p.");
    assert_eq!(show(&mut view, 1), Flow::Continue);
    assert_eq!(view.model().status, Status::Paused);
    press(&keys, "n");
    assert_eq!(show(&mut view, 2), Flow::Continue);
    press(&keys, "q");
    assert_eq!(show(&mut view, 3), Flow::Stop);
}

#[test]
fn every_quit_key_stops_the_run() {
    let events = [
        KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE),
        KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
        KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
    ];
    for event in events {
        let (mut view, keys) = view(Speed::Max);
        keys.borrow_mut().push_back(Some(Event::Key(event)));
        assert_eq!(show(&mut view, 1), Flow::Stop);
    }
}

#[test]
fn plus_and_minus_change_the_speed_that_is_shown() {
    let (mut view, keys) = view(Speed::Times(2));
    press(&keys, "+=-+");
    show(&mut view, 1);
    assert_eq!((view.model().speed, view.pacer.speed()), (Speed::Times(8), Speed::Times(8)));
}

#[test]
fn the_run_is_paced_in_wall_time() {
    let (mut view, _) = view(Speed::Times(4));
    let start = Instant::now();
    for frame in 0..24 {
        show(&mut view, frame);
    }
    assert!(start.elapsed() >= Duration::from_millis(95), "{:?}", start.elapsed());
}

#[test]
fn frames_that_come_too_fast_are_not_drawn() {
    let (mut view, _) = view(Speed::Max);
    show(&mut view, 1);
    view.next_drawing = Instant::now() + Duration::from_secs(60);
    show(&mut view, 2);
    assert_eq!(view.model().frame, 2);
    let shown = view.terminal.backend().to_string();
    assert!(shown.contains("frame                   1 │"), "{shown}");
}

#[test]
fn the_end_stays_on_the_screen_until_a_key_quits() {
    let (mut view, keys) = view(Speed::Max);
    show(&mut view, 1);
    press(&keys, " .?q");
    view.hold().expect("memory takes all");
    assert_eq!(view.model().status, Status::Ended);
    assert!(keys.borrow().is_empty());
}

#[test]
fn keys_that_cannot_be_read_end_the_run_with_a_reason() {
    let (mut view, _) = view(Speed::Max);
    view.keys = Box::new(|_| Err(io::ErrorKind::UnexpectedEof.into()));
    let error = sample::report(1, &[], |report| view.frame(report)).expect_err("no keys");
    assert!(error.to_string().starts_with("reading keys from the terminal"), "{error}");
}

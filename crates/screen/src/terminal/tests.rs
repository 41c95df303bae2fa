//! How the view controls a run, on a terminal in memory with keys from a list and a clock set by
//! hand.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::backend::TestBackend;

use super::graphics::Protocol;
use super::mailbox::Mail;
use super::*;
use crate::Delays;
use crate::menu_pace::MenuPace;
use crate::sample::{self, HandClock};
use maxout_engine::console::Picture;
use maxout_engine::game::memory::address::{GAME_MODE, GAME_MODE_STATE};
use maxout_engine::ram::GameMode;

type Waiting = Rc<RefCell<VecDeque<Option<Event>>>>;

fn opening(speed: Speed) -> ViewOptions {
    ViewOptions { header: sample::header(), pace: Pace { speed, menus: MenuPace::Real }, ..ViewOptions::default() }
}

/// A view without a thread, whose keys are what is put into the list; `None` is a look that
/// finds no key.
fn view(speed: Speed) -> (TerminalView, Waiting) {
    let (view, waiting, _) = timed_view(speed);
    (view, waiting)
}

/// The same with its clock.
fn timed_view(speed: Speed) -> (TerminalView, Waiting, HandClock) {
    let (waiting, clock) = (Waiting::default(), HandClock::default());
    let source = Rc::clone(&waiting);
    let keys: Keys = Box::new(move || Ok(source.borrow_mut().pop_front().flatten()));
    (TerminalView::new(keys, opening(speed), clock.boxed(), Arc::default()), waiting, clock)
}

fn press(waiting: &Waiting, keys: &str) {
    let events = keys.chars().map(|key| Event::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE)));
    waiting.borrow_mut().extend(events.map(Some));
}

/// Shows one frame, and asks until the next one may begin; keys are read in every frame.
fn show(view: &mut TerminalView, frame: u64) -> Flow {
    show_and_sleep(view, frame, |_| ())
}

/// The same; the host sleeps with this function.
fn show_and_sleep(view: &mut TerminalView, frame: u64, sleep: impl Fn(Duration)) -> Flow {
    view.next_keys = view.clock.now();
    if sample::report(frame, &[], |report| view.frame(report)).expect("memory takes all") == Flow::Stop {
        return Flow::Stop;
    }
    for _ in 0..100 {
        match view.next_frame().expect("memory takes all") {
            NextFrame::Now => return Flow::Continue,
            NextFrame::Never => return Flow::Stop,
            NextFrame::After(wait) => sleep(wait),
        }
    }
    panic!("the run is held for ever");
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
fn escape_pauses_and_goes_on() {
    let (mut view, keys) = view(Speed::Max);
    let escape = || Some(Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)));
    keys.borrow_mut().push_back(escape());
    view.next_keys = view.clock.now();
    sample::report(1, &[], |report| view.frame(report)).expect("memory takes all");
    assert_eq!(view.model().status, Status::Paused);
    keys.borrow_mut().push_back(escape());
    assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::Now);
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
    let (mut view, keys, clock) = timed_view(Speed::Times(2));
    press(&keys, "+=-+");
    show_and_sleep(&mut view, 1, |wait| clock.pass(wait));
    assert_eq!((view.model().speed, view.pacer.speed()), (Speed::Times(8), Speed::Times(8)));
}

#[test]
fn the_run_is_paced_by_the_clock_of_its_host() {
    let (mut view, _, clock) = timed_view(Speed::Times(4));
    for frame in 0..24 {
        show_and_sleep(&mut view, frame, |wait| clock.pass(wait));
    }
    // Waits below a millisecond are left to add up; a frame takes 4.16 ms here.
    assert!((95..=100).contains(&clock.now().as_millis()), "{:?}", clock.now());
}

/// The model that waits to be drawn.
fn waiting(view: &TerminalView) -> Box<ViewModel> {
    assert!(!view.mailbox.is_empty());
    match view.mailbox.take() {
        Mail::Model(model) => model,
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_that_come_too_fast_are_not_shown() {
    let (mut view, _) = view(Speed::Max);
    show(&mut view, 1);
    view.next_put = view.clock.now() + Duration::from_secs(60);
    show(&mut view, 2);
    assert_eq!((view.model().frame, waiting(&view).frame), (2, 1));
    // The thread has taken it, and is ready for another one.
    show(&mut view, 3);
    assert_eq!(waiting(&view).frame, 3);
}

#[test]
fn a_drawing_that_takes_forever_holds_nobody() {
    let (mut view, _) = view(Speed::Max);
    for frame in 0..1000 {
        view.next_put = view.clock.now();
        show(&mut view, frame);
    }
    assert_eq!(waiting(&view).frame, 999);
    assert!(view.mailbox.is_empty());
}

fn picture(colour: [u8; 3]) -> Picture {
    Picture { pixels: vec![colour; Picture::WIDTH * Picture::HEIGHT] }
}

/// Shows one frame for which the picture was asked, if it is wanted.
fn show_picture(view: &mut TerminalView, frame: u64, colour: Option<[u8; 3]>) -> bool {
    view.next_keys = view.clock.now();
    let is_wanted = view.wants_picture();
    let picture = colour.filter(|_| is_wanted).map(picture);
    let shown = sample::report(frame, &[], |report| view.frame(&FrameReport { picture: picture.as_ref(), ..*report }));
    shown.expect("memory takes all");
    is_wanted
}

#[test]
fn pictures_are_drawn_only_while_they_are_watched() {
    let (mut view, keys) = view(Speed::Max);
    assert!(!show_picture(&mut view, 1, Some([1; 3])));
    press(&keys, "v");
    show_picture(&mut view, 2, None);
    assert_eq!(view.model().showing, Showing::Screen);
    assert!(!view.model().is_blind, "no picture was requested yet");
    waiting(&view);
    assert!(show_picture(&mut view, 3, Some([3; 3])));
    assert_eq!(view.model().picture.as_deref(), Some(&picture([3; 3])));
    view.next_put = view.clock.now() + Duration::from_secs(60);
    assert!(!show_picture(&mut view, 4, Some([4; 3])), "the last one has not been drawn yet");
    press(&keys, "v");
    show_picture(&mut view, 5, None);
    show_picture(&mut view, 6, None);
    assert_eq!((view.model().showing, &view.model().picture), (Showing::Panels, &None));
}

#[test]
fn a_frame_without_a_picture_does_not_take_the_place_of_one_with() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, "v");
    show_picture(&mut view, 1, None);
    // The thread takes what waits while the next frame is made: too late to ask for its picture.
    view.next_put = view.clock.now() + Duration::from_secs(60);
    view.put();
    assert!(!view.wants_picture());
    waiting(&view);
    show(&mut view, 2);
    assert!(view.mailbox.is_empty());
    assert!(show_picture(&mut view, 3, Some([3; 3])));
    assert_eq!(waiting(&view).picture.as_deref(), Some(&picture([3; 3])));
}

#[test]
fn a_console_that_draws_nothing_is_called_blind() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, "v");
    show_picture(&mut view, 1, None);
    assert!(show_picture(&mut view, 2, None));
    assert!(view.model().is_blind);
}

/// A host that is to stop does not ask again.
#[test]
fn a_pause_answers_its_host_at_once() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, " ");
    view.next_keys = view.clock.now();
    let flow = sample::report(1, &[], |report| view.frame(report)).expect("memory takes all");
    assert_eq!((flow, view.model().status), (Flow::Continue, Status::Paused));
    for _ in 0..3 {
        assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::After(PAUSED_INTERVAL));
    }
}

/// Counts the frames that it films.
#[derive(Default)]
struct Counting {
    is_rolling: bool,
    frames: Rc<RefCell<u32>>,
}

impl Camera for Counting {
    fn toggle(&mut self) -> CameraResult {
        self.is_rolling = !self.is_rolling;
        Ok(format!("rolling: {}", self.is_rolling))
    }

    fn is_rolling(&self) -> bool {
        self.is_rolling
    }

    fn frame(&mut self, report: &FrameReport<'_>) -> Option<CameraResult> {
        *self.frames.borrow_mut() += u32::from(self.is_rolling && report.picture.is_some());
        None
    }
}

#[test]
fn the_camera_gets_every_picture_between_two_presses_of_its_key() {
    let (view, keys) = view(Speed::Max);
    let frames = Rc::new(RefCell::new(0));
    let mut view = view.with_camera(Box::new(Counting { frames: Rc::clone(&frames), ..Counting::default() }));
    show_picture(&mut view, 1, Some([1; 3]));
    press(&keys, "r");
    show_picture(&mut view, 2, Some([1; 3]));
    assert!(view.model().is_rolling);
    for frame in 3..8 {
        assert!(show_picture(&mut view, frame, Some([1; 3])));
    }
    press(&keys, "r");
    show_picture(&mut view, 8, Some([1; 3]));
    assert!(!view.model().is_rolling && !show_picture(&mut view, 9, Some([1; 3])));
    assert_eq!(*frames.borrow(), 6);
    let said: Vec<&str> = view.model().messages.iter().map(|message| &*message.text).collect();
    assert_eq!(said, ["rolling: true", "rolling: false"]);
}

#[test]
fn without_a_camera_its_key_says_so() {
    let (mut view, keys) = view(Speed::Max);
    press(&keys, "r");
    show(&mut view, 1);
    assert!(view.model().messages.back().is_some_and(|message| message.tone == Tone::Bad));
}

#[test]
fn a_delay_counts_once_until_the_run_has_caught_up() {
    let (mut view, _) = view(Speed::Times(1));
    let start = view.clock.now();
    view.pacer.restart(start);
    let frame = |number: u32, delay: u64| start + number * Duration::from_micros(16_639) + Duration::from_millis(delay);
    for (number, delay) in [(0, 2), (1, 40), (2, 25), (3, 3), (4, 20)] {
        let now = frame(number, delay);
        view.note_delay(now);
        view.pacer.wait(now);
    }
    let Delays { count, longest } = view.model().delays;
    assert_eq!((count, longest.as_millis()), (2, 23));
    view.set_speed(Speed::Times(2));
    view.note_delay(start + Duration::from_secs(1));
    assert_eq!(view.model().delays.count, 2, "other speeds promise nothing");
}

#[test]
fn the_thread_draws_what_it_is_given_and_ends_with_the_view() {
    let Ok(terminal) = Terminal::new(TestBackend::new(80, 24));
    let (keys, clock): (Keys, _) = (Box::new(|| Ok(None)), HandClock::default().boxed());
    let mut view = TerminalView::on(terminal, keys, opening(Speed::Max), ColourMode::Mono, clock).expect("a thread");
    while !view.mailbox.is_empty() {
        std::thread::yield_now();
    }
    show(&mut view, 1);
    drop(view);
}

fn painter(graphics: Option<Graphics>) -> Painter<TestBackend> {
    let Ok(terminal) = Terminal::new(TestBackend::new(80, 24));
    Painter::new(terminal, ColourMode::True, graphics)
}

#[test]
fn a_painter_draws_a_model_and_draws_it_again() {
    let mut painter = painter(None);
    painter.paint(Some(Box::new(sample::model()))).expect("memory takes all");
    let first = painter.terminal().backend().to_string();
    assert!(first.contains("312,400"), "{first}");
    painter.paint(None).expect("memory takes all");
    assert_eq!(painter.terminal().backend().to_string(), first);
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<std::sync::Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Kept {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().expect("one thread"))).expect("text")
    }
}

#[test]
fn pixels_are_shown_once_a_drawing_and_erased_when_something_else_is_shown() {
    let out = Kept::default();
    let graphics = Graphics { protocol: Protocol::Kitty, cell_pixels: || Some((10, 20)), out: Box::new(out.clone()) };
    let mut painter = painter(Some(graphics));
    let mut model = sample::model();
    painter.paint(Some(Box::new(model.clone()))).expect("memory takes all");
    assert_eq!(out.take(), "", "panels are no picture");
    model.showing = Showing::Screen;
    model.picture = Some(Arc::new(picture([9; 3])));
    painter.paint(Some(Box::new(model.clone()))).expect("memory takes all");
    let shown = out.take();
    assert!(shown.starts_with("\x1b[2;1H\x1b_Ga=T,") && shown.contains("c=53,r=22"), "{shown}");
    painter.paint(Some(Box::new(model.clone()))).expect("memory takes all");
    assert_eq!(out.take(), "", "the same picture is there already");
    model.help = true;
    painter.paint(Some(Box::new(model.clone()))).expect("memory takes all");
    assert!(out.take().starts_with("\x1b_Ga=d,d=I,i=1"));
    model.help = false;
    painter.paint(Some(Box::new(model))).expect("memory takes all");
    assert!(out.take().contains("a=T"));
    drop(painter);
    assert!(out.take().starts_with("\x1b_Ga=d"), "nothing stays behind");
}

#[test]
fn the_end_stays_on_the_screen_until_a_key_quits() {
    let (mut view, keys) = view(Speed::Max);
    show(&mut view, 1);
    let card = EndCard { outcome: "maxout reached".to_owned(), stuck: None, saved: vec!["game.csv".to_owned()] };
    view.screenshots = vec!["one.svg".to_owned(); 2];
    assert!(view.end(card, Some(picture([5; 3]))));
    let saved = ["game.csv", "one.svg"].map(str::to_owned).to_vec();
    let card = EndCard { outcome: "maxout reached".to_owned(), stuck: None, saved };
    assert_eq!((&view.model().card, view.model().picture.as_deref()), (&Some(card), Some(&picture([5; 3]))));
    assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::After(PAUSED_INTERVAL));
    press(&keys, ".+-?vr");
    assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::After(PAUSED_INTERVAL));
    assert_eq!((view.model().help, view.model().showing), (true, Showing::Screen));
    for key in ["q", " ", "x"] {
        press(&keys, key);
        assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::Never, "{key:?}");
    }
    assert_eq!(view.model().status, Status::Ended);
    assert!(keys.borrow().is_empty());
}

#[test]
fn keys_that_cannot_be_read_end_the_run_with_a_reason() {
    let (mut view, _) = view(Speed::Max);
    view.keys = Box::new(|| Err(io::ErrorKind::UnexpectedEof.into()));
    let error = sample::report(1, &[], |report| view.frame(report)).expect_err("no keys");
    assert!(error.to_string().starts_with("reading keys from the terminal"), "{error}");
}

#[test]
fn menus_that_are_hurried_through_do_not_wait() {
    let (waiting, clock) = (Waiting::default(), HandClock::default());
    let source = Rc::clone(&waiting);
    let keys: Keys = Box::new(move || Ok(source.borrow_mut().pop_front().flatten()));
    let opening = ViewOptions { pace: Speed::Times(1).into(), ..opening(Speed::Times(1)) };
    let mut view = TerminalView::new(keys, opening, clock.boxed(), Arc::default());
    let mut menu = sample::ram();
    (menu[GAME_MODE], menu[GAME_MODE_STATE]) = (GameMode::Title.byte(), 0);
    for frame in 0..100 {
        assert!(view.model().is_hurried, "frame {frame}");
        let snapshot = sample::snapshot(&menu);
        sample::report_of(&snapshot, None, frame, &[], |report| view.frame(report)).expect("memory takes all");
        assert_eq!(view.next_frame().expect("memory takes all"), NextFrame::Now);
    }
    sample::report(100, &[], |report| view.frame(report)).expect("memory takes all");
    assert!(!view.model().is_hurried);
    assert!(matches!(view.next_frame().expect("memory takes all"), NextFrame::After(wait) if wait.as_millis() == 16));
    assert_eq!(view.model().delays.count, 0);
}

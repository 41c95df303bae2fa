//! A run that is stepped by its host: what a report has, and when.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use maxout_engine::bot::{Error, Event, Flow, FrameReport, FrameSink, Goal, Outcome, Pilot, Run, SinkError};
use maxout_engine::clock::Clock;
use maxout_engine::console::{Console, Picture, Simulated, Video};
use maxout_engine::game::Position;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Plan, Player, PlayerError, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

fn run<C: Console>(console: C, player: impl Player + 'static, goal: Goal) -> Run<C> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    Run::new(console, decoder, Pilot::new(Box::new(player), 19, 1), goal)
}

fn search() -> Search {
    Search::new(handmade::by_name("el-tetris", None).expect("embedded weights"), Settings::default())
}

/// Plans the first two pieces by doing nothing, and fails at the third.
struct Failing(u32);

impl Player for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn plan(&mut self, _position: &Position, _falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        self.0 += 1;
        if self.0 < 3 {
            return Ok(None);
        }
        Err(PlayerError { player: "failing".to_owned(), problem: "lost".to_owned() })
    }
}

#[test]
fn the_frame_in_which_the_player_failed_is_played_and_reported() {
    let mut run = run(Simulated::power_on(), Failing(0), Goal::Topout);
    let last = loop {
        let report = run.frame().expect("a frame");
        if report.failure.is_none() {
            assert_eq!(report.outcome, None);
            assert!(report.finish(Flow::Continue).expect("it goes on").is_none());
            continue;
        }
        assert_eq!((report.outcome, report.tally.pieces), (Some(Outcome::Stopped), 2));
        let Err(Error::Player { error, so_far }) = report.finish(Flow::Continue) else { panic!("the player failed") };
        assert_eq!(error.problem, "lost");
        assert_eq!((so_far.frames, so_far.tally.pieces), (report.frame + 1, 2));
        break report.frame;
    };
    assert_eq!(run.frames(), last + 1);
}

/// Each look at it takes a second.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_plan_is_measured_by_the_clock_of_the_host_and_by_none_otherwise() {
    let mut measured = run(Simulated::power_on(), search(), Goal::Pieces(2)).with_clock(Box::new(Ticking::default()));
    let mut plain = run(Simulated::power_on(), search(), Goal::Pieces(2));
    loop {
        let (report, other) = (measured.frame().expect("a frame"), plain.frame().expect("a frame"));
        let planned = report.events.contains(&Event::Planned);
        assert_eq!(report.thought, planned.then_some(Duration::from_secs(1)), "frame {}", report.frame);
        assert_eq!((other.thought, other.buttons), (None, report.buttons));
        if report.outcome.is_some() {
            break;
        }
    }
}

/// A console whose pictures are all black, and which keeps how often they were switched on.
struct Drawing {
    console: Simulated,
    switched_on: u32,
}

impl Console for Drawing {
    maxout_engine::pass_on!(self.console, but set_video, picture);

    fn set_video(&mut self, video: Video) {
        self.switched_on += u32::from(video == Video::On);
    }

    fn picture(&mut self) -> Option<Picture> {
        Some(Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] })
    }
}

#[test]
fn a_picture_is_in_the_report_of_the_frame_for_which_it_was_asked() {
    let mut console = Drawing { console: Simulated::power_on(), switched_on: 0 };
    // A borrowed console, as a boxed one, hands on all that it is asked.
    let mut run = run(Box::new(&mut console) as Box<dyn Console + '_>, search(), Goal::Topout);
    for frame in 0..9_u64 {
        if frame % 3 == 1 {
            run.ask_for_picture();
        }
        assert_eq!(run.frame().expect("a frame").picture.is_some(), frame % 3 == 1, "frame {frame}");
    }
    drop(run);
    assert_eq!(console.switched_on, 3);
}

/// Stops at a frame, and wants the pictures of even frames.
struct Stops {
    at: u64,
    heard: Vec<(u64, bool)>,
}

impl FrameSink for Stops {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.heard.push((report.frame, report.picture.is_some()));
        Ok(if report.frame == self.at { Flow::Stop } else { Flow::Continue })
    }

    fn wants_picture(&self) -> bool {
        self.heard.len().is_multiple_of(2)
    }
}

#[test]
fn all_listeners_hear_of_the_frame_in_which_one_of_them_stops_the_run() {
    let stops = |at| Stops { at, heard: Vec::new() };
    let (mut first, mut second) = (stops(4), stops(9));
    let mut run = run(Drawing { console: Simulated::power_on(), switched_on: 0 }, search(), Goal::Topout);
    let finished = run.play(&mut [&mut first, &mut second], &AtomicBool::new(false)).expect("a run");
    assert_eq!((finished.outcome, finished.frames), (Outcome::Stopped, 5));
    assert_eq!(first.heard, [(0, true), (1, false), (2, true), (3, false), (4, true)]);
    assert_eq!(first.heard, second.heard);
    let stopped = run.play(&mut [], &AtomicBool::new(true)).expect("a run");
    assert_eq!((stopped.outcome, stopped.frames), (Outcome::Stopped, 6), "a stop is seen after a frame");
}

#[test]
fn a_goal_goes_before_a_stop() {
    let mut run = run(Simulated::power_on(), search(), Goal::Frames(1));
    let finished = run.play(&mut [], &AtomicBool::new(true)).expect("a run");
    assert_eq!(finished.outcome, Outcome::Goal);
}

//! Watching changes nothing: pictures are drawn only for listeners that want them, and every
//! button, every byte of RAM and every plan stays the same.

use std::io;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::{fs, thread, time::Duration};

use maxout_console::{Emulator, Rom, WallClock};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Picture, Simulated, Video};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap, RamSnapshot};
use maxout_screen::{ColourMode, Showing, Speed, TerminalView, ViewOptions};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

#[cfg(target_os = "linux")]
use crate::skipped;

/// Menus, and the first pieces of a game.
const FRAMES: u64 = 900;

fn emulator() -> Emulator {
    Emulator::new(&Rom::cartridge()).expect("the cartridge runs")
}

/// Keeps the report of every frame and wants the picture of every third frame.
#[derive(Default)]
struct Watcher {
    frames: Vec<(Buttons, RamSnapshot)>,
    pictures: Vec<Option<Picture>>,
}

impl FrameSink for Watcher {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.frames.push((report.buttons, report.snapshot.clone()));
        self.pictures.push(report.picture.cloned());
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        self.frames.len().is_multiple_of(3)
    }
}

/// Keeps the same reports and wants no pictures.
#[derive(Default)]
struct Listener(Vec<(Buttons, RamSnapshot)>);

impl FrameSink for Listener {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.0.push((report.buttons, report.snapshot.clone()));
        Ok(Flow::Continue)
    }
}

fn play(console: &mut dyn Console, sinks: &mut [&mut dyn FrameSink]) {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let search = Search::new(handmade::by_name("el-tetris", None).expect("embedded weights"), Settings::default());
    let pilot = Pilot::new(Box::new(search), 19, 1);
    let mut run = Run::new(console, decoder, pilot, Goal::Frames(FRAMES));
    run.play(sinks, &AtomicBool::new(false)).expect("a game");
}

#[test]
fn pictures_are_drawn_when_they_are_wanted_and_change_nothing() {
    let (mut alone, mut watched) = (Listener::default(), Watcher::default());
    play(&mut emulator(), &mut [&mut alone]);
    play(&mut emulator(), &mut [&mut watched]);
    assert_eq!(alone.0, watched.frames);
    assert!(watched.pictures.iter().enumerate().all(|(frame, picture)| picture.is_some() == frame.is_multiple_of(3)));

    // A picture does not depend on which pictures were drawn before it.
    let mut always = Emulator::with_video(&Rom::cartridge(), Video::On).expect("the cartridge runs");
    for (picture, &(buttons, _)) in watched.pictures.iter().zip(&watched.frames) {
        always.step(buttons).expect("a frame");
        if picture.is_some() {
            assert!(always.picture() == *picture, "pictures differ");
        }
    }
    let colours = |picture: &Picture| {
        let mut colours = picture.pixels.clone();
        colours.sort_unstable();
        colours.dedup();
        colours.len()
    };
    let last = watched.pictures.iter().flatten().next_back().expect("a picture");
    assert!((4..=25).contains(&colours(last)), "{}", colours(last));
}

#[test]
fn a_console_without_pictures_returns_none() {
    let mut watched = Watcher::default();
    play(&mut Simulated::power_on(), &mut [&mut watched]);
    assert!(watched.pictures.iter().all(Option::is_none));
}

#[test]
fn a_game_in_a_terminal_is_the_same_game() {
    let mut alone = Listener::default();
    play(&mut emulator(), &mut [&mut alone]);
    for showing in [Showing::Panels, Showing::Screen] {
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, 80, 24)) };
        let terminal =
            Terminal::with_options(CrosstermBackend::new(io::sink()), options).expect("a terminal in memory");
        let clock = Box::new(WallClock::start());
        let opening = ViewOptions { pace: Speed::Max.into(), showing, ..ViewOptions::default() };
        let mut view =
            TerminalView::on(terminal, Box::new(|| Ok(None)), opening, ColourMode::True, clock).expect("a thread");
        let mut listener = Listener::default();
        play(&mut emulator(), &mut [&mut listener, &mut view]);
        assert_eq!(alone.0, listener.0);
        assert_eq!(view.model().picture.is_some(), showing == Showing::Screen);
    }
}

/// Closing the window of a terminal ends the game in it.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_hangs_up_ends_the_program() {
    ends_with_its_terminal("exec", "", |folder| super::waiting::wait_for_lines(&folder.join("game.csv"), 101, 60));
}

/// Also while the end is shown, and where no signal tells of it: the program is in a session of its own.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_hangs_up_ends_the_program_while_its_end_is_shown() {
    let is_shown = |folder: &Path| fs::read(folder.join("shown")).is_ok_and(|shown| contains(&shown, b"leave"));
    ends_with_its_terminal("setsid -w", "--until pieces:1 --speed max", |folder| {
        super::waiting::wait(60, "the end is shown", || is_shown(folder));
        // The program is waiting for a key.
        thread::sleep(Duration::from_millis(300));
    });
}

#[cfg(target_os = "linux")]
fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|found| found == part)
}

/// Starts a game in a terminal, takes the terminal away when `wait` returns, and expects the game to
/// end. `shown` in the folder is what the terminal got.
#[cfg(target_os = "linux")]
fn ends_with_its_terminal(start: &str, options: &str, wait: impl Fn(&Path)) {
    if skipped::program("script").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let [pid, log, shown] = ["pid", "game.csv", "shown"].map(|name| folder.path().join(name));
    let game = format!(
        "stty rows 30 cols 100; {start} sh -c 'echo $$ > {}; exec {} play --console simulated --view terminal --log {} {options}'",
        pid.display(),
        env!("CARGO_BIN_EXE_maxout"),
        log.display()
    );
    // `script` owns the other end of the terminal.
    let mut script = Command::new("script");
    script.args(["-q", "-f", "-c", &game]).arg(&shown).env("SHELL", "/bin/sh").env("TERM", "xterm");
    script.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut terminal = script.spawn().expect("script starts");
    wait(folder.path());
    terminal.kill().and_then(|()| terminal.wait()).expect("killed");
    let game = fs::read_to_string(&pid).expect("a number");
    let game = Path::new("/proc").join(game.trim());
    // In a container without an init process, an ended process stays as a zombie.
    super::waiting::wait(60, "the game ends", || {
        fs::read_to_string(game.join("status")).map_or(true, |status| status.contains("\nState:\tZ"))
    });
}

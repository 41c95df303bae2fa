//! The live view in a terminal: it keeps the run's pace and handles a few keys, while a thread of
//! its own draws.

mod graphics;
mod keys;
mod listener;
mod mailbox;
mod painter;
mod screen;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use std::time::Duration;

use crossterm::event::Event;
use crossterm::terminal::window_size;
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};

use super::camera::{Camera, CameraResult, NoCamera};
use super::draw::ColourMode;
use super::model::{EndCard, RunHeader, Showing, Status, Tone, ViewModel};
use super::new_file::write_new;
use super::pace::{Pacer, RateMeter};
use super::screenshot::render_svg;
use super::view::{NextFrame, View};
use crate::settings::GraphicsChoice;
use crate::speed::{Pace, Speed};
use keys::{Command, command};
use mailbox::Mailbox;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::clock::Clock;
use maxout_engine::console::Picture;
use painter::{Graphics, Painter};
pub use screen::{Screen, give_back};

/// While the drawing thread is busy, the model that waits for it is replaced this often. Chosen by
/// hand, not measured.
const REPLACE_INTERVAL: Duration = Duration::from_millis(8);
/// Time between two checks for keys while the run goes on. Chosen by hand, not measured.
const KEY_INTERVAL: Duration = Duration::from_millis(8);
/// Time between two checks for keys while the run is paused. Chosen by hand, not measured: a key is
/// answered within a third of a frame.
const PAUSED_INTERVAL: Duration = Duration::from_millis(5);
/// Shorter waits add up until they are this long: sleeping is not more exact. Chosen by hand, not
/// measured.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);
/// Over how long frames a second are measured. Chosen by hand, not measured.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// Keys handled in one go, so that a stuck key cannot hold the run. Chosen by hand, not measured.
const KEYS_AT_ONCE: usize = 16;
/// Size of a screenshot where the terminal does not say how large it is. Chosen by hand, not
/// measured.
const SCREENSHOT: (u16, u16) = (80, 30);

/// Where keys come from: the next terminal event, if there is one. It does not wait for one.
pub type Keys = Box<dyn FnMut() -> io::Result<Option<Event>>>;

/// What a view begins with.
#[derive(Debug, Clone, Default)]
pub struct ViewOptions {
    /// What is known of the run.
    pub header: RunHeader,
    /// How fast to show it.
    pub pace: Pace,
    /// What to show first.
    pub showing: Showing,
    /// How to draw the console's own picture.
    pub graphics: GraphicsChoice,
    /// Set as soon as a key ends the run, for a run that waits for another program and asks no view.
    pub stop: Option<Arc<AtomicBool>>,
}

/// When the next frame may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// At this time of the clock.
    At(Duration),
    /// When a key says so.
    OnKey,
}

/// Shows a run in a terminal at a chosen speed.
///
/// Owns the screen from [`TerminalView::start`] until it is dropped; a panic gives the
/// terminal back first. Drop it before anything else is printed. Drawing happens in a thread of
/// its own: a slow terminal gets fewer drawings, and costs the run nothing.
pub struct TerminalView {
    model: ViewModel,
    keys: Keys,
    mailbox: Arc<Mailbox>,
    painter: Option<JoinHandle<Result<(), SinkError>>>,
    listener: Option<JoinHandle<()>>,
    // Dropped after both threads have ended.
    screen: Option<Screen>,
    clock: Box<dyn Clock>,
    pacer: Pacer,
    begin: Begin,
    meter: RateMeter,
    camera: Box<dyn Camera>,
    /// The names of the screenshots.
    screenshots: Vec<String>,
    was_late: bool,
    /// Was the picture of this frame asked for?
    asked: Cell<bool>,
    next_put: Duration,
    next_keys: Duration,
}

impl TerminalView {
    /// Takes the terminal of standard output and shows a run that has not begun.
    ///
    /// # Errors
    /// When standard output is not a terminal, or the terminal refuses.
    pub fn start(opening: ViewOptions, colours: ColourMode, clock: Box<dyn Clock>) -> Result<TerminalView, SinkError> {
        let screen = Screen::take().map_err(cannot_take)?;
        let choice = opening.graphics;
        let has = if choice == GraphicsChoice::Blocks { Vec::new() } else { graphics::ask().map_err(cannot_take)? };
        let graphics = graphics::chosen(choice, &has).map(|protocol| Graphics {
            protocol,
            cell_pixels,
            out: Box::new(BufWriter::new(stdout())),
        });
        let is_missed = graphics.is_none() && choice != GraphicsChoice::Blocks;
        let terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>> =
            Terminal::new(CrosstermBackend::new(BufWriter::new(stdout()))).map_err(cannot_take)?;
        let mailbox = Arc::new(Mailbox::default());
        let (listener, keys) = listener::spawn(Arc::clone(&mailbox), opening.stop.clone()).map_err(cannot_take)?;
        let mut view = TerminalView::new(keys, opening, clock, mailbox);
        view.listener = Some(listener);
        view.screen = Some(screen);
        if is_missed {
            view.model.say("no such graphics here: half blocks instead", Tone::Bad);
        }
        view.draw_in_a_thread(Painter::new(terminal, colours, graphics))?;
        Ok(view)
    }

    /// A view on any backend, with keys from anywhere: to embed the view, and to measure it.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn on<B>(
        terminal: Terminal<B>,
        keys: Keys,
        opening: ViewOptions,
        colours: ColourMode,
        clock: Box<dyn Clock>,
    ) -> Result<TerminalView, SinkError>
    where
        B: Backend + Send + 'static,
        B::Error: Send + Sync + 'static,
    {
        let mut view = TerminalView::new(keys, opening, clock, Arc::default());
        view.draw_in_a_thread(Painter::new(terminal, colours, None))?;
        Ok(view)
    }

    fn draw_in_a_thread<B>(&mut self, painter: Painter<B>) -> Result<(), SinkError>
    where
        B: Backend + Send + 'static,
        B::Error: Send + Sync + 'static,
    {
        self.painter = Some(painter::spawn(painter, Arc::clone(&self.mailbox)).map_err(cannot_take)?);
        self.put();
        Ok(())
    }

    /// A view whose models stay in the mailbox.
    fn new(keys: Keys, opening: ViewOptions, clock: Box<dyn Clock>, mailbox: Arc<Mailbox>) -> TerminalView {
        let now = clock.now();
        let ViewOptions { header, pace, showing, .. } = opening;
        let pacer = Pacer::new(pace, now);
        TerminalView {
            model: ViewModel { speed: pace.speed, showing, is_hurried: pacer.hurries(), ..ViewModel::new(header) },
            keys,
            mailbox,
            painter: None,
            listener: None,
            screen: None,
            clock,
            pacer,
            begin: Begin::At(now),
            meter: RateMeter::new(RATE_WINDOW, now),
            camera: Box::new(NoCamera),
            screenshots: Vec::new(),
            was_late: false,
            asked: Cell::new(false),
            next_put: now,
            next_keys: now,
        }
    }

    /// The same view, with films and pictures by this camera.
    pub fn with_camera(mut self, camera: Box<dyn Camera>) -> TerminalView {
        self.camera = camera;
        self
    }

    /// What is shown.
    pub fn model(&self) -> &ViewModel {
        &self.model
    }

    /// Handles the keys of a run that goes on.
    fn take_keys(&mut self) -> Result<Flow, SinkError> {
        for _ in 0..KEYS_AT_ONCE {
            let Some(event) = (self.keys)().map_err(cannot_read)? else { break };
            if let Some(command) = command(&event) {
                self.obey(command);
                if command == Command::Quit {
                    return Ok(Flow::Stop);
                }
                if self.model.status == Status::Paused {
                    break;
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// Handles the keys of a run that is paused or over, each with a drawing of what it did, until
    /// one lets the run go on, for good or for one frame.
    fn take_keys_of_pause(&mut self) -> Result<NextFrame, SinkError> {
        self.check_painter()?;
        for _ in 0..KEYS_AT_ONCE {
            let Some(event) = (self.keys)().map_err(cannot_read)? else { break };
            let Some(command) = command(&event) else { continue };
            self.obey(command);
            let is_over = self.model.status == Status::Ended;
            if command == Command::Quit || is_over && command.leaves_the_end() {
                return Ok(NextFrame::Never);
            }
            if !is_over && (command == Command::Step || self.model.status == Status::Running) {
                let now = self.clock.now();
                self.pacer.restart(now);
                self.meter.restart(now);
                self.was_late = false;
                self.begin = Begin::At(now);
                return Ok(NextFrame::Now);
            }
            self.put();
        }
        Ok(NextFrame::After(PAUSED_INTERVAL))
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::TogglePause => match self.model.status {
                Status::Running => self.model.status = Status::Paused,
                Status::Paused => self.model.status = Status::Running,
                Status::Ended => {}
            },
            Command::Step if self.model.status == Status::Running => self.model.status = Status::Paused,
            Command::Faster => self.set_speed(self.pacer.speed().faster()),
            Command::Slower => self.set_speed(self.pacer.speed().slower()),
            Command::ToggleHelp => self.model.help = !self.model.help,
            Command::NextView => self.model.showing = self.model.showing.next(),
            Command::Screenshot => self.take_screenshot(),
            Command::Record if self.model.status != Status::Ended => {
                let said = self.camera.toggle();
                self.model.is_rolling = self.camera.is_rolling();
                self.tell(said);
            }
            Command::Step | Command::Record | Command::Redraw | Command::Quit | Command::Other => {}
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.model.speed = speed;
        self.pacer.set_speed(speed, self.clock.now());
        self.was_late = false;
    }

    fn tell(&mut self, said: CameraResult) {
        match said {
            Ok(words) => self.model.say(words, Tone::Plain),
            Err(words) => self.model.say(words, Tone::Bad),
        }
    }

    /// Writes what is shown into a file of the current directory; a message reports the file or the
    /// error.
    fn take_screenshot(&mut self) {
        let (width, height) =
            if self.screen.is_some() { crossterm::terminal::size().unwrap_or(SCREENSHOT) } else { SCREENSHOT };
        let picture = render_svg(&self.model, width, height);
        let name = format!("maxout-frame-{}", self.model.frame);
        match write_new(Path::new("."), &name, "svg", |file| file.write_all(picture.as_bytes())) {
            Ok(name) => {
                self.tell(Ok(format!("screenshot: {name}")));
                self.screenshots.push(name);
            }
            Err((name, error)) => self.tell(Err(format!("no screenshot: {name}: {error}"))),
        }
    }

    /// Is it time to give the drawing thread something? Frames that come faster are not shown.
    fn is_due(&self, now: Duration) -> bool {
        now >= self.next_put || self.mailbox.is_empty()
    }

    /// Does the model have what the view shows? While the console's picture is shown, a frame
    /// without a requested picture is not drawn, and must not replace one that has its picture.
    fn has_what_is_shown(&self) -> bool {
        self.model.showing == Showing::Panels || self.asked.get() || self.model.is_blind
    }

    fn put(&mut self) {
        self.mailbox.put(Box::new(self.model.clone()));
        self.next_put = self.clock.now() + REPLACE_INTERVAL;
    }

    /// The drawing thread ends before the view only when it cannot go on.
    fn check_painter(&mut self) -> Result<(), SinkError> {
        match self.painter.take_if(|thread| thread.is_finished()) {
            Some(thread) => thread.join().unwrap_or_else(|_| {
                let source = io::Error::other("the thread that draws has panicked");
                Err(SinkError { context: "drawing on the terminal".to_owned(), source })
            }),
            None => Ok(()),
        }
    }

    /// Notes a delay at the console's own speed. A frame that is late makes the next ones late,
    /// too, until they have caught up: that counts once.
    fn note_delay(&mut self, now: Duration) {
        if self.pacer.speed() != Speed::Times(1) {
            return;
        }
        let delay = self.pacer.late(now);
        let is_late = !delay.is_zero();
        let delays = &mut self.model.delays;
        delays.count += u32::from(is_late && !self.was_late);
        delays.longest = delays.longest.max(delay);
        self.was_late = is_late;
    }
}

impl FrameSink for TerminalView {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let now = self.clock.now();
        self.model.update(report);
        self.model.is_blind |= self.asked.get() && report.picture.is_none();
        if let Some(said) = self.camera.frame(report) {
            self.tell(said);
        }
        self.model.is_rolling = self.camera.is_rolling();
        self.meter.tick(now);
        if self.pacer.enter(self.model.stage, now) {
            self.meter.restart(now);
        }
        self.model.is_hurried = self.pacer.hurries();
        // While paused, all keys are for `next_frame`.
        if self.model.status == Status::Running && now >= self.next_keys {
            self.next_keys = now + KEY_INTERVAL;
            if self.take_keys()? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        if self.model.status == Status::Paused {
            self.model.frames_per_second = None;
            self.begin = Begin::OnKey;
            self.put();
            return Ok(Flow::Continue);
        }
        let now = self.clock.now();
        self.note_delay(now);
        if self.is_due(now) && self.has_what_is_shown() {
            self.check_painter()?;
            self.model.frames_per_second = self.meter.rate();
            self.put();
        }
        let now = self.clock.now();
        let wait = self.pacer.wait(now);
        self.begin = Begin::At(if wait >= SHORTEST_SLEEP { now + wait } else { now });
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        let is_shown = self.model.showing == Showing::Screen
            && (self.model.status == Status::Paused || self.is_due(self.clock.now()));
        self.asked.set(is_shown);
        is_shown || self.camera.wants_picture()
    }
}

impl View for TerminalView {
    fn next_frame(&mut self) -> Result<NextFrame, SinkError> {
        match self.begin {
            Begin::At(due) => Ok(NextFrame::due_at(due, self.clock.now())),
            Begin::OnKey => self.take_keys_of_pause(),
        }
    }

    /// A film that is still being recorded ends here, too.
    fn end(&mut self, card: EndCard, picture: Option<Picture>) -> bool {
        let names = self.leave();
        self.model.status = Status::Ended;
        self.model.frames_per_second = None;
        self.model.card = Some(card.with_saved(names));
        self.model.is_blind = picture.is_none();
        self.model.picture = picture.map(Arc::new);
        self.begin = Begin::OnKey;
        self.put();
        true
    }

    fn leave(&mut self) -> Vec<String> {
        if self.camera.is_rolling() {
            let said = self.camera.toggle();
            self.tell(said);
        }
        self.model.is_rolling = false;
        self.camera.saved().iter().chain(&self.screenshots).cloned().collect()
    }
}

impl Drop for TerminalView {
    fn drop(&mut self) {
        self.mailbox.close();
        // The result of a thread that has panicked or failed says nothing more.
        let _ = self.painter.take().map(JoinHandle::join);
        let _ = self.listener.take().map(listener::join);
    }
}

/// Pixels of a character cell, where the terminal says it.
fn cell_pixels() -> Option<(u16, u16)> {
    let size = window_size().ok()?;
    let part = |pixels: u16, cells: u16| pixels.checked_div(cells).filter(|&pixels| pixels > 0);
    Some((part(size.width, size.columns)?, part(size.height, size.rows)?))
}

fn cannot_take(source: io::Error) -> SinkError {
    SinkError { context: "taking the terminal for the view".to_owned(), source }
}

fn cannot_read(source: io::Error) -> SinkError {
    SinkError { context: "reading keys from the terminal".to_owned(), source }
}

//! The live view in a terminal: keeps a run's pace and listens to a few keys, while a thread
//! beside it draws.

mod graphics;
mod keys;
mod listener;
mod mailbox;
mod painter;
mod screen;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fs;
use std::io::{self, BufWriter, Stdout, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::event::Event;
use crossterm::terminal::window_size;
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};

use super::camera::{Camera, CameraResult, NoCamera};
use super::draw::ColourMode;
use super::model::{RunHeader, Showing, Status, Tone, ViewModel};
use super::pace::{Pacer, RateMeter};
use super::screenshot::render_svg;
use crate::settings::GraphicsChoice;
use crate::speed::Speed;
use keys::{Command, command};
use mailbox::Mailbox;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use painter::{Graphics, Painter};
use screen::Screen;

/// While the drawing thread is busy, what waits for it is replaced this often.
const REPLACE_INTERVAL: Duration = Duration::from_millis(8);
/// Time between two looks at the keys while the run goes on.
const KEY_INTERVAL: Duration = Duration::from_millis(8);
/// How long a paused view waits for a key at a time.
const PAUSED_WAIT: Duration = Duration::from_millis(20);
/// Shorter waits are left to add up: sleeping is not that exact.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);
/// Over how long frames a second are measured.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// Keys handled in one go, so that a stuck key cannot hold the run.
const KEYS_AT_ONCE: usize = 16;
/// Size of a screenshot where the terminal does not say how large it is.
const SCREENSHOT: (u16, u16) = (80, 30);

/// Where keys come from: waits so long for the next terminal event, if there is one.
pub type Keys = Box<dyn FnMut(Duration) -> io::Result<Option<Event>>>;

/// What a view begins with.
#[derive(Debug, Clone, Default)]
pub struct ViewOptions {
    /// What is known of the run.
    pub header: RunHeader,
    /// How fast to show it.
    pub speed: Speed,
    /// What to show first.
    pub showing: Showing,
    /// How to draw the console's own picture.
    pub graphics: GraphicsChoice,
}

/// Shows a run in a terminal, and paces it.
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
    pacer: Pacer,
    meter: RateMeter,
    camera: Box<dyn Camera>,
    stop: Arc<AtomicBool>,
    was_late: bool,
    /// Was the picture of this frame asked for?
    asked: Cell<bool>,
    next_put: Instant,
    next_keys: Instant,
}

impl TerminalView {
    /// Takes the terminal of standard output and shows a run that has not begun.
    ///
    /// # Errors
    /// When standard output is no terminal, or the terminal refuses.
    pub fn start(opening: ViewOptions, colours: ColourMode) -> Result<TerminalView, SinkError> {
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
        let (listener, keys) = listener::spawn(Arc::clone(&mailbox)).map_err(cannot_take)?;
        let mut view = TerminalView::new(keys, opening, mailbox);
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
    ) -> Result<TerminalView, SinkError>
    where
        B: Backend + Send + 'static,
        B::Error: Send + Sync + 'static,
    {
        let mut view = TerminalView::new(keys, opening, Arc::default());
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
    fn new(keys: Keys, opening: ViewOptions, mailbox: Arc<Mailbox>) -> TerminalView {
        let now = Instant::now();
        let ViewOptions { header, speed, showing, .. } = opening;
        TerminalView {
            model: ViewModel { speed, showing, ..ViewModel::new(header) },
            keys,
            mailbox,
            painter: None,
            listener: None,
            screen: None,
            pacer: Pacer::new(speed, now),
            meter: RateMeter::new(RATE_WINDOW, now),
            camera: Box::new(NoCamera),
            stop: Arc::default(),
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

    /// The same view, which a signal ends even while it is paused.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> TerminalView {
        self.stop = stop;
        self
    }

    /// What is shown.
    pub fn model(&self) -> &ViewModel {
        &self.model
    }

    /// Keeps the end of a run on the screen until a key quits.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn hold(&mut self) -> Result<(), SinkError> {
        self.model.status = Status::Ended;
        while self.wait_for_command()? != Command::Quit {}
        Ok(())
    }

    /// Handles the keys that have been pressed, without waiting.
    fn take_keys(&mut self) -> Result<Flow, SinkError> {
        for _ in 0..KEYS_AT_ONCE {
            let Some(event) = (self.keys)(Duration::ZERO).map_err(cannot_read)? else { break };
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

    /// Holds the run until it may go on, for good or for one frame.
    fn pause(&mut self) -> Result<Flow, SinkError> {
        self.model.frames_per_second = None;
        let flow = loop {
            match self.wait_for_command()? {
                Command::Quit => break Flow::Stop,
                Command::Step => break Flow::Continue,
                _ if self.model.status == Status::Running => break Flow::Continue,
                _ => {}
            }
        };
        let now = Instant::now();
        self.pacer.restart(now);
        self.meter.restart(now);
        self.was_late = false;
        Ok(flow)
    }

    /// Shows what there is, waits for a key that means something, and obeys it. A signal to stop
    /// is as good as the key.
    fn wait_for_command(&mut self) -> Result<Command, SinkError> {
        self.put();
        loop {
            self.check_painter()?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Command::Quit);
            }
            if let Some(event) = (self.keys)(PAUSED_WAIT).map_err(cannot_read)?
                && let Some(command) = command(&event)
            {
                self.obey(command);
                return Ok(command);
            }
        }
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
            Command::Record => {
                let said = self.camera.toggle();
                self.model.is_rolling = self.camera.is_rolling();
                self.tell(said);
            }
            Command::Step | Command::Redraw | Command::Quit => {}
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.model.speed = speed;
        self.pacer.set_speed(speed, Instant::now());
        self.was_late = false;
    }

    fn tell(&mut self, said: CameraResult) {
        match said {
            Ok(words) => self.model.say(words, Tone::Plain),
            Err(words) => self.model.say(words, Tone::Bad),
        }
    }

    /// Writes what is shown into a file of the current directory; a message says how it went.
    fn take_screenshot(&mut self) {
        let name = format!("maxout-frame-{}.svg", self.model.frame);
        let (width, height) =
            if self.screen.is_some() { crossterm::terminal::size().unwrap_or(SCREENSHOT) } else { SCREENSHOT };
        match fs::write(&name, render_svg(&self.model, width, height)) {
            Ok(()) => self.tell(Ok(format!("screenshot: {name}"))),
            Err(error) => self.tell(Err(format!("no screenshot: {name}: {error}"))),
        }
        if let Some(said) = self.camera.still() {
            self.tell(said);
        }
    }

    /// Is it time to give the drawing thread something? Frames that come faster are not shown.
    fn is_due(&self, now: Instant) -> bool {
        now >= self.next_put || self.mailbox.is_empty()
    }

    /// A frame whose picture nobody asked for is not worth a drawing of the picture, and must not
    /// take the place of one that is.
    fn has_what_is_shown(&self) -> bool {
        self.model.showing == Showing::Panels || self.asked.get() || self.model.is_blind
    }

    fn put(&mut self) {
        self.mailbox.put(Box::new(self.model.clone()));
        self.next_put = Instant::now() + REPLACE_INTERVAL;
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
    fn note_delay(&mut self, now: Instant) {
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
        let now = Instant::now();
        self.model.update(report);
        self.model.is_blind |= self.asked.get() && report.picture.is_none();
        if let Some(said) = self.camera.frame(report) {
            self.tell(said);
        }
        self.model.is_rolling = self.camera.is_rolling();
        self.meter.tick(now);
        // While paused, all keys are for `pause`.
        if self.model.status == Status::Running && now >= self.next_keys {
            self.next_keys = now + KEY_INTERVAL;
            if self.take_keys()? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        if self.model.status == Status::Paused {
            return self.pause();
        }
        let now = Instant::now();
        self.note_delay(now);
        if self.is_due(now) && self.has_what_is_shown() {
            self.check_painter()?;
            self.model.frames_per_second = self.meter.rate();
            self.put();
        }
        let wait = self.pacer.wait(Instant::now());
        if wait >= SHORTEST_SLEEP {
            thread::sleep(wait);
        }
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        let is_shown = self.model.showing == Showing::Screen
            && (self.model.status == Status::Paused || self.is_due(Instant::now()));
        self.asked.set(is_shown);
        is_shown || self.camera.wants_picture()
    }
}

impl Drop for TerminalView {
    fn drop(&mut self) {
        self.mailbox.close();
        // A thread that has panicked or failed has nothing more to say.
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

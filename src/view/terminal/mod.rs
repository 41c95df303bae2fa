//! The live view in a terminal: draws the run, keeps its pace, and listens to a few keys.

mod keys;
mod screen;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, BufWriter, Stdout, stdout};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};

use super::draw::{ColourMode, draw};
use super::model::{RunHeader, Status, Tone, ViewModel};
use super::pace::{Pacer, RateMeter, Speed};
use super::screenshot::render_svg;
use crate::bot::{Flow, FrameReport, FrameSink, SinkError};
use keys::{Command, command};
use screen::Screen;

/// Time between two drawings at least; a little less than a frame of the console, so that at
/// its own speed each frame is drawn.
const DRAW_INTERVAL: Duration = Duration::from_millis(15);
/// Drawing may take one part in this many of the time; a slow terminal gets fewer drawings.
const DRAW_SHARE: u32 = 5;
/// Time between two looks at the keyboard while the run goes on.
const KEY_INTERVAL: Duration = Duration::from_millis(8);
/// How long a paused view waits for a key at a time.
const PAUSED_WAIT: Duration = Duration::from_millis(20);
/// Shorter waits are left to add up: sleeping is not that exact.
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);
/// Over how long frames a second are measured.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// Keys handled in one go, so that a stuck key cannot hold the run.
const KEYS_AT_ONCE: usize = 16;

/// Where keys come from: waits so long for the next terminal event, if there is one.
pub type Keys = Box<dyn FnMut(Duration) -> io::Result<Option<Event>>>;

/// Shows a run in a terminal, and paces it.
///
/// Owns the screen from [`TerminalView::start`] until it is dropped; a panic gives the
/// terminal back first. Drop it before anything else is printed.
pub struct TerminalView<B: Backend = CrosstermBackend<BufWriter<Stdout>>> {
    // Dropped before the screen, which gives the terminal back.
    terminal: Terminal<B>,
    screen: Option<Screen>,
    keys: Keys,
    model: ViewModel,
    colours: ColourMode,
    pacer: Pacer,
    meter: RateMeter,
    next_drawing: Instant,
    next_keys: Instant,
}

impl TerminalView {
    /// Takes the terminal of standard output and shows a run that has not begun.
    ///
    /// # Errors
    /// When standard output is no terminal, or the terminal refuses.
    pub fn start(header: RunHeader, speed: Speed, colours: ColourMode) -> Result<TerminalView, SinkError> {
        let screen = Screen::take().map_err(cannot_take)?;
        let terminal = Terminal::new(CrosstermBackend::new(BufWriter::new(stdout()))).map_err(cannot_take)?;
        let keys: Keys = Box::new(|wait| if event::poll(wait)? { event::read().map(Some) } else { Ok(None) });
        let mut view = TerminalView::with(terminal, keys, header, speed, colours);
        view.screen = Some(screen);
        view.draw()?;
        Ok(view)
    }
}

impl<B: Backend> TerminalView<B>
where
    B::Error: Send + Sync + 'static,
{
    /// A view on any backend, with keys from anywhere: for tests, and to embed the view.
    pub fn with(
        terminal: Terminal<B>,
        keys: Keys,
        header: RunHeader,
        speed: Speed,
        colours: ColourMode,
    ) -> TerminalView<B> {
        let now = Instant::now();
        let model = ViewModel { speed, ..ViewModel::new(header) };
        let (pacer, meter) = (Pacer::new(speed, now), RateMeter::new(RATE_WINDOW, now));
        TerminalView { terminal, screen: None, keys, model, colours, pacer, meter, next_drawing: now, next_keys: now }
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
        Ok(flow)
    }

    /// Draws, waits for a key that means something, and obeys it.
    fn wait_for_command(&mut self) -> Result<Command, SinkError> {
        self.draw()?;
        loop {
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
            Command::Screenshot => self.take_screenshot(),
            Command::Step | Command::Redraw | Command::Quit => {}
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.model.speed = speed;
        self.pacer.set_speed(speed, Instant::now());
    }

    /// Writes what is shown into a file of the current directory; a message says how it went.
    fn take_screenshot(&mut self) {
        let name = format!("maxout-frame-{}.svg", self.model.frame);
        let size = self.terminal.size().unwrap_or_default();
        match fs::write(&name, render_svg(&self.model, size.width, size.height)) {
            Ok(()) => self.model.say(format!("screenshot: {name}"), Tone::Plain),
            Err(error) => self.model.say(format!("no screenshot: {name}: {error}"), Tone::Bad),
        }
    }

    /// Draws if it is time to; frames that come faster than that are not drawn.
    fn draw_if_due(&mut self, now: Instant) -> Result<(), SinkError> {
        if now < self.next_drawing {
            return Ok(());
        }
        self.model.frames_per_second = self.meter.rate();
        self.draw()?;
        self.next_drawing = now + DRAW_INTERVAL.max(now.elapsed() * DRAW_SHARE);
        Ok(())
    }

    fn draw(&mut self) -> Result<(), SinkError> {
        if self.screen.as_ref().is_some_and(Screen::is_lost) {
            return Ok(());
        }
        let (model, colours) = (&self.model, self.colours);
        let drawn = self.terminal.draw(|frame| draw(frame, model, colours));
        drawn.map(drop).map_err(|error| SinkError {
            context: "drawing on the terminal".to_owned(),
            source: io::Error::other(error),
        })
    }
}

impl<B: Backend> FrameSink for TerminalView<B>
where
    B::Error: Send + Sync + 'static,
{
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let now = Instant::now();
        self.model.update(report);
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
        self.draw_if_due(now)?;
        let wait = self.pacer.wait(Instant::now());
        if wait >= SHORTEST_SLEEP {
            thread::sleep(wait);
        }
        Ok(Flow::Continue)
    }
}

fn cannot_take(source: io::Error) -> SinkError {
    SinkError { context: "taking the terminal for the view".to_owned(), source }
}

fn cannot_read(source: io::Error) -> SinkError {
    SinkError { context: "reading keys from the terminal".to_owned(), source }
}

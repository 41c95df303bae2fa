//! The window's side: draws the latest frame of the run, and passes the keys on to it.

use std::num::NonZeroU32;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::ModifiersState;
use winit::window::{Fullscreen, Window, WindowId};

use super::keys::{Command, command};
use super::shared::{Moment, Shared, Stage};
use super::surface::{put_in_the_middle, scale_for};
use crate::composite::{Compositor, PictureLayout};
use crate::model::{Status, Tone, ViewModel};
use crate::new_file::write_new;

/// Time between two checks for Ctrl-C. Chosen by hand, not measured.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);
/// How long a message of the window itself is shown. Chosen by hand, not measured.
const NOTE_TIME: Duration = Duration::from_secs(4);
/// The largest scale of a new window on a screen of ordinary density. Chosen by hand, not
/// measured.
const MOST_AT_FIRST: usize = 3;

/// The window on the screen, and its pixels.
struct OnScreen {
    window: Rc<Window>,
    surface: Surface<Rc<Window>, Rc<Window>>,
}

impl OnScreen {
    fn size(&self) -> (usize, usize) {
        let size = self.window.inner_size();
        (size.width as usize, size.height as usize)
    }
}

/// The window, and what it shows.
pub(super) struct App {
    shared: Arc<Shared>,
    /// Set by Ctrl-C.
    stop: Arc<AtomicBool>,
    on_screen: Option<OnScreen>,
    compositor: Compositor,
    moment: Option<Moment>,
    modifiers: ModifiersState,
    help: bool,
    /// A message of the window itself, and since when it is shown.
    note: Option<(String, Tone, Instant)>,
    /// Why there is no window.
    pub(super) problem: Option<String>,
}

impl App {
    pub(super) fn new(shared: Arc<Shared>, stop: Arc<AtomicBool>) -> App {
        App {
            shared,
            stop,
            on_screen: None,
            compositor: Compositor::new(PictureLayout::default()),
            moment: None,
            modifiers: ModifiersState::empty(),
            help: false,
            note: None,
            problem: None,
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<OnScreen, String> {
        let layout =
            PictureLayout { scale: first_scale(event_loop, self.compositor.layout()), ..self.compositor.layout() };
        let smallest = PictureLayout { panel: false, scale: 1, ..layout };
        let attributes = Window::default_attributes()
            .with_title("maxout")
            .with_inner_size(size_of(layout))
            .with_min_inner_size(size_of(smallest));
        let window = Rc::new(event_loop.create_window(attributes).map_err(|error| error.to_string())?);
        let context = Context::new(Rc::clone(&window)).map_err(|error| error.to_string())?;
        let surface = Surface::new(&context, Rc::clone(&window)).map_err(|error| error.to_string())?;
        Ok(OnScreen { window, surface })
    }

    fn obey(&mut self, event_loop: &ActiveEventLoop, command: Command) {
        let is_over = self.shared.lock().stage == Stage::Ended;
        match command {
            command if is_over && command.leaves_the_end() => self.quit(event_loop),
            Command::TogglePause => self.shared.wish(|state| (state.is_paused, state.steps) = (!state.is_paused, 0)),
            // The first press pauses. A press before the last step is done is dropped.
            Command::Step => self.shared.wish(|state| {
                state.steps = u32::from(state.is_paused);
                state.is_paused = true;
            }),
            Command::Faster => self.shared.wish(|state| state.speed = state.speed.faster()),
            Command::Slower => self.shared.wish(|state| state.speed = state.speed.slower()),
            Command::TogglePanel => self.toggle_panel(),
            Command::ToggleGhost => {
                let layout = self.compositor.layout();
                self.compositor = Compositor::new(PictureLayout { ghost: !layout.ghost, ..layout });
            }
            Command::ToggleFullscreen => self.toggle_fullscreen(),
            Command::ToggleHelp => self.help = !self.help,
            Command::Screenshot => self.take_screenshot(),
            Command::Record => self.shared.wish(|state| state.record_presses += 1),
            Command::Quit => self.quit(event_loop),
            Command::Other => {}
        }
        self.redraw();
    }

    fn quit(&mut self, event_loop: &ActiveEventLoop) {
        self.shared.wish(|state| state.quits = true);
        // For a run that waits for another program and asks no view.
        self.stop.store(true, Ordering::Relaxed);
        // A player that thinks for long delays the end of the run, but not that of the window.
        self.on_screen = None;
        if self.shared.lock().stage != Stage::Running {
            event_loop.exit();
        }
    }

    /// Shows or hides the panel. The window keeps its scale and changes its width; a maximised or
    /// full-screen window keeps its size.
    fn toggle_panel(&mut self) {
        let layout = self.compositor.layout();
        let layout = PictureLayout { panel: !layout.panel, ..layout };
        self.compositor = Compositor::new(layout);
        if let Some(OnScreen { window, .. }) = &self.on_screen
            && window.fullscreen().is_none()
            && !window.is_maximized()
        {
            // If the size does not change at once, an event reports the new one.
            let _ = window.request_inner_size(size_of(layout));
        }
    }

    fn toggle_fullscreen(&mut self) {
        if let Some(OnScreen { window, .. }) = &self.on_screen {
            let fills = window.fullscreen().is_none();
            window.set_fullscreen(fills.then_some(Fullscreen::Borderless(None)));
            window.set_cursor_visible(!fills);
        }
    }

    /// Writes what is shown into a file of the current directory; a message reports the file or the
    /// error.
    fn take_screenshot(&mut self) {
        let Some(moment) = &self.moment else { return };
        let name = format!("maxout-frame-{}", moment.model.frame);
        let written = write_new(Path::new("."), &name, "png", |file| self.compositor.write_png(file));
        let (words, tone) = match written {
            Ok(name) => {
                let words = format!("screenshot: {name}");
                self.shared.lock().screenshots.push(name);
                (words, Tone::Plain)
            }
            Err((name, error)) => (format!("no screenshot: {name}: {error}"), Tone::Bad),
        };
        self.note = Some((words, tone, Instant::now()));
    }

    fn redraw(&self) {
        if let Some(on_screen) = &self.on_screen {
            on_screen.window.request_redraw();
        }
    }

    fn draw(&mut self) -> Result<(), softbuffer::SoftBufferError> {
        let Some(on_screen) = &mut self.on_screen else { return Ok(()) };
        let size = on_screen.size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.0 as u32), NonZeroU32::new(size.1 as u32)) else {
            return Ok(());
        };
        let layout = self.compositor.layout();
        let scale = scale_for(layout, size);
        if scale != layout.scale {
            self.compositor = Compositor::new(PictureLayout { scale, ..layout });
        }
        if let Some(moment) = &mut self.moment {
            prepare(&mut moment.model, &self.shared, self.help, self.note.as_ref());
            self.compositor.draw(moment.picture.as_ref(), &moment.model);
        }
        on_screen.surface.resize(width, height)?;
        let mut buffer = on_screen.surface.buffer_mut()?;
        put_in_the_middle(self.compositor.rgb(), self.compositor.size(), &mut buffer, size);
        on_screen.window.pre_present_notify();
        buffer.present()
    }
}

/// Adds the window's own state to a model.
fn prepare(model: &mut ViewModel, shared: &Shared, help: bool, note: Option<&(String, Tone, Instant)>) {
    let state = shared.lock();
    model.status = match (state.stage, state.is_paused) {
        (Stage::Ended, _) => Status::Ended,
        (_, true) => Status::Paused,
        _ => Status::Running,
    };
    model.speed = state.speed;
    model.help = help;
    let is_told = |words: &String| model.messages.back().is_some_and(|message| message.text == *words);
    if let Some((words, tone, since)) = note
        && since.elapsed() < NOTE_TIME
        && !is_told(words)
    {
        model.say(words.clone(), *tone);
    }
}

/// A scale at which the window takes up to 17/20 of the screen.
fn first_scale(event_loop: &ActiveEventLoop, layout: PictureLayout) -> usize {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let Some(monitor) = monitor else { return 2 };
    let most = (MOST_AT_FIRST as f64 * monitor.scale_factor()).round() as usize;
    let part = |length: u32| length as usize * 17 / 20;
    scale_for(layout, (part(monitor.size().width), part(monitor.size().height))).min(most)
}

fn size_of(layout: PictureLayout) -> PhysicalSize<u32> {
    let (width, height) = layout.units();
    PhysicalSize::new((width * layout.scale) as u32, (height * layout.scale) as u32)
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.on_screen.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(on_screen) => {
                self.on_screen = Some(on_screen);
                self.redraw();
                self.shared.wish(|state| state.stage = Stage::Running);
            }
            Err(problem) => {
                self.problem = Some(problem);
                event_loop.exit();
            }
        }
    }

    /// The run has a new frame or has ended.
    fn user_event(&mut self, event_loop: &ActiveEventLoop, (): ()) {
        let (latest, stage) = {
            let mut state = self.shared.lock();
            (state.latest.take(), state.stage)
        };
        if stage == Stage::Gone {
            return event_loop.exit();
        }
        if latest.is_some() {
            self.moment = latest;
            self.redraw();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => self.quit(event_loop),
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } => {
                if let Some(command) = pressed(&event, self.modifiers) {
                    self.obey(event_loop, command);
                }
            }
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.redraw(),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.draw() {
                    log::warn!("the window cannot be drawn: {error}");
                    self.quit(event_loop);
                }
            }
            _ => {}
        }
    }

    /// A window has to be dropped before its connection to the display.
    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        self.on_screen = None;
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.stop.load(Ordering::Relaxed) {
            self.quit(event_loop);
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + INTERRUPT_INTERVAL));
    }
}

fn pressed(event: &KeyEvent, modifiers: ModifiersState) -> Option<Command> {
    let command = command(&event.logical_key, modifiers)?;
    (event.state == ElementState::Pressed && (!event.repeat || command.repeats())).then_some(command)
}

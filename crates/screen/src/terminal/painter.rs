//! The thread that draws. Only it writes to the terminal; the run goes on meanwhile.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::{Rect, Size};

use super::graphics::{Encoder, Protocol};
use super::mailbox::{Mail, Mailbox};
use super::screen::Turn;
use crate::composite::with_ghosts;
use crate::draw::{ColourMode, Pictures, draw_with, picture_area};
use crate::model::ViewModel;
use maxout_engine::bot::SinkError;
use maxout_engine::console::Picture;

/// Shortest time between two drawings; a little less than a frame of the console, so that at its
/// own speed each frame is drawn.
const DRAW_INTERVAL: Duration = Duration::from_millis(15);
/// Longest wait for the next drawing, however slow the terminal is. Chosen by hand, not measured.
const LONGEST_REST: Duration = Duration::from_millis(250);
/// Drawing may take one part in this many of the time; a slow terminal gets fewer drawings. Chosen
/// by hand, not measured.
const DRAW_SHARE: u32 = 3;

/// Where pictures go in pixels, and how.
pub(super) struct Graphics {
    pub(super) protocol: Protocol,
    /// Pixels of a character cell, if the terminal says it; asked again whenever sizes change.
    pub(super) cell_pixels: fn() -> Option<(u16, u16)>,
    /// Where the terminal's own picture commands are written.
    pub(super) out: Box<dyn Write + Send>,
}

/// Draws models on a terminal.
pub(super) struct Painter<B: Backend> {
    terminal: Terminal<B>,
    colours: ColourMode,
    graphics: Option<(Graphics, Encoder)>,
    last: Box<ViewModel>,
    last_size: Size,
    /// Where a picture in pixels is on the screen.
    shown: Option<Rect>,
    /// Which one; most frames of a menu are the same.
    sent: Option<Picture>,
}

impl<B: Backend> Painter<B>
where
    B::Error: Send + Sync + 'static,
{
    pub(super) fn new(terminal: Terminal<B>, colours: ColourMode, graphics: Option<Graphics>) -> Painter<B> {
        let graphics = graphics.map(|graphics| {
            let encoder = Encoder::new(graphics.protocol);
            (graphics, encoder)
        });
        let (last, last_size) = (Box::default(), Size::default());
        Painter { terminal, colours, graphics, last, last_size, shown: None, sent: None }
    }

    /// The terminal, for tests.
    #[cfg(test)]
    pub(super) fn terminal(&self) -> &Terminal<B> {
        &self.terminal
    }

    /// Draws one model, or the last one again.
    pub(super) fn paint(&mut self, model: Option<Box<ViewModel>>) -> Result<(), SinkError> {
        if let Some(model) = model {
            self.last = model;
        }
        let Some(_turn) = Turn::take() else { return Ok(()) };
        self.draw().map_err(|source| SinkError { context: "drawing on the terminal".to_owned(), source })
    }

    fn draw(&mut self) -> io::Result<()> {
        let (model, colours) = (&self.last, self.colours);
        let size = self.terminal.size().map_err(io::Error::other)?;
        let area = Rect::from((ratatui::layout::Position::ORIGIN, size));
        let wanted = self.graphics.as_ref().and_then(|_| picture_area(area, model));
        // The cells below a picture that is removed or moved must be drawn again.
        if let (Some((graphics, encoder)), Some(_)) = (&mut self.graphics, self.shown)
            && (wanted != self.shown || size != self.last_size)
        {
            graphics.out.write_all(encoder.erase().as_bytes())?;
            graphics.out.flush()?;
            self.terminal.clear().map_err(io::Error::other)?;
            self.shown = None;
        }
        self.last_size = size;
        let pictures = if wanted.is_some() { Pictures::Pixels } else { Pictures::Characters };
        self.terminal.draw(|frame| draw_with(frame, model, colours, pictures)).map_err(io::Error::other)?;
        if let (Some((graphics, encoder)), Some(area), Some(picture)) = (&mut self.graphics, wanted, &model.picture) {
            let picture = with_ghosts(picture, &model.cells);
            if self.shown.is_none() || self.sent.as_ref() != Some(&picture) {
                let cell = (graphics.cell_pixels)();
                graphics.out.write_all(encoder.show(&picture, area, cell).as_bytes())?;
                graphics.out.flush()?;
                (self.shown, self.sent) = (Some(area), Some(picture));
            }
        }
        Ok(())
    }
}

impl<B: Backend> Drop for Painter<B> {
    fn drop(&mut self) {
        if let (Some((graphics, encoder)), Some(_)) = (&mut self.graphics, self.shown) {
            // The terminal is given back next; an error here is ignored.
            let _ = graphics.out.write_all(encoder.erase().as_bytes()).and_then(|()| graphics.out.flush());
        }
    }
}

/// Starts the thread; it ends when the mailbox is closed, or with the reason why it cannot draw.
pub(super) fn spawn<B>(mut painter: Painter<B>, mailbox: Arc<Mailbox>) -> io::Result<JoinHandle<Result<(), SinkError>>>
where
    B: Backend + Send + 'static,
    B::Error: Send + Sync + 'static,
{
    thread::Builder::new().name("view".to_owned()).spawn(move || {
        loop {
            let mail = mailbox.take();
            let begin = Instant::now();
            match mail {
                Mail::Model(model) => painter.paint(Some(model))?,
                Mail::Again => painter.paint(None)?,
                Mail::Closed => return Ok(()),
            }
            let took = begin.elapsed();
            thread::sleep(DRAW_INTERVAL.max(took * DRAW_SHARE).saturating_sub(took).min(LONGEST_REST));
        }
    })
}

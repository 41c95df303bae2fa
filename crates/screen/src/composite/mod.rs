//! The picture of the window and of films: the console's own picture, enlarged by a whole number,
//! with the plan drawn into its playfield and a panel about the plan beside it.
//!
//! Plain data in, red, green and blue bytes out. The same model and picture give the same bytes.
//!
//! ```
//! use maxout_screen::{Compositor, PictureLayout, RunHeader, ViewModel};
//!
//! let mut compositor = Compositor::new(PictureLayout { scale: 2, ..PictureLayout::default() });
//! let model = ViewModel::new(RunHeader::default());
//! assert_eq!(compositor.size(), (852, 480));
//! assert_eq!(compositor.draw(None, &model).len(), 3 * 852 * 480);
//! ```

mod canvas;
mod colours;
mod cover;
mod font;
mod ghost;
mod overlay;
mod pad;
mod panel;
mod screen;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use super::model::{Cell, ViewModel, cells};
use canvas::Canvas;
use font::Font;
use maxout_engine::console::Picture;
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::planner::Plan;
use maxout_engine::ram::RamSnapshot;

/// The parts of a picture, and its scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureLayout {
    /// Pixels across a pixel of the console, 1 to [`PictureLayout::MOST`]; text is readable from 2 on.
    pub scale: usize,
    /// Whether the panel is shown beside the console's picture.
    pub panel: bool,
    /// Whether the placements of the plan are drawn into the playfield.
    pub ghost: bool,
}

impl PictureLayout {
    /// The largest scale: 4096 by 3840 pixels. Chosen by hand, not measured.
    pub const MOST: usize = 16;

    /// Width and height of the picture in pixels of the console: 256 by 240, with the panel
    /// 426 by 240, which is 16:9.
    pub const fn units(self) -> (usize, usize) {
        (if self.panel { Picture::WIDTH + panel::WIDTH } else { Picture::WIDTH }, Picture::HEIGHT)
    }
}

impl Default for PictureLayout {
    fn default() -> PictureLayout {
        PictureLayout { scale: 3, panel: true, ghost: true }
    }
}

/// The console's picture with the placements of the plan drawn into its playfield.
pub(crate) fn with_ghosts(picture: &Picture, cells: &[[Cell; WIDTH]; ROWS]) -> Picture {
    let mut canvas = Canvas::new((Picture::WIDTH, Picture::HEIGHT), 1);
    canvas.picture(picture);
    ghost::draw(&mut canvas, cells);
    Picture { pixels: canvas.rgb().as_chunks().0.to_vec() }
}

/// The console's picture with this plan drawn into its playfield: where it puts the falling piece and
/// the next one.
pub fn with_plan(picture: &Picture, snapshot: &RamSnapshot, plan: &Plan) -> Picture {
    with_ghosts(picture, &cells(snapshot, Some(plan)))
}

/// Draws pictures of one layout, each over the last.
#[derive(Debug, Clone)]
pub struct Compositor {
    layout: PictureLayout,
    canvas: Canvas,
    font: Font,
}

impl Compositor {
    /// A compositor with a black picture. A scale out of range is set to the nearest in range.
    pub fn new(layout: PictureLayout) -> Compositor {
        let layout = PictureLayout { scale: layout.scale.clamp(1, PictureLayout::MOST), ..layout };
        Compositor { layout, canvas: Canvas::new(layout.units(), layout.scale), font: Font::new(layout.scale) }
    }

    /// The parts of its pictures, and their scale.
    pub fn layout(&self) -> PictureLayout {
        self.layout
    }

    /// Width and height of its pictures in pixels.
    pub fn size(&self) -> (usize, usize) {
        self.canvas.size()
    }

    /// Draws one frame of a run. Without a console's picture the playfield is drawn from the model.
    /// Returns the pixels row by row from the top left, as red, green, blue.
    pub fn draw(&mut self, picture: Option<&Picture>, model: &ViewModel) -> &[u8] {
        match picture {
            Some(picture) => self.canvas.picture(picture),
            None => screen::draw(&mut self.canvas, &self.font, model),
        }
        if self.layout.ghost {
            ghost::draw(&mut self.canvas, &model.cells);
        }
        if self.layout.panel {
            panel::draw(&mut self.canvas, &self.font, model);
        }
        overlay::draw(&mut self.canvas, &self.font, model);
        self.rgb()
    }

    /// The pixels of the last picture.
    pub fn rgb(&self) -> &[u8] {
        self.canvas.rgb()
    }

    /// Writes the last picture as a PNG.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_png(&self, writer: impl Write) -> io::Result<()> {
        let (width, height) = self.size();
        let mut encoder = png::Encoder::new(writer, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.rgb())?;
        writer.finish()?;
        Ok(())
    }
}

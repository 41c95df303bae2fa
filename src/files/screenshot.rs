//! `--screenshot`: a picture of the end of a run, as the terminal view or the window shows it.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use anyhow::Context;

use crate::system::failure::Failure;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::console::{Picture, Video};
use maxout_screen::{Compositor, PictureLayout, RunHeader, ViewModel, render_svg};

/// Characters of the terminal view in an SVG.
const CHARACTERS: (u16, u16) = (80, 30);

/// Keeps what a view would show.
pub(crate) struct Screenshot<'a> {
    path: &'a Path,
    model: ViewModel,
}

impl<'a> Screenshot<'a> {
    /// Finds out now rather than after the game whether the file can be written.
    pub(crate) fn check(path: &Path) -> Result<(), Failure> {
        fs::write(path, "").context(cannot_write(path)).map_err(Failure::input)
    }

    pub(crate) fn new(path: &'a Path, header: RunHeader) -> Screenshot<'a> {
        Screenshot { path, model: ViewModel::new(header) }
    }

    /// Writes the picture: `.png` as the window shows it, any other name as the terminal does.
    /// `picture` is what the console has drawn.
    pub(crate) fn write(&self, picture: Option<&Picture>) -> Result<(), Failure> {
        let written = if is_png(self.path) {
            let mut compositor = Compositor::new(PictureLayout::default());
            compositor.draw(picture, &self.model);
            File::create(self.path).and_then(|file| compositor.write_png(BufWriter::new(file)))
        } else {
            let (width, height) = CHARACTERS;
            fs::write(self.path, render_svg(&self.model, width, height))
        };
        written.context(cannot_write(self.path)).map_err(Failure::run)
    }
}

impl FrameSink for Screenshot<'_> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.model.update(report);
        Ok(Flow::Continue)
    }
}

/// What the console has to draw for a screenshot of this name.
pub(crate) fn video(path: Option<&Path>) -> Video {
    if path.is_some_and(is_png) { Video::On } else { Video::Off }
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write the screenshot {}", path.display())
}

//! `--screenshot`: a picture of the end of a run, as the terminal view or the window shows it.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::system::failure::Failure;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::console::{Picture, Video};
use maxout_formats::whole;
use maxout_screen::{Compositor, PictureLayout, RunHeader, ViewModel, render_svg};

/// Characters of the terminal view in an SVG.
const CHARACTERS: (u16, u16) = (80, 30);

/// Keeps what a view would show.
pub(crate) struct Screenshot<'a> {
    paths: &'a [PathBuf],
    model: ViewModel,
}

impl<'a> Screenshot<'a> {
    /// Refuses names that are no picture's.
    pub(crate) fn check_names(paths: &[PathBuf]) -> Result<(), Failure> {
        match paths.iter().find(|path| !is_png(path) && !is_svg(path)) {
            None => Ok(()),
            Some(path) => {
                let expected = "expected a picture, its name ending in .svg or .png";
                Err(Failure::input(anyhow!("--screenshot {}: {expected}", path.display())))
            }
        }
    }

    /// `None` without files to write.
    pub(crate) fn new(paths: &'a [PathBuf], header: RunHeader) -> Option<Screenshot<'a>> {
        (!paths.is_empty()).then(|| Screenshot { paths, model: ViewModel::new(header) })
    }

    /// Writes the pictures: `.png` as the window shows it, `.svg` as the terminal does. `picture` is what
    /// the console has drawn.
    pub(crate) fn write(&self, picture: Option<&Picture>) -> Result<(), Failure> {
        let write = |path: &PathBuf| self.write_one(path, picture).context(cannot_write(path)).map_err(Failure::run);
        self.paths.iter().try_for_each(write)
    }

    fn write_one(&self, path: &Path, picture: Option<&Picture>) -> io::Result<()> {
        if is_png(path) {
            let mut compositor = Compositor::new(PictureLayout::default());
            compositor.draw(picture, &self.model);
            let mut bytes = Vec::new();
            compositor.write_png(&mut bytes)?;
            whole::replace(path, &bytes)
        } else {
            let (width, height) = CHARACTERS;
            whole::replace(path, render_svg(&self.model, width, height).as_bytes())
        }
    }
}

impl FrameSink for Screenshot<'_> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.model.update(report);
        Ok(Flow::Continue)
    }
}

/// What the console has to draw for screenshots of these names.
pub(crate) fn video(paths: &[PathBuf]) -> Video {
    if paths.iter().any(|path| is_png(path)) { Video::On } else { Video::Off }
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write the screenshot {}", path.display())
}

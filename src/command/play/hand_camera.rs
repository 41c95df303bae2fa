//! The key `r`: starts and ends a film while a run is watched.

use std::path::{Path, PathBuf};

use maxout_console::colours;
use maxout_engine::bot::FrameReport;
use maxout_engine::game::timing::FRAMES_PER_SECOND;
use maxout_formats::film::{Film, FilmFormat, Reel, Rgb};
use maxout_screen::{Camera, CameraResult, Compositor, PictureLayout, RunHeader, ViewModel, create_new};

/// Writes films into new files of a folder.
pub(crate) struct HandCamera {
    folder: PathBuf,
    model: ViewModel,
    compositor: Compositor,
    rolling: Option<Rolling>,
    saved: Vec<String>,
}

struct Rolling {
    name: String,
    film: Film,
}

impl HandCamera {
    /// A camera that writes nothing until the key is pressed.
    pub(crate) fn new(folder: &Path, header: RunHeader) -> HandCamera {
        let compositor = Compositor::new(PictureLayout::default());
        let model = ViewModel::new(header);
        HandCamera { folder: folder.to_owned(), model, compositor, rolling: None, saved: Vec::new() }
    }

    fn begin(&mut self) -> CameraResult {
        let (name, _) =
            create_new(&self.folder, |number| format!("maxout-{number}.gif")).map_err(|(name, error)| {
                format!("cannot write the recording {}: {error}", self.folder.join(name).display())
            })?;
        let PictureLayout { scale, .. } = PictureLayout::default();
        let (width, height) = PictureLayout::default().units();
        let reel = Reel::new((width * scale) as u32, (height * scale) as u32, FRAMES_PER_SECOND, FilmFormat::Gif);
        let film =
            Film::create(&self.folder.join(&name), &reel.with_colours(colours())).map_err(|error| one_line(&error))?;
        let words = format!("recording {name}");
        self.rolling = Some(Rolling { name, film });
        Ok(words)
    }
}

/// The error and its cause on one line.
fn one_line(error: &maxout_formats::film::FilmError) -> String {
    format!("{error}: {}", error.source)
}

impl Camera for HandCamera {
    fn toggle(&mut self) -> CameraResult {
        let Some(Rolling { name, mut film }) = self.rolling.take() else { return self.begin() };
        film.finish().map_err(|error| one_line(&error))?;
        let words = format!("wrote {name}, {} frames", film.frames());
        self.saved.push(name);
        Ok(words)
    }

    fn is_rolling(&self) -> bool {
        self.rolling.is_some()
    }

    fn saved(&self) -> &[String] {
        &self.saved
    }

    fn wants_picture(&self) -> bool {
        self.rolling.as_ref().is_some_and(|rolling| rolling.film.wants_next())
    }

    fn frame(&mut self, report: &FrameReport<'_>) -> Option<CameraResult> {
        self.model.update(report);
        let HandCamera { model, compositor, rolling, .. } = self;
        let drawn = || Ok(compositor.draw(report.picture, model).as_chunks::<3>().0.to_vec() as Vec<Rgb>);
        let error = rolling.as_mut()?.film.frame(drawn).err()?;
        *rolling = None;
        Some(Err(one_line(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::bot::{Flow, FrameSink, Pilot, Run, SinkError};
    use maxout_engine::console::Simulated;
    use maxout_engine::planner::{Search, Settings};
    use maxout_engine::ram::{Decoder, RamMap};

    /// Presses the key at two frames.
    struct Watcher<'a> {
        camera: HandCamera,
        said: &'a mut Vec<CameraResult>,
    }

    impl FrameSink for Watcher<'_> {
        fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
            self.said.extend(self.camera.frame(report));
            if matches!(report.frame, 10 | 40) {
                self.said.push(self.camera.toggle());
            }
            Ok(Flow::Continue)
        }
    }

    #[test]
    fn the_key_begins_a_film_and_ends_it_and_no_file_is_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = || RunHeader { start_level: 19, ..RunHeader::default() };
        for name in ["maxout-1.gif", "maxout-2.gif"] {
            let mut said = Vec::new();
            let mut watcher = Watcher { camera: HandCamera::new(folder.path(), header()), said: &mut said };
            let evaluator = maxout_engine::judge::handmade::by_name("el-tetris", None).expect("built in");
            let pilot = Pilot::new(Box::new(Search::new(evaluator, Settings::default())), 19, 1);
            let goal = "frames:60".parse().expect("a goal");
            let go_on = std::sync::atomic::AtomicBool::new(false);
            let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
            let mut run = Run::new(Simulated::power_on(), decoder, pilot, goal);
            run.play(&mut [&mut watcher], &go_on).expect("a run");
            assert_eq!(watcher.camera.saved(), [name]);
            assert_eq!(said, [Ok(format!("recording {name}")), Ok(format!("wrote {name}, 30 frames"))]);
            let bytes = std::fs::read(folder.path().join(name)).expect("a film");
            assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"), "{name}");
        }
    }

    #[test]
    fn a_folder_that_is_gone_is_said_in_one_line() {
        let mut camera = HandCamera::new(Path::new("no such folder"), RunHeader::default());
        let line = camera.toggle().expect_err("it cannot be written");
        assert!(line.contains("cannot write the recording") && line.lines().count() == 1, "{line}");
        assert!(!camera.is_rolling());
    }
}

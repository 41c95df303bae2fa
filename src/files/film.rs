//! `--record`: the pictures of a run, as a film.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;

use crate::console::power::Powered;
use crate::files::outputs::{Claims, Outputs};
use crate::system::failure::Failure;
use crate::system::paths::is_special;
use maxout_console::colours;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::console::Picture;
use maxout_engine::game::timing::FRAMES_PER_SECOND;
use maxout_formats::Kind;
use maxout_formats::film::{Film, FilmError, FilmFormat, Reel, ReelError, Rgb, ffmpeg_runs};
use maxout_formats::whole::Claim;
use maxout_screen::numbers::thousands;
use maxout_screen::{Compositor, PictureLayout, RunHeader, Speed, ViewModel};

/// What to film of a run.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Film")]
pub(crate) struct FilmArgs {
    /// Film the game: .gif, .png (animated) or .mp4 (needs ffmpeg); may be repeated
    #[arg(long, value_name = "FILE", group = "films")]
    pub record: Vec<PathBuf>,
    /// What films show besides the game [default: on]
    #[arg(long, value_name = "OVERLAY", requires = "films")]
    pub record_overlay: Option<Overlay>,
    /// Speed of films as a multiple of the console's own, 1 to 64 [default: 1]
    #[arg(long, value_name = "N", requires = "films")]
    pub record_speed: Option<u32>,
    /// Film every N-th frame and show it for N frames [default: as many frames as the format can show,
    /// at most 60 per second]
    #[arg(long, value_name = "N", requires = "films", value_parser = clap::value_parser!(u32).range(1..))]
    pub record_every: Option<u32>,
    /// Size of a console pixel in film pixels, 1 to 8 [default: 2]
    #[arg(long, value_name = "N", requires = "films")]
    pub record_scale: Option<u32>,
    /// First frame to film, counted from power-on [default: 0]
    #[arg(long, value_name = "FRAME", requires = "films")]
    pub record_from: Option<u64>,
    /// Frame to stop at, itself not filmed [default: the end of the run]
    #[arg(long, value_name = "FRAME", requires = "films")]
    pub record_to: Option<u64>,
}

/// What a film shows besides the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Overlay {
    /// The plan in the playfield and the bot's thinking beside the game
    On,
    /// Only the plan in the playfield
    Ghost,
    /// Nothing: the console's picture alone
    Off,
}

/// A requested film, checked.
struct Wanted {
    path: PathBuf,
    format: FilmFormat,
    reel: Reel,
}

/// The requested films, before the run.
pub(crate) struct Films {
    wanted: Vec<Wanted>,
    look: Option<PictureLayout>,
    speed: u32,
    from: u64,
    to: Option<u64>,
}

impl FilmArgs {
    /// Is anything to be filmed?
    pub(crate) fn is_wanted(&self) -> bool {
        !self.record.is_empty()
    }

    /// The requested films; nothing is written yet.
    pub(crate) fn films(&self) -> Result<Films, Failure> {
        let from = self.record_from.unwrap_or(0);
        if let Some(to) = self.record_to.filter(|&to| to <= from) {
            let error = anyhow!("expected --record-to to be later than the first filmed frame {from}, found {to}");
            return Err(Failure::input(error));
        }
        let scale = self.record_scale.unwrap_or(2);
        let look = match self.record_overlay.unwrap_or(Overlay::On) {
            Overlay::Off => None,
            overlay => Some(PictureLayout { scale: scale as usize, panel: overlay == Overlay::On, ghost: true }),
        };
        let wanted = self.record.iter().map(|path| self.wanted(path, scale, look));
        Ok(Films { wanted: wanted.collect::<Result<_, _>>()?, look, speed: self.speed(), from, to: self.record_to })
    }

    fn speed(&self) -> u32 {
        self.record_speed.unwrap_or(1)
    }

    fn wanted(&self, path: &Path, scale: u32, look: Option<PictureLayout>) -> Result<Wanted, Failure> {
        let said = |error: ReelError| Failure::input(anyhow!("film {}: {error}", path.display()));
        let format = FilmFormat::of_path(path).ok_or_else(|| {
            let expected = "expected a film, its name ending in .gif, .png (animated) or .mp4";
            Failure::input(anyhow!("film {}: {expected}", path.display()))
        })?;
        if format == FilmFormat::Apng && is_special(path) {
            let expected =
                "expected a file, found a pipe or a device: the beginning of a .png changes at its end; film a .gif";
            return Err(Failure::input(anyhow!("film {}: {expected}", path.display())));
        }
        let (width, height) = look.map_or((Picture::WIDTH, Picture::HEIGHT), PictureLayout::units);
        // The scale is checked in any case; the compositor draws in that size already.
        let sized = Reel::new(width as u32, height as u32, FRAMES_PER_SECOND, format).scaled(scale).map_err(said)?;
        let reel = match look {
            None => sized,
            Some(_) => Reel::new(width as u32 * scale, height as u32 * scale, FRAMES_PER_SECOND, format),
        };
        let reel = reel.with_colours(colours()).at_speed(self.speed()).map_err(said)?;
        let reel = self.record_every.map_or(Ok(reel.clone()), |every| reel.keeping(every)).map_err(said)?;
        if format == FilmFormat::Mp4 && !ffmpeg_runs() {
            let error = "an .mp4 is made by ffmpeg, which is not installed: install it, or record a .gif or .png";
            return Err(Failure::input(anyhow!("cannot write the recording {}: {error}", path.display())));
        }
        Ok(Wanted { path: path.to_owned(), format, reel })
    }
}

impl Films {
    /// The files to be written.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.wanted.iter().map(|wanted| &*wanted.path)
    }

    /// Adds them to what a run writes.
    pub(crate) fn add_to(&self, outputs: Outputs) -> Outputs {
        let add =
            |outputs: Outputs, wanted: &Wanted| outputs.grows("--record", &wanted.path, Kind::Film(wanted.format));
        self.wanted.iter().fold(outputs, add)
    }

    /// Refuses a console that does not draw what is to be filmed.
    pub(crate) fn check(&self, powered: &Powered) -> Result<(), Failure> {
        if self.needs_picture() && powered.rom.is_none() {
            let error = "--record-overlay off films the console's own picture, and the rules model draws none: leave it \
                         on, or film with --console cartridge";
            return Err(Failure::input(anyhow!(error)));
        }
        Ok(())
    }

    /// Refuses what a host does not send.
    pub(crate) fn check_driven(&self) -> Result<(), Failure> {
        if self.needs_picture() {
            let error = "--record-overlay off films the console's own picture, and a host sends none: leave it on, or \
                         film in the host";
            return Err(Failure::input(anyhow!(error)));
        }
        Ok(())
    }

    /// Do the films show the console's picture alone?
    fn needs_picture(&self) -> bool {
        !self.wanted.is_empty() && self.look.is_none()
    }

    /// Starts them; `None` without any.
    pub(crate) fn start(&self, claims: &mut Claims, header: RunHeader) -> Result<Option<Camera>, Failure> {
        if self.wanted.is_empty() {
            return Ok(None);
        }
        let mut wait = |wanted: &Wanted| Ok(Roll::Waiting(Some((claims.take(&wanted.path)?, wanted.reel.clone()))));
        let rolls = self.wanted.iter().map(&mut wait).collect::<Result<_, Failure>>()?;
        let compositor = self.look.map(Compositor::new);
        let mut model = ViewModel::new(header);
        model.speed = Speed::Times(self.speed);
        Ok(Some(Camera { rolls, compositor, model, from: self.from, to: self.to, next: 0 }))
    }
}

/// A film of a run. Its file changes with the first picture, so a run without one does not cost an
/// old film.
enum Roll {
    /// `None` only while it is started.
    Waiting(Option<(Claim, Reel)>),
    Rolling(Film),
}

impl Roll {
    fn film(&mut self) -> Result<&mut Film, FilmError> {
        if let Roll::Waiting(waiting) = self
            && let Some((claim, reel)) = waiting.take()
        {
            *self = Roll::Rolling(Film::start(claim, &reel)?);
        }
        match self {
            Roll::Rolling(film) => Ok(film),
            Roll::Waiting(_) => Err(FilmError {
                context: "cannot write the recording".to_owned(),
                source: io::Error::other("it could not be started"),
            }),
        }
    }

    fn wants_next(&self) -> bool {
        match self {
            Roll::Waiting(_) => true,
            Roll::Rolling(film) => film.wants_next(),
        }
    }

    fn finish(&mut self) -> Result<(), FilmError> {
        match self {
            Roll::Waiting(_) => Ok(()),
            Roll::Rolling(film) => film.finish(),
        }
    }
}

/// Films a run.
pub(crate) struct Camera {
    rolls: Vec<Roll>,
    /// `None` for the console's own picture.
    compositor: Option<Compositor>,
    model: ViewModel,
    from: u64,
    to: Option<u64>,
    next: u64,
}

impl Camera {
    /// Is this frame to be filmed?
    fn is_on(&self, frame: u64) -> bool {
        frame >= self.from && self.to.is_none_or(|to| frame < to)
    }

    /// Do the films have all their frames?
    pub(crate) fn is_done(&self) -> bool {
        self.to.is_some_and(|to| self.next >= to)
    }

    /// What to say of a run that ended before the first frame of the film.
    pub(crate) fn nothing_filmed(&self) -> Option<String> {
        let is_empty = self.next <= self.from;
        is_empty.then(|| format!("nothing was filmed: the run ended before frame {}", thousands(self.from)))
    }

    /// Completes the files.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        // Each of them, even if another fails.
        let finished: Vec<_> = self.rolls.iter_mut().map(Roll::finish).collect();
        finished.into_iter().collect::<Result<(), _>>().map_err(Failure::run)
    }
}

impl FrameSink for Camera {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let is_on = self.is_on(report.frame);
        self.next = report.frame + 1;
        let Camera { rolls, compositor, model, .. } = self;
        if compositor.is_some() {
            model.update(report);
            // A film of the same run is the same film, however fast the machine is.
            model.plan_cost.time = None;
        }
        if !is_on {
            return Ok(Flow::Continue);
        }
        // Films that keep the same frame share its picture.
        let mut drawn: Option<Vec<Rgb>> = None;
        for roll in rolls {
            let picture = || match &drawn {
                Some(drawn) => Ok(drawn.clone()),
                None => Ok(drawn.insert(draw(compositor.as_mut(), model, report.picture)?).clone()),
            };
            let taken = roll.film().and_then(|film| film.frame(picture));
            taken.map_err(|FilmError { context, source }| SinkError { context, source })?;
        }
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        self.is_on(self.next) && self.rolls.iter().any(Roll::wants_next)
    }
}

fn draw(compositor: Option<&mut Compositor>, model: &ViewModel, picture: Option<&Picture>) -> io::Result<Vec<Rgb>> {
    match (compositor, picture) {
        (Some(compositor), picture) => Ok(compositor.draw(picture, model).as_chunks().0.to_vec()),
        (None, Some(picture)) => Ok(picture.pixels.clone()),
        (None, None) => Err(io::Error::other("the console draws no picture")),
    }
}

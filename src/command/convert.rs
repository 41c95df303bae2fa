//! `maxout convert`: logs and movies from one format into another.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};

use crate::console::flags::Playback;
use crate::files::outputs::{Claims, Outputs, Overwrite};
use crate::files::playback;
use crate::files::run_files::{self, Details, format_of, format_of_input};
use crate::system::failure::Failure;
use crate::system::output::print_line;
use crate::system::paths::file_name;
use crate::system::stdout::{STDOUT, is_stdout, stdout};
use maxout_engine::bot::Flow;
use maxout_engine::console::Video;
use maxout_formats::fm2::{Movie, MovieHeader};
use maxout_formats::frame_log::{LogReader, copy_log};
use maxout_formats::{
    FileFormat, Format, InputFile, Kind, PartsError, Presses, Provenance, movie_bytes, save, save_parts, save_to,
    write_parts,
};
use maxout_screen::numbers::thousands;

/// `maxout convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout convert movie.fm2 movie.bk2             line by line, without playing
  maxout convert movie.fm2 -o movie.bk2          the same
  maxout convert movie.fm2 game.csv              by playing on the built-in cartridge
  maxout convert game.jsonl.gz game.ngf tetris.nes
  maxout convert replay.r08 movie.fm2 --console simulated

FM2 and BK2 into each other, logs into logs and logs into FM2 or BK2 are converted line by
line. For everything else the input is played, because logs, R08 and NGF contain RAM values
or polls.

What is lost: logs and R08 keep only the first gamepad; R08 drops the buttons of frames in
which the game does not read the gamepad; NGF keeps no buttons. An NGF file cannot be
converted.

Exit codes: 0 done, 1 the replay failed or was stopped, 2 bad usage or input.")]
pub(crate) struct Convert {
    /// Log or movie to read: .csv, .jsonl (also .gz), .fm2, .bk2 or .r08
    pub input: PathBuf,
    /// File to write: the same formats or .ngf; - for standard output. Leave it out with --output
    #[arg(value_name = "OUTPUT", required_unless_present = "output")]
    pub place: Option<PathBuf>,
    /// File to write, in place of OUTPUT
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What plays it, if it is played.
    #[command(flatten)]
    pub playback: Playback,
    /// Format of the output, if its name does not show it: csv, jsonl, fm2, bk2, r08 or ngf
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<FileFormat>,
    /// Frames to play past the end, without buttons, if the input is played
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub past_the_end: u64,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// What logs and movies contain.
    #[command(flatten)]
    pub details: Details,
}

impl Convert {
    /// The file to write.
    fn output(&self) -> &Path {
        self.output.as_deref().or(self.place.as_deref()).unwrap_or(Path::new(STDOUT))
    }

    /// With --output, what stands in the place of OUTPUT is the ROM.
    fn settled(mut self) -> Result<Convert, Failure> {
        if self.output.is_some()
            && let Some(rom) = self.place.take()
            && let Some(second) = self.playback.rom.replace(rom)
        {
            let error = anyhow!("expected one ROM beside --output, found {} as well", second.display());
            return Err(Failure::input(error));
        }
        Ok(self)
    }
}

pub(crate) fn run(args: Convert) -> Result<ExitCode, Failure> {
    let args = &args.settled()?;
    let from = format_of_input(&args.input, args.playback.from)?;
    let to = format_of(args.output(), args.to, "--to")?;
    let claims = Outputs::new(args.overwrite)
        .reads("the input", [&args.input])
        .reads_playback(&args.playback)
        .grows("the output", args.output(), Kind::Frames(to))
        .claim()?;
    args.playback.check()?;
    let done = match (playback::shape_of(from), playback::shape_of(to)) {
        (Some(read), Some(write)) if !args.details.field => {
            let log = LogReader::open(&args.input, read).map_err(Failure::input)?;
            let mut log = match &args.details.date {
                Some(date) => log.dated(date),
                None => log,
            };
            write_copy(args, to, copy_log(&mut log, write), claims)?;
            "row by row".to_owned()
        }
        _ => convert(args, from, to, claims)?,
    };
    if is_stdout(args.output()) {
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("{} written as {to}, {done}", args.output().display()))?;
    Ok(ExitCode::SUCCESS)
}

fn convert(args: &Convert, from: FileFormat, to: FileFormat, claims: Claims) -> Result<String, Failure> {
    let mut input = InputFile::open(&args.input, from).map_err(Failure::input)?;
    if !to.format.is_movie() {
        return play(args, &input, to, claims);
    }
    let mut movie = match (input.movie.take(), &input.presses) {
        (Some(movie), _) => movie,
        (None, Presses::Steps(steps)) => Movie::from_steps(MovieHeader::of(&input.provenance), steps.iter().copied()),
        (None, Presses::Polls(_)) => return play(args, &input, to, claims),
    };
    if let Some(date) = &args.details.date {
        movie.header = movie.header.dated(date);
    }
    write_movie(args, &movie, to, claims)?;
    Ok(format!("{} lines, line by line", thousands(movie.lines.len() as u64)))
}

/// Plays the input, and writes the result.
fn play(args: &Convert, input: &InputFile, to: FileFormat, mut claims: Claims) -> Result<String, Failure> {
    let decoder = args.playback.decoder()?;
    let mut powered = args.playback.power_on(Video::Off)?;
    playback::warn_of_differences(input, &powered);
    let name = file_name(&args.input).into_owned();
    let kept = ["seed", "start-level", "game-type", "player", "settings"];
    let kept = kept.into_iter().filter_map(|key| Some((key, input.provenance.get(key)?)));
    let provenance: Provenance = kept.fold(run_files::origin(&powered), |all, (key, value)| all.with(key, value));
    let provenance = provenance.with("source", name).closed(args.details.date.as_deref());
    let mut writer = run_files::run_writer(&mut claims, args.output(), to, &provenance, args.details.options())?;
    let played = playback::play_until_stopped(&input.presses, &mut powered, &decoder, args.past_the_end, |step, _| {
        writer.take(step)?;
        Ok(Flow::Continue)
    })?;
    writer.finish().map_err(Failure::run)?;
    let result = played.finished("the output ends there")?;
    playback::warn_of_stuck(&result);
    Ok(format!("{} frames played on {}", thousands(result.frames), powered.name()))
}

fn write_movie(args: &Convert, movie: &Movie, to: FileFormat, claims: Claims) -> Result<(), Failure> {
    if to.format == Format::Bk2 && movie.lines.iter().any(|line| line.command > 3) {
        log::warn!("a BK2 cannot hold commands for disks, coins and service; they are left out");
    }
    let bytes = movie_bytes(movie, to.format).context("cannot write the movie").map_err(Failure::run)?;
    write_bytes(args, to, &bytes, claims)
}

fn write_copy(
    args: &Convert,
    to: FileFormat,
    parts: impl Iterator<Item = Result<Vec<u8>, maxout_formats::Error>>,
    mut claims: Claims,
) -> Result<(), Failure> {
    let (written, context) = if is_stdout(args.output()) {
        (write_parts(&mut stdout(), to, parts), "cannot write to standard output".to_owned())
    } else {
        let context = format!("cannot write {}", args.output().display());
        (save_parts(claims.take(args.output())?, to, parts), context)
    };
    written.map_err(|error| match error {
        PartsError::Read(error) => Failure::input(error),
        PartsError::Write(error) => Failure::run(anyhow::Error::new(error).context(context)),
    })
}

fn write_bytes(args: &Convert, to: FileFormat, bytes: &[u8], mut claims: Claims) -> Result<(), Failure> {
    if is_stdout(args.output()) {
        return save_to(Box::new(stdout()), "standard output", to, bytes).map_err(Failure::run);
    }
    save(claims.take(args.output())?, to, bytes).map_err(Failure::run)
}

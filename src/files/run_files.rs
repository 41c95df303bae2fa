//! Logs and movies of a run: which files, in which formats, with which header.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::config::Config;
use crate::console::power::Powered;
use crate::files::outputs::{Claims, Overwrite};
use crate::system::failure::Failure;
use crate::system::paths::is_special;
use crate::system::stdout::{is_stdout, stdout};
use maxout_console::Rom;
use maxout_formats::frame_log::LogOptions;
use maxout_formats::{FileFormat, Format, Provenance, RunWriter};

/// What to write while a game runs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RunFiles {
    /// Write a log, one row per frame with buttons and RAM values: .csv or .jsonl, also .gz; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub log: Vec<PathBuf>,
    /// Write a movie: .fm2 (FCEUX), .bk2 (BizHawk), .r08 (replay devices for real consoles) or .ngf
    /// (NestrisChamps); may be repeated
    #[arg(long, value_name = "FILE")]
    pub movie: Vec<PathBuf>,
    /// Format of a log or movie whose name does not show it: csv, jsonl, fm2, bk2, r08 or ngf
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FileFormat>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// What logs and movies contain.
    #[command(flatten)]
    pub details: Details,
}

/// Optional contents of logs and movies.
#[derive(Debug, clap::Args)]
pub(crate) struct Details {
    /// Write all cells of the playfield into logs, not only their CRC-32
    #[arg(long)]
    pub field: bool,
    /// Date to write into the header of logs and movies. By default there is none, so that the same run
    /// gives the same bytes
    #[arg(long, value_name = "TEXT")]
    pub date: Option<String>,
}

impl Details {
    pub(crate) fn options(&self) -> LogOptions {
        LogOptions { cells: self.field, cheats: false }
    }
}

impl RunFiles {
    /// The files with their formats.
    pub(crate) fn files(&self) -> Result<Vec<(PathBuf, FileFormat)>, Failure> {
        let logs = self.log.iter().map(|path| Ok((path.clone(), self.log_format(path)?)));
        let movies = self.movie.iter().map(|path| Ok((path.clone(), format_of(path, self.format, "--format")?)));
        logs.chain(movies).collect()
    }

    /// The flag that named the file at this place of [`RunFiles::files`]; those after them are of `dump`.
    pub(crate) fn flag_of(&self, index: usize) -> &'static str {
        match index.checked_sub(self.log.len()) {
            None => "--log",
            Some(index) if index < self.movie.len() => "--movie",
            Some(_) => "--output",
        }
    }

    /// The format of a log: by its name, else by the flag. Standard output, a pipe and a device are CSV
    /// by default; another name that shows no format is refused.
    pub(crate) fn log_format(&self, path: &Path) -> Result<FileFormat, Failure> {
        if let Some(format) = FileFormat::of_path(path) {
            return Ok(format);
        }
        match self.format {
            Some(format) => Ok(FileFormat::of_path_or(path, format)),
            None if is_stream(path) => Ok(Format::Csv.into()),
            None => {
                let expected = "expected a log or movie, its name ending in .csv, .jsonl, .fm2, .bk2, .r08 or .ngf";
                let others = "or --format FORMAT; reports, films and pictures have --report, --record and --screenshot";
                Err(Failure::input(anyhow!("{}: {expected}, {others}", path.display())))
            }
        }
    }
}

/// Standard output, a pipe or a device. What lies in `/dev` or `/proc` is a stream by its name, even if
/// it leads to a file; `/dev/shm` is a folder like others.
fn is_stream(path: &Path) -> bool {
    let is_device = path.starts_with("/dev") && !path.starts_with("/dev/shm");
    is_stdout(path) || is_device || path.starts_with("/proc") || is_special(path)
}

/// The format of a log or movie to be read: by the flag `--from`, else by its name.
pub(crate) fn format_of_input(path: &Path, flag: Option<FileFormat>) -> Result<FileFormat, Failure> {
    format_of_read(path, flag, ".csv, .jsonl, .fm2, .bk2 or .r08, or --from FORMAT")
}

/// The same; `expected` names the endings, and the flag where there is one.
pub(crate) fn format_of_read(path: &Path, flag: Option<FileFormat>, expected: &str) -> Result<FileFormat, Failure> {
    let given = flag.map(|flag| flag.at(path));
    given.or_else(|| FileFormat::of_path(path)).ok_or_else(|| {
        // What is wrong with the path comes before what is wrong with its ending.
        if let Err(error) = File::open(path).and_then(|mut file| file.read(&mut [0])) {
            return Failure::input(anyhow!(error).context(format!("cannot read {}", path.display())));
        }
        Failure::input(anyhow!("{}: expected a name that ends in {expected}", path.display()))
    })
}

/// The format of a file to be written: by its name, else by the flag, which is called `name`.
pub(crate) fn format_of(path: &Path, flag: Option<FileFormat>, name: &str) -> Result<FileFormat, Failure> {
    let given = flag.map(|flag| FileFormat::of_path_or(path, flag));
    given.or_else(|| FileFormat::of_path(path)).ok_or_else(|| {
        let expected = "expected a name that ends in .csv, .jsonl, .fm2, .bk2, .r08 or .ngf";
        Failure::input(anyhow!("{}: {expected}, or {name} FORMAT", path.display()))
    })
}

/// Starts a log or a movie; `-` is standard output.
pub(crate) fn run_writer(
    claims: &mut Claims,
    path: &Path,
    format: FileFormat,
    provenance: &Provenance,
    options: LogOptions,
) -> Result<RunWriter, Failure> {
    if is_stdout(path) {
        return RunWriter::stream(Box::new(stdout()), "standard output", format, provenance, options)
            .map_err(Failure::run);
    }
    RunWriter::start(claims.take(path)?, format, provenance, options).map_err(Failure::run)
}

/// The header of a log or a movie on this console. The rules model is the game of the built-in
/// cartridge, so its header has the hashes of that ROM. What a host plays is not known.
pub(crate) fn origin(powered: &Powered) -> Provenance {
    if let (Some(host), None) = (&powered.host, &powered.rom) {
        return Provenance::of_host(host);
    }
    let cartridge = Rom::cartridge();
    let rom = powered.rom.as_ref().unwrap_or(&cartridge);
    let crc32 = format!("{:08x}", rom.crc32);
    let emulator = powered.host.as_deref().unwrap_or(powered.console.name());
    Provenance::new(rom.name(), [&crc32, &rom.md5, &rom.sha1], emulator)
}

/// The header of a log or a movie of a game by the bot.
pub(crate) fn of_game(powered: &Powered, config: &Config, player: &str, date: Option<&str>) -> Provenance {
    let settings = serde_json::json!({ "bot": config.bot, "eval": config.eval, "planner": config.planner });
    let not_honest = config.planner.rng.not_honest();
    let origin = origin(powered);
    let origin = if let Some(why) = not_honest { origin.with("not-honest", why) } else { origin };
    origin
        .with("seed", config.bot.seed)
        .with("start-level", config.bot.start_level)
        .with("game-type", "A")
        .with("player", player)
        .with("settings", settings)
        .closed(date)
}

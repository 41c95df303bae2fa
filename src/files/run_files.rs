//! Logs and movies of a run: which files, in which formats, with which header.

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::config::Config;
use crate::console::power::Powered;
use crate::system::failure::Failure;
use crate::system::output::{STDOUT, stdout};
use crate::system::paths;
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
    /// The files with their formats; a log whose name shows no format is CSV.
    pub(crate) fn files(&self) -> Result<Vec<(PathBuf, FileFormat)>, Failure> {
        let logs = self.log.iter().map(|path| Ok((path.clone(), self.log_format(path))));
        let movies = self.movie.iter().map(|path| Ok((path.clone(), format_of(path, self.format, "--format")?)));
        logs.chain(movies).collect()
    }

    /// The format of a log: by its name, else by the flag, else CSV.
    pub(crate) fn log_format(&self, path: &Path) -> FileFormat {
        FileFormat::of_path_or(path, self.format.unwrap_or(Format::Csv.into()))
    }
}

/// Refuses files of which two are the same.
pub(crate) fn check_distinct<'a>(files: impl Iterator<Item = &'a Path>) -> Result<(), Failure> {
    let mut places: Vec<PathBuf> = Vec::new();
    for path in files {
        // Standard output is not a file with the name `-`.
        let place = if path == Path::new(STDOUT) { path.to_owned() } else { paths::place(path) };
        if places.contains(&place) {
            let error = anyhow!("{} is to be written twice: give each its own file", path.display());
            return Err(Failure::input(error));
        }
        places.push(place);
    }
    Ok(())
}

/// The format of a file: by its name, else by the flag, which is called `name`.
pub(crate) fn format_of(path: &Path, flag: Option<FileFormat>, name: &str) -> Result<FileFormat, Failure> {
    let given = flag.map(|flag| FileFormat::of_path_or(path, flag));
    given.or_else(|| FileFormat::of_path(path)).ok_or_else(|| {
        let expected = "expected a name that ends in .csv, .jsonl, .fm2, .bk2, .r08 or .ngf";
        Failure::input(anyhow!("{}: {expected}, or {name} FORMAT", path.display()))
    })
}

/// Opens a log or a movie; `-` is standard output.
pub(crate) fn run_writer(
    path: &Path,
    format: FileFormat,
    provenance: &Provenance,
    options: LogOptions,
) -> Result<RunWriter, Failure> {
    if path == Path::new(STDOUT) {
        return RunWriter::stream(Box::new(stdout()), "standard output", format, provenance, options)
            .map_err(Failure::run);
    }
    RunWriter::create(path, format, provenance, options).map_err(Failure::input)
}

/// The header of a log or a movie on this console. The rules model is the game of the built-in
/// cartridge, so its header has the hashes of that ROM.
pub(crate) fn origin(powered: &Powered) -> Provenance {
    let cartridge = Rom::cartridge();
    let rom = powered.rom.as_ref().unwrap_or(&cartridge);
    let crc32 = format!("{:08x}", rom.crc32);
    Provenance::new(rom.name(), [&crc32, &rom.md5, &rom.sha1], powered.console.name())
}

/// The header of a log or a movie of a game by the bot.
pub(crate) fn of_game(powered: &Powered, config: &Config, player: &str, date: Option<&str>) -> Provenance {
    let settings = serde_json::json!({ "bot": config.bot, "eval": config.eval, "planner": config.planner });
    origin(powered)
        .with("seed", config.bot.seed)
        .with("start-level", config.bot.start_level)
        .with("game-type", "A")
        .with("player", player)
        .with("settings", settings)
        .closed(date)
}

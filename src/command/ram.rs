//! `maxout ram`: chosen bytes of RAM, frame by frame.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{ArgAction, Subcommand};

use crate::config::Config;
use crate::console::{power, ram_map};
use crate::player::source::PlayerSource;
use crate::system::failure::Failure;
use crate::system::output::stdout;
use maxout_console::Emulator;
use maxout_engine::bot::Pilot;
use maxout_engine::console::{Console, Reset};
use maxout_engine::ram::{Decoder, RAM_SIZE, Ram as Bytes, RamMap};
use maxout_formats::fm2::Step;
use maxout_formats::replay::PressCursor;
use maxout_formats::{FileFormat, Format, InputFile, Presses};

/// Default number of frames of bot play. Chosen by hand, not measured.
const FRAMES: u64 = 1000;

/// `maxout ram`.
#[derive(Debug, Subcommand)]
pub(crate) enum Ram {
    /// Print chosen bytes of RAM after every frame, as CSV
    #[command(after_help = "Examples:
  maxout ram watch --addr tetriminoX tetriminoY playState --frames 1200
  maxout ram watch tetris.nes --addr score '$17' --changes
  maxout ram watch --addr gameMode --movie movie.fm2

A name prints all bytes of its entry in RAM order, an address $HEX prints one byte. Bytes
are hexadecimal.")]
    Watch(Watch),
}

/// `maxout ram watch`.
#[derive(Debug, clap::Args)]
pub(crate) struct Watch {
    /// ROM to play [default: the built-in cartridge]
    pub rom: Option<PathBuf>,
    /// What to print: names of the RAM map, or addresses as $HEX
    #[arg(long, value_name = "NAME|$HEX", required = true, num_args = 1..)]
    pub addr: Vec<String>,
    /// RAM map (TOML), for a ROM that keeps its values at other addresses
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Play this log or movie instead of the bot: .fm2, .bk2, .r08, .csv or .jsonl; any other name is
    /// read as FM2
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub movie: Option<PathBuf>,
    /// Seed of the game that the bot plays
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Frames to play [default: the length of --movie, else 1000]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Print only the frames in which a chosen byte has changed
    #[arg(long, action = ArgAction::SetTrue)]
    pub changes: bool,
    /// Accept an unknown ROM
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
}

pub(crate) fn run(args: &Ram) -> Result<ExitCode, Failure> {
    let Ram::Watch(args) = args;
    let map = ram_map::map(args.map.as_deref())?;
    let columns = args.addr.iter().map(|text| Column::find(text, &map)).collect::<Result<Vec<_>, _>>()?;
    let open = |path: &PathBuf| InputFile::open(path, FileFormat::of_path_or(path, Format::Fm2.into()));
    let movie = args.movie.as_ref().map(open).transpose().map_err(Failure::input)?;
    let rom = power::trusted_rom(args.rom.as_deref(), args.force)?;
    let mut console = Emulator::new(&rom).map_err(Failure::input)?;
    let mut table = Table::new(columns, args.changes, BufWriter::new(stdout()));
    table.header()?;
    match &movie {
        Some(movie) => watch_movie(&movie.presses, args.frames.unwrap_or(u64::MAX), &mut console, &mut table)?,
        None => {
            let decoder = Decoder::new(&map).map_err(Failure::input)?;
            watch_bot(args.seed, args.frames.unwrap_or(FRAMES), &decoder, &mut console, &mut table)?;
        }
    }
    table.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn watch_movie(
    presses: &Presses,
    frames: u64,
    console: &mut dyn Console,
    table: &mut Table<impl Write>,
) -> Result<(), Failure> {
    let mut frame = 0;
    let mut cursor = PressCursor::new(presses);
    while let Some(step) = cursor.step() {
        let buttons = match step {
            Step::Frame(buttons) => buttons,
            Step::Reset | Step::PowerCycle => {
                console.reset(if step == Step::Reset { Reset::Button } else { Reset::Power });
                cursor.booted();
                continue;
            }
        };
        if frame == frames {
            break;
        }
        console.step(buttons).map_err(Failure::run)?;
        table.sample(frame, console.ram())?;
        cursor.played(buttons, console.polled()).map_err(Failure::input)?;
        frame += 1;
    }
    Ok(())
}

fn watch_bot(
    seed: u64,
    frames: u64,
    decoder: &Decoder,
    console: &mut dyn Console,
    table: &mut Table<impl Write>,
) -> Result<(), Failure> {
    let config = Config::default();
    let player = PlayerSource::of_evaluator(&config)?.make_one()?;
    let mut pilot = Pilot::new(player, config.bot.start_level, seed);
    for frame in 0..frames {
        let buttons = pilot.buttons();
        console.step(buttons).map_err(Failure::run)?;
        table.sample(frame, console.ram())?;
        let snapshot = decoder
            .decode(console.ram())
            .map_err(|value| Failure::input(anyhow!("frame {frame}: {value}; is this the map of this ROM?")))?;
        pilot.observe(frame, snapshot).map_err(Failure::run)?;
    }
    Ok(())
}

/// A column of the CSV: an entry of the map, or one byte.
#[derive(Debug, PartialEq, Eq)]
struct Column {
    name: String,
    address: usize,
    size: usize,
}

impl Column {
    fn find(text: &str, map: &RamMap) -> Result<Column, Failure> {
        let Some(digits) = text.strip_prefix('$') else {
            let entry = map.entry(text).ok_or_else(|| {
                Failure::input(anyhow!(
                    "the RAM map {} has no entry \"{text}\"; give one of its names, or an address as $HEX",
                    map.name
                ))
            })?;
            return Ok(Column { name: text.to_owned(), address: entry.address.into(), size: entry.size.into() });
        };
        match usize::from_str_radix(digits, 16) {
            Ok(address) if address < RAM_SIZE => Ok(Column { name: text.to_owned(), address, size: 1 }),
            _ => Err(Failure::input(anyhow!("expected an address from $0000 to $07FF, found \"{text}\""))),
        }
    }
}

/// Writes the CSV.
struct Table<W> {
    columns: Vec<Column>,
    changes_only: bool,
    last: Option<Vec<u8>>,
    output: W,
}

impl<W: Write> Table<W> {
    fn new(columns: Vec<Column>, changes_only: bool, output: W) -> Table<W> {
        Table { columns, changes_only, last: None, output }
    }

    fn header(&mut self) -> Result<(), Failure> {
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        written(writeln!(self.output, "frame,{}", names.join(",")))
    }

    fn sample(&mut self, frame: u64, ram: &Bytes) -> Result<(), Failure> {
        let bytes = |column: &Column| ram[column.address..column.address + column.size].to_vec();
        let watched = self.columns.iter().flat_map(bytes).collect();
        if self.changes_only && self.last.as_ref() == Some(&watched) {
            return Ok(());
        }
        self.last = Some(watched);
        let cells = self.columns.iter().map(|column| {
            let digits: String = bytes(column).iter().map(|byte| format!("{byte:02X}")).collect();
            ",".to_owned() + &digits
        });
        written(writeln!(self.output, "{frame}{}", cells.collect::<String>()))
    }

    fn finish(&mut self) -> Result<(), Failure> {
        written(self.output.flush())
    }
}

fn written(result: io::Result<()>) -> Result<(), Failure> {
    result.context("cannot write the result to standard output").map_err(Failure::run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(text: &str) -> Result<Column, String> {
        Column::find(text, &RamMap::tetris_ntsc()).map_err(|failure| failure.error.to_string())
    }

    #[test]
    fn a_column_is_an_entry_or_an_address() {
        assert_eq!(column("score"), Ok(Column { name: "score".to_owned(), address: 0x73, size: 3 }));
        assert_eq!(column("$7ff").map(|column| column.address), Ok(0x7FF));
        assert!(column("skore").is_err_and(|error| error.contains("\"skore\"")));
        assert!(column("$800").is_err_and(|error| error.contains("$07FF")));
    }

    #[test]
    fn only_changes_are_written_when_only_changes_are_wanted() {
        let columns = vec![column("score").expect("an entry"), column("$17").expect("an address")];
        let mut table = Table::new(columns, true, Vec::new());
        let mut ram = [0; RAM_SIZE];
        table.header().expect("written");
        for frame in 0..4 {
            ram[0x74] = if frame >= 2 { 0x12 } else { 0 };
            table.sample(frame, &ram).expect("written");
        }
        assert_eq!(String::from_utf8(table.output).expect("text"), "frame,score,$17\n0,000000,00\n2,001200,00\n");
    }
}

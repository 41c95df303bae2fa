//! The files of a run: logs, movies, traces, reports and films, read and written.
//!
//! A run is written by listeners ([`FrameSink`](maxout_engine::bot::FrameSink)): they are given
//! every frame and never change a button. Every file is whole after every write, so a run may be
//! killed at any time ([`whole`]). What was written is read again as buttons ([`InputFile`]) and
//! played on a console ([`replay`]). [`games`] finds the games in a recording.
//!
//! ```
//! use maxout_engine::console::{Console, Simulated};
//! use maxout_engine::gamepad::Buttons;
//! use maxout_engine::ram::{Decoder, RamMap};
//! use maxout_formats::frame_log::{LogColumn, LogOptions, LogReader, LogShape};
//! use maxout_formats::{Format, PlayedStep, Provenance, RunWriter};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = &folder.path().join("game.csv");
//! // Write a log of 60 frames.
//! let provenance = Provenance::default().with("player", "nobody");
//! let mut log = RunWriter::create(path, Format::Csv.into(), &provenance, LogOptions::default())?;
//! let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
//! let mut console = Simulated::power_on();
//! for _ in 0..60 {
//!     let buttons = Buttons::START;
//!     console.step(buttons)?;
//!     let snapshot = decoder.decode(console.ram())?;
//!     log.take(&PlayedStep::Frame { buttons, polled: console.polled(), writes: &[], snapshot: &snapshot })?;
//! }
//! log.finish()?;
//!
//! // Read it back.
//! let mut reader = LogReader::open(path, LogShape::Csv)?;
//! assert_eq!(reader.provenance().get("player"), Some("nobody"));
//! let mut frames = 0;
//! while let Some((_resets, row)) = reader.next_row()? {
//!     assert_eq!(row.get(LogColumn::Keys), Some("....T..."));
//!     frames += 1;
//! }
//! assert_eq!(frames, 60);
//! # Ok(())
//! # }
//! ```
//!
//! The formats:
//!
//! | file | module | what it holds | read | written |
//! | --- | --- | --- | --- | --- |
//! | `.csv`, `.jsonl`, also `.gz` | [`frame_log`] | log: buttons and decoded RAM of every frame | yes | yes |
//! | `.fm2`, also `.gz` | [`fm2`] | movie of FCEUX | yes | yes |
//! | `.bk2` | [`bk2`] | movie of BizHawk | yes | yes |
//! | `.r08` | [`r08`] | movie of replay devices: buttons of every poll | yes | yes |
//! | `.ngf` | [`ngf`] | the pictures of NestrisChamps, no buttons | yes | yes |
//! | `.trace`, read also as `.zst` | [`trace`] | buttons and RAM bytes of every frame | yes | yes |
//! | `.html` | [`report`] | a game as one page | no | yes |
//! | `.gif`, `.png`, `.mp4` | [`film`] | the pictures of a run | no | yes |

pub mod bk2;
mod error;
pub mod film;
pub mod fm2;
mod format;
pub mod frame_log;
pub mod games;
mod input_file;
mod kind;
pub mod limited;
mod members;
pub mod ngf;
pub mod pattern;
mod pixels;
mod played;
pub mod position;
mod provenance;
pub mod r08;
pub mod replay;
pub mod report;
mod run_writer;
mod save;
mod shown;
mod text;
mod tiles;
pub mod trace;
pub mod whole;

pub use error::Error;
pub use format::{FileFormat, Format, ParseFormatError};
pub use input_file::{InputFile, Presses};
pub use kind::Kind;
pub use played::PlayedStep;
pub use provenance::Provenance;
pub use run_writer::RunWriter;
pub use save::{PartsError, movie_bytes, save, save_parts, save_to, write_parts};

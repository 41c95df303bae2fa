//! The frame log: buttons and decoded RAM, one row a frame, as CSV or as JSON lines.
//!
//! A log opens with its [`Provenance`](super::Provenance): CSV as lines of `# key: value`, then the names of the
//! columns; JSON lines as one object with the key `format`. Every row after that is one call of
//! the console, none left out. Columns:
//!
//! | column | content |
//! | --- | --- |
//! | `call` | number of the frame, from 0 at the first power-on, without gaps |
//! | `line` | the FM2 line of these buttons: `call` + boots, see [`line_of_call`](super::fm2::line_of_call) |
//! | `buttons` | two hex digits: A=80 B=40 Select=20 Start=10 Up=08 Down=04 Left=02 Right=01 |
//! | `keys` | the same as `RLDUTSBA` text |
//! | `polled` | 1 if the game read the gamepad, 0 in a lag frame |
//! | `held` | what the last poll saw (`$F7`), two hex digits |
//! | `mode`, `play` | `gameMode` and `playState`, the game's numbers |
//! | `piece` | orientation id in hex, `13` while none is shown |
//! | `x`, `y` | column and row of the piece's origin |
//! | `next` | letter of the next piece, `-` before the first |
//! | `level`, `lines`, `score` | as numbers |
//! | `fall` | frames since the last drop |
//! | `das` | the shift counter, 0 to 16 |
//! | `are` | `vramRow`, on which the entry delay waits: 32 when all rows are on the screen |
//! | `rng` | the random number, four hex digits, `$17` first |
//! | `fc` | the frame counter |
//! | `field` | CRC-32 of the 200 cells of the playfield, hex |
//! | `cells` | only on request: the 200 cells, one bit each from the top left, as 50 hex digits |
//! | `cheat_writes` | only of a run that cheats: bytes written into RAM before the frame, as in `62=0A 60=03`, or `-` |
//! | `note` | `reset`, `power`, `start`, `lock`, `clear 4`, `level 19`, `999999`, `topout`, `T 29597 safe 212`; `; ` between |
//! | `uncapped` | the score without the cap of 999,999, see [`uncapped_score`](maxout_engine::bot::uncapped_score) |
//!
//! Numbers are numbers in JSON, everything else is text.
//!
//! **The log proves itself.** In a polled frame `buttons` equals `held`, except in the demo, which
//! presses by itself. The reader refuses a log where they differ, `call` has a gap, or `keys`
//! differs from `buttons`.
//!
//! A log of another program may leave columns out, in JSON other ones in each row. In CSV an empty
//! field is one that was left out; only a `note` may be empty.
//!
//! **Versions.** The header says `format: maxout-log 1`. New columns come last and do not change the
//! version, because a reader goes by the names of the columns and skips those that it does not know.
//! A column whose meaning changes would make it version 2, which readers of version 1 refuse.
//! Logs without `uncapped` (written before there was one) are read, compared, converted and reported
//! on by the columns that they have; converting them by playing (`--field`) adds it.

mod column;
mod copy;
mod frames;
mod note;
mod reader;
mod row;
mod self_check;
mod shape;
mod values;

pub use column::{LogColumn, LogOptions};
pub use copy::copy_log;
pub use frames::{Cells, LogFrame, LogFrames};
pub use note::Note;
pub use reader::LogReader;
pub use row::LogRow;
pub use shape::LogShape;
pub use values::{FrameValues, GameState};

pub(crate) use column::written_columns;
pub(crate) use self_check::SelfCheck;
pub(crate) use values::full_cells;

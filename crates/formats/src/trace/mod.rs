//! Golden traces: what the console held in RAM at the end of every frame, as text.
//!
//! A trace is plain text or the same as `.zst`. Lines that begin with `#` are the header; its
//! `columns` line names the addresses that the rows list. A row is one frame: its number,
//! the buttons held in it, whether the CPU was busy at the sample (0 in every row below a line
//! `# busy unknown`), one hex byte a column, and after that the *fields*, ranges of RAM that are listed when they changed:
//!
//! | field | RAM |
//! | --- | --- |
//! | `P` | `$0400-$04C7`, the playfield |
//! | `G` | `$04C8-$04FF`, the hidden rows |
//! | `S` | `$03F0-$03FD`, the piece statistics |
//! | `H` | `$0700-$0754`, the high scores |
//! | `W` | `$40-$5A`, the working copy, while it differs from `$60-$7A`; empty when equal again |
//!
//! [`TraceReader`] keeps one row and one RAM image, however long the trace is.

mod header;
mod reader;
mod row;
mod writer;

pub(crate) use header::{BUSY, MAGIC, UNKNOWN};
pub use header::{Poke, TraceColumn, TraceHeader};
pub use reader::TraceReader;
pub use row::TraceRow;
pub use writer::TraceWriter;

#[cfg(test)]
mod tests;

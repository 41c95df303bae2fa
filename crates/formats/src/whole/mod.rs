//! Files that stay whole although the program may be killed at any time and the disk may be full at
//! any byte. There are two ways to write one:
//!
//! - [`replace()`]: the whole file at once. Readers see the old file or the new one. Checkpoints
//!   and weights are written so.
//! - append: the file grows while a run goes on, and is whole after every write. Logs, movies,
//!   reports and films are written so, frame by frame; rows of games with [`RowWriter`]. Such a file
//!   is claimed first ([`Claim`]) and emptied when the run starts.
//!
//! What is added to a growing file is seen by readers only when all of it is there:
//!
//! | format | how it grows |
//! | --- | --- |
//! | lines, R08, HTML | at the end; half a row is cut off again after an error, and left out by readers after a kill |
//! | gzip, NGF | at the end, by whole gzip members; a finished file is rewritten as one |
//! | BK2 | into a gap that no directory mentions; then one byte lets another directory count |
//! | GIF | behind the trailer; then one byte takes the place of the trailer |
//! | APNG | behind the last chunk; then twelve bytes take its place |
//!
//! After an error a file is cut to the length that it had. All of this is tested on a disk that breaks
//! at every byte, in every way, in every format.
//!
//! A [`Lock`] keeps two runs from writing one file.

mod claim;
#[cfg(test)]
mod disk;
mod growing;
mod gzip;
mod lock;
mod place;
mod replace;
mod rows;
mod spool;
mod storage;

pub use claim::{Claim, ClaimedFile, remove_unstarted};
#[cfg(test)]
pub(crate) use disk::{Fault, TestDisk};
pub(crate) use growing::{GrowingFile, Packing};
pub(crate) use gzip::{GzipWriter, gzip};
pub use lock::{Held, Lock, remove_locks};
pub use place::resolved;
pub use replace::{Replacement, can_replace, replace};
pub use rows::{RowFile, RowWriter};
pub(crate) use spool::Spool;
pub(crate) use storage::Edit;
#[cfg(test)]
pub(crate) use storage::applied;

//! Files that stay whole although the program may be killed at any time. There are two ways to
//! write one:
//!
//! - [`replace()`]: the whole file at once. Readers see the old file or the new one. Checkpoints
//!   and weights are written so.
//! - append: the file grows while a run goes on, and is whole after every write. Logs, movies,
//!   reports and films are written so, frame by frame; rows of games with [`RowWriter`]. Such a file
//!   is claimed first ([`Claim`]) and emptied when the run starts.
//!
//! A [`Lock`] keeps two runs from writing one file.

mod claim;
mod growing;
mod gzip;
mod lock;
mod place;
mod replace;
mod rows;

pub use claim::{Claim, ClaimedFile};
pub(crate) use growing::{Closing, GrowingFile, Packing};
pub use lock::{Held, Lock};
pub use place::resolved;
pub use replace::{Replacement, can_replace, replace};
pub use rows::RowWriter;

//! The weights file of a net, as it is built into the program and played with.
//!
//! A header has the shape of the net and a checksum. The rest is deflated: where the net comes
//! from, its layers in full precision, and the rows of its table that are not all zero, in whole
//! numbers of 16 or 8 bits, or 8 with some rows in 16; and its spans, if it has some. A flat file is
//! not deflated, and a short one is packed by LZMA instead. All numbers are little-endian.

mod layout;
mod reader;
mod set;
#[cfg(test)]
mod tests;
mod writer;

use super::net::{Net, QuickNet};
use super::origin::Origin;
use layout::MAGIC;
use reader::read_one;

pub use layout::{Error, LONGEST, NumberSize, TrainedNet};
pub use set::{embedded_set, join, read_all, read_set};
pub use writer::write;

/// The bytes of the weights that are built in.
pub static EMBEDDED: &[u8] = include_bytes!("../../../config/weights/learned.mxw");

impl TrainedNet {
    /// The weights that are built in.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn embedded() -> TrainedNet {
        read(EMBEDDED).expect("the weights that are built in are sound")
    }

    /// A trained net without the rows of its table and its spans that were seen less often than `least` times;
    /// `visits` and `span_visits` say how often each was.
    pub fn export(net: &Net, visits: &[u32], span_visits: &[u32], least: u32, origin: Origin) -> TrainedNet {
        let net = QuickNet::of_rows(net, |row| visits[row] >= least, |row| span_visits[row] >= least);
        TrainedNet { net, origin }
    }
}

/// Do these bytes begin like a weights file of a net?
pub fn are(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads the weights from the bytes of a file; of several nets the first.
///
/// # Errors
/// When they are not weights, of another version or shape, cut off or damaged.
pub fn read(bytes: &[u8]) -> Result<TrainedNet, Error> {
    read_one(set::first(bytes)?)
}

//! What the bytes of a weights file are, and why some are not those of one.

use crate::judge::learned::dense::{HIDDEN, OUTPUTS};
use crate::judge::learned::features::{FEATURES, SPAN_ROWS};
use crate::judge::learned::net::QuickNet;
use crate::judge::learned::origin::Origin;
use crate::judge::learned::table::LANES;

/// What the file begins with, before the byte of the version.
pub(super) const MAGIC: [u8; 7] = *b"mxvalue";
/// The layout of a net with one head, for the plateau and taps at 30 Hz.
pub(super) const VERSION: u8 = 1;
/// The layout of a net with other heads.
pub(super) const WITH_HEADS: u8 = 2;
/// The layout of a net with any heads that is not deflated.
pub(super) const FLAT: u8 = 4;
/// The layout of a net with any heads that is packed by LZMA.
pub(super) const SHORT: u8 = 5;
/// Most heads of a net. Chosen by hand, not measured: a head is a hundredth of a net.
pub(super) const MOST_HEADS: usize = 64;
/// What is wrong with the heads of a net.
pub(super) const NUMBER_OF_HEADS: &str = "no head, or more than 64";
/// What is wrong with a head.
pub(super) const ODD_HEAD: &str = "a head for games that cannot be read";
/// Magic, version, three numbers of shape, length and checksum of what follows.
pub(super) const HEADER: usize = 8 + 3 * 4 + 4 + 4;
pub(super) const SHAPE: [u32; 3] = [FEATURES as u32, LANES as u32, HIDDEN as u32];
/// Before the numbers of the rows: they have 16 bits.
pub(super) const OF_16: u8 = 16;
/// They have 8 bits, each row after its steps.
pub(super) const OF_8: u8 = 8;
/// They have 8 bits, and 16 where the steps are 0. First come the steps of all rows, then the rows in the order of their
/// steps: deflated, those of the built-in net are a fifteenth shorter so.
pub(super) const BY_STEPS: u8 = 9;
/// As [`BY_STEPS`], but lane by lane. First come the rows of 16 bits: all low bytes, then all high bytes. Then come the rows of 8 bits
/// in blocks of [`ROWS_BY_LANES`], each block lane by lane. Numbers of one lane are alike: the file of the built-in nets is 0.15 MB
/// shorter than with [`BY_STEPS`], and 0.32 MB when gzip packs it.
pub(super) const BY_LANES: u8 = 10;
/// Longest text that says where a net comes from, in bytes. Chosen by hand, not measured.
pub(super) const LONGEST_ORIGIN: usize = 1 << 20;
/// Most bytes of a file: two nets of 16 bits with all rows, or eight as they come out of a training.
pub const LONGEST: u64 = 64 * 1024 * 1024;
/// Most bytes of the file of one net.
pub(super) const LONGEST_NET: usize = LONGEST as usize / 2;
// A net without a row of zeros, which nothing deflates, fits: a row has 2 bytes a lane and at most 4
// for its index; spans have all their rows. 1 MiB is for the layers and what deflate adds.
const _: () = assert!(FEATURES * (2 * LANES + 4) + SPAN_ROWS * 2 * OUTPUTS + LONGEST_ORIGIN + (1 << 20) < LONGEST_NET);
/// Rows of 8 bits that are written lane by lane together. Deflate packs the table of the plateau to 3,479, 3,458 and 3,452 thousand bytes with
/// 4,096, 8,192 and 16,384; reading needs this number times 96 bytes.
pub(super) const ROWS_BY_LANES: usize = 8192;

/// A net as it plays, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedNet {
    /// The net.
    pub net: QuickNet,
    /// Where it comes from.
    pub origin: Origin,
}

/// How the numbers of the table are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSize {
    /// 16 bits each, exactly as they are in memory.
    Sixteen,
    /// 8 bits each: half as long and a little less exact. Nets whose rows partly have 16 bits
    /// keep them.
    Eight,
    /// The same 8 bits, and nothing is deflated: three times as long as [`NumberSize::Eight`], and read in a
    /// tenth of the time.
    Flat,
    /// The same 8 bits, packed by LZMA: a fifth shorter than [`NumberSize::Eight`], and read more slowly.
    Short,
}

/// Why bytes are not a weights file of a net.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// They do not begin like a weights file of a net.
    #[error("no learned weights: expected `mxvalue` at the beginning, found {found}: give a file of `maxout train td`")]
    Magic {
        /// What they begin with.
        found: String,
    },
    /// They are of another layout.
    #[error(
        "learned weights of version {found}, expected version {VERSION} to {SHORT}: \
         write them again with `maxout train td` of this program"
    )]
    Version {
        /// The version they claim.
        found: u8,
    },
    /// They are of a net of another shape.
    #[error(
        "learned weights of a net of {} features, {} lanes and {} hidden numbers, expected {}, {} and {}: \
         train them again with `maxout train td` of this program",
        .found[0], .found[1], .found[2], .expected[0], .expected[1], .expected[2]
    )]
    Shape {
        /// Features, lanes and hidden numbers of the file.
        found: [u32; 3],
        /// Those of this program.
        expected: [u32; 3],
    },
    /// They end too soon, or too late.
    #[error("learned weights of {found} bytes, expected {expected}: the file is not whole, copy it again")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have: those of the header where not even that is whole.
        expected: usize,
    },
    /// They were changed.
    #[error(
        "learned weights with the checksum {found:08X}, expected {expected:08X}: the file is damaged, copy it again"
    )]
    Checksum {
        /// Checksum of the file.
        found: u32,
        /// The one that it says it has.
        expected: u32,
    },
    /// The checksum is right, but the body is not that of a net.
    #[error("learned weights with {what}, which no net has: write them again with `maxout train td`")]
    Body {
        /// What is there.
        what: &'static str,
    },
}

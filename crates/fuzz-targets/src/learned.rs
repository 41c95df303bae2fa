//! Weights of the learned player.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use maxout_engine::judge::learned::weights::{NumberSize, read, write};
use maxout_engine::judge::learned::{Dense, FEATURES, HIDDEN, LANES};

use crate::check;

/// Between the text of the origin and the rest of a body that is given in short.
const BETWEEN: u8 = 0;

/// A weights file, or in short what it holds: the text of its origin, a zero byte, four bytes that all
/// numbers of its layers have, and the rest of the body. For the latter, lengths and checksum are right.
pub(crate) fn weights(bytes: &[u8]) {
    let file = if bytes.starts_with(b"mxvalue") { bytes.to_vec() } else { packed(bytes) };
    let Some(net) = check::read(read(&file)) else { return };
    // A table of 8 bits is the same only in numbers of 8 bits.
    let written = write(&net, if net.net.is_packed() { NumberSize::Eight } else { NumberSize::Sixteen });
    assert!(read(&written).expect("weights that were written can be read") == net, "the same net");
}

fn packed(short: &[u8]) -> Vec<u8> {
    let at = short.iter().position(|&byte| byte == BETWEEN).unwrap_or(short.len());
    let (origin, rest) = short.split_at(at);
    let (number, rest) = rest.get(1..).and_then(<[u8]>::split_first_chunk).unwrap_or((&[0; 4], &[]));
    let mut body = (origin.len() as u32).to_le_bytes().to_vec();
    body.extend(origin);
    let numbers = Dense::zero().numbers().count();
    body.extend(number.repeat(numbers));
    body.extend(rest);
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(&body).expect("memory can be written");
    let deflated = deflated.finish().expect("memory can be written");
    let mut file = b"mxvalue\x01".to_vec();
    for number in [FEATURES, LANES, HIDDEN, deflated.len()] {
        file.extend((number as u32).to_le_bytes());
    }
    file.extend(crc32fast::hash(&deflated).to_le_bytes());
    file.extend(deflated);
    file
}

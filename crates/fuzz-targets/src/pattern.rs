//! Pictures for the pattern filter.

use maxout_engine::game::{ROWS, WIDTH};
use maxout_formats::pattern::drawing;

use crate::check;

/// A PNG; the checksums of its chunks are made right.
pub(crate) fn picture(bytes: &[u8]) {
    let Some(read) = check::read(drawing(&chunks(bytes))) else { return };
    let cells = read.cells();
    let pixel = |row, column| if cells.occupied(row, column) { 0 } else { 0xFF };
    let pixels: Vec<u8> =
        (0..ROWS as i8).flat_map(|row| (0..WIDTH).map(move |column| (row, column))).map(|(r, c)| pixel(r, c)).collect();
    let mut written = Vec::new();
    let mut encoder = png::Encoder::new(&mut written, WIDTH as u32, ROWS as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("memory can be written");
    writer.write_image_data(&pixels).and_then(|()| writer.finish()).expect("memory can be written");
    assert_eq!(drawing(&written), Ok(read));
}

/// The same PNG with right checksums.
pub(crate) fn chunks(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else { break };
        let checksum = crc32fast::hash(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&checksum.to_be_bytes());
        at = end + 4;
    }
    bytes
}

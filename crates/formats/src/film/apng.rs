//! Animated PNG: a PNG whose later pictures are in chunks of their own.
//!
//! Each picture is encoded as a PNG by itself, and its image data is taken over.
//!
//! Players stop at the last chunk, `IEND`. So all bytes of a picture but the first twelve go behind
//! it, where nobody looks, with a new `IEND` after them; then the first twelve take the place of the
//! old one. The number of pictures is at the beginning of the file, with a checksum that half a write
//! would break. So an unfinished film names more pictures than it has, which browsers and ffmpeg
//! accept, and the right number is written at the end.

use std::io;

use crc32fast::Hasher;

use super::encode::{Encode, Painted};
use super::format::FilmFormat;
use super::reel::Reel;
use super::still::{encode_still, enlarged};
use crate::whole::Edit;

/// Signature and header chunk of a PNG; the count of pictures comes after them.
const HEAD: usize = 8 + 25;
/// The number of pictures that an unfinished film names: five hours of every frame. A program that
/// makes room for all of them needs little memory. Chosen by hand, not measured.
const UNKNOWN: u32 = 1 << 20;

/// The encoder.
pub(super) struct Apng {
    width: usize,
    scale: usize,
    pictures: u32,
    /// The chunks of pictures are numbered.
    sequence: u32,
}

impl Apng {
    pub(super) fn new(reel: &Reel) -> Apng {
        Apng { width: reel.width as usize, scale: reel.scale as usize, pictures: 0, sequence: 0 }
    }

    fn next_number(&mut self) -> [u8; 4] {
        let number = self.sequence;
        self.sequence += 1;
        number.to_be_bytes()
    }

    /// The place of the next picture, and for how long it is shown.
    fn control(&mut self, painted: &Painted<'_>) -> Vec<u8> {
        let pixels = |value: usize| ((value * self.scale) as u32).to_be_bytes();
        let area = painted.area;
        let place = [area.width, area.height, area.left, area.top].map(pixels).concat();
        // The whole film is in ticks of this part of a second.
        let ticks_per_second = FilmFormat::Apng.ticks_per_second().unwrap_or(1) as u16;
        let time = [painted.ticks, ticks_per_second].map(u16::to_be_bytes).concat();
        // It stays, and replaces what is there.
        let operations = [0, 0];
        let number = self.next_number();
        chunk(b"fcTL", &[&number[..], &place, &time, &operations].concat())
    }
}

impl Encode for Apng {
    fn picture(&mut self, painted: &Painted<'_>) -> io::Result<Vec<u8>> {
        let area = painted.area;
        let pixels: Vec<_> = area.rows(painted.now, self.width).flatten().copied().collect();
        let pixels = enlarged(&pixels, area.width, self.scale);
        let size = |pixels: usize| (pixels * self.scale) as u32;
        let png = encode_still(&pixels, size(area.width), size(area.height))?;
        let first = self.pictures == 0;
        self.pictures += 1;
        let mut bytes = if first { [&png[..HEAD], &count(UNKNOWN)].concat() } else { Vec::new() };
        bytes.extend(self.control(painted));
        for data in image_data(&png[HEAD..]) {
            if first {
                bytes.extend(chunk(b"IDAT", data));
            } else {
                let number = self.next_number();
                bytes.extend(chunk(b"fdAT", &[&number, data].concat()));
            }
        }
        Ok(bytes)
    }

    fn trailer(&self) -> Vec<u8> {
        chunk(b"IEND", &[])
    }

    fn edits(&mut self, mut bytes: Vec<u8>, length: u64) -> Vec<Edit> {
        let old = self.trailer();
        bytes.extend(&old);
        if length == 0 {
            return vec![Edit::Write { at: 0, bytes }];
        }
        let rest = bytes.split_off(old.len());
        let at = length - old.len() as u64;
        vec![Edit::Write { at: length, bytes: rest }, Edit::Swap { at, old, new: bytes }]
    }

    fn last_edits(&self, pictures: u64) -> Vec<Edit> {
        vec![Edit::Write { at: HEAD as u64, bytes: count(pictures as u32) }]
    }

    fn can_stream(&self) -> bool {
        false
    }
}

/// How many pictures there are, shown over and over.
fn count(pictures: u32) -> Vec<u8> {
    let endlessly = [0; 4];
    chunk(b"acTL", &[pictures.to_be_bytes(), endlessly].concat())
}

/// A chunk: length, kind, content, and the CRC-32 of the last two.
fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = Hasher::new();
    crc.update(kind);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes()[..], kind, content, &crc.finalize().to_be_bytes()].concat()
}

/// The contents of the chunks of image data among these.
fn image_data(mut chunks: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while let Some((length, rest)) = chunks.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((content, next)) = rest.get(4..).and_then(|rest| rest.split_at_checked(length)) else { break };
        if rest.starts_with(b"IDAT") {
            found.push(content);
        }
        chunks = next.get(4..).unwrap_or_default();
    }
    found
}

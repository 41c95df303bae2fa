//! Animated PNG: a PNG whose later pictures are in chunks of their own.
//!
//! Each picture is encoded as a PNG by itself, and its image data is taken over. The number of
//! pictures is at the beginning of the file and is rewritten with each of them.

use std::io;

use crc32fast::Hasher;

use super::encode::{Encode, Painted};
use super::format::FilmFormat;
use super::reel::Reel;
use super::still::{encode_still, enlarged};
use crate::whole::Closing;

/// Signature and header chunk of a PNG; the count of pictures comes after them.
const HEAD: usize = 8 + 25;

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

    /// How many pictures there are, shown over and over.
    fn count(&self) -> Vec<u8> {
        let endlessly = [0; 4];
        chunk(b"acTL", &[self.pictures.to_be_bytes(), endlessly].concat())
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
        let mut bytes = if first { [&png[..HEAD], &self.count()].concat() } else { Vec::new() };
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

    fn closing(&self) -> Closing {
        Closing { tail: chunk(b"IEND", &[]), patch: Some((HEAD as u64, self.count())) }
    }
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

//! Gzip that can be ended after every batch.

use std::io;

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};

/// Frames between two writes of a gzip file: one second of the game. Every write ends a block of
/// the compression, so more of them make the file longer. Chosen by hand, not measured.
pub(super) const GZIP_FRAMES: u32 = 60;

/// One gzip member that can be ended after every batch.
pub(super) struct Gzip {
    compress: Compress,
    crc: Hasher,
    /// Uncompressed bytes modulo 2^32.
    length: u32,
    header: Vec<u8>,
    pending: Vec<u8>,
    frames: u32,
}

impl Gzip {
    pub(super) fn new() -> Gzip {
        Gzip {
            compress: Compress::new(Compression::default(), false),
            crc: Hasher::new(),
            length: 0,
            // Deflate; no name, no time, unknown system: the same content gives the same bytes.
            header: vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF],
            pending: Vec::new(),
            frames: 0,
        }
    }

    /// Takes the content of one frame; is it time to write?
    pub(super) fn add(&mut self, content: &[u8]) -> bool {
        self.pending.extend_from_slice(content);
        self.frames += 1;
        // The header goes out at once, so that the file is never empty.
        self.frames.is_multiple_of(GZIP_FRAMES) || !self.header.is_empty()
    }

    /// Compresses what is pending, up to a byte boundary.
    pub(super) fn compress(&mut self) -> io::Result<Vec<u8>> {
        let mut out = std::mem::take(&mut self.header);
        self.crc.update(&self.pending);
        self.length = self.length.wrapping_add(self.pending.len() as u32);
        let mut input = &self.pending[..];
        while !input.is_empty() {
            out.reserve(input.len() + 64);
            let before = self.compress.total_in();
            self.compress.compress_vec(input, &mut out, FlushCompress::Sync).map_err(io::Error::other)?;
            input = &input[(self.compress.total_in() - before) as usize..];
            while out.len() == out.capacity() {
                out.reserve(64);
                self.compress.compress_vec(&[], &mut out, FlushCompress::Sync).map_err(io::Error::other)?;
            }
        }
        self.pending.clear();
        Ok(out)
    }

    /// An empty last block, CRC and length.
    pub(super) fn trailer(&self) -> Vec<u8> {
        let crc = self.crc.clone().finalize();
        [&[3, 0][..], &crc.to_le_bytes(), &self.length.to_le_bytes()].concat()
    }
}

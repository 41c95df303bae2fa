//! Gzip of what grows.
//!
//! A file gets one gzip member for each batch of frames while it grows: a member is added to the
//! end, and what is there is never changed. `gzip`, Python and browsers' servers take any number of
//! members, and so do the readers of this crate. A finished file is one member, as a stream is: it
//! is smaller, and a browser's `DecompressionStream` takes only one.

use std::io::{self, Write};

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress, GzBuilder};

/// Frames between two writes of a gzip file: one second of the game. Every write ends a block of
/// the compression, so more of them make the file longer. Chosen by hand, not measured.
pub(super) const GZIP_FRAMES: u32 = 60;

/// How a member begins: deflate; no name, no time, unknown system. The same content gives the same
/// bytes.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// The bytes as one member.
pub(crate) fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = Gzip::new();
    gzip.add(bytes);
    Ok([gzip.compress()?, gzip.trailer()].concat())
}

/// Uncompressed bytes that wait. Chosen by hand, not measured.
const CHUNK: usize = 1024 * 1024;

/// Writes one member, a megabyte at a time.
pub(crate) struct GzipWriter<W> {
    output: W,
    gzip: Gzip,
}

impl<W: Write> GzipWriter<W> {
    pub(crate) fn new(output: W) -> GzipWriter<W> {
        GzipWriter { output, gzip: Gzip::new() }
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.gzip.add(bytes);
        if self.gzip.pending.len() < CHUNK {
            return Ok(());
        }
        self.output.write_all(&self.gzip.compress()?)
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.output.write_all(&self.gzip.compress()?)?;
        self.output.write_all(&self.gzip.trailer())?;
        Ok(self.output)
    }
}

/// Collects frames, and makes one gzip member of them all.
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
            header: HEADER.to_vec(),
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

    /// Has anything been added since the last member?
    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// What is pending, as a member of its own.
    pub(super) fn member(&self) -> io::Result<Vec<u8>> {
        // Fast, because a finished file does not keep it.
        let mut encoder = GzBuilder::new().operating_system(0xFF).write(Vec::new(), Compression::fast());
        encoder.write_all(&self.pending)?;
        encoder.finish()
    }

    /// Compresses what is pending, up to a byte boundary, and forgets it.
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

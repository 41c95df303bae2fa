//! Inflates bytes piece by piece, so that what is inflated is never whole in memory.

use std::io::{self, ErrorKind, Read};

use zlib_rs::{Inflate, InflateFlush, Status};

/// The logarithm of a window of deflate, 32 KiB.
pub(super) const WINDOW_BITS: u8 = 15;

/// Inflates bytes. Reading the built-in weights takes half the time that it takes with flate2's
/// `miniz_oxide`.
pub(super) struct Inflater<'a> {
    inflate: Inflate,
    deflated: &'a [u8],
    is_over: bool,
}

impl<'a> Inflater<'a> {
    pub(super) fn new(deflated: &'a [u8]) -> Inflater<'a> {
        Inflater { inflate: Inflate::new(false, WINDOW_BITS), deflated, is_over: false }
    }
}

impl Read for Inflater<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.is_over || to.is_empty() {
            return Ok(0);
        }
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(self.deflated, to, InflateFlush::NoFlush);
        self.deflated = &self.deflated[(self.inflate.total_in() - read) as usize..];
        let written = (self.inflate.total_out() - written) as usize;
        match status {
            Ok(Status::StreamEnd) => self.is_over = true,
            Ok(Status::Ok | Status::BufError) if written > 0 => {}
            Ok(Status::Ok | Status::BufError) => return Err(ErrorKind::UnexpectedEof.into()),
            Err(_) => return Err(ErrorKind::InvalidData.into()),
        }
        Ok(written)
    }
}

//! Files that are whole after every write: a run may be killed at any time.
//!
//! A format may need an ending (the central directory of a ZIP, the trailer of a gzip file). It
//! is written together with every piece of content, in one call to the system, and the next
//! piece overwrites it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};

/// Frames between two writes of a gzip file: one second of the game.
pub(super) const GZIP_FRAMES: u32 = 60;

/// What makes a file whole if nothing follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ending {
    /// Bytes after the content.
    pub tail: Vec<u8>,
    /// Bytes near the beginning that change with the content, and where they stand.
    pub patch: Option<(u64, Vec<u8>)>,
}

enum Target {
    File(File),
    /// Takes bytes in their order only; the ending waits.
    Stream(Box<dyn Write + Send>, Ending),
    /// The same where even the beginning may still change: all waits.
    Held(Box<dyn Write + Send>, Vec<u8>, Ending),
}

/// A file or standard output, compressed or not.
pub(super) struct Output {
    target: Target,
    /// Bytes of the present ending, at the end of the file.
    tail: u64,
    gzip: Option<Gzip>,
    finished: bool,
}

impl Output {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path, gzip: bool) -> io::Result<Output> {
        Ok(Output::new(Target::File(File::create(path)?), gzip))
    }

    /// Standard output or another stream; `held` where the format changes what was written.
    pub(super) fn stream(stream: Box<dyn Write + Send>, gzip: bool, held: bool) -> Output {
        let ending = Ending::default();
        Output::new(if held { Target::Held(stream, Vec::new(), ending) } else { Target::Stream(stream, ending) }, gzip)
    }

    fn new(target: Target, gzip: bool) -> Output {
        Output { target, tail: 0, gzip: gzip.then(Gzip::new), finished: false }
    }

    /// Adds content of one frame; what makes the file whole after it is asked only where it can
    /// be written.
    pub(super) fn append(&mut self, content: &[u8], ending: impl FnOnce() -> Ending) -> io::Result<()> {
        let Some(gzip) = &mut self.gzip else { return self.write(content, ending) };
        if gzip.add(content) { self.flush_gzip() } else { Ok(()) }
    }

    /// Writes what is still held back; the end of the output.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        self.flush_gzip()?;
        match &mut self.target {
            Target::File(_) => Ok(()),
            Target::Stream(stream, ending) => {
                stream.write_all(&std::mem::take(ending).tail)?;
                stream.flush()
            }
            Target::Held(stream, content, ending) => {
                let (mut content, ending) = (std::mem::take(content), std::mem::take(ending));
                content.extend(ending.tail);
                if let Some((position, bytes)) = ending.patch {
                    content[position as usize..][..bytes.len()].copy_from_slice(&bytes);
                }
                stream.write_all(&content)?;
                stream.flush()
            }
        }
    }

    fn flush_gzip(&mut self) -> io::Result<()> {
        let Some(gzip) = &mut self.gzip else { return Ok(()) };
        let (compressed, tail) = (gzip.compress()?, gzip.trailer());
        self.write(&compressed, || Ending { tail, patch: None })
    }

    fn write(&mut self, content: &[u8], ending: impl FnOnce() -> Ending) -> io::Result<()> {
        let ending = ending();
        match &mut self.target {
            Target::File(file) => {
                // No seek where there is no ending: the file may be a pipe.
                if self.tail > 0 {
                    file.seek(SeekFrom::End(-(self.tail as i64)))?;
                }
                self.tail = ending.tail.len() as u64;
                if ending.tail.is_empty() {
                    file.write_all(content)?;
                } else {
                    file.write_all(&[content, &ending.tail].concat())?;
                }
                if let Some((position, bytes)) = ending.patch {
                    file.seek(SeekFrom::Start(position))?;
                    file.write_all(&bytes)?;
                    file.seek(SeekFrom::End(0))?;
                }
                Ok(())
            }
            Target::Stream(stream, last) => {
                *last = ending;
                stream.write_all(content)?;
                stream.flush()
            }
            Target::Held(_, held, last) => {
                *last = ending;
                held.extend_from_slice(content);
                Ok(())
            }
        }
    }
}

/// One gzip member that can be ended after every batch.
struct Gzip {
    compress: Compress,
    crc: Hasher,
    /// Uncompressed bytes modulo 2^32.
    length: u32,
    header: Vec<u8>,
    pending: Vec<u8>,
    frames: u32,
}

impl Gzip {
    fn new() -> Gzip {
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
    fn add(&mut self, content: &[u8]) -> bool {
        self.pending.extend_from_slice(content);
        self.frames += 1;
        // The header goes out at once, so that the file is never empty.
        self.frames.is_multiple_of(GZIP_FRAMES) || !self.header.is_empty()
    }

    /// Compresses what is pending, up to a byte boundary.
    fn compress(&mut self) -> io::Result<Vec<u8>> {
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
    fn trailer(&self) -> Vec<u8> {
        let crc = self.crc.clone().finalize();
        [&[3, 0][..], &crc.to_le_bytes(), &self.length.to_le_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn unpacked(path: &Path) -> Vec<u8> {
        let mut content = Vec::new();
        let file = std::fs::read(path).unwrap();
        let mut decoder = GzDecoder::new(&file[..]);
        decoder.read_to_end(&mut content).unwrap();
        assert!(decoder.into_inner().is_empty(), "one member and nothing after it");
        content
    }

    #[test]
    fn a_gzip_file_is_whole_after_every_batch() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = Output::create(file.path(), true).unwrap();
        let mut all = Vec::new();
        for frame in 1..=500_u32 {
            let content = (0..frame % 97).map(|byte| (byte * byte + frame) as u8).collect::<Vec<_>>();
            output.append(&content, Ending::default).unwrap();
            all.extend(content);
            let found = unpacked(file.path());
            assert!(all.starts_with(&found));
            assert!(!frame.is_multiple_of(GZIP_FRAMES) || found == all, "frame {frame}");
        }
        output.finish().unwrap();
        assert_eq!(unpacked(file.path()), all);
    }

    #[test]
    fn the_ending_moves_with_the_content() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = Output::create(file.path(), false).unwrap();
        for (content, expected) in [("?a", "1aEND"), ("b", "2abEND"), ("c", "3abcEND")] {
            let patch = Some((0, expected.as_bytes()[..1].to_vec()));
            output.append(content.as_bytes(), || Ending { tail: b"END".to_vec(), patch }).unwrap();
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), expected);
        }
    }
}

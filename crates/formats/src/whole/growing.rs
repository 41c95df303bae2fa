//! Appending: a file that is whole after every write.
//!
//! A format may need a closing (the central directory of a ZIP, the trailer of a gzip file). It
//! is written together with every piece of content, in one call to the system, and the next
//! piece overwrites it.

use std::io::{self, Seek, SeekFrom, Write};

use super::claim::{Claim, ClaimedFile};
use super::gzip::Gzip;

/// What makes a file whole if nothing follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Closing {
    /// Bytes after the content.
    pub tail: Vec<u8>,
    /// Bytes near the beginning that change with the content, and their position in the file.
    pub patch: Option<(u64, Vec<u8>)>,
}

/// Is the file as a whole compressed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
}

enum Target {
    File(ClaimedFile),
    /// A pipe takes bytes in their order only: the closing waits for the end.
    Stream(Box<dyn Write + Send>, Closing),
    /// Everything waits for the end, because even the beginning may still change.
    Held(Box<dyn Write + Send>, Vec<u8>, Closing),
}

/// A file, or standard output, that grows piece by piece.
pub(crate) struct GrowingFile {
    target: Target,
    /// Length of the closing that is now at the end of the file.
    tail: u64,
    gzip: Option<Gzip>,
    finished: bool,
}

impl GrowingFile {
    /// Starts a claimed file.
    pub(crate) fn start(claim: Claim, packing: Packing) -> io::Result<GrowingFile> {
        let mut file = claim.start()?;
        let can_seek = file.stream_position().is_ok();
        let target = if can_seek { Target::File(file) } else { Target::Stream(Box::new(file), Closing::default()) };
        Ok(GrowingFile::new(target, packing))
    }

    /// Standard output or another stream.
    pub(crate) fn stream(stream: Box<dyn Write + Send>, packing: Packing) -> GrowingFile {
        GrowingFile::new(Target::Stream(stream, Closing::default()), packing)
    }

    /// A stream for a format that changes what it has written: everything is held back until
    /// [`GrowingFile::finish`].
    pub(crate) fn held_stream(stream: Box<dyn Write + Send>, packing: Packing) -> GrowingFile {
        GrowingFile::new(Target::Held(stream, Vec::new(), Closing::default()), packing)
    }

    fn new(target: Target, packing: Packing) -> GrowingFile {
        let gzip = (packing == Packing::Gzip).then(Gzip::new);
        GrowingFile { target, tail: 0, gzip, finished: false }
    }

    /// Can bytes near the beginning be written again?
    pub(crate) fn can_patch(&self) -> bool {
        !matches!(self.target, Target::Stream(..))
    }

    /// Adds the content of one frame. `closing` is only called where it can be written.
    pub(crate) fn append(&mut self, content: &[u8], closing: impl FnOnce() -> Closing) -> io::Result<()> {
        let Some(gzip) = &mut self.gzip else { return self.write(content, closing()) };
        if gzip.add(content) { self.flush_gzip() } else { Ok(()) }
    }

    /// Writes what is still held back; the end of the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        self.flush_gzip()?;
        match &mut self.target {
            Target::File(_) => Ok(()),
            Target::Stream(stream, closing) => {
                stream.write_all(&std::mem::take(closing).tail)?;
                stream.flush()
            }
            Target::Held(stream, content, closing) => {
                let (mut content, closing) = (std::mem::take(content), std::mem::take(closing));
                content.extend(closing.tail);
                if let Some((position, bytes)) = closing.patch {
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
        self.write(&compressed, Closing { tail, patch: None })
    }

    fn write(&mut self, content: &[u8], closing: Closing) -> io::Result<()> {
        match &mut self.target {
            Target::File(file) => {
                if self.tail > 0 {
                    file.seek(SeekFrom::End(-(self.tail as i64)))?;
                }
                self.tail = closing.tail.len() as u64;
                if closing.tail.is_empty() {
                    file.write_all(content)?;
                } else {
                    file.write_all(&[content, &closing.tail].concat())?;
                }
                if let Some((position, bytes)) = closing.patch {
                    file.seek(SeekFrom::Start(position))?;
                    file.write_all(&bytes)?;
                    file.seek(SeekFrom::End(0))?;
                }
                Ok(())
            }
            Target::Stream(..) if closing.patch.is_some() => {
                let error = "expected a file, found a pipe: the beginning of this format changes while it grows";
                Err(io::Error::other(error))
            }
            Target::Stream(stream, last) => {
                *last = closing;
                stream.write_all(content)?;
                stream.flush()
            }
            Target::Held(_, held, last) => {
                *last = closing;
                held.extend_from_slice(content);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use flate2::read::GzDecoder;

    use super::*;
    use crate::whole::gzip::GZIP_FRAMES;

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
        let mut output = GrowingFile::start(Claim::open(file.path()).unwrap(), Packing::Gzip).unwrap();
        let mut all = Vec::new();
        for frame in 1..=500_u32 {
            let content = (0..frame % 97).map(|byte| (byte * byte + frame) as u8).collect::<Vec<_>>();
            output.append(&content, Closing::default).unwrap();
            all.extend(content);
            let found = unpacked(file.path());
            assert!(all.starts_with(&found));
            assert!(!frame.is_multiple_of(GZIP_FRAMES) || found == all, "frame {frame}");
        }
        output.finish().unwrap();
        assert_eq!(unpacked(file.path()), all);
    }

    #[test]
    fn the_closing_moves_with_the_content() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = GrowingFile::start(Claim::open(file.path()).unwrap(), Packing::Plain).unwrap();
        for (content, expected) in [("?a", "1aEND"), ("b", "2abEND"), ("c", "3abcEND")] {
            let patch = Some((0, expected.as_bytes()[..1].to_vec()));
            output.append(content.as_bytes(), || Closing { tail: b"END".to_vec(), patch }).unwrap();
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), expected);
        }
    }

    /// A stream whose content can be looked at.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stream_gets_its_closing_at_the_end_and_is_held_where_the_beginning_changes() {
        let closing = |patch: Option<&str>| Closing {
            tail: b"END".to_vec(),
            patch: patch.map(|digit| (0, digit.as_bytes().to_vec())),
        };
        let plain = Shared::default();
        let mut output = GrowingFile::stream(Box::new(plain.clone()), Packing::Plain);
        output.append(b"?a", || closing(None)).unwrap();
        output.append(b"b", || closing(None)).unwrap();
        assert_eq!(plain.text(), "?ab");
        assert!(!output.can_patch() && output.append(b"c", || closing(Some("1"))).is_err());
        output.finish().unwrap();
        output.finish().unwrap();
        assert_eq!(plain.text(), "?abEND");

        let held = Shared::default();
        let mut output = GrowingFile::held_stream(Box::new(held.clone()), Packing::Plain);
        output.append(b"?a", || closing(Some("1"))).unwrap();
        output.append(b"b", || closing(Some("2"))).unwrap();
        assert_eq!(held.text(), "");
        output.finish().unwrap();
        assert_eq!(held.text(), "2abEND");
    }
}

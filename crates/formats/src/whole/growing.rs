//! A file that grows while a run goes on, and is whole after every write, also after one that fails.
//!
//! What is there is not changed by what is added, so a write that fails is undone by cutting the
//! file to the length that it had. A format whose beginning or end changes says how in [`Edit`]s.

use std::io::{self, Write};
use std::path::PathBuf;

use super::claim::Claim;
use super::gzip::Gzip;
use super::replace::Replacement;
use super::spool::Spool;
use super::storage::{Edit, Target};

/// Is the file as a whole compressed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
}

/// A file, or standard output, that grows piece by piece.
pub(crate) struct GrowingFile {
    target: Target,
    gzip: Option<Gzip>,
    /// The whole file as one gzip member, which takes the place of the many at the end. `None` where there is no
    /// room for it.
    packed: Option<Spool>,
    /// Where it is to be put.
    path: Option<PathBuf>,
    /// What is counted in error messages, in the plural.
    unit: &'static str,
    /// How many of them are in the file.
    written: u64,
    /// How many wait to be compressed.
    waiting: u64,
    /// The error that has ended it.
    failed: Option<(io::ErrorKind, String)>,
    finished: bool,
}

impl GrowingFile {
    /// Starts a claimed file. `unit` is what it is made of, in the plural.
    pub(crate) fn start(claim: Claim, packing: Packing, unit: &'static str) -> io::Result<GrowingFile> {
        let path = claim.path().to_owned();
        let mut growing = GrowingFile::new(Target::start(claim)?, packing, unit);
        growing.path = growing.can_edit().then_some(path);
        Ok(growing)
    }

    /// Starts an empty file on any storage.
    #[cfg(test)]
    pub(crate) fn on(storage: Box<dyn super::storage::Storage>, packing: Packing, unit: &'static str) -> GrowingFile {
        GrowingFile::new(Target::File(super::storage::WholeFile::new(storage)), packing, unit)
    }

    /// Standard output or another stream.
    pub(crate) fn stream(stream: Box<dyn Write + Send>, packing: Packing, unit: &'static str) -> GrowingFile {
        GrowingFile::new(Target::Stream(stream), packing, unit)
    }

    fn new(target: Target, packing: Packing, unit: &'static str) -> GrowingFile {
        let gzip = (packing == Packing::Gzip).then(Gzip::new);
        let packed = gzip.is_some().then(Spool::default);
        let (path, failed) = (None, None);
        GrowingFile { target, gzip, packed, path, unit, written: 0, waiting: 0, failed, finished: false }
    }

    /// Can bytes be written again, as [`GrowingFile::edit`] does? A stream cannot.
    pub(crate) fn can_edit(&self) -> bool {
        matches!(self.target, Target::File(_))
    }

    /// Bytes of the file.
    pub(crate) fn length(&self) -> u64 {
        match &self.target {
            Target::File(file) => file.length(),
            Target::Stream(_) => 0,
        }
    }

    /// How many of the unit are in the file.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Adds bytes that hold `count` more of the unit.
    pub(crate) fn append(&mut self, content: &[u8], count: u64) -> io::Result<()> {
        self.check()?;
        self.waiting += count;
        let result = match &mut self.gzip {
            Some(gzip) => match gzip.add(content) {
                true => self.flush_gzip(),
                false => return Ok(()),
            },
            None => match &mut self.target {
                Target::File(file) => file.append(content),
                Target::Stream(stream) => stream.write_all(content).and_then(|()| stream.flush()),
            },
        };
        self.settle(result)
    }

    /// Makes changes that add `count` more of the unit. Only where [`GrowingFile::can_edit`].
    pub(crate) fn edit(&mut self, edits: &[Edit], count: u64) -> io::Result<()> {
        self.check()?;
        self.waiting += count;
        let Target::File(file) = &mut self.target else {
            return Err(io::Error::other("expected a file, found a pipe: this format changes what it has written"));
        };
        let result = file.edit(edits);
        self.settle(result)
    }

    /// After an error: makes changes that may help a reader, and that may fail.
    pub(crate) fn mend(&mut self, edits: &[Edit]) {
        if let (Some(_), Target::File(file)) = (&self.failed, &mut self.target) {
            // The first error is the one that is reported.
            let _ = file.edit(edits);
        }
    }

    /// Writes what is still held back; the end of the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.check()?;
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        if self.gzip.is_some() {
            let result = self.flush_gzip();
            self.settle(result)?;
        }
        let trailer = self.gzip.as_ref().map(Gzip::trailer).unwrap_or_default();
        match &mut self.target {
            Target::Stream(stream) => stream.write_all(&trailer).and_then(|()| stream.flush()),
            Target::File(file) => {
                file.flush()?;
                if let (Some(mut packed), Some(path)) = (self.packed.take(), &self.path) {
                    let replaced = packed.append(&trailer, Some(path)).and_then(|()| {
                        let mut one = Replacement::start(path)?;
                        packed.pour(&mut one)?;
                        one.finish()
                    });
                    // Without room for both, the file of many members stays. It is whole, too.
                    replaced
                        .unwrap_or_else(|error| log::debug!("{} stays in several members: {error}", path.display()));
                }
                Ok(())
            }
        }
    }

    fn flush_gzip(&mut self) -> io::Result<()> {
        let Some(gzip) = &mut self.gzip else { return Ok(()) };
        match &mut self.target {
            Target::Stream(stream) => stream.write_all(&gzip.compress()?).and_then(|()| stream.flush()),
            Target::File(file) => {
                if gzip.has_pending() || file.length() == 0 {
                    file.append(&gzip.member()?)?;
                }
                let more = gzip.compress()?;
                if let Some(packed) = &mut self.packed
                    && (self.path.is_none() || packed.append(&more, self.path.as_deref()).is_err())
                {
                    self.packed = None;
                }
                Ok(())
            }
        }
    }

    /// The error that has ended it, again.
    fn check(&self) -> io::Result<()> {
        match &self.failed {
            Some((kind, words)) => Err(io::Error::new(*kind, words.clone())),
            None => Ok(()),
        }
    }

    fn settle(&mut self, result: io::Result<()>) -> io::Result<()> {
        match result {
            Ok(()) => {
                self.written += std::mem::take(&mut self.waiting);
                Ok(())
            }
            Err(error) if self.can_edit() => {
                let words = format!("{error}; the file holds {} {}", self.written, self.unit);
                self.failed = Some((error.kind(), words));
                self.check()
            }
            // A stream fails again by itself, with all that its error contains.
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use flate2::read::{GzDecoder, MultiGzDecoder};

    use super::*;
    use crate::whole::gzip::GZIP_FRAMES;

    fn unpacked(path: &Path) -> Vec<u8> {
        let mut content = Vec::new();
        MultiGzDecoder::new(&std::fs::read(path).unwrap()[..]).read_to_end(&mut content).unwrap();
        content
    }

    fn start(path: &Path, packing: Packing) -> GrowingFile {
        GrowingFile::start(Claim::open(path).unwrap(), packing, "rows").unwrap()
    }

    #[test]
    fn a_gzip_file_is_whole_after_every_batch() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = start(file.path(), Packing::Gzip);
        let mut all = Vec::new();
        for frame in 1..=500_u32 {
            let content = (0..frame % 97).map(|byte| (byte * byte + frame) as u8).collect::<Vec<_>>();
            output.append(&content, 1).unwrap();
            all.extend(content);
            let found = unpacked(file.path());
            assert!(all.starts_with(&found));
            assert!(!frame.is_multiple_of(GZIP_FRAMES) || found == all, "frame {frame}");
        }
        output.finish().unwrap();
        let (mut content, file) = (Vec::new(), std::fs::read(file.path()).unwrap());
        let mut decoder = GzDecoder::new(&file[..]);
        decoder.read_to_end(&mut content).unwrap();
        assert!(decoder.into_inner().is_empty(), "one member and nothing after it");
        assert_eq!(content, all);
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
    fn a_stream_takes_bytes_in_their_order_only() {
        let stream = Shared::default();
        let mut output = GrowingFile::stream(Box::new(stream.clone()), Packing::Plain, "rows");
        output.append(b"a", 1).unwrap();
        assert_eq!(stream.text(), "a");
        assert!(!output.can_edit() && output.edit(&[Edit::Cut(0)], 0).is_err());
        output.finish().unwrap();
        output.finish().unwrap();
        assert_eq!(stream.text(), "a");
    }
}

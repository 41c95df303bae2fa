//! Gzip files, which have one member or several.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;

/// How a member begins.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// What the members of a gzip file hold, one after the other. Other bytes behind them are left out with a warning, as
/// gzip does.
pub(super) struct Members<R> {
    path: PathBuf,
    /// The member that is read; `None` after the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    /// The members of this file; warnings show `path`.
    pub(super) fn of(path: &Path, file: R) -> Members<R> {
        Members { path: path.to_owned(), member: Some(GzDecoder::new(file)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let behind = member.get_mut().fill_buf()?;
            // Perhaps only the first byte of the next member is there yet.
            let is_member = !behind.is_empty() && GZIP.starts_with(&behind[..behind.len().min(GZIP.len())]);
            if !is_member && !behind.is_empty() {
                log::warn!("{}: what is behind the gzip data is left out", self.path.display());
            }
            self.member = self.member.take().filter(|_| is_member).map(|member| GzDecoder::new(member.into_inner()));
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// What is read through a buffer of one byte and through a large one.
    fn read(bytes: &[u8]) -> Result<Vec<u8>, io::ErrorKind> {
        let [small, large] = [1, 4096].map(|capacity| {
            let mut found = Vec::new();
            let mut members = Members::of(Path::new("x"), BufReader::with_capacity(capacity, bytes));
            members.read_to_end(&mut found).map(|_| found).map_err(|error| error.kind())
        });
        assert_eq!(small, large);
        small
    }

    #[test]
    fn members_follow_each_other_and_what_is_behind_them_is_left_out() {
        let two = [packed(b"one, "), packed(b"two")].concat();
        for behind in [&b""[..], b"\0", b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", b"short", b"garbage that is long"] {
            assert_eq!(read(&[&two[..], behind].concat()), Ok(b"one, two".to_vec()), "{behind:?}");
        }
    }

    #[test]
    fn half_a_member_is_a_cut() {
        let (one, two) = (packed(b"one, "), packed(b"two"));
        for length in 1..two.len() {
            assert_eq!(read(&[&one[..], &two[..length]].concat()), Err(io::ErrorKind::UnexpectedEof), "{length}");
        }
    }
}

//! Files that are read whole, with a limit for each kind. The limit is checked while reading, so
//! that it also holds for pipes, devices and files that grow.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Most bytes of a TOML file of settings: config, RAM map, weights, schedule. The longest that this
/// program has is 6 KB. The parser takes up to 82 MB of memory for 1 MiB (measured with lists of
/// numbers, empty tables and keys).
pub const SETTINGS: u64 = 1024 * 1024;
/// Most bytes of a picture of 10 x 20 pixels. Chosen by hand, not measured: without comments and
/// colour profiles, such a picture has less than 2 KB.
pub const PICTURE: u64 = 1024 * 1024;

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// Those of the system; [`ErrorKind::FileTooLarge`] when the file is longer.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, limit)
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// As [`read()`]; [`ErrorKind::InvalidData`] when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// The text that these bytes are.
///
/// # Errors
/// [`ErrorKind::InvalidData`] when they are not UTF-8.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "expected text in UTF-8, found other bytes"))
}

/// Reads at most `limit` bytes, to the end of the input.
///
/// # Errors
/// As [`read()`].
pub fn read_from(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    check(&bytes, limit)?;
    Ok(bytes)
}

/// Refuses more than `limit` bytes.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`].
pub fn check(bytes: &[u8], limit: u64) -> io::Result<()> {
    if bytes.len() as u64 <= limit {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::FileTooLarge, format!("expected at most {limit} bytes, found more")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives bytes without end, and fails the test if more than these are asked for.
    struct Endless {
        left: usize,
    }

    impl Read for Endless {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            to.fill(b'x');
            self.left = self.left.checked_sub(to.len()).expect("more is read than the limit");
            Ok(to.len())
        }
    }

    #[test]
    fn no_more_than_the_limit_is_read() {
        assert_eq!(read_from(&b"12345"[..], 5).unwrap(), b"12345");
        let error = read_from(&b"123456"[..], 5).unwrap_err();
        assert_eq!(error.to_string(), "expected at most 5 bytes, found more");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        // `read_to_end` may ask for twice as much as it has.
        let error = read_from(Endless { left: 4 * SETTINGS as usize }, SETTINGS).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn settings_and_pictures_have_at_most_a_mebibyte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        let most = "x".repeat(1_048_576);
        std::fs::write(&path, &most).unwrap();
        assert!(read_text(&path, SETTINGS).unwrap() == most && read(&path, PICTURE).unwrap() == most.as_bytes());
        std::fs::write(&path, most + "x").unwrap();
        assert_eq!(read_text(&path, SETTINGS).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(&path, PICTURE).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_the_system_says_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none");
        assert_eq!(read(&path, 5).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(
            read(folder.path(), 5).unwrap_err().to_string(),
            std::fs::read(folder.path()).unwrap_err().to_string()
        );
        std::fs::write(&path, b"\xFF").unwrap();
        assert_eq!(read_text(&path, 5).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}

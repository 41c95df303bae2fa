//! A ROM in a file, by itself or in an archive.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::archive;
use super::error::Error;
use super::image::Rom;
use super::text::plain;
use super::unpack;

/// The longest file that is read, in bytes: the largest that an iNES header can promise is shorter.
pub(super) const MAX_FILE: u64 = 8 * 1024 * 1024;

/// Reads a ROM file or the known ROM of an archive.
///
/// # Errors
/// [`Error::Read`], [`Error::TooLong`], those of [`Rom::from_bytes`], and those of archives.
pub(super) fn read(path: &Path) -> Result<Rom, Error> {
    let name = plain(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    let read_error = |source| Error::Read { path: path.display().to_string(), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(read_error)?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(read_error)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Error::TooLong { name, limit: MAX_FILE });
    }
    match unpack::kind(&bytes) {
        Some(kind) => archive::choose(&name, kind, &bytes, MAX_FILE),
        None => Rom::from_bytes(&name, bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_at_most_8_mebibytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = |length| {
            file.as_file().set_len(length).unwrap();
            read(file.path()).expect_err("no ROM")
        };
        assert!(matches!(error(8 * 1024 * 1024), Error::NotInes { .. }));
        assert!(matches!(error(8 * 1024 * 1024 + 1), Error::TooLong { limit: 8_388_608, .. }));
    }
}

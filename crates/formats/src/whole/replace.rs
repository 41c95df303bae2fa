//! Replacing a file: at any time either the old file or the new one is there in full.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside `path`, with `.tmp` added to its name, waits until it is on the disk, and
/// renames it to `path`. A pipe or a device cannot be replaced: it is written directly.
///
/// # Errors
/// When either file cannot be written. The old file is then still whole.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes);
    }
    let mut beside = OsString::from(path);
    beside.push(".tmp");
    let beside = PathBuf::from(beside);
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_content_takes_the_place_of_the_old_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        for content in ["a long first content", "second", ""] {
            replace(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        replace(&path, b"old").unwrap();
        // Nothing can be created under the name of a folder.
        fs::create_dir(folder.path().join("weights.toml.tmp")).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(replace(folder.path(), b"new").is_err(), "a folder is not a file");
    }
}

//! Replacing a file: at any time either the old file or the new one is there in full.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::place::resolved;

/// A file that takes the place of another when it is complete. If it is dropped before, the old
/// file stays and nothing is left beside it.
///
/// It is written under a new name in the same folder. A link keeps leading to the same place: what
/// it leads to is replaced. The permissions of the old file are kept. A pipe or a device cannot be
/// replaced: it is written directly.
#[derive(Debug)]
pub struct Replacement(Output);

#[derive(Debug)]
enum Output {
    Beside { file: NamedTempFile, place: PathBuf },
    Direct(File),
}

impl Replacement {
    /// Creates the new file beside the old one.
    ///
    /// # Errors
    /// When either cannot be written. A file that is write-protected is not replaced.
    pub fn start(path: &Path) -> io::Result<Replacement> {
        let old = fs::metadata(path).ok();
        if old.is_some() {
            let file = OpenOptions::new().write(true).open(path)?;
            if !file.metadata()?.is_file() {
                return Ok(Replacement(Output::Direct(file)));
            }
        }
        let place = resolved(path)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".maxout-").suffix(".tmp");
        // Those of an ordinary new file: the system takes away what the user has masked.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(place.parent().unwrap_or(Path::new("/")))?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Replacement(Output::Beside { file, place }))
    }

    /// Waits until the new file is on the disk, and gives it the name of the old one.
    ///
    /// # Errors
    /// When the system refuses. The old file is then still whole.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Output::Beside { file, place } => {
                file.as_file().sync_all()?;
                file.persist(place).map(drop).map_err(|error| error.error)
            }
            Output::Direct(mut file) => file.flush(),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Output::Beside { file, .. } => file.write(bytes),
            Output::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Beside { file, .. } => file.flush(),
            Output::Direct(file) => file.flush(),
        }
    }
}

/// Replaces a file by these bytes, as a [`Replacement`].
///
/// # Errors
/// When it cannot be written. The old file is then still whole.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::start(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Can this file be replaced? Nothing is changed.
///
/// # Errors
/// When it cannot, or not be created.
pub fn can_replace(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // Pipes and devices may wait for a reader.
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        _ => Replacement::start(path).map(drop),
    }
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
    fn a_file_that_is_not_completed_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        replace(&path, b"old").unwrap();
        can_replace(&path).unwrap();
        let mut file = Replacement::start(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(folder.path(), b"new").is_err(), "a folder is not a file");
        assert!(can_replace(folder.path()).is_err());
        assert!(can_replace(&folder.path().join("none/weights.toml")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_leading_to_the_file_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, ordinary] = ["weights.toml", "link", "ordinary"].map(|name| folder.path().join(name));
        symlink("weights.toml", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink() && !file.is_symlink());
        fs::write(&ordinary, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file), mode(&ordinary));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&link, b"newer").unwrap();
        assert_eq!((mode(&file), fs::read(&file).unwrap()), (0o640, b"newer".to_vec()));
        assert!(link.is_symlink());
    }
}

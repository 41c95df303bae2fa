//! Replacing a file: at any time either the old file or the new one is there in full, where the
//! folder allows that.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, PersistError};

use super::place::resolved;

/// A file that takes the place of another when it is complete. If it is dropped before, the old
/// file stays and nothing is left beside it.
///
/// It is written under a new name in the same folder. A link keeps leading to the same place: what
/// it leads to is replaced. The permissions of the old file are kept. A pipe or a device cannot be
/// replaced: it is written directly.
///
/// A file that may be written in a folder that may not, and one that is mounted alone, cannot be
/// replaced either: the new content stays in memory until it is complete, and is then written over
/// the old one. Only an error of that last step, as on a full disk, costs the old content.
#[derive(Debug)]
pub struct Replacement(Output);

#[derive(Debug)]
enum Output {
    Beside { file: NamedTempFile<File>, place: PathBuf },
    Over { old: File, new: Vec<u8> },
    Direct(File),
}

impl Replacement {
    /// Creates the new file beside the old one.
    ///
    /// # Errors
    /// When either cannot be written. A file that is write-protected is not replaced.
    pub fn start(path: &Path) -> io::Result<Replacement> {
        // Of all ways in which tempfile creates a file, only this one keeps the hidden name out of errors.
        let create = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
        Replacement::start_with(path, create)
    }

    fn start_with(path: &Path, create: impl FnMut(&Path) -> io::Result<File>) -> io::Result<Replacement> {
        let mut old = None;
        if fs::metadata(path).is_ok() {
            let file = OpenOptions::new().write(true).open(path)?;
            if !file.metadata()?.is_file() {
                return Ok(Replacement(Output::Direct(file)));
            }
            old = Some(file);
        }
        let place = resolved(path)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".maxout-").suffix(".tmp");
        let file = match builder.make_in(place.parent().unwrap_or(Path::new("/")), create) {
            Ok(file) => file,
            Err(error) => {
                return match old {
                    Some(old) if is_for_the_folder(&error) => Ok(Replacement(Output::Over { old, new: Vec::new() })),
                    _ => Err(error),
                };
            }
        };
        if let Some(old) = old {
            file.as_file().set_permissions(old.metadata()?.permissions())?;
        }
        Ok(Replacement(Output::Beside { file, place }))
    }

    /// Waits until the new file is on the disk, and gives it the name of the old one.
    ///
    /// # Errors
    /// When the system refuses. The old file is then still whole, unless it was written over.
    pub fn finish(self) -> io::Result<()> {
        self.finish_with(NamedTempFile::persist)
    }

    fn finish_with(
        self,
        rename: impl FnOnce(NamedTempFile<File>, PathBuf) -> Result<File, PersistError<File>>,
    ) -> io::Result<()> {
        match self.0 {
            Output::Beside { file, place } => {
                file.as_file().sync_all()?;
                let Err(PersistError { error, file }) = rename(file, place.clone()) else { return Ok(()) };
                if !is_for_the_folder(&error) {
                    return Err(error);
                }
                // Its folder keeps the name, but not the content.
                let mut old = OpenOptions::new().write(true).open(&place).map_err(|_| error)?;
                let mut new = file.as_file();
                new.seek(SeekFrom::Start(0))?;
                old.set_len(0)?;
                io::copy(&mut new, &mut old)?;
                old.sync_all()
            }
            Output::Over { mut old, new } => {
                old.set_len(0)?;
                old.write_all(&new)?;
                old.sync_all()
            }
            Output::Direct(mut file) => file.flush(),
        }
    }
}

/// Is this an error of a file's folder or mount, where the file itself may still be written?
fn is_for_the_folder(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem | Kind::ResourceBusy | Kind::CrossesDevices
    )
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            // tempfile's own `write` shows the hidden name in errors.
            Output::Beside { file, .. } => file.as_file_mut().write(bytes),
            Output::Over { new, .. } => new.write(bytes),
            Output::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Beside { file, .. } => file.as_file_mut().flush(),
            Output::Over { .. } => Ok(()),
            Output::Direct(file) => file.flush(),
        }
    }
}

/// Replaces a file by these bytes, as a [`Replacement`].
///
/// # Errors
/// When it cannot be written. The old file is then still whole, unless it was written over.
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

    /// What keeps a file from being replaced in its folder.
    const REFUSALS: [io::ErrorKind; 4] = [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::ResourceBusy,
        io::ErrorKind::CrossesDevices,
    ];

    #[test]
    fn a_file_is_written_over_where_its_folder_takes_no_other() {
        for kind in REFUSALS.into_iter() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("weights.toml");
            let start = || Replacement::start_with(&path, |_| Err(kind.into()));
            let message = start().unwrap_err().to_string();
            assert!(!message.contains(".maxout-"), "a new file: {message}");
            fs::write(&path, "a long old content").unwrap();
            let mut file = start().unwrap();
            file.write_all(b"new").unwrap();
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), b"a long old content", "it was not completed");
            let mut file = start().unwrap();
            file.write_all(b"new").unwrap();
            file.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        fs::write(&path, "old").unwrap();
        assert!(Replacement::start_with(&path, |_| Err(io::ErrorKind::StorageFull.into())).is_err());
    }

    #[test]
    fn a_file_that_keeps_its_name_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        fs::write(&path, "a long old content").unwrap();
        for kind in REFUSALS.into_iter().chain([io::ErrorKind::StorageFull]) {
            let mut file = Replacement::start(&path).unwrap();
            let new = format!("{kind:?}");
            file.write_all(new.as_bytes()).unwrap();
            let done = file.finish_with(|file, _| Err(PersistError { error: kind.into(), file }));
            assert_eq!(done.is_ok(), kind != io::ErrorKind::StorageFull);
            assert_eq!(fs::read_to_string(&path).unwrap() == new, done.is_ok());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
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

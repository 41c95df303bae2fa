//! Files that are to be written: opened first, changed only when the run starts.
//!
//! A run that writes several files claims all of them before it empties the first. So a run that
//! never starts leaves every old file as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lock::{Lock, lock_itself};
use super::replace::Replacement;

/// The files that claims of this process have made, until they start or are dropped.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn made() -> MutexGuard<'static, Vec<PathBuf>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that claims have made and not started, if they are empty. For a process that ends at once, without
/// dropping the claims.
pub fn remove_unstarted() {
    for path in made().drain(..) {
        remove_empty(&path);
    }
}

fn remove_empty(path: &Path) {
    if fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0) {
        // No caller can take an error here.
        let _ = fs::canonicalize(path).and_then(fs::remove_file);
    }
}

/// A file that can be written and is as it was. No other run can claim it. If it is dropped, a file
/// that was there keeps its content, and one that was not is removed.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    file: Option<File>,
    /// It was not there before.
    is_new: bool,
    lock: Option<Lock>,
}

impl Claim {
    /// Opens a file for writing, and creates it if it is not there; links are followed.
    ///
    /// # Errors
    /// When it cannot be written, or another run writes it.
    pub fn open(path: &Path) -> io::Result<Claim> {
        let path = path.to_owned();
        let lock = Lock::take(&path)?;
        match OpenOptions::new().write(true).open(&path) {
            Ok(file) => {
                lock_itself(&file)?;
                Ok(Claim { path, file: Some(file), is_new: false, lock })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Not `create_new`: a link may lead to a file that is not there yet.
                let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
                made().push(path.clone());
                lock_itself(&file)?;
                Ok(Claim { path, file: Some(file), is_new: true, lock })
            }
            Err(error) => Err(error),
        }
    }

    /// The path that it was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Empties the file, if it is a regular one: the run starts.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start(self) -> io::Result<ClaimedFile> {
        self.resume(0)
    }

    /// Cuts the file after its first `length` bytes, if it is a regular one: the run goes on from there.
    ///
    /// # Errors
    /// When the system refuses.
    pub(super) fn resume(mut self, length: u64) -> io::Result<ClaimedFile> {
        let Some(file) = self.file.take() else { return Err(io::Error::other("the file is in use already")) };
        self.forget();
        if file.metadata()?.is_file() {
            file.set_len(length)?;
        }
        Ok(ClaimedFile { file, _lock: self.lock.take() })
    }

    /// Replaces the file by these bytes, as a [`Replacement`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn replace(self, bytes: &[u8]) -> io::Result<()> {
        self.replace_with(|file| file.write_all(bytes))
    }

    /// Replaces the file by what is written, as a [`Replacement`].
    ///
    /// # Errors
    /// When it cannot be written, or `write` fails; the old file then stays.
    pub fn replace_with<E: From<io::Error>>(
        mut self,
        write: impl FnOnce(&mut Replacement) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut file = Replacement::start(&self.path)?;
        write(&mut file)?;
        file.finish()?;
        // Nothing is to be removed any more.
        self.forget();
        self.is_new = false;
        Ok(())
    }
}

impl Claim {
    /// The file is no longer one that [`remove_unstarted`] removes.
    fn forget(&self) {
        if self.is_new {
            made().retain(|path| *path != self.path);
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.file.take().is_some() && self.is_new {
            self.forget();
            remove_empty(&self.path);
        }
    }
}

/// A file of this run, empty at first.
#[derive(Debug)]
pub struct ClaimedFile {
    file: File,
    /// Held until the file is closed.
    _lock: Option<Lock>,
}

impl ClaimedFile {
    /// Makes the file shorter or longer.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn set_len(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }
}

impl Write for ClaimedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for ClaimedFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_changes_nothing_until_the_run_starts() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old.csv"), folder.path().join("new.csv"));
        fs::write(&old, "kept").unwrap();
        drop((Claim::open(&old).unwrap(), Claim::open(&new).unwrap()));
        assert_eq!(fs::read_to_string(&old).unwrap(), "kept");
        assert!(!new.exists());
        for path in [&old, &new] {
            let mut file = Claim::open(path).unwrap().start().unwrap();
            file.write_all(b"run").unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "run");
            assert!(Claim::open(path).is_err(), "it is written now");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no lock is left");
        assert!(Claim::open(folder.path()).is_err(), "a folder is no file");
    }

    #[cfg(unix)]
    #[test]
    fn a_hard_link_of_a_file_that_grows_is_not_claimed() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("game.csv"), folder.path().join("link.csv"));
        let growing = Claim::open(&file).unwrap().start().unwrap();
        fs::hard_link(&file, &link).unwrap();
        assert_eq!(Claim::open(&link).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(growing);
        assert!(Claim::open(&link).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_file_that_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("game.csv"), folder.path().join("link.csv"));
        std::os::unix::fs::symlink("game.csv", &link).unwrap();
        drop(Claim::open(&link).unwrap());
        assert!(!file.exists() && link.is_symlink());
        Claim::open(&link).unwrap().start().unwrap().write_all(b"run").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "run");
    }
}

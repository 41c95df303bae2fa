//! Locks: two runs never write one file at the same time.
//!
//! The lock of `game.csv` is the file `.game.csv.maxout-lock` beside it, locked by the system. It
//! lies beside, because runs on several machines may share the folder, and because a file that is
//! replaced cannot carry a lock itself. Its text names the run. It is removed when the run ends;
//! one that a killed run has left is no longer locked, so the next run takes it over. Two hard
//! links of a file have two such locks, so a file that grows is locked itself, too.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::place::resolved;

/// The first line of a lock.
const HEAD: &str = "maxout lock";
/// Bytes of a lock that are read. Chosen by hand, not measured.
const READ: u64 = 1024;
/// Characters of a command line that a lock keeps. Chosen by hand, not measured.
const COMMAND: usize = 200;
/// How often a lock that others take away in between is tried again. Chosen by hand, not measured.
const TRIES: usize = 100;

/// The lock files of this process.
static TAKEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While it lives, no other run can lock the same file.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// Another run writes the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("another run writes it{0}")]
pub struct Held(String);

impl Lock {
    /// Locks a file that is to be written; links are followed. `None` where there is nothing to
    /// lock, as with a pipe, and where no lock can be made: in a folder in which no file can be
    /// created, or on a file system without locks.
    ///
    /// # Errors
    /// When another run holds the lock; the error contains a [`Held`].
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Ok(None);
        }
        let Some(path) = resolved(path).ok().and_then(|file| beside(&file)) else { return Ok(None) };
        for _ in 0..TRIES {
            match Attempt::at(&path, File::try_lock)? {
                Attempt::Locked(file) => return Ok(written(file, path)),
                Attempt::Impossible => return Ok(None),
                Attempt::Gone => {}
            }
        }
        Ok(None)
    }
}

/// Locks a file that grows itself, too, until it is closed: a hard link of it has another lock file, and
/// lock files can be removed. Not on Windows, where nobody could read the file then.
///
/// # Errors
/// When another run has locked it; the error contains a [`Held`].
pub(super) fn lock_itself(file: &File) -> io::Result<()> {
    let is_regular = file.metadata().is_ok_and(|found| found.is_file());
    match is_regular && cfg!(unix) && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        true => Err(io::Error::new(io::ErrorKind::ResourceBusy, Held(String::new()))),
        false => Ok(()),
    }
}

/// Removes the lock files of all locks that this process holds. For a process that ends at once, without dropping them.
pub fn remove_locks() {
    for path in taken().drain(..) {
        let _ = fs::remove_file(path);
    }
}

fn taken() -> MutexGuard<'static, Vec<PathBuf>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut taken = taken();
        let Some(at) = taken.iter().position(|path| *path == self.path) else { return };
        taken.swap_remove(at);
        // First removed: who opens it now sees that it is gone. No caller can take an error here.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

fn beside(file: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(file.file_name()?);
    name.push(".maxout-lock");
    Some(file.with_file_name(name))
}

enum Attempt {
    Locked(File),
    /// The run that held it has removed it in between.
    Gone,
    Impossible,
}

impl Attempt {
    fn at(path: &Path, try_lock: impl FnOnce(&File) -> Result<(), TryLockError>) -> io::Result<Attempt> {
        if path.is_symlink() {
            return Ok(Attempt::Impossible);
        }
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let Ok(file) = opened else { return Ok(Attempt::Impossible) };
        match try_lock(&file) {
            Ok(()) if is_at(&file, path) => Ok(Attempt::Locked(file)),
            Ok(()) => Ok(Attempt::Gone),
            Err(TryLockError::WouldBlock) if !is_at(&file, path) => Ok(Attempt::Gone),
            Err(TryLockError::WouldBlock) => Err(io::Error::new(io::ErrorKind::ResourceBusy, Held(holder(file)))),
            Err(TryLockError::Error(_)) => {
                // Created above, or empty. No caller can take an error here.
                if is_at(&file, path) && file.metadata().is_ok_and(|found| found.len() == 0) {
                    let _ = fs::remove_file(path);
                }
                Ok(Attempt::Impossible)
            }
        }
    }
}

/// Does the path still lead to this file?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: &fs::Metadata| (found.dev(), found.ino());
    matches!((file.metadata(), fs::symlink_metadata(path)), (Ok(file), Ok(path)) if id(&file) == id(&path))
}

/// Elsewhere the name of a removed file is not free while somebody has it open.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Names this run in the lock. A file of that name that is no lock stays as it is.
fn written(mut file: File, path: PathBuf) -> Option<Lock> {
    let mut text = Vec::new();
    Read::by_ref(&mut file).take(READ).read_to_end(&mut text).ok()?;
    if !text.is_empty() && !text.starts_with(HEAD.as_bytes()) {
        return None;
    }
    let host = gethostname::gethostname();
    let command = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    let command: String = command.chars().map(|c| if c.is_control() { ' ' } else { c }).take(COMMAND).collect();
    let (process, host) = (std::process::id(), host.to_string_lossy());
    let name = format!("{HEAD}\nprocess {process}\nhost {host}\ncommand {command}\n");
    // A disk that is full does not keep the lock from holding.
    let _ = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).and_then(|_| file.write_all(name.as_bytes()));
    taken().push(path.clone());
    Some(Lock { file, path })
}

/// `: process 4242 on cellar, maxout play --log game.csv`, as far as the lock says it.
fn holder(file: File) -> String {
    let mut bytes = Vec::new();
    // Where locks keep others from reading, the run stays unnamed.
    let _ = file.take(READ).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let entry = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    match (entry("process"), entry("host"), entry("command")) {
        (Some(process), Some(host), Some(command)) if text.starts_with(HEAD) => {
            format!(": process {process} on {host}, {command}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only file of a folder.
    fn only_file(folder: &Path) -> PathBuf {
        let mut files = fs::read_dir(folder).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    #[test]
    fn a_file_is_locked_once_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csv");
        let lock = Lock::take(&path).unwrap().unwrap();
        let error = Lock::take(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        let process = format!("process {} on ", std::process::id());
        assert!(error.to_string().contains(&process), "{error}");
        assert!(Lock::take(&folder.path().join("other.csv")).unwrap().is_some());
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(Lock::take(&path).unwrap().is_some());
    }

    #[test]
    fn a_lock_that_a_killed_run_has_left_does_not_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csv");
        let lock = Lock::take(&path).unwrap().unwrap();
        let text = fs::read(only_file(folder.path())).unwrap();
        let left = only_file(folder.path());
        drop(lock);
        fs::write(&left, text).unwrap();
        drop(Lock::take(&path).unwrap().unwrap());
        assert!(!left.exists());
    }

    #[test]
    fn a_file_of_the_user_with_the_name_of_a_lock_stays() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(".game.csv.maxout-lock");
        fs::write(&own, "mine").unwrap();
        assert!(Lock::take(&folder.path().join("game.csv")).unwrap().is_none());
        assert_eq!(fs::read_to_string(&own).unwrap(), "mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_its_file_have_one_lock_and_a_lock_is_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("game.csv"), folder.path().join("link.csv"));
        std::os::unix::fs::symlink("game.csv", &link).unwrap();
        let lock = Lock::take(&link).unwrap().unwrap();
        assert!(Lock::take(&file).is_err());
        drop(lock);
        let aim = folder.path().join("aim");
        std::os::unix::fs::symlink(&aim, folder.path().join(".game.csv.maxout-lock")).unwrap();
        assert!(Lock::take(&file).unwrap().is_none());
        assert!(!aim.exists());
    }

    #[test]
    fn a_file_system_without_locks_keeps_no_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".game.csv.maxout-lock");
        let refuse = |_: &File| Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
        assert!(matches!(Attempt::at(&path, refuse), Ok(Attempt::Impossible)));
        assert!(!path.exists());
        fs::write(&path, "mine").unwrap();
        assert!(matches!(Attempt::at(&path, refuse), Ok(Attempt::Impossible)));
        assert!(path.exists());
    }

    #[test]
    fn where_no_lock_can_be_made_there_is_none() {
        assert!(Lock::take(Path::new("no such folder/game.csv")).unwrap().is_none());
        assert!(Lock::take(Path::new("/dev/null")).unwrap().is_none());
    }
}

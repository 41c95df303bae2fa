//! Two named pipes in a folder of the user's own.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use nix::unistd::{Uid, mkfifo};

use super::{Open, pause};
use crate::error::Error;
use crate::link::{Descriptors, Link};

/// What maxout writes and the host reads.
const TO_HOST: &str = "to-host";
/// What the host writes and maxout reads.
const FROM_HOST: &str = "from-host";
/// Only the user may read and write.
const PRIVATE: u32 = 0o600;
/// Only the user may look into the folder.
const PRIVATE_FOLDER: u32 = 0o700;
/// Write permission of the group and of others.
const OTHERS_WRITE: u32 = 0o022;

/// The pipes, and the lock of their folder. Dropped, it removes them, and the folder if it is maxout's.
pub(super) struct Pipes {
    folder: PathBuf,
    /// Was the folder made by this run, or is it the default one, which a killed run may have left?
    is_folder_ours: bool,
    /// Locked while this run uses the folder. The system ends the lock with the run, however it ends.
    _lock: File,
    /// The end that is read, open before there is a host, so that a host can open its end.
    input: Option<File>,
    /// The pipes that are this run's: these are removed.
    names: Vec<&'static str>,
}

impl Pipes {
    pub(super) fn make(folder: &Path, is_default: bool) -> Result<Pipes, Error> {
        let shown = folder.display();
        let is_folder_made = match DirBuilder::new().mode(PRIVATE_FOLDER).create(folder) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(Error::endpoint(format!("cannot make the folder {shown} for pipes"), error)),
        };
        let cannot = |error: io::Error| Error::endpoint(format!("cannot use {shown} for pipes"), error);
        let found = fs::metadata(folder).map_err(cannot)?;
        if !found.is_dir() {
            return Err(Error::Unusable(format!(
                "expected a folder for the pipes, found a file: {shown}; give another name"
            )));
        }
        // A link that another user has made leads where that user likes.
        let entry = fs::symlink_metadata(folder).map_err(cannot)?;
        let is_own = [&found, &entry].iter().all(|file| file.uid() == Uid::effective().as_raw());
        if !is_own || found.mode() & OTHERS_WRITE != 0 {
            let why = if is_own { "others may write into it" } else { "it belongs to another user" };
            let advice = "name a folder that does not exist yet, and maxout makes one of your own";
            return Err(Error::Unusable(format!("{shown} is not private ({why}): {advice}")));
        }
        let lock = File::open(folder).map_err(cannot)?;
        // A file system without locks lets every run in.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let advice = "wait until it ends, or give this one another folder with --pipes";
            return Err(Error::Unusable(format!("another maxout drive uses the pipes in {shown}: {advice}")));
        }
        let is_folder_ours = is_folder_made || is_default;
        let mut pipes =
            Pipes { folder: folder.to_owned(), is_folder_ours, _lock: lock, input: None, names: Vec::new() };
        for name in [TO_HOST, FROM_HOST] {
            pipes.pipe(name)?;
            pipes.names.push(name);
        }
        pipes.open_input()?;
        Ok(pipes)
    }

    /// Makes a pipe, or takes over the one that a killed run has left: a host may wait at it already.
    fn pipe(&self, name: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        let cannot = |error: io::Error| Error::endpoint(format!("cannot make the pipe {}", path.display()), error);
        match mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR) {
            Ok(()) => return Ok(()),
            Err(Errno::EEXIST) => {}
            Err(error) => return Err(cannot(error.into())),
        }
        let found = fs::symlink_metadata(&path).map_err(cannot)?;
        if !found.file_type().is_fifo() || found.uid() != Uid::effective().as_raw() {
            let advice = "remove it, or give another folder";
            let path = path.display();
            return Err(Error::Unusable(format!("expected a pipe of yours, found another file: {path}; {advice}")));
        }
        fs::set_permissions(&path, Permissions::from_mode(PRIVATE)).map_err(cannot)
    }

    /// Opens a pipe without waiting for the other side.
    fn open(&self, name: &str, options: &mut OpenOptions) -> io::Result<File> {
        options.custom_flags(OFlag::O_NONBLOCK.bits()).open(self.folder.join(name))
    }

    fn open_input(&mut self) -> Result<(), Error> {
        let opened = self.open(FROM_HOST, OpenOptions::new().read(true));
        let path = self.folder.join(FROM_HOST);
        let opened = opened.map_err(|error| Error::endpoint(format!("cannot open {}", path.display()), error))?;
        self.input = Some(opened);
        Ok(())
    }
}

impl Open for Pipes {
    fn knock(&mut self) -> Result<Option<Box<dyn Link>>, Error> {
        // A host that went away without a word leaves an input at its end: a new one is opened.
        if self.input.is_none() {
            self.open_input()?;
        }
        let output = match self.open(TO_HOST, OpenOptions::new().write(true)) {
            Ok(output) => output,
            // No host has opened the pipe to read.
            Err(error) if error.raw_os_error() == Some(Errno::ENXIO as i32) => {
                pause();
                return Ok(None);
            }
            Err(error) => {
                let path = self.folder.join(TO_HOST);
                return Err(Error::endpoint(format!("cannot open {}", path.display()), error));
            }
        };
        Ok(self.input.take().map(|input| Box::new(Descriptors { input, output }) as Box<dyn Link>))
    }

    fn owns_folder(&self) -> bool {
        self.is_folder_ours
    }

    fn close(&mut self) {
        for name in self.names.drain(..) {
            // No caller can do anything about a pipe that cannot be removed.
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.close();
        if self.is_folder_ours {
            // It stays if something else is in it.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

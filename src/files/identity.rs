//! Which file a path leads to, however it is written: links are followed, hard links are the same.

use std::path::{Path, PathBuf};

use crate::system::stdout::is_stdout;
use maxout_formats::whole::resolved;

const STDOUT_FILE: &str = "/dev/stdout";
const STDERR_FILE: &str = "/dev/stderr";

/// A file on a disk, or a place for one.
#[derive(Debug)]
pub(crate) enum Identity {
    /// Standard output, and the file that it goes to, if that is known.
    Stdout(Option<Id>),
    /// A file that is there.
    File(Id),
    /// A file that is not there yet.
    Place(PathBuf),
}

impl Identity {
    /// A file to be read. `None` for pipes and devices, which cannot be overwritten, and for what is not
    /// there.
    pub(crate) fn of_input(path: &Path) -> Option<Identity> {
        let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
        is_file.then(|| id(path).map(Identity::File))?
    }

    /// A file to be written.
    pub(crate) fn of_output(path: &Path) -> Identity {
        if is_stdout(path) {
            return Identity::Stdout(stream_id(STDOUT_FILE));
        }
        let place = || Identity::Place(resolved(path).unwrap_or_else(|_| path.to_owned()));
        id(path).map_or_else(place, Identity::File)
    }

    /// The stream of this program that goes to the same file under another name, if one does.
    pub(crate) fn stream(&self) -> Option<&'static str> {
        let Identity::File(one) = self else { return None };
        let streams = [("standard output", STDOUT_FILE), ("standard error", STDERR_FILE)];
        streams.into_iter().find(|(_, stream)| stream_id(stream).as_ref() == Some(one)).map(|(name, _)| name)
    }

    /// Do both lead to one file?
    pub(crate) fn is(&self, other: &Identity) -> bool {
        match (self, other) {
            (Identity::Stdout(_), Identity::Stdout(_)) => true,
            (Identity::Stdout(Some(one)), Identity::File(other))
            | (Identity::File(one), Identity::Stdout(Some(other)))
            | (Identity::File(one), Identity::File(other)) => one == other,
            (Identity::Place(one), Identity::Place(other)) => one == other,
            _ => false,
        }
    }
}

/// Device and number of a file.
#[cfg(unix)]
pub(crate) type Id = (u64, u64);

#[cfg(unix)]
fn id(path: &Path) -> Option<Id> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// The file that a stream goes to.
#[cfg(unix)]
fn stream_id(stream: &str) -> Option<Id> {
    let path = Path::new(stream);
    std::fs::metadata(path).ok().filter(|found| found.is_file()).and_then(|_| id(path))
}

/// A file that is held open, so that its number is not given to another.
#[cfg(not(unix))]
pub(crate) type Id = same_file::Handle;

#[cfg(not(unix))]
fn id(path: &Path) -> Option<Id> {
    same_file::Handle::from_path(path).ok()
}

#[cfg(not(unix))]
fn stream_id(_: &str) -> Option<Id> {
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn one_file_is_itself_under_every_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").expect("written");
        fs::write(path("other"), "").expect("written");
        fs::hard_link(path("file"), path("hard")).expect("linked");
        let input = Identity::of_input(&path("file")).expect("a file");
        for same in ["file", "hard", "./file"] {
            assert!(Identity::of_output(&path(same)).is(&input), "{same}");
        }
        for different in ["other", "new", "no/such"] {
            assert!(!Identity::of_output(&path(different)).is(&input), "{different}");
        }
        let new = Identity::of_output(&path("new"));
        assert!(Identity::of_output(&path("./new")).is(&new) && !Identity::of_output(&path("newer")).is(&new));
        assert!(Identity::of_input(&path("new")).is_none() && Identity::of_input(folder.path()).is_none());
        assert!(
            Identity::of_output(Path::new("-")).is(&Identity::of_output(Path::new("/dev/stdout"))) || cfg!(not(unix))
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_are_no_inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").expect("written");
        for (aim, link) in [("file", "link"), ("link", "link to a link"), ("new", "link to nothing")] {
            std::os::unix::fs::symlink(aim, path(link)).expect("linked");
        }
        let input = Identity::of_input(&path("link")).expect("a file");
        for same in ["file", "link to a link"] {
            assert!(Identity::of_output(&path(same)).is(&input), "{same}");
        }
        assert!(Identity::of_output(&path("link to nothing")).is(&Identity::of_output(&path("new"))));
        assert!(Identity::of_input(Path::new("/dev/null")).is_none());
    }
}

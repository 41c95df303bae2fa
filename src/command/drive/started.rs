//! An emulator that was started for the game, and the files that were written for it.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use super::Opened;
use crate::system::failure::Failure;
use crate::system::interrupt::LastAct;
use crate::system::programs;
use maxout_external::kill_group;
use maxout_host::script::is_script;

/// How long an emulator may take from its start to the first words of its script. FCEUX takes 0.3 s;
/// longer than that by far, for machines that are slow or busy. Chosen by hand.
const LONGEST_START: Duration = Duration::from_secs(60);
/// How long an emulator that has closed the connection may take to end. Chosen by hand: a crash may write a core first.
const LONGEST_END: Duration = Duration::from_secs(2);
/// How often it is looked whether it has ended. Chosen by hand.
const LOOKS: Duration = Duration::from_millis(20);
/// Names that are tried for a folder: others may be there.
const MOST_FOLDERS: u32 = 1000;

/// A folder that only the user can read, in the one for temporary files. It is removed with everything
/// in it when the last copy is dropped.
#[derive(Debug, Clone)]
pub(super) struct Folder(Rc<Removed>);

#[derive(Debug)]
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // No caller can do anything about a folder that cannot be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    pub(super) fn make() -> io::Result<Folder> {
        let place = std::env::temp_dir();
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let cannot = |error: io::Error| {
            let problem = format!("cannot make a folder for FCEUX in {}: {error}", place.display());
            io::Error::new(error.kind(), problem)
        };
        for number in 0..MOST_FOLDERS {
            let path = place.join(format!("maxout-fceux-{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(Folder(Rc::new(Removed(path)))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot(error)),
            }
        }
        Err(cannot(io::ErrorKind::AlreadyExists.into()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0.0
    }

    /// Writes a file into it.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.path().join(name);
        write_new(&path, bytes)?;
        Ok(path)
    }
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = OpenOptions::new().write(true).create_new(true).open(path).and_then(|mut file| file.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::input)
}

/// A script that a person starts. It is removed as soon as it runs.
pub(super) struct Written {
    path: PathBuf,
    /// Was the folder made for the pipes?
    is_folder_ours: bool,
}

impl Written {
    /// Writes it into the folder of the pipes, in place of one that a killed run has left there.
    pub(super) fn write(folder: &Path, is_folder_ours: bool, name: &str, script: &str) -> Result<Written, Failure> {
        let path = folder.join(name);
        match fs::read(&path) {
            Ok(old) if !is_script(&old) => {
                let expected = "expected a script that maxout has written, found another file";
                return Err(Failure::input(anyhow!(
                    "{}: {expected}; remove it, or give another folder with --pipes",
                    path.display()
                )));
            }
            _ => drop(fs::remove_file(&path)),
        }
        write_new(&path, script.as_bytes())?;
        Ok(Written { path, is_folder_ours })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        self.greeted();
        // If no host came, the script was still there when the pipes went.
        if self.is_folder_ours {
            let _ = self.path.parent().map(fs::remove_dir);
        }
    }
}

impl Opened for Written {
    fn greeted(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// An emulator that runs. Dropped, it is ended.
pub(super) struct Started {
    child: Child,
    since: Instant,
    /// What it says on standard error. The file has no name any more once the script runs.
    said: File,
    folder: Folder,
    _last_act: LastAct,
}

impl Started {
    /// Starts FCEUX with a script and a game.
    pub(super) fn start(
        program: &Path,
        more: &[OsString],
        script: &Path,
        game: &Path,
        folder: Folder,
    ) -> Result<Started, Failure> {
        let path = folder.path().join("fceux.txt");
        let said = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let said = said.and_then(|said| Ok((said.try_clone()?, said)));
        let (stderr, said) = said.context("cannot write a temporary file").map_err(Failure::input)?;
        let mut command = Command::new(program);
        command.args(more).arg("--loadlua").arg(script).arg(game);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        // Ctrl-C in the terminal is for maxout alone, which then ends the emulator.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().with_context(|| format!("cannot start {}", program.display()));
        let child = child.map_err(Failure::run)?;
        let (id, path) = (child.id(), folder.path().to_owned());
        let last_act = LastAct::new(move || {
            kill_group(id);
            let _ = fs::remove_dir_all(path);
        });
        Ok(Started { child, since: Instant::now(), said, folder, _last_act: last_act })
    }

    /// The line of its words that tells why it ended, to be shown after other words.
    fn last_words(&mut self) -> String {
        let mut said = Vec::new();
        // Without its words the rest of the message is still true.
        let _ = self.said.rewind().and_then(|()| self.said.read_to_end(&mut said));
        reason(&String::from_utf8_lossy(&said)).map_or(String::new(), |line| format!("; it said: {line}"))
    }
}

/// The first line that speaks of a problem, or the last line.
fn reason(said: &str) -> Option<String> {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_problem =
        |line: &&str| ["could not", "cannot", "Fatal", "rror", "Failed to"].iter().any(|sign| line.contains(sign));
    lines.clone().find(is_problem).or_else(|| lines.next_back()).map(programs::shown)
}

impl Opened for Started {
    fn lost(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(Some(status)) => Some(format!("FCEUX has ended before its script ran ({status}){}", self.last_words())),
            Ok(None) if self.since.elapsed() < LONGEST_START => None,
            Ok(None) => {
                let limit = LONGEST_START.as_secs();
                Some(format!("FCEUX runs, but its script has said nothing for {limit} s{}", self.last_words()))
            }
            Err(error) => Some(format!("FCEUX cannot be looked after: {error}")),
        }
    }

    /// Script and game are loaded: even if this program is killed, nothing is left behind.
    fn greeted(&mut self) {
        let _ = fs::remove_dir_all(self.folder.path());
    }

    fn ended(&mut self) -> Option<String> {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(format!("FCEUX has ended ({status}){}", self.last_words())),
                Ok(None) if since.elapsed() < LONGEST_END => thread::sleep(LOOKS),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It has no state that maxout has changed. Where the program is a script that starts FCEUX, both are
        // of one process group.
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_the_problem_is_shown() {
        let said = "Qt Warning: XDG_RUNTIME_DIR not set\nQt Warning: could not connect to display  (:0, )\n\n (:0, )\n";
        assert_eq!(reason(said).as_deref(), Some("Qt Warning: could not connect to display  (:0, )"));
        assert_eq!(reason("one\ntwo\n\n").as_deref(), Some("two"));
        assert_eq!(reason("\n"), None);
    }

    #[test]
    fn a_folder_goes_with_everything_in_it_and_no_other_is_used() {
        let (first, second) = (Folder::make().expect("a folder"), Folder::make().expect("another"));
        assert_ne!(first.path(), second.path());
        first.write("a.lua", b"x").expect("written");
        first.write("a.lua", b"y").expect_err("it is there already");
        let (path, copy) = (first.path().to_owned(), first.clone());
        drop(first);
        assert!(path.is_dir(), "a copy is left");
        drop(copy);
        assert!(!path.exists() && second.path().is_dir());
    }
}

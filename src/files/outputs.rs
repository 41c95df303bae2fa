//! The files that a run writes, beside those that it reads: one rule for all commands.
//!
//! An output is never a file that the run reads, never another output, and never an existing file
//! of another kind than the one to be written, unless `--overwrite` allows the last. All outputs
//! are checked and claimed before the first of them changes.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::ArgAction;

use crate::config::Config;
use crate::console::flags::Playback;
use crate::console::power::{ConsoleChoice, ROMS};
use crate::files::identity::Identity;
use crate::system::failure::Failure;
use crate::system::stdout::is_stdout;
use maxout_formats::whole::{Claim, Lock, can_replace};
use maxout_formats::{Format, Kind};

/// Permission to replace files.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Overwrite {
    /// Replace an existing file even if its content is of another kind than the one to be written. A
    /// file that the run reads is never replaced
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub overwrite: bool,
}

/// What a run reads and what it writes.
#[derive(Default)]
pub(crate) struct Outputs {
    overwrite: bool,
    read: Vec<(String, PathBuf)>,
    written: Vec<Written>,
}

struct Written {
    name: String,
    path: PathBuf,
    kind: Kind,
    way: Way,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Row by row while the run goes on.
    Grows,
    /// The same, while standard output has something else.
    GrowsBeside,
    /// At once, by a new file that takes its place.
    Whole,
    /// The same, and the run continues what is in the file. So nothing else is ever replaced.
    Continued,
}

/// The outputs of a run, as they were before it. While it lives, no other run can write them.
pub(crate) struct Claims {
    claims: Vec<Claim>,
    _locks: Vec<Lock>,
}

impl Outputs {
    /// None yet.
    pub(crate) fn new(overwrite: Overwrite) -> Outputs {
        Outputs { overwrite: overwrite.overwrite, read: Vec::new(), written: Vec::new() }
    }

    /// Files that the run reads; `name` is their flag or what they are.
    pub(crate) fn reads<'a>(mut self, name: &str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Outputs {
        self.read.extend(paths.into_iter().map(|path| (name.to_owned(), path.clone())));
        self
    }

    /// The files that a player by settings reads.
    pub(crate) fn reads_player(self, config: &Config) -> Outputs {
        config.player_files().fold(self, |outputs, (name, path)| outputs.reads(name, [path]))
    }

    /// What plays a log or movie reads.
    pub(crate) fn reads_playback(self, playback: &Playback) -> Outputs {
        self.reads_console(&playback.choice()).reads("--map", &playback.map)
    }

    /// The ROM that a console reads.
    pub(crate) fn reads_console(self, choice: &ConsoleChoice) -> Outputs {
        match choice {
            ConsoleChoice::Rom(path) => self.reads("the ROM", [path]),
            ConsoleChoice::OwnRom => {
                // Any of them may be the one.
                let files = std::fs::read_dir(ROMS).into_iter().flatten().flatten().map(|entry| entry.path());
                self.reads("the ROM", &files.collect::<Vec<_>>())
            }
            ConsoleChoice::Simulated | ConsoleChoice::Cartridge => self,
        }
    }

    /// A file that grows while the run goes on; `-` is standard output.
    pub(crate) fn grows(self, name: &str, path: &Path, kind: Kind) -> Outputs {
        self.writes(name, path, kind, Way::Grows)
    }

    /// The same, if there is one.
    pub(crate) fn grows_if(self, name: &str, path: Option<&Path>, kind: Kind) -> Outputs {
        match path {
            Some(path) => self.grows(name, path, kind),
            None => self,
        }
    }

    /// The same, while something else goes to standard output: `-` is refused.
    pub(crate) fn grows_beside(self, name: &str, path: Option<&Path>, kind: Kind) -> Outputs {
        match path {
            Some(path) => self.writes(name, path, kind, Way::GrowsBeside),
            None => self,
        }
    }

    /// Files that are written at once.
    pub(crate) fn whole<'a>(
        self,
        name: &str,
        paths: impl IntoIterator<Item = &'a PathBuf>,
        kind: impl Fn(&Path) -> Kind,
    ) -> Outputs {
        paths.into_iter().fold(self, |outputs, path| outputs.writes(name, path, kind(path), Way::Whole))
    }

    /// A file that is written at once, after the run has read what is in it.
    pub(crate) fn continues(self, name: &str, path: Option<&Path>, kind: Kind) -> Outputs {
        match path {
            Some(path) => self.writes(name, path, kind, Way::Continued),
            None => self,
        }
    }

    fn writes(mut self, name: &str, path: &Path, kind: Kind, way: Way) -> Outputs {
        self.written.push(Written { name: name.to_owned(), path: path.to_owned(), kind, way });
        self
    }

    /// Checks all outputs and opens them. None of them changes.
    pub(crate) fn claim(self) -> Result<Claims, Failure> {
        self.check_identity()?;
        for written in &self.written {
            written.check_name()?;
            written.check_kind(self.overwrite)?;
        }
        let mut claims = Claims { claims: Vec::new(), _locks: Vec::new() };
        for Written { name, path, way, .. } in &self.written {
            let claimed = match way {
                _ if is_stdout(path) => Ok(()),
                Way::Grows | Way::GrowsBeside => Claim::open(path).map(|claim| claims.claims.push(claim)),
                Way::Whole | Way::Continued => can_replace(path).and_then(|()| {
                    claims._locks.extend(Lock::take(path)?);
                    Ok(())
                }),
            };
            claimed.context(format!("cannot write {name} {}", path.display())).map_err(Failure::input)?;
        }
        Ok(claims)
    }

    /// Is every output another file than every input and every other output?
    fn check_identity(&self) -> Result<(), Failure> {
        let mut others: Vec<(&str, &Path, Identity)> = Vec::new();
        for (name, path) in &self.read {
            others.extend(Identity::of_input(path).map(|identity| (&**name, &**path, identity)));
        }
        let inputs = others.len();
        for Written { name, path, .. } in &self.written {
            let identity = Identity::of_output(path);
            if let Some(stream) = identity.stream() {
                let (this, advice) = (path.display(), "give each its own file");
                return Err(Failure::input(anyhow!("{stream} goes to {name} {this}, too; {advice}")));
            }
            if let Some(at) = others.iter().position(|(_, _, other)| other.is(&identity)) {
                let (other_name, other_path, _) = &others[at];
                let (other, this) = (other_path.display(), path.display());
                let same = match (other_name == name, other_path == path) {
                    (true, true) => format!("{name} {this} is given twice"),
                    (false, true) => format!("{other_name} and {name} are both {this}"),
                    (_, false) => format!("{other_name} {other} and {name} {this} are the same file"),
                };
                let advice = if at < inputs {
                    "no file is read and written at once: give the output another name"
                } else {
                    "give each its own file"
                };
                return Err(Failure::input(anyhow!("{same}; {advice}")));
            }
            others.push((name, path, identity));
        }
        Ok(())
    }
}

impl Written {
    /// Refuses a name that promises what the file will not be.
    fn check_name(&self) -> Result<(), Failure> {
        let Written { name, path, kind, way } = self;
        if is_stdout(path) && *way != Way::Grows {
            return Err(Failure::input(anyhow!("{name} needs a file: give a name in place of {}", path.display())));
        }
        let ends_in_gz = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let is_packed = matches!(kind, Kind::Frames(format) if format.gzip || format.format == Format::Ngf);
        if ends_in_gz && !is_packed {
            let error = "expected a name that does not end in .gz: the file is written without compression";
            return Err(Failure::input(anyhow!("{name} {}: {error}", path.display())));
        }
        Ok(())
    }

    /// Refuses to replace what is not of the kind to be written.
    fn check_kind(&self, overwrite: bool) -> Result<(), Failure> {
        let Written { name, path, kind, way } = self;
        let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
        let there = if is_block_device(&found) {
            "a disk"
        } else if !found.is_file() {
            return Ok(());
        } else {
            match kind.replaces(path) {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(there)) => there,
                // It may be written, but what is in it cannot be known.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "a file that cannot be read",
                Err(error) => {
                    let context = format!("cannot read what is in {name} {}", path.display());
                    return Err(Failure::input(anyhow!(error).context(context)));
                }
            }
        };
        let path = path.display();
        if *kind == Kind::Rom {
            return Err(Failure::input(anyhow!("cannot write {name} {path}: the file exists; give another name")));
        }
        let advice = match way {
            Way::Continued => "give another name",
            _ if overwrite => return Ok(()),
            _ => "give another name, or replace it with --overwrite",
        };
        Err(Failure::input(anyhow!(
            "{name} {path}: expected {}, an empty file or a new one, found {there}; {advice}",
            kind.name()
        )))
    }
}

#[cfg(unix)]
fn is_block_device(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_block_device(_found: &std::fs::Metadata) -> bool {
    false
}

impl Claims {
    /// The claim of a file that grows.
    pub(crate) fn take(&mut self, path: &Path) -> Result<Claim, Failure> {
        match self.claims.iter().position(|claim| claim.path() == path) {
            Some(at) => Ok(self.claims.swap_remove(at)),
            None => Err(Failure::run(anyhow!("{}: this output was not checked before the run", path.display()))),
        }
    }
}

/// The path of a file that is there and has content.
pub(crate) fn begun(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| std::fs::metadata(path).is_ok_and(|found| found.len() > 0))
}

/// The kind of a picture by its name: PNG or SVG.
pub(crate) fn picture(path: &Path) -> Kind {
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_png { Kind::Png } else { Kind::Svg }
}

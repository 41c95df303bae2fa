//! The files that mutation begins with.

use std::path::Path;
use std::{fs, io};

/// The folders with files of each target: those that reach much of a reader, and those that once
/// broke a promise.
const FOLDERS: [&str; 2] = ["corpus", "regressions"];

/// The files of a target, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    /// Names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Reads the files of a target below the folder `fuzz`.
///
/// # Errors
/// When a file cannot be read, or there is none in the corpus.
pub fn load(fuzz: &Path, target: &str) -> io::Result<Seeds> {
    let mut seeds = Seeds::default();
    for folder in FOLDERS.map(|folder| fuzz.join(folder).join(target)) {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !seeds.files.is_empty() => continue,
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", folder.display()))),
        };
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        for path in paths.into_iter().filter(|path| path.is_file()) {
            seeds.files.push((path.display().to_string(), fs::read(&path)?));
        }
    }
    if seeds.files.is_empty() {
        return Err(io::Error::other(format!("no file for {target} in {}", fuzz.join(FOLDERS[0]).display())));
    }
    Ok(seeds)
}

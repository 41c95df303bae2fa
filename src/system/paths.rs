//! Paths of files: their names, where they lead, whether they can be written.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::failure::Failure;

/// The last part of a path; the whole path if it has none.
pub(crate) fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}

/// The canonical path of a file, so that two spellings of it are equal. For a file that does not
/// exist yet, that of its folder is used.
pub(crate) fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.canonicalize().unwrap_or_else(|_| match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    })
}

/// Checks whether a file can be written, without changing or creating it.
pub(crate) fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // Pipes and devices may wait for a reader.
        Ok(found) if found.is_file() || found.is_dir() => OpenOptions::new().write(true).open(path).map(drop),
        Ok(_) => Ok(()),
        // A link to a file that does not exist: writing will show whether it can be created.
        Err(_) if path.is_symlink() => Ok(()),
        Err(_) => {
            File::create_new(path)?;
            fs::remove_file(path)
        }
    }
}

/// Can all of these files be written, and are they different from each other and from those that are
/// read?
pub(crate) fn distinct<'a>(
    read: impl Iterator<Item = (&'static str, &'a PathBuf)>,
    written: &[(&'static str, &PathBuf)],
) -> Result<(), Failure> {
    let mut places: Vec<_> = read.map(|(flag, path)| (flag, place(path))).collect();
    for &(flag, path) in written {
        let place = place(path);
        if let Some((other, _)) = places.iter().find(|(_, other)| *other == place) {
            let error = anyhow!("{other} and {flag} are both {}: give each its own file", path.display());
            return Err(Failure::input(error));
        }
        places.push((flag, place));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() || path.is_dir() {
            let error = anyhow!(
                "cannot write {flag} {}: its folder does not exist, or it is a folder itself; give a file in an existing folder",
                path.display()
            );
            return Err(Failure::input(error));
        }
        // A device must not be replaced by a file.
        if path.exists() && !path.is_file() {
            return Err(Failure::input(anyhow!(
                "cannot write {flag} {}: it is not a regular file; give another name",
                path.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("map.toml");
        assert!(probe(&path).is_ok());
        assert!(!path.exists());
        fs::write(&path, "kept").expect("written");
        assert!(probe(&path).is_ok());
        assert_eq!(fs::read_to_string(&path).expect("a file"), "kept");
        assert!(probe(folder.path()).is_err(), "a folder is no file");
        assert!(probe(&folder.path().join("none/map.toml")).is_err());
    }

    #[test]
    fn a_place_does_not_depend_on_how_its_path_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("created");
        let [one, other] = [folder.path().join("a"), inner.join("../a")];
        assert_eq!(place(&one), place(&other), "before there is a file");
        fs::write(&one, "").expect("written");
        assert_eq!(place(&one), place(&other));
        assert_ne!(place(&one), place(&inner.join("a")));
        assert_eq!(place(Path::new("a.csv")), place(Path::new("./a.csv")));
        assert_eq!(place(Path::new("/no/such/folder/a")), Path::new("/no/such/folder/a"));
    }
}

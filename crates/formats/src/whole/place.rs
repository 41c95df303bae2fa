//! Where a path leads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most links that are followed from one to the next. Linux follows 40.
const MOST_LINKS: usize = 40;

/// The path of the file that a path leads to, without links: two spellings of one file are equal.
/// The file itself need not be there.
///
/// # Errors
/// When its folder is not there, or links lead in a circle.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = fs::canonicalize(&path) {
            return Ok(found);
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => fs::canonicalize(folder)?,
            _ => fs::canonicalize(".")?,
        };
        match (fs::read_link(&path), path.file_name()) {
            (Ok(next), _) => path = folder.join(next),
            (Err(_), Some(name)) => return Ok(folder.join(name)),
            (Err(error), None) => return Err(error),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_does_not_depend_on_how_its_path_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let [one, other] = [folder.path().join("a"), inner.join("../a")];
        assert_eq!(resolved(&one).unwrap(), resolved(&other).unwrap(), "before there is a file");
        fs::write(&one, "").unwrap();
        assert_eq!(resolved(&one).unwrap(), resolved(&other).unwrap());
        assert_ne!(resolved(&one).unwrap(), resolved(&inner.join("a")).unwrap());
        assert_eq!(resolved(Path::new("a.csv")).unwrap(), resolved(Path::new("./a.csv")).unwrap());
        assert!(resolved(Path::new("/no/such/folder/a")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_a_file_that_is_not_there() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [one, two, file] = ["one", "two", "file"].map(|name| folder.path().join(name));
        symlink("two", &one).unwrap();
        symlink(&file, &two).unwrap();
        assert_eq!(resolved(&one).unwrap(), resolved(&file).unwrap());
        symlink("there", folder.path().join("here")).unwrap();
        symlink("here", folder.path().join("there")).unwrap();
        assert!(resolved(&folder.path().join("here")).is_err());
    }
}

//! Files that a key writes: always new ones.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Creates a file under the first free one of the names for 1, 2 and so on. Returns that name and the file.
///
/// # Errors
/// When it cannot be created; with the name that was tried.
pub fn create_new(folder: &Path, name: impl Fn(u32) -> String) -> Result<(String, File), (String, io::Error)> {
    let mut number = 1;
    loop {
        let tried = name(number);
        match File::create_new(folder.join(&tried)) {
            Ok(file) => return Ok((tried, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err((tried, error)),
        }
    }
}

/// Writes `name.ending` into a folder, or `name-2.ending` if that is there already, and so on. No
/// file is overwritten. A file that cannot be written whole is removed. Returns its name.
///
/// # Errors
/// When no file can be created, or not be written; with the name that was tried.
pub(crate) fn write_new(
    folder: &Path,
    name: &str,
    ending: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<String, (String, io::Error)> {
    let (name, file) = create_new(folder, |number| match number {
        1 => format!("{name}.{ending}"),
        _ => format!("{name}-{number}.{ending}"),
    })?;
    let mut file = BufWriter::new(file);
    match write(&mut file).and_then(|()| file.flush()) {
        Ok(()) => Ok(name),
        Err(error) => {
            drop(file);
            // The first error is the one that counts.
            let _ = fs::remove_file(folder.join(&name));
            Err((name, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_never_overwritten_and_a_failed_one_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("frame.svg"), "old").expect("written");
        let new = |text: &'static str| write_new(folder.path(), "frame", "svg", |file| file.write_all(text.as_bytes()));
        assert_eq!(new("one").expect("written"), "frame-2.svg");
        assert_eq!(new("two").expect("written"), "frame-3.svg");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!([read("frame.svg"), read("frame-2.svg"), read("frame-3.svg")], ["old", "one", "two"]);
        let failed = write_new(folder.path(), "frame", "svg", |_| Err(io::Error::other("full")));
        assert_eq!(failed.expect_err("it fails").0, "frame-4.svg");
        assert!(!folder.path().join("frame-4.svg").exists());
        assert!(write_new(&folder.path().join("none"), "frame", "svg", |_| Ok(())).is_err());
    }
}

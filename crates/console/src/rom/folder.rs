//! The known ROM in a folder, found by its hash under any name.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::file;
use super::identity::Identity;
use super::image::Rom;
use super::text::{listed, plain};

/// Files that are looked at, in the order of their names. Chosen by hand, not measured.
const MAX_FILES: usize = 1000;

/// The first ROM in a folder that is known, the original game before the program's own cartridge.
///
/// # Errors
/// [`Error::NotInFolder`], which lists what is there.
pub(super) fn find(folder: &Path) -> Result<Rom, Error> {
    let missing = |found: String| Error::NotInFolder { folder: folder.display().to_string(), found };
    let entries = std::fs::read_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => missing("no such folder".to_owned()),
        _ => missing(error.to_string()),
    })?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.is_file());
    files.sort();
    let (mut known, mut others) = (None, Vec::new());
    for path in files.iter().take(MAX_FILES) {
        let why = match file::read(path) {
            Ok(rom) if rom.identity == Identity::Tetris => return Ok(rom),
            Ok(rom) if rom.identity.is_known() => {
                known = known.or(Some(rom));
                continue;
            }
            Ok(rom) => rom.identity.in_short().to_owned(),
            Err(error) => error.in_short(),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        others.push(format!("{} ({why})", plain(&name)));
    }
    known.ok_or_else(|| missing(listed(&others)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rom::identity::CARTRIDGE;

    #[test]
    fn a_rom_is_found_by_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
        let refusal = || Rom::find_in(folder.path()).expect_err("refused").to_string();
        assert!(refusal().contains("found nothing"));
        let mut other = CARTRIDGE.to_vec();
        other[5000] ^= 1;
        write("a.nes", &other);
        write("b.txt", b"hello");
        write("c.zip", b"PK\x03\x04");
        fs::create_dir(folder.path().join("d")).unwrap();
        let error = refusal();
        for word in ["a.nes (a changed Tetris)", "b.txt (no iNES ROM)", "c.zip (an archive that cannot be unpacked)"] {
            assert!(error.contains(word), "{error}");
        }
        write("z without an ending", CARTRIDGE);
        assert_eq!(Rom::find_in(folder.path()).unwrap().name(), "z without an ending");
        assert_eq!(Rom::from_file(folder.path()).unwrap().identity, Identity::Cartridge, "a folder's path will do");
        let none = Rom::find_in(&folder.path().join("none")).expect_err("refused").to_string();
        assert!(none.contains("found no such folder"), "{none}");
    }
}

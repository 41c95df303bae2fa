//! ROMs inside a ZIP archive, which a stranger may have made: every size has a limit, and
//! nothing is ever unpacked to disk.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{Error, Identity, MAX_FILE, Rom};

/// How an archive begins.
const MAGIC: &[u8] = b"PK\x03\x04";
/// Members that are looked at; the rest is ignored. Chosen by hand, not measured.
const MAX_MEMBERS: usize = 1000;
/// Most bytes that are unpacked of all members together. Chosen by hand, not measured.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;
/// Members that an error lists. Chosen by hand, not measured.
const MAX_LISTED: usize = 5;
/// Letters of a member's name that are kept. Chosen by hand, not measured.
const MAX_NAME: usize = 80;

/// Is this a ZIP archive?
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The one known ROM in an archive; if there is none, the only ROM.
///
/// # Errors
/// When the archive is damaged, holds no ROM, or several and none that is known.
pub(super) fn choose(name: &str, bytes: Vec<u8>) -> Result<Rom, Error> {
    let damaged = |error: ZipError| Error::Archive { name: name.to_owned(), problem: error.to_string() };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let (mut roms, mut others) = (Vec::new(), Vec::new());
    let mut left = MAX_UNPACKED;
    for index in 0..archive.len().min(MAX_MEMBERS) {
        let mut file = match archive.by_index(index) {
            Ok(file) if file.is_dir() => continue,
            Ok(file) => file,
            Err(error) => {
                others.push(format!("member {} ({error})", index + 1));
                continue;
            }
        };
        let inner = file.name().map_or_else(|_| "a member without a name".to_owned(), |name| plain(&name));
        let mut content = Vec::new();
        // The header's own sizes are not trusted.
        let read = Read::take(&mut file, left.min(MAX_FILE + 1)).read_to_end(&mut content);
        left = left.saturating_sub(content.len() as u64);
        match unpacked(&format!("{name}/{inner}"), read.map(|_| content)) {
            Ok(rom) => roms.push((inner, rom)),
            Err(why) => others.push(format!("{inner} ({why})")),
        }
        if left == 0 {
            let problem = format!("it unpacks to more than {MAX_UNPACKED} bytes");
            return Err(Error::Archive { name: name.to_owned(), problem });
        }
    }
    take_best(name, roms, &others)
}

/// The ROM in a member, or why it is none, in a few words.
fn unpacked(name: &str, content: std::io::Result<Vec<u8>>) -> Result<Rom, String> {
    let content = content.map_err(|error| format!("damaged: {error}"))?;
    if content.len() as u64 > MAX_FILE {
        return Err(format!("longer than {MAX_FILE} bytes"));
    }
    Rom::from_bytes(name, content).map_err(|error| error.in_short())
}

fn take_best(name: &str, mut roms: Vec<(String, Rom)>, others: &[String]) -> Result<Rom, Error> {
    let name = name.to_owned();
    let of = |identity| roms.iter().position(|(_, rom)| rom.identity == identity);
    let known = of(Identity::Tetris).or_else(|| of(Identity::Cartridge));
    match (known, roms.len()) {
        (Some(index), count) => {
            let (inner, rom) = roms.swap_remove(index);
            if count > 1 {
                log::warn!("{name} holds {count} ROMs: took {inner}, which is {}", rom.identity.description());
            }
            Ok(rom)
        }
        (None, 1) => Ok(roms.remove(0).1),
        (None, 0) => Err(Error::NoRomInside { name, found: listed(others) }),
        (None, _) => {
            let inner: Vec<String> = roms.into_iter().map(|(inner, _)| inner).collect();
            Err(Error::SeveralInside { name, found: listed(&inner) })
        }
    }
}

/// A list that stays on its line.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        _ => {
            let more = names.len().saturating_sub(MAX_LISTED);
            let shown = names.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
            if more > 0 { format!("{shown} and {more} more") } else { shown }
        }
    }
}

/// A name that a stranger chose, without anything that a terminal would obey.
pub(super) fn plain(name: &str) -> String {
    name.chars().take(MAX_NAME).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;
    use crate::rom::CARTRIDGE;

    fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in members {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            writer.start_file(*name, options).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn other_game() -> Vec<u8> {
        let mut bytes = CARTRIDGE.to_vec();
        bytes[5000] ^= 1;
        bytes
    }

    fn refusal(bytes: Vec<u8>) -> String {
        let error = choose("x.zip", bytes).expect_err("refused").to_string();
        assert!(!error.contains(['\n', '\u{1b}']), "{error:?}");
        error
    }

    #[test]
    fn the_known_rom_is_taken_whatever_its_name() {
        let zip = zipped(&[("readme.txt", b"hello"), ("a.nes", &other_game()), ("games/no-ending", CARTRIDGE)]);
        assert!(is_archive(&zip));
        let rom = choose("x.zip", zip).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Cartridge, "x.zip/games/no-ending"));
    }

    #[test]
    fn a_lone_rom_that_is_not_known_is_left_to_force() {
        let rom = choose("x.zip", zipped(&[("hack.nes", &other_game())])).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Unknown, "x.zip/hack.nes"));
        let two = refusal(zipped(&[("a.nes", &other_game()), ("b.nes", &other_game())]));
        assert!(two.contains("a.nes, b.nes"), "{two}");
    }

    #[test]
    fn an_archive_without_a_rom_says_what_is_in_it() {
        let error = refusal(zipped(&[("read\u{1b}me.txt", b"hello"), ("short.nes", &CARTRIDGE[..9000])]));
        assert!(error.contains("read?me.txt (no iNES ROM)") && error.contains("short.nes (truncated)"), "{error}");
        let many: Vec<String> = (0..30).map(|number| format!("{number}.txt")).collect();
        let members: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert!(refusal(zipped(&members)).contains("and 25 more"));
        assert!(refusal(zipped(&[])).contains("found nothing") || !is_archive(&zipped(&[])));
    }

    #[test]
    fn a_truncated_archive_is_refused_wherever_it_ends() {
        let zip = zipped(&[("a.nes", CARTRIDGE)]);
        for length in [4, 30, 100, zip.len() / 2, zip.len() - 22, zip.len() - 1] {
            assert!(refusal(zip[..length].to_vec()).starts_with("x.zip"), "{length}");
        }
    }

    #[test]
    fn a_bomb_is_given_up() {
        let zeros = vec![0; MAX_FILE as usize + 1];
        let one = zipped(&[("bomb.nes", &zeros)]);
        assert!(one.len() < 100_000);
        assert!(refusal(one).contains("bomb.nes (longer than"));
        let names: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &zeros[..])).collect();
        assert!(refusal(zipped(&members)).contains("unpacks to more than"));
    }

    #[test]
    fn a_header_that_lies_about_its_sizes_gains_nothing() {
        let zip = zipped(&[("a.nes", CARTRIDGE)]);
        let directory = zip.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        // The uncompressed size of the directory, then that of the local header, then both.
        for places in [&[directory + 24][..], &[22], &[directory + 24, 22]] {
            let mut lying = zip.clone();
            for &place in places {
                lying[place..place + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            }
            // Refused or read rightly, but neither endless nor a panic.
            if let Ok(rom) = choose("x.zip", lying) {
                assert_eq!(rom.identity, Identity::Cartridge);
            }
        }
        // A count of members that are not there.
        let mut lying = zip;
        let end = lying.len() - 22;
        lying[end + 8..end + 12].copy_from_slice(&[0xFE; 4]);
        assert!(choose("x.zip", lying).is_err());
    }
}

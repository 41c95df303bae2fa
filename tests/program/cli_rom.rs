//! ROM files as people have them: `rom`, `play`, `validate`, `doctor` and the folder `roms/` agree on
//! what each is.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const CARTRIDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes");
/// The parts of the cartridge's file.
const HEADER: usize = 16;
const PRG: usize = 32 * 1024;

fn maxout(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").current_dir(folder).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A dump's name and bytes.
type Dump = (&'static str, Vec<u8>);

/// The cartridge as people have dumps of the original.
fn dumps() -> Vec<Dump> {
    let plain = fs::read(CARTRIDGE).expect("the cartridge");
    let (prg, chr) = (&plain[HEADER..HEADER + PRG], &plain[HEADER + PRG..]);
    let with_header = |bytes: &[(usize, u8)], parts: &[&[u8]]| {
        let mut header = plain[..HEADER].to_vec();
        bytes.iter().for_each(|&(at, byte)| header[at] = byte);
        [header, parts.concat()].concat()
    };
    let disk_dude: Vec<(usize, u8)> = (7..).zip(*b"DiskDude!").collect();
    vec![
        ("disk-dude.nes", with_header(&disk_dude, &[prg, chr])),
        ("mapper.nes", with_header(&[(6, 0x42)], &[prg, chr])),
        ("headerless.bin", [prg, chr].concat()),
        ("trainer.nes", with_header(&[(6, 0x14)], &[&[0xEA; 512], prg, chr])),
        ("nes2.nes", with_header(&[(7, 0x08), (10, 0x07)], &[prg, chr])),
        ("pal-flag.nes", with_header(&[(9, 1)], &[prg, chr])),
        ("overdump.nes", with_header(&[(4, 4), (5, 4)], &[prg, prg, chr, chr])),
        ("tail.nes", with_header(&[], &[prg, chr, b"tail"])),
    ]
}

/// The frames of a log, without the lines that name the ROM's file.
fn frames(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let play = ["play", "--until", "frames:300", "--view", "none", "--log", "log.csv"];
    let output = maxout(&[&play[..], arguments].concat(), folder);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    let log = fs::read_to_string(folder.join("log.csv")).expect("a log");
    log.lines().filter(|line| !line.starts_with("# rom:")).map(str::to_owned).collect()
}

#[test]
#[ignore = "every command with every kind of dump; .ci/run runs it"]
fn every_dump_is_the_same_rom_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let expected = frames(folder, &[]);
    assert!(expected.len() > 300);
    fs::create_dir(folder.join("roms")).expect("created");
    for (name, bytes) in dumps() {
        fs::write(folder.join(name), &bytes).expect("written");
        let output = maxout(&["rom", name], folder);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let output = text(&output.stdout);
        assert!(output.contains("maxout's own cartridge"), "{output}");
        assert_eq!(output.contains("not a plain one"), name != "pal-flag.nes", "{output}");
        assert!(frames(folder, &[name]) == expected, "{name} plays other frames");
        assert_eq!(maxout(&["doctor", name], folder).status.code(), Some(0), "{name}");
        let own = folder.join("roms/any name");
        fs::write(&own, &bytes).expect("written");
        assert!(frames(folder, &["--console", "rom"]) == expected, "{name} in roms/ plays other frames");
        let plain = format!("{name}.plain");
        assert_eq!(maxout(&["rom", name, "--write", &plain], folder).status.code(), Some(0), "{name}");
        assert!(fs::read(folder.join(plain)).expect("a ROM") == fs::read(CARTRIDGE).expect("the cartridge"));
    }
}

#[test]
fn what_cannot_be_played_is_named_alike_by_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let plain = fs::read(CARTRIDGE).expect("the cartridge");
    let mut pal = plain.clone();
    // The table of frames per row, at $898E, is the PAL version's.
    pal[0x99E..0x9B2].copy_from_slice(&[36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1]);
    let mut hack = plain;
    hack[5000] ^= 1;
    for (name, bytes, words) in [("pal.nes", pal, "the PAL version of NES Tetris"), ("hack.nes", hack, "TetrisGYM")] {
        fs::write(folder.join(name), bytes).expect("written");
        for (command, code) in [("rom", 1), ("play", 2), ("validate", 2), ("doctor", 1)] {
            let output = maxout(&[command, name], folder);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command} {name}: {said}");
            assert!(said.contains(words), "{command} {name}: {said}");
        }
    }
}

#[test]
fn the_built_in_cartridge_can_be_written_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let write = || maxout(&["rom", "--write", "maxout.nes", "--json"], folder);
    let output = write();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rom: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((rom["known"].as_bool(), rom["written"].as_str()), (Some(true), Some("maxout.nes")));
    assert!(fs::read(folder.join("maxout.nes")).expect("a ROM") == fs::read(CARTRIDGE).expect("the cartridge"));
    assert_eq!(maxout(&["rom", "maxout.nes"], folder).status.code(), Some(0));
    assert!(frames(folder, &["maxout.nes"]) == frames(folder, &[]));

    fs::write(folder.join("maxout.nes"), "mine").expect("written");
    let output = write();
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert_eq!(error, "maxout: cannot write the new ROM maxout.nes: the file exists; give another name\n");
    assert_eq!(fs::read(folder.join("maxout.nes")).expect("a file"), b"mine");
}

/// JSON holds no such name as it is.
#[cfg(target_os = "linux")]
#[test]
fn a_rom_can_be_written_to_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let name = std::ffi::OsStr::from_bytes(b"c\xff.nes");
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    let output = command.current_dir(folder.path()).args(["rom", "--json", "--write"]).arg(name).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rom: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(rom["written"], "c\u{FFFD}.nes");
    assert!(folder.path().join(name).is_file());
}

#[test]
fn a_rom_can_be_written_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, says) in [(&["rom", "-o", "-"][..], "CRC-32"), (&["rom", "--write", "-", "--json"], "\"crc32\"")] {
        let output = maxout(arguments, folder.path());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(output.stdout == fs::read(CARTRIDGE).expect("the cartridge"), "{arguments:?}");
        assert!(said.contains(says) && !said.contains("written"), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file is made");
}

#[test]
fn a_crafted_archive_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // Each header has a right checksum. One coder of LZMA with 1 byte of properties; names for more
    // files than there are; a header of 2 to the power of 62 bytes.
    let lzma = [1, 4, 6, 0, 1, 9, 4, 0, 7, 0x0B, 1, 0, 1, 0x23, 3, 1, 1, 1, 0x5D, 0x0C, 4, 0, 8, 0, 0, 5, 1, 0, 0];
    let names = [1, 5, 1, 0x0E, 1, 0x80, 0x11, 9, 0, b'a', 0, 0, 0, b'b', 0, 0, 0, 0, 0];
    for (name, header, size) in [("lzma.7z", &lzma[..], 29), ("names.7z", &names, 19), ("long.7z", &names, 1 << 62)] {
        let start = [4, size].map(u64::to_le_bytes).concat();
        let start = [start, crc32fast::hash(header).to_le_bytes().to_vec()].concat();
        let checksum = crc32fast::hash(&start).to_le_bytes();
        let archive = [&b"7z\xBC\xAF\x27\x1C\0\x04"[..], &checksum, &start, b"abcd", header].concat();
        fs::create_dir_all(folder.join("roms")).expect("created");
        fs::write(folder.join("roms").join(name), archive).expect("written");
        let place = format!("roms/{name}");
        for arguments in [&["rom", &place][..], &["play", "--console", "rom"]] {
            let output = maxout(arguments, folder);
            let error = text(&output.stderr);
            assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{arguments:?}: {error}");
        }
        let error = text(&maxout(&["rom", &place], folder).stderr);
        assert!(error.contains("cannot be unpacked: it is damaged"), "{error}");
        let doctor = maxout(&["doctor"], folder);
        assert!(doctor.status.code().is_some() && !text(&doctor.stderr).contains("panicked"), "{name}");
    }
}

//! ROM images and archives of them.

use maxout_console::Rom;

use crate::check;

/// A dump: iNES, NES 2.0 or without a header.
pub(crate) fn image(bytes: &[u8]) {
    if let Some(rom) = check::read(Rom::from_bytes("file", large(bytes))) {
        stays(&rom);
    }
}

/// A ROM in a ZIP, gzip or 7z archive. The checksums of a 7z archive's headers are made right.
pub(crate) fn archive(bytes: &[u8]) {
    let bytes = seven_zip(bytes);
    if let Some(rom) = check::read(Rom::from_file(&check::file("zip", &bytes))) {
        stays(&rom);
    }
}

/// What the console gets is a plain dump of the same program.
fn stays(rom: &Rom) {
    let again = Rom::from_bytes("file", rom.bytes().to_vec());
    assert_eq!(rom.prg().len(), rom.prg_size);
    if !rom.identity.is_known() {
        // Its bytes may now look like others, as those behind a second trainer do.
        return;
    }
    let again = again.expect("a plain dump");
    assert_eq!((again.identity, again.crc32, &again.sha1), (rom.identity, rom.crc32, &rom.sha1));
    assert_eq!(again.bytes(), rom.bytes());
}

/// A ROM is long. The first byte says what follows the others: nothing, a built-in cartridge, or
/// zeros for what a header promises.
fn large(bytes: &[u8]) -> Vec<u8> {
    let Some((kind, bytes)) = bytes.split_first() else { return Vec::new() };
    let mut dump = bytes.to_vec();
    match kind % 4 {
        0 => {}
        // Behind a header, and perhaps a trainer.
        1 => dump.extend(&Rom::cartridge().bytes()[16..]),
        2 => dump.resize(dump.len() + 0xA000, 0),
        _ => dump = crate::patched(Rom::cartridge().bytes(), bytes),
    }
    dump
}

/// Start header and header of a 7z archive with right checksums.
fn seven_zip(bytes: &[u8]) -> Vec<u8> {
    const START: usize = 32;
    let mut bytes = bytes.to_vec();
    if bytes.len() < START || !bytes.starts_with(b"7z\xBC\xAF\x27\x1C") {
        return bytes;
    }
    let number = |at: usize| usize::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let header = number(12).checked_add(START).and_then(|from| bytes.get(from..from.checked_add(number(20))?));
    if let Some(checksum) = header.map(crc32fast::hash) {
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[12..START]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

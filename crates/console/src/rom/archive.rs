//! The ROM inside an archive.

use super::error::Error;
use super::identity::Identity;
use super::image::Rom;
use super::text::{listed, plain};
use super::unpack::{Kind, Member, Unpacked, unpack};

/// The one known ROM in an archive, as far as it is unpacked; if there is none, the only ROM. Of each member, at most
/// `limit` bytes are read.
///
/// # Errors
/// When the archive is damaged or of a kind that is not read, holds no ROM, several and none that is known, or none that is known
/// before there is too much to unpack.
pub(super) fn choose(name: &str, kind: Kind, bytes: &[u8], limit: u64) -> Result<Rom, Error> {
    if let Kind::Other(kind) = kind {
        return Err(Error::OtherArchive { name: name.to_owned(), kind });
    }
    let damaged = |problem| Error::Archive { name: name.to_owned(), problem };
    let Unpacked { members, too_long } = unpack(kind, bytes, limit).map_err(damaged)?;
    if kind == Kind::Gzip {
        // One file, without a name of its own.
        let content = members.into_iter().next().map_or_else(|| Ok(Vec::new()), |member| member.content);
        let content = content.map_err(damaged)?;
        return if content.len() as u64 > limit {
            Err(Error::TooLong { name: name.to_owned(), limit })
        } else {
            Rom::from_bytes(name, content)
        };
    }
    let (mut roms, mut others) = (Vec::new(), Vec::new());
    for Member { name: inner, content } in members {
        let inner = plain(&inner);
        match rom(&format!("{name}/{inner}"), content, limit) {
            Ok(rom) => roms.push((inner, rom)),
            Err(why) => others.push(format!("{inner} ({why})")),
        }
    }
    if let Some(problem) = too_long {
        if known(&roms).is_none() {
            return Err(damaged(problem));
        }
        log::warn!("{name}: {problem}: what is behind them is not looked at");
    }
    take_best(name, roms, &others)
}

/// Which of them is known; the original comes first.
fn known(roms: &[(String, Rom)]) -> Option<usize> {
    let of = |identity| roms.iter().position(|(_, rom)| rom.identity == identity);
    of(Identity::Tetris).or_else(|| of(Identity::Cartridge))
}

/// The ROM in a member, or why it is none, in a few words.
fn rom(name: &str, content: Result<Vec<u8>, String>, limit: u64) -> Result<Rom, String> {
    let content = content.map_err(|error| format!("cannot be unpacked: {error}"))?;
    if content.len() as u64 > limit {
        return Err(format!("longer than {limit} bytes"));
    }
    Rom::from_bytes(name, content).map_err(|error| error.in_short())
}

fn take_best(name: &str, mut roms: Vec<(String, Rom)>, others: &[String]) -> Result<Rom, Error> {
    let name = name.to_owned();
    match (known(&roms), roms.len()) {
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
            let with_kind = |(inner, rom): (String, Rom)| format!("{inner} ({})", rom.identity.in_short());
            let inner: Vec<String> = roms.into_iter().map(with_kind).collect();
            Err(Error::SeveralInside { name, found: listed(&inner) })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use sevenz_rust2::{ArchiveEntry, ArchiveWriter, EncoderMethod, SourceReader};
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;
    use crate::rom::file::MAX_FILE;
    use crate::rom::identity::CARTRIDGE;
    use crate::rom::unpack::kind;

    fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in members {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            writer.start_file(*name, options).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn gzipped(content: &[u8]) -> Vec<u8> {
        let mut writer = GzEncoder::new(Vec::new(), Compression::default());
        writer.write_all(content).unwrap();
        writer.finish().unwrap()
    }

    fn seven_zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        let longest = members.iter().map(|(_, content)| content.len()).max();
        // Megabytes would take seconds to compress.
        if longest > Some(1_000_000) {
            writer.set_content_methods(vec![EncoderMethod::COPY.into()]);
        }
        // As 7-Zip does: one stream for all members.
        let entries = members.iter().map(|(name, _)| ArchiveEntry::new_file(name)).collect();
        let contents = members.iter().map(|(_, content)| SourceReader::new(*content)).collect();
        writer.push_archive_entries(entries, contents).unwrap();
        writer.finish().unwrap().into_inner()
    }

    fn chosen(name: &str, bytes: &[u8]) -> Result<Rom, Error> {
        choose(name, kind(bytes).expect("an archive"), bytes, MAX_FILE)
    }

    fn other_game() -> Vec<u8> {
        let mut bytes = CARTRIDGE.to_vec();
        bytes[16..].reverse();
        bytes
    }

    fn refusal(bytes: Vec<u8>) -> String {
        let error = chosen("x.zip", &bytes).expect_err("refused").to_string();
        assert!(!error.contains(['\n', '\u{1b}']), "{error:?}");
        error
    }

    #[test]
    fn the_known_rom_is_taken_whatever_its_name() {
        let zip = zipped(&[("readme.txt", b"hello"), ("a.nes", &other_game()), ("games/no-ending", CARTRIDGE)]);
        let rom = chosen("x.zip", &zip).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Cartridge, "x.zip/games/no-ending"));
    }

    #[test]
    fn a_lone_rom_that_is_not_known_is_left_to_force() {
        let rom = chosen("x.zip", &zipped(&[("hack.nes", &other_game())])).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Unknown, "x.zip/hack.nes"));
        let two = refusal(zipped(&[("a.nes", &other_game()), ("b.nes", &other_game())]));
        assert!(two.contains("a.nes (a ROM that is not known), b.nes ("), "{two}");
    }

    #[test]
    fn an_archive_without_a_rom_says_what_is_in_it() {
        let error = refusal(zipped(&[("read\u{1b}me.txt", b"hello"), ("short.nes", &CARTRIDGE[..9000])]));
        assert!(error.contains("read?me.txt (no iNES ROM)") && error.contains("short.nes (truncated)"), "{error}");
        let many: Vec<String> = (0..30).map(|number| format!("{number}.txt")).collect();
        let members: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert!(refusal(zipped(&members)).contains("and 25 more"));
        assert!(refusal(zipped(&[])).contains("found nothing"));
        let mut folder = ZipWriter::new(Cursor::new(Vec::new()));
        folder.add_directory("games", SimpleFileOptions::default()).unwrap();
        assert!(refusal(folder.finish().unwrap().into_inner()).contains("found nothing"), "a folder is no file");
    }

    #[test]
    fn gzip_and_7z_are_read_like_zip() {
        let rom = chosen("x.nes.gz", &gzipped(CARTRIDGE)).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Cartridge, "x.nes.gz"));
        // As long as may be.
        let rom = choose("x.nes.gz", Kind::Gzip, &gzipped(CARTRIDGE), CARTRIDGE.len() as u64).unwrap();
        assert_eq!(rom.identity, Identity::Cartridge);
        let members = [("readme.txt", &b"hello"[..]), ("a.nes", &other_game()), ("games/b", CARTRIDGE)];
        let rom = chosen("x.7z", &seven_zipped(&members)).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Cartridge, "x.7z/games/b"));
        assert!(refusal(seven_zipped(&members[..1])).contains("readme.txt (no iNES ROM)"));
        // After a member that is not read to its end.
        let behind = seven_zipped(&[("long", &[7; 60_000]), ("b", CARTRIDGE)]);
        let rom = choose("x.7z", Kind::SevenZip, &behind, CARTRIDGE.len() as u64).unwrap();
        assert_eq!((rom.identity, rom.name()), (Identity::Cartridge, "x.7z/b"));
        assert!(refusal(gzipped(b"hello")).contains("found 68 65 6C 6C"));
        assert!(refusal(gzipped(b"")).contains("an empty file"));
    }

    #[test]
    fn truncated_and_damaged_gzip_and_7z_files_are_refused() {
        for whole in [gzipped(CARTRIDGE), seven_zipped(&[("a.nes", CARTRIDGE)])] {
            for length in [6, 20, 32, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
                let error = refusal(whole[..length].to_vec());
                assert!(error.contains("cannot be unpacked"), "{length}: {error}");
            }
            // Any byte may be wrong (every fifth is tried): the ROM is right or there is none, and no panic.
            for at in (6..whole.len()).step_by(5) {
                let mut wrong = whole.clone();
                wrong[at] ^= 0xFF;
                if let Ok(rom) = chosen("x.zip", &wrong) {
                    assert_eq!(rom.identity, Identity::Cartridge, "{at}");
                }
            }
        }
    }

    /// A 7z archive of packed bytes and a header, with right checksums. `size` is the header's size
    /// as the archive states it.
    fn crafted(packed: &[u8], header: &[u8], size: u64) -> Vec<u8> {
        let mut start = (packed.len() as u64).to_le_bytes().to_vec();
        start.extend(size.to_le_bytes());
        start.extend(crc32fast::hash(header).to_le_bytes());
        let checksum = crc32fast::hash(&start).to_le_bytes();
        [&b"7z\xBC\xAF\x27\x1C\0\x04"[..], &checksum, &start, packed, header].concat()
    }

    /// A header of one member of 4 bytes, with the coders and so on of its block.
    fn one_member(block: &[u8]) -> Vec<u8> {
        let names = [0x05, 0x01, 0x11, 0x05, 0x00, b'a', 0, 0, 0, 0x00, 0x00];
        let streams = [&[0x01, 0x04, 0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0][..], block, &[0, 0x08, 0, 0]].concat();
        [&streams[..], &names].concat()
    }

    #[test]
    fn a_7z_file_that_lies_about_its_sizes_is_refused_in_words() {
        // One coder that copies, 4 bytes long: the same archive is right if nothing in it lies.
        let copied = one_member(&[1, 0x01, 0x00, 0x0C, 4]);
        let right = refusal(crafted(b"abcd", &copied, copied.len() as u64));
        assert!(right.contains("a (no iNES ROM)"), "{right}");
        // A number of 8 bytes: 2 to the power of 46.
        let huge = [0xFE, 0, 0, 0, 0, 0, 0x40, 0];
        let tail_of = |start: &[u8]| [start, &huge, &[0; 8]].concat();
        let sizes = [1 << 30, 1 << 46, 1 << 62, u64::MAX];
        let mut lying: Vec<Vec<u8>> = sizes.iter().map(|&size| crafted(b"abcd", &copied, size)).collect();
        let headers = [
            // An LZMA coder with 1 byte of properties, and with a dictionary of 4 GiB.
            one_member(&[1, 0x23, 3, 1, 1, 1, 0x5D, 0x0C, 4]),
            one_member(&[1, 0x23, 3, 1, 1, 5, 0x5D, 0xFF, 0xFF, 0xFF, 0xFF, 0x0C, 4]),
            // Counts: files, packed streams, blocks, coders, a coder's inputs, properties, members.
            tail_of(&[0x01, 0x05]),
            [&[0x01, 0x04, 0x06, 0][..], &huge, &[0x09, 0, 0, 0]].concat(),
            [&[0x01, 0x04, 0x06, 0][..], &huge, &[0x0A, 1, 0, 0]].concat(),
            tail_of(&[0x01, 0x04, 0x07, 0x0B]),
            tail_of(&[0x01, 0x04, 0x07, 0x0B, 1, 0]),
            tail_of(&[0x01, 0x04, 0x07, 0x0B, 1, 0, 1, 0x11, 0]),
            tail_of(&[0x01, 0x04, 0x07, 0x0B, 1, 0, 1, 0x21, 0]),
            [&[0x01, 0x04, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, 4, 0, 0x08, 0x0D][..], &huge, &[0, 0]].concat(),
            // The size of a packed header.
            [&[0x17, 0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C][..], &huge, &[0, 0]].concat(),
            // Three coders that read each other's output in a circle.
            one_member(&[3, 1, 0, 1, 0, 1, 0, 1, 2, 1, 1, 0x0C, 4, 4, 4]),
            // A property whose size leads back to its own beginning.
            [&[0x01, 0x05, 1, 0x19, 0xFF][..], &(-10_i64).to_le_bytes(), &[0, 0]].concat(),
            // Names for more files than there are.
            [0x01, 0x05, 1, 0x0E, 1, 0x80, 0x11, 9, 0, b'a', 0, 0, 0, b'b', 0, 0, 0, 0, 0].to_vec(),
            vec![0x02],
        ];
        lying.extend(headers.iter().map(|header| crafted(b"abcd", header, header.len() as u64)));
        // The same headers, packed by a coder that copies.
        lying.extend(headers.iter().map(|header| {
            let length = header.len() as u8;
            let streams = [0x17, 0x06, 0, 1, 0x09, length, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, length, 0, 0];
            crafted(header, &streams, streams.len() as u64)
        }));
        for (index, bytes) in lying.into_iter().enumerate() {
            let error = refusal(bytes);
            assert!(error.contains("it is damaged") && !error.contains(['"', '(']), "{index}: {error}");
        }
        // Creation times, and within their size a property whose size leads back to its own beginning.
        let times = [&[1, 0][..], &[0; 8], &[0x19, 0xFF], &(-10_i64).to_le_bytes()].concat();
        let endless = [&[0x01, 0x05, 1, 0x0E, 1, 0x80, 0x12, 20][..], &times, &[0, 0]].concat();
        refusal(crafted(b"abcd", &endless, endless.len() as u64));
    }

    /// What is said of the only member of an archive, "abcd", with these coders and so on of its block.
    fn said_of(block: &[u8]) -> String {
        let header = one_member(block);
        refusal(crafted(b"abcd", &header, header.len() as u64))
    }

    #[test]
    fn a_member_of_a_7z_file_that_cannot_be_unpacked_says_why() {
        let copied = |crc: u32| said_of(&[&[1, 0x01, 0x00, 0x0C, 4, 0x0A, 1][..], &crc.to_le_bytes()].concat());
        // The CRC-32 of "abcd".
        let (right, wrong) = (copied(0xED82_CD11), copied(0xED82_CD10));
        assert!(right.contains("found a (no iNES ROM)"), "{right}");
        assert!(wrong.contains("a (cannot be unpacked: wrong checksum)"), "{wrong}");
        let other_method = said_of(&[1, 0x03, 0x03, 0x04, 0x01, 0x0C, 4]);
        assert!(other_method.contains("compression PPMD is not read"), "{other_method}");
        let lzma2 = said_of(&[1, 0x21, 0x21, 1, 8, 0x0C, 4]);
        assert!(lzma2.contains("corrupted input data"), "{lzma2}");
    }

    #[test]
    fn a_packed_header_of_a_7z_file_is_unpacked() {
        let header = one_member(&[1, 0x01, 0x00, 0x0C, 4]);
        let length = header.len() as u8;
        // The header stands behind the four bytes of the member.
        let streams = [0x17, 0x06, 4, 1, 0x09, length, 0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C, length, 0, 0];
        let content = [b"abcd", &header[..]].concat();
        let error = refusal(crafted(&content, &streams, streams.len() as u64));
        assert!(error.contains("found a (no iNES ROM)"), "{error}");
        // One that is packed by a coder which cannot read it.
        let streams = [0x17, 0x06, 0, 1, 0x09, 4, 0, 0x07, 0x0B, 1, 0, 1, 0x21, 0x21, 1, 8, 0x0C, 4, 0, 0];
        let error = refusal(crafted(b"abcd", &streams, streams.len() as u64));
        assert!(error.contains("cannot be unpacked: corrupted input data"), "{error}");
        // With 2 MiB of padding, a property that is not needed. Its size has three bytes.
        let number = |number: usize| [0xE0, number as u8, (number >> 8) as u8, (number >> 16) as u8];
        let (before_end, end) = header.split_at(header.len() - 2);
        let padded = [before_end, &[0x19], &number(2 << 20), &vec![0; 2 << 20], end].concat();
        let length = number(padded.len());
        let streams = [&[0x17, 0x06, 4, 1, 0x09][..], &length, &[0, 0x07, 0x0B, 1, 0, 1, 1, 0, 0x0C], &length, &[0, 0]];
        let (content, streams) = ([b"abcd", &padded[..]].concat(), streams.concat());
        let error = refusal(crafted(&content, &streams, streams.len() as u64));
        assert!(error.contains("found a (no iNES ROM)"), "{error}");
    }

    proptest! {
        #[test]
        fn no_7z_header_ends_the_program(
            block in 0_usize..3,
            places in prop::collection::vec((0_usize..40, prop_oneof![any::<u8>(), Just(0xFF), Just(0xFE)]), 1..5),
        ) {
            let blocks: [&[u8]; 3] = [
                &[1, 1, 0, 0x0C, 4],
                &[1, 0x23, 3, 1, 1, 5, 0x5D, 0, 0, 1, 0, 0x0C, 4],
                &[2, 1, 0, 0x21, 0x21, 1, 8, 0, 1, 0x0C, 4, 4],
            ];
            let mut header = one_member(blocks[block]);
            for (at, byte) in places {
                let length = header.len();
                header[at % length] = byte;
            }
            prop_assert!(chosen("x.7z", &crafted(b"abcd", &header, header.len() as u64)).is_err());
        }
    }

    #[test]
    fn an_encrypted_or_empty_7z_file_is_named() {
        let encrypted = one_member(&[1, 0x24, 0x06, 0xF1, 0x07, 0x01, 1, 0, 0x0C, 4]);
        let error = refusal(crafted(b"abcd", &encrypted, encrypted.len() as u64));
        assert!(error.contains("it is encrypted"), "{error}");
        let error = refusal(crafted(b"", b"", 0));
        assert!(error.contains("found nothing"), "{error}");
        let mut wrong = seven_zipped(&[("a.nes", CARTRIDGE)]);
        wrong[12] ^= 1;
        let error = refusal(wrong);
        assert!(error.ends_with("it is damaged") || error.contains("it is damaged;"), "{error}");
    }

    #[test]
    fn other_archives_are_named() {
        let error = refusal(b"Rar!\x1A\x07\x01\0".to_vec());
        assert!(error.contains("is a RAR archive") && error.contains("unpack"), "{error}");
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
        assert!(refusal(gzipped(&zeros)).contains("is longer than"));
        assert!(refusal(seven_zipped(&members[..1])).contains("0 (longer than"));
        let all = seven_zipped(&members);
        // Most of them is skipped where a ROM may not be so long.
        let skipped = choose("x.7z", Kind::SevenZip, &all, 1000).expect_err("refused").to_string();
        assert!(skipped.contains("unpacks to more than"), "{skipped}");
        assert!(refusal(all).contains("unpacks to more than"));
    }

    #[test]
    fn a_known_rom_is_taken_before_there_is_too_much_to_unpack_and_64_mebibytes_are_not_too_much() {
        let zeros = vec![0; MAX_FILE as usize];
        let archives = |first: Option<&[u8]>, count| {
            let names: Vec<String> = (0..count).map(|number| number.to_string()).collect();
            let zeros = names.iter().map(|name| (name.as_str(), &zeros[..]));
            let members: Vec<(&str, &[u8])> = first.map(|rom| ("rom", rom)).into_iter().chain(zeros).collect();
            [zipped(&members), seven_zipped(&members)]
        };
        for bytes in archives(Some(CARTRIDGE), 9) {
            assert_eq!(chosen("x", &bytes).map(|rom| rom.identity).ok(), Some(Identity::Cartridge));
        }
        // Another ROM may be behind them.
        for bytes in archives(Some(&other_game()), 9) {
            assert!(refusal(bytes).contains("unpacks to more than 67108864 bytes"));
        }
        for bytes in archives(None, 8) {
            let error = refusal(bytes);
            assert!(error.contains("0 (no iNES ROM)"), "{error}");
        }
    }

    #[test]
    fn of_the_members_a_thousand_are_looked_at() {
        let names: Vec<String> = (0..=1000).map(|number| number.to_string()).collect();
        let with_rom_at = |at: usize| {
            let content = |index| if index == at { CARTRIDGE } else { &b"x"[..] };
            let members: Vec<(&str, &[u8])> =
                names.iter().enumerate().map(|(index, name)| (name.as_str(), content(index))).collect();
            [zipped(&members), seven_zipped(&members)].map(|bytes| chosen("x", &bytes).is_ok())
        };
        assert_eq!((with_rom_at(999), with_rom_at(1000)), ([true; 2], [false; 2]));
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
            if let Ok(rom) = chosen("x.zip", &lying) {
                assert_eq!(rom.identity, Identity::Cartridge);
            }
        }
        // A count of members that are not there.
        let mut lying = zip;
        let end = lying.len() - 22;
        lying[end + 8..end + 12].copy_from_slice(&[0xFE; 4]);
        assert!(chosen("x.zip", &lying).is_err());
    }
}

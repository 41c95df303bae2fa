//! Dumps as people have them, made of the program's own cartridge, which is known by its hash like
//! the original.

use proptest::prelude::*;

use super::header::Header;
use super::identity::{CARTRIDGE, CHR, Identity, PRG};
use super::image::Rom;

/// Bytes 4 to 7 of the header.
const SIZES_AND_MAPPER: [u8; 4] = [2, 2, 0x10, 0];

fn read(bytes: Vec<u8>) -> Rom {
    Rom::from_bytes("x.nes", bytes).expect("a ROM")
}

/// The console is given the same bytes as with the plain file, so that it plays the same frames.
fn oddities(bytes: Vec<u8>) -> String {
    let rom = read(bytes);
    assert_eq!(rom.identity, Identity::Cartridge);
    assert!(rom.bytes() == CARTRIDGE, "{:?}", rom.oddities);
    assert_eq!((rom.mapper, rom.prg_size, rom.chr_size), (1, PRG, CHR));
    rom.oddities.join("; ")
}

fn with_header(header: [u8; 16], parts: &[&[u8]]) -> Vec<u8> {
    [&header[..], &parts.concat()].concat()
}

fn header(sizes_and_mapper: [u8; 4], rest: &[u8; 8]) -> [u8; 16] {
    let mut header = *b"NES\x1A____--------";
    header[4..8].copy_from_slice(&sizes_and_mapper);
    header[8..].copy_from_slice(rest);
    header
}

fn prg() -> &'static [u8] {
    &CARTRIDGE[16..16 + PRG]
}

fn chr() -> &'static [u8] {
    &CARTRIDGE[16 + PRG..]
}

fn refusal(change: impl Fn(&mut Vec<u8>)) -> String {
    let mut bytes = CARTRIDGE.to_vec();
    change(&mut bytes);
    let error = Rom::from_bytes("x.nes", bytes).and_then(Rom::require_known).expect_err("refused").to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

#[test]
fn the_embedded_cartridge_is_known_and_has_the_original_s_header() {
    let rom = Rom::cartridge();
    assert_eq!(rom.identity, Identity::Cartridge);
    assert_eq!((rom.mapper, rom.prg_size, rom.chr_size), (1, 32768, 16384));
    assert_eq!(rom.bytes()[..16], header(SIZES_AND_MAPPER, &[0; 8]));
    assert!(rom.prg() == prg() && rom.oddities.is_empty());
}

#[test]
fn a_header_with_text_or_a_wrong_mapper_or_sizes_does_not_matter() {
    let mut disk_dude = header(SIZES_AND_MAPPER, &[0; 8]);
    disk_dude[7..].copy_from_slice(b"DiskDude!");
    assert_eq!(oddities(with_header(disk_dude, &[prg(), chr()])), "text in bytes 7 to 15 of the header");
    let mapper_4 = header([2, 2, 0x40, 0], &[0; 8]);
    assert_eq!(oddities(with_header(mapper_4, &[prg(), chr()])), "mapper 4 in the header");
    for sizes in [[0, 0], [1, 1], [255, 255]] {
        oddities(with_header(header([sizes[0], sizes[1], 0x10, 0], &[0; 8]), &[prg(), chr()]));
    }
    let nes2 = header([2, 2, 0x10, 0x08], &[0, 0, 0x70, 0, 0, 0, 0, 1]);
    assert_eq!(oddities(with_header(nes2, &[prg(), chr()])), "an NES 2.0 header");
    let mut damaged = CARTRIDGE.to_vec();
    damaged[0] = b'M';
    assert_eq!(oddities(damaged), "a damaged header");
}

#[test]
fn a_header_is_read_by_its_form() {
    let parsed = |header: [u8; 16]| Header::read(&[&header[..], &[0; 65536]].concat()).expect("sizes").expect("one");
    // NES 2.0: mapper $123, its digits in bytes 8, 7 and 6.
    assert_eq!(parsed(header([2, 2, 0x30, 0x28], &[1, 0, 0, 0, 0, 0, 0, 0])).mapper, 0x123);
    // iNES has the mapper's upper half in byte 7, unless the last four bytes or bits 2 and 3 of byte 7 show that
    // something else was written there.
    assert_eq!(parsed(header([2, 2, 0x30, 0x20], &[9, 9, 9, 9, 0, 0, 0, 0])).mapper, 0x23);
    assert_eq!(parsed(header([2, 2, 0x30, 0x20], &[0, 0, 0, 0, 0, 0, 0, 1])).mapper, 3);
    assert_eq!(parsed(header([2, 2, 0x30, 0x24], &[0; 8])).mapper, 3);
    // A plain header keeps mirroring and battery, not the trainer, and of the mapper what it has room for.
    let plain = parsed(header([3, 1, 0x4F, 0x20], &[0; 8])).to_ines();
    assert_eq!(plain, header([3, 1, 0x4B, 0x20], &[0; 8]));
}

#[test]
fn a_dump_without_a_header_or_with_a_trainer_is_known() {
    assert_eq!(oddities(CARTRIDGE[16..].to_vec()), "no header");
    let trainer = [0xEA; 512];
    let flag = header([2, 2, 0x14, 0], &[0; 8]);
    assert_eq!(oddities(with_header(flag, &[&trainer, prg(), chr()])), "512 bytes before PRG (a trainer)");
    // The flag may be missing, the header too.
    oddities(with_header(header(SIZES_AND_MAPPER, &[0; 8]), &[&trainer, prg(), chr()]));
    oddities([&trainer, prg(), chr()].concat());
}

#[test]
fn a_trainer_before_a_program_without_a_known_hash_is_left_out() {
    let mut changed = prg().to_vec();
    changed[5000] ^= 1;
    let trainer = [0xEA; 512];
    let flag = header([2, 2, 0x14, 0], &[0; 8]);
    let rom = read(with_header(flag, &[&trainer, &changed, chr()]));
    assert_eq!(rom.identity, Identity::Changed);
    assert!(rom.prg() == changed && rom.bytes() == [&CARTRIDGE[..16], &changed, chr()].concat());
    assert_eq!(rom.oddities, ["512 bytes before PRG (a trainer)"]);
    // With the flag and without a trainer, 512 bytes are missing at the end.
    let error = Rom::from_bytes("x.nes", with_header(flag, &[&changed, chr()])).expect_err("too short").to_string();
    assert!(error.contains("promises 49680 bytes, the file has 49168"), "{error}");
}

#[test]
fn an_overdump_is_known() {
    let of = |prg_banks, chr_banks, parts: &[&[u8]]| {
        oddities(with_header(header([prg_banks, chr_banks, 0x10, 0], &[0; 8]), parts))
    };
    let (prg, chr) = (prg(), chr());
    let twice = of(4, 2, &[prg, prg, chr]);
    assert_eq!(twice, "PRG size 65536 and CHR size 16384 in the header; 32768 more bytes than the game has");
    of(2, 4, &[prg, chr, chr]);
    of(4, 4, &[prg, prg, chr, chr]);
    of(16, 16, &[&prg.repeat(8), &chr.repeat(8)]);
    of(8, 2, &[prg, &[0xFF; 3 * PRG], chr]);
    assert_eq!(of(2, 2, &[prg, chr, &[1, 2, 3]]), "3 more bytes than the game has");
    oddities([prg, prg, chr, chr].concat());
}

proptest! {
    #[test]
    fn whatever_is_in_the_header_the_cartridge_is_known(
        junk in prop::array::uniform12(any::<u8>()),
        from in 0_usize..12,
        tail in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut bytes = CARTRIDGE.to_vec();
        bytes[4 + from..16].copy_from_slice(&junk[from..]);
        bytes.extend(tail);
        oddities(bytes);
    }

    #[test]
    fn no_file_makes_it_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..2000), magic in any::<bool>()) {
        if magic && bytes.len() > 4 {
            bytes[..4].copy_from_slice(b"NES\x1A");
        }
        prop_assert!(Rom::from_bytes("x.nes", bytes).and_then(Rom::require_known).is_err());
    }
}

#[test]
fn other_graphics_change_no_rule() {
    let mut bytes = CARTRIDGE.to_vec();
    bytes[16 + PRG + 77] ^= 1;
    for start in [0, 16] {
        let rom = read(bytes[start..].to_vec());
        assert_eq!(rom.identity, Identity::Cartridge);
        assert!(rom.bytes() == bytes, "the graphics are those of the file");
        assert!(rom.oddities.contains(&"other graphics (CHR)".to_owned()));
    }
}

#[test]
fn other_graphics_are_found_whatever_the_header_says_of_their_place() {
    let mut changed = chr().to_vec();
    changed[77] ^= 1;
    let plain = [&CARTRIDGE[..16], prg(), &changed].concat();
    let before = [0xEA; 512];
    let dumps = [
        // An overdump whose header is right.
        with_header(header([4, 2, 0x10, 0], &[0; 8]), &[prg(), prg(), &changed]),
        // PRG sizes of 64 KiB, 16 KiB and 0.
        with_header(header([4, 2, 0x10, 0], &[0; 8]), &[prg(), &changed]),
        with_header(header([1, 2, 0x10, 0], &[0; 8]), &[prg(), &changed]),
        with_header(header([0, 2, 0x10, 0], &[0; 8]), &[prg(), &changed]),
        // A copier's header, and a trainer that the header does not name.
        [&before, prg(), &changed].concat(),
        with_header(header(SIZES_AND_MAPPER, &[0; 8]), &[&before, prg(), &changed]),
    ];
    for (index, dump) in dumps.into_iter().enumerate() {
        let rom = read(dump);
        assert_eq!(rom.identity, Identity::Cartridge, "{index}");
        assert!(rom.bytes() == plain, "{index}: {:?}", rom.oddities);
        assert!(rom.oddities.contains(&"other graphics (CHR)".to_owned()), "{index}");
    }
}

#[test]
fn the_pal_version_is_named() {
    // The original's table of frames per row is at $898E, file offset $99E, and so is the cartridge's.
    let pal = [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    let error = refusal(|bytes| bytes[0x99E..0x9BC].copy_from_slice(&pal));
    assert!(error.contains("the PAL version of NES Tetris") && error.contains("use the NTSC version"), "{error}");
}

#[test]
fn a_hack_or_a_damaged_dump_is_named_whatever_its_board() {
    let one_byte = refusal(|bytes| bytes[5000] ^= 1);
    for word in ["a changed NES Tetris", "TetrisGYM", "SHA-1", "--force"] {
        assert!(one_byte.contains(word), "{one_byte}");
    }
    let another_board = refusal(|bytes| {
        bytes[5000] ^= 1;
        bytes[6] = 0x40;
    });
    assert!(another_board.contains("a changed NES Tetris"), "{another_board}");
    let no_header = refusal(|bytes| {
        bytes[5000] ^= 1;
        bytes.drain(..16);
    });
    assert!(no_header.contains("a changed NES Tetris"), "{no_header}");
    // A plain header has room for mappers up to 255.
    let with_mapper = |header: [u8; 16]| {
        let mut bytes = [&header[..], prg(), chr()].concat();
        bytes[5000] ^= 1;
        Rom::from_bytes("x.nes", bytes).map(|rom| rom.mapper).map_err(|error| error.to_string())
    };
    assert_eq!(with_mapper(header([2, 2, 0xF0, 0xF0], &[0; 8])), Ok(255));
    let nes2 = with_mapper(header([2, 2, 0x00, 0x08], &[1, 0, 0, 0, 0, 0, 0, 0])).expect_err("mapper 256");
    assert!(nes2.contains("mapper 256"), "{nes2}");
    // Two of the four tables of pieces are enough.
    let tables = |bytes: &mut Vec<u8>, changed: &[usize]| changed.iter().for_each(|&at| bytes[at] ^= 0x40);
    let (orientations, rotations, pieces, spawns) = (0xAAC, 0x8FE, 0x194B, 0x1966);
    assert!(refusal(|bytes| tables(bytes, &[orientations, rotations])).contains("a changed NES Tetris"));
    assert!(refusal(|bytes| tables(bytes, &[orientations, pieces, spawns])).contains("is not a known ROM"));
}

#[test]
fn every_other_file_is_refused_in_one_line_that_says_why() {
    let other = |bytes: &mut Vec<u8>| bytes[16..].reverse();
    assert!(refusal(|bytes| bytes.clear()).contains("an empty file"));
    assert!(refusal(|bytes| bytes.truncate(10)).contains("promises 16 bytes, the file has 10"));
    assert!(refusal(|bytes| bytes.truncate(20_000)).contains("promises 49168 bytes, the file has 20000"));
    let no_graphics = refusal(|bytes| bytes.truncate(40_000));
    assert!(no_graphics.contains("but not the 16384 bytes of its CHR"), "{no_graphics}");
    let no_header = refusal(|bytes| {
        other(bytes);
        bytes[0] = 0x50;
    });
    assert!(no_header.contains("found 50 45 53 1A"), "{no_header}");
    let another_game = refusal(|bytes| {
        other(bytes);
        bytes[6] = 0x40;
    });
    assert!(another_game.contains("mapper 4"), "{another_game}");
    let unknown = refusal(other);
    assert!(unknown.contains("SHA-1") && unknown.contains("--force"), "{unknown}");
    let no_program = refusal(|bytes| {
        other(bytes);
        bytes[4] = 0;
    });
    assert!(no_program.contains("PRG size 0"), "{no_program}");
    // 3,586 banks of PRG, by NES 2.0.
    let too_many = refusal(|bytes| {
        other(bytes);
        bytes[7] = 8;
        bytes[9] = 0x0E;
    });
    assert!(too_many.contains("PRG size $E02 in its header"), "{too_many}");
    // 258 banks of CHR.
    let too_many = refusal(|bytes| {
        other(bytes);
        bytes[7] = 8;
        bytes[9] = 0x10;
    });
    assert!(too_many.contains("CHR size $102 in its header"), "{too_many}");
}

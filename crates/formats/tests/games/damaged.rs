//! NGF files of all versions, of recordings that lack frames or values, and cut ones.

use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use maxout_engine::analysis::PlayedPiece;
use maxout_engine::bot::Goal;
use maxout_formats::games::{RecordedGames, read_ngf};
use maxout_formats::ngf::{NgfReader, RECORD};

use crate::{play, the_game};

type Record = [u8; RECORD];

/// The records of a game of the bot.
fn records() -> &'static [Record] {
    static RECORDS: OnceLock<Vec<Record>> = OnceLock::new();
    RECORDS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        play(folder.path(), "el-tetris", 18, Goal::Lines(40));
        let packed = std::fs::read(folder.path().join("game.ngf")).expect("a file");
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut MultiGzDecoder::new(&packed[..]), &mut bytes).expect("gzip");
        bytes.as_chunks().0.to_vec()
    })
}

fn read(bytes: &[u8]) -> RecordedGames {
    let reader = NgfReader::new(Path::new("x.ngf"), Cursor::new(bytes.to_vec())).expect("bytes");
    read_ngf(reader).expect("an NGF file")
}

fn read_game(records: &[Record]) -> Vec<PlayedPiece> {
    the_game(read(records.as_flattened())).pieces
}

/// What a piece is without its frames.
fn placed(pieces: &[PlayedPiece]) -> Vec<impl PartialEq + std::fmt::Debug> {
    pieces.iter().map(|piece| (piece.position, piece.placement)).collect()
}

/// Numbers that look random, the same in every run.
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

#[test]
fn versions_1_and_2_have_smaller_counts() {
    let whole = read_game(records());
    for (version, bits) in [(1_u8, 8_usize), (2, 9)] {
        let old = |record: &Record| {
            let count = |piece: usize| {
                (0..10).fold(0_u32, |value, bit| {
                    let bit = 112 + 10 * piece + bit;
                    value << 1 | u32::from(record[bit / 8] >> (7 - bit % 8) & 1)
                })
            };
            let counts = (0..7).fold(0_u128, |all, piece| all << bits | u128::from(count(piece)));
            let length = (7 * bits).div_ceil(8);
            let counts = (counts << (8 * length - 7 * bits)).to_be_bytes();
            let mut bytes = record[..14].to_vec();
            bytes[0] = version << 5 | bytes[0] & 0x1F;
            bytes.extend(&counts[16 - length..]);
            bytes.extend(&record[23..]);
            bytes
        };
        let bytes: Vec<u8> = records().iter().flat_map(old).collect();
        assert_eq!(bytes.len(), records().len() * [71, 72][usize::from(version) - 1]);
        assert_eq!(the_game(read(&bytes)).pieces, whole);
    }
}

#[test]
fn a_recording_at_30_hz_or_with_missing_and_doubled_frames_has_the_same_placements() {
    let whole = read_game(records());
    let half: Vec<Record> = records().iter().copied().step_by(2).collect();
    assert_eq!(placed(&read_game(&half)), placed(&whole));
    let mut random = random(7);
    let mut uneven = Vec::new();
    for record in records() {
        match random() % 10 {
            0 => {}
            1 => uneven.extend([*record, *record]),
            _ => uneven.push(*record),
        }
    }
    assert_eq!(placed(&read_game(&uneven)), placed(&whole));
}

#[test]
fn what_a_recording_does_not_know_is_found_in_the_pictures() {
    let whole = read_game(records());
    let unknown = |change: fn(&mut Record)| -> Vec<Record> {
        let changed = |record: &Record| {
            let mut record = *record;
            change(&mut record);
            record
        };
        records().iter().map(changed).collect()
    };
    let no_time = unknown(|record| {
        record[3..6].fill(0xFF);
        record[6] |= 0xF0;
    });
    assert_eq!(read_game(&no_time), whole);
    // No piece, no next piece, no DAS, no counts.
    let minimal = unknown(|record| record[12..23].fill(0xFF));
    let found = read_game(&minimal);
    assert_eq!(placed(&found[..found.len() - 1]), placed(&whole[..found.len() - 1]));
    assert!(found.len() + 1 >= whole.len());
}

#[test]
fn a_cut_file_is_read_up_to_the_cut() {
    let whole = read_game(records());
    let bytes = records().as_flattened();
    for length in [0, 1, RECORD - 1, RECORD, bytes.len() / 2, bytes.len() / 3 * 2 + 5, bytes.len() - 1] {
        let games = read(&bytes[..length]).games;
        let pieces = games.first().map_or(&[][..], |game| &game.pieces);
        assert!(games.len() <= 1 && placed(pieces) == placed(&whole[..pieces.len()]), "{length}");
        let records = length / RECORD;
        assert!(pieces.len() + 2 >= whole.iter().filter(|piece| piece.spawn_frame < records as u64).count());
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).expect("in memory");
    let packed = gzip.finish().expect("in memory");
    assert_eq!(the_game(read(&packed)).pieces, whole);
    let mut reader = NgfReader::new(Path::new("x"), Cursor::new(packed[..packed.len() / 2].to_vec())).expect("bytes");
    let mut found = 0;
    while reader.next_record().expect("cut is no error").is_some() {
        found += 1;
    }
    assert!(reader.is_cut() && found > records().len() / 4);
}

#[test]
fn several_games_are_told_apart_with_and_without_a_number() {
    let whole = read_game(records());
    for number in [1, 2] {
        let mut twice = records().to_vec();
        twice.extend(records().iter().map(|record| {
            let mut record = *record;
            record[2] = number;
            record
        }));
        let found = read(twice.as_flattened());
        assert_eq!((found.games.len(), found.skipped_pieces), (2, 0), "{number}");
        for game in &found.games {
            assert_eq!(placed(&game.pieces), placed(&whole));
        }
    }
}

#[test]
fn a_game_goes_on_where_its_pictures_do() {
    let whole = read_game(records());
    let (from, to) = (whole[10].spawn_frame as usize + 5, whole[14].spawn_frame as usize + 3);
    let mut torn = records()[..from].to_vec();
    torn.extend(&records()[to..]);
    let found = read(torn.as_flattened());
    let pieces = &found.games[0].pieces;
    // Pieces 10 to 13 have no end or no beginning, and 14 is not seen at its spawn.
    assert_eq!((found.games.len(), found.skipped_pieces), (1, 5));
    assert_eq!(placed(&pieces[..10]), placed(&whole[..10]));
    assert_eq!(placed(&pieces[10..]), placed(&whole[15..]));
}

#[test]
fn wrong_bytes_are_read_or_refused() {
    let mut random = random(1);
    for _case in 0..300 {
        let mut bytes = records()[..400].as_flattened().to_vec();
        for _change in 0..random() % 40 {
            let at = random() as usize % bytes.len();
            bytes[at] ^= 1 << (random() % 8);
        }
        let reader = NgfReader::new(Path::new("x"), Cursor::new(bytes)).expect("bytes");
        if let Err(error) = read_ngf(reader) {
            let message = error.to_string();
            assert!(message.starts_with("x: record ") && message.contains(": expected version 3"), "{message}");
        }
    }
    let error = read_ngf(NgfReader::new(Path::new("x"), &b"\x80 version 4"[..]).expect("bytes")).unwrap_err();
    assert_eq!(error.to_string(), "x: record 0: expected version 1, 2 or 3, found 4");
}

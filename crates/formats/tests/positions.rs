//! Positions as text, as frames of recordings and as pictures, and what is refused.

use std::path::Path;

use maxout_engine::console::Simulated;
use maxout_engine::game::{Orientation, Piece, Placement, Playfield, Position, SPAWN_X};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::position::{self, PositionError, ReadPosition, Source};
use maxout_formats::trace::TraceReader;

/// A playfield that a game can have.
const DRAWN: &str = "
    ..........
    #.......##
    ##.XX.x###
    ####11####
    TTT.ZZLLII
";

fn message(found: Result<ReadPosition, PositionError>) -> String {
    let message = found.expect_err("no position").to_string();
    assert!(!message.contains('\n') && message.len() < 300, "{message}");
    message
}

fn open(given: &str) -> Result<ReadPosition, PositionError> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
    position::open(given, &mut Simulated::power_on(), &decoder)
}

/// The playfield in the notation of 200 characters.
fn bits(playfield: &Playfield) -> String {
    let cell = |cell: usize| if playfield.occupied((cell / 10) as i8, cell % 10) { '1' } else { '0' };
    (0..200).map(cell).collect()
}

/// The same as a log has it.
fn logged(playfield: &Playfield) -> String {
    let digit = |bits: &[u8]| format!("{:X}", bits.iter().fold(0, |digit, bit| digit << 1 | (bit & 1)));
    bits(playfield).as_bytes().chunks(4).map(digit).collect()
}

fn hex(playfield: &Playfield) -> String {
    bits(playfield).chars().map(|cell| if cell == '1' { "7B" } else { "EF" }).collect()
}

#[test]
fn every_notation_gives_the_same_playfield() {
    let playfield = Playfield::from_rows(std::array::from_fn(|row| match row {
        16 => 0b11_0000_0001,
        17 => 0b11_1101_1011,
        18 => 0b11_1100_1111 | 0b11_0000,
        19 => 0b11_1111_0111,
        _ => 0,
    }));
    // Row 18 above is full.
    assert!(message(position::read(&bits(&playfield))).starts_with("row 18 (0 is the top) is full"));
    let mut playfield = playfield;
    playfield.set_row(18, 0b11_1111_1101);
    playfield.set_row(17, 0b11_1101_1001);
    let drawn = "#.......##\n#..##.####\n#.########\n###.######";
    for (text, source) in [
        (drawn.to_owned(), Source::Drawing),
        (format!("{}{drawn}\r\n", "..........\n".repeat(16)), Source::Drawing),
        (drawn.replace('.', " "), Source::Drawing),
        (drawn.lines().map(|line| format!("  |{line}|\n")).collect(), Source::Drawing),
        (drawn.replace('#', "X").replace('.', "0"), Source::Drawing),
        (drawn.replace('#', "1").replace('.', "0"), Source::Drawing),
        (bits(&playfield), Source::Bits),
        (format!("{}\n", bits(&playfield)), Source::Bits),
        (hex(&playfield), Source::Hex),
        (logged(&playfield), Source::Hex),
        (format!("P={}", hex(&playfield).to_lowercase()), Source::Hex),
    ] {
        for found in [position::read(&text), position::read_bytes(text.as_bytes()), open(&text)] {
            let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((found.playfield, found.source), (playfield, source), "{text}");
            assert_eq!((found.piece, found.next, found.level), (None, None, None));
        }
    }
}

#[test]
fn a_text_may_tell_the_pieces_and_the_counts() {
    let found = position::read("piece: T\nNEXT=i\nlevel 19\nlines = 60\n##........\nscore 250000").expect("a position");
    assert_eq!((found.piece, found.next, found.level), (Some(Piece::T), Some(Piece::I), Some(19)));
    assert_eq!((found.lines, found.score, found.playfield.row(19)), (Some(60), Some(250_000), 0b11));
}

#[test]
fn a_malformed_text_is_refused_in_one_line_that_says_where() {
    let long = "..........\n".repeat(21);
    for (text, expected) in [
        ("", "expected a playfield, found nothing: an empty one is a row of 10 dots"),
        ("piece T\n", "expected a playfield, found nothing: an empty one is a row of 10 dots"),
        ("....\n", "line 1: expected a row of 10 cells, found 4: \"....\""),
        ("..........\n...........\n", "line 2: expected a row of 10 cells, found 11: \"...........\""),
        (&long, "expected a drawing of at most 20 rows, found 21"),
        (
            "..........\n##...?....",
            "line 2, cell 6: expected `.`, `-`, `_`, `0` or a space for an empty cell, `#`, `X`, `1` or the letter of a \
             piece for a full one, found '?'",
        ),
        (&"0".repeat(199), "expected 200 characters of 0 and 1, row by row from the top, found 199"),
        (&"0".repeat(201), "expected 200 characters of 0 and 1, row by row from the top, found 201"),
        (&"EF".repeat(199), "expected 400 hex digits (the bytes of a trace) or 50 (the cells of a log), found 398"),
        ("P=xyz", "expected 400 hex digits (the bytes of a trace) or 50 (the cells of a log), found 3"),
        (
            &("EF".repeat(123) + "4F" + &"EF".repeat(76)),
            "row 12, column 3: expected $EF (empty) or $7B to $7D (full), found $4F",
        ),
        ("##########\n", "row 19 (0 is the top) is full: the game would have cleared it"),
        (
            "##........\n..........\n##........\n",
            "row 17 (0 is the top) has cells, but row 18 below it is empty: a playfield has no empty row below a cell",
        ),
        (
            "##........\n..........\n",
            "row 18 (0 is the top) has cells, but row 19 below it is empty: a playfield has no empty row below a cell",
        ),
        (
            "#.........\nlines 18",
            "found 1 cell after 18 lines: a playfield has an even number, because pieces have four cells and rows ten, \
             until a piece locks partly above the top or row 0 is cleared",
        ),
        ("piece Q\n##........", "line 1: piece: expected one of T, J, Z, O, S, L and I, found \"Q\""),
        ("next Q\n##........", "line 1: next: expected one of T, J, Z, O, S, L and I, or unknown, found \"Q\""),
        ("##........\nlevel 256", "line 2: level: expected a number from 0 to 255, found \"256\""),
        ("##........\nlines -1", "line 2: lines: expected a number from 0 to 65535, found \"-1\""),
        ("##........\nscore 1000000", "line 2: score: expected a number from 0 to 999999, found \"1000000\""),
        ("##........\nlevel 30\nlines 60", "level 30 after 60 lines: after so many lines no game is above level 19"),
        (
            "##........\nlevel 18\nlines 230",
            "level 18 after 230 lines: after so many lines every game is at level 23 or higher",
        ),
    ] {
        assert_eq!(message(position::read(text)), expected);
    }
}

#[test]
fn a_piece_may_spawn_where_full_cells_are() {
    let found = position::read(&format!("piece T\n{}", "....##....\n".repeat(20))).expect("a position");
    assert_eq!(found.piece, Some(Piece::T));
    let position =
        Position { playfield: found.playfield, piece: Piece::T, next: Piece::I, level: 18, lines: 0, score: 0 };
    assert!(position::check(&position).is_ok());
    let place = |y| Placement { orientation: Piece::T.spawn(), x: SPAWN_X, y };
    assert!(position::check_place(&found.playfield, place(0)).is_ok());
    let error = position::check_place(&found.playfield, place(1)).unwrap_err().to_string();
    assert_eq!(error, "the T overlaps the full cell in row 1, column 4 (0 is the top and the left)");
}

#[test]
fn a_whole_position_is_checked() {
    let playfield = position::read("##........\n##........").expect("a playfield").playfield;
    let good = Position { playfield, piece: Piece::T, next: Piece::I, level: 18, lines: 10, score: 0 };
    let check = |position: Position| position::check(&position).map_err(|error| error.to_string());
    assert_eq!(check(good), Ok(()));
    assert_eq!(check(Position { score: 1_000_000, ..good }), Err("score 1000000: expected at most 999999".to_owned()));
    assert!(check(Position { level: 200, ..good }).is_err());
    assert!(check(Position { level: 29, lines: 230, ..good }).is_ok());
    assert!(position::check_lines(&playfield, 10).is_ok());
    assert_eq!(
        position::check_lines(&playfield, 11).unwrap_err().to_string(),
        "found 4 cells after 11 lines: cells and ten times the lines add up to 114, which is no multiple of four"
    );
    let place = |x, y| Placement { orientation: Orientation::from_id(0x12).expect("I"), x, y };
    let placed = |x, y| position::check_place(&playfield, place(x, y)).map_err(|error| error.to_string());
    assert_eq!(placed(4, 19), Ok(()));
    assert_eq!(
        placed(2, 19),
        Err("the I overlaps the full cell in row 19, column 0 (0 is the top and the left)".to_owned())
    );
    assert_eq!(placed(1, 5), Err("the I at column 1, row 5 is partly outside of the playfield".to_owned()));
}

#[test]
fn an_odd_number_of_cells_is_noted_and_refused_only_before_the_stack_can_have_been_at_the_top() {
    // The uppermost cell of the Z is in row -1: the game goes on with three of the piece's cells.
    let mut playfield = Playfield::from_rows(std::array::from_fn(|row| [0, 0b1 << 9, 0b11 << 8][row.div_ceil(18)]));
    let upright = Orientation::from_id(0x09).expect("the upright Z");
    playfield.lock(Placement { orientation: upright, x: 8, y: 0 });
    assert_eq!((playfield.row(-1).count_ones(), playfield.cell_count()), (1, 23));
    // Lines lower it.
    let mut lower = [0; 20];
    lower[3..].copy_from_slice(&playfield.visible()[..17]);
    let lower = Playfield::from_rows(lower);
    let at = |playfield, lines| {
        let position = Position { playfield, piece: Piece::T, next: Piece::I, level: 18, lines, score: 0 };
        position::check(&position).map_err(|error| error.to_string())
    };
    // When row 0 is cleared, it counts twice, and the three cells of the bottom row are gone.
    let mut cleared = Playfield::from_rows(std::array::from_fn(|row| match row {
        0 => 0b11_1000_0111,
        18 => 0b11,
        19 => 0b111,
        _ => 0b1,
    }));
    assert_eq!(cleared.lock(Placement { orientation: Piece::I.spawn(), x: 5, y: 0 }).count, 2);
    assert_eq!((cleared.top(), cleared.cell_count()), (2, 19));
    for (playfield, least) in [(playfield, 0), (lower, 3), (cleared, 2)] {
        assert_eq!((at(playfield, least), at(playfield, least + 1)), (Ok(()), Ok(())));
        let found = position::read(&bits(&playfield)).expect("a playfield");
        let cells = playfield.cell_count();
        let note = "an odd number is right only in a game that locked a piece partly above the top or cleared row 0";
        assert_eq!(found.notes, [format!("{cells} cells: {note}")]);
        assert!(position::read(&format!("{playfield}lines {least}")).is_ok());
    }
    let error = at(lower, 2).expect_err("too few lines");
    assert!(error.starts_with("found 19 cells after 2 lines: a playfield has an even number"), "{error}");
    assert!(position::read(&format!("{lower}lines 2")).is_err());
    assert!(position::read("##........").expect("a playfield").notes.is_empty());
}

#[test]
fn playfields_of_the_original_are_no_malformed_ones() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut trace = TraceReader::open(golden.join("d05_level19_bot.trace.zst")).expect("a trace");
    let mut seen = 0;
    while let Some(row) = trace.next_row().expect("a row") {
        // A control frame of a game that runs.
        if (row.ram[0xC0], row.ram[0x68], row.ram[0xBD]) != (4, 1, 3) || row.frame % 50 != 0 {
            continue;
        }
        let digits: String = row.ram[0x400..0x4C8].iter().map(|byte| format!("{byte:02X}")).collect();
        let found = position::read(&digits).unwrap_or_else(|error| panic!("frame {}: {error}", row.frame));
        let lines = u16::from(row.ram[0x71]) * 100 + u16::from(row.ram[0x70] >> 4) * 10 + u16::from(row.ram[0x70] & 15);
        position::check_lines(&found.playfield, lines).unwrap_or_else(|error| panic!("frame {}: {error}", row.frame));
        position::check_level(row.ram[0x64], lines).expect("a level of the game");
        seen += 1;
    }
    assert!(seen > 100);
}

#[test]
fn files_and_frames_of_recordings_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.txt"), DRAWN.replace("####11####", "####11##.#").replace("##.XX.x###", "##.XX.x#.#"))
        .expect("written");
    let found = open(&path("a.txt")).expect("a drawing");
    assert_eq!((found.playfield.row(19), found.source), (0b11_1111_0111, Source::Drawing));
    assert_eq!(
        message(open("no-such-file.txt")),
        "expected a position or a file, found \"no-such-file.txt\": there is no such file"
    );
    // A row with one full cell is a drawing.
    assert_eq!(open("#.........").expect("a drawing").playfield.row(19), 1);
    // A drawing of one row is no name of a file.
    assert_eq!(message(open("##########")), "row 19 (0 is the top) is full: the game would have cleared it");
    std::fs::write(path("b.txt"), "##........\n####y.....").expect("written");
    assert!(message(open(&path("b.txt"))).starts_with(&format!("{}: line 2, cell 5: expected `.`", path("b.txt"))));
    assert_eq!(
        message(open("no-such-file.txt@5")),
        "expected a position or a file, found \"no-such-file.txt@5\": there is no such file, and none before @"
    );
    let given = format!("{}@5", path("b.txt"));
    assert!(message(open(&given)).ends_with("the file before @ is no log and no movie"), "{given}");
    std::fs::write(path("b.txt"), b"\xFF\xFE\0").expect("written");
    assert!(message(open(&path("b.txt"))).ends_with("it is neither text nor a PNG"));
    assert!(message(open("no-such-file.csv@5")).starts_with("cannot read no-such-file.csv"));
}

/// A picture of our cartridge that FCEUX 2.6.5 made: 256 by 224 pixels, with a palette.
const FCEUX: &[u8] = include_bytes!("pictures/fceux.png");

/// The pixels of a picture, red, green and blue, and its width.
fn pixels(png: &[u8]) -> (Vec<[u8; 3]>, usize) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let frame = reader.next_frame(&mut bytes).expect("pixels");
    assert_eq!(frame.color_type, png::ColorType::Rgb);
    (bytes.as_chunks().0.to_vec(), frame.width as usize)
}

fn png(pixels: &[[u8; 3]], width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, (pixels.len() / width) as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(pixels.as_flattened()).expect("as many as the size says");
    writer.finish().expect("in memory");
    bytes
}

#[test]
fn a_picture_of_another_emulator_is_read_at_any_scale() {
    let (once, width) = pixels(FCEUX);
    // The log of that run has this in the frame that the picture shows.
    let stack =
        "#.........\n##........\n##........\n##........\n####......\n#####.....\n#####.##..\n########..\n#########.\n";
    let stack = position::read(stack).expect("a playfield").playfield;
    for scale in [1, 2, 5] {
        let large = maxout_formats::film::enlarged(&once, width, scale);
        let found = position::read_bytes(&png(&large, width * scale)).expect("a position");
        let place = Placement { orientation: Piece::O.spawn(), x: 3, y: 10 };
        assert_eq!((found.playfield, found.place), (stack, Some(place)));
        assert_eq!((found.piece, found.next, found.source), (Some(Piece::O), Some(Piece::T), Source::Picture));
        assert!(found.notes.is_empty() && found.level.is_none());
    }
}

#[test]
fn a_picture_that_is_not_the_game_is_refused_in_one_line() {
    let (picture, width) = pixels(FCEUX);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |name: &str| message(position::read_bytes(&std::fs::read(docs.join(name)).expect("a picture")));
    // A window with a menu above the picture, and a scale that is not whole.
    assert!(read("fceux.png").contains("is neither a full nor an empty cell"));
    let size =
        "expected a picture of 256x240 or 256x224 pixels or a whole multiple of that, or one that maxout made, found ";
    assert_eq!(read("retroarch.png"), format!("{size}440x360"));
    assert_eq!(message(position::read_bytes(&png(&picture[..256 * 200], width))), format!("{size}256x200"));
    let black = vec![[0; 3]; 256 * 240];
    let white = vec![[255; 3]; 256 * 240];
    for blank in [black, white] {
        let found = message(position::read_bytes(&png(&blank, 256)));
        assert!(found.starts_with("the picture is not one of the game: there is no frame at the sides"), "{found}");
    }
    let mut noise = picture.clone();
    for (number, pixel) in noise.iter_mut().enumerate() {
        *pixel = [(number * number / 7 % 251) as u8; 3];
    }
    assert!(message(position::read_bytes(&png(&noise, width))).starts_with("the picture is not one of the game: "));
    // One pixel column between two cells is lit: the picture is shifted, or something is drawn over it.
    let mut drawn_over = picture.clone();
    (0..8).for_each(|row| drawn_over[(40 + 8 * 5 + row) * 256 + 96 + 8 * 2 + 7] = [255; 3]);
    let cell = "row 5, column 2 of the playfield (0 is the top and the left) is neither a full nor an empty cell";
    let found = message(position::read_bytes(&png(&drawn_over, width)));
    assert_eq!(found, format!("the picture is not one of the game: {cell}"));
    for length in [8, 40, FCEUX.len() / 2] {
        assert!(message(position::read_bytes(&FCEUX[..length])).starts_with("the picture is not one of the game: "));
    }
}

#[test]
fn a_piece_that_touches_others_is_not_told_apart() {
    let (mut picture, width) = pixels(FCEUX);
    // The O at row 10 goes one column to the left, beside the stack.
    for y in 40 + 80..40 + 96 {
        let row = &mut picture[y * width..][..width];
        row.copy_within(96 + 16..96 + 32, 96 + 8);
        row[96 + 24..96 + 32].fill([0; 3]);
    }
    let found = position::read_bytes(&png(&picture, width)).expect("a playfield");
    assert_eq!((found.piece, found.place, found.playfield.row(10)), (None, None, 0b110));
    assert_eq!(found.notes, ["no falling piece is apart from the other cells: all cells are taken for locked ones"]);
}

//! Traces that are written and read again, and traces that are refused.

use std::io;

use super::*;
use maxout_engine::game::memory::RAM_SIZE;
use maxout_engine::gamepad::Buttons;

const HEADER: &str = "# nes-tetris-trace 1\n# name example\n# poke 1 0064=1c\n# columns frame in busy 17:rng0 61:y\n";

fn error(text: &str) -> String {
    let text = text.to_owned();
    let result = TraceReader::new("trace", io::Cursor::new(text)).and_then(|mut reader| {
        while reader.next_row()?.is_some() {}
        Ok(())
    });
    result.expect_err("the text is refused").to_string()
}

#[test]
fn columns_and_fields_become_ram() {
    let text = format!("{HEADER}0 80 1 89 05 S={}\n1 00 0 44 06\n", "01".repeat(14));
    let mut reader = TraceReader::new("trace", io::Cursor::new(text)).unwrap();
    assert_eq!(reader.header().entry("name"), Some("example"));
    assert_eq!(reader.header().name(0x17), Some("rng0"));
    let pokes: Vec<_> = reader.header().pokes_after(1).collect();
    assert_eq!(pokes, [Poke { frame: 1, address: 0x64, value: 0x1C }]);
    let row = reader.next_row().unwrap().unwrap();
    assert_eq!((row.frame, row.buttons, row.busy), (0, Buttons::A, true));
    let row = reader.next_row().unwrap().unwrap();
    assert_eq!((row.ram[0x17], row.ram[0x61], row.ram[0x3F0]), (0x44, 6, 1));
    assert!(row.known(0x3FD) && !row.known(0x3FE) && !row.known(0x60));
    assert!(reader.next_row().unwrap().is_none());
}

#[test]
fn the_working_copy_equals_the_block_while_it_is_not_listed() {
    let text = format!("{HEADER}0 00 0 00 05 W={}\n1 00 0 00 06\n2 00 0 00 07 W=\n", "aa".repeat(27));
    let mut reader = TraceReader::new("trace", io::Cursor::new(text)).unwrap();
    let mut copies = Vec::new();
    while let Some(row) = reader.next_row().unwrap() {
        copies.push((row.ram[0x41], row.known(0x42)));
    }
    assert_eq!(copies, [(0xAA, true), (0xAA, true), (7, false)]);
}

#[test]
fn what_is_refused_is_named_with_its_line() {
    for (text, expected) in [
        (String::new(), "trace:1: expected the first line"),
        ("0 00 0\n".to_owned(), "trace:1: expected the first line"),
        ("# something else\n".to_owned(), "trace:1: expected the first line"),
        ("\n# something else\n".to_owned(), "trace:2: expected the first line"),
        ("# nes-tetris-trace 1\n0 00 0\n".to_owned(), "trace:2: expected a \"# columns"),
        (HEADER.replace("17:rng0", "17"), "trace:4: expected a column like 17:rng0, found \"17\""),
        (HEADER.replace("17:rng0", "800:rng0"), "trace:4: expected a column like"),
        (HEADER.replace("1 0064", "x 0064"), "trace:3: expected \"poke FRAME ADDRESS=VALUE\""),
        (format!("{HEADER}0 00 0 89\n"), "trace:5: the row ends where y is expected"),
        (format!("{HEADER}0 00 2 89 05\n"), "trace:5: expected the busy mark 0 or 1, found \"2\""),
        (format!("{HEADER}0 00 0 xx 05\n"), "trace:5: column rng0: expected a hex byte, found \"xx\""),
        (format!("{HEADER}0 00 0 00 05\n2 00 0 00 05\n"), "trace:6: expected frame 1, found frame 2"),
        (format!("{HEADER}0 00 0 00 05 Q=00\n"), "trace:5: unknown field \"Q\""),
        (format!("{HEADER}0 00 0 00 05 00\n"), "trace:5: expected a field like P=..., found \"00\""),
        (format!("{HEADER}0 00 0 00 05 S=00\n"), "trace:5: field S: expected 28 hex digits, found 2"),
        (format!("{HEADER}0 00 0 00 05 S={}\n", "+1".repeat(14)), "trace:5: field S: expected a hex byte"),
        (format!("{HEADER}{}", "0".repeat(100_000)), "trace:5: expected a line of less than 65536 bytes"),
    ] {
        let error = error(&text);
        assert!(error.starts_with(expected), "{error:?} does not start with {expected:?}");
    }
}

#[test]
fn half_a_row_at_the_end_is_left_out() {
    let first = format!("{HEADER}0 80 1 89 05 S={}\n", "01".repeat(14));
    let second = format!("1 00 0 44 06 S={}\n", "02".repeat(14));
    for end in 0..=second.len() {
        let text = format!("{first}{}", &second[..end]);
        let mut reader = TraceReader::new("trace", io::Cursor::new(text)).unwrap();
        let mut rows = 0;
        while reader.next_row().unwrap().is_some() {
            rows += 1;
        }
        assert_eq!(rows, if end == second.len() { 2 } else { 1 }, "{end} bytes of it");
    }
}

#[test]
fn a_damaged_archive_is_an_error() {
    let path = std::env::temp_dir().join(format!("maxout-damaged-{}.zst", std::process::id()));
    std::fs::write(&path, b"not an archive").unwrap();
    let error = TraceReader::open(&path).err().map(|error| error.to_string());
    std::fs::remove_file(&path).unwrap();
    assert!(error.unwrap().contains(path.to_str().unwrap()));
}

/// A Zstandard file of one frame with this window descriptor (its upper five bits are the exponent above 1 KiB)
/// and one block that is not compressed: RFC 8878.
fn zstandard(window: u8, text: &str) -> Vec<u8> {
    let [low, middle, high, _] = (((text.len() as u32) << 3) | 1).to_le_bytes();
    [&[0x28, 0xB5, 0x2F, 0xFD, 0, window, low, middle, high], text.as_bytes()].concat()
}

#[test]
fn a_compressed_trace_has_a_window_of_at_most_64_mebibytes() {
    let folder = tempfile::tempdir().unwrap();
    let opened = |window: u8| {
        let path = folder.path().join("a.trace.zst");
        std::fs::write(&path, zstandard(window << 3, &format!("{HEADER}0 80 1 89 05\n"))).unwrap();
        let mut reader = TraceReader::open(&path).map_err(|error| error.to_string())?;
        let row = reader.next_row().unwrap().unwrap();
        Ok::<_, String>(row.ram[0x17])
    };
    // 8 MiB is that of zstd at level 19.
    assert_eq!((opened(13), opened(16)), (Ok(0x89), Ok(0x89)));
    assert!(opened(17).is_err());
}

#[test]
fn what_is_wrong_with_a_compressed_trace_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let whole = zstandard(13 << 3, &format!("{HEADER}0 80 1 89 05\n"));
    let large = "expected a window of at most 67108864 bytes, found 134217728; compress it without --long";
    for (bytes, words) in [
        (&b"not an archive"[..], "expected a Zstandard file, found another"),
        (&zstandard(17 << 3, HEADER), large),
        (&whole[..whole.len() - 1], "it is damaged or cut off"),
    ] {
        let path = folder.path().join("a.trace.zst");
        std::fs::write(&path, bytes).unwrap();
        let read = TraceReader::open(&path).and_then(|mut reader| reader.next_row().map(|_| ()));
        let error = read.expect_err(words);
        assert_eq!(std::error::Error::source(&error).map(ToString::to_string).as_deref(), Some(words));
    }
}

#[test]
fn lines_and_headers_have_room_and_an_end() {
    let rows = |text: String| {
        let mut reader = TraceReader::new("trace", io::Cursor::new(text))?;
        let mut rows = 0;
        while reader.next_row()?.is_some() {
            rows += 1;
        }
        Ok::<_, crate::Error>(rows)
    };
    let row = "0 80 1 89 05\n";
    // Less than 64 KiB with the line's end, and a byte more.
    let comment = |length: usize| format!("#{}\n", " ".repeat(length - 2));
    assert_eq!(rows(format!("{HEADER}{}{row}", comment(65_535))).unwrap(), 1);
    let error = rows(format!("{HEADER}{}{row}", comment(65_536))).unwrap_err().to_string();
    assert_eq!(error, "trace:5: expected a line of less than 65536 bytes, found a longer one");
    // 1 MiB above the first row, and a byte more.
    let room = (1 << 20) - HEADER.len();
    let header = |length: usize| comment(50_000).repeat(length / 50_000) + &comment(length % 50_000);
    assert_eq!(rows(format!("{HEADER}{}{row}", header(room - 13))).unwrap(), 1);
    let error = rows(format!("{HEADER}{}{row}", header(room - 12))).unwrap_err().to_string();
    assert!(error.ends_with("expected at most 1048576 bytes before the first row, found more"), "{error}");
    // Among the rows there is room for more than that.
    assert_eq!(rows(format!("{HEADER}{row}{}1 80 1 89 05\n", comment(60_000).repeat(20))).unwrap(), 2);
    let error = rows(format!("{HEADER}{row}{}", "\n".repeat(100_001))).unwrap_err().to_string();
    assert_eq!(error, "trace:100006: expected rows, found 100000 lines without one");
    assert_eq!(rows(format!("{HEADER}{row}{}", "\n".repeat(100_000))).unwrap(), 1);
}

#[test]
fn what_is_written_is_read_again() {
    let mut ram = [0; RAM_SIZE];
    let column = TraceColumn { address: 0x17, name: "rng0".to_owned() };
    let header = TraceHeader {
        entries: vec![("nes-tetris-trace".to_owned(), "1".to_owned()), ("name".to_owned(), "again".to_owned())],
        pokes: vec![Poke { frame: 2, address: 0x400, value: 0x7B }],
        columns: vec![column],
    };
    let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
    let mut samples = Vec::new();
    for frame in 0..20_u8 {
        ram[0x17] = frame;
        ram[0x3F0 + usize::from(frame % 3)] ^= frame;
        ram[0x400 + usize::from(frame) * 10] = frame;
        ram[0x40] = u8::from(frame % 5 == 0);
        writer.write(Buttons::from_bits(frame), frame == 7, &ram).unwrap();
        samples.push(ram);
    }
    let text = writer.finish().unwrap();
    let mut reader = TraceReader::new("again", io::Cursor::new(text)).unwrap();
    assert_eq!(reader.header(), &header);
    for (frame, ram) in samples.iter().enumerate() {
        let row = reader.next_row().unwrap().unwrap();
        assert_eq!((row.frame, row.busy), (frame as u64, frame == 7));
        assert_eq!(usize::from(row.buttons.bits()), frame);
        for (address, byte) in row.known_bytes() {
            assert_eq!(byte, ram[usize::from(address)], "frame {frame} ${address:03X}");
        }
        assert!(row.known(0x4FF) && row.known(0x754));
    }
    assert!(reader.next_row().unwrap().is_none());
}

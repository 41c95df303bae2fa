//! Logs that are read, and logs that contradict what the format promises.

use super::*;

const HEAD: &str = "# format: maxout-log 1\n# seed: 7\n# a comment\n\n\
    call,strange,line,buttons,keys,polled,held,mode,note,cheat_writes\n";
/// Presses; a reset before a frame; power and reset before one; nothing else known of one.
const ROWS: [&str; 4] = [
    "0,?,1,81,R......A,1,81,4,,-",
    "1,?,3,00,........,0,,4,reset; lock,-",
    "2,?,6,0C,..DU....,1,0c,4,power; reset; start; power,",
    "3,,,40,,,,,\"a, \"\"b\"\"\",",
];
const JSON_HEAD: &str = "{\"seed\":7,\"format\":\"maxout-log 1\"}\n";
const JSON_ROWS: [&str; 4] = [
    r#"{"call":0,"line":1,"buttons":"81","keys":"R......A","polled":1,"held":"81","mode":4,"note":"","cheat_writes":"-"}"#,
    r#"{"call":1,"line":3,"buttons":"00","keys":"........","polled":0,"mode":4,"note":"reset; lock","cheat_writes":"-"}"#,
    r#"{"call":2,"line":6,"buttons":"0C","keys":"..DU....","polled":1,"held":"0c","mode":4,"note":"power; reset; start; power"}"#,
    r#"{"call":3,"buttons":"40","note":"a, \"b\"","strange":true}"#,
];

fn csv(rows: &[&str]) -> String {
    format!("{HEAD}{}\n", rows.join("\n"))
}

fn json(rows: &[&str]) -> String {
    format!("{JSON_HEAD}{}\n", rows.join("\n"))
}

fn reader(text: &str, shape: LogShape) -> Result<LogReader, String> {
    let text = std::io::Cursor::new(text.as_bytes().to_vec());
    LogReader::new(Path::new("x"), Box::new(text), shape).map_err(|error| error.to_string())
}

fn rows(text: &str, shape: LogShape) -> Result<Vec<(Vec<Step>, LogRow)>, String> {
    let mut reader = reader(text, shape)?;
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row().map_err(|error| error.to_string())? {
        rows.push(row);
        assert!(rows.len() <= 10, "no log of these tests is longer");
    }
    Ok(rows)
}

fn steps(text: &str, shape: LogShape) -> Result<Vec<Step>, String> {
    reader(text, shape)?.steps().map_err(|error| error.to_string())
}

#[test]
fn a_log_that_an_editor_gave_a_byte_order_mark_is_the_same_log() {
    for (text, shape) in [(csv(&ROWS), LogShape::Csv), (json(&JSON_ROWS), LogShape::JsonLines)] {
        assert_eq!(rows(&format!("\u{FEFF}{text}"), shape), rows(&text, shape));
        assert!(rows(&text, shape).is_ok());
    }
}

#[test]
fn both_shapes_read_as_the_same_rows_and_steps() {
    use Step::{Frame, PowerCycle, Reset};
    let read = rows(&csv(&ROWS), LogShape::Csv).expect("a log");
    assert_eq!(rows(&json(&JSON_ROWS), LogShape::JsonLines), Ok(read.clone()));
    let boots: Vec<_> = read.iter().map(|(boots, _)| boots.clone()).collect();
    assert_eq!(boots, [vec![], vec![Reset], vec![PowerCycle, Reset], vec![]]);
    let get = |row: usize, column| read[row].1.get(column);
    assert_eq!((get(0, LogColumn::Keys), get(0, LogColumn::Note)), (Some("R......A"), Some("")));
    assert_eq!((get(1, LogColumn::Held), get(3, LogColumn::Line)), (None, None));
    assert_eq!(get(3, LogColumn::Note), Some("a, \"b\""));
    let expected = [
        Frame(Buttons::A | Buttons::RIGHT),
        Reset,
        Frame(Buttons::NONE),
        PowerCycle,
        Reset,
        Frame(Buttons::DOWN | Buttons::UP),
        Frame(Buttons::B),
    ];
    assert_eq!(steps(&csv(&ROWS), LogShape::Csv), Ok(expected.to_vec()));
    // Comments and empty lines between the rows of a CSV, and empty lines in JSON, are no rows.
    let spread = format!("{HEAD}{}\n\n# killed\n{}\n", ROWS[0], ROWS[1]);
    assert_eq!(rows(&spread, LogShape::Csv), Ok(read[..2].to_vec()));
    assert_eq!(rows(&json(&[JSON_ROWS[0], "", JSON_ROWS[1]]), LogShape::JsonLines), Ok(read[..2].to_vec()));
    let error = rows(&json(&[JSON_ROWS[0], "# killed"]), LogShape::JsonLines).expect_err("no comments in JSON");
    assert!(error.starts_with("x:3: expected a JSON object"), "{error}");
}

#[test]
fn a_row_that_contradicts_itself_or_its_place_is_refused_with_its_line() {
    for (row, from, to, words) in [
        (1, "1,?", "2,?", "x:7: expected call 1, found \"2\""),
        (1, "1,?", "0,?", "expected call 1, found \"0\""),
        (1, "1,?", ",?", "expected call 1, found \"\""),
        (0, ",81,R", ",8,R", "expected two hex digits of buttons, found \"8\""),
        (0, ",81,R", ",+1,R", "expected two hex digits of buttons, found \"+1\""),
        (0, ",81,R", ",081,R", "found \"081\""),
        (0, ",81,R", ",8G,R", "found \"8G\""),
        (0, "R......A", "R.......", "expected keys of the buttons 81, found \"R.......\""),
        (0, "R......A", "R.....A", "keys: "),
        (0, "A,1,81,", "A,2,81,", "polled: expected 0 or 1, found \"2\""),
        (0, "A,1,81,", "A,-1,81,", "polled: expected 0 or 1"),
        (0, "A,1,81,", "A,1,01,", "expected buttons 81 to be what the polled game holds, found held 01"),
        (0, ",4,,", ",four,,", "mode: expected a whole number, found \"four\""),
        (0, "0,?,1,", "0,?,0,", "expected line 1 (call and boots, by the notes), found \"0\""),
        (1, ",3,00", ",2,00", "expected line 3"),
        (2, ",6,0C", ",4,0C", "expected line 6"),
        (0, ",,-", ",-", "expected 10 fields, found 9"),
        (0, ",,-", ",,,-", "expected 10 fields, found 11"),
    ] {
        let mut changed = ROWS.map(str::to_owned);
        assert_eq!(changed[row].matches(from).count(), 1, "{from}");
        changed[row] = changed[row].replace(from, to);
        let error = rows(&csv(&changed.each_ref().map(String::as_str)), LogShape::Csv).expect_err(to);
        assert!(error.starts_with(&format!("x:{}: ", row + 6)) && error.contains(words), "{to}: {error}");
    }
    // Buttons that the game did not read need not be those that it holds.
    assert!(rows(&csv(&[&ROWS[0].replace("A,1,81,", "A,0,01,")]), LogShape::Csv).is_ok());
    for (from, to, words) in [
        ("\"mode\":4", "\"mode\":true", "mode: expected a text or a number, found true"),
        ("\"mode\":4", "\"mode\":4.5", "mode: expected a whole number, found \"4.5\""),
        ("{", "[", "expected a JSON object"),
        ("{\"call\":0", "7", "expected a JSON object"),
    ] {
        let error = rows(&json(&[&JSON_ROWS[0].replacen(from, to, 1)]), LogShape::JsonLines).expect_err(to);
        assert!(error.starts_with("x:2: ") && error.contains(words), "{to}: {error}");
    }
    let number = rows(&json(&["7"]), LogShape::JsonLines).expect_err("a number");
    assert_eq!(number, "x:2: expected a JSON object, found \"7\"");
}

#[test]
fn a_header_without_what_is_needed_is_refused() {
    for (text, words) in [
        ("", "x:1: expected the names of the columns, found the end"),
        ("# format: maxout-log 1\n", "x:1: expected the names of the columns, found the end"),
        ("# format: maxout-log 2\ncall,buttons\n", "x:1: expected format \"maxout-log 1\", found \"maxout-log 2\""),
        ("call,keys\n", "x:1: expected a column \"buttons\", found \"call,keys\""),
        ("line,buttons\n", "x:1: expected a column \"call\""),
        ("call,buttons,x,y,x\n", "x:1: expected the column \"x\" once, found it twice"),
    ] {
        let error = reader(text, LogShape::Csv).err().expect(text);
        assert!(error.starts_with(words), "{text}: {error}");
    }
    // Columns of other programs may be there twice.
    assert!(reader("call,buttons,strange,strange\n", LogShape::Csv).is_ok());
    for (text, words) in [
        ("", "x:1: expected a JSON object with the key \"format\", found the end"),
        ("{\"seed\":\"7\"}\n", "x:1: expected the key \"format\" in the first line"),
        ("[]\n", "x:1: expected a JSON object, found \"[]\""),
        ("{\"format\":\"maxout-log 2\"}\n", "x:1: expected format \"maxout-log 1\""),
    ] {
        let error = reader(text, LogShape::JsonLines).err().expect(text);
        assert!(error.starts_with(words), "{text}: {error}");
    }
}

#[test]
fn the_header_is_kept_up_to_a_hundred_entries() {
    let csv = reader(&csv(&ROWS), LogShape::Csv).expect("a log");
    assert_eq!(csv.provenance().entries().collect::<Vec<_>>(), [("seed", "7")]);
    let columns = csv.columns();
    assert_eq!((columns.len(), columns[0], columns[8]), (9, LogColumn::Call, LogColumn::Note));
    assert!(!columns.contains(&LogColumn::Piece));
    let json = reader(&json(&JSON_ROWS), LogShape::JsonLines).expect("a log");
    assert_eq!(json.provenance().get("seed"), Some("7"));
    let many: String = (0..150).map(|number| format!("# key{number}: {number}\n")).collect();
    let many = reader(&format!("{many}call,buttons\n"), LogShape::Csv).expect("a log");
    assert_eq!(many.provenance().entries().count(), MAX_ENTRIES);
    assert_eq!((many.provenance().get("key99"), many.provenance().get("key100")), (Some("99"), None));
}

#[test]
fn a_log_of_a_run_that_cheats_has_no_steps_but_rows() {
    let cheats = csv(&[ROWS[0], &ROWS[1].replace(",-", ",60=05")]);
    assert_eq!(rows(&cheats, LogShape::Csv).map(|rows| rows.len()), Ok(2));
    let error = reader(&cheats, LogShape::Csv).expect("a log").steps().expect_err("it writes RAM");
    assert!(matches!(error, Error::Cheats { line: 7, .. }), "{error}");
}

#[test]
fn quotes_keep_commas_and_two_of_them_are_one() {
    for (line, expected) in [
        ("a,b", &["a", "b"][..]),
        ("", &[""]),
        (",", &["", ""]),
        ("\"a,b\",c", &["a,b", "c"]),
        ("\"a\"\"b\",\"\"", &["a\"b", ""]),
        ("a\"b,c\"", &["a\"b", "c\""]),
        ("\"a\"b,c", &["ab", "c"]),
        ("x,\"open, to the end", &["x", "open, to the end"]),
    ] {
        assert_eq!(fields(line), expected, "{line}");
    }
}

#[test]
fn a_line_that_a_reader_would_refuse_is_not_written() {
    let reader = reader(&csv(&ROWS), LogShape::Csv).expect("a log");
    let longest = [vec![b'a'; MAX_LINE as usize - 2], b"\n".to_vec()].concat();
    assert_eq!(reader.checked(longest.clone()).ok(), Some(longest.clone()));
    let longer = [b"short\n".to_vec(), b"a".to_vec(), longest].concat();
    let error = reader.checked(longer).expect_err("too long").to_string();
    assert!(error.contains("less than 65536 bytes in the other format, found a longer one"), "{error}");
}

#[test]
fn half_a_row_at_the_end_is_left_out_and_one_in_the_middle_is_an_error() {
    for (log, shape) in [(csv(&ROWS), LogShape::Csv), (json(&JSON_ROWS), LogShape::JsonLines)] {
        let all = rows(&log, shape).expect("a log");
        let last = log.trim_end().rfind('\n').expect("several lines") + 1;
        for end in last..log.len() - 1 {
            let whole = shape == LogShape::JsonLines && end == log.trim_end().len();
            let expected = if whole { &all[..] } else { &all[..all.len() - 1] };
            assert_eq!(rows(&log[..end], shape).as_deref(), Ok(expected), "{end} bytes");
        }
        let middle = log[..last - 5].to_owned() + &log[last - 1..];
        assert!(rows(&middle, shape).is_err());
    }
}

#[test]
fn a_row_that_is_cut_off_is_left_out_and_a_whole_object_is_a_row() {
    let whole = csv(&ROWS);
    let all = rows(&whole, LogShape::Csv).unwrap();
    for cut in 1..ROWS[3].len() {
        assert_eq!(rows(&whole[..whole.len() - cut], LogShape::Csv).unwrap(), all[..3], "{cut} bytes less");
    }
    let whole = json(&JSON_ROWS);
    let all = rows(&whole, LogShape::JsonLines).unwrap();
    assert_eq!(rows(&whole[..whole.len() - 1], LogShape::JsonLines).unwrap(), all, "without its line end");
    for cut in 2..JSON_ROWS[3].len() {
        assert_eq!(rows(&whole[..whole.len() - cut], LogShape::JsonLines).unwrap(), all[..3], "{cut} bytes less");
    }
    // Wrong rows with a line end after them stay errors.
    assert!(rows(&csv(&[ROWS[0], "1,?"]), LogShape::Csv).is_err());
}

#[test]
fn a_copy_and_each_of_its_lines_have_a_greatest_length() {
    let reader = reader(&csv(&ROWS), LogShape::Csv).unwrap();
    assert!(reader.check_length(7, 7).is_ok());
    let error = reader.check_length(8, 7).unwrap_err().to_string();
    assert!(error.contains("expected a log that takes at most 7 bytes"), "{error}");
    let line = |length: u64| [vec![b'x'; length as usize], b"\n".to_vec()].concat();
    assert!(reader.checked(line(MAX_LINE - 2)).is_ok());
    assert!(reader.checked(line(MAX_LINE - 1)).is_err());
}

#[test]
fn a_number_in_quotes_is_that_number_and_a_text_of_digits_is_kept() {
    let row = JSON_ROWS[0].replacen("\"mode\":4,\"note\":\"\"", "\"mode\":\"004\",\"note\":\"007\"", 1);
    let read = rows(&json(&[&row]), LogShape::JsonLines).expect("a log");
    assert_eq!((read[0].1.get(LogColumn::Mode), read[0].1.get(LogColumn::Note)), (Some("4"), Some("007")));
}

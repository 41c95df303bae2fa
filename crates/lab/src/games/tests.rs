//! Files of games that survive their own text, and files that do not read.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::simulate::{By39, Ending, PlayerId, Settings, Survival};
use maxout_engine::bot::Dodges;

fn run() -> RunId {
    RunId {
        version: "0.1.0".to_owned(),
        settings: Settings::default(),
        player: PlayerId {
            name: "el-tetris".to_owned(),
            weights_sha1: Some("0123".to_owned()),
            picture_sha1: None,
            planner: Default::default(),
        },
        games: 9,
        shard: "2/2".parse().expect("a shard"),
    }
}

/// A game in which no two numbers are equal.
fn game(number: u64) -> GameResult {
    let base = number as u32 * 1000;
    GameResult {
        game: number,
        ending: if number.is_multiple_of(3) { Ending::Goal } else { Ending::Topout },
        // Of game 1 as many as a row may have.
        points: (1 << 48) + 1 - number,
        pushdown: u64::from(base) + 2,
        score: base + 3,
        points_by_29: u64::from(base) + 4,
        pushdown_by_29: u64::from(base) + 5,
        reached_29: number == 3,
        by_39: None,
        survival: None,
        lines: base + 6,
        level: 29,
        pieces: base + 7,
        frames: u64::from(base) + 8,
        clears: [9, 10, 11, 12].map(|clears| base + clears),
        perfect_clears: base + 13,
        longest_drought: u32::MAX,
        lock_rows: std::array::from_fn(|row| base + 100 + row as u32),
        lock_cells: std::array::from_fn(|row| std::array::from_fn(|x| base + 200 + (10 * row + x) as u32)),
    }
}

fn written(games: &[u64]) -> String {
    let mut bytes = Vec::new();
    let mut writer = GamesWriter::new(&mut bytes, Path::new("games.csv"), &run()).expect("memory takes it");
    games.iter().for_each(|&number| writer.write(&game(number)).expect("memory takes it"));
    drop(writer);
    String::from_utf8(bytes).expect("text")
}

fn read(text: &str) -> Result<Games, String> {
    Games::read(text.as_bytes(), Path::new("games.csv")).map_err(|error| error.to_string())
}

#[test]
fn a_number_whose_sums_would_not_fit_is_refused_with_its_place() {
    let good = written(&[1, 3]);
    for (column, at) in [("points", 2), ("pushdown", 3), ("points_by_29", 5), ("pushdown_by_29", 6), ("frames", 11)] {
        let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
        let mut fields: Vec<&str> = lines[4].split(',').collect();
        fields[at] = "18446744073709551615";
        lines[4] = fields.join(",");
        let error = read(&(lines.join("\n") + "\n")).expect_err(column);
        let expected = format!(
            "games.csv:5: column {column}: expected a number up to 281474976710656, found \"18446744073709551615\""
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn games_survive_their_own_text() {
    let text = written(&[1, 3, 7]);
    let length = text.len() as u64;
    let whole = Games { run: run(), results: vec![game(1), game(3), game(7)], is_cut: false, length };
    assert_eq!(read(&text), Ok(whole));
    let cut = read(&text[..text.len() - 1]).expect("a text that was cut");
    assert_eq!((cut.is_cut, cut.length), (true, written(&[1, 3]).len() as u64));
    assert_eq!(read(&written(&[])).map(|games| games.results), Ok(vec![]));
}

#[test]
fn games_past_level_153_have_eight_columns_more() {
    let mut run = run();
    run.settings.until = "rebirth".parse().expect("an end");
    let dodges = Dodges {
        placements: 81,
        pushdowns: 82,
        selects: 83,
        planned_hangs: 84,
        risks: 85,
        hangs: 86,
        nearest: Some(87),
    };
    let survival = |dodges| Some(Survival { rebirths: 80, dodges });
    let games = [
        GameResult { survival: survival(dodges), ..game(1) },
        GameResult { survival: survival(Dodges { nearest: None, ..dodges }), ..game(3) },
    ];
    let mut bytes = Vec::new();
    let mut writer = GamesWriter::new(&mut bytes, Path::new("games.csv"), &run).expect("memory takes it");
    games.iter().for_each(|game| writer.write(game).expect("memory takes it"));
    drop(writer);
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.contains(",lock_cells,rebirths,placements,pushdowns,selects,planned_hangs,risks,hangs,nearest\n"));
    assert!(text.contains(",80,81,82,83,84,85,86,87\n") && text.contains(",80,81,82,83,84,85,86,\n"));
    assert_eq!(read(&text), Ok(Games { run, results: games.to_vec(), is_cut: false, length: text.len() as u64 }));
    let error = read(&text.replacen(",86,87\n", ",86,x\n", 1)).expect_err("no number");
    assert_eq!(error, "games.csv:4: column nearest: expected a number, found \"x\"");
}

#[test]
fn games_of_ksx2_have_three_columns_more() {
    let mut run = run();
    run.settings.rules = "ksx2".parse().expect("rules");
    let by_39 = By39 { points: 77, pushdown: 78, reached: true };
    let games = [GameResult { by_39: Some(by_39), ..game(1) }, GameResult { by_39: Some(By39::default()), ..game(3) }];
    let mut bytes = Vec::new();
    let mut writer = GamesWriter::new(&mut bytes, Path::new("games.csv"), &run).expect("memory takes it");
    games.iter().for_each(|game| writer.write(game).expect("memory takes it"));
    drop(writer);
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.contains(",lock_cells,points_by_39,pushdown_by_39,reached_39\n") && text.contains(",77,78,1\n"));
    assert_eq!(read(&text), Ok(Games { run, results: games.to_vec(), is_cut: false, length: text.len() as u64 }));
    for (from, to, words) in [
        (",77,78,1\n", ",77,78\n", "games.csv:4: expected 23 columns, found 22"),
        (",77,78,1\n", ",77,78,2\n", "games.csv:4: column reached_39: expected 0 or 1, found \"2\""),
        (",reached_39\n", "\n", "games.csv:3: expected the columns game,ending,..., found"),
        ("\"rules\":\"ksx2\",", "", "games.csv:3: expected the columns game,ending,..., found"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = read(&text.replacen(from, to, 1)).expect_err(words);
        assert!(error.starts_with(words), "{error}");
    }
}

#[test]
fn a_killed_run_keeps_every_whole_row() {
    let text = written(&[1, 3]);
    let whole = written(&[1]).len();
    for end in whole + 1..text.len() {
        let games = read(&text[..end]).expect("a cut file");
        assert_eq!((games.results, games.is_cut), (vec![game(1)], true));
    }
    assert!(!read(&text[..whole]).expect("a file that ends with a row").is_cut);
}

#[test]
fn a_reader_says_that_the_file_was_cut_once_it_has_met_the_cut() {
    let text = written(&[1, 3]);
    for (text, is_cut) in [(&text[..], false), (&text[..text.len() - 1], true)] {
        let mut reader = GamesReader::new(text.as_bytes(), Path::new("games.csv")).expect("its own text");
        assert_eq!((reader.next_game().expect("a row"), reader.is_cut()), (Some(game(1)), false));
        while reader.next_game().expect("a row or a cut one").is_some() {}
        assert_eq!(reader.is_cut(), is_cut);
    }
}

/// An output that can be read while a writer has it.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_flush_gives_away_every_row_and_so_does_the_start() {
    let output = Shared::default();
    let mut writer = GamesWriter::new(output.clone(), Path::new("games.csv"), &run()).expect("memory takes it");
    let given = || String::from_utf8(output.0.borrow().clone()).expect("text");
    assert_eq!(given(), written(&[]));
    writer.write(&game(1)).expect("memory takes it");
    writer.flush().expect("memory takes it");
    assert_eq!(given(), written(&[1]));
}

#[test]
fn a_wrong_line_is_named_with_what_was_expected() {
    let good = written(&[1, 3]);
    for (from, to, words) in [
        ("format 1", "format 2", &["games.csv:1:", "expected", "format 2"][..]),
        ("\"games\":9", "\"games\":nine", &["games.csv:2:", "JSON"]),
        ("game,ending", "ending,game", &["games.csv:3:", "columns"]),
        ("\n3,goal", "\n3,won", &["games.csv:5: column ending: expected goal, topout or crash, found \"won\""]),
        ("\n3,goal", "\n3", &["games.csv:5: expected 20 columns, found 19"]),
        ("\n3,goal", "\n1,goal", &["games.csv:5: expected a game after 1, found 1"]),
        ("\n3,goal", "\n4,goal", &["games.csv:5: expected one of shard 2/2 of 9 games, found game 4"]),
        ("\n3,goal", "\n11,goal", &["games.csv:5:", "found game 11"]),
        (",3100 3101", ",3101", &["games.csv:5: column lock_rows: expected 20 numbers"]),
        ("/3210", "/x", &["games.csv:5: column lock_cells: expected 20 rows of 10 numbers"]),
        (",3003,", ",-3,", &["games.csv:5: column score: expected a number, found \"-3\""]),
    ] {
        assert_eq!(good.matches(from).count(), 1, "{from:?} is not one place of the good file");
        let error = read(&good.replace(from, to)).expect_err(to);
        assert!(words.iter().all(|word| error.contains(word)) && !error.contains('\n'), "{error}");
    }
    for text in ["", "# maxout games, format 1\n", "hello"] {
        assert!(read(text).expect_err(text).starts_with("games.csv:1: expected"), "{text:?}");
    }
}

#[test]
fn an_endless_line_is_refused() {
    let zeros = BufReader::new(io::repeat(0));
    let error = Games::read(zeros, Path::new("zeros")).expect_err("no games").to_string();
    assert_eq!(error, "zeros:1: expected a line of less than 1048576 bytes, found a longer one");
    let written = written(&[1]) + &"0".repeat(MAX_LINE as usize) + "\n";
    let error = read(&written).expect_err("too long");
    assert!(error.starts_with("games.csv:5: expected a line of less"), "{error}");
}

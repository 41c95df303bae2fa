//! Files, names and answers that a stranger made: nothing of them reaches the terminal as it is, and
//! none of them takes all memory.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

/// Sets the title of a terminal, colours it, turns the text around, ends the line and deletes.
const PLANTED: &str = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}\u{85}\u{7f}\r";
/// The same where text is TOML or JSON.
const AS_ESCAPES: &str = r"\u001b]0;owned\u0007\u009b31m\u202e\u2066\u200f\u2028\ufeff\u0085\u007f\r\n";
/// The most characters of a message.
const LONGEST: usize = 400;

fn maxout(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.current_dir(folder).args(arguments).env_remove("RUST_LOG").env("COLUMNS", "80");
    command.stdin(Stdio::null()).output().expect("the program starts")
}

fn is_hidden(letter: char) -> bool {
    let format = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{feff}'];
    let ranges = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    (letter.is_control() && letter != '\n')
        || format.contains(&letter)
        || ranges.iter().any(|range| range.contains(&letter))
}

/// Standard output and standard error; fails if a terminal would obey any of it, or a line of standard
/// error is too long.
fn harmless(output: &Output, about: &str) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    for text in [&out, &error] {
        assert!(!text.contains(is_hidden), "{about}: {text:?}");
    }
    assert!(error.lines().all(|line| line.chars().count() <= LONGEST), "{about}: {error}");
    assert!(!error.contains("panicked") && !error.contains("Error {"), "{about}: {error}");
    (out, error)
}

/// The one line with which a run is refused; it must show that something was planted.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = maxout(folder, arguments);
    let about = format!("{arguments:?}");
    let (_, error) = harmless(&output, &about);
    assert_eq!(output.status.code(), Some(2), "{about}: {error}");
    assert_eq!(error.lines().count(), 1, "{about}: {error}");
    error
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).expect("written");
        path
    }

    /// A ZIP archive of one member.
    fn zip(&self, name: &str, members: &[(&str, &[u8])]) {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (member, content) in members {
            archive.start_file(*member, SimpleFileOptions::default()).expect("a member");
            archive.write_all(content).expect("written");
        }
        self.write(name, archive.finish().expect("an archive").into_inner());
    }
}

/// Short games by a player that is ready at once.
const GAMES: [&str; 7] = ["simulate", "--games", "1", "--until", "pieces:5", "--evaluator", "el-tetris"];

fn games<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&GAMES[..], more].concat()
}

#[test]
fn what_is_planted_in_settings_is_escaped() {
    let folder = Folder::new();
    let key = format!("\"{AS_ESCAPES}\" = 1\n");
    folder.write("key.toml", &key);
    folder.write("value.toml", format!("[eval]\nevaluator = \"{AS_ESCAPES}\"\n"));
    folder.write("weights.toml", format!("version = 1\nevaluator = \"{AS_ESCAPES}\"\n[weights]\n"));
    folder.write("raw.toml", PLANTED);
    let dump = |map| ["dump", "--console", "simulated", "--evaluator", "el-tetris", "-o", "/dev/null", "--map", map];
    for file in ["key.toml", "raw.toml"] {
        for arguments in [
            &games(&["--config", file])[..],
            &dump(file),
            &games(&["--weights", file]),
            &["train", "td", "-o", "a.mxw", "--schedule", file],
            &["train", "pso", "-o", "a.toml", "--start", file],
        ] {
            let error = refused(folder.path(), arguments);
            assert!(error.contains(file), "{error}");
            if file == "key.toml" {
                assert!(error.contains(r"\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}"), "{arguments:?}: {error}");
            }
        }
    }
    let games = ["simulate", "--games", "1", "--until", "pieces:5"];
    for more in [["--config", "value.toml"], ["--weights", "weights.toml"]] {
        let error = refused(folder.path(), &[&games[..], &more].concat());
        assert!(error.contains(r"\u{1b}]0;owned"), "{error}");
    }
}

#[test]
fn what_is_planted_in_logs_and_movies_is_escaped() {
    let folder = Folder::new();
    folder.write("head.csv", format!("# format: {PLANTED}\ncall,buttons\n0,00\n"));
    folder.write("column.csv", format!("{PLANTED},call\n0,00\n"));
    folder.write("row.csv", format!("# format: maxout-log 1\ncall,buttons\n0,{PLANTED}\n"));
    folder.write("head.jsonl", format!("{{\"{AS_ESCAPES}\":1}}\n"));
    folder.write("row.jsonl", format!("{{\"format\":\"maxout-log 1\"}}\n{{\"call\":\"{AS_ESCAPES}\"}}\n"));
    folder.write("version.fm2", format!("{PLANTED}\n"));
    folder.write("line.fm2", format!("version 3\nport0 {PLANTED}\n"));
    folder.zip(
        "header.bk2",
        &[("Header.txt", format!("Platform {PLANTED}\n").as_bytes()), ("Input Log.txt", b"[Input]\nLogKey:#P1 A|\n")],
    );
    folder.zip("log.bk2", &[("Input Log.txt", format!("{PLANTED}\n").as_bytes())]);
    folder.zip("members.bk2", &[(PLANTED, b"x")]);
    folder.write(&format!("{PLANTED}.fm2"), b"odd");
    for name in [
        "head.csv",
        "column.csv",
        "row.csv",
        "head.jsonl",
        "row.jsonl",
        "version.fm2",
        "line.fm2",
        "header.bk2",
        "log.bk2",
        "members.bk2",
        &format!("{PLANTED}.fm2"),
    ] {
        for command in [&["convert", name, "new.fm2"][..], &["replay", name], &["report", name, "-o", "new.html"]] {
            let error = refused(folder.path(), command);
            assert!(error.contains("owned") || name == "members.bk2" || name.ends_with("csv"), "{name}: {error}");
        }
    }
    folder.write("head.trace", format!("# {PLANTED}\n"));
    folder.write(
        "row.trace",
        format!("# nes-tetris-trace 1\n# columns frame in busy 17:rng0\n0 00 {} 00\n", &PLANTED[1..]),
    );
    folder.write("games.csv", format!("# maxout games, format 1\n# {{\"{AS_ESCAPES}\":1}}\n"));
    folder.write("first.csv", format!("{PLANTED}\n"));
    for command in [
        &["trace", "verify", "head.trace"][..],
        &["trace", "verify", "row.trace"],
        &["merge", "games.csv"],
        &["merge", "first.csv"],
    ] {
        let error = refused(folder.path(), command);
        assert!(error.contains(r"0;owned\u{7}\u{9b}31m\u{202e}"), "{command:?}: {error}");
    }
}

#[test]
fn what_is_planted_in_names_is_escaped() {
    let folder = Folder::new();
    let name = format!("{PLANTED}.nes");
    for command in
        [&["rom", &name][..], &["play", &name], &["convert", &name, "a.fm2", "--from", "csv"], &["merge", &name]]
    {
        assert!(refused(folder.path(), command).contains(r"\u{1b}]0;owned\u{7}\u{9b}"), "{command:?}");
    }
    folder.write(&name, b"no ROM");
    refused(folder.path(), &["rom", &name]);
    folder.zip("members.zip", &[(PLANTED, b"no ROM"), ("\u{1b}[2J.nes", b"neither")]);
    let error = refused(folder.path(), &["rom", "members.zip"]);
    assert!(error.contains("?]0;owned??31m") && error.contains("?[2J.nes"), "{error}");
    // In results: as text, and as JSON that means the same.
    let cartridge = folder.path().join(&name);
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes"), &cartridge).expect("copied");
    for json in [false, true] {
        let arguments = if json { vec!["rom", &name, "--json"] } else { vec!["rom", &name] };
        let output = maxout(folder.path(), &arguments);
        let (out, _) = harmless(&output, &name);
        assert!(output.status.success() && out.contains("]0;owned"), "{out}");
    }
    // Results of one line.
    folder.write("game.csv", "# format: maxout-log 1\ncall,buttons\n0,00\n");
    let new = format!("{PLANTED}\nforged.fm2");
    let output = maxout(folder.path(), &["convert", "game.csv", &new]);
    let (out, error) = harmless(&output, &new);
    assert!(output.status.success() && out.lines().count() == 1 && out.contains(r"\nforged.fm2"), "{out}{error}");
}

#[test]
fn what_is_planted_in_arguments_is_escaped() {
    let folder = Folder::new();
    let flag = format!("--{PLANTED}");
    let assigned = format!("--until={PLANTED}\n");
    let long = "x".repeat(5000);
    for command in [
        &[&flag[..]][..],
        &["play", &flag],
        &["play", &assigned],
        &["simulate", "--input", PLANTED],
        &["play", "--seed", &long],
        &["completions", PLANTED],
    ] {
        let output = maxout(folder.path(), command);
        let (_, error) = harmless(&output, &flag);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.starts_with("maxout: ")
                && error.lines().count() == 1
                && (error.contains("owned") || error.contains("xxx")),
            "{error}"
        );
    }
}

#[test]
fn what_a_player_answers_is_escaped() {
    let folder = Folder::new();
    folder.write("name", format!("{{\"protocol\":1,\"name\":\"{AS_ESCAPES}\"}}\n"));
    folder.write("bidi", "{\"protocol\":1,\"name\":\"a\u{202e}b\"}\n");
    folder.write("raw", format!("{PLANTED}\n"));
    folder.write("key", format!("{{\"protocol\":1,\"name\":\"x\"}}\n{{\"{AS_ESCAPES}\":1}}\n"));
    folder.write("long", format!("{{\"protocol\":1,\"name\":\"x\"}}\n{PLANTED}{}\n", "y".repeat(10_000)));
    for file in ["name", "bidi", "raw", "key", "long"] {
        let player = format!("exec:cat {file}; sleep 1");
        let output = maxout(folder.path(), &["play", "--console", "simulated", "--view", "none", "--player", &player]);
        let (_, error) = harmless(&output, file);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let planted = if file == "bidi" { r"a\u{202e}b" } else { "owned" };
        assert!(error.contains(planted), "{file}: {error}");
    }
}

#[test]
fn what_is_planted_in_a_log_reaches_neither_page_nor_picture() {
    let folder = Folder::new();
    let done = |arguments: &[&str]| {
        let output = maxout(folder.path(), arguments);
        let (out, error) = harmless(&output, &format!("{arguments:?}"));
        assert!(output.status.success(), "{error}");
        out
    };
    done(&["dump", "--console", "simulated", "--evaluator", "el-tetris", "--until", "pieces:2", "-o", "game.csv"]);
    let log = fs::read_to_string(folder.path().join("game.csv")).expect("a log");
    let planted = PLANTED.trim_end();
    folder.write("game.csv", format!("# rom: {planted}\n# <b>: {planted}\n{log}"));
    done(&["report", "game.csv", "-o", "game.html"]);
    let page = fs::read_to_string(folder.path().join("game.html")).expect("a page");
    assert!(page.contains("owned") && !page.contains(is_hidden), "a hidden character is in the page");

    done(&games(&["--csv", "games.csv"]));
    let text = fs::read_to_string(folder.path().join("games.csv")).expect("games");
    folder.write("games.csv", text.replace("\"el-tetris\"", &format!("\"{AS_ESCAPES}\"")));
    let report = done(&["merge", "games.csv", "--plot", "games.svg"]);
    assert!(report.contains(r"\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}") && report.contains(r"\r\n"), "{report}");
    let picture = fs::read_to_string(folder.path().join("games.svg")).expect("a picture");
    assert!(picture.contains("owned") && !picture.contains(is_hidden), "a hidden character is in the picture");
    let json = done(&["merge", "games.csv", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let name: String = serde_json::from_str(&format!("\"{AS_ESCAPES}\"")).expect("JSON");
    assert_eq!(value["player"]["name"], name);
}

#[test]
fn a_long_message_keeps_the_end_of_the_path_and_the_advice() {
    let folder = Folder::new();
    let path = "no/such/folder/".repeat(200) + "game.csv";
    let error = refused(folder.path(), &["convert", &path, "new.fm2"]);
    assert_eq!(error.trim_end().chars().count(), LONGEST, "{error}");
    assert!(error.contains("folder/game.csv: ") && error.ends_with("; check the path\n"), "{error}");
}

#[test]
fn a_compressed_trace_that_is_none_is_refused_in_words() {
    let folder = Folder::new();
    folder.write("text.trace.zst", "# nes-tetris-trace 1\n");
    folder.write("empty.trace.zst", "");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/d05_level19_bot.trace.zst");
    let mut bytes = fs::read(golden).expect("a trace");
    bytes.truncate(bytes.len() / 2);
    folder.write("cut.trace.zst", &bytes);
    bytes[1000..1100].fill(0xA5);
    folder.write("damaged.trace.zst", &bytes);
    for (name, words) in [
        ("text.trace.zst", "expected a Zstandard file, found another"),
        ("empty.trace.zst", "expected a Zstandard file, found another"),
        ("cut.trace.zst", "it is damaged or cut off"),
        ("damaged.trace.zst", "it is damaged or cut off"),
    ] {
        let error = refused(folder.path(), &["trace", "verify", name, "--console", "simulated"]);
        assert!(error.contains(words) && !error.contains(['(', '{']), "{name}: {error}");
    }
}

/// With at most 1 GB of addresses, of which the program itself takes some.
#[cfg(target_os = "linux")]
fn in_little_memory(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_maxout")]);
    command.current_dir(folder).args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("the program starts")
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_refused_by_every_reader() {
    let folder = Folder::new();
    let zero = "/dev/zero";
    let pattern = format!("pattern:{zero}");
    let dump = ["dump", "--console", "simulated", "--evaluator", "el-tetris", "-o", "/dev/null", "--map", zero];
    for (arguments, words) in [
        (
            &games(&["--config", zero])[..],
            "expected at most 1048576 bytes, found more; check that this is the right file",
        ),
        (&dump, "expected at most 1048576 bytes"),
        (&games(&["--weights", zero]), "expected at most 67108864 bytes"),
        (&["train", "join", zero, "-o", "a.mxw"], "expected at most 67108864 bytes"),
        (&games(&["--filter", &pattern]), "expected at most 1048576 bytes"),
        (&["train", "td", "-o", "a.mxw", "--schedule", zero], "expected at most 1048576 bytes"),
        (&["train", "pso", "-o", "a.toml", "--start", zero], "expected at most 1048576 bytes"),
        (&["merge", zero], "expected a line of less than"),
        (&["rom", zero], "is longer than"),
        (&["trace", "verify", zero], "expected a line of less than 65536 bytes"),
        (&["replay", zero, "--from", "csv"], "expected a line of less than"),
        (&["replay", zero, "--from", "jsonl"], "expected a line of less than"),
        (&["replay", zero, "--from", "fm2"], "expected a line of less than"),
        (&["replay", zero, "--from", "bk2"], "expected at most 67108864 bytes"),
        (&["replay", zero, "--from", "r08"], "expected at most 16777216 bytes"),
    ] {
        let output = in_little_memory(folder.path(), arguments);
        let (_, error) = harmless(&output, &format!("{arguments:?}"));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_file_that_takes_much_memory_is_refused() {
    let folder = Folder::new();
    // 2 million keys: once 905 MB.
    let mut keys = File::create(folder.path().join("keys.toml")).expect("a file");
    for block in 0..2000 {
        let text: String = (0..1000).map(|key| format!("k{block}_{key} = 1\n")).collect();
        keys.write_all(text.as_bytes()).expect("written");
    }
    let error = in_little_memory(folder.path(), &games(&["--config", "keys.toml"]));
    let (_, error) = harmless(&error, "keys");
    assert!(error.contains("keys.toml: expected at most 1048576 bytes"), "{error}");
    // Header lines of a trace without an end: once 2 GB.
    folder.write("entries.trace", format!("# nes-tetris-trace 1\n{}", "# a\n".repeat(5_000_000)));
    folder.write(
        "blank.trace",
        format!("# nes-tetris-trace 1\n# columns frame in busy 17:rng0\n0 00 0 89\n{}", "\n".repeat(200_000)),
    );
    for (name, words) in [
        ("entries.trace", "expected at most 1048576 bytes before the first row"),
        ("blank.trace", "expected rows, found 100000 lines without one"),
    ] {
        let output = in_little_memory(folder.path(), &["trace", "verify", name, "--console", "simulated"]);
        let (_, error) = harmless(&output, name);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[test]
fn a_sum_that_would_not_fit_is_refused_with_its_place() {
    let folder = Folder::new();
    let output = maxout(folder.path(), &games(&["--csv", "games.csv"]));
    assert!(output.status.success());
    let text = fs::read_to_string(folder.path().join("games.csv")).expect("games");
    let row = text.lines().nth(3).expect("a row");
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[3] = "18446744073709551615";
    folder.write("games.csv", text.replace(row, &fields.join(",")));
    let error = refused(folder.path(), &["merge", "games.csv"]);
    assert!(
        error.contains(
            "games.csv:4: column pushdown: expected a number up to 281474976710656, found \"18446744073709551615\""
        ),
        "{error}"
    );
}

#[test]
fn a_training_that_diverges_ends_with_an_error_and_keeps_its_checkpoint() {
    let folder = Folder::new();
    let phase = |step: &str| {
        format!(
            "[[phases]]\nplay = \"heuristic\"\npieces = 2048\ndiscount = [0.98, 0.98]\nstep = [{step}, {step}]\nlambda = 0.7\nexplore = 0.02\nclip = 8.0\n"
        )
    };
    folder.write("good.toml", phase("1e-3"));
    folder.write("bad.toml", phase("1e-3") + &phase("1e38"));
    folder.write("worse.toml", phase("1e38"));
    let train = |schedule: &str, checkpoint: &str| {
        let arguments = [
            "train",
            "td",
            "-o",
            "a.mxw",
            "--schedule",
            schedule,
            "--checkpoint",
            checkpoint,
            "--finale-games",
            "0",
            "--every",
            "0.001",
        ];
        let output = maxout(folder.path(), &arguments);
        let (_, error) = harmless(&output, schedule);
        (output.status.code(), error)
    };
    assert_eq!(train("good.toml", "a.checkpoint").0, Some(0));
    let files = ["a.checkpoint", "a.mxw"].map(|name| folder.path().join(name));
    let before = files.each_ref().map(|file| fs::read(file).expect("a file"));
    let (code, error) = train("bad.toml", "a.checkpoint");
    assert_eq!(code, Some(1), "{error}");
    let last = error.lines().last().unwrap_or_default();
    assert_eq!(
        last,
        "maxout: the training has diverged: a number of the net is not finite after 3,072 pieces; a.checkpoint keeps the \
         last good state; use a smaller step in --schedule"
    );
    assert!(files.each_ref().map(|file| fs::read(file).expect("a file")) == before, "the files are as they were");
    let (code, error) = train("worse.toml", "new.checkpoint");
    assert_eq!(code, Some(1), "{error}");
    assert!(error.ends_with("after 1,024 pieces; use a smaller step in --schedule\n"), "{error}");
    assert!(!folder.path().join("new.checkpoint").exists());
}

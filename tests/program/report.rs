//! The report as a user gets it: from a run, from its log, from a run that cheats. The HTML is
//! complete, and its contents are those of the log.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).output().expect("the program starts")
}

fn done(arguments: &[&str]) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Plays on the rules model without a view.
fn play(arguments: &[&str]) {
    done(&[&["play", "--console", "simulated", "--evaluator", "el-tetris", "--view", "none"], arguments].concat());
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// The data lines of a page, in their order.
fn told(page: &str) -> Vec<Value> {
    let (_, lines) = page.split_once("id=\"told\">\n").expect("the script that holds the lines");
    let (lines, _) = lines.split_once("</script>").expect("its end");
    lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The lines of one kind.
fn kind<'a>(told: &'a [Value], name: &str) -> Vec<&'a Value> {
    told.iter().filter_map(|line| line.get(name)).collect()
}

/// Checks that every opened tag is closed, in order, and that attributes are quoted.
fn assert_whole(page: &str) {
    const VOID: [&str; 3] = ["meta", "input", "br"];
    assert!(page.starts_with("<!DOCTYPE html>"));
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.split_once('>').expect("a doctype").1;
    while let Some(at) = rest.find('<') {
        if let Some(raw @ ("script" | "style")) = open.last().copied() {
            rest = &rest[rest.find(&format!("</{raw}")).expect("its end")..];
        } else {
            rest = &rest[at..];
        }
        let end = rest.find('>').expect("the end of a tag");
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
            continue;
        }
        let name = tag.split_whitespace().next().expect("a name");
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "<{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The cells of a playfield in the page, in the form of the log's column.
fn cells(field: &Value) -> String {
    let text = format!("{:A>67}", field.as_str().expect("a playfield"));
    let six = text.chars().map(|letter| LETTERS.find(letter).expect("a letter"));
    let cells: Vec<bool> =
        six.flat_map(|bits| [bits >> 4 & 3, bits >> 2 & 3, bits & 3]).map(|cell| cell != 0).collect();
    let digits = cells[1..].chunks(4);
    digits.map(|four| format!("{:X}", four.iter().fold(0, |digit, &cell| digit << 1 | u8::from(cell)))).collect()
}

/// Buttons, frame by frame.
fn buttons(told: &[Value]) -> Vec<String> {
    let runs = kind(told, "frames");
    let runs = runs.iter().flat_map(|frames| frames.as_str().expect("runs").split(' '));
    let of = |run: &str| std::iter::repeat_n(run[..2].to_owned(), run[7..].parse().unwrap_or(1));
    runs.flat_map(of).collect()
}

/// The rows of a log, by the names of its columns.
fn rows(log: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = log.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let row = |line: &str| names.iter().map(|name| name.to_string()).zip(line.split(',').map(str::to_owned)).collect();
    lines.map(row).collect()
}

#[test]
fn a_report_has_the_values_of_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let (live, log, later) = (place("live.html"), place("game.csv"), place("later.html"));
    play(&[
        "--start-level",
        "18",
        "--until",
        "pieces:150",
        "--field",
        "--log",
        text_of(&log),
        "--report",
        text_of(&live),
    ]);
    done(&["report", text_of(&log), "-o", text_of(&later)]);
    let [live, log, later] = [live, log, later].map(|path| fs::read_to_string(path).expect("written"));
    for page in [&live, &later] {
        assert_whole(page);
        assert!(page.contains("<th scope=\"row\">sha1</th>") && page.contains("<th scope=\"row\">seed</th><td>1</td>"));
    }
    assert!(live.contains("<td>maxout play --console simulated"), "the command");
    let (live, later) = (told(&live), told(&later));
    let rows = rows(&log);

    // The buttons.
    let pressed: Vec<&str> = rows.iter().map(|row| row["buttons"].as_str()).collect();
    assert_eq!(buttons(&live), pressed);
    assert_eq!(buttons(&later), pressed);

    // The result.
    let placements = kind(&live, "placement");
    assert_eq!(placements.len(), 150);
    let mut clears = 0;
    for placement in &placements {
        let row = &rows[placement["spawn"].as_u64().expect("a frame") as usize];
        assert_eq!(cells(&placement["field"]), row["cells"], "{placement}");
        assert_eq!(placement["score"][0].to_string(), row["score"]);
        assert_eq!(placement["next"], *row["next"]);
        assert!(
            placement["plan"]["value"].is_number()
                && !placement["plan"]["others"].as_array().expect("others").is_empty()
        );
        assert_eq!(placement["plan"]["at"], placement["at"], "no desync");
        clears += placement["clears"].as_u64().expect("rows");
    }
    let last = rows.last().expect("rows");
    assert_eq!(clears.to_string(), last["lines"]);
    assert!(clears > 20, "the game is long enough to say something");

    // How it ended: the last line, of the report of the log, too.
    assert_eq!(live.last().expect("lines")["end"], "pieces:150 reached");

    // The report of the log is the same, except for what only the bot knew.
    let without_plans: Vec<Value> = live
        .iter()
        .cloned()
        .map(|mut line| {
            line.get_mut("placement").and_then(Value::as_object_mut).map(|placement| placement.remove("plan"));
            line
        })
        .collect();
    assert_eq!(later, without_plans);
}

#[test]
fn a_log_without_cells_and_a_log_of_a_cheating_run_have_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let (log, page) = (folder.path().join("game.jsonl.gz"), folder.path().join("game.html"));
    let (log, page) = (text_of(&log), text_of(&page));
    play(&["--until", "pieces:40", "--input", "teleport", "--log", log]);
    done(&["report", log, "-o", page]);
    let lines = told(&fs::read_to_string(page).expect("written"));
    let placements = kind(&lines, "placement");
    assert_eq!(placements.len(), 40);
    assert!(placements.iter().all(|placement| placement["field"].is_string()), "the rules know the playfield");
    let wrote = kind(&lines, "frames")
        .iter()
        .any(|frames| frames.as_str().expect("runs").split(' ').any(|run| run.as_bytes()[2] > b'1'));
    assert!(wrote, "what was written into RAM is told");
}

#[test]
fn a_movie_is_played_for_its_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (movie, page) = (folder.path().join("game.fm2"), folder.path().join("game.html"));
    let (movie, page) = (text_of(&movie), text_of(&page));
    play(&["--until", "pieces:12", "--movie", movie]);
    done(&["report", movie, "-o", page, "--console", "simulated", "--past-the-end", "0"]);
    let lines = told(&fs::read_to_string(page).expect("written"));
    assert_eq!(kind(&lines, "placement").len(), 12);
    assert_eq!(kind(&lines, "end"), ["end of the recording"]);
}

/// Goals that are reached, missed and passed by, and a run that has no time to begin.
#[test]
fn the_result_is_that_of_the_goal() {
    let folder = tempfile::tempdir().expect("a folder");
    let [live, log, later] = ["live.html", "game.csv", "later.html"].map(|name| folder.path().join(name));
    let [live, log, later] = [&live, &log, &later].map(|path| text_of(path));
    for (until, start_level, code, expected) in [
        ("lines:3", "19", 0, "lines:3 reached"),
        ("level:1", "0", 0, "level:1 reached"),
        ("frames:700", "19", 0, "frames:700 reached"),
        ("score:3", "0", 1, "overshoot of score:3"),
        ("topout", "19", 0, "topout reached"),
        ("lines:5000", "19", 1, "topout before lines:5000"),
    ] {
        let output = run(&[
            "play",
            "--console",
            "simulated",
            "--evaluator",
            "birken-v2",
            "--input",
            "even-frames",
            "--seed",
            "6",
            "--view",
            "none",
            "--start-level",
            start_level,
            "--until",
            until,
            "--log",
            log,
            "--report",
            live,
        ]);
        assert_eq!(output.status.code(), Some(code), "{until}: {}", String::from_utf8_lossy(&output.stderr));
        let summary = String::from_utf8(output.stdout).expect("text");
        assert!(summary.starts_with(&format!("{expected} after ")), "{summary}");
        done(&["report", log, "-o", later]);
        for page in [live, later] {
            let lines = told(&fs::read_to_string(page).expect("written"));
            assert_eq!(lines.last().expect("lines")["end"], expected, "{until}");
        }
    }
}

/// A game beyond 999,999: the summary, the log and the page go on counting, and a log that was
/// written without the count is read as before.
#[test]
fn the_score_past_the_cap_is_told_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let [live, log, old, later] =
        ["live.html", "game.csv", "old.csv", "later.html"].map(|name| folder.path().join(name));
    let [live, log, old, later] = [&live, &log, &old, &later].map(|path| text_of(path));
    let game = ["--console", "simulated", "--evaluator", "birken-v2", "--input", "even-frames", "--seed", "4"];
    let files = ["--view", "none", "--until", "lines:230", "--log", log, "--report", live];
    let text = run(&[&["play"][..], &game, &files].concat());
    assert!(text.stdout.starts_with(b"lines:230 reached"), "{}", String::from_utf8_lossy(&text.stdout));
    let text = String::from_utf8(text.stdout).expect("text");
    let json = run(&[&["play", "--json", "--until", "lines:230"][..], &game].concat());
    let summary: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let uncapped = summary["score_uncapped"].as_u64().expect("a number");
    assert!(summary["score"] == 999_999 && uncapped > 1_000_000, "{summary}");
    let words = uncapped.to_string();
    let (millions, rest) = words.split_at(words.len() - 6);
    let (thousands, ones) = rest.split_at(3);
    assert!(text.contains(&format!("score        999,999 ({millions},{thousands},{ones} uncapped)\n")), "{text}");

    let written = fs::read_to_string(log).expect("written");
    let rows = rows(&written);
    assert_eq!(rows.last().expect("rows")["uncapped"], words);
    let below = |row: &&BTreeMap<String, String>| row["score"] != "999999";
    assert!(rows.iter().take_while(below).all(|row| row["uncapped"] == row["score"]));
    let end = |page: &str| {
        let lines = told(&fs::read_to_string(page).expect("written"));
        kind(&lines, "placement").last().expect("placements")["uncapped"][1].as_u64()
    };
    assert_eq!(end(live), Some(uncapped));

    // The log, and the same log as it was written before it had the column.
    let without_last = |line: &str| match line.starts_with('#') {
        true => format!("{line}\n"),
        false => line.rsplit_once(',').expect("columns").0.to_owned() + "\n",
    };
    fs::write(old, written.lines().map(without_last).collect::<String>()).expect("written");
    for (log, expected) in [(log, Some(uncapped)), (old, None)] {
        done(&["report", log, "-o", later]);
        assert_eq!(end(later), expected, "{log}");
        done(&["replay", log, "--console", "simulated", "--past-the-end", "0"]);
    }
    done(&["replay", log, "--console", "simulated", "--verify", old, "--past-the-end", "0"]);
    // From a pipe, which can be read once.
    let pipe = format!("cat {log} | {} report /dev/stdin --from csv -o {later}", env!("CARGO_BIN_EXE_maxout"));
    if cfg!(unix) {
        assert!(std::process::Command::new("sh").args(["-c", &pipe]).status().expect("a shell").success());
        assert_eq!(end(later), Some(uncapped), "from a pipe");
    }
    let wrong = written.replace(&format!(",{words}\n"), &format!(",{}\n", uncapped + 1));
    fs::write(old, wrong).expect("written");
    let output = run(&["replay", log, "--console", "simulated", "--verify", old, "--past-the-end", "0"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("uncapped, expected"), "{text}");
}

#[test]
fn html_in_names_is_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let rom = folder.path().join("<script>alert(1)<!-- &amp; '.nes");
    let cartridge = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes");
    fs::copy(cartridge, &rom).expect("copied");
    let page = folder.path().join("game.html");
    done(&["play", text_of(&rom), "--view", "none", "--until", "frames:60", "--report", text_of(&page)]);
    let page = fs::read_to_string(page).expect("written");
    assert_whole(&page);
    assert!(!page.contains("<script>alert(1)"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;!-- &amp;amp; &#39;.nes"));
}

#[test]
fn a_file_that_is_no_log_is_refused_with_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    for (name, content, words) in [
        ("thin.csv", "call,buttons\n0,00\n", &["polled", "convert"][..]),
        ("empty.csv", "call,buttons\n", &["frames in it", "--log"]),
        ("none.txt", "", &["expected a name"]),
        ("half.csv", "call,buttons\n1,00\n", &["expected call 0", "correct that line"]),
    ] {
        let log = folder.path().join(name);
        fs::write(&log, content).expect("written");
        let output = run(&["report", text_of(&log), "-o", text_of(&page)]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

//! `maxout simulate`, `compare` and `merge` as a user runs them.

#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use maxout_lab::games::Games;
use maxout_lab::simulate::Statistics;
use serde_json::Value;

/// Flags for short games: these tests are about the reports, not the play.
const GAMES: [&str; 8] = ["--games", "11", "--evaluator", "el-tetris", "--until", "pieces:40", "--seed", "3"];

fn maxout(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Standard output of a run that ends with this exit code.
fn output_of(arguments: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = maxout(arguments).output().expect("the program starts");
    assert_eq!(status.code(), Some(code), "{arguments:?}: {}", text(&stderr));
    text(&stdout)
}

/// Standard output of `maxout simulate` with the short games.
fn simulate(more: &[&str]) -> String {
    output_of(&[&["simulate"], &GAMES[..], more].concat(), 0)
}

/// Checks that the run ends with exit code 2 and one line on standard error with all of these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = maxout(arguments).output().expect("the program starts");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(words.iter().all(|word| error.contains(word)), "{arguments:?} should name {words:?}: {error}");
    assert!(output.stdout.is_empty());
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// The bytes before the part that depends on the machine, which comes last.
fn results(json: &str) -> &str {
    json.split_once(",\"machine\":").expect("a report").0
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}

/// Writes the CSV files of all shards.
fn shards(folder: &Path, of: usize) -> Vec<PathBuf> {
    (1..=of)
        .map(|index| {
            let path = folder.join(format!("shard{index}.csv"));
            simulate(&["--shard", &format!("{index}/{of}"), "--csv", path_text(&path)]);
            path
        })
        .collect()
}

fn merge(files: &[PathBuf], more: &[&str]) -> Vec<String> {
    let files = files.iter().map(|path| path_text(path).to_owned());
    ["merge".to_owned()].into_iter().chain(files).chain(more.iter().map(|&flag| flag.to_owned())).collect()
}

fn words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

#[test]
fn the_number_of_threads_changes_only_the_machine_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = |threads: &str| folder.path().join(threads);
    let run = |threads: &str| simulate(&["--json", "--threads", threads, "--csv", path_text(&csv(threads))]);
    let (one, four) = (run("1"), run("4"));
    assert_eq!(results(&one), results(&four));
    assert_eq!(fs::read(csv("1")).expect("a file"), fs::read(csv("4")).expect("a file"));
    let report = json(&one);
    assert_eq!((&report["report"]["games"], &report["missing"]), (&11.into(), &0.into()));
    assert_eq!(report["report"]["pieces"], 40.0);
    assert_eq!(report["machine"]["threads"], 1);
    assert!(report["machine"]["decisions"]["p99_us"].as_f64().expect("microseconds") > 0.0);
    let other = output_of(&[&["simulate"], &GAMES[..6], &["--seed", "4", "--json"]].concat(), 0);
    assert_ne!(json(&other)["report"], report["report"]);
}

#[test]
fn shards_merge_into_the_report_and_the_file_of_one_big_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, merged) = (folder.path().join("whole.csv"), folder.path().join("merged.csv"));
    let big = simulate(&["--json", "--csv", path_text(&whole)]);
    let mut files = shards(folder.path(), 3);
    files.rotate_left(1);
    let small = output_of(&words(&merge(&files, &["--json", "--csv", path_text(&merged)])), 0);
    assert_eq!(results(&small), results(&big));
    assert_eq!(json(&small)["machine"], Value::Null);
    assert_eq!(fs::read_to_string(&merged).expect("a file"), fs::read_to_string(&whole).expect("a file"));
    // A merged file can be merged again. With more shards than games some shards are empty.
    assert_eq!(results(&output_of(&["merge", path_text(&merged), "--json"], 0)), results(&big));
    let files = shards(folder.path(), 13);
    assert_eq!(results(&output_of(&words(&merge(&files, &["--json"])), 0)), results(&big));
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), 3);
    let refused_merge = |files: &[PathBuf], expected: &[&str]| refused(&words(&merge(files, &[])), expected);
    refused_merge(&files[..2], &["3 of 11 games are missing: 2, 5, 8", "--partial"]);
    refused_merge(&[files.clone(), vec![files[1].clone()]].concat(), &["game 1 is in", "shard2.csv and again in"]);
    refused_merge(&[folder.path().join("none.csv")], &["cannot read", "none.csv"]);
    let other = folder.path().join("other.csv");
    let other_run = |more: &[&str]| {
        let arguments = [&["simulate", "--games", "11", "--shard", "3/3", "--csv", path_text(&other)], more].concat();
        output_of(&arguments, 0);
        [files[0].clone(), files[1].clone(), other.clone()]
    };
    let same = ["--evaluator", "el-tetris", "--until", "pieces:40"];
    refused_merge(
        &other_run(&[&same[..], &["--seed", "4"]].concat()),
        &["other.csv: expected settings.seed 3, found 4; ", "shard1.csv is of another run"],
    );
    let even_frames = ["--seed", "3", "--input", "even-frames"];
    refused_merge(
        &other_run(&[&same[..], &even_frames].concat()),
        &["other.csv: expected player.planner", "even-frames"],
    );
    // The same run by another version of the program, and a part of a longer one.
    let text = fs::read_to_string(&files[2]).expect("text");
    for (what, from, to) in [
        ("version", concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\""), "\"version\":\"0.0.9\""),
        ("games", "\"games\":11", "\"games\":14"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        fs::write(&other, text.replace(from, to)).expect("written");
        let (_, value) = to.split_once(':').expect("a key");
        let found = format!("found {value}");
        let expected = [&format!("other.csv: expected {what} "), "is of another run", found.as_str()];
        refused_merge(&[files[0].clone(), files[1].clone(), other.clone()], &expected);
    }
}

#[test]
fn a_partial_merge_lists_the_missing_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = shards(folder.path(), 3);
    // The run was killed in the middle of a row.
    let whole = fs::read(&files[0]).expect("a file");
    fs::write(&files[0], &whole[..whole.len() - 10]).expect("written");
    let output = maxout(&words(&merge(&files, &["--json", "--partial"]))).output().expect("the program starts");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(error.contains("middle of a row") && error.contains("1 of 11 games are missing: 9"), "{error}");
    let report = json(&text(&output.stdout));
    assert_eq!((&report["missing"], &report["report"]["games"]), (&1.into(), &10.into()));
}

#[test]
fn the_csv_file_contains_everything_that_the_report_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.csv");
    let printed = simulate(&["--json", "--csv", path_text(&path)]);
    let games = Games::open(&path).expect("a file of games");
    assert_eq!(games.results.len(), 11);
    let report = serde_json::to_string(&Statistics::of(&games.run.settings, &games.results)).expect("a report is JSON");
    assert!(results(&printed).ends_with(&format!("\"report\":{report}")), "{report}\n{printed}");
    // A changed row is reported with its line number.
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, text.replace("\n5,goal", "\n5,draw")).expect("written");
    refused(
        &["merge", path_text(&path)],
        &["games.csv:9: column ending: expected goal, topout or crash, found \"draw\""],
    );
}

#[test]
fn a_run_that_was_stopped_anywhere_goes_on_and_ends_with_the_same_file_and_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.csv");
    let csv = ["--json", "--csv", path_text(&path)];
    let printed = simulate(&csv);
    let whole = fs::read(&path).expect("a file");
    let resumed = [&csv[..], &["--resume"]].concat();
    let header = 1 + whole.windows(2).position(|pair| pair == b"\n0").expect("game 0");
    for length in [header, header + 1, header + 300, whole.len() / 2, whole.len() - 1, whole.len(), 0] {
        fs::write(&path, &whole[..length]).expect("written");
        assert_eq!(results(&simulate(&resumed)), results(&printed), "{length} bytes");
        assert_eq!(fs::read(&path).expect("a file"), whole, "{length} bytes");
    }
    fs::remove_file(&path).expect("removed");
    assert_eq!(results(&simulate(&resumed)), results(&printed), "without a file");
    // What is no beginning of this run stays as it is.
    let text = String::from_utf8(whole).expect("text");
    let row = |start: &str| text.lines().position(|line| line.starts_with(start)).expect("a row");
    let lacks =
        |row: usize| text.lines().enumerate().filter(|it| it.0 != row).map(|it| format!("{}\n", it.1)).collect();
    let contents: [(String, &str); 3] = [
        (lacks(row("4,")), "expected game 4, found game 5"),
        (text.replace("\"seed\":3", "\"seed\":4"), "expected settings"),
        (fs::read_to_string(&shards(folder.path(), 2)[0]).expect("text"), "expected shard 1/1, found 1/2"),
    ];
    for (content, words) in contents {
        assert_ne!(content, text);
        fs::write(&path, &content).expect("written");
        refused(&[&["simulate"], &GAMES[..], &resumed].concat(), &["games.csv", words]);
        assert_eq!(fs::read_to_string(&path).expect("text"), content);
    }
    refused(&["simulate", "--resume"], &["--csv"]);
    refused(&["simulate", "--resume", "--csv", "-"], &["needs a file"]);
}

#[test]
fn the_text_report_fits_one_screen() {
    let report = simulate(&[]);
    assert!(
        report.starts_with("11 of 11 games by el-tetris, taps 30 Hz\nseed 3, level 19 until pieces:40"),
        "{report}"
    );
    assert!(report.lines().count() <= 40 && report.lines().all(|line| line.chars().count() <= 80), "{report}");
    for words in ["without pushdown", "median", "best third", "999,999 before 29", "lock rows", "machine"] {
        assert!(report.contains(words), "{words}: {report}");
    }
}

#[test]
fn settings_come_from_the_file_and_flags_override_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("settings.toml");
    let toml = "[bot]\nseed = 9\nstart-level = 18\n[eval]\nevaluator = \"el-tetris\"\n\
                [simulate]\ngames = 3\nuntil = \"pieces:5\"\nscoring = \"n2\"\npieces = \"uniform\"\n";
    fs::write(&config, toml).expect("written");
    let arguments = ["simulate", "--config", path_text(&config), "--json"];
    let report = json(&output_of(&arguments, 0));
    let settings = serde_json::json!({
        "seed": 9, "start-level": 18, "until": "pieces:5", "pieces": "uniform", "scoring": "n2"
    });
    assert_eq!((&report["settings"], &report["games"]), (&settings, &3.into()));
    let flags = ["--games", "2", "--seed", "8", "--until", "pieces:6", "--scoring", "nes", "--pieces", "drought:9"];
    let report = json(&output_of(&[&arguments[..], &flags].concat(), 0));
    let settings = serde_json::json!({
        "seed": 8, "start-level": 18, "until": "pieces:6", "pieces": "drought:9", "scoring": "nes"
    });
    assert_eq!((&report["settings"], &report["games"]), (&settings, &2.into()));
    fs::write(&config, "[simulate]\ngames = 0\n").expect("written");
    let output = maxout(&["simulate", "--config", path_text(&config)]).output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("line 2") && error.contains("expected a number of games from 1 on"), "{error}");
}

#[test]
fn compare_finds_the_better_player_and_no_difference_to_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("player.toml");
    fs::write(&config, "[eval]\nevaluator = \"el-tetris\"\n[planner]\ninput = \"taps\"\n").expect("written");
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/config/weights/birken-v2.toml");
    let named = format!("birken-v2:{weights}");
    let compare = |a: &str, b: &str, more: &[&str]| {
        let games = ["--games", "6", "--until", "pieces:150", "--json"];
        json(&output_of(&[&["compare", a, b], &games[..], more].concat(), 0))
    };
    let found = compare("birken-v2", path_text(&config), &[]);
    assert_eq!(found["pairs"]["verdict"], "a-better");
    assert_eq!((&found["b"]["name"], &found["b"]["planner"]["input"]), (&"el-tetris".into(), &"taps".into()));
    assert_eq!((&found["pairs"]["games"], &found["missing"]), (&6.into(), &0.into()));
    let found = compare(&named, weights, &["--input", "gamepad", "--threads", "1"]);
    assert_eq!(found["pairs"]["verdict"], "no-difference");
    assert_eq!((&found["pairs"]["ties"], &found["pairs"]["mean_difference"]), (&6.into(), &0.0.into()));
    assert_eq!(found["a"], found["b"]);
    assert!(found["a"]["weights_sha1"].as_str().is_some_and(|sha1| sha1.len() == 40), "{found}");
    let text = output_of(&["compare", "el-tetris", "birken-v2", "--games", "6", "--until", "pieces:150"], 0);
    assert!(text.starts_with("B is better"), "{text}");
}

#[test]
fn plots_are_written_and_other_file_types_are_refused_before_playing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (drawn, merged, compared) =
        (folder.path().join("a.svg"), folder.path().join("b.png"), folder.path().join("c.svg"));
    let csv = folder.path().join("games.csv");
    simulate(&["--plot", path_text(&drawn), "--csv", path_text(&csv)]);
    assert!(fs::read_to_string(&drawn).expect("a picture").contains("el-tetris"));
    output_of(&["merge", path_text(&csv), "--plot", path_text(&merged)], 0);
    assert!(fs::read(&merged).expect("a picture").starts_with(b"\x89PNG"));
    let short = ["--games", "3", "--until", "pieces:20", "--plot", path_text(&compared)];
    output_of(&[&["compare", "el-tetris", "dellacherie"], &short[..]].concat(), 0);
    let picture = fs::read_to_string(&compared).expect("a picture");
    assert!(picture.contains("el-tetris") && picture.contains("dellacherie"));
    let output = maxout(&["simulate", "--plot", "points.jpg"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("ends in .svg or .png"));
}

#[test]
fn every_evaluator_is_named_in_help_settings_and_guide() {
    let help = output_of(&["play", "--help"], 0);
    let settings = include_str!("../../config/default.toml");
    let guide = include_str!("../../docs/playing.md");
    for name in maxout_engine::judge::handmade::NAMES {
        for (place, text) in [("help", &help[..]), ("settings", settings), ("guide", guide)] {
            assert!(text.contains(name), "{name} is not in the {place}");
        }
    }
}

#[test]
fn a_target_score_and_a_plot_in_a_missing_folder_are_refused_before_any_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join("target.toml");
    fs::write(&settings, "[planner]\ntarget-score = 20000\n").expect("a file");
    refused(&["simulate", "--config", path_text(&settings)], &["target-score", "20000"]);
    let output = maxout(&["simulate", "--plot", "nowhere/points.svg"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write --plot nowhere/points.svg"));
}

#[test]
#[cfg(unix)]
fn games_before_a_players_failure_are_reported() {
    let player = r#"exec:read -r hello; echo '{"protocol":1,"name":"short"}'; n=0
        while read -r request && [ $n -lt 4 ]; do
            case $request in *goodbye*) exit 0;; esac
            n=$((n+1)); echo "{\"id\":$n,\"placement\":0}"
        done"#;
    let games = ["--games", "3", "--threads", "1"];
    let played = output_of(&[&["simulate", "--player", player, "--until", "pieces:4"], &games[..]].concat(), 0);
    assert!(played.contains("3 of 3 games"), "{played}");
    let failed = output_of(&[&["simulate", "--player", player, "--until", "pieces:9"], &games[..]].concat(), 1);
    assert!(failed.contains("0 of 3 games"), "{failed}");
}

#[test]
fn players_that_read_the_generator_are_marked() {
    let simulate = |more: &[&str]| {
        output_of(&[&["simulate", "--games", "2", "--until", "pieces:10", "--seed", "3"], more].concat(), 0)
    };
    for rng in ["seen", "steered"] {
        let report = simulate(&["--rng", rng]);
        assert!(
            report.contains("(NOT HONEST: reads the generator)") && report.contains(&format!("rng {rng}")),
            "{report}"
        );
        let report = json(&simulate(&["--rng", rng, "--json"]));
        assert_eq!((&report["honest"], &report["not_honest"]), (&false.into(), &"reads the generator".into()));
        assert_eq!(report["player"]["planner"]["rng"], rng);
    }
    let report = json(&simulate(&["--rng", "honest", "--json"]));
    assert_eq!((&report["honest"], report.get("not_honest")), (&true.into(), None));
    assert_eq!(report["player"]["planner"].get("rng"), None);
}

#[test]
fn inputs_that_cheat_play_on_the_model_too() {
    for input in ["drag", "teleport"] {
        let report = simulate(&["--input", input]);
        assert!(report.contains(&format!("(CHEATS: {input} writes RAM)")), "{report}");
        let report = json(&simulate(&["--input", input, "--json"]));
        assert_eq!(report["honest"], false);
    }
    refused(&["simulate", "--input", "drag", "--reaction-frames", "4"], &["drag"]);
}

#[test]
#[cfg(unix)]
fn an_external_player_is_started_anew_for_every_game() {
    let answers = r#"read -r hello; echo '{"protocol":1,"name":"first"}'; n=0
        while read -r request; do
            case $request in *goodbye*) exit 0;; esac
            n=$((n+1)); id=${request#*\"id\":}; id=${id%%,*}
            [ "$id" = "$n" ] || exit 3
            echo "{\"id\":$id,\"placement\":0}"
        done"#;
    let player = format!("exec:{answers}");
    let run = |threads| {
        let arguments =
            ["simulate", "--player", &player, "--games", "4", "--until", "pieces:9", "--json", "--threads", threads];
        results(&output_of(&arguments, 0)).to_owned()
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_tap_rhythm_is_in_the_report_and_in_the_file_of_the_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("games.csv");
    let report = simulate(&["--tap-rate", "..X....", "--csv", path_text(&csv)]);
    assert!(report.starts_with("11 of 11 games by el-tetris, taps ..X....\n"), "{report}");
    assert_eq!(output_of(&["merge", path_text(&csv)], 0).lines().next(), report.lines().next());
    let found = json(&simulate(&["--tap-rate", "..X....", "--json"]));
    assert_eq!(found["player"]["planner"]["tap-rate"], "..X....", "{found}");
    let slower = json(&simulate(&["--tap-rate", "X..............", "--json"]));
    assert_ne!(slower["report"]["pieces"], found["report"]["pieces"], "{slower}");
}

#[test]
fn a_first_press_is_in_the_report_only_where_it_is_not_0() {
    let late = simulate(&["--first-press", "10"]);
    assert!(late.starts_with("11 of 11 games by el-tetris, taps 30 Hz, first press after 10 frames\n"), "{late}");
    let planner = |report: &str| json(report)["player"]["planner"].clone();
    assert_eq!(planner(&simulate(&["--first-press", "10", "--json"]))["first-press"], 10);
    assert_eq!(planner(&simulate(&["--first-press", "0", "--json"])).get("first-press"), None);
    refused(&["simulate", "--first-press", "10", "--input", "drag"], &["first press", "drag", "--first-press 0"]);
}

#[test]
fn a_text_that_is_no_tap_rate_is_refused() {
    let long = "X....".repeat(13);
    for (rate, words) in [
        ("31", "expected a tap rate of 1 to 30 Hz, found 31"),
        (
            "fast",
            "expected a tap rate as a whole number of Hz, 1 to 30, or a rhythm such as X...., or gaps such as 2-3, or slow5, found \"fast\"",
        ),
        ("....", "a tap rhythm needs at least one X"),
        ("X", "the X in frame 1 is followed by another"),
        ("..XX..", "the X in frame 3 is followed by another"),
        ("X..o", "found 'o' in frame 4"),
        (&long, "at most 64 frames, found 65"),
    ] {
        let output = maxout(&["simulate", "--tap-rate", rate]).output().expect("the program starts");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{rate}: {error}");
        let line = error.lines().next().unwrap_or_default();
        assert!(line.contains("--tap-rate") && line.contains(words), "{rate}: {error}");
    }
}

#[test]
fn wrong_usage_and_input_exit_with_2() {
    for arguments in [
        &["simulate", "--shard", "0/3"][..],
        &["simulate", "--shard", "4/3"],
        &["simulate", "--games", "0"],
        &["simulate", "--until", "maxout"],
        &["simulate", "--pieces", "bag"],
        &["simulate", "--scoring", "gb"],
        &["simulate", "--start-level", "20"],
        &["simulate", "--threads", "0"],
        &["simulate", "--tap-rate", "31"],
        &["merge"],
        &["compare", "birken-v2"],
        &["simulate", "--until", "level:19"],
    ] {
        output_of(arguments, 2);
    }
    refused(&["simulate", "--evaluator", "nobody"], &["nobody", "birken-v2"]);
    refused(&["simulate", "--weights", "nowhere.toml"], &["nowhere.toml"]);
    refused(&["simulate", "--config", "nowhere.toml"], &["nowhere.toml"]);
    refused(&["simulate", "--csv", "/no/such/folder/games.csv"], &["/no/such/folder/games.csv"]);
    refused(&["compare", "birken-v2", "nobody.toml"], &["player B", "el-tetris", "\"nobody.toml\""]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_the_games_that_were_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.csv");
    let endless = ["simulate", "--games", "100000000", "--evaluator", "el-tetris", "--until", "pieces:40", "--json"];
    let child = maxout(&[&endless[..], &["--csv", path_text(&path)]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    super::waiting::wait_for_lines(&path, 20, 60);
    super::waiting::signal("-INT", child.id());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = json(&text(&output.stdout));
    let games = Games::open(&path).expect("a file of games");
    assert!(!games.is_cut && games.results.len() >= 17);
    assert_eq!(report["report"]["games"], games.results.len());
    assert_eq!(report["missing"], 100_000_000 - games.results.len());
}

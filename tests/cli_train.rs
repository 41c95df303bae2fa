//! `train` as a user runs it: killed and gone on with, stopped, and given the wrong things.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Games so small that the whole training takes seconds.
const SMALL: &[&str] =
    &["--evaluator", "el-tetris", "--particles", "4", "--games", "3", "--until", "pieces:25", "--patience", "3"];

fn maxout(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.current_dir(folder).args(["train", "pso"]).args(SMALL).args(arguments);
    command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    maxout(folder, arguments).output().expect("the program starts")
}

fn done(folder: &Path, arguments: &[&str]) -> Output {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Ends with exit code 2 and one line on standard error that contains all of these words.
fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    let output = run(folder, arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?} should name {word:?}: {error}");
    }
    assert!(output.stdout.is_empty());
}

/// Whole iterations in a checkpoint; 0 without one.
fn iterations(checkpoint: &Path) -> i64 {
    let Ok(text) = fs::read_to_string(checkpoint) else { return 0 };
    let table: toml::Table = text.parse().expect("a checkpoint is whole at any moment");
    table["training"]["iterations"].as_integer().expect("a number")
}

/// Waits until the training has come so far.
fn wait_for(checkpoint: &Path, wanted: i64, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while iterations(checkpoint) < wanted {
        assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
        assert!(Instant::now() < deadline, "the training goes on");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_training_goes_on_to_the_very_bytes_of_an_unbroken_one() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [unbroken, broken] = folders.each_ref().map(tempfile::TempDir::path);
    let arguments = ["--out", "w.toml", "--iterations", "12", "--start", "random"];
    done(unbroken, &[&arguments[..], &["--threads", "1"]].concat());

    let checkpoint = broken.join("w.checkpoint.toml");
    let resume = [&arguments[..], &["--threads", "3", "--resume"]].concat();
    for (round, wanted) in [2, 5, 9].into_iter().enumerate() {
        let mut child = maxout(broken, if round == 0 { &arguments } else { &resume }).spawn().expect("it starts");
        wait_for(&checkpoint, wanted, &mut child);
        child.kill().expect("killed");
        child.wait().expect("it ended");
        assert!(iterations(&checkpoint) < 12, "killed on its way");
    }
    done(broken, &resume);
    for file in ["w.toml", "w.checkpoint.toml", "w.checkpoint.csv"] {
        let read = |folder: &Path| text(&fs::read(folder.join(file)).expect(file));
        assert_eq!(read(unbroken), read(broken), "{file}");
    }

    // With a patience of 3 there were restarts, so those are the same too.
    let curve = fs::read_to_string(unbroken.join("w.checkpoint.csv")).expect("a curve");
    assert_eq!(curve.lines().count(), 1 + 12);
    assert!(!curve.lines().last().expect("a line").starts_with("12,1,"), "{curve}");
}

#[test]
fn the_command_in_the_weights_file_gives_those_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--out", "w.toml", "--minutes", "0.01", "--best", "2", "--plot", "curve.svg", "--json"];
    let output = done(folder.path(), &arguments);
    let picture = fs::read_to_string(folder.path().join("curve.svg")).expect("a picture");
    assert!(picture.contains("el-tetris: training") && picture.contains("points (best:2)"), "{picture}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&summary["evaluator"], &summary["fitness"]), (&"el-tetris".into(), &"best:2".into()));
    assert!(summary["best"].as_f64() >= summary["start"].as_f64());
    let iterations = summary["iterations"].as_u64().expect("a number");
    assert!(iterations >= 1);
    assert_eq!(summary["games"].as_u64(), Some(iterations * 4 * 3));
    let lines = text(&output.stderr);
    assert!(lines.lines().any(|line| line.starts_with("iteration 1, swarm 1: best ")), "{lines}");

    let weights = fs::read_to_string(folder.path().join("w.toml")).expect("weights");
    let table: toml::Table = weights.parse().expect("TOML");
    let command = table["provenance"]["command"].as_str().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_maxout")).current_dir(again.path()).args(words).output();
    assert_eq!(output.expect("it starts").status.code(), Some(0), "{command}");
    assert_eq!(fs::read_to_string(again.path().join("w.toml")).expect("weights"), weights);
    // And the program plays with them.
    let play = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .current_dir(again.path())
        .args(["play", "--evaluator", "el-tetris", "--weights", "w.toml", "--until", "pieces:3", "--view", "none"])
        .output();
    assert_eq!(play.expect("it starts").status.code(), Some(0));
}

#[test]
fn a_training_goes_on_only_with_its_own_settings_and_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    done(folder, &["--out", "w.toml", "--iterations", "1"]);
    refused(folder, &["--out", "w.toml"], &["w.checkpoint.toml", "--resume"]);
    for (flags, words) in [
        (&["--seed", "2"][..], "made with --seed 1, but this run has --seed 2"),
        (&["--start", "random"], "made with --start published or a file, but this run has --start random"),
        (&["--fitness", "mean"], "made with --fitness best:1, but this run has --fitness mean"),
        (&["--input", "gamepad"], "made with --input even-frames, but"),
        (&["--start-level", "18"], "made with --start-level 19, but"),
    ] {
        refused(folder, &[&["--out", "w.toml", "--resume"], flags].concat(), &["w.checkpoint.toml", words]);
    }
    // The same path may hold other weights than before, and another path the same.
    let start = ["--out", "from.toml", "--start", "w.toml", "--box", "50", "--iterations", "1"];
    done(folder, &start);
    let resume = ["--out", "from.toml", "--start", "copy.toml", "--box", "50", "--iterations", "2", "--resume"];
    fs::copy(folder.join("w.toml"), folder.join("copy.toml")).expect("copied");
    done(folder, &resume);
    let weights = fs::read_to_string(folder.join("copy.toml")).expect("weights");
    let changed = weights.lines().map(|line| if line.starts_with("holes = ") { "holes = -1.5" } else { line });
    fs::write(folder.join("copy.toml"), changed.collect::<Vec<_>>().join("\n")).expect("written");
    refused(folder, &resume, &["from.checkpoint.toml", "start weights"]);
    // How far it goes is no setting.
    done(folder, &["--out", "w.toml", "--resume", "--iterations", "3"]);
    assert_eq!(iterations(&folder.join("w.checkpoint.toml")), 3);
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("text.toml"), "version = 1\nhello = 2\n").expect("written");
    refused(folder, &["--out", "w.toml", "--resume"], &["cannot read the checkpoint w.checkpoint.toml"]);
    refused(folder, &["--out", "w.toml", "--resume", "--checkpoint", "text.toml"], &["text.toml is no checkpoint"]);
    refused(folder, &["--out", "w.toml", "--start", "text.toml"], &["start weights text.toml"]);
    refused(folder, &["--out", "nowhere/w.toml"], &["--out nowhere/w.toml", "folder"]);
    refused(folder, &["--out", "w.toml", "--checkpoint", "w.toml"], &["--out and --checkpoint are both w.toml"]);
    refused(folder, &["--out", "w.toml", "--checkpoint", "./w.toml"], &["--out and --checkpoint are both ./w.toml"]);
    fs::remove_file(folder.join("text.toml")).expect("removed");
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/weights/el-tetris.toml");
    fs::copy(weights, folder.join("start.toml")).expect("copied");
    refused(folder, &["--start", "start.toml", "--out", "./start.toml"], &["--start and --out are both ./start.toml"]);
    refused(folder, &["--out", "w.toml", "--plot", "curve.jpg"], &["curve.jpg", ".svg or .png"]);
    refused(folder, &["--out", "w.toml", "--best", "4"], &["best:4 needs more than --games 3"]);
    for arguments in
        [&[][..], &["--out", "w.toml", "--best", "2", "--fitness", "mean"], &["--out", "w.toml", "--spread", "nan"]]
    {
        assert_eq!(run(folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1, "nothing was written");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_whole_iterations_and_their_best() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut child =
        maxout(folder, &["--out", "w.toml", "--iterations", "100000", "--json"]).spawn().expect("it starts");
    let checkpoint = folder.join("w.checkpoint.toml");
    wait_for(&checkpoint, 2, &mut child);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["outcome"], "interrupted");
    assert_eq!(summary["iterations"].as_i64(), Some(iterations(&checkpoint)));
    assert!(fs::read_to_string(folder.join("w.toml")).expect("weights").contains("[provenance]"));
}

//! `train` as a user runs it: killed and resumed, interrupted, and with wrong input.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Flags for games so short that a whole training takes seconds.
const SMALL: &[&str] =
    &["--evaluator", "el-tetris", "--particles", "4", "--games", "3", "--until", "pieces:25", "--patience", "3"];

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.current_dir(folder).args(arguments);
    command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn maxout(folder: &Path, arguments: &[&str]) -> Command {
    program(folder, &[&["train", "pso"], SMALL, arguments].concat())
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

/// Checks that the run ends with exit code 2 and one line on standard error with all of these words.
fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    is_refusal(&run(folder, arguments), arguments, words);
}

fn is_refusal(output: &Output, arguments: &[&str], words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?} should name {word:?}: {error}");
    }
    assert!(output.stdout.is_empty());
}

/// Number of complete iterations in a checkpoint; 0 without a checkpoint.
fn iterations(checkpoint: &Path) -> i64 {
    let Ok(text) = fs::read_to_string(checkpoint) else { return 0 };
    let table: toml::Table = text.parse().expect("a checkpoint is whole at any moment");
    table["training"]["iterations"].as_integer().expect("a number")
}

/// Waits until the training has done this many iterations.
fn wait_for(checkpoint: &Path, wanted: i64, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while iterations(checkpoint) < wanted {
        assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
        assert!(Instant::now() < deadline, "the training goes on");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_training_resumes_to_the_same_bytes_as_an_unbroken_one() {
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

    // With --patience 3 there were restarts, so this covers restarts, too.
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
    // The program can play with the weights.
    let play = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .current_dir(again.path())
        .args(["play", "--evaluator", "el-tetris", "--weights", "w.toml", "--until", "pieces:3", "--view", "none"])
        .output();
    assert_eq!(play.expect("it starts").status.code(), Some(0));
}

#[test]
fn a_training_resumes_only_with_its_own_settings_and_is_not_overwritten() {
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
    // What counts is the weights, not their path.
    let start = ["--out", "from.toml", "--start", "w.toml", "--box", "50", "--iterations", "1"];
    done(folder, &start);
    let resume = ["--out", "from.toml", "--start", "copy.toml", "--box", "50", "--iterations", "2", "--resume"];
    fs::copy(folder.join("w.toml"), folder.join("copy.toml")).expect("copied");
    done(folder, &resume);
    let weights = fs::read_to_string(folder.join("copy.toml")).expect("weights");
    let changed = weights.lines().map(|line| if line.starts_with("holes = ") { "holes = -1.5" } else { line });
    fs::write(folder.join("copy.toml"), changed.collect::<Vec<_>>().join("\n")).expect("written");
    refused(folder, &resume, &["from.checkpoint.toml", "start weights"]);
    // The limits of the training may change.
    done(folder, &["--out", "w.toml", "--resume", "--iterations", "3"]);
    assert_eq!(iterations(&folder.join("w.checkpoint.toml")), 3);
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("text.toml"), "version = 1\nhello = 2\n").expect("written");
    refused(folder, &["--out", "w.toml", "--resume"], &["cannot read the checkpoint w.checkpoint.toml"]);
    refused(
        folder,
        &["--out", "w.toml", "--resume", "--checkpoint", "text.toml"],
        &["--checkpoint text.toml: expected a checkpoint"],
    );
    refused(folder, &["--out", "w.toml", "--start", "text.toml"], &["start weights text.toml"]);
    refused(folder, &["--out", "nowhere/w.toml"], &["cannot write --output nowhere/w.toml", "check the path"]);
    refused(folder, &["--out", "w.toml", "--checkpoint", "w.toml"], &["--output and --checkpoint are both w.toml"]);
    refused(
        folder,
        &["--out", "w.toml", "--checkpoint", "./w.toml"],
        &["--output w.toml and --checkpoint ./w.toml are the same"],
    );
    fs::remove_file(folder.join("text.toml")).expect("removed");
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/weights/el-tetris.toml");
    fs::copy(weights, folder.join("start.toml")).expect("copied");
    refused(
        folder,
        &["--start", "start.toml", "--out", "./start.toml"],
        &["--start start.toml and --output ./start.toml are the same file"],
    );
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
fn an_interrupt_keeps_the_complete_iterations_and_their_best_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut child =
        maxout(folder, &["--out", "w.toml", "--iterations", "100000", "--json"]).spawn().expect("it starts");
    let checkpoint = folder.join("w.checkpoint.toml");
    wait_for(&checkpoint, 2, &mut child);
    super::waiting::signal("-INT", child.id());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["outcome"], "interrupted");
    assert_eq!(summary["iterations"].as_i64(), Some(iterations(&checkpoint)));
    assert!(fs::read_to_string(folder.join("w.toml")).expect("weights").contains("[provenance]"));
}

/// A schedule with a few rounds of each kind of play.
const PHASES: &str = "
[[phases]]
play = \"heuristic\"
pieces = 3000
discount = [0.98, 0.98]
step = [1e-3, 1e-3]
lambda = 0.7
explore = 0.02
clip = 8.0
[[phases]]
play = \"greedy\"
pieces = 4000
discount = [0.98, 0.99]
step = [1e-3, 5e-4]
lambda = 0.6
explore = 0.01
clip = 8.0
";
const LAST_PHASE: &str = "
[[phases]]
play = \"search\"
width = 2
margin = 0.5
pieces = 2000
discount = [0.99, 0.99]
step = [5e-4, 5e-4]
lambda = 0.5
explore = 0
strap = 0.2
clip = 8.0
";

fn td(folder: &Path, arguments: &[&str]) -> Command {
    program(
        folder,
        &[&["train", "td", "--out", "w.mxw", "--min-visits", "2", "--finale-games", "3"], arguments].concat(),
    )
}

fn td_done(folder: &Path, arguments: &[&str]) -> Output {
    let output = td(folder, arguments).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    output
}

fn td_refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    is_refusal(&td(folder, arguments).output().expect("the program starts"), arguments, words);
}

/// Number of pieces placed in a checkpoint; 0 without a checkpoint.
fn placed(checkpoint: &Path) -> u64 {
    let Ok(mut file) = File::open(checkpoint) else { return 0 };
    let mut front = [0; 36];
    file.read_exact(&mut front).expect("a checkpoint is whole at any moment");
    let journal = u32::from_le_bytes(front[32..].try_into().expect("four bytes"));
    file.seek_relative(i64::from(journal) + 8).expect("a checkpoint is whole at any moment");
    let mut number = [0; 8];
    file.read_exact(&mut number).expect("a checkpoint is whole at any moment");
    u64::from_le_bytes(number)
}

fn wait_for_pieces(checkpoint: &Path, wanted: u64, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while placed(checkpoint) < wanted {
        assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
        assert!(Instant::now() < deadline, "the training goes on");
        thread::sleep(Duration::from_millis(2));
    }
}

/// A curve without its column of seconds.
fn timeless(folder: &Path) -> Vec<String> {
    let curve = fs::read_to_string(folder.join("curve.csv")).expect("a curve");
    let columns = |line: &str| {
        let mut columns: Vec<&str> = line.split(',').collect();
        columns.remove(1);
        columns.join(",")
    };
    curve.lines().map(columns).collect()
}

#[test]
#[ignore = "three trainings; .ci/run runs it"]
fn a_killed_td_training_resumes_to_the_same_bytes_as_an_unbroken_one() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [unbroken, broken] = folders.each_ref().map(tempfile::TempDir::path);
    for folder in [unbroken, broken] {
        fs::write(folder.join("s.toml"), format!("{PHASES}{LAST_PHASE}")).expect("written");
        fs::write(folder.join("short.toml"), PHASES).expect("written");
    }
    let arguments = ["--schedule", "s.toml", "--curve", "curve.csv", "--report", "2000", "--every", "0"];
    let output = td_done(unbroken, &[&arguments[..], &["--threads", "1", "--json"]].concat());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&summary["outcome"], &summary["pieces"]), (&"done".into(), &9216.into()));
    assert!(summary["rows"].as_u64() > Some(100) && summary["checkpoint"].is_null(), "{summary}");

    let checkpoint = broken.join("c");
    let kept = [&arguments[..], &["--checkpoint", "c", "--threads", "3"]].concat();
    let short = [&["--schedule", "short.toml", "--bits", "8"], &kept[2..]].concat();
    for wanted in [2048, 5120] {
        let mut child = td(broken, &kept).spawn().expect("it starts");
        wait_for_pieces(&checkpoint, wanted, &mut child);
        child.kill().expect("killed");
        child.wait().expect("it ended");
        assert!(placed(&checkpoint) < 7000, "killed on its way");
    }
    // First to the end of a schedule without the last phase, then on with the last phase.
    td_done(broken, &short);
    assert_eq!(placed(&checkpoint), 7168);
    td_done(broken, &kept);
    let read = |folder: &Path| fs::read(folder.join("w.mxw")).expect("weights");
    assert!(read(unbroken) == read(broken));
    assert_eq!(timeless(unbroken), timeless(broken));
    let curve = timeless(unbroken);
    assert_eq!(curve[0], "pieces,games,mean_points,tetris_rate,finished_share");
    let pieces: Vec<&str> = curve[1..].iter().map(|line| line.split(',').next().expect("a column")).collect();
    assert_eq!(pieces, ["2048", "4096", "6144", "8192", "9216"]);

    // The command stored in the weights gives the same weights.
    let weights = maxout_engine::judge::learned::weights::read(&read(unbroken)).expect("weights");
    assert_eq!(weights.origin.pieces, "9216");
    let words: Vec<&str> = weights.origin.command.split(' ').skip(1).collect();
    fs::rename(unbroken.join("w.mxw"), unbroken.join("first.mxw")).expect("renamed");
    let output = program(unbroken, &words).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
    assert!(read(unbroken) == fs::read(unbroken.join("first.mxw")).expect("weights"));

    // A checkpoint can be resumed only with its own phases and its own seed.
    fs::write(broken.join("other.toml"), PHASES.replace("0.99]", "0.995]")).expect("written");
    let other = [&["--schedule", "other.toml"], &kept[2..]].concat();
    td_refused(broken, &other, &["checkpoint c stands at 9,216 pieces", "its phase 2 differs", "another checkpoint"]);
    td_refused(broken, &[&kept[..], &["--seed", "2"]].concat(), &["with --seed 1, but this run has --seed 2"]);
    let from_others = [&kept[..], &["--from", "learned"]].concat();
    td_refused(
        broken,
        &from_others,
        &["begun with no --from, but this run has --from of weights", "another checkpoint"],
    );
    let bytes = fs::read(&checkpoint).expect("a checkpoint");
    fs::write(&checkpoint, &bytes[..bytes.len() / 2]).expect("written");
    td_refused(broken, &kept, &["cannot continue from c", "bytes, expected", "give another --checkpoint"]);
}

/// A net with two heads, begun with other weights and cut off in between, and then joined with them.
#[test]
#[ignore = "three trainings; .ci/run runs it"]
fn heads_are_trained_side_by_side_from_other_weights_and_joined_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let heads = "heads = [{ level = 19, tap_rate = \"X....\", games = 40 }, \
                 { level = 29, tap_rate = 30, games = 24, scale = 0.5 }]\n\n";
    let late = PHASES.replace("clip = 8.0", "clip = 8.0\nstrays = 0.5\nmessy = 0.3\ntable = 0.5");
    fs::write(folder.join("first.toml"), PHASES).expect("written");
    fs::write(folder.join("s.toml"), format!("{heads}{late}")).expect("written");
    td_done(folder, &["--schedule", "first.toml"]);
    fs::rename(folder.join("w.mxw"), folder.join("first.mxw")).expect("renamed");

    let arguments = ["--schedule", "s.toml", "--from", "first.mxw"];
    td_done(folder, &[&arguments[..], &["--threads", "1", "--curve", "curve.csv"]].concat());
    fs::rename(folder.join("w.mxw"), folder.join("heads.mxw")).expect("renamed");
    let curve = timeless(folder);
    assert!(curve[0].ends_with(
        "level19_taps_X...._games,level19_taps_X...._mean_points,level19_taps_X...._tetris_rate,level19_taps_X...._finished_share,\
         level29_taps_30_games,level29_taps_30_mean_points,level29_taps_30_tetris_rate,level29_taps_30_finished_share"
    ));
    assert_eq!(curve[1].split(',').count(), 13, "{curve:?}");
    // In two runs, on another number of threads.
    let kept = [&arguments[..], &["--checkpoint", "c", "--threads", "2"]].concat();
    td_done(folder, &[&kept[..], &["--minutes", "1e-9"]].concat());
    assert!(placed(&folder.join("c")) < 7000, "stopped on its way");
    td_done(folder, &kept);
    let read = |name: &str| fs::read(folder.join(name)).expect("weights");
    assert!(read("w.mxw") == read("heads.mxw"));
    // It is another training without the weights that it begins with.
    td_done(folder, &["--schedule", "s.toml"]);
    assert!(read("w.mxw") != read("heads.mxw"));
    // How often the rows of the weights before were visited is not known: none is left out, unless that is asked for.
    let bare = [&["train", "td", "--out", "kept.mxw", "--finale-games", "3"][..], &arguments].concat();
    let output = program(folder, &bare).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(read("kept.mxw").len() > read("heads.mxw").len(), "all rows, and those visited twice");

    let output =
        program(folder, &["train", "join", "first.mxw", "heads.mxw", "-o", "both.mxw"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("net 1        level 19, taps 30 Hz\n"), "{said}");
    assert!(said.contains("net 2        level 19, taps X....; level 29, taps 30 Hz\n"), "{said}");
    let set = maxout_engine::judge::learned::weights::read_set(&read("both.mxw")).expect("nets");
    assert_eq!(set.nets().map(|net| net.heads().len()).collect::<Vec<_>>(), [1, 2]);
    let play = ["simulate", "--weights", "both.mxw", "--games", "1", "--until", "pieces:20", "--think", "fixed:1"];
    assert_eq!(program(folder, &play).output().expect("runs").status.code(), Some(0));

    let join = |more: &[&str]| {
        program(folder, &[&["train", "join", "first.mxw", "both.mxw"], more].concat()).output().expect("runs")
    };
    let packed = ["-o", "packed.mxw", "--packed", "--step", "3", "--also", "1:29:20", "--without", "3:29:30"];
    let output = join(&packed);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("net 1        level 19, taps 30 Hz; level 29, taps 20 Hz\n"), "{said}");
    assert!(said.contains("net 3        level 19, taps X....\n"), "{said}");
    let [packed, whole] = ["packed.mxw", "both.mxw"].map(|name| {
        let nets = maxout_engine::judge::learned::weights::read_all(&read(name)).expect("nets");
        nets.last().expect("a net").net.clone()
    });
    let exact = whole.packed(3.try_into().expect("3"));
    assert!(packed.to_net().table == exact.to_net().table && packed.to_net().table != whole.to_net().table);
    for (head, words) in [
        ("4:29:20", "there is no net 4: there are 3"),
        ("1:19:30", "--also: net 1 has a head for level 19, taps 30 Hz already"),
    ] {
        is_refusal(&join(&["-o", "no.mxw", "--also", head]), &[], &[words]);
    }
    for head in ["1:19", "0:19:20"] {
        let refused = join(&["-o", "no.mxw", "--also", head]);
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(
            said.contains(&format!("expected the number of a net, a level and taps as in `1:19:20`, or with a reaction time as in `1:19:20:21`, found \"{head}\"")),
            "{said}"
        );
    }
    is_refusal(&join(&["-o", "no.mxw", "--without", "3:29:20"]), &[], &["no head for level 29, taps 20 Hz"]);
    // A net without heads is left out.
    let output = join(&["-o", "fewer.mxw", "--without", "1:19:30", "--without", "2:19:30"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.contains("net 1        level 19, taps X....; level 29, taps 30 Hz\n") && !said.contains("net 2"),
        "{said}"
    );
    let none = program(folder, &["train", "join", "first.mxw", "-o", "no.mxw", "--without", "1:19:30"]).output();
    is_refusal(&none.expect("runs"), &[], &["--without: no net is left"]);

    let built_in = program(folder, &["train", "join", "learned", "-o", "own.mxw"]).output().expect("runs");
    assert_eq!(built_in.status.code(), Some(0), "{}", text(&built_in.stderr));
    let refused = program(folder, &["train", "join", "s.toml", "-o", "no.mxw"]).output().expect("runs");
    is_refusal(&refused, &["s.toml"], &["expected `mxvalue` at the beginning"]);
    fs::write(folder.join("odd.toml"), format!("{}{PHASES}", heads.replace("40", "41"))).expect("written");
    td_refused(folder, &["--schedule", "odd.toml"], &["all heads have 65 `games`, expected 64"]);
    td_refused(folder, &["--from", "s.toml"], &["--from s.toml: ", "expected `mxvalue`"]);
}

/// Runs of one round each, as a clock that is always up makes them, end as one run does.
#[test]
#[ignore = "a training, whole and in pieces; .ci/run runs it"]
fn a_td_training_in_pieces_of_time_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("s.toml"), PHASES).expect("written");
    td_done(folder, &["--schedule", "s.toml"]);
    fs::rename(folder.join("w.mxw"), folder.join("whole.mxw")).expect("renamed");
    let arguments = ["--schedule", "s.toml", "--checkpoint", "c", "--minutes", "1e-9", "--json"];
    let mut outcomes = Vec::new();
    while outcomes.last().is_none_or(|(outcome, _)| outcome == "time-up") {
        let output = td_done(folder, &arguments);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        outcomes.push((summary["outcome"].as_str().expect("text").to_owned(), placed(&folder.join("c"))));
        assert!(outcomes.len() <= 7, "each run goes on: {outcomes:?}");
    }
    let expected: Vec<u64> = (1..=7).map(|round| 1024 * round).collect();
    assert_eq!(outcomes.iter().map(|(_, placed)| *placed).collect::<Vec<_>>(), expected, "{outcomes:?}");
    assert_eq!(outcomes.last().expect("runs").0, "done");
    let read = |name: &str| fs::read(folder.join(name)).expect("weights");
    assert!(read("w.mxw") == read("whole.mxw"));
}

/// Spans come with the last phase of a schedule, as to a training that goes on; the net plays when it is packed, too.
#[test]
#[ignore = "a training, whole and in two parts; .ci/run runs it"]
fn spans_are_trained_kept_and_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("first.toml"), PHASES).expect("written");
    fs::write(folder.join("s.toml"), format!("{PHASES}{LAST_PHASE}spans = 40.0\n")).expect("written");
    td_done(folder, &["--schedule", "first.toml", "--checkpoint", "c", "--coarse", "0.5"]);
    let read = |name: &str| fs::read(folder.join(name)).expect("weights");
    let net = |bytes: &[u8]| maxout_engine::judge::learned::weights::read(bytes).expect("a net").net;
    assert!(!net(&read("w.mxw")).has_spans());
    td_done(folder, &["--schedule", "s.toml", "--checkpoint", "c", "--coarse", "0.5", "--threads", "3"]);
    fs::rename(folder.join("w.mxw"), folder.join("parts.mxw")).expect("renamed");
    td_done(folder, &["--schedule", "s.toml", "--coarse", "0.5"]);
    assert!(read("w.mxw") == read("parts.mxw"));
    let coarse = net(&read("w.mxw"));
    assert!(coarse.has_spans());
    // The command in the file makes the same file.
    let bytes = read("w.mxw");
    let command = maxout_engine::judge::learned::weights::read(&bytes).expect("a net").origin.command;
    assert!(command.contains(" --coarse 0.5 "), "{command}");
    fs::remove_file(folder.join("w.mxw")).expect("removed");
    let again = program(folder, &command.split(' ').skip(1).collect::<Vec<_>>()).output().expect("the program starts");
    assert_eq!(again.status.code(), Some(0), "{command}: {}", text(&again.stderr));
    assert!(read("w.mxw") == read("parts.mxw"));
    td_refused(folder, &["--coarse", "0.5", "--bits", "8"], &["--coarse needs numbers of 16 bits", "--bits 8"]);
    td_done(folder, &["--schedule", "s.toml", "--checkpoint", "c"]);
    assert!(net(&read("w.mxw")) != coarse, "the checkpoint is exact");
    let output = |arguments: &[&str]| {
        let output = program(folder, arguments).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    output(&["train", "join", "parts.mxw", "-o", "packed.mxw", "--packed", "--step", "1"]);
    assert!(net(&read("packed.mxw")) == coarse.packed(std::num::NonZeroU8::MIN), "nothing is lost");
    let game = |weights: &str| {
        let arguments = ["simulate", "--games", "2", "--think", "fixed:1", "--until", "pieces:60", "--csv", "-"];
        let games = output(&[&arguments[..], &["--weights", weights]].concat());
        games.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(game("parts.mxw"), game("packed.mxw"));
}

#[test]
fn wrong_input_of_a_td_training_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("s.toml"), PHASES.replace("lambda", "lamda")).expect("written");
    fs::write(folder.join("low.toml"), PHASES.replace("clip = 8.0", "clip = -1")).expect("written");
    td_refused(folder, &["--schedule", "s.toml"], &["schedule s.toml: line 7", "unknown field `lamda`"]);
    td_refused(
        folder,
        &["--schedule", "low.toml"],
        &["schedule low.toml: line 2", "`clip` is -1, expected a number above 0"],
    );
    td_refused(folder, &["--schedule", "none.toml"], &["cannot read the schedule none.toml"]);
    td_refused(folder, &["--curve", "c.jpg"], &["--curve c.jpg", ".csv, .svg or .png"]);
    td_refused(folder, &["--curve", "none/c.svg"], &["cannot write --curve none/c.svg", "check the path"]);
    td_refused(folder, &["--checkpoint", "./w.mxw"], &["--output w.mxw and --checkpoint ./w.mxw are the same file"]);
    td_refused(folder, &["--checkpoint", "low.toml", "--schedule", "low.toml"], &["low.toml"]);
    let output = program(folder, &["train", "td", "--out", "."]).output().expect("the program starts");
    is_refusal(&output, &["--out", "."], &["cannot write --output ."]);
    fs::write(folder.join("c"), "hello").expect("written");
    td_refused(folder, &["--checkpoint", "c"], &["--checkpoint c: expected a checkpoint", "found another text"]);
    for arguments in [
        ["--bits", "7"],
        ["--minutes", "0"],
        ["--every", "-1"],
        ["--every", "nan"],
        ["--threads", "0"],
        ["--report", "0"],
    ] {
        let output = td(folder, &arguments).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 3, "nothing was written");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_a_td_training_and_its_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut child =
        td(folder, &["--checkpoint", "c", "--every", "0", "--curve", "c.svg", "--json"]).spawn().expect("it starts");
    wait_for_pieces(&folder.join("c"), 2048, &mut child);
    super::waiting::signal("-INT", child.id());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["outcome"], "interrupted");
    assert_eq!(summary["pieces"].as_u64(), Some(placed(&folder.join("c"))));
    let weights = fs::read(folder.join("w.mxw")).expect("weights");
    assert!(maxout_engine::judge::learned::weights::read(&weights).is_ok());
    assert!(fs::read_to_string(folder.join("c.svg")).expect("a picture").contains("tetris rate"));
}

//! The program as a user runs it: results, exit codes, and one clear line for every error.

#[cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn maxout(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    maxout(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Checks that the run ends with exit code 2 and one line on standard error with all of these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("maxout: "), "{error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?} should name {word:?}: {error}");
    }
    assert!(output.stdout.is_empty());
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

#[test]
fn a_wrong_rom_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    let cartridge = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes")).expect("the cartridge");
    refused(&["play", "no-such-file.nes"], &["no-such-file.nes", "cannot read"]);
    refused(&["rom", path_text(&write("text.nes", b"hello, world"))], &["text.nes", "68 65 6C 6C"]);
    refused(&["play", path_text(&write("short.nes", &cartridge[..30_000]))], &["truncated", "49168", "30000"]);
    let mut other = cartridge.clone();
    other[16..].reverse();
    other[6] = 0x40;
    refused(&["play", path_text(&write("mmc3.nes", &other))], &["mapper 4"]);
    let mut changed = cartridge;
    changed[20_000] ^= 0xFF;
    refused(&["play", path_text(&write("hack.nes", &changed))], &["SHA-1", "--force"]);
}

#[test]
fn wrong_settings_are_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("settings.toml");
    for (toml, words) in [
        ("[bot]\nsede = 3\n", &["line 2", "sede"][..]),
        ("[bot]\nstart-level = 99\n", &["line 2", "0 to 19"]),
        ("[eval\n", &["line 1"]),
    ] {
        fs::write(&config, toml).expect("written");
        refused(&["play", "--config", path_text(&config)], words);
    }
    refused(&["play", "--config", "nowhere.toml"], &["nowhere.toml"]);
    refused(&["play", "--evaluator", "nobody"], &["nobody", "birken-v2"]);
    fs::write(&config, "format = 1\nname = \"x\"\nentry = []\n").expect("written");
    refused(&["play", "--map", path_text(&config)], &["is missing"]);
    refused(&["play", "--view", "none", "--log", "/no/such/folder/log.csv"], &["/no/such/folder/log.csv"]);
    refused(&["play", "--filter", "pattern:/no/such.png"], &["/no/such.png", "cannot read"]);
    refused(&["play", "--filter", &format!("pattern:{}", path_text(&config))], &["settings.toml", "PNG", "10x20"]);
    refused(&["play", "--input", "drag", "--reaction-frames", "9"], &["reaction frames", "drag"]);
    refused(&["play", "--view", "terminal"], &["terminal", "--view none"]);
    refused(&["play", "--input", "gamepad", "--tap-rate", "12"], &["--tap-rate needs --input taps"]);
    refused(
        &["play", "--until", "level:18", "--start-level", "18"],
        &["level:18", "starts at level 18", "--start-level"],
    );
}

/// A wrong address shows when the piece is looked at: frames were played by then.
#[test]
fn a_wrong_map_stops_the_run_that_it_ruins_with_the_summary_of_its_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let map = include_str!("../../crates/engine/config/rammap/tetris-ntsc.toml");
    let right = "name = \"tetriminoX\"\naddress = 0x0060";
    assert!(map.contains(right));
    fs::write(at("map.toml"), map.replacen(right, &right.replace("60", "61"), 1)).expect("written");
    let play = ["play", "--console", "simulated", "--view", "none", "--evaluator", "el-tetris", "--until", "lines:2"];
    let files = ["--map", path_text(&at("map.toml")), "--log", path_text(&at("game.csv")), "--json"].map(str::to_owned);
    let output = maxout(&play).args(files).output().expect("the program starts");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("tetriminoX") && error.contains("is this the game"), "{error}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a summary");
    assert_eq!(summary["outcome"], "stopped");
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [&["play", "--start-level", "20"][..], &["fly"], &["play", "--until", "dawn"]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn rom_identifies_the_cartridge() {
    let output = run(&["rom", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let rom: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(rom["known"], true);
    assert_eq!(rom["mapper"], 1);
    assert!(text(&run(&["rom"]).stdout).contains("maxout's own cartridge"));
}

#[test]
fn a_short_game_gives_a_summary_and_a_line_for_every_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.csv");
    let screenshot = folder.path().join("game.svg");
    let picture = folder.path().join("game.png");
    let output = run(&[
        "play",
        "--until",
        "pieces:12",
        "--seed",
        "5",
        "--json",
        "--log",
        path_text(&log),
        "--screenshot",
        path_text(&screenshot),
        "--screenshot",
        path_text(&picture),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(fs::read(picture).expect("a picture").starts_with(b"\x89PNG"), "two screenshots of one run");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["pieces"], 12);
    assert_eq!(summary["desyncs"], 0);
    assert_eq!(summary["outcome"], "pieces:12");
    assert_eq!(summary["start_level"], 19);
    assert_eq!(summary["maxout_frame"], serde_json::Value::Null);
    let log = fs::read_to_string(log).expect("a log");
    let rows: Vec<&str> = log.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
    assert_eq!(rows.len() as u64, summary["frames"].as_u64().expect("frames"));
    for (call, row) in rows.iter().enumerate() {
        assert!(row.starts_with(&format!("{call},{},", call + 1)), "{row}");
    }
    let seed = log.lines().any(|line| line == "# seed: 5");
    assert!(log.starts_with("# format: maxout-log 1\n") && seed, "the log says where it comes from");
    assert!(fs::read_to_string(screenshot).expect("a picture").contains("</svg>"));
}

#[test]
fn a_png_screenshot_shows_the_picture_and_the_panel() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.png");
    let rows = |console: &str| {
        let play = ["play", "--until", "pieces:3", "--view", "none", "--console", console, "--screenshot"];
        let output = run(&[&play[..], &[path_text(&file)]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let bytes = fs::read(&file).expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("all of it");
        assert_eq!((reader.info().width, reader.info().height), (1278, 720));
        pixels.chunks(3 * 1278).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (cartridge, simulated) = (rows("cartridge"), rows("simulated"));
    let colours = |rows: &[Vec<u8>]| -> std::collections::BTreeSet<[u8; 3]> {
        rows.iter().flat_map(|row| row[..3 * 768].as_chunks().0.iter().copied()).collect()
    };
    assert!(colours(&cartridge).len() > 4, "the console has drawn");
    // The next piece can be read from what the program draws, too.
    let asked =
        ["analyze", path_text(&file), "--piece", "T", "--level", "19", "--lines", "0", "--playouts", "0", "--json"];
    let output = run(&asked);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\"next\":\""), "{}", text(&output.stdout));
    // The rules model has no picture: the program draws one. The panel shows the same values.
    assert!(colours(&simulated) != colours(&cartridge));
    let gamepads = |rows: &[Vec<u8>]| rows[540..690].iter().map(|row| row[3 * 800..].to_vec()).collect::<Vec<_>>();
    assert!(gamepads(&cartridge) == gamepads(&simulated));
}

/// The clear that reaches four lines here is a tetris: at its score the screen still flashes, and the
/// counters are those before it.
#[test]
fn a_screenshot_of_the_end_waits_for_the_counters_and_changes_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, log, end, later] =
        ["plain.csv", "game.csv", "end.png", "later.png"].map(|name| folder.path().join(name));
    let play = |until: &str, more: &[&str]| {
        let output = run(&[&["play", "--view", "none", "--until", until], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let alone = play("lines:4", &["--log", path_text(&plain)]);
    assert!(alone.contains("1 tetris\n"), "{alone}");
    let pictured = play("lines:4", &["--log", path_text(&log), "--screenshot", path_text(&end)]);
    assert_eq!(alone, pictured);
    assert!(fs::read(&plain).expect("a log") == fs::read(&log).expect("a log"), "the run is the same");
    // The same game 30 frames after that.
    let lines = fs::read_to_string(&log).expect("a log");
    let frames = lines.lines().filter(|line| !line.starts_with('#')).count() - 1;
    play(&format!("frames:{}", frames + 30), &["--screenshot", path_text(&later)]);
    // Playfield apart, the console shows the same, three pixels to a pixel: lines, and score.
    let [end, later] = [end, later].map(|file| {
        let bytes = fs::read(file).expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("all of it");
        let rows: Vec<Vec<u8>> = pixels.chunks(3 * 1278).map(<[u8]>::to_vec).collect();
        [(3 * 8..3 * 44, 0..3 * 256), (3 * 44..3 * 88, 3 * 184..3 * 256)]
            .map(|(y, x)| rows[y].iter().map(|row| row[3 * x.start..3 * x.end].to_vec()).collect::<Vec<_>>())
    });
    assert!(end == later, "the counters are not those of the end");
}

#[test]
#[cfg(target_os = "linux")]
fn a_window_without_a_display_is_refused_in_one_line() {
    let mut command = maxout(&["play", "--view", "window", "--until", "frames:1"]);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    let output = command.output().expect("the program starts");
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.starts_with("maxout: ") && error.contains("--view terminal") && !error.contains(".rs"), "{error}");
}

#[test]
fn a_run_that_writes_ram_says_so_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let [log, screenshot] = ["game.csv", "game.svg"].map(|name| folder.path().join(name));
    let play = ["play", "--until", "pieces:20", "--view", "none"];
    for input in ["drag", "teleport"] {
        for console in ["simulated", "cartridge"] {
            let mut arguments = [&play[..], &["--input", input, "--console", console, "--json"]].concat();
            arguments.extend(["--log", path_text(&log), "--screenshot", path_text(&screenshot)]);
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
            assert_eq!((&summary["honest"], &summary["desyncs"]), (&false.into(), &0.into()), "{input} {console}");
            assert!(summary["cheats"].as_str().is_some_and(|cheats| cheats.starts_with(input)));
            let log = fs::read_to_string(&log).expect("a log");
            let mut rows = log.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect());
            let header: Vec<_> = rows.next().expect("names of columns");
            let column = |name| header.iter().position(|column| *column == name).expect("a column of this name");
            let [mode, play, buttons, writes] = ["mode", "play", "buttons", "cheat_writes"].map(column);
            // Buttons are pressed only in the menus.
            let played: Vec<Vec<&str>> = rows.filter(|row: &Vec<&str>| (row[mode], row[play]) == ("4", "1")).collect();
            assert!(played.iter().skip(1).all(|row| row[buttons] == "00"), "{input} {console}");
            assert!(played.iter().any(|row| row[writes].contains("60=")), "the column of the piece is written");
            assert!(fs::read_to_string(&screenshot).expect("a picture").contains("CHEATS"));
        }
        let output = run(&[&play[..], &["--input", input, "--console", "simulated"]].concat());
        assert!(text(&output.stdout).contains("CHEATS"), "{}", text(&output.stdout));
    }
    let honest = run(&[&play[..], &["--console", "simulated", "--json", "--log", path_text(&log)]].concat());
    let summary: serde_json::Value = serde_json::from_slice(&honest.stdout).expect("one JSON object");
    assert_eq!((&summary["honest"], &summary["cheats"]), (&true.into(), &serde_json::Value::Null));
    assert!(!fs::read_to_string(&log).expect("a log").contains("cheat_writes"));
    let movie = folder.path().join("game.fm2");
    let refused = run(&[&play[..], &["--input", "drag", "--movie", path_text(&movie)]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("buttons alone cannot repeat"), "{}", text(&refused.stderr));
}

#[test]
fn a_run_that_reads_the_generator_says_so_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let [log, movie, screenshot] = ["game.csv", "game.fm2", "game.svg"].map(|name| folder.path().join(name));
    let play = ["play", "--until", "pieces:12", "--view", "none"];
    for rng in ["seen", "steered"] {
        for console in ["simulated", "cartridge"] {
            let mut arguments = [&play[..], &["--rng", rng, "--console", console, "--json"]].concat();
            arguments.extend(["--log", path_text(&log), "--movie", path_text(&movie)]);
            arguments.extend(["--screenshot", path_text(&screenshot)]);
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
            assert_eq!((&summary["honest"], &summary["desyncs"]), (&false.into(), &0.into()), "{rng} {console}");
            assert_eq!(summary["not_honest"], "reads the generator");
            assert_eq!(summary["cheats"], serde_json::Value::Null);
            for file in [&log, &movie] {
                let written = fs::read_to_string(file).expect("a file");
                assert!(
                    written.lines().any(|line| line.contains("not-honest") && line.contains("reads the generator"))
                );
            }
            // Each word is a text of its own.
            let picture = fs::read_to_string(&screenshot).expect("a picture");
            assert!([">NOT<", ">HONEST:<", ">generator<"].iter().all(|word| picture.contains(word)));
        }
        let output = run(&[&play[..], &["--rng", rng, "--console", "simulated"]].concat());
        assert!(text(&output.stdout).contains("NOT HONEST   reads the generator"), "{}", text(&output.stdout));
    }
    let honest =
        run(&[&play[..], &["--rng", "honest", "--console", "simulated", "--json", "--log", path_text(&log)]].concat());
    let summary: serde_json::Value = serde_json::from_slice(&honest.stdout).expect("one JSON object");
    assert_eq!((&summary["honest"], summary.get("not_honest")), (&true.into(), None));
    assert!(!fs::read_to_string(&log).expect("a log").contains("not-honest"));
    for (other, found) in [
        (["--evaluator", "el-tetris"], "the evaluator el-tetris"),
        (["--player", "exec:true"], "an external player"),
        (["--input", "drag"], "an input that presses no buttons"),
        (["--filter", "well"], "a filter"),
    ] {
        let refused = run(&[&play[..], &["--console", "simulated", "--rng", "seen"], &other].concat());
        let error = text(&refused.stderr);
        assert_eq!((refused.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains("--rng seen") && error.contains(found), "{error}");
    }
    let refused = run(&["simulate", "--rng", "steered", "--pieces", "uniform"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("found --pieces uniform"), "{}", text(&refused.stderr));
}

#[test]
fn an_aim_is_among_the_settings_and_refused_where_the_player_cannot_play_for_it() {
    let simulate = ["simulate", "--games", "1", "--until", "pieces:20", "--think", "fixed:1"];
    for (flags, aim) in [(&[][..], None), (&["--aim", "mean"], None), (&["--aim", "survive"], Some("survive"))] {
        let output = run(&[&simulate[..], &["--json"], flags].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["player"]["planner"]["aim"].as_str(), aim);
        assert_eq!(report["honest"], true);
    }
    let output = run(&[&simulate[..], &["--aim", "maxout"]].concat());
    assert!(text(&output.stdout).contains("aim maxout"), "{}", text(&output.stdout));
    for (other, found) in [
        (["--evaluator", "el-tetris"], "the evaluator el-tetris"),
        (["--player", "exec:true"], "an external player"),
        (["--input", "drag"], "an input that presses no buttons"),
        (["--rng", "seen"], "--rng seen"),
        (["--filter", "well"], "a filter"),
        (["--reaction-frames", "18"], "a reaction time"),
    ] {
        let refused = run(&[&simulate[..], &["--aim", "maxout"], &other].concat());
        let error = text(&refused.stderr);
        assert_eq!((refused.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains("the aim maxout") && error.contains(found), "{error}");
    }
}

#[test]
fn an_exact_score_is_reached_or_missed() {
    let play = |target: &str, seed: &str| {
        let arguments = ["--console", "simulated", "--start-level", "0", "--evaluator", "el-tetris", "--json"];
        let output = run(&[&["play", "--target-score", target, "--seed", seed], &arguments[..]].concat());
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        (output.status.code(), summary)
    };
    let (code, summary) = play("1999", "1");
    assert_eq!((code, &summary["score"], &summary["outcome"]), (Some(0), &1999.into(), &"score:1999".into()));
    let output = run(&["play", "--console", "simulated", "--until", "score:1", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((output.status.code(), &summary["outcome"]), (Some(1), &"overshoot".into()));
    let both = run(&["play", "--target-score", "5", "--until", "topout"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_missed_goal_exits_with_1() {
    // One frame is always reached.
    let output = run(&["play", "--start-level", "19", "--evaluator", "el-tetris", "--until", "frames:1"]);
    assert_eq!(output.status.code(), Some(0));
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/birken-v2-suicidal.toml");
    let output = run(&["play", "--weights", weights, "--until", "maxout", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["outcome"], "topout");
    assert_eq!(summary["goal_reached"], false);
    assert_eq!(summary["desyncs"], 0);
    // The summary names the weights.
    assert_eq!(summary["weights"], weights);
    let is_sha1 = |text: &str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(summary["weights_sha1"].as_str().is_some_and(is_sha1), "{summary}");
}

#[test]
fn the_same_seed_gives_the_same_buttons_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |name: &str, seed: &str| {
        let log = folder.path().join(name);
        let output = run(&["play", "--until", "pieces:8", "--seed", seed, "--view", "none", "--log", path_text(&log)]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        fs::read(log).expect("a log")
    };
    let first = play("first.csv", "9");
    assert_eq!(first, play("again.csv", "9"));
    assert_ne!(first, play("other.csv", "10"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    // The reader has closed the pipe before the result is written.
    let mut child = maxout(&["rom"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let error = text(&output.stderr);
    if output.status.code() != Some(0) {
        assert_eq!((output.status.code(), &*error), (Some(141), ""));
    }
    // A device that is always full: this does not depend on timing.
    for arguments in [&["rom"][..], &["--help"], &["play", "-h"], &["--version"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let output = maxout(arguments).stdout(full).output().expect("it starts");
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
        assert!(error.contains("standard output"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.csv");
    let mut child = maxout(&["play", "--view", "none", "--log", path_text(&log)])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    super::waiting::wait_for_lines(&log, 50, 60);
    child.kill().expect("killed");
    child.wait().expect("it ended");
    let log = fs::read_to_string(&log).expect("a log");
    assert!(log.ends_with('\n'), "the last line is whole");
    assert!(log.lines().filter(|line| !line.starts_with('#')).all(|row| row.split(',').count() == 23));
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_without_a_result_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    let mut child = maxout(&["discover", "-o", path_text(&map)])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    super::waiting::wait(60, "it takes its lock", || fs::read_dir(folder.path()).expect("read").count() > 0);
    super::waiting::signal("-INT", child.id());
    assert_eq!(child.wait().expect("it ended").code(), Some(1));
    let left: Vec<_> = fs::read_dir(folder.path()).expect("read").map(|file| file.expect("a file").path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Only Linux says in a file which signals are ignored.
#[cfg(target_os = "linux")]
#[test]
fn nohup_keeps_a_run_when_the_terminal_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, code) in [("-HUP", 0), ("-TERM", 1)] {
        let log = folder.path().join(format!("game{name}.csv"));
        let program = maxout(&["play", "--view", "none", "--until", "frames:3000", "--log", path_text(&log)]);
        let mut nohup = Command::new("nohup");
        nohup.arg(program.get_program()).args(program.get_args()).env_remove("RUST_LOG");
        nohup.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = nohup.spawn().expect("nohup starts");
        super::waiting::wait_for_lines(&log, 50, 60);
        super::waiting::signal(name, run.id());
        assert_eq!(run.wait().expect("it ended").code(), Some(code), "{name}");
        let frames = fs::read_to_string(&log).expect("a log").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(frames >= 3000, code == 0, "{name}: {frames}");
    }
}

#[test]
fn a_rom_inside_a_zip_plays_like_the_rom() {
    let folder = tempfile::tempdir().expect("a folder");
    let cartridge = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes")).expect("the cartridge");
    // One stored member. Its CRC-32 is in the local header and again in the directory.
    let (name, crc) = (b"any name", crc32fast::hash(&cartridge).to_le_bytes());
    let size = (cartridge.len() as u32).to_le_bytes();
    let fields = [&[10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &crc, &size, &size, &[8, 0, 0, 0]].concat();
    let local = [b"PK\x03\x04", &fields[..], name, &cartridge].concat();
    let directory = [b"PK\x01\x02\x0A\0", &fields[..], &[0; 14], name].concat();
    let place = (local.len() as u32).to_le_bytes();
    let length = (directory.len() as u32).to_le_bytes();
    let zip = [&local[..], &directory, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &length, &place, &[0, 0]].concat();
    let path = folder.path().join("tetris.zip");
    fs::write(&path, &zip).expect("written");
    let output = run(&["rom", path_text(&path), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rom: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((rom["known"].as_bool(), rom["name"].as_str()), (Some(true), Some("tetris.zip/any name")));

    fs::write(&path, &zip[..40_000]).expect("written");
    refused(&["play", path_text(&path)], &["tetris.zip", "cannot be unpacked", "get a whole copy"]);

    // The folder roms/ is looked up in the working directory.
    let roms = folder.path().join("roms");
    fs::create_dir(&roms).expect("created");
    let play = || {
        let play = ["play", "--console", "rom", "--until", "frames:5", "--json"];
        maxout(&play).current_dir(folder.path()).output().expect("the program starts")
    };
    let output = play();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("found nothing; put yours there"), "{}", text(&output.stderr));
    fs::write(roms.join("0.zip"), &zip).expect("written");
    let output = play();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("0.zip/any name"), "{}", text(&output.stdout));
}

#[test]
fn doctor_lists_what_works_and_how_to_fix_the_rest() {
    let output = run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let checks = report["checks"].as_array().expect("checks");
    let names: Vec<_> = checks.iter().filter_map(|check| check["name"].as_str()).collect();
    let hosts = ["fceux", "retroarch", "mesen", "bizhawk"];
    assert_eq!(names, [&["terminal", "size", "colours", "pictures", "display", "ffmpeg", "rom"][..], &hosts].concat());
    for check in checks {
        assert_eq!(check["ok"] == false, check["advice"].is_string(), "{check}");
    }
    assert_eq!(checks[0]["ok"], false, "a test has no terminal");
    let cartridge = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/console/maxout.nes");
    let output = run(&["doctor", cartridge]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text(&output.stdout).contains("ok  rom       maxout.nes is maxout's own cartridge"),
        "{}",
        text(&output.stdout)
    );
    let output = run(&["doctor", "nowhere.nes"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("nowhere.nes"));
}

#[test]
fn completions_and_manual_pages_are_printed() {
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef maxout"),
        ("fish", "complete -c maxout"),
        ("powershell", "maxout"),
        ("elvish", "maxout"),
    ] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = text(&output.stdout);
        assert!(script.contains(word) && script.contains("simulate"), "{shell}");
    }
    assert!(text(&run(&["man"]).stdout).contains(".TH maxout 1"));
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(run(&["man", path_text(&folder.path().join("man1"))]).status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("man1/maxout-report.1")).expect("a page of every command");
    assert!(page.contains("Examples:"));
    assert!(folder.path().join("man1/maxout-train-td.1").exists());
}

#[test]
fn a_rom_that_starts_no_game_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("idle.nes");
    // Every vector leads to a jump to itself.
    let mut rom = b"NES\x1A\x02\x02\x10\0\0\0\0\0\0\0\0\0".to_vec();
    let mut prg = [0x4C, 0x00, 0x80].repeat(0x8000 / 3 + 1);
    prg.truncate(0x8000);
    prg[0x7FFA..].copy_from_slice(&[0x00, 0x80, 0x00, 0x80, 0x00, 0x80]);
    rom.extend(prg);
    rom.extend([0; 0x4000]);
    fs::write(&path, rom).expect("written");
    let output = run(&["play", path_text(&path), "--force", "--view", "none"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let summary = text(&output.stdout);
    assert!(summary.contains("\nstuck        the frame counter stood still for 3,600 frames"), "{summary}");
}

//! `maxout tas`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::skipped;

fn maxout(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.current_dir(folder).args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// The summary of a search that ends with this exit code.
fn search(folder: &Path, arguments: &[&str], code: i32) -> Value {
    let small = ["tas", "--goal", "score:20000", "--width", "60", "--json"];
    let Output { status, stdout, stderr } = maxout(folder, &[&small[..], arguments].concat());
    assert_eq!(status.code(), Some(code), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).expect("JSON")
}

/// Three lines in `slow.csv`, by a player that presses buttons as a person does.
fn play_slowly(folder: &Path) {
    let play = ["play", "--console", "simulated", "--view", "none", "--evaluator", "el-tetris", "--start-level", "18"];
    let played = maxout(folder, &[&play[..], &["--until", "lines:3", "--log", "slow.csv"]].concat());
    assert_eq!(played.status.code(), Some(0));
}

#[test]
fn a_found_game_is_a_movie_that_reaches_the_goal_in_its_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let found = search(folder, &["--movie", "a.fm2", "--log", "a.csv", "--threads", "1"], 0);
    assert_eq!((&found["tool_assisted"], &found["outcome"]), (&true.into(), &"done".into()));
    let frame = found["frame"].as_u64().expect("a frame");
    let parts = found["parts"].as_object().expect("parts");
    assert_eq!(parts.values().map(|part| part.as_u64().expect("frames")).sum::<u64>(), frame + 1);
    assert!(found["score"].as_u64() >= Some(20_000) && found["console"] == "maxout.nes", "{found}");
    // Any number of threads finds the same game.
    search(folder, &["--movie", "b.fm2", "--threads", "3"], 0);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    assert_eq!(read("a.fm2"), read("b.fm2"));
    assert!(read("a.fm2").contains("tool-assisted") && read("a.csv").contains("tool-assisted"));
    // The last row of the log is the first with the goal.
    let replayed = maxout(folder, &["replay", "a.csv"]);
    assert_eq!(replayed.status.code(), Some(0));
    let log = read("a.csv");
    let rows: Vec<&str> = log.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(rows.last().is_some_and(|row| row.starts_with(&format!("{frame},"))), "{:?}", rows.last());
    let from_19 = search(folder, &["--start-level", "19"], 0);
    assert_eq!((&from_19["start_level"], &from_19["parts"]["menus"]), (&19.into(), &288.into()), "{from_19}");
}

#[test]
fn a_console_that_does_not_start_costs_no_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = maxout(folder.path(), &["tas", "--goal", "lines:8", "--console", "nope.nes", "--movie", "a.fm2"]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert_eq!((refused.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("nope.nes"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn on_a_terminal_one_line_shows_how_far_it_is_and_the_summary_takes_its_place() {
    if skipped::program("script").is_none() {
        return;
    }
    let program = env!("CARGO_BIN_EXE_maxout");
    let search = format!("{program} tas --goal lines:8 --width 2000 --seeds 2 --noise 1");
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &search, "/dev/null"]).env("SHELL", "/bin/sh").env("TERM", "xterm");
    let Output { status, stdout, .. } = script.stdin(Stdio::null()).output().expect("script starts");
    let shown = String::from_utf8(stdout).expect("text");
    assert!(status.success(), "{shown}");
    // What is drawn over stands before the last return to the first column, or is erased.
    let lines: Vec<_> = shown.split("\r\n").filter_map(|line| line.rsplit(['\r', 'K']).next()).collect();
    assert!(shown.contains(" points in frame "), "{shown:?}");
    for (start, times) in [("seed 1: ", 1), ("seed 2: ", 1), ("lines:8 in frame 1,", 1), ("clears ", 2), ("length ", 1)]
    {
        assert_eq!(lines.iter().filter(|line| line.starts_with(start)).count(), times, "{start}: {lines:?}");
    }
    assert!(!lines.iter().any(|line| line.contains(" points in frame ")), "{lines:?}");
}

#[test]
fn a_b_type_game_is_found_on_the_cartridge() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let run = |arguments: &[&str]| {
        let Output { status, stdout, stderr } =
            maxout(folder, &[&["tas", "--goal", "b-type:5", "--json"], arguments].concat());
        assert_eq!(status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
        serde_json::from_slice::<Value>(&stdout).expect("JSON")
    };
    let found = run(&["--start-level", "19", "--width", "60", "--movie", "a.fm2", "--log", "a.csv"]);
    assert_eq!((&found["goal"], &found["lines"], &found["level"]), (&"b-type:5".into(), &0.into(), &19.into()));
    // 305 frames at the least, and up to two of delay.
    let menus = found["parts"]["menus"].as_u64();
    assert!(found["console"] == "maxout.nes" && menus.is_some_and(|menus| (305..=307).contains(&menus)), "{found}");
    let log = fs::read_to_string(folder.join("a.csv")).expect("a log");
    assert!(log.contains("tool-assisted") && log.contains("\"b-type:5\""), "{log:.2000}");
    // Without a button the game ends after its goal, and clears its score: a replay ends there.
    for game in ["a.csv", "a.fm2"] {
        let replayed = maxout(folder, &["replay", game, "--json"]);
        let report: Value = serde_json::from_slice(&replayed.stdout).expect("JSON");
        assert!(replayed.status.code() == Some(0) && report["score"] == found["score"], "{game}: {report}");
    }
    let improve = ["--improve", "a.fm2", "--shape", "3", "--across", "0", "--width", "60", "--movie", "b.fm2"];
    // The search looks through all of it, and says so if nothing is faster.
    let improved = maxout(folder, &[&["tas", "--goal", "b-type:5"], &improve[..]].concat());
    let error = String::from_utf8_lossy(&improved.stderr);
    assert!(improved.status.code() == Some(0) || error.contains("found nothing faster than the movie"), "{error}");
    // A movie of the other type is none for the goal.
    let refused = maxout(folder, &["tas", "--goal", "lines:3", "--improve", "a.fm2"]);
    let error = String::from_utf8_lossy(&refused.stderr);
    let words = "expected a movie of A-type for lines:3, found one of B-type";
    assert!(refused.status.code() == Some(2) && error.contains(words), "{error}");
}

/// The fastest game that was found has its goal in the frame that the documents name.
fn replays_in_the_promised_frame(console: &str) {
    let movie = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/movies/fastest-999999.fm2");
    let movie = movie.to_str().expect("a path");
    let folder = tempfile::tempdir().expect("a folder");
    let replay = maxout(folder.path(), &["replay", movie, "--console", console, "--past-the-end", "1", "--json"]);
    let found: Value = serde_json::from_slice(&replay.stdout).expect("JSON");
    let documented = include_str!("../../docs/tas.md");
    let frame = found["maxout"]["frame"].as_u64().expect("a frame");
    assert_eq!((frame, &found["lines"], &found["level"]), (10_453, &172.into(), &23.into()));
    assert!(documented.contains(&format!(
        "999,999 in frame {},{:03}, 172 lines, level 23",
        frame / 1000,
        frame % 1000
    )));
}

#[test]
fn the_fastest_movie_has_the_maxout_in_its_frame_on_the_rules_model() {
    replays_in_the_promised_frame("simulated");
}

#[test]
#[ignore = "ten seconds and more; .ci/run runs it"]
fn the_fastest_movie_has_the_maxout_in_its_frame_on_the_cartridge() {
    replays_in_the_promised_frame("cartridge");
}

#[test]
#[ignore = "searches for twenty seconds and more; .ci/run runs it"]
fn when_the_last_button_counts_the_movie_ends_with_it_and_the_goal_comes_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let by_goal = search(folder, &["--movie", "a.fm2"], 0);
    let by_input = search(folder, &["--count", "input", "--movie", "b.fm2", "--log", "b.csv"], 0);
    let number = |summary: &Value, name: &str| summary[name].as_u64().expect("a number");
    assert_eq!((&by_goal["count"], &by_input["count"]), (&"goal".into(), &"input".into()));
    let (length, frame) = (number(&by_input, "length"), number(&by_input, "frame"));
    assert!(length < number(&by_goal, "length") && frame >= number(&by_goal, "frame"), "{by_goal}\n{by_input}");
    let frames_of = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(name)).expect("a movie");
        text.lines().filter(|line| line.starts_with('|')).map(str::to_owned).collect()
    };
    // By default the movie goes on to the goal. Its first line comes before frame 0.
    assert_eq!(frames_of("a.fm2").len() as u64, number(&by_goal, "frame") + 2);
    let frames = frames_of("b.fm2");
    assert!(
        frames.len() as u64 == length + 1 && frames.last() != Some(&"|0|........|||".to_owned()),
        "{:?}",
        frames.last()
    );
    // On the cartridge it reaches the goal in its frame without another button, and not a frame sooner.
    for (more, points) in [(0, 0..1), (frame - length, 0..20_000), (frame - length + 1, 20_000..1_000_000)] {
        let more = more.to_string();
        let played = maxout(folder, &["replay", "b.fm2", "--past-the-end", &more, "--json"]);
        let report: Value = serde_json::from_slice(&played.stdout).expect("JSON");
        assert!(points.contains(&number(&report, "score")), "{more} frames past the end: {report}");
    }
    // A log has all frames up to the goal.
    let log = fs::read_to_string(folder.join("b.csv")).expect("a log");
    assert!(log.lines().last().is_some_and(|row| row.starts_with(&format!("{frame},"))));
    // It is a movie that can be improved, by what it is measured by.
    let times = ["--width", "60", "--shape", "1", "--across", "0", "--improve", "b.fm2"];
    let again = maxout(folder, &[&["tas", "--goal", "score:20000", "--count", "input"], &times[..]].concat());
    let (error, last) = (String::from_utf8_lossy(&again.stderr), maxout_screen::numbers::thousands(length));
    assert!(error.contains(&format!("{last} frames up to its last button")), "{error}");
}

#[test]
#[ignore = "searches for twenty seconds and more; .ci/run runs it"]
fn a_movie_is_made_faster_and_one_that_cannot_be_is_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play_slowly(folder);
    let improve = |game: &str, more: &[&str]| {
        let small = ["--width", "60", "--shape", "2", "--across", "20", "--json"];
        maxout(folder, &[&["tas", "--goal", "lines:3", "--improve", game], &small[..], more].concat())
    };
    let Output { status, stdout, stderr } = improve("slow.csv", &["--movie", "fast.fm2"]);
    assert_eq!(status.code(), Some(0), "{}", String::from_utf8_lossy(&stderr));
    let fast: Value = serde_json::from_slice(&stdout).expect("JSON");
    assert!(fast["frame"].as_u64() < fast["movie_frame"].as_u64(), "{fast}");
    let movie = fs::read_to_string(folder.join("fast.fm2")).expect("a movie");
    assert!(movie.contains("tool-assisted") && movie.contains("slow.csv"));
    assert_eq!(maxout(folder, &["replay", "fast.fm2"]).status.code(), Some(0));
    // It has no parts, and goes on without them.
    let parts = improve("fast.fm2", &["--parts"]);
    let error = String::from_utf8_lossy(&parts.stderr);
    assert!(parts.status.code() == Some(1) && error.contains("found no game through the parts"), "{error}");
    // It cannot be made faster in the same way.
    let again = improve("fast.fm2", &[]);
    let error = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.code() == Some(1) && error.contains("found nothing faster than the movie"), "{error}");
}

/// A summary without the time that the search took.
fn without_seconds(mut summary: Value) -> Value {
    summary["seconds"] = 0.into();
    summary
}

#[test]
#[ignore = "three searches for a game; .ci/run runs it"]
fn shards_that_are_merged_give_the_movie_of_one_run_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let small = ["tas", "--goal", "lines:3", "--width", "20", "--noise", "5", "--seed", "2", "--seeds", "5", "--json"];
    let run = |more: &[&str]| {
        let Output { status, stdout, stderr } = maxout(folder, &[&small[..], more].concat());
        assert_eq!(status.code(), Some(0), "{more:?}: {}", String::from_utf8_lossy(&stderr));
        serde_json::from_slice::<Value>(&stdout).expect("JSON")
    };
    let whole = run(&["--movie", "whole.fm2", "--log", "whole.csv"]);
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let file = format!("shard{}.json", &shard[..1]);
        (run(&["--shard", shard, "--result", &file]), file)
    });
    // The fastest of them, and not all of them are as fast.
    let frames = shards.each_ref().map(|(summary, _)| summary["frame"].as_u64().expect("a frame"));
    assert_eq!(frames.iter().min(), whole["frame"].as_u64().as_ref());
    assert_ne!(frames.iter().min(), frames.iter().max(), "{frames:?}");
    let merge = |files: &[&str], more: &[&str]| maxout(folder, &[&["tas", "--merge"], files, more].concat());
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    // In any order.
    let files = ["shard3.json", "shard1.json", "shard2.json"];
    let merged = merge(&files, &["--movie", "merged.fm2", "--log", "merged.csv", "--json"]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!((read("merged.fm2"), read("merged.csv")), (read("whole.fm2"), read("whole.csv")));
    let merged = without_seconds(serde_json::from_slice(&merged.stdout).expect("JSON"));
    assert_eq!(merged, without_seconds(whole));
    // What does not belong together is refused.
    run(&["--shard", "2/3", "--result", "other.json", "--pause", "1"]);
    fs::write(folder.join("text.json"), "{}").expect("a file");
    for (files, words) in [
        (&["shard1.json", "shard3.json"][..], "2 of 5 seeds are missing: 2, 5"),
        (&["shard1.json", "shard2.json", "shard3.json", "shard1.json"], "again in"),
        (&["shard1.json", "other.json"], "other.json: expected pause 2, found 1; shard1.json is of another run"),
        (&["shard1.json", "text.json"], "maxout tas --result"),
        (&["shard1.json", "absent.json"], "absent.json"),
    ] {
        let refused = merge(files, &[]);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && error.contains(words), "{files:?}: {error}");
    }
    assert_eq!(merge(&["shard1.json", "shard3.json"], &["--partial"]).status.code(), Some(0));
    let text = String::from_utf8(read("shard1.json")).expect("text");
    // More seeds than a run may have.
    fs::write(folder.join("many.json"), text.replacen("\"seeds\":5", "\"seeds\":18446744073709551615", 1))
        .expect("a file");
    let refused = merge(&["many.json"], &[]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(2) && error.contains("many.json: expected") && error.contains("seeds"),
        "{error}"
    );
    // Points that the model does not play.
    let points = text.split_once("\"score\":").expect("the points").1.split_once(',').expect("more").0;
    let damaged = text.replacen(&format!("\"score\":{points}"), "\"score\":900", 1);
    fs::write(folder.join("damaged.json"), damaged).expect("a file");
    let refused = merge(&["damaged.json", "shard2.json", "shard3.json"], &[]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && error.contains("damaged.json: its game is damaged"), "{error}");
}

#[test]
#[ignore = "four searches with plans; .ci/run runs it"]
fn shards_of_plans_that_are_merged_give_the_movie_of_one_run_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let small =
        ["tas", "--goal", "score:20000", "--width", "60", "--plan", "--replans", "3", "--across", "0", "--json"];
    let run = |more: &[&str]| {
        let Output { status, stdout, stderr } = maxout(folder, &[&small[..], more].concat());
        let said = String::from_utf8_lossy(&stderr).into_owned();
        assert_eq!(status.code(), Some(0), "{more:?}: {said}");
        (serde_json::from_slice::<Value>(&stdout).expect("JSON"), said)
    };
    let (whole, said) = run(&["--seed", "4", "--seeds", "3", "--movie", "whole.fm2"]);
    let games: Vec<&str> = said.lines().filter(|line| line.starts_with("seed ")).collect();
    assert!(games.len() == 3 && (4..7).all(|seed| games[seed - 4].starts_with(&format!("seed {seed}: "))), "{said}");
    for shard in ["1/2", "2/2"] {
        run(&["--seed", "4", "--seeds", "3", "--shard", shard, "--result", &format!("shard{}.json", &shard[..1])]);
    }
    let merged = maxout(folder, &["tas", "--merge", "shard1.json", "shard2.json", "--movie", "merged.fm2", "--json"]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert_eq!(read("merged.fm2"), read("whole.fm2"));
    assert!(String::from_utf8_lossy(&read("merged.fm2")).contains("\"plan\":true"));
    let merged = without_seconds(serde_json::from_slice(&merged.stdout).expect("JSON"));
    assert_eq!(merged, without_seconds(whole));
    // One seed alone gives the same game again, and other rounds make another run.
    let seed = merged["seed"].to_string();
    let (alone, _) = run(&["--seed", &seed]);
    assert_eq!(alone["frame"], merged["frame"]);
    run(&["--seed", "4", "--seeds", "3", "--shard", "2/2", "--result", "other.json", "--shape", "3"]);
    let refused = maxout(folder, &["tas", "--merge", "shard1.json", "other.json"]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && error.contains("other.json: expected plan.shape "), "{error}");
}

/// Runs the search with a checkpoint, which an earlier run may have written, for longer and longer until it is
/// over; how often did it go on from one?
fn in_pieces(folder: &Path, arguments: &[&str]) -> usize {
    let mut continued = 0;
    for stops in 0..24 {
        let minutes = (0.0005 * f64::from(1 << stops.min(12))).to_string();
        let more = ["--checkpoint", "stages.checkpoint", "--minutes", &minutes];
        let Output { status, stderr, .. } = maxout(folder, &[arguments, &more].concat());
        let error = String::from_utf8_lossy(&stderr);
        continued += usize::from(error.contains("continuing after"));
        match status.code() {
            Some(0) => return continued,
            code => assert_eq!(code, Some(1), "{error}"),
        }
    }
    panic!("the search does not end");
}

/// The lists that a search says it has read.
fn lists_read(error: &str) -> Option<usize> {
    let (_, rest) = error.split_once("lists read: ")?;
    rest.lines().next()?.trim().parse().ok()
}

#[test]
#[ignore = "searches for twenty seconds and more; .ci/run runs it"]
fn a_search_of_parts_keeps_its_lists() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let fastest = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/movies/fastest-999999.fm2");
    let improve = ["tas", "--improve", fastest, "--parts", "--movie", "faster.fm2", "--lists", "lists"];
    let run = |minutes: &str| {
        let Output { status, stderr, .. } = maxout(folder, &[&improve[..], &["--minutes", minutes]].concat());
        let error = String::from_utf8_lossy(&stderr).into_owned();
        assert!(status.code() == Some(1) && error.contains("stopped before anything faster"), "{error}");
        error
    };
    // How many lists a search makes in a time is not known: it is given longer and longer.
    let mut minutes = 0.05;
    while !folder.join("lists").exists() {
        assert_eq!(lists_read(&run(&minutes.to_string())), None);
        assert!(minutes < 60.0, "no lists");
        minutes *= 2.0;
    }
    let first = lists_read(&run(&minutes.to_string())).expect("the next search reads them");
    let second = lists_read(&run("0.0001")).expect("and so does the one after it");
    assert!(first > 0 && second > first, "{first} and {second} lists");
    let lists = std::fs::read(folder.join("lists")).expect("lists");
    let refused = |bytes: &[u8], reason: &str| {
        std::fs::write(folder.join("lists"), bytes).expect("a file");
        let Output { status, stderr, .. } = maxout(folder, &improve);
        let error = String::from_utf8_lossy(&stderr);
        assert!(status.code() == Some(2) && error.contains(reason), "{error}");
        assert_eq!(std::fs::read(folder.join("lists")).expect("a file"), bytes, "it stays");
    };
    refused(&lists[..lists.len() - 1], "not whole, or damaged");
    refused(b"mine", "expected the lists of a search of parts");
    refused(b"mxtasck\x03 stages", "expected the lists of a search of parts");
    let without = maxout(folder, &["tas", "--improve", fastest, "--lists", "lists"]);
    assert_eq!(without.status.code(), Some(2), "only the search of parts has lists");
}

#[test]
#[ignore = "searches for twenty seconds and more; .ci/run runs it"]
fn an_improvement_goes_on_from_its_checkpoint_and_ends_with_the_same_movie() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play_slowly(folder);
    let improve = ["--width", "300", "--shape", "3", "--across", "10", "--improve", "slow.csv", "--movie"];
    let improve = [&["tas", "--goal", "lines:3"], &improve[..]].concat();
    let whole = maxout(folder, &[&improve[..], &["whole.fm2"]].concat());
    assert_eq!(whole.status.code(), Some(0));
    assert!(in_pieces(folder, &[&improve[..], &["pieces.fm2"]].concat()) > 0);
    let read = |name: &str| fs::read(folder.join(name)).expect("a movie");
    assert_eq!(read("whole.fm2"), read("pieces.fm2"));
    // Over already, it is only written again; it is of these flags, of this movie, and of a search by stages.
    let refused = |goal: &str, movie: &str, width: &str, shape: &str, more: &[&str]| {
        let flags = ["tas", "--goal", goal, "--improve", movie, "--width", width, "--shape", shape];
        let Output { status, stderr, .. } =
            maxout(folder, &[&flags[..], &["--across", "10", "--checkpoint", "stages.checkpoint"], more].concat());
        let error = String::from_utf8_lossy(&stderr).into_owned();
        assert!(status.code() == Some(0) || status.code() == Some(2) && error.contains("other settings"), "{error}");
        status.code() == Some(2)
    };
    assert!(!refused("lines:3", "slow.csv", "300", "3", &[]));
    assert!(refused("lines:2", "slow.csv", "300", "3", &[]));
    assert!(refused("lines:3", "whole.fm2", "300", "3", &[]));
    assert!(refused("lines:3", "slow.csv", "299", "3", &[]));
    assert!(refused("lines:3", "slow.csv", "300", "2", &[]));
    assert!(refused("lines:3", "slow.csv", "300", "3", &["--count", "input"]));
    assert!(refused("lines:3", "slow.csv", "300", "3", &["--menu-delay", "1"]));
    for other in [&["tas", "--goal", "lines:3"][..], &["tas", "--plan"]] {
        let refused = maxout(folder, &[other, &["--checkpoint", "stages.checkpoint"]].concat());
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && error.contains("other settings"), "{other:?}: {error}");
    }
}

#[test]
#[ignore = "a plan of a whole game; .ci/run runs it"]
fn a_planned_game_reaches_the_goal_on_the_cartridge_and_is_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let planned = |more: &[&str]| search(folder, &[&["--plan", "--replans", "3", "--across", "20"], more].concat(), 0);
    let found = planned(&["--movie", "a.fm2", "--log", "a.csv", "--threads", "1"]);
    assert!(found["score"].as_u64() >= Some(20_000) && found["console"] == "maxout.nes", "{found}");
    planned(&["--movie", "b.fm2", "--threads", "3"]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    assert_eq!(read("a.fm2"), read("b.fm2"));
    // Interrupted again and again, too.
    let small = |replans, level| {
        let goal = ["tas", "--goal", "score:20000", "--width", "60", "--plan", "--across", "20", "--movie", "c.fm2"];
        [&goal[..], &["--replans", replans, "--start-level", level]].concat()
    };
    assert!(in_pieces(folder, &small("3", "18")) > 0);
    for others in [small("4", "18"), small("3", "17")] {
        let refused = maxout(folder, &[&others[..], &["--checkpoint", "stages.checkpoint"]].concat());
        assert_eq!(refused.status.code(), Some(2), "{others:?}");
    }
    assert_eq!(read("a.fm2"), read("c.fm2"));
    assert!(read("a.csv").contains("tool-assisted") && read("a.csv").contains("\"plan\":true"));
    assert_eq!(maxout(folder, &["replay", "a.csv"]).status.code(), Some(0));
    // A movie as the first plan.
    let narrow = maxout(folder, &["tas", "--goal", "score:20000", "--width", "4", "--movie", "old.fm2"]);
    assert_eq!(narrow.status.code(), Some(0));
    let again = ["--improve", "old.fm2", "--replans", "5", "--across", "20", "--log", "again.csv"];
    let found = search(folder, &again, 0);
    assert!(found["frame"].as_u64() < found["movie_frame"].as_u64(), "{found}");
    assert!(
        read("again.csv").contains("\"improves\":\"old.fm2\",\"menu-delay\":2,\"replans\":5"),
        "{}",
        read("again.csv")
    );
}

#[test]
fn a_goal_out_of_reach_and_bad_flags_get_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let fastest = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/movies/fastest-999999.fm2");
    for (arguments, code, words) in [
        (&["tas", "--goal", "score:999999", "--width", "3"][..], 1, "a wider search (--width)"),
        (&["tas", "--minutes", "0"], 1, "stopped before a game that reaches score:999999: give it more time"),
        (
            &["tas", "--minutes", "0", "--checkpoint", "c"],
            1,
            "stopped before a game that reaches score:999999: give the same command again to go on",
        ),
        (&["tas", "--goal", "level:18"], 2, "--goal level:18: expected a level above that of the start, 18"),
        (&["tas", "--goal", "tetrises:3"], 2, "tetrises:3"),
        (&["tas", "--goal", "b-type:6"], 2, "b-type:N (height, 0 to 5)"),
        (&["tas", "--plan", "--goal", "b-type:0"], 2, "expected a goal of points, found b-type:0"),
        (&["tas", "--count", "frames"], 2, "expected goal"),
        (&["tas", "--width", "99999999999"], 2, "--width"),
        (&["tas", "--start-level", "20"], 2, "--start-level"),
        (&["tas", "--improve", "missing.fm2"], 2, "missing.fm2"),
        (&["tas", "--improve", "game.fm2", "--seed", "3"], 2, "--seed"),
        (&["tas", "--shape", "3"], 2, "--improve"),
        (&["tas", "--across", "3"], 2, "--improve"),
        (&["tas", "--parts"], 2, "--improve"),
        (&["tas", "--plan", "--parts", "--columns", "9,9"], 2, "each once"),
        (&["tas", "--plan", "--columns", "3,9"], 2, "--parts"),
        (&["tas", "--improve", "game.fm2", "--playfields-of", "a.fm2"], 2, "--parts"),
        (&["tas", "--plan", "--parts", "--playfields-of", "a.fm2"], 2, "--playfields-of"),
        (&["tas", "--improve", "a.fm2", "--replans", "3", "--parts", "--playfields-of", "a.fm2"], 2, "--replans"),
        (&["tas", "--improve", fastest, "--parts", "--playfields-of", "missing.fm2"], 2, "missing.fm2"),
        (&["tas", "--improve", "game.fm2", "--across", "100001"], 2, "--across"),
        (&["tas", "--plan", "--start-level", "15"], 2, "expected --start-level 16 to 19, found 15"),
        (&["tas", "--plan", "--goal", "lines:10"], 2, "expected a goal of points, found lines:10"),
        (&["tas", "--plan", "--noise", "3"], 2, "--noise"),
        (&["tas", "--improve", "game.fm2", "--seeds", "3"], 2, "--seeds"),
        (&["tas", "--replans", "3"], 2, "--plan"),
        (&["tas", "--improve", "missing.fm2", "--replans", "3"], 2, "missing.fm2"),
        (&["tas", "--plan", "--improve", "game.fm2"], 2, "--improve"),
        (&["tas", "--seeds", "3"], 2, "--noise"),
        (&["tas", "--shard", "1/2"], 2, "--result"),
        (&["tas", "--shard", "2/2", "--result", "a.json"], 2, "as many shards"),
        (&["tas", "--partial"], 2, "--merge"),
        (&["tas", "--merge", "a.json", "--width", "3"], 2, "--width"),
        (&["tas", "--seeds", "3", "--noise", "1", "--checkpoint", "a"], 2, "--checkpoint"),
    ] {
        let Output { status, stderr, .. } = maxout(folder.path(), arguments);
        let error = String::from_utf8_lossy(&stderr);
        assert!(status.code() == Some(code) && error.contains(words), "{arguments:?}: {error}");
    }
}

//! External players: the example of the documentation, the three ways to answer, and one clear
//! line for every error.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::skipped;
#[cfg(target_os = "linux")]
use crate::waiting::{signal, started, wait};

const PAGE: &str = include_str!("../../docs/external-players.md");
const EXAMPLE: &str = include_str!("../../docs/examples/player.py");

/// A player in POSIX shell that answers the hello and answers every request with `answer`, where
/// `$request` is the line, `$id` its number, `$last` the id of its last placement.
fn script(answer: &str) -> String {
    format!(
        r#"#!/bin/sh
read -r hello
echo '{{"protocol":1,"name":"shell"}}'
while read -r request; do
    case $request in *goodbye*) exit 0;; esac
    id=${{request#*\"id\":}}; id=${{id%%,*}}
    last=${{request##*\"id\":}}; last=${{last%%,*}}
    {answer}
done
"#
    )
}

/// Answers with the last placement and appends the request to the file `$1`.
const LAST: &str = r#"printf '%s\n' "$request" >> "$1"; echo "{\"id\":$id,\"placement\":$last}""#;

/// The folder of a game with its files, and the output of the program.
struct Game {
    folder: TempDir,
    output: Output,
}

impl Game {
    /// Plays with a script, which is saved as `player` in the folder and run with these arguments.
    fn play(script: &str, arguments: &str, options: &[&str]) -> Game {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("player"), script).expect("written");
        Game::run(folder, &format!("exec sh ./player {arguments}"), options)
    }

    /// Plays with a command, run in the folder.
    fn run(folder: TempDir, command: &str, options: &[&str]) -> Game {
        let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .current_dir(folder.path())
            .args(["play", "--console", "simulated", "--view", "none", "--json", "--log", "game.csv"])
            .args(["--player", &format!("exec:{command}")])
            .args(options)
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        Game { folder, output }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}: {}", self.errors()))
    }

    fn errors(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    fn summary(&self) -> Value {
        serde_json::from_slice(&self.output.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.errors()))
    }

    /// For each spawn, the keys of every frame from there to the next spawn.
    fn keys_after_spawns(&self) -> Vec<Vec<String>> {
        let log = self.file("game.csv");
        let mut rows = log.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect());
        let header: Vec<&str> = rows.next().expect("names of columns");
        let column = |name| header.iter().position(|column| *column == name).expect("a column of this name");
        let [keys, mode, play] = ["keys", "mode", "play"].map(column);
        let mut pieces: Vec<Vec<String>> = Vec::new();
        let mut controlled = false;
        for fields in rows {
            let fields: Vec<&str> = fields;
            if let Some(piece) = pieces.last_mut() {
                piece.push(fields[keys].to_owned());
            }
            let now = (fields[mode], fields[play]) == ("4", "1");
            if now && !controlled {
                pieces.push(Vec::new());
            }
            controlled = now;
        }
        pieces
    }
}

/// A whole game of the example, with the lines of both sides in files.
fn example_game() -> Game {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("player.py"), EXAMPLE).expect("written");
    let command = "tee requests | python3 player.py | tee answers";
    Game::run(folder, command, &["--until", "topout", "--input", "even-frames"])
}

#[test]
fn the_page_contains_the_example_word_by_word() {
    assert!(
        PAGE.contains(&format!("```python\n{EXAMPLE}```\n")),
        "docs/examples/player.py is on the page, word by word"
    );
}

#[test]
fn the_example_plays_a_whole_game_and_then_the_same_game_again() {
    if skipped::program("python3").is_none() {
        return;
    }
    let game = example_game();
    let summary = game.summary();
    assert_eq!(game.output.status.code(), Some(0), "{}", game.errors());
    assert_eq!((&summary["evaluator"], &summary["desyncs"]), (&Value::from("few-holes"), &Value::from(0)));
    let input = summary["input"].as_str().expect("text");
    assert!(!input.contains("think"), "how an external player thinks is not known: {input}");
    assert!(summary["lines"].as_u64() >= Some(10), "it plays rather than stacks: {summary}");
    assert_eq!(game.file("game.csv"), example_game().file("game.csv"));
}

#[test]
fn the_lines_on_the_page_are_from_a_real_game() {
    if skipped::program("python3").is_none() {
        return;
    }
    let game = example_game();
    let said = game.file("requests") + &game.file("answers");
    let mut objects: Vec<String> = Vec::new();
    for block in PAGE.split("```json\n").skip(1) {
        for line in block.split("```").next().expect("a block").lines() {
            match line.strip_prefix(' ') {
                Some(more) => *objects.last_mut().expect("a first line") += more,
                None => objects.push(line.to_owned()),
            }
        }
    }
    assert_eq!(objects.len(), 7, "hello, its answer, a move, three answers, goodbye");
    let is_said = |object: &String| {
        let (first, last) = object.split_once('…').unwrap_or((object, ""));
        said.lines().any(|line| line.len() >= object.len() - 3 && line.starts_with(first) && line.ends_with(last))
    };
    let (cell, timeline) = (objects.remove(4), objects.remove(4));
    for object in &objects {
        assert!(is_said(object), "never said: {object}");
    }
    // The other two ways to answer choose the same placement.
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let answer = json(&objects[3]);
    let id = answer["id"].as_u64().expect("an id") as usize;
    let request = json(game.file("requests").lines().nth(id).expect("the request"));
    let chosen = &request["placements"][answer["placement"].as_u64().expect("a placement") as usize];
    let cell = json(&cell);
    for key in ["x", "y", "orientation"] {
        assert_eq!(cell[key], chosen[key], "{key}");
    }
    let timeline = json(&timeline);
    let keys = timeline["timeline"].as_array().expect("a list");
    let pressed = &game.keys_after_spawns()[id - 1];
    assert!(keys.iter().zip(pressed).all(|(key, pressed)| key == pressed) && keys.len() > 30);
}

#[test]
fn the_three_ways_to_answer_give_the_same_game() {
    for options in [
        &["--until", "pieces:10", "--seed", "2"][..],
        &[
            "--until",
            "pieces:10",
            "--start-level",
            "18",
            "--input",
            "taps",
            "--tap-rate",
            "20",
            "--reaction-frames",
            "15",
        ],
        &["--until", "pieces:10", "--start-level", "9", "--input", "gamepad"],
    ] {
        let by_id = Game::play(&script(LAST), "requests", options);
        assert_eq!(by_id.output.status.code(), Some(0), "{}", by_id.errors());
        assert_eq!(by_id.summary()["desyncs"], 0);
        let log = by_id.file("game.csv");
        let again = Game::play(&script(LAST), "requests", options);
        assert_eq!(again.file("game.csv"), log, "the same answers give the same game");

        let pressed = by_id.keys_after_spawns();
        let reaction = if options.contains(&"--reaction-frames") { 15 } else { 0 };
        let (mut cells, mut timelines) = (String::new(), String::new());
        let mut spawns = 0;
        for line in by_id.file("requests").lines() {
            let request: Value = serde_json::from_str(line).expect("JSON");
            let last = request["placements"].as_array().and_then(|all| all.last()).expect("a placement");
            let (id, frame) = (&request["id"], request["frame"].as_u64().expect("a frame") as usize);
            assert_eq!(request["next"].is_null(), frame < reaction, "the next box is not shown too early");
            spawns += usize::from(frame == 0);
            cells += &format!(
                "{{\"id\":{id},\"x\":{},\"y\":{},\"orientation\":{}}}\n",
                last["x"], last["y"], last["orientation"]
            );
            timelines += &format!("{{\"id\":{id},\"timeline\":{:?}}}\n", &pressed[spawns - 1][frame..]);
        }
        for (way, answers) in [("cells", cells), ("timelines", timelines)] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join("answers"), answers).expect("written");
            let read_answers = "read -r answer <&3; echo \"$answer\"";
            fs::write(folder.path().join("player"), script(read_answers)).expect("written");
            let game = Game::run(folder, "sh ./player 3< answers", options);
            assert_eq!(game.output.status.code(), Some(0), "{way}: {}", game.errors());
            assert!(game.file("game.csv") == log, "{way}: {options:?} differ");
        }
    }
}

/// Checks that the run ends with exit code 1 and one line with these words, and keeps log and summary.
fn fails(script: &str, options: &[&str], words: &[&str]) {
    let game = Game::play(script, "", &[options, &["--until", "pieces:9"]].concat());
    let errors = game.errors();
    assert_eq!(game.output.status.code(), Some(1), "{script}: {errors}");
    let line = errors.lines().last().expect("a line");
    assert_eq!(errors.lines().filter(|line| line.starts_with("maxout: ")).count(), 1, "{errors}");
    assert!(line.starts_with("maxout: player ") && line.len() < 600, "{line}");
    for word in words {
        assert!(line.contains(word), "{word}: {line}");
    }
    if words.contains(&"hello") {
        assert!(game.output.stdout.is_empty());
        return;
    }
    let summary = game.summary();
    assert_eq!((&summary["outcome"], &summary["goal_reached"]), (&Value::from("stopped"), &Value::from(false)));
    assert_eq!(
        1 + summary["frames"].as_u64().expect("frames"),
        game.file("game.csv").lines().filter(|line| !line.starts_with('#')).count() as u64
    );
}

#[test]
fn a_player_that_does_not_answer_the_hello_is_refused() {
    fails("exit 3", &[], &["line 1 ", "answer to the hello", "hello", "exit status: 3"]);
    fails("echo hello, world", &[], &["line 1 ", "hello", r#"found "hello, world""#]);
    fails(r#"echo '{"protocol":2,"name":"x"}'"#, &[], &["hello", r#"{"protocol":1,"#, "protocol 2"]);
    // It speaks long after its time, but before twenty times its time.
    let late = "sleep 9; echo late; sleep 60";
    fails(late, &["--player-timeout", "0.5"], &["hello", "nothing for 0.5 s", "--player-timeout"]);
}

#[test]
fn a_player_that_fails_during_a_game_stops_it_and_keeps_the_game_so_far() {
    let third = |answer: &str| {
        script(&format!("test \"$id\" -lt 3 || {{ {answer}; continue; }}\n{LAST}").replace("$1", "requests"))
    };
    let says = |answer: &str| third(&format!("echo '{answer}'"));
    fails(
        &third("exit 7"),
        &[],
        &["player shell: line 4 ", "answer to request 3", "end of the program", "exit status: 7"],
    );
    fails(&third("kill -9 $$"), &[], &["line 4 ", "signal: 9"]);
    fails(&third("sleep 30; echo late"), &["--player-timeout", "3"], &["line 4 ", "request 3", "nothing for 3 s"]);
    fails(&says("left"), &[], &["line 4 ", r#"found "left""#, "column 1"]);
    fails(&says(r#"{"id":2,"placement":0}"#), &[], &["answer to request 3", "answers 2"]);
    fails(&says(r#"{"id":3,"placement":99}"#), &[], &["expected a placement from 0 to ", "no placement 99"]);
    let floating = r#"{"id":3,"x":5,"y":2,"orientation":0}"#;
    fails(&says(floating), &[], &["placements that request 3 offered", "x 5, y 2, orientation 0"]);
    fails(&says(r#"{"id":3,"timeline":["RL......"]}"#), &[], &["timeline", "frame 0", "opposite"]);
    fails(&says(r#"{"id":3,"timeline":["R......"]}"#), &[], &["frame 0", "RLDUTSBA"]);
    fails(&third("head -c 2000000 /dev/zero"), &[], &["line 4 ", "more than 1048576 bytes"]);
    fails(&third("exec >&-; sleep 60"), &[], &["line 4 ", "end of its output"]);
}

#[test]
fn a_timeline_may_lock_anywhere() {
    // No button at all: every piece falls straight down, the first piece after its long wait.
    let game = Game::play(&script(r#"echo "{\"id\":$id,\"timeline\":[]}""#), "", &["--until", "topout"]);
    assert_eq!(game.output.status.code(), Some(0), "{}", game.errors());
    assert_eq!(game.summary()["desyncs"], 0);
    assert!(game.keys_after_spawns().iter().flatten().all(|keys| keys == "........"));
}

#[test]
fn wrong_usage_exits_with_2() {
    for options in [
        &["--player", "python3 player.py"][..],
        &["--player", "exec:"],
        &["--player", "exec:true", "--evaluator", "el-tetris"],
        &["--player", "exec:true", "--player-timeout", "0"],
        &["--player-timeout", "3"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_maxout")).arg("play").args(options).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Does the process with the number in this file end? On a busy machine a killed process may end late.
#[cfg(target_os = "linux")]
fn ends(pid: &Path) -> bool {
    let pid = fs::read_to_string(pid).expect("a number");
    (0..600).any(|_| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        let runs = stat.is_ok_and(|stat| !stat.contains(") Z "));
        if runs {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        !runs
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_a_run_that_waits_for_its_player() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = "exec:sleep 300 & echo $! > child; echo $$ > shell; wait";
    let arguments = ["play", "--console", "simulated", "--view", "none", "--player", player];
    let files = ["--player-timeout", "600", "--log", "new.csv", "--report", "new.html"];
    let mut run = started(&[&arguments[..], &files].concat(), folder.path());
    let shell = folder.path().join("shell");
    wait(60, "the player runs", || fs::read_to_string(&shell).is_ok_and(|pid| pid.ends_with('\n')));
    assert!(folder.path().join("new.csv").exists());
    signal("-INT", run.id());
    // Sooner it would be the same signal.
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(run.try_wait().expect("a child").is_none(), "the first signal asks");
    signal("-TERM", run.id());
    assert_eq!(run.wait().expect("it ends").code(), Some(1));
    assert!(ends(&shell) && ends(&folder.path().join("child")));
    let mut left: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").file_name()).collect();
    left.sort();
    assert_eq!(left, ["child", "shell"], "no file of a run that has not begun, and no lock");
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_of_a_player_is_left_running() {
    // The player and its child sleep through the goodbye.
    let deaf = "sleep 300 & echo $! > child; echo $$ > shell\n".to_owned() + &script(LAST).replace("exit 0", "wait");
    let begun = std::time::Instant::now();
    let game = Game::play(&deaf, "requests", &["--until", "pieces:2"]);
    assert_eq!(game.output.status.code(), Some(0), "{}", game.errors());
    assert!(begun.elapsed().as_secs() < 60);
    assert!(ends(&game.path("shell")) && ends(&game.path("child")));
    let silent = "sleep 300 & echo $! > child; echo $$ > shell; wait";
    let game = Game::play(silent, "", &["--player-timeout", "3"]);
    assert_eq!(game.output.status.code(), Some(1));
    assert!(ends(&game.path("shell")) && ends(&game.path("child")));
}

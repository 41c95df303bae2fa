//! `validate`, `discover` and `ram watch` as a user runs them.

use std::fs;
use std::process::{Command, Output, Stdio};

use maxout_console::Rom;
use maxout_engine::ram::RamMap;

const MOVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/maxout-moved.nes");

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn summary(arguments: &[&str]) -> serde_json::Value {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Some addresses of `cartridge/src/ram-moved.inc`, under their names in the RAM map.
fn assert_is_the_moved_map(map: &RamMap) {
    for (name, address) in [
        ("scratch", 0x10),
        ("rng", 0xE4),
        ("spawnID", 0xE9),
        ("tetriminoX", 0x45),
        ("tetriminoY", 0x44),
        ("playState", 0x43),
        ("levelNumber", 0x40),
        ("lines", 0x58),
        ("score", 0x5A),
        ("gameMode", 0x30),
        ("renderMode", 0xDD),
        ("nextPiece", 0xDF),
        ("demoRepeats", 0x34),
        ("newButtons", 0x1C),
        ("heldButtons2", 0x1F),
        ("statistics", 0x5D0),
        ("playfield", 0x300),
        ("abovePlayfield", 0x3EC),
        ("warmMark", 0x7D0),
    ] {
        assert_eq!(map.entry(name).map(|entry| entry.address), Some(address), "{name}");
    }
    let stayed: Vec<_> = RamMap::tetris_ntsc()
        .entries()
        .iter()
        .filter(|entry| map.entry(&entry.name).is_none_or(|found| found.address == entry.address))
        .map(|entry| entry.name.clone())
        .collect();
    assert!(stayed.is_empty(), "{stayed:?}");
}

#[test]
#[ignore = "experiments and a game on the emulator, half a minute; .ci/run runs it"]
fn the_bot_plays_the_moved_cartridge_with_the_discovered_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("found.toml");
    let map = map.to_str().expect("UTF-8");
    let output = run(&["discover", MOVED, "--write", map]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("63 of 63 entries found"), "{}", text(&output.stdout));

    assert_is_the_moved_map(&RamMap::from_toml(&fs::read_to_string(map).expect("written")).expect("a map"));

    let game = ["--seed", "4", "--until", "pieces:8", "--json"];
    let moved = summary(&[&["play", MOVED, "--force", "--map", map], &game[..]].concat());
    let cartridge = summary(&[&["play"], &game[..]].concat());
    for key in ["frames", "pieces", "score", "desyncs"] {
        assert_eq!(moved[key], cartridge[key], "{key}");
    }
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let [log, movie, made] = ["game.csv", "game.r08", "made.csv"].map(path);
    summary(&[&["play", MOVED, "--force", "--map", map, "--log", &log, "--movie", &movie], &game[..]].concat());
    let with_map = ["--force", "--map", map];
    let verification = summary(&[&["replay", &log, MOVED, "--json"], &with_map[..]].concat());
    assert_eq!(verification["verification"]["first_difference"], serde_json::Value::Null);
    assert_eq!(verification["verification"]["frames"], moved["frames"]);
    let output = run(&[&["convert", &movie, &made, MOVED], &with_map[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    summary(&[&["replay", &movie, MOVED, "--verify", &made, "--past-the-end", "0", "--json"], &with_map[..]].concat());

    // The built-in map does not fit this ROM.
    let output = run(&["replay", &log, MOVED, "--force"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    // A run that has begun has failed.
    let output = run(&[&["play", MOVED, "--force"], &game[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

/// A map file without these entries of the built-in map.
fn part_of_the_map(folder: &std::path::Path, without: &[&str]) -> String {
    let map =
        RamMap::tetris_ntsc().relocated("part", |it| (!without.contains(&it.name.as_str())).then_some(it.address));
    let path = folder.join("part.toml");
    fs::write(&path, map.to_toml()).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// What standard error says about the map; on a slow machine there are lines about the game, too.
fn about_the_map(output: &Output) -> String {
    text(&output.stderr).split_inclusive('\n').filter(|line| line.contains(" has no ")).collect()
}

#[test]
#[ignore = "games and a survey on the emulator; .ci/run runs it"]
fn a_map_without_entries_that_playing_does_not_need_plays_and_says_what_it_cannot_show() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = ["play", "--seed", "4", "--until", "pieces:8", "--json"];
    let whole = summary(&game);
    // Nothing reads these.
    let map = part_of_the_map(folder.path(), &["scratch", "demoIndex", "numberOfPlayers", "warmMark"]);
    let output = run(&[&game[..], &["--map", &map]].concat());
    assert_eq!((output.status.code(), about_the_map(&output)), (Some(0), String::new()));
    // These are only shown.
    let map = part_of_the_map(folder.path(), &["selectingHeight", "statistics", "rng", "activePlayer"]);
    let output = run(&[&game[..], &["--map", &map]].concat());
    let said = format!("{map} has no selectingHeight, rng, statistics: shown as 0, not needed to play\n");
    assert_eq!((output.status.code(), about_the_map(&output)), (Some(0), said));
    let part: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    for key in ["frames", "pieces", "score", "lines", "desyncs"] {
        assert_eq!(part[key], whole[key], "{key}");
    }
    // Without this one nobody can play.
    let map = part_of_the_map(folder.path(), &["playfield"]);
    let output = run(&[&game[..], &["--map", &map]].concat());
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("\"playfield\" is missing"), "{error}");
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn an_entry_that_cannot_be_found_becomes_a_comment_and_the_map_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let [rom, map] = ["never-active.nes", "found.toml"].map(path);
    // A program that never writes activePlayer: STA $B7 becomes two NOPs.
    let mut bytes = Rom::cartridge().bytes().to_vec();
    let stores: Vec<usize> = (0..bytes.len() - 1).filter(|&at| bytes[at..at + 2] == [0x85, 0xB7]).collect();
    assert!(stores.len() > 1, "{stores:?}");
    for at in stores {
        bytes[at..at + 2].fill(0xEA);
    }
    fs::write(&rom, bytes).expect("written");
    let output = run(&["discover", &rom, "--write", &map]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}{}", text(&output.stderr));
    assert!(table.contains("62 of 63 entries found"), "{table}");
    assert!(table.ends_with("play does not need the entries that were not found\n"), "{table}");
    let written = fs::read_to_string(&map).expect("written");
    assert!(written.contains("# activePlayer (1 byte: 1 in a game"), "{written}");
    let found = RamMap::from_toml(&written).expect("a map");
    for entry in found.entries() {
        assert_eq!(
            Some(entry.address),
            RamMap::tetris_ntsc().entry(&entry.name).map(|it| it.address),
            "{}",
            entry.name
        );
    }
    let game = ["--seed", "4", "--until", "pieces:8", "--json"];
    let played = summary(&[&["play", &rom, "--force", "--map", &map], &game[..]].concat());
    assert_eq!(played["frames"], summary(&[&["play"], &game[..]].concat())["frames"]);
}

#[test]
fn ram_watch_prints_the_chosen_bytes_of_every_frame() {
    let output = run(&["ram", "watch", "--addr", "frameCounter", "$17", "--frames", "6"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = "frame,frameCounter,$17\n0,0000,00\n1,0000,00\n2,0000,89\n3,0100,44\n4,0100,44\n5,0200,22\n";
    assert_eq!(text(&output.stdout), rows);
    let output = run(&["ram", "watch", "--addr", "gameMode", "--frames", "300", "--changes"]);
    assert_eq!(text(&output.stdout), "frame,gameMode\n0,00\n267,01\n");

    let folder = tempfile::tempdir().expect("a folder");
    let movie = folder.path().join("movie.fm2");
    let row = |buttons: &str| format!("|0|{buttons}|||\n");
    let rows = [row("........"), row("........"), row("........"), row("R......A")].concat();
    let header = "version 3\nemuVersion 20605\nromFilename game\nromChecksum base64:Ww5XFVjIx5aTe5avRpVhxg==\n\
        guid 00000000-0000-0000-0000-000000000000\nfourscore 0\nport0 1\nport1 0\nport2 0\n";
    fs::write(&movie, format!("{header}{rows}{rows}")).expect("written");
    let movie = movie.to_str().expect("UTF-8");
    let output = run(&["ram", "watch", "--addr", "heldButtons", "--movie", movie, "--changes"]);
    // The first line of a movie is the power-on. The fourth line is a frame without a poll.
    let watched = "frame,heldButtons\n0,00\n6,81\n";
    assert_eq!(text(&output.stdout), watched, "{}", text(&output.stderr));
    for format in ["bk2", "csv", "jsonl.gz"] {
        let made = folder.path().join(format!("made.{format}"));
        let made = made.to_str().expect("UTF-8");
        assert_eq!(run(&["convert", movie, made, "--console", "simulated"]).status.code(), Some(0));
        let output = run(&["ram", "watch", "--addr", "heldButtons", "--movie", made, "--changes"]);
        assert_eq!(text(&output.stdout), watched, "{format}: {}", text(&output.stderr));
    }
    // Each R08 entry is used at the next poll: the boot polls in frames 3, 5 and later.
    let polls = folder.path().join("polls.r08");
    fs::write(&polls, [0x80, 0, 0x81, 0, 0x01, 0]).expect("written");
    let polls = polls.to_str().expect("UTF-8");
    let output = run(&["ram", "watch", "--addr", "heldButtons", "--movie", polls]);
    assert_eq!(text(&output.stdout).lines().count(), 1 + 7, "{}", text(&output.stdout));
    assert!(text(&output.stdout).ends_with("\n3,80\n4,80\n5,81\n6,01\n"), "{}", text(&output.stdout));
}

#[test]
#[ignore = "experiments on the emulator; .ci/run runs it"]
fn a_map_that_play_refuses_does_not_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    let built_in = include_str!("../../crates/engine/config/rammap/tetris-ntsc.toml");
    let (before, after) = built_in.split_once("name = \"tetriminoX\"").expect("the entry");
    let before = &before[..before.rfind("[[entry]]").expect("its table")];
    let after = &after[after.find("[[entry]]").expect("another entry")..];
    fs::write(&map, format!("{before}{after}")).expect("written");
    let map = map.to_str().expect("UTF-8");
    let output = run(&["validate", "--map", map, "--frames", "100"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}{}", text(&output.stderr));
    assert!(table.contains(" 0 failed") && table.contains("play refuses this map: "), "{table}");
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    fs::write(&map, "format = 2\nname = \"x\"\nentry = []\n").expect("written");
    let map = map.to_str().expect("UTF-8");
    for (arguments, words) in [
        (&["validate", "--map", map][..], "format = 1"),
        (&["validate", "--map", "nowhere.toml"], "nowhere.toml"),
        (&["validate", MOVED], "--force"),
        (&["discover", "nowhere.nes"], "nowhere.nes"),
        (&["discover", "--write", "/no/such/folder/m.toml"], "/no/such/folder/m.toml"),
        (&["ram", "watch", "--addr", "score", "--movie", "nowhere.bk2"], "nowhere.bk2"),
        (&["ram", "watch", "--addr", "skore"], "skore"),
        (&["ram", "watch", "--addr", "$0800"], "$07FF"),
    ] {
        let output = run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(words), "{error}");
    }
}

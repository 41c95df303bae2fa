//! `maxout analyze`: positions in, ranked placements out.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::skipped;

/// A well on the right that an I fills: a tetris.
const READY: &str = "#########.\n#########.\n#########.\n#########.\n";
const FACTS: [&str; 8] = ["--piece", "I", "--next", "T", "--level", "19", "--lines", "60"];

fn maxout(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.arg("analyze").args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    maxout(arguments).output().expect("the program starts")
}

fn with_facts(position: &str, more: &[&str]) -> Output {
    run(&[&[position], &FACTS[..], more].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn thousands(points: &Value) -> String {
    maxout_engine::text::thousands(points.as_f64().expect("a number").round() as u64)
}

#[test]
fn a_position_is_not_replaced_by_its_picture_whatever_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let drawing = "..........\n########..\n########..\n";
    std::fs::write(at("a@1.svg"), drawing).expect("written");
    std::fs::write(at("a"), "").expect("written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(["analyze", "a@1.svg", "--piece", "I", "--next", "T", "--level", "18", "--lines", "0"])
        .args(["--playouts", "0", "--picture", "a@1.svg", "--overwrite"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(at("a@1.svg")).expect("kept"), drawing);
}

#[test]
fn the_tetris_is_the_best_and_text_and_json_say_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("field.txt");
    fs::write(&path, READY).expect("written");
    let path = path.to_str().expect("UTF-8");
    let output = with_facts(path, &["--playouts", "20"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let answer = json(&with_facts(path, &["--playouts", "20", "--json"]));
    let choices = answer["choices"].as_array().expect("placements");
    let best = &choices[0];
    assert_eq!(best["placement"]["name"], "I upright 10");
    assert_eq!(best["placement"]["cells"], serde_json::json!([[16, 9], [17, 9], [18, 9], [19, 9]]));
    assert_eq!((&best["clears"], &best["gap"], &best["rank"]), (&4.into(), &0.0.into(), &1.into()));
    for words in [
        "Best: I upright 10".to_owned(),
        format!("{} points expected", thousands(&best["points"])),
        "#########@".to_owned(),
        format!("{} placements within reach", choices.len()),
        format!("-{} ", thousands(&choices[1]["gap"])),
        best["way"].as_str().expect("a text").to_owned(),
        format!("and {} more: --all shows them", choices.len() - 10),
        format!("next 10 pieces: {} points", thousands(&best["played_on"]["points"]["value"])),
    ] {
        assert!(shown.contains(&words), "{words}: {shown}");
    }
    assert!(choices.iter().all(|choice| choice["played_on"]["games"] == 20), "JSON has all");
    let points: Vec<f64> = choices.iter().filter_map(|choice| choice["points"].as_f64()).collect();
    assert!(points.len() == choices.len() && points.is_sorted_by(|a, b| a >= b));
    let all = text(&with_facts(path, &["--all", "--playouts", "0"]).stdout);
    assert!(!all.contains("more:") && all.lines().count() > choices.len() && !all.contains("topout"));
}

/// The buttons of an answer, pressed in the model of the game's rules, lead where the answer says.
#[test]
fn the_buttons_of_every_placement_lead_there() {
    use maxout_engine::game::control::{ControlOutcome, FallingPiece};
    use maxout_engine::game::{Piece, Playfield};
    use maxout_engine::gamepad::Buttons;

    let drawing = "....######\n......####\n#...######\n##.#######\n";
    let arguments = [drawing, "--piece", "T", "--next", "I", "--level", "18", "--lines", "0", "--tap-rate", "12"];
    let answer = json(&run(&[&arguments[..], &["--playouts", "0", "--json"]].concat()));
    let playfield = Playfield::drawn(drawing);
    let mut arrivals = Vec::new();
    for choice in answer["choices"].as_array().expect("placements") {
        let mut piece = FallingPiece::spawned(Piece::T.spawn(), 0);
        let mut held = Buttons::NONE;
        let timeline = choice["timeline"].as_array().expect("frames");
        let (last, before) = timeline.split_last().expect("a frame");
        let mut step = |keys: &Value| {
            let buttons = Buttons::from_keys(keys.as_str().expect("keys")).expect("keys");
            let outcome = piece.step(&playfield, buttons, buttons.newly_pressed(held), 18);
            held = buttons;
            outcome
        };
        assert!(before.iter().all(|keys| step(keys) == ControlOutcome::Falling));
        assert_eq!(step(last), ControlOutcome::Landed);
        let place = &choice["placement"];
        let seen = [i64::from(piece.orientation.id()), i64::from(piece.x), i64::from(piece.y)];
        assert_eq!(seen.map(Value::from), [&place["orientation"], &place["x"], &place["y"]].map(Value::clone));
        arrivals.push(place["arrival"].as_str().expect("a word").to_owned());
    }
    assert!(arrivals.iter().any(|arrival| arrival == "drop") && arrivals.iter().any(|arrival| arrival != "drop"));
}

/// The presses, laid into frames again, are the timeline: however the pieces are moved.
#[test]
fn the_presses_of_every_placement_are_its_timeline() {
    use maxout_engine::gamepad::Buttons;

    let position = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/easy.txt");
    let mut together = 0;
    for style in
        [&["--tap-rate", "12"][..], &["--tap-rate", "X..."], &["--input", "gamepad"], &["--input", "even-frames"]]
    {
        let output = run(&[&[position, "--playouts", "0", "--json"], style].concat());
        let answer = json(&output);
        let choices = answer["choices"].as_array().expect("placements");
        assert!(choices.len() > 10, "{style:?}");
        for choice in choices {
            let number = |value: &Value| value.as_u64().expect("a number") as usize;
            let mut frames = vec![Buttons::NONE; number(&choice["frames"])];
            for press in choice["presses"].as_array().expect("presses") {
                let names = press["buttons"].as_array().expect("buttons");
                let first = number(&press["frame"]);
                together += usize::from(names.len() > 1);
                for name in names {
                    let button = match name.as_str().expect("a name") {
                        "left" => Buttons::LEFT,
                        "right" => Buttons::RIGHT,
                        "down" => Buttons::DOWN,
                        "A" => Buttons::A,
                        "B" => Buttons::B,
                        other => panic!("{other}"),
                    };
                    frames[first..first + number(&press["frames"])].iter_mut().for_each(|frame| *frame |= button);
                }
            }
            let keys: Vec<Value> = frames.iter().map(|buttons| buttons.keys().into()).collect();
            assert_eq!(Value::from(keys), choice["timeline"], "{style:?}: {}", choice["placement"]["name"]);
        }
    }
    assert!(together > 0, "some buttons go down together");
}

#[test]
fn the_same_question_has_the_same_answer_with_any_number_of_threads() {
    let once = with_facts(READY, &["--json", "--playouts", "10"]);
    assert_eq!(once.status.code(), Some(0), "{}", text(&once.stderr));
    for more in [&[][..], &["--think-threads", "2"]] {
        let again = with_facts(READY, &[&["--json", "--playouts", "10"], more].concat());
        assert!(again.stdout == once.stdout, "{more:?}");
    }
    let other = with_facts(READY, &["--json", "--playouts", "10", "--seed", "2"]);
    assert!(other.stdout != once.stdout, "another seed deals other pieces");
}

#[test]
fn standard_input_and_the_notation_of_bits_are_read_too() {
    let drawn = with_facts(READY, &["--json", "--playouts", "0"]).stdout;
    let bits = READY.replace('#', "1").replace('.', "0").replace('\n', "");
    let bits = format!("{bits:0>200}");
    let mut child = maxout(&[&["-"], &FACTS[..], &["--json", "--playouts", "0"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(bits.as_bytes()).expect("written");
    let read = child.wait_with_output().expect("it ends");
    assert!(!drawn.is_empty() && read.stdout == drawn, "{}", text(&read.stderr));
}

#[test]
fn an_unknown_next_piece_has_an_answer_for_each() {
    let arguments = [READY, "--piece", "O", "--next", "unknown", "--level", "19", "--lines", "60", "--playouts", "0"];
    let answer = json(&run(&[&arguments[..], &["--json"]].concat()));
    assert_eq!(answer["position"]["next"], Value::Null);
    let by_next = answer["by_next"].as_array().expect("pieces");
    assert_eq!(by_next.len(), 7);
    let odds: f64 = by_next.iter().filter_map(|by| by["odds"].as_f64()).sum();
    assert!((odds - 1.0).abs() < 0.01, "{odds}");
    let shown = text(&run(&arguments).stdout);
    assert!(shown.contains("next unknown") && shown.contains("Best placement if the next piece were known"), "{shown}");
}

#[test]
fn a_reaction_time_says_what_is_pressed_before() {
    let more = ["--reaction-frames", "18", "--tap-rate", "X....", "--playouts", "0"];
    let answer = json(&with_facts(READY, &[&more[..], &["--json"]].concat()));
    assert_eq!(answer["opening"]["frames"], 18);
    assert_eq!(answer["player"]["tap_rate"], "X....");
    let opening = answer["opening"]["presses"].as_array().expect("presses");
    for choice in answer["choices"].as_array().expect("placements") {
        let presses = choice["presses"].as_array().expect("presses");
        assert!(opening.iter().zip(presses).all(|(a, b)| (&a["frame"], &a["buttons"]) == (&b["frame"], &b["buttons"])));
    }
    let shown = text(&with_facts(READY, &more).stdout);
    assert!(shown.contains("Pressed in the 18 frames before the next piece is used"), "{shown}");
}

#[test]
fn an_explanation_has_only_facts_that_differ() {
    let answer = json(&with_facts(READY, &["--json", "--explain", "--against", "3", "--playouts", "20"]));
    let explanation = &answer["explanation"];
    assert_eq!((&explanation["against"], &explanation["gap"]), (&3.into(), &answer["choices"][2]["gap"]));
    let facts = explanation["facts"].as_array().expect("facts");
    assert!(!facts.is_empty() && facts.iter().all(|fact| fact["best"] != fact["other"]), "{facts:?}");
    assert!(facts.iter().any(|fact| fact["fact"] == "rows cleared now"), "{facts:?}");
    let shown = text(&with_facts(READY, &["--explain", "--playouts", "20"]).stdout);
    assert!(shown.contains("1 I upright 10 against 2 ") && shown.contains("rows cleared now"), "{shown}");
}

#[test]
fn a_picture_is_a_picture_to_other_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let [png, svg] = ["best.png", "best.svg"].map(|name| folder.path().join(name));
    for path in [&png, &svg] {
        let output = with_facts(READY, &["--playouts", "5", "--picture", path.to_str().expect("UTF-8")]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let drawn = fs::read_to_string(&svg).expect("an SVG");
    assert!(drawn.starts_with("<svg ") && drawn.contains("1 I upright 10: "));
    if skipped::program("ffprobe").is_some() {
        let probe = Command::new("ffprobe")
            .args(["-v", "error", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0"])
            .arg(&png)
            .output()
            .expect("ffprobe starts");
        assert_eq!(text(&probe.stdout).trim(), "png,1664", "{}", text(&probe.stderr));
    }
}

#[test]
fn a_piece_without_room_is_the_end_of_the_game() {
    let full = "########..\n".repeat(20);
    let output = with_facts(&full, &["--playouts", "5"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Game over: the piece can reach no placement"));
    let answer = json(&with_facts(&full, &["--json", "--explain", "--reaction-frames", "9"]));
    assert_eq!((&answer["game_over"], &answer["choices"]), (&true.into(), &serde_json::json!([])));
}

#[test]
fn a_piece_that_spawns_in_occupied_cells_is_analysed_wherever_it_is_named() {
    // Full where a T spawns, and free beside it.
    let stack = format!("....##....\n{}", "###.#####.\n".repeat(18));
    let facts = ["--next", "I", "--level", "18", "--lines", "10", "--playouts", "0", "--json"];
    let answer = |position: &str, more: &[&str]| {
        let output = run(&[&[position], &facts[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let named = format!("piece T\n{stack}");
    let by_flag = answer(&stack, &["--piece", "T"]);
    assert!(by_flag["choices"].as_array().is_some_and(|choices| !choices.is_empty()));
    assert_eq!(by_flag, answer(&named, &[]));
    assert_eq!(answer(&stack, &["--piece", "I"]), answer(&named, &["--piece", "I"]));
}

/// Exit code 2, one line on standard error with all of these words, and nothing else.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(words.iter().all(|word| error.contains(word)), "{arguments:?} should name {words:?}: {error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn what_is_wrong_or_missing_is_said_in_one_line() {
    refused(&[READY], &["does not tell the falling piece", "--piece"]);
    refused(&[READY, "--piece", "T"], &["does not tell the next piece", "--next"]);
    refused(&[READY, "--piece", "T", "--next", "I"], &["does not tell the level", "--level"]);
    refused(&[READY, "--piece", "T", "--next", "I", "--level", "19"], &["number of lines", "--lines"]);
    let facts = |position: &'static str, more: &[&'static str]| [&[position], &FACTS[..], more].concat();
    refused(&facts("#########\n", &[]), &["line 1", "10"]);
    refused(&facts("##########\n", &[]), &["row"]);
    refused(&facts("no-such-file.png", &[]), &["no-such-file.png"]);
    refused(&facts(READY, &["--input", "drag"]), &["drag"]);
    refused(&facts(READY, &["--think", "10"]), &["fixed:1 to fixed:5", "10 ms"]);
    refused(&facts(READY, &["--filter", "well"]), &["filter"]);
    refused(&facts(READY, &["--picture", "a.jpg"]), &["a.jpg", ".svg or .png"]);
    refused(&facts(READY, &["--playouts", "0", "--explain", "--against", "900"]), &["--against", "900"]);
    refused(&facts(READY, &["--interactive"]), &["--interactive needs a terminal"]);
    let mut level = facts(READY, &[]);
    level[8] = "200";
    refused(&level, &["level 19", "200"]);
}

#[test]
fn a_next_piece_that_ends_the_game_is_said() {
    let position = format!("####..####\n{}", "#########.\n.#########\n".repeat(9));
    let facts = |next| ["--piece", "I", "--next", next, "--level", "18", "--lines", "0", "--playouts", "0"];
    let shown = |next| text(&run(&[&[position.as_str()], &facts(next)[..]].concat()).stdout);
    assert!(shown("O").contains("then O: game over\n"), "{}", shown("O"));
    // An I is turned out of the occupied cells at its spawn.
    assert!(shown("I").contains("then I upright 6\n"), "{}", shown("I"));
}

#[test]
fn a_flag_that_differs_from_the_input_is_said() {
    let position = format!("{READY}piece T\nlevel 18\n");
    let output = run(&[&[position.as_str()], &FACTS[..], &["--playouts", "0", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("--piece I: the input says T") && said.contains("--level 19: the input says 18"), "{said}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["position"]["piece"], &answer["position"]["level"]), (&"I".into(), &19.into()));
}

/// Two frames of a game of ours: the answer is about the position that the log has there.
#[test]
fn a_frame_of_a_log_is_a_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.csv");
    let log = log.to_str().expect("UTF-8");
    let play = ["play", "--console", "simulated", "--view", "none", "--until", "frames:1500", "--log", log];
    let played = Command::new(env!("CARGO_BIN_EXE_maxout")).args(play).output().expect("the program starts");
    assert!(played.status.success(), "{}", text(&played.stderr));
    // In some frames no piece falls.
    let analyze = |frame: u32| run(&[&format!("{log}@{frame}"), "--playouts", "0", "--json"]);
    let output = (1410..1450).step_by(5).map(analyze).find(|output| output.status.success()).expect("a falling piece");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["position"]["level"], 19);
    assert!(answer["choices"].as_array().is_some_and(|choices| !choices.is_empty()));
    let untouched = fs::read(log).expect("the log");
    let over = run(&[&format!("{log}@1410"), "--picture", log]);
    assert_eq!(over.status.code(), Some(2), "a picture is no log: {}", text(&over.stderr));
    assert!(fs::read(log).expect("the log") == untouched);
}

/// Plays one placement in a terminal and leaves.
#[test]
#[cfg(target_os = "linux")]
fn a_position_is_played_on_in_a_terminal() {
    if skipped::program("script").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (field, shown) = (folder.path().join("field.txt"), folder.path().join("shown"));
    fs::write(&field, READY).expect("written");
    let program = env!("CARGO_BIN_EXE_maxout");
    let line =
        format!("stty rows 30 cols 120; exec {program} analyze {} {} --interactive", field.display(), FACTS.join(" "));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-f", "-c", &line]).arg(&shown).env("SHELL", "/bin/sh").env("TERM", "xterm");
    let mut terminal = script.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("script starts");
    let mut keys = terminal.stdin.take().expect("a pipe");
    let mut press = |key: &str, words: &str| {
        keys.write_all(key.as_bytes()).and_then(|()| keys.flush()).expect("a key");
        super::waiting::wait(60, words, || has(&shown, words));
    };
    press("", "I falls, next T");
    press("h", "best:  I upright 10");
    press("pppppppppppppppppppppppppppppppppp", "yours: I upright 10, 1 of");
    press("\r", "T falls");
    press("", "1 played, 0 points behind the best");
    press("u", "0 played");
    keys.write_all(b"q").expect("a key");
    assert!(terminal.wait().expect("it ends").success());
}

#[cfg(target_os = "linux")]
fn has(shown: &Path, words: &str) -> bool {
    fs::read(shown).is_ok_and(|shown| String::from_utf8_lossy(&shown).contains(words))
}

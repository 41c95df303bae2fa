//! Our movies, checked by the emulator that defines their format: FCEUX plays a whole game of ours
//! on the cartridge, and its RAM is compared with our console's after every frame. So are the columns
//! of the run's log, including which frames lag.
//!
//! If FCEUX is not installed, the test says so.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::{Console, Reset};
use maxout_engine::game::memory::Ram;
use maxout_engine::game::memory::address::{SCORE, SCORE_SIZE};
use maxout_engine::game::simulation::{HALF_SPEED, Simulation};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap, RamSnapshot};
use maxout_formats::fm2::{Movie, Step, line_of_call};
use maxout_formats::frame_log::{LogOptions, LogReader, LogShape};
use maxout_formats::replay::LogCheck;
use maxout_formats::{Format, PlayedStep, Provenance, RunWriter};

use crate::skipped;
use crate::whole_game::{WholeGame, whole_game};

/// The bytes above the stack pointer hold the places in the waiting loop at which interrupts came.
/// They depend on the exact cycle in each emulator, and no program reads them.
const STACK: std::ops::Range<usize> = 0x0100..0x0200;

fn decoder() -> Decoder {
    Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map")
}

/// The state of FCEUX after a line.
struct Dumped {
    lag: bool,
    ram: Ram,
}

/// Plays a movie in FCEUX. Returns the state after every line, line 0 first.
fn play_in_fceux(program: &Path, folder: &Path, lines: usize) -> Vec<Dumped> {
    let dump = folder.join("ram.bin");
    // The file that a user gets to play a movie elsewhere.
    let cartridge = folder.join("maxout.nes");
    let maxout = env!("CARGO_BIN_EXE_maxout");
    let written = Command::new(maxout).args(["rom", "--write"]).arg(&cartridge).output().expect("maxout starts");
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console/fceux/dump.lua");
    let status = Command::new("timeout")
        .arg("300")
        .arg(program)
        .args(["--no-config", "1", "--sound", "0", "--videoDriver", "2", "--playmov"])
        .arg(folder.join("game.fm2"))
        .arg("--loadlua")
        .arg(script)
        .arg(cartridge)
        .env("HOME", folder)
        .env("FCEUX_HOME", folder)
        .env("QT_QPA_PLATFORM", "offscreen")
        .env("SDL_VIDEODRIVER", "dummy")
        .env("SDL_AUDIODRIVER", "dummy")
        .env("MAXOUT_DUMP", &dump)
        .env("MAXOUT_FRAMES", lines.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("FCEUX can be started");
    let bytes = fs::read(&dump).unwrap_or_else(|error| panic!("FCEUX left no dump ({status}): {error}"));
    let dumped = |chunk: &[u8]| Dumped { lag: chunk[0] == 1, ram: chunk[1..].try_into().expect("2048 bytes") };
    bytes.chunks_exact(2049).map(dumped).collect()
}

#[test]
#[ignore = "a whole game in FCEUX; .ci/run runs it"]
fn fceux_plays_our_movie_of_a_whole_game_to_999_999_as_we_do() {
    let Some(program) = skipped::program("fceux") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let WholeGame { buttons, rams: ours, movie, log } = whole_game();
    fs::write(folder.path().join("game.fm2"), movie).expect("written");
    fs::write(folder.path().join("game.csv"), log).expect("written");
    let theirs = play_in_fceux(&program, folder.path(), ours.len() + 1);
    assert_eq!(theirs.len(), ours.len() + 1, "FCEUX played every line");
    let mut in_stack = 0;
    for (call, ours) in ours.iter().enumerate() {
        let theirs = &theirs[line_of_call(call as u64, 1) as usize];
        for (address, (ours, theirs)) in ours.iter().zip(&theirs.ram).enumerate() {
            if ours == theirs {
                continue;
            }
            assert!(
                STACK.contains(&address),
                "call {call}, ${address:04X}: FCEUX has ${theirs:02X}, our console ${ours:02X}"
            );
            in_stack += 1;
        }
    }
    let last = theirs.last().expect("there are lines");
    assert_eq!(last.ram[SCORE..SCORE + SCORE_SIZE], [0x99; 3], "the score in FCEUX");
    // The log of the run on the model, compared with FCEUX.
    let log = LogReader::open(&folder.path().join("game.csv"), LogShape::Csv).expect("a log");
    let mut check = LogCheck::new(log);
    for (call, &buttons) in buttons.iter().enumerate() {
        let theirs = &theirs[line_of_call(call as u64, 1) as usize];
        let snapshot = decoder().decode(&theirs.ram).expect("possible values");
        let frame = PlayedStep::Frame { buttons, polled: !theirs.lag, writes: &[], snapshot: &snapshot };
        check.take(&frame).expect("a log");
    }
    let verification = check.finish().expect("a log");
    assert_eq!(verification.first_difference, None, "our log against FCEUX");
    println!("{} frames with {} values of the log compared", verification.frames, verification.values);
    println!("{} frames of 2048 bytes compared, {in_stack} stack bytes differ", ours.len());
}

/// Plays `game.fm2` in FCEUX: the first frame that has what is wanted is this one, with this score.
fn reaches_its_goal_in_fceux(folder: &Path, frame: usize, score: u64, is_goal: impl Fn(&RamSnapshot) -> bool) {
    let Some(program) = skipped::program("fceux") else { return };
    // Line 0 comes before frame 0.
    let theirs = play_in_fceux(&program, folder, frame + 2);
    let all: Vec<RamSnapshot> =
        theirs.iter().map(|dumped| decoder().decode(&dumped.ram).expect("possible values")).collect();
    assert_eq!(all.iter().position(is_goal), Some(frame + 1));
    assert_eq!(u64::from(all[frame + 1].score), score);
}

#[test]
#[ignore = "a tool-assisted game in FCEUX; .ci/run runs it"]
fn fceux_plays_our_fastest_movie_to_999_999_in_its_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let movie = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/movies/fastest-999999.fm2");
    let text = std::fs::read_to_string(movie).expect("the movie is there");
    std::fs::write(folder.path().join("game.fm2"), &text).expect("written");
    // Its last line is the frame of the goal.
    let lines = text.lines().filter(|line| line.starts_with('|')).count();
    reaches_its_goal_in_fceux(folder.path(), lines - 2, 999_999, |snapshot| snapshot.score >= 999_999);
}

#[test]
#[ignore = "a tool-assisted game in FCEUX; .ci/run runs it"]
fn fceux_plays_a_tool_assisted_b_type_game_to_its_end_in_its_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut search = Command::new(env!("CARGO_BIN_EXE_maxout"));
    let goal = ["--goal", "b-type:5", "--start-level", "19"];
    search.arg("tas").args(goal).args(["--width", "60", "--json", "--movie", "game.fm2"]);
    let found = search.current_dir(folder.path()).output().expect("maxout starts");
    let found: serde_json::Value = serde_json::from_slice(&found.stdout).expect("a summary");
    let frame = found["frame"].as_u64().expect("a frame") as usize;
    let score = found["score"].as_u64().expect("points");
    // Before the game all lines are 0, too.
    reaches_its_goal_in_fceux(folder.path(), frame, score, |snapshot| snapshot.lines == 0 && snapshot.score > 0);
}

/// Writes a movie of a few pieces on the cartridge, a reset in the middle of the game, and a few pieces more. The RAM
/// after every call, and the first call after the reset.
fn record_with_a_reset(folder: &Path) -> (Vec<Ram>, usize) {
    let rom = Rom::cartridge();
    let provenance = Provenance::new(rom.name(), [&format!("{:08x}", rom.crc32), &rom.md5, &rom.sha1], "tetanes-core");
    let path = folder.join("game.fm2");
    let mut movie =
        RunWriter::create(&path, Format::Fm2.into(), &provenance.closed(None), LogOptions::default()).expect("a file");
    let mut console = Emulator::new(&rom).expect("the cartridge runs");
    let (mut rams, mut calls_before) = (Vec::new(), 0);
    for seed in [3, 4] {
        if seed == 4 {
            calls_before = rams.len();
            console.reset(Reset::Button);
            movie.take(&PlayedStep::Reset).expect("written");
        }
        let search = Search::new(handmade::by_name("el-tetris", None).expect("built in"), Settings::default());
        let mut pilot = Pilot::new(Box::new(search), 19, seed);
        if seed == 4 {
            pilot.restart();
        }
        let mut run = Run::new(&mut console, decoder(), pilot, Goal::Pieces(12));
        loop {
            let report = run.frame().expect("a frame");
            movie.take(&PlayedStep::from(&report)).expect("written");
            let is_over = report.outcome.is_some();
            rams.push(*run.console().ram());
            if is_over {
                break;
            }
        }
    }
    movie.finish().expect("written");
    (rams, calls_before)
}

#[test]
fn fceux_plays_a_movie_with_a_reset_as_we_do() {
    let Some(program) = skipped::program("fceux") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, calls_before) = record_with_a_reset(folder.path());
    assert!(calls_before > 500 && ours.len() > calls_before + 500, "{calls_before} of {} frames", ours.len());
    let theirs = play_in_fceux(&program, folder.path(), ours.len() + 2);
    assert_eq!(theirs.len(), ours.len() + 2, "FCEUX played every line");
    let mut compared = 0;
    for (call, ours) in ours.iter().enumerate() {
        let boots = if call < calls_before { 1 } else { 2 };
        let theirs = &theirs[line_of_call(call as u64, boots) as usize];
        for (address, (ours, theirs)) in ours.iter().zip(&theirs.ram).enumerate() {
            let is_compared = !STACK.contains(&address);
            assert!(
                !is_compared || ours == theirs,
                "call {call}, ${address:04X}: FCEUX has ${theirs:02X}, our console ${ours:02X}"
            );
            compared += usize::from(is_compared);
        }
    }
    println!("{} frames compared, {compared} bytes", ours.len());
}

/// A tool-assisted movie has what no other of ours has: opposite directions, half speed, and stops by Start.
#[test]
#[ignore = "a tool-assisted game in FCEUX; .ci/run runs it"]
fn fceux_plays_a_tool_assisted_movie_as_our_consoles_do() {
    let Some(program) = skipped::program("fceux") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (slow, fast) = (at("slow.csv"), at("game.fm2"));
    // The same placements as in an honest game: each piece has to be waited for.
    let play = "play --console simulated --view none --evaluator el-tetris --start-level 18 --until lines:12 --log";
    let improve = "tas --console simulated --goal lines:12 --width 300 --shape 1 --across 0 --improve";
    for (command, files) in [(play, vec![&slow]), (improve, vec![&slow, &"--movie".to_owned(), &fast])] {
        let mut maxout = Command::new(env!("CARGO_BIN_EXE_maxout"));
        let done = maxout.args(command.split(' ')).args(files).output().expect("maxout starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let pressed = |step| match step {
        Step::Frame(buttons) => buttons,
        other => panic!("no {other:?} in it"),
    };
    let buttons: Vec<Buttons> = Movie::open(Path::new(&fast)).expect("a movie").steps().map(pressed).collect();

    let (mut model, mut cartridge) =
        (Simulation::power_on(), Emulator::new(&Rom::cartridge()).expect("the cartridge runs"));
    let (mut stops, mut halves) = (0, 0);
    let theirs = play_in_fceux(&program, folder.path(), buttons.len() + 1);
    assert_eq!(theirs.len(), buttons.len() + 1, "FCEUX played every line");
    for (call, &buttons) in buttons.iter().enumerate() {
        cartridge.step(buttons).expect("the cartridge runs");
        if model.in_game() {
            stops += u32::from(buttons.contains(Buttons::START));
            halves += u32::from(buttons == HALF_SPEED);
        }
        model.step(buttons);
        let theirs = &theirs[line_of_call(call as u64, 1) as usize].ram;
        let ours = cartridge.ram();
        let different = (0..ours.len()).find(|&at| !STACK.contains(&at) && ours[at] != theirs[at]);
        assert_eq!(different, None, "call {call}: address");
        assert_eq!(theirs[SCORE..SCORE + SCORE_SIZE], model.ram()[SCORE..SCORE + SCORE_SIZE], "call {call}: score");
    }
    assert!(stops >= 10 && halves > 20, "{stops} presses of Start, {halves} frames at half speed");
    assert_eq!(model.progress().lines(), 12);
    println!("{} frames compared, {stops} presses of Start, {halves} frames at half speed", buttons.len());
}

//! Movies that we write, judged by the emulator that owns their format: FCEUX plays a whole
//! game of ours on the cartridge, and its RAM is compared with our console's after every frame.
//!
//! Where FCEUX is not installed the test says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use maxout::bot::{Flow, FrameReport, FrameSink, Goal, Outcome, Pilot, SinkError, run};
use maxout::console::{Console, Emulator, Rom, Simulated};
use maxout::eval;
use maxout::game::simulation::Ram;
use maxout::gamepad::Buttons;
use maxout::planner::{Search, Settings};
use maxout::ram::{Decoder, RamMap};
use maxout::record::fm2::{Header, MovieWriter, PowerOnRam, Step, line_of_call};

/// Above the stack pointer lie the places in the waiting loop at which interrupts came, which
/// depend on the emulators' clocks to the cycle; no program reads them.
const STACK: std::ops::Range<usize> = 0x0100..0x0200;

fn fceux() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Debian puts games where not every PATH leads.
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("fceux")).find(|program| program.is_file())
}

/// Writes the movie as the game runs.
struct Recording {
    movie: MovieWriter<fs::File>,
    buttons: Vec<Buttons>,
}

impl FrameSink for Recording {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.movie.step(Step::Frame(report.buttons)).expect("the movie can be written");
        self.buttons.push(report.buttons);
        Ok(Flow::Continue)
    }
}

/// Plays until the goal; the movie is in `folder`, and RAM after every call on the cartridge is
/// returned.
fn record(folder: &Path, seed: u64, goal: Goal) -> Vec<Ram> {
    let rom = Rom::cartridge();
    let mut header = Header::new("maxout.nes", md5(&rom), "maxout");
    header.power_on_ram = PowerOnRam::Zeros;
    let file = fs::File::create(folder.join("game.fm2")).expect("a file");
    let movie = MovieWriter::new(file, header).expect("the movie can be written");
    let mut recording = Recording { movie, buttons: Vec::new() };
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let search = Search::new(eval::by_name("birken-v2", None).expect("built in"), Settings::default());
    let mut pilot = Pilot::new(Box::new(search), 19, seed);
    let stop = AtomicBool::new(false);
    // The model is quicker to play on; the cartridge follows its buttons.
    let finished = run(&mut Simulated::power_on(), &decoder, &mut pilot, goal, &mut [&mut recording], &stop)
        .expect("the game is played");
    assert_eq!(finished.outcome, Outcome::Goal, "seed {seed} is a game that gets there");
    recording.movie.finish().expect("the movie can be written");
    let mut console = Emulator::new(&rom).expect("the cartridge runs");
    let step = |&buttons| {
        console.step(buttons).expect("the cartridge runs");
        *console.ram()
    };
    recording.buttons.iter().map(step).collect()
}

fn md5(rom: &Rom) -> [u8; 16] {
    std::array::from_fn(|index| u8::from_str_radix(&rom.md5[2 * index..2 * index + 2], 16).expect("hexadecimal"))
}

/// Plays a movie in FCEUX; RAM after every line, line 0 first.
fn play_in_fceux(program: &Path, folder: &Path, lines: usize) -> Vec<Ram> {
    let dump = folder.join("ram.bin");
    let cartridge = folder.join("maxout.nes");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("cartridge/maxout.nes"), &cartridge).expect("a copy");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fceux/dump.lua");
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
    bytes.chunks_exact(2048).map(|chunk| chunk.try_into().expect("2048 bytes")).collect()
}

#[test]
fn fceux_plays_our_movie_of_a_whole_game_to_999_999_as_we_do() {
    let Some(program) = fceux() else {
        eprintln!("skipped: fceux is not installed");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let ours = record(folder.path(), 7, Goal::Maxout);
    let theirs = play_in_fceux(&program, folder.path(), ours.len() + 1);
    assert_eq!(theirs.len(), ours.len() + 1, "FCEUX played every line");
    let mut in_stack = 0;
    for (call, ours) in ours.iter().enumerate() {
        let theirs = &theirs[line_of_call(call as u64, 1) as usize];
        for (address, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
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
    assert_eq!(last[0x73..0x76], [0x99; 3], "the score in FCEUX");
    println!("{} frames of 2048 bytes compared, {in_stack} stack bytes differ", ours.len());
}

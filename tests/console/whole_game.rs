//! A whole game on the cartridge, played once for all tests that need one.

use std::fs;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use maxout_console::Rom;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Goal, Outcome, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::memory::Ram;
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::frame_log::LogOptions;
use maxout_formats::{Format, Provenance, RunWriter};

use crate::polled::Pair;

/// Notes the buttons as the game runs.
struct Pressed(Vec<Buttons>);

impl FrameSink for Pressed {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.0.push(report.buttons);
        Ok(Flow::Continue)
    }
}

/// A whole game to 999,999 on the cartridge, and its movie and log.
pub struct WholeGame {
    pub buttons: Vec<Buttons>,
    /// The RAM after every call.
    pub rams: Vec<Ram>,
    pub movie: Vec<u8>,
    pub log: Vec<u8>,
}

/// Plays it once for all tests. Model and cartridge get the same buttons and must poll in the same frames.
pub fn whole_game() -> &'static WholeGame {
    static GAME: LazyLock<WholeGame> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let rom = Rom::cartridge();
        let crc32 = format!("{:08x}", rom.crc32);
        let provenance = Provenance::new(rom.name(), [&crc32, &rom.md5, &rom.sha1], "simulated").closed(None);
        let writer = |name: &str, format: Format| {
            let options = LogOptions { cells: true, cheats: false };
            RunWriter::create(&folder.path().join(name), format.into(), &provenance, options).expect("a file")
        };
        let (mut movie, mut log) = (writer("game.fm2", Format::Fm2), writer("game.csv", Format::Csv));
        let mut pressed = Pressed(Vec::new());
        let search = Search::new(handmade::by_name("birken-v2", None).expect("built in"), Settings::default());
        let pilot = Pilot::new(Box::new(search), 19, 7);
        let stop = AtomicBool::new(false);
        // The bot plays on the model, which is faster; the cartridge gets the same buttons.
        let sinks: &mut [&mut dyn FrameSink] = &mut [&mut movie, &mut log, &mut pressed];
        let mut run = Run::new(
            Simulated::power_on(),
            Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map"),
            pilot,
            Goal::Maxout,
        );
        let finished = run.play(sinks, &stop).expect("the game is played");
        assert_eq!(finished.outcome, Outcome::Goal, "this is a game that gets there");
        let mut pair = Pair::power_on();
        let step = |&buttons| {
            pair.step(buttons);
            *pair.cartridge.ram()
        };
        let rams = pressed.0.iter().map(step).collect();
        println!("{} frames agree, lag frames {:?}", pair.frames, pair.lag_frames);
        assert_eq!(pair.lag_frames[..4], [0, 1, 2, 4], "the boot");
        let bytes = |name: &str| fs::read(folder.path().join(name)).expect("a file");
        WholeGame { buttons: pressed.0, rams, movie: bytes("game.fm2"), log: bytes("game.csv") }
    });
    &GAME
}

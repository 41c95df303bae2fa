//! Faults between bot and game: each one is noticed and counted, and the bot plays on.

use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Error};
use maxout_engine::game::memory::address::{GAME_MODE, GAME_MODE_STATE, PLAY_STATE, TETRIMINO_X, TETRIMINO_Y};
use maxout_engine::game::memory::{GameMode, GameModeState, PlayState};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

/// A fault between the bot and the console.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Every 40th press of a direction while a piece falls is lost.
    LostPress,
    /// Every 100th frame under control the piece jumps one column to the right.
    JumpingPiece,
}

struct Faulty {
    console: Emulator,
    fault: Fault,
    count: u32,
    faults: u32,
}

impl Console for Faulty {
    maxout_engine::pass_on!(self.console, but step);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        let in_control = self.ram()[PLAY_STATE] == PlayState::Control.byte()
            && self.ram()[GAME_MODE] == GameMode::Play.byte()
            && self.ram()[GAME_MODE_STATE] == GameModeState::Running.byte();
        let pressed = buttons.intersects(Buttons::LEFT | Buttons::RIGHT);
        let mut buttons = buttons;
        match self.fault {
            Fault::LostPress if in_control && pressed => {
                self.count += 1;
                if self.count.is_multiple_of(40) {
                    self.faults += 1;
                    buttons = Buttons::NONE;
                }
            }
            Fault::JumpingPiece if in_control => {
                self.count += 1;
                let (x, y) = (self.ram()[TETRIMINO_X], self.ram()[TETRIMINO_Y]);
                if self.count.is_multiple_of(100) && x < 6 && (2..8).contains(&y) {
                    self.faults += 1;
                    self.poke(TETRIMINO_X as u16, x + 1);
                }
            }
            _ => {}
        }
        self.console.step(buttons)
    }
}

/// Counts the desyncs and plans that listeners see.
#[derive(Default)]
struct Ears {
    desyncs: u32,
    planned: u32,
}

impl FrameSink for Ears {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let count = |wanted: fn(&Event) -> bool| report.events.iter().filter(|event| wanted(event)).count() as u32;
        self.desyncs += count(|event| matches!(event, Event::Desync(_)));
        self.planned += count(|event| matches!(event, Event::Planned));
        Ok(Flow::Continue)
    }
}

fn play_with(fault: Fault) {
    let console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let console = Faulty { console, fault, count: 0, faults: 0 };
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let search = Search::new(handmade::by_name("birken-v2", None).expect("embedded weights"), Settings::default());
    let pilot = Pilot::new(Box::new(search), 19, 3);
    let mut ears = Ears::default();
    let stop = AtomicBool::new(false);
    let mut run = Run::new(console, decoder, pilot, Goal::Pieces(60));
    let finished = run.play(&mut [&mut ears], &stop).expect("the run goes on");
    let console = run.console();
    assert!(console.faults >= 2, "the test disturbs: {} faults", console.faults);
    assert_eq!(finished.tally.desyncs, console.faults, "one desync for each fault");
    assert_eq!(ears.desyncs, console.faults);
    assert!(ears.planned >= finished.tally.pieces + console.faults, "each fault is planned anew");
}

#[test]
fn a_lost_press_is_one_desync_and_a_new_plan() {
    play_with(Fault::LostPress);
}

#[test]
fn a_piece_that_jumps_is_one_desync_and_a_new_plan() {
    play_with(Fault::JumpingPiece);
}

//! A run in the middle of a game, for the tests of this crate.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::model::{RunHeader, ViewModel};
use maxout_engine::bot::{Event, FrameReport, Tally};
use maxout_engine::clock::Clock;
use maxout_engine::game::memory::address::{
    COUNT_SIZE, CURRENT_PIECE, GAME_MODE, GAME_MODE_STATE, LEVEL_NUMBER, LINES, NEXT_PIECE, PAGE, PLAY_STATE,
    PLAYFIELD, RENDER_MODE, SCORE, SCORE_SIZE, STATISTICS, TETRIMINO_X, TETRIMINO_Y,
};
use maxout_engine::game::memory::{GameMode, GameModeState, PlayState, RenderMode, tile};
use maxout_engine::game::{Orientation, Piece, Placement, Playfield};
use maxout_engine::gamepad::{Buttons, InputTimeline};
use maxout_engine::planner::{Alternative, Plan};
use maxout_engine::ram::{Decoder, RAM_SIZE, Ram, RamMap, RamSnapshot};

/// What the playfield holds: 1 is a white cell, 2 the second colour, 3 the first.
const DRAWING: &str = "
    ......1...
    .3....111.
    .33322.11.
    1333221121
    1133112231
    213311223.
    333221122.
    112233112.
    111223322.
";

/// RAM of a game at level 20 with a falling L.
pub(super) fn ram() -> Ram {
    let mut ram = [0; RAM_SIZE];
    ram[PLAYFIELD..PLAYFIELD + PAGE].fill(tile::EMPTY);
    let rows: Vec<&str> = DRAWING.split_whitespace().collect();
    let tiles = HashMap::from([(b'.', tile::EMPTY), (b'1', tile::WHITE), (b'2', tile::SECOND), (b'3', tile::FIRST)]);
    let cells = rows.iter().flat_map(|row| row.bytes());
    for (address, cell) in (PLAYFIELD + (20 - rows.len()) * 10..).zip(cells) {
        ram[address] = tiles[&cell];
    }
    ram[GAME_MODE] = GameMode::Play.byte();
    ram[GAME_MODE_STATE] = GameModeState::Running.byte();
    ram[RENDER_MODE] = RenderMode::Play.byte();
    ram[PLAY_STATE] = PlayState::Control.byte();
    (ram[TETRIMINO_X], ram[TETRIMINO_Y], ram[CURRENT_PIECE]) = (6, 4, 0x0E);
    ram[NEXT_PIECE] = Piece::I.spawn().id();
    ram[LEVEL_NUMBER] = 20;
    ram[LINES] = 0x57;
    ram[SCORE..SCORE + SCORE_SIZE].copy_from_slice(&[0x00, 0x24, 0x31]);
    for (piece, count) in [0x21, 0x19, 0x23, 0x18, 0x22, 0x20, 0x17].into_iter().enumerate() {
        ram[STATISTICS + COUNT_SIZE * piece] = count;
    }
    ram
}

pub(super) fn snapshot(ram: &Ram) -> RamSnapshot {
    Decoder::new(&RamMap::tetris_ntsc()).expect("default map").decode(ram).expect("possible values")
}

fn orientation(id: u8) -> Orientation {
    Orientation::from_id(id).expect("an orientation")
}

/// The L goes to the left, the I into the well.
pub(super) fn plan() -> Plan {
    let alternative =
        |id, x, y, value| Alternative { placement: Placement { orientation: orientation(id), x, y }, value };
    Plan {
        placement: Placement { orientation: orientation(0x0F), x: 4, y: 11 },
        next_placement: Some(Placement { orientation: orientation(0x11), x: 9, y: 18 }),
        timeline: InputTimeline::new(vec![Buttons::LEFT | Buttons::A]),
        cheat: None,
        foreseen: None,
        promises: Vec::new(),
        playfield: Playfield::EMPTY,
        clears: 0,
        lock: None,
        value: -31.27,
        alternatives: vec![
            alternative(0x0E, 3, 12, -31.94),
            alternative(0x0D, 8, 10, -38.4),
            alternative(0x10, 1, 11, -40.06),
            alternative(0x10, 5, 11, -52.0),
        ],
        reachable: 34,
        effort: Default::default(),
    }
}

pub(super) fn tally() -> Tally {
    Tally { pieces: 140, clears: [5, 4, 0, 11], drought: 4, desyncs: 0, uncapped: 312_400, ..Tally::default() }
}

/// Hands a report of a frame to `take`.
pub(super) fn report<T>(frame: u64, events: &[Event], take: impl FnOnce(&FrameReport<'_>) -> T) -> T {
    report_of(&snapshot(&ram()), Some(&plan()), frame, events, take)
}

/// The same with another snapshot and plan.
pub(super) fn report_of<T>(
    snapshot: &RamSnapshot,
    plan: Option<&Plan>,
    frame: u64,
    events: &[Event],
    take: impl FnOnce(&FrameReport<'_>) -> T,
) -> T {
    let buttons = Buttons::LEFT | Buttons::A;
    take(&FrameReport {
        frame,
        reset: None,
        buttons,
        pokes: &[],
        polled: true,
        snapshot,
        plan,
        events,
        tally: &tally(),
        games: &[],
        thought: None,
        picture: None,
        failure: None,
        outcome: None,
    })
}

pub(super) fn header() -> RunHeader {
    RunHeader {
        rom: "maxout cartridge".to_owned(),
        seed: "seed $8988".to_owned(),
        evaluator: "linear".to_owned(),
        unit: String::new(),
        input: "30 Hz".to_owned(),
        mark: None,
        start_level: 18,
        menu_frames: Some(990),
        until: "999,999".to_owned(),
    }
}

/// The model after a few frames of that game.
pub(super) fn model() -> ViewModel {
    let mut model = ViewModel::new(header());
    report(310, &[Event::GameStart], |report| model.update(report));
    report(2_730, &[Event::Clear(4)], |report| model.update(report));
    report(3_811, &[Event::LevelUp(20)], |report| model.update(report));
    report(4_240, &[Event::Clear(4)], |report| model.update(report));
    report(4_321, &[], |report| model.update(report));
    model.frames_per_second = Some(240.2);
    model.speed = super::Speed::Times(4);
    model
}

/// A clock that is set by hand. Its clones are the same clock.
#[cfg(any(feature = "terminal", feature = "window"))]
#[derive(Debug, Clone, Default)]
pub(super) struct HandClock(Arc<AtomicU64>);

#[cfg(any(feature = "terminal", feature = "window"))]
impl HandClock {
    pub(super) fn boxed(&self) -> Box<dyn Clock> {
        Box::new(self.clone())
    }

    /// Lets this time pass.
    #[cfg(feature = "terminal")]
    pub(super) fn pass(&self, time: Duration) {
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

#[cfg(any(feature = "terminal", feature = "window"))]
impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

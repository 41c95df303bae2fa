//! One frame of a trace, and how its ranges of RAM are listed.

use maxout_engine::game::memory::address::{
    BELOW_PLAYFIELD, GAME_MODE, GAME_MODE_STATE, HIGH_SCORE_NAMES, PAGE, PLAYER_USED, PLAYFIELD, RENDER_MODE,
    STATISTICS, STATISTICS_SIZE, WARM_MARK, WARM_MARK_SIZE, WORKING_COPY,
};
use maxout_engine::game::memory::{GameMode, GameModeState, RAM_SIZE, RenderMode};
use maxout_engine::gamepad::Buttons;

/// A range of RAM that rows list when it changed.
pub(super) struct Field {
    pub letter: &'static str,
    pub address: usize,
    pub length: usize,
}

pub(super) const FIELDS: [Field; 4] = [
    Field { letter: "S", address: STATISTICS, length: STATISTICS_SIZE },
    Field { letter: "H", address: HIGH_SCORE_NAMES, length: WARM_MARK + WARM_MARK_SIZE - HIGH_SCORE_NAMES },
    Field { letter: "P", address: PLAYFIELD, length: BELOW_PLAYFIELD - PLAYFIELD },
    Field { letter: "G", address: BELOW_PLAYFIELD, length: PLAYFIELD + PAGE - BELOW_PLAYFIELD },
];
/// The working copy, and the block that it usually equals.
pub(super) const WORK: Field = Field { letter: "W", address: WORKING_COPY, length: PLAYER_USED };

/// One frame of a trace.
#[derive(Clone)]
pub struct TraceRow {
    /// The frame, from 0 at power-on.
    pub frame: u64,
    /// Buttons held in this frame.
    pub buttons: Buttons,
    /// At the sample the CPU was not waiting for the next frame.
    pub busy: bool,
    /// RAM as far as it is [`known`](TraceRow::known); zero elsewhere.
    pub ram: [u8; RAM_SIZE],
    pub(super) known: [bool; RAM_SIZE],
}

impl TraceRow {
    /// Does the trace say what this address holds?
    pub fn known(&self, address: u16) -> bool {
        self.known.get(usize::from(address)).copied().unwrap_or(false)
    }

    /// All addresses of which the trace says what they hold, with their bytes.
    pub fn known_bytes(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        (0..RAM_SIZE).filter(|&address| self.known[address]).map(|address| (address as u16, self.ram[address]))
    }

    /// Is it the sample of a gameplay frame or of a pause, from which the rules model can go on?
    pub fn is_in_game(&self) -> bool {
        let mode = GameMode::from_byte(self.ram[GAME_MODE]);
        let state = GameModeState::from_byte(self.ram[GAME_MODE_STATE]);
        let render = RenderMode::from_byte(self.ram[RENDER_MODE]);
        let runs = matches!(
            (state, render),
            (Some(GameModeState::Running), Some(RenderMode::Play))
                | (Some(GameModeState::PauseCheck), Some(RenderMode::Still | RenderMode::Play))
        );
        mode == Some(GameMode::Play) && !self.busy && runs
    }

    pub(super) fn set(&mut self, address: usize, bytes: &[u8]) {
        self.ram[address..address + bytes.len()].copy_from_slice(bytes);
        self.known[address..address + bytes.len()].fill(true);
    }
}

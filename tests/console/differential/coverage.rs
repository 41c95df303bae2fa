//! What happened in the episodes, counted from the model's samples.

use std::collections::BTreeMap;
use std::fmt;

use maxout_engine::game::MAXOUT;
use maxout_engine::game::memory::address::{
    ABOVE_PLAYFIELD, COMPLETED_LINES, GAME_MODE, GAME_MODE_STATE, GAME_TYPE, HIDE_NEXT, HOLD_DOWN_POINTS, LINE_INDEX,
    PAGE, PLAY_STATE, PLAYFIELD, RENDER_MODE, TETRIMINO_Y,
};
use maxout_engine::game::memory::{GameMode, GameModeState, GameType, PlayState, RenderMode};
use maxout_engine::game::simulation::Simulation;

/// Names of the clears of 1 to 4 rows.
const CLEARS: [&str; 4] = ["singles", "doubles", "triples", "tetrises"];
/// Rows -2 and -1.
const ABOVE_THE_TOP: std::ops::Range<u16> = ABOVE_PLAYFIELD as u16..(PLAYFIELD + PAGE) as u16;

/// How often things happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    pub frames: u64,
    pub bytes: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Coverage {
    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// How often this happened.
    pub fn get(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    pub fn add(&mut self, other: &Coverage) {
        self.frames += other.frames;
        self.bytes += other.bytes;
        for (what, count) in &other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }

    /// Counts the events of one frame, and the bytes compared in it.
    pub fn observe(&mut self, before: &Simulation, after: &Simulation, bytes: u64) {
        self.bytes += bytes;
        self.count_frame(after);
        if after.in_game() && before.in_game() {
            self.count_play(before, after);
        }
        let begins = |happens: &dyn Fn(&Simulation) -> bool| happens(after) && !happens(before);
        let at = |address: usize, value: u8| move |sample: &Simulation| sample.peek(address as u16) == value;
        let starts = [
            ("games", begins(&Simulation::in_game)),
            ("B-type games", begins(&|sample| sample.in_game() && at(GAME_TYPE, GameType::B.byte())(sample))),
            ("topouts", begins(&Simulation::topped_out)),
            ("B-type topouts", begins(&|sample| sample.topped_out() && at(GAME_TYPE, GameType::B.byte())(sample))),
            ("pauses", begins(&Simulation::paused)),
            (
                "pauses in a clear animation",
                begins(&|sample| sample.paused() && at(PLAY_STATE, PlayState::ClearAnimation.byte())(sample)),
            ),
            ("name entries", begins(&at(RENDER_MODE, RenderMode::NameEntry.byte()))),
            ("titles", begins(&at(GAME_MODE, GameMode::Title.byte()))),
            ("level menus", begins(&at(GAME_MODE, GameMode::LevelMenu.byte()))),
            (
                "B-type goals",
                before.in_game() && !after.in_game() && at(PLAY_STATE, PlayState::GoalCheck.byte())(after),
            ),
            ("resets", before.in_game() && at(GAME_MODE, GameMode::Legal.byte())(after)),
            ("next piece hidden or shown", before.peek(HIDE_NEXT as u16) != after.peek(HIDE_NEXT as u16)),
        ];
        for (what, _) in starts.into_iter().filter(|&(_, happened)| happened) {
            self.count(what);
        }
    }

    fn count_frame(&mut self, after: &Simulation) {
        self.frames += 1;
        self.count(match after {
            _ if after.paused() => "frames of pauses",
            _ if after.topped_out() => "frames after a topout",
            _ if after.in_game() => "frames of play",
            _ => "frames of menus and screens",
        });
        if after.in_game() && after.peek(GAME_MODE_STATE as u16) == GameModeState::PauseCheck.byte() && !after.paused()
        {
            self.count("frames at half speed");
        }
    }

    fn count_play(&mut self, before: &Simulation, after: &Simulation) {
        let state = |sample: &Simulation| PlayState::from_byte(sample.peek(PLAY_STATE as u16));
        match (state(before), state(after)) {
            (Some(PlayState::Lock), Some(PlayState::RowCheck)) => self.count_lock(before, after),
            (Some(PlayState::RowCheck), _)
                if after.peek(COMPLETED_LINES as u16) > before.peek(COMPLETED_LINES as u16) =>
            {
                let top = before.peek(TETRIMINO_Y as u16).saturating_sub(2);
                if top + before.peek(LINE_INDEX as u16) == 0 {
                    self.count("clears of row 0");
                }
            }
            (Some(PlayState::ClearAnimation | PlayState::Score), Some(PlayState::GoalCheck)) => {
                self.count_score(before, after)
            }
            _ => {}
        }
    }

    fn count_lock(&mut self, before: &Simulation, after: &Simulation) {
        self.count(match after.level() {
            0..19 => "locks at levels 0-18",
            19..29 => "locks at levels 19-28",
            29..155 => "locks at levels 29-154",
            155.. => "locks at levels 155-255",
        });
        if ABOVE_THE_TOP.into_iter().any(|address| before.peek(address) != after.peek(address)) {
            self.count("locks above the top");
        }
    }

    fn count_score(&mut self, before: &Simulation, after: &Simulation) {
        let rows = before.peek(COMPLETED_LINES as u16);
        if let Some(kind) = usize::from(rows).checked_sub(1).and_then(|index| CLEARS.get(index)) {
            self.count(kind);
        }
        if before.peek(HOLD_DOWN_POINTS as u16) >= 2 {
            self.count("pushdowns that score");
        }
        if before.level() != after.level() {
            self.count("level-ups");
            if after.level() == 0 {
                self.count("level-ups from 255 to 0");
            }
        }
        if after.score().value() == MAXOUT && before.score().value() != MAXOUT {
            self.count("scores that reach the cap");
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} frames and {} bytes compared", self.frames, self.bytes)?;
        for (what, count) in &self.counts {
            write!(f, "; {what} {count}")?;
        }
        Ok(())
    }
}

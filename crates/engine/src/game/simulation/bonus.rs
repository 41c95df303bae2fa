//! B-type's ending: the bonus is counted up, then Start ends it.
//!
//! Ten steps of 100 points for each level and ten for each height, a step every second frame, with a
//! pause after each of the two. Recorded at level 2 with height 3 and at level 0 with height 5; no
//! recording has a level above 9.

use super::model::Simulation;
use super::scope;
use super::task::{Bonus, Task};
use crate::game::memory::address::{GENERAL_COUNTER, LEVEL_NUMBER, SCORE, SCORE_SIZE, SLEEP_COUNTER, START_HEIGHT};
use crate::game::memory::{PlayState, RenderMode};
use crate::game::scoring::Score;
use crate::gamepad::Buttons;

/// Frames of sleep once the ending is drawn.
const FIRST_SLEEP: u8 = 128;
/// Frames of sleep before the first step, and after the last of each count.
const PAUSE: u8 = 64;
/// Frames of a step.
const STEP: u8 = 2;
/// Frames after the ending's first in which it is drawn.
const DRAWING: u16 = 4;
/// Steps for each level and each height.
const STEPS: u16 = 10;
/// Points of a step.
const STEP_POINTS: u32 = 100;
/// The highest level whose steps have two decimal digits; higher ones are not recorded.
const LAST_RECORDED_LEVEL: u8 = 9;
/// The total, three BCD bytes, lowest first.
const TOTAL_SCORE: usize = 0xDC;
/// Scratch counters: the steps left for the level and for the height, BCD.
const LEVEL_STEPS: usize = GENERAL_COUNTER + 3;
const HEIGHT_STEPS: usize = GENERAL_COUNTER + 4;

impl Simulation {
    pub(super) fn start_bonus(&mut self) {
        if self.ram[LEVEL_NUMBER] > LAST_RECORDED_LEVEL {
            self.leave_scope(scope::B_TYPE_ENDING);
        }
        self.set_render_mode(RenderMode::Ending);
        // Ten times a decimal digit.
        self.ram[LEVEL_STEPS] = self.ram[LEVEL_NUMBER] << 4;
        self.ram[HEIGHT_STEPS] = self.ram[START_HEIGHT] << 4;
        self.task = Task::Bonus { phase: Bonus::Draw, left: DRAWING };
    }

    pub(super) fn bonus(&mut self, phase: Bonus, left: u16) {
        if phase == Bonus::Draw {
            if left == 1 {
                self.sleep_in_bonus(FIRST_SLEEP, Bonus::Show, 0);
            } else {
                self.task = Task::Bonus { phase, left: left - 1 };
            }
            return;
        }
        if self.ram[SLEEP_COUNTER] != 0 {
            return;
        }
        match phase {
            Bonus::Draw | Bonus::Show => {
                self.ram.copy_within(SCORE..SCORE + SCORE_SIZE, TOTAL_SCORE);
                self.ram[SCORE..SCORE + SCORE_SIZE].fill(0);
                self.sleep_in_bonus(PAUSE, Bonus::Total, 0);
            }
            Bonus::Total => match STEPS * u16::from(self.ram[LEVEL_NUMBER]) {
                0 => self.count_height(),
                steps => self.step_of_bonus(Bonus::Level, LEVEL_STEPS, steps),
            },
            Bonus::Level => self.step_of_bonus(phase, LEVEL_STEPS, left),
            Bonus::LevelCounted => self.count_height(),
            Bonus::Height => self.step_of_bonus(phase, HEIGHT_STEPS, left),
            Bonus::Counted => {
                self.task = Task::Bonus { phase, left: 0 };
                if self.pressed() == Buttons::START {
                    self.ram.copy_within(TOTAL_SCORE..TOTAL_SCORE + SCORE_SIZE, SCORE);
                    self.set_play_state(PlayState::Leaving);
                    self.finish_update();
                }
            }
        }
    }

    fn count_height(&mut self) {
        match STEPS * u16::from(self.ram[START_HEIGHT]) {
            0 => self.bonus(Bonus::Counted, 0),
            steps => self.step_of_bonus(Bonus::Height, HEIGHT_STEPS, steps),
        }
    }

    /// A step, or the pause after the last one.
    fn step_of_bonus(&mut self, phase: Bonus, counter: usize, left: u16) {
        let next = if phase == Bonus::Level { Bonus::LevelCounted } else { Bonus::Counted };
        if left == 0 {
            self.sleep_in_bonus(PAUSE, next, 0);
            return;
        }
        let total = self.ram[TOTAL_SCORE..TOTAL_SCORE + SCORE_SIZE].try_into().expect("a score is three bytes");
        let total = Score(total).value() + STEP_POINTS;
        self.ram[TOTAL_SCORE..TOTAL_SCORE + SCORE_SIZE]
            .copy_from_slice(&Score::from_value(total.min(Score::MAX.value())).0);
        let steps = self.ram[counter];
        self.ram[counter] = if steps & 0x0F == 0 { steps.wrapping_sub(7) } else { steps - 1 };
        self.sleep_in_bonus(STEP, phase, left - 1);
    }

    fn sleep_in_bonus(&mut self, frames: u8, phase: Bonus, left: u16) {
        self.ram[SLEEP_COUNTER] = frames;
        self.task = Task::Bonus { phase, left };
    }
}

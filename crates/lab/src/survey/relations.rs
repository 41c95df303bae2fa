//! Rules between the bytes of one console from one frame to the next. They are checked with the
//! addresses of the map and the formulas of the game, without the rules model.

use super::lockstep::Observations;
use maxout_engine::game::memory::address::{COUNT_SIZE, STATISTICS_SIZE, name};
use maxout_engine::game::memory::{GameMode, GameModeState, GameType, HANGING, PlayState, RenderMode};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::scoring::{Progress, Score, count_clear, count_piece};
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Orientation, ROWS, SPAWN_X, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RamMap;

/// `gameMode`, `renderMode` and `gameModeState` of a running game.
const PLAYING: [u8; 3] = [GameMode::Play.byte(), RenderMode::Play.byte(), GameModeState::Running.byte()];
// Values of `playState`.
const LEAVING: u8 = PlayState::Leaving.byte();
const CONTROL: u8 = PlayState::Control.byte();
const LOCK: u8 = PlayState::Lock.byte();
const ROW_CHECK: u8 = PlayState::RowCheck.byte();
const ANIMATION: u8 = PlayState::ClearAnimation.byte();
const SCORE: u8 = PlayState::Score.byte();
const GOAL: u8 = PlayState::GoalCheck.byte();
const SPAWN: u8 = PlayState::Spawn.byte();

/// A rule between entries.
pub(super) struct Relation {
    /// The rule, in words.
    pub rule: &'static str,
    /// The entries that it is about.
    pub entries: &'static [&'static str],
    /// Does it hold in this step? `None` when it is not about this step.
    holds: fn(&FramePair<'_>) -> Option<bool>,
}

/// Two consecutive frames of a running game.
struct FramePair<'a> {
    observations: &'a Observations,
    map: &'a RamMap,
    frame: usize,
}

impl FramePair<'_> {
    fn byte(&self, frame: usize, name: &str, index: u16) -> u8 {
        let address = self.map.entry(name).map_or(0, |entry| entry.address);
        self.observations.found(frame, address + index)
    }

    fn before(&self, name: &str) -> u8 {
        self.byte(self.frame - 1, name, 0)
    }

    fn now(&self, name: &str) -> u8 {
        self.byte(self.frame, name, 0)
    }

    fn bytes<const N: usize>(&self, frame: usize, name: &str) -> [u8; N] {
        std::array::from_fn(|index| self.byte(frame, name, index as u16))
    }

    fn states(&self) -> (u8, u8) {
        (self.before(name::PLAY_STATE), self.now(name::PLAY_STATE))
    }

    fn buttons(&self) -> Buttons {
        self.observations.frames[self.frame].buttons
    }

    fn pressed(&self) -> Buttons {
        self.buttons().newly_pressed(self.observations.frames[self.frame - 1].buttons)
    }

    fn is_playing(&self) -> bool {
        [self.frame - 1, self.frame].iter().all(|&frame| {
            [name::GAME_MODE, name::RENDER_MODE, name::GAME_MODE_STATE].map(|name| self.byte(frame, name, 0)) == PLAYING
        })
    }
}

/// The number of steps in which the relation was checked, or the frame in which it does not hold.
pub(super) fn check(relation: &Relation, observations: &Observations, map: &RamMap) -> Result<usize, usize> {
    let mut checked = 0;
    for section in &observations.sections {
        for frame in section.first + 1..section.end {
            let step = FramePair { observations, map, frame };
            if observations.is_demo(frame) || !step.is_playing() {
                continue;
            }
            match (relation.holds)(&step) {
                Some(true) => checked += 1,
                Some(false) => return Err(frame),
                None => {}
            }
        }
    }
    Ok(checked)
}

/// The entries that `FramePair::is_playing` and most rules read; every relation depends on them.
pub(super) const PREMISES: [&str; 4] = [name::GAME_MODE, name::RENDER_MODE, name::GAME_MODE_STATE, name::PLAY_STATE];

/// All of them.
pub(super) const RELATIONS: &[Relation] = &[
    Relation {
        rule: "a frame clocks the random number once, by the shift register's formula",
        entries: &[name::RNG, name::PLAY_STATE],
        holds: |step| {
            let [before, now] =
                [step.frame - 1, step.frame].map(|frame| Randomizer::from_bytes(step.bytes(frame, name::RNG)));
            (step.states() == (CONTROL, CONTROL)).then(|| now == before.clocked())
        },
    },
    Relation {
        rule: "a frame adds one to the frame counter",
        entries: &[name::FRAME_COUNTER],
        holds: |step| {
            let [before, now] =
                [step.frame - 1, step.frame].map(|frame| u16::from_le_bytes(step.bytes(frame, name::FRAME_COUNTER)));
            Some(now == before.wrapping_add(1))
        },
    },
    Relation {
        rule: "held buttons are the pressed ones, new buttons those that were up before",
        entries: &[name::NEW_BUTTONS, name::HELD_BUTTONS, name::PLAY_STATE],
        holds: |step| {
            let seen = [step.now(name::HELD_BUTTONS), step.now(name::NEW_BUTTONS)];
            let ends_game = step.now(name::PLAY_STATE) == LEAVING;
            (!ends_game).then(|| seen == [step.buttons().bits(), step.pressed().bits()])
        },
    },
    Relation {
        rule: "A and B turn by the rotation table or not at all, and nothing else turns",
        entries: &[name::CURRENT_PIECE, name::PLAY_STATE],
        holds: |step| {
            if step.states() != (CONTROL, CONTROL) {
                return None;
            }
            let Some(before) = Orientation::from_id(step.before(name::CURRENT_PIECE)) else { return Some(false) };
            let now = step.now(name::CURRENT_PIECE);
            match step.pressed() {
                pressed if pressed.contains(Buttons::A) => {
                    Some([before, before.clockwise()].map(Orientation::id).contains(&now))
                }
                pressed if pressed.contains(Buttons::B) => {
                    Some([before, before.counter_clockwise()].map(Orientation::id).contains(&now))
                }
                // Checked only where the piece turns without a press.
                _ => (now != before.id()).then_some(false),
            }
        },
    },
    Relation {
        rule: "a shift is one column, to the side that is held, Right before Left",
        entries: &[name::TETRIMINO_X, name::PLAY_STATE],
        holds: |step| {
            let (before, now) = (step.before(name::TETRIMINO_X), step.now(name::TETRIMINO_X));
            if step.states() != (CONTROL, CONTROL) || before == now {
                return None;
            }
            let right = step.buttons().contains(Buttons::RIGHT);
            let left = step.buttons().contains(Buttons::LEFT);
            Some(if right { now == before.wrapping_add(1) } else { left && now == before.wrapping_sub(1) })
        },
    },
    Relation {
        rule: "the first piece hangs; then the fall timer counts to the level's frames per drop and wraps, and a drop is one row",
        entries: &[name::FALL_TIMER, name::TETRIMINO_Y, name::LEVEL_NUMBER, name::AUTOREPEAT_Y, name::PLAY_STATE],
        holds: |step| {
            if step.states() != (CONTROL, CONTROL) {
                return None;
            }
            let (waited, waits) = (step.before(name::AUTOREPEAT_Y), step.now(name::AUTOREPEAT_Y));
            let stays = step.now(name::TETRIMINO_Y) == step.before(name::TETRIMINO_Y);
            if waited >= HANGING {
                let released = step.pressed().contains(Buttons::DOWN);
                return (!released).then(|| stays && waits == waited.wrapping_add(1));
            }
            let timer = step.before(name::FALL_TIMER).wrapping_add(1);
            let dropped = step.now(name::TETRIMINO_Y) == step.before(name::TETRIMINO_Y).wrapping_add(1);
            let due = timer >= frames_per_row(step.now(name::LEVEL_NUMBER));
            let counted = if dropped {
                step.now(name::FALL_TIMER) == 0
            } else {
                stays && !due && step.now(name::FALL_TIMER) == timer
            };
            Some(counted && waits < HANGING)
        },
    },
    Relation {
        rule: "a lock writes the piece's four cells into the playfield where x, y and orientation say",
        entries: &[name::PLAYFIELD, name::TETRIMINO_X, name::TETRIMINO_Y, name::CURRENT_PIECE, name::PLAY_STATE],
        holds: |step| {
            if step.states() != (LOCK, ROW_CHECK) {
                return None;
            }
            let Some(piece) = Orientation::from_id(step.now(name::CURRENT_PIECE)) else { return Some(false) };
            let mut expected: [u8; ROWS * WIDTH] = step.bytes(step.frame - 1, name::PLAYFIELD);
            for &(row, column) in piece.cells() {
                let at = (i32::from(step.now(name::TETRIMINO_Y)) + i32::from(row)) * WIDTH as i32
                    + i32::from(step.now(name::TETRIMINO_X))
                    + i32::from(column);
                if let Some(cell) = usize::try_from(at).ok().and_then(|at| expected.get_mut(at)) {
                    *cell = piece.tile();
                }
            }
            Some(step.bytes(step.frame, name::PLAYFIELD) == expected)
        },
    },
    Relation {
        rule: "at a spawn the next piece becomes current and is counted, and the next is drawn by the formula",
        entries: &[
            name::CURRENT_PIECE,
            name::NEXT_PIECE,
            name::SPAWN_ID,
            name::SPAWN_COUNT,
            name::RNG,
            name::STATISTICS,
            name::TETRIMINO_X,
            name::TETRIMINO_Y,
        ],
        holds: |step| {
            if step.states() != (SPAWN, CONTROL) {
                return None;
            }
            let randomizer = Randomizer::from_bytes(step.bytes(step.frame - 1, name::RNG)).clocked();
            let draw = randomizer.draw(step.before(name::SPAWN_ID), step.before(name::SPAWN_COUNT));
            let Some(current) = Orientation::from_id(step.before(name::NEXT_PIECE)) else { return Some(false) };
            let mut statistics: [u8; STATISTICS_SIZE] = step.bytes(step.frame - 1, name::STATISTICS);
            let at = COUNT_SIZE * current.piece().index();
            [statistics[at], statistics[at + 1]] = count_piece([statistics[at], statistics[at + 1]]);
            let names = [
                name::CURRENT_PIECE,
                name::NEXT_PIECE,
                name::SPAWN_ID,
                name::SPAWN_COUNT,
                name::TETRIMINO_X,
                name::TETRIMINO_Y,
            ];
            let picked = draw.orientation.id();
            Some(
                names.map(|name| step.now(name)) == [current.id(), picked, picked, draw.spawn_count, SPAWN_X as u8, 0]
                    && step.bytes(step.frame, name::RNG) == draw.randomizer.to_bytes()
                    && step.bytes(step.frame, name::STATISTICS) == statistics,
            )
        },
    },
    Relation {
        rule: "a lock scores: lines, level, clear counts and points by the rules of the game type",
        entries: &[
            name::LINES,
            name::LEVEL_NUMBER,
            name::SCORE,
            name::LINE_CLEAR_STATS,
            name::COMPLETED_LINES,
            name::HOLD_DOWN_POINTS,
            name::GAME_TYPE,
        ],
        holds: |step| {
            let (before, now) = step.states();
            if !matches!(before, SCORE | ANIMATION) || now != GOAL {
                return None;
            }
            let rows = step.before(name::COMPLETED_LINES);
            let [low, high] = step.bytes(step.frame - 1, name::LINES);
            let mut progress = Progress { lines_low: low, lines_high: high, level: step.before(name::LEVEL_NUMBER) };
            let mut clears: [u8; 4] = step.bytes(step.frame - 1, name::LINE_CLEAR_STATS);
            if let Some(count) = usize::from(rows).checked_sub(1).and_then(|kind| clears.get_mut(kind)) {
                *count = count_clear(*count);
                if step.now(name::GAME_TYPE) == GameType::A.byte() {
                    progress.count_a_type(rows);
                } else {
                    progress.count_b_type(rows);
                }
            }
            let mut score = Score(step.bytes(step.frame - 1, name::SCORE));
            score.add_pushdown(step.before(name::HOLD_DOWN_POINTS));
            score.add_line_points(rows, progress.level);
            Some(
                step.bytes(step.frame, name::LINES) == [progress.lines_low, progress.lines_high]
                    && step.now(name::LEVEL_NUMBER) == progress.level
                    && step.bytes(step.frame, name::SCORE) == score.0
                    && step.bytes(step.frame, name::LINE_CLEAR_STATS) == clears
                    && step.now(name::COMPLETED_LINES) == 0,
            )
        },
    },
];

#[cfg(test)]
mod tests;

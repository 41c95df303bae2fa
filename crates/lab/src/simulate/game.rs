//! One game from its first piece to its end, and what is kept of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::cheat;
use super::pieces::Dealer;
use super::settings::{Settings, Until};
use super::timing::Decisions;
use maxout_engine::bot::Dodges;
use maxout_engine::game::crash::Scene;
use maxout_engine::game::memory::address::{FRAME_COUNTER, HIDE_NEXT, HOLD_DOWN_POINTS, SPAWN_COUNT};
use maxout_engine::game::scoring::{UncappedScore, clear_points};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{DOUBLE_KILLSCREEN, Generator, KILLSCREEN, MAXOUT, Piece, Placement, Playfield, ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::{Falling, Foreseen, Plan, Player, PlayerError};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It reached the end that the settings name.
    Goal,
    /// It topped out before that.
    Topout,
    /// It crashed, as the original does.
    Crash,
}

/// What is kept of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameResult {
    /// Its number in the simulation, from 0.
    pub game: u64,
    /// How it ended.
    pub ending: Ending,
    /// Points of its clears, by the scoring of the settings, without the game's cap.
    pub points: u64,
    /// Points of its pushdowns, as the game pays them: one less than the rows of each, without what its arithmetic loses.
    pub pushdown: u64,
    /// The score that the game shows at its end, 999,999 at most.
    pub score: u32,
    /// `points` up to and including the clear that reached level 29; all points of a game that did
    /// not reach it.
    pub points_by_29: u64,
    /// `pushdown` up to the same moment.
    pub pushdown_by_29: u64,
    /// Did it reach level 29?
    pub reached_29: bool,
    /// What it had at level 39; only by rules that make that level faster.
    pub by_39: Option<By39>,
    /// Lines cleared.
    pub lines: u32,
    /// Level at the end.
    pub level: u8,
    /// What came of the levels at which the original crashes; only of games that are [for
    /// them](Settings::goes_far).
    pub survival: Option<Survival>,
    /// Pieces that locked.
    pub pieces: u32,
    /// Frames from the first control frame to the last lock's end.
    pub frames: u64,
    /// Number of clears of one, two, three and four rows.
    pub clears: [u32; 4],
    /// Locks that left the playfield empty.
    pub perfect_clears: u32,
    /// The longest run of spawned pieces without an I.
    pub longest_drought: u32,
    /// Pieces by the row of their origin as they locked.
    pub lock_rows: [u32; ROWS],
    /// Locked cells by their place, rows from the top, only visible cells.
    pub lock_cells: [[u32; WIDTH]; ROWS],
}

/// What came of the levels at which the original crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Survival {
    /// How often the level went from 255 to 0.
    pub rebirths: u32,
    /// What kept the game from crashing.
    pub dodges: Dodges,
}

/// What a game had when it reached level 39.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct By39 {
    /// Its points up to and including the clear that reached level 39; all of a game that did not
    /// reach it.
    pub points: u64,
    /// Its points of pushdowns up to the same moment.
    pub pushdown: u64,
    /// Did it reach level 39?
    pub reached: bool,
}

/// A finished game, and how long the player's decisions took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The game.
    pub result: GameResult,
    /// One entry for each piece.
    pub decisions: Decisions,
}

/// Why a game could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The player cannot go on.
    #[error("game {game}, piece {piece}: {error}")]
    Player {
        /// Number of the game.
        game: u64,
        /// Number of the piece, from 0.
        piece: u32,
        /// The player's error.
        error: PlayerError,
    },
    /// A piece did not lock where the plan promised.
    #[error("game {game}, piece {piece}: desync: expected the lock {expected}, found {found}")]
    Desync {
        /// Number of the game.
        game: u64,
        /// Number of the piece, from 0.
        piece: u32,
        /// The plan's placement.
        expected: Placement,
        /// What the model shows.
        found: String,
    },
    /// Another piece came than the plan foresaw, or in another frame.
    #[error(
        "game {game}, piece {piece}: expected to draw {} {} frames after the lock, found {} after {frames} frames",
        expected.drawn.letter(), expected.entry_delay, found.letter()
    )]
    OtherPiece {
        /// Number of the game.
        game: u64,
        /// Number of the piece, from 0.
        piece: u32,
        /// What the plan foresaw.
        expected: Foreseen,
        /// The piece that was drawn.
        found: Piece,
        /// Frames from the lock to the spawn.
        frames: u32,
    },
    /// `stop` was set.
    #[error("stopped")]
    Stopped,
}

impl GameResult {
    pub(super) fn new(game: u64) -> GameResult {
        GameResult {
            game,
            ending: Ending::Topout,
            points: 0,
            pushdown: 0,
            score: 0,
            points_by_29: 0,
            pushdown_by_29: 0,
            reached_29: false,
            by_39: None,
            lines: 0,
            level: 0,
            survival: None,
            pieces: 0,
            frames: 0,
            clears: [0; 4],
            perfect_clears: 0,
            longest_drought: 0,
            lock_rows: [0; ROWS],
            lock_cells: [[0; WIDTH]; ROWS],
        }
    }

    #[cfg(test)]
    pub(crate) fn with_points(game: u64, points: u64) -> GameResult {
        GameResult { points, ..GameResult::new(game) }
    }

    /// Share of the lines that tetrises cleared, 0 to 1; `None` before the first line.
    pub fn tetris_rate(&self) -> Option<f64> {
        (self.lines > 0).then(|| 4.0 * f64::from(self.clears[3]) / f64::from(self.lines))
    }

    /// Did it have 999,999 points by the clear that reached level 29? Without the points of
    /// pushdowns, and with them.
    pub(super) fn maxout_before_29(&self) -> [bool; 2] {
        let maxout = u64::from(MAXOUT);
        [self.points_by_29 >= maxout, self.points_by_29 + self.pushdown_by_29 >= maxout]
    }

    fn is_over(&self, until: Until) -> bool {
        match until {
            Until::Lines(lines) => self.lines >= lines,
            Until::Level(level) => self.level >= level,
            Until::Score(score) => self.points + self.pushdown >= score,
            Until::Pieces(pieces) => self.pieces >= pieces,
            Until::Rebirth(times) => self.survival.is_some_and(|survival| survival.rebirths >= times),
            Until::Topout => false,
        }
    }

    /// Counts a lock, the points of its pushdown and its clear.
    fn count(&mut self, settings: &Settings, plan: &Plan, pushdown: u64, level: u8) {
        self.pieces += 1;
        self.lock_rows[plan.placement.y as usize] += 1;
        for (dy, dx) in plan.placement.orientation.cells() {
            if let Some(row) = self.lock_cells.get_mut((plan.placement.y + dy) as usize) {
                row[(plan.placement.x + dx) as usize] += 1;
            }
        }
        self.perfect_clears += u32::from(plan.playfield == Playfield::EMPTY);
        self.pushdown += pushdown;
        if let Some(survival) = &mut self.survival {
            plan.lock.iter().for_each(|lock| survival.dodges.count(self.level, lock));
            survival.rebirths += u32::from(level == 0 && self.level == u8::MAX);
        }
        self.level = level;
        if plan.clears > 0 {
            self.clears[usize::from(plan.clears) - 1] += 1;
            self.lines += u32::from(plan.clears);
            self.points += settings.scoring.points(plan.clears, settings.start_level, level);
        }
        if !self.reached_29 {
            (self.points_by_29, self.pushdown_by_29) = (self.points, self.pushdown);
            self.reached_29 = level >= KILLSCREEN;
        }
        if let Some(by_39) = self.by_39.as_mut().filter(|by_39| !by_39.reached) {
            *by_39 = By39 { points: self.points, pushdown: self.pushdown, reached: level >= DOUBLE_KILLSCREEN };
        }
    }
}

/// Plays game `game` of the settings' seed.
///
/// # Errors
/// When the player or the model fails, or `stop` is set before the end.
pub fn play_game(player: &mut dyn Player, settings: &Settings, game: u64, stop: &AtomicBool) -> Result<Played, Error> {
    let (dealer, simulation) = Dealer::begin(settings.pieces, settings.seed, game, settings.start_level);
    Game::new(settings, dealer, simulation, game).play(player, stop)
}

/// Plays on from a state with a piece under control, as game 0, by the rules of the settings, with
/// the pieces that the game's own generator draws.
///
/// # Errors
/// As [`play_game`].
pub fn play_on(
    player: &mut dyn Player,
    settings: &Settings,
    simulation: Simulation,
    stop: &AtomicBool,
) -> Result<Played, Error> {
    Game::new(settings, Dealer::go_on(), simulation, 0).play(player, stop)
}

/// The piece generator.
fn generator(simulation: &Simulation) -> Generator {
    Generator {
        randomizer: simulation.randomizer(),
        spawn_count: simulation.peek(SPAWN_COUNT as u16),
        frame_counter: simulation.peek(FRAME_COUNTER as u16),
    }
}

struct Game<'a> {
    settings: &'a Settings,
    dealer: Dealer,
    simulation: Simulation,
    /// The game's score without its cap.
    score: UncappedScore,
    result: GameResult,
    decisions: Decisions,
}

impl Game<'_> {
    /// Game `number`, by the rules of the settings.
    fn new(settings: &Settings, dealer: Dealer, mut simulation: Simulation, number: u64) -> Game<'_> {
        simulation.set_ruleset(settings.rules);
        simulation.set_crashes(settings.crashes());
        let score = UncappedScore::from_points(simulation.score().value().into());
        let (result, decisions) = (GameResult::new(number), Decisions::default());
        Game { settings, dealer, simulation, score, result, decisions }
    }

    fn play(mut self, player: &mut dyn Player, stop: &AtomicBool) -> Result<Played, Error> {
        let mut drought = 0;
        self.result.level = self.simulation.level();
        self.result.survival = self.settings.goes_far().then(Survival::default);
        self.result.by_39 = (!self.settings.rules.is_original()).then(By39::default);
        while let (Some(position), Some(piece)) = (self.simulation.position(), self.simulation.falling_piece()) {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            drought = if position.piece == Piece::I { 0 } else { drought + 1 };
            self.result.longest_drought = self.result.longest_drought.max(drought);
            let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
            let since = Instant::now();
            let next_hidden = self.simulation.peek(HIDE_NEXT as u16) != 0;
            let scene = Scene { next_hidden, clears: self.result.clears };
            let plan = player.plan_foreseeing(&position, &falling, Some(&scene), &generator(&self.simulation));
            self.decisions.add(since.elapsed());
            let (game, piece) = (self.result.game, self.result.pieces);
            let Some(plan) = plan.map_err(|error| Error::Player { game, piece, error })? else { break };
            self.carry_out(&plan)?;
            if self.result.is_over(self.settings.until) {
                self.result.ending = Ending::Goal;
                break;
            }
            if let Some(cycles) = self.simulation.crashed() {
                let GameResult { game, level, lines, .. } = self.result;
                log::info!("game {game} crashed at level {level}, {lines} lines: T is {cycles} cycles");
                self.result.ending = Ending::Crash;
                break;
            }
            self.dealer.spawned(&mut self.simulation);
        }
        self.result.score = self.simulation.score().value();
        Ok(Played { result: self.result, decisions: self.decisions })
    }

    /// Steps through a plan to the next spawn, and compares its lock with what was promised.
    fn carry_out(&mut self, plan: &Plan) -> Result<(), Error> {
        let cheat = plan.cheat.as_ref();
        for frame in 0..plan.promises.len() {
            if let Some(&write) = cheat.and_then(|cheat| cheat.writes.get(frame)) {
                cheat::write(&mut self.simulation, write);
            }
            self.simulation.step(plan.timeline.get(frame));
        }
        let pushdown = self.simulation.peek(HOLD_DOWN_POINTS as u16);
        let skip = if cheat.is_some_and(|cheat| cheat.skips_clear) {
            cheat::skip_entry_delay
        } else {
            |simulation: &mut Simulation| simulation.skip_entry_delay(Buttons::NONE)
        };
        let mut delay = skip(&mut self.simulation);
        if let Some(survival) = self.result.survival.as_mut().filter(|_| self.simulation.hangs().is_some()) {
            survival.dodges.hangs += 1;
        }
        while self.simulation.hangs().is_some() {
            // A ends every hang.
            self.simulation.step(Buttons::A);
            delay += 1 + skip(&mut self.simulation);
        }
        if self.simulation.playfield() != plan.playfield || delay == 0 {
            log::debug!("expected\n{}\nfound\n{}", plan.playfield, self.simulation.playfield());
            return Err(Error::Desync {
                game: self.result.game,
                piece: self.result.pieces,
                expected: plan.placement,
                found: format!("{:?}", self.simulation),
            });
        }
        if let (Some(expected), Some(position)) = (plan.foreseen, self.simulation.position())
            && (position.next, delay) != (expected.drawn, expected.entry_delay)
        {
            return Err(Error::OtherPiece {
                game: self.result.game,
                piece: self.result.pieces,
                expected,
                found: position.next,
                frames: delay,
            });
        }
        self.result.frames += plan.promises.len() as u64 + u64::from(delay);
        let level = self.simulation.level();
        let pushed = self.pay(pushdown, plan.clears, level);
        self.result.count(self.settings, plan, pushed, level);
        Ok(())
    }

    /// Pays a lock by the game's arithmetic: `pushdown` rows of pushdown and `rows` cleared rows. Returns the points of the pushdown.
    fn pay(&mut self, pushdown: u8, rows: u8, level: u8) -> u64 {
        let before = self.score.points();
        self.score.add_lock(pushdown, rows, level);
        self.score.points() - before - u64::from(clear_points(rows, level))
    }
}

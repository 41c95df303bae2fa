//! What is shown of a run, as plain data, kept up to date from its frame reports.

use std::collections::VecDeque;
use std::sync::Arc;

use maxout_engine::bot::{Event, FrameReport, Tally};
use maxout_engine::console::Picture;
use maxout_engine::game::crash::lines_to_danger;
use maxout_engine::game::level::level_after;
use maxout_engine::game::scoring::{Progress, clear_points};
use maxout_engine::game::{MAXOUT, Piece, ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::{Plan, PlannedLock};
use maxout_engine::ram::RamSnapshot;
use maxout_engine::text;

use super::card::EndCard;
use super::cells::{Cell, cells};
use super::cost::{Delays, PlanCost};
use super::header::RunHeader;
use super::message::{Message, Tone};
use super::placement::RatedPlacement;
use super::stage::{RunStage, Showing, Status};
use crate::numbers::{game_time, percent, score_text, thousands, verdict_words};
use crate::speed::Speed;

/// Pieces without an I from which on the drought is shown as a warning. Chosen by
/// hand, not measured.
pub(crate) const LONG_DROUGHT: u32 = 13;
/// How many messages are kept: more than the list has rows. Chosen by hand, not
/// measured.
const MESSAGES: usize = 50;
/// How many other placements are shown: as many as the PLAN panel has rows for.
const ALTERNATIVES: usize = 3;
/// Pieces of a game before its maxout is expected. The figures are at `ViewModel::expect_maxout`.
const PIECES_FOR_RATE: u32 = 40;
/// Part of the way that the expected frame moves with each piece. Chosen by hand, not measured.
const SMOOTHING: f64 = 8.0;
/// Lines up to which the rule of the levels is known.
const MOST_LINES: u16 = 2_200;
/// Cells of a piece.
const CELLS_OF_A_PIECE: f64 = 4.0;

/// What is shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ViewModel {
    /// What was known before the first frame.
    pub header: RunHeader,
    /// Number of the frame that is shown.
    pub frame: u64,
    /// The part of the run that the console is in.
    pub stage: RunStage,
    /// The playfield with the falling piece and the plan, row by row from the top.
    pub cells: [[Cell; WIDTH]; ROWS],
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Score.
    pub score: u32,
    /// Lines.
    pub lines: u16,
    /// Level.
    pub level: u8,
    /// How many of each piece have spawned: T J Z O S L I.
    pub statistics: [u16; 7],
    /// The buttons held in this frame.
    pub buttons: Buttons,
    /// Counts over the game.
    pub tally: Tally,
    /// Frame before the game's first control frame.
    pub game_start: Option<u64>,
    /// Frame of the topout.
    pub game_end: Option<u64>,
    /// Frame in which the maxout is expected, with its fraction; see
    /// [`expected_maxout`](ViewModel::expected_maxout).
    pub expected: Option<f64>,
    /// The placement that the last plan of this game has chosen.
    pub plan: Option<RatedPlacement>,
    /// How long the pass takes that scores the planned lock, from level 130 on, where the game can crash.
    pub lock: Option<PlannedLock>,
    /// The fewest more lines with which a lock may crash the game; known while [`ViewModel::lock`] is, within 2,000.
    pub lines_to_danger: Option<u32>,
    /// The best other placements, best first, at most three.
    pub alternatives: Vec<RatedPlacement>,
    /// How many placements the falling piece can reach.
    pub reachable: usize,
    /// What the last plan cost to find.
    pub plan_cost: PlanCost,
    /// Delays at the console's own speed.
    pub delays: Delays,
    /// What the terminal shows.
    pub showing: Showing,
    /// What the console drew, while the console's own picture is shown.
    pub picture: Option<Arc<Picture>>,
    /// Whether the console has been asked for a picture and drew none.
    pub is_blind: bool,
    /// Whether a film is being recorded.
    pub is_rolling: bool,
    /// The level, the lines and the hidden next box for which the lines to the next danger were counted.
    pub looked_ahead: Option<(u8, u16, bool)>,
    /// Messages, the latest last.
    pub messages: VecDeque<Message>,
    /// The chosen speed.
    pub speed: Speed,
    /// Frames a second as measured.
    pub frames_per_second: Option<f64>,
    /// Whether the menus before the game pass as fast as they can.
    pub is_hurried: bool,
    /// Whether the view lets the run go on.
    pub status: Status,
    /// The result, once the run is over and its end is shown.
    pub card: Option<EndCard>,
    /// Whether the list of keys is shown.
    pub help: bool,
}

impl ViewModel {
    /// A model of a run that has not begun.
    pub fn new(header: RunHeader) -> ViewModel {
        let visible = |text: &str| text::visible(text).into_owned();
        let header = RunHeader { rom: visible(&header.rom), evaluator: visible(&header.evaluator), ..header };
        ViewModel { level: header.start_level, header, ..ViewModel::default() }
    }

    /// Brings the model up to date with the report of a frame.
    pub fn update(&mut self, report: &FrameReport<'_>) {
        let snapshot = report.snapshot;
        self.frame = report.frame;
        self.stage = RunStage::of(snapshot.phase());
        if report.reset.is_some() {
            self.say("reset", Tone::Bad);
        }
        self.buttons = report.buttons;
        self.tally = *report.tally;
        if !matches!(self.stage, RunStage::PowerOn | RunStage::Menu(_)) {
            (self.score, self.lines, self.level) = (snapshot.score, snapshot.lines, snapshot.level);
            self.statistics = snapshot.statistics;
            self.next = snapshot.next;
        }
        match (report.picture, self.showing) {
            (Some(picture), Showing::Screen) => self.picture = Some(Arc::new(picture.clone())),
            (_, Showing::Panels) => self.picture = None,
            (None, Showing::Screen) => {}
        }
        self.cells = if self.shows_playfield() { cells(snapshot, report.plan) } else { Default::default() };
        self.take_plan(report.plan);
        self.look_ahead(snapshot);
        self.plan_cost.time = report.thought.or(self.plan_cost.time);
        for event in report.events {
            self.take_event(event);
        }
    }

    /// Adds a message of the view itself.
    pub fn say(&mut self, text: impl AsRef<str>, tone: Tone) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(Message { frame: self.frame, text: text::visible(text.as_ref()).into_owned(), tone });
    }

    /// What the run does while its menus are hurried through; `None` at any other time.
    pub fn menu_words(&self) -> Option<String> {
        let is_shown = self.is_hurried && self.stage.is_before_game();
        let of = self.header.menu_frames.map_or(String::new(), |frames| format!(" of about {frames}"));
        is_shown.then(|| format!("menus: frame {}{of}", self.frame))
    }

    /// The names and values of the card at the end.
    pub(crate) fn result(&self) -> Vec<(&'static str, String)> {
        let tally = &self.tally;
        let stuck = self.card.as_ref().and_then(|card| card.stuck.clone()).map(|stuck| ("stuck", stuck));
        let result = [
            ("score", score_text(self.score, tally.uncapped)),
            ("lines, level", format!("{}, {}", self.lines, self.level)),
            ("pieces", thousands(u64::from(tally.pieces))),
            ("tetris rate", tally.tetris_rate().map_or("-".to_owned(), percent)),
            ("frame", thousands(self.frame)),
            ("game time", game_time(self.game_frames())),
        ];
        stuck.into_iter().chain(result).collect()
    }

    /// The score as a share of 999,999, 0 to 1.
    pub fn progress(&self) -> f64 {
        (f64::from(self.score) / f64::from(MAXOUT)).min(1.0)
    }

    /// The score without the cap, once the game shows 999,999.
    pub fn uncapped(&self) -> Option<u64> {
        (self.score >= MAXOUT).then_some(self.tally.uncapped.max(MAXOUT.into()))
    }

    /// The level, and how often it has gone from 255 to 0.
    pub fn level_words(&self) -> String {
        match self.tally.rebirths {
            0 => self.level.to_string(),
            times => format!("{} (reborn {times}x)", self.level),
        }
    }

    /// What comes of the planned lock, from level 130 on, where the game can crash.
    pub fn lock_words(&self) -> Option<String> {
        self.lock.map(|lock| verdict_words(&lock.verdict()))
    }

    /// How far the next danger is: `172 lines`.
    pub fn danger_words(&self) -> Option<String> {
        let lines = self.lock.and(self.lines_to_danger)?;
        Some(format!("{} {}", thousands(lines.into()), if lines == 1 { "line" } else { "lines" }))
    }

    /// Frames that the game has taken.
    pub fn game_frames(&self) -> u64 {
        let end = self.game_end.unwrap_or(self.frame);
        self.game_start.map_or(0, |start| end.saturating_sub(start))
    }

    /// The measured speed, where it is less than the chosen one.
    pub fn missed_speed(&self) -> Option<String> {
        self.speed.missed(self.frames_per_second.filter(|_| !self.is_hurried)?)
    }

    /// The frame in which the score is expected to reach 999,999. `None` while too little is known.
    pub fn expected_maxout(&self) -> Option<u64> {
        let expected = self.expected.filter(|_| self.stage == RunStage::Game && self.score < MAXOUT)?;
        Some(expected.round() as u64)
    }

    /// Moves the expected frame of the maxout a part of the way to what the game shows now.
    ///
    /// In 8 games of `learned` from level 19 (seeds 1 to 8) this was wrong by 19 % at most from the 40th piece on,
    /// and the mean points per frame so far by 275 %. From level 0: 77 % and 5,300 %.
    fn expect_maxout(&mut self) {
        let Some(start) = self.game_start.filter(|_| self.tally.pieces >= PIECES_FOR_RATE) else { return };
        let Some(lines) = self.lines_to_maxout() else { return };
        // Cells that are locked and not yet cleared count as lines, or every tetris would be a jump.
        let placed = f64::from(self.tally.pieces) * CELLS_OF_A_PIECE / WIDTH as f64;
        let now = start as f64 + self.game_frames() as f64 * lines / placed;
        self.expected = Some(self.expected.map_or(now, |before| before + (now - before) / SMOOTHING));
    }

    /// How many lines of the whole game are worth 999,999 points, if they are cleared as those so far.
    fn lines_to_maxout(&self) -> Option<f64> {
        let best = |line: u16| f64::from(clear_points(4, level_after(self.header.start_level, line))) / 4.0;
        let cleared = u16::try_from(self.tally.lines()).ok().filter(|lines| (1..MOST_LINES).contains(lines))?;
        let share = f64::from(self.score) / (0..cleared).map(best).sum::<f64>();
        let mut points = 0.0;
        let reached = (0..MOST_LINES).find(|&line| {
            points += share * best(line);
            points >= f64::from(MAXOUT)
        });
        reached.map(|line| f64::from(line + 1))
    }

    fn shows_playfield(&self) -> bool {
        matches!(self.stage, RunStage::Game | RunStage::GamePaused | RunStage::Topout)
    }

    fn take_plan(&mut self, plan: Option<&Plan>) {
        let Some(plan) = plan else {
            // Between two pieces the last plan stays readable.
            if self.stage != RunStage::Game {
                (self.plan, self.lock) = (None, None);
                self.alternatives.clear();
            }
            return;
        };
        self.plan = Some(RatedPlacement::new(plan.placement, plan.value));
        self.lock = plan.lock;
        self.reachable = plan.reachable;
        self.plan_cost.effort = plan.effort;
        self.alternatives.clear();
        let others = plan.alternatives.iter().filter(|other| other.placement != plan.placement).take(ALTERNATIVES);
        self.alternatives.extend(others.map(|other| RatedPlacement::new(other.placement, other.value)));
    }

    /// Counts the lines to the next danger again when the lines, the level or the next box have changed.
    fn look_ahead(&mut self, snapshot: &RamSnapshot) {
        let &RamSnapshot { level, lines, next_hidden, .. } = snapshot;
        let seen = self.lock.map(|_| (level, lines, next_hidden));
        if seen != std::mem::replace(&mut self.looked_ahead, seen) {
            let progress = seen.map(|(level, lines, _)| Progress::from_lines(level, lines));
            self.lines_to_danger = progress.and_then(|progress| lines_to_danger(progress, next_hidden));
        }
    }

    fn take_event(&mut self, event: &Event) {
        match event {
            Event::GameStart => {
                (self.game_start, self.game_end, self.expected) = (Some(self.frame), None, None);
                self.say(format!("starts at level {}", self.level), Tone::Plain);
            }
            Event::Clear(4) => self.say("tetris", Tone::Good),
            Event::LevelUp(level) => self.say(format!("level {level}"), Tone::Good),
            Event::Maxout => self.say(format!("{}!", thousands(u64::from(MAXOUT))), Tone::Great),
            Event::Topout => {
                self.game_end = Some(self.frame);
                self.say("topout", Tone::Bad);
            }
            Event::Desync(desync) => self.say(format!("desync: {}", desync.difference), Tone::Bad),
            Event::Jump => self.say("the state jumped", Tone::Plain),
            Event::TakenOver => self.say("you play", Tone::Good),
            Event::HandedBack => self.say("the bot plays", Tone::Plain),
            Event::Lock => self.expect_maxout(),
            Event::Planned | Event::Clear(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::bot::Desync;
    use maxout_engine::game::Placement;
    use maxout_engine::game::memory::address::{CURRENT_PIECE, GAME_MODE, GAME_MODE_STATE, PLAYFIELD};
    use maxout_engine::game::memory::tile;
    use maxout_engine::ram::GameMode;

    use super::*;
    use crate::model::Tile;
    use crate::sample;

    #[test]
    fn the_lines_to_the_next_danger_are_known_where_the_game_can_crash() {
        use maxout_engine::game::memory::address::{LEVEL_NUMBER, LINES};
        use maxout_engine::planner::{Dodge, PlannedLock};
        let lock = PlannedLock { cycles: 27_000, next_hidden: false, dodge: Dodge::default() };
        let at = |lines: u16, lock| {
            let model = updated(|ram, plan| {
                let progress = Progress::from_lines(140, lines);
                (ram[LEVEL_NUMBER], ram[LINES], ram[LINES + 1]) =
                    (progress.level, progress.lines_low, progress.lines_high);
                plan.lock = lock;
            });
            (model.lines_to_danger, model.danger_words(), model.lock_words())
        };
        assert_eq!(at(1_340, None), (None, None, None));
        let (Some(lines), Some(words), Some(safe)) = at(1_340, Some(lock)) else { panic!("it is known") };
        assert_eq!((words, &*safe), (format!("{lines} lines"), "safe, 2,170 cycles"));
        let (fewer, ..) = at(1_345, Some(lock));
        assert_eq!(fewer, Some(lines - 5));
    }

    fn updated(change: impl FnOnce(&mut maxout_engine::ram::Ram, &mut Plan)) -> ViewModel {
        let (mut ram, mut plan) = (sample::ram(), sample::plan());
        change(&mut ram, &mut plan);
        let mut model = ViewModel::new(sample::header());
        sample::report_of(&sample::snapshot(&ram), Some(&plan), 4_321, &[], |report| model.update(report));
        model
    }

    fn places(model: &ViewModel, wanted: impl Fn(Cell) -> bool) -> Vec<(usize, usize)> {
        let all = (0..ROWS).flat_map(|row| (0..WIDTH).map(move |column| (row, column)));
        all.filter(|&(row, column)| wanted(model.cells[row][column])).collect()
    }

    #[test]
    fn numbers_come_from_ram_and_counts_from_the_tally() {
        let model = updated(|_, _| {});
        assert_eq!((model.score, model.lines, model.level), (312_400, 57, 20));
        assert_eq!(model.statistics, [21, 19, 23, 18, 22, 20, 17]);
        assert_eq!((model.next, model.tally.pieces), (Some(Piece::I), 140));
        assert_eq!(model.buttons, Buttons::LEFT | Buttons::A);
    }

    #[test]
    fn the_falling_piece_its_target_and_that_of_the_next_are_apart() {
        let model = updated(|_, _| {});
        let falling = places(&model, |cell| cell == Cell::Falling(Tile::Second));
        assert_eq!(falling, [(4, 5), (4, 6), (4, 7), (5, 5)]);
        let next = places(&model, |cell| matches!(cell, Cell::NextTarget(_)));
        assert_eq!(next, [(16, 9), (17, 9), (18, 9), (19, 9)]);
        let target = places(&model, |cell| cell == Cell::Target(Tile::Second));
        assert_eq!(target, [(10, 3), (10, 4), (11, 4), (12, 4)]);
        assert_eq!(model.cells[19][0], Cell::Locked(Tile::White));
    }

    #[test]
    fn the_next_target_is_shown_where_it_is_before_the_clear() {
        // The I clears rows 16 to 19; what is on row 19 after that is on row 15 now.
        let model = updated(|ram, plan| {
            ram[PLAYFIELD + 160..PLAYFIELD + 200].fill(tile::WHITE);
            for row in 16..20 {
                ram[PLAYFIELD + 10 * row + 9] = tile::EMPTY;
            }
            ram[PLAYFIELD + 110..PLAYFIELD + 160].fill(tile::EMPTY);
            ram[CURRENT_PIECE] = 0x11;
            plan.placement = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
            plan.next_placement = Some(Placement { orientation: Piece::O.spawn(), x: 1, y: 18 });
            plan.clears = 4;
        });
        assert_eq!(places(&model, |cell| matches!(cell, Cell::Target(_))), [(16, 9), (17, 9), (18, 9), (19, 9)]);
        assert_eq!(places(&model, |cell| matches!(cell, Cell::NextTarget(_))), [(14, 0), (14, 1), (15, 0), (15, 1)]);
    }

    #[test]
    fn menus_show_no_playfield() {
        let model = updated(|ram, _| (ram[GAME_MODE], ram[GAME_MODE_STATE]) = (3, 0));
        assert_eq!(model.stage, RunStage::Menu(GameMode::LevelMenu));
        assert_eq!(places(&model, |cell| cell != Cell::Empty), []);
        assert_eq!((model.score, model.level), (0, 18), "what RAM holds of an earlier game is not shown");
    }

    #[test]
    fn three_other_placements_are_shown_by_their_columns() {
        let model = updated(|_, _| {});
        assert_eq!(model.plan.as_ref().map(|plan| plan.columns.as_str()), Some("4-5"));
        assert_eq!(model.plan, Some(RatedPlacement::new(sample::plan().placement, -31.27)));
        let columns: Vec<&str> = model.alternatives.iter().map(|other| other.columns.as_str()).collect();
        assert_eq!(columns, ["3-5", "9-10", "1-3"]);
        let vertical = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
        assert_eq!(RatedPlacement::new(vertical, 0.0).columns, "10");
    }

    #[test]
    fn the_maxout_is_expected_by_the_lines_placed_so_far() {
        let mut model = sample::model();
        assert_eq!(model.expected_maxout(), None, "no piece has locked");
        sample::report(4_400, &[Event::Lock], |report| model.update(report));
        // 57 of 140 * 4 / 10 = 56 placed lines are cleared, all at level 18 to 20.
        let value = |line: u16| 300.0 * f64::from(level_after(18, line) + 1);
        let share = 312_400.0 / (0..57).map(value).sum::<f64>();
        let lines = (1..).find(|&lines| (0..lines).map(value).sum::<f64>() * share >= 999_999.0).expect("some line");
        let expected = 310.0 + 4_090.0 * f64::from(lines) / 56.0;
        assert_eq!(model.expected_maxout(), Some(expected.round() as u64));
        // The next piece moves it an eighth of the way.
        sample::report(4_480, &[Event::Lock], |report| model.update(report));
        let moved = expected + (80.0 * f64::from(lines) / 56.0) / 8.0;
        assert_eq!(model.expected_maxout(), Some(moved.round() as u64));
        model.score = MAXOUT;
        assert_eq!((model.expected_maxout(), model.progress()), (None, 1.0));
        sample::report(5_000, &[Event::GameStart], |report| model.update(report));
        assert_eq!(model.expected_maxout(), None);
        model.tally.pieces = PIECES_FOR_RATE - 1;
        model.expect_maxout();
        assert_eq!(model.expected_maxout(), None, "too early to say");
    }

    #[test]
    fn the_clock_of_a_game_stops_at_its_topout() {
        let mut model = ViewModel::new(sample::header());
        sample::report(100, &[Event::GameStart], |report| model.update(report));
        sample::report(700, &[Event::Topout], |report| model.update(report));
        sample::report(900, &[], |report| model.update(report));
        assert_eq!(model.game_frames(), 600);
    }

    #[test]
    fn messages_tell_what_matters_and_the_oldest_go_first() {
        let mut model = ViewModel::new(sample::header());
        let desync = Event::Desync(Desync { frame: 9, difference: "promised x 5, found x 6".to_owned() });
        let events = [Event::Planned, Event::Clear(1), Event::Clear(4), Event::LevelUp(20), Event::Maxout, desync];
        sample::report(9, &events, |report| model.update(report));
        let texts: Vec<&str> = model.messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["tetris", "level 20", "999,999!", "desync: promised x 5, found x 6"]);
        for _ in 0..MESSAGES {
            model.say("x", Tone::Plain);
        }
        assert_eq!(model.messages.len(), MESSAGES);
        assert!(model.messages.iter().all(|message| message.text == "x"));
    }
}

//! What is shown of a run, as plain data, kept up to date from its frame reports.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use maxout_engine::bot::{Event, FrameReport, Tally};
use maxout_engine::console::Picture;
use maxout_engine::game::memory::tile;
use maxout_engine::game::{MAXOUT, Obstacles, Orientation, Piece, Placement, Playfield, ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::{Effort, Plan};
use maxout_engine::ram::{GameMode, Phase, PlayState, RamSnapshot};

use super::numbers::thousands;
use crate::speed::Speed;

/// Messages that are kept.
const MESSAGES: usize = 50;
/// Other placements that are shown.
const ALTERNATIVES: usize = 3;
/// Frames of a game before its rate says anything about the maxout.
const FRAMES_FOR_RATE: u64 = 600;

/// What is known of a run before its first frame, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunHeader {
    /// Name of the ROM.
    pub rom: String,
    /// Seed of the pieces.
    pub seed: String,
    /// Name of the evaluator, or of the external player.
    pub evaluator: String,
    /// How buttons are pressed: `30 Hz`, `DAS`.
    pub input: String,
    /// How the run cheats; `None` for an honest one.
    pub cheats: Option<String>,
    /// Level at which the game starts.
    pub start_level: u8,
    /// When the run ends: `999,999`, `topout`.
    pub until: String,
}

/// The colour class of an occupied cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// `$7B`: T, O and I.
    White,
    /// `$7C`: Z and L.
    Second,
    /// `$7D`: J and S.
    First,
    /// Any other tile: the top-out curtain.
    Curtain,
}

impl Tile {
    /// The class of a playfield byte; `None` for an empty cell.
    pub const fn of(byte: u8) -> Option<Tile> {
        match byte {
            tile::WHITE => Some(Tile::White),
            tile::SECOND => Some(Tile::Second),
            tile::FIRST => Some(Tile::First),
            0x00..tile::EMPTY => Some(Tile::Curtain),
            _ => None,
        }
    }
}

/// One cell of the playfield.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cell {
    /// Nothing here.
    #[default]
    Empty,
    /// A locked cell.
    Locked(Tile),
    /// A cell of the falling piece.
    Falling(Tile),
    /// Where the plan puts the falling piece.
    Target(Tile),
    /// Where the plan would put the next piece.
    NextTarget(Tile),
}

/// Where the run is: menus, a game, its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scene {
    /// Before the first frame.
    #[default]
    PowerOn,
    /// A screen before the game.
    Menu(GameMode),
    /// A game is on.
    Game,
    /// The game itself is paused.
    GamePaused,
    /// The game has topped out.
    Topout,
}

/// Does the view let the run go on?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// The run goes on.
    #[default]
    Running,
    /// The view holds the run.
    Paused,
    /// The run is over.
    Ended,
}

/// What the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Showing {
    /// The playfield, and panels around it.
    #[default]
    Panels,
    /// The console's own picture.
    Screen,
}

impl Showing {
    /// The one that comes after it.
    pub const fn next(self) -> Showing {
        match self {
            Showing::Panels => Showing::Screen,
            Showing::Screen => Showing::Panels,
        }
    }
}

/// What the last plan cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Thought {
    /// In looks ahead.
    pub effort: Effort,
    /// In time; `None` where that was not measured.
    pub time: Option<Duration>,
}

/// How often a run at the console's own speed was late, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Late {
    /// Times that a frame was ready only after the next should have begun.
    pub times: u32,
    /// The longest delay.
    pub worst: Duration,
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Just so.
    Plain,
    /// Something to be glad of.
    Good,
    /// The goal itself.
    Great,
    /// Something went wrong.
    Bad,
}

/// A line in the list of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Frame in which it happened.
    pub frame: u64,
    /// What happened.
    pub text: String,
    /// How it is meant.
    pub tone: Tone,
}

/// A placement in words that fit a narrow panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// How the piece lies.
    pub orientation: Orientation,
    /// Columns that the piece covers, from 1: `4-6`.
    pub columns: String,
    /// Value; higher is better.
    pub value: f64,
}

impl Choice {
    fn new(placement: Placement, value: f64) -> Choice {
        let columns = placement.orientation.cells().iter().map(|&(_, dx)| placement.x + dx + 1);
        let (first, last) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let columns = if first == last { first.to_string() } else { format!("{first}-{last}") };
        Choice { orientation: placement.orientation, columns, value }
    }
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ViewModel {
    /// What was known before the first frame.
    pub header: RunHeader,
    /// Number of the frame that is shown.
    pub frame: u64,
    /// Where the run is: menus, a game, its end.
    pub scene: Scene,
    /// The playfield with all that is drawn on it, row by row from the top.
    pub cells: [[Cell; WIDTH]; ROWS],
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Score.
    pub score: u32,
    /// Lines.
    pub lines: u16,
    /// Level.
    pub level: u8,
    /// Pieces that became current: T J Z O S L I.
    pub statistics: [u16; 7],
    /// The buttons that were down.
    pub buttons: Buttons,
    /// Counts over the game.
    pub tally: Tally,
    /// Frame before the game's first control frame.
    pub game_start: Option<u64>,
    /// Frame of the top-out.
    pub game_end: Option<u64>,
    /// The placement that was chosen, of the last plan of this game.
    pub plan: Option<Choice>,
    /// The best other placements, best first, three at most.
    pub alternatives: Vec<Choice>,
    /// Placements that the falling piece can reach.
    pub reachable: usize,
    /// What the last plan cost.
    pub thought: Thought,
    /// Delays at the console's own speed.
    pub late: Late,
    /// What the terminal shows.
    pub showing: Showing,
    /// What the console drew, if that is shown.
    pub picture: Option<Arc<Picture>>,
    /// Can the console draw at all? Known once it was asked to.
    pub is_blind: bool,
    /// Is a film being made?
    pub is_rolling: bool,
    /// What happened, latest last.
    pub messages: VecDeque<Message>,
    /// The speed that was asked for.
    pub speed: Speed,
    /// Frames a second as measured.
    pub frames_per_second: Option<f64>,
    /// Does the view let the run go on?
    pub status: Status,
    /// Is the list of keys shown?
    pub help: bool,
}

impl ViewModel {
    /// A model of a run that has not begun.
    pub fn new(header: RunHeader) -> ViewModel {
        ViewModel { level: header.start_level, header, ..ViewModel::default() }
    }

    /// Takes over what a frame reports.
    pub fn update(&mut self, report: &FrameReport<'_>) {
        let snapshot = report.snapshot;
        self.frame = report.frame;
        self.scene = scene(snapshot.phase());
        self.buttons = report.buttons;
        self.tally = *report.tally;
        if !matches!(self.scene, Scene::PowerOn | Scene::Menu(_)) {
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
        self.thought.time = report.thought.or(self.thought.time);
        for event in report.events {
            self.take_event(event);
        }
    }

    /// Adds a message of the view itself.
    pub fn say(&mut self, text: impl Into<String>, tone: Tone) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(Message { frame: self.frame, text: text.into(), tone });
    }

    /// The way to 999,999 that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        (f64::from(self.score) / f64::from(MAXOUT)).min(1.0)
    }

    /// Frames that the game has taken.
    pub fn game_frames(&self) -> u64 {
        let end = self.game_end.unwrap_or(self.frame);
        self.game_start.map_or(0, |start| end.saturating_sub(start))
    }

    /// The frame in which the score will be 999,999 if it goes on as until now.
    pub fn expected_maxout(&self) -> Option<u64> {
        let start = self.game_start.filter(|_| self.scene == Scene::Game && self.score > 0)?;
        let frames = self.game_frames();
        let expected = start + (frames as f64 * f64::from(MAXOUT) / f64::from(self.score)) as u64;
        (frames >= FRAMES_FOR_RATE && self.score < MAXOUT).then_some(expected)
    }

    fn shows_playfield(&self) -> bool {
        matches!(self.scene, Scene::Game | Scene::GamePaused | Scene::Topout)
    }

    fn take_plan(&mut self, plan: Option<&Plan>) {
        let Some(plan) = plan else {
            // Between two pieces the last plan stays readable.
            if self.scene != Scene::Game {
                self.plan = None;
                self.alternatives.clear();
            }
            return;
        };
        self.plan = Some(Choice::new(plan.placement, plan.value));
        self.reachable = plan.reachable;
        self.thought.effort = plan.effort;
        self.alternatives.clear();
        let others = plan.alternatives.iter().filter(|other| other.placement != plan.placement).take(ALTERNATIVES);
        self.alternatives.extend(others.map(|other| Choice::new(other.placement, other.value)));
    }

    fn take_event(&mut self, event: &Event) {
        match event {
            Event::GameStart => {
                (self.game_start, self.game_end) = (Some(self.frame), None);
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
            Event::Planned | Event::Lock | Event::Clear(_) => {}
        }
    }
}

fn scene(phase: Phase) -> Scene {
    match phase {
        Phase::Menu(mode) => Scene::Menu(mode),
        Phase::Starting => Scene::PowerOn,
        Phase::Falling | Phase::EntryDelay => Scene::Game,
        Phase::Paused => Scene::GamePaused,
        Phase::Topout => Scene::Topout,
    }
}

/// The locked cells, over them the plan's targets, over all the falling piece.
fn cells(snapshot: &RamSnapshot, plan: Option<&Plan>) -> [[Cell; WIDTH]; ROWS] {
    let mut cells = [[Cell::Empty; WIDTH]; ROWS];
    for (index, &byte) in snapshot.tiles.iter().enumerate() {
        if let Some(tile) = Tile::of(byte) {
            cells[index / WIDTH][index % WIDTH] = Cell::Locked(tile);
        }
    }
    let Some(orientation) = snapshot.piece.filter(|_| is_in_flight(snapshot)) else { return cells };
    if let Some(plan) = plan.filter(|_| snapshot.phase() == Phase::Falling) {
        put_targets(&mut cells, &snapshot.playfield, plan);
    }
    put(&mut cells, placed(orientation, snapshot.x, snapshot.y), Cell::Falling(tile_of(orientation)));
    cells
}

/// Is there a piece that is not yet part of the playfield?
fn is_in_flight(snapshot: &RamSnapshot) -> bool {
    match snapshot.phase() {
        Phase::Falling => true,
        Phase::EntryDelay => snapshot.play_state == PlayState::Lock,
        _ => false,
    }
}

fn put_targets(cells: &mut [[Cell; WIDTH]; ROWS], playfield: &Playfield, plan: &Plan) {
    let Placement { orientation, x, y } = plan.placement;
    if let Some(next) = plan.next_placement {
        let row_now = rows_before_the_clear(playfield, plan);
        let target = placed(next.orientation, next.x, next.y);
        let target = target.filter_map(|(row, column)| Some((row_now(row)?, column)));
        put(cells, target, Cell::NextTarget(tile_of(next.orientation)));
    }
    put(cells, placed(orientation, x, y), Cell::Target(tile_of(orientation)));
}

/// The next piece's placement is meant for the playfield after the plan's clears; this finds
/// the row that a row of then is now. The topmost rows of then are nowhere yet.
fn rows_before_the_clear(playfield: &Playfield, plan: &Plan) -> impl Fn(i8) -> Option<i8> {
    let Placement { orientation, x, y } = plan.placement;
    let mut after = *playfield;
    // A piece that does not fit is the plan of another moment; then nothing is cleared.
    let cleared = if plan.clears > 0 && playfield.fits(orientation, x, y) {
        after.lock(plan.placement)
    } else {
        Default::default()
    };
    move |row| {
        (0..ROWS as i8).rev().filter(|now| !cleared.rows().contains(&(*now as u8))).nth((ROWS as i8 - 1 - row) as usize)
    }
}

fn placed(orientation: Orientation, x: i8, y: i8) -> impl Iterator<Item = (i8, i8)> {
    orientation.cells().iter().map(move |&(dy, dx)| (y + dy, x + dx))
}

/// Puts a cell at each place that is visible and not occupied by a locked cell.
fn put(cells: &mut [[Cell; WIDTH]; ROWS], places: impl Iterator<Item = (i8, i8)>, what: Cell) {
    for (row, column) in places {
        let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) else { continue };
        let cell = cells.get_mut(row).and_then(|row| row.get_mut(column));
        if let Some(cell) = cell.filter(|cell| !matches!(cell, Cell::Locked(_))) {
            *cell = what;
        }
    }
}

fn tile_of(orientation: Orientation) -> Tile {
    Tile::of(orientation.tile()).unwrap_or(Tile::White)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use maxout_engine::bot::Desync;
    use maxout_engine::game::memory::address::{CURRENT_PIECE, GAME_MODE, GAME_MODE_STATE, PLAYFIELD};

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
        // The I clears rows 16 to 19; what lies on row 19 after that lies on row 15 now.
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
        assert_eq!(model.scene, Scene::Menu(GameMode::LevelMenu));
        assert_eq!(places(&model, |cell| cell != Cell::Empty), []);
        assert_eq!((model.score, model.level), (0, 18), "what RAM holds of an earlier game is not shown");
    }

    #[test]
    fn three_other_placements_are_shown_by_their_columns() {
        let model = updated(|_, _| {});
        assert_eq!(model.plan.as_ref().map(|plan| plan.columns.as_str()), Some("4-5"));
        assert_eq!(model.plan, Some(Choice::new(sample::plan().placement, -31.27)));
        let columns: Vec<&str> = model.alternatives.iter().map(|other| other.columns.as_str()).collect();
        assert_eq!(columns, ["3-5", "9-10", "1-3"]);
        let vertical = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
        assert_eq!(Choice::new(vertical, 0.0).columns, "10");
    }

    #[test]
    fn the_maxout_is_expected_by_the_rate_so_far() {
        let mut model = sample::model();
        // 312,400 points in 4,011 frames from frame 310 on.
        assert_eq!(model.expected_maxout(), Some(310 + 4_011 * 999_999 / 312_400));
        model.frame = 900;
        assert_eq!(model.expected_maxout(), None, "too early to say");
        model.frame = 20_000;
        model.score = MAXOUT;
        assert_eq!((model.expected_maxout(), model.progress()), (None, 1.0));
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

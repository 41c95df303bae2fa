//! The panel beside the picture: score, plan, gamepad, messages.

use super::canvas::{Align, Area, Canvas, Rgb, area};
use super::colours::{BAD, GOLD, GOOD, LABEL, PAPER, RULE, TEXT, TRACK};
use super::font::{Font, Size};
use super::pad;
use crate::Speed;
use crate::model::{LONG_DROUGHT, RatedPlacement, Status, Tone, ViewModel};
use crate::numbers::{duration, game_time, percent, thousands};
use maxout_engine::console::Picture;
use maxout_engine::game::{MAXOUT, Orientation};

/// Units of the panel: with the picture they make 16:9.
pub(super) const WIDTH: usize = 170;

/// Units around what is in the panel.
const MARGIN: i32 = 9;
/// Where the panel's contents begin and end.
const LEFT: i32 = Picture::WIDTH as i32 + MARGIN;
const RIGHT: i32 = (Picture::WIDTH + WIDTH) as i32 - MARGIN;

/// Draws the panel at the right of the picture.
pub(super) fn draw(canvas: &mut Canvas, font: &Font, model: &ViewModel) {
    canvas.fill(area(Picture::WIDTH as i32, 0, WIDTH as i32, Picture::HEIGHT as i32), PAPER);
    let mut page = Page { canvas, font };
    page.title(model);
    page.rule(33);
    page.score(model);
    page.rule(105);
    page.plan(model);
    page.rule(177);
    page.gamepad(model);
    page.message(model);
}

/// A canvas with its letters.
struct Page<'a> {
    canvas: &'a mut Canvas,
    font: &'a Font,
}

impl Page<'_> {
    fn put(&mut self, size: Size, x: i32, y: i32, align: Align, words: &str, colour: Rgb) -> i32 {
        self.canvas.text(self.font, size, (x, y), align, words, colour)
    }

    /// As many of these words as fit before the right margin.
    fn put_cut(&mut self, size: Size, x: i32, y: i32, words: &str, colour: Rgb) {
        let words = self.cut(size, words, RIGHT - x);
        self.put(size, x, y, Align::Left, words, colour);
    }

    /// The longest beginning of some words that fits into this many units.
    fn cut<'w>(&self, size: Size, words: &'w str, units: i32) -> &'w str {
        let free = units.max(0) as u32 * self.canvas.scale() as u32;
        let mut width = 0;
        let ends = words.char_indices().zip(self.font.glyphs(size, words)).map_while(|((at, letter), glyph)| {
            width += glyph.advance;
            (width <= free).then_some(at + letter.len_utf8())
        });
        &words[..ends.last().unwrap_or(0)]
    }

    fn rule(&mut self, y: i32) {
        self.canvas.fill(area(LEFT, y, RIGHT - LEFT, 1), RULE);
    }

    /// The program's name, the speed, and what is played.
    fn title(&mut self, model: &ViewModel) {
        self.put(Size::Large, LEFT, 15, Align::Left, "maxout", GOLD);
        let missed = model.missed_speed();
        let (pace, colour) = match (model.status, model.speed) {
            (Status::Paused, _) => ("paused".to_owned(), GOLD),
            (Status::Ended, _) => ("ended".to_owned(), GOLD),
            (Status::Running, _) if model.is_hurried => ("menus, hurried".to_owned(), TEXT),
            (Status::Running, _) if missed.is_some() => (missed.clone().unwrap_or_default(), GOLD),
            (Status::Running, Speed::Times(times)) => (format!("{times}x"), TEXT),
            (Status::Running, Speed::Max) => ("max".to_owned(), TEXT),
        };
        let rate = model.frames_per_second.filter(|_| model.status == Status::Running && missed.is_none());
        let rate = rate.map_or(String::new(), |rate| format!("{} fps", thousands(rate.round() as u64)));
        let width = if rate.is_empty() { 0 } else { self.put(Size::Small, RIGHT, 15, Align::Right, &rate, LABEL) + 4 };
        let size = if missed.is_some() { Size::Small } else { Size::Text };
        let width = width + self.put(size, RIGHT - width, 15, Align::Right, &pace, colour);
        if model.is_rolling {
            self.put(Size::Small, RIGHT - width - 4, 15, Align::Right, "REC", BAD);
        }
        let header = &model.header;
        match &header.mark {
            Some(mark) => self.put_cut(Size::Small, LEFT, 26, mark, BAD),
            None => {
                let mut words = String::new();
                for part in [&header.evaluator, &header.input, &header.seed].into_iter().filter(|part| !part.is_empty())
                {
                    words += if words.is_empty() { "" } else { " · " };
                    words += part;
                }
                self.put_cut(Size::Small, LEFT, 26, &words, LABEL);
            }
        }
    }

    /// Score, level, lines, the way to 999,999, and the counts of the game.
    fn score(&mut self, model: &ViewModel) {
        let is_maxed = model.score >= MAXOUT;
        let level = match model.tally.rebirths {
            0 => "LEVEL".to_owned(),
            times => format!("REBORN {times}x LEVEL"),
        };
        for (name, x, align) in
            [("SCORE", LEFT, Align::Left), (&*level, RIGHT - 34, Align::Right), ("LINES", RIGHT, Align::Right)]
        {
            self.put(Size::Small, x, 44, align, name, LABEL);
        }
        let colour = if is_maxed { GOLD } else { TEXT };
        self.put(Size::Huge, LEFT - 1, 60, Align::Left, &thousands(u64::from(model.score)), colour);
        self.put(Size::Large, RIGHT - 34, 60, Align::Right, &model.level.to_string(), TEXT);
        self.put(Size::Large, RIGHT, 60, Align::Right, &model.lines.to_string(), TEXT);

        let width = RIGHT - LEFT;
        self.canvas.fill_round(area(LEFT, 66, width, 4), 2.0, TRACK);
        let done = (model.progress() * f64::from(width)) as i32;
        if done > 0 {
            self.canvas.fill_round(area(LEFT, 66, done.max(4), 4), 2.0, GOLD);
        }
        let words = match model.uncapped() {
            Some(points) => format!("uncapped {}", thousands(points)),
            None => format!("{} of 999,999", percent(model.progress())),
        };
        self.put(Size::Small, LEFT, 79, Align::Left, &words, if is_maxed { GOLD } else { LABEL });
        let (words, colour) = match (model.tally.maxout_frame, model.expected_maxout()) {
            // What the next lock does to the game matters more than when the maxout was.
            (Some(_), _) if model.lock_words().is_some() => {
                (model.lock_words().map_or(String::new(), |words| format!("lock {words}")), TEXT)
            }
            (Some(frame), _) => {
                let start = model.game_start.unwrap_or(0);
                (format!("maxout after {}", game_time(frame.saturating_sub(start))), GOLD)
            }
            (None, Some(frame)) => (format!("maxout in {}", game_time(frame.saturating_sub(model.frame))), LABEL),
            (None, None) => (String::new(), LABEL),
        };
        self.put(Size::Small, RIGHT, 79, Align::Right, &words, colour);

        let rate = model.tally.tetris_rate().map_or("-".to_owned(), percent);
        let drought = if model.tally.drought >= LONG_DROUGHT { BAD } else { TEXT };
        let desyncs = if model.tally.desyncs == 0 { GOOD } else { BAD };
        let middle = (LEFT + RIGHT) / 2;
        self.row((LEFT, middle - 7), 90, "tetris rate", &rate, TEXT);
        match model.danger_words() {
            Some(words) => self.row((middle + 7, RIGHT), 90, "danger in", &words, TEXT),
            None => self.row((middle + 7, RIGHT), 90, "drought", &model.tally.drought.to_string(), drought),
        }
        self.row((LEFT, middle - 7), 99, "pieces", &thousands(u64::from(model.tally.pieces)), TEXT);
        self.row((middle + 7, RIGHT), 99, "desyncs", &model.tally.desyncs.to_string(), desyncs);
    }

    /// A name on the left and a value on the right.
    fn row(&mut self, (left, right): (i32, i32), y: i32, name: &str, value: &str, colour: Rgb) {
        self.put(Size::Small, left, y, Align::Left, name, LABEL);
        self.put(Size::Text, right, y, Align::Right, value, colour);
    }

    /// The chosen placement and the best others.
    fn plan(&mut self, model: &ViewModel) {
        self.put(Size::Small, LEFT, 116, Align::Left, "PLAN", LABEL);
        let Some(chosen) = &model.plan else {
            return self.put_cut(Size::Text, LEFT, 131, "no piece falls", LABEL);
        };
        let mut effort = format!("best of {}", thousands(model.reachable as u64));
        let plies = model.plan_cost.effort.plies;
        if plies > 0 {
            effort += &format!(" · {plies} {}", if plies == 1 { "ply" } else { "plies" });
        }
        if let Some(time) = model.plan_cost.time {
            effort += &format!(" · {}", duration(time));
        }
        self.put(Size::Small, RIGHT, 116, Align::Right, &effort, LABEL);
        self.placement(131, chosen, Size::Text, (TEXT, &chosen.worth(&model.header.unit)));
        for (y, other) in (143..).step_by(12).zip(&model.alternatives) {
            self.placement(y, other, Size::Small, (LABEL, &other.behind(chosen, &model.header.unit)));
        }
    }

    /// The piece in its orientation, the columns that it covers, and its value.
    fn placement(&mut self, y: i32, placement: &RatedPlacement, size: Size, (colour, value): (Rgb, &str)) {
        piece(self.canvas, area(LEFT, y - 8, 12, 10), placement.orientation, colour);
        let several = placement.columns.contains('-');
        let words = format!("{} {}", if several { "columns" } else { "column" }, placement.columns);
        self.put(size, LEFT + 18, y, Align::Left, &words, colour);
        self.put(size, RIGHT, y, Align::Right, value, colour);
    }

    fn gamepad(&mut self, model: &ViewModel) {
        let left = LEFT + (RIGHT - LEFT - pad::WIDTH) / 2;
        pad::draw(self.canvas, self.font, (left, 184), model.buttons);
    }

    /// What happened last.
    fn message(&mut self, model: &ViewModel) {
        let frame = format!("frame {}", thousands(model.frame));
        let width = self.put(Size::Small, RIGHT, 234, Align::Right, &frame, LABEL);
        let Some(message) = model.messages.back() else { return };
        let colour = match message.tone {
            Tone::Plain => TEXT,
            Tone::Good => GOOD,
            Tone::Great => GOLD,
            Tone::Bad => BAD,
        };
        let words = self.cut(Size::Small, &message.text, RIGHT - LEFT - width - 6);
        self.put(Size::Small, LEFT, 234, Align::Left, words, colour);
    }
}

/// A piece in the middle of an area, two units to a cell.
fn piece(canvas: &mut Canvas, within: Area, orientation: Orientation, colour: Rgb) {
    const SIDE: i32 = 2;
    let span = |parts: [i8; 4]| (parts.into_iter().min().unwrap_or(0), parts.into_iter().max().unwrap_or(0));
    let cells = orientation.cells();
    let (columns, rows) = (span(cells.map(|(_, dx)| dx)), span(cells.map(|(dy, _)| dy)));
    let middle = |start: i32, length: i32, (first, last): (i8, i8)| {
        start + (length - SIDE * i32::from(last - first + 1)) / 2 - SIDE * i32::from(first)
    };
    let (x, y) = (middle(within.x, within.width, columns), middle(within.y, within.height, rows));
    for &(dy, dx) in cells {
        canvas.fill(area(x + SIDE * i32::from(dx), y + SIDE * i32::from(dy), SIDE, SIDE), colour);
    }
}

//! The page of a simulation: a table of the players and five panels.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend, PathElement, Rectangle};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, round_step};
use super::canvas::{Drawn, Plot};
use super::chart::{self, Chart, MARGIN, TEXT, TITLE, fitted, letters, panel, stroke, width};
use super::colours;
use super::field;
use super::numbers::DrawnGames;
use crate::simulate::LockRowTrend;
use maxout_engine::game::{self, ROWS, WIDTH};
use maxout_engine::text::rounded;

/// Where the game's counter stops, in points.
const MAXOUT: u64 = game::MAXOUT as u64;

/// Units of a page from left to right.
const PAGE: i32 = 2400;
/// Units from one line of the table to the next.
const LINE: i32 = 44;
/// Units from the top to the first line of the table.
const TABLE: i32 = 132;
/// Heights of the upper and of the lower panels.
const PANELS: (i32, i32) = (760, 860);
/// Units between panels.
const GAP: i32 = 56;
/// Right ends of the table's columns.
const COLUMNS: [(&str, i32); 6] = [
    ("games", 1050),
    ("mean points", 1290),
    ("median", 1500),
    ("best", 1730),
    ("reach 999,999", 2010),
    ("lock row ratio", 2290),
];
/// Most regression lines that are labelled beside the bars; the table has all of them. Chosen by
/// hand, not measured.
const NOTES: usize = 3;
/// Most bins of the histogram of points. Chosen by hand, not measured.
const BINS: f64 = 40.0;

struct Player {
    name: String,
    points: DrawnGames,
    rows: Option<[f64; ROWS]>,
    pieces: u64,
    perfect_clears: u64,
}

/// A page.
pub struct Page {
    title: String,
    players: Vec<Player>,
    cells: Option<[[f64; WIDTH]; ROWS]>,
}

impl Page {
    /// A page of the games of some players.
    pub fn new(title: &str, players: Vec<(String, DrawnGames)>) -> Page {
        let cells = players.first().and_then(|(_, games)| games.lock_cells());
        let player = |(name, games): (String, DrawnGames)| {
            let (pieces, perfect_clears) = games.perfect_clears();
            Player { name, rows: games.lock_rows(), points: games, pieces, perfect_clears }
        };
        Page { title: title.to_owned(), players: players.into_iter().map(player).collect(), cells }
    }

    /// Units from the top to the panels.
    fn head(&self) -> i32 {
        TABLE + LINE * (self.players.len() as i32 + 1) + GAP / 2
    }

    /// The players' colours, each with its player.
    fn coloured(&self) -> impl Iterator<Item = (plotters::style::RGBColor, &Player)> {
        self.players.iter().enumerate().map(|(index, player)| (colours::line(index), player))
    }

    /// The axis of points: up to the best game, and to 999,999 when that is near.
    fn points_axis(&self) -> Axis {
        let best = self.players.iter().map(|player| player.points.best()).max().unwrap_or(0);
        let end = if best == 0 || best > MAXOUT * 2 / 5 { best.max(MAXOUT) } else { best };
        Axis::linear(0.0, end as f64 * 1.05, 8, "points, without pushdown")
    }

    /// How strongly a player's bars are filled; weaker with more players, because they overlap.
    fn shade(&self) -> f64 {
        (0.3 / self.players.len() as f64).min(0.15)
    }

    fn has_games(&self) -> bool {
        self.players.iter().any(|player| player.points.games() > 0)
    }

    fn table<DB: DrawingBackend>(&self, canvas: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        for (name, x) in COLUMNS {
            canvas.draw_text(name, &letters(TEXT, colours::FAINT, HPos::Right), (x, TABLE))?;
        }
        for (index, (colour, player)) in self.coloured().enumerate() {
            let y = TABLE + LINE * (index as i32 + 1);
            canvas.draw(&PathElement::new([(MARGIN, y), (MARGIN + 56, y)], stroke(colour, 8)))?;
            let name = fitted(&player.name, TEXT, 820);
            canvas.draw_text(&name, &letters(TEXT, colours::INK, HPos::Left), (MARGIN + 76, y))?;
            let points = &player.points;
            let mut values = vec![points.games().to_string(), "none".to_owned()];
            if points.games() > 0 {
                let numbers = [points.mean(), points.median(), points.best() as f64].map(rounded);
                values = vec![rounded(points.games() as f64)];
                values.extend(numbers);
                values.push(format!("{:.1} %", points.share(MAXOUT)));
                let ratio = player.rows.as_ref().and_then(LockRowTrend::of).map(|line| 100.0 * line.ratio());
                values.push(ratio.map_or("none".to_owned(), |ratio| format!("{ratio:.2} %")));
            }
            for (value, (_, x)) in values.iter().zip(COLUMNS) {
                canvas.draw_text(value, &letters(TEXT, colours::INK, HPos::Right), (x, y))?;
            }
        }
        Ok(())
    }

    fn survival<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let area = panel(area, "Share of games above each number of points")?;
        // The player with the best median decides: a linear scale, or a logarithmic one for a long
        // tail.
        let players = self.players.iter().map(|player| &player.points);
        let leader = players.max_by(|a, b| a.median().total_cmp(&b.median()));
        let log = leader.is_some_and(DrawnGames::is_long_tailed);
        let most = self.players.iter().map(|player| player.points.games()).max().unwrap_or(0);
        let y = match log {
            true => Axis::percent_log((100.0 / most as f64).log10().floor() as i32, "share of games"),
            false => Axis::percent(100.0, 5, "share of games"),
        };
        let height = |share: f64| if log { share.log10() } else { share };
        let mut chart = chart::chart(&area, &self.points_axis(), &y)?;
        mark_maxout(&mut chart, &y)?;
        for (colour, player) in self.coloured().filter(|(_, player)| player.points.games() > 0) {
            let mut corners: Vec<_> = player.points.survival().iter().map(|(x, y)| (*x, height(*y))).collect();
            corners.push((player.points.best() as f64, y.range.start));
            chart::line(&mut chart, &corners, colour, 4)?;
        }
        if self.has_games() { Ok(()) } else { chart::middle(&chart, "no games") }
    }

    fn histogram<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let mut x = self.points_axis();
        let bin = round_step(x.range.end / BINS).max(1.0);
        let bins = (x.range.end / bin).ceil().max(1.0);
        x.range.end = bins * bin;
        let area = panel(area, "Histogram of points")?;
        let shares: Vec<_> =
            self.coloured().map(|(colour, player)| (colour, player.points.histogram(bin, bins as usize))).collect();
        let most = shares.iter().flat_map(|(_, shares)| shares).copied().fold(0.0, f64::max);
        let end = if most > 0.0 { (most * 1.08).min(100.0) } else { 100.0 };
        let y = Axis::percent(end, 5, &format!("share of games in {} points", rounded(bin)));
        let mut chart = chart::chart(&area, &x, &y)?;
        mark_maxout(&mut chart, &y)?;
        for (colour, shares) in shares {
            chart::bars(&mut chart, &shares, (bin, 0.0), colour, self.shade())?;
        }
        if self.has_games() { Ok(()) } else { chart::middle(&chart, "no games") }
    }

    fn lock_rows<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let area = panel(area, "Lock rows")?;
        let known: Vec<_> =
            self.coloured().filter_map(|(colour, player)| Some((colour, player, player.rows?))).collect();
        let shares = known.iter().flat_map(|(_, _, rows)| rows).copied().filter(|share| *share > 0.0);
        let low = shares.fold(1.0, f64::min).log10().floor() as i32;
        let y = Axis::percent_log(low, "share of pieces");
        let mut chart = chart::chart(&area, &Axis::numbered(ROWS, 1, "row from the top"), &y)?;
        for (colour, _, rows) in &known {
            chart::bars(&mut chart, &rows.map(f64::log10), (1.0, y.range.start), *colour, self.shade())?;
        }
        let mut notes = vec![];
        for (colour, player, rows) in &known {
            let Some(line) = LockRowTrend::of(rows) else { continue };
            let ends = [line.rows.0 as f64, line.rows.1 as f64];
            let [from, to] = ends.map(|row| (row + 0.5, line.at(row).clamp(y.range.start, y.range.end)));
            chart::dashes(&mut chart, from, to, stroke(*colour, 5))?;
            notes.push((*colour, format!("{:.2} %  {}", 100.0 * line.ratio(), player.name)));
        }
        if known.is_empty() {
            return chart::middle(&chart, "no locks");
        }
        let (wide, _) = chart.plotting_area().dim_in_pixel();
        let title = "dashed: log10 regression, rows 7 to 16; a row's share of the row below it:";
        chart::note(&chart, title, &letters(22, colours::FAINT, HPos::Left), (0, -20))?;
        if known.len() > NOTES {
            notes = vec![(colours::FAINT, "see lock row ratio above".to_owned())];
        } else if notes.is_empty() {
            notes = vec![(colours::FAINT, "none".to_owned())];
        }
        // Few pieces lock high, so the upper left is free.
        for (index, (colour, text)) in notes.iter().enumerate() {
            let text = fitted(text, TEXT, wide as i32 / 2);
            chart::note(&chart, &text, &letters(TEXT, *colour, HPos::Left), (16, 28 + 36 * index as i32))?;
        }
        Ok(())
    }

    fn heat_map<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let title = match self.players.first() {
            Some(player) => format!("Lock cells: {}", player.name),
            None => "Lock cells".to_owned(),
        };
        field::draw(&panel(area, &title)?, self.cells.as_ref())
    }

    fn perfect_clears<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let area = panel(area, "Pieces per perfect clear")?;
        let (wide, high) = area.dim_in_pixel();
        let line = ((high as i32 - 48) / self.players.len().max(1) as i32).min(140);
        let mean =
            |player: &Player| (player.perfect_clears > 0).then(|| player.pieces as f64 / player.perfect_clears as f64);
        let most = self.players.iter().filter_map(mean).fold(0.0, f64::max);
        for (index, (colour, player)) in self.coloured().enumerate() {
            let y = line * index as i32;
            let pieces = rounded(player.pieces as f64);
            let text = match mean(player) {
                Some(mean) => {
                    format!("{} ({} in {pieces} pieces)", rounded(mean), rounded(player.perfect_clears as f64))
                }
                None => format!("none in {pieces} pieces"),
            };
            let ink = letters(TEXT, colours::INK, HPos::Left);
            let coloured = letters(TEXT, colour, HPos::Left);
            if line < 72 {
                let text = fitted(&format!("{text}: {}", player.name), TEXT, wide as i32);
                area.draw_text(&text, &coloured, (0, y + 48))?;
                continue;
            }
            area.draw_text(&fitted(&player.name, TEXT, wide as i32), &coloured, (0, y + 48))?;
            area.draw_text(&text, &ink, (0, y + 80))?;
            if let (Some(mean), true) = (mean(player), line >= 112) {
                let end = (mean / most * f64::from(wide)) as i32;
                area.draw(&Rectangle::new([(0, y + 102), (end.max(2), y + 116)], colour.filled()))?;
            }
        }
        if self.players.is_empty() {
            area.draw_text("none", &letters(TEXT, colours::FAINT, HPos::Left), (0, 48))?;
        }
        Ok(())
    }
}

/// A dashed line at 999,999, or an arrow to it when the axis ends before.
fn mark_maxout<'a, DB: DrawingBackend + 'a>(chart: &mut Chart<'a, DB>, y: &Axis) -> Drawn<DB> {
    let end = chart.x_range().end;
    let (wide, _) = chart.plotting_area().dim_in_pixel();
    let at = MAXOUT as f64;
    let faint = |side| letters(TEXT, colours::FAINT, side);
    if end < at {
        return chart::note(chart, "999,999 →", &faint(HPos::Right), (wide as i32, -20));
    }
    chart::dashes(chart, (at, y.range.start), (at, y.range.end), stroke(colours::FAINT, 2))?;
    let label = "999,999";
    let x = (at / end * f64::from(wide)) as i32;
    chart::note(chart, label, &faint(HPos::Center), (x.max(width(label, TEXT) / 2), -20))
}

impl Plot for Page {
    fn size(&self) -> (u32, u32) {
        (PAGE as u32, (self.head() + PANELS.0 + GAP + PANELS.1 + MARGIN / 2) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let title = fitted(&self.title, TITLE, PAGE - 2 * MARGIN);
        canvas.draw_text(&title, &letters(TITLE, colours::INK, HPos::Left), (MARGIN, 64))?;
        self.table(canvas)?;
        let half = (PAGE - 2 * MARGIN - GAP) / 2;
        let (upper, lower) = (self.head(), self.head() + PANELS.0 + GAP);
        let area = |x: i32, y: i32, (wide, high): (i32, i32)| canvas.clone().shrink((x, y), (wide, high));
        let (middle, right) = (MARGIN + half + GAP, MARGIN + half + GAP + 620);
        self.survival(&area(MARGIN, upper, (half, PANELS.0)))?;
        self.histogram(&area(middle, upper, (half, PANELS.0)))?;
        self.lock_rows(&area(MARGIN, lower, (half, PANELS.1)))?;
        self.heat_map(&area(middle, lower, (600, PANELS.1)))?;
        self.perfect_clears(&area(right, lower, (PAGE - MARGIN - right, PANELS.1)))
    }
}

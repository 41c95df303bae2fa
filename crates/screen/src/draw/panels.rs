//! The boxes at both sides of the playfield, and the messages below it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Flex, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::model::{Delays, LONG_DROUGHT, PlanCost, Tile, ViewModel};
use crate::numbers::{duration, game_time, percent, thousands};
use maxout_engine::game::timing::FRAMES_PER_SECOND;
use maxout_engine::game::{MAXOUT, Piece};

use super::bars::message_line;
use super::palette::{Palette, Role};
use super::parts::{boxed, styled};
use super::{field, gamepad};
use crate::speed::Speed;

/// Statistics, clears, plan.
pub(super) fn left(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let [top, middle, bottom] = Layout::vertical([10, 6, 6].map(Constraint::Length)).flex(Flex::Start).areas(area);
    let inner = panel(buffer, top, "PIECES", palette);
    corner(buffer, top, &thousands(u64::from(model.tally.pieces)), palette);
    statistics(buffer, inner, model, palette);
    let inner = panel(buffer, middle, "CLEARS", palette);
    clears(buffer, inner, model, palette);
    let inner = panel(buffer, bottom, "PLAN", palette);
    if model.plan.is_some() {
        corner(buffer, bottom, &format!("1 of {}", model.reachable), palette);
    }
    plan(buffer, inner, model, palette);
    plan_cost(buffer, bottom, model, palette);
}

/// The panels beside the console's own picture. The counts of the pieces are only in the picture.
pub(super) fn beside(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let [top, second, third, bottom] = Layout::vertical([7, 5, 5, 5].map(Constraint::Length)).areas(area);
    let inner = panel(buffer, top, "SCORE", palette);
    let mut rows = inner.rows();
    let role = if model.score == MAXOUT { Role::Gold } else { Role::Strong };
    row(buffer, rows.next(), "score", thousands(u64::from(model.score)), role, palette);
    let lines = format!("lines {}", model.lines);
    row(buffer, rows.next(), &format!("level {}", model.level), lines, Role::Text, palette);
    tetris_rate(buffer, rows.next(), model, palette);
    maxout(buffer, &mut rows, is_narrow(inner), model, palette);
    danger(buffer, top, model, palette);
    let inner = panel(buffer, second, "PLAN", palette);
    if model.plan.is_some() {
        corner(buffer, second, &format!("1 of {}", model.reachable), palette);
    }
    plan(buffer, inner, model, palette);
    plan_cost(buffer, second, model, palette);
    panel(buffer, third, "GAMEPAD", palette);
    gamepad::draw(buffer, third.inner(Margin::new(1, 1)), model.buttons, palette);
    let inner = panel(buffer, bottom, "RUN", palette);
    run(buffer, inner, model, palette);
    delays(buffer, bottom, model, palette);
}

/// Score, next box, gamepad, run.
pub(super) fn right(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let [top, second, third, bottom] =
        Layout::vertical([8, 4, 5, 5].map(Constraint::Length)).flex(Flex::Start).areas(area);
    let inner = panel(buffer, top, "SCORE", palette);
    score(buffer, inner, model, palette);
    danger(buffer, top, model, palette);
    let inner = panel(buffer, second, "NEXT", palette);
    field::next(buffer, inner, model, palette);
    panel(buffer, third, "GAMEPAD", palette);
    gamepad::draw(buffer, third.inner(Margin::new(1, 1)), model.buttons, palette);
    let inner = panel(buffer, bottom, "RUN", palette);
    run(buffer, inner, model, palette);
    delays(buffer, bottom, model, palette);
}

/// What happened, latest last.
pub(super) fn messages(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let inner = panel(buffer, area, "MESSAGES", palette);
    let skipped = model.messages.len().saturating_sub(usize::from(inner.height));
    for (row, message) in inner.rows().zip(model.messages.iter().skip(skipped)) {
        message_line(message, palette).render(row, buffer);
    }
}

fn panel(buffer: &mut Buffer, area: Rect, name: &str, palette: Palette) -> Rect {
    let name = styled(format!(" {name} "), palette.style(Role::Label));
    let inner = boxed(buffer, area, name, palette.style(Role::Border));
    if is_narrow(inner) { inner } else { inner.inner(Margin::new(1, 0)) }
}

/// Is there no room for more than the shortest words?
fn is_narrow(area: Rect) -> bool {
    area.width < 22
}

/// Words in the upper border of a panel, on the right.
fn corner(buffer: &mut Buffer, area: Rect, words: &str, palette: Palette) {
    let border = Rect { width: area.width.saturating_sub(2), height: 1, ..area };
    styled(format!(" {words} "), palette.style(Role::Label)).right_aligned().render(border, buffer);
}

/// Words in the lower border of a panel, on the right.
fn foot(buffer: &mut Buffer, area: Rect, words: &str, role: Role, palette: Palette) {
    let Some(row) = area.rows().next_back() else { return };
    let border = Rect { width: area.width.saturating_sub(2), ..row };
    styled(format!(" {words} "), palette.style(role)).right_aligned().render(border, buffer);
}

/// How far the last plan looked ahead and how long it took, as a warning above one frame.
fn plan_cost(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let PlanCost { effort, time } = model.plan_cost;
    let plies = match effort.plies {
        0 => None,
        1 => Some("1 ply".to_owned()),
        plies => Some(format!("{plies} plies")),
    };
    let words: Vec<String> = plies.into_iter().chain(time.map(duration)).collect();
    if model.plan.is_none() || words.is_empty() {
        return;
    }
    let is_slow = time.is_some_and(|time| time.as_secs_f64() > FRAMES_PER_SECOND.recip());
    foot(buffer, area, &words.join(" "), if is_slow { Role::Bad } else { Role::Label }, palette);
}

/// Delays at the console's own speed.
fn delays(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let Delays { count, longest } = model.delays;
    if count > 0 {
        foot(buffer, area, &format!("late {count}x {}", duration(longest)), Role::Bad, palette);
    } else if model.speed == Speed::Times(1) {
        foot(buffer, area, "on time", Role::Label, palette);
    }
}

/// A name on the left and a value on the right.
fn row(buffer: &mut Buffer, area: Option<Rect>, name: &str, value: impl Into<String>, role: Role, palette: Palette) {
    let Some(area) = area else { return };
    styled(name, palette.style(Role::Label)).render(area, buffer);
    styled(value.into(), palette.style(role)).right_aligned().render(area, buffer);
}

fn statistics(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let most = model.statistics.into_iter().max().unwrap_or(0);
    let mut rows = area.rows();
    for (piece, row_area) in Piece::ALL.into_iter().zip(rows.by_ref()) {
        let count = model.statistics[piece.index()];
        let tile = Tile::of(piece.spawn().tile()).unwrap_or(Tile::White);
        let style = palette.small_piece(tile, model.level);
        // Without colour the pieces of neighbouring rows would run into one another.
        let picture = if palette.is_mono() { String::new() } else { field::small(piece) + "  " };
        let mut line = Line::from(vec![
            Span::styled(picture, style),
            Span::styled(format!("{}  ", piece.letter()), palette.style(Role::Label)),
        ]);
        let free = u64::from(row_area.width).saturating_sub(15);
        if most > 0 && free >= 6 {
            let length = (u64::from(count) * free / u64::from(most)) as usize;
            line.push_span(Span::styled("▪".repeat(length), palette.style(Role::Border)));
        }
        line.render(row_area, buffer);
        styled(count.to_string(), palette.style(Role::Text)).right_aligned().render(row_area, buffer);
    }
    drought(buffer, rows.next(), model, palette);
}

fn drought(buffer: &mut Buffer, area: Option<Rect>, model: &ViewModel, palette: Palette) {
    let role = if model.tally.drought >= LONG_DROUGHT { Role::Bad } else { Role::Text };
    row(buffer, area, "drought", model.tally.drought.to_string(), role, palette);
}

fn tetris_rate(buffer: &mut Buffer, area: Option<Rect>, model: &ViewModel, palette: Palette) {
    let rate = model.tally.tetris_rate().map_or("-".to_owned(), percent);
    row(buffer, area, "tetris rate", rate, Role::Text, palette);
}

fn clears(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let names = ["singles", "doubles", "triples", "tetrises"];
    let mut rows = area.rows();
    for (name, count) in names.into_iter().zip(model.tally.clears) {
        let role = if name == "tetrises" && count > 0 { Role::Good } else { Role::Text };
        row(buffer, rows.next(), name, count.to_string(), role, palette);
    }
}

fn plan(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let mut rows = area.rows();
    let Some(chosen) = &model.plan else {
        return row(buffer, rows.next(), "no piece falls", "", Role::Label, palette);
    };
    let unit = &*model.header.unit;
    let short = if unit == "points" { "pts" } else { unit };
    let lines = |(columns, or, unit): (&str, &str, &str)| -> Vec<(String, String)> {
        let first = (format!("{columns}{}", chosen.columns), chosen.worth(unit));
        let others = model.alternatives.iter();
        let others = others.map(|other| (format!("{or}{}", other.columns), other.behind(chosen, unit)));
        [first].into_iter().chain(others).collect()
    };
    let fits = |lines: &Vec<(String, String)>| {
        lines.iter().all(|(name, value)| name.len() + 1 + value.len() <= usize::from(area.width))
    };
    // As many words as there is room for.
    let wordings = [("columns ", "or ", unit), ("cols ", "or ", unit), ("", "", unit), ("", "", short), ("", "", "")];
    let lines = wordings.map(lines);
    let lines = lines.iter().find(|lines| fits(lines)).unwrap_or(&lines[4]);
    for (index, (name, value)) in lines.iter().enumerate() {
        let role = if index == 0 { Role::Strong } else { Role::Label };
        row(buffer, rows.next(), name, value.as_str(), role, palette);
    }
}

fn score(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let mut rows = area.rows();
    let role = if model.score == MAXOUT { Role::Gold } else { Role::Strong };
    row(buffer, rows.next(), "score", thousands(u64::from(model.score)), role, palette);
    row(buffer, rows.next(), "level", model.level_words(), Role::Text, palette);
    row(buffer, rows.next(), "lines", model.lines.to_string(), Role::Text, palette);
    tetris_rate(buffer, rows.next(), model, palette);
    maxout(buffer, &mut rows, is_narrow(area), model, palette);
}

/// The progress to the maxout or the score past it, and the frame in which it is reached or expected.
fn maxout(
    buffer: &mut Buffer,
    rows: &mut impl Iterator<Item = Rect>,
    is_narrow: bool,
    model: &ViewModel,
    palette: Palette,
) {
    match (rows.next(), model.uncapped()) {
        (area, Some(points)) => {
            let name = if is_narrow { "no cap" } else { "uncapped" };
            row(buffer, area, name, thousands(points), Role::Gold, palette);
        }
        (Some(area), None) => progress(buffer, area, model, palette),
        (None, None) => {}
    }
    // Past the maxout, what the next lock does to the game matters more than when that was.
    if let (Some(_), Some(words)) = (model.uncapped(), model.lock_words()) {
        let area = rows.next();
        let fits = |words: &str| area.is_some_and(|area| "lock ".len() + words.len() <= usize::from(area.width));
        let words = if fits(&words) { &*words } else { words.trim_end_matches(" cycles") };
        return row(buffer, area, if fits(words) { "lock" } else { "" }, words, Role::Text, palette);
    }
    let name = if is_narrow { "maxout" } else { "maxout frame" };
    let (frame, role) = match (model.tally.maxout_frame, model.expected_maxout()) {
        (Some(frame), _) => (thousands(frame), Role::Gold),
        (None, Some(frame)) => (format!("~{}", thousands(frame)), Role::Text),
        (None, None) => ("-".to_owned(), Role::Text),
    };
    row(buffer, rows.next(), name, frame, role, palette);
}

/// How many lines the next lock is away that may crash the game.
fn danger(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    if let (Some(lines), Some(words)) = (model.lines_to_danger, model.danger_words()) {
        let fits = words.len() + "danger in ".len() + 4 <= usize::from(area.width);
        let words = if fits { words } else { thousands(lines.into()) };
        let role = if lines == 0 { Role::Bad } else { Role::Label };
        foot(buffer, area, &format!("danger in {words}"), role, palette);
    }
}

/// The share of 999,999 as a bar, in eighths of a column.
fn progress(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = model.progress();
    let width = usize::from(area.width.saturating_sub(6));
    let eighths = (share * (8 * width) as f64) as usize;
    let bar = if palette.is_mono() {
        format!("{:-<width$}", "#".repeat(eighths / 8))
    } else {
        format!("{:width$}", "█".repeat(eighths / 8) + EIGHTHS[eighths % 8])
    };
    styled(bar, palette.bar()).render(Rect { width: width as u16, ..area }, buffer);
    styled(percent(share), palette.style(Role::Gold)).right_aligned().render(area, buffer);
}

fn run(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let mut rows = area.rows();
    row(buffer, rows.next(), "frame", thousands(model.frame), Role::Text, palette);
    row(buffer, rows.next(), "game time", game_time(model.game_frames()), Role::Text, palette);
    let desyncs = model.tally.desyncs;
    let role = if desyncs == 0 { Role::Good } else { Role::Bad };
    row(buffer, rows.next(), "desyncs", desyncs.to_string(), role, palette);
}

//! The console's own picture with the ghosts of the plan, two pixels to a character, and panels
//! beside it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::bars::{footer, title};
use super::palette::{Palette, Role};
use super::parts::styled;
use super::sizes::{FIELD_HEIGHT, LEAST_SIDE, MIN_HEIGHT, MIN_WIDTH, MOST_SIDE};
use super::{field, panels};
use crate::composite::with_ghosts;
use crate::model::ViewModel;
use maxout_engine::console::Picture;
use ratatui::widgets::Widget;

/// Width to height of the picture on a television: its pixels are 8 to 7.
const ASPECT: (u32, u32) = (Picture::WIDTH as u32 * 8, Picture::HEIGHT as u32 * 7);
/// Characters in place of pixels where there is no colour, from dark to bright.
const SHADES: &[u8; 10] = b" .:-=+*#%@";

/// How the console's own picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// Half blocks, or what there is without colour.
    Characters,
    /// Nothing: the host draws pixels over [its area](super::picture_area).
    Pixels,
}

/// Where things go.
pub(super) struct Areas {
    title: Rect,
    pub(super) picture: Rect,
    beside: Rect,
    footer: Rect,
}

impl Areas {
    pub(super) fn of(area: Rect) -> Option<Areas> {
        if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
            return None;
        }
        let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
        let [title, body, footer] = Layout::vertical(rows).areas(area);
        // A character is twice as high as it is wide.
        let widest = u32::from(body.height) * 2 * ASPECT.0 / ASPECT.1;
        // Numbers in a picture of this size cannot be read: the panels always have their room.
        let width = widest.min(u32::from(body.width - LEAST_SIDE)) as u16;
        let height = ((u32::from(width) * ASPECT.1).div_ceil(ASPECT.0 * 2) as u16).min(body.height);
        let side = (body.width - width).min(MOST_SIDE);
        let left = body.x + (body.width - width - side) / 2;
        let picture = Rect { x: left, y: body.y + (body.height - height) / 2, width, height };
        let beside =
            Rect { x: left + width, y: body.y + (body.height - FIELD_HEIGHT) / 2, width: side, height: FIELD_HEIGHT };
        Some(Areas { title, picture, beside, footer })
    }
}

pub(super) fn draw(buffer: &mut Buffer, areas: &Areas, model: &ViewModel, palette: Palette, pictures: Pictures) {
    title(buffer, areas.title, model, palette);
    match (&model.picture, pictures) {
        (Some(picture), Pictures::Characters) => {
            characters(buffer, areas.picture, &with_ghosts(picture, &model.cells), palette);
        }
        (Some(_), Pictures::Pixels) => {}
        (None, _) => {
            let words = if model.is_blind {
                "this console draws no pictures (key v)"
            } else {
                "the picture comes with the next frame"
            };
            let middle = Rect { y: areas.picture.y + areas.picture.height / 2, height: 1, ..areas.picture };
            styled(words, palette.style(Role::Label)).centered().render(middle, buffer);
        }
    }
    if let Some((words, role)) = field::menus(model) {
        let bottom = areas.picture.height.saturating_sub(2);
        field::banner(buffer, areas.picture, bottom, &words, palette, role);
    }
    if pictures == Pictures::Characters {
        let middle = areas.picture.height / 2;
        for (row, (words, role)) in (middle.saturating_sub(1)..).step_by(2).zip(field::stops(model)) {
            field::banner(buffer, areas.picture, row, &words, palette, role);
        }
    }
    panels::beside(buffer, areas.beside, model, palette);
    footer(buffer, areas.footer, model, palette, false);
}

/// The picture in characters: upper half blocks in one colour on another; without colours,
/// characters that are about as bright.
fn characters(buffer: &mut Buffer, area: Rect, picture: &Picture, palette: Palette) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let pixels = smaller(picture, width, 2 * height);
    for (y, rows) in (area.y..).zip(pixels.chunks_exact(2 * width)) {
        let (upper, lower) = rows.split_at(width);
        for (x, (&upper, &lower)) in (area.x..).zip(upper.iter().zip(lower)) {
            let cell = &mut buffer[(x, y)];
            if palette.is_mono() {
                let shade = (brightness(upper) + brightness(lower)) / 2 * SHADES.len() / 256;
                cell.set_char(char::from(SHADES[shade]));
                continue;
            }
            let (upper, lower) = (palette.pixel(upper), palette.pixel(lower));
            // One colour needs no character: half as much goes to the terminal.
            let character = if upper == lower { ' ' } else { '▀' };
            cell.set_char(character).set_fg(upper).set_bg(lower);
        }
    }
}

/// How bright a pixel looks, 0 to 255: the weights of ITU-R BT.601.
fn brightness([red, green, blue]: [u8; 3]) -> usize {
    (299 * usize::from(red) + 587 * usize::from(green) + 114 * usize::from(blue)) / 1000
}

/// The picture at a smaller size: each pixel is the mean of those that it stands for.
fn smaller(picture: &Picture, width: usize, height: usize) -> Vec<[u8; 3]> {
    let span = |index: usize, parts: usize, whole: usize| {
        let begin = index * whole / parts;
        begin..((index + 1) * whole / parts).max(begin + 1)
    };
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (mut sums, mut count) = ([0_u32; 3], 0);
            for row in span(y, height, Picture::HEIGHT) {
                for pixel in &picture.pixels[row * Picture::WIDTH..][span(x, width, Picture::WIDTH)] {
                    for (sum, &part) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(part);
                    }
                    count += 1;
                }
            }
            pixels.push(sums.map(|sum| (sum / count) as u8));
        }
    }
    pixels
}

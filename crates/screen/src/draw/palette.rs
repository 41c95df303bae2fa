//! Colours and characters: one table for terminals of any ability.

use std::env;

use ratatui::style::{Color, Modifier, Style};

use crate::model::{Cell, Tile};

/// How many colours a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourMode {
    /// No colour: only the characters differ.
    Mono,
    /// The sixteen colours of the terminal's theme.
    Sixteen,
    /// 256 colours, of which the 6 x 6 x 6 cube is used.
    TwoHundredFiftySix,
    /// 24 bits.
    True,
}

impl ColourMode {
    /// The mode that the variables `NO_COLOR`, `COLORTERM` and `TERM` ask for.
    pub fn detect() -> ColourMode {
        ColourMode::of(|name| env::var(name).ok())
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> ColourMode {
        let value = |name| variable(name).unwrap_or_default();
        let (colour, term) = (value("COLORTERM"), value("TERM"));
        if !value("NO_COLOR").is_empty() || term == "dumb" || term.ends_with("-m") || term.starts_with("vt") {
            ColourMode::Mono
        } else if matches!(colour.as_str(), "truecolor" | "24bit") || term.ends_with("-direct") {
            ColourMode::True
        } else if term.contains("256") {
            ColourMode::TwoHundredFiftySix
        } else if cfg!(windows) {
            ColourMode::True
        } else {
            ColourMode::Sixteen
        }
    }
}

/// A colour as 24 bits, and the one of the sixteen that stands for it.
#[derive(Clone, Copy)]
pub(super) struct Shade {
    rgb: (u8, u8, u8),
    sixteen: Color,
}

const fn shade(red: u8, green: u8, blue: u8, sixteen: Color) -> Shade {
    Shade { rgb: (red, green, blue), sixteen }
}

const BACKGROUND: Shade = shade(17, 18, 28, Color::Black);
const FIELD: Shade = shade(7, 7, 13, Color::Black);
const GRID: Shade = shade(38, 40, 58, Color::Black);
const BORDER: Shade = shade(74, 78, 110, Color::DarkGray);
const LABEL: Shade = shade(138, 143, 176, Color::Gray);
const TEXT: Shade = shade(226, 229, 245, Color::White);
const GOLD: Shade = shade(255, 205, 84, Color::LightYellow);
const GOOD: Shade = shade(120, 222, 140, Color::LightGreen);
const BAD: Shade = shade(255, 107, 107, Color::LightRed);
const TRACK: Shade = shade(40, 42, 62, Color::DarkGray);
const KEY: Shade = shade(48, 50, 72, Color::DarkGray);
const BLOCK_WHITE: Shade = shade(238, 240, 250, Color::White);
const CURTAIN: Shade = shade(96, 100, 134, Color::Gray);

/// For each level mod 10 the colours of the tiles `$7D` and `$7C`.
const LEVELS: [[Shade; 2]; 10] = [
    [shade(59, 110, 255, Color::Blue), shade(86, 200, 255, Color::LightCyan)],
    [shade(34, 158, 70, Color::Green), shade(174, 222, 62, Color::LightGreen)],
    [shade(181, 62, 204, Color::Magenta), shade(244, 140, 226, Color::LightMagenta)],
    [shade(66, 96, 245, Color::Blue), shade(84, 222, 128, Color::LightGreen)],
    [shade(222, 44, 112, Color::Red), shade(92, 228, 176, Color::LightCyan)],
    [shade(58, 204, 152, Color::Cyan), shade(146, 146, 255, Color::LightBlue)],
    [shade(228, 72, 54, Color::Red), shade(154, 158, 172, Color::Gray)],
    [shade(128, 76, 236, Color::Magenta), shade(196, 48, 92, Color::LightRed)],
    [shade(66, 104, 250, Color::Blue), shade(236, 74, 58, Color::LightRed)],
    [shade(226, 78, 42, Color::Red), shade(250, 170, 74, Color::LightYellow)],
];

/// The purpose of a text, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Text without another role.
    Text,
    /// The name of a value.
    Label,
    /// Frames and rules.
    Border,
    /// An important value.
    Strong,
    /// The goal and what belongs to it.
    Gold,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
}

/// Styles of a colour mode.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    mode: ColourMode,
}

impl Palette {
    pub(super) const fn new(mode: ColourMode) -> Palette {
        Palette { mode }
    }

    pub(super) fn is_mono(self) -> bool {
        self.mode == ColourMode::Mono
    }

    fn colour(self, shade: Shade) -> Color {
        let (red, green, blue) = shade.rgb;
        match self.mode {
            ColourMode::Mono => Color::Reset,
            ColourMode::Sixteen => shade.sixteen,
            ColourMode::TwoHundredFiftySix => Color::Indexed(nearest_indexed(shade.rgb)),
            ColourMode::True => Color::Rgb(red, green, blue),
        }
    }

    fn pair(self, foreground: Shade, background: Shade) -> Style {
        Style::new().fg(self.colour(foreground)).bg(self.colour(background))
    }

    /// The style of the whole screen.
    pub(super) fn base(self) -> Style {
        self.pair(TEXT, BACKGROUND)
    }

    pub(super) fn style(self, role: Role) -> Style {
        let style = |shade| Style::new().fg(self.colour(shade));
        match role {
            Role::Text => style(TEXT),
            Role::Label => style(LABEL),
            Role::Border => style(BORDER),
            Role::Strong => style(TEXT).add_modifier(Modifier::BOLD),
            Role::Gold => style(GOLD).add_modifier(Modifier::BOLD),
            Role::Good => style(GOOD),
            Role::Bad => style(BAD),
        }
    }

    /// The two characters of a playfield cell, and their style.
    pub(super) fn cell(self, cell: Cell, level: u8) -> (&'static str, Style) {
        if self.is_mono() {
            return (mono_cell(cell), Style::new());
        }
        match cell {
            Cell::Empty => (" ·", self.pair(GRID, FIELD)),
            Cell::Locked(tile) | Cell::Falling(tile) => self.block(tile, level),
            Cell::Target(tile) => ("[]", self.ghost(tile, level, (240, 76))),
            Cell::NextTarget(tile) => ("··", self.ghost(tile, level, (190, 34))),
        }
    }

    fn block(self, tile: Tile, level: u8) -> (&'static str, Style) {
        match tile {
            Tile::White => ("▘ ", self.pair(self.tile(Tile::First, level), BLOCK_WHITE)),
            Tile::Curtain => ("▬▬", self.pair(CURTAIN, FIELD)),
            Tile::First | Tile::Second => {
                let colour = self.tile(tile, level);
                ("▘ ", self.pair(tint(colour), colour))
            }
        }
    }

    /// A piece that is only meant to be there: outline and filling of these strengths.
    fn ghost(self, tile: Tile, level: u8, (outline, filling): (u16, u16)) -> Style {
        let shade = self.tile(tile, level);
        let filling = Shade { sixteen: FIELD.sixteen, ..ghost(shade, filling) };
        self.pair(ghost(shade, outline), filling)
    }

    fn tile(self, tile: Tile, level: u8) -> Shade {
        let [first, second] = LEVELS[usize::from(level % 10)];
        match tile {
            Tile::White => BLOCK_WHITE,
            Tile::First => first,
            Tile::Second => second,
            Tile::Curtain => CURTAIN,
        }
    }

    /// A pixel of the console's picture.
    pub(super) fn pixel(self, [red, green, blue]: [u8; 3]) -> Color {
        match self.mode {
            ColourMode::Mono => Color::Reset,
            ColourMode::Sixteen => nearest_of_sixteen((red, green, blue)),
            ColourMode::TwoHundredFiftySix => Color::Indexed(nearest_indexed((red, green, blue))),
            ColourMode::True => Color::Rgb(red, green, blue),
        }
    }

    /// A piece drawn small, as in the statistics.
    pub(super) fn small_piece(self, tile: Tile, level: u8) -> Style {
        Style::new().fg(self.colour(self.tile(tile, level)))
    }

    /// The empty playfield, where words are written over it.
    pub(super) fn field(self) -> Style {
        self.pair(TEXT, FIELD)
    }

    /// A button of the gamepad that is up.
    pub(super) fn button_up(self) -> Style {
        self.pair(LABEL, KEY)
    }

    /// A button that is down.
    pub(super) fn button_down(self) -> Style {
        match self.mode {
            ColourMode::Mono => Style::new().add_modifier(Modifier::REVERSED),
            _ => self.pair(BACKGROUND, GOLD).add_modifier(Modifier::BOLD),
        }
    }

    /// The bar of the way to the maxout: its filled part on its track.
    pub(super) fn bar(self) -> Style {
        self.pair(GOLD, TRACK)
    }

    /// A box over everything else.
    pub(super) fn overlay(self) -> Style {
        self.pair(TEXT, KEY)
    }
}

/// The colour of a block for pictures outside the terminal.
pub(crate) fn block_rgb(tile: Tile, level: u8) -> [u8; 3] {
    Palette::new(ColourMode::True).tile(tile, level).rgb.into()
}

/// Without colour the characters differ.
fn mono_cell(cell: Cell) -> &'static str {
    match cell {
        Cell::Empty => "  ",
        Cell::Locked(Tile::White) => "[]",
        Cell::Locked(Tile::First) => "##",
        Cell::Locked(Tile::Second) => "%%",
        Cell::Locked(Tile::Curtain) => "==",
        Cell::Falling(_) => "██",
        Cell::Target(_) => "::",
        Cell::NextTarget(_) => "..",
    }
}

/// A darker shade: 255 keeps it, 0 is the playfield's background. Bright ones of the sixteen
/// give way to dark grey.
fn ghost(shade: Shade, strength: u16) -> Shade {
    let mix =
        |over: u8, under: u8| ((u16::from(over) * strength + u16::from(under) * (255 - strength)) / 255).min(255) as u8;
    let ((r, g, b), (fr, fg, fb)) = (shade.rgb, FIELD.rgb);
    Shade { rgb: (mix(r, fr), mix(g, fg), mix(b, fb)), sixteen: Color::DarkGray }
}

/// A lighter shade, for the shine in the corner of a block.
fn tint(shade: Shade) -> Shade {
    let lighter = |part: u8| part + (255 - part) / 2;
    let (red, green, blue) = shade.rgb;
    Shade { rgb: (lighter(red), lighter(green), lighter(blue)), sixteen: Color::White }
}

/// The nearest colour of the 6 x 6 x 6 cube or the grey ramp.
fn nearest_indexed(rgb: (u8, u8, u8)) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |part: u8| (0..6).min_by_key(|&step| STEPS[step].abs_diff(part)).unwrap_or(0);
    let (r, g, b) = (nearest(rgb.0), nearest(rgb.1), nearest(rgb.2));
    let distance = |other: (u8, u8, u8)| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(rgb.0, other.0) + square(rgb.1, other.1) + square(rgb.2, other.2)
    };
    let mean = (u16::from(rgb.0) + u16::from(rgb.1) + u16::from(rgb.2)) / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let level = 8 + 10 * grey;
    if distance((level, level, level)) < distance((STEPS[r], STEPS[g], STEPS[b])) {
        232 + grey
    } else {
        (16 + 36 * r + 6 * g + b) as u8
    }
}

/// The nearest of the sixteen, as most terminals have them.
fn nearest_of_sixteen(rgb: (u8, u8, u8)) -> Color {
    const SIXTEEN: [(Color, [u8; 3]); 16] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [170, 0, 0]),
        (Color::Green, [0, 170, 0]),
        (Color::Yellow, [170, 85, 0]),
        (Color::Blue, [0, 0, 170]),
        (Color::Magenta, [170, 0, 170]),
        (Color::Cyan, [0, 170, 170]),
        (Color::Gray, [170, 170, 170]),
        (Color::DarkGray, [85, 85, 85]),
        (Color::LightRed, [255, 85, 85]),
        (Color::LightGreen, [85, 255, 85]),
        (Color::LightYellow, [255, 255, 85]),
        (Color::LightBlue, [85, 85, 255]),
        (Color::LightMagenta, [255, 85, 255]),
        (Color::LightCyan, [85, 255, 255]),
        (Color::White, [255, 255, 255]),
    ];
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let distance = |other: [u8; 3]| square(rgb.0, other[0]) + square(rgb.1, other[1]) + square(rgb.2, other[2]);
    SIXTEEN.iter().min_by_key(|(_, other)| distance(*other)).map_or(Color::Black, |&(colour, _)| colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)]) -> ColourMode {
        ColourMode::of(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn no_color_wins_over_everything() {
        let full = [("COLORTERM", "truecolor"), ("TERM", "xterm-256color")];
        assert_eq!(detect(&full), ColourMode::True);
        assert_eq!(detect(&[full[0], full[1], ("NO_COLOR", "1")]), ColourMode::Mono);
        assert_eq!(detect(&[full[0], full[1], ("NO_COLOR", "")]), ColourMode::True);
    }

    #[test]
    fn the_name_of_the_terminal_says_what_it_can() {
        assert_eq!(detect(&[("TERM", "tmux-256color")]), ColourMode::TwoHundredFiftySix);
        assert_eq!(detect(&[("TERM", "dumb")]), ColourMode::Mono);
        assert_eq!(detect(&[("TERM", "vt100")]), ColourMode::Mono);
        if cfg!(not(windows)) {
            assert_eq!(detect(&[("TERM", "linux")]), ColourMode::Sixteen);
        }
    }

    #[test]
    fn indexed_colours_are_the_nearest_ones() {
        assert_eq!(nearest_indexed((0, 0, 0)), 16);
        assert_eq!(nearest_indexed((255, 255, 255)), 231);
        assert_eq!(nearest_indexed((255, 0, 0)), 196);
        assert_eq!(nearest_indexed((8, 8, 8)), 232);
    }

    #[test]
    fn without_colour_no_two_kinds_of_cell_look_alike() {
        let tile = Tile::White;
        let cells = [
            Cell::Empty,
            Cell::Locked(Tile::White),
            Cell::Locked(Tile::First),
            Cell::Locked(Tile::Second),
            Cell::Locked(Tile::Curtain),
            Cell::Falling(tile),
            Cell::Target(tile),
            Cell::NextTarget(tile),
        ];
        let mut drawn = cells.map(|cell| Palette::new(ColourMode::Mono).cell(cell, 0).0).to_vec();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), cells.len());
    }

    #[test]
    fn each_level_tells_its_three_tiles_apart() {
        for mode in [ColourMode::Sixteen, ColourMode::TwoHundredFiftySix, ColourMode::True] {
            for level in 0..10 {
                let palette = Palette::new(mode);
                let colours = [Tile::White, Tile::First, Tile::Second].map(|tile| palette.small_piece(tile, level).fg);
                assert!(colours[0] != colours[1] && colours[1] != colours[2] && colours[0] != colours[2], "{level}");
            }
        }
    }
}

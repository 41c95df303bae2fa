//! Pictures in pixels, for terminals that have a protocol for them.
//!
//! A picture is a string of commands; what a terminal can show is [asked](ask()) of it. Where it
//! can show none, the picture is drawn with half blocks instead.

mod ask;
mod kitty;
mod sixel;

use std::fmt;
use std::str::FromStr;

use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

pub(super) use ask::ask;

use maxout_engine::console::Picture;

/// Pixels of a character cell of a terminal that does not say.
const CELL: (u16, u16) = (8, 16);

/// A protocol for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// That of the terminal kitty, which others have too.
    Kitty,
    /// That of DEC's VT300 series.
    Sixel,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Kitty => "kitty graphics",
            Protocol::Sixel => "sixel graphics",
        })
    }
}

/// How the screen view draws its picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphicsChoice {
    /// With half blocks.
    #[default]
    Blocks,
    /// With the best protocol that the terminal says it has.
    Auto,
    /// With kitty's, if the terminal says it has it.
    Kitty,
    /// With sixels, if the terminal says it has them.
    Sixel,
}

/// A way to draw that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected blocks, auto, kitty or sixel, found {found:?}")]
pub struct ParseGraphicsError {
    found: String,
}

impl FromStr for GraphicsChoice {
    type Err = ParseGraphicsError;

    fn from_str(text: &str) -> Result<GraphicsChoice, ParseGraphicsError> {
        match text {
            "blocks" => Ok(GraphicsChoice::Blocks),
            "auto" => Ok(GraphicsChoice::Auto),
            "kitty" => Ok(GraphicsChoice::Kitty),
            "sixel" => Ok(GraphicsChoice::Sixel),
            _ => Err(ParseGraphicsError { found: text.to_owned() }),
        }
    }
}

impl GraphicsChoice {
    /// The protocol to use of those that the terminal has.
    pub(super) fn of(self, has: &[Protocol]) -> Option<Protocol> {
        let if_there = |wanted| has.contains(&wanted).then_some(wanted);
        match self {
            GraphicsChoice::Blocks => None,
            GraphicsChoice::Auto => if_there(Protocol::Kitty).or(if_there(Protocol::Sixel)),
            GraphicsChoice::Kitty => if_there(Protocol::Kitty),
            GraphicsChoice::Sixel => if_there(Protocol::Sixel),
        }
    }
}

/// Writes pictures in a protocol.
#[derive(Debug)]
pub(super) enum Encoder {
    Kitty(kitty::Kitty),
    Sixel,
}

impl Encoder {
    pub(super) fn new(protocol: Protocol) -> Encoder {
        match protocol {
            Protocol::Kitty => Encoder::Kitty(kitty::Kitty::default()),
            Protocol::Sixel => Encoder::Sixel,
        }
    }

    /// The commands that show a picture over these cells.
    pub(super) fn show(&mut self, picture: &Picture, area: Rect, cell: Option<(u16, u16)>) -> String {
        let mut text = format!("\x1b[{};{}H", area.y + 1, area.x + 1);
        match self {
            Encoder::Kitty(kitty) => kitty.show(&mut text, picture, (area.width, area.height)),
            Encoder::Sixel => {
                let (width, height) = cell.unwrap_or(CELL);
                let pixels = |cells: u16, pixels: u16| usize::from(cells) * usize::from(pixels);
                sixel::show(&mut text, picture, pixels(area.width, width), pixels(area.height, height));
            }
        }
        text
    }

    /// The commands that take the picture away; characters that are written over it do the same
    /// to sixels.
    pub(super) fn erase(&self) -> &'static str {
        match self {
            Encoder::Kitty(_) => kitty::ERASE,
            Encoder::Sixel => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_terminal_does_not_have_is_not_used() {
        let both = [Protocol::Sixel, Protocol::Kitty];
        assert_eq!(GraphicsChoice::Auto.of(&both), Some(Protocol::Kitty));
        assert_eq!(GraphicsChoice::Auto.of(&both[..1]), Some(Protocol::Sixel));
        assert_eq!(GraphicsChoice::Kitty.of(&both[..1]), None);
        assert_eq!(GraphicsChoice::Sixel.of(&both), Some(Protocol::Sixel));
        assert_eq!(GraphicsChoice::Blocks.of(&both), None);
        assert_eq!(GraphicsChoice::Auto.of(&[]), None);
    }

    #[test]
    fn a_choice_reads_as_it_is_written_in_settings() {
        for choice in [GraphicsChoice::Blocks, GraphicsChoice::Auto, GraphicsChoice::Kitty, GraphicsChoice::Sixel] {
            let text = toml::Value::try_from(choice).expect("a string");
            assert_eq!(text.as_str().and_then(|text| text.parse().ok()), Some(choice));
        }
        assert!("chafa".parse::<GraphicsChoice>().is_err_and(|error| error.to_string().contains("chafa")));
    }

    #[test]
    fn the_cursor_goes_to_the_corner_of_the_area_first() {
        let picture = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
        let area = Rect { x: 4, y: 1, width: 20, height: 10 };
        for protocol in [Protocol::Kitty, Protocol::Sixel] {
            assert!(Encoder::new(protocol).show(&picture, area, None).starts_with("\x1b[2;5H\x1b"));
        }
    }
}

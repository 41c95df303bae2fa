//! The choice of a view and its speed, from a settings file or the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::menu_pace::MenuPace;
use crate::speed::{ParseSpeedError, Speed};

/// What to show, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which view.
    pub view: ViewChoice,
    /// How fast.
    pub speed: SpeedChoice,
    /// How fast the menus pass.
    pub menus: MenuPace,
    /// How the screen view draws its picture.
    pub graphics: GraphicsChoice,
}

/// Which view to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewChoice {
    /// The terminal view in a terminal, else progress lines.
    #[default]
    Auto,
    /// The terminal view.
    Terminal,
    /// The console's picture in a window.
    Window,
    /// The console's own picture in the terminal.
    Screen,
    /// Progress lines only.
    None,
}

impl ViewChoice {
    const ALL: [ViewChoice; 5] =
        [ViewChoice::Auto, ViewChoice::Terminal, ViewChoice::Window, ViewChoice::Screen, ViewChoice::None];
}

impl fmt::Display for ViewChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ViewChoice::Auto => "auto",
            ViewChoice::Terminal => "terminal",
            ViewChoice::Window => "window",
            ViewChoice::Screen => "screen",
            ViewChoice::None => "none",
        })
    }
}

/// A name that is not one of the views.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, terminal, screen, window or none, found {found:?}")]
pub struct ParseViewError {
    found: String,
}

impl FromStr for ViewChoice {
    type Err = ParseViewError;

    fn from_str(text: &str) -> Result<ViewChoice, ParseViewError> {
        let named = ViewChoice::ALL.into_iter().find(|view| view.to_string() == text);
        named.ok_or_else(|| ParseViewError { found: text.to_owned() })
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
    /// With kitty's protocol, if the terminal says it has it.
    Kitty,
    /// With sixels, if the terminal says it has them.
    Sixel,
}

/// A name that is not one of the ways to draw.
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

/// How fast to show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SpeedChoice {
    /// The console's own speed in a terminal view or a window, no limit without one.
    #[default]
    Auto,
    /// This speed.
    Fixed(Speed),
}

impl fmt::Display for SpeedChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpeedChoice::Auto => f.write_str("auto"),
            SpeedChoice::Fixed(speed) => speed.fmt(f),
        }
    }
}

impl FromStr for SpeedChoice {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<SpeedChoice, ParseSpeedError> {
        if text == "auto" { Ok(SpeedChoice::Auto) } else { text.parse().map(SpeedChoice::Fixed) }
    }
}

impl TryFrom<String> for SpeedChoice {
    type Error = ParseSpeedError;

    fn try_from(text: String) -> Result<SpeedChoice, ParseSpeedError> {
        text.parse()
    }
}

impl From<SpeedChoice> for String {
    fn from(speed: SpeedChoice) -> String {
        speed.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_reads_as_it_is_written_in_settings() {
        for choice in [GraphicsChoice::Blocks, GraphicsChoice::Auto, GraphicsChoice::Kitty, GraphicsChoice::Sixel] {
            let text = toml::Value::try_from(choice).expect("a string");
            assert_eq!(text.as_str().and_then(|text| text.parse().ok()), Some(choice));
        }
        for pace in [MenuPace::Hurried, MenuPace::Real] {
            let text = toml::Value::try_from(pace).expect("a string");
            assert_eq!(text.as_str().and_then(|text| text.parse().ok()), Some(pace));
        }
        assert!("chafa".parse::<GraphicsChoice>().is_err_and(|error| error.to_string().contains("chafa")));
    }
}

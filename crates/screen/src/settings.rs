//! The choice of a view and its speed, as it stands in a settings file or on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::graphics::GraphicsChoice;
use super::pace::{ParseSpeedError, Speed};

/// What to show, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which view.
    pub view: ViewChoice,
    /// How fast.
    pub speed: SpeedChoice,
    /// How the screen view draws its picture.
    pub graphics: GraphicsChoice,
}

/// Which view to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewChoice {
    /// The terminal view where there is a terminal, else progress lines.
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

/// A view that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, terminal, screen, window or none, found {found:?}")]
pub struct ParseViewError {
    found: String,
}

impl FromStr for ViewChoice {
    type Err = ParseViewError;

    fn from_str(text: &str) -> Result<ViewChoice, ParseViewError> {
        match text {
            "auto" => Ok(ViewChoice::Auto),
            "terminal" => Ok(ViewChoice::Terminal),
            "window" => Ok(ViewChoice::Window),
            "screen" => Ok(ViewChoice::Screen),
            "none" => Ok(ViewChoice::None),
            _ => Err(ParseViewError { found: text.to_owned() }),
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

//! The choice of how fast the menus before a game pass.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How fast the menus before the game pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MenuPace {
    /// As fast as the run can go.
    #[default]
    Hurried,
    /// At the speed of the game.
    Real,
}

/// A name that is not one of the paces of the menus.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected hurried or real, found {found:?}")]
pub struct ParseMenuPaceError {
    found: String,
}

impl FromStr for MenuPace {
    type Err = ParseMenuPaceError;

    fn from_str(text: &str) -> Result<MenuPace, ParseMenuPaceError> {
        match text {
            "hurried" => Ok(MenuPace::Hurried),
            "real" => Ok(MenuPace::Real),
            _ => Err(ParseMenuPaceError { found: text.to_owned() }),
        }
    }
}

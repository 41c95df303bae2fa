//! Which filter, as people type it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Which filter: `well` or `pattern:FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum FilterChoice {
    /// [`Well`](super::Well)
    Well,
    /// [`Pattern`](super::Pattern) of the drawing in this file; the host reads the file.
    Pattern(PathBuf),
}

impl FilterChoice {
    /// The file of its drawing, if it has one.
    pub fn picture(&self) -> Option<&PathBuf> {
        match self {
            FilterChoice::Well => None,
            FilterChoice::Pattern(path) => Some(path),
        }
    }
}

impl fmt::Display for FilterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilterChoice::Well => f.write_str("well"),
            FilterChoice::Pattern(path) => write!(f, "pattern:{}", path.display()),
        }
    }
}

impl From<FilterChoice> for String {
    fn from(choice: FilterChoice) -> String {
        choice.to_string()
    }
}

/// Text that names no filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected well or pattern:FILE.png, found {found:?}")]
pub struct ParseFilterError {
    found: String,
}

impl FromStr for FilterChoice {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<FilterChoice, ParseFilterError> {
        match text.split_once(':') {
            None if text == "well" => Ok(FilterChoice::Well),
            Some(("pattern", path)) if !path.is_empty() => Ok(FilterChoice::Pattern(path.into())),
            _ => Err(ParseFilterError { found: text.to_owned() }),
        }
    }
}

impl TryFrom<String> for FilterChoice {
    type Error = ParseFilterError;

    fn try_from(text: String) -> Result<FilterChoice, ParseFilterError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_survive_their_text_and_others_are_refused() {
        for text in ["well", "pattern:a.png", "pattern:C:/a:b.png"] {
            assert_eq!(text.parse::<FilterChoice>().map(|filter| filter.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "Well", "pattern", "pattern:", "well:3"] {
            let error = text.parse::<FilterChoice>().expect_err(text).to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }
}

//! The settings of a run: built-in values, overridden by a file, overridden by flags.
//!
//! Names no other file of the program: `crates/fuzz-targets` includes this one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use maxout_engine::judge::LEARNED;
use maxout_engine::planner::filter::FilterChoice;
use maxout_engine::{bot, planner, toml_line};
use maxout_formats::limited;
use maxout_lab::simulate;
use maxout_screen as view;

/// The settings of every part of the program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which game is played, and for how long.
    pub bot: bot::Settings,
    /// Who judges placements.
    pub eval: JudgeSettings,
    /// How pieces are moved.
    pub planner: planner::Settings,
    /// Which games are simulated.
    pub simulate: simulate::Batch,
    /// What is shown.
    pub view: view::Settings,
}

/// Who judges placements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeSettings {
    /// The name of a judge.
    pub evaluator: String,
    /// A weights file instead of the judge's own.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    pub weights: Option<PathBuf>,
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings { evaluator: LEARNED.to_owned(), weights: None }
    }
}

/// A path as text, also one that is not UTF-8, which serde refuses.
fn as_text<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

/// A settings file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read the config {path}")]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A key or a value is wrong.
    #[error("config {path}, {problem}")]
    Toml {
        /// Its path.
        path: String,
        /// The line, and what is wrong there.
        problem: String,
    },
}

impl Config {
    /// Reads a settings file; keys that it does not name keep their built-in value.
    ///
    /// # Errors
    /// When the file cannot be read, or names an unknown key or an impossible value.
    pub fn from_file(path: &Path) -> Result<Config, Error> {
        let name = path.display().to_string();
        let text =
            limited::read_text(path, limited::SETTINGS).map_err(|source| Error::Read { path: name.clone(), source })?;
        Config::from_toml(&text).map_err(|problem| Error::Toml { path: name, problem })
    }

    /// The built-in settings, changed by a file where there is one.
    ///
    /// # Errors
    /// As `from_file`.
    pub fn load(path: Option<&Path>) -> Result<Config, Error> {
        path.map_or_else(|| Ok(Config::default()), Config::from_file)
    }

    /// Reads the text of a settings file.
    ///
    /// # Errors
    /// The line, and what is wrong there.
    pub fn from_toml(text: &str) -> Result<Config, String> {
        toml::from_str(text).map_err(|error| toml_line::describe(&error, text))
    }

    /// The files that a player of these settings reads, and what they are.
    pub fn player_files(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let weights = self.eval.weights.as_ref().map(|path| ("the weights", path));
        let picture = self.planner.filter.as_ref().and_then(FilterChoice::picture);
        weights.into_iter().chain(picture.map(|path| ("the picture of the filter", path)))
    }
}

/// Changes a setting to the value of a flag that was given.
pub fn override_with<T>(setting: &mut T, flag: Option<T>) {
    if let Some(value) = flag {
        *setting = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The built-in settings, with a comment for every key.
    const DEFAULT_TOML: &str = include_str!("../config/default.toml");

    #[test]
    fn the_built_in_file_is_what_the_program_does_without_one() {
        assert_eq!(Config::from_toml(DEFAULT_TOML), Ok(Config::default()));
        assert_eq!(Config::from_toml(""), Ok(Config::default()));
    }

    #[test]
    fn settings_survive_their_own_text() {
        let text = toml::to_string(&Config::default()).expect("settings are TOML");
        assert_eq!(Config::from_toml(&text), Ok(Config::default()));
    }

    #[test]
    fn a_tap_rate_is_a_number_and_a_rhythm_a_text() {
        for (text, written, words) in [
            ("tap-rate = 12", "tap-rate = 12", "taps 12 Hz"),
            ("tap-rate = \"12\"", "tap-rate = 12", "taps 12 Hz"),
            ("tap-rate = \"X....\"", "tap-rate = \"X....\"", "taps X...."),
        ] {
            let config = Config::from_toml(&format!("[planner]\n{text}\n")).expect(text);
            let again = toml::to_string(&config).expect("settings are TOML");
            assert!(again.lines().any(|line| line == written), "{text}: {again}");
            assert_eq!(Config::from_toml(&again).as_ref(), Ok(&config));
            assert_eq!(config.planner.describe(), words);
        }
    }

    #[test]
    fn a_file_changes_only_what_it_names() {
        let config = Config::from_toml("[bot]\nseed = 7\n").expect("valid");
        assert_eq!(config.bot.seed, 7);
        assert_eq!(config.bot.start_level, 19);
    }

    #[test]
    fn a_wrong_key_or_value_is_named_with_its_line() {
        for (text, line, word) in [
            ("[bot]\nsede = 7\n", "line 2", "sede"),
            ("[bott]\n", "line 1", "bott"),
            ("\n[bot]\nstart-level = 20\n", "line 3", "0 to 19"),
            ("[bot]\nuntil = \"soon\"\n", "line 2", "soon"),
            ("[view]\nspeed = \"fast\"\n", "line 2", "fast"),
            ("[planner]\ninput = \"das\"\n", "line 2", "das"),
            ("[planner]\ntap-rate = 31\n", "line 2", "1 to 30 Hz, found 31"),
            ("[planner]\ntap-rate = -3\n", "line 2", "1 to 30"),
            ("[planner]\ntap-rate = 12.5\n", "line 2", "12.5"),
            ("[planner]\ntap-rate = \"X.x\"\n", "line 2", "found 'x' in frame 3"),
            ("[planner]\ntap-rate = \"fast\"\n", "line 2", "or slow5, found \"fast\""),
            ("[planner]\nfilter = \"wall\"\n", "line 2", "wall"),
            ("[planner]\ntarget-score = 1000000\n", "line 2", "999999"),
            ("[eval]\nevaluator = 3\n", "line 2", "string"),
        ] {
            let problem = Config::from_toml(text).expect_err(text);
            assert!(problem.starts_with(line) && problem.contains(word), "{text:?}: {problem}");
            assert!(!problem.contains('\n'));
        }
    }
}

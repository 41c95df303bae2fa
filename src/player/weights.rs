//! Weights files: which evaluator they are for, and the evaluators and nets in them.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::config::JudgeSettings;
use crate::system::failure::Failure;
use maxout_engine::judge::handmade::{self as eval, Evaluator, LEARNED};
use maxout_engine::judge::learned::{QuickNet, weights};

/// The text of the weights file, if the settings name one.
pub(crate) fn text(settings: &JudgeSettings) -> Result<Option<String>, Failure> {
    let Some(path) = &settings.weights else { return Ok(None) };
    let bytes = read_weights(path)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let evaluator = &settings.evaluator;
        anyhow!("weights {}: expected a text file of weights of `{evaluator}`, found other bytes", path.display())
    });
    text.map(Some).map_err(Failure::input)
}

/// The evaluator that a weights file names. Any error in the file is reported when its weights
/// are read.
pub(crate) fn evaluator_in(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    if weights::are(&bytes) {
        return Some(LEARNED.to_owned());
    }
    let table: toml::Table = std::str::from_utf8(&bytes).ok()?.parse().ok()?;
    Some(table.get("evaluator")?.as_str()?.to_owned())
}

fn read_weights(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).context(format!("cannot read the weights {}", path.display())).map_err(Failure::input)
}

/// The net of the weights file, or the built-in one, and the bytes that it was read from.
pub(crate) fn learned(settings: &JudgeSettings) -> Result<(QuickNet, Cow<'static, [u8]>), Failure> {
    let (bytes, name) = match &settings.weights {
        Some(path) => (Cow::Owned(read_weights(path)?), format!("weights {}", path.display())),
        None => (Cow::Borrowed(weights::EMBEDDED), "the built-in weights".to_owned()),
    };
    let read = weights::read(&bytes).map_err(|error| Failure::input(anyhow!("{name}: {error}")))?;
    Ok((read.net, bytes))
}

/// The evaluator that the settings name, with the text of its weights file.
pub(crate) fn evaluator(settings: &JudgeSettings, weights: Option<&str>) -> Result<Box<dyn Evaluator>, Failure> {
    eval::by_name(&settings.evaluator, weights).map_err(|error| match &settings.weights {
        Some(path) => Failure::input(anyhow!("weights {}: {error}", path.display())),
        None => Failure::input(error),
    })
}

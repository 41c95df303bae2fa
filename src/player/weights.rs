//! Weights files: which judge they are for, and the judge with them.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::config::JudgeSettings;
use crate::system::failure::Failure;
use maxout_engine::judge::learned::weights::{self, EMBEDDED};
use maxout_engine::judge::{self, Judge, LEARNED};
use maxout_formats::limited;

/// The judge that a weights file names. Any error in the file is reported when its weights are
/// read.
pub(crate) fn evaluator_in(path: &Path) -> Option<String> {
    Some(judge::named_in(&read(path).ok()?)?.into_owned())
}

/// Reads a weights file. Only a net may be longer than settings are.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = limited::read(path, weights::LONGEST)?;
    if !weights::are(&bytes) {
        limited::check(&bytes, limited::SETTINGS)?;
    }
    Ok(bytes)
}

/// The bytes of a weights file.
pub(crate) type WeightsBytes = Cow<'static, [u8]>;

/// The judge that the settings name, and the bytes of its weights unless they are the published
/// ones.
pub(crate) fn judge(settings: &JudgeSettings) -> Result<(Judge, Option<WeightsBytes>), Failure> {
    let name = &settings.evaluator;
    let Some(path) = &settings.weights else {
        let weights = (name == LEARNED).then_some(Cow::Borrowed(EMBEDDED));
        return Ok((judge::by_name(name, None).map_err(Failure::input)?, weights));
    };
    let bytes = read(path).context(format!("cannot read the weights {}", path.display()));
    let bytes = bytes.map_err(Failure::input)?;
    let judge = judge::by_name(name, Some(&bytes));
    let judge = judge.map_err(|error| Failure::input(anyhow!("weights {}: {error}", path.display())))?;
    Ok((judge, Some(bytes.into())))
}

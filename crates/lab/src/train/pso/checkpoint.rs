//! A training on disk: what is written after every iteration, and read to go on.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::training::{CurvePoint, Settings, Training};
use crate::train::parts;
use maxout_formats::{limited, whole};

/// The layout of the checkpoints that are read here.
const VERSION: i64 = 1;

/// Most bytes of a checkpoint. An iteration adds some 170 bytes: this is for 90,000 iterations.
const LONGEST: u64 = 16 * 1024 * 1024;
/// Most bytes of it without the curve: 1,400 particles of 24 weights. The parser takes up to 160 MB for
/// that.
const HEAD: u64 = 2 * limited::SETTINGS;
/// How an iteration begins.
const CURVE: &str = "[[training.curve]]\n";

/// The settings of a run by name: everything on which its result depends.
pub type Described = BTreeMap<String, String>;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("cannot read the checkpoint {path}")]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// It is not a checkpoint.
    #[error("{path} is no checkpoint of a training: {problem}; give another, or train without one from the beginning")]
    Layout {
        /// Its path.
        path: String,
        /// Where, and what is wrong there.
        problem: String,
    },
    /// It is of another layout.
    #[error(
        "checkpoint {path} is of version {found}, but only version {VERSION} can be read; \
         train without it, from the beginning"
    )]
    Version {
        /// Its path.
        path: String,
        /// The version it claims.
        found: String,
    },
    /// It is of a training with other settings.
    #[error(
        "checkpoint {path} was made with {key} {found}, but this run has {key} {expected}: \
         give the same settings, or another checkpoint"
    )]
    Differs {
        /// Its path.
        path: String,
        /// The setting.
        key: String,
        /// Its value in the checkpoint.
        found: String,
        /// Its value in this run.
        expected: String,
    },
}

#[derive(Serialize)]
struct Written<'a> {
    version: i64,
    settings: &'a Described,
    training: &'a Training,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    #[serde(rename = "version")]
    _version: i64,
    settings: Described,
    training: Training,
}

/// What a training has many of: in a part of the text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Points {
    training: CurveOnly,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CurveOnly {
    curve: Vec<CurvePoint>,
}

/// Writes a training, exact to the last bit of its numbers.
///
/// # Errors
/// When the file cannot be written; the one that was there is then still whole.
pub fn save(path: &Path, settings: &Described, training: &Training) -> io::Result<()> {
    let text = toml::to_string(&Written { version: VERSION, settings, training }).map_err(io::Error::other)?;
    // Better now than when the training is to go on.
    if text.len() as u64 > LONGEST {
        let problem = "too many iterations for a checkpoint: begin a new training from these weights";
        return Err(io::Error::other(problem));
    }
    if parts::split(&text, CURVE, HEAD).is_err() {
        return Err(io::Error::other("too many particles for a checkpoint: use fewer"));
    }
    whole::replace(path, text.as_bytes())
}

/// Reads the training of a run with these settings.
///
/// # Errors
/// When the file cannot be read, is not a checkpoint, or is one of other settings.
pub fn load(path: &Path, described: &Described, settings: &Settings) -> Result<Training, Error> {
    let name = path.display().to_string();
    let text = limited::read_text(path, LONGEST).map_err(|source| Error::Read { path: name.clone(), source })?;
    let layout = |problem: String| Error::Layout { path: name.clone(), problem };
    // A file of another version may differ in everything else from one of this version.
    let (head, points) = parts::split(&text, CURVE, HEAD).map_err(layout)?;
    let table: toml::Table = head.read().map_err(layout)?;
    match table.get("version") {
        None => return Err(layout("`version` is missing".to_owned())),
        Some(toml::Value::Integer(VERSION)) => {}
        Some(found) => return Err(Error::Version { path: name, found: found.to_string() }),
    }
    drop(table);
    let mut read: Read = head.read().map_err(layout)?;
    for part in points {
        let Points { training } = part.and_then(|part| part.read()).map_err(layout)?;
        read.training.extend(training.curve);
    }
    let nothing = || "(none)".to_owned();
    for key in described.keys().chain(read.settings.keys()) {
        let (found, expected) = (read.settings.get(key), described.get(key));
        if found != expected {
            let text = |value: Option<&String>| value.cloned().unwrap_or_else(nothing);
            return Err(Error::Differs { path: name, key: key.clone(), found: text(found), expected: text(expected) });
        }
    }
    if !read.training.is_sound(settings) {
        return Err(layout("its swarm does not fit its settings".to_owned()));
    }
    Ok(read.training)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::train::pso::{Convergence, Dynamics, SwarmStart};

    fn settings() -> Settings {
        Settings {
            seed: 5,
            particles: 4,
            start: vec![0.1, -1.0 / 3.0],
            first: SwarmStart::Start,
            again: SwarmStart::Random,
            spread: 0.3,
            dynamics: Dynamics::in_box(1.0),
            convergence: Convergence::default(),
        }
    }

    fn described(particles: &str) -> Described {
        Described::from([("seed".to_owned(), "5".to_owned()), ("particles".to_owned(), particles.to_owned())])
    }

    /// The message about a checkpoint with one piece of text replaced by another.
    fn message(from: &str, to: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.toml");
        save(&path, &described("4"), &Training::begin(&settings())).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = load(&path, &described("4"), &settings()).expect_err(to);
        let message = error.to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    }

    #[test]
    fn a_training_is_read_back_exactly_and_nothing_else_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.toml");
        let mut training = Training::begin(&settings());
        for round in 0..50 {
            save(&path, &described("4"), &training).unwrap();
            assert_eq!(load(&path, &described("4"), &settings()).unwrap(), training, "round {round}");
            let fitness: Vec<f64> = training.positions().map(|position| (position[0] * 1e3).sin() / 7.0).collect();
            training.tell(&settings(), &fitness);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_training_that_could_not_be_read_again_leaves_the_old_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.toml");
        let mut training = Training::begin(&settings());
        save(&path, &described("4"), &training).unwrap();
        let old = fs::read(&path).unwrap();
        let point = training.tell(&settings(), &[0.0; 4]);
        training.extend(vec![point; 200_000]);
        let error = save(&path, &described("4"), &training).unwrap_err().to_string();
        assert!(error.starts_with("too many iterations for a checkpoint"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), old);
    }

    #[test]
    fn other_settings_are_refused_by_name() {
        let found = message("particles = \"4\"", "particles = \"5\"");
        assert!(found.contains("was made with particles 5, but this run has particles 4"), "{found}");
        let found = message("seed = \"5\"", "speed = \"5\"");
        assert!(found.contains("seed (none), but this run has seed 5"), "{found}");
    }

    #[test]
    fn a_file_that_is_no_checkpoint_is_named() {
        let missing = load(Path::new("nowhere.toml"), &described("4"), &settings()).unwrap_err();
        assert!(missing.to_string().contains("cannot read the checkpoint nowhere.toml"));
        assert!(message("version = 1", "version = 2").contains("of version 2, but only version 1"));
        assert!(message("version = 1", "edition = 1").contains("`version` is missing"));
        assert!(message("[settings]", "[settings").contains("line 3"));
        assert!(message("stale = 0", "stale = -1").contains("line "));
        assert!(message("position = [0.1", "position = [nan").contains("does not fit"));
        assert!(message("iterations = 0", "iterations = 1").contains("does not fit"));
        assert!(message("converged = 0", "converged = 1").contains("does not fit"));
        assert!(message("stale = 0", "stale = 4294967295").contains("does not fit"));
    }
}

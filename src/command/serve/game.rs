//! A game file that was sent: the readers want a file with a name.

use std::ffi::OsString;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use clap::Parser;

use crate::command::grade::{Grade, graded_json};
use crate::system::failure::Failure;
use maxout_engine::judge::learned::NetSet;
use maxout_formats::FileFormat;
use maxout_serve::Game;

/// Most bytes of a name: more is cut off at the front, so that the ending stays. File systems take 255 bytes or more.
const LONGEST_NAME: usize = 200;

/// The flags of `maxout grade`, with their defaults.
#[derive(Debug, Parser)]
struct Flags {
    #[command(flatten)]
    grade: Grade,
}

/// The grade of a game, as JSON; `None` when `stop` is set before the end.
///
/// # Errors
/// What is wrong with the file. It is named as it was sent.
pub(super) fn grade(game: &Game, net: &Arc<NetSet>, stop: &AtomicBool) -> Result<Option<String>, Failure> {
    let name = name(game);
    let folder = tempfile::Builder::new().prefix("maxout-").tempdir();
    let folder = folder.context("cannot make a folder for the game").map_err(Failure::run)?;
    let path = folder.path().join(&name);
    fs::write(&path, &game.bytes).context("cannot keep the game in a file").map_err(Failure::run)?;
    let mut arguments = vec![OsString::from("grade"), path.clone().into()];
    if let Some(format) = format(game, &name)? {
        arguments.extend(["--from".into(), format.into()]);
    }
    let flags = Flags::try_parse_from(arguments).map_err(Failure::run)?;
    graded_json(&flags.grade, &path, net, stop).map_err(|failure| {
        let within = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let words = failure.line().replace(&within, "");
        Failure { error: anyhow!(words), code: failure.code }
    })
}

/// The name of the file, without folders.
fn name(game: &Game) -> String {
    let given = game.name.as_deref().unwrap_or_default();
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.chars().filter(|letter| !letter.is_control()).collect();
    let start = (0..=shown.len()).find(|&at| shown.len() - at <= LONGEST_NAME && shown.is_char_boundary(at));
    let name = shown[start.unwrap_or_default()..].to_owned();
    if name.trim_matches(['.', ' ']).is_empty() { "game".to_owned() } else { name }
}

/// The format by the content type, where the name does not show it.
fn format(game: &Game, name: &str) -> Result<Option<&'static str>, Failure> {
    if FileFormat::of_path(name.as_ref()).is_some() {
        return Ok(None);
    }
    let content_type = game.content_type.as_deref().unwrap_or_default();
    match content_type.split(';').next().unwrap_or_default().trim() {
        "text/csv" => Ok(Some("csv")),
        "application/x-ndjson" | "application/jsonl" => Ok(Some("jsonl")),
        other => Err(Failure::input(anyhow!(
            "expected a name that ends in .csv, .jsonl (also .gz), .fm2, .bk2, .r08 or .ngf, as in \
             /grade?name=game.csv, found the name {:?} and the content type {other:?}",
            game.name.as_deref().unwrap_or_default()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, content_type: &str) -> Game {
        Game { name: Some(name.to_owned()), content_type: Some(content_type.to_owned()), bytes: Vec::new() }
    }

    #[test]
    fn a_name_leads_to_no_other_folder() {
        for (given, expected) in [
            ("game.csv", "game.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\games\\a.ngf", "a.ngf"),
            ("..", "game"),
            ("", "game"),
            ("a\u{0}b\n.csv", "ab.csv"),
            ("x/", "game"),
        ] {
            assert_eq!(name(&game(given, "")), expected, "{given:?}");
        }
        for letter in ["a", "ä", "鬱", "🂡"] {
            let long = name(&game(&(letter.repeat(5000) + ".csv"), ""));
            assert!(long.ends_with(&format!("{letter}.csv")) && long.starts_with(letter));
            assert!((LONGEST_NAME - 3..=LONGEST_NAME).contains(&long.len()), "{}", long.len());
        }
    }

    #[test]
    fn the_format_is_told_by_the_name_or_by_the_type() {
        assert_eq!(format(&game("a.csv.gz", "text/plain"), "a.csv.gz").unwrap(), None);
        assert_eq!(format(&game("a", "text/csv; charset=utf-8"), "a").unwrap(), Some("csv"));
        let error = format(&game("a.txt", "text/plain"), "a.txt").unwrap_err().line();
        assert!(error.contains("/grade?name=game.csv") && error.contains("\"a.txt\""), "{error}");
    }
}

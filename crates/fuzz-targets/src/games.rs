//! The games of a simulation, as `maxout merge` reads them, and the games in files of `maxout tas`.

use std::path::Path;

use maxout_lab::games::{Games, GamesWriter};
use maxout_lab::tas::Goal;
use maxout_lab::tas::plan::Planning;
use maxout_lab::tas::shard::ShardResult;
use maxout_lab::tas::stages::{self, Plans, Stages};

use crate::check;

/// A file of games.
pub(crate) fn rows(bytes: &[u8]) {
    let path = Path::new("file");
    let Some(games) = check::read(Games::read(bytes, path)) else { return };
    let mut written = Vec::new();
    let mut writer = GamesWriter::new(&mut written, path, &games.run).expect("memory can be written");
    for result in &games.results {
        writer.write(result).expect("memory can be written");
    }
    writer.flush().expect("memory can be written");
    drop(writer);
    let again = Games::read(&written[..], path).expect("games that were written can be read");
    assert_eq!((&again.run, &again.results, again.is_cut), (&games.run, &games.results, false));
}

/// The result of a shard of a tool-assisted search.
pub(crate) fn tas_result(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(result) = check::read(ShardResult::parse(text)) else { return };
    let again = ShardResult::parse(&result.text()).expect("a result that was written can be read");
    assert_eq!(again, result);
    let Some(Some((settings, played))) = check::read(result.played()) else { return };
    assert!(!played.buttons.is_empty(), "{}", settings.goal);
}

/// The settings, the goal and the plans of the search whose stages are in the corpus.
pub const STAGES: (&str, Goal, Plans) = ("fuzz", PLANNING.goal, Plans { planning: PLANNING, rounds: 3 });
const PLANNING: Planning =
    Planning { goal: Goal::Lines(1), start_level: 18, alike: 12, menu_delay: 0, wait: 0.1, seed: 1 };

/// The checkpoint of a search by stages: as it is if it begins like one, else what is between its header and its checksum,
/// which are made right.
pub(crate) fn tas_stages(bytes: &[u8]) {
    let (settings, goal, plans) = STAGES;
    let file = if bytes.starts_with(b"mxtasck") {
        bytes.to_vec()
    } else {
        let mut file = [&stages::write(&Stages::default(), settings)[..stages::HEADER], bytes].concat();
        file.extend(crc32fast::hash(&file).to_le_bytes());
        file
    };
    let Some(found) = check::read(stages::read(&file, settings, goal, Some(plans))) else { return };
    let again = stages::read(&stages::write(&found, settings), settings, goal, Some(plans));
    assert_eq!(again.expect("stages that were written can be read"), found);
}

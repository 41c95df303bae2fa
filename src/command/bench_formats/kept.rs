//! The games of a format: those that files have, and those that are played now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context, anyhow};

use crate::system::failure::Failure;
use maxout_formats::whole;
use maxout_lab::games::{GamesReader, GamesWriter};
use maxout_lab::published::PlayFormat;
use maxout_lab::simulate::{GameResult, RunId, Shard};

/// Time after which the file is written anew: what a kill costs at most. Chosen by hand, not measured.
const KEPT_AFTER: Duration = Duration::from_secs(10);

/// The games of a format.
pub(super) struct Kept {
    /// The games of the own file.
    run: RunId,
    own: BTreeMap<u64, GameResult>,
    /// Games of files of other shards.
    others: BTreeMap<u64, GameResult>,
    /// The own file, if games are kept.
    path: Option<PathBuf>,
    written: Instant,
    is_written: bool,
}

/// The file of a format and a shard, as `30hz-18.csv` or `30hz-18.shard-3-of-8.csv`.
pub(super) fn file(folder: &Path, format: &PlayFormat, shard: Shard) -> PathBuf {
    let stem = stem(format);
    if shard == Shard::WHOLE {
        return folder.join(format!("{stem}.csv"));
    }
    folder.join(format!("{stem}.shard-{}.csv", shard.to_string().replace('/', "-of-")))
}

fn stem(format: &PlayFormat) -> String {
    format.to_string().replace('/', "-")
}

/// All files of a format in a folder, in the order of their names.
fn files(folder: &Path, format: &PlayFormat) -> io::Result<Vec<PathBuf>> {
    let (whole, shard) = (format!("{}.csv", stem(format)), format!("{}.shard-", stem(format)));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name == whole.as_str() || (name.starts_with(&shard) && name.ends_with(".csv")) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

impl Kept {
    /// What the folder has of a run; a file of another player, version or seed is refused.
    pub(super) fn open(folder: Option<&Path>, format: &PlayFormat, run: RunId) -> Result<Kept, Failure> {
        let path = folder.map(|folder| file(folder, format, run.shard));
        let (own, others) = (BTreeMap::new(), BTreeMap::new());
        let mut kept = Kept { run, own, others, path, written: Instant::now(), is_written: true };
        let Some(folder) = folder else { return Ok(kept) };
        let files = files(folder, format).with_context(|| format!("cannot read the folder {}", folder.display()));
        for path in files.map_err(Failure::input)? {
            kept.read(&path)?;
        }
        Ok(kept)
    }

    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        // An output is empty before its first run.
        if fs::metadata(path).is_ok_and(|found| found.len() == 0) {
            return Ok(());
        }
        let is_own = self.path.as_deref() == Some(path);
        let mut games = GamesReader::open(path).map_err(Failure::input)?;
        // A run of more games has those of a shorter one.
        let found = RunId { games: self.run.games, ..games.run().clone() };
        let difference = self.run.difference(&found).map(|difference| difference.to_string());
        let other_shard = (is_own && found.shard != self.run.shard)
            .then(|| format!("shard {}, found {}", self.run.shard, found.shard));
        if let Some(difference) = difference.or(other_shard) {
            return Err(Failure::input(anyhow!("{}: expected {difference}; use another folder", path.display())));
        }
        if is_own {
            self.run.games = self.run.games.max(games.run().games);
        }
        while let Some(result) = games.next_game().map_err(Failure::input)? {
            let into = if is_own { &mut self.own } else { &mut self.others };
            into.insert(result.game, result);
        }
        Ok(())
    }

    /// The first `games` games of the shard that are not there, as ranges of the shard's own counting:
    /// the first, and how many.
    pub(super) fn missing(&self, games: u64) -> Vec<(u64, u64)> {
        let job = self.run.shard.job(self.run.settings, games, 1);
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for index in 0..job.games {
            let game = job.first + index * job.step;
            if self.own.contains_key(&game) || self.others.contains_key(&game) {
                continue;
            }
            match ranges.last_mut() {
                Some((first, count)) if *first + *count * job.step == game => *count += 1,
                _ => ranges.push((game, 1)),
            }
        }
        ranges
    }

    /// Adds a game that was played.
    pub(super) fn add(&mut self, result: GameResult) -> Result<(), Failure> {
        self.own.insert(result.game, result);
        self.is_written = false;
        if self.written.elapsed() >= KEPT_AFTER { self.write() } else { Ok(()) }
    }

    /// Writes the own file, whole, if there are new games.
    pub(super) fn write(&mut self) -> Result<(), Failure> {
        let Some(path) = self.path.as_ref().filter(|_| !self.is_written) else { return Ok(()) };
        let mut bytes = Vec::new();
        let mut writer = GamesWriter::new(&mut bytes, path, &self.run).map_err(Failure::run)?;
        self.own.values().try_for_each(|game| writer.write(game)).map_err(Failure::run)?;
        writer.flush().map_err(Failure::run)?;
        drop(writer);
        whole::replace(path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::run)?;
        (self.written, self.is_written) = (Instant::now(), true);
        Ok(())
    }

    /// All games that are there, each once.
    pub(super) fn games(&self) -> impl Iterator<Item = &GameResult> {
        let others = self.others.iter().filter(|(game, _)| !self.own.contains_key(game));
        self.own.values().chain(others.map(|(_, result)| result))
    }
}

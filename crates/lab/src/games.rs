//! The games of a simulation: one CSV row for each, written as the run goes.
//!
//! The file begins with comment lines that say what was played, by whom:
//!
//! ```text
//! # maxout games, format 1
//! # {"version":"0.1.0","settings":{"seed":1,...},"player":{...},"games":100,"shard":"1/1"}
//! game,ending,points,...,lock_rows,lock_cells
//! 0,topout,532389,...
//! ```
//!
//! The JSON object is a [`RunId`]. Every row holds a whole [`GameResult`]: its numbers under the
//! names of its fields, `reached_29` as 0 or 1, `clears` as `singles` to `tetrises`, `lock_rows` as
//! 20 numbers from the top with blanks between them, and `lock_cells` as 20 such rows of 10 numbers
//! with slashes between the rows. Runs with `"rules":"ksx2"` have three columns more, what a game had
//! at level 39: `points_by_39,pushdown_by_39,reached_39`. Runs that go to levels at which the original crashes have eight
//! more, the [`Survival`](crate::simulate::Survival): `rebirths` to `nearest`. Rows are in the order of the games; games may be missing where a
//! run was stopped.

mod row;
mod set;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::simulate::{GameResult, RunId};
use maxout_engine::text::shortened;
use maxout_formats::Error;
use maxout_formats::whole::{Claim, RowFile, RowWriter};
pub use set::GameSet;

/// The first line of a file that can be read here.
const FORMAT: &str = "# maxout games, format 1";
/// The longest line that is read, in bytes, so that a file without line ends does not fill the
/// memory. A row has 238 numbers of at most 20 digits. Chosen by hand, not measured.
const MAX_LINE: u64 = 1024 * 1024;

/// Writes the games of a run, so that a run that is killed loses at most those of one second.
#[derive(Debug)]
pub struct GamesWriter<W: Write> {
    rows: RowWriter<W>,
    path: PathBuf,
}

impl GamesWriter<Box<dyn Write>> {
    /// Empties a claimed file, and writes what comes before the games.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start(claim: Claim, run: &RunId) -> Result<GamesWriter<Box<dyn Write>>, Error> {
        let path = claim.path().to_owned();
        let file = RowFile::start(claim, "games").map_err(|source| Error::Write { path: path.clone(), source })?;
        GamesWriter::new(Box::new(file), &path, run)
    }

    /// Goes on with a claimed file that has been read: after its last whole row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn resume(claim: Claim, read: &Games) -> Result<GamesWriter<Box<dyn Write>>, Error> {
        let path = claim.path().to_owned();
        let file = RowFile::resume(claim, "games", read.length, read.results.len());
        let file = file.map_err(|source| Error::Write { path: path.clone(), source })?;
        Ok(GamesWriter { rows: RowWriter::new(Box::new(file)), path })
    }
}

impl<W: Write> GamesWriter<W> {
    /// Writes into any output; errors show `path`.
    ///
    /// # Errors
    /// When what comes before the games cannot be written.
    pub fn new(output: W, path: &Path, run: &RunId) -> Result<GamesWriter<W>, Error> {
        let mut games = GamesWriter { rows: RowWriter::new(output), path: path.to_owned() };
        let columns = columns_of(run);
        let run = serde_json::to_string(run).expect("numbers and texts are JSON");
        let head = format!("{FORMAT}\n# {run}\n{columns}\n");
        games.rows.push(head.as_bytes()).map_err(|source| games.error(source))?;
        games.flush()?;
        Ok(games)
    }

    /// Writes a game; the system gets it within a second if others follow.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, result: &GameResult) -> Result<(), Error> {
        self.rows.push(row::text(result).as_bytes()).map_err(|source| self.error(source))
    }

    /// Gives all games to the system.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.rows.flush().map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }
}

/// A whole file of games in memory, about 1 KB a game. [`GamesReader`] keeps none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Games {
    /// What was played.
    pub run: RunId,
    /// The games that are there, in their order.
    pub results: Vec<GameResult>,
    /// Does it end in the middle of a row, as after a kill? That row is left out.
    pub is_cut: bool,
    /// Its bytes up to the end of the last whole row.
    pub length: u64,
}

impl Games {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or a line does not have the format.
    pub fn open(path: &Path) -> Result<Games, Error> {
        Games::rest(GamesReader::open(path)?)
    }

    /// Reads from any reader; errors show `path`.
    ///
    /// # Errors
    /// As [`Games::open`].
    pub fn read(reader: impl BufRead, path: &Path) -> Result<Games, Error> {
        Games::rest(GamesReader::new(reader, path)?)
    }

    fn rest(mut reader: GamesReader<impl BufRead>) -> Result<Games, Error> {
        let mut results = Vec::new();
        while let Some(result) = reader.next_game()? {
            results.push(result);
        }
        Ok(Games { run: reader.run, results, is_cut: reader.is_cut, length: reader.lines.length })
    }
}

/// A file of games, read game by game.
#[derive(Debug)]
pub struct GamesReader<R> {
    lines: Lines<R>,
    run: RunId,
    /// Number of the game that was read last.
    before: Option<u64>,
    is_cut: bool,
}

impl GamesReader<BufReader<File>> {
    /// Opens a file and reads what comes before the games.
    ///
    /// # Errors
    /// When it cannot be read, or does not begin as a file of games.
    pub fn open(path: &Path) -> Result<GamesReader<BufReader<File>>, Error> {
        let file = File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        GamesReader::new(BufReader::new(file), path)
    }
}

impl<R: BufRead> GamesReader<R> {
    /// Reads from any reader; errors show `path`.
    ///
    /// # Errors
    /// As [`GamesReader::open`].
    pub fn new(reader: R, path: &Path) -> Result<GamesReader<R>, Error> {
        let mut lines = Lines { reader, path: path.to_owned(), line: 0, length: 0 };
        let format = lines.whole()?;
        if format != FORMAT {
            return Err(lines.wrong(format!("expected {FORMAT:?}, found {:?}", shortened(&format, SHOWN))));
        }
        let run = lines.whole()?;
        let json = run.strip_prefix("# ").unwrap_or_default();
        let run: RunId = serde_json::from_str(json)
            .map_err(|error| lines.wrong(format!("expected \"# \" and the run as JSON: {error}")))?;
        let columns = lines.whole()?;
        if columns != columns_of(&run) {
            return Err(
                lines.wrong(format!("expected the columns game,ending,..., found {:?}", shortened(&columns, SHOWN)))
            );
        }
        Ok(GamesReader { lines, run, before: None, is_cut: false })
    }

    /// What was played.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The next game, in their order; `None` after the last.
    ///
    /// # Errors
    /// When it cannot be read, or a line does not have the format.
    pub fn next_game(&mut self) -> Result<Option<GameResult>, Error> {
        let text = match self.lines.next()? {
            Line::Whole(text) => text,
            Line::Cut => {
                self.is_cut = true;
                return Ok(None);
            }
            Line::End => return Ok(None),
        };
        let result = row::parse(&text, optional(&self.run)).map_err(|message| self.lines.wrong(message))?;
        if let Some(before) = self.before.filter(|&before| before >= result.game) {
            return Err(self.lines.wrong(format!("expected a game after {before}, found {}", result.game)));
        }
        if result.game >= self.run.games || !self.run.shard.holds(result.game) {
            let expected = format!("one of shard {} of {} games", self.run.shard, self.run.games);
            return Err(self.lines.wrong(format!("expected {expected}, found game {}", result.game)));
        }
        self.before = Some(result.game);
        Ok(Some(result))
    }

    /// Does the file end in the middle of a row, as after a kill? That row is left out. To be asked
    /// after the last game.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Which of the optional columns the rows of the run have.
fn optional(run: &RunId) -> row::Optional {
    row::Optional { by_39: !run.settings.rules.is_original(), survival: run.settings.goes_far() }
}

/// The line with the names of the columns.
fn columns_of(run: &RunId) -> String {
    row::columns(optional(run)).collect::<Vec<_>>().join(",")
}

/// Characters of what was found that an error shows. Chosen by hand, not measured.
const SHOWN: usize = 40;

enum Line {
    /// With its end, which is left out here.
    Whole(String),
    /// The last one, without an end.
    Cut,
    /// There is none.
    End,
}

#[derive(Debug)]
struct Lines<R> {
    reader: R,
    path: PathBuf,
    line: u64,
    /// Bytes of the whole lines that were read.
    length: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Line, Error> {
        let mut bytes = Vec::new();
        let read = Read::take(&mut self.reader, MAX_LINE).read_until(b'\n', &mut bytes);
        read.map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if bytes.is_empty() {
            return Ok(Line::End);
        }
        self.line += 1;
        if bytes.len() as u64 == MAX_LINE {
            return Err(self.wrong(format!("expected a line of less than {MAX_LINE} bytes, found a longer one")));
        }
        let length = bytes.len() as u64;
        if bytes.pop() != Some(b'\n') {
            return Ok(Line::Cut);
        }
        self.length += length;
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        String::from_utf8(bytes).map(Line::Whole).map_err(|_| self.wrong("expected text, found other bytes".to_owned()))
    }

    fn whole(&mut self) -> Result<String, Error> {
        match self.next()? {
            Line::Whole(text) => Ok(text),
            Line::Cut | Line::End => {
                self.line = self.line.max(1);
                Err(self.wrong(format!("expected {FORMAT:?} and two more lines, found the end of the file")))
            }
        }
    }

    fn wrong(&self, message: String) -> Error {
        Error::Syntax { path: self.path.clone(), line: self.line, message }
    }
}

#[cfg(test)]
mod tests;

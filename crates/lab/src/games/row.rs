//! One game as one line.

use std::fmt::Display;
use std::str::FromStr;

use crate::simulate::{By39, Ending, GameResult, Survival};
use maxout_engine::bot::Dodges;
use maxout_engine::text::shortened;

/// The largest number of points or frames that a game may have: 147,000 years of frames. Sums of them
/// fit their types.
const MOST: u64 = 1 << 48;

/// The columns, in their order.
const COLUMNS: [&str; 20] = [
    "game",
    "ending",
    "points",
    "pushdown",
    "score",
    "points_by_29",
    "pushdown_by_29",
    "reached_29",
    "lines",
    "level",
    "pieces",
    "frames",
    "singles",
    "doubles",
    "triples",
    "tetrises",
    "perfect_clears",
    "longest_drought",
    "lock_rows",
    "lock_cells",
];

/// The columns that follow them by rules with which level 39 is faster.
const COLUMNS_OF_39: [&str; 3] = ["points_by_39", "pushdown_by_39", "reached_39"];

/// The columns that follow in runs to levels at which the original crashes. `nearest` may be empty.
const COLUMNS_OF_SURVIVAL: [&str; 8] =
    ["rebirths", "placements", "pushdowns", "selects", "planned_hangs", "risks", "hangs", "nearest"];

/// The columns that not every run has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Optional {
    /// What a game had at level 39?
    pub by_39: bool,
    /// What came of the levels at which the original crashes?
    pub survival: bool,
}

/// A row with its line end.
pub(super) fn text(result: &GameResult) -> String {
    let GameResult {
        game,
        ending,
        points,
        pushdown,
        score,
        points_by_29,
        pushdown_by_29,
        reached_29,
        by_39,
        survival,
        lines,
        level,
        pieces,
        frames,
        clears: [singles, doubles, triples, tetrises],
        perfect_clears,
        longest_drought,
        lock_rows,
        lock_cells,
    } = result;
    let ending = match ending {
        Ending::Goal => "goal",
        Ending::Topout => "topout",
        Ending::Crash => "crash",
    };
    let reached_29 = u8::from(*reached_29);
    let lock_rows = joined(lock_rows, " ");
    let lock_cells = joined(&lock_cells.each_ref().map(|row| joined(row, " ")), "/");
    format!(
        "{game},{ending},{points},{pushdown},{score},{points_by_29},{pushdown_by_29},{reached_29},{lines},{level},\
         {pieces},{frames},{singles},{doubles},{triples},{tetrises},{perfect_clears},{longest_drought},{lock_rows},\
         {lock_cells}{}{}\n",
        by_39.map_or(String::new(), |by_39| format!(
            ",{},{},{}",
            by_39.points,
            by_39.pushdown,
            u8::from(by_39.reached)
        )),
        survival.as_ref().map_or(String::new(), survived)
    )
}

/// The columns of the survival, each after a comma.
fn survived(survival: &Survival) -> String {
    let Survival { rebirths, dodges } = *survival;
    let Dodges { placements, pushdowns, selects, planned_hangs, risks, hangs, nearest } = dodges;
    let nearest = nearest.map_or(String::new(), |nearest| nearest.to_string());
    format!(",{rebirths},{placements},{pushdowns},{selects},{planned_hangs},{risks},{hangs},{nearest}")
}

fn joined<T: Display>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

/// The names of the columns, in their order.
pub(super) fn columns(optional: Optional) -> impl Iterator<Item = &'static str> {
    let by_39 = COLUMNS_OF_39.into_iter().filter(move |_| optional.by_39);
    let survival = COLUMNS_OF_SURVIVAL.into_iter().filter(move |_| optional.survival);
    COLUMNS.into_iter().chain(by_39).chain(survival)
}

/// The game of a row without its line end.
///
/// # Errors
/// The column that is wrong, what was expected there and what was found.
pub(super) fn parse(line: &str, optional: Optional) -> Result<GameResult, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let expected = columns(optional).count();
    if fields.len() != expected {
        return Err(format!("expected {expected} columns, found {}", fields.len()));
    }
    let row = Row { fields, optional };
    let ending = match row.field("ending") {
        "goal" => Ending::Goal,
        "topout" => Ending::Topout,
        "crash" => Ending::Crash,
        _ => return Err(row.wrong("ending", "goal, topout or crash")),
    };
    let by_39 = || {
        let (points, pushdown) = (row.sum("points_by_39")?, row.sum("pushdown_by_39")?);
        Ok::<_, String>(By39 { points, pushdown, reached: row.truth("reached_39")? })
    };
    let lock_cells: Option<Vec<_>> = row.field("lock_cells").split('/').map(numbers).collect();
    Ok(GameResult {
        game: row.number("game")?,
        ending,
        points: row.sum("points")?,
        pushdown: row.sum("pushdown")?,
        score: row.number("score")?,
        points_by_29: row.sum("points_by_29")?,
        pushdown_by_29: row.sum("pushdown_by_29")?,
        reached_29: row.truth("reached_29")?,
        by_39: optional.by_39.then(by_39).transpose()?,
        survival: optional.survival.then(|| row.survival()).transpose()?,
        lines: row.number("lines")?,
        level: row.number("level")?,
        pieces: row.number("pieces")?,
        frames: row.sum("frames")?,
        clears: [row.number("singles")?, row.number("doubles")?, row.number("triples")?, row.number("tetrises")?],
        perfect_clears: row.number("perfect_clears")?,
        longest_drought: row.number("longest_drought")?,
        lock_rows: numbers(row.field("lock_rows")).ok_or_else(|| row.wrong("lock_rows", "20 numbers"))?,
        lock_cells: lock_cells
            .and_then(|rows| rows.try_into().ok())
            .ok_or_else(|| row.wrong("lock_cells", "20 rows of 10 numbers"))?,
    })
}

/// `N` numbers with blanks between them.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let numbers: Option<Vec<u32>> = text.split(' ').map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// The fields of a row, in the order of [`columns`].
struct Row<'a> {
    fields: Vec<&'a str>,
    optional: Optional,
}

impl<'a> Row<'a> {
    fn field(&self, name: &str) -> &'a str {
        let index = columns(self.optional).position(|column| column == name).expect("a column of the format");
        self.fields[index]
    }

    fn survival(&self) -> Result<Survival, String> {
        let nearest = match self.field("nearest") {
            "" => None,
            _ => Some(self.number("nearest")?),
        };
        let dodges = Dodges {
            placements: self.number("placements")?,
            pushdowns: self.number("pushdowns")?,
            selects: self.number("selects")?,
            planned_hangs: self.number("planned_hangs")?,
            risks: self.number("risks")?,
            hangs: self.number("hangs")?,
            nearest,
        };
        Ok(Survival { rebirths: self.number("rebirths")?, dodges })
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<T, String> {
        self.field(name).parse().map_err(|_| self.wrong(name, "a number"))
    }

    fn truth(&self, name: &str) -> Result<bool, String> {
        match self.field(name) {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(self.wrong(name, "0 or 1")),
        }
    }

    /// A number that is added to others.
    fn sum(&self, name: &str) -> Result<u64, String> {
        let number = self.number(name)?;
        if number > MOST { Err(self.wrong(name, &format!("a number up to {MOST}"))) } else { Ok(number) }
    }

    fn wrong(&self, name: &str, expected: &str) -> String {
        format!("column {name}: expected {expected}, found {:?}", shortened(self.field(name), super::SHOWN))
    }
}

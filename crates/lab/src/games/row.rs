//! One game as one line.

use std::fmt::Display;
use std::str::FromStr;

use crate::simulate::{Ending, GameResult};
use maxout_engine::text::shortened;

/// The largest number of points or frames that a game may have: 147,000 years of frames. Sums of them
/// fit their types.
const MOST: u64 = 1 << 48;

/// The columns, in their order.
pub(super) const COLUMNS: [&str; 20] = [
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
    };
    let reached_29 = u8::from(*reached_29);
    let lock_rows = joined(lock_rows, " ");
    let lock_cells = joined(&lock_cells.each_ref().map(|row| joined(row, " ")), "/");
    format!(
        "{game},{ending},{points},{pushdown},{score},{points_by_29},{pushdown_by_29},{reached_29},{lines},{level},\
         {pieces},{frames},{singles},{doubles},{triples},{tetrises},{perfect_clears},{longest_drought},{lock_rows},\
         {lock_cells}\n"
    )
}

fn joined<T: Display>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

/// The game of a row without its line end.
///
/// # Errors
/// The column that is wrong, what was expected there and what was found.
pub(super) fn parse(line: &str) -> Result<GameResult, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let fields: [&str; COLUMNS.len()] = fields
        .try_into()
        .map_err(|fields: Vec<_>| format!("expected {} columns, found {}", COLUMNS.len(), fields.len()))?;
    let row = Row(fields);
    let ending = match row.field("ending") {
        "goal" => Ending::Goal,
        "topout" => Ending::Topout,
        _ => return Err(row.wrong("ending", "goal or topout")),
    };
    let reached_29 = match row.field("reached_29") {
        "0" => false,
        "1" => true,
        _ => return Err(row.wrong("reached_29", "0 or 1")),
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
        reached_29,
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

/// The fields of a row, in the order of [`COLUMNS`].
struct Row<'a>([&'a str; COLUMNS.len()]);

impl<'a> Row<'a> {
    fn field(&self, name: &str) -> &'a str {
        let index = COLUMNS.iter().position(|&column| column == name).expect("a column of the format");
        self.0[index]
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<T, String> {
        self.field(name).parse().map_err(|_| self.wrong(name, "a number"))
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

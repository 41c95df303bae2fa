//! A learned table: what a playfield is worth to a tool-assisted game, in frames.
//!
//! It has a number for each content of each window of cells. The value of a playfield is the sum of the numbers
//! of its windows: in the upper rows, where the pieces lock, of 4 rows by 4 columns and of whole rows; below of
//! 3 rows by 4 columns; and of the surface, the wells, and the rows that are full but for one cell.

use std::io::{Read, Write};
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{FULL_ROW, Placement, WIDTH};
use maxout_engine::tas::{Locked, Page};

/// The uppermost row of a page that a value sees.
const FIRST_ROW: i8 = -2;
/// Rows that it sees. Those below the floor are among them: after clears of row 0 they come back above the top.
const SEEN_ROWS: usize = 25;
/// First rows of the windows of 4 rows by 4 columns.
const TALL: [i8; 4] = [-1, 0, 1, 2];
/// First rows of the windows of 3 rows by 4 columns.
const LOW: [i8; 8] = [5, 7, 9, 11, 13, 15, 17, 19];
/// First rows of the pairs of whole rows.
const PAIRS: [i8; 3] = [0, 1, 2];
/// First columns of a window of 4 columns.
const WINDOWS: usize = WIDTH - 3;
/// Windows of 5 columns of the surface.
const SURFACES: usize = WIDTH - 4;
/// Rows that a surface tells apart, and one for all below.
const DEPTHS: u32 = 8;
/// A well: the row of its first occupied cell, and how many rows above that are full but for it, 4 at most.
const WELL_TOPS: u32 = 21;
const WELL_ROWS: u32 = 5;

/// Ready rows of a column: rows that are full but for it, wherever they lie, 0 to 31, and whether the column is open
/// down to the first of them.
const READY_ROWS: u32 = 32;
const READY_SIZE: u32 = 2 * READY_ROWS;

const TALL_SIZE: u32 = 1 << 16;
const LOW_SIZE: u32 = 1 << 12;
const ROW_SIZE: u32 = 1 << WIDTH;
const PAIR_SIZE: u32 = 1 << (2 * WIDTH);
const SURFACE_SIZE: u32 = DEPTHS.pow(5);
const WELL_SIZE: u32 = WELL_TOPS * WELL_ROWS;

const TALL_AT: u32 = 0;
const LOW_AT: u32 = TALL_AT + (TALL.len() * WINDOWS) as u32 * TALL_SIZE;
const ROW_AT: u32 = LOW_AT + (LOW.len() * WINDOWS) as u32 * LOW_SIZE;
const PAIR_AT: u32 = ROW_AT + SEEN_ROWS as u32 * ROW_SIZE;
const SURFACE_AT: u32 = PAIR_AT + PAIRS.len() as u32 * PAIR_SIZE;
const WELL_AT: u32 = SURFACE_AT + SURFACES as u32 * SURFACE_SIZE;
const READY_AT: u32 = WELL_AT + WIDTH as u32 * WELL_SIZE;
/// Numbers in a table.
pub(super) const NUMBERS: usize = (READY_AT + WIDTH as u32 * READY_SIZE) as usize;

/// Numbers that a value adds up.
pub(super) const FEATURES: usize = (TALL.len() + LOW.len()) * WINDOWS + SEEN_ROWS + PAIRS.len() + SURFACES + 2 * WIDTH;

/// The rows of a page, and the tops of its columns.
#[derive(Clone, Copy)]
struct Rows {
    rows: [u16; SEEN_ROWS],
    tops: [u8; WIDTH],
}

impl Rows {
    fn of(page: &Page) -> Rows {
        let mut rows = [0; SEEN_ROWS];
        let mut tops = [(WELL_TOPS - 1) as u8; WIDTH];
        let mut above = 0;
        for (row, cells) in (FIRST_ROW..).zip(&mut rows) {
            *cells = page.row(row);
            let mut new = *cells & !above;
            above |= new;
            while new != 0 {
                tops[new.trailing_zeros() as usize] = row.clamp(0, WELL_TOPS as i8 - 1) as u8;
                new &= new - 1;
            }
        }
        Rows { rows, tops }
    }

    fn row(&self, row: i8) -> u32 {
        u32::from(self.rows[(row - FIRST_ROW) as usize])
    }

    /// For each column its ready rows, and the first of them.
    fn ready(&self) -> [(u8, i8); WIDTH] {
        let mut ready = [(0, 0); WIDTH];
        for (row, &cells) in (FIRST_ROW..).zip(&self.rows).skip(2) {
            let hole = !cells & FULL_ROW;
            if hole.is_power_of_two() {
                let (count, first) = &mut ready[hole.trailing_zeros() as usize];
                if *count == 0 {
                    *first = row;
                }
                *count += 1;
            }
        }
        ready
    }

    fn well(&self, column: usize) -> u32 {
        let top = self.tops[column];
        let full = u32::from(FULL_ROW) & !(1 << column);
        let ready = (0..top as i8).rev().take(WELL_ROWS as usize - 1).take_while(|&row| self.row(row) == full).count();
        (column as u32 * WELL_TOPS + u32::from(top)) * WELL_ROWS + ready as u32
    }
}

/// The numbers' places in the table for a page.
pub(super) fn features(page: &Page) -> [u32; FEATURES] {
    let rows = Rows::of(page);
    let mut found = [0; FEATURES];
    let mut at = 0;
    let mut add = |index: u32| {
        found[at] = index;
        at += 1;
    };
    let mut group = TALL_AT;
    for first in TALL {
        let [a, b, c, d] = [0, 1, 2, 3].map(|row| rows.row(first + row));
        for column in 0..WINDOWS {
            let [a, b, c, d] = [a, b, c, d].map(|cells| cells >> column & 15);
            add(group + (a | b << 4 | c << 8 | d << 12));
            group += TALL_SIZE;
        }
    }
    for first in LOW {
        let [a, b, c] = [0, 1, 2].map(|row| rows.row(first + row));
        for column in 0..WINDOWS {
            let [a, b, c] = [a, b, c].map(|cells| cells >> column & 15);
            add(group + (a | b << 4 | c << 8));
            group += LOW_SIZE;
        }
    }
    for cells in rows.rows {
        add(group + u32::from(cells));
        group += ROW_SIZE;
    }
    for first in PAIRS {
        add(group + (rows.row(first) | rows.row(first + 1) << WIDTH));
        group += PAIR_SIZE;
    }
    for tops in rows.tops.windows(5) {
        let surface = tops.iter().fold(0, |sum, &top| sum * DEPTHS + u32::from(top).min(DEPTHS - 1));
        add(group + surface);
        group += SURFACE_SIZE;
    }
    for column in 0..WIDTH {
        add(WELL_AT + rows.well(column));
    }
    for (column, ready) in rows.ready().into_iter().enumerate() {
        add(place_of_ready(column, ready, rows.tops[column]));
    }
    found
}

/// What a file begins with.
const MAGIC: [u8; 8] = *b"mxtasvl2";
/// Parts of a frame that a file tells apart.
const PARTS: f32 = 8.0;
/// Bytes of a number in a file.
const NUMBER: usize = size_of::<i16>();

/// The uppermost row in which a row is sunk to begin with, and the cells that it has.
const FIRST_SUNK: i8 = 4;
const SUNK_CELLS: u32 = 7;
/// What it is worth, in frames: a quarter of what a tetris of four such rows saves, which takes 2 or 3 pieces of some
/// 27 frames instead of 10.
const SUNK_ROW: f32 = 50.0;

fn place_of_ready(column: usize, (count, first): (u8, i8), top: u8) -> u32 {
    let is_open = count > 0 && (top as i8) > first;
    READY_AT + (column as u32 * 2 + u32::from(is_open)) * READY_ROWS + u32::from(count)
}

/// A table of values for one speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// Frames a row of the pieces that it was learned with.
    pub gravity: u8,
    pub(super) numbers: Vec<f32>,
}

impl Values {
    /// Rows that are full but for few cells are worth something, and nothing else is. Sunk below the pieces they are
    /// the tetrises to come; without a value to begin with nothing is learned of them.
    pub fn first(gravity: u8) -> Values {
        let mut values = Values { gravity, numbers: vec![0.0; NUMBERS] };
        for row in FIRST_SUNK..FIRST_ROW + SEEN_ROWS as i8 {
            let first = (ROW_AT + (row - FIRST_ROW) as u32 * ROW_SIZE) as usize;
            for cells in (0..=FULL_ROW).filter(|cells| cells.count_ones() >= SUNK_CELLS) {
                values.numbers[first + usize::from(cells)] = SUNK_ROW;
            }
        }
        values
    }

    /// The table as a file: eighths of a frame, deflated. What is larger than 4,095 frames becomes 4,095.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.gravity);
        let mut packed = DeflateEncoder::new(bytes, Compression::best());
        let numbers = self.numbers.iter().flat_map(|number| ((number * PARTS).round() as i16).to_le_bytes());
        let numbers: Vec<u8> = numbers.collect();
        packed.write_all(&numbers).and_then(|()| packed.finish()).expect("a vector takes every byte")
    }

    /// The table of a file; `None` if it is none, or not whole.
    pub fn from_bytes(bytes: &[u8]) -> Option<Values> {
        let (&gravity, packed) = bytes.strip_prefix(&MAGIC)?.split_first()?;
        let mut numbers = vec![0; NUMBERS * NUMBER];
        let mut unpacked = DeflateDecoder::new(packed);
        unpacked.read_exact(&mut numbers).ok()?;
        let is_whole = unpacked.read(&mut [0]).ok()? == 0 && unpacked.total_in() == packed.len() as u64;
        let (numbers, _) = numbers.as_chunks::<NUMBER>();
        let numbers = numbers.iter().map(|&number| f32::from(i16::from_le_bytes(number)) / PARTS).collect();
        is_whole.then_some(Values { gravity, numbers })
    }

    /// What a page is worth, in frames.
    #[inline]
    pub fn value(&self, page: &Page) -> f32 {
        self.sum(&features(page))
    }

    #[inline]
    pub(super) fn sum(&self, features: &[u32; FEATURES]) -> f32 {
        features.iter().map(|&index| self.numbers[index as usize]).sum()
    }
}

/// The built-in tables, one for each speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    /// For 3 frames a row.
    slow: Values,
    /// For 2 frames a row.
    fast: Values,
}

impl Tables {
    /// The levels that a game may start from: 3 frames a row or 2 up to its end.
    pub const START_LEVELS: std::ops::RangeInclusive<u8> = 16..=19;

    /// Those that the package has, unpacked once; `docs/tas-search.md` says how they were made.
    pub fn built_in() -> &'static Tables {
        static TABLES: LazyLock<Tables> = LazyLock::new(|| {
            let table = |bytes| Values::from_bytes(bytes).expect("a built-in table is whole");
            Tables {
                slow: table(include_bytes!("../../data/level18.values")),
                fast: table(include_bytes!("../../data/level19.values")),
            }
        });
        &TABLES
    }

    /// The table for a speed, in frames a row; 2 is the fastest that there is one for.
    pub const fn of(&self, gravity: u8) -> &Values {
        if gravity >= self.slow.gravity { &self.slow } else { &self.fast }
    }

    /// What the page after a lock is worth, at the speed that it leads to; `parent` is the page before it. Only a clear
    /// changes the speed.
    #[inline]
    pub(super) fn after(&self, parent: &Parent<'_>, locked: &Locked) -> f32 {
        if locked.rows > 0 {
            return self.of(frames_per_row(locked.progress().level)).value(locked.page());
        }
        parent.child(locked.placement, locked.page(), 0)
    }
}

/// A page whose children are judged: what a lock without a clear does not touch is not looked up again.
pub struct Parent<'a> {
    values: &'a Values,
    rows: Rows,
    numbers: [f32; FEATURES],
    wells: [u32; WIDTH],
    ready: [u32; WIDTH],
    sum: f32,
}

/// Where the groups of numbers begin in the list of a page's features.
const LOW_FIRST: usize = TALL.len() * WINDOWS;
const ROW_FIRST: usize = LOW_FIRST + LOW.len() * WINDOWS;
const PAIR_FIRST: usize = ROW_FIRST + SEEN_ROWS;
const SURFACE_FIRST: usize = PAIR_FIRST + PAIRS.len();
const WELL_FIRST: usize = SURFACE_FIRST + SURFACES;
const READY_FIRST: usize = WELL_FIRST + WIDTH;

impl Values {
    /// Prepares to judge the children of a page.
    pub fn parent(&self, page: &Page) -> Parent<'_> {
        let features = features(page);
        let numbers = features.map(|index| self.numbers[index as usize]);
        let rows = Rows::of(page);
        let wells = std::array::from_fn(|column| features[WELL_FIRST + column]);
        let ready = std::array::from_fn(|column| features[READY_FIRST + column]);
        Parent { values: self, rows, numbers, wells, ready, sum: numbers.iter().sum() }
    }
}

impl Parent<'_> {
    /// What a page is worth after a piece has locked in this placement; `cleared`: rows that it cleared.
    #[inline]
    pub fn child(&self, placement: Placement, page: &Page, cleared: u8) -> f32 {
        if cleared > 0 {
            return self.values.value(page);
        }
        let mut rows = self.rows;
        let (mut top, mut bottom, mut left, mut right) = (i8::MAX, i8::MIN, i8::MAX, i8::MIN);
        for (row, column) in placement.cells() {
            rows.rows[(row - FIRST_ROW) as usize] |= 1 << column;
            let highest = &mut rows.tops[column as usize];
            *highest = (*highest).min(row.max(0) as u8);
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(column), right.max(column));
        }
        let numbers = &self.values.numbers;
        let mut sum = self.sum;
        let mut change = |at: usize, index: u32| sum += numbers[index as usize] - self.numbers[at];
        let columns = (left - 3).max(0) as usize..=(right as usize).min(WINDOWS - 1);
        for (group, &first) in TALL.iter().enumerate().filter(|&(_, &first)| first <= bottom && top <= first + 3) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|row| rows.row(first + row));
            for column in columns.clone() {
                let at = group * WINDOWS + column;
                let [a, b, c, d] = [a, b, c, d].map(|cells| cells >> column & 15);
                change(at, TALL_AT + at as u32 * TALL_SIZE + (a | b << 4 | c << 8 | d << 12));
            }
        }
        for (group, &first) in LOW.iter().enumerate().filter(|&(_, &first)| first <= bottom && top <= first + 2) {
            let [a, b, c] = [0, 1, 2].map(|row| rows.row(first + row));
            for column in columns.clone() {
                let at = group * WINDOWS + column;
                let [a, b, c] = [a, b, c].map(|cells| cells >> column & 15);
                change(LOW_FIRST + at, LOW_AT + at as u32 * LOW_SIZE + (a | b << 4 | c << 8));
            }
        }
        for row in top..=bottom {
            let at = (row - FIRST_ROW) as usize;
            change(ROW_FIRST + at, ROW_AT + at as u32 * ROW_SIZE + rows.row(row));
        }
        for (group, &first) in PAIRS.iter().enumerate().filter(|&(_, &first)| first <= bottom && top <= first + 1) {
            let pair = rows.row(first) | rows.row(first + 1) << WIDTH;
            change(PAIR_FIRST + group, PAIR_AT + group as u32 * PAIR_SIZE + pair);
        }
        for window in (left - 4).max(0) as usize..=(right as usize).min(SURFACES - 1) {
            let tops = &rows.tops[window..window + 5];
            let surface = tops.iter().fold(0, |sum, &top| sum * DEPTHS + u32::from(top).min(DEPTHS - 1));
            change(SURFACE_FIRST + window, SURFACE_AT + window as u32 * SURFACE_SIZE + surface);
        }
        for column in 0..WIDTH {
            let index = WELL_AT + rows.well(column);
            if index != self.wells[column] {
                change(WELL_FIRST + column, index);
            }
        }
        for (column, ready) in rows.ready().into_iter().enumerate() {
            let index = place_of_ready(column, ready, rows.tops[column]);
            if index != self.ready[column] {
                change(READY_FIRST + column, index);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Piece;
    use maxout_engine::seed::split_mix;
    use maxout_engine::tas::Reach;

    /// Whole numbers, whose sums are exact.
    fn random_values(mut dice: u64) -> Values {
        let mut values = Values::first(3);
        for number in &mut values.numbers {
            dice = split_mix(dice);
            *number = (dice >> 54) as f32;
        }
        values
    }

    #[test]
    fn a_child_is_worth_what_its_page_is() {
        let values = random_values(1);
        let (mut reach, mut page, mut dice, mut clears) = (Reach::new(), Page::EMPTY, 2, 0);
        for row in 4..20 {
            (0..9).for_each(|column| page.occupy(row, column));
        }
        for _ in 0..60 {
            let parent = values.parent(&page);
            let mut pages = Vec::new();
            for piece in Piece::ALL {
                reach.landings(&page, piece, 3, false, 64, |landing| {
                    let mut after = page;
                    let rows = after.lock(landing.placement);
                    let child = parent.child(landing.placement, &after, rows);
                    assert_eq!(child, values.value(&after), "{landing:?}");
                    clears += u32::from(rows > 0);
                    pages.push(after);
                });
            }
            dice = split_mix(dice);
            let Some(next) = pages.get((dice >> 20) as usize % pages.len().max(1)) else { break };
            page = *next;
        }
        assert!(clears > 0, "no clear was judged");
    }

    #[test]
    fn a_table_survives_its_file_and_a_damaged_one_is_refused() {
        let values = random_values(3);
        let bytes = values.to_bytes();
        assert_eq!(Values::from_bytes(&bytes).as_ref(), Some(&values));
        for length in [0, 8, 9, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(Values::from_bytes(&bytes[..length]), None, "{length} bytes of {}", bytes.len());
        }
        assert_eq!(Values::from_bytes(&[&bytes[..], &[0; 4]].concat()), None, "too long");
        assert_eq!(Values::from_bytes(b"a movie"), None);
    }

    #[test]
    fn a_page_has_one_number_in_each_group() {
        let mut page = Page::EMPTY;
        for row in 10..20 {
            (1..10).for_each(|column| page.occupy(row, column));
        }
        let found = features(&page);
        let mut sorted = found;
        sorted.sort_unstable();
        sorted.windows(2).for_each(|pair| assert!(pair[0] < pair[1], "a number is counted twice"));
        assert!((sorted[FEATURES - 1] as usize) < NUMBERS);
        // Ten ready rows in column 0, which is open.
        assert!(found.contains(&(READY_AT + READY_ROWS + 10)));
    }
}

//! What the net sees of a playfield: which rows of its table are added up.

use crate::game::{FULL_ROW, Playfield, ROWS, WIDTH};

/// Rows of the net's table, one for each feature. Which features there are, and their limits, was
/// chosen by hand, not measured.
pub const FEATURES: usize = AT_READY + READY;

/// Features that one playfield can show at most.
pub const MOST_FEATURES: usize = WIDE_WINDOWS + 2 * NARROW_WINDOWS + 2 * ROWS + 2;

/// Room for [`MOST_FEATURES`]: a power of two, so that the processor need not check indices.
const INDICES: usize = 64;
const _: () = assert!(MOST_FEATURES < INDICES && INDICES.is_power_of_two());

/// Spans that a playfield shows: windows so wide that a row for each way they may look goes straight to the outputs, because
/// whole rows would be too many numbers.
pub const SPANS: usize = SIX_WINDOWS + SEVEN_WINDOWS;
/// Rows of the net's spans, one for each way that a span may look.
pub const SPAN_ROWS: usize = AT_SEVEN + SEVEN_WINDOWS * SEVEN;

/// Spans of six columns: their five steps, each cut to +-3.
const SIX_WINDOWS: usize = WIDTH - 5;
const SIX: usize = 7 * 7 * 7 * 7 * 7;
/// Spans of seven columns: their six steps, each cut to +-2.
const SEVEN_WINDOWS: usize = WIDTH - 6;
const SEVEN: usize = 5 * 5 * 5 * 5 * 5 * 5;
const AT_SEVEN: usize = SIX_WINDOWS * SIX;

/// Columns of a playfield, and room for a whole vector.
const COLUMNS: usize = 16;

/// Windows of five columns: their four steps, each cut to +-4.
const WIDE_WINDOWS: usize = WIDTH - 4;
const WIDE: usize = 9 * 9 * 9 * 9;
/// Windows of four columns: their three steps, each cut to +-3, and the first column's height.
const NARROW_WINDOWS: usize = WIDTH - 3;
const NARROW: usize = (ROWS + 1) * 7 * 7 * 7;
/// A window of four columns: the top three rows of its stack, bit by bit.
const CROWN: usize = 1 << 12;
const CROWN_ROWS: usize = 3;
/// A row's bits, with its height.
const ROW: usize = 1 << WIDTH;
/// A row's holes, with how many rows of the stack are above it.
const HOLE_DEPTHS: usize = 8;
/// Height of the highest column, and how many rows have holes.
const HOLE_ROWS: usize = 8;
const SUMMARY: usize = (ROWS + 1) * HOLE_ROWS;
/// Rows that lack one cell only, all in one column; that column; a third of the height.
const READY_ROWS: usize = 5;
const READY: usize = READY_ROWS * (WIDTH + 1) * (ROWS / 3 + 1);

const AT_WIDE: usize = 0;
const AT_NARROW: usize = AT_WIDE + WIDE_WINDOWS * WIDE;
const AT_CROWN: usize = AT_NARROW + NARROW_WINDOWS * NARROW;
const AT_ROW: usize = AT_CROWN + NARROW_WINDOWS * CROWN;
const AT_HOLES: usize = AT_ROW + ROWS * ROW;
const AT_SUMMARY: usize = AT_HOLES + HOLE_DEPTHS * ROW;
const AT_READY: usize = AT_SUMMARY + SUMMARY;

/// What a feature costs by the rule of [`QuickNet::by_rule`](super::QuickNet::by_rule): steps by their
/// squares, holes by their number, height by its square. The factors are powers of two, so that sums
/// are exact on every processor; chosen by hand, not measured.
pub(super) fn dislike(index: usize) -> f32 {
    if index < AT_NARROW {
        let mut steps = index % WIDE;
        let mut cost = 0;
        for _ in 0..4 {
            let step = (steps % 9) as i32 - 4;
            cost += step * step;
            steps /= 9;
        }
        // Most steps are part of four windows.
        cost as f32 / 64.0
    } else if (AT_HOLES..AT_SUMMARY).contains(&index) {
        let holes = (index - AT_HOLES) % ROW;
        0.5 * holes.count_ones() as f32
    } else if (AT_SUMMARY..AT_READY).contains(&index) {
        let tallest = (index - AT_SUMMARY) / HOLE_ROWS;
        (tallest * tallest) as f32 / 64.0
    } else {
        0.0
    }
}

/// The features that a playfield shows.
#[derive(Debug, Clone, Copy)]
pub struct Features {
    indices: [u32; INDICES],
    count: usize,
    spans: [u32; SPANS],
}

impl Features {
    /// Reads a playfield; hidden rows are ignored.
    #[inline(always)]
    pub fn of(playfield: &Playfield) -> Features {
        let mut features = Features { indices: [0; INDICES], count: 0, spans: [0; SPANS] };
        // Below the floor all is full.
        let mut rows = [FULL_ROW; ROWS + CROWN_ROWS];
        rows[..ROWS].copy_from_slice(playfield.visible());
        let top = playfield.top();
        let tallest = ROWS - top;
        let mut heights = [0u16; COLUMNS];
        let mut covered = 0u16;
        let mut hole_rows = 0;
        for (depth, &row) in rows[top..ROWS].iter().enumerate() {
            let holes = covered & !row;
            features.push_if(holes != 0, AT_HOLES + depth.min(HOLE_DEPTHS - 1) * ROW + usize::from(holes));
            hole_rows += usize::from(holes != 0);
            covered |= row;
            for (column, height) in heights.iter_mut().enumerate() {
                *height += covered >> column & 1;
            }
            features.push(AT_ROW + (tallest - 1 - depth) * ROW + usize::from(row));
        }
        features.push(AT_SUMMARY + tallest * HOLE_ROWS + hole_rows.min(HOLE_ROWS - 1));
        features.push(AT_READY + ready(&rows[top..ROWS], tallest));
        features.push_windows(&rows, &heights);
        features
    }

    #[inline(always)]
    fn push_windows(&mut self, rows: &[u16; ROWS + CROWN_ROWS], heights: &[u16; COLUMNS]) {
        // All windows at once; those that begin too far right are not used.
        let beside = moved::<1>(heights);
        let mut wide = [0u16; COLUMNS];
        let mut narrow = [0u16; COLUMNS];
        let mut flat = [0u16; COLUMNS];
        for column in 0..COLUMNS {
            wide[column] = (beside[column] + 4).saturating_sub(heights[column]).min(8);
            narrow[column] = (beside[column] + 3).saturating_sub(heights[column]).min(6);
            flat[column] = (beside[column] + 2).saturating_sub(heights[column]).min(4);
        }
        let (wide_1, wide_2, wide_3) = (moved::<1>(&wide), moved::<2>(&wide), moved::<3>(&wide));
        let (narrow_1, narrow_2) = (moved::<1>(&narrow), moved::<2>(&narrow));
        let (height_2, height_3) = (moved::<2>(heights), moved::<3>(heights));
        let mut wides = [0u16; COLUMNS];
        let mut narrows = [0u16; COLUMNS];
        let mut tallest = [0u16; COLUMNS];
        for column in 0..COLUMNS {
            wides[column] = ((wide[column] * 9 + wide_1[column]) * 9 + wide_2[column]) * 9 + wide_3[column];
            narrows[column] = ((heights[column] * 7 + narrow[column]) * 7 + narrow_1[column]) * 7 + narrow_2[column];
            tallest[column] = heights[column].max(beside[column]).max(height_2[column].max(height_3[column]));
        }
        for (window, &steps) in wides[..WIDE_WINDOWS].iter().enumerate() {
            self.push(AT_WIDE + window * WIDE + usize::from(steps));
        }
        for window in 0..NARROW_WINDOWS {
            self.push(AT_NARROW + window * NARROW + usize::from(narrows[window]));
            let top = ROWS - usize::from(tallest[window]).min(ROWS);
            let bits = |depth: usize| usize::from(rows[top + depth] >> window & 0xF);
            self.push(AT_CROWN + window * CROWN + (bits(0) << 8 | bits(1) << 4 | bits(2)));
        }
        self.show_spans(&narrow, &flat);
    }

    /// By the steps between columns, 0 to 6 and 0 to 4.
    #[inline(always)]
    fn show_spans(&mut self, narrow: &[u16; COLUMNS], flat: &[u16; COLUMNS]) {
        let narrow = [*narrow, moved::<1>(narrow), moved::<2>(narrow), moved::<3>(narrow), moved::<4>(narrow)];
        let halves = [flat, &moved::<1>(flat), &moved::<2>(flat)];
        let mut half = [0u16; COLUMNS];
        let mut sixes = [0u16; COLUMNS];
        for column in 0..COLUMNS {
            sixes[column] = narrow.iter().fold(0, |steps, step| steps * 7 + step[column]);
            half[column] = halves.iter().fold(0, |steps, step| steps * 5 + step[column]);
        }
        let other_half = moved::<3>(&half);
        for (window, &steps) in sixes[..SIX_WINDOWS].iter().enumerate() {
            self.spans[window] = (window * SIX) as u32 + u32::from(steps);
        }
        for window in 0..SEVEN_WINDOWS {
            let steps = u32::from(half[window] * 125 + other_half[window]);
            self.spans[SIX_WINDOWS + window] = (AT_SEVEN + window * SEVEN) as u32 + steps;
        }
    }

    #[inline(always)]
    fn push_if(&mut self, shows: bool, index: usize) {
        self.indices[self.count & (INDICES - 1)] = index as u32;
        self.count += usize::from(shows);
    }

    #[inline(always)]
    fn push(&mut self, index: usize) {
        self.push_if(true, index);
    }

    /// The rows of the table, each once except those of holes: rows far below the top of the stack
    /// that have the same holes show the same feature, and it appears once for each of them.
    #[inline(always)]
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.count]
    }

    /// The rows of the spans, one for each span.
    #[inline(always)]
    pub fn spans(&self) -> &[u32; SPANS] {
        &self.spans
    }
}

/// The values of the columns so far to the right.
#[inline(always)]
fn moved<const BY: usize>(values: &[u16; COLUMNS]) -> [u16; COLUMNS] {
    let mut to = [0; COLUMNS];
    to[..COLUMNS - BY].copy_from_slice(&values[BY..]);
    to
}

/// The feature of rows that wait for one cell in the column of the lowest such row.
#[inline(always)]
fn ready(stack: &[u16], tallest: usize) -> usize {
    // The only cell of the lowest such row, and how many rows lack the same.
    let mut waits = 0;
    let mut count = 0;
    for &row in stack.iter().rev() {
        let gap = FULL_ROW & !row;
        let is_one = gap & gap.wrapping_sub(1) == 0;
        waits = if waits == 0 && is_one { gap } else { waits };
        count += usize::from(is_one && gap == waits && gap != 0);
    }
    let well = if waits == 0 { WIDTH } else { waits.trailing_zeros() as usize };
    (count.min(READY_ROWS - 1) * (WIDTH + 1) + well) * (ROWS / 3 + 1) + tallest / 3
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn sorted(playfield: &Playfield) -> Vec<usize> {
        let mut indices: Vec<_> = Features::of(playfield).indices().iter().map(|&index| index as usize).collect();
        indices.sort_unstable();
        indices
    }

    #[test]
    fn an_empty_playfield_is_flat_everywhere() {
        let mut expected: Vec<_> = (0..WIDE_WINDOWS).map(|window| AT_WIDE + window * WIDE + 3280).collect();
        expected.extend((0..NARROW_WINDOWS).map(|window| AT_NARROW + window * NARROW + 171));
        expected.extend((0..NARROW_WINDOWS).map(|window| AT_CROWN + window * CROWN + 0xFFF));
        // Column 10 stands for no well.
        expected.extend([AT_SUMMARY, AT_READY + 10 * 7]);
        assert_eq!(sorted(&Playfield::EMPTY), expected);
    }

    #[test]
    fn a_small_stack_shows_what_was_worked_out_by_hand() {
        let playfield = Playfield::drawn(
            "
            #.........
            #########.
            ####.####.
            ",
        );
        // Steps: -1, seven of 0, -2.
        let wide = [2551, 3280, 3280, 3280, 3280, 3278];
        let narrow = [1151, 857, 857, 857, 857, 857, 855];
        let crowns = [0x1FF, 0xF7F, 0xFBF, 0xFDF, 0xFEF, 0xFFF, 0x77F];
        let mut expected: Vec<_> = wide.iter().enumerate().map(|(window, at)| AT_WIDE + window * WIDE + at).collect();
        expected.extend(narrow.iter().enumerate().map(|(window, at)| AT_NARROW + window * NARROW + at));
        expected.extend(crowns.iter().enumerate().map(|(window, at)| AT_CROWN + window * CROWN + at));
        expected.extend([AT_ROW + 0b1_1110_1111, AT_ROW + ROW + 0b1_1111_1111, AT_ROW + 2 * ROW + 1]);
        // The hole is two rows below the top; one row has holes; one row waits for column 9.
        expected.extend([AT_HOLES + 2 * ROW + 0b1_0000, AT_SUMMARY + 3 * HOLE_ROWS + 1, AT_READY + (11 + 9) * 7 + 1]);
        assert_eq!(sorted(&playfield), expected);
    }

    /// The spans by the heights of the columns.
    fn spans_slowly(playfield: &Playfield) -> Vec<usize> {
        let heights: Vec<i32> = (0..WIDTH)
            .map(|column| {
                let top = playfield.visible().iter().position(|row| row >> column & 1 == 1).unwrap_or(ROWS);
                (ROWS - top) as i32
            })
            .collect();
        let spans = |columns: usize, most: i32, at: usize| {
            let ways = (2 * most as usize + 1).pow(columns as u32 - 1);
            let steps = move |window: &[i32]| {
                let step = |pair: &[i32]| (pair[1] - pair[0]).clamp(-most, most) + most;
                window.windows(2).fold(0, |steps, pair| steps * (2 * most as usize + 1) + step(pair) as usize)
            };
            heights
                .windows(columns)
                .enumerate()
                .map(move |(window, heights)| at + window * ways + steps(heights))
                .collect::<Vec<_>>()
        };
        [spans(6, 3, 0), spans(7, 2, 5 * 7usize.pow(5))].concat()
    }

    #[test]
    fn spans_show_the_steps_of_six_and_seven_columns() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut seen = BTreeSet::new();
        let mut check = |heights: [usize; WIDTH]| {
            // With holes below the tops.
            let mut rows = [0u16; ROWS];
            for (column, height) in heights.into_iter().enumerate() {
                for (depth, row) in rows[ROWS - height..].iter_mut().enumerate() {
                    *row |= u16::from(depth == 0 || random.random_bool(0.8)) << column;
                }
            }
            let playfield = Playfield::from_rows(rows);
            let spans: Vec<_> = Features::of(&playfield).spans().iter().map(|&row| row as usize).collect();
            assert_eq!(spans, spans_slowly(&playfield));
            assert!(spans.iter().all(|&row| row < SPAN_ROWS));
            seen.extend(spans);
        };
        // The steepest stairs down and up.
        check(std::array::from_fn(|column| 18usize.saturating_sub(3 * column)));
        check(std::array::from_fn(|column| 2 * column));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        for round in 0..20_000 {
            let base = random.random_range(0..=ROWS);
            let reach = if round % 2 == 0 { 0..=ROWS } else { base.saturating_sub(2)..=(base + 2).min(ROWS) };
            check(std::array::from_fn(|_| random.random_range(reach.clone())));
        }
        assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&(SPAN_ROWS - 1))));
    }

    #[test]
    fn what_is_high_or_deep_is_cut() {
        let mut tower = Playfield::EMPTY;
        for row in 8..20 {
            tower.set(row, 0);
        }
        let features = sorted(&tower);
        // A step of -12 counts as -4 and as -3.
        assert!(features.contains(&(AT_WIDE + 4 * 81 + 4 * 9 + 4)));
        assert!(features.contains(&(AT_NARROW + 12 * 343 + 3 * 7 + 3)));
        assert!(features.contains(&(AT_CROWN + 0x111)));
        assert!(features.contains(&(AT_READY + 10 * 7 + 4)), "a third of the height, and no well");

        let mut ready = Playfield::EMPTY;
        for row in 13..20 {
            ready.set_row(row, 0b11_1111_1110);
        }
        // Another well above does not count, and neither does a full row.
        ready.set_row(12, 0b11_1111_1101);
        ready.set_row(11, 0b11_1111_1111);
        let features = sorted(&ready);
        assert!(features.contains(&(AT_READY + (4 * 11) * 7 + 3)), "seven rows count as four");
        // Column 0 is covered by the two rows on top: seven rows with holes, the lowest cut to depth 7.
        assert!(features.contains(&(AT_SUMMARY + 9 * HOLE_ROWS + 7)));
        assert!(features.contains(&(AT_HOLES + 7 * ROW + 1)) && features.contains(&(AT_HOLES + 2 * ROW + 1)));
        assert!(features.contains(&(AT_HOLES + ROW + 2)));
    }

    #[test]
    fn every_feature_is_in_the_table_and_shown_once_but_for_deep_holes() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let check = |rows: [u16; ROWS]| {
            let features = Features::of(&Playfield::from_rows(rows));
            let indices: Vec<_> = features.indices().iter().map(|&index| index as usize).collect();
            let deep = AT_HOLES + (HOLE_DEPTHS - 1) * ROW..AT_SUMMARY;
            let others: Vec<_> = indices.iter().filter(|index| !deep.contains(index)).collect();
            let unique: BTreeSet<_> = others.iter().collect();
            assert_eq!(unique.len(), others.len());
            assert!(indices.iter().all(|&index| index < FEATURES));
            assert!(indices.len() <= MOST_FEATURES);
            indices.len()
        };
        let mut most = check([0x3FF; ROWS]);
        for round in 0..20_000u32 {
            let top = random.random_range(0..=ROWS);
            let filled: f64 = if round % 2 == 0 { 0.9 } else { random.random() };
            let row = |y| {
                let bits = (0..WIDTH).fold(0, |bits, column| bits | u16::from(random.random_bool(filled)) << column);
                if y < top { 0 } else { bits }
            };
            most = most.max(check(std::array::from_fn(row)));
        }
        // The top row has no holes.
        let holes = std::array::from_fn(|y| if y == 0 { 0x3FF } else { 0x155 << (y % 2) });
        assert_eq!(most.max(check(holes)), MOST_FEATURES - 1);
    }
}

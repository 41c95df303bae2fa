//! How far away the next danger is, before anybody knows which clears will come.

use super::lock::{Lock, Music};
use super::remedy::PushdownRows;
use super::verdict::{FIRST_DANGEROUS_LEVEL, MARGIN, PHASES, Verdict, has_window};
use crate::game::scoring::Progress;
use crate::game::{Orientation, WIDTH};

/// Lines after which nothing is looked for any more. The longest way without a danger, from level 186 to 247, is 1,420
/// lines at most.
const FARTHEST: u32 = 2_000;
/// By how much a lock may be shorter than one with nothing but its counts: a block in the first column.
const SHORTER: u32 = 149;
/// By how much it may be longer: the last block in row 5, pushdown, the tenth clear, the flash, the piece, the rows.
const LONGER: u32 = 400;

/// The fewest more lines with which a lock may crash or hang, or come within [`MARGIN`] of it; 0 when the next lock
/// may without a clear. `None` when it takes more than 2,000.
///
/// Every way to clear is tried. What is not known of a lock is taken as it would be worst; only Select is not pressed,
/// so that `next_hidden` stays.
pub fn lines_to_danger(progress: Progress, next_hidden: bool) -> Option<u32> {
    let mut before = progress;
    let mut nearest: Option<u32> = None;
    for lines in 0..=FARTHEST {
        if nearest.is_some_and(|nearest| lines >= nearest) {
            break;
        }
        let is_dangerous = |&rows: &u8| {
            let mut after = before;
            after.count_a_type(rows);
            after.level >= FIRST_DANGEROUS_LEVEL && can_be_dangerous(before, after, rows, next_hidden)
        };
        if let Some(rows) = (0..=4).find(is_dangerous) {
            let found = lines + u32::from(rows);
            nearest = Some(nearest.map_or(found, |nearest| nearest.min(found)));
        }
        before.count_a_type(1);
    }
    nearest
}

/// Is there a lock between these counts that is not safe?
fn can_be_dangerous(before: Progress, after: Progress, rows: u8, next_hidden: bool) -> bool {
    let counted = Lock { rows, next_hidden, ..Lock::counted(before, after) };
    let cycles = counted.cycles();
    let lengths = [cycles.saturating_sub(SHORTER + MARGIN), cycles + LONGER + PHASES + MARGIN];
    has_window(lengths, next_hidden) && variants(counted).any(|lock| !Verdict::of(&lock).is_safe())
}

/// The lock with all that is not known of it before.
fn variants(counted: Lock) -> impl Iterator<Item = Lock> {
    let rows = counted.rows;
    let either = |is_possible: bool| [Some(false), is_possible.then_some(true)].into_iter().flatten();
    let music = [None, Some(0), Some(WIDTH as u8 - 1)]
        .into_iter()
        .flat_map(|first_block| [false, true].map(|was_fast| Music { first_block, was_fast }));
    // Ids below 8, 8, and above.
    let pieces: &[u8] = if rows > 0 { &[Orientation::HIDDEN_ID] } else { &[0, 8, 9] };
    (0..=rows)
        .flat_map(move |far_rows| music.clone().map(move |music| Lock { far_rows, music, ..counted }))
        .flat_map(|lock| PushdownRows::ALL.map(|pushed| Lock { pushdown: pushed.fewest(), ..lock }))
        .flat_map(move |lock| either(rows > 0).map(move |tenth_clear| Lock { tenth_clear, ..lock }))
        .flat_map(move |lock| either(rows == 4).map(move |flash| Lock { flash, ..lock }))
        .flat_map(move |lock| pieces.iter().map(move |&piece| Lock { piece, ..lock }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Progress of a game from level 18 or 19 with this many lines.
    fn progress(lines: u16) -> Progress {
        let mut progress = Progress::from_lines(18, 0);
        (0..lines).for_each(|_| {
            progress.count_a_type(1);
        });
        progress
    }

    #[test]
    fn the_first_danger_is_the_first_lock_that_a_search_through_all_finds() {
        // The slow way: all numbers of lines, one after the other, and no bound on the lengths.
        let slow = |start: u16, hidden: bool| {
            let mut found = None;
            for lines in 0..400_u16 {
                let before = progress(start + lines);
                for rows in 0..=4_u8 {
                    let mut after = before;
                    after.count_a_type(rows);
                    let counted = Lock { rows, next_hidden: hidden, ..Lock::counted(before, after) };
                    if variants(counted).any(|lock| !Verdict::of(&lock).is_safe()) {
                        let sum = u32::from(lines) + u32::from(rows);
                        found = Some(found.map_or(sum, |found: u32| found.min(sum)));
                    }
                }
            }
            found
        };
        for (start, hidden) in [(1_300, false), (1_300, true), (1_475, false), (1_600, false), (1_760, true)] {
            assert_eq!(lines_to_danger(progress(start), hidden), slow(start, hidden), "{start} {hidden}");
        }
    }

    #[test]
    fn the_way_to_the_next_danger_grows_shorter_by_every_line() {
        let first = lines_to_danger(progress(1_300), false).expect("level 154 is near");
        assert!((170..=190).contains(&first), "{first}");
        for lines in 1..first as u16 {
            assert_eq!(lines_to_danger(progress(1_300 + lines), false), Some(first - u32::from(lines)));
        }
        assert_eq!(lines_to_danger(progress(0), false), Some(1_300 + first));
        // From level 186 on there is none before level 247.
        let safe = lines_to_danger(progress(1_810), false).expect("level 247 comes");
        assert!((1_390..=1_420).contains(&safe), "{safe}");
    }
}

//! What would have kept a lock from crashing.

use super::lock::{Lock, Music};
use super::verdict::{Danger, Verdict};
use crate::game::scoring::Progress;
use crate::game::{Orientation, Piece, WIDTH};

/// Rows of pushdown at a lock, as far as the length of a pass depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushdownRows {
    /// 0 or 1 row: no points.
    None,
    /// 2 to 7 rows.
    Few,
    /// 8 rows or more.
    Many,
}

impl PushdownRows {
    /// All of them.
    pub const ALL: [PushdownRows; 3] = [PushdownRows::None, PushdownRows::Few, PushdownRows::Many];

    /// The fewest such rows.
    pub const fn fewest(self) -> u8 {
        match self {
            PushdownRows::None => 0,
            PushdownRows::Few => 2,
            PushdownRows::Many => 8,
        }
    }

    /// Those of a pushdown of `$6F` rows.
    pub const fn of(rows: u8) -> PushdownRows {
        match rows as i8 {
            ..2 => PushdownRows::None,
            2..8 => PushdownRows::Few,
            8.. => PushdownRows::Many,
        }
    }
}

/// Another way to lock, which is safe on every console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Select, pressed before the frame that scores: it hides the next box, or shows it.
    Select,
    /// Other rows of pushdown.
    Pushdown(PushdownRows),
    /// Both.
    SelectAndPushdown(PushdownRows),
    /// Another number of rows cleared, in the rows that are likely for it: the lowest. Safe whatever else is not
    /// known of it.
    Clear(u8),
    /// A, held when the hang begins: it ends at once.
    PressA,
}

impl Lock {
    /// What would have kept this lock from crashing or hanging: Select and pushdown first, then other clears, as many rows as
    /// the piece can clear. Nothing for a safe lock.
    pub fn remedies(&self, piece: Option<Piece>) -> Vec<Remedy> {
        let verdict = Verdict::of(self);
        let mut remedies = Vec::new();
        if verdict.is_safe() {
            return remedies;
        }
        let is_safe = |lock: Lock| Verdict::of(&lock).is_safe();
        let other = Lock { next_hidden: !self.next_hidden, ..*self };
        if is_safe(other) {
            remedies.push(Remedy::Select);
        }
        let rows = || PushdownRows::ALL.into_iter().filter(|&rows| rows != PushdownRows::of(self.pushdown));
        let with = |lock: Lock, rows: PushdownRows| is_safe(Lock { pushdown: rows.fewest(), ..lock });
        remedies.extend(rows().filter(|&rows| with(*self, rows)).map(Remedy::Pushdown));
        if remedies.is_empty() {
            remedies.extend(rows().filter(|&rows| with(other, rows)).map(Remedy::SelectAndPushdown));
        }
        let is_safe_clear = |&rows: &u8| rows != self.rows && self.likely_clearing(rows).all(is_safe);
        let most = piece.map_or(4, Piece::most_clears);
        remedies.extend((0..=most).filter(is_safe_clear).map(Remedy::Clear));
        if verdict.danger.is_some_and(|danger| danger != Danger::Crash) {
            remedies.push(Remedy::PressA);
        }
        remedies
    }

    /// The same lock with another number of rows cleared, none of them above row 11.
    pub fn clearing(&self, rows: u8) -> Lock {
        let level = self.level.wrapping_sub(u8::from(self.level_up));
        let before = Progress::from_lines(level, self.lines.saturating_sub(self.rows.into()));
        let mut after = before;
        after.count_a_type(rows);
        Lock {
            rows,
            far_rows: rows,
            next_hidden: self.next_hidden,
            music: self.music,
            pushdown: self.pushdown,
            piece: if rows > 0 { Orientation::HIDDEN_ID } else { self.piece },
            select: self.select,
            ..Lock::counted(before, after)
        }
    }

    /// The same with all that is not known of that other clear: whether it is a tenth one, whether the screen
    /// flashes, and where the first block of row 5 is then.
    fn likely_clearing(&self, rows: u8) -> impl Iterator<Item = Lock> {
        let lock = self.clearing(rows);
        let either = |is_possible: bool| [Some(false), is_possible.then_some(true)].into_iter().flatten();
        let blocks = [self.music.first_block, None, Some(0), Some(WIDTH as u8 - 1)];
        either(rows > 0).flat_map(move |tenth_clear| {
            either(rows == 4).flat_map(move |flash| {
                let with = move |first_block| {
                    let music = Music { first_block, ..lock.music };
                    Lock { tenth_clear, flash, music, ..lock }
                };
                blocks.into_iter().map(with)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::crash::PHASES;

    /// The lock at which the recorded game froze: a single that makes 1,520 lines and level 158.
    const FROZE: Lock = Lock {
        level: 158,
        lines: 1_520,
        rows: 1,
        far_rows: 1,
        ones_wrap: true,
        tens_wrap: false,
        level_up: true,
        next_hidden: false,
        music: Music { first_block: None, was_fast: false },
        pushdown: 1,
        tenth_clear: false,
        piece: 0x13,
        select: false,
        flash: false,
    };

    /// The lock at which the same game froze on another emulator: 1,514 lines, level 157.
    const OTHER: Lock = Lock { level: 157, lines: 1_514, ones_wrap: false, level_up: false, ..FROZE };

    #[test]
    fn the_locks_that_froze_are_told_with_what_saves_them() {
        let verdict = Verdict::of(&FROZE);
        assert_eq!((verdict.cycles, verdict.danger, verdict.phases), (29_597, Some(Danger::Crash), PHASES));
        // Select would lead into the next window: 29,203 + 562.
        let [few, many] = [PushdownRows::Few, PushdownRows::Many].map(Remedy::Pushdown);
        assert_eq!(
            FROZE.remedies(None),
            [few, many, Remedy::Clear(0), Remedy::Clear(2), Remedy::Clear(3), Remedy::Clear(4)]
        );
        for (piece, most) in [(Piece::I, 4), (Piece::O, 2), (Piece::T, 3), (Piece::S, 3), (Piece::J, 3)] {
            let clears = [0, 2, 3, 4].into_iter().filter(|&rows| rows <= most).map(Remedy::Clear);
            assert_eq!(FROZE.remedies(Some(piece)), [few, many].into_iter().chain(clears).collect::<Vec<_>>());
        }
        // 29,364 + 383 lies between two windows, three cycles from each: one emulator crashed, one did not.
        let verdict = Verdict::of(&OTHER);
        assert_eq!((verdict.cycles, verdict.danger, verdict.margin), (29_364, Some(Danger::Crash), 0));
        assert!((1..PHASES).contains(&verdict.phases), "{verdict:?}");
        assert_eq!(OTHER.remedies(None)[0], Remedy::Select);
    }

    #[test]
    fn every_remedy_is_safe_and_a_safe_lock_needs_none() {
        let (mut remedied, mut hopeless) = (0, 0);
        for (level, rows) in (150..=255).flat_map(|level| (0..=4).map(move |rows| (level, rows))) {
            let lock = Lock { level, ..FROZE }.clearing(rows);
            let remedies = lock.remedies(None);
            let verdict = Verdict::of(&lock);
            if verdict.is_safe() {
                assert_eq!(remedies, []);
                continue;
            }
            remedied += u32::from(!remedies.is_empty());
            hopeless += u32::from(remedies.is_empty());
            for remedy in remedies {
                let hidden = |lock: Lock| Lock { next_hidden: !lock.next_hidden, ..lock };
                let with = |lock: Lock, rows: PushdownRows| Lock { pushdown: rows.fewest(), ..lock };
                let other = match remedy {
                    Remedy::Select => hidden(lock),
                    Remedy::Pushdown(rows) => with(lock, rows),
                    Remedy::SelectAndPushdown(rows) => with(hidden(lock), rows),
                    Remedy::Clear(rows) => lock.clearing(rows),
                    Remedy::PressA => {
                        assert_ne!(verdict.danger, Some(Danger::Crash));
                        continue;
                    }
                };
                assert!(Verdict::of(&other).is_safe(), "{lock:?}: {remedy:?}");
            }
        }
        assert!(remedied > 40 && hopeless == 0, "{remedied} locks with a remedy, {hopeless} without");
    }

    #[test]
    fn rows_of_pushdown_change_the_length_at_two_and_at_eight() {
        for rows in 0..=20 {
            let class = PushdownRows::of(rows);
            let length = |pushdown| Lock { pushdown, ..FROZE }.cycles();
            assert_eq!(length(rows), length(class.fewest()), "{rows} rows");
        }
        let lengths = PushdownRows::ALL.map(|class| Lock { pushdown: class.fewest(), ..FROZE }.cycles());
        assert_eq!(lengths, [29_597, 29_643, 29_634]);
    }
}

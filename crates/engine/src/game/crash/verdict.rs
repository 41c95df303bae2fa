//! What comes of the length of a scoring pass.

use super::lock::{Lock, NEXT_BOX};

/// The length of a scoring pass is known but for 0 to 7 cycles: they depend on the alignment of
/// instructions and of the sprite transfer, and on bits of the random number. Of the 1,060 measured cases
/// the windows agree with 1,052 when one of these eight phases hits them.
pub const PHASES: u32 = 8;
/// Emulators and consoles differ by a few more cycles. A pass that is farther than this from every window
/// is safe on all of them.
pub const MARGIN: u32 = 15;

/// The lowest level after a lock whose pass can come within [`MARGIN`] of a danger. A test goes through all cases.
pub const FIRST_DANGEROUS_LEVEL: u8 = 154;

/// The lowest level after a lock that can crash or hang the game, unless Select is pressed in that very frame (7 more
/// cycles). A test goes through all cases.
pub const FIRST_CRASH_LEVEL: u8 = 155;

/// Cycles from the end of the score to each of the eight jumps that follow it in the pass.
const JUMPS: [u32; 8] = [0, 60, 162, 222, 323, 383, 502, 562];
/// The cycles in which the interrupt overwrites the pointer of a jump, first and last.
const CRASH: [[u32; 2]; 2] = [[29_739, 29_744], [29_750, 29_768]];
/// The last of the jumps. The windows of hangs are counted from it.
const LAST_JUMP: u32 = JUMPS[7];
/// The interrupt strikes while the next box is drawn. Only with the next box shown.
const COUNTER_HANG: [u32; 2] = [30_407 - LAST_JUMP, 30_745 - LAST_JUMP];
/// The interrupt strikes while the falling piece is drawn. As if the next box were shown.
const BUTTON_HANG: [u32; 2] = [31_329 - LAST_JUMP, 31_756 - LAST_JUMP];

/// What an interrupt does that comes at a bad moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Danger {
    /// The program jumps to a wrong address: the game is over.
    Crash,
    /// The game draws sprites until the low byte of the frame counter is 255 while none of B, Down, Left and
    /// Right is held, or until A or Select is held.
    HangUntilCounter,
    /// The game draws sprites until a button is pressed.
    HangUntilButton,
}

impl Danger {
    /// Its name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Danger::Crash => "crash",
            Danger::HangUntilCounter => "hang-until-counter",
            Danger::HangUntilButton => "hang-until-button",
        }
    }

    /// The danger of a pass of exactly this length.
    pub fn at(cycles: u32, next_hidden: bool) -> Option<Danger> {
        windows(next_hidden).find(|window| (window.first..=window.last).contains(&cycles)).map(|window| window.danger)
    }
}

/// Lengths of a pass with the same danger.
#[derive(Debug, Clone, Copy)]
struct Window {
    first: u32,
    last: u32,
    danger: Danger,
}

impl Window {
    /// Cycles from the nearest of these lengths to the window: 0 inside of it.
    fn distance(&self, [shortest, longest]: [u32; 2]) -> u32 {
        self.first.saturating_sub(longest).max(shortest.saturating_sub(self.last))
    }
}

fn windows(next_hidden: bool) -> impl Iterator<Item = Window> {
    let crashes = JUMPS.into_iter().flat_map(|jump| {
        CRASH.map(|[first, last]| Window { first: first - jump, last: last - jump, danger: Danger::Crash })
    });
    let box_hang = Window { first: COUNTER_HANG[0], last: COUNTER_HANG[1], danger: Danger::HangUntilCounter };
    let shift = if next_hidden { NEXT_BOX } else { 0 };
    let piece_hang =
        Window { first: BUTTON_HANG[0] - shift, last: BUTTON_HANG[1] - shift, danger: Danger::HangUntilButton };
    crashes.chain((!next_hidden).then_some(box_hang)).chain([piece_hang])
}

/// Does a pass of one of these lengths, first and last, crash or hang?
pub(super) fn has_window([shortest, longest]: [u32; 2], next_hidden: bool) -> bool {
    windows(next_hidden).any(|window| window.first <= longest && window.last >= shortest)
}

/// What comes of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// T: the length of the pass, but for the unknown phase.
    pub cycles: u32,
    /// The danger that the unknown phase may lead to. Without one, that of the nearest window within [`MARGIN`].
    pub danger: Option<Danger>,
    /// In how many of the [`PHASES`] it comes.
    pub phases: u32,
    /// Cycles from the nearest of the phases to the nearest window: 0 when one is inside.
    pub margin: u32,
}

impl Verdict {
    /// The verdict on a lock.
    pub fn of(lock: &Lock) -> Verdict {
        Verdict::at(lock.cycles(), lock.next_hidden)
    }

    /// The verdict on a pass of this length.
    pub fn at(cycles: u32, next_hidden: bool) -> Verdict {
        let lengths = [cycles, cycles + PHASES - 1];
        let nearest = windows(next_hidden).min_by_key(|window| window.distance(lengths));
        let margin = nearest.map_or(u32::MAX, |window| window.distance(lengths));
        let danger = nearest.filter(|_| margin <= MARGIN).map(|window| window.danger);
        let hits = (0..PHASES).filter(|phase| Danger::at(cycles + phase, next_hidden).is_some());
        Verdict { cycles, danger, phases: hits.count() as u32, margin }
    }

    /// No console and no emulator crashes or hangs here.
    pub fn is_safe(&self) -> bool {
        self.danger.is_none()
    }

    /// Every phase crashes or hangs.
    pub fn is_certain(&self) -> bool {
        self.phases == PHASES
    }

    /// The share of the phases that crash or hang, 0 to 1.
    pub fn chance(&self) -> f64 {
        f64::from(self.phases) / f64::from(PHASES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::crash::Music;

    /// Every lock of a level that is possible, and some that are not.
    fn locks(level: u8) -> impl Iterator<Item = Lock> {
        let bits = 0..1_u16 << 10;
        (0..=4_u8).flat_map(move |rows| (0..=rows).map(move |far_rows| (rows, far_rows))).flat_map(
            move |(rows, far_rows)| {
                bits.clone().flat_map(move |bits| {
                    let is = move |bit: u16| bits >> bit & 1 == 1;
                    [0, 2, 8].into_iter().flat_map(move |pushdown| {
                        [0, 8, 19].into_iter().map(move |piece| Lock {
                            level,
                            lines: 0,
                            rows,
                            far_rows,
                            ones_wrap: is(0),
                            tens_wrap: is(1),
                            level_up: is(2),
                            next_hidden: is(3),
                            // The music's part is 0 to 187 cycles; the two ends stand for all.
                            music: Music { first_block: is(4).then_some(if is(5) { 9 } else { 0 }), was_fast: is(6) },
                            pushdown,
                            tenth_clear: is(7),
                            piece,
                            select: is(8),
                            flash: is(9),
                        })
                    })
                })
            },
        )
    }

    #[test]
    fn below_the_first_dangerous_level_no_lock_is_within_the_margin() {
        let nearest = |level| locks(level).map(|lock| Verdict::of(&lock).margin).min().expect("locks");
        assert!(nearest(FIRST_DANGEROUS_LEVEL) <= MARGIN);
        let longest = |level| locks(level).map(|lock| lock.cycles()).max().expect("locks");
        let first_window = windows(false).chain(windows(true)).map(|window| window.first).min().expect("windows");
        for level in [0, 1, 100, FIRST_DANGEROUS_LEVEL - 2, FIRST_DANGEROUS_LEVEL - 1] {
            // Every window lies past the longest pass, so no shorter one is nearer.
            assert!(longest(level) + PHASES - 1 + MARGIN < first_window, "level {level}");
        }
        assert!((0..FIRST_DANGEROUS_LEVEL).all(|level| longest_pass(level) <= longest_pass(level + 1)));
    }

    #[test]
    fn the_first_crash_comes_with_its_level() {
        let has_danger = |level| locks(level).any(|lock| !lock.select && Verdict::of(&lock).phases > 0);
        assert!(has_danger(FIRST_CRASH_LEVEL) && !has_danger(FIRST_CRASH_LEVEL - 1));
    }

    /// The longest pass of a level by the rows that the lock clears; all else is the same for every level.
    fn longest_pass(level: u8) -> u32 {
        (0..=4).map(|rows| Lock { level, rows, ..locks(0).next().expect("a lock") }.cycles()).max().expect("locks")
    }
}

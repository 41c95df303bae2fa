//! Where the interrupt that ends a frame finds a program that scores a lock.

use super::lock::Lock;
use super::verdict::{Danger, MARGIN, PHASES};

/// The lowest level with a slow frame in the recordings of the original.
pub const FIRST_SLOW_LEVEL: u8 = 133;

/// Where the interrupt finds the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// It waits for the interrupt: an ordinary frame.
    Waiting,
    /// It waits, but at the sample, about 70 cycles before the interrupt, it did not yet.
    JustInTime,
    /// It plays music and sounds, which is the last thing before it waits. From here on the frame is slow.
    Sound,
    /// At the sample the pass was at the step of `gameModeState` 8: the end of the pass.
    End,
    /// At the pause check, 7.
    PauseCheck,
    /// At the check for the reset combination, 6.
    ResetCheck,
    /// After the play update, 5.
    SecondPlayer,
    /// In the play update, 4: what it has changed by then is not known.
    Update,
}

impl Place {
    /// All places, in the order in which longer passes come to them.
    pub const ALL: [Place; 8] = [
        Place::Waiting,
        Place::JustInTime,
        Place::Sound,
        Place::End,
        Place::PauseCheck,
        Place::ResetCheck,
        Place::SecondPlayer,
        Place::Update,
    ];

    /// The lengths of the passes that the interrupt finds here, first and last, on the console of the
    /// recordings (FCEUX).
    const fn likely(self) -> [u32; 2] {
        match self {
            // Passes up to 27,370 cycles were waiting at the sample, 27,296 and longer ones were not.
            Place::Waiting => [0, 27_429],
            // Passes up to 27,683 cycles were no slow frames, 27,530 and longer ones were.
            Place::JustInTime => [27_430, 27_579],
            // 29,002 and shorter; 29,138 and longer ones were at the next step.
            Place::Sound => [27_580, 29_079],
            // Up to 29,149; 29,274 and longer ones at the next step.
            Place::End => [29_080, 29_209],
            // Up to 29,364; 29,410 and longer ones at the next step.
            Place::PauseCheck => [29_210, 29_386],
            // The steps begin 162 and 323 cycles after the play update.
            Place::ResetCheck => [29_387, 29_548],
            Place::SecondPlayer => [29_549, 29_709],
            Place::Update => [29_710, u32::MAX],
        }
    }

    /// The lengths of the passes that the interrupt may find here on any console.
    ///
    /// The sound driver takes more than a thousand cycles longer in a frame in which a note begins: a pass of
    /// 26,146 cycles made a slow frame. And the sample lies up to 70 cycles later on other emulators.
    const fn possible(self) -> [u32; 2] {
        /// The shortest pass for which a slow frame is possible: 146 cycles before the shortest that was seen.
        const SHORTEST_SLOW: u32 = 26_000;
        /// The longest pass for which an ordinary frame is possible: 17 cycles after the longest that was seen.
        const LONGEST_ORDINARY: u32 = 27_700;
        /// How far the sample may lie before and after that of the recordings.
        const SAMPLE: [u32; 2] = [40, 90];
        let [first, last] = self.likely();
        match self {
            Place::Waiting => [first, LONGEST_ORDINARY],
            Place::JustInTime => [SHORTEST_SLOW, LONGEST_ORDINARY],
            Place::Sound => [SHORTEST_SLOW, last + SAMPLE[1]],
            _ => [first - SAMPLE[0], last.saturating_add(SAMPLE[1])],
        }
    }
}

/// How a pass that scores a lock ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PassEnd {
    /// Where the interrupt finds the program.
    pub place: Place,
    /// What the interrupt does to it.
    pub danger: Option<Danger>,
}

impl PassEnd {
    /// A pass that ends in time.
    pub const IN_TIME: PassEnd = PassEnd { place: Place::Waiting, danger: None };

    /// The likely end of the pass of a lock. `phase` is 0 to 7: the cycles that the model does not know.
    pub fn likely(lock: &Lock, phase: u32) -> PassEnd {
        let cycles = lock.cycles();
        let place = Place::ALL.into_iter().find(|place| is_within(cycles, place.likely())).unwrap_or(Place::Update);
        PassEnd { place, danger: Danger::at(cycles + phase % PHASES, lock.next_hidden) }
    }

    /// All ends that the pass of a lock may have, the likely one of phase 0 first.
    pub fn possible(lock: &Lock) -> Vec<PassEnd> {
        let cycles = lock.cycles();
        let mut ends = vec![PassEnd::likely(lock, 0)];
        let mut dangers = Vec::new();
        for length in cycles.saturating_sub(MARGIN)..cycles + PHASES + MARGIN {
            let danger = Danger::at(length, lock.next_hidden);
            if !dangers.contains(&danger) {
                dangers.push(danger);
            }
        }
        for place in Place::ALL.into_iter().filter(|place| is_within(cycles, place.possible())) {
            for &danger in &dangers {
                let end = PassEnd { place, danger };
                // Nothing strikes a program that waits.
                if !ends.contains(&end) && (danger.is_none() || place > Place::JustInTime) {
                    ends.push(end);
                }
            }
        }
        ends
    }
}

fn is_within(cycles: u32, [first, last]: [u32; 2]) -> bool {
    (first..=last).contains(&cycles)
}

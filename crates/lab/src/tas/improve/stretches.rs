//! Where a game is cut: the stretches of a search.

use serde::{Deserialize, Serialize};

use super::columns::Columns;
use super::skeleton::Step;

/// Where the playfields of the game are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretches {
    /// After each clear, and after some pieces.
    Short {
        /// Pieces by which the stretches begin later.
        shift: usize,
    },
    /// After some clears. At the clears between them the playfields may change.
    Long {
        /// Pieces of the first stretch at most; 0: as many as of the others.
        first: usize,
    },
    /// Before and after each run of cycles, and as those of the other two kinds in between: the long ones if there are any.
    /// The whole run may change.
    Cycles,
    /// At the end of the second run of cycles, and after it. All before is built from scratch: towers, burst and cycles, which
    /// may move from one run to the other.
    Parts(SearchOfParts),
}

/// A search of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchOfParts {
    /// The columns of the holes over which cycles are listed. Where ready rows have their holes in other ones, those of these cycles are tried
    /// that fit. `None`: the [built-in columns](Columns::BUILT_IN) and those that the movie has at the end of its cycles.
    pub columns: Option<Columns>,
    /// Has the first run as many clears as the movie's? Otherwise one more and one less are tried, too.
    pub same_clears: bool,
    /// Bytes that it may take: where there is no room for all ways through a run of cycles, the slowest are left out.
    pub memory: u64,
}

/// Most pieces of a long stretch: two clears of 9 to 11 pieces, and some more. The plan that has its goal in frame 11,473 with short
/// stretches (10 pieces, width 3,000) has it in frame 11,113 with these (2,000 playfields, width 5,000), in 73 s of two
/// cores, and in frame 11,073 with 45 pieces (4,000 playfields, width 10,000), in 464 s.
pub(super) const LONG: usize = 24;

/// Where long stretches begin, and the end. A stretch has up to `most` pieces: it ends with the last clear among them, or
/// with the last of them if none clears rows. The first stretch has up to `first` pieces; 0: `most`.
pub(super) fn long_cuts(steps: &[Step], most: usize, first: usize) -> Vec<usize> {
    let mut cuts = vec![0];
    let (mut from, mut longest) = (0, if first == 0 { most } else { first });
    while from < steps.len() {
        let some = &steps[from..steps.len().min(from + longest)];
        from += some.iter().rposition(|step| step.rows > 0).map_or(some.len(), |last| last + 1);
        cuts.push(from);
        longest = most;
    }
    cuts
}

/// Where short stretches begin, and the end: after each clear, and after at most `most` pieces.
pub(super) fn short_cuts(steps: &[Step], most: usize, shift: usize) -> Vec<usize> {
    let mut cuts = vec![0];
    let mut from = 0;
    let mut first = if shift == 0 { most } else { shift };
    for (index, step) in steps.iter().enumerate() {
        let is_last = index + 1 == steps.len();
        if step.rows > 0 || index + 1 - from >= first || is_last {
            cuts.push(index + 1);
            from = index + 1;
            first = most;
            if step.rows > 0 && shift > 0 {
                first = shift;
            }
        }
    }
    cuts
}

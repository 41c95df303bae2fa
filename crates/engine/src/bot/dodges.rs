//! How often the player kept the game from crashing.

use crate::game::crash::{Danger, FIRST_DANGEROUS_LEVEL};
use crate::planner::PlannedLock;
use crate::state::{StateError, StateReader, StateWriter};

/// Counts of what kept a game from crashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dodges {
    /// Locks at another placement than the best.
    pub placements: u32,
    /// Locks with other rows of pushdown than there would have been.
    pub pushdowns: u32,
    /// Locks before which Select was pressed.
    pub selects: u32,
    /// Locks that were planned although they may hang the game.
    pub planned_hangs: u32,
    /// Locks that were planned although they may crash the game: within 15 cycles of a crash.
    pub risks: u32,
    /// Hangs that A has ended.
    pub hangs: u32,
    /// The fewest cycles between a lock and the nearest danger, of the locks that were planned from level 153 on; 0
    /// inside of one.
    pub nearest: Option<u32>,
}

impl Dodges {
    /// Counts a lock; `level` is the one before it.
    pub fn count(&mut self, level: u8, lock: &PlannedLock) {
        if level < FIRST_DANGEROUS_LEVEL - 1 {
            return;
        }
        let verdict = lock.verdict();
        self.placements += u32::from(lock.dodge.placement);
        self.pushdowns += u32::from(lock.dodge.pushdown);
        self.selects += u32::from(lock.dodge.select);
        self.risks += u32::from(verdict.danger == Some(Danger::Crash));
        self.planned_hangs += u32::from(verdict.danger.is_some_and(|danger| danger != Danger::Crash));
        self.nearest = Some(self.nearest.map_or(verdict.margin, |nearest| nearest.min(verdict.margin)));
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        let Dodges { placements, pushdowns, selects, planned_hangs, risks, hangs, nearest } = *self;
        [placements, pushdowns, selects, planned_hangs, risks, hangs].into_iter().for_each(|count| writer.u32(count));
        writer.option(nearest, StateWriter::u32);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Dodges, StateError> {
        let mut count = || reader.count();
        let (placements, pushdowns, selects) = (count()?, count()?, count()?);
        let (planned_hangs, risks, hangs) = (count()?, count()?, count()?);
        let nearest = reader.option(StateReader::u32)?;
        Ok(Dodges { placements, pushdowns, selects, planned_hangs, risks, hangs, nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::Dodge;

    #[test]
    fn locks_are_counted_from_the_first_dangerous_level_on() {
        let dodge = Dodge { placement: false, pushdown: true, select: true };
        let near = PlannedLock { cycles: 29_597, next_hidden: false, dodge };
        let mut dodges = Dodges::default();
        dodges.count(FIRST_DANGEROUS_LEVEL - 2, &near);
        assert_eq!(dodges, Dodges::default());
        dodges.count(156, &PlannedLock { cycles: 29_000, dodge: Dodge::default(), ..near });
        assert_eq!(dodges, Dodges { nearest: Some(170), ..Dodges::default() });
        dodges.count(157, &near);
        let counted = Dodges { pushdowns: 1, selects: 1, risks: 1, nearest: Some(0), ..Dodges::default() };
        assert_eq!(dodges, counted);
        dodges.count(169, &PlannedLock { cycles: 30_996, dodge: Dodge::default(), ..near });
        assert_eq!(dodges, Dodges { planned_hangs: 1, ..counted });
    }
}

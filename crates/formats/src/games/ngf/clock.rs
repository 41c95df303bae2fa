//! Frame numbers of records, by their times.

use maxout_engine::game::timing::FRAMES_PER_SECOND;

/// Frames that records may skip before the time counts as a jump: one second. Chosen by hand, not
/// measured.
pub(super) const MAX_SKIPPED: u64 = 60;
/// The most frames of a jump: ten minutes. A longer one is a wrong time, and not a pause. Chosen by hand,
/// not measured.
const MAX_JUMP: u64 = 36_000;

/// Numbers the records of a file by frames of the console. The first record is frame 0. A recording of
/// a video has fewer records than frames, or two of the same frame.
#[derive(Debug, Clone, Default)]
pub(super) struct NgfClock {
    /// A record and its frame, from which the times count.
    origin: Option<(u32, u64)>,
    last: Option<(Option<u32>, u64)>,
}

impl NgfClock {
    /// The frame of the next record, which is after that of the record before unless `same` says that
    /// both show the same.
    pub(super) fn frame(&mut self, time: Option<u32>, same: bool) -> u64 {
        let Some((time_before, before)) = self.last else {
            self.origin = time.map(|time| (time, 0));
            self.last = Some((time, 0));
            return 0;
        };
        let frame = match (self.origin, time) {
            (Some((origin, first)), Some(time)) if time >= origin && Some(time) >= time_before => {
                let frames = f64::from(time - origin) * FRAMES_PER_SECOND / 1000.0;
                let by_time = (first + frames.round() as u64).min(before + MAX_JUMP);
                if by_time > before + MAX_SKIPPED {
                    // A pause, a menu, or another start of the time.
                    self.origin = Some((time, by_time));
                }
                by_time.max(before + u64::from(!same))
            }
            _ => {
                self.origin = time.map(|time| (time, before + 1));
                before + 1
            }
        };
        self.last = Some((time, frame));
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(times: &[Option<u32>]) -> Vec<u64> {
        let mut clock = NgfClock::default();
        times.iter().map(|&time| clock.frame(time, false)).collect()
    }

    #[test]
    fn times_of_every_frame_give_every_number() {
        let times: Vec<_> =
            (0..10_000_u64).map(|frame| Some((frame as f64 * 1000.0 / 60.0988).round() as u32)).collect();
        assert!(numbered(&times).into_iter().eq(0..10_000));
    }

    #[test]
    fn frames_may_be_missing_doubled_or_without_a_time() {
        assert_eq!(numbered(&[Some(500), Some(533), Some(566), Some(600)]), [0, 2, 4, 6], "30 Hz");
        assert_eq!(numbered(&[Some(0), Some(17), Some(18), Some(50)]), [0, 1, 2, 3], "early and late");
        assert_eq!(numbered(&[None, None, Some(40), Some(57), None]), [0, 1, 2, 3, 4]);
        assert_eq!(numbered(&[Some(1000), Some(1017), Some(0), Some(17)]), [0, 1, 2, 3], "another start");
        assert_eq!(numbered(&[Some(0), Some(5000), Some(5017)]), [0, 300, 301], "a pause");
        let far = (1 << 28) - 2;
        assert_eq!(numbered(&[Some(0), Some(far), Some(far + 17)]), [0, MAX_JUMP, MAX_JUMP + 1], "a wrong time");
        assert_eq!(numbered(&[Some(0), Some(far), Some(0), Some(far)]), [0, MAX_JUMP, MAX_JUMP + 1, 2 * MAX_JUMP + 1]);
        let mut clock = NgfClock::default();
        assert_eq!([clock.frame(Some(0), false), clock.frame(Some(3), true), clock.frame(Some(17), false)], [0, 0, 1]);
    }
}

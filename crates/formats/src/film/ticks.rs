//! The time of a frame in the ticks of a format. The time of every frame is rounded by itself, so
//! that the errors never add up.

/// The clock of a film.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ticks {
    /// Ticks from one frame to the next.
    ticks: f64,
}

impl Ticks {
    /// A second of the film has this many frames and this many ticks.
    pub(super) fn new(frames_per_second: f64, ticks_per_second: u32) -> Ticks {
        Ticks { ticks: f64::from(ticks_per_second) / frames_per_second }
    }

    /// The tick in which this frame begins, from 0.
    pub(super) fn at(&self, frame: u64) -> u64 {
        (frame as f64 * self.ticks).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_of_hundredths_does_not_drift() {
        let clock = Ticks::new(60.0988, 100);
        let hour = 60 * 60 * 60;
        let delays = (0..hour).step_by(2).map(|frame| clock.at(frame + 2) - clock.at(frame));
        let mut total = 0;
        for (index, delay) in (1_u64..).zip(delays) {
            assert!((3..=4).contains(&delay), "{delay}");
            total += delay;
            let exact = 2.0 * index as f64 / 60.0988 * 100.0;
            assert!((total as f64 - exact).abs() <= 0.5, "{total} after {exact}");
        }
    }
}

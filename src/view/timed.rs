//! A player whose thinking is timed, so that a view can say how long it took.
//!
//! The clock stands outside of the bot: it changes no plan and stands in no recording.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::game::Position;
use crate::planner::{Falling, Plan, Player, PlayerError};

/// Reads how long a [timed](Stopwatch::around) player took for its last plan.
#[derive(Debug, Clone, Default)]
pub struct Stopwatch(Arc<AtomicU64>);

impl Stopwatch {
    /// The same player, timed.
    pub fn around(&self, player: Box<dyn Player>) -> Box<dyn Player> {
        Box::new(Timed { player, stopwatch: self.clone() })
    }

    /// What the last plan took; `None` before the first one.
    pub fn last(&self) -> Option<Duration> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            nanos => Some(Duration::from_nanos(nanos)),
        }
    }

    fn set(&self, time: Duration) {
        self.0.store(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }
}

struct Timed {
    player: Box<dyn Player>,
    stopwatch: Stopwatch,
}

impl Player for Timed {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        let begin = Instant::now();
        let plan = self.player.plan(position, falling);
        self.stopwatch.set(begin.elapsed());
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample;

    struct Sample;

    impl Player for Sample {
        fn name(&self) -> &str {
            "sample"
        }

        fn plan(&mut self, _: &Position, _: &Falling) -> Result<Option<Plan>, PlayerError> {
            Ok(Some(sample::plan()))
        }
    }

    #[test]
    fn a_timed_player_is_the_same_player() {
        let stopwatch = Stopwatch::default();
        let mut player = stopwatch.around(Box::new(Sample));
        assert_eq!((player.name(), stopwatch.last()), ("sample", None));
        let snapshot = sample::snapshot(&sample::ram());
        let falling = Falling {
            piece: snapshot.falling_piece().expect("a piece falls"),
            held: Default::default(),
            control_frame: 0,
        };
        let plan = player.plan(&snapshot.position().expect("a game"), &falling);
        assert_eq!(plan, Ok(Some(sample::plan())));
        assert!(stopwatch.last().is_some());
    }
}

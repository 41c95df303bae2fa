//! What a training prints: its progress, its curve as CSV, its summary.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::system::output::say;
use maxout_lab::train::pso::CurvePoint;
use maxout_screen::numbers::thousands;

/// Time from the start to the first line of progress, and then between two lines. Chosen by hand,
/// not measured.
const FIRST: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_secs(10);
/// An iteration that ends within this time after the previous line gets no line, unless it found a
/// better fitness. Chosen by hand, not measured.
const QUICK: Duration = Duration::from_secs(1);

/// The limits of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub iterations: Option<u64>,
    pub restarts: Option<u64>,
    pub time: Option<Duration>,
}

impl Budget {
    /// With no limit at all, the first swarm is the last.
    pub(super) fn new(iterations: Option<u64>, restarts: Option<u64>, minutes: Option<f64>) -> Budget {
        let unlimited = iterations.is_none() && minutes.is_none();
        // A time limit that a clock cannot hold is no limit.
        let time = minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok());
        Budget { iterations, restarts: restarts.or(unlimited.then_some(0)), time }
    }

    /// Is one of the limits reached?
    pub(super) fn is_spent(&self, iterations: u64, converged: u64, elapsed: Duration) -> bool {
        self.iterations.is_some_and(|limit| iterations >= limit)
            || self.restarts.is_some_and(|limit| converged > limit)
            || self.time.is_some_and(|limit| elapsed >= limit)
    }
}

/// Prints the progress of a training.
pub(super) struct PsoProgress {
    budget: Budget,
    since: Instant,
    next: Instant,
    /// Games of this run, and of one iteration.
    games: u64,
    per_iteration: u64,
    /// Games before the iteration under way.
    games_before: u64,
    iteration: u64,
    swarm: u64,
    best: Option<f64>,
    /// When the last line about an iteration was printed.
    told: Option<Instant>,
}

impl PsoProgress {
    pub(super) fn new(budget: Budget, per_iteration: u64) -> PsoProgress {
        let since = Instant::now();
        let next = since + FIRST;
        PsoProgress {
            budget,
            since,
            next,
            games: 0,
            per_iteration,
            games_before: 0,
            iteration: 0,
            swarm: 0,
            best: None,
            told: None,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Games a second.
    pub(super) fn rate(&self) -> f64 {
        self.games as f64 / self.elapsed().as_secs_f64().max(1e-9)
    }

    /// An iteration begins; the best so far is that of those before it.
    pub(super) fn begin(&mut self, iteration: u64, swarm: u64, best: Option<f64>) {
        (self.iteration, self.swarm, self.best, self.games_before) = (iteration, swarm, best, self.games);
    }

    /// A game of the iteration has ended.
    pub(super) fn game(&mut self) {
        self.games += 1;
        if Instant::now() < self.next {
            return;
        }
        let best = self.best.map_or(String::new(), |best| format!("best {}, ", points(best)));
        say(&format!(
            "iteration {}, swarm {}: {} of {} games, {best}{:.1} games a second, {}",
            self.iteration,
            self.swarm,
            thousands(self.games - self.games_before),
            thousands(self.per_iteration),
            self.rate(),
            self.left()
        ));
        self.next = Instant::now() + INTERVAL;
    }

    /// The iteration has ended.
    pub(super) fn iteration(&mut self, point: &CurvePoint) {
        let is_better = self.best.is_none_or(|best| point.best > best);
        if !is_better && self.told.is_some_and(|told| told.elapsed() < QUICK) {
            return;
        }
        say(&format!(
            "iteration {}, swarm {}: best {}, swarm's best {}, mean {}, radius {:.3}, {} evaluations, \
             {:.1} games a second, {}",
            point.iteration,
            point.swarm,
            points(point.best),
            points(point.swarm_best),
            points(point.mean),
            point.radius,
            thousands(point.evaluations),
            self.rate(),
            self.left()
        ));
        self.told = Some(Instant::now());
        self.next = Instant::now() + INTERVAL;
    }

    /// The time until the first limit that can be predicted.
    fn left(&self) -> String {
        let by_time = self.budget.time.map(|limit| limit.saturating_sub(self.elapsed()).as_secs_f64());
        let by_iterations = self.budget.iterations.map(|limit| {
            let iterations = (limit + 1).saturating_sub(self.iteration);
            let games = (iterations * self.per_iteration).saturating_sub(self.games - self.games_before);
            games as f64 / self.rate().max(1e-9)
        });
        match by_time.into_iter().chain(by_iterations).reduce(f64::min) {
            Some(seconds) if seconds < 100.0 => format!("{seconds:.0} s left"),
            Some(seconds) => format!("{:.0} min left", seconds / 60.0),
            None => "until the swarms have converged".to_owned(),
        }
    }
}

/// A fitness, in whole points.
pub(super) fn points(fitness: f64) -> String {
    thousands(fitness.round().max(0.0) as u64)
}

/// The curve as CSV, one line for each iteration.
pub(super) fn curve(points: &[CurvePoint]) -> String {
    let mut text = "iteration,swarm,evaluations,best,swarm_best,mean,radius\n".to_owned();
    for point in points {
        let CurvePoint { iteration, swarm, evaluations, best, swarm_best, mean, radius } = point;
        text += &format!("{iteration},{swarm},{evaluations},{best},{swarm_best},{mean},{radius}\n");
    }
    text
}

/// A name, and points of x and y.
pub(super) type Series = (String, Vec<(f64, f64)>);

/// The lines of the curve's picture: fitness over iterations. The best of a swarm has a line of its
/// own only when there was more than one swarm.
pub(super) fn series(points: &[CurvePoint]) -> Vec<Series> {
    let series = |name: &str, fitness: fn(&CurvePoint) -> f64| {
        (name.to_owned(), points.iter().map(|point| (point.iteration as f64, fitness(point))).collect())
    };
    let mut all = vec![series("mean of the swarm", |point| point.mean), series("best so far", |point| point.best)];
    if points.iter().any(|point| point.swarm > 1) {
        all.insert(1, series("best of the swarm so far", |point| point.swarm_best));
    }
    all
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RunEnd {
    /// It reached its limit.
    Done,
    /// It was stopped by Ctrl-C.
    Interrupted,
    /// Its time was up before the end of its schedule.
    TimeUp,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub(super) struct PsoSummary {
    pub outcome: RunEnd,
    pub evaluator: &'static str,
    /// Why its games are not honest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_honest: Option<String>,
    /// The best fitness, in points.
    pub best: f64,
    pub start: Option<f64>,
    pub fitness: String,
    pub found_in_iteration: u64,
    /// Iterations, those of earlier runs included.
    pub iterations: u64,
    pub converged_swarms: u64,
    pub evaluations: u64,
    /// Seconds of this run alone.
    pub seconds: f64,
    pub games: u64,
    pub games_per_second: f64,
    pub weights: String,
    pub checkpoint: String,
    pub curve: String,
}

impl PsoSummary {
    /// The summary as text.
    pub(super) fn text(&self) -> String {
        let start = self.start.map_or("-".to_owned(), points);
        let ended = match self.outcome {
            RunEnd::Done | RunEnd::TimeUp => "",
            RunEnd::Interrupted => ", interrupted",
        };
        let mark = self.not_honest.as_ref().map_or(String::new(), |mark| format!("{mark}: no honest games\n"));
        format!(
            "{mark}best         {} ({}), found in iteration {}\nstart        {start}\n\
             iterations   {}, {} evaluations, {} converged swarms{ended}\n\
             this run     {} games in {:.0} s, {:.1} a second\n\
             weights      {}\ncheckpoint   {}\ncurve        {}\n",
            points(self.best),
            self.fitness,
            self.found_in_iteration,
            thousands(self.iterations),
            thousands(self.evaluations),
            self.converged_swarms,
            thousands(self.games),
            self.seconds,
            self.games_per_second,
            self.weights,
            self.checkpoint,
            self.curve
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_the_first_swarm_is_the_last() {
        let spent = |budget: Budget, iterations, converged, minutes: u64| {
            budget.is_spent(iterations, converged, Duration::from_secs(60 * minutes))
        };
        let unlimited = Budget::new(None, None, None);
        assert!(spent(unlimited, 1, 1, 0) && !spent(unlimited, 1_000_000, 0, 1_000_000));
        let timed = Budget::new(None, None, Some(40.0));
        assert!(spent(timed, 1, 0, 40) && !spent(timed, 1_000_000, 1_000_000, 39));
        let counted = Budget::new(Some(7), None, None);
        assert!(spent(counted, 7, 0, 0) && !spent(counted, 6, 1_000_000, 1_000_000));
        let both = Budget::new(Some(7), Some(1), None);
        assert!(spent(both, 7, 0, 0) && spent(both, 3, 2, 0) && !spent(both, 6, 1, 0));
    }

    #[test]
    fn the_time_left_is_that_of_the_nearest_limit() {
        let mut progress = PsoProgress::new(Budget::new(Some(10), None, Some(1e-9)), 50);
        progress.begin(1, 1, None);
        assert_eq!(progress.left(), "0 s left");
        progress.budget = Budget::new(Some(10), None, None);
        progress.since = Instant::now() - Duration::from_secs(50);
        progress.games = 25;
        // 475 games at half a game a second.
        assert_eq!(progress.left(), "16 min left");
        progress.budget = Budget::new(None, None, None);
        assert_eq!(progress.left(), "until the swarms have converged");
    }

    #[test]
    fn a_curve_has_a_line_for_each_iteration() {
        let point = CurvePoint {
            iteration: 1,
            swarm: 1,
            evaluations: 20,
            best: 1e6,
            swarm_best: 1e6,
            mean: 0.1 + 0.2,
            radius: 0.5,
        };
        let text = curve(&[point, point]);
        assert_eq!(text.lines().count(), 3);
        assert_eq!(text.lines().nth(1), Some("1,1,20,1000000,1000000,0.30000000000000004,0.5"));
    }
}

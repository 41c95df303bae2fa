//! Statistics over many games: everything but what depends on the machine.

mod arithmetic;
mod distribution;
mod pairs;
mod spread;
mod trend;

use serde::Serialize;

use super::game::{Ending, GameResult};
use super::settings::{Settings, Until};
pub use arithmetic::Interval;
pub use distribution::Distribution;
use maxout_engine::bot::Dodges;
use maxout_engine::game::ROWS;
pub use pairs::{Pairs, Winner};
pub use spread::{ByPushdown, Share, Spread};
pub use trend::LockRowTrend;

/// Points that the publications of strong players count besides the maxout.
const HIGH: u64 = 900_000;
/// Widths of a bin of the topout histogram, in lines; the first one that gives few enough bins is
/// taken. Chosen by hand, not measured.
const BIN_WIDTHS: [u32; 7] = [10, 20, 50, 100, 200, 500, 1000];
/// Most bins of that histogram, so that it fits on three lines of the report. Chosen by hand, not
/// measured.
const BINS: u32 = 24;

/// Statistics over some games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Number of games.
    pub games: u64,
    /// Their points; none without a game.
    pub points: ByPushdown<Option<Spread>>,
    /// Games with 999,999 points before level 29; the clear that reaches it counts.
    pub maxout_before_29: ByPushdown<Option<Share>>,
    /// Games with 900,000 points at their end.
    pub reached_900_000: ByPushdown<Option<Share>>,
    /// Games that reach level 29.
    pub reached_29: Option<Share>,
    /// Mean points before level 29; the clear that reaches it counts, and so does all of a game that
    /// does not reach it.
    pub points_before_29: ByPushdown<Option<f64>>,
    /// Games that reach level 39; only by rules that make that level faster.
    pub reached_39: Option<Share>,
    /// Mean points before level 39, counted like those before level 29; only by such rules.
    pub points_before_39: Option<ByPushdown<Option<f64>>>,
    /// Games that reach the end that the settings name; none when only a topout ends them.
    pub reached_until: Option<Share>,
    /// Mean lines of a game.
    pub lines: Option<f64>,
    /// Mean pieces of a game.
    pub pieces: Option<f64>,
    /// Mean frames of a game.
    pub frames: Option<f64>,
    /// Share of all lines that tetrises cleared, 0 to 1.
    pub tetris_rate: Option<f64>,
    /// Median of the games' own tetris rates; games without a line have none.
    pub tetris_rate_median: Option<f64>,
    /// Mean number of clears in a game.
    pub clears: Clears,
    /// After how many lines games top out.
    pub topouts: TopOuts,
    /// Games that crashed.
    #[serde(skip_serializing_if = "is_zero")]
    pub crashes: u64,
    /// What came of the levels at which the original crashes; only of games that are for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub survival: Option<Survivals>,
    /// The longest run of pieces without an I in any game.
    pub longest_drought: u32,
    /// Locks that left the playfield empty, in all games.
    pub perfect_clears: u64,
    /// All pieces, divided by those locks; none without one.
    pub pieces_between_perfect_clears: Option<f64>,
    /// Where pieces lock.
    pub lock_rows: LockRows,
}

/// What came of the levels at which the original crashes, in all games together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Survivals {
    /// Games that reached level 0 again.
    pub reborn: u64,
    /// How often a level went from 255 to 0.
    pub rebirths: u64,
    /// What kept the games from crashing.
    pub dodges: AllDodges,
}

/// [`Dodges`] of all games together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct AllDodges {
    /// See [`Dodges::placements`].
    pub placements: u64,
    /// See [`Dodges::pushdowns`].
    pub pushdowns: u64,
    /// See [`Dodges::selects`].
    pub selects: u64,
    /// See [`Dodges::planned_hangs`].
    pub planned_hangs: u64,
    /// See [`Dodges::risks`].
    pub risks: u64,
    /// See [`Dodges::hangs`].
    pub hangs: u64,
    /// See [`Dodges::nearest`].
    pub nearest: Option<u32>,
}

impl AllDodges {
    /// Adds those of a game.
    fn add(&mut self, game: &Dodges) {
        let Dodges { placements, pushdowns, selects, planned_hangs, risks, hangs, nearest } = *game;
        self.placements += u64::from(placements);
        self.pushdowns += u64::from(pushdowns);
        self.selects += u64::from(selects);
        self.planned_hangs += u64::from(planned_hangs);
        self.risks += u64::from(risks);
        self.hangs += u64::from(hangs);
        self.nearest = [self.nearest, nearest].into_iter().flatten().min();
    }
}

/// Mean number of clears in a game by their rows; all but tetrises are burns.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Clears {
    /// Clears of one row.
    pub singles: f64,
    /// Clears of two rows.
    pub doubles: f64,
    /// Clears of three rows.
    pub triples: f64,
    /// Clears of four rows.
    pub tetrises: f64,
}

/// Topouts by the lines of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopOuts {
    /// Games that topped out.
    pub games: u64,
    /// Lines to a bin.
    pub width: u32,
    /// The bins that are not empty, upwards.
    pub bins: Vec<Bin>,
}

/// Topouts at some number of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The fewest lines of the bin.
    pub lines: u32,
    /// Games that topped out there.
    pub games: u64,
}

/// Where pieces lock, by the row of their origin, rows from the top.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LockRows {
    /// Pieces in each row.
    pub pieces: [u64; ROWS],
    /// Their share of all, 0 to 1.
    pub shares: [f64; ROWS],
    /// Slope of log10 of the share over rows 6 to 15, per row downwards; rows in which nothing
    /// locked are left out, and there is none with fewer than two others.
    pub log10_slope: Option<f64>,
    /// A row's share as a part of that of the row below, by the slope: 10 to minus the slope.
    pub ratio_to_row_below: Option<f64>,
}

/// Adds games up, in memory that does not grow with their number beyond 30 MB.
#[derive(Debug, Clone)]
pub struct Collector {
    until: Until,
    points: ByPushdown<Distribution>,
    maxouts: ByPushdown<u64>,
    highs: ByPushdown<u64>,
    reached_29: u64,
    by_29: ByPushdown<u128>,
    /// Only by rules that make level 39 faster.
    at_39: Option<At39>,
    reached_until: u64,
    /// By the bits of the number, which rise with it.
    rates: Distribution,
    topout_lines: Distribution,
    crashes: u64,
    survival: Option<Survivals>,
    lines: u64,
    pieces: u64,
    frames: u128,
    clears: [u64; 4],
    longest_drought: u32,
    perfect_clears: u64,
    lock_rows: [u64; ROWS],
}

/// Sums over games at level 39.
#[derive(Debug, Clone, Copy, Default)]
struct At39 {
    reached: u64,
    points: ByPushdown<u128>,
}

impl Collector {
    /// A collector for games of these settings.
    pub fn new(settings: &Settings) -> Collector {
        Collector {
            until: settings.until,
            points: ByPushdown::default(),
            maxouts: ByPushdown::default(),
            highs: ByPushdown::default(),
            reached_29: 0,
            by_29: ByPushdown::default(),
            at_39: (!settings.rules.is_original()).then(At39::default),
            reached_until: 0,
            rates: Distribution::default(),
            topout_lines: Distribution::default(),
            crashes: 0,
            survival: settings.goes_far().then(Survivals::default),
            lines: 0,
            pieces: 0,
            frames: 0,
            clears: [0; 4],
            longest_drought: 0,
            perfect_clears: 0,
            lock_rows: [0; ROWS],
        }
    }

    /// Adds a game.
    pub fn add(&mut self, result: &GameResult) {
        let with = result.points + result.pushdown;
        self.points.without_pushdown.add(result.points);
        self.points.with_pushdown.add(with);
        let [maxout, maxout_with] = result.maxout_before_29();
        self.maxouts.without_pushdown += u64::from(maxout);
        self.maxouts.with_pushdown += u64::from(maxout_with);
        self.highs.without_pushdown += u64::from(result.points >= HIGH);
        self.highs.with_pushdown += u64::from(with >= HIGH);
        self.reached_29 += u64::from(result.reached_29);
        self.by_29.without_pushdown += u128::from(result.points_by_29);
        self.by_29.with_pushdown += u128::from(result.points_by_29 + result.pushdown_by_29);
        if let (Some(sum), Some(game)) = (&mut self.at_39, result.by_39) {
            sum.reached += u64::from(game.reached);
            sum.points.without_pushdown += u128::from(game.points);
            sum.points.with_pushdown += u128::from(game.points + game.pushdown);
        }
        self.reached_until += u64::from(result.ending == Ending::Goal);
        if let Some(rate) = result.tetris_rate() {
            self.rates.add(rate.to_bits());
        }
        self.crashes += u64::from(result.ending == Ending::Crash);
        if let (Some(sum), Some(game)) = (&mut self.survival, &result.survival) {
            sum.reborn += u64::from(game.rebirths > 0);
            sum.rebirths += u64::from(game.rebirths);
            sum.dodges.add(&game.dodges);
        }
        if result.ending == Ending::Topout {
            self.topout_lines.add(result.lines.into());
        }
        self.lines += u64::from(result.lines);
        self.pieces += u64::from(result.pieces);
        self.frames += u128::from(result.frames);
        self.clears.iter_mut().zip(result.clears).for_each(|(sum, count)| *sum += u64::from(count));
        self.longest_drought = self.longest_drought.max(result.longest_drought);
        self.perfect_clears += u64::from(result.perfect_clears);
        self.lock_rows.iter_mut().zip(result.lock_rows).for_each(|(sum, count)| *sum += u64::from(count));
    }

    /// Number of games so far.
    pub fn games(&self) -> u64 {
        self.points.without_pushdown.count()
    }

    /// Pieces of all games.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// The statistics over the games so far.
    pub fn statistics(&self) -> Statistics {
        let games = self.games();
        let a_game = |sum: u128| (games > 0).then(|| sum as f64 / games as f64);
        let clears = self.clears.map(|sum| a_game(sum.into()).unwrap_or_default());
        Statistics {
            games,
            points: self.points.map(Spread::of),
            maxout_before_29: self.maxouts.map(|&count| Share::of(count, games)),
            reached_900_000: self.highs.map(|&count| Share::of(count, games)),
            reached_29: Share::of(self.reached_29, games),
            points_before_29: self.by_29.map(|&sum| a_game(sum)),
            reached_39: self.at_39.and_then(|at| Share::of(at.reached, games)),
            points_before_39: self.at_39.map(|at| at.points.map(|&sum| a_game(sum))),
            reached_until: Share::of(self.reached_until, games).filter(|_| self.until != Until::Topout),
            lines: a_game(self.lines.into()),
            pieces: a_game(self.pieces.into()),
            frames: a_game(self.frames),
            tetris_rate: (self.lines > 0).then(|| (4 * self.clears[3]) as f64 / self.lines as f64),
            tetris_rate_median: self.rates.percentile(0.5, f64::from_bits),
            clears: Clears { singles: clears[0], doubles: clears[1], triples: clears[2], tetrises: clears[3] },
            topouts: TopOuts::of(&self.topout_lines),
            crashes: self.crashes,
            survival: self.survival,
            longest_drought: self.longest_drought,
            perfect_clears: self.perfect_clears,
            pieces_between_perfect_clears: (self.perfect_clears > 0)
                .then(|| self.pieces as f64 / self.perfect_clears as f64),
            lock_rows: LockRows::of(&self.lock_rows),
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Statistics {
    /// The statistics over these games of the settings.
    pub fn of<'a>(settings: &Settings, results: impl IntoIterator<Item = &'a GameResult>) -> Statistics {
        let mut collector = Collector::new(settings);
        results.into_iter().for_each(|result| collector.add(result));
        collector.statistics()
    }
}

impl TopOuts {
    fn of(lines: &Distribution) -> TopOuts {
        // They were counted with 32 bits.
        let lines_of = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let most = lines.greatest().map_or(0, lines_of);
        let widest = BIN_WIDTHS[BIN_WIDTHS.len() - 1];
        let width = BIN_WIDTHS.into_iter().find(|width| most / width < BINS).unwrap_or(widest);
        let mut bins = std::collections::BTreeMap::new();
        for (lines, games) in lines.values().map(|(lines, games)| (lines_of(lines), games)) {
            *bins.entry(lines / width * width).or_insert(0) += games;
        }
        let bins = bins.into_iter().map(|(lines, games)| Bin { lines, games }).collect();
        TopOuts { games: lines.count(), width, bins }
    }
}

impl LockRows {
    fn of(pieces: &[u64; ROWS]) -> LockRows {
        let all: u64 = pieces.iter().sum();
        let shares = pieces.map(|count| if all == 0 { 0.0 } else { count as f64 / all as f64 });
        let trend = LockRowTrend::of(&shares);
        LockRows {
            pieces: *pieces,
            shares,
            log10_slope: trend.map(|trend| trend.slope),
            ratio_to_row_below: trend.map(|trend| trend.ratio()),
        }
    }
}

#[cfg(test)]
mod tests;

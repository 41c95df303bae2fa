//! What `maxout bench-formats` found.

use serde::Serialize;

use maxout_lab::published::{Ahead, PlayFormat, Published};
use maxout_lab::simulate::{GameResult, Settings, Share, Spread, Statistics};

/// All formats; as JSON, one object, the same on every machine that plays the same games.
#[derive(Debug, Serialize)]
pub(super) struct BenchFormatsResult {
    pub version: &'static str,
    pub settings: Settings,
    /// The player, without its way of tapping and its reaction time.
    pub player: String,
    pub weights_sha1: Option<String>,
    /// Games that were to be played of each format.
    pub games: u64,
    pub formats: Vec<FormatResult>,
    /// Formats in which our mean is higher.
    pub higher: usize,
    /// Formats in which our mean is higher and the intervals are apart.
    pub ahead: usize,
    /// Formats in which theirs is higher and the intervals are apart.
    pub behind: usize,
    /// Is our mean higher in as many formats as were required? `None` where nothing was required.
    pub required: Option<bool>,
}

/// One format.
#[derive(Debug, Serialize)]
pub(super) struct FormatResult {
    pub format: PlayFormat,
    pub games: u64,
    /// Points without pushdown.
    pub points: Option<Spread>,
    pub reached_230: Option<Share>,
    pub reached_330: Option<Share>,
    pub reached_430: Option<Share>,
    pub points_before_29: Option<f64>,
    pub points_before_39: Option<f64>,
    pub published: &'static Published,
    /// `None` with fewer than two games.
    pub ahead: Option<Ahead>,
}

impl FormatResult {
    pub(super) fn of<'a>(
        published: &'static Published,
        settings: &Settings,
        games: impl Iterator<Item = &'a GameResult>,
    ) -> FormatResult {
        let Statistics {
            games, points, reached_29, reached_39, reached_until, points_before_29, points_before_39, ..
        } = Statistics::of(settings, games);
        let points = points.without_pushdown;
        FormatResult {
            format: published.format.clone(),
            games,
            reached_230: reached_29,
            reached_330: reached_39,
            reached_430: reached_until,
            points_before_29: points_before_29.without_pushdown,
            points_before_39: points_before_39.and_then(|points| points.without_pushdown),
            published,
            ahead: points.as_ref().and_then(|points| published.ahead(points)),
            points,
        }
    }

    /// Is our mean higher?
    fn is_higher(&self) -> bool {
        self.points.as_ref().is_some_and(|points| points.mean > self.published.mean)
    }
}

impl BenchFormatsResult {
    /// Counts who is ahead where.
    pub(super) fn counted(mut self, require: Option<usize>) -> BenchFormatsResult {
        let of = |ahead| self.formats.iter().filter(|format| format.ahead == Some(ahead)).count();
        let (ahead, behind) = (of(Ahead::Ours), of(Ahead::Theirs));
        let higher = self.formats.iter().filter(|format| format.is_higher()).count();
        (self.higher, self.ahead, self.behind) = (higher, ahead, behind);
        self.required = require.map(|require| higher >= require);
        self
    }
}

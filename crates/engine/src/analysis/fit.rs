//! Numbers that turn values into points.

/// Numbers that turn the values of the built-in net at three plies into expected points, for one tap
/// rate. They were fitted to games of that player; the command is in `docs/analysis.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Frames from tap to tap.
    pub frames: f64,
    /// Rewards that a line brings on average.
    pub gain: f64,
    /// Share of the games that end with each line.
    pub hazard: f64,
    /// How much of the net's value above [`Fit::centre`] is really won.
    pub slope: f64,
    /// What a difference between the values of two placements is really worth, where they leave more than
    /// [`Fit::centre`]. No play-outs say so, but what games lacked at their ends.
    pub loss_slope: f64,
    /// The same where they leave less: the net takes holes and high piles for worse than they turn out.
    pub low_loss_slope: f64,
    /// The value of the average position, apart from its cells.
    pub centre: f64,
    /// The part of the net's value that each occupied cell has, in rewards: they bring the next lines
    /// nearer in pieces, and win nothing where lines are limited.
    pub cell: f64,
    /// In the last lines before level 29: points at level 19, in rewards, of a position of value
    /// [`Outlook::BONUS`](crate::judge::learned::Outlook::BONUS).
    pub finale: f64,
    /// There: how much of the value beyond that is really won.
    pub finale_slope: f64,
    /// From level 29 on: rewards in the next 100 lines of a position of value 0.
    pub late: f64,
    /// There: what each reward of value adds.
    pub late_slope: f64,
    /// There: what each occupied cell adds, in rewards.
    pub late_cell: f64,
}

impl Fit {
    /// The numbers for a number of frames between taps, linear between those of two rates.
    pub fn at(frames: f64, fits: &[Fit]) -> Fit {
        let after = fits.partition_point(|fit| fit.frames < frames).clamp(1, fits.len().saturating_sub(1).max(1));
        let (Some(a), Some(b)) = (fits.get(after - 1), fits.get(after)) else { return fits[0] };
        let share = ((frames - a.frames) / (b.frames - a.frames)).clamp(0.0, 1.0);
        let between = |a: f64, b: f64| a + (b - a) * share;
        Fit {
            frames,
            gain: between(a.gain, b.gain),
            hazard: between(a.hazard, b.hazard),
            slope: between(a.slope, b.slope),
            loss_slope: between(a.loss_slope, b.loss_slope),
            low_loss_slope: between(a.low_loss_slope, b.low_loss_slope),
            centre: between(a.centre, b.centre),
            cell: between(a.cell, b.cell),
            finale: between(a.finale, b.finale),
            finale_slope: between(a.finale_slope, b.finale_slope),
            late: between(a.late, b.late),
            late_slope: between(a.late_slope, b.late_slope),
            late_cell: between(a.late_cell, b.late_cell),
        }
    }
}

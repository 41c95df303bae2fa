//! The numbers of the built-in net, for the tap rates of the field.

use super::fit::Fit;

/// Rows by frames from tap to tap: 30, 20, 15, 12 and 10 Hz. For each rate 400 games of the learned player
/// at three plies from levels 18 and 19, by `cargo run --release -p maxout-lab --example expected_points --
/// fit 400 20261122`. What the numbers are worth is in `docs/analysis.md`.
///
/// From level 29 on, slow taps end a game within few pieces, and the fit found no slope at 15 Hz and
/// slower (below 0.002); [`LEAST_LATE_SLOPE`] is there instead, so that placements keep their order.
pub(super) static FITS: [Fit; 5] = [
    Fit {
        frames: 2.0,
        gain: 0.9241,
        hazard: 0.0,
        slope: 0.7978,
        centre: 80.886,
        cell: 0.0903,
        finale: 0.235,
        finale_slope: 1.025,
        late: -5.10,
        late_slope: 0.651,
        late_cell: -0.0371,
    },
    Fit {
        frames: 3.0,
        gain: 0.9001,
        hazard: 0.0,
        slope: 1.3267,
        centre: 82.233,
        cell: 0.0845,
        finale: 0.366,
        finale_slope: 1.003,
        late: 16.92,
        late_slope: 0.207,
        late_cell: -0.2066,
    },
    Fit {
        frames: 4.0,
        gain: 0.7880,
        hazard: 0.00075,
        slope: 1.5143,
        centre: 78.248,
        cell: 0.1377,
        finale: 1.310,
        finale_slope: 0.867,
        late: 5.05,
        late_slope: LEAST_LATE_SLOPE,
        late_cell: -0.0514,
    },
    Fit {
        frames: 5.0,
        gain: 0.6008,
        hazard: 0.0015,
        slope: 1.1134,
        centre: 74.033,
        cell: 0.1761,
        finale: 2.358,
        finale_slope: 0.677,
        late: 0.25,
        late_slope: LEAST_LATE_SLOPE,
        late_cell: -0.0025,
    },
    Fit {
        frames: 6.0,
        gain: 0.4269,
        hazard: 0.00225,
        slope: 0.7817,
        centre: 91.462,
        cell: 0.1215,
        finale: 1.855,
        finale_slope: 0.709,
        late: 0.01,
        late_slope: LEAST_LATE_SLOPE,
        late_cell: -0.0002,
    },
];

/// Chosen by hand, not measured: small beside the slope of 0.2 at 20 Hz.
const LEAST_LATE_SLOPE: f64 = 0.01;

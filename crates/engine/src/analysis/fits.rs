//! The numbers of the built-in net, for the tap rates of the field.

use super::fit::Fit;

/// Rows by frames from tap to tap: 30, 20, 15, 12 and 10 Hz, of games of the learned player at three plies from levels 18 and 19.
/// Those of 30 Hz are of `cargo run --release -p maxout-lab --example expected_points -- fit 400 20261122 30`. The others are of nets
/// that were built in before, by a regression with the slope and the cells: 400 games at 20 Hz, 100 at slower taps. What the numbers are
/// worth is in `docs/analysis.md`.
///
/// The slopes of losses are those of `fit-losses 72 20261122 30` and `fit-losses 18 20261122 20` with the net before; `check-losses`
/// finds them right with this one, too. At slower taps
/// they are not measured: they have the ratio to `slope` that those of 30 Hz had before, 0.865 and 0.138.
pub(super) static FITS: [Fit; 5] = [
    Fit {
        frames: 2.0,
        gain: 0.9788,
        hazard: 0.00025,
        slope: 1.0,
        loss_slope: 0.824,
        low_loss_slope: 0.233,
        centre: 85.280,
        cell: 0.0979,
        finale: 0.156,
        finale_slope: 1.041,
        late: 27.65,
        late_slope: 1.093,
        late_cell: -0.0827,
    },
    Fit {
        frames: 3.0,
        gain: 0.9001,
        hazard: 0.0,
        slope: 1.3267,
        loss_slope: 1.179,
        low_loss_slope: 0.070,
        centre: 82.233,
        cell: 0.0845,
        finale: 0.366,
        finale_slope: 1.003,
        late: 12.90,
        late_slope: 1.118,
        late_cell: -0.1074,
    },
    Fit {
        frames: 4.0,
        gain: 0.8502,
        hazard: 0.0,
        slope: 1.0532,
        loss_slope: 0.911,
        low_loss_slope: 0.145,
        centre: 76.867,
        cell: 0.0716,
        finale: 2.628,
        finale_slope: 1.109,
        late: 0.70,
        late_slope: 1.426,
        late_cell: -0.0336,
    },
    Fit {
        frames: 5.0,
        gain: 0.8092,
        hazard: 0.0,
        slope: 0.6146,
        loss_slope: 0.532,
        low_loss_slope: 0.085,
        centre: 74.140,
        cell: 0.0840,
        finale: 3.673,
        finale_slope: 1.018,
        late: -1.61,
        late_slope: 1.225,
        late_cell: -0.0244,
    },
    Fit {
        frames: 6.0,
        gain: 0.7122,
        hazard: 0.0,
        slope: 0.8884,
        loss_slope: 0.768,
        low_loss_slope: 0.123,
        centre: 65.048,
        cell: 0.0872,
        finale: 8.781,
        finale_slope: 1.041,
        late: -0.03,
        // The fit found 0.011, of games that end within few pieces: too little to rank by.
        late_slope: 0.011,
        late_cell: -0.0002,
    },
];

//! The numbers of the built-in net, for the tap rates of the field.

use super::expectation::Fit;

/// Rows by frames from tap to tap.
pub(super) static FITS: [Fit; 2] = [
    Fit {
        frames: 2.0,
        gain: 0.93,
        hazard: 0.0,
        slope: 1.0,
        centre: 60.0,
        cell: 0.09,
        finale: 5.0,
        finale_slope: 1.0,
        late: 30.0,
        late_slope: 1.0,
        late_cell: 0.0,
    },
    Fit {
        frames: 6.0,
        gain: 0.7,
        hazard: 0.002,
        slope: 1.0,
        centre: 60.0,
        cell: 0.09,
        finale: 4.0,
        finale_slope: 1.0,
        late: 5.0,
        late_slope: 0.3,
        late_cell: 0.0,
    },
];

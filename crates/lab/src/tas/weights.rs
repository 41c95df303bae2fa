//! The numbers of the estimate.

use serde::{Deserialize, Serialize};

use maxout_engine::toml_line::describe;

/// How many depths the table of steps between columns has.
pub(super) const STEPS: usize = 6;

/// The weights of an [`Estimate`](super::Estimate), all in frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// From one tetris to the next.
    pub tetris: f32,
    /// For an empty cell of the four rows to be cleared.
    pub cell: f32,
    /// More, if a cell above it is occupied.
    pub covered: f32,
    /// More, for each row that the four rows lie below the top.
    pub depth: f32,
    /// For a row that is empty below the four rows, in a column that is empty down to there.
    pub gap: f32,
    /// More, if the rows to be cleared are the three at the top: they score four.
    pub cascade: f32,
    /// Taken off for a cell above the four rows.
    pub above: f32,
    /// For each row of each column between the top and its surface.
    pub floor: f32,
    /// The row from which on `floor` counts.
    pub floor_from: f32,
    /// For neighbouring columns whose surfaces differ by so many rows, 0 to 5 or more.
    pub step: [f32; STEPS],
    /// For a covered empty cell in the rows 0 to 5, wherever the four rows are.
    pub hole: f32,
    /// For each column, from the left, and each row that its surface is too high for it to be reached.
    pub side: [f32; 10],
    /// For an empty cell of the five upper rows that pieces no longer reach: between it and the spawn a
    /// column is occupied up to row 0, 1, 2 or 3.
    pub blocked: [f32; 4],
}

impl Default for Weights {
    /// Found by random changes of numbers chosen by hand. A change was kept where narrow searches (level 18, width
    /// 60 to 200, pause 2, noise 2) reached 250,000, later 400,000 points in fewer frames. Of the sets that
    /// were found, this one comes to 999,999 points with the narrowest search: with width 1,000 in frame 14,033.
    fn default() -> Weights {
        Weights {
            tetris: 104.562,
            cell: 2.8084,
            covered: 13.7451,
            depth: 0.27149,
            gap: 2.5447,
            cascade: 0.1843,
            above: 0.0109,
            floor: -0.1285,
            floor_from: 5.1229,
            step: [0.1353, 0.5840, 1.0209, 1.9828, 6.7571, 5.0],
            hole: 6.0,
            side: [4.0018, 3.5655, 1.6664, 3.1539, 10.7918, 22.3996, 11.2637, 3.3580, 1.8207, 1.1028],
            blocked: [19.5473, 14.7975, 2.2331, 1.1595],
        }
    }
}

/// Weights that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// They are no such TOML.
    #[error("weights of a tas search: {0}")]
    Toml(String),
    /// A number is missing its value.
    #[error("weights of a tas search: {name}: expected a number between -1000000 and 1000000, found {found}")]
    Range {
        /// Which.
        name: &'static str,
        /// Its value.
        found: f32,
    },
}

impl Weights {
    /// The built-in weights.
    pub fn built_in() -> Weights {
        Weights::default()
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// [`WeightsError`] where it is malformed or a number is too large to be added up.
    pub fn from_toml(text: &str) -> Result<Weights, WeightsError> {
        let weights: Weights = toml::from_str(text).map_err(|error| WeightsError::Toml(describe(&error, text)))?;
        let mut copy = weights.clone();
        match copy.numbers().find(|(_, number)| number.is_nan() || number.abs() > 1e6) {
            Some((name, &mut found)) => Err(WeightsError::Range { name, found }),
            None => Ok(weights),
        }
    }

    /// Every number with its name.
    pub fn numbers(&mut self) -> impl Iterator<Item = (&'static str, &mut f32)> {
        let Weights { tetris, cell, covered, depth, gap, cascade, above, floor, floor_from, step, hole, side, blocked } =
            self;
        [
            ("tetris", tetris),
            ("cell", cell),
            ("covered", covered),
            ("depth", depth),
            ("gap", gap),
            ("cascade", cascade),
            ("above", above),
            ("floor", floor),
            ("floor_from", floor_from),
            ("hole", hole),
        ]
        .into_iter()
        .chain(step.iter_mut().map(|step| ("step", step)))
        .chain(side.iter_mut().map(|side| ("side", side)))
        .chain(blocked.iter_mut().map(|blocked| ("blocked", blocked)))
    }
}

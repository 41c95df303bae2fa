//! Pictures of simulated games.

use std::path::Path;

use crate::system::failure::Failure;
use maxout_lab::plot::{self, DrawnGames};
use maxout_lab::simulate::{self, PlayerId};

/// Draws the games of some players into a file.
pub(super) fn draw(
    path: &Path,
    settings: &simulate::Settings,
    players: Vec<(&PlayerId, DrawnGames)>,
) -> Result<(), Failure> {
    let title = format!("From level {} until {}, seed {}", settings.start_level, settings.until, settings.seed);
    let players: Vec<_> = players.into_iter().map(|(id, games)| (id.describe(), games)).collect();
    plot::simulation(path, &title, players).map_err(Failure::run)
}

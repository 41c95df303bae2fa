//! The settings of a game: built-in, then a file, then flags.

use super::args::GameArgs;
use crate::config::{Config, override_with};
use crate::system::failure::Failure;
use maxout_engine::bot::Goal;

/// Built-in settings, then the file's, then the flags'.
pub(crate) fn settings(args: &GameArgs) -> Result<Config, Failure> {
    let mut config = Config::load(args.config.as_deref()).map_err(Failure::input)?;
    override_with(&mut config.bot.start_level, args.start_level);
    override_with(&mut config.bot.seed, args.seed);
    override_with(&mut config.bot.until, args.until);
    args.player.apply(&mut config)?;
    if args.target_score.is_some() {
        config.planner.target_score = args.target_score;
    }
    match config.planner.target_score {
        // A goal on the command line overrides a target score in the file.
        Some(_) if args.until.is_some() => config.planner.target_score = None,
        Some(score) => config.bot.until = Goal::Score(score),
        None => {}
    }
    override_with(&mut config.view.speed, args.speed);
    override_with(&mut config.view.menus, args.menus);
    override_with(&mut config.view.view, args.view);
    override_with(&mut config.view.graphics, args.graphics);
    Ok(config)
}

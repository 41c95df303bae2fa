//! The flags of `maxout play`.

use std::path::PathBuf;

use clap::ArgAction;

use crate::console::power::ConsoleChoice;
use crate::files::film::FilmArgs;
use crate::files::record::Record;
use crate::player::flags::PlayerArgs;
use maxout_engine::bot::{Goal, HIGHEST_START_LEVEL};
use maxout_engine::game::MAXOUT;
use maxout_screen::{GraphicsChoice, SpeedChoice, ViewChoice};

/// `maxout play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout play --start-level 18 --until level:29
  maxout play tetris.nes --view none --log game.csv --movie game.fm2 --movie game.ngf
  maxout play --until lines:20 --record game.gif --record-speed 2
  maxout play --console simulated --player 'exec:python3 player.py'
  maxout play --console simulated --filter pattern:config/patterns/zigzag.png
  maxout play --console simulated --start-level 5 --target-score 4321

Keys of the terminal view and the window: space pause, . one frame, + and - speed, ? help,
s screenshot, q quit; of the terminal: v view, r record; of the window: v panel, g ghost of the plan,
f full screen.")]
pub(crate) struct Play {
    /// ROM to play (.nes, or .zip with one in it); without one, the built-in cartridge
    #[arg(conflicts_with = "console")]
    pub rom: Option<PathBuf>,
    /// What runs the game: simulated (the rules model), cartridge, rom (yours, found in roms/), or a
    /// ROM file
    #[arg(long, value_name = "CONSOLE")]
    pub console: Option<ConsoleChoice>,
    /// Level to start from, 0 to 19 [default: 19]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: Option<u8>,
    /// Which game: chooses how long to wait in the menus [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Who plays, and how
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Reach exactly this score and stop, 1 to 999999: what would overshoot it is skipped
    #[arg(long, value_name = "POINTS", conflicts_with = "until", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAXOUT)))]
    pub target_score: Option<u32>,
    /// When to stop: maxout, topout, level:N, lines:N, pieces:N, score:N (missed once it is higher),
    /// frames:N [default: maxout]
    #[arg(long, value_name = "GOAL")]
    pub until: Option<Goal>,
    /// Times the console's own speed, 1 to 64, or max [default: 1 in a terminal view or window, else max]
    #[arg(long, value_name = "SPEED")]
    pub speed: Option<SpeedChoice>,
    /// What to show: auto, terminal (panels), screen (the console's own picture in the terminal), window
    /// or none [default: auto]
    #[arg(long, value_name = "VIEW")]
    pub view: Option<ViewChoice>,
    /// How the screen view draws: blocks (half blocks), kitty, sixel or auto, where the terminal
    /// says it has them [default: blocks]
    #[arg(long, value_name = "GRAPHICS")]
    pub graphics: Option<GraphicsChoice>,
    /// What to write while it runs
    #[command(flatten)]
    pub record: Record,
    /// Settings file (TOML); flags go before it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// RAM map (TOML) of a ROM that keeps its values elsewhere
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Play a ROM that is not known
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
    /// Print the summary as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
    /// Write a report while it runs: one HTML page with every placement, plots and the input
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// At the end, write a picture: .svg of the terminal view, .png of the game with the bot's thinking
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// What to film of it
    #[command(flatten)]
    pub film: FilmArgs,
}

//! The flags of `maxout play`.

use std::path::PathBuf;

use clap::ArgAction;

use crate::console::crashes::CrashesChoice;
use crate::console::power::ConsoleChoice;
use crate::files::film::FilmArgs;
use crate::files::run_files::RunFiles;
use crate::player::flags::PlayerArgs;
use maxout_engine::bot::Goal;
use maxout_engine::game::HIGHEST_START_LEVEL;
use maxout_engine::game::MAXOUT;
use maxout_screen::{GraphicsChoice, MenuPace, SpeedChoice, ViewChoice};

/// `maxout play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout play --start-level 18 --until level:29
  maxout play tetris.nes --view none --log game.csv --movie game.fm2 --movie game.ngf
  maxout play --until lines:20 --record game.gif --record-speed 2
  maxout play --console simulated --player 'exec:python3 player.py'
  maxout play --console simulated --filter pattern:config/patterns/zigzag.png
  maxout play --console simulated --target-score 123456

Keys: space or Esc pause, . one frame, + and - speed, s screenshot, r start or stop a film,
? help, q quit.
Terminal view only: v switch to the console's picture.
Window only: v panel, g ghost pieces, f full screen.")]
pub(crate) struct Play {
    /// ROM to play: a .nes file, or a .zip, .gz or .7z that contains one [default: the built-in cartridge]
    #[arg(conflicts_with = "console")]
    pub rom: Option<PathBuf>,
    /// What runs the game: cartridge (built in), simulated (the rules model, no emulator), rom (your ROM
    /// in the folder roms/), or the path of a ROM [default: cartridge]
    #[arg(long, value_name = "CONSOLE")]
    pub console: Option<ConsoleChoice>,
    /// Accept an unknown ROM
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
    /// Slow frames (from level 133 on), crashes and hangs (from level 155 on) of the simulated console: on,
    /// off or auto (on)
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub crashes: CrashesChoice,
    /// Which game, by whom, and what is made of it.
    #[command(flatten)]
    pub game: GameArgs,
}

/// A game by the bot, on any console.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// Level to start from, 0 to 19 [default: 19]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: Option<u8>,
    /// Seed of the game: the same seed gives the same game [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Settings file (TOML); flags override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// RAM map (TOML), for a ROM that keeps its values at other addresses
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Who plays, and how.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Play to exactly this score, 1 to 999999: placements that would exceed it are skipped
    #[arg(long, help_heading = "Goal", value_name = "POINTS", conflicts_with = "until", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAXOUT)))]
    pub target_score: Option<u32>,
    /// When to stop: maxout, topout, level:N, lines:N, pieces:N, frames:N, rebirth (level 255 is followed
    /// by 0), rebirth:N (N times), games:N (N games, topped out or crashed) or score:N (exactly N points; a
    /// higher score misses the goal)
    /// [default: maxout]
    #[arg(long, help_heading = "Goal", value_name = "GOAL")]
    pub until: Option<Goal>,
    /// Speed as a multiple of the console's own, 1 to 64, or max [default: 1 with a terminal view or
    /// window, else max]
    #[arg(long, help_heading = "View", value_name = "SPEED")]
    pub speed: Option<SpeedChoice>,
    /// How fast the menus before the game pass: hurried (as fast as the machine can) or real (at the
    /// speed of the game). The buttons are the same [default: hurried]
    #[arg(long, help_heading = "View", value_name = "PACE")]
    pub menus: Option<MenuPace>,
    /// What to show: terminal (panels), screen (the console's picture in the terminal), window, none or
    /// auto (terminal if there is one, else progress lines) [default: auto]
    #[arg(long, help_heading = "View", value_name = "VIEW")]
    pub view: Option<ViewChoice>,
    /// How the screen view draws: blocks (half-block characters), kitty, sixel or auto (the best that
    /// the terminal reports). Without support it draws blocks [default: blocks]
    #[arg(long, help_heading = "View", value_name = "GRAPHICS")]
    pub graphics: Option<GraphicsChoice>,
    /// Leave the terminal view or the window at once when the run is over. Without it the result stays
    /// there until a key
    #[arg(long, help_heading = "View", action = ArgAction::SetTrue)]
    pub exit: bool,
    /// What to write while it runs.
    #[command(flatten)]
    pub run_files: RunFiles,
    /// Print the summary as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
    /// Write a report while the game runs: one HTML page with every placement, plots and the input
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write a picture of the end: .svg shows the terminal view, .png the game and the bot's thinking; may
    /// be repeated
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub screenshot: Vec<PathBuf>,
    /// What to film.
    #[command(flatten)]
    pub film: FilmArgs,
}

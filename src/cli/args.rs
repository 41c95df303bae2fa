//! The arguments, as people type them.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use super::player::PlayerArgs;
use super::simulate::args::{Compare, Merge, Simulate};
use super::train::Train;
use maxout_engine::bot::{Goal, HIGHEST_START_LEVEL};
use maxout_engine::game::MAXOUT;
use maxout_engine::gamepad::TapRate;
use maxout_engine::planner::Input;
use maxout_formats::FileFormat;
use maxout_screen::{GraphicsChoice, SpeedChoice, ViewChoice};

/// Plays NES Tetris on an embedded console, frame by frame, to 999,999 and beyond.
///
/// Without a subcommand it plays: on the cartridge that is built in, or on the ROM that is
/// given.
#[derive(Debug, Parser)]
#[command(name = "maxout", version, args_conflicts_with_subcommands = true)]
#[command(override_help = include_str!("help.txt"))]
#[command(after_help = "Examples:
  maxout                          watch it max out from level 19 on the built-in cartridge
  maxout tetris.nes               the same on your own ROM
  maxout play --seed 3 --json     another game, headless, with the result as JSON
  maxout rom tetris.nes           what this file is
  maxout simulate --games 1000    how strong the player is

Exit codes: 0 done, 1 goal missed or run failed, 2 bad usage or input.")]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// How to play, when there is no subcommand.
    #[command(flatten)]
    pub(super) play: Play,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play a game from power-on until a goal
    Play(Play),
    /// Say what a ROM file is
    Rom(Rom),
    /// Play headless and write a recording, to standard output if nothing else is said
    Dump(super::dump::Dump),
    /// Play a recording from power-on, print where it ends, compare it with a log
    Replay(super::replay::Replay),
    /// Film a recording: play it from power-on and write its pictures
    Render(super::render::Render),
    /// Convert a recording into another format
    Convert(super::convert::Convert),
    /// Write the report of a recorded game: one HTML page
    Report(super::report::Report),
    /// Check or record traces: RAM, frame by frame
    #[command(
        subcommand,
        after_help = "Examples:
  maxout trace verify tests/golden/d05_level19_bot.trace.zst
  maxout trace record new.trace --movie movie.fm2"
    )]
    Trace(Trace),
    /// Play many games on the rules model and report what they say of a player
    Simulate(Simulate),
    /// Play the same games with two players and say which one is better
    Compare(Compare),
    /// Make one report of the CSV files of shards
    Merge(Merge),
    /// Measure how fast a player thinks, with a signature of what it thinks
    Bench(super::bench::Bench),
    /// Train the weights of an evaluator on many games
    #[command(
        subcommand,
        after_help = "Examples:
  maxout train pso --evaluator birken-v2 --out better.toml --minutes 40
  maxout train td --out learned.mxw --checkpoint learned.checkpoint"
    )]
    Train(Train),
    /// Prove a RAM map against a ROM, address by address
    Validate(super::validate::Validate),
    /// Find the RAM map of a ROM from nothing
    Discover(super::discover::Discover),
    /// Look into RAM
    #[command(
        subcommand,
        after_help = "Examples:
  maxout ram watch --addr tetriminoX tetriminoY playState --frames 1200
  maxout ram watch tetris.nes --addr score '$17' --changes"
    )]
    Ram(super::ram::Ram),
    /// Say what this machine can show, what a ROM is, and what to do about the rest
    Doctor(super::doctor::Doctor),
    /// Print completions for a shell
    Completions(super::completions::Completions),
    /// Print the manual page, or write those of all commands
    Man(super::completions::Man),
}

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
pub(super) struct Play {
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
    pub record: super::record::Record,
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
    pub film: super::film::FilmArgs,
}

pub(super) fn tap_rate(text: &str) -> Result<TapRate, String> {
    let hz: u64 = text.parse().map_err(|_| format!("a tap rate is a whole number of Hz, not {text:?}"))?;
    TapRate::try_from(hz).map_err(|error| error.to_string())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| (1..=86_400_000).contains(&time.as_millis()))
        .ok_or_else(|| format!("a time limit is 0.001 to 86400 seconds, not {text:?}"))
}

/// A player that is not built in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlayerChoice {
    /// A command line for the system's shell.
    External(String),
}

impl FromStr for PlayerChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerChoice, String> {
        match text.strip_prefix("exec:") {
            Some(command) if !command.trim().is_empty() => Ok(PlayerChoice::External(command.to_owned())),
            _ => Err(format!("a player is exec:COMMAND, as in exec:\"python3 player.py\", not {text:?}")),
        }
    }
}

/// What runs a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum ConsoleChoice {
    /// The rules model.
    Simulated,
    /// The emulator with the built-in cartridge.
    #[default]
    Cartridge,
    /// The emulator with the known ROM in the folder of ROMs.
    OwnRom,
    /// The emulator with this ROM.
    Rom(PathBuf),
}

impl FromStr for ConsoleChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<ConsoleChoice, Infallible> {
        Ok(match text {
            "simulated" => ConsoleChoice::Simulated,
            "cartridge" => ConsoleChoice::Cartridge,
            "rom" => ConsoleChoice::OwnRom,
            path => ConsoleChoice::Rom(path.into()),
        })
    }
}

/// Ways to move on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum InputArg {
    /// One button on every second frame, for levels 19 to 28
    EvenFrames,
    /// Shifts and rotations together, pushdown by its hold rules
    Gamepad,
    /// A shift, a rotation or both at every tap, at --tap-rate
    Taps,
    /// CHEATS: no button; the piece is moved a step a frame by writing RAM, without gravity
    Drag,
    /// CHEATS: no button; the piece is written onto its goal in RAM, clears are not animated
    Teleport,
}

impl From<InputArg> for Input {
    fn from(input: InputArg) -> Input {
        match input {
            InputArg::EvenFrames => Input::EvenFrames,
            InputArg::Gamepad => Input::Gamepad,
            InputArg::Taps => Input::Taps,
            InputArg::Drag => Input::Drag,
            InputArg::Teleport => Input::Teleport,
        }
    }
}

/// `maxout rom`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout rom                      the built-in cartridge
  maxout rom tetris.nes --json

Exit code 0 for a known ROM, 1 for an unknown one, 2 for a file that is no playable ROM.")]
pub(super) struct Rom {
    /// ROM file; without one, the built-in cartridge
    pub rom: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// A console by flags.
#[derive(Debug, clap::Args)]
pub(super) struct OnConsole {
    /// What runs the game: simulated (the rules model), cartridge, rom (yours, found in roms/), or a
    /// ROM file
    #[arg(long, value_name = "CONSOLE", default_value = "cartridge")]
    pub console: ConsoleChoice,
    /// Take a ROM that is not known
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
}

/// A recording's format, and what plays it.
#[derive(Debug, clap::Args)]
pub(super) struct Playback {
    /// ROM to play it on; without one, the console that --console names
    #[arg(conflicts_with = "console")]
    pub rom: Option<PathBuf>,
    /// What runs it
    #[command(flatten)]
    pub console: OnConsole,
    /// Format of a recording whose name does not tell
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// RAM map (TOML) of a ROM that keeps its values elsewhere
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

/// `maxout trace`.
#[derive(Debug, Subcommand)]
pub(super) enum Trace {
    /// Replay a trace's input and compare RAM in every frame
    #[command(after_help = "Examples:
  maxout trace verify tests/golden/d05_level19_bot.trace.zst
  maxout trace verify game.trace --console simulated --json

Exit code 0 when every compared byte is equal, 1 at a difference, 2 for a trace that cannot be read.")]
    Verify(TraceVerify),
    /// Record a new trace from power-on
    #[command(after_help = "Examples:
  maxout trace record new.trace --movie movie.fm2
  maxout trace record mash.trace --random 7 --frames 5000 --console simulated")]
    Record(TraceRecord),
}

/// `maxout trace verify`.
#[derive(Debug, clap::Args)]
pub(super) struct TraceVerify {
    /// The trace; .zst is decompressed
    pub trace: PathBuf,
    /// What it is compared with
    #[command(flatten)]
    pub console: OnConsole,
    /// Print one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout trace record`.
#[derive(Debug, clap::Args)]
pub(super) struct TraceRecord {
    /// The file to write, as plain text
    pub output: PathBuf,
    /// What runs the game
    #[command(flatten)]
    pub console: OnConsole,
    /// Press what this movie (FM2) presses
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub movie: Option<PathBuf>,
    /// Mash with this seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
    /// Frames to record [default: the movie's, or 6000]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    /// All commands below one, with the words that lead there.
    fn below(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
        let with_its_own = |command: &clap::Command| {
            let path = format!("{path} {}", command.get_name());
            [vec![(path.clone(), command.clone())], below(command, &path)].concat()
        };
        command.get_subcommands().flat_map(with_its_own).collect()
    }

    #[test]
    fn every_command_has_two_examples_that_are_its_own() {
        for (path, command) in below(&Args::command(), "maxout") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
            let examples = examples.take_while(|line| !line.is_empty()).filter(|line| line.trim().starts_with(&path));
            assert!(examples.count() >= 2, "{path}: {help}");
        }
    }

    #[test]
    fn the_help_fits_a_screen_and_names_every_command() {
        let help = Args::command().render_long_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        let commands = help.lines().skip_while(|line| !line.starts_with("Play ")).take_while(|line| !line.is_empty());
        let commands: Vec<&str> = commands.collect();
        for command in Args::command().get_subcommands() {
            let name = command.get_name();
            let names = |line: &&str| {
                line.get(9..33).is_some_and(|line| line.replace(',', " ").split_whitespace().any(|word| word == name))
            };
            assert!(commands.iter().any(names), "{name} is missing in help.txt");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }

    #[test]
    fn a_rom_alone_means_play() {
        let args = Args::try_parse_from(["maxout", "game.nes", "--seed", "4"]).expect("valid");
        assert!(args.command.is_none());
        assert_eq!((args.play.rom, args.play.seed), (Some("game.nes".into()), Some(4)));
    }

    #[test]
    fn an_external_player_leaves_no_room_for_an_evaluator() {
        let parse = |more: &[&str]| Args::try_parse_from([&["maxout", "play", "--player", "exec:x y"], more].concat());
        let play = parse(&["--player-timeout", "0.5"]).map(|args| match args.command {
            Some(Command::Play(play)) => (play.player.player, play.player.player_timeout),
            _ => (None, None),
        });
        let expected = (Some(PlayerChoice::External("x y".to_owned())), Some(Duration::from_millis(500)));
        assert_eq!(play.expect("valid"), expected);
        for more in [["--evaluator", "el-tetris"], ["--weights", "w.toml"], ["--player-timeout", "0"]] {
            assert!(parse(&more).is_err(), "{more:?}");
        }
        assert!(Args::try_parse_from(["maxout", "play", "--player-timeout", "3"]).is_err(), "no player to wait for");
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for arguments in [
            ["--start-level", "20"],
            ["--until", "soon"],
            ["--speed", "0"],
            ["--input", "das"],
            ["--player", "python3"],
            ["--player", "exec: "],
            ["--filter", "wall"],
            ["--target-score", "0"],
        ] {
            assert!(Args::try_parse_from(["maxout", "play", arguments[0], arguments[1]]).is_err(), "{arguments:?}");
        }
    }
}

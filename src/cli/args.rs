//! The arguments of the program: its commands, each with the flags of its file.

use clap::{Parser, Subcommand};

use crate::command::analyze::args::Analyze;
use crate::command::bench_formats::args::BenchFormats;
use crate::command::drive::args::Drive;
use crate::command::play::args::Play;
use crate::command::simulate::args::{Compare, Merge, Simulate};
use crate::command::{
    bench, completions, convert, crash, discover, doctor, dump, grade, ram, render, replay, report, rom, serve, tas,
    trace, train, validate,
};

/// Plays NES Tetris on an emulated console, frame by frame, to 999,999 and beyond.
///
/// Without a command it plays a game, on the built-in cartridge or on the ROM given.
#[derive(Debug, Parser)]
#[command(name = "maxout", version, args_conflicts_with_subcommands = true)]
#[command(override_help = include_str!("help.txt"))]
#[command(after_help = "Examples:
  maxout                          watch it max out from level 19 on the built-in cartridge
  maxout tetris.nes               play on your own ROM
  maxout play --seed 3 --json     play another game and print the result as JSON
  maxout rom tetris.nes           identify a ROM file
  maxout simulate --games 1000    measure how strong the player is

Exit codes: 0 done, 1 goal missed or run failed, 2 bad usage or input.")]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// How to play, when there is no subcommand.
    #[command(flatten)]
    pub(crate) play: Play,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game from power-on until a goal
    Play(Play),
    /// Play in another emulator: the bot without a console of its own
    Drive(Box<Drive>),
    /// Identify a ROM file: hashes, mapper, sizes, known or not
    Rom(rom::RomArgs),
    /// Play without a view and write one log or movie, by default to standard output
    Dump(dump::Dump),
    /// Play a log or movie from power-on, print the final state, compare with a log
    Replay(replay::Replay),
    /// Make a film of a log or movie
    Render(render::Render),
    /// Convert a log or movie into another format
    Convert(convert::Convert),
    /// Write the report of a log or movie: one HTML page
    Report(report::Report),
    /// Grade games that somebody played: where points were lost, and why
    Grade(Box<grade::Grade>),
    /// Say which clears crash the original game, and what would save it
    Crash(Box<crash::Crash>),
    /// Verify or record traces: the RAM after every frame
    #[command(
        subcommand,
        after_help = "Examples:
  maxout trace verify tests/golden/d05_level19_bot.trace.zst
  maxout trace record new.trace --movie movie.fm2"
    )]
    Trace(trace::Trace),
    /// Find the best placement in a position, and what the others give up
    Analyze(Box<Analyze>),
    /// Measure a player: play many games on the rules model
    Simulate(Simulate),
    /// Compare two players on the same games
    Compare(Compare),
    /// Merge the CSV files of shards into one report
    Merge(Merge),
    /// Measure how fast a player thinks, and print a signature of its decisions
    Bench(bench::Bench),
    /// Play the formats of published results, and compare with them
    BenchFormats(BenchFormats),
    /// Answer over HTTP: analysis, grades, and a page to draw positions on
    Serve(serve::Serve),
    /// Search for the fastest tool-assisted game
    Tas(Box<tas::Tas>),
    /// Train the weights of an evaluator, or a net
    #[command(
        subcommand,
        after_help = "Examples:
  maxout train pso --evaluator birken-v2 -o better.toml --minutes 40
  maxout train td -o learned.mxw --checkpoint learned.checkpoint"
    )]
    Train(train::Train),
    /// Check a RAM map against a ROM, address by address
    Validate(validate::Validate),
    /// Find the RAM map of a ROM by experiments
    Discover(discover::Discover),
    /// Print bytes of RAM, frame by frame
    #[command(
        subcommand,
        after_help = "Examples:
  maxout ram watch --addr tetriminoX tetriminoY playState --frames 1200
  maxout ram watch tetris.nes --addr score '$17' --changes"
    )]
    Ram(ram::Ram),
    /// Check this machine and a ROM: what works, what is missing, how to fix it
    Doctor(doctor::Doctor),
    /// Print the completion script for a shell
    Completions(completions::Completions),
    /// Print the manual page, or write the pages of all commands
    Man(completions::Man),
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::CommandFactory;

    use super::*;
    use crate::player::values::PlayerChoice;

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
        assert_eq!((args.play.rom, args.play.game.seed), (Some("game.nes".into()), Some(4)));
    }

    #[test]
    fn an_external_player_leaves_no_room_for_an_evaluator() {
        let parse = |more: &[&str]| Args::try_parse_from([&["maxout", "play", "--player", "exec:x y"], more].concat());
        let play = parse(&["--player-timeout", "0.5"]).map(|args| match args.command {
            Some(Command::Play(play)) => (play.game.player.player, play.game.player.player_timeout),
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

//! The arguments of the program: its commands, each with the flags of its file.

use clap::{Parser, Subcommand};

use crate::command::play::args::Play;
use crate::command::simulate::args::{Compare, Merge, Simulate};
use crate::command::{
    bench, completions, convert, discover, doctor, dump, ram, render, replay, report, rom, trace, train, validate,
};

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
    /// Say what a ROM file is
    Rom(rom::RomArgs),
    /// Play headless and write a recording, to standard output if nothing else is said
    Dump(dump::Dump),
    /// Play a recording from power-on, print where it ends, compare it with a log
    Replay(replay::Replay),
    /// Film a recording: play it from power-on and write its pictures
    Render(render::Render),
    /// Convert a recording into another format
    Convert(convert::Convert),
    /// Write the report of a recorded game: one HTML page
    Report(report::Report),
    /// Check or record traces: RAM, frame by frame
    #[command(
        subcommand,
        after_help = "Examples:
  maxout trace verify tests/golden/d05_level19_bot.trace.zst
  maxout trace record new.trace --movie movie.fm2"
    )]
    Trace(trace::Trace),
    /// Play many games on the rules model and report what they say of a player
    Simulate(Simulate),
    /// Play the same games with two players and say which one is better
    Compare(Compare),
    /// Make one report of the CSV files of shards
    Merge(Merge),
    /// Measure how fast a player thinks, with a signature of what it thinks
    Bench(bench::Bench),
    /// Train the weights of an evaluator on many games
    #[command(
        subcommand,
        after_help = "Examples:
  maxout train pso --evaluator birken-v2 --out better.toml --minutes 40
  maxout train td --out learned.mxw --checkpoint learned.checkpoint"
    )]
    Train(train::Train),
    /// Prove a RAM map against a ROM, address by address
    Validate(validate::Validate),
    /// Find the RAM map of a ROM from nothing
    Discover(discover::Discover),
    /// Look into RAM
    #[command(
        subcommand,
        after_help = "Examples:
  maxout ram watch --addr tetriminoX tetriminoY playState --frames 1200
  maxout ram watch tetris.nes --addr score '$17' --changes"
    )]
    Ram(ram::Ram),
    /// Say what this machine can show, what a ROM is, and what to do about the rest
    Doctor(doctor::Doctor),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Print the manual page, or write those of all commands
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
        assert_eq!((args.play.rom, args.play.seed), (Some("game.nes".into()), Some(4)));
    }

    #[test]
    fn an_external_player_leaves_no_room_for_an_evaluator() {
        let parse = |more: &[&str]| Args::try_parse_from([&["maxout", "play", "--player", "exec:x y"], more].concat());
        let play = parse(&["--player-timeout", "0.5"]).map(|args| match args.command {
            Some(Command::Play(play)) => (play.player.player, play.player.player_timeout),
            _ => (None, None),
        });
        let expected = (Some(PlayerChoice::Exec("x y".to_owned())), Some(Duration::from_millis(500)));
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

//! The program as its help, its completions and its pages show it.

use clap::{Arg, CommandFactory};

use super::args::Args;

/// The commands and flags. Where a command refuses what its flags share with others, its help does not offer it.
pub(super) fn program() -> clap::Command {
    let mut program = Args::command();
    for name in ["analyze", "crash"] {
        program = program.mut_subcommand(name, |command| command.mut_args(of_positions));
        program = without(program, name, &["filter", "target-score"]);
    }
    // It judges placements, not which is best.
    program = without(program, "crash", &["think", "think-threads"]);
    without(program, "dump", &["view", "graphics", "exit"])
}

/// The help of a command does not show these flags.
fn without(program: clap::Command, name: &str, flags: &[&str]) -> clap::Command {
    let hide = |flag: Arg| {
        let is_hidden = flag.get_long().is_some_and(|long| flags.contains(&long));
        if is_hidden { flag.hide(true) } else { flag }
    };
    program.mut_subcommand(name, |command| command.mut_args(hide))
}

/// All placements of a position are judged, and the same question has the same answer.
fn of_positions(flag: Arg) -> Arg {
    match flag.get_long() {
        Some("input") => {
            flag.hide_possible_values(true).help("How pieces are moved: even-frames, gamepad or taps [default: taps]")
        }
        Some("think") => flag.help("How far the learned player looks ahead: fixed:1 to fixed:5 [default: fixed:3]"),
        _ => flag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(command: &str) -> String {
        program().find_subcommand_mut(command).expect("a command").render_long_help().to_string()
    }

    /// Longer lines are wrapped where nobody wants it.
    #[test]
    fn no_line_after_the_flags_is_longer_than_the_help_is_wide() {
        fn check(command: &clap::Command) -> usize {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
            }
            help.lines().count() + command.get_subcommands().map(check).sum::<usize>()
        }
        assert!(check(&program()) > 200);
    }

    #[test]
    fn help_offers_nothing_that_is_always_refused() {
        for command in ["analyze", "crash"] {
            let help = help(command);
            for refused in ["--filter", "--target-score", "teleport", "milliseconds"] {
                assert!(!help.contains(refused), "{command}: {refused}");
            }
            assert!(help.contains("even-frames, gamepad or taps"), "{help}");
        }
        assert!(help("analyze").contains("fixed:1 to fixed:5") && !help("crash").contains("--think"));
        assert!(!help("dump").contains("--view") && help("play").contains("--view"));
        assert!(help("dump").contains("--speed"));
    }
}

//! The program as its help, its completions and its pages show it.

use clap::{Arg, CommandFactory};

use super::args::Args;

/// The commands and flags. Where a command refuses what its flags share with others, its help does not offer it.
pub(super) fn program() -> clap::Command {
    let mut program = Args::command();
    for name in ["analyze", "crash"] {
        program = program.mut_subcommand(name, |command| command.mut_args(of_positions));
    }
    // It judges placements, not which is best.
    program = program.mut_subcommand("crash", |command| command.mut_args(without_thinking));
    program.mut_subcommand("dump", |command| command.mut_args(without_view))
}

/// All placements of a position are judged, and the same question has the same answer.
fn of_positions(flag: Arg) -> Arg {
    match flag.get_long() {
        Some("filter" | "target-score") => flag.hide(true),
        Some("input") => {
            flag.hide_possible_values(true).help("How pieces are moved: even-frames, gamepad or taps [default: taps]")
        }
        Some("think") => flag.help("How far the learned player looks ahead: fixed:1 to fixed:5 [default: fixed:3]"),
        _ => flag,
    }
}

fn without_view(flag: Arg) -> Arg {
    if matches!(flag.get_long(), Some("view" | "graphics" | "exit")) { flag.hide(true) } else { flag }
}

fn without_thinking(flag: Arg) -> Arg {
    if matches!(flag.get_long(), Some("think" | "think-threads")) { flag.hide(true) } else { flag }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(command: &str) -> String {
        program().find_subcommand_mut(command).expect("a command").render_long_help().to_string()
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

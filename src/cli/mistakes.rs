//! What the command line says of a mistyped command or flag: tips that lead to what was meant.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, FromArgMatches};

use super::args::Args;
use super::program::program;

/// Goals that are often taken for flags. They are values of `--until`.
const GOALS: [&str; 8] = ["maxout", "topout", "level", "lines", "pieces", "score", "frames", "rebirth"];
/// Goals of games on a console alone.
const ONLY_PLAYED: [&str; 2] = ["maxout", "frames"];

/// The arguments of the program, its name first.
///
/// # Errors
/// What is wrong with them, with a tip where one helps. Help and version are also "errors".
pub fn parse(arguments: &[OsString]) -> Result<Args, clap::Error> {
    let mut program = program();
    if let Some(error) = arguments.get(1).and_then(|first| mistyped_command(&program, first)) {
        return Err(error);
    }
    let parsed = program.try_get_matches_from_mut(arguments);
    let parsed = parsed.and_then(|found| Args::from_arg_matches(&found).map_err(|error| error.format(&mut program)));
    parsed.map_err(|error| with_better_tips(error, &program, arguments))
}

/// A first word that is no file is taken for a ROM. If it resembles a command, that was meant.
fn mistyped_command(program: &Command, first: &OsString) -> Option<clap::Error> {
    let word = first.to_str().filter(|word| !word.starts_with('-') && !word.contains(['.', '/', '\\']))?;
    if program.find_subcommand(word).is_some() || Path::new(word).exists() {
        return None;
    }
    let commands = Command::new("maxout").subcommands(program.get_subcommands().cloned());
    let error = commands.try_get_matches_from(["maxout", word]).err()?;
    error.get(ContextKind::SuggestedSubcommand).is_some().then_some(error)
}

/// The same error without tips that mislead, with one that helps.
fn with_better_tips(mut error: clap::Error, program: &Command, arguments: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else { return error };
    // "To pass it as a value": no value of this program begins with a hyphen.
    error.remove(ContextKind::Suggested);
    if flag.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok()) {
        let tip = "no value of this program is below 0".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let Some(name) = flag.strip_prefix("--") else { return error };
    let (path, command) = command_of(program, arguments);
    let tip = if has_flag(command, "until") && GOALS.contains(&name) && is_goal_of(&path, name) {
        let value = if ["maxout", "topout", "rebirth"].contains(&name) { "" } else { ":N" };
        Some(format!("a goal is given as '--until {name}{value}'"))
    } else if error.get(ContextKind::SuggestedArg).is_none() {
        let others = commands_with(program, "maxout", name);
        (!others.is_empty()).then(|| format!("'{flag}' is a flag of {}", others.join(", ")))
    } else {
        None
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn is_goal_of(path: &str, name: &str) -> bool {
    let is_played = matches!(path, "maxout" | "maxout play" | "maxout dump") || path.starts_with("maxout drive");
    is_played || !ONLY_PLAYED.contains(&name)
}

/// The command that the arguments name, and the words that lead to it.
pub(super) fn command_of<'a>(program: &'a Command, arguments: &[OsString]) -> (String, &'a Command) {
    let mut found = ("maxout".to_owned(), program);
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        let Some(next) = found.1.find_subcommand(word) else { break };
        found = (format!("{} {word}", found.0), next);
    }
    found
}

fn has_flag(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(name))
}

/// The commands below this one that have a flag.
fn commands_with(command: &Command, path: &str, name: &str) -> Vec<String> {
    let below = |next: &Command| {
        let path = format!("{path} {}", next.get_name());
        let own = has_flag(next, name).then(|| path.clone());
        own.into_iter().chain(commands_with(next, &path, name)).collect::<Vec<_>>()
    };
    command.get_subcommands().flat_map(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message for this command line.
    fn said(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        parse(&arguments).expect_err(line).to_string()
    }

    #[test]
    fn a_mistyped_command_is_not_taken_for_a_rom() {
        for (line, meant) in [
            ("maxout paly", "'play'"),
            ("maxout simulat --games 3", "'simulate'"),
            ("maxout repot game.csv -o x.html", "'report'"),
        ] {
            let text = said(line);
            assert!(text.contains("tip:") && text.contains(meant), "{line}: {text}");
        }
        for line in ["maxout tetris.nes", "maxout ./paly", "maxout mario", "maxout play"] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert!(parse(&arguments).is_ok(), "{line}");
        }
    }

    #[test]
    fn a_goal_is_no_flag() {
        for (line, tip) in [
            ("maxout play --topout", "'--until topout'"),
            ("maxout play --score 4321", "'--until score:N'"),
            ("maxout --lines 30", "'--until lines:N'"),
            ("maxout simulate --level 29", "'--until level:N'"),
            ("maxout dump --frames 9", "'--until frames:N'"),
            ("maxout drive fceux --frames 9", "'--until frames:N'"),
            ("maxout simulate --rebirth", "'--until rebirth'"),
        ] {
            let text = said(line);
            assert!(text.contains(&format!("a goal is given as {tip}")), "{line}: {text}");
            assert!(!text.contains("similar") && !text.contains("as a value"), "{line}: {text}");
        }
        assert!(!said("maxout simulate --frames 9").contains("--until frames"));
    }

    #[test]
    fn a_flag_of_another_command_leads_there_and_no_tip_passes_a_flag_as_a_value() {
        let text = said("maxout play --games 3");
        assert!(
            text.contains(
                "'--games' is a flag of maxout simulate, maxout compare, maxout bench-formats, maxout train pso"
            ),
            "{text}"
        );
        for line in ["maxout play --nonsense", "maxout man --nonsense", "maxout play -z"] {
            let text = said(line);
            assert!(!text.contains("as a value") && !text.contains("tip:"), "{line}: {text}");
        }
        assert!(said("maxout play --seed -1").contains("no value of this program is below 0"));
        assert!(!said("maxout play tetris.nes é").contains("below 0"));
        assert!(said("maxout play --sed 3").contains("a similar argument exists: '--seed'"));
    }
}

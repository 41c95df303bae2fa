//! A mistake on the command line, in one line: what was expected, what was found, what to do.

use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What is wrong with the arguments of this command, without its help.
pub(super) fn line(error: &clap::Error, command: &str) -> String {
    let mut line = what(error).unwrap_or_else(|| first_lines(error));
    for tip in tips(error) {
        line += "; ";
        line += &tip;
    }
    format!("{line}; see {command} --help")
}

/// What is wrong, in our own words; `None` for what does not happen with the flags of this program.
fn what(error: &clap::Error) -> Option<String> {
    let flag = || text(error, ContextKind::InvalidArg);
    let found = text(error, ContextKind::InvalidValue).unwrap_or_default();
    Some(match error.kind() {
        ErrorKind::InvalidValue if found.is_empty() => format!("{}: expected a value, found none", flag()?),
        ErrorKind::InvalidValue => {
            let expected = one_of(texts(error, ContextKind::ValidValue));
            format!("{}: expected {expected}, found \"{found}\"", name(flag()?))
        }
        ErrorKind::ValueValidation => format!("{}: {}", name(flag()?), expected(error.source()?, found)),
        ErrorKind::UnknownArgument => match flag()? {
            flag if flag.starts_with('-') => format!("unknown flag {flag}"),
            word => format!("expected no more arguments, found \"{word}\""),
        },
        ErrorKind::InvalidSubcommand => {
            format!("expected a command, found \"{}\"", text(error, ContextKind::InvalidSubcommand)?)
        }
        ErrorKind::ArgumentConflict => {
            let (flag, others) = (flag()?, texts(error, ContextKind::PriorArg));
            if others == [flag] {
                format!("{} can be given only once", name(flag))
            } else {
                format!("{} cannot be used with {}", name(flag), one_of(others.into_iter().map(name).collect()))
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<_> = texts(error, ContextKind::InvalidArg).into_iter().map(in_words).collect();
            let missing = missing.join(" and ");
            if missing.contains("--") {
                format!("expected {missing} as well")
            } else {
                format!("expected {missing}, found nothing")
            }
        }
        _ => return None,
    })
}

/// What a value should have been.
fn expected(source: &(dyn Error + 'static), found: &str) -> String {
    let said = source.to_string();
    let wanted = if let Some(error) = source.downcast_ref::<ParseIntError>() {
        match error.kind() {
            IntErrorKind::PosOverflow => "a smaller number",
            IntErrorKind::Zero => "a whole number from 1 on",
            _ => "a whole number",
        }
    } else if source.is::<ParseFloatError>() {
        "a number"
    } else if source.is::<TryFromIntError>() {
        "a smaller number"
    } else if let Some((_, bounds)) = said.split_once(" is not in ") {
        let (from, to) = bounds.split_once("..").unwrap_or((bounds, ""));
        // Without an end the bounds name the greatest number that there is.
        let range = match to.strip_prefix('=') {
            Some(to) => format!("{from} to {to}"),
            None => format!("a number from {from} on"),
        };
        return format!("expected {range}, found \"{found}\"");
    } else {
        // The project's own words, which also say what was found.
        return said;
    };
    format!("expected {wanted}, found \"{found}\"")
}

/// What may have been meant.
fn tips(error: &clap::Error) -> Vec<String> {
    let meant = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .map(|kind| texts(error, kind))
        .filter(|meant| !meant.is_empty())
        .map(|meant| format!("did you mean {}?", one_of(meant)));
    let own = match error.get(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    meant.chain(own).collect()
}

/// The words of the library, on one line and without its advice.
fn first_lines(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A flag without the name of its value.
fn name(flag: &str) -> &str {
    flag.split_once(' ').map_or(flag, |(name, _)| name)
}

/// `<--plan|--parts>`, one of several flags, as `--plan or --parts`; others as they are.
fn in_words(missing: &str) -> String {
    match missing.strip_prefix('<').and_then(|inside| inside.strip_suffix('>')) {
        Some(flags) if flags.starts_with("--") => one_of(flags.split('|').collect()),
        _ => missing.to_owned(),
    }
}

/// `a, b or c`.
fn one_of(words: Vec<&str>) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{ArgAction, Command, CommandFactory};

    use super::super::Args;
    use super::super::mistakes::parse;
    use super::*;

    fn said(arguments: &[&str]) -> Option<String> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        parse(&arguments).err().map(|error| line(&error, "maxout COMMAND"))
    }

    #[test]
    fn mistakes_are_said_in_one_line() {
        for (given, words) in [
            ("simulate --games x", "--games: expected a whole number, found \"x\""),
            ("simulate --start-level 99", "--start-level: expected 0 to 19, found \"99\""),
            ("tas --width 0", "--width: expected 1 to 10000000, found \"0\""),
            ("play --seed 99999999999999999999", "--seed: expected a smaller number, found \"99999999999999999999\""),
            ("play --seed", "--seed <N>: expected a value, found none"),
            ("simulate --crashes maybe", "--crashes: expected auto, on or off, found \"maybe\""),
            ("simulate --gmes 3", "unknown flag --gmes; did you mean --games?"),
            ("simulat", "expected a command, found \"simulat\"; did you mean simulate?"),
            ("simulate --games 3 --games 4", "--games can be given only once"),
            ("convert a", "expected <OUTPUT>, found nothing"),
            ("tas --parts", "expected --improve <FILE> or --plan as well"),
            ("play a.nes b.nes", "expected no more arguments, found \"b.nes\""),
        ] {
            let arguments: Vec<&str> = ["maxout"].into_iter().chain(given.split(' ')).collect();
            assert_eq!(said(&arguments), Some(format!("{words}; see maxout COMMAND --help")), "{given}");
        }
    }

    /// Calls this with each command of the program and the words that lead to it.
    fn each_command(command: &Command, path: &[String], visit: &mut dyn FnMut(&Command, &[String])) {
        visit(command, path);
        for below in command.get_subcommands() {
            let path = [path, &[below.get_name().to_owned()]].concat();
            each_command(below, &path, visit);
        }
    }

    #[test]
    fn no_flag_of_any_command_answers_in_the_words_of_the_library() {
        const THEIRS: [&str; 7] = ["error:", "invalid", "digit", "target type", " is not in ", "float", "possible"];
        let mut refused = 0;
        each_command(&Args::command(), &["maxout".to_owned()], &mut |command, path| {
            for flag in
                command.get_arguments().filter(|flag| matches!(flag.get_action(), ArgAction::Set | ArgAction::Append))
            {
                let Some(long) = flag.get_long() else { continue };
                let flag = format!("--{long}");
                for value in [None, Some(""), Some("b\u{e4}d"), Some("0"), Some("99999999999999999999999"), Some("0.5")]
                {
                    let given = path.iter().map(String::as_str).chain([&*flag]).chain(value).collect::<Vec<_>>();
                    let Some(line) = said(&given) else { continue };
                    refused += 1;
                    assert!(!line.contains('\n'), "{given:?}: {line}");
                    assert!(!THEIRS.iter().any(|words| line.contains(words)), "{given:?}: {line}");
                    assert!(line.contains("expected") || line.contains("cannot be used"), "{given:?}: {line}");
                }
            }
        });
        assert!(refused > 500, "{refused}");
    }
}

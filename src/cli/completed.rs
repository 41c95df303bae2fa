//! The words that a shell offers after flags which take a few, and where it offers files.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};

use maxout_engine::judge;

/// Words that a flag of this name may take; those that go on with a number are left out, since bash ends a word at a colon.
fn candidates(flag: &str) -> &'static [&'static str] {
    match flag {
        "evaluator" => judge::NAMES,
        "view" => &["auto", "terminal", "screen", "window", "none"],
        "graphics" => &["auto", "blocks", "kitty", "sixel"],
        "aim" => &["mean", "maxout", "survive"],
        "rng" => &["honest", "seen", "steered"],
        "pieces" => &["nes", "uniform"],
        "scoring" => &["nes", "n2", "flat"],
        "rules" => &["original", "ksx2"],
        "menus" => &["hurried", "real"],
        "dodge" => &["auto", "off"],
        "until" => &["maxout", "topout", "rebirth"],
        "count" => &["goal", "input"],
        "from" | "format" | "to" => &["csv", "jsonl", "fm2", "bk2", "r08", "ngf"],
        _ => &[],
    }
}

/// Those of them that the help of this flag names.
fn words(flag: &Arg) -> Vec<&'static str> {
    let candidates = flag.get_long().map_or(&[][..], candidates);
    let help = flag.get_long_help().or(flag.get_help()).map_or_else(String::new, |help| help.to_string());
    let named: Vec<&str> = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    candidates.iter().copied().filter(|word| named.contains(word)).collect()
}

fn value_name(flag: &Arg) -> &str {
    flag.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
}

/// The program as its completions need it: a flag with its words, files only where they are wanted.
pub(super) fn completed(program: Command) -> Command {
    let program = program.mut_args(|flag| {
        let is_known = !flag.get_possible_values().is_empty() || !flag.get_action().takes_values();
        let words = words(&flag);
        match (&words[..], value_name(&flag)) {
            _ if is_known => flag,
            ([], "DIR" | "FOLDER") => flag.value_hint(ValueHint::DirPath),
            ([], "FILE" | "LOG" | "PATH" | "CONSOLE" | "PLAYER") => flag.value_hint(ValueHint::FilePath),
            ([], _) if flag.is_positional() => flag,
            ([], _) => flag.value_hint(ValueHint::Other),
            _ => flag.value_parser(PossibleValuesParser::new(words)),
        }
    });
    program.mut_subcommands(completed)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cli::program::program;

    fn all(program: &Command, flags: &mut Vec<(String, Arg)>) {
        flags.extend(program.get_arguments().map(|flag| (program.get_name().to_owned(), flag.clone())));
        program.get_subcommands().for_each(|below| all(below, flags));
    }

    #[test]
    fn every_word_that_is_offered_is_taken() {
        let (mut flags, mut offered) = (Vec::new(), HashSet::new());
        all(&program(), &mut flags);
        for (command, flag) in flags {
            for word in words(&flag) {
                let alone = Arg::new("flag").long("flag").value_parser(flag.get_value_parser().clone());
                let taken = Command::new("maxout").arg(alone).try_get_matches_from(["maxout", "--flag", word]);
                assert!(taken.is_ok(), "{command} --{:?} {word}: {taken:?}", flag.get_long());
                offered.insert(format!("{} {word}", flag.get_long().expect("a long name")));
            }
        }
        let all =
            ["evaluator learned", "view screen", "graphics sixel", "aim survive", "rng steered", "pieces uniform"];
        let more = ["scoring n2", "rules ksx2", "menus real", "dodge off", "until topout", "count input", "from bk2"];
        for words in all.iter().chain(&more) {
            assert!(offered.contains(*words), "{words}: {offered:?}");
        }
    }

    #[test]
    fn a_shell_offers_words_files_or_nothing() {
        let mut program = completed(program());
        let mut script = Vec::new();
        clap_complete::generate(clap_complete::Shell::Fish, &mut program, "maxout", &mut script);
        let script = String::from_utf8(script).expect("text");
        let of = |flag: &str| {
            let line = script
                .lines()
                .find(|line| line.contains("subcommand play\"") && line.contains(&format!(" -l {flag} ")));
            line.unwrap_or_else(|| panic!("--{flag}: {script}")).to_owned()
        };
        assert!(of("view").contains("terminal"), "{}", of("view"));
        assert!(of("log").contains("-r -F"), "{}", of("log"));
        assert!(!of("seed").contains("-F"), "{}", of("seed"));
    }
}

//! `maxout doctor`: checks this machine and a ROM; advice for what is missing.

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::ArgAction;
use serde::Serialize;

use crate::console::fceux::{self, Fceux};
use crate::console::power::ROMS;
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use crate::system::programs;
use maxout_console::{Identity, Rom};
use maxout_screen::ColourMode;

/// The size, in characters, at which the terminal view shows all its panels and the messages.
const LEAST_TERMINAL: (u16, u16) = (80, 24);
/// The widest name of a check and a space, in characters.
const NAME_WIDTH: usize = 10;

/// `maxout doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout doctor
  maxout doctor tetris.nes --json

Exit codes: 0 done, 1 the ROM given cannot be played. Anything else that is missing is
optional.")]
pub(crate) struct Doctor {
    /// ROM to check: a .nes file, a .zip, .gz or .7z, or a folder [default: the folder roms/]
    pub rom: Option<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// One check and its result.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    found: String,
    /// What to do where something is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Check {
        Check { name, ok: true, found: found.into(), advice: None }
    }

    fn missing(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, ok: false, found: found.into(), advice: Some(advice.into()) }
    }
}

/// All checks.
#[derive(Debug, Serialize)]
struct Diagnosis {
    version: &'static str,
    system: String,
    checks: Vec<Check>,
}

pub(crate) fn run(args: &Doctor) -> Result<ExitCode, Failure> {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    let rom = match &args.rom {
        Some(path) => rom(path),
        None => own_rom(Path::new(ROMS)),
    };
    let failed = args.rom.is_some() && !rom.ok;
    let mut checks = vec![
        terminal(is_terminal),
        size(is_terminal.then(crossterm::terminal::size).and_then(Result::ok)),
        colours(ColourMode::detect(), &variable),
        pictures(&variable),
        display(&variable),
        ffmpeg(Command::new("ffmpeg")),
        rom,
    ];
    checks.extend(hosts(programs::find));
    let system = format!("{} {}", env::consts::OS, env::consts::ARCH);
    let diagnosis = Diagnosis { version: env!("CARGO_PKG_VERSION"), system, checks };
    if args.json {
        print_json(&diagnosis)?;
    } else {
        print(&text(&diagnosis))?;
    }
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn text(diagnosis: &Diagnosis) -> String {
    let mut text = format!("maxout {} on {}\n", diagnosis.version, diagnosis.system);
    for Check { name, ok, found, advice } in &diagnosis.checks {
        let mark = if *ok { "ok  " } else { "-   " };
        let advice = advice.as_ref().map_or(String::new(), |advice| format!("; {advice}"));
        text += &format!("{mark}{name:<NAME_WIDTH$}{found}{advice}\n");
    }
    text
}

fn terminal(is_terminal: bool) -> Check {
    if is_terminal {
        Check::ok("terminal", "standard input and output are a terminal: maxout shows its view there")
    } else {
        Check::missing(
            "terminal",
            "standard input or output is not a terminal: maxout prints progress lines",
            "start maxout in a terminal, without pipes, to watch",
        )
    }
}

fn size(size: Option<(u16, u16)>) -> Check {
    let (least_columns, least_rows) = LEAST_TERMINAL;
    match size {
        Some((columns, rows)) if columns >= least_columns && rows >= least_rows => {
            Check::ok("size", format!("{columns}x{rows} characters"))
        }
        Some((columns, rows)) => Check::missing(
            "size",
            format!("{columns}x{rows} characters"),
            format!("make the terminal {least_columns}x{least_rows} or larger to see everything"),
        ),
        None => Check::missing("size", "unknown without a terminal", "start maxout in a terminal to check its size"),
    }
}

fn colours(mode: ColourMode, variable: &impl Fn(&str) -> Option<String>) -> Check {
    let no_color = variable("NO_COLOR").is_some();
    match mode {
        ColourMode::True => Check::ok("colours", "24 bits"),
        ColourMode::Mono if no_color => {
            Check::missing("colours", "none, as NO_COLOR asks", "unset NO_COLOR for colours")
        }
        ColourMode::Mono => Check::missing(
            "colours",
            format!("none, as TERM={} says", variable("TERM").unwrap_or_default()),
            "set TERM to the type of the terminal, for example TERM=xterm-256color",
        ),
        ColourMode::Sixteen | ColourMode::TwoHundredFiftySix => Check::missing(
            "colours",
            if mode == ColourMode::Sixteen { "16" } else { "256" },
            "if the terminal has 24-bit colours, set COLORTERM=truecolor",
        ),
    }
}

/// The graphics protocol of the terminal, guessed from its name.
fn protocol(variable: &impl Fn(&str) -> Option<String>) -> Option<&'static str> {
    let (term, program) = (variable("TERM").unwrap_or_default(), variable("TERM_PROGRAM").unwrap_or_default());
    let has = |name| variable(name).is_some();
    // A multiplexer may not pass graphics on to the terminal.
    if has("TMUX") || has("STY") || term.starts_with("screen") || term.starts_with("tmux") {
        return None;
    }
    let kitty = has("KITTY_WINDOW_ID") || has("GHOSTTY_RESOURCES_DIR") || has("KONSOLE_VERSION");
    if kitty || term.contains("kitty") || term.contains("ghostty") || matches!(&*program, "WezTerm" | "ghostty") {
        return Some("kitty");
    }
    let sixel = ["foot", "mlterm", "contour", "yaft"].iter().any(|name| term.starts_with(name));
    let windows = has("WT_SESSION");
    (sixel || windows || matches!(&*program, "mintty" | "mlterm" | "iTerm.app")).then_some("sixel")
}

fn pictures(variable: &impl Fn(&str) -> Option<String>) -> Check {
    match protocol(variable) {
        Some(protocol) => Check::ok("pictures", format!("{protocol}, by the terminal's name")),
        None => Check::missing(
            "pictures",
            "no graphics protocol is known for this terminal: maxout draws block characters",
            "for sharper pictures use kitty, Ghostty, WezTerm, foot or Windows Terminal, without tmux",
        ),
    }
}

fn display(variable: &impl Fn(&str) -> Option<String>) -> Check {
    if cfg!(any(windows, target_os = "macos")) {
        return Check::ok("display", "that of the desktop");
    }
    match variable("WAYLAND_DISPLAY").map(|name| ("Wayland", name)).or(variable("DISPLAY").map(|name| ("X11", name))) {
        Some((system, name)) => Check::ok("display", format!("{system}, {name}")),
        None => Check::missing(
            "display",
            "none: neither WAYLAND_DISPLAY nor DISPLAY is set",
            "for a window, start maxout on a desktop or with ssh -X; the terminal view needs no display",
        ),
    }
}

fn ffmpeg(command: Command) -> Check {
    let printed = programs::printed(command, "-version");
    match printed.as_deref().and_then(|text| text.lines().next()) {
        Some(line) => {
            let words: Vec<&str> = line.split_whitespace().take(3).collect();
            Check::ok("ffmpeg", programs::shown(&words.join(" ")))
        }
        None => Check::missing(
            "ffmpeg",
            "not found",
            "install it (apt install ffmpeg, brew install ffmpeg, winget install ffmpeg) for videos",
        ),
    }
}

/// The emulators in which maxout can play.
fn hosts(find: impl Fn(&[&str]) -> Option<PathBuf>) -> Vec<Check> {
    let advice = format!("for maxout drive fceux, {}", fceux::INSTALL);
    let fceux = match find(fceux::PROGRAMS).map(|path| Fceux::look(&path)) {
        Some(Ok(fceux)) => Check::ok("fceux", format!("{}, {}", fceux.version, fceux.path.display())),
        Some(Err(error)) => Check::missing("fceux", error.to_string(), advice),
        None => Check::missing("fceux", "not found", advice),
    };
    // They are not asked for their versions: RetroArch makes its folders when it is asked.
    let by_name = |name, programs: &[&str], source: &str| match find(programs) {
        Some(path) => Check::ok(name, path.display().to_string()),
        None => Check::missing(name, "not found in PATH", format!("to watch maxout in it, {source}")),
    };
    vec![
        fceux,
        by_name("retroarch", &["retroarch"], "install it (apt install retroarch)"),
        by_name("mesen", &["Mesen", "mesen", "Mesen2", "mesen2"], "get it from mesen.ca"),
        by_name("bizhawk", &["EmuHawk", "EmuHawkMono.sh", "emuhawk", "bizhawk"], "get it from tasvideos.org/BizHawk"),
    ]
}

/// The ROM that the user named.
fn rom(path: &Path) -> Check {
    match Rom::from_file(path) {
        Ok(rom) if rom.identity.is_known() => {
            let (is, crashes) = (rom.identity.description(), rom.identity.crashes_in_words());
            Check::ok("rom", format!("{} is {is}, SHA-1 {}; crashes: {crashes}", rom.name(), rom.sha1))
        }
        Ok(rom) => Check::missing(
            "rom",
            format!(
                "{} is {}, SHA-1 {}; crashes: {}",
                rom.name(),
                rom.identity.description(),
                rom.sha1,
                rom.identity.crashes_in_words()
            ),
            format!(
                "{}; roms-README.md names the known ROM, discover finds the RAM map of another",
                rom.identity.advice()
            ),
        ),
        // The error already says what to do.
        Err(error) => {
            Check { name: "rom", ok: false, found: format!("{:#}", anyhow::Error::from(error)), advice: None }
        }
    }
}

/// The user's ROM in the folder for it.
fn own_rom(folder: &Path) -> Check {
    match Rom::find_in(folder) {
        Ok(rom) if rom.identity == Identity::Tetris => {
            let crashes = rom.identity.crashes_in_words();
            let found = format!("{} in {}: maxout --console rom plays it", rom.name(), folder.display());
            Check::ok("rom", format!("{found}; crashes: {crashes}"))
        }
        _ => Check::missing(
            "rom",
            format!("no ROM of yours in {}/: maxout plays the built-in cartridge", folder.display()),
            "to play on the original game, put your ROM there (roms-README.md) and give --console rom",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(set: &[(&str, &str)]) -> Option<&'static str> {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        protocol(&variable)
    }

    #[test]
    fn terminals_that_draw_pictures_are_known_by_their_names() {
        assert_eq!(guess(&[("TERM", "xterm-kitty")]), Some("kitty"));
        assert_eq!(guess(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "WezTerm")]), Some("kitty"));
        assert_eq!(guess(&[("TERM", "foot")]), Some("sixel"));
        assert_eq!(guess(&[("TERM", "xterm-256color"), ("WT_SESSION", "1")]), Some("sixel"));
        assert_eq!(guess(&[("TERM", "xterm-256color")]), None);
        assert_eq!(guess(&[("KITTY_WINDOW_ID", "1"), ("TMUX", "x")]), None);
    }

    #[test]
    fn whatever_is_missing_comes_with_advice() {
        let none = |_: &str| None;
        let folder = tempfile::tempdir().unwrap();
        let checks = [
            terminal(false),
            size(None),
            size(Some((40, 12))),
            colours(ColourMode::Mono, &none),
            colours(ColourMode::Sixteen, &none),
            pictures(&none),
            ffmpeg(Command::new(folder.path().join("ffmpeg"))),
            own_rom(folder.path()),
        ];
        let checks = checks.into_iter().chain(hosts(|_| None));
        for check in checks {
            assert!(!check.ok && check.advice.is_some(), "{check:?}");
        }
        assert!(size(Some((80, 24))).ok && colours(ColourMode::True, &none).ok);
    }
}

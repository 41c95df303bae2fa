//! What is run for a command of the documentation: the same command with smaller numbers, where it would
//! take minutes as it is written.

/// Frames of a game: past the menus of the default seed, with some pieces.
const FRAMES: u64 = 1_500;
/// Pieces of a simulated game: few, since the options of these commands are looked at, not their games.
const PIECES: u64 = 20;
/// Limits of options: the option, and the most that is run.
const LIMITS: [(&str, f64); 4] =
    [("--playouts", 2.0), ("--minutes", 0.01), ("--frames", 1_500.0), ("--record-from", 1_400.0)];

/// The command as it is run: shorter, and without a terminal or window.
pub fn shorter(command: &str) -> String {
    let command = command.replace("cargo run --release --", "maxout").replace("cargo run --release", "maxout");
    // A loop of the shell is shortened inside.
    let parts: Vec<String> = command.split("; ").map(|part| one(part.trim())).collect();
    parts.join("; ")
}

fn one(command: &str) -> String {
    let (before, words) = match command.strip_prefix("do ") {
        Some(rest) => ("do ", rest),
        None => ("", command),
    };
    let mut words: Vec<String> = words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    if words.first().is_none_or(|word| word != "maxout") {
        return command.to_owned();
    }
    for (option, most) in LIMITS {
        if let Some(number) = words.iter().position(|word| word == option).and_then(|at| words.get_mut(at + 1))
            && number.parse::<f64>().is_ok_and(|number| number > most)
        {
            *number = most.to_string();
        }
    }
    let plays = match words.get(1).map(String::as_str) {
        None => {
            words.push("play".to_owned());
            true
        }
        Some(word)
            if word.ends_with(".nes") || (word.starts_with("--") && !["--help", "--version"].contains(&word)) =>
        {
            words.insert(1, "play".to_owned());
            true
        }
        Some("play" | "dump") => true,
        Some("validate") => {
            set(&mut words, "--frames", "1500");
            false
        }
        Some("render") => {
            set(&mut words, "--record-from", "1400");
            false
        }
        Some("simulate" | "compare") => {
            set(&mut words, "--games", "2");
            set(&mut words, "--until", &format!("pieces:{PIECES}"));
            false
        }
        Some("bench-formats") => {
            set(&mut words, "--games", "1");
            set(&mut words, "--formats", "30hz/0");
            set(&mut words, "--require", "0");
            // Its games are short.
            set(&mut words, "--evaluator", "el-tetris");
            false
        }
        // It searches nothing.
        Some("tas") if words.iter().any(|word| word == "--merge") => false,
        Some("tas") => {
            set(&mut words, "--goal", "score:20000");
            set(&mut words, "--width", "40");
            set(&mut words, "--menu-delay", "0");
            false
        }
        Some("train") if words.get(2).is_some_and(|kind| kind == "join") => false,
        Some("train") => {
            set(&mut words, "--minutes", "0.01");
            if words.get(2).is_some_and(|kind| kind == "pso") {
                set(&mut words, "--games", "2");
                set(&mut words, "--particles", "3");
            }
            false
        }
        // They wait for an emulator, and for clients: only their options are looked at.
        Some("drive" | "serve") => {
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.insert(end, "--help".to_owned());
            false
        }
        Some(_) => false,
    };
    if plays && !words.iter().any(|word| word == "--help") {
        shorter_game(&mut words);
    }
    format!("{before}{}", words.join(" "))
}

fn shorter_game(words: &mut Vec<String>) {
    let goal = words.iter().position(|word| word == "--until").map(|at| words[at + 1].clone());
    let short = goal.is_some_and(|goal| {
        let number = goal.split(':').nth(1).and_then(|number| number.parse::<u64>().ok());
        (goal.starts_with("pieces:") && number < Some(100)) || (goal.starts_with("frames:") && number <= Some(FRAMES))
    });
    if !short && !words.iter().any(|word| word == "--target-score") {
        set(words, "--until", &format!("frames:{FRAMES}"));
    }
    let has_console = words.iter().any(|word| word == "--console" || word.ends_with(".nes"));
    let has_picture = words.iter().any(|word| word == "--record" || word == "--screenshot");
    if !has_console && !has_picture {
        set(words, "--console", "simulated");
    }
    if words[1] == "play" {
        set(words, "--view", "none");
    }
}

/// Gives an option this value, before what the shell does with the output.
fn set(words: &mut Vec<String>, option: &str, value: &str) {
    match words.iter().position(|word| word == option) {
        Some(at) => words[at + 1] = value.to_owned(),
        None => {
            let end = words.iter().position(|word| [">", "|"].contains(&word.as_str())).unwrap_or(words.len());
            words.splice(end..end, [option.to_owned(), value.to_owned()]);
        }
    }
}

#[test]
fn numbers_become_smaller_and_nothing_else_changes() {
    for (written, run) in [
        ("maxout", "maxout play --until frames:1500 --console simulated --view none"),
        ("cargo run --release -- rom a.nes", "maxout rom a.nes"),
        ("maxout a.nes", "maxout play a.nes --until frames:1500 --view none"),
        ("maxout --seed 3", "maxout play --seed 3 --until frames:1500 --console simulated --view none"),
        ("maxout --version", "maxout --version"),
        (
            "maxout play --until pieces:60 --json",
            "maxout play --until pieces:60 --json --console simulated --view none",
        ),
        ("maxout play --view window --until topout", "maxout play --view none --until frames:1500 --console simulated"),
        ("maxout dump --seed 3 > a", "maxout dump --seed 3 --until frames:1500 --console simulated > a"),
        ("maxout simulate --games 1000 --json", "maxout simulate --games 2 --json --until pieces:20"),
        (
            "for i in 1; do maxout simulate --games 9; done",
            "for i in 1; do maxout simulate --games 2 --until pieces:20; done",
        ),
        ("maxout train td -o a.mxw", "maxout train td -o a.mxw --minutes 0.01"),
        (
            "maxout bench-formats --games 100 --out a",
            "maxout bench-formats --games 1 --out a --formats 30hz/0 --require 0 --evaluator el-tetris",
        ),
        ("maxout validate a.nes", "maxout validate a.nes --frames 1500"),
        ("maxout play --help", "maxout play --help"),
    ] {
        assert_eq!(shorter(written), run);
    }
}

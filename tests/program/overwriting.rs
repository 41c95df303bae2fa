//! What the program never overwrites: what it reads, files of another kind, and old files of a run
//! that does not start.

mod locks;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn program(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn maxout(arguments: &[&str], folder: &Path) -> Output {
    program(arguments, folder).output().expect("the program starts")
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The exit code is this one, and in case of 2 there is one line of words.
fn ends(arguments: &[&str], folder: &Path, code: i32) -> String {
    let output = maxout(arguments, folder);
    let error = error_of(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(code != 2 || error.lines().count() == 1, "{arguments:?}: {error}");
    error
}

/// The names of a folder with the content of each file.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    all.sort();
    all
}

/// Files to read, made once.
struct Sources(TempDir);

impl Sources {
    fn make() -> Sources {
        let sources = Sources(tempfile::tempdir().expect("a folder"));
        let folder = sources.0.path();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let copy = |from: &str, to: &str| fs::copy(root.join(from), folder.join(to)).expect("copied");
        copy("crates/console/maxout.nes", "rom");
        copy("config/default.toml", "config");
        copy("config/rammap/tetris-ntsc.toml", "map");
        copy("config/weights/el-tetris.toml", "weights");
        copy("config/patterns/zigzag.png", "picture");
        copy("config/schedules/learned.toml", "schedule");
        copy("docs/examples/easy.txt", "field");
        let play = ["play", "--console", "simulated", "--view", "none", "--until", "frames:9", "--exit"];
        ends(&[&play[..], &["--log", "log.csv", "--movie", "movie.fm2"]].concat(), folder, 0);
        ends(&["simulate", "--games", "1", "--until", "pieces:3", "--csv", "games.csv"], folder, 0);
        fs::rename(folder.join("log.csv"), folder.join("log")).expect("renamed");
        fs::rename(folder.join("movie.fm2"), folder.join("movie")).expect("renamed");
        fs::rename(folder.join("games.csv"), folder.join("games")).expect("renamed");
        sources
    }

    fn put(&self, source: &str, place: &Path) {
        fs::copy(self.0.path().join(source), place).expect("copied");
    }
}

/// A command with the flags by which it reads and writes files. `@` stands for the file.
struct Case {
    command: &'static [&'static str],
    /// The file to read, and its arguments.
    reads: &'static [(&'static str, &'static [&'static str])],
    /// The ending of the file to write, and its arguments.
    writes: &'static [(&'static str, &'static [&'static str])],
}

const CASES: [Case; 16] = [
    Case {
        command: &["play", "--view", "none", "--until", "frames:3"],
        reads: &[
            ("rom", &["@"]),
            ("rom", &["--console", "@"]),
            ("config", &["--config", "@"]),
            ("map", &["--map", "@"]),
            ("weights", &["--weights", "@"]),
            ("picture", &["--filter", "pattern:@"]),
        ],
        writes: &[
            ("csv", &["--log", "@"]),
            ("bk2", &["--movie", "@"]),
            ("html", &["--report", "@"]),
            ("svg", &["--screenshot", "@"]),
            ("png", &["--record", "@"]),
        ],
    },
    Case {
        command: &["drive", "fceux", "--view", "none", "--until", "frames:3"],
        reads: &[("rom", &["@"])],
        writes: &[("csv", &["--log", "@"])],
    },
    Case {
        command: &["drive", "--stdio", "--until", "frames:3"],
        reads: &[("config", &["--config", "@"]), ("map", &["--map", "@"]), ("weights", &["--weights", "@"])],
        writes: &[("csv", &["--log", "@"]), ("html", &["--report", "@"]), ("png", &["--record", "@"])],
    },
    Case {
        command: &["dump", "--until", "frames:3"],
        reads: &[("rom", &["@"]), ("config", &["--config", "@"]), ("weights", &["--weights", "@"])],
        writes: &[("csv", &["-o", "@"]), ("jsonl", &["--output", "@"])],
    },
    Case {
        command: &["render", "--from", "csv"],
        reads: &[("log", &["@"]), ("rom", &["log", "@"]), ("map", &["log", "--map", "@"])],
        writes: &[("gif", &["-o", "@"]), ("png", &["--record", "@"])],
    },
    Case {
        command: &["report", "--from", "csv"],
        reads: &[("log", &["@"]), ("rom", &["log", "@"]), ("map", &["log", "--map", "@"])],
        writes: &[("html", &["-o", "@"])],
    },
    Case {
        command: &["convert", "--from", "csv"],
        reads: &[("log", &["@"]), ("map", &["log", "--map", "@"]), ("rom", &["log", "--console", "@"])],
        writes: &[("fm2", &["@"]), ("bk2", &["-o", "@"]), ("jsonl", &["-o", "@"])],
    },
    Case {
        command: &["trace", "record", "--frames", "3"],
        reads: &[("movie", &["--movie", "@"]), ("rom", &["--console", "@"])],
        writes: &[("trace", &["@"]), ("trace", &["-o", "@"])],
    },
    Case {
        command: &["simulate", "--games", "1", "--until", "pieces:3"],
        reads: &[
            ("config", &["--config", "@"]),
            ("weights", &["--weights", "@"]),
            ("picture", &["--filter", "pattern:@"]),
        ],
        writes: &[("csv", &["--csv", "@"]), ("svg", &["--plot", "@"])],
    },
    Case {
        command: &["compare", "--games", "1", "--until", "pieces:3", "dellacherie"],
        reads: &[("config", &["dellacherie", "--config", "@"]), ("weights", &["@"]), ("weights", &["el-tetris:@"])],
        writes: &[("svg", &["--plot", "@"])],
    },
    Case {
        command: &["merge"],
        reads: &[("games", &["@"])],
        writes: &[("csv", &["--csv", "@"]), ("png", &["--plot", "@"])],
    },
    Case {
        command: &["bench-formats", "--formats", "30hz/0", "--games", "1"],
        reads: &[("config", &["--config", "@"]), ("weights", &["--weights", "@"])],
        writes: &[("md", &["--report", "@"])],
    },
    Case {
        command: &["train", "pso", "--evaluator", "el-tetris", "--particles", "2", "--games", "1", "--iterations", "1"],
        reads: &[("weights", &["--start", "@"])],
        writes: &[
            ("toml", &["--output", "@"]),
            ("toml", &["--output", "w.toml", "--checkpoint", "@"]),
            ("csv", &["--output", "w.toml", "--curve", "@"]),
            ("svg", &["--output", "w.toml", "--plot", "@"]),
        ],
    },
    Case {
        command: &["train", "td"],
        reads: &[("schedule", &["--schedule", "@"])],
        writes: &[
            ("mxw", &["--output", "@"]),
            ("ckpt", &["--output", "w.mxw", "--checkpoint", "@"]),
            ("csv", &["--output", "w.mxw", "--curve", "@"]),
        ],
    },
    Case {
        command: &["analyze", "--playouts", "2"],
        reads: &[("field", &["@"])],
        writes: &[("svg", &["--picture", "@"]), ("png", &["--picture", "@"])],
    },
    Case { command: &["rom"], reads: &[("rom", &["@"])], writes: &[("nes", &["--write", "@"])] },
];

fn filled(arguments: &[&str], name: &str) -> Vec<String> {
    arguments.iter().map(|argument| argument.replace('@', name)).collect()
}

#[test]
fn no_command_overwrites_a_file_that_it_reads_under_any_name() {
    let sources = Sources::make();
    let mut tried = 0;
    for Case { command, reads, writes } in &CASES {
        for (source, read) in *reads {
            for (ending, write) in *writes {
                for name in ["same", "link", "hard"] {
                    let folder = tempfile::tempdir().expect("a folder");
                    let folder = folder.path();
                    // What else a command needs to read.
                    sources.put("log", &folder.join("log"));
                    let (read_name, written_name) = (format!("same.{ending}"), format!("{name}.{ending}"));
                    sources.put(source, &folder.join(&read_name));
                    match name {
                        "hard" => fs::hard_link(folder.join(&read_name), folder.join(&written_name)).expect("linked"),
                        #[cfg(unix)]
                        "link" => std::os::unix::fs::symlink(&read_name, folder.join(&written_name)).expect("linked"),
                        #[cfg(not(unix))]
                        "link" => continue,
                        _ => {}
                    }
                    let before = contents(folder);
                    let command = command.iter().map(|word| (*word).to_owned());
                    let line: Vec<String> =
                        command.chain(filled(read, &read_name)).chain(filled(write, &written_name)).collect();
                    let line: Vec<&str> = line.iter().map(String::as_str).chain(["--overwrite"]).collect();
                    // A ROM is written to a new file only: there is no flag that allows more.
                    let line = if line[0] == "rom" { &line[..line.len() - 1] } else { &line[..] };
                    let error = ends(line, folder, 2);
                    let words = if name == "same" { "are both" } else { "are the same file" };
                    assert!(error.contains(words) && error.contains("read and written"), "{line:?}: {error}");
                    assert!(contents(folder) == before, "{line:?} has changed a file");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 150 || cfg!(not(unix)), "{tried}");
}

#[test]
fn discover_keeps_the_rom_that_it_searches() {
    let folder = tempfile::tempdir().expect("a folder");
    Sources::make().put("rom", &folder.path().join("game.nes"));
    let before = contents(folder.path());
    let error = ends(&["discover", "game.nes", "-o", "game.nes", "--overwrite"], folder.path(), 2);
    assert!(error.contains("the ROM and --output are both game.nes"), "{error}");
    assert!(contents(folder.path()) == before);
}

#[test]
fn no_file_is_written_twice_under_any_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("there.csv"), "").expect("written");
    fs::hard_link(folder.join("there.csv"), folder.join("hard.csv")).expect("linked");
    #[cfg(unix)]
    std::os::unix::fs::symlink("new.csv", folder.join("link.csv")).expect("linked");
    #[cfg(not(unix))]
    fs::copy(folder.join("there.csv"), folder.join("link.csv")).expect("copied");
    let before = contents(folder);
    let play = |more: &[&str]| ends(&[&["play", "--view", "none", "--until", "frames:3"], more].concat(), folder, 2);
    assert!(play(&["--log", "a.csv", "--log", "a.csv"]).contains("--log a.csv is given twice"));
    assert!(play(&["--log", "a.csv", "--movie", "a.csv"]).contains("--log and --movie are both a.csv"));
    for (one, other) in [("a.csv", "./a.csv"), ("there.csv", "hard.csv"), ("link.csv", "new.csv")] {
        if cfg!(unix) || one != "link.csv" {
            assert!(play(&["--log", one, "--log", other]).contains("the same file; give each its own"), "{other}");
        }
    }
    let simulate = ["simulate", "--games", "1", "--csv", "a.svg", "--plot", "./a.svg", "--until", "pieces:3"];
    assert!(ends(&simulate, folder, 2).contains("the same file"));
    assert!(contents(folder) == before);
}

/// Commands that write one file `@` of a kind, with its ending.
const WRITERS: [(&str, &[&str]); 26] = [
    ("csv", &["play", "--log", "@"]),
    ("csv.gz", &["play", "--log", "@"]),
    ("jsonl", &["play", "--log", "@"]),
    ("jsonl.gz", &["play", "--log", "@"]),
    ("fm2", &["play", "--movie", "@"]),
    ("fm2.gz", &["play", "--movie", "@"]),
    ("bk2", &["play", "--movie", "@"]),
    ("r08", &["play", "--movie", "@"]),
    ("ngf", &["play", "--movie", "@"]),
    ("html", &["play", "--report", "@"]),
    ("svg", &["play", "--screenshot", "@"]),
    ("png", &["play", "--screenshot", "@"]),
    ("gif", &["play", "--record", "@"]),
    ("png", &["play", "--record", "@"]),
    ("csv", &["dump", "--output", "@"]),
    ("fm2", &["convert", "log.csv", "@"]),
    ("jsonl", &["convert", "log.csv", "@"]),
    ("ngf", &["convert", "log.csv", "--console", "simulated", "@"]),
    ("html", &["report", "log.csv", "-o", "@"]),
    ("gif", &["render", "log.csv", "--console", "simulated", "-o", "@"]),
    ("trace", &["trace", "record", "--frames", "3", "--console", "simulated", "@"]),
    ("csv", &["simulate", "--games", "2", "--until", "pieces:3", "--csv", "@"]),
    ("md", &["bench-formats", "--formats", "30hz/0", "--games", "1", "--evaluator", "el-tetris", "--report", "@"]),
    ("png", &["analyze", "field", "--playouts", "2", "--picture", "@"]),
    ("svg", &["compare", "el-tetris", "dellacherie", "--games", "2", "--until", "pieces:3", "--plot", "@"]),
    (
        "toml",
        &[
            "train",
            "pso",
            "--evaluator",
            "el-tetris",
            "--particles",
            "2",
            "--games",
            "1",
            "--iterations",
            "1",
            "--until",
            "pieces:3",
            "-o",
            "@",
        ],
    ),
];

/// The arguments of a writer, with what makes its game short.
fn writer<'a>(arguments: &'a [&'a str], path: &'a str) -> Vec<&'a str> {
    let is_game = matches!(arguments[0], "play" | "dump");
    let short = ["--console", "simulated", "--view", "none", "--until", "frames:9"];
    let filled = arguments.iter().map(|word| if *word == "@" { path } else { *word });
    filled.chain(short.into_iter().filter(|_| is_game)).collect()
}

#[test]
fn only_a_file_of_the_same_kind_is_replaced_unless_the_user_says_so() {
    let sources = Sources::make();
    let foreign: [(&str, Vec<u8>); 4] = [
        ("a NES ROM", fs::read(sources.0.path().join("rom")).expect("a ROM")),
        ("another text", b"[bot]\nseed = 7\n".to_vec()),
        ("a JPEG picture", b"\xFF\xD8\xFF\xE0 holiday".to_vec()),
        ("a ZIP archive", b"PK\x03\x04\x14\0\0\0\x08\0 thesis.docx".to_vec()),
    ];
    for (ending, arguments) in WRITERS {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        sources.put("log", &folder.join("log.csv"));
        sources.put("field", &folder.join("field"));
        let name = format!("out.{ending}");
        let line = writer(arguments, &name);
        for (what, content) in &foreign {
            fs::write(folder.join(&name), content).expect("written");
            let before = contents(folder);
            let error = ends(&line, folder, 2);
            assert!(error.contains(&format!("found {what}; ")) && error.contains("--overwrite"), "{line:?}: {error}");
            assert!(contents(folder) == before, "{line:?} has changed a file");
        }
        ends(&[&line[..], &["--overwrite"]].concat(), folder, 0);
        let written = fs::read(folder.join(&name)).expect("written");
        assert!(foreign.iter().all(|(_, content)| *content != written), "{line:?}");
        // Its own kind is replaced, and so is an empty file.
        let again = |line: &[&str]| {
            // The checkpoint of a training is never replaced by a new one.
            let _ = fs::remove_file(folder.join("out.checkpoint.toml"));
            ends(line, folder, 0);
            assert!(!fs::read(folder.join(&name)).expect("written").is_empty() || ending == "r08", "{line:?}");
        };
        again(&line);
        fs::write(folder.join(&name), "").expect("written");
        again(&line);
    }
}

/// What a run would continue is not replaced, even with `--overwrite`; with an empty file it begins.
#[test]
fn a_checkpoint_is_no_place_for_another_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let pso = ["train", "pso", "--evaluator", "el-tetris", "--particles", "2", "--games", "1", "--iterations", "1"];
    let lines = [
        &["tas", "--minutes", "0.0001", "--checkpoint", "file"][..],
        &["tas", "--minutes", "0.0001", "--plan", "--parts", "--checkpoint", "file"],
        &["tas", "--minutes", "0.0001", "--plan", "--parts", "--lists", "file"],
        &["train", "td", "--minutes", "0.0001", "-o", "w.mxw", "--checkpoint", "file"],
        &[&pso[..], &["--until", "pieces:3", "-o", "w.toml", "--checkpoint", "file"]].concat(),
    ];
    for line in lines {
        fs::write(folder.join("file"), "[bot]\nseed = 7\n").expect("written");
        let before = contents(folder);
        for more in [&[][..], &["--overwrite"]] {
            let error = ends(&[line, more].concat(), folder, 2);
            assert!(error.ends_with("found another text; give another name\n"), "{line:?}: {error}");
        }
        assert!(contents(folder) == before, "{line:?} has changed a file");
        fs::write(folder.join("file"), "").expect("written");
        let output = maxout(line, folder);
        assert_ne!(output.status.code(), Some(2), "{line:?}: {}", error_of(&output));
    }
}

#[test]
fn a_log_has_a_known_ending_or_a_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let play = ["play", "--console", "simulated", "--view", "none", "--until", "frames:3"];
    for name in ["mine.nes", "game", "game.txt", "game.gz", "csv"] {
        for flags in [&["--log"][..], &["--movie"]] {
            let error = ends(&[&play[..], flags, &[name]].concat(), folder, 2);
            assert!(error.contains(name) && error.contains(".jsonl") && error.contains("--format"), "{error}");
        }
        let error = ends(&["dump", "--console", "simulated", "--until", "frames:3", "-o", name], folder, 2);
        assert!(error.contains(name) && error.contains("--format"), "{error}");
    }
    assert!(contents(folder).is_empty());
    ends(&[&play[..], &["--log", "game", "--format", "jsonl"]].concat(), folder, 0);
    ends(&[&play[..], &["--log", "game.gz", "--format", "csv"]].concat(), folder, 0);
    let read = |name: &str| fs::read(folder.join(name)).expect("written");
    assert!(read("game").starts_with(b"{\"format\"") && read("game.gz").starts_with(b"\x1F\x8B"));
    if cfg!(unix) {
        ends(&[&play[..], &["--log", "/dev/null"]].concat(), folder, 0);
        let output = maxout(&[&play[..], &["--log", "/dev/stdout"]].concat(), folder);
        assert!(output.stdout.starts_with(b"# format: maxout-log"), "{output:?}");
    }
}

/// A name says what the file will be: `-` where nothing goes to standard output, `.gz` where nothing is packed.
#[test]
fn no_file_gets_a_name_that_misleads() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for arguments in [
        &["tas", "--result"][..],
        &["tas", "--checkpoint"],
        &["train", "td", "-o"],
        &["train", "pso", "--evaluator", "el-tetris", "-o"],
        &["train", "pso", "--evaluator", "el-tetris", "-o", "w.toml", "--curve"],
        &["bench-formats", "--report"],
        &["trace", "record"],
        &["play", "--report"],
        &["grade", "game.csv", "--report"],
    ] {
        let error = ends(&[arguments, &["-"]].concat(), folder, 2);
        assert!(error.contains("needs a file: give a name in place of -"), "{arguments:?}: {error}");
    }
    let games = ["simulate", "--evaluator", "el-tetris", "--games", "1", "--until", "pieces:9"];
    for arguments in [&games[..], &["play", "--report"], &["trace", "record"], &["bench-formats", "--report"]] {
        let flag = if arguments == games { &["--csv"][..] } else { &[] };
        let error = ends(&[arguments, flag, &["x.csv.gz"]].concat(), folder, 2);
        assert!(error.contains("does not end in .gz"), "{arguments:?}: {error}");
    }
    assert!(contents(folder).is_empty());
}

#[test]
fn an_old_file_survives_a_run_that_never_starts_and_no_new_one_is_left() {
    let sources = Sources::make();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    sources.put("log", &folder.join("log.csv"));
    sources.put("games", &folder.join("games.csv"));
    fs::write(folder.join("text.nes"), "hello, world").expect("written");
    fs::write(folder.join("text.toml"), "hello = 2\n").expect("written");
    fs::write(folder.join("text.fm2"), "hello\n").expect("written");
    fs::write(folder.join("none.csv"), "call,buttons\n").expect("written");
    fs::write(folder.join("few.csv"), "call,buttons\n0,00\n").expect("written");
    let log = fs::read_to_string(folder.join("log.csv")).expect("a log");
    let row = log.lines().count() - 3;
    let broken: Vec<&str> = log.lines().enumerate().filter(|(at, _)| *at != row).map(|(_, line)| line).collect();
    fs::write(folder.join("broken.csv"), broken.join("\n") + "\n").expect("written");
    let keeps: [(&str, &[&str]); 6] = [
        ("keep.csv", &["play", "--log", "@"]),
        ("keep.html", &["play", "--report", "@"]),
        ("keep.gif", &["play", "--record", "@"]),
        ("keep.bk2", &["play", "--movie", "@"]),
        ("keep.trace", &["trace", "record", "--frames", "3", "--console", "simulated", "@"]),
        ("keep-games.csv", &["simulate", "--games", "1", "--until", "pieces:3", "--csv", "@"]),
    ];
    for (name, arguments) in keeps {
        ends(&writer(arguments, name), folder, 0);
    }
    let play: &[&str] = &["play", "--until", "frames:3", "--log", "keep.csv", "--report", "keep.html"];
    let play = &[play, &["--record", "keep.gif", "--movie", "keep.bk2", "--movie", "new.r08"]].concat()[..];
    let without = |more: &[&'static str]| [play, &["--view", "none"], more].concat();
    let cases = [
        without(&["--movie", "/nonexistent/a.fm2"]),
        without(&["--screenshot", "/nonexistent/a.png"]),
        without(&["--record", "/nonexistent/a.gif"]),
        without(&["--report", "/nonexistent/a.html"])[..].iter().copied().filter(|word| *word != "keep.html").collect(),
        without(&["text.nes"]),
        without(&["no-such.nes"]),
        without(&["--map", "text.toml"]),
        without(&["--config", "text.toml"]),
        without(&["--weights", "text.toml"]),
        without(&["--filter", "pattern:text.toml"]),
        without(&["--record", "film.mp4"]),
        without(&["--player", "exec:/no/such/player"]),
        without(&["--player", "exec:false"]),
        without(&["--input", "teleport"]),
        without(&["--console", "simulated", "--record-overlay", "off"]),
        [play, &["--view", "terminal"]].concat(),
        [play, &["--view", "screen"]].concat(),
        vec!["dump", "--output", "keep.csv", "--player", "exec:/no/such/player"],
        vec!["dump", "--output", "keep.csv", "text.nes"],
        vec!["simulate", "--csv", "keep-games.csv", "--plot", "/nonexistent/a.svg"],
        vec!["simulate", "--csv", "keep-games.csv", "--player", "exec:/no/such/player"],
        vec!["simulate", "--csv", "keep-games.csv", "--weights", "text.toml"],
        vec!["merge", "games.csv", "nothing.csv", "--csv", "keep-games.csv"],
        vec!["convert", "text.fm2", "keep.csv"],
        vec!["report", "none.csv", "-o", "keep.html"],
        vec!["report", "few.csv", "-o", "keep.html"],
        vec!["report", "broken.csv", "-o", "keep.html"],
        vec!["report", "text.fm2", "-o", "keep.html"],
        vec!["render", "text.fm2", "-o", "keep.gif"],
        vec!["render", "log.csv", "-o", "keep.gif", "--console", "text.nes"],
        vec!["trace", "record", "keep.trace", "--movie", "text.fm2"],
        vec!["trace", "record", "keep.trace", "--console", "text.nes"],
    ];
    let before = contents(folder);
    // A run in which nothing is filmed.
    ends(&["render", "log.csv", "-o", "keep.gif", "--record-from", "9999", "--console", "simulated"], folder, 2);
    assert!(contents(folder) == before, "the old film is gone");
    for line in cases {
        let line: Vec<&str> = match line.iter().position(|word| *word == "--report") {
            // The flag takes one file.
            Some(at) if line.get(at + 1) == Some(&"--record") => {
                line[..at].iter().chain(&line[at + 1..]).copied().collect()
            }
            _ => line,
        };
        let output = program(&line, folder).env("PATH", "/nonexistent").output().expect("the program starts");
        let error = error_of(&output);
        let code = output.status.code();
        assert!(
            code == Some(2) || (code == Some(1) && line.iter().any(|word| word.starts_with("exec:"))),
            "{line:?}: {code:?} {error}"
        );
        assert!(error.starts_with("maxout: "), "{line:?}: {error}");
        assert!(contents(folder) == before, "{line:?} has changed a file");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_opened_is_bad_usage_and_one_that_cannot_be_written_a_failed_run() {
    let sources = Sources::make();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    sources.put("log", &folder.join("log.csv"));
    sources.put("field", &folder.join("field"));
    for (ending, arguments) in WRITERS {
        let nowhere = format!("/nonexistent/out.{ending}");
        assert!(ends(&writer(arguments, &nowhere), folder, 2).contains("/nonexistent/"), "{arguments:?}");
        let taken = format!("folder.{ending}");
        fs::create_dir_all(folder.join(&taken)).expect("created");
        assert!(ends(&writer(arguments, &taken), folder, 2).contains(&taken), "{arguments:?}");
        // The device gives everybody the error of a full disk.
        let full = format!("full.{ending}");
        let _ = fs::remove_file(folder.join(&full));
        std::os::unix::fs::symlink("/dev/full", folder.join(&full)).expect("linked");
        let checkpoint = ["--checkpoint", "good.checkpoint", "--curve", "good.csv"];
        let others: &[&str] = if arguments[0] == "train" { &checkpoint } else { &[] };
        // A PNG film changes what it has written, which is known before the run.
        let is_film = ending == "png" && arguments.contains(&"--record");
        let (code, words) = if is_film { (2, "found a pipe or a device") } else { (1, "No space left") };
        let error = ends(&[&writer(arguments, &full)[..], others].concat(), folder, code);
        assert!(error.contains(&full) && error.contains(words), "{arguments:?}: {error}");
        assert!(folder.join(&full).is_symlink());
    }
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept_and_nothing_lies_beside() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sources = Sources::make();
    for (ending, arguments) in WRITERS {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        sources.put("log", &folder.join("log.csv"));
        sources.put("field", &folder.join("field"));
        fs::create_dir(folder.join("inner")).expect("created");
        let (link, file) = (format!("link.{ending}"), folder.join(format!("inner/file.{ending}")));
        symlink(format!("inner/file.{ending}"), folder.join(&link)).expect("linked");
        let line = writer(arguments, &link);
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        ends(&line, folder, 0);
        assert!(folder.join(&link).is_symlink() && file.is_file(), "{line:?}");
        assert_eq!(mode(&file), mode(&folder.join("log.csv")), "{line:?}: not as an ordinary file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        let _ = fs::remove_file(folder.join("link.checkpoint.toml"));
        ends(&line, folder, 0);
        assert!(folder.join(&link).is_symlink() && mode(&file) == 0o640, "{line:?}");
        let names: Vec<String> = contents(&folder.join("inner")).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [format!("file.{ending}")], "{line:?}");
    }
}

//! The documentation is right: every command in it runs, every link leads somewhere.
#![cfg(unix)]

mod page;
mod shorter;

use crate::skipped;
use page::{Shown, agrees, commands};
use shorter::shorter;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use std::{env, fs};

/// Commands that are not run here, each with the reason.
const NOT_RUN: [(&str, &str); 14] = [
    ("cargo test", "this is it"),
    ("cargo test -p maxout-formats faults -- --include-ignored", "a part of the long proofs"),
    ("cargo test --test console fceux -- --ignored", "a part of the long proofs"),
    ("cargo test --test program fceux -- --include-ignored", "a part of the long proofs"),
    ("cargo test --test console differential -- --include-ignored", "a part of the long proofs"),
    ("cargo run --release -p maxout-host --example latency", "a measurement"),
    ("cargo install --path . --locked", "a release build; .ci/run runs it"),
    ("cargo build --release -p maxout-libretro", "a release build; .ci/libretro tests another one"),
    ("cargo build --no-default-features", "a build; .ci/features checks it"),
    (
        "maxout tas --improve old.fm2 --movie faster.fm2",
        "it needs a game that is not the fastest; a test of tas has one",
    ),
    ("cargo bench -p maxout-benches --bench play", "a measurement; the test below checks that it exists"),
    ("cargo bench -p maxout-benches --bench views", "a measurement; the test below checks that it exists"),
    ("cargo bench -p maxout-benches --bench step", "a measurement; the test below checks that it exists"),
    ("cargo bench -p maxout-benches --bench movegen", "a measurement; the test below checks that it exists"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README, guide and the pages that belong to them, relative to the root.
fn pages() -> Vec<PathBuf> {
    let guide = fs::read_dir(root().join("docs")).expect("docs").map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = guide
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| path.strip_prefix(root()).expect("inside").to_owned())
        .chain(["README.md", "roms-README.md"].map(PathBuf::from))
        .collect();
    pages.sort();
    pages
}

fn text_of(page: &Path) -> String {
    fs::read_to_string(root().join(page)).expect("a page")
}

/// A folder with the files that commands name, as a user has them.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let copy = |from: &str, to: &str| {
        fs::create_dir_all(at(to).parent().expect("a folder")).expect("a folder");
        fs::copy(root().join(from), at(to)).expect("a copy");
    };
    for rom in ["tetris.nes", "path/to/tetris.nes", "roms/tetris.nes"] {
        copy("crates/console/maxout.nes", rom);
    }
    copy("config/rammap/tetris-ntsc.toml", "hack.toml");
    let mut hack = fs::read(root().join("crates/console/maxout.nes")).expect("the cartridge");
    // A byte of the graphics: an unknown ROM that plays like the known one.
    *hack.last_mut().expect("a file") ^= 1;
    fs::write(at("hack.nes"), hack).expect("a ROM");
    copy("docs/examples/player.py", "docs/examples/player.py");
    for position in ["easy", "tuck", "dirty"] {
        let name = format!("docs/examples/{position}.txt");
        copy(&name, &name);
    }
    copy("config/patterns/zigzag.png", "config/patterns/zigzag.png");
    copy("config/weights/birken-v2-trained.toml", "config/weights/birken-v2-trained.toml");
    for schedule in ["speeds-1", "killscreen", "double", "slow"] {
        let name = format!("config/schedules/{schedule}.toml");
        copy(&name, &name);
    }
    let trace = "tests/golden/d05_level19_bot.trace.zst";
    copy(trace, trace);
    fs::write(at("my.toml"), "[bot]\nseed = 4\n").expect("settings");
    let made = run(folder.path(), "maxout play --console simulated --view none --until frames:1500 --log game.csv");
    assert!(made.status.success(), "{made:?}");
    folder
}

/// Runs a line of the shell in a folder, with `maxout` on the path.
fn run(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_maxout")).parent().expect("a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [program.to_owned()].into_iter().chain(env::split_paths(&path));
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", env::join_paths(paths).expect("a path"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

fn is_run(shown: &Shown) -> bool {
    NOT_RUN.iter().all(|(command, _)| *command != shown.command)
}

/// Runs every command of a page from top to bottom in one folder. Each must end with exit code 0.
fn run_page(name: &str) {
    let text = text_of(Path::new(name));
    let folder = prepared();
    for shown in commands(&text).iter().filter(|shown| is_run(shown)) {
        if shown.command.contains("python3") && skipped::program("python3").is_none() {
            continue;
        }
        let line = shorter(&shown.command);
        let started = Instant::now();
        let output = run(folder.path(), &line);
        // `cargo test documents -- --nocapture` shows which command is slow.
        eprintln!("{:6.1} s  {line}", started.elapsed().as_secs_f64());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}:{}: {}\nrun as: {line}\n{error}", shown.line, shown.command);
    }
}

macro_rules! pages {
    ($($(#[$attribute:meta])? $test:ident: $page:literal),* $(,)?) => {
        /// The pages whose commands are run.
        const RUN: &[&str] = &[$($page),*];
        $(#[test]
        $(#[$attribute])?
        fn $test() {
            run_page($page);
        })*
    };
}

pages! {
    the_commands_of_the_readme_run: "README.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_the_rom_page_run: "roms-README.md",
    the_commands_of_the_guide_run: "docs/README.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_playing_run: "docs/playing.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_analysing_run: "docs/analysing.md",
    the_commands_of_crashes_run: "docs/crashes.md",
    the_commands_of_recordings_run: "docs/recordings.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_films_run: "docs/films.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_ram_maps_run: "docs/ram-maps.md",
    the_commands_of_simulating_run: "docs/simulating.md",
    the_commands_of_benchmarks_run: "docs/benchmarks.md",
    the_commands_of_training_run: "docs/training.md",
    #[ignore = "half a minute or more; .ci/run runs it"]
    the_commands_of_tas_run: "docs/tas.md",
    the_commands_of_tas_search_run: "docs/tas-search.md",
    the_commands_of_tas_experiments_run: "docs/tas-experiments.md",
    the_commands_of_external_players_run: "docs/external-players.md",
    the_commands_of_hosts_run: "docs/hosts.md",
    the_commands_of_strength_run: "docs/strength.md",
    the_commands_of_how_it_works_run: "docs/how-it-works.md",
    the_commands_of_fuzzing_run: "docs/fuzzing.md",
    the_commands_of_dependencies_run: "docs/dependencies.md",
    the_commands_of_checks_run: "docs/checks.md",
    the_commands_of_emulators_run: "docs/emulators.md",
    the_commands_of_retroarch_run: "docs/retroarch.md",
    the_commands_of_serving_run: "docs/serving.md",
    the_commands_of_grading_run: "docs/grading.md",
    the_commands_of_analysis_run: "docs/analysis.md",
}

#[test]
fn no_page_is_left_out_and_no_exception_is_idle() {
    let pages = pages();
    assert_eq!(pages.len(), RUN.len(), "{pages:?}");
    assert!(pages.iter().all(|page| RUN.iter().any(|run| Path::new(run) == page)), "{pages:?}");
    let all: Vec<Shown> = pages.iter().flat_map(|page| commands(&text_of(page))).collect();
    assert!(all.len() > 60, "{} commands", all.len());
    for (command, reason) in NOT_RUN {
        assert!(all.iter().any(|shown| shown.command == command), "no page shows {command} ({reason})");
    }
    let manifest = fs::read_to_string(root().join("benches/Cargo.toml")).expect("the manifest");
    for bench in all.iter().filter_map(|shown| shown.command.strip_prefix("cargo bench -p maxout-benches --bench ")) {
        assert!(manifest.contains(&format!("name = \"{bench}\"")), "there is no bench {bench}");
    }
}

/// The output that pages show, word for word: the commands are run as they are written.
#[test]
#[ignore = "plays a whole game on the emulator"]
fn commands_print_what_the_pages_show() {
    let mut compared = 0;
    for page in pages() {
        let folder = prepared();
        for shown in commands(&text_of(&page)).iter().filter(|shown| !shown.output.is_empty()) {
            let output = run(folder.path(), &format!("{{ {}; }} 2>&1", shown.command));
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(agrees(&shown.output, &printed), "{}:{}: {printed}", page.display(), shown.line);
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let others = ["ARCHITECTURE.md", "CONTRIBUTING.md", "cartridge/README.md"].map(PathBuf::from);
    let mut links = 0;
    for page in pages().into_iter().chain(others) {
        let text = text_of(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => root().join(&page),
                file => root().join(&page).parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            let anchors = || anchors(&fs::read_to_string(&target).expect("a page"));
            assert!(heading.is_empty() || anchors().iter().any(|at| at == heading), "{}: {link}", page.display());
        }
    }
    assert!(links > 40, "{links} links");
}

/// The anchors that headings get on the usual sites: lower case, `-` for a blank, no punctuation.
fn anchors(page: &str) -> Vec<String> {
    let heading = |line: &str| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_lowercase());
    let keep = |text: String| {
        text.chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    page.lines().filter_map(heading).map(keep).collect()
}

//! Which room may import which: reads every `crate::` path under `src/` and refuses an edge
//! that is not in the table, so that no cycle can begin.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room, and the rooms that it may import.
const ROOMS: &[(&str, &[&str])] = &[
    ("gamepad", &[]),
    ("toml_line", &[]),
    ("game", &["gamepad"]),
    ("ram", &["game", "gamepad", "toml_line"]),
    ("console", &["game", "gamepad", "ram"]),
    ("movegen", &["game", "gamepad"]),
    ("eval", &["game", "toml_line"]),
    ("value", &["game"]),
    ("planner", &["eval", "game", "gamepad", "movegen", "value"]),
    ("simulate", &["game", "gamepad", "planner"]),
    ("exec", &["game", "gamepad", "movegen", "planner"]),
    ("train", &["eval", "game", "movegen", "planner", "simulate", "toml_line", "value"]),
    ("plot", &["game", "simulate"]),
    ("bot", &["console", "game", "gamepad", "planner", "ram"]),
    ("record", &["bot", "game", "gamepad", "ram", "simulate"]),
    ("survey", &["bot", "console", "eval", "game", "gamepad", "planner", "ram"]),
    ("replay", &["bot", "console", "game", "gamepad", "planner", "ram", "record"]),
    ("film", &[]),
    ("view", &["bot", "console", "game", "gamepad", "planner", "ram"]),
    ("config", &["bot", "eval", "planner", "simulate", "toml_line", "view"]),
    (
        "cli",
        &[
            "bot",
            "config",
            "console",
            "eval",
            "exec",
            "film",
            "game",
            "gamepad",
            "movegen",
            "planner",
            "plot",
            "ram",
            "record",
            "replay",
            "simulate",
            "survey",
            "toml_line",
            "train",
            "value",
            "view",
        ],
    ),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The rooms that a source names in `crate::` paths; groups `crate::{a, b::c}` included.
fn imports(source: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut rooms = BTreeSet::new();
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => {
                rooms.insert(word(rest));
            }
            Some(group) => {
                let mut depth = 1;
                let mut item = String::new();
                for c in group.chars() {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    if depth == 0 || (depth == 1 && c == ',') {
                        rooms.insert(word(item.trim()));
                        item.clear();
                    } else {
                        item.push(c);
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
    }
    rooms.remove("");
    rooms
}

#[test]
fn rooms_import_only_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut edges = 0;
    for file in sources(&root) {
        let inside = file.strip_prefix(&root).expect("below src");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let room = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
        if room == "lib" || room == "main" {
            continue;
        }
        let (_, allowed) =
            ROOMS.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("room {room} is not in the table"));
        for import in imports(&fs::read_to_string(&file).expect("a source")) {
            edges += 1;
            assert!(
                import == room || allowed.contains(&import.as_str()),
                "{} imports {import}, which {room} may not",
                inside.display()
            );
        }
    }
    assert!(edges > 50, "the test reads real imports");
}

#[test]
fn the_table_has_no_cycle() {
    // Each room stands after everything that it imports.
    for (index, (room, allowed)) in ROOMS.iter().enumerate() {
        assert!(ROOMS[..index].iter().all(|(name, _)| name != room), "{room} stands twice");
        for import in *allowed {
            assert!(ROOMS[..index].iter().any(|(name, _)| name == import), "{room} before {import}");
        }
    }
}

#[test]
fn only_what_is_listed_here_writes_ram() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut poking: Vec<_> = sources(&root)
        .into_iter()
        .filter(|file| !file.starts_with(root.join("game")))
        .filter(|file| fs::read_to_string(file).expect("a source").contains(".poke("))
        .collect();
    poking.sort();
    // The simulator deals the pieces of sources other than the game's; the survey of a RAM map
    // experiments; one test of a format makes a state.
    let allowed = [
        "bot/cheat.rs",
        "console/simulated.rs",
        "record/ngf.rs",
        "replay/trace.rs",
        "simulate/cheat.rs",
        "simulate/pieces.rs",
        "survey/recording.rs",
        "survey/tour.rs",
    ];
    assert_eq!(poking, allowed.map(|file| root.join(file)));
}

#[test]
fn only_one_file_names_the_emulator() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let naming: Vec<_> = sources(&root)
        .into_iter()
        .filter(|file| fs::read_to_string(file).expect("a source").contains("tetanes_core::"))
        .collect();
    assert_eq!(naming, [root.join("console/emulator.rs")]);
}

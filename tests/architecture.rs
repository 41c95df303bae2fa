//! What Cargo cannot hold the workspace to: no circle of files inside a crate, an engine without
//! files, clock and threads, one file that names the emulator, a list of who writes RAM.
//!
//! An import counts as an edge from the file that names something to the file that defines it.
//! `pub use` lines, by which a module shows what its children define, are followed and count as
//! no edge of their own. Code under `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders with sources, and the crates of the workspace that each may name.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/engine", &[]),
    ("crates/console", &["engine"]),
    ("crates/formats", &["engine"]),
    ("crates/external", &["engine"]),
    ("crates/host", &["engine"]),
    ("crates/screen", &["engine"]),
    ("crates/lab", &["engine", "formats"]),
    ("crates/serve", &["engine", "formats"]),
    ("crates/libretro", &["console", "engine", "screen"]),
    ("crates/fuzz-targets", &["console", "engine", "external", "formats", "lab", "screen"]),
    (".", &["console", "engine", "external", "formats", "host", "lab", "screen", "serve"]),
];

/// Direct dependencies that the engine may have: more would reach everybody who only wants the rules.
const MOST_ENGINE_DEPENDENCIES: usize = 8;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

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
    files.sort();
    files
}

/// A source without comments, strings and `#[cfg(test)]` items.
fn code_of(source: &str) -> String {
    let mut code = String::new();
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("//") {
            continue;
        }
        if trimmed.starts_with("#[cfg(test)]") {
            // The item ends with its line or with the brace that closes at the same depth.
            let indent = line.len() - trimmed.len();
            let mut first = lines.next().unwrap_or_default();
            while first.trim_start().starts_with("#[") || first.trim_start().starts_with("//") {
                first = lines.next().unwrap_or_default();
            }
            if !first.trim_end().ends_with(';') {
                let end = format!("{}}}", " ".repeat(indent));
                for rest in lines.by_ref() {
                    if rest.starts_with(&end) {
                        break;
                    }
                }
            }
            continue;
        }
        code.push_str(line.split(" // ").next().unwrap_or(line));
        code.push('\n');
    }
    code
}

/// The modules of a crate by their path (`["planner", "think"]`), with their files.
struct Modules {
    files: BTreeMap<Vec<String>, PathBuf>,
    code: BTreeMap<PathBuf, String>,
}

impl Modules {
    fn of(src: &Path) -> Modules {
        let mut files = BTreeMap::new();
        let mut code = BTreeMap::new();
        let mut excluded = BTreeSet::new();
        let all = sources(src);
        for file in &all {
            let text = fs::read_to_string(file).expect("a source");
            // Files that are modules of tests only.
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                if line.trim() == "#[cfg(test)]"
                    && let Some(name) = lines.next().and_then(|next| next.trim().strip_suffix(';'))
                    && let Some(name) = name.rsplit("mod ").next()
                {
                    excluded.insert((module_path(src, file), name.to_owned()));
                }
            }
            code.insert(file.clone(), code_of(&text));
        }
        for file in all {
            let path = module_path(src, &file);
            let test_only =
                (0..path.len()).any(|depth| excluded.contains(&(path[..depth].to_vec(), path[depth].clone())));
            if !test_only {
                files.insert(path, file);
            }
        }
        Modules { files, code }
    }

    /// The file that defines what `path` names, seen from inside the module `from`.
    fn defining(&self, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let mut at: Vec<String> = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            // A path that begins with a child, as in `pub use child::Name`.
            name => {
                let child = [from, &[name.to_owned()]].concat();
                if !self.files.contains_key(&child) {
                    return None;
                }
                child
            }
        };
        let mut rest = &path[1..];
        while let [first, others @ ..] = rest {
            if first == "super" {
                at.pop()?;
            } else {
                let child = [at.as_slice(), std::slice::from_ref(first)].concat();
                if !self.files.contains_key(&child) {
                    break;
                }
                at = child;
            }
            rest = others;
        }
        let Some(name) = rest.first() else { return Some(at) };
        if depth < 8 {
            let code = self.files.get(&at).and_then(|file| self.code.get(file))?;
            for (is_shown, tree) in uses(code) {
                for import in tree {
                    let (shown_as, import) = import;
                    if is_shown
                        && (shown_as == *name || shown_as == "*")
                        && let Some(found) = self.defining(&at, &import, depth + 1)
                        && found != at
                    {
                        return Some(found);
                    }
                }
            }
        }
        Some(at)
    }

    /// The modules whose files this module's file imports from.
    fn imports(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        let code = &self.code[&self.files[module]];
        let mut found = BTreeSet::new();
        let mut add = |path: &[String]| {
            if let Some(target) = self.defining(module, path, 0)
                && target != module
            {
                found.insert(target);
            }
        };
        for (is_shown, tree) in uses(code) {
            for (_, path) in tree.iter().filter(|_| !is_shown) {
                add(path);
            }
        }
        // Paths in the middle of code.
        let without_uses = strip_uses(code);
        for start in ["crate::", "super::", "self::"] {
            for (at, _) in without_uses.match_indices(start) {
                let before = without_uses[..at].chars().next_back();
                if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                    continue;
                }
                let text: String =
                    without_uses[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':').collect();
                let path: Vec<String> = text.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
                add(&path);
            }
        }
        found
    }

    /// Every circle of files, as text.
    fn circles(&self) -> Vec<String> {
        let edges: BTreeMap<_, _> = self.files.keys().map(|module| (module.clone(), self.imports(module))).collect();
        let reachable = |from: &Vec<String>| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<_> = edges[from].iter().collect();
            while let Some(module) = open.pop() {
                if seen.insert(module.clone()) {
                    open.extend(edges.get(module).into_iter().flatten());
                }
            }
            seen
        };
        let reach: BTreeMap<_, _> = edges.keys().map(|module| (module.clone(), reachable(module))).collect();
        let mut told = BTreeSet::new();
        let mut circles = Vec::new();
        for (first, _) in reach.iter().filter(|(module, seen)| seen.contains(*module)) {
            let is_member = |other: &Vec<String>| reach[first].contains(other) && reach[other].contains(first);
            let members: Vec<_> = reach.keys().filter(|other| is_member(other)).collect();
            if !told.insert(members.clone()) {
                continue;
            }
            let mut text = format!("a circle of {} files:", members.len());
            for member in &members {
                let within: Vec<_> = edges[*member]
                    .iter()
                    .filter(|target| members.contains(target))
                    .map(|target| target.join("::"))
                    .collect();
                text += &format!("\n  {} imports {}", member.join("::"), within.join(", "));
            }
            circles.push(text);
        }
        circles
    }
}

fn module_path(src: &Path, file: &Path) -> Vec<String> {
    let inside = file.strip_prefix(src).expect("below src").with_extension("");
    let mut path: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| last == "mod") || (path.len() == 1 && (path[0] == "lib" || path[0] == "main")) {
        path.pop();
    }
    path
}

/// What a `use` names: as what, and its path.
type Named = (String, Vec<String>);

/// The `use` items of a source: is it shown to others (`pub`), and what it names.
fn uses(code: &str) -> Vec<(bool, Vec<Named>)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = &code[code[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        // A word that only ends in `use`, as in `pub enum Cause`, is none.
        let is_pub = line.trim_start().starts_with("pub") && line.ends_with(' ');
        if !(line.trim().is_empty() || is_pub) {
            continue;
        }
        let Some(end) = code[at..].find(';') else { continue };
        let tree = code[at + 4..at + end].split_whitespace().collect::<Vec<_>>().join(" ");
        let mut paths = Vec::new();
        flatten(&tree, &[], &mut paths);
        found.push((is_pub, paths));
    }
    found
}

fn strip_uses(code: &str) -> String {
    let mut rest = String::new();
    let mut inside = false;
    for line in code.lines() {
        let start = line.trim_start();
        inside |= start.starts_with("use ") || (start.starts_with("pub") && start.contains(" use "));
        if !inside {
            rest.push_str(line);
            rest.push('\n');
        }
        inside &= !line.contains(';');
    }
    rest
}

/// `a::{b, c as d}` as (`b`, `a::b`) and (`d`, `a::c`).
fn flatten(tree: &str, before: &[String], paths: &mut Vec<Named>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let prefix: Vec<String> =
            tree[..open].split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let before = [before, &prefix].concat();
        let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == ',' && depth == 0 {
                flatten(&inner[start..at], &before, paths);
                start = at + 1;
            }
        }
        flatten(&inner[start..], &before, paths);
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
        let mut path: Vec<String> =
            [before, &path.split("::").map(|part| part.trim().to_owned()).collect::<Vec<_>>()].concat();
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let name = name.map_or_else(|| path.last().cloned().unwrap_or_default(), |name| name.trim().to_owned());
        if path.last().is_some_and(|last| last == "*") {
            path.pop();
        }
        paths.push((name, path));
    }
}

#[test]
fn no_file_imports_from_a_file_that_imports_from_it() {
    let mut circles = Vec::new();
    let mut edges = 0;
    for (folder, _) in CRATES {
        let modules = Modules::of(&root().join(folder).join("src"));
        edges += modules.files.keys().map(|module| modules.imports(module).len()).sum::<usize>();
        circles.extend(modules.circles().iter().map(|circle| format!("{folder}: {circle}")));
    }
    assert!(edges > 500, "only {edges} imports were read");
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n");
    write("a.rs", "use super::b::B;\npub struct A(B);\n");
    write("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::A;\n}\n");
    write("c.rs", "use crate::{A, b};\n");
    assert!(Modules::of(folder.path()).circles().is_empty());
    // By way of what the crate shows.
    write("b.rs", "pub struct B;\nfn f(_: crate::A) {}\n");
    let circles = Modules::of(folder.path()).circles();
    assert!(circles.len() == 1 && circles[0].starts_with("a circle of 2 files"), "{circles:?}");
}

/// The keys of a table of a manifest.
fn dependencies(folder: &str, table: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    manifest.get(table).and_then(toml::Value::as_table).into_iter().flatten().map(|(key, _)| key.clone()).collect()
}

#[test]
fn crates_name_only_the_layers_below_them() {
    for (folder, allowed) in CRATES {
        let own: Vec<_> = dependencies(folder, "dependencies")
            .iter()
            .filter_map(|name| name.strip_prefix("maxout-").map(str::to_owned))
            .collect();
        assert!(own.iter().all(|name| allowed.contains(&name.as_str())), "{folder} depends on {own:?}");
    }
}

#[test]
fn the_engine_is_small_and_has_no_file_no_clock_and_no_terminal() {
    let found = dependencies("crates/engine", "dependencies");
    assert!(found.len() <= MOST_ENGINE_DEPENDENCIES, "{found:?}");
    for file in sources(&root().join("crates/engine/src")) {
        let code = code_of(&fs::read_to_string(&file).expect("a source"));
        for word in ["std::fs", "std::net", "std::process", "Instant", "SystemTime", "println!", "std::env"] {
            assert!(!code.contains(word), "{} has {word}", file.display());
        }
        let threads = code.contains("thread::") || code.contains("std::thread");
        assert!(
            !threads || code.contains("feature = \"parallel\"") || file.ends_with("parallel.rs"),
            "{}",
            file.display()
        );
    }
}

#[test]
fn only_what_is_listed_here_writes_ram() {
    let mut poking = Vec::new();
    for (folder, _) in CRATES {
        let src = root().join(folder).join("src");
        for file in sources(&src) {
            if !file.starts_with(root().join("crates/engine/src/game"))
                && code_of(&fs::read_to_string(&file).expect("a source")).contains(".poke(")
            {
                poking.push(file.strip_prefix(root()).expect("inside").display().to_string().replace("./", ""));
            }
        }
    }
    poking.sort();
    // The simulator deals the pieces of sources other than the game's; the survey of a RAM map
    // experiments, and its test repeats the pokes of recordings; a trace that is recorded can ask for it.
    let allowed = [
        "crates/engine/src/bot/cheat.rs",
        "crates/engine/src/console/forward.rs",
        "crates/engine/src/console/simulated.rs",
        // A test: high stacks for the steps of the search.
        "crates/engine/src/tas/tests.rs",
        "crates/formats/src/replay/trace.rs",
        // A test: both copies of a simulation get the same bytes.
        "crates/fuzz-targets/src/simulation.rs",
        "crates/lab/src/simulate/cheat.rs",
        "crates/lab/src/simulate/pieces.rs",
        "crates/lab/src/survey/lockstep.rs",
        // A test: the bytes that were written while the original was recorded.
        "crates/lab/src/survey/recorded.rs",
        "crates/lab/src/survey/tour.rs",
        // The cheats of a front end, while no bot plays.
        "crates/libretro/src/machine.rs",
    ];
    assert_eq!(poking, allowed);
}

#[test]
fn unsafe_code_is_forbidden_everywhere_but_in_the_libretro_core() {
    for (folder, _) in CRATES {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        let is_forbidden = manifest.contains("[lints]\nworkspace = true");
        assert_eq!(is_forbidden, *folder != "crates/libretro", "{folder}");
    }
    // There it is allowed in two modules.
    let allowing: Vec<_> = sources(&root().join("crates/libretro/src"))
        .iter()
        .flat_map(|file| fs::read_to_string(file).expect("a source").lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.contains("(unsafe_code"))
        .collect();
    assert_eq!(allowing.len(), 2, "{allowing:?}");
}

#[test]
fn only_one_file_names_the_emulator() {
    let mut naming = Vec::new();
    for (folder, _) in CRATES {
        for file in sources(&root().join(folder).join("src")) {
            if fs::read_to_string(&file).expect("a source").contains("tetanes_core::") {
                naming.push(file);
            }
        }
    }
    assert_eq!(naming, [root().join("crates/console/src/emulator.rs")]);
}

/// What a source embeds: the paths in its `include_bytes!` and `include_str!`.
fn embedded(code: &str) -> Vec<&str> {
    let after = |name: &str| code.split(name).skip(1).filter_map(|rest| rest.split('"').nth(1)).collect::<Vec<_>>();
    [after("include_bytes!("), after("include_str!(")].concat()
}

#[test]
fn a_crate_embeds_files_of_its_own_folder_only() {
    let mut seen = 0;
    for (folder, _) in CRATES {
        let home = root().join(folder).canonicalize().expect("a crate");
        for source in sources(&home.join("src")) {
            let code = fs::read_to_string(&source).expect("a source");
            // Tests may use what their package lacks.
            let code = code.split("#[cfg(test)]").next().unwrap_or_default();
            for path in embedded(code) {
                let file = source.parent().expect("a folder").join(path).canonicalize().expect("an embedded file");
                // The root package has everything but the crates below it.
                let is_own = file.starts_with(&home) && !file.starts_with(home.join("crates"));
                assert!(is_own, "{} embeds {}", source.display(), file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "only {seen} embedded files were found");
}

#[test]
fn both_crates_that_draw_text_have_the_same_font() {
    let read = |folder: &str| {
        let font = root().join(folder).join("DejaVuSans-subset.ttf");
        (
            fs::read(font).expect("a font"),
            fs::read(root().join(folder).join("DejaVuSans-LICENSE.txt")).expect("a licence"),
        )
    };
    assert!(read("crates/screen/font") == read("crates/lab/font"));
}

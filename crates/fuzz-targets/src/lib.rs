//! What the fuzzers call: one function for each reader of files, and one for saving and restoring
//! the simulation.
//!
//! A function takes any bytes. It panics when a promise is broken: what was read is written and read
//! again as the same, a restored simulation goes on like the saved one, an error is one line for
//! people. `fuzz/` gives them to libFuzzer; the program of this crate mutates the files of
//! `fuzz/corpus` on stable Rust.

mod analysed;
mod check;
#[path = "../../../src/config.rs"]
#[allow(dead_code)]
mod config;
pub mod driver;
mod games;
mod learned;
mod logs;
mod movies;
mod packed;
mod patches;
mod pattern;
mod player;
mod roms;
mod runs;
mod settings;
mod simulation;
mod traces;
mod training;

pub use games::STAGES;
pub use patches::{patch, patched};

/// A function that takes any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folders in `fuzz/`.
    pub name: &'static str,
    /// Panics when a promise is broken.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 27] = [
    Target { name: "fm2", run: movies::fm2 },
    Target { name: "bk2", run: movies::bk2 },
    Target { name: "r08", run: movies::r08 },
    Target { name: "ngf", run: analysed::ngf },
    Target { name: "log_csv", run: logs::csv },
    Target { name: "log_jsonl", run: logs::json_lines },
    Target { name: "gzip", run: packed::gzip },
    Target { name: "trace", run: traces::plain },
    Target { name: "trace_zst", run: packed::trace_zst },
    Target { name: "rom", run: roms::image },
    Target { name: "rom_archive", run: roms::archive },
    Target { name: "config", run: settings::config },
    Target { name: "ram_map", run: settings::ram_map },
    Target { name: "weights", run: settings::weights },
    Target { name: "schedule", run: settings::schedule },
    Target { name: "learned_weights", run: learned::weights },
    Target { name: "pattern", run: pattern::picture },
    Target { name: "position", run: analysed::position },
    Target { name: "pso_checkpoint", run: training::pso_checkpoint },
    Target { name: "td_checkpoint", run: training::td_checkpoint },
    Target { name: "games", run: games::rows },
    Target { name: "tas_result", run: games::tas_result },
    Target { name: "tas_stages", run: games::tas_stages },
    Target { name: "player_answer", run: player::answer },
    Target { name: "saved_run", run: runs::saved_run },
    Target { name: "ram", run: simulation::any_ram },
    Target { name: "simulation", run: simulation::save_and_restore },
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// Gives bytes to the target of this name.
///
/// # Panics
/// When there is no such target, or a promise is broken.
pub fn run(name: &str, bytes: &[u8]) {
    (target(name).unwrap_or_else(|| panic!("no target is called {name}")).run)(bytes);
}

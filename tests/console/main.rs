//! The rules model, the emulator and traces of the original console, compared with each other.

mod desync;
mod differential;
mod fceux;
mod foresee;
mod full_recordings;
mod golden_traces;
mod movies;
mod pictures;
mod polled;
mod rebirth;
mod reset;
mod saved_run;
mod survey;
mod uncapped;
mod watchdog;
mod whole_game;

#[path = "../jams/mod.rs"]
mod jams;

#[path = "../skipped/mod.rs"]
mod skipped;

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}

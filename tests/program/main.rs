//! The program as people and scripts use it: its commands, files, views and exit codes.

mod analyze;
mod bench_formats;
mod breaking;
mod cli;
mod cli_replay;
mod cli_rom;
mod cli_simulate;
mod cli_survey;
mod cli_train;
mod crash;
mod documents;
mod drive;
mod external_player;
mod fceux;
mod film;
mod grade;
mod logs_and_movies;
mod overwriting;
mod pipes;
mod report;
mod serve;
mod skips;
mod stuck;
mod tas;
mod untrusted;
mod waiting;
mod watching;
mod window;

#[path = "../jams/mod.rs"]
mod jams;
#[path = "../skipped/mod.rs"]
mod skipped;

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}

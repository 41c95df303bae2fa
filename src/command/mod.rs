//! The commands: one file or folder for each, with its flags.

pub mod analyze;
pub mod bench;
pub mod bench_formats;
pub mod completions;
pub mod convert;
pub mod crash;
pub mod discover;
pub mod doctor;
pub mod drive;
pub mod dump;
pub mod grade;
pub mod play;
pub mod ram;
pub mod render;
pub mod replay;
pub mod report;
pub mod rom;
pub mod serve;
pub mod simulate;
pub mod tas;
pub mod trace;
pub mod train;
pub mod validate;

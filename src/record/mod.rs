//! File formats: one file each, reader and writer side by side. Recording never changes a run.

pub mod fm2;
pub mod input_log;
pub mod trace;

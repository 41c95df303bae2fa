//! The rules model, the emulator and recordings of the original console against each other.

mod desync;
mod differential;
mod fceux;
mod golden_traces;
mod movies;
mod polled;
mod reset;
mod saved_run;
mod survey;

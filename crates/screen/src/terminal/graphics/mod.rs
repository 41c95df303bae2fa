//! Pictures in pixels, for terminals that have a protocol for them.
//!
//! A picture is a string of commands; the terminal is [asked](ask()) which protocols it has. A
//! terminal without one gets half blocks instead.

mod ask;
mod encoder;
mod kitty;
mod protocol;
mod sixel;

pub(crate) use ask::ask;
pub(crate) use encoder::Encoder;
pub use protocol::Protocol;
pub(crate) use protocol::chosen;

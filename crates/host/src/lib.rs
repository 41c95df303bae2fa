//! The bot in somebody else's emulator: a [`Console`](maxout_engine::console::Console) whose frames are
//! played by another program, the host.
//!
//! The protocol is described in `docs/hosts.md`, for authors of hosts in any language: maxout sends the
//! buttons of one frame, the host plays it and sends RAM. The bytes are the same over two named pipes, a
//! Unix socket, TCP on the loopback, and standard input and output.

mod driven;
mod endpoint;
mod error;
mod link;
pub mod protocol;
mod screen;
pub mod script;
mod settings;
mod signs;
mod talk;
mod waiting;

pub use driven::Driven;
pub use endpoint::Endpoint;
pub use error::Error;
pub use screen::HostScreen;
pub use settings::Settings;
pub use waiting::Waiting;

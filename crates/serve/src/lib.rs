//! The HTTP server: positions and games in, JSON out, and a page on which a person draws a position.
//!
//! The crate knows HTTP, limits and who may ask. What an answer says comes from [`Answers`], which the
//! program implements. The API is described in `docs/serving.md`.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use maxout_serve::{Answers, Game, Refusal, Server, Settings};
//!
//! struct Echo;
//!
//! impl Answers for Echo {
//!     fn analyze(&self, question: &[u8], _: &AtomicBool) -> Result<String, Refusal> {
//!         Ok(String::from_utf8_lossy(question).into_owned())
//!     }
//!
//!     fn grade(&self, _: &Game, _: &AtomicBool) -> Result<String, Refusal> {
//!         Err(Refusal::Input("this example grades no games".to_owned()))
//!     }
//! }
//!
//! let settings = Settings { address: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
//! let server = Server::bind(settings)?;
//! assert!(server.address().ip().is_loopback());
//! // Already asked to end.
//! server.run(Arc::new(Echo), &AtomicBool::new(true))?;
//! # Ok::<(), maxout_serve::Error>(())
//! ```

mod access;
mod answers;
mod body;
mod connection;
mod page;
mod query;
mod reply;
mod routes;
mod server;
mod settings;
mod work;

pub use answers::{Answers, Game, Refusal};
pub use server::{Error, Server};
pub use settings::{Limits, Settings};

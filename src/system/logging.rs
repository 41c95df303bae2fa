//! Log lines: to standard error, but not across a terminal view.

use std::env;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use env_logger::DEFAULT_FILTER_ENV;
use log::Level;

use super::drawn::above;
use super::failure::PROGRAM;
use super::message::LONGEST_MESSAGE;
use maxout_console::EMULATOR_LOG_TARGET;
use maxout_engine::text;

/// Bytes of log lines kept while a terminal view is up; older ones are dropped. Chosen by hand,
/// not measured.
const KEPT_BYTES: usize = 64 * 1024;

/// Room for the time, the level and the place in front of a message.
const PREFIX: usize = 80;

/// Where log lines go.
#[derive(Debug, Clone)]
pub struct LogTarget(Arc<Mutex<State>>);

#[derive(Debug)]
enum State {
    Direct,
    Held(Vec<u8>),
}

impl LogTarget {
    /// Starts logging: warnings by default, in the words of the other messages; more with `RUST_LOG`, with time, level
    /// and place.
    pub fn install() -> LogTarget {
        let is_plain = env::var_os(DEFAULT_FILTER_ENV).is_none();
        let target = LogTarget(Arc::new(Mutex::new(State::Direct)));
        let pipe = env_logger::Target::Pipe(Box::new(target.clone()));
        let filter = format!("warn,winit=error,{EMULATOR_LOG_TARGET}=error");
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(filter))
            .format(move |line, record| {
                let (level, style) = (record.level(), line.default_level_style(record.level()));
                // Lines for developers may draw playfields.
                let text = record.args().to_string();
                let text = match level {
                    Level::Error | Level::Warn | Level::Info => {
                        text::shortened(&text::visible(&text), LONGEST_MESSAGE - PREFIX).into_owned()
                    }
                    Level::Debug | Level::Trace => text::visible_lines(&text).into_owned(),
                };
                if is_plain {
                    let kind = if level == Level::Error { "error" } else { "warning" };
                    return writeln!(line, "{PROGRAM}{style}{kind}{style:#}: {text}");
                }
                writeln!(line, "[{} {style}{level:<5}{style:#} {}] {text}", line.timestamp(), record.target())
            })
            .target(pipe)
            .init();
        target
    }

    /// Keeps log lines until the guard is dropped, then writes them all.
    pub(crate) fn hold(&self) -> HeldLog<'_> {
        *self.state() = State::Held(Vec::new());
        HeldLog(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for LogTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.state() {
            State::Direct => above(|| io::stderr().write(bytes)),
            State::Held(lines) => {
                lines.extend(bytes);
                if lines.len() > KEPT_BYTES {
                    lines.drain(..lines.len() - KEPT_BYTES);
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Log lines are held back while this lives.
pub(crate) struct HeldLog<'a>(&'a LogTarget);

impl Drop for HeldLog<'_> {
    fn drop(&mut self) {
        let held = std::mem::replace(&mut *self.0.state(), State::Direct);
        if let State::Held(lines) = held {
            // With standard error closed there is nowhere to report this.
            let _ = io::stderr().write_all(&lines);
        }
    }
}

//! `maxout serve`: analysis and grading over HTTP, and a page for people.

mod answers;
mod game;
mod request;

use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use self::answers::Program;
use crate::player::values::seconds;
use crate::system::address::address;
use crate::system::failure::{Failure, PROGRAM};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print_line, say};
use maxout_serve::{Error, Limits, Server, Settings};

/// `maxout serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout serve
  maxout serve --listen 8000 --time-limit 10
  maxout serve --listen 0.0.0.0:19989 --at-once 4

On / is a page to draw positions on and to drop games on. POST /analyze takes a position as JSON
and answers as `maxout analyze --json`; POST /grade takes a game file and answers as `maxout grade
--json`. Ctrl-C ends it. RUST_LOG=info logs each request.

Exit codes: 0 ended by Ctrl-C, 1 failed, 2 bad usage or input.")]
pub(crate) struct Serve {
    /// Where to listen: an address with a port, or a port of 127.0.0.1; port 0 lets the system choose one
    #[arg(long, value_name = "ADDR", value_parser = listen, default_value_t = Settings::default().address)]
    pub listen: SocketAddr,
    /// Let pages of another origin ask, such as `https://example.org`; may be given several times
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<String>,
    /// Longest time to compute an answer, in seconds, 0.001 to 86400
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub time_limit: Duration,
    /// Answers that are computed at the same time, each on a thread [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub at_once: Option<NonZeroU16>,
}

pub(crate) fn run(args: &Serve) -> Result<ExitCode, Failure> {
    let mut limits = Limits { answer_time: args.time_limit, ..Limits::default() };
    if let Some(answers) = args.at_once {
        limits.answers = usize::from(answers.get());
    }
    let program = Program::new()?;
    let settings = Settings { address: args.listen, allowed_origins: args.allow_origin.clone(), limits };
    let stop = stop_on_interrupt();
    let server = Server::bind(settings).map_err(failure)?;
    let address = server.address();
    if !address.ip().is_loopback() {
        say(&format!(
            "{PROGRAM}warning: other machines can use the server at {address}; by default it listens at 127.0.0.1 alone"
        ));
    }
    print_line(&format!("open http://{address}/ in a browser; Ctrl-C ends the server"))?;
    server.run(Arc::new(program), &stop).map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}

/// With its exit code: an address is given by the user.
fn failure(error: Error) -> Failure {
    match error {
        Error::Taken(_) | Error::Listen { .. } => Failure::input(error),
        Error::Run(_) => Failure::run(error),
    }
}

/// An address of any network.
fn listen(text: &str) -> Result<SocketAddr, String> {
    address(text).ok_or_else(|| {
        format!("expected an IP address with a port, such as 127.0.0.1:{}, or a port, found {text:?}", Settings::PORT)
    })
}

/// `https://example.org` or `http://localhost:3000`, as browsers write it.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    match host {
        Some(host) if is_host(host) && text == text.to_ascii_lowercase() => Ok(text.to_owned()),
        _ => {
            let expected =
                "expected http:// or https://, a host in small letters and maybe a port, and nothing after it";
            Err(format!("{expected}, found {text:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_as_browsers_write_it() {
        assert!(origin("https://example.org").is_ok() && origin("http://localhost:3000").is_ok());
        for text in ["example.org", "https://", "https://example.org/", "https://Example.org", "*", "null", "ftp://a"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}

//! The flags of `maxout crash`.

use std::path::PathBuf;

use clap::ArgAction;

use crate::command::analyze::args::Facts;
use crate::command::analyze::request::Request;
use crate::console::flags::OnConsole;
use crate::player::flags::MoveArgs;
use maxout_formats::FileFormat;

/// `maxout crash`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout crash game.csv
  maxout crash movie.fm2 --console simulated --all
  maxout crash game.trace.zst --json
  maxout crash field.txt --piece I --next T --level 156 --lines 1508

From level 155 on the original game can crash when it scores a lock: the work of that frame, T
cycles, comes to its end just when the next frame begins. About 8 cycles depend on the console,
and emulators differ by up to 15: a lock nearer than that to a crash is not safe. A trace tells
everything; of a log, a movie or a position the next box is taken to be shown, unless
--next-hidden says otherwise.

Exit codes: 0 every lock is safe (of a position: a placement is safe), 1 a lock may crash or hang,
2 bad usage or input.")]
pub(crate) struct Crash {
    /// Game: a log (.csv, .jsonl, also .gz), movie (.fm2, .bk2, .r08), .ngf or trace (.trace, .trace.zst); or
    /// a position, as maxout analyze takes it
    #[arg(value_name = "GAME|POSITION")]
    pub game: String,
    /// Show every clear, not only the locks that are not safe
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Answer")]
    pub all: bool,
    /// The next box is hidden
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Answer")]
    pub next_hidden: bool,
    /// Print the answer as one JSON object, with every clear
    #[arg(long, action = ArgAction::SetTrue, help_heading = "Output")]
    pub json: bool,
    /// Format of the game, if its name does not show it or shows another: csv, jsonl, fm2, bk2, r08 or ngf
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// RAM map (TOML), for a ROM that keeps its values at other addresses
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// What plays a movie.
    #[command(flatten)]
    pub console: OnConsole,
    /// What a position does not tell.
    #[command(flatten)]
    pub facts: Facts,
    /// How the pieces of a position are moved.
    #[command(flatten)]
    pub moves: MoveArgs,
}

impl Crash {
    /// What the flags say about a position.
    pub(super) fn request(&self) -> Request {
        Request { playouts: Some(0), ..self.facts.request() }
    }
}

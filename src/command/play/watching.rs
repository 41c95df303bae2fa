//! The view of a run: which one, and at what speed.

use std::io::{self, IsTerminal};

use anyhow::anyhow;

use crate::config::Config;
use crate::system::failure::Failure;
use maxout_screen::{Pace, Showing, Speed, SpeedChoice, ViewChoice, WindowView};

/// Who sets the pace where no speed is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clocked {
    /// This program: the console's own speed where it is watched.
    Here,
    /// A host plays each frame when it likes.
    ByTheHost,
}

/// The view of the run.
pub(super) enum Watching {
    Terminal(Showing, Pace),
    Window(Pace, Box<WindowView>),
    Lines(Pace),
}

impl Watching {
    /// `json`, `is_stdout_taken`: a summary for a program, or something else, goes to standard output.
    pub(super) fn choose(
        config: &Config,
        json: bool,
        is_stdout_taken: bool,
        clocked_by: Clocked,
    ) -> Result<Watching, Failure> {
        let view = config.view.view;
        let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        let view = match view {
            ViewChoice::Terminal | ViewChoice::Screen if is_stdout_taken => {
                let error = "the terminal view needs standard output, and so does a log or movie with the name -, or a \
                             host at --stdio: use --view none, or give it a file";
                return Err(Failure::input(anyhow!(error)));
            }
            ViewChoice::Terminal | ViewChoice::Screen if !is_terminal => {
                let error =
                    "the terminal view needs a terminal, and standard input or output is not one: use --view none";
                return Err(Failure::input(anyhow!(error)));
            }
            // The result as JSON is for a program, which reads standard output.
            ViewChoice::Auto if is_terminal && !json && !is_stdout_taken => ViewChoice::Terminal,
            ViewChoice::Auto => ViewChoice::None,
            choice => choice,
        };
        let speed = match config.view.speed {
            SpeedChoice::Fixed(speed) => speed,
            SpeedChoice::Auto if view == ViewChoice::None || clocked_by == Clocked::ByTheHost => Speed::Max,
            SpeedChoice::Auto => Speed::Times(1),
        };
        let pace = Pace { speed, menus: config.view.menus };
        Ok(match view {
            ViewChoice::Terminal => Watching::Terminal(Showing::Panels, pace),
            ViewChoice::Screen => Watching::Terminal(Showing::Screen, pace),
            ViewChoice::Window => Watching::Window(pace, Box::new(WindowView::connect().map_err(Failure::input)?)),
            ViewChoice::Auto | ViewChoice::None => Watching::Lines(pace),
        })
    }
}

//! The child process as a player.

use std::io;
use std::time::Duration;

use super::answer::{self, Answer, Choice};
use super::process::Process;
use super::protocol::{Hello, Message, Move};
use maxout_engine::game::Position;
use maxout_engine::gamepad::{Buttons, InputTimeline};
use maxout_engine::planner::{self, Falling, Plan, Player, PlayerError, Reach, Sight, react};

/// What an external player is told, and how long it may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How pieces are moved, and when the next box comes into use.
    pub planner: planner::Settings,
    /// Level that the game starts from.
    pub start_level: u8,
    /// How long every answer may take, the one to the hello included.
    pub timeout: Duration,
}

impl Default for Settings {
    /// Level 19 and ten seconds.
    fn default() -> Settings {
        Settings { planner: planner::Settings::default(), start_level: 19, timeout: Duration::from_secs(10) }
    }
}

/// An external player that does not come about.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The shell cannot be started.
    #[error("cannot start the player {command:?}: {source}; does the command run in a shell?")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// The input presses no buttons: it is for the search alone.
    #[error("expected an input that presses buttons, found one with which {0}; choose another input")]
    Cheat(&'static str),
    /// It does not answer the hello as it should.
    #[error(transparent)]
    Hello(#[from] PlayerError),
}

impl From<StartError> for PlayerError {
    fn from(error: StartError) -> PlayerError {
        match error {
            StartError::Spawn { command, source } => {
                PlayerError { player: format!("{command:?}"), problem: format!("cannot be started: {source}") }
            }
            StartError::Cheat(_) => PlayerError { player: "exec".to_owned(), problem: error.to_string() },
            StartError::Hello(error) => error,
        }
    }
}

/// A player in a child process, for one game. Dropped, it is told goodbye, and killed and
/// reaped if it does not end within a second.
pub struct ExecPlayer {
    name: String,
    settings: Settings,
    process: Process,
    /// Requests so far; the id of the last one.
    requests: u64,
}

impl ExecPlayer {
    /// Starts a command line through the system's shell (`sh -c`; `cmd /C` on Windows) and
    /// greets it.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer the hello.
    pub fn start(command: &str, settings: Settings) -> Result<ExecPlayer, StartError> {
        let style = settings.planner.style();
        let style =
            style.ok_or_else(|| StartError::Cheat(settings.planner.input.cheat().unwrap_or("nothing is pressed")))?;
        let mut process = Process::start(command, settings.timeout)
            .map_err(|source| StartError::Spawn { command: command.to_owned(), source })?;
        process.send(Message::Hello(Hello::new(&settings, style)).line());
        let greeted = process.receive("an answer to the hello");
        let name = greeted.and_then(|line| answer::name(&line).map_err(|problem| process.at_line(&problem)));
        let name = name.map_err(|problem| {
            process.kill();
            PlayerError { player: format!("{command:?}"), problem }
        })?;
        log::debug!("the player {name} runs as {command:?}");
        Ok(ExecPlayer { name, settings, process, requests: 0 })
    }

    /// Asks where the piece goes that `opening` has brought on its way.
    fn ask(
        &mut self,
        position: &Position,
        falling: &Falling,
        opening: &[Buttons],
        sight: Sight,
    ) -> Result<Option<Plan>, String> {
        let Some(reach) = Reach::of(position, falling, opening, &self.settings.planner) else { return Ok(None) };
        let reached = reach.reached();
        if reached.is_empty() {
            return Ok(None);
        }
        self.requests += 1;
        let id = self.requests;
        let now = falling.after(position, opening);
        let settled = reach.settled().len() - opening.len();
        self.process.send(Message::Move(Move::new(id, position, &now, sight, reached, settled)).line());
        let line = self.process.receive(&format!("an answer to request {id}"))?;
        let answer = Answer::read(&line, id, reached).map_err(|problem| self.process.at_line(&problem))?;
        let timeline = match answer.choice {
            Choice::Placement(reached) => reach.timeline(&reached, sight, |_| true),
            Choice::Timeline(frames) => InputTimeline::new([opening, &frames].concat()),
        };
        let plan = Plan::of_timeline(position, falling, timeline, reached.len());
        Ok(Some(Plan { value: answer.value, ..plan }))
    }
}

impl Player for ExecPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        let settings = self.settings.planner.clone();
        react(&settings, falling, |opening, sight| self.ask(position, falling, opening, sight)).map_err(|problem| {
            self.process.kill();
            PlayerError { player: self.name.clone(), problem }
        })
    }
}

impl Drop for ExecPlayer {
    fn drop(&mut self) {
        self.process.send(Message::Goodbye.line());
    }
}

//! The child process as a player.

use super::answer::{self, Answer, Choice};
use super::error::StartError;
use super::process::Process;
use super::protocol::{Hello, Message, Move};
use super::settings::Settings;
use maxout_engine::game::Position;
use maxout_engine::game::crash::Scene;
use maxout_engine::gamepad::{Buttons, InputTimeline};
use maxout_engine::planner::{Falling, Plan, Player, PlayerError, Reach, Sight, react};

/// A player in a child process, for one game. When it is dropped, the process gets the goodbye
/// message, and is killed and reaped if it does not end within a second.
pub struct ExternalPlayer {
    name: String,
    settings: Settings,
    process: Process,
    /// Requests so far; the id of the last one.
    requests: u64,
}

impl ExternalPlayer {
    /// Starts a command line through the system's shell (`sh -c`; `cmd /C` on Windows) and
    /// greets it.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer the hello.
    pub fn start(command: &str, settings: Settings) -> Result<ExternalPlayer, StartError> {
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
        Ok(ExternalPlayer { name, settings, process, requests: 0 })
    }

    /// Asks where to place the piece once the buttons of `opening` have been pressed.
    fn ask(
        &mut self,
        position: &Position,
        falling: &Falling,
        opening: &[Buttons],
        sight: Sight,
        scene: Option<&Scene>,
    ) -> Result<Option<Plan>, String> {
        let Some(reach) = Reach::of(position, falling, opening, &self.settings.planner) else { return Ok(None) };
        let reached = reach.reached();
        if reached.is_empty() {
            return Ok(None);
        }
        self.requests += 1;
        let id = self.requests;
        let now = falling.after(position, opening, self.settings.planner.rules);
        let settled = reach.settled().len() - opening.len();
        let timed = scene.filter(|_| self.settings.planner.times_locks(position.level));
        self.process.send(Message::Move(Move::new(id, position, &now, sight, reached, settled, timed)).line());
        let line = self.process.receive(&format!("an answer to request {id}"))?;
        let answer = Answer::read(&line, id, reached).map_err(|problem| self.process.at_line(&problem))?;
        let timeline = match answer.choice {
            Choice::Placement(reached) => reach.timeline(&reached, sight, |_| true),
            Choice::Timeline(frames) => InputTimeline::new([opening, &frames].concat()),
        };
        let plan = Plan::of_timeline(position, falling, timeline, reached.len(), self.settings.planner.rules);
        let plan = Plan { value: answer.value, ..plan };
        Ok(Some(match scene {
            Some(scene) => plan.timed(position, falling, scene, &self.settings.planner),
            None => plan,
        }))
    }
}

impl ExternalPlayer {
    fn plan_seeing(
        &mut self,
        position: &Position,
        falling: &Falling,
        scene: Option<&Scene>,
    ) -> Result<Option<Plan>, PlayerError> {
        let settings = self.settings.planner.clone();
        let plan = react(&settings, falling, |opening, sight| self.ask(position, falling, opening, sight, scene));
        plan.map_err(|problem| {
            self.process.kill();
            PlayerError { player: self.name.clone(), problem }
        })
    }
}

impl Player for ExternalPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        self.plan_seeing(position, falling, None)
    }

    fn plan_in(&mut self, position: &Position, falling: &Falling, scene: &Scene) -> Result<Option<Plan>, PlayerError> {
        self.plan_seeing(position, falling, Some(scene))
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.process.send(Message::Goodbye.line());
    }
}

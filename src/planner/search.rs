//! The search itself: every reachable placement of the current piece, every reachable
//! placement of the next one, and the evaluator's choice among them.

use serde::{Deserialize, Serialize};

use super::plan::{Alternative, Plan, landing, play_out};
use super::pushdown;
use crate::eval::{Afterstate, Evaluator, Rank, Verdict};
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::scoring::Progress;
use crate::game::{Placement, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};
use crate::movegen::{Moves, Reached, Start, generate};

/// How many of the other placements a [`Plan`] keeps.
const ALTERNATIVES: usize = 3;

/// How the search moves pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Press style.
    pub input: PressStyle,
}

/// A falling piece at a sample, about to be controlled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Falling {
    /// The piece and its counters.
    pub piece: FallingPiece,
    /// Buttons down in the frame of the sample.
    pub held: Buttons,
    /// Number of the next control frame; 0 for the frame after the spawn.
    pub control_frame: u32,
}

/// A planner: an evaluator and a way to move.
pub struct Search {
    evaluator: Box<dyn Evaluator>,
    settings: Settings,
}

/// A judged placement of the current piece.
struct Candidate {
    reached: Reached,
    afterstate: Afterstate,
    next: Option<Placement>,
    verdict: Verdict,
}

impl Search {
    /// A planner with this evaluator.
    pub fn new(evaluator: Box<dyn Evaluator>, settings: Settings) -> Search {
        Search { evaluator, settings }
    }

    /// The evaluator's name.
    pub fn evaluator_name(&self) -> &'static str {
        self.evaluator.name()
    }

    /// The press style.
    pub fn input(&self) -> PressStyle {
        self.settings.input
    }

    /// Plans the falling piece; `None` when no placement can be reached, as after a spawn into
    /// blocks.
    pub fn plan(&self, position: &Position, falling: &Falling) -> Option<Plan> {
        let prefix = Prefix::of(position, falling)?;
        let moves = generate(&position.playfield, &prefix.start, position.level, self.settings.input);
        let mut candidates: Vec<Candidate> =
            moves.reached().iter().map(|&reached| self.judge(position, reached)).collect();
        // A stable sort: among equals the one that locks first stays in front.
        candidates.sort_by(|a, b| b.verdict.compare(&a.verdict));
        let (best, others) = candidates.split_first()?;
        let timeline = self.timeline(position, falling, &prefix, &moves, &best.reached);
        let promises = play_out(&position.playfield, falling.piece, falling.held, position.level, timeline.frames());
        debug_assert_eq!(landing(&promises), best.reached.placement);
        Some(Plan {
            placement: best.reached.placement,
            next_placement: best.next,
            timeline,
            promises,
            playfield: best.afterstate.playfield,
            clears: best.afterstate.cleared.count,
            value: best.verdict.value,
            alternatives: others
                .iter()
                .take(ALTERNATIVES)
                .map(|other| Alternative { placement: other.reached.placement, value: other.verdict.value })
                .collect(),
            reachable: candidates.len(),
        })
    }

    /// Judges one placement of the current piece by the best that the next piece makes of it.
    fn judge(&self, position: &Position, reached: Reached) -> Candidate {
        let afterstate = Afterstate::of(&position.playfield, reached.placement);
        let alone = || Candidate { reached, afterstate, next: None, verdict: self.evaluator.judge(&[afterstate]) };
        if self.evaluator.plies() == 1 {
            return alone();
        }
        let mut progress = Progress::from_lines(position.level, position.lines);
        progress.count_a_type(afterstate.cleared.count);
        let moves = generate(&afterstate.playfield, &Start::spawn(position.next), progress.level, self.settings.input);
        let judged = moves.reached().iter().map(|second| {
            let second_afterstate = Afterstate::of(&afterstate.playfield, second.placement);
            (second.placement, self.evaluator.judge(&[afterstate, second_afterstate]))
        });
        let best = judged.reduce(|best, other| if other.1.is_better_than(&best.1) { other } else { best });
        match best {
            Some((next, verdict)) => Candidate { reached, afterstate, next: Some(next), verdict },
            // The next piece tops out: worse than anything it could still do.
            None => {
                let verdict = Verdict { rank: Rank::Refused, ..Verdict::of_value(f64::NEG_INFINITY) };
                Candidate { verdict, ..alone() }
            }
        }
    }

    /// The whole timeline: what comes before the search, the search's own, and the pushdown.
    fn timeline(
        &self,
        position: &Position,
        falling: &Falling,
        prefix: &Prefix,
        moves: &Moves,
        reached: &Reached,
    ) -> InputTimeline {
        let mut frames = prefix.frames.clone();
        frames.extend(moves.timeline(reached).frames());
        let goal = reached.placement;
        pushdown::finish(&position.playfield, falling, position.level, self.settings.input, frames, goal)
    }
}

/// Frames that must pass before the movement search can begin.
struct Prefix {
    frames: Vec<Buttons>,
    start: Start,
}

impl Prefix {
    /// The first piece of a game hangs until Down is pressed; and a button that is still held
    /// has to be released before it can be pressed anew. `None` if the piece lands meanwhile.
    fn of(position: &Position, falling: &Falling) -> Option<Prefix> {
        let mut piece = falling.piece;
        let mut held = falling.held;
        let mut frames = Vec::new();
        while piece.autorepeat_y >= 0x80 || !held.is_empty() {
            let hangs = piece.autorepeat_y >= 0x80;
            let buttons = if hangs && !held.contains(Buttons::DOWN) { Buttons::DOWN } else { Buttons::NONE };
            let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), position.level);
            if outcome == ControlOutcome::Landed {
                return None;
            }
            held = buttons;
            frames.push(buttons);
        }
        let control_frame = falling.control_frame + frames.len() as u32;
        Some(Prefix { frames, start: Start { piece, control_frame } })
    }
}

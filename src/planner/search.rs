//! The search itself: every reachable placement of the current piece, every reachable
//! placement of the next one, and the evaluator's choice among them.

use super::plan::{Alternative, Plan, landing, play_out};
use super::player::{Player, PlayerError};
use super::pushdown;
use super::settings::Settings;
use crate::eval::{Afterstate, Evaluator, Rank, Verdict};
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::scoring::Progress;
use crate::game::{Placement, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};
use crate::movegen::{Reached, Start, generate};

/// How many of the other placements a [`Plan`] keeps.
const ALTERNATIVES: usize = 3;

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

    /// How it moves pieces.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Plans the falling piece; `None` when no placement can be reached, as after a spawn into
    /// blocks.
    pub fn plan(&self, position: &Position, falling: &Falling) -> Option<Plan> {
        let blind_frames = self.settings.reaction_frames.saturating_sub(falling.control_frame) as usize;
        if blind_frames == 0 {
            return self.plan_from(position, falling, &[], Sight::WithNext);
        }
        let blind = self.plan_from(position, falling, &[], Sight::WithoutNext)?;
        if blind.promises.len() <= blind_frames {
            return Some(blind);
        }
        // What was pressed before the next box came into use stays; the rest is planned anew.
        let opening: Vec<Buttons> = (0..blind_frames).map(|frame| blind.timeline.get(frame)).collect();
        self.plan_from(position, falling, &opening, Sight::WithNext).or(Some(blind))
    }

    /// Plans what comes after the opening.
    fn plan_from(&self, position: &Position, falling: &Falling, opening: &[Buttons], sight: Sight) -> Option<Plan> {
        let style = self.settings.style();
        let prefix = Prefix::of(position, falling, opening, style)?;
        let moves = generate(&position.playfield, &prefix.start, position.level, style);
        let mut candidates: Vec<Candidate> =
            moves.reached().iter().map(|&reached| self.judge(position, reached, sight)).collect();
        // A stable sort: among equals the one that locks first stays in front.
        candidates.sort_by(|a, b| b.verdict.compare(&a.verdict));
        let (best, others) = candidates.split_first()?;
        let mut frames = prefix.frames;
        frames.extend(moves.timeline(&best.reached).frames());
        let timeline = match sight {
            Sight::WithNext => pushdown::finish(position, falling, style, frames, best.reached.placement),
            // A hand that waits for the next box does not push down.
            Sight::WithoutNext => InputTimeline::new(frames),
        };
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
    fn judge(&self, position: &Position, reached: Reached, sight: Sight) -> Candidate {
        let afterstate = Afterstate::of(&position.playfield, reached.placement);
        let alone = || Candidate { reached, afterstate, next: None, verdict: self.evaluator.judge(&[afterstate]) };
        if self.evaluator.plies() == 1 || sight == Sight::WithoutNext {
            return alone();
        }
        let mut progress = Progress::from_lines(position.level, position.lines);
        progress.count_a_type(afterstate.cleared.count);
        let moves =
            generate(&afterstate.playfield, &Start::spawn(position.next), progress.level, self.settings.style());
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
}

impl Player for Search {
    fn name(&self) -> &str {
        self.evaluator_name()
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        Ok(Search::plan(self, position, falling))
    }
}

/// Is the next box in use?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    WithNext,
    WithoutNext,
}

/// Frames that must pass before the movement search can begin.
struct Prefix {
    frames: Vec<Buttons>,
    start: Start,
}

impl Prefix {
    /// After `opening`, frames that are settled already: the first piece of a game hangs until
    /// Down is pressed; and a button that is still held has to be released before it can be
    /// pressed anew. `None` if the piece lands meanwhile.
    fn of(position: &Position, falling: &Falling, opening: &[Buttons], style: PressStyle) -> Option<Prefix> {
        let mut piece = falling.piece;
        let mut held = falling.held;
        let mut frames = Vec::new();
        let mut opening = opening.iter();
        loop {
            let hangs = piece.autorepeat_y >= 0x80;
            let buttons = match opening.next() {
                Some(&buttons) => buttons,
                None if hangs && !held.contains(Buttons::DOWN) => Buttons::DOWN,
                None if hangs || !held.is_empty() => Buttons::NONE,
                None => break,
            };
            let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), position.level);
            if outcome == ControlOutcome::Landed {
                return None;
            }
            held = buttons;
            frames.push(buttons);
        }
        let control_frame = falling.control_frame + frames.len() as u32;
        let rest = rest_after(falling.held, &frames, style);
        Some(Prefix { frames, start: Start { piece, control_frame, rest } })
    }
}

/// For how many frames more the hand rests from its last tap in `frames`, or in the frame
/// `before` them.
fn rest_after(before: Buttons, frames: &[Buttons], style: PressStyle) -> u8 {
    const TAPPED: Buttons =
        Buttons::from_bits(Buttons::LEFT.bits() | Buttons::RIGHT.bits() | Buttons::A.bits() | Buttons::B.bits());
    let PressStyle::Taps(rate) = style else { return 0 };
    let since_tap = std::iter::once(&before).chain(frames).rev().position(|buttons| buttons.intersects(TAPPED));
    since_tap.map_or(0, |frames| usize::from(rate.frames() - 1).saturating_sub(frames) as u8)
}

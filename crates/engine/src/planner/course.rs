//! How the piece gets to a placement: buttons or writes, and what each frame shows.

use super::candidate::Candidate;
use super::cheat::Cheat;
use super::limits::Limits;
use super::promise::{Promise, play_out};
use super::reach::Reach;
use super::settings::{Input, Settings};
use super::sight::Sight;
use super::target::{Target, TargetStanding};
use crate::game::Position;
use crate::gamepad::{Buttons, InputTimeline, TapRate};

/// How the piece gets to a placement.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) timeline: InputTimeline,
    pub(super) cheat: Option<Cheat>,
    pub(super) promises: Vec<Promise>,
    /// Rows of pushdown for which the lock pays points.
    pub(super) pushed: u8,
}

impl Course {
    /// The course to a candidate's placement, after the frames of `opening`, with rows of pushdown that the
    /// target score and `wants` admit if it can.
    pub(super) fn to(
        candidate: &Candidate,
        reach: &Reach<'_>,
        opening: &[Buttons],
        limits: &Limits,
        sight: Sight,
        wants: impl Fn(u8) -> bool,
    ) -> Course {
        let (position, falling) = (reach.position(), reach.falling());
        let goal = candidate.reached.placement;
        let gravity = limits.settings.gravity(position.level);
        let cheat = match limits.settings.input {
            Input::Teleport => Some(Cheat::teleport(goal, gravity)),
            Input::Drag => Some(Cheat::drag(&reach.steps(&candidate.reached))),
            Input::EvenFrames | Input::Gamepad | Input::Taps => None,
        };
        if let Some(cheat) = cheat {
            let promises = cheat.play_out(&position.playfield, falling.piece, gravity);
            return Course { timeline: InputTimeline::default(), cheat: Some(cheat), promises, pushed: 0 };
        }
        let cleared = candidate.afterstate.cleared.count;
        let target = limits.target();
        let admits = |pushed| wants(pushed) && target.is_none_or(|target| target.admits(position, cleared, pushed));
        let press = |reach: &Reach<'_>, reached| {
            let timeline = reach.timeline(reached, sight, admits);
            let (promises, landed) =
                play_out(&position.playfield, falling.piece, falling.held, gravity, timeline.frames());
            Course { timeline, cheat: None, promises, pushed: landed.pushdown }
        };
        let course = press(reach, &candidate.reached);
        if limits.settings.input == Input::Gamepad && !admits(course.pushed) {
            // The quickest way there pushes down. Taps at 30 Hz obey the same rules of holding
            // without pushing down.
            let taps = Settings { input: Input::Taps, tap_rate: TapRate::FASTEST.into(), ..limits.settings.clone() };
            let reach = Reach::of(position, falling, opening, &taps);
            let same = |reach: &Reach<'_>| reach.reached().iter().find(|reached| reached.placement == goal).copied();
            if let Some((reach, reached)) = reach.and_then(|reach| same(&reach).map(|reached| (reach, reached))) {
                return press(&reach, &reached);
            }
        }
        course
    }

    /// The same with Select in the first frame in which a button may go down and Select is a new press; `None` where
    /// the piece lands before.
    pub(super) fn with_select(&self, reach: &Reach<'_>) -> Option<Course> {
        let held = reach.falling().held;
        let before = |frame: usize| frame.checked_sub(1).map_or(held, |frame| self.timeline.get(frame));
        let may_press = |frame: usize| reach.may_press(frame) && !before(frame).contains(Buttons::SELECT);
        let frame = (0..self.promises.len()).find(|&frame| may_press(frame))?;
        let mut frames = self.timeline.frames().to_vec();
        frames.resize(frames.len().max(frame + 1), Buttons::NONE);
        frames[frame] |= Buttons::SELECT;
        Some(Course { timeline: InputTimeline::new(frames), ..self.clone() })
    }

    /// Does the lock, its pushdown counted, stay at or below the target?
    fn stays_below(&self, candidate: &Candidate, position: &Position, target: Target) -> bool {
        target.standing(position, candidate.afterstate.cleared.count, self.pushed) != TargetStanding::Overshoots
    }
}

/// The choice among candidates, best first: the first one, or with a target score the first one
/// whose pushdown does not overshoot it. `None` without candidates.
pub(super) fn choose(
    candidates: &[Candidate],
    reach: &Reach<'_>,
    opening: &[Buttons],
    limits: &Limits,
    sight: Sight,
) -> Option<(usize, Course)> {
    let position = reach.position();
    let course = |candidate| Course::to(candidate, reach, opening, limits, sight, |_| true);
    let best = candidates.first()?;
    let first = course(best);
    let Some(target) = limits.target() else { return Some((0, first)) };
    if first.stays_below(best, position, target) {
        return Some((0, first));
    }
    let others = candidates.iter().enumerate().skip(1).take_while(|(_, c)| c.standing != TargetStanding::Overshoots);
    let mut courses = others.map(|(index, candidate)| (index, candidate, course(candidate)));
    let found = courses.find(|(_, candidate, course)| course.stays_below(candidate, position, target));
    Some(found.map_or((0, first), |(index, _, course)| (index, course)))
}

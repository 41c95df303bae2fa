//! The search: it judges what the falling piece can reach, and makes a plan or an analysis of it.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use rand::Rng;

use super::candidate::Candidate;
use super::careful;
use super::course::{Course, choose};
use super::dodge::{Choice, Ways};
use super::effort::Effort;
use super::falling::Falling;
use super::filter::Filter;
use super::forecast::Forecast;
use super::foresee::{Foreseen, Foresight, Found, is_certain};
use super::judged::{Judged, Reply};
use super::limits::Limits;
use super::mind::Mind;
use super::odds::GeneratorOdds;
use super::opening::{Opening, Openings};
use super::plan::{Alternative, Plan};
use super::player::{Player, PlayerError};
use super::promise::landing;
use super::reach::Reach;
use super::react::react;
use super::settings::Settings;
use super::sight::Sight;
use super::think::{PlayedOut, Shape, Think, Thinker, Width};
use crate::clock::Clock;
use crate::game::crash::Scene;
use crate::game::scoring::clear_points;
use crate::game::{Generator, Piece, Placement, Position};
use crate::gamepad::{Buttons, PressStyle, Tapping};
use crate::judge::handmade::Afterstate;
use crate::judge::{Judge, LEARNED};

/// How many of the other placements a [`Plan`] keeps: what the views have room for. Chosen by hand,
/// not measured.
const ALTERNATIVES: usize = 3;

/// Judges placements and plans how to reach them.
pub struct Search {
    mind: Mind,
    limits: Limits,
}

impl Search {
    /// A search with this judge. It does not load the filter of the settings (see
    /// [`Search::filtered`]) and has no clock (see [`Search::with_clock`]).
    pub fn new(judge: impl Into<Judge>, settings: Settings) -> Search {
        let mind = match judge.into() {
            Judge::Handmade(evaluator) => Mind::Evaluator(evaluator),
            Judge::Learned(nets) => Mind::Learned(Box::new(Thinker {
                heads: nets.heads_for(
                    settings.style().map_or(Tapping::FASTEST, PressStyle::tapping),
                    settings.reaction_frames,
                ),
                nets,
                shape: Shape::default(),
                ruleset: settings.rules,
                last_line: settings.last_line,
                style: settings.style(),
                first_press: settings.first_press,
                reaction_frames: settings.reaction_frames,
                think: settings.think.unwrap_or_default(),
                threads: settings.think_threads.map_or(1, |threads| threads.get().into()),
                clock: None,
            })),
        };
        let careful = careful::evaluator(&settings);
        Search { mind, limits: Limits { settings, filter: None, careful } }
    }

    /// Considers no placement that the filter refuses while it allows any.
    pub fn filtered(mut self, filter: Option<Arc<dyn Filter>>) -> Search {
        self.limits.filter = filter;
        self
    }

    /// Measures a budget of time ([`Think::Time`]) with this clock. Without
    /// a clock the search cannot keep such a budget and looks
    /// [`Think::DEFAULT_PLIES`](super::Think::DEFAULT_PLIES) plies ahead instead. A fixed number
    /// of plies needs no clock.
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Search {
        if let Mind::Learned(thinker) = &mut self.mind {
            thinker.clock = Some(clock);
        }
        self
    }

    /// The name of its judge.
    pub fn judge_name(&self) -> &'static str {
        match &self.mind {
            Mind::Evaluator(evaluator) => evaluator.name(),
            Mind::Learned(_) => LEARNED,
        }
    }

    /// How it moves pieces.
    pub fn settings(&self) -> &Settings {
        &self.limits.settings
    }

    /// Plans the falling piece; `None` when no placement can be reached, as after a spawn into
    /// occupied cells.
    pub fn plan(&self, position: &Position, falling: &Falling) -> Option<Plan> {
        self.plan_seeing(position, falling, None)
    }

    /// The same in this scene, so that the player can keep the game from crashing if its settings say so.
    pub fn plan_in(&self, position: &Position, falling: &Falling, scene: &Scene) -> Option<Plan> {
        self.plan_seeing(position, falling, Some(scene))
    }

    /// The same with the state of the generator at the sample, which the player uses if its settings say so.
    pub fn plan_foreseeing(
        &self,
        position: &Position,
        falling: &Falling,
        scene: Option<&Scene>,
        generator: &Generator,
    ) -> Option<Plan> {
        let Mind::Learned(thinker) = &self.mind else { return self.plan_seeing(position, falling, scene) };
        if self.settings().rng.is_honest() {
            return self.plan_seeing(position, falling, scene);
        }
        let plan = self.foresee(thinker, position, falling, generator);
        let mut plan = plan.or_else(|| self.plan_seeing(position, falling, scene))?;
        plan.foreseen = Foreseen::of(position, generator, &plan.promises, plan.clears);
        Some(plan)
    }

    /// Plans with the pieces that come; `None` where that is not certain or no placement can be reached, and where
    /// the piece lands before the player can react.
    fn foresee(
        &self,
        thinker: &Thinker,
        position: &Position,
        falling: &Falling,
        generator: &Generator,
    ) -> Option<Plan> {
        if !is_certain(position.level) {
            return None;
        }
        let frames = self.blind_frames(falling);
        let openings = match (frames, self.settings().style()) {
            (0, _) => None,
            (_, style) => Openings::of(position, falling, thinker, &self.limits, style?, frames),
        };
        let opening: &[Buttons] = match openings.as_ref().and_then(|openings| openings.ranked.first()) {
            Some(best) if best.lands.is_some() => return None,
            Some(best) => &best.frames,
            None => &[],
        };
        let reach = Reach::of(position, falling, opening, self.settings())?;
        let foresight = Foresight { thinker, settings: self.settings() };
        let Found { placement, next_placement, timeline, promises, value, others, mut effort } =
            foresight.look(&reach, generator)?;
        if let Some(openings) = &openings {
            effort.include(&openings.effort);
        }
        let afterstate = Afterstate::of(&position.playfield, placement);
        debug_assert_eq!(landing(&promises), placement);
        Some(Plan {
            placement,
            next_placement,
            timeline,
            cheat: None,
            promises,
            playfield: afterstate.playfield,
            clears: afterstate.cleared.count,
            lock: None,
            foreseen: None,
            value,
            alternatives: others
                .into_iter()
                .take(ALTERNATIVES)
                .map(|(placement, value)| Alternative { placement, value })
                .collect(),
            reachable: reach.reached().len(),
            effort,
        })
    }

    fn plan_seeing(&self, position: &Position, falling: &Falling, scene: Option<&Scene>) -> Option<Plan> {
        let Some(style) = self.settings().style() else {
            // No button moves the piece, so there is no reaction time.
            return self.plan_from(position, falling, &[], Sight::WithNext, scene);
        };
        let Mind::Learned(thinker) = &self.mind else {
            let Ok(plan) = react(self.settings(), falling, |opening, sight| {
                Ok::<_, Infallible>(self.plan_from(position, falling, opening, sight, scene))
            });
            return plan;
        };
        let frames = self.blind_frames(falling);
        if frames == 0 {
            return self.plan_from(position, falling, &[], Sight::WithNext, scene);
        }
        let openings = Openings::of(position, falling, thinker, &self.limits, style, frames)?;
        let best = openings.ranked.first()?;
        let mut plan = match best.lands {
            None => self.plan_from(position, falling, &best.frames, Sight::WithNext, scene),
            Some(_) => {
                let candidates = openings.landings(&self.limits);
                self.plan_to(&openings.waiting, &candidates, &[], Sight::WithoutNext, scene)
            }
        }?;
        plan.effort.include(&openings.effort);
        Some(plan)
    }

    /// Frames from now on in which the next piece may not be used.
    fn blind_frames(&self, falling: &Falling) -> u32 {
        self.settings().reaction_frames.saturating_sub(falling.control_frame)
    }

    /// What is pressed until the next piece may be used, at most up to the frame before the piece lands,
    /// and the best placement that can then still be reached, as far as it can be told without the next piece.
    /// `None` without a reaction time, or when no placement can be reached.
    pub fn opening(&self, position: &Position, falling: &Falling) -> Option<(Vec<Buttons>, Placement)> {
        let blind_frames = self.blind_frames(falling) as usize;
        if blind_frames == 0 {
            return None;
        }
        let (frames, placement) = match &self.mind {
            Mind::Learned(thinker) => {
                let Opening { mut frames, within, lands, .. } = self.openings(position, falling).into_iter().next()?;
                // The piece lands in the last frame.
                frames.truncate(frames.len() - usize::from(lands.is_some()));
                let placements: Vec<Placement> = within.iter().collect();
                let at_once = Thinker { think: Think::Plies(1), ..(**thinker).clone() };
                let (ranked, _) = at_once.rank(position, &placements, Sight::WithoutNext, &GeneratorOdds, Width::Beam);
                (frames, placements[ranked.first()?.index])
            }
            Mind::Evaluator(_) => {
                let blind = self.plan_from(position, falling, &[], Sight::WithoutNext, None)?;
                let frames = blind.promises.len().saturating_sub(1);
                ((0..frames).map(|frame| blind.timeline.get(frame)).collect(), blind.placement)
            }
        };
        Some((frames.into_iter().take(blind_frames).collect(), placement))
    }

    /// What can be pressed until the next piece may be used, best first; no opening reaches only what another one
    /// reaches. Empty without a reaction time, for an evaluator, and when no placement can be reached.
    pub fn openings(&self, position: &Position, falling: &Falling) -> Vec<Opening> {
        let frames = self.blind_frames(falling);
        let (Mind::Learned(thinker), Some(style), 1..) = (&self.mind, self.settings().style(), frames) else {
            return Vec::new();
        };
        let openings = Openings::of(position, falling, thinker, &self.limits, style, frames);
        openings.map_or(Vec::new(), |openings| openings.ranked)
    }

    /// Plans what comes after the opening.
    fn plan_from(
        &self,
        position: &Position,
        falling: &Falling,
        opening: &[Buttons],
        sight: Sight,
        scene: Option<&Scene>,
    ) -> Option<Plan> {
        let limits = &self.limits;
        let reach = Reach::of(position, falling, opening, self.settings())?;
        let (admitted, any_allowed) = limits.admitted(&position.playfield, reach.reached());
        if !any_allowed {
            log::info!("the filter allows no placement of the {}: all are considered", position.piece.letter());
        }
        let (mut candidates, effort) = self.mind.judge(limits, position, &admitted, sight, &GeneratorOdds, Width::Beam);
        if let (Mind::Learned(_), Some(evaluator)) = (&self.mind, &limits.careful) {
            careful::avoid_topouts(&**evaluator, self.settings(), position, &mut candidates, &GeneratorOdds);
        }
        let plan = self.plan_to(&reach, &candidates, opening, sight, scene)?;
        Some(Plan { effort, ..plan })
    }

    /// Plans the way to the first of these candidates that the target score admits, or that does not crash the game.
    fn plan_to(
        &self,
        reach: &Reach<'_>,
        candidates: &[Candidate],
        opening: &[Buttons],
        sight: Sight,
        scene: Option<&Scene>,
    ) -> Option<Plan> {
        let ways = Ways::new(reach, opening, &self.limits, sight, scene);
        let Choice { index: chosen, course, lock } = if let Some(scene) = ways.dangerous() {
            ways.safest(candidates, scene, self.points_of_a_single(reach.position()))?
        } else {
            let (index, course) = choose(candidates, reach, opening, &self.limits, sight)?;
            let lock = ways.timed(&candidates[index], &course);
            Choice { index, course, lock }
        };
        let best = &candidates[chosen];
        debug_assert_eq!(landing(&course.promises), best.reached.placement);
        let others = candidates.iter().enumerate().filter(|&(index, _)| index != chosen).map(|(_, other)| other);
        let mut alternatives: Vec<Alternative> = others
            .take(ALTERNATIVES)
            .map(|other| Alternative { placement: other.reached.placement, value: other.verdict.value })
            .collect();
        // Those that were looked into deepest came first.
        alternatives.sort_by(|a, b| b.value.total_cmp(&a.value));
        Some(Plan {
            placement: best.reached.placement,
            next_placement: self.mind.next_placement(reach.position(), best, sight, &GeneratorOdds),
            timeline: course.timeline,
            cheat: course.cheat,
            promises: course.promises,
            playfield: best.afterstate.playfield,
            clears: best.afterstate.cleared.count,
            lock,
            foreseen: None,
            value: best.verdict.value,
            alternatives,
            reachable: reach.reached().len(),
            effort: Effort::default(),
        })
    }

    /// The points of a single at this level; `None` for an evaluator, whose values are no points.
    fn points_of_a_single(&self, position: &Position) -> Option<f64> {
        matches!(self.mind, Mind::Learned(_)).then(|| clear_points(1, position.level).into())
    }

    /// Judges every placement that the falling piece can reach, best first; the first one is what
    /// [`Search::plan`] would choose if it looked into every placement, played for points and dodged no crash. Empty when no
    /// placement can be reached.
    ///
    /// All placements are judged to the same depth, so all verdicts are comparable. The learned
    /// player looks as far ahead as its settings say; of a budget of time it uses the plies that
    /// were finished for every placement. Placements that the filter refuses are judged too and
    /// come last, unless it refuses all.
    ///
    /// `sight` says whether the next piece of the position is known; the reaction time of the
    /// settings is not considered. `forecast` is about the pieces after it, or if it is not
    /// known, about those after the falling piece. Evaluators judge no piece after the next one.
    pub fn analyse(
        &self,
        position: &Position,
        falling: &Falling,
        sight: Sight,
        forecast: &impl Forecast,
    ) -> Vec<Judged> {
        self.analyse_after(position, falling, &[], sight, forecast)
    }

    /// [`Search::analyse`] of what can still be reached after the frames of `opening`, which are
    /// settled already.
    pub fn analyse_after(
        &self,
        position: &Position,
        falling: &Falling,
        opening: &[Buttons],
        sight: Sight,
        forecast: &impl Forecast,
    ) -> Vec<Judged> {
        let limits = &self.limits;
        let Some(reach) = Reach::of(position, falling, opening, self.settings()) else { return Vec::new() };
        let reached = reach.reached();
        let (admitted, any_allowed) = limits.admitted(&position.playfield, reached);
        let allowed: HashSet<Placement> =
            admitted.iter().filter(|_| any_allowed).map(|reached| reached.placement).collect();
        let (mut candidates, _) = self.mind.judge(limits, position, reached, sight, forecast, Width::All);
        let is_allowed = |placement: Placement| allowed.contains(&placement);
        candidates.sort_by_key(|candidate| !is_allowed(candidate.reached.placement));
        let considered = if any_allowed { admitted.len() } else { candidates.len() };
        if let Some((chosen, _)) = choose(&candidates[..considered], &reach, opening, limits, sight) {
            candidates[..=chosen].rotate_right(1);
        }
        let judged = candidates.iter().map(|candidate| {
            let course = Course::to(candidate, &reach, opening, limits, sight, |_| true);
            debug_assert_eq!(landing(&course.promises), candidate.reached.placement);
            Judged {
                placement: candidate.reached.placement,
                playfield: candidate.afterstate.playfield,
                clears: candidate.afterstate.cleared.count,
                verdict: candidate.verdict,
                plies: candidate.plies,
                allowed: is_allowed(candidate.reached.placement),
                next_allowed: candidate.next_allowed,
                standing: limits.target().map(|_| candidate.standing),
                replies: self.mind.replies(limits, position, candidate, sight, forecast),
                timeline: course.timeline,
                cheat: course.cheat,
                promises: course.promises,
            }
        });
        judged.collect()
    }
}

impl Search {
    /// Locks the falling piece at `first` and plays on until `pieces` pieces are placed, or the last line of the settings
    /// is cleared, without frames and buttons: each piece goes where the net's value is best, the next piece known. Pieces
    /// that `sight` does not see are drawn from the forecast. `None` for an evaluator, which has no
    /// net.
    pub fn play_out(
        &self,
        position: &Position,
        first: Placement,
        sight: Sight,
        forecast: &impl Forecast,
        pieces: u32,
        random: &mut impl Rng,
    ) -> Option<PlayedOut> {
        match &self.mind {
            Mind::Evaluator(_) => None,
            Mind::Learned(thinker) => Some(thinker.play_out(position, first, sight, forecast, pieces, random)),
        }
    }

    /// What these placements of the falling piece are worth, in points, whether it can reach them or not:
    /// the values of [`Search::analyse`]. `None` for an evaluator.
    pub fn values(
        &self,
        position: &Position,
        placements: &[Placement],
        sight: Sight,
        forecast: &impl Forecast,
    ) -> Option<Vec<f64>> {
        let Mind::Learned(thinker) = &self.mind else { return None };
        let (ranked, _) = thinker.rank(position, placements, sight, forecast, Width::All);
        let mut values = vec![f64::NEG_INFINITY; placements.len()];
        for ranked in ranked {
            values[ranked.index] = ranked.value;
        }
        Some(values)
    }

    /// For each piece that may come next, in the order of
    /// [`Piece::ALL`](crate::game::Piece::ALL): the best of these placements by the net alone: its value in
    /// points, and the rows that it completes. `None` without a placement, and for an evaluator.
    pub fn best_by_next(&self, position: &Position, placements: &[Placement]) -> Option<[(f64, u8); Piece::COUNT]> {
        let Mind::Learned(thinker) = &self.mind else { return None };
        thinker.best_by_next(position, placements)
    }

    /// Where each of the seven pieces would go if it came after the falling piece at `first`, the piece
    /// after it not known, in the order of [`Piece::ALL`](crate::game::Piece::ALL); the odds are those of the game's generator.
    pub fn replies(&self, position: &Position, first: Placement) -> Vec<Reply> {
        self.mind.replies_to(&self.limits, position, first)
    }
}

impl Player for Search {
    fn name(&self) -> &str {
        self.judge_name()
    }

    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        Ok(Search::plan(self, position, falling))
    }

    fn plan_in(&mut self, position: &Position, falling: &Falling, scene: &Scene) -> Result<Option<Plan>, PlayerError> {
        Ok(Search::plan_in(self, position, falling, scene))
    }

    fn plan_foreseeing(
        &mut self,
        position: &Position,
        falling: &Falling,
        scene: Option<&Scene>,
        generator: &Generator,
    ) -> Result<Option<Plan>, PlayerError> {
        Ok(Search::plan_foreseeing(self, position, falling, scene, generator))
    }

    /// The search remembers nothing: each plan depends on the position alone.
    fn save(&self) -> Result<Vec<u8>, PlayerError> {
        Ok(Vec::new())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), PlayerError> {
        if saved.is_empty() {
            return Ok(());
        }
        let problem = format!("expected no saved state, found {} bytes", saved.len());
        Err(PlayerError { player: Player::name(self).to_owned(), problem })
    }
}

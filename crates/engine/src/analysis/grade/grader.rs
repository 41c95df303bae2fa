//! Grades games.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::aim::aim_of;
use super::class::Class;
use super::hand::{Hand, MeasuredHand};
use super::piece::{Cause, Checked, GradedPiece, GradedPlacement, Within, needs_tuck};
use super::totals::Totals;
use crate::analysis::record::{PlayedGame, PlayedPiece};
use crate::analysis::{Estimate, Expectation, Horizon, PlayOuts, PlayedOn, Prospect, Valued};
use crate::game::scoring::{MAXOUT, clear_points};
use crate::game::{Piece, Placement};
use crate::gamepad::{TapRate, Tapping};
use crate::judge::handmade::Afterstate;
use crate::judge::learned::NetSet;
use crate::parallel;
use crate::planner::{Forecast, GeneratorOdds, Input, PlayedOut, Reach, Search, Settings, Sight, Think};
use crate::seed;

/// Deeper, only this number of the best placements, and the played one. The fourth and fifth ply look
/// into at most three placements when the player plays. Chosen by hand, not measured.
const DEEP_WIDTH: usize = 3;

/// How to grade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradeSettings {
    /// Plies to look ahead, 1 to 5.
    pub plies: u8,
    /// The hand of the player; `None` measures it.
    pub hand: Option<Hand>,
    /// Games to play on from the best and the played placement of every piece whose class is an
    /// inaccuracy or worse; `best` is not used.
    pub play_outs: PlayOuts,
    /// Number of threads. It changes no grade.
    pub threads: usize,
}

impl Default for GradeSettings {
    /// Three plies, a measured hand, no play-outs, one thread.
    fn default() -> GradeSettings {
        let play_outs = PlayOuts { games: 0, pieces: GradeSettings::CHECK_PIECES, ..PlayOuts::default() };
        GradeSettings { plies: GradeSettings::WIDE_PLIES, hand: None, play_outs, threads: 1 }
    }
}

impl GradeSettings {
    /// Up to this number of plies every placement within reach is looked into.
    pub const WIDE_PLIES: u8 = Think::DEFAULT_PLIES;
    /// Pieces of each play-out: 20 lines, five tetrises. Chosen by hand, not measured.
    pub const CHECK_PIECES: u32 = 50;
}

/// A graded game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameGrade {
    /// The hand that it was graded for.
    pub hand: Hand,
    /// What the recording tells about the hand.
    pub measured: MeasuredHand,
    /// Plies that were looked ahead.
    pub plies: u8,
    /// The frame of the recording in which the first piece is under control.
    pub first_frame: u64,
    /// Level at the start.
    pub start_level: u8,
    /// Score at the end, without the cap where the recording tells it.
    pub score: u64,
    /// Lines at the end.
    pub lines: u16,
    /// Level at the end.
    pub level: u8,
    /// Did it top out?
    pub is_topped_out: bool,
    /// The pieces, in order.
    pub pieces: Vec<GradedPiece>,
    /// The numbers of all pieces.
    pub totals: Totals,
}

impl GameGrade {
    /// The score, and the points that the blunders lost; no more than the highest final score that was
    /// to be expected at any piece, because a player who comes back from the brink loses the same points
    /// more than once.
    pub fn score_without_blunders(&self) -> f64 {
        let highest = self.pieces.iter().map(GradedPiece::expected_score).fold(self.score as f64, f64::max);
        (self.score as f64 + self.totals.class(Class::Blunder).loss).min(highest)
    }

    /// The score with average luck: [`Totals::score_with_average_luck`].
    pub fn score_with_average_luck(&self) -> f64 {
        self.totals.score_with_average_luck(self.score)
    }

    /// The pieces that lost most, the worst first; none that lost nothing.
    pub fn worst(&self, count: usize) -> Vec<&GradedPiece> {
        let mut worst: Vec<&GradedPiece> = self.pieces.iter().filter(|piece| piece.loss > 0.0).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        worst.truncate(count);
        worst
    }
}

/// Grades games by the values of the learned player.
#[derive(Clone)]
pub struct Grader {
    net: Arc<NetSet>,
    settings: GradeSettings,
}

/// What the pieces of a game are graded with.
struct Judges {
    settings: Settings,
    wide: Search,
    /// For more plies than [`GradeSettings::WIDE_PLIES`].
    deep: Option<Search>,
    expectation: Expectation,
    play_outs: PlayOuts,
}

/// A piece to be graded.
struct Task<'a> {
    index: usize,
    piece: &'a PlayedPiece,
    score: u64,
    drought: u32,
}

impl Grader {
    /// With these settings.
    pub fn new(net: Arc<NetSet>, settings: GradeSettings) -> Grader {
        Grader { net, settings }
    }

    /// Grades a game.
    pub fn grade(&self, game: &PlayedGame) -> GameGrade {
        self.grade_unless(game, &AtomicBool::new(false), |_| ()).expect("nothing stops it")
    }

    /// Grades a game; there is no grade if `stop` is set before the end. `done` is called on the calling thread after each piece with the
    /// number of those that are done.
    pub fn grade_unless(&self, game: &PlayedGame, stop: &AtomicBool, mut done: impl FnMut(usize)) -> Option<GameGrade> {
        let measured = MeasuredHand::of(game);
        let hand = self.settings.hand.unwrap_or_else(|| measured.hand());
        let last_line = game.pieces.first().and_then(|piece| Horizon::last_line(&piece.position));
        let judges = self.judges(hand, last_line);
        let mut pieces = Vec::with_capacity(game.pieces.len());
        let mut survival = 1.0;
        let work = |judges: &mut &Judges, task: Task<'_>| {
            let graded = judges.grade(&task, stop);
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(graded);
            }
            ControlFlow::Continue(graded)
        };
        parallel::in_order(
            self.settings.threads,
            || &judges,
            tasks(game),
            work,
            |mut graded| {
                // What was left to win before the next piece was known: so luck is nothing on average.
                graded.luck *= std::mem::replace(&mut survival, graded.survival);
                pieces.push(graded);
                done(pieces.len());
            },
        );
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        Some(GameGrade {
            hand,
            measured,
            plies: self.settings.plies,
            first_frame: game.first_frame,
            start_level: game.start_level,
            score: game.score,
            lines: game.lines,
            level: game.level,
            is_topped_out: game.is_topped_out,
            totals: Totals::of(&pieces),
            pieces,
        })
    }

    fn judges(&self, hand: Hand, last_line: Option<u16>) -> Judges {
        let plies = self.settings.plies;
        let settings = |plies| Settings { last_line, ..hand.settings(plies) };
        let search = |plies| Search::new(Arc::clone(&self.net), settings(plies));
        let settings = settings(plies);
        Judges {
            wide: search(plies.min(GradeSettings::WIDE_PLIES)),
            deep: (plies > GradeSettings::WIDE_PLIES).then(|| search(plies)),
            expectation: Expectation::of(settings.style()),
            settings,
            play_outs: self.settings.play_outs,
        }
    }
}

/// The pieces with the score and the drought at their spawns.
fn tasks(game: &PlayedGame) -> Vec<Task<'_>> {
    let mut score = 0;
    let mut drought = 0;
    let mut before: Option<&PlayedPiece> = None;
    let mut tasks = Vec::with_capacity(game.pieces.len());
    for (index, piece) in game.pieces.iter().enumerate() {
        // Beyond the cap the points of the clears are counted; those of pushdowns are not.
        score = match before {
            Some(before) if piece.position.score >= MAXOUT => {
                let cleared = Afterstate::of(&before.position.playfield, before.placement).cleared.count;
                let counted = score + u64::from(clear_points(cleared, piece.position.level));
                counted.max(MAXOUT.into())
            }
            _ => u64::from(piece.position.score),
        };
        drought = if piece.position.piece == Piece::I { 0 } else { drought + 1 };
        tasks.push(Task { index, piece, score, drought });
        before = Some(piece);
    }
    tasks
}

impl Judges {
    /// `stop`: nobody waits for it any more.
    fn grade(&self, task: &Task<'_>, stop: &AtomicBool) -> GradedPiece {
        let Task { piece, .. } = task;
        let PlayedPiece { position, placement: played, .. } = *piece;
        let (mut placements, reachable) = self.reachable(piece);
        let within = match placements.contains(played) {
            true => Within::Hand,
            false if is_within_fastest(piece) => Within::Fastest,
            false => Within::Nothing,
        };
        if within != Within::Hand {
            placements.push(*played);
        }
        let values = self.values(piece, &placements);
        let value_of = |wanted: Placement| {
            let found = placements.iter().zip(&values).find(|(placement, _)| **placement == wanted);
            found.map_or(f64::NEG_INFINITY, |(_, value)| *value)
        };
        let value = value_of(*played);
        let better = values.iter().filter(|&&other| other > value).count();
        let mut best = *played;
        for (&placement, &other) in placements.iter().zip(&values) {
            if other > value_of(best) {
                best = placement;
            }
        }
        let prospect = Prospect::of(&self.wide, &self.expectation, position, best, Sight::WithNext);
        let clears_of = |placement| Afterstate::of(&position.playfield, placement).cleared.count;
        let valued = |placement| Valued { value: value_of(placement), clears: clears_of(placement) };
        let loss_of = |other| prospect.difference(self.expectation.loss(position, valued(best), valued(other)));
        let ends = |placement| Expectation::final_points(position, clears_of(placement));
        let most = prospect.points_with(&self.expectation, position, valued(best));
        let graded = |placement| GradedPlacement {
            placement,
            points: ends(placement).unwrap_or_else(|| (most - loss_of(placement)).max(0.0)),
            clears: clears_of(placement),
            needs_tuck: needs_tuck(&position.playfield, placement),
        };
        let loss = loss_of(*played);
        let class = if best == *played { Class::Best } else { Class::of_loss(loss).max(Class::Good) };
        let aimed = self.aimed(piece, &placements, |placement| loss_of(placement) < loss / 2.0);
        let cause = (class >= Class::Inaccuracy).then(|| match aimed {
            _ if piece.frames.iter().any(|frame| frame.buttons.is_none()) => Cause::Unknown,
            Some(_) => Cause::Misdrop,
            None => Cause::Misjudgement,
        });
        GradedPiece {
            number: task.index as u32 + 1,
            spawn_frame: piece.spawn_frame,
            landing_frame: piece.spawn_frame + piece.frames.len() as u64,
            position: *position,
            score: task.score,
            played: graded(*played),
            best: graded(best),
            reachable,
            better: better as u32,
            within,
            survival: prospect.survival,
            loss,
            class,
            cause,
            aimed: aimed.filter(|_| cause == Some(Cause::Misdrop)),
            luck: self.luck(piece, &placements),
            drought: task.drought,
            checked: (class >= Class::Inaccuracy).then(|| self.check(piece, best, stop)).flatten(),
        }
    }

    /// The placements within reach of the hand, and their number.
    fn reachable(&self, piece: &PlayedPiece) -> (Vec<Placement>, u32) {
        let search = self.deep.as_ref().unwrap_or(&self.wide);
        let (opening, _) = search.opening(&piece.position, &piece.falling).unzip();
        let opening = opening.unwrap_or_default();
        let reach = Reach::of(&piece.position, &piece.falling, &opening, &self.settings);
        let placements: Vec<Placement> =
            reach.iter().flat_map(|reach| reach.reached()).map(|reached| reached.placement).collect();
        let count = placements.len() as u32;
        (placements, count)
    }

    /// The values of the placements; of those that are not looked into with all plies the lowest.
    fn values(&self, piece: &PlayedPiece, placements: &[Placement]) -> Vec<f64> {
        let values = |search: &Search, placements: &[Placement]| {
            search.values(&piece.position, placements, Sight::WithNext, &GeneratorOdds).unwrap_or_default()
        };
        let wide = values(&self.wide, placements);
        let Some(deep) = &self.deep else { return wide };
        let mut order: Vec<usize> = (0..placements.len()).collect();
        order.sort_by(|&a, &b| wide[b].total_cmp(&wide[a]));
        let mut chosen: Vec<usize> = order.into_iter().take(DEEP_WIDTH).collect();
        if let Some(played) = placements.iter().position(|&placement| placement == piece.placement)
            && !chosen.contains(&played)
        {
            chosen.push(played);
        }
        let looked_into: Vec<Placement> = chosen.iter().map(|&at| placements[at]).collect();
        let mut all = vec![f64::NEG_INFINITY; placements.len()];
        for (at, value) in chosen.into_iter().zip(values(deep, &looked_into)) {
            all[at] = value;
        }
        all
    }

    /// The placement that the buttons aimed at, if it is one that would have lost much less.
    fn aimed(
        &self,
        piece: &PlayedPiece,
        placements: &[Placement],
        loses_less: impl Fn(Placement) -> bool,
    ) -> Option<Placement> {
        let aim = aim_of(piece)?;
        placements.iter().copied().find(|&placement| aim.is_at(placement) && loses_less(placement))
    }

    /// In expected points, by the net's values without looking ahead, in a game that is not lost yet.
    fn luck(&self, piece: &PlayedPiece, placements: &[Placement]) -> f64 {
        let position = &piece.position;
        let Some(by_next) = self.wide.best_by_next(position, placements) else { return 0.0 };
        let worths = by_next.map(|(value, clears)| self.expectation.worth(position, Valued { value, clears }));
        let odds = GeneratorOdds.odds(position.piece);
        let mean: f64 = worths.iter().zip(odds).map(|(worth, odds)| worth * f64::from(odds)).sum();
        worths[position.next.index()] - mean
    }

    /// `None` without games, and when `stop` is set.
    fn check(&self, piece: &PlayedPiece, best: Placement, stop: &AtomicBool) -> Option<Checked> {
        let PlayOuts { games, pieces, seed, .. } = self.play_outs;
        let play = |placement| -> Vec<PlayedOut> {
            let game = |game: u32| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game.into()));
                let sight = Sight::WithNext;
                self.wide.play_out(&piece.position, placement, sight, &GeneratorOdds, pieces, &mut random)
            };
            (0..games).take_while(|_| !stop.load(Ordering::Relaxed)).filter_map(game).collect()
        };
        let (best, played) = (play(best), play(piece.placement));
        let differences: Vec<f64> =
            best.iter().zip(&played).map(|(best, played)| best.points as f64 - played.points as f64).collect();
        Some(Checked {
            difference: Estimate::of_mean(&differences)?,
            best: PlayedOn::of(&best, pieces)?,
            played: PlayedOn::of(&played, pieces)?,
        })
    }
}

/// Can the placement be reached by taps at 30 Hz or by two hands that press independently, from the
/// first frame on?
fn is_within_fastest(piece: &PlayedPiece) -> bool {
    let fastest = Tapping::Rate(TapRate::FASTEST);
    [Input::Taps, Input::Gamepad].into_iter().any(|input| {
        let settings = Settings { input, tap_rate: fastest, ..Settings::default() };
        let reach = Reach::of(&piece.position, &piece.falling, &[], &settings);
        reach.is_some_and(|reach| reach.reached().iter().any(|reached| reached.placement == piece.placement))
    })
}

//! The best placement in a position, and what each of the others gives up.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::estimate::Estimate;
use super::expectation::{Expectation, Horizon, Valued};
use super::measure::Measure;
use super::prospect::Prospect;
use super::ranked::{Ranked, most_at_once};
use crate::game::{Piece, Placement, Position};
use crate::gamepad::Buttons;
use crate::judge::learned::NetSet;
use crate::parallel;
use crate::planner::{Falling, Forecast, GeneratorOdds, Judged, PlayedOut, Reply, Search, Settings, Sight};
use crate::seed;

/// Games that are played on from each placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayOuts {
    /// Games for each placement; 0 for none.
    pub games: u32,
    /// Pieces of each game, the falling one included.
    pub pieces: u32,
    /// Only for this number of the best placements.
    pub best: usize,
    /// Seed of the pieces. All placements get the same seeds, so that luck is the same for all.
    pub seed: u64,
}

impl Default for PlayOuts {
    /// 100 games of ten pieces for every placement.
    fn default() -> PlayOuts {
        PlayOuts { games: 100, pieces: 10, best: usize::MAX, seed: 1 }
    }
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// The position at the spawn of the piece.
    pub position: Position,
    /// The piece that falls.
    pub falling: Falling,
    /// Is the next piece of the position known?
    pub sight: Sight,
    /// Games to play on.
    pub play_outs: PlayOuts,
}

impl Question {
    /// About a piece that has just spawned.
    pub fn at_spawn(position: Position, sight: Sight) -> Question {
        let piece = crate::game::control::FallingPiece::spawned(position.piece.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        Question { position, falling, sight, play_outs: PlayOuts::default() }
    }
}

/// The answer: every placement within reach, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Up to where points are counted.
    pub horizon: Horizon,
    /// The buttons until the next piece may be used: those after which most is expected over the pieces that
    /// may come next. Empty without a reaction time.
    pub opening: Vec<Buttons>,
    /// The best placement that is then still within reach, as far as it can be told without the next piece.
    pub blind: Option<Placement>,
    /// All placements within reach after the opening, best first; empty when the game is over.
    pub choices: Vec<Choice>,
    /// If the next piece is not known: the best placement for each piece that may come next.
    pub by_next: Vec<ByNext>,
    /// The playfield as it is.
    pub measure: Measure,
}

impl Answer {
    /// Is the position lost: does every game that is played on top out soon, whatever the placement?
    pub fn is_lost(&self) -> bool {
        !self.choices.is_empty() && self.choices.iter().all(|choice| choice.prospect.is_lost())
    }
}

/// A placement.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What the search found: placement, buttons, playfield after it, value.
    pub judged: Judged,
    /// Points of clears that are to be expected from the position on with this placement, up to the
    /// horizon.
    pub points: f64,
    /// Points less than those of the best placement: 0 or more.
    pub gap: f64,
    /// What high piles take off the points; the same for all placements of an answer, unless the position is
    /// lost.
    pub prospect: Prospect,
    /// The playfield after it.
    pub measure: Measure,
    /// Where each of the seven pieces would go if it came next, in the order of [`Piece::ALL`].
    pub replies: Vec<Reply>,
    /// Standard deviation of what is expected over the seven next pieces, in points: how much hangs
    /// on which comes.
    pub dependence: f64,
    /// The games that were played on.
    pub played_on: Option<PlayedOn>,
}

/// Games that were played on from a placement.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct PlayedOn {
    /// Number of games.
    pub games: u32,
    /// Pieces of each, unless it topped out.
    pub pieces: u32,
    /// Points of the clears in them.
    pub points: Estimate,
    /// Share of the games that topped out.
    pub topout: Estimate,
}

impl PlayedOn {
    /// Sums up games of at most this number of pieces; `None` of fewer than two, which have no interval.
    pub fn of(played: &[PlayedOut], pieces: u32) -> Option<PlayedOn> {
        let points: Vec<f64> = played.iter().map(|game| game.points as f64).collect();
        let topouts = played.iter().filter(|game| game.is_topped_out).count();
        Some(PlayedOn {
            games: played.len() as u32,
            pieces,
            points: Estimate::of_mean(&points)?,
            topout: Estimate::of_share(topouts as u64, played.len() as u64)?,
        })
    }
}

/// The best placement of the falling piece if this piece comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByNext {
    /// The next piece.
    pub next: Piece,
    /// Its odds, 0 to 1.
    pub odds: f32,
    /// The best placement of the falling piece.
    pub placement: Placement,
    /// Expected points with it.
    pub points: f64,
}

/// Answers questions about positions, by the learned player.
#[derive(Clone)]
pub struct Analyst {
    net: Arc<NetSet>,
    settings: Settings,
    expectation: Expectation,
    threads: usize,
}

impl Analyst {
    /// For a player who moves as the settings say, with the search depth of the settings.
    pub fn new(net: Arc<NetSet>, settings: Settings) -> Analyst {
        let expectation = Expectation::of(settings.style());
        let threads = settings.think_threads.map_or(1, |threads| threads.get().into());
        Analyst { net, settings, expectation, threads }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// From values to points.
    pub fn expectation(&self) -> &Expectation {
        &self.expectation
    }

    /// A search by the settings.
    pub fn search(&self) -> Search {
        Search::new(Arc::clone(&self.net), self.settings.clone())
    }

    /// A search for the points up to the horizon of the position.
    fn search_up_to_the_horizon(&self, position: &Position) -> Search {
        let settings = Settings { last_line: Horizon::last_line(position), ..self.settings.clone() };
        Search::new(Arc::clone(&self.net), settings)
    }

    /// Answers.
    pub fn answer(&self, question: &Question) -> Answer {
        self.answer_watched(question, |_, _| ())
    }

    /// The same; `watch` is told after each placement how many are done and how many there are.
    pub fn answer_watched(&self, question: &Question, watch: impl FnMut(usize, usize)) -> Answer {
        self.answer_until(question, &AtomicBool::new(false), watch)
    }

    /// The same; `None` when `stop` is set before the end. It is looked at before each placement, each
    /// game and each next piece: a search that is under way is finished.
    pub fn answer_unless(&self, question: &Question, stop: &AtomicBool) -> Option<Answer> {
        let answer = self.answer_until(question, stop, |_, _| ());
        (!stop.load(Ordering::Relaxed)).then_some(answer)
    }

    /// An answer, which is incomplete when `stop` is set before the end.
    fn answer_until(&self, question: &Question, stop: &AtomicBool, watch: impl FnMut(usize, usize)) -> Answer {
        let Question { position, falling, sight, .. } = question;
        let search = self.search_up_to_the_horizon(position);
        let (opening, blind) =
            search.opening(position, falling).map(|(opening, blind)| (opening, Some(blind))).unwrap_or_default();
        let choices = self.choices(&search, question, &opening, stop, watch);
        let by_next = match sight {
            Sight::WithNext => Vec::new(),
            Sight::WithoutNext => self.by_next(&search, question, &opening, stop),
        };
        Answer {
            horizon: Horizon::of(position),
            opening,
            blind,
            choices,
            by_next,
            measure: Measure::of(&position.playfield, position.level, &self.settings),
        }
    }

    /// Judges the placements only: no replies, play-outs or counts. The best comes first.
    pub fn judge(&self, position: &Position, falling: &Falling, sight: Sight) -> Vec<Judged> {
        self.search_up_to_the_horizon(position).analyse(position, falling, sight, &GeneratorOdds)
    }

    fn choices(
        &self,
        search: &Search,
        question: &Question,
        opening: &[Buttons],
        stop: &AtomicBool,
        mut watch: impl FnMut(usize, usize),
    ) -> Vec<Choice> {
        let &Question { ref position, sight, .. } = question;
        let judged = search.analyse_after(position, &question.falling, opening, sight, &GeneratorOdds);
        let ranked = Ranked::all(search, &self.expectation, position, sight, judged);
        let count = ranked.len();
        let work = |(): &mut (), (rank, ranked): (usize, Ranked)| {
            let Ranked { points, gap, prospect, judged } = ranked;
            let placement = judged.placement;
            let replies = search.replies(position, placement);
            let after = position.after(judged.playfield, judged.clears);
            let choice = Choice {
                points,
                gap,
                prospect,
                measure: Measure::of(&after.playfield, after.level, &self.settings),
                dependence: prospect.difference(self.expectation.difference(position, dependence(&replies))),
                replies,
                played_on: (rank < question.play_outs.best)
                    .then(|| self.play_on(search, question, placement, stop))
                    .flatten(),
                judged,
            };
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(choice) } else { ControlFlow::Continue(choice) }
        };
        let mut choices = Vec::with_capacity(count);
        let ranked: Vec<(usize, Ranked)> = ranked.into_iter().enumerate().collect();
        parallel::in_order(
            self.threads,
            || (),
            ranked,
            work,
            |choice| {
                choices.push(choice);
                watch(choices.len(), count);
            },
        );
        choices
    }

    /// Points of clears that are to be expected from the next piece on, if it is the one of this reply
    /// to a placement; `None` when it can go nowhere.
    pub fn reply_points(&self, position: &Position, choice: &Choice, reply: &Reply) -> Option<f64> {
        let value = reply.value?;
        if Expectation::final_points(position, choice.judged.clears).is_some() {
            return Some(0.0);
        }
        let after = Position { piece: reply.next, ..position.after(choice.judged.playfield, choice.judged.clears) };
        // The value is in points at the level of the position.
        let value = value * (f64::from(after.level) + 1.0) / (f64::from(position.level) + 1.0);
        Some(choice.prospect.points(self.expectation.points(&after, value)))
    }

    fn play_on(
        &self,
        search: &Search,
        question: &Question,
        placement: Placement,
        stop: &AtomicBool,
    ) -> Option<PlayedOn> {
        let PlayOuts { games, pieces, seed, .. } = question.play_outs;
        let played: Vec<PlayedOut> = (0..games)
            .take_while(|_| !stop.load(Ordering::Relaxed))
            .filter_map(|game| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game.into()));
                search.play_out(&question.position, placement, question.sight, &GeneratorOdds, pieces, &mut random)
            })
            .collect();
        PlayedOn::of(&played, pieces)
    }

    fn by_next(&self, search: &Search, question: &Question, opening: &[Buttons], stop: &AtomicBool) -> Vec<ByNext> {
        let Question { position, falling, .. } = question;
        let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(position.piece)).filter(|&(_, odds)| odds > 0.0);
        let with = |(next, odds): (Piece, f32)| {
            let position = Position { next, ..*position };
            let judged = search.analyse_after(&position, falling, opening, Sight::WithNext, &GeneratorOdds);
            let best = judged.first()?;
            let prospect = Prospect::of(search, &self.expectation, &position, best.placement, Sight::WithNext);
            let valued = Valued { value: best.verdict.value, clears: best.clears };
            let points = prospect.points_with(&self.expectation, &position, valued);
            let points = points.max(most_at_once(&position, &judged));
            Some(ByNext { next, odds, placement: best.placement, points })
        };
        odds.take_while(|_| !stop.load(Ordering::Relaxed)).filter_map(with).collect()
    }
}

/// Standard deviation of the values of replies, by their odds; a piece that can go nowhere counts as
/// the worst of the others.
fn dependence(replies: &[Reply]) -> f64 {
    let worst = replies.iter().filter_map(|reply| reply.value).fold(f64::INFINITY, f64::min);
    if !worst.is_finite() {
        return 0.0;
    }
    let values = || replies.iter().map(|reply| (reply.value.unwrap_or(worst), f64::from(reply.odds)));
    let sum: f64 = values().map(|(_, odds)| odds).sum();
    let mean = values().map(|(value, odds)| value * odds).sum::<f64>() / sum;
    (values().map(|(value, odds)| (value - mean).powi(2) * odds).sum::<f64>() / sum).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Playfield;
    use crate::game::scoring::clear_points;
    use crate::gamepad::{TapRate, Tapping};
    use crate::judge::{self, Judge};

    fn analyst(settings: Settings) -> Analyst {
        let Judge::Learned(net) = judge::by_name("learned", None).unwrap() else { panic!("a net") };
        Analyst::new(net, settings)
    }

    fn position() -> Position {
        let playfield = Playfield::drawn(
            "
            #.........
            ##....#...
            ####.###..
            #########.
            #########.
            ",
        );
        Position { playfield, piece: Piece::T, next: Piece::I, level: 19, lines: 60, score: 250_000 }
    }

    #[test]
    fn the_best_comes_first_and_has_no_gap() {
        let mut question = Question::at_spawn(position(), Sight::WithNext);
        question.play_outs = PlayOuts { games: 5, best: 2, ..PlayOuts::default() };
        let analyst = analyst(Settings::default());
        let answer = analyst.answer(&question);
        assert!(answer.choices.len() > 20);
        assert_eq!(answer.choices[0].gap, 0.0);
        assert!(answer.choices.is_sorted_by(|a, b| a.points >= b.points));
        assert_eq!(answer.choices.iter().filter(|choice| choice.played_on.is_some()).count(), 2);
        assert!(answer.by_next.is_empty() && answer.opening.is_empty());
        // The same question has the same answer, on more threads too.
        let threads = Settings { think_threads: std::num::NonZeroU16::new(2), ..Settings::default() };
        assert_eq!(answer, super::tests::analyst(threads).answer(&question));
    }

    #[test]
    fn what_the_search_likes_less_loses_something() {
        let high = Playfield::drawn(&format!("########..\n{}", "#########.\n".repeat(10)));
        let mut burns = 0;
        for (hz, piece) in [12, 20].into_iter().flat_map(|hz| Piece::ALL.map(|piece| (hz, piece))) {
            let tap_rate = Tapping::from(TapRate::from_hz(hz).expect("a rate"));
            let analyst = analyst(Settings { tap_rate, ..Settings::default() });
            for playfield in [high, position().playfield] {
                let mut question = Question::at_spawn(Position { playfield, piece, ..position() }, Sight::WithNext);
                question.play_outs.games = 0;
                let answer = analyst.answer(&question);
                let best = &answer.choices[0];
                burns += u32::from((1..4).contains(&best.judged.clears));
                for choice in
                    answer.choices.iter().filter(|choice| choice.judged.verdict.value < best.judged.verdict.value)
                {
                    assert!(choice.gap > 0.0, "{hz} Hz, {piece:?}: {}", choice.judged.placement);
                }
            }
        }
        assert!(burns > 0);
    }

    /// A tetris that reaches level 29 ends the count: it has its own points, and what comes after it does not matter.
    #[test]
    fn a_clear_that_reaches_level_29_has_just_its_points() {
        let well = |rows: usize| Playfield::drawn(&"#########.\n".repeat(rows));
        let mut tetrises = 0;
        for (rows, lines, hz) in [(6, 229, 10), (6, 229, 12), (6, 229, 30), (10, 228, 12), (10, 228, 15), (10, 226, 30)]
        {
            let playfield = well(rows);
            let position = Position { playfield, piece: Piece::I, next: Piece::L, level: 28, lines, score: 0 };
            let tap_rate = Tapping::from(TapRate::from_hz(hz).expect("a rate"));
            let analyst = analyst(Settings { tap_rate, ..Settings::default() });
            let mut question = Question::at_spawn(position, Sight::WithNext);
            question.play_outs = PlayOuts { games: 20, best: 60, ..PlayOuts::default() };
            let answer = analyst.answer(&question);
            let tetris = answer.choices.iter().find(|choice| choice.judged.clears == 4);
            let Some(tetris) = tetris else { continue };
            tetrises += 1;
            let played = tetris.played_on.expect("games");
            assert!(!answer.is_lost() && tetris.gap == 0.0, "{rows} {lines}");
            assert_eq!((tetris.points, played.points.value, played.topout.value), (36_000.0, 36_000.0, 0.0));
            for reply in &tetris.replies {
                assert!(analyst.reply_points(&position, tetris, reply).is_none_or(|points| points == 0.0));
            }
            // A fast player may as well wait for another I.
            for choice in answer.choices.iter().filter(|choice| choice.judged.clears < 4 && hz < 30) {
                assert!(choice.gap > 0.0, "{rows} {lines} {hz}: {}", choice.judged.placement);
            }
            // Games that are played on from other placements end with level 29, too.
            let most = answer.choices.iter().filter_map(|choice| choice.played_on).map(|played| played.points.value);
            assert!(most.fold(0.0, f64::max) <= 3.0 * 36_000.0);
        }
        assert!(tetrises > 4, "{tetrises}");
    }

    #[test]
    fn points_and_gaps_agree_and_a_clear_is_worth_its_points() {
        let ready = Playfield::drawn(&"#########.\n".repeat(4));
        let high = Playfield::drawn(&format!("{}{}", "######....\n", "#.#.#.#.#.\n.#.#.#.#.#\n".repeat(6)));
        for (playfield, level, lines) in
            [(ready, 19, 60), (ready, 28, 225), (ready, 28, 229), (ready, 35, 300), (high, 19, 60), (high, 28, 229)]
        {
            let position = Position { playfield, piece: Piece::I, next: Piece::T, level, lines, score: 0 };
            let mut question = Question::at_spawn(position, Sight::WithoutNext);
            question.play_outs.games = 0;
            let answer = analyst(Settings::default()).answer(&question);
            assert!(answer.choices.is_sorted_by(|a, b| a.points >= b.points && a.gap <= b.gap));
            assert_eq!(answer.choices[0].gap, 0.0);
            for choice in &answer.choices {
                let clears = choice.judged.clears;
                assert!(choice.points >= f64::from(clear_points(clears, position.progress_after(clears).level)));
                let difference = answer.choices[0].points - choice.points;
                assert!((difference - choice.gap).abs() < 1e-6, "{level} {lines}: {choice:?}");
            }
            for by in &answer.by_next {
                let place = answer.choices.iter().find(|choice| choice.judged.placement == by.placement).unwrap();
                let clears = place.judged.clears;
                assert!(by.points >= f64::from(clear_points(clears, position.progress_after(clears).level)));
            }
        }
    }

    #[test]
    fn a_next_piece_that_is_not_known_has_an_answer_for_each() {
        let mut question = Question::at_spawn(position(), Sight::WithoutNext);
        question.play_outs.games = 0;
        let answer = analyst(Settings::default()).answer(&question);
        assert_eq!(answer.by_next.len(), 7);
        assert!((answer.by_next.iter().map(|by| by.odds).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(answer.choices.iter().all(|choice| choice.played_on.is_none()));
    }

    #[test]
    fn an_answer_can_be_stopped() {
        let (mut question, stop) = (Question::at_spawn(position(), Sight::WithoutNext), AtomicBool::new(false));
        question.play_outs.games = 0;
        let analyst = analyst(Settings::default());
        assert_eq!(analyst.answer_unless(&question, &stop), Some(analyst.answer(&question)));
        // Games that nobody has the time for.
        question.play_outs.games = u32::MAX;
        stop.store(true, Ordering::Relaxed);
        assert_eq!(analyst.answer_unless(&question, &stop), None);
    }

    #[test]
    fn a_reaction_time_settles_the_first_buttons() {
        let mut question = Question::at_spawn(position(), Sight::WithNext);
        question.play_outs.games = 0;
        let answer = analyst(Settings { reaction_frames: 18, ..Settings::default() }).answer(&question);
        assert_eq!(answer.opening.len(), 18);
        for choice in &answer.choices {
            assert_eq!(&choice.judged.timeline.frames()[..18], answer.opening, "{:?}", choice.judged.placement);
        }
    }
}

//! Learns what playfields are worth to a tool-assisted game, from games in which every piece may be chosen.
//!
//! A tool-assisted game chooses nearly every piece: it waits for it. So the learning games have no generator:
//! any piece may come. The player takes what looks best, and afterwards, from the last piece to the first, each
//! value moves towards what came of it.

mod starts;

use maxout_engine::game::Piece;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::gamepad::Buttons;
use maxout_engine::tas::{Page, Reach};

use super::dice::Dice;
use super::goal::Goal;
use super::improve::ImproveError;
use super::improve::skeleton::Skeleton;
use super::path::{MOST_FALL, POINTS, frames_after};
use super::values::{FEATURES, NUMBERS, Values, features};

/// What is learned, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lesson {
    /// The level that the pieces fall at.
    pub level: u8,
    /// Frames that a tetris is worth. It should be what a tetris takes, so that values do not drift.
    pub tetris: f32,
    /// What a later frame counts, for each piece in between. With 0.99 and less sunk rows are not worth keeping: they
    /// pay off after 100 pieces and more.
    pub discount: f32,
    /// How much a value hears of what came later than the next piece, 0 to 1.
    pub trace: f32,
    /// What a bad surprise counts against a good one: what can be done is learned sooner than what cannot.
    pub bad: f32,
    /// What the same piece twice in a row costs, in frames. The generator gives it with a chance of 2/8 x 1/7 a frame
    /// and another one with nearly 1/7 (`mechanics.md` 9): it is waited for 28 frames on average instead of 7.
    pub same_again: f32,
    /// Pieces of a game at most.
    pub pieces: usize,
    /// Games in 100 that begin with sunk rows or with a playfield of an example.
    pub sunk: usize,
    /// Games in 100 that begin with an empty playfield. All others begin in the middle of an earlier game.
    pub empty: usize,
    /// The examples are heard once in so many games.
    pub examples_every: u64,
    /// Seed of the starts.
    pub seed: u64,
}

impl Default for Lesson {
    /// Found by trying some on two cores, some minutes each: with a discount of 0.985 the player stays with plain tetrises
    /// (265 frames each), with 0.997 and the record as an example it sinks rows (250 frames each). With 21 frames for the
    /// same piece again it stays above 300 for the first 2 million steps.
    fn default() -> Lesson {
        Lesson {
            level: 18,
            tetris: 250.0,
            discount: 0.997,
            trace: 0.9,
            bad: 0.25,
            same_again: 0.0,
            pieces: 300,
            sunk: 80,
            empty: 10,
            examples_every: 3,
            seed: 1,
        }
    }
}

/// What a game loses that tops out, in frames: more than any other mistake costs. Chosen by hand.
const TOPOUT: f32 = 2000.0;
/// Playfields of earlier games that are kept as starts.
const MOST_EARLIER: usize = 4096;
/// A game that is shorter gives no start.
const SHORTEST_GAME: usize = 10;
/// An examination ends after so many pieces: no useful game needs as many.
const LONGEST_EXAMINATION: u32 = 700;

/// One piece of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The playfield after it.
    pub page: Page,
    /// Rows that it cleared.
    pub rows: u8,
    /// Frames from its spawn to the next one.
    pub frames: f32,
    /// Its level.
    pub level: u8,
}

/// A recorded game as an example: its pieces up to the goal.
///
/// # Errors
/// When no game is played, or the goal is not reached.
pub fn example(buttons: &[Buttons], goal: Goal) -> Result<Vec<Step>, ImproveError> {
    let skeleton = Skeleton::of(buttons, goal)?;
    let spawns = skeleton.steps.iter().map(|step| step.spawned.frame).skip(1).chain([skeleton.frame]);
    let steps = skeleton.steps.iter().zip(spawns).map(|(step, then)| Step {
        page: step.page,
        rows: step.rows,
        frames: (then - step.spawned.frame) as f32,
        level: step.spawned.progress.level,
    });
    Ok(steps.collect())
}

/// Tetrises, also parts of one for smaller clears, and what they took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pace {
    /// Tetrises.
    pub tetrises: f32,
    /// Frames.
    pub frames: f32,
    /// Pieces.
    pub pieces: u32,
}

impl Pace {
    fn add(&mut self, step: &Step) {
        self.tetrises += POINTS[usize::from(step.rows)];
        self.frames += step.frames;
        self.pieces += 1;
    }
}

/// Learning that goes on. The same lesson and examples give the same table, to the last bit.
pub struct Learning {
    lesson: Lesson,
    values: Values,
    /// Of each number the sum of its surprises, and of their sizes: a number that is corrected to and fro moves less
    /// (temporal coherence, Beal and Smith 1999).
    surprises: Vec<f32>,
    sizes: Vec<f32>,
    reach: Reach,
    dice: Dice,
    earlier: Vec<Page>,
    examples: Vec<Vec<Step>>,
    games: u64,
    steps: u64,
    recent: Pace,
}

impl Learning {
    /// Begins with a table. An example counts as far as its pieces fall at the lesson's speed.
    pub fn new(lesson: Lesson, values: Values, examples: &[Vec<Step>]) -> Learning {
        let gravity = frames_per_row(lesson.level);
        let at_speed =
            |game: &Vec<Step>| game.iter().filter(|step| frames_per_row(step.level) == gravity).copied().collect();
        Learning {
            values: Values { gravity, ..values },
            surprises: vec![0.0; NUMBERS],
            sizes: vec![0.0; NUMBERS],
            reach: Reach::new(),
            dice: Dice(lesson.seed),
            earlier: Vec::new(),
            examples: examples.iter().map(at_speed).filter(|game: &Vec<Step>| !game.is_empty()).collect(),
            games: 0,
            steps: 0,
            recent: Pace::default(),
            lesson,
        }
    }

    /// What has been learned.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Pieces so far.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The pace of the games since this was last asked.
    pub fn recent(&mut self) -> Pace {
        std::mem::take(&mut self.recent)
    }

    /// Plays a game and learns from it, and now and then from the examples.
    pub fn game(&mut self) {
        let mut pages = vec![self.start()];
        let (mut rewards, mut expected) = (Vec::new(), Vec::new());
        let mut last = None;
        while rewards.len() < self.lesson.pieces {
            let Some((piece, step, worth)) = self.best(&pages[rewards.len()], last) else { break };
            self.recent.add(&step);
            rewards.push(self.reward(&step));
            expected.push(worth);
            pages.push(step.page);
            last = Some(piece);
        }
        self.steps += rewards.len() as u64 + 1;
        self.games += 1;
        if pages.len() > SHORTEST_GAME {
            let page = pages[self.dice.roll(pages.len() - SHORTEST_GAME / 2)];
            if self.earlier.len() < MOST_EARLIER {
                self.earlier.push(page);
            } else {
                self.earlier[self.dice.roll(MOST_EARLIER)] = page;
            }
        }
        let Lesson { discount, trace, .. } = self.lesson;
        let mut target = self.values.value(&pages[rewards.len()]);
        if rewards.len() < self.lesson.pieces {
            target = -TOPOUT;
            self.correct(&features(&pages[rewards.len()]), target);
        }
        for index in (0..rewards.len()).rev() {
            let came = rewards[index] + discount * target;
            target = (1.0 - trace) * expected[index] + trace * came;
            self.correct(&features(&pages[index]), target);
        }
        if self.games.is_multiple_of(self.lesson.examples_every.max(1)) {
            let examples = std::mem::take(&mut self.examples);
            examples.iter().for_each(|game| self.hear(game));
            self.examples = examples;
        }
    }

    /// Hears of a game by others: a playfield is worth at least what they made of it.
    fn hear(&mut self, game: &[Step]) {
        let Some(last) = game.last() else { return };
        let mut target = self.values.value(&last.page);
        for pair in game.windows(2).rev() {
            target = self.reward(&pair[1]) + self.lesson.discount * target;
            let features = features(&pair[0].page);
            if target > self.values.sum(&features) {
                self.correct(&features, target);
            }
        }
    }

    /// Plays from an empty playfield to so many tetrises and learns nothing.
    pub fn examination(&mut self, tetrises: f32) -> Pace {
        let (mut page, mut last, mut pace) = (Page::EMPTY, None, Pace::default());
        while pace.tetrises < tetrises && pace.pieces < LONGEST_EXAMINATION {
            let Some((piece, step, _)) = self.best(&page, last) else { break };
            pace.add(&step);
            (page, last) = (step.page, Some(piece));
        }
        pace
    }

    fn reward(&self, step: &Step) -> f32 {
        self.lesson.tetris * POINTS[usize::from(step.rows)] - step.frames
    }

    /// What looks best after this piece, and what the playfield is worth by that.
    fn best(&mut self, page: &Page, last: Option<Piece>) -> Option<(Piece, Step, f32)> {
        let Learning { lesson, values, reach, .. } = self;
        let parent = values.parent(page);
        let mut best: Option<(Piece, Step, f32)> = None;
        for piece in Piece::ALL {
            let again = if Some(piece) == last { lesson.same_again } else { 0.0 };
            reach.landings(page, piece, frames_per_row(lesson.level), false, MOST_FALL, |landing| {
                let mut after = *page;
                let rows = after.lock(landing.placement);
                let frames = frames_after(0.0, landing, rows, again);
                let reward = lesson.tetris * POINTS[usize::from(rows)] - frames;
                let worth = reward + lesson.discount * parent.child(landing.placement, &after, rows);
                if best.is_none_or(|(.., most)| worth > most) {
                    best = Some((piece, Step { page: after, rows, frames, level: lesson.level }, worth));
                }
            });
        }
        best
    }

    fn start(&mut self) -> Page {
        let kind = self.dice.roll(100);
        if kind < self.lesson.sunk {
            let from_examples = !self.examples.is_empty() && self.dice.roll(3) > 0;
            if !from_examples {
                return starts::sunk(&mut self.dice);
            }
            let game = self.dice.roll(self.examples.len());
            let step = self.dice.roll(self.examples[game].len());
            return self.examples[game][step].page;
        }
        if kind < self.lesson.sunk + self.lesson.empty || self.earlier.is_empty() {
            return Page::EMPTY;
        }
        self.earlier[self.dice.roll(self.earlier.len())]
    }

    /// Moves the value to the target.
    fn correct(&mut self, features: &[u32; FEATURES], target: f32) {
        let surprise = target - self.values.sum(features);
        let surprise = if surprise < 0.0 { self.lesson.bad * surprise } else { surprise };
        let share = surprise / FEATURES as f32;
        for index in features.map(|index| index as usize) {
            let (sum, size) = (&mut self.surprises[index], &mut self.sizes[index]);
            let rate = if *size > 0.0 { sum.abs() / *size } else { 1.0 };
            self.values.numbers[index] += rate * share;
            *sum += surprise;
            *size += surprise.abs();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games for some steps; the learning then.
    fn learned(lesson: Lesson, examples: &[Vec<Step>], steps: u64) -> Learning {
        let mut learning = Learning::new(lesson, Values::first(3), examples);
        while learning.steps() < steps {
            learning.game();
        }
        learning
    }

    #[test]
    fn the_same_lesson_gives_the_same_table_and_another_seed_another_one() {
        let table = |seed| learned(Lesson { seed, pieces: 40, ..Lesson::default() }, &[], 200).values().to_bytes();
        let first = table(1);
        assert_eq!(first, table(1));
        assert_ne!(first, table(2));
    }

    #[test]
    fn games_become_faster() {
        let lesson = Lesson { pieces: 60, discount: 0.98, sunk: 60, empty: 30, ..Lesson::default() };
        let mut learning = learned(lesson, &[], 3_000);
        let before = learning.recent();
        while learning.steps() < 12_000 {
            learning.game();
        }
        let after = learning.recent();
        let a_tetris = |pace: Pace| pace.frames / pace.tetrises;
        assert!(a_tetris(after) < 0.9 * a_tetris(before), "{before:?}, {after:?}");
    }

    #[test]
    fn an_example_is_worth_what_came_of_it_at_least() {
        let mut page = Page::EMPTY;
        page.occupy(19, 3);
        let quick = |rows| Step { page, rows, frames: 20.0, level: 18 };
        let mut learning = Learning::new(Lesson::default(), Values::first(3), &[vec![quick(0), quick(4)]]);
        let before = learning.values().value(&page);
        let game = learning.examples[0].clone();
        learning.hear(&game);
        let after = learning.values().value(&page);
        assert!(after > before + 100.0, "{before}, {after}");
        let slow = Learning::new(Lesson { level: 19, ..Lesson::default() }, Values::first(2), &[game]);
        assert!(slow.examples.is_empty(), "an example at another speed");
    }
}

//! Real games through a course, with the generator's pieces.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::scoring::Score;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, ROWS};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach, Spawned};

use super::course::{Course, Left};
use crate::tas::beam::{hash_of_game, in_order, unpacked};
use crate::tas::improve::done::{Done, MOST_DELAY, pauses};
use crate::tas::path::MOST_FALL;

/// A game of a race.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runner {
    pub now: Spawned,
    /// Its playfield in its layer of the course.
    pub at: u32,
    /// Its last piece in the [`Record`].
    pub last: Last,
}

/// Where a game comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Last {
    /// The number of its opening.
    Opening(u32),
    /// The number of its last piece in the record.
    Piece(u32),
}

/// All pieces of all games that were kept: what was done, and what came before it.
#[derive(Debug, Default)]
pub(super) struct Record(Vec<(Last, Done)>);

impl Record {
    /// Adds a piece after another.
    pub(super) fn add(&mut self, before: Last, done: Done) -> Last {
        self.0.push((before, done));
        Last::Piece(self.0.len() as u32 - 1)
    }

    /// How many pieces it has.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets all but the first pieces.
    pub(super) fn truncate(&mut self, pieces: usize) {
        self.0.truncate(pieces);
    }

    /// The opening and the pieces of a game.
    pub(super) fn of(&self, mut last: Last) -> (u32, Vec<Done>) {
        let mut all = Vec::new();
        loop {
            match last {
                Last::Opening(opening) => {
                    all.reverse();
                    return (opening, all);
                }
                Last::Piece(number) => {
                    let (before, done) = self.0[number as usize];
                    all.push(done);
                    last = before;
                }
            }
        }
    }
}

/// Games, each with what it counts; the best first.
pub(super) type Games = Vec<(f32, Runner)>;

/// How games go through courses.
pub(super) struct Race<'a> {
    pub luck: f32,
    /// Games that are kept after each piece.
    pub width: usize,
    /// Most bytes of a course through a run of cycles. There is one at a time.
    pub of_course: u64,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// Frames that a game may be behind the fastest one that has ended. What an end counts is an estimate.
const BEHIND: f32 = 40.0;
/// Games that a thread goes on with at a time. Chosen by hand, not measured.
const CHUNK: usize = 64;

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    key: f32,
    parent: u32,
    done: Done,
    to: u32,
}

/// The best first.
pub(super) fn sort(games: &mut [(f32, Runner)]) {
    games.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.last.cmp(&b.1.last)));
}

impl Race<'_> {
    /// Games of a spawn count that begin a burst, and of one modulo 8 that begin a run, at most: half of those that are kept.
    pub(super) fn beginning(&self) -> usize {
        (self.width / 2).max(1)
    }

    /// The games at the ends of a course, those with the fewest frames first, each with what it counts: its frame and that
    /// of its end. `entering` are by layer. `hangs`: the first layer is that of the first piece. `None` if it was stopped.
    pub(super) fn run(
        &self,
        course: &Course,
        left: &Left,
        entering: &[Vec<Runner>],
        hangs: bool,
        record: &mut Record,
    ) -> Option<Vec<(f32, Runner)>> {
        let mut ended: Vec<(f32, Runner)> = Vec::new();
        let mut first = f32::INFINITY;
        let mut games: Vec<Runner> = Vec::new();
        for at in 0..course.layers.len() {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            games.extend(entering.get(at).into_iter().flatten());
            for game in &games {
                if let Some(end) = course.layers[at].ends[game.at as usize] {
                    ended.push((game.now.frame as f32 + end, *game));
                    first = first.min(game.now.frame as f32 + end);
                }
            }
            if at + 1 < course.layers.len() {
                let mut candidates = self.expand(course, left, at, &games, hangs && at == 0);
                candidates.retain(|candidate| candidate.key <= first + BEHIND);
                games = self.choose(&games, candidates, record);
            }
        }
        sort(&mut ended);
        let mut seen = HashSet::new();
        ended.retain(|(_, game)| seen.insert(without_score(&game.now)));
        Some(ended)
    }

    /// All these games through a course from its first layer on. `at` says where a game begins.
    pub(super) fn through(
        &self,
        course: &Course,
        games: impl Iterator<Item = Runner>,
        at: impl Fn(&Runner) -> Option<u32>,
        record: &mut Record,
    ) -> Option<Games> {
        let placed = games.filter_map(|game| Some(Runner { at: at(&game)?, ..game }));
        let mut all = Vec::new();
        for (count, games) in by_count(placed) {
            let left = course.left(self.luck, count, self.threads);
            all.extend(self.run(course, &left, &[games], false, record)?);
        }
        sort(&mut all);
        Some(all)
    }

    fn expand(&self, course: &Course, left: &Left, at: usize, games: &[Runner], hangs: bool) -> Vec<Candidate> {
        let chunks: Vec<(u32, &[Runner])> = (0..).step_by(CHUNK).zip(games.chunks(CHUNK)).collect();
        let found =
            parallel::map(self.threads, &mut Reach::stopping(), Reach::stopping, chunks, |reach, (first, chunk)| {
                let mut found = Vec::new();
                let mut locks = Vec::new();
                let mut known: HashMap<u32, [[f32; Piece::COUNT]; Piece::COUNT]> = HashMap::new();
                for (parent, Runner { now, at: index, .. }) in (first..).zip(chunk) {
                    let ways = course.layers[at].ways[*index as usize].iter().filter(|way| way.piece == now.piece);
                    let ways: Vec<_> = ways.collect();
                    if ways.is_empty() {
                        continue;
                    }
                    reach.locks(&now.page, now.piece, frames_per_row(now.progress.level), hangs, MOST_FALL, &mut locks);
                    for way in ways {
                        let placement = unpacked(way.placement);
                        // On the real playfield a piece may have no way to its place: other rows have sunk.
                        let Some(&(landing, later)) = locks.iter().find(|(it, _)| it.placement == placement) else {
                            continue;
                        };
                        let by_pieces =
                            known.entry(way.to).or_insert_with(|| course.by_pieces(left, self.luck, at + 1, way.to));
                        let soonest = now.lock(placement, landing.frames, 0).entry_delay + landing.frames;
                        let mut had = 0_u64;
                        for after in (0..MOST_DELAY).filter(|after| later >> after & 1 == 1) {
                            let locked = now.lock(placement, landing.frames + after, 0);
                            for (delay, pause) in pauses(&locked, soonest) {
                                if had >> delay & 1 == 1 {
                                    continue;
                                }
                                had |= 1 << delay;
                                let next = locked.spawn(pause);
                                let key = next.frame as f32 + by_pieces[next.piece.index()][next.next.index()];
                                if key.is_finite() {
                                    let (frames, pause) = (locked.frames as u8, pause.frames());
                                    let done = Done { parent, placement: way.placement, frames, pause, pushdown: 0 };
                                    found.push(Candidate { key, parent, done, to: way.to });
                                }
                            }
                        }
                    }
                }
                found
            });
        found.concat()
    }

    /// The fastest looking games, none twice.
    fn choose(&self, games: &[Runner], mut candidates: Vec<Candidate>, record: &mut Record) -> Vec<Runner> {
        let order = |a: &Candidate, b: &Candidate| a.key.total_cmp(&b.key).then_with(|| a.done.cmp(&b.done));
        let mut seen = HashSet::with_capacity(2 * self.width);
        let mut chosen = Vec::with_capacity(self.width);
        in_order(&mut candidates, 2 * self.width, order, |&Candidate { parent, done, to, .. }| {
            let game = &games[parent as usize];
            let now = done.played(&game.now);
            if seen.insert((without_score(&now), to)) {
                chosen.push(Runner { now, at: to, last: record.add(game.last, done) });
            }
            chosen.len() < self.width
        });
        chosen
    }
}

fn without_score(now: &Spawned) -> u64 {
    hash_of_game(&Spawned { score: Score([0; 3]), ..*now })
}

/// The clears of a game that has made tetrises only.
pub(super) fn clears_of(now: &Spawned) -> u8 {
    (now.progress.lines() / 4) as u8
}

/// Games by their spawn count.
pub(super) fn by_count(games: impl Iterator<Item = Runner>) -> BTreeMap<u8, Vec<Runner>> {
    let mut all: BTreeMap<u8, Vec<Runner>> = BTreeMap::new();
    games.for_each(|game| all.entry(game.now.generator.spawn_count).or_default().push(game));
    all
}

/// Games with the same playfield in their order, at most `most` of each spawn count; `most` is 1 or more.
pub(super) fn by_page(games: impl IntoIterator<Item = Runner>, most: usize) -> Vec<Vec<Runner>> {
    let mut all: Vec<Vec<Runner>> = Vec::new();
    let mut known: HashMap<(usize, u8), usize> = HashMap::new();
    for game in games {
        let at = all.iter().position(|games| are_same(&games[0].now.page, &game.now.page)).unwrap_or_else(|| {
            all.push(Vec::new());
            all.len() - 1
        });
        let known = known.entry((at, game.now.generator.spawn_count)).or_default();
        *known += 1;
        if *known <= most {
            all[at].push(game);
        }
    }
    all
}

/// Have two playfields the same rows? What is hidden around them may differ.
fn are_same(a: &Page, b: &Page) -> bool {
    (0..ROWS as i8).all(|row| a.row(row) == b.row(row))
}

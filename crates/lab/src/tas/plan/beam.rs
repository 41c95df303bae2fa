//! The beam of a plan: one layer for each piece, and the games that are kept in it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, Placement, WIDTH};
use maxout_engine::parallel;
use maxout_engine::tas::{Landing, Locked, Page, Reach, Spawned};

use crate::tas::beam::noise_of;
use crate::tas::clears_left::ClearsLeft;
use crate::tas::goal::Goal;
use crate::tas::odds::DrawOdds;
use crate::tas::path::{MOST_FALL, frames_after, landing_in};
use crate::tas::values::{Parent, Tables};

/// How a beam looks for a plan.
#[derive(Debug, Clone)]
pub(super) struct Beam {
    pub goal: Goal,
    /// Tetrises up to the goal.
    pub clears_left: ClearsLeft,
    /// What waiting for a piece costs: frames for each frame in which it is drawn once on average.
    pub wait: f32,
    /// Games that are kept after each piece with as many ready rows and tetrises left. What playfields are worth is compared
    /// well among these only: which number of ready rows is best then is seen much later.
    pub alike: usize,
    /// Another number for the first pieces: how many pieces, and the number.
    pub first: (usize, usize),
    /// Noise on what playfields are worth, in frames, and its seed.
    pub noise: (f32, u64),
    /// Frames that a ready row counts more than it is worth. With more of them such rows are kept for longer.
    pub hold: f32,
    /// Only games with fewer frames are looked for.
    pub below: f32,
}

/// A planned game. Frame, generator and pieces of `now` are those of the opening.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub now: Spawned,
    /// Its frames from power-on, as planned.
    pub frames: f32,
    /// Tetrises up to the goal, if nothing smaller is cleared.
    pub left: u32,
    /// Its pieces.
    pieces: usize,
    last: Option<Piece>,
}

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Its frames, less what its playfield is worth: less is better.
    pub key: f32,
    /// The number of the game that it goes on from.
    pub parent: u32,
    pub placement: Placement,
    page: Page,
    pub frames: f32,
    pub left: u32,
}

/// What a tetris counts against a frame: what it takes, at both speeds about.
const TETRIS: f32 = 250.0;
/// Most pieces of a plan: no useful game needs as many.
const MOST_PIECES: usize = 700;
/// Pieces that are still planned after the first game has reached the goal: a game that needs them all is slower.
const MORE_PIECES: usize = 12;
/// Candidates of a layer that are looked at, for each game that is kept of those alike. There are about 40 kinds of games in a
/// layer, and several candidates with the same playfield.
const COMPARED: usize = 1000;
/// Games that a thread expands at a time.
const CHUNK: usize = 32;
/// Where a row that is full but for one cell counts as ready: 16 rows, pieces lock above them.
const READY: Range<i8> = 4..20;

impl Planned {
    pub(super) fn begin(first: Spawned, clears_left: &ClearsLeft) -> Planned {
        let left = clears_left.of(first.score, first.progress);
        Planned { now: first, frames: first.frame as f32, left, pieces: 0, last: None }
    }

    /// The frames that its pieces take for a row.
    const fn gravity(&self) -> u8 {
        frames_per_row(self.now.progress.level)
    }

    /// What waiting for this piece costs as the next one, in frames; `None` if it cannot come.
    fn wait(&self, piece: Piece, wait: f32) -> Option<f32> {
        // The spawn of a piece has drawn the next one; the first two came with the opening.
        let Some(last) = self.last else { return (piece == self.now.piece).then_some(0.0) };
        if self.pieces == 1 {
            return (piece == self.now.next).then_some(0.0);
        }
        let count = self.now.generator.spawn_count.wrapping_add(self.pieces as u8).wrapping_sub(2);
        Some(wait / DrawOdds::get().of(count, last, piece)).filter(|frames| frames.is_finite())
    }

    /// A placement, and the frames of the game after it.
    fn lock(&self, landing: Landing, wait: f32) -> (Locked, f32) {
        let piece = landing.placement.orientation.piece();
        let locked = Spawned { piece, ..self.now }.lock(landing.placement, landing.frames, 0);
        let frames = frames_after(self.frames, landing, locked.rows, wait);
        (locked, frames)
    }

    fn after(&self, locked: &Locked, frames: f32, left: u32) -> Planned {
        let now = Spawned { page: *locked.page(), score: locked.score(), progress: locked.progress(), ..self.now };
        Planned { now, frames, left, pieces: self.pieces + 1, last: Some(locked.placement.orientation.piece()) }
    }

    /// The tetrises that are left after a lock.
    fn left_after(&self, locked: &Locked, clears_left: &ClearsLeft) -> u32 {
        if locked.rows == 0 { self.left } else { clears_left.of(locked.score(), locked.progress()) }
    }

    /// The game after its next placement; `None` if the piece cannot come or cannot get there.
    pub(super) fn play(
        &self,
        placement: Placement,
        wait: f32,
        clears_left: &ClearsLeft,
        reach: &mut Reach,
    ) -> Option<Planned> {
        let piece = placement.orientation.piece();
        let wait = self.wait(piece, wait)?;
        let landing = landing_in(reach, &self.now.page, placement, self.gravity(), self.pieces == 0)?;
        let (locked, frames) = self.lock(landing, wait);
        Some(self.after(&locked, frames, self.left_after(&locked, clears_left)))
    }

    /// What matters for the pieces that may follow: its playfield, its last piece, and the odds of the next draw.
    pub(super) const fn state(&self) -> (Page, Option<Piece>, usize) {
        (self.now.page, self.last, self.pieces % DrawOdds::COUNTS)
    }

    pub(super) fn is_at(&self, goal: Goal) -> bool {
        goal.is_reached(self.now.score, self.now.progress)
    }
}

impl Beam {
    /// All that the next piece makes of these games, in parts; only what has fewer frames than `below`.
    pub(super) fn expand(&self, games: &[Planned], below: f32, tables: &Tables, threads: usize) -> Vec<Expanded> {
        let chunks: Vec<(u32, &[Planned])> = (0..).step_by(CHUNK).zip(games.chunks(CHUNK)).collect();
        parallel::map(threads, &mut Reach::stopping(), Reach::stopping, chunks, |reach, (parents, chunk)| {
            let mut found = Expanded { below, ..Expanded::default() };
            for (parent, game) in (parents..).zip(chunk) {
                let values = tables.of(game.gravity()).parent(&game.now.page);
                for piece in Piece::ALL {
                    if let Some(wait) = game.wait(piece, self.wait) {
                        let from = From { beam: self, parent, game, values: &values, wait };
                        found.expand(reach, tables, &from, piece);
                    }
                }
            }
            found
        })
    }

    /// Goes on from one of these games to the goal, in as few frames as it finds: which of them, and its placements.
    /// `None` if it was stopped, or finds nothing. `shown` gets the pieces so far and the points.
    pub(super) fn search(
        &self,
        mut games: Vec<Planned>,
        tables: &Tables,
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(usize, u32),
    ) -> Option<(usize, Vec<Placement>)> {
        let mut trail: Vec<Vec<(u32, Placement)>> = Vec::new();
        let mut best: Option<(Candidate, usize)> = None;
        let mut below = self.below;
        while trail.len() < MOST_PIECES && best.is_none_or(|(_, layer)| trail.len() <= layer + MORE_PIECES) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let found = self.expand(&games, below, tables, threads);
            let mut candidates = Vec::new();
            for expanded in found {
                candidates.extend(expanded.candidates);
                if let Some(goal) = expanded.goal.filter(|goal| goal.frames < below) {
                    below = goal.frames;
                    best = Some((goal, trail.len()));
                }
            }
            let (pieces, more) = self.first;
            let alike = if trail.len() < pieces { more } else { self.alike };
            let chosen = choose(candidates, alike, games[0].pieces == 0);
            if chosen.is_empty() {
                break;
            }
            games = chosen.iter().map(|it| it.play(&games[it.parent as usize])).collect();
            shown(games[0].pieces, games[0].now.score.value());
            trail.push(chosen.iter().map(|candidate| (candidate.parent, candidate.placement)).collect());
        }
        let (last, layer) = best?;
        let mut placements = vec![last.placement];
        let mut at = last.parent as usize;
        for layer in trail[..layer].iter().rev() {
            let (parent, placement) = layer[at];
            placements.push(placement);
            at = parent as usize;
        }
        placements.reverse();
        Some((at, placements))
    }
}

/// Where a piece is placed.
struct From<'a> {
    beam: &'a Beam,
    parent: u32,
    game: &'a Planned,
    values: &'a Parent<'a>,
    wait: f32,
}

/// What the next piece makes of some games.
#[derive(Default)]
pub(super) struct Expanded {
    below: f32,
    pub candidates: Vec<Candidate>,
    /// The fastest that reaches the goal.
    pub goal: Option<Candidate>,
}

impl Expanded {
    fn expand(&mut self, reach: &mut Reach, tables: &Tables, from: &From<'_>, piece: Piece) {
        let From { beam, game, parent, .. } = *from;
        let gravity = game.gravity();
        reach.landings(&game.now.page, piece, gravity, game.pieces == 0, MOST_FALL, |landing| {
            let (locked, frames) = game.lock(landing, from.wait);
            if frames >= self.below {
                return;
            }
            let (placement, page) = (landing.placement, *locked.page());
            if beam.goal.is_reached(locked.score(), locked.progress()) {
                self.below = frames;
                self.goal = Some(Candidate { key: frames, parent, placement, page, frames, left: 0 });
                return;
            }
            let left = game.left_after(&locked, &beam.clears_left);
            let mut value = tables.after(from.values, &locked);
            if beam.hold != 0.0 {
                value += beam.hold * ready_rows(&page).min(4 * left as usize) as f32;
            }
            let (noise, seed) = beam.noise;
            if noise > 0.0 {
                value -= noise * noise_of(seed, &page);
            }
            let key = frames - value + TETRIS * left as f32;
            self.candidates.push(Candidate { key, parent, placement, page, frames, left });
        });
    }
}

impl Candidate {
    const fn piece(&self) -> Piece {
        self.placement.orientation.piece()
    }

    /// The game after it; `game` is the one that it goes on from.
    pub(super) fn play(&self, game: &Planned) -> Planned {
        let locked = Spawned { piece: self.piece(), ..game.now }.lock(self.placement, 0, 0);
        game.after(&locked, self.frames, self.left)
    }
}

/// The best candidates, none with the same playfield and last piece as another; of the first layer none of the same
/// opening.
fn choose(mut candidates: Vec<Candidate>, alike: usize, is_first: bool) -> Vec<Candidate> {
    let order = |a: &Candidate, b: &Candidate| {
        let ties = |it: &Candidate| (it.parent, it.placement);
        a.key.total_cmp(&b.key).then_with(|| ties(a).cmp(&ties(b)))
    };
    let most = alike.saturating_mul(COMPARED);
    if candidates.len() > most {
        candidates.select_nth_unstable_by(most, order);
        candidates.truncate(most);
    }
    candidates.sort_unstable_by(order);
    let mut seen = HashSet::new();
    candidates.retain(|it| {
        let parent = if is_first { it.parent } else { 0 };
        seen.insert((it.page, it.piece(), parent))
    });
    keep_alike(&mut candidates, alike, |it| (it.left, it.page));
    candidates
}

/// Keeps the first `alike` of those with as many tetrises left and as many ready rows.
pub(super) fn keep_alike<T>(sorted: &mut Vec<T>, alike: usize, of: impl Fn(&T) -> (u32, Page)) {
    let mut counts: HashMap<(u32, usize), usize> = HashMap::new();
    sorted.retain(|it| {
        let (left, page) = of(it);
        let count = counts.entry((left, ready_rows(&page))).or_default();
        *count += 1;
        *count <= alike
    });
}

/// Rows that are full but for one cell, below those in which most pieces lock.
fn ready_rows(page: &Page) -> usize {
    READY.filter(|&row| page.row(row).count_ones() as usize == WIDTH - 1).count()
}

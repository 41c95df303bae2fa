//! The beam search: layer by layer, one piece each.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Orientation, Placement};
use maxout_engine::parallel;
use maxout_engine::seed::split_mix;
use maxout_engine::tas::{Landing, Opening, Page, Pause, Reach, Spawned, openings};

use super::clears_left::ClearsLeft;
use super::count::Count;
use super::ending::Ending;
use super::estimate::Estimate;
use super::goal::Goal;
use super::path::{Found, MOST_FALL, Move};
use super::weights::Weights;

/// What a search is about. The same settings give the same result.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What is to be reached.
    pub goal: Goal,
    /// Up to which frame a game is measured.
    pub count: Count,
    /// The level that is chosen in the menu.
    pub start_level: u8,
    /// Games that a layer keeps at most.
    pub width: usize,
    /// The longest pause for other pieces, in frames.
    pub longest_pause: u8,
    /// Games of a layer with the same playfield at most.
    pub same_playfield: u8,
    /// Frames by which the menus may be delayed.
    pub menu_delay: u32,
    /// Seed of the noise.
    pub seed: u64,
    /// Noise on the estimate, in frames: other seeds find other games.
    pub noise: f32,
    /// The numbers of the estimate.
    pub weights: Weights,
}

/// How a game of a layer came from one of the layer before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Index in the layer before; of an opening in the first.
    pub parent: u32,
    /// Frames from the spawn to the lock.
    pub frames: u16,
    /// The placement, packed.
    pub placement: u16,
    /// Length of the pause in frames.
    pub pause: u8,
}

/// A game that may come into the next layer.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// Frames in all, in sixteenths: those so far and the estimate.
    key: i32,
    node: Node,
}

/// Parts of a frame that a key tells apart.
const KEY: f32 = 16.0;
/// Games that a thread expands at a time.
const CHUNK: usize = 64;

/// Bytes that a search takes for each game of its width, about: 16 for each of some 100 candidates, a game
/// and the next one, and 12 for each of some 450 layers of its trail.
pub const fn bytes_of_width() -> u64 {
    100 * size_of::<Candidate>() as u64 + 3 * size_of::<Spawned>() as u64 + 450 * size_of::<Node>() as u64
}

/// What a layer has come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Pieces that have locked in each of its games.
    pub pieces: u32,
    /// Games in it.
    pub games: usize,
    /// Frames of its fastest looking game, with the estimate.
    pub frames: f32,
    /// The frame of that game.
    pub frame: u32,
    /// The lines of that game.
    pub lines: u16,
    /// Its score.
    pub score: u32,
    /// The placements that were looked at for it.
    pub placements: u64,
}

/// A search: it goes on layer by layer until no game can be faster than the best.
#[derive(Debug, Clone)]
pub struct Search {
    pub(super) settings: Settings,
    estimate: Estimate,
    clears_left: ClearsLeft,
    openings: Vec<Opening>,
    /// The trails of all layers so far.
    pub(super) trail: Vec<Vec<Node>>,
    pub(super) games: Vec<Spawned>,
    /// The keys of those games.
    pub(super) keys: Vec<i32>,
    /// The fastest game to the goal: its frame, the layer that it comes from, and its last move.
    pub(super) best: Option<(u32, usize, Node)>,
    /// When the last button counts: the game whose last button comes first, the layer that it comes from, and
    /// its index there.
    pub(super) ending: Option<(Ending, usize, u32)>,
}

/// What the expansion of some games gives.
struct Expanded {
    candidates: Vec<Candidate>,
    /// The fastest that reaches the goal, and its frame.
    goal: Option<(u32, Node)>,
    /// The one whose last button comes first, and the index of its game.
    ending: Option<(Ending, u32)>,
    placements: u64,
}

impl Search {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Search {
        let openings = openings(settings.goal.choice(settings.start_level), settings.menu_delay);
        let estimate = Estimate::new(settings.weights.clone());
        let clears_left = ClearsLeft::new(settings.goal, settings.start_level);
        let games: Vec<Spawned> = openings.iter().map(|opening| opening.first).collect();
        Search {
            settings,
            estimate,
            clears_left,
            openings,
            trail: Vec::new(),
            keys: vec![0; games.len()],
            games,
            best: None,
            ending: None,
        }
    }

    /// The pieces that have locked in each game of the present layer.
    pub fn pieces(&self) -> usize {
        self.trail.len()
    }

    /// Is there nothing left to search?
    pub fn is_over(&self) -> bool {
        self.games.is_empty()
    }

    /// The frame in which the fastest game so far reaches the goal.
    pub fn best_frame(&self) -> Option<u32> {
        self.best.map(|(frame, ..)| frame)
    }

    /// Searches one layer; `None` if it was stopped. Then nothing has changed.
    pub fn layer(&mut self, threads: usize, stop: &AtomicBool) -> Option<Layer> {
        let best = self.best_frame();
        let chunks: Vec<usize> = (0..self.games.len()).step_by(CHUNK).collect();
        let expanded = parallel::map(threads, &mut Reach::stopping(), Reach::stopping, chunks, |reach, first| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let last = (first + CHUNK).min(self.games.len());
            let mut expanded = Expanded { candidates: Vec::new(), goal: None, ending: None, placements: 0 };
            for index in first..last {
                self.expand(reach, index, best, &mut expanded);
            }
            Some(expanded)
        });
        let expanded: Option<Vec<Expanded>> = expanded.into_iter().collect();
        let expanded = expanded?;
        let placements = expanded.iter().map(|expanded| expanded.placements).sum();
        for &Expanded { goal, .. } in &expanded {
            if let Some((frame, node)) = goal
                && self.best_frame().is_none_or(|best| frame < best)
            {
                self.best = Some((frame, self.trail.len(), node));
            }
        }
        for Expanded { ending, .. } in &expanded {
            if let Some((ending, index)) = ending
                && ending.is_before(self.ending.as_ref().map(|(best, ..)| best))
            {
                self.ending = Some((ending.clone(), self.trail.len(), *index));
            }
        }
        let mut candidates = Vec::with_capacity(expanded.iter().map(|expanded| expanded.candidates.len()).sum());
        for expanded in expanded {
            candidates.extend(expanded.candidates);
        }
        let (nodes, games, keys) = self.choose(candidates);
        self.trail.push(nodes);
        self.games = games;
        self.keys = keys;
        let first = self.games.first();
        Some(Layer {
            pieces: self.trail.len() as u32,
            games: self.games.len(),
            frames: self.keys.first().map_or(0.0, |&key| key as f32 / KEY),
            frame: first.map_or(0, |game| game.frame),
            lines: first.map_or(0, |game| game.progress.lines()),
            score: first.map_or(0, |game| game.score.value()),
            placements,
        })
    }

    fn expand(&self, reach: &mut Reach, index: usize, best: Option<u32>, expanded: &mut Expanded) {
        let Settings { goal, longest_pause, noise, seed, .. } = self.settings;
        let game = &self.games[index];
        let level = game.progress.level;
        let to_go = self.clears_left.left(game.score, game.progress);
        let hangs = self.trail.is_empty();
        if self.settings.count == Count::Input && !hangs {
            // The layers are the same as when the goal counts: so the result is as short at least.
            let best = expanded.ending.as_ref().map(|(best, _)| best).or(self.ending.as_ref().map(|(best, ..)| best));
            if let Some(ending) = Ending::of(reach, game, goal, best.map(|best| best.input + 1))
                && ending.is_before(best)
            {
                expanded.ending = Some((ending, index as u32));
            }
        }
        reach.landings(&game.page, game.piece, frames_per_row(level), hangs, MOST_FALL, |landing| {
            expanded.placements += 1;
            let locked = game.lock(landing.placement, landing.frames, 0);
            let mut node = Node {
                parent: index as u32,
                frames: landing.frames as u16,
                placement: packed(landing.placement),
                pause: 0,
            };
            let mut to_go = to_go;
            if locked.rows > 0 {
                if goal.is_reached(locked.score(), locked.progress()) {
                    let frame = game.frame + locked.frames_to_score();
                    if expanded.goal.is_none_or(|(fastest, _)| frame < fastest) {
                        expanded.goal = Some((frame, node));
                    }
                    return;
                }
                to_go = self.clears_left.left(locked.score(), locked.progress());
            }
            let mut left = self.estimate.frames(locked.page(), to_go);
            if noise > 0.0 {
                left += noise * noise_of(seed, locked.page());
            }
            let frame = game.frame + landing.frames + locked.entry_delay;
            for pause in 0..=longest_pause.min(Pause::longest(locked.rows)) {
                let frame = frame + u32::from(pause);
                if best.is_some_and(|best| frame >= best) {
                    break;
                }
                node.pause = pause;
                expanded.candidates.push(Candidate { key: ((frame as f32 + left) * KEY) as i32, node });
            }
        });
    }

    /// The best candidates, none twice, and their games.
    fn choose(&self, mut candidates: Vec<Candidate>) -> (Vec<Node>, Vec<Spawned>, Vec<i32>) {
        let width = self.settings.width;
        let order = |a: &Candidate, b: &Candidate| {
            let key = |candidate: &Candidate| {
                let Node { parent, placement, pause, frames } = candidate.node;
                (candidate.key, parent, placement, frames, pause)
            };
            key(a).cmp(&key(b))
        };
        let (mut nodes, mut games) = (Vec::with_capacity(width), Vec::with_capacity(width));
        let mut seen = HashSet::with_capacity(2 * width);
        let mut same = std::collections::HashMap::with_capacity(width);
        let mut keys = Vec::with_capacity(width);
        in_order(&mut candidates, 2 * width, order, |candidate| {
            let game = self.play(&candidate.node);
            let field = hash_of_page(&game.page);
            let count: &mut u8 = same.entry(field).or_insert(0);
            if *count < self.settings.same_playfield && seen.insert(hash_of(&game, field)) {
                *count += 1;
                keys.push(candidate.key);
                nodes.push(candidate.node);
                games.push(game);
            }
            games.len() < width
        });
        (nodes, games, keys)
    }

    fn play(&self, node: &Node) -> Spawned {
        let game = &self.games[node.parent as usize];
        let locked = game.lock(unpacked(node.placement), u32::from(node.frames), 0);
        locked.spawn(Pause::new(node.pause, locked.rows).unwrap_or_default())
    }

    /// The fastest game to the goal so far.
    pub fn found(&self) -> Option<Found> {
        let (frame, layers, mut at, mut moves) = match (&self.ending, self.best) {
            (Some((ending, layers, at)), _) => {
                let moves: Vec<Move> = ending.moves().collect();
                (ending.frame, *layers, *at, moves.into_iter().rev().collect())
            }
            (None, best) => best.map(|(frame, layers, last)| (frame, layers, last.parent, vec![Move::of(&last)]))?,
        };
        for layer in self.trail[..layers].iter().rev() {
            let node = &layer[at as usize];
            moves.push(Move::of(node));
            at = node.parent;
        }
        moves.reverse();
        Some(Found::new(self.openings[at as usize].clone(), moves, frame))
    }
}

/// Calls `take` for the candidates in their order, while it returns true. They are sorted in parts of this length, since
/// the first ones are mostly enough.
pub(super) fn in_order<T>(
    mut candidates: &mut [T],
    part: usize,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
    mut take: impl FnMut(&T) -> bool,
) {
    while !candidates.is_empty() {
        let part = part.clamp(1, candidates.len());
        if part < candidates.len() {
            candidates.select_nth_unstable_by(part, &order);
        }
        let (sorted, others) = candidates.split_at_mut(part);
        sorted.sort_unstable_by(&order);
        if !sorted.iter().all(&mut take) {
            return;
        }
        candidates = others;
    }
}

impl Node {
    /// Does it hold a placement in the playfield, and a pause?
    pub(super) fn is_possible(&self) -> bool {
        let is_orientation = Orientation::from_id((self.placement >> 9) as u8).is_some();
        is_orientation && self.placement >> 5 & 15 < 10 && self.placement & 31 < 20 && self.pause <= Pause::LONGEST
    }
}

impl Move {
    fn of(node: &Node) -> Move {
        let landing = Landing { placement: unpacked(node.placement), frames: u32::from(node.frames) };
        Move { landing, pause: Pause::new(node.pause, 0).unwrap_or_default(), presses: None }
    }
}

impl Found {
    pub(super) fn new(opening: Opening, moves: Vec<Move>, frame: u32) -> Found {
        let mut found = Found { opening, moves, pushes: false, frame };
        found.mend_pauses();
        found
    }

    /// A pause after a clear is another than one after none.
    fn mend_pauses(&mut self) {
        let mut now = self.opening.first;
        for Move { landing, pause, .. } in &mut self.moves {
            let locked = now.lock(landing.placement, landing.frames, 0);
            *pause = Pause::new(pause.frames(), locked.rows).unwrap_or_default();
            now = locked.spawn(*pause);
        }
    }
}

/// A placement in 16 bits: orientation, column, row.
pub(super) fn packed(placement: Placement) -> u16 {
    u16::from(placement.orientation.id()) << 9 | (placement.x as u16) << 5 | placement.y as u16
}

pub(super) fn unpacked(packed: u16) -> Placement {
    let orientation = Orientation::from_id((packed >> 9) as u8).expect("it was packed from an orientation");
    Placement { orientation, x: (packed >> 5 & 15) as i8, y: (packed & 31) as i8 }
}

fn hash_of_page(page: &Page) -> u64 {
    page.words().into_iter().fold(0, |hash, word| split_mix(hash ^ word))
}

/// Everything that decides how the game goes on, but for the frame: of two such games the first one stays.
fn hash_of(game: &Spawned, page: u64) -> u64 {
    let [r0, r1] = game.generator.randomizer.to_bytes();
    let [s0, s1, s2] = game.score.0;
    let small = [
        game.piece.index() as u8,
        game.next.index() as u8,
        r0,
        r1,
        game.generator.frame_counter & 3,
        game.progress.level,
        game.progress.lines_low,
        game.progress.lines_high,
    ];
    let hash = split_mix(page ^ u64::from_le_bytes(small));
    split_mix(hash ^ u64::from_le_bytes([s0, s1, s2, game.generator.spawn_count, 0, 0, 0, 0]))
}

/// The same for a whole game.
pub(super) fn hash_of_game(game: &Spawned) -> u64 {
    hash_of(game, hash_of_page(&game.page))
}

/// A number from 0 to 1 that only this seed gives this playfield.
pub(super) fn noise_of(seed: u64, page: &Page) -> f32 {
    let hash = split_mix(split_mix(seed) ^ hash_of_page(page));
    (hash >> 40) as f32 / (1_u64 << 24) as f32
}

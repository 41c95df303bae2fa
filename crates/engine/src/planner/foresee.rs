//! Planning with the pieces that will come: a beam of lines of play, each with the draws of its own frames.
//!
//! The generator goes on by one step a frame, so the frame in which a piece locks decides which piece is drawn
//! next. A line of play is a chain of placements with the frame of each lock, and so with every draw exactly known.

use super::effort::Effort;
use super::falling::Falling;
use super::odds::GeneratorOdds;
use super::promise::{Promise, play_out};
use super::reach::Reach;
use super::rng::RngUse;
use super::settings::Settings;
use super::sight::Sight;
use super::think::{Node, Thinker, Tree, points_of_a_reward};
use crate::game::control::FallingPiece;
use crate::game::crash::FIRST_SLOW_LEVEL;
use crate::game::{EntryDelay, Generator, Piece, Placement, Position};
use crate::gamepad::{Buttons, InputTimeline};
use crate::judge::learned::Child;
use crate::movegen::Reached;

/// Pieces of a line, the falling one included.
const PIECES: usize = 6;
/// Lines that are kept after each piece.
const LINES: usize = 16;

/// The next spawn, as far as the generator says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreseen {
    /// Frames from the lock to the next spawn.
    pub entry_delay: u32,
    /// The piece that it draws, which is then in the next box.
    pub drawn: Piece,
}

impl Foreseen {
    /// What comes `frames` frames after the sample of the generator, where a piece locks with its origin in row `y` and
    /// clears `rows` rows. `next` is the piece in the next box until then.
    fn after(generator: &Generator, frames: u32, y: i8, rows: u8, next: Piece) -> (Foreseen, Generator) {
        let counter_at_lock = u32::from(generator.frame_counter) + frames;
        let entry_delay = EntryDelay::after(y, rows, counter_at_lock).to_spawn;
        let (drawn, generator) = generator.spawn(frames + entry_delay, next);
        (Foreseen { entry_delay, drawn }, generator)
    }

    /// The same for a plan with these promises; `None` from the level on at which frames can be slow, where the
    /// frame of the spawn is not certain.
    pub(super) fn of(position: &Position, generator: &Generator, promises: &[Promise], rows: u8) -> Option<Foreseen> {
        let y = promises.last()?.y;
        let is_certain = is_certain(position.level);
        is_certain.then(|| Foreseen::after(generator, promises.len() as u32, y, rows, position.next).0)
    }
}

/// Is every frame in time at this level, and at the next, which the lock may reach?
pub(super) const fn is_certain(level: u8) -> bool {
    level < FIRST_SLOW_LEVEL - 1
}

/// What was found for the falling piece.
pub(super) struct Found {
    pub(super) placement: Placement,
    pub(super) next_placement: Option<Placement>,
    pub(super) timeline: InputTimeline,
    pub(super) promises: Vec<Promise>,
    /// In points.
    pub(super) value: f64,
    /// The best other placements that some line begins with, best first, with their values.
    pub(super) others: Vec<(Placement, f64)>,
    pub(super) effort: Effort,
}

/// A way to lock the falling piece.
struct Way {
    placement: Placement,
    timeline: InputTimeline,
    promises: Vec<Promise>,
}

/// A line of play up to a spawn.
#[derive(Clone, Copy)]
struct Line {
    node: Node,
    piece: Piece,
    next: Piece,
    /// At the sample of the spawn.
    generator: Generator,
    /// In rewards: what the line has won, ...
    won: f32,
    /// ... and the weight of what comes.
    weight: f32,
    /// In rewards: what it is worth as a whole.
    worth: f32,
    /// Index of the way of the falling piece; not used before there is one.
    way: usize,
    /// Where the second piece has gone.
    second: Option<Placement>,
    /// Has the game ended?
    is_over: bool,
}

/// A line with one placement more, before its frame is known.
struct Longer {
    worth: f32,
    line: usize,
    /// `None` for a line in which the game has ended before.
    child: Option<Child>,
}

/// Looks ahead with the pieces that come.
pub(super) struct Foresight<'a> {
    pub(super) thinker: &'a Thinker,
    pub(super) settings: &'a Settings,
}

impl Foresight<'_> {
    /// The best way to lock the falling piece; `None` where it can reach nothing.
    pub(super) fn look(&self, reach: &Reach<'_>, generator: &Generator) -> Option<Found> {
        let position = reach.position();
        let rules = self.thinker.rules(None);
        let mut tree = Tree::new(rules);
        let mut ways: Vec<Way> = Vec::new();
        let mut lines = vec![Line {
            node: Node::of(position, &rules),
            piece: position.piece,
            next: position.next,
            generator: *generator,
            won: 0.0,
            weight: 1.0,
            worth: 0.0,
            way: 0,
            second: None,
            is_over: false,
        }];
        let mut best: Vec<Line> = Vec::new();
        let mut plies = 0;
        for ply in 0..PIECES {
            let longer = self.lengthen(&mut tree, &lines, (ply == 0).then_some(reach));
            if longer.is_empty() {
                break;
            }
            lines = self.lock(&tree, &lines, &longer, (ply == 0).then_some(reach), &mut ways, ply);
            plies = ply + 1;
            best.clone_from(&lines);
            if lines.iter().all(|line| line.is_over) {
                break;
            }
        }
        // The sort is stable: among equals the earlier stays first.
        best.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let first = *best.first()?;
        let points = points_of_a_reward(position);
        let mut others: Vec<(Placement, f64)> = Vec::new();
        for line in &best {
            let placement = ways[line.way].placement;
            if placement != ways[first.way].placement && others.iter().all(|&(other, _)| other != placement) {
                others.push((placement, f64::from(line.worth) * points));
            }
        }
        let effort = Effort { plies: plies as u8, ..tree.effort() };
        let Way { placement, timeline, promises } = ways.swap_remove(first.way);
        let value = f64::from(first.worth) * points;
        Some(Found { placement, next_placement: first.second, timeline, promises, value, others, effort })
    }

    /// The best lines with one placement more, best first. `reach`: what the falling piece can reach, while there is no
    /// placement yet.
    fn lengthen(&self, tree: &mut Tree<'_>, lines: &[Line], reach: Option<&Reach<'_>>) -> Vec<Longer> {
        let mut longer = Vec::with_capacity(64 * lines.len());
        // Lines that differ only in what comes later share their placements: of those, the net judges once.
        let mut expanded: Vec<Vec<Child>> = Vec::with_capacity(lines.len());
        let mut own: Vec<usize> = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            own.push(expanded.len());
            if line.is_over {
                longer.push(Longer { worth: line.worth, line: index, child: None });
                continue;
            }
            if let Some(same) = lines[..index].iter().position(|other| other.is_alike(line)) {
                own[index] = own[same];
            } else if let Some(reach) = reach {
                let mut children = Vec::with_capacity(64);
                tree.judge(&line.node, reach.reached().iter().map(|reached| reached.placement), &mut children);
                expanded.push(children);
            } else {
                let mut children = Vec::with_capacity(64);
                tree.expand(&line.node, line.piece, &mut children);
                tree.react(&line.node, line.piece, &GeneratorOdds, &mut children);
                expanded.push(children);
            }
            longer.extend(expanded[own[index]].iter().map(|child| Longer {
                worth: line.won + line.weight * child.values[line.next.index()],
                line: index,
                child: Some(*child),
            }));
        }
        // The sort is stable: among equals the earlier stays first.
        longer.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        longer.truncate(LINES);
        longer
    }

    /// Locks each of them, in each frame that the player chooses between, and draws the next piece.
    fn lock(
        &self,
        tree: &Tree<'_>,
        lines: &[Line],
        longer: &[Longer],
        reach: Option<&Reach<'_>>,
        ways: &mut Vec<Way>,
        ply: usize,
    ) -> Vec<Line> {
        let spawned: Vec<(Position, Falling)> = lines.iter().map(at_spawn).collect();
        // Only of the lines that go on.
        let mut later: Vec<Option<Reach<'_>>> = vec![None; lines.len()];
        let mut locked: Vec<Line> = Vec::with_capacity(2 * longer.len());
        for Longer { worth, line, child } in longer {
            let before = &lines[*line];
            let Some(child) = child else {
                locked.push(*before);
                continue;
            };
            if reach.is_none() && later[*line].is_none() {
                let (position, falling) = &spawned[*line];
                later[*line] = Reach::of(position, falling, &[], self.settings);
            }
            let Some(reach) = reach.or(later[*line].as_ref()) else { continue };
            let Some(reached) = reach.reached().iter().find(|reached| reached.placement == child.placement) else {
                continue;
            };
            let node = before.node.after(child);
            let (reward, weight) = tree.reward(&before.node, child);
            for (timeline, promises) in self.timelines(reach, reached) {
                let frames = promises.len() as u32;
                let (Foreseen { drawn, .. }, generator) =
                    Foreseen::after(&before.generator, frames, child.placement.y, child.rows, before.next);
                let is_known = |other: &Line| {
                    other.generator == generator
                        && other.next == drawn
                        && other.node.playfield == node.playfield
                        && other.piece == before.next
                };
                if locked.iter().any(is_known) {
                    continue;
                }
                locked.push(Line {
                    is_over: node.is_over(),
                    node,
                    piece: before.next,
                    next: drawn,
                    generator,
                    won: before.won + before.weight * reward,
                    weight: before.weight * weight,
                    worth: *worth,
                    way: if ply == 0 { ways.len() } else { before.way },
                    second: if ply == 1 { Some(child.placement) } else { before.second },
                });
                if ply == 0 {
                    ways.push(Way { placement: child.placement, timeline, promises });
                }
            }
        }
        locked
    }

    /// The timelines to a placement between which the player chooses, with what each frame shows: no two lock in the
    /// same frame.
    fn timelines(&self, reach: &Reach<'_>, reached: &Reached) -> Vec<(InputTimeline, Vec<Promise>)> {
        let (position, falling) = (reach.position(), reach.falling());
        let gravity = self.settings.gravity(position.level);
        let played = |pushes: bool| {
            let timeline = reach.timeline(reached, Sight::WithNext, |_| pushes);
            let (promises, _) = play_out(&position.playfield, falling.piece, falling.held, gravity, timeline.frames());
            (timeline, promises)
        };
        let mut timelines = vec![played(true)];
        if self.settings.rng == RngUse::Steered {
            let other = played(false);
            if other.1.len() != timelines[0].1.len() {
                timelines.push(other);
            }
        }
        timelines
    }
}

impl Line {
    /// Does the net judge the same placements the same after both?
    fn is_alike(&self, other: &Line) -> bool {
        let is_over = self.is_over || other.is_over;
        let same_node = self.node.playfield == other.node.playfield && self.node.progress == other.node.progress;
        !is_over && same_node && self.piece == other.piece
    }
}

/// The position at the spawn in which a line ends, and the piece that falls there.
fn at_spawn(line: &Line) -> (Position, Falling) {
    let Line { node: Node { playfield, progress, .. }, piece, next, .. } = *line;
    let position = Position { playfield, piece, next, level: progress.level, lines: progress.lines(), score: 0 };
    let piece = FallingPiece::spawned(piece.spawn(), 0);
    (position, Falling { piece, held: Buttons::NONE, control_frame: 0 })
}

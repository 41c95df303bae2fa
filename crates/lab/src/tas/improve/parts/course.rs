//! Playfields layer by layer, one piece each, that end in any layer: what real games go through.

use maxout_engine::game::Piece;
use maxout_engine::parallel;

use crate::tas::beam::packed;
use crate::tas::improve::frames_left::{of_clear, of_delays, sum};
use crate::tas::improve::shape::Edge;
use crate::tas::odds::DrawOdds;

/// One way to place a piece on a playfield.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Way {
    pub piece: Piece,
    /// Packed.
    pub placement: u16,
    /// Frames from the spawn to the next one: the earliest lock, no pause, and the shortest clear.
    pub frames: u8,
    pub clears: bool,
    /// The playfield after it: its index in the next layer.
    pub to: u32,
}

impl Way {
    /// That of an edge of a shape.
    pub(super) fn of(edge: &Edge) -> Way {
        let Edge { placement, frames, to, clears } = *edge;
        Way { piece: placement.orientation.piece(), placement: packed(placement), frames, clears, to }
    }
}

/// The playfields after the same number of pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    /// Of each playfield.
    pub ways: Vec<Vec<Way>>,
    /// Of each playfield where the course may end: what that counts, in frames.
    pub ends: Vec<Option<f32>>,
}

/// A playfield where games enter: its layer, its index there, and the frames that it comes later than the first of them.
pub(super) type Entry = (usize, u32, f32);

/// Playfields from some beginnings to some ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub layers: Vec<Layer>,
}

/// The frames left by the piece under control, the next one not known: by layer and playfield.
pub(super) type Left = Vec<Vec<[f32; Piece::COUNT]>>;

/// Frames that a part may take more than the fastest way through it with freely chosen pieces. With 80 and 90 the same
/// frames are found.
pub(super) const MORE: f32 = 60.0;
/// Playfields that a thread works on at a time. Chosen by hand, not measured.
const CHUNK: usize = 4000;

impl Course {
    /// The fewest frames from each playfield to an end.
    pub(super) fn fewest(&self) -> Vec<Vec<f32>> {
        let of_end = |layer: &Layer| layer.ends.iter().map(|end| end.unwrap_or(f32::INFINITY)).collect();
        let mut fewest: Vec<Vec<f32>> = self.layers.iter().map(of_end).collect();
        for at in (0..self.layers.len().saturating_sub(1)).rev() {
            let (now, then) = fewest.split_at_mut(at + 1);
            for (best, ways) in now[at].iter_mut().zip(&self.layers[at].ways) {
                let through = ways.iter().map(|way| f32::from(way.frames) + then[0][way.to as usize]);
                *best = through.fold(*best, f32::min);
            }
        }
        fewest
    }

    /// The frames of the fastest way from these entries to an end; infinite: there is none.
    pub(super) fn best(&self, entries: &[Entry]) -> f32 {
        best_of(&self.fewest(), entries)
    }

    /// Keeps what takes at most `more` frames more than the fastest way; `None` if there is none. Indices stay.
    pub(super) fn pruned(mut self, entries: &[Entry], more: f32) -> Option<Course> {
        let left = self.fewest();
        let mut so_far: Vec<Vec<f32>> = self.layers.iter().map(|it| vec![f32::INFINITY; it.ways.len()]).collect();
        for &(layer, at, later) in entries {
            let reached = &mut so_far[layer][at as usize];
            *reached = reached.min(later);
        }
        let best = best_of(&left, entries);
        if best.is_infinite() {
            return None;
        }
        for (at, layer) in self.layers.iter_mut().enumerate() {
            for (index, ways) in layer.ways.iter_mut().enumerate() {
                let before = so_far[at][index];
                if layer.ends[index].is_some_and(|end| before + end > best + more) {
                    layer.ends[index] = None;
                }
                let Some(then) = left.get(at + 1) else { continue };
                ways.retain(|way| before + f32::from(way.frames) + then[way.to as usize] <= best + more);
                ways.shrink_to_fit();
                for way in ways {
                    let reached = &mut so_far[at + 1][way.to as usize];
                    *reached = reached.min(before + f32::from(way.frames));
                }
            }
        }
        Some(self)
    }

    /// The frames left, as [`FramesLeft`](crate::tas::improve::frames_left::FramesLeft) counts them. `spawn_count` is
    /// that of the spawns in the first layer.
    pub(super) fn left(&self, luck: f32, spawn_count: u8, threads: usize) -> Left {
        let (odds, delays, clear) = (DrawOdds::get(), of_delays(luck), of_clear(luck));
        let mut left: Left = vec![Vec::new(); self.layers.len()];
        for (at, layer) in self.layers.iter().enumerate().rev() {
            // The spawn of a piece draws the next one.
            let count = spawn_count.wrapping_add(at as u8).wrapping_sub(1);
            let then = left.get(at + 1).map_or(&[][..], Vec::as_slice);
            let of = |ways: &[Way], end: Option<f32>| {
                if ways.is_empty() {
                    return [end.unwrap_or(f32::INFINITY); Piece::COUNT];
                }
                Piece::ALL.map(|piece| {
                    let by_next = Piece::ALL.map(|next| {
                        frames_through(ways, then, luck, clear, (piece, next)) - odds.of(count, piece, next).ln() / luck
                    });
                    let through = sum(luck, by_next.into_iter()) + delays;
                    end.map_or(through, |end| sum(luck, [through, end].into_iter()))
                })
            };
            let pairs: Vec<(&Vec<Way>, Option<f32>)> = layer.ways.iter().zip(layer.ends.iter().copied()).collect();
            let found = parallel::map(
                threads,
                &mut (),
                || (),
                pairs.chunks(CHUNK),
                |(), chunk| chunk.iter().map(|&(ways, end)| of(ways, end)).collect::<Vec<_>>(),
            );
            left[at] = found.concat();
        }
        left
    }

    /// The frames left from a playfield by the piece under control and the next one.
    pub(super) fn by_pieces(
        &self,
        left: &Left,
        luck: f32,
        at: usize,
        index: u32,
    ) -> [[f32; Piece::COUNT]; Piece::COUNT] {
        let clear = of_clear(luck);
        let layer = &self.layers[at];
        let (ways, end) = (&layer.ways[index as usize], layer.ends[index as usize]);
        let then = left.get(at + 1).map_or(&[][..], Vec::as_slice);
        Piece::ALL.map(|piece| {
            Piece::ALL.map(|next| {
                let through = frames_through(ways, then, luck, clear, (piece, next));
                end.map_or(through, |end| sum(luck, [through, end].into_iter()))
            })
        })
    }
}

/// The frames of the fastest way from these entries to an end. `left`: those of [`Course::fewest`].
fn best_of(left: &[Vec<f32>], entries: &[Entry]) -> f32 {
    entries.iter().map(|&(layer, at, later)| later + left[layer][at as usize]).fold(f32::INFINITY, f32::min)
}

/// The frames left through these ways with the piece under control and the next one. `then`: those left from the next layer;
/// `clear`: what a clear waits for the frame counter.
fn frames_through(
    ways: &[Way],
    then: &[[f32; Piece::COUNT]],
    luck: f32,
    clear: f32,
    (piece, next): (Piece, Piece),
) -> f32 {
    let of_way = |way: &Way| {
        let wait = if way.clears { clear } else { 0.0 };
        f32::from(way.frames) + wait + then[way.to as usize][next.index()]
    };
    sum(luck, ways.iter().filter(|way| way.piece == piece).map(of_way))
}

//! How many frames are left from the playfields of shapes, when the pieces are random and may be waited for.

use maxout_engine::game::Piece;

use super::shape::{Edge, Layer, Shape};
use crate::tas::odds::DrawOdds;

/// Frames left by the piece under control and the next one.
pub(super) type ByPieces = [[f32; Piece::COUNT]; Piece::COUNT];

/// The frames left from the playfields of all shapes of a game.
///
/// Many games are kept, and the luckiest of them counts, so this is no mean. A way to the end that takes `f` frames
/// counts `exp(-luck f)`, times the chance that its pieces come; all ways are summed, with all delays; and the frames
/// left are those of one way with the same weight. Few ways are like a longer way.
#[derive(Debug, Clone)]
pub(super) struct FramesLeft {
    luck: f32,
    /// What a clear takes longer than at the least.
    clear: f32,
    /// By shape, layer and playfield: the frames left by the piece under control, the next one not known.
    by_piece: Vec<Vec<Vec<[f32; Piece::COUNT]>>>,
}

/// How much the luckiest games count in what is left, in 1 per frame; see [`FramesLeft`]. From 0.2 to 1.5 the record
/// (stretches of 7 pieces, widths 2,000 and 20,000) comes to the same frame, 10,453.
pub(super) const LUCK: f32 = 0.5;

/// Longest delay of a piece, in frames, that is counted.
const MOST_DELAY: u32 = 12;
/// Frames that a clear waits for the frame counter: 0 to 3, as often.
const CLEAR_WAITS: u32 = 4;

impl FramesLeft {
    /// From the end back to the first shape. `luck` is in 1 per frame: the larger, the more the luckiest games count.
    /// `spawn_count` is that of the first piece.
    pub(super) fn of(shapes: &[Shape], luck: f32, spawn_count: u8) -> FramesLeft {
        let mut left = FramesLeft { luck, clear: of_clear(luck), by_piece: Vec::new() };
        let delays = of_delays(luck);
        let odds = DrawOdds::get();
        let mut piece_number: usize = shapes.iter().map(Shape::pieces).sum();
        // Rows after the last shape: nothing is left.
        let mut below = vec![[0.0; Piece::COUNT]];
        for shape in shapes.iter().rev() {
            let mut layers = Vec::with_capacity(shape.pieces());
            for layer in shape.layers.iter().rev() {
                let mut of_layer = Vec::with_capacity(layer.len());
                piece_number -= 1;
                // The spawn of a piece draws the next one. The first piece's next one has been drawn.
                let count = spawn_count.wrapping_add(piece_number as u8).wrapping_sub(1);
                for node in 0..layer.len() as u32 {
                    of_layer.push(Piece::ALL.map(|piece| {
                        let edges = layer.edges(node, piece);
                        let ways = Piece::ALL.iter().map(|next| {
                            sum(luck, edges.iter().map(|edge| left.frames_of(edge, &below, *next)))
                                - odds.of(count, piece, *next).ln() / luck
                        });
                        sum(luck, ways) + delays
                    }));
                }
                layers.push(std::mem::replace(&mut below, of_layer));
            }
            layers.reverse();
            // What is in `layers` are the playfields after each layer.
            left.by_piece.push(layers);
        }
        left.by_piece.reverse();
        left
    }

    /// The same with the next piece known, for all playfields of a layer.
    pub(super) fn by_pieces(&self, shape: usize, at: usize, layer: &Layer) -> Vec<ByPieces> {
        let below = &self.by_piece[shape][at];
        let of = |node: u32| {
            Piece::ALL.map(|piece| {
                let edges = layer.edges(node, piece);
                Piece::ALL.map(|next| sum(self.luck, edges.iter().map(|edge| self.frames_of(edge, below, next))))
            })
        };
        (0..layer.len() as u32).map(of).collect()
    }

    /// The frames of this way and of what follows it.
    fn frames_of(&self, edge: &Edge, below: &[[f32; Piece::COUNT]], next: Piece) -> f32 {
        let wait = if edge.clears { self.clear } else { 0.0 };
        f32::from(edge.frames) + wait + below[edge.to as usize][next.index()]
    }
}

/// The frames of one way that counts as much as all these together.
pub(super) fn sum(luck: f32, ways: impl Iterator<Item = f32> + Clone) -> f32 {
    let least = ways.clone().fold(f32::INFINITY, f32::min);
    if least.is_infinite() {
        return least;
    }
    least - ways.map(|way| (luck * (least - way)).exp()).sum::<f32>().ln() / luck
}

/// What the choice of a delay gives: less than no frames.
pub(super) fn of_delays(luck: f32) -> f32 {
    sum(luck, (0..=MOST_DELAY).map(|delay| delay as f32))
}

/// What a clear takes longer than at the least.
pub(super) fn of_clear(luck: f32) -> f32 {
    sum(luck, (0..CLEAR_WAITS).map(|wait| wait as f32)) + (CLEAR_WAITS as f32).ln() / luck
}

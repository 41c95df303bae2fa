//! Movement without gravity: every placement that steps of one column, one quarter turn or one
//! row down lead to, as the first version of birken's program searched ("gravity ignored").
//!
//! No buttons move a piece like this. The steps are for play modes that write the piece's position
//! into RAM.

use super::lanes::{Lanes, Set, each};
use super::reached::Reached;
use super::start::Start;
use crate::game::{Placement, ROWS};

/// The states that are reached in a number of steps and not in fewer, row by row.
type Layer = [Set; ROWS];

/// The searched steps: layer 0 is the start.
#[derive(Debug, Clone)]
pub(super) struct Free {
    lanes: Lanes,
    layers: Vec<Layer>,
}

impl Free {
    pub(super) fn search(lanes: Lanes, start: &Start, reached: &mut Vec<Reached>) -> Free {
        let mut layer: Layer = [0; ROWS];
        layer[start.piece.y as usize] = lanes.state(start.piece.orientation, start.piece.x);
        let mut visited = layer;
        let mut layers = Vec::with_capacity(40);
        while layer.iter().any(|&set| set != 0) {
            let mut next: Layer = [0; ROWS];
            for y in 0..ROWS {
                let (set, row) = (layer[y], y as u8);
                if set == 0 {
                    continue;
                }
                let fits = lanes.fits(row);
                let below = lanes.fits(row + 1);
                // A piece that spawned into blocks can lock only after it was moved out of them.
                for state in each(set & fits & !below) {
                    reached.push(Reached { placement: lanes.placement(state, row), frames: layers.len() as u32 });
                }
                let aside = Lanes::left(set) | Lanes::right(set) | lanes.clockwise(set) | lanes.counter_clockwise(set);
                next[y] |= aside & fits & !visited[y];
                if y + 1 < ROWS {
                    next[y + 1] |= set & below & !visited[y + 1];
                }
            }
            for (visited, next) in visited.iter_mut().zip(&next) {
                *visited |= next;
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        Free { lanes, layers }
    }

    /// A shortest way to a placement: where the piece is after each step, without the start. Of
    /// several ways the one that stays high the longest.
    pub(super) fn steps(&self, reached: &Reached) -> Vec<Placement> {
        let mut state = self.lanes.state(reached.placement.orientation, reached.placement.x);
        let mut y = reached.placement.y as usize;
        let mut steps = Vec::with_capacity(reached.frames as usize);
        for layer in self.layers[..reached.frames as usize].iter().rev() {
            steps.push(self.lanes.placement(state, y as u8));
            if y > 0 && layer[y - 1] & state != 0 {
                y -= 1;
                continue;
            }
            let before = [
                Lanes::right(state),
                Lanes::left(state),
                self.lanes.counter_clockwise(state),
                self.lanes.clockwise(state),
            ];
            state = before
                .into_iter()
                .find(|before| layer[y] & before != 0)
                .expect("a state that is new in a layer is one step from the layer before");
        }
        steps.reverse();
        steps
    }
}

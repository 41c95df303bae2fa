//! All playfields that one piece can lead to, judged.

use pulp::Arch;

use super::dense::Values;
use super::features::Features;
use super::set::HeadOf;
use super::vectors::{Plain, Vectors};
use crate::game::{Obstacles, Piece, Placement, Playfield, SPAWN_X};

/// A placement, the playfield after it, and the net's values of that playfield.
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// Where the piece locked.
    pub placement: Placement,
    /// The playfield after lock and clear.
    pub playfield: Playfield,
    /// Rows cleared.
    pub rows: u8,
    /// The rewards still to be won, by the piece that comes next; for a piece that cannot spawn,
    /// the worth of a topout.
    pub values: Values,
}

/// Puts placements on a playfield and judges the results with a net, on the widest vectors that the processor has.
#[derive(Debug, Clone, Copy)]
pub struct Expander {
    arch: Arch,
    topout: f32,
}

impl Expander {
    /// With the worth of a topout in rewards, see [`Outlook::topout`](super::Outlook::topout): the nets of a set judge
    /// with that of the whole set.
    pub fn new(topout: f32) -> Expander {
        Expander { arch: Arch::new(), topout }
    }

    /// Replaces `children` by the playfields that these placements lead to, judged by one of the heads.
    #[inline]
    pub fn expand(
        &self,
        judge: HeadOf<'_>,
        playfield: &Playfield,
        placements: impl Iterator<Item = Placement>,
        children: &mut Vec<Child>,
    ) {
        children.clear();
        self.run(Placing { judge, topout: self.topout, playfield, placements, children });
    }

    /// The values of one playfield by one of the heads, as [`QuickNet::values`](super::QuickNet::values).
    #[inline]
    pub fn values(&self, judge: HeadOf<'_>, playfield: &Playfield) -> Values {
        self.run(Judging { judge, playfield })
    }

    #[inline(always)]
    fn run<W: Work>(&self, work: W) -> W::Result {
        match self.arch {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Arch::V4(simd) => simd.vectorize(
                #[inline(always)]
                || work.run(simd),
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Arch::V3(simd) => simd.vectorize(
                #[inline(always)]
                || work.run(simd),
            ),
            arch => arch.dispatch(
                #[inline(always)]
                || work.run(Plain),
            ),
        }
    }
}

/// What is done on vectors.
trait Work {
    type Result;

    fn run(self, vectors: impl Vectors) -> Self::Result;
}

/// A playfield that is to be judged.
struct Judging<'a> {
    judge: HeadOf<'a>,
    playfield: &'a Playfield,
}

impl Work for Judging<'_> {
    type Result = Values;

    #[inline(always)]
    fn run(self, vectors: impl Vectors) -> Values {
        let HeadOf { net, head } = self.judge;
        net.values_of(vectors, &net.sums(&Features::of(self.playfield)), head)
    }
}

/// Placements that are to be judged.
struct Placing<'a, P> {
    judge: HeadOf<'a>,
    topout: f32,
    playfield: &'a Playfield,
    placements: P,
    children: &'a mut Vec<Child>,
}

impl<P: Iterator<Item = Placement>> Work for Placing<'_, P> {
    type Result = ();

    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        for placement in self.placements {
            self.children.push(judged(vectors, self.judge, self.topout, self.playfield, placement));
        }
    }
}

#[inline(always)]
fn judged(vectors: impl Vectors, judge: HeadOf<'_>, topout: f32, playfield: &Playfield, placement: Placement) -> Child {
    let mut after = *playfield;
    let rows = after.lock(placement).count;
    let mut values = Judging { judge, playfield: &after }.run(vectors);
    if after.may_block_spawn() {
        for next in Piece::ALL {
            if !after.fits(next.spawn(), SPAWN_X, 0) {
                values[next.index()] = topout;
            }
        }
    }
    Child { placement, playfield: after, rows, values }
}

//! A net that is made by rule and not learned.

use super::features::{self, FEATURES};
use super::net::{Dense, LANES, Net, QuickNet, Row, SUMMED};

impl QuickNet {
    /// A net that nobody trained: it dislikes holes, steps and height. For tests, and for figures
    /// that must not change with the weights; whole numbers and 256ths make every processor
    /// judge alike, to the last bit.
    pub fn by_rule() -> QuickNet {
        let mut table = vec![Row([0.0; LANES]); FEATURES];
        for (index, row) in table.iter_mut().enumerate() {
            let worth = -features::dislike(index);
            row.0[SUMMED..].fill(worth);
        }
        let mut dense = Dense::zero();
        dense.out_bias.fill(100.0);
        QuickNet::of(&Net { table, dense })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Playfield;
    use crate::judge::learned::Features;

    #[test]
    fn a_hole_and_a_step_are_disliked() {
        let net = QuickNet::by_rule();
        let value = |drawn: &str| net.values(&Features::of(&Playfield::drawn(drawn)))[0];
        let flat = value("##########");
        assert!(value("#########.\n#########.") < flat, "a step");
        assert!(value("##########\n####.#####") < value("##########\n##########"), "a hole");
        assert_eq!(net.values(&Features::of(&Playfield::EMPTY)), [100.0; 8]);
    }
}

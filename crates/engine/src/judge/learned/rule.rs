//! A net whose weights follow a rule instead of a training.

use super::dense::SUMMED;
use super::features::{self, FEATURES};
use super::head::Head;
use super::net::{Net, QuickNet};
use super::table::{LANES, Row};

impl QuickNet {
    /// An untrained net whose values fall with holes, steps and height. For tests, and for figures
    /// that must not change with the weights. All its numbers are whole or 256ths, so that every
    /// processor gives the same values to the last bit.
    pub fn by_rule() -> QuickNet {
        let mut table = vec![Row([0.0; LANES]); FEATURES];
        for (index, row) in table.iter_mut().enumerate() {
            let worth = -features::dislike(index);
            row.0[SUMMED..].fill(worth);
        }
        let mut head = Head::zero();
        head.dense.out_bias.fill(100.0);
        QuickNet::of(&Net { table, spans: Vec::new(), heads: vec![head] })
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
        let value = |drawn: &str| net.values(&Features::of(&Playfield::drawn(drawn)), 0)[0];
        let flat = value("##########");
        assert!(value("#########.\n#########.") < flat, "a step");
        assert!(value("##########\n####.#####") < value("##########\n##########"), "a hole");
        assert_eq!(net.values(&Features::of(&Playfield::EMPTY), 0), [100.0; 8]);
    }
}

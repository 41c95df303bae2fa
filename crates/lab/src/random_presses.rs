//! Presses for new traces.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use maxout_engine::gamepad::Buttons;

/// Endless random presses of a seed that get through the menus: each choice of buttons is held for 1
/// to 12 frames, and 3 in 10 are no buttons. Start is pressed now and then.
pub fn random_presses(seed: u64) -> impl Iterator<Item = Buttons> {
    /// A mask with fewer bits than a plain random byte. Chosen by hand, not measured.
    const SPARSE: [u8; 4] = [0xFF, 0x8F, 0xCF, 0x10];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut held, mut left) = (Buttons::NONE, 0);
    std::iter::from_fn(move || {
        if left == 0 {
            left = rng.random_range(1..=12);
            let mask = SPARSE[rng.random_range(0..SPARSE.len())];
            let bits = rng.random::<u8>() & rng.random::<u8>() & mask;
            held = if rng.random_bool(0.3) { Buttons::NONE } else { Buttons::from_bits(bits) };
        }
        left -= 1;
        Some(held)
    })
}

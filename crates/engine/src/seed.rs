//! Seeds of random numbers.

/// Mixes the bits of a number (the finalizer of SplitMix64, by Vigna), so that neighbouring seeds
/// lead to unrelated random numbers.
pub const fn split_mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The seed of game `game` of a series that `seed` chooses.
pub const fn of_game(seed: u64, game: u64) -> u64 {
    split_mix(split_mix(seed) ^ game)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of SplitMix64 from state 0, as in the author's reference
    /// implementation (prng.di.unimi.it/splitmix64.c): the state grows by the constant each time.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let state = |count: u64| 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(count);
        let numbers = [0, 1, 2].map(|count| split_mix(state(count)));
        assert_eq!(numbers, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    }

    #[test]
    fn neighbouring_games_and_seeds_have_different_seeds() {
        let seeds: std::collections::HashSet<u64> =
            (0..100).flat_map(|seed| (0..100).map(move |game| of_game(seed, game))).collect();
        assert_eq!(seeds.len(), 10_000);
    }
}

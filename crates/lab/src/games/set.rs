//! Which games are there.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Numbers of games, in little memory: a bit for each where they are close to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameSet {
    /// By the number without its lowest 6 bits: a bit for each value of these.
    blocks: BTreeMap<u64, u64>,
    count: u64,
}

impl GameSet {
    /// Adds a game. `false` if it was there.
    pub fn insert(&mut self, game: u64) -> bool {
        let block = self.blocks.entry(game >> 6).or_default();
        let bit = 1 << (game & 63);
        let is_new = *block & bit == 0;
        *block |= bit;
        self.count += u64::from(is_new);
        is_new
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first `most` ranges of the first `games` games that are not there.
    pub fn missing(&self, games: u64, most: usize) -> Vec<RangeInclusive<u64>> {
        let mut ranges = Vec::new();
        let mut next = 0;
        let bits = |(block, bits): (&u64, &u64)| {
            let (block, bits) = (*block, *bits);
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| block << 6 | bit)
        };
        for there in self.blocks.iter().flat_map(bits).chain([games]) {
            if ranges.len() == most {
                break;
            }
            if there > next {
                ranges.push(next..=there - 1);
            }
            next = there.saturating_add(1);
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_what_was_not_added() {
        let mut set = GameSet::default();
        assert_eq!(set.missing(3, 9), [0..=2]);
        let there = [1, 2, 63, 64, 200];
        assert!(there.iter().all(|&game| set.insert(game)) && !set.insert(64));
        assert_eq!(set.count(), 5);
        assert_eq!(set.missing(202, 9), [0..=0, 3..=62, 65..=199, 201..=201]);
        assert_eq!(set.missing(201, 2), [0..=0, 3..=62]);
        assert_eq!(set.missing(u64::MAX, 9).last(), Some(&(201..=u64::MAX - 1)));
        // Nothing comes after the last number there is.
        assert!(set.insert(u64::MAX) && !set.insert(u64::MAX));
        assert_eq!(set.missing(u64::MAX, 9).last(), Some(&(201..=u64::MAX - 1)));
        assert_eq!(GameSet::default().missing(0, 9), []);
    }
}

//! Playfields with all that follows from them by the rules of the program.

use maxout_engine::game::{Obstacles, Piece, Playfield, Ruleset, SPAWN_X};
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::learned::{Child, Expander, Features, HeadOf, QuickNet};
use maxout_engine::movegen::{Locks, Start, sweep};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The kinds of games, level and taps; `KINDS` of `rules.h` has the same ones.
const KINDS: [(u8, &str); 12] = [
    (19, "30"),
    (18, "30"),
    (29, "30"),
    (39, "30"),
    (19, "24"),
    (19, "slow5"),
    (18, "10"),
    (19, "12"),
    (29, "24"),
    (39, "slow5"),
    (29, "15"),
    (19, "20"),
];

/// `number` playfields for each kind of games: rows -2 to 19, a piece and the number of its placements, and for each
/// placement where it is, the rows that it clears, the playfield after it, its features and the net's values.
pub fn cases(net: &QuickNet, number: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (level, taps) in KINDS {
        let taps: Tapping = taps.parse().expect("taps");
        let gravity = Ruleset::Ksx2.gravity(level);
        let mut playfield = Playfield::EMPTY;
        let mut written = 0;
        while written < number {
            let piece = Piece::ALL[random.random_range(0..Piece::COUNT)];
            let locks = match playfield.fits(piece.spawn(), SPAWN_X, 0) {
                true => sweep(&playfield, &Start::spawn(piece), gravity, taps.style()),
                false => Locks::only(piece, None),
            };
            let mut children = Vec::new();
            Expander::new(net.outlook.topout).expand(HeadOf { net, head: 0 }, &playfield, locks.iter(), &mut children);
            if random.random_bool(0.5) || children.is_empty() {
                write(&mut out, &playfield, piece, &children);
                written += 1;
            }
            // Mostly the lowest placement: the stacks have every height and many holes.
            let chosen = match random.random_bool(0.7) {
                true => children.iter().max_by_key(|child| child.placement.y),
                false => children.get(random.random_range(0..children.len().max(1))),
            };
            playfield = chosen.map_or(Playfield::EMPTY, |child| child.playfield);
        }
    }
    out
}

fn write(out: &mut Vec<u8>, playfield: &Playfield, piece: Piece, children: &[Child]) {
    out.extend(playfield.all_rows().iter().flat_map(|row| row.to_le_bytes()));
    out.extend([piece.index() as u8, children.len() as u8]);
    let first = piece.orientations().next().expect("a piece has an orientation").id();
    for child in children {
        let place = child.placement;
        out.extend([place.orientation.id() - first, place.x as u8, place.y as u8, child.rows]);
        out.extend(child.playfield.all_rows().iter().flat_map(|row| row.to_le_bytes()));
        let features = Features::of(&child.playfield);
        let mut indices = features.indices().to_vec();
        indices.sort_unstable();
        out.extend((indices.len() as u32).to_le_bytes());
        out.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
        out.extend(child.values.iter().flat_map(|value| value.to_le_bytes()));
    }
}

//! Movement without gravity, against a search place by place.

use std::collections::{BTreeMap, HashSet, VecDeque};

use maxout_engine::game::{Obstacles, Piece, Placement, Playfield};
use maxout_engine::gamepad::PressStyle;
use maxout_engine::movegen::{Start, generate, generate_free};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::cases::{random_playfield, random_start};

/// The places one step away that do not collide.
fn steps_from(playfield: &Playfield, from: Placement) -> Vec<Placement> {
    let Placement { orientation, x, y } = from;
    let near = [
        Placement { x: x - 1, ..from },
        Placement { x: x + 1, ..from },
        Placement { orientation: orientation.clockwise(), ..from },
        Placement { orientation: orientation.counter_clockwise(), ..from },
        Placement { y: y + 1, ..from },
    ];
    near.into_iter().filter(|to| playfield.fits(to.orientation, to.x, to.y)).collect()
}

/// For each placement, the fewest steps to it, searched place by place.
fn slow_walk(playfield: &Playfield, start: &Start) -> BTreeMap<Placement, u32> {
    let first = Placement { orientation: start.piece.orientation, x: start.piece.x, y: start.piece.y };
    let mut steps = BTreeMap::from([(first, 0)]);
    let mut queue = VecDeque::from([first]);
    while let Some(place) = queue.pop_front() {
        for near in steps_from(playfield, place) {
            if !steps.contains_key(&near) {
                steps.insert(near, steps[&place] + 1);
                queue.push_back(near);
            }
        }
    }
    let fits = |place: &Placement, y| playfield.fits(place.orientation, place.x, y);
    steps.retain(|place, _| fits(place, place.y) && !fits(place, place.y + 1));
    steps
}

#[test]
fn free_movement_finds_what_a_step_by_step_search_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(400);
    let mut placements = 0;
    for _ in 0..1000 {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = random_start(&mut rng, &playfield, piece, PressStyle::EvenFrames);
            let moves = generate_free(&playfield, &start);
            let fast: BTreeMap<_, _> = moves.reached().iter().map(|r| (r.placement, r.frames)).collect();
            assert_eq!(fast.len(), moves.reached().len(), "a placement is listed once");
            assert_eq!(fast, slow_walk(&playfield, &start), "{start:?}\n{playfield:?}");
            placements += fast.len();
            for reached in moves.reached() {
                assert!(moves.timeline(reached).is_empty());
                let steps = moves.steps(reached);
                assert_eq!(steps.len() as u32, reached.frames);
                let piece = start.piece;
                let mut from = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
                for step in steps {
                    assert!(steps_from(&playfield, from).contains(&step), "{from} to {step} in {playfield:?}");
                    from = step;
                }
                assert_eq!(from, reached.placement);
            }
        }
    }
    assert!(placements > 50_000, "the playfields leave room to move: {placements} placements");
}

#[test]
fn free_movement_reaches_everything_that_buttons_reach() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(401);
    for _ in 0..200 {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = Start::spawn(piece);
            let free: HashSet<_> = generate_free(&playfield, &start).reached().iter().map(|r| r.placement).collect();
            for style in PressStyle::ALL {
                let moves = generate(&playfield, &start, 19, style);
                assert!(moves.reached().iter().all(|reached| free.contains(&reached.placement)), "{style:?}");
            }
        }
    }
}

//! The movement search against a slow, obvious one that steps the rules frame by frame.

use std::collections::{BTreeMap, HashSet, VecDeque};

use maxout::game::control::{ControlOutcome, FallingPiece};
use maxout::game::{Obstacles, Piece, Placement, Playfield};
use maxout::gamepad::{Buttons, PressStyle, TapRate};
use maxout::movegen::{Start, generate, generate_free};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// What may be held in a frame, said as plainly as the press styles are described.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Hand {
    held: Buttons,
    /// Frames that Down has been down: 0, 1, 2, then 3 and 2 in turn.
    down: u8,
    /// Frames before the next tap may come.
    rest: u8,
}

const IDLE: Hand = Hand { held: Buttons::NONE, down: 0, rest: 0 };

const SHIFTS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
const ROTATIONS: [Buttons; 3] = [Buttons::NONE, Buttons::A, Buttons::B];

fn allowed(style: PressStyle, hand: Hand, control_frame: u32) -> Vec<Hand> {
    let mut hands = Vec::new();
    match style {
        PressStyle::EvenFrames => {
            hands.push(IDLE);
            if control_frame.is_multiple_of(2) {
                for held in [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B] {
                    hands.push(Hand { held, ..IDLE });
                }
            }
        }
        PressStyle::Gamepad => {
            for shift in SHIFTS {
                for rotation in ROTATIONS {
                    for down in [false, true] {
                        let again = (!shift.is_empty() && hand.held.intersects(Buttons::LEFT | Buttons::RIGHT))
                            || (!rotation.is_empty() && hand.held.intersects(Buttons::A | Buttons::B));
                        let sideways_while_down = down && !shift.is_empty();
                        let released_too_early = !down && matches!(hand.down, 1 | 2);
                        if again || sideways_while_down || released_too_early {
                            continue;
                        }
                        let count = match (down, hand.down) {
                            (false, _) => 0,
                            (true, 3) => 2,
                            (true, frames) => frames + 1,
                        };
                        let held = shift | rotation | if down { Buttons::DOWN } else { Buttons::NONE };
                        hands.push(Hand { held, down: count, ..IDLE });
                    }
                }
            }
        }
        PressStyle::Taps(rate) => {
            hands.push(Hand { rest: hand.rest.saturating_sub(1), ..IDLE });
            if hand.rest == 0 {
                for shift in SHIFTS {
                    hands.extend(
                        ROTATIONS.iter().filter(|rotation| !(shift | **rotation).is_empty()).map(|&rotation| Hand {
                            held: shift | rotation,
                            rest: rate.frames() - 1,
                            ..IDLE
                        }),
                    );
                }
            }
        }
    }
    hands
}

/// Placement -> frames to the earliest lock.
fn slow_search(playfield: &Playfield, start: &Start, level: u8, style: PressStyle) -> BTreeMap<Placement, u32> {
    let first = Hand { rest: start.rest, ..IDLE };
    let mut seen = HashSet::from([(start.piece, first, start.control_frame % 2)]);
    let mut layer = vec![(start.piece, first)];
    let mut found = BTreeMap::new();
    for frames in 1.. {
        if layer.is_empty() {
            break;
        }
        let control_frame = start.control_frame + frames - 1;
        let mut next = Vec::new();
        for (piece, hand) in layer {
            for new_hand in allowed(style, hand, control_frame) {
                let mut piece: FallingPiece = piece;
                let pressed = new_hand.held.newly_pressed(hand.held);
                let outcome = piece.step(playfield, new_hand.held, pressed, level);
                if outcome == ControlOutcome::Landed {
                    if playfield.fits(piece.orientation, piece.x, piece.y) {
                        let placement = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
                        found.entry(placement).or_insert(frames);
                    }
                    continue;
                }
                // Neither moves a piece whose directions are only tapped.
                (piece.das, piece.pushdown) = (0, 0);
                if seen.insert((piece, new_hand, (control_frame + 1) % 2)) {
                    next.push((piece, new_hand));
                }
            }
        }
        layer = next;
    }
    found
}

/// Playfields of many kinds: stacks of every height, with holes, overhangs and wells.
fn random_playfield(rng: &mut Xoshiro256PlusPlus) -> Playfield {
    let height = rng.random_range(0..=18);
    let density = rng.random_range(0.2..0.95);
    let mut playfield = Playfield::EMPTY;
    for row in (20 - height)..20 {
        let bits = (0..10).filter(|_| rng.random_bool(density)).fold(0, |bits, column| bits | 1 << column);
        playfield.set_row(row, if bits == 0x3FF { 0x1FF } else { bits });
    }
    if rng.random_bool(0.1) {
        playfield.set(-1, rng.random_range(0..10));
    }
    playfield
}

/// How long a hand of this style can have to rest.
fn longest_rest(style: PressStyle) -> u8 {
    match style {
        PressStyle::Taps(rate) => rate.frames() - 1,
        PressStyle::EvenFrames | PressStyle::Gamepad => 0,
    }
}

fn random_start(rng: &mut Xoshiro256PlusPlus, playfield: &Playfield, piece: Piece, style: PressStyle) -> Start {
    let mut start = Start::spawn(piece);
    if rng.random_bool(0.3) {
        // In the middle of a fall, as after a desync.
        let orientations: Vec<_> = piece.orientations().collect();
        let (orientation, x, y) =
            (orientations[rng.random_range(0..orientations.len())], rng.random_range(0..10), rng.random_range(0..10));
        if playfield.fits(orientation, x, y) {
            let fall_timer = rng.random_range(0..3);
            start.piece = FallingPiece { orientation, x, y, fall_timer, ..start.piece };
            start.control_frame = rng.random_range(0..4);
            start.rest = rng.random_range(0..4).min(longest_rest(style));
        }
    }
    start
}

fn compare(style: PressStyle, level: u8, playfields: u32, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut placements = 0;
    for _ in 0..playfields {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = random_start(&mut rng, &playfield, piece, style);
            let moves = generate(&playfield, &start, level, style);
            let fast: BTreeMap<_, _> = moves.reached().iter().map(|r| (r.placement, r.frames)).collect();
            assert_eq!(fast.len(), moves.reached().len(), "a placement is listed once");
            let slow = slow_search(&playfield, &start, level, style);
            assert_eq!(fast, slow, "{style:?} level {level} {start:?}\n{playfield:?}");
            placements += fast.len();
            for reached in moves.reached() {
                check_timeline(&playfield, &start, level, style, &moves, reached);
            }
        }
    }
    assert!(placements > playfields as usize, "the playfields leave room to move");
}

/// The timeline obeys the style and locks where and when it says.
fn check_timeline(
    playfield: &Playfield,
    start: &Start,
    level: u8,
    style: PressStyle,
    moves: &maxout::movegen::Moves,
    reached: &maxout::movegen::Reached,
) {
    let timeline = moves.timeline(reached);
    assert_eq!(timeline.len() as u32, reached.frames);
    let mut piece = start.piece;
    let mut hand = Hand { rest: start.rest, ..IDLE };
    for (index, &held) in timeline.frames().iter().enumerate() {
        let next = allowed(style, hand, start.control_frame + index as u32).into_iter().find(|next| next.held == held);
        let next = next.unwrap_or_else(|| panic!("{style:?} does not allow {held} in frame {index} of {timeline:?}"));
        let outcome = piece.step(playfield, held, held.newly_pressed(hand.held), level);
        hand = next;
        assert_eq!(outcome == ControlOutcome::Landed, index + 1 == timeline.len(), "{timeline:?}");
    }
    assert_eq!(Placement { orientation: piece.orientation, x: piece.x, y: piece.y }, reached.placement);
}

#[test]
fn even_frames_on_the_plateau() {
    compare(PressStyle::EvenFrames, 19, 400, 1);
}

#[test]
fn even_frames_at_every_gravity() {
    for (level, playfields) in [(0, 10), (5, 20), (9, 30), (10, 30), (13, 30), (18, 60), (29, 100)] {
        compare(PressStyle::EvenFrames, level, playfields, u64::from(level) + 100);
    }
}

#[test]
fn gamepad_on_the_plateau() {
    compare(PressStyle::Gamepad, 19, 40, 2);
}

#[test]
fn gamepad_at_every_gravity() {
    for (level, playfields) in [(0, 1), (9, 2), (13, 4), (18, 8), (29, 40)] {
        compare(PressStyle::Gamepad, level, playfields, u64::from(level) + 200);
    }
}

#[test]
fn taps_at_every_gravity_and_rate() {
    for (level, hz, playfields) in [
        (19, 30, 400),
        (29, 30, 200),
        (18, 30, 60),
        (0, 30, 6),
        (9, 30, 20),
        (19, 20, 60),
        (19, 15, 60),
        (18, 12, 40),
        (29, 10, 60),
        (13, 10, 30),
    ] {
        let rate = TapRate::from_hz(hz).expect("a rate within the range");
        compare(PressStyle::Taps(rate), level, playfields, u64::from(level) + 300 + hz);
    }
}

/// The places one step away, by the rule of collision.
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

/// Placement -> fewest steps to it, one place at a time.
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
fn free_movement_finds_what_a_walk_step_by_step_finds() {
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
fn free_movement_reaches_all_that_buttons_reach() {
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

#[test]
fn a_tuck_and_a_spin_are_found() {
    let tuck = Playfield::drawn(
        "
        ####......
        ..........
        ..........
        ",
    );
    let spin = Playfield::drawn(
        "
        ##..######
        ##....####
        ###.######
        ",
    );
    for style in PressStyle::ALL {
        let find = |playfield, piece: Piece, wanted: Placement| {
            let moves = generate(playfield, &Start::spawn(piece), 19, style);
            moves.reached().iter().any(|reached| reached.placement == wanted)
        };
        let flat = Piece::O.spawn();
        assert!(find(&tuck, Piece::O, Placement { orientation: flat, x: 4, y: 18 }), "{style:?}: O under the overhang");
        // The T points down into the notch, its right arm under the overhang.
        let down = Piece::T.spawn();
        assert!(find(&spin, Piece::T, Placement { orientation: down, x: 3, y: 18 }), "{style:?}: T spin");
    }
}

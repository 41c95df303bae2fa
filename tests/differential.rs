//! The rules model against our own cartridge, frame by frame: the same seeded inputs and
//! states in both, and every byte that the model promises compared after every frame.
//!
//! `MAXOUT_FUZZ_FRAMES` and `MAXOUT_FUZZ_SEED` make a long run of it. A difference is printed
//! as a short episode that can be put into `tests/differential/regressions/`.

#[path = "differential/campaign.rs"]
mod campaign;
#[path = "differential/coverage.rs"]
mod coverage;
#[path = "differential/episode.rs"]
mod episode;
#[path = "differential/hands.rs"]
mod hands;
#[path = "differential/shrink.rs"]
mod shrink;
#[path = "differential/states.rs"]
mod states;
#[path = "differential/twins.rs"]
mod twins;

use maxout::gamepad::PressStyle;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use campaign::{Kind, Plan};
use episode::{Arena, Place};
use hands::{Hands, Style};
use states::Scene;

type Random = Xoshiro256PlusPlus;

fn hands(rng: &mut Random, style: Style) -> Hands {
    let interruptions = if rng.random_ratio(1, 2) { Some(rng.random_range(60..=600)) } else { None };
    Hands::new(style, interruptions, Random::seed_from_u64(rng.next_u64()))
}

fn bot(rng: &mut Random) -> Style {
    Style::Bot(PressStyle::ALL[rng.random_range(0..PressStyle::ALL.len())])
}

fn fingers(rng: &mut Random) -> Style {
    Style::FINGERS[rng.random_range(0..Style::FINGERS.len())]
}

/// A new game with another random number.
fn new_game(rng: &mut Random, style: Style, frames: u32) -> Plan {
    let pokes = vec![states::random_number(rng)];
    Plan { place: Place::Game, pokes, hands: hands(rng, style), frames }
}

/// A game in a random state.
fn scene(rng: &mut Random, arena: &Arena, scene: Scene, style: Style, frames: u32) -> Plan {
    let pokes = states::random(rng, arena.model_at(Place::Game), scene);
    Plan { place: Place::Game, pokes, hands: hands(rng, style), frames }
}

#[test]
fn menus_from_power_on_agree() {
    campaign::run(&Kind {
        name: "menus",
        percent: 12,
        plan: |rng, _| {
            let place = [Place::PowerOn, Place::Title, Place::Title, Place::LevelMenu][rng.random_range(0..4)];
            let style = if rng.random_ratio(1, 3) { Style::Mash } else { Style::Menus };
            Plan { place, pokes: Vec::new(), hands: hands(rng, style), frames: 1200 }
        },
        at_least: &[("titles", 5), ("level menus", 20), ("games", 15), ("B-type games", 3)],
    });
}

#[test]
fn mashed_games_agree() {
    campaign::run(&Kind {
        name: "mashing",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { Style::Mash } else { Style::Special };
            if rng.random() { new_game(rng, style, 1500) } else { scene(rng, arena, Scene::Any, style, 900) }
        },
        at_least: &[("topouts", 5), ("pauses", 50), ("frames at half speed", 100), ("resets", 1)],
    });
}

#[test]
fn alternating_and_held_buttons_agree() {
    campaign::run(&Kind {
        name: "fingers",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { Style::Alternate } else { Style::Das };
            if rng.random_ratio(1, 3) { new_game(rng, style, 1500) } else { scene(rng, arena, Scene::Any, style, 900) }
        },
        at_least: &[("topouts", 5), ("locks at levels 19-28", 20), ("locks at levels 155-255", 20)],
    });
}

#[test]
fn pushdowns_agree() {
    campaign::run(&Kind {
        name: "pushdown",
        percent: 10,
        plan: |rng, arena| match rng.random_range(0..3) {
            0 => new_game(rng, Style::Pushdown, 1500),
            1 => scene(rng, arena, Scene::Any, Style::Pushdown, 600),
            _ => scene(rng, arena, Scene::Limits, Style::Pushdown, 300),
        },
        at_least: &[("pushdowns that score", 200), ("topouts", 5)],
    });
}

#[test]
fn games_played_well_agree() {
    campaign::run(&Kind {
        name: "bot",
        percent: 16,
        plan: |rng, arena| {
            let style = bot(rng);
            if rng.random() { new_game(rng, style, 3000) } else { scene(rng, arena, Scene::Any, style, 1200) }
        },
        at_least: &[("singles", 50), ("doubles", 10), ("locks at levels 0-18", 100)],
    });
}

#[test]
fn games_at_their_limits_agree() {
    campaign::run(&Kind {
        name: "limits",
        percent: 14,
        plan: |rng, arena| {
            let style = bot(rng);
            scene(rng, arena, Scene::Limits, style, 400)
        },
        at_least: &[
            ("singles", 40),
            ("doubles", 5),
            ("triples", 5),
            ("tetrises", 20),
            ("level-ups", 20),
            ("level-ups from 255 to 0", 1),
            ("scores that reach the cap", 10),
            ("locks at levels 155-255", 40),
        ],
    });
}

#[test]
fn games_at_the_top_agree() {
    campaign::run(&Kind {
        name: "top rows",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { bot(rng) } else { fingers(rng) };
            scene(rng, arena, Scene::TopRows, style, 400)
        },
        at_least: &[("clears of row 0", 3), ("locks above the top", 10), ("topouts", 30), ("name entries", 5)],
    });
}

#[test]
fn b_type_games_agree() {
    campaign::run(&Kind {
        name: "B-type",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random_ratio(2, 3) { bot(rng) } else { fingers(rng) };
            if rng.random() {
                let pokes = states::b_type_menu(rng);
                return Plan { place: Place::LevelMenu, pokes, hands: hands(rng, style), frames: 1500 };
            }
            let mut plan = scene(rng, arena, Scene::Limits, style, 600);
            plan.pokes.extend(states::b_type(rng));
            plan
        },
        at_least: &[("B-type games", 5), ("B-type goals", 10), ("B-type topouts", 3), ("singles", 20)],
    });
}

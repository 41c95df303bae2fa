//! The rules model against our own cartridge, frame by frame: both get the same seeded inputs and
//! states, and every byte that the model promises is compared after every frame.
//!
//! `MAXOUT_FUZZ_FRAMES` and `MAXOUT_FUZZ_SEED` set the length and the seed of the run. A difference
//! is printed as a short episode, which can be saved in `tests/console/differential/regressions/`.

#[path = "differential/campaign.rs"]
mod campaign;
#[path = "differential/coverage.rs"]
mod coverage;
#[path = "differential/episode.rs"]
mod episode;
#[path = "differential/faulty.rs"]
mod faulty;
#[path = "differential/hands.rs"]
mod hands;
#[path = "differential/shrink.rs"]
mod shrink;
#[path = "differential/states.rs"]
mod states;
#[path = "differential/twins.rs"]
mod twins;

use std::fs;
use std::path::Path;

use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::Input;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use campaign::{Kind, Plan};
use coverage::Coverage;
use episode::{Arena, Episode, Failure, Place};
use faulty::{Fault, Faulty};
use hands::{Hands, Style};
use states::Scene;
use twins::{Difference, Step, WrongByte};

type Random = Xoshiro256PlusPlus;

fn hands(rng: &mut Random, style: Style) -> Hands {
    let interruptions = if rng.random_ratio(1, 2) { Some(rng.random_range(60..=600)) } else { None };
    Hands::new(style, interruptions, Random::seed_from_u64(rng.next_u64()))
}

fn bot(rng: &mut Random) -> Style {
    Style::Bot(Input::HONEST[rng.random_range(0..Input::HONEST.len())])
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
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn menus_from_power_on_agree() {
    campaign::run(&Kind {
        name: "menus",
        percent: 12,
        plan: |rng, _| {
            let place = [Place::PowerOn, Place::Title, Place::Title, Place::LevelMenu][rng.random_range(0..4)];
            let style = if rng.random_ratio(1, 3) { Style::Mash } else { Style::Menus };
            Plan { place, pokes: Vec::new(), hands: hands(rng, style), frames: 1200 }
        },
        at_least: &[("titles", 3), ("level menus", 10), ("games", 8), ("B-type games", 2)],
    });
}

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn mashed_games_agree() {
    campaign::run(&Kind {
        name: "mashing",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { Style::Mash } else { Style::Special };
            if rng.random() { new_game(rng, style, 1500) } else { scene(rng, arena, Scene::Any, style, 900) }
        },
        at_least: &[("topouts", 2), ("pauses", 25), ("frames at half speed", 50), ("resets", 1)],
    });
}

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn alternating_and_held_buttons_agree() {
    campaign::run(&Kind {
        name: "fingers",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { Style::Alternate } else { Style::Das };
            if rng.random_ratio(1, 3) { new_game(rng, style, 1500) } else { scene(rng, arena, Scene::Any, style, 900) }
        },
        at_least: &[("topouts", 3), ("locks at levels 19-28", 10), ("locks at levels 155-255", 10)],
    });
}

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn pushdowns_agree() {
    campaign::run(&Kind {
        name: "pushdown",
        percent: 10,
        plan: |rng, arena| match rng.random_range(0..3) {
            0 => new_game(rng, Style::Pushdown, 1500),
            1 => scene(rng, arena, Scene::Any, Style::Pushdown, 600),
            _ => scene(rng, arena, Scene::Limits, Style::Pushdown, 300),
        },
        at_least: &[("pushdowns that score", 40), ("topouts", 3)],
    });
}

const PLAYED_WELL: Kind = Kind {
    name: "bot",
    percent: 16,
    plan: |rng, arena| {
        let style = bot(rng);
        if rng.random() { new_game(rng, style, 3000) } else { scene(rng, arena, Scene::Any, style, 1200) }
    },
    at_least: &[("singles", 25), ("doubles", 5), ("locks at levels 0-18", 50)],
};

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn games_played_well_agree() {
    campaign::run(&PLAYED_WELL);
}

const AT_LIMITS: Kind = Kind {
    name: "limits",
    percent: 14,
    plan: |rng, arena| {
        let style = bot(rng);
        scene(rng, arena, Scene::Limits, style, 400)
    },
    at_least: &[
        ("singles", 20),
        ("doubles", 5),
        ("triples", 5),
        ("tetrises", 5),
        ("level-ups", 5),
        ("level-ups from 255 to 0", 1),
        ("scores that reach the cap", 5),
        ("locks at levels 155-255", 20),
    ],
};

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn games_at_their_limits_agree() {
    campaign::run(&AT_LIMITS);
}

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn games_at_the_top_agree() {
    campaign::run(&Kind {
        name: "top rows",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random() { bot(rng) } else { fingers(rng) };
            scene(rng, arena, Scene::TopRows, style, 400)
        },
        at_least: &[("clears of row 0", 2), ("locks above the top", 3), ("topouts", 15), ("name entries", 3)],
    });
}

#[test]
#[ignore = "a long campaign of random games on the emulator; .ci/run runs it"]
fn b_type_games_agree() {
    campaign::run(&Kind {
        name: "B-type",
        percent: 12,
        plan: |rng, arena| {
            let style = if rng.random_ratio(2, 3) { bot(rng) } else { fingers(rng) };
            if rng.random_ratio(1, 3) {
                let pokes = states::b_type_menu(rng);
                return Plan { place: Place::LevelMenu, pokes, hands: hands(rng, style), frames: 1500 };
            }
            let mut plan = scene(rng, arena, Scene::Limits, style, 600);
            plan.pokes.extend(states::b_type(rng));
            plan
        },
        at_least: &[("B-type games", 2), ("B-type goals", 1), ("B-type topouts", 1), ("singles", 10)],
    });
}

#[test]
fn every_regression_agrees_and_covers_what_it_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console/differential/regressions");
    let mut arena = Arena::new(campaign::cartridge());
    let mut files = 0;
    for entry in fs::read_dir(folder).expect("the folder of regressions") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a readable file");
        let episode = Episode::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut coverage = Coverage::default();
        let failure = arena.replay(&episode, &mut coverage);
        assert_eq!(failure, None, "{}", path.display());
        for what in &episode.covers {
            assert!(coverage.get(what) > 0, "{}: no {what}; {coverage}", path.display());
        }
        files += 1;
    }
    assert!(files > 0, "regressions are there");
}

#[test]
fn every_promised_byte_is_compared_and_no_other() {
    let mut arena = Arena::new(campaign::cartridge());
    for (place, promised) in [(Place::LevelMenu, 459), (Place::Game, 458)] {
        arena.begin(place, &[]);
        let twins = &mut arena.twins;
        assert_eq!(twins.step(Buttons::NONE), Ok(Step::Compared(promised)));
        assert_eq!(twins.compare(), Ok(promised));
        for address in 0..0x800 {
            let model = twins.model.peek(address);
            twins.console.poke(address, model ^ 0x10);
            let wrong = Difference::Bytes(vec![WrongByte { address, model, console: model ^ 0x10 }]);
            let expected = if twins.model.promises(address) { Err(wrong) } else { Ok(promised) };
            assert_eq!(twins.compare(), expected, "${address:04X} at {place:?}");
            twins.console.poke(address, model);
        }
    }
}

/// Finds a planted fault, shortens the episode, and checks that the fault is what fails.
fn catch(fault: Fault, kind: &Kind) -> (Episode, Failure) {
    let mut arena = Arena::new(Box::new(Faulty::new(fault)));
    let mut rng = Random::seed_from_u64(5);
    let caught = campaign::hunt(kind, &mut arena, &mut rng, 40_000, &mut Coverage::default());
    let (episode, failure) = caught.expect_err("the fault shows");
    let (episode, failure) = shrink::shrink(&mut arena, episode, failure, 8000);
    let text = format!("# {}\n{episode}", failure.difference);
    let read = Episode::parse(&text).expect("what is written can be read");
    assert_eq!(read, episode);
    assert_eq!(arena.replay(&read, &mut Coverage::default()), Some(failure.clone()), "the fault shows again");
    let mut sound = Arena::new(campaign::cartridge());
    assert_eq!(sound.replay(&read, &mut Coverage::default()), None, "without the fault nothing differs");
    (episode, failure)
}

#[test]
fn an_input_that_comes_a_frame_late_is_caught_with_one_press() {
    let (episode, failure) = catch(Fault::LateInput, &PLAYED_WELL);
    let pressed = episode.inputs.iter().filter(|buttons| !buttons.is_empty()).count();
    assert_eq!((episode.inputs.len(), pressed, failure.frame), (1, 1, 0), "{episode}");
    assert_eq!(episode.pokes, Vec::new());
}

#[test]
#[ignore = "games on the emulator; .ci/run runs it"]
fn a_double_that_is_not_counted_is_caught_by_playing_well() {
    let (episode, failure) = catch(Fault::UncountedDouble, &AT_LIMITS);
    let Difference::Bytes(wrong) = &failure.difference else { panic!("{failure:?}") };
    assert_eq!(wrong.iter().map(|byte| byte.address).collect::<Vec<_>>(), [faulty::DOUBLES]);
    assert_eq!(failure.frame + 1, episode.inputs.len());
}

#[test]
fn a_wrong_episode_is_refused_with_its_line() {
    for (text, complaint) in [
        ("press ........", "no line begins with `start`"),
        ("start nowhere", "line 1: expected the name of a start"),
        ("start game\npoke 0800 00", "line 2: expected an address"),
        ("start game\npress RL 3", "line 2: expected buttons"),
        ("# a note\n\nwait 3", "line 3: expected `covers`, `start`, `poke` or `press`"),
    ] {
        let error = Episode::parse(text).expect_err("it is refused");
        assert!(error.starts_with(complaint), "{error}");
    }
}

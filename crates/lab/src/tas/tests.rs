//! Searches for small goals: the same on any number of threads, over a checkpoint, and on the rules model.

use std::sync::atomic::AtomicBool;

use super::improve::{ImproveError, Improvement, Improving, SearchOfParts};
use super::plan::{Planning, plan};
use super::stages::{self, Plans, Stages};
use super::values::Tables;
use super::*;
use maxout_engine::game::memory::GameType;
use maxout_engine::game::scoring::{Progress, Score};
use maxout_engine::gamepad::Buttons;

/// One tetris from level 18, with a narrow beam.
fn settings(width: usize) -> Settings {
    Settings {
        goal: Goal::Score(20_000),
        count: Count::Goal,
        start_level: 18,
        width,
        longest_pause: 1,
        same_playfield: 2,
        menu_delay: 1,
        seed: 1,
        noise: 0.0,
        weights: Weights::built_in(),
    }
}

fn layers(search: &mut Search, threads: usize, most: usize) {
    let stop = AtomicBool::new(false);
    for _ in 0..most {
        if !search.is_over() {
            search.layer(threads, &stop).expect("nothing stops it");
        }
    }
}

#[test]
fn a_small_goal_is_reached_in_the_promised_frame_on_any_number_of_threads() {
    let found = [1, 3].map(|threads| {
        let mut search = Search::new(settings(100));
        layers(&mut search, threads, 200);
        search.found().expect("a game that reaches the goal")
    });
    assert_eq!(found[0], found[1]);
    let played = found[0].play(Goal::Score(20_000)).expect("the rules model agrees");
    assert!(played.score >= 20_000);
    assert_eq!(played.buttons.len(), found[0].frame as usize + 1);
    let Parts { menus, fall_least, fall_more, entry_least, entry_more, clear_least, clear_more, last } = played.parts;
    let sum = menus + fall_least + fall_more + entry_least + entry_more + clear_least + clear_more + last;
    assert_eq!(sum, found[0].frame + 1, "{:?}", played.parts);
    // A planted fault: the model does not take a promise for another frame.
    let wrong = Found { frame: found[0].frame + 1, ..found[0].clone() };
    assert!(wrong.play(Goal::Score(20_000)).is_err());
}

#[test]
fn a_search_goes_on_from_its_checkpoint_as_if_it_had_never_stopped() {
    let mut whole = Search::new(settings(12));
    layers(&mut whole, 2, 9);
    let bytes = checkpoint::write(&whole);
    let mut resumed = checkpoint::read(&bytes, settings(12)).expect("what was written");
    assert_eq!(checkpoint::write(&resumed), bytes);
    layers(&mut whole, 1, 12);
    layers(&mut resumed, 2, 12);
    assert_eq!(checkpoint::write(&resumed), checkpoint::write(&whole));
}

#[test]
fn a_damaged_checkpoint_and_one_of_other_settings_are_refused() {
    let mut search = Search::new(settings(5));
    layers(&mut search, 1, 3);
    let bytes = checkpoint::write(&search);
    assert!(matches!(checkpoint::read(&bytes, settings(6)), Err(CheckpointError::Settings)));
    for length in 0..bytes.len() {
        assert!(checkpoint::read(&bytes[..length], settings(5)).is_err(), "{length} bytes");
    }
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(checkpoint::read(&damaged, settings(5)).is_err(), "byte {place}");
    }
}

#[test]
fn a_stopped_layer_changes_nothing() {
    let mut search = Search::new(settings(5));
    let before = checkpoint::write(&search);
    assert!(search.layer(2, &AtomicBool::new(true)).is_none());
    assert_eq!(checkpoint::write(&search), before);
}

#[test]
fn the_tetrises_that_are_left_are_those_of_the_arithmetic() {
    for (level, tetrises) in [(19, 42), (18, 43), (17, 44), (16, 45), (15, 46), (9, 59), (0, 63)] {
        let clears_left = ClearsLeft::new(Goal::Score(999_999), level);
        let mut progress = Progress { lines_low: 0, lines_high: 0, level };
        assert_eq!(clears_left.of(Score::default(), progress), tetrises, "from level {level}");
        // Played one by one, it is one fewer each time.
        let mut score = Score::default();
        for left in (0..tetrises).rev() {
            progress.count_a_type(4);
            score.add_line_points(4, progress.level);
            assert_eq!(clears_left.of(score, progress), left);
        }
    }
}

#[test]
fn the_tetrises_up_to_a_level_are_counted_from_the_first_level_up() {
    for (level, goal, tetrises) in [(18, 19, 33), (18, 20, 35), (0, 1, 3), (0, 19, 48), (5, 6, 15), (19, 99, 233)] {
        let clears_left = ClearsLeft::new(Goal::Level(goal), level);
        let mut progress = Progress { lines_low: 0, lines_high: 0, level };
        assert_eq!(clears_left.of(Score::default(), progress), tetrises, "from level {level} to {goal}");
        // Each tetris makes it one fewer, and with none left the level is there.
        for left in (0..tetrises).rev() {
            assert!(progress.level < goal);
            progress.count_a_type(4);
            assert_eq!(clears_left.of(Score::default(), progress), left);
        }
        assert!(progress.level >= goal);
    }
}

#[test]
fn weights_survive_their_text_and_wrong_ones_are_named() {
    let weights = Weights::built_in();
    let text = toml::to_string(&weights).expect("weights are TOML");
    assert_eq!(Weights::from_toml(&text).expect("what was written"), weights);
    assert!(Weights::from_toml(&text.replace("cell =", "sell =")).is_err());
    let huge = Weights { gap: f32::NAN, ..weights };
    let error = Weights::from_toml(&toml::to_string(&huge).expect("TOML")).expect_err("not a number");
    assert!(error.to_string().contains("gap"), "{error}");
}

/// The game of a whole search.
fn found(settings: Settings) -> Found {
    let mut search = Search::new(settings);
    while !search.is_over() {
        layers(&mut search, 2, 1);
    }
    search.found().expect("a game that reaches the goal")
}

#[test]
fn when_the_last_button_counts_the_game_is_as_short_at_least_and_the_goal_comes_by_itself() {
    for (goal, start_level) in [(Goal::Score(20_000), 18), (Goal::Lines(3), 19), (Goal::Lines(6), 15)] {
        let settings = Settings { goal, start_level, ..settings(100) };
        let by_goal = found(settings.clone()).play(goal).expect("the rules model agrees");
        let by_input = found(Settings { count: Count::Input, ..settings });
        let played = by_input.play(goal).expect("the rules model agrees");
        assert!(played.length < by_goal.length, "{goal}: {} against {}", played.length, by_goal.length);
        assert!(played.buttons.len() >= by_goal.buttons.len(), "{goal}: the other one has the earliest goal");
        // Played on without a button.
        let mut game = maxout_engine::game::simulation::Simulation::power_on();
        played.buttons[..played.length as usize].iter().for_each(|&pressed| game.step(pressed));
        let is_reached = |game: &maxout_engine::game::simulation::Simulation| {
            game.in_game() && goal.is_reached(game.score(), game.progress())
        };
        assert!(!played.buttons[played.length as usize - 1].is_empty() && !is_reached(&game));
        (played.length..=by_input.frame).for_each(|_| game.step(maxout_engine::gamepad::Buttons::NONE));
        assert!(is_reached(&game), "{goal}");
    }
}

#[test]
fn b_type_games_are_found_and_made_faster() {
    for (height, start_level, width, count) in [(2, 18, 60, Count::Input), (5, 19, 60, Count::Goal)] {
        let goal = Goal::BType(height);
        let settings = Settings { goal, start_level, count, longest_pause: 2, same_playfield: 3, ..settings(width) };
        let found = found(settings.clone());
        let played = found.play(goal).expect("the rules model agrees");
        let [singles, doubles, triples, tetrises] = played.clears;
        let rows = singles + 2 * doubles + 3 * triples + 4 * tetrises;
        assert!((25..29).contains(&rows), "{rows} rows");
        assert_eq!((played.lines, played.level), (0, start_level));
        let improving = Improving { goal, count, shape: 3, width: 60, ..improve::tests::IMPROVING };
        let first = Improvement::of(&played.buttons, improving).expect("the game that was found");
        assert_eq!((first.frame(), first.start_level()), (found.frame, start_level));
        let faster = first.search(improving.stretches()[0], 2, &AtomicBool::new(false), |_| ());
        let faster = faster.expect("a way through").expect("nothing stops it").play(goal).expect("the model agrees");
        let measure = |played: &Played| if count == Count::Goal { played.buttons.len() as u32 } else { played.length };
        assert!(measure(&faster) <= measure(&played), "height {height}");
        // Of games of the other type nothing is made.
        let others = Improving { goal: Goal::Lines(1), ..improving };
        let refused = Improvement::of(&played.buttons, others).map(|_| ());
        assert_eq!(refused, Err(ImproveError::GameType { goal: Goal::Lines(1), found: GameType::B }));
        // A checkpoint in the middle.
        let mut search = Search::new(settings.clone());
        layers(&mut search, 2, 15);
        let mut resumed = checkpoint::read(&checkpoint::write(&search), settings).expect("what was written");
        layers(&mut resumed, 2, 500);
        assert_eq!(resumed.found(), Some(found));
    }
}

#[test]
fn a_search_for_the_last_button_goes_on_from_its_checkpoint() {
    let settings = Settings { goal: Goal::Lines(3), count: Count::Input, ..settings(12) };
    let mut search = Search::new(settings.clone());
    let mut resumed = 0;
    while !search.is_over() {
        layers(&mut search, 2, 1);
        let bytes = checkpoint::write(&search);
        if search.ending.is_some() && resumed < 3 {
            resumed += 1;
            search = checkpoint::read(&bytes, settings.clone()).expect("what was written");
            assert_eq!(checkpoint::write(&search), bytes);
            for length in (0..bytes.len()).step_by(5) {
                assert!(checkpoint::read(&bytes[..length], settings.clone()).is_err(), "{length} bytes");
            }
        }
    }
    assert!(resumed > 0);
    assert_eq!(search.found(), Some(found(settings)));
}

#[test]
fn the_result_of_a_shard_is_read_as_it_was_written_and_a_damaged_one_is_refused() {
    use shard::{PlanRun, SeedsRun, ShardError, ShardResult};
    let goal = Goal::Lines(3);
    let settings = Settings { goal, count: Count::Input, seed: 7, noise: 2.5, ..settings(12) };
    let played = found(settings.clone()).play(goal).expect("the rules model agrees");
    let run = SeedsRun::new(&Settings { seed: 5, ..settings.clone() }, 8, None);
    let part = "3/4".parse().expect("a shard");
    let result = ShardResult::new(run.clone(), part, false, Some((7, &played)));
    let text = result.text();
    let read = ShardResult::parse(&text).expect("what was written");
    assert_eq!((&read, read.text()), (&result, text.clone()));
    assert_eq!(read.played(), Ok(Some((settings.clone(), played.clone()))));
    assert_eq!(
        ShardResult::parse(&ShardResult::new(run.clone(), part, true, None).text()).map(|none| none.played()),
        Ok(Ok(None))
    );
    // Every other run is told from it.
    let other = SeedsRun::new(&Settings { seed: 5, noise: 2.0, ..settings.clone() }, 8, None);
    let difference = |one: &SeedsRun, other| one.difference(other).map(|difference| difference.to_string());
    assert_eq!(difference(&run, &other).as_deref(), Some("noise 2.5, found 2.0"));
    assert_eq!(run.difference(&run), None);
    let plan = PlanRun { replans: 9, shape: 4, across: 0, cycles: false, parts: None };
    let planned = SeedsRun::new(&Settings { seed: 5, ..settings.clone() }, 8, Some(plan.clone()));
    assert_eq!(run.difference(&planned).map(|difference| difference.setting), Some("plan".to_owned()));
    assert!(planned.plans() && !run.plans());
    let in_columns = |columns: &str| {
        let parts = Some(SearchOfParts { columns: columns.parse().ok(), same_clears: false, memory: 1 << 30 });
        let run = SeedsRun::new(&Settings { seed: 5, ..settings.clone() }, 8, Some(PlanRun { parts, ..plan.clone() }));
        let text = ShardResult::new(run.clone(), part, false, None).text();
        assert_eq!(ShardResult::parse(&text).map(|read| read.text()), Ok(text));
        run
    };
    assert_eq!(in_columns("3,5,9").difference(&in_columns("9,3,5")), None);
    let fewer = difference(&in_columns("3,5,9"), &in_columns("3,5"));
    assert_eq!(fewer.as_deref(), Some(r#"plan.parts.columns "3,5,9", found "3,5""#));
    // Damaged games.
    for (from, to) in [
        (format!("\"score\":{}", played.score), format!("\"score\":{}", played.score + 1)),
        ("\"buttons\":[".to_owned(), "\"buttons\":[0,".to_owned()),
        (format!("\"length\":{}", played.length), "\"length\":4294967295".to_owned()),
        ("\"seed\":7".to_owned(), "\"seed\":6".to_owned()),
        ("\"seed\":7".to_owned(), "\"seed\":4".to_owned()),
        ("\"start_level\":18".to_owned(), "\"start_level\":19".to_owned()),
        ("lines:3".to_owned(), "lines:30".to_owned()),
    ] {
        let damaged = text.replacen(&from, &to, 1);
        assert_ne!(damaged, text, "{from}");
        let game = ShardResult::parse(&damaged).and_then(|result| result.played());
        assert_eq!(game, Err(ShardError::Game), "{from} by {to}");
    }
    let layout = text.replacen("\"maxout-tas-shard\":4", "\"maxout-tas-shard\":1", 1);
    assert_eq!(ShardResult::parse(&layout), Err(ShardError::Layout(1)));
    let old = r#"{"maxout-tas-shard":1,"run":{},"shard":"1/2","interrupted":false,"game":{"seed":1,"moves":[]}}"#;
    assert_eq!(ShardResult::parse(old), Err(ShardError::Layout(1)));
    for length in (0..text.len() - 1).step_by(11) {
        assert!(matches!(ShardResult::parse(&text[..length]), Err(ShardError::Form(_))), "{length} bytes");
    }
}

#[test]
fn stages_are_read_as_they_were_written_and_damaged_ones_are_refused() {
    let goal = Goal::Score(20_000);
    let mut search = Search::new(settings(12));
    layers(&mut search, 2, 200);
    let game = search.found().expect("a game").play(goal).expect("the rules model agrees");
    let planning = Planning { goal, start_level: 18, alike: 12, menu_delay: 0, wait: 0.1, seed: 1 };
    let plans = Some(Plans { planning, rounds: 3 });
    let plan = plan(planning, Tables::built_in(), 1, &AtomicBool::new(false), |_, _| ()).expect("a plan");
    let numbers = Some(planning.numbers(&plan));
    let begun = Stages { plans: 1, plan: numbers.clone(), ..Stages::default() };
    let improved = Stages { round: 7, in_vain: 1, game: Some(game.clone()), ..Stages::default() };
    for (stages, plans) in [
        (begun.clone(), plans),
        (improved.clone(), None),
        (Stages { plans: 3, plan: numbers.clone(), ..improved.clone() }, plans),
    ] {
        let bytes = stages::write(&stages, "these");
        assert_eq!(stages::read(&bytes, "these", goal, plans).expect("what was written"), stages);
        assert!(matches!(stages::read(&bytes, "others", goal, plans), Err(CheckpointError::Settings)));
        assert!(matches!(checkpoint::read(&bytes, settings(12)), Err(CheckpointError::Settings)));
        for length in (0..bytes.len()).step_by(3) {
            assert!(stages::read(&bytes[..length], "these", goal, plans).is_err(), "{length} bytes");
        }
        for place in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(stages::read(&damaged, "these", goal, plans).is_err(), "byte {place}");
        }
    }
    let of_layers = checkpoint::write(&search);
    assert!(matches!(stages::read(&of_layers, "these", goal, plans), Err(CheckpointError::Settings)));
    // A game that does not do what it says, with a sound checksum.
    let mut late = game.clone();
    late.buttons.insert(300, Buttons::NONE);
    let mut richer = game.clone();
    richer.score += 1;
    let mut shorter = game.clone();
    shorter.parts.menus -= 1;
    let mut empty = game;
    empty.buttons.clear();
    let of_games = [late, richer, shorter, empty].map(|game| (Stages { game: Some(game), ..improved.clone() }, None));
    // Stages that no search has: rounds, and searches before the planning is over.
    let stages = |tried, round, in_vain| (Stages { plans: tried, round, in_vain, ..begun.clone() }, plans);
    let others = [stages(4, 0, 0), stages(2, 1, 0), stages(3, 1, 2), stages(3, 5, 3), stages(3, usize::MAX, 0)];
    // Plans that are missing, too early, of another goal, or where nothing is planned.
    let higher = Planning { goal: Goal::Score(40_000), ..planning };
    let without = [
        (Stages { plan: None, ..begun.clone() }, plans),
        (Stages { plans: 0, ..begun.clone() }, plans),
        (begun.clone(), Some(Plans { planning: higher, rounds: 3 })),
        (begun.clone(), None),
        (Stages { game: improved.game.clone(), ..begun.clone() }, plans),
    ];
    for (stages, plans) in of_games.into_iter().chain(others).chain(without) {
        let bytes = stages::write(&stages, "these");
        assert!(matches!(stages::read(&bytes, "these", goal, plans), Err(CheckpointError::Damaged)), "{stages:?}");
    }
}

//! Players that read the piece generator: the pieces that they foresee come, and the others do not look.

use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Event, Goal, Pilot, Run};
use maxout_engine::console::{Console, Error as ConsoleError, Simulated};
use maxout_engine::game::crash::Scene;
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{Generator, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::{Falling, Input, Plan, Player, PlayerError, RngUse, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::simulate::{self, Error, GameResult, play_game};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn search(settings: &Settings) -> Search {
    Search::new(judge::by_name("learned", None).expect("built in"), settings.clone())
}

/// Counts the plans that foresee, and gives them the generator of another frame if asked to.
struct Counting {
    search: Search,
    plans: u32,
    foreseen: u32,
    is_late: bool,
}

impl Counting {
    fn new(settings: &Settings) -> Counting {
        Counting { search: search(settings), plans: 0, foreseen: 0, is_late: false }
    }
}

impl Player for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn plan(&mut self, _: &Position, _: &Falling) -> Result<Option<Plan>, PlayerError> {
        unreachable!("the generator is known")
    }

    fn plan_foreseeing(
        &mut self,
        position: &Position,
        falling: &Falling,
        scene: Option<&Scene>,
        generator: &Generator,
    ) -> Result<Option<Plan>, PlayerError> {
        let late = Generator { randomizer: generator.randomizer.clocked(), ..*generator };
        let generator = if self.is_late { &late } else { generator };
        let plan = self.search.plan_foreseeing(position, falling, scene, generator);
        self.plans += 1;
        self.foreseen += u32::from(plan.as_ref().is_some_and(|plan| plan.foreseen.is_some()));
        Ok(plan)
    }
}

fn play(player: &mut dyn Player, start_level: u8, pieces: u32, game: u64) -> Result<GameResult, Error> {
    let until = format!("pieces:{pieces}").parse().expect("an end");
    let settings = simulate::Settings { start_level, until, ..simulate::Settings::default() };
    play_game(player, &settings, game, &GO_ON).map(|played| played.result)
}

#[test]
fn the_foreseen_pieces_come_with_every_way_to_press() {
    let settings = |rng, input, tap_rate: &str, reaction_frames| Settings {
        rng,
        input,
        tap_rate: tap_rate.parse().expect("a tap rate"),
        reaction_frames,
        ..Settings::default()
    };
    let mut foreseen = 0;
    for rng in [RngUse::Seen, RngUse::Steered] {
        for (settings, level) in [
            (settings(rng, Input::Taps, "30", 0), 19),
            (settings(rng, Input::Taps, "30", 0), 18),
            (settings(rng, Input::Taps, "30", 18), 18),
            (settings(rng, Input::Taps, "12", 0), 9),
            (settings(rng, Input::Taps, "X....", 0), 18),
            (settings(rng, Input::Taps, "2-3", 0), 19),
            (settings(rng, Input::EvenFrames, "30", 0), 19),
            (settings(rng, Input::Gamepad, "30", 0), 19),
            (Settings { first_press: 7, ..settings(rng, Input::Taps, "30", 0) }, 19),
        ] {
            let mut player = Counting::new(&settings);
            // A piece that comes otherwise ends the game with an error.
            let game = play(&mut player, level, 40, 3).expect("the foreseen pieces come");
            assert!(game.pieces > 20, "{settings:?}: {game:?}");
            assert_eq!(player.foreseen, player.plans, "{settings:?}");
            foreseen += player.foreseen;
        }
    }
    assert!(foreseen > 500, "{foreseen}");
}

#[test]
fn a_generator_of_another_frame_is_noticed() {
    let settings = Settings { rng: RngUse::Seen, ..Settings::default() };
    let mut player = Counting { is_late: true, ..Counting::new(&settings) };
    let error = play(&mut player, 19, 60, 3).expect_err("other pieces come");
    assert!(matches!(error, Error::OtherPiece { .. }), "{error}");
    assert!(error.to_string().contains("frames after the lock, found"), "{error}");
}

#[test]
fn an_honest_player_does_not_look_at_the_generator() {
    let mut player = search(&Settings::default());
    let simulation = Simulation::new_game(19, Randomizer::SEED);
    let (position, piece) = (simulation.position().expect("a piece"), simulation.falling_piece().expect("a piece"));
    let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
    let plan = Player::plan_in(&mut player, &position, &falling, &Scene::default()).expect("a player");
    assert!(plan.as_ref().is_some_and(|plan| plan.foreseen.is_none()));
    for clocks in 0..20 {
        let generator = Generator {
            randomizer: Randomizer::SEED.clocked_times(clocks),
            spawn_count: clocks as u8,
            frame_counter: clocks as u8,
        };
        let seen = Player::plan_foreseeing(&mut player, &position, &falling, Some(&Scene::default()), &generator);
        assert_eq!(seen.expect("a player"), plan);
    }
}

/// Draws other pieces now and then: clocks the generator once more.
struct Clocked(Simulated, u32);

impl Console for Clocked {
    maxout_engine::pass_on!(self.0, but step);

    fn step(&mut self, buttons: Buttons) -> Result<(), ConsoleError> {
        self.1 += 1;
        if self.1.is_multiple_of(1_000) {
            let [high, low] = Randomizer::from_bytes([self.ram()[0x17], self.ram()[0x18]]).clocked().to_bytes();
            self.0.poke(0x17, high);
            self.0.poke(0x18, low);
        }
        self.0.step(buttons)
    }
}

/// The buttons of a game until this frame, and its desyncs.
fn buttons<C: Console>(console: C, rng: RngUse, frames: u64) -> (Vec<Buttons>, Vec<String>) {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let player = search(&Settings { rng, ..Settings::default() });
    let mut run = Run::new(console, decoder, Pilot::new(Box::new(player), 19, 1), Goal::Topout);
    let (mut pressed, mut desyncs) = (Vec::new(), Vec::new());
    for _ in 0..frames {
        let report = run.frame().expect("a frame");
        pressed.push(report.buttons);
        desyncs.extend(report.events.iter().filter_map(|event| match event {
            Event::Desync(desync) => Some(desync.difference.clone()),
            _ => None,
        }));
    }
    (pressed, desyncs)
}

#[test]
fn a_game_is_the_same_each_time_and_its_pieces_come() {
    let games = RngUse::ALL.map(|rng| {
        let game = buttons(Simulated::power_on(), rng, 5_000);
        assert_eq!(game.1, [""; 0], "{rng}");
        assert!(game == buttons(Simulated::power_on(), rng, 5_000), "{rng}");
        game.0
    });
    assert!(games[0] != games[1] && games[1] != games[2] && games[0] != games[2]);
}

#[test]
fn pieces_that_come_otherwise_are_desyncs_of_a_player_that_foresees() {
    assert_eq!(buttons(Clocked(Simulated::power_on(), 0), RngUse::Honest, 8_000).1, [""; 0]);
    let desyncs = buttons(Clocked(Simulated::power_on(), 0), RngUse::Steered, 8_000).1;
    // Not every clock changes the next piece.
    assert!((1..=8).contains(&desyncs.len()), "{desyncs:?}");
    assert!(desyncs.iter().all(|words| words.starts_with("foresaw the piece ")), "{desyncs:?}");
}

//! A run of several games: after a topout by the menus, after a crash by the reset button. All that is written of it
//! is read again as the same games.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{EndedGame, Flow, FrameReport, FrameSink, GameEnd, Goal, Outcome, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Error, Reset, Simulated};
use maxout_engine::game::crash::Crashes;
use maxout_engine::game::memory::address::{GAME_MODE, GAME_MODE_STATE, LEVEL_NUMBER, LINES, PLAYFIELD};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{GameMode, GameModeState};
use maxout_formats::fm2::{Movie, Step};
use maxout_formats::frame_log::{LogReader, LogShape};
use maxout_formats::games::{RecordedGames, open_games};
use maxout_formats::replay::{LogCheck, Retrace, play_movie};
use maxout_formats::{FileFormat, Format, InputFile, Provenance, RunWriter};

use super::decoder;

/// Games that begin near their end: the first, the third and so on two lines before the single at level 157 that
/// crashes in every phase, the others with a pile up to the top.
struct Late {
    console: Simulated,
    games: u32,
    resets: u32,
    was_set_up: bool,
}

impl Late {
    fn power_on() -> Late {
        let mut console = Simulated::power_on();
        console.set_crashes(Crashes::On);
        Late { console, games: 0, resets: 0, was_set_up: false }
    }
}

impl Console for Late {
    maxout_engine::pass_on!(self.console, but step, reset);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.console.step(buttons)?;
        let ram = self.console.ram();
        if ram[GAME_MODE] != GameMode::Play.byte() {
            self.was_set_up = false;
        } else if ram[GAME_MODE_STATE] == GameModeState::Running.byte() && !self.was_set_up {
            self.was_set_up = true;
            self.games += 1;
            if self.games % 2 == 1 {
                // 1,508 lines.
                for (address, byte) in [(LEVEL_NUMBER, 156), (LINES, 0x08), (LINES + 1, 15)] {
                    self.console.poke(address as u16, byte);
                }
            } else {
                // Nothing can be cleared: the last column stays empty, and every other row's first.
                for cell in (20..200).filter(|cell| cell % 10 != 9 && (cell % 20 != 0)) {
                    self.console.poke((PLAYFIELD + cell) as u16, 0x7B);
                }
            }
        }
        Ok(())
    }

    fn reset(&mut self, reset: Reset) {
        self.resets += 1;
        self.console.reset(reset);
    }
}

const GAMES: u32 = 4;

fn pilot() -> Pilot {
    let judge = judge::by_name("el-tetris", None).expect("a known player");
    // A player that does not know of crashes.
    Pilot::new(Box::new(Search::new(judge, Settings::default())), 18, 1)
}

/// The frames in which a plan was made, and those before which the console was reset.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    planned: Vec<u64>,
    resets: Vec<u64>,
}

impl FrameSink for Seen {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.planned.extend(report.plan.is_some().then_some(report.frame));
        self.resets.extend(report.reset.map(|_| report.frame));
        Ok(Flow::Continue)
    }
}

/// Plays the games into files.
fn play(folder: &Path) -> (Vec<EndedGame>, Seen, u32) {
    let mut files = [Format::Csv, Format::JsonLines, Format::Fm2, Format::Bk2].map(|format| {
        let path = folder.join("games").with_extension(format.extension());
        RunWriter::create(&path, format.into(), &Provenance::default(), Default::default()).expect("a file")
    });
    let mut seen = Seen::default();
    let mut run = Run::new(Late::power_on(), decoder(), pilot(), Goal::Games(GAMES));
    let [a, b, c, d] = &mut files;
    let finished = run.play(&mut [&mut seen, a, b, c, d], &AtomicBool::new(false)).expect("the model goes on");
    assert_eq!(finished.outcome, Outcome::Goal);
    files.iter_mut().for_each(|file| file.finish().expect("written"));
    (run.games().to_vec(), seen, run.console().resets)
}

#[test]
fn games_follow_each_other_after_crashes_and_topouts_and_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ended, seen, resets) = play(folder.path());
    assert_eq!(ended.len(), GAMES as usize);
    for (index, game) in ended.iter().enumerate() {
        let is_right = if index % 2 == 0 {
            matches!(game.end, GameEnd::Crash { cycles: 29_000..29_800 }) && (155..160).contains(&game.level)
        } else {
            game.end == GameEnd::Topout && game.tally.pieces < 12
        };
        assert!(is_right, "game {index}: {game:?}");
        assert!(game.frames > 40 && game.first_frame > 300, "{game:?}");
    }
    let starts: Vec<u64> = ended.iter().map(|game| game.first_frame).collect();
    assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
    // Neither after a topout, nor at the end of the run.
    let after = |game: &EndedGame| game.first_frame + game.frames + 1;
    assert_eq!((resets, &seen.resets), (2, &vec![after(&ended[0]), after(&ended[2])]));

    for name in ["games.csv", "games.jsonl", "games.fm2", "games.bk2"] {
        let path = folder.path().join(name);
        let format = FileFormat::of_path(&path).expect("a known name");
        let RecordedGames { games, other_games, .. } =
            open_games(&path, format, &mut Late::power_on(), &decoder()).expect("a whole file");
        assert_eq!((games.len(), other_games), (ended.len(), 0), "{name}");
        for (found, game) in games.iter().zip(&ended) {
            assert_eq!(
                (found.lines, found.level, found.score),
                (game.lines, game.level, game.tally.uncapped),
                "{name}"
            );
            assert_eq!(found.is_topped_out, game.end == GameEnd::Topout, "{name}");
        }
        // Played again, every frame is as the log says, the frames after the resets included.
        let input = InputFile::open(&path, format).expect("a whole file");
        let log = LogReader::open(&folder.path().join("games.csv"), LogShape::Csv).expect("a log");
        let (mut check, mut retrace) =
            (LogCheck::new(log), Retrace::of(Box::new(player()), 18, 1).until(Goal::Games(4)));
        let mut again = Seen::default();
        play_movie(&input.presses, &mut Late::power_on(), &decoder(), 0, |step, _| {
            check.take(step)?;
            retrace.take(step, None, |report| again.frame(report)).transpose()?;
            Ok(Flow::Continue)
        })
        .expect("it goes on");
        let verification = check.finish().expect("a log");
        assert_eq!(verification.first_difference, None, "{name}");
        assert_eq!(retrace.parted(), None, "{name}: the player plays all games again");
        assert_eq!(again, seen, "{name}");
    }
    let movie = Movie::open(folder.path().join("games.fm2")).expect("a movie");
    assert_eq!(movie.steps().filter(|&step| step == Step::Reset).count(), 2);
}

fn player() -> Search {
    Search::new(judge::by_name("el-tetris", None).expect("a known player"), Settings::default())
}

#[test]
fn a_run_of_several_games_is_saved_and_restored_in_the_middle_of_a_reset() {
    let mut run = Run::new(Late::power_on(), decoder(), pilot(), Goal::Games(2));
    let mut frames_since_reset = None;
    while frames_since_reset != Some(1) {
        let report = run.frame().expect("a frame");
        frames_since_reset = frames_since_reset.map(|frames| frames + 1).or(report.reset.map(|_| 0));
    }
    assert_eq!(run.games().len(), 1);
    let saved = run.save().expect("it can be saved");
    let mut other = Run::new(Simulated::power_on(), decoder(), pilot(), Goal::Games(2));
    other.restore(&saved).expect("its own bytes");
    assert_eq!(other.games(), run.games());
    for _ in 0..600 {
        let expected = run.frame().expect("a frame");
        let found = other.frame().expect("a frame");
        assert_eq!((found.buttons, found.tally, found.snapshot), (expected.buttons, expected.tally, expected.snapshot));
    }
}

#[test]
fn a_console_that_cannot_be_reset_ends_the_run_with_its_crash() {
    struct Hosted(Late);
    impl Console for Hosted {
        maxout_engine::pass_on!(self.0, but reset, resets);

        fn reset(&mut self, _: Reset) {
            panic!("it has no reset");
        }

        fn resets(&self) -> bool {
            false
        }
    }
    let mut run = Run::new(Hosted(Late::power_on()), decoder(), pilot(), Goal::Games(2));
    let finished = run.play(&mut [], &AtomicBool::new(false)).expect("the model goes on");
    assert!(matches!(finished.outcome, Outcome::Stuck(_)), "{:?}", finished.outcome);
    assert_eq!(run.games().len(), 1);
}

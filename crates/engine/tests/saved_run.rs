//! A run as bytes and back: every frame of games, and bytes that are no saved run.

use maxout_engine::bot::{Goal, Pilot, Run, SAVED_RUN};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::Position;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Input, Plan, Player, PlayerError, Search, Settings};
use maxout_engine::ram::{Decoder, PlayState, RamMap};

/// Bytes before the checksum of a saved run.
const HEAD: usize = SAVED_RUN.len();

fn decoder() -> Decoder {
    Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map")
}

fn search(name: &str, settings: Settings) -> Search {
    Search::new(handmade::by_name(name, None).expect("embedded weights"), settings)
}

fn run(settings: Settings) -> Run<Simulated> {
    let pilot = Pilot::new(Box::new(search("el-tetris", settings)), 19, 1);
    Run::new(Simulated::power_on(), decoder(), pilot, Goal::Topout)
}

/// A run in the middle of a plan.
fn under_way() -> Run<Simulated> {
    let mut run = run(Settings::default());
    while run.frames() < 1_000 || run.frame().expect("a frame").plan.is_none() {
        run.frame().expect("a frame");
    }
    run
}

#[test]
fn every_frame_of_a_game_is_saved_and_restored_as_the_same_bytes() {
    for (input, reaction_frames) in [(Input::Taps, 0), (Input::EvenFrames, 18), (Input::Drag, 0), (Input::Teleport, 0)]
    {
        let settings = Settings { input, reaction_frames, ..Settings::default() };
        let (mut played, mut copy) = (run(settings.clone()), run(settings));
        let (mut planned, mut clears) = (0, 0);
        for frame in 0..4_000 {
            let saved = played.save().expect("saved");
            copy.restore(&saved).expect("restored");
            assert_eq!(copy.frames(), frame);
            assert!(copy.save().expect("saved") == saved, "{input:?}, frame {frame}");
            let report = played.frame().expect("a frame");
            planned += u32::from(report.plan.is_some());
            clears += u32::from(report.snapshot.play_state == PlayState::ClearAnimation);
        }
        assert!(planned > 300 && clears > 0, "{input:?}: {planned} frames with a plan, {clears} of clears");
    }
}

/// One frame from each restored copy: what is restored goes on like what was saved.
#[test]
fn a_copy_of_every_frame_plays_the_next_one_alike() {
    let (mut played, mut copy) = (run(Settings::default()), run(Settings::default()));
    for _ in 0..3_000 {
        copy.restore(&played.save().expect("saved")).expect("restored");
        let (one, other) = (played.frame().expect("a frame"), copy.frame().expect("a frame"));
        assert_eq!(one.frame, other.frame);
        assert_eq!((one.buttons, one.events, one.tally), (other.buttons, other.events, other.tally));
        assert_eq!((one.plan, one.snapshot), (other.plan, other.snapshot), "frame {}", one.frame);
        assert!(played.console().ram() == copy.console().ram());
    }
}

#[test]
fn bytes_that_are_cut_or_changed_are_refused_and_the_run_stays_as_it_was() {
    let saved = under_way().save().expect("saved");
    let mut other = run(Settings::default());
    let before = other.save().expect("saved");
    for length in 0..saved.len() {
        assert!(other.restore(&saved[..length]).is_err(), "{length} bytes");
    }
    for at in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(other.restore(&damaged).is_err(), "byte {at}");
    }
    assert!(other.restore(&[saved.as_slice(), &[0]].concat()).is_err(), "a byte more");
    assert_eq!(other.save().expect("saved"), before);
    other.restore(&saved).expect("whole");
    assert_eq!(other.save().expect("saved"), saved);
}

/// Wrong bytes under a right checksum, as another program could write them: an error or another
/// run, but no panic, and after an error nothing is changed.
#[test]
fn wrong_bytes_under_a_right_checksum_do_not_panic() {
    let saved = under_way().save().expect("saved");
    let mut other = run(Settings::default());
    let before = other.save().expect("saved");
    let (mut refused, mut taken) = (0, 0);
    let body = HEAD + 4;
    for at in body..saved.len() {
        for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
            let mut changed = saved.clone();
            changed[at] = value;
            let sum = crc32fast::hash(&changed[body..]);
            changed[HEAD..body].copy_from_slice(&sum.to_le_bytes());
            match other.restore(&changed) {
                Err(_) => {
                    refused += 1;
                    assert_eq!(other.save().expect("saved"), before, "byte {at}: {value}");
                }
                Ok(()) => {
                    taken += 1;
                    assert_eq!(other.save().expect("saved"), changed, "byte {at}: {value}");
                    other.restore(&before).expect("whole");
                }
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}

/// Of the watchdog, which follows the console: two counts of frames and the frame counter's upper half.
#[test]
fn counts_that_would_overflow_are_refused() {
    let saved = under_way().save().expect("saved");
    let body = HEAD + 4;
    let console = u32::from_le_bytes(saved[body + 8..body + 12].try_into().expect("four bytes")) as usize;
    let watchdog = body + 12 + console;
    let (frames, counter, still) = (watchdog, watchdog + 9, watchdog + 14);
    let waited = still + 10;
    let mut other = run(Settings::default());
    for (at, bytes, is_taken) in [
        (frames, &[0, 0, 0, 0, 0, 0, 0, 0x10][..], true),
        (frames, &[0xFF; 8], false),
        (counter, &[0xFF, 0xFF, 0, 0], true),
        (counter, &[0, 0, 1, 0], false),
        (still, &[0xFF; 8], false),
        (waited, &[0xFF; 8], false),
    ] {
        let mut changed = saved.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        let sum = crc32fast::hash(&changed[body..]);
        changed[HEAD..body].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(other.restore(&changed).is_ok(), is_taken, "{bytes:02X?} at {}", at - watchdog);
        assert!(!is_taken || other.save().expect("saved") == changed);
    }
}

#[test]
fn the_error_says_what_was_expected() {
    let mut run = run(Settings::default());
    let error = run.restore(b"P6 256 240 255\n and so on").expect_err("no saved run").to_string();
    assert!(error.contains("expected a saved run, found other bytes"), "{error}");
    let pilot = Pilot::new(Box::new(search("dellacherie", Settings::default())), 19, 1);
    let saved = Run::new(Simulated::power_on(), decoder(), pilot, Goal::Topout).save().expect("saved");
    let error = run.restore(&saved).expect_err("another player").to_string();
    assert!(error.contains("found el-tetris in place of dellacherie"), "{error}");
}

#[test]
fn a_pilot_that_looks_on_is_saved_too() {
    let mut onlooker = Run::new(Simulated::power_on(), decoder(), Pilot::onlooker(), Goal::Topout);
    for _ in 0..500 {
        onlooker.frame().expect("a frame");
    }
    let saved = onlooker.save().expect("saved");
    let mut other = run(Settings::default());
    other.restore(&saved).expect("restored");
    assert_eq!(other.save().expect("saved"), saved);
    let mut looks_on = Run::new(Simulated::power_on(), decoder(), Pilot::onlooker(), Goal::Topout);
    assert!(looks_on.restore(&under_way().save().expect("saved")).is_err(), "there is nobody to play on");
}

/// A player that does not say how to save it.
struct Unsaved;

impl Player for Unsaved {
    fn name(&self) -> &str {
        "unsaved"
    }

    fn plan(&mut self, _position: &Position, _falling: &Falling) -> Result<Option<Plan>, PlayerError> {
        Ok(None)
    }
}

#[test]
fn a_player_that_does_not_say_how_cannot_be_saved() {
    let run = Run::new(Simulated::power_on(), decoder(), Pilot::new(Box::new(Unsaved), 19, 1), Goal::Topout);
    let error = run.save().expect_err("no way to save it").to_string();
    assert!(error.starts_with("player unsaved: this player's state cannot be saved"), "{error}");
}

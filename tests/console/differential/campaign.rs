//! Runs episodes of one kind until enough frames are compared. Reports what they covered, and the
//! first difference as a short episode.

use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use maxout_console::{Emulator, Rom};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::coverage::Coverage;
use super::episode::{Arena, Episode, Failure, Place, Poke};
use super::hands::Hands;
use super::shrink::shrink;
use super::twins::Step;

/// Default for `MAXOUT_FUZZ_FRAMES`: frames of all kinds together. The emulator plays 250 to 600 a second, so this is about four
/// minutes of processor time. Before a release ten times as many are worth their time.
const DEFAULT_FRAMES: u64 = 75_000;
/// Default for `MAXOUT_FUZZ_SEED`: the seed.
const DEFAULT_SEED: u64 = 1989;
/// Frames that may be replayed to shorten a failing episode: about a minute.
const SHRINKING_FRAMES: usize = 50_000;
/// Time between two progress lines.
const PROGRESS: Duration = Duration::from_secs(10);

/// How an episode is played.
pub struct Plan {
    pub place: Place,
    pub pokes: Vec<Poke>,
    pub hands: Hands,
    pub frames: u32,
}

/// A kind of episodes.
pub struct Kind {
    pub name: &'static str,
    /// Its share of all frames, in percent.
    pub percent: u64,
    /// Makes the next episode's plan.
    pub plan: fn(&mut Xoshiro256PlusPlus, &Arena) -> Plan,
    /// Counts that its share of the default frames must reach.
    pub at_least: &'static [(&'static str, u64)],
}

/// Sum over the kinds in this process, and when it was last printed.
static TOTAL: Mutex<Option<(Coverage, Instant)>> = Mutex::new(None);

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}: expected a number, found `{text}`")),
        Err(_) => default,
    }
}

/// Prints a line to stderr that the test harness does not capture: a run must show what it covered.
fn report(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr can be written");
}

/// A console with our own cartridge.
pub fn cartridge() -> Box<Emulator> {
    Box::new(Emulator::new(&Rom::cartridge()).expect("the emulator takes our own cartridge"))
}

/// Compares model and cartridge in episodes of this kind.
///
/// # Panics
/// When they differ, or when the default number of frames covers less than it must.
pub fn run(kind: &Kind) {
    let seed = setting("MAXOUT_FUZZ_SEED", DEFAULT_SEED);
    let frames = setting("MAXOUT_FUZZ_FRAMES", DEFAULT_FRAMES);
    let goal = frames * kind.percent / 100;
    let salt = kind.name.bytes().fold(0_u64, |salt, byte| salt.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ salt << 32);
    let mut arena = Arena::new(cartridge());
    let mut covered = Coverage::default();
    if let Err((episode, failure)) = hunt(kind, &mut arena, &mut rng, goal, &mut covered) {
        fail(kind, seed, &mut arena, episode, failure);
    }
    report(&format!("differential, seed {seed}, {}: {covered}", kind.name));
    if frames >= DEFAULT_FRAMES {
        for &(what, times) in kind.at_least {
            assert!(covered.get(what) >= times, "{}: {what} {} < {times}", kind.name, covered.get(what));
        }
    }
}

/// Plays episodes until this many frames are compared or one fails.
pub fn hunt(
    kind: &Kind,
    arena: &mut Arena,
    rng: &mut Xoshiro256PlusPlus,
    frames: u64,
    covered: &mut Coverage,
) -> Result<(), (Episode, Failure)> {
    while covered.frames < frames {
        let mut episode_rng = Xoshiro256PlusPlus::seed_from_u64(rng.next_u64());
        let plan = (kind.plan)(&mut episode_rng, arena);
        let mut coverage = Coverage::default();
        play(arena, plan, &mut coverage)?;
        coverage.count("episodes");
        covered.add(&coverage);
        add_to_total(&coverage);
    }
    Ok(())
}

/// Plays an episode with the buttons of its hands.
fn play(arena: &mut Arena, plan: Plan, coverage: &mut Coverage) -> Result<(), (Episode, Failure)> {
    let Plan { place, pokes, mut hands, frames } = plan;
    arena.begin(place, &pokes);
    let mut inputs = Vec::with_capacity(frames as usize);
    for frame in 0..frames as usize {
        let buttons = hands.press(&arena.twins.model);
        inputs.push(buttons);
        match arena.step(buttons, coverage) {
            Ok(Step::Compared(_)) => {}
            Ok(Step::OutOfScope(_)) => break,
            Err(difference) => {
                let episode = Episode { place, pokes, inputs, covers: Vec::new() };
                return Err((episode, Failure { frame, difference }));
            }
        }
    }
    Ok(())
}

fn fail(kind: &Kind, seed: u64, arena: &mut Arena, episode: Episode, failure: Failure) -> ! {
    report(&format!("differential, seed {seed}, {}: {}; making it shorter", kind.name, failure.difference));
    let (episode, failure) = shrink(arena, episode, failure, SHRINKING_FRAMES);
    panic!(
        "model and cartridge differ in frame {} of this episode (for tests/differential/regressions):\n\
         # {}\n{episode}",
        failure.frame, failure.difference
    );
}

fn add_to_total(coverage: &Coverage) {
    let mut total = TOTAL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (sum, reported) = total.get_or_insert_with(|| (Coverage::default(), Instant::now()));
    sum.add(coverage);
    if reported.elapsed() >= PROGRESS {
        *reported = Instant::now();
        report(&format!("differential, all kinds so far: {sum}"));
    }
}

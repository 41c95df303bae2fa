//! The score past 999,999: against the original's score below the cap, and past it against the
//! game's own arithmetic, with a score in RAM that is lowered before it reaches the cap.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Pilot, Run, counted_score};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::MAXOUT;
use maxout_engine::game::memory::address::{PLAYER, SCORE, WORKING_COPY};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{Decoder, Phase, RamMap, RamSnapshot};
use maxout_formats::trace::TraceReader;
use maxout_lab::simulate::{self, Until, play_on};

/// The part of the score that is taken out of RAM: half a million, as the upper byte has it.
const HALF_A_MILLION: (u8, u64) = (0x50, 500_000);

fn decoder() -> Decoder {
    Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map")
}

fn in_game(snapshot: &RamSnapshot) -> bool {
    matches!(snapshot.phase(), Phase::Falling | Phase::EntryDelay | Phase::Paused)
}

/// Counts from frame to frame in a trace of the original; gives the locks that were scored, and
/// those that the cap cut.
fn counted_in(trace: &Path) -> (u32, u32) {
    let decoder = decoder();
    let mut reader = TraceReader::open(trace).expect("the trace opens");
    let header = reader.header().clone();
    let mut before: Option<RamSnapshot> = None;
    let (mut scored, mut cut) = (0, 0);
    while let Some(row) = reader.next_row().expect("the row is well-formed") {
        let Ok(now) = decoder.decode(&row.ram) else {
            before = None;
            continue;
        };
        if let Some(before) = before.as_ref().filter(|before| in_game(before) && in_game(&now)) {
            let counted = counted_score(before.score.into(), Some(before), &now);
            assert_eq!(counted.min(MAXOUT.into()), u64::from(now.score), "{trace:?}, frame {}", row.frame);
            scored += u32::from(counted > u64::from(before.score));
            cut += u32::from(counted > MAXOUT.into());
        }
        let mut ram = row.ram;
        header.pokes_after(row.frame).for_each(|poke| ram[usize::from(poke.address)] = poke.value);
        before = decoder.decode(&ram).ok();
    }
    (scored, cut)
}

#[test]
fn below_the_cap_the_count_is_the_score_of_the_original() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let (mut scored, mut cut) = (0, 0);
    for trace in std::fs::read_dir(folder).expect("the traces").map(|entry| entry.expect("an entry").path()) {
        if trace.to_string_lossy().ends_with(".trace.zst") {
            let found = counted_in(&trace);
            eprintln!("{}: {found:?}", trace.display());
            (scored, cut) = (scored + found.0, cut + found.1);
        }
    }
    assert!(scored > 1_000 && cut > 0, "{scored} locks that paid, {cut} of them cut by the cap");
}

fn search() -> Search {
    let settings = Settings { input: Input::EvenFrames, ..Settings::default() };
    Search::new(handmade::by_name("birken-v2", None).expect("embedded weights"), settings)
}

/// Plays a whole game on the model, and the same buttons on another console whose score is lowered
/// before it comes to the cap.
fn past_the_cap(mut lowered: impl Console, goal: Goal, until: Until) {
    let decoder = decoder();
    let mut run = Run::new(Simulated::power_on(), decoder.clone(), Pilot::new(Box::new(search()), 19, 4), goal);
    let mut before: Option<RamSnapshot> = None;
    let (mut counted, mut taken, mut joined) = (0, 0, None);
    let tally = loop {
        let report = run.frame().expect("a frame");
        lowered.step(report.buttons).expect("a frame");
        let other = decoder.decode(lowered.ram()).expect("a game");
        assert_eq!((other.playfield, other.lines), (report.snapshot.playfield, report.snapshot.lines));
        counted = counted_score(counted, before.as_ref(), report.snapshot);
        assert_eq!(counted, taken + u64::from(other.score), "frame {}", report.frame);
        assert_eq!(report.tally.uncapped, counted);
        assert_eq!(counted.min(MAXOUT.into()), u64::from(report.snapshot.score), "frame {}", report.frame);
        if report.events.contains(&maxout_engine::bot::Event::GameStart) {
            joined = Some(Simulation::from_ram(lowered.ram()).expect("a game"));
        }
        if u64::from(other.score) >= HALF_A_MILLION.1 {
            for address in [PLAYER, WORKING_COPY].map(|block| SCORE - PLAYER + block + 2) {
                lowered.poke(address as u16, lowered.ram()[address] - HALF_A_MILLION.0);
            }
            taken += HALF_A_MILLION.1;
        }
        before = Some(report.snapshot.clone());
        if report.outcome.is_some() {
            break *report.tally;
        }
    };
    assert!(tally.uncapped > 1_000_000 && taken >= 1_000_000, "{tally:?}");

    let settings = simulate::Settings { until, ..simulate::Settings::default() };
    let game = play_on(&mut search(), &settings, joined.expect("a game"), &AtomicBool::new(false)).expect("a game");
    assert_eq!(game.result.pieces, tally.pieces);
    assert_eq!(game.result.points + game.result.pushdown, tally.uncapped);
}

#[test]
fn past_the_cap_the_model_counts_as_it_does_below_it() {
    past_the_cap(Simulated::power_on(), Goal::Topout, Until::Topout);
}

#[test]
#[ignore = "a whole game on the emulator; .ci/run runs it"]
fn past_the_cap_the_cartridge_counts_as_it_does_below_it() {
    let cartridge = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    // Past 1,200,000 points: the cartridge's score is lowered twice.
    past_the_cap(cartridge, Goal::Lines(240), Until::Lines(240));
}

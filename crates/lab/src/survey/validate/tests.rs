//! Every verdict on an entry and on a rule, on short observations of the model.

use super::*;
use crate::survey::search::Elimination;
use maxout_engine::console::Simulated;
use maxout_engine::game::memory::address::{FRAME_COUNTER, name};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{GameMode, Phase};

/// From power-on into a game, and as many frames of it.
fn observed(frames: usize) -> Observations {
    let mut model = Simulated::power_on();
    let mut tick = |_| {};
    let mut lockstep = Lockstep::new(&mut model, &mut tick);
    lockstep.begin("menus: Start; more words");
    let mut down = false;
    while lockstep.observations.frames.is_empty() || lockstep.snapshot().game_mode != GameMode::Play {
        down = !down;
        lockstep.step(if down { Buttons::START } else { Buttons::NONE }).expect("a frame");
    }
    lockstep.begin("a game");
    while frames > 0 && lockstep.snapshot().phase() != Phase::Falling {
        lockstep.step(Buttons::NONE).expect("a frame");
    }
    lockstep.hold(Buttons::NONE, frames).expect("frames");
    lockstep.observations
}

fn counting() -> &'static Relation {
    RELATIONS.iter().find(|relation| relation.entries == [name::FRAME_COUNTER]).expect("a rule")
}

fn judged(relation: &Relation, held: &[&str], observations: &Observations) -> (CheckResult, String) {
    let held: Vec<String> = held.iter().map(|&name| name.to_owned()).collect();
    let check = related(relation, &held, &RamMap::tetris_ntsc(), observations);
    assert_eq!((check.name.as_str(), check.layer), (relation.entries[0], Layer::Behavioural));
    assert_eq!(check.address, RamMap::tetris_ntsc().entry(relation.entries[0]).map(|entry| entry.address));
    (check.verdict, check.evidence)
}

#[test]
fn a_relation_is_ok_only_if_it_was_asked_and_never_contradicted() {
    let (rule, held) = (counting(), [name::FRAME_COUNTER]);
    let mut observations = observed(50);
    let (verdict, evidence) = judged(rule, &held, &observations);
    assert_eq!(verdict, CheckResult::Ok);
    let times: usize = evidence.split(' ').next().and_then(|times| times.parse().ok()).expect("a number");
    assert!((45..=50).contains(&times) && evidence.ends_with(rule.rule), "{evidence}");

    let wrong = observations.frames.len() - 1;
    observations.frames[wrong].rom[FRAME_COUNTER] ^= 1;
    let expected = format!("frame {wrong} contradicts: {}", rule.rule);
    assert_eq!(judged(rule, &held, &observations), (CheckResult::Failed, expected));

    for relation in RELATIONS {
        let (verdict, evidence) = judged(relation, relation.entries, &observed(0));
        let expected = format!("no frame to check it in: {}", relation.rule);
        assert_eq!((verdict, evidence), (CheckResult::Failed, expected));
    }
}

#[test]
fn a_relation_with_an_entry_that_is_not_proved_is_not_checked() {
    let observations = observed(50);
    for relation in RELATIONS {
        for missing in relation.entries.iter().filter(|name| !PREMISES.contains(name)) {
            let held: Vec<&str> = relation.entries.iter().filter(|name| *name != missing).copied().collect();
            let (verdict, evidence) = judged(relation, &held, &observations);
            let expected = format!("not checked, because {missing} is not proved: {}", relation.rule);
            assert_eq!((verdict, evidence), (CheckResult::Unknown, expected));
        }
    }
    // What every rule reads is presupposed, unless the map has no such entry.
    let whole = RamMap::tetris_ntsc();
    let map = whole.relocated("part", |entry| (entry.name != name::RENDER_MODE).then_some(entry.address));
    let check = related(counting(), &[name::FRAME_COUNTER.to_owned()], &map, &observations);
    assert_eq!(check.verdict, CheckResult::Unknown);
    assert!(check.evidence.contains("because renderMode is not proved"), "{}", check.evidence);
}

/// An address of page 7 that the game does not use.
const UNUSED: u16 = 0x07E0;

fn behaves(name: &str, at: u16, candidates: &[u16], observations: &Observations) -> Check {
    let known = RamMap::tetris_ntsc().entry(name).expect("an entry").clone();
    let trail = vec![Elimination { experiment: "presses: Left; Right", left: candidates.len() }];
    let entry = Entry { address: at, ..known.clone() };
    let resolved = Resolved { entry: known, candidates: candidates.to_vec(), trail };
    let check = behaviour(&entry, &Resolution::new(vec![resolved]), observations);
    assert_eq!((check.name.as_str(), check.address, check.layer), (name, Some(at), Layer::Behavioural));
    check
}

#[test]
fn an_address_that_alone_is_left_is_proved_by_the_section_that_shows_most() {
    let observations = observed(50);
    let mode = behaves(name::GAME_MODE, 0xC0, &[0xC0], &observations);
    assert_eq!((mode.verdict, mode.suggestion), (CheckResult::Ok, None));
    assert_eq!(mode.evidence, "menus: 00 01 02 03 04; no other address is left after: presses");
    // Both sections show enough values, and the game, in which every frame is judged, the most in a frame.
    let counter = behaves(name::FRAME_COUNTER, 0xB1, &[0xB1], &observations);
    let first = observations.found(observations.sections[1].first, 0xB1);
    let shown: Vec<_> = (0..6).map(|frame| format!("{:02X}", first.wrapping_add(frame))).collect();
    let expected = format!("a game: $00B1 {} ...; no other address is left after: presses", shown.join(" "));
    assert_eq!((counter.verdict, counter.evidence), (CheckResult::Ok, expected));
}

#[test]
fn a_byte_that_never_changes_has_no_values_to_show() {
    let check = behaves(name::NUMBER_OF_PLAYERS, 0xBE, &[0xBE], &observed(50));
    assert_eq!((check.verdict, check.evidence.as_str()), (CheckResult::Ok, "no other address is left after: presses"));
}

#[test]
fn the_section_with_the_most_changes_in_a_frame_is_shown_however_long_it_is() {
    let mut observations = observed(0);
    // The first 12 frames are not judged.
    observations.sections =
        vec![Section { title: "busy", first: 30, end: 100 }, Section { title: "short", first: 0, end: 30 }];
    let counter = behaves(name::FRAME_COUNTER, 0xB1, &[0xB1], &observations);
    assert!(counter.evidence.starts_with("busy: "), "{}", counter.evidence);
}

#[test]
fn of_several_bytes_the_liveliest_is_shown_and_of_equal_ones_the_first() {
    let observations = observed(0);
    let known = RamMap::tetris_ntsc().entry(name::NEW_BUTTONS).expect("an entry").clone();
    // The buttons of the second gamepad lie between those of the first, which are tapped; nothing lies before.
    for (address, size) in [(0xF4, 2), (0xF5, 3)] {
        let entry = Entry { address, size, ..known.clone() };
        let resolved = Resolved { entry, candidates: vec![address], trail: Vec::new() };
        let evidence = proof(&resolved, &observations);
        assert!(evidence.starts_with("menus: $00F5 ") && evidence.contains("10 00 10 00"), "{evidence}");
        assert!(evidence.ends_with(" ...; no other address is left after: nothing"), "{evidence}");
    }
}

#[test]
fn an_address_among_several_is_neither_right_nor_wrong() {
    let observations = observed(0);
    for (candidates, others) in
        [(&[0xC0, UNUSED][..], "one other address"), (&[0xC0, UNUSED, 0x07E1], "2 other addresses")]
    {
        let check = behaves(name::GAME_MODE, 0xC0, candidates, &observations);
        let expected = format!("shows what it must, and so do {others}: no experiment tells them apart");
        assert_eq!((check.verdict, check.suggestion, check.evidence), (CheckResult::Unknown, None, expected));
    }
    // Another one than these is wrong, and none of these is suggested.
    let check = behaves(name::GAME_MODE, 0x07E2, &[0xC0, UNUSED], &observations);
    assert_eq!((check.verdict, check.suggestion), (CheckResult::Failed, None));
}

#[test]
fn a_wrong_address_is_refuted_by_the_first_frame_that_differs() {
    let mut observations = observed(50);
    let title = observations.frames.iter().position(|frame| frame.rom[0xC0] == 1).expect("a title");
    let check = behaves(name::GAME_MODE, UNUSED, &[0xC0], &observations);
    assert_eq!((check.verdict, check.suggestion), (CheckResult::Failed, Some(0xC0)));
    assert_eq!(check.evidence, format!("menus: from frame {title} expected 01 02 03 04 at $07E0, saw 00"));

    // The first byte follows, the second does not.
    for frame in &mut observations.frames {
        frame.rom[usize::from(UNUSED)] = frame.rom[FRAME_COUNTER];
        frame.rom[usize::from(UNUSED) + 1] = 0xFF;
    }
    let check = behaves(name::FRAME_COUNTER, UNUSED, &[0xB1], &observations);
    let high: Vec<u8> = values(&observations.sections[0], |frame| Some(observations.found(frame, 0xB2)));
    let expected = format!("menus: from frame 12 expected {} at $07E1, saw FF", list(&high));
    assert_eq!((check.suggestion, check.evidence), (Some(0xB1), expected));

    for frame in &mut observations.frames {
        frame.rom[usize::from(UNUSED) + 1] = frame.rom[FRAME_COUNTER + 1];
    }
    let check = behaves(name::FRAME_COUNTER, UNUSED, &[0xB1], &observations);
    assert_eq!(check.verdict, CheckResult::Failed);
    assert!(check.evidence.contains("is a copy") && check.evidence.ends_with("ruled out by: presses: Left; Right"));
}

#[test]
fn a_wrong_size_or_encoding_and_an_unknown_name_are_said() {
    let observations = observed(0);
    let known = RamMap::tetris_ntsc().entry(name::LINES).expect("an entry").clone();
    let right = known.address;
    let resolved = Resolved { entry: known.clone(), candidates: vec![right], trail: Vec::new() };
    let resolution = Resolution::new(vec![resolved]);
    let encoding = RamMap::tetris_ntsc().entry(name::SCORE).expect("an entry").encoding;
    for wrong in [Entry { size: 1, ..known.clone() }, Entry { encoding, ..known.clone() }] {
        let check = behaviour(&wrong, &resolution, &observations);
        assert_eq!((check.verdict, check.suggestion), (CheckResult::Failed, Some(right)));
        let expected =
            format!("expected 2 bytes, {:?}; the map says {}, {:?}", known.encoding, wrong.size, wrong.encoding);
        assert_eq!(check.evidence, expected);
    }
    let strange = Entry { name: "strange".to_owned(), ..known };
    let check = behaviour(&strange, &resolution, &observations);
    assert_eq!((check.verdict, check.evidence.as_str()), (CheckResult::Unknown, "no rule is known for this name"));
}

#[test]
fn a_map_is_judged_entry_by_entry_and_then_by_the_rules_between_those_that_are_proved() {
    let whole = RamMap::tetris_ntsc();
    let resolved =
        |entry: &Entry| Resolved { entry: entry.clone(), candidates: vec![entry.address], trail: Vec::new() };
    let resolution = Resolution::new(whole.entries().iter().map(resolved).collect());
    let experiments = Experiments { resolution, observations: observed(50) };
    let moved = |wrong: &str| {
        let map = whole.relocated("moved", |entry| Some(if entry.name == wrong { UNUSED } else { entry.address }));
        let rows = experiments.judge(&map);
        assert_eq!(rows.len(), map.entries().len() + RELATIONS.len());
        let (entries, rules) = rows.split_at(map.entries().len());
        assert!(entries.iter().zip(map.entries()).all(|(row, entry)| row.name == entry.name));
        for row in entries {
            let expected = if row.name == wrong { CheckResult::Failed } else { CheckResult::Ok };
            assert_eq!(row.verdict, expected, "{row:?}");
        }
        let counts = rules.iter().find(|row| row.name == name::FRAME_COUNTER).expect("a rule");
        (counts.verdict, counts.evidence.clone())
    };
    let (verdict, evidence) = moved("");
    assert_eq!(verdict, CheckResult::Ok, "{evidence}");
    // An entry that the rule is about must be proved; one that all rules read is read where it is.
    assert_eq!(moved(name::FRAME_COUNTER).0, CheckResult::Unknown);
    assert_eq!(moved(name::GAME_MODE), (verdict, evidence));
}

#[test]
fn a_validation_passes_if_no_row_failed() {
    let observations = observed(50);
    let map = RamMap::tetris_ntsc();
    let program = Program { name: "x", description: "x", sha1: "", is_known: false, prg: &[] };
    let row = |held: &[&str]| {
        related(counting(), &held.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), &map, &observations)
    };
    let good = report(&program, &map, vec![row(&[name::FRAME_COUNTER]), row(&[])], 3, 4);
    assert!(good.passed());
    assert_eq!((good.rom.as_str(), good.map.as_str()), ("x", "tetris-ntsc"));
    assert_eq!((good.tour_frames, good.agreement_frames), (3, 4));
    let bad = out_of_step(&Error::OutOfStep { lost_in: "the tour" });
    let with_bad = report(&program, &map, [good.rows, vec![bad.clone()]].concat(), 3, 4);
    assert!(!with_bad.passed());
    assert_eq!(with_bad.failures().collect::<Vec<_>>(), [&bad]);
}

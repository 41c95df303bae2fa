//! The cases measured on the original, against the verdicts.
//!
//! An I in column 9, score 999,999, 955 lines, no pushdown, row 5 empty; levels 150 to 255, 0 to 4 lines, the
//! next box shown and hidden; each case in 8 phases of the console: 1,060 cases.

use super::{Danger, Lock, MARGIN, Music, PHASES, Verdict};
use crate::game::Orientation;

/// A level with trouble: what came, and in how many of the 8 phases.
type Trouble = (u8, Danger, u32);

const CRASH: Danger = Danger::Crash;
const COUNTER: Danger = Danger::HangUntilCounter;
const BUTTON: Danger = Danger::HangUntilButton;

/// For 0 to 4 lines: with the next box shown, and hidden. Every other level from 150 to 255 had no trouble.
const MEASURED: [[&[Trouble]; 2]; 5] = [
    [&[(249, CRASH, 5), (253, CRASH, 1), (255, CRASH, 6)], &[(253, CRASH, 7), (254, CRASH, 8)]],
    [
        &[
            (157, CRASH, 8),
            (161, COUNTER, 8),
            (162, COUNTER, 8),
            (163, COUNTER, 8),
            (168, BUTTON, 8),
            (169, BUTTON, 8),
            (170, BUTTON, 8),
        ],
        &[(159, CRASH, 4), (161, CRASH, 8), (168, BUTTON, 8), (169, BUTTON, 8), (170, BUTTON, 8)],
    ],
    [
        &[
            (169, CRASH, 8),
            (170, CRASH, 2),
            (173, CRASH, 8),
            (174, COUNTER, 8),
            (175, COUNTER, 8),
            (176, COUNTER, 8),
            (181, BUTTON, 6),
            (182, BUTTON, 8),
            (183, BUTTON, 8),
            (184, BUTTON, 8),
        ],
        &[
            (172, CRASH, 4),
            (173, CRASH, 4),
            (176, CRASH, 2),
            (181, BUTTON, 6),
            (182, BUTTON, 8),
            (183, BUTTON, 8),
            (184, BUTTON, 8),
        ],
    ],
    [
        &[
            (168, CRASH, 8),
            (172, CRASH, 8),
            (173, COUNTER, 8),
            (174, COUNTER, 8),
            (175, COUNTER, 8),
            (180, BUTTON, 8),
            (181, BUTTON, 8),
            (182, BUTTON, 8),
            (183, BUTTON, 8),
        ],
        &[(171, CRASH, 4), (172, CRASH, 4), (180, BUTTON, 8), (181, BUTTON, 8), (182, BUTTON, 8), (183, BUTTON, 8)],
    ],
    [
        &[
            (169, CRASH, 6),
            (172, COUNTER, 8),
            (173, COUNTER, 8),
            (174, COUNTER, 8),
            (179, BUTTON, 8),
            (180, BUTTON, 8),
            (181, BUTTON, 8),
            (182, BUTTON, 8),
        ],
        &[
            (170, CRASH, 8),
            (171, CRASH, 4),
            (174, CRASH, 8),
            (179, BUTTON, 8),
            (180, BUTTON, 8),
            (181, BUTTON, 8),
            (182, BUTTON, 8),
        ],
    ],
];

/// The lock of a case.
fn lock(rows: u8, level: u8, next_hidden: bool) -> Lock {
    Lock {
        level,
        lines: 955 + u16::from(rows),
        rows,
        far_rows: rows,
        ones_wrap: false,
        tens_wrap: false,
        level_up: false,
        next_hidden,
        music: Music { first_block: None, was_fast: false },
        pushdown: 0,
        tenth_clear: false,
        piece: if rows > 0 { Orientation::HIDDEN_ID } else { 0x11 },
        select: false,
        flash: false,
    }
}

fn cases() -> impl Iterator<Item = (u8, u8, bool, Option<(Danger, u32)>)> {
    (0..5_u8).flat_map(|rows| {
        [false, true].into_iter().flat_map(move |hidden| {
            let troubles = MEASURED[usize::from(rows)][usize::from(hidden)];
            (150..=255_u8).map(move |level| {
                let trouble = troubles.iter().find(|trouble| trouble.0 == level);
                (rows, level, hidden, trouble.map(|&(_, danger, phases)| (danger, phases)))
            })
        })
    })
}

#[test]
fn the_verdicts_agree_with_the_measured_cases() {
    let (mut count, mut differing) = (0, Vec::new());
    for (rows, level, hidden, measured) in cases() {
        let verdict = Verdict::of(&lock(rows, level, hidden));
        count += 1;
        if (verdict.phases > 0) != measured.is_some() {
            differing.push((rows, level, hidden, measured.map_or(0, |(_, phases)| phases)));
        }
        if let Some((danger, _)) = measured {
            // Whatever came had been announced, with its kind.
            assert_eq!(verdict.danger, Some(danger), "{rows} lines, level {level}: {verdict:?}");
        }
        // What differs lies at the border of a window.
        let cycles = verdict.cycles;
        let is_border = (cycles - MARGIN..cycles + PHASES + MARGIN).any(|length| Danger::at(length, hidden).is_none())
            && (cycles - MARGIN..cycles + PHASES + MARGIN).any(|length| Danger::at(length, hidden).is_some());
        assert!((verdict.phases > 0) == measured.is_some() || is_border, "{rows} lines, level {level}: {verdict:?}");
    }
    assert_eq!(count, 1_060);
    // Lines, level, next box hidden, phases with trouble in the measurement.
    let expected = [
        (1, 160, true, 0),
        (2, 181, false, 6),
        (2, 181, true, 6),
        (3, 169, false, 0),
        (3, 180, false, 8),
        (3, 175, true, 0),
        (3, 180, true, 8),
        (4, 171, false, 0),
    ];
    assert_eq!(differing, expected, "{} of {count} agree", count - differing.len());
}

#[test]
fn a_safe_verdict_was_safe_in_every_phase() {
    let (mut safe, mut dangerous) = (0, 0);
    for (rows, level, hidden, measured) in cases() {
        if Verdict::of(&lock(rows, level, hidden)).is_safe() {
            assert_eq!(measured, None, "{rows} lines, level {level}");
            safe += 1;
        } else {
            dangerous += 1;
        }
    }
    // Of the 81, trouble was measured in 60: the margin of 15 cycles makes the others doubtful.
    assert_eq!((safe, dangerous), (979, 81));
}

//! What the view looks like, on a terminal in memory.

use std::sync::Arc;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::*;
use crate::model::{Delays, EndCard, RunStage, Showing, Status, Tone, ViewModel};
use crate::sample;
use crate::speed::Speed;
use maxout_engine::console::Picture;
use maxout_engine::game::MAXOUT;
use maxout_engine::planner::{Dodge, PlannedLock};
use maxout_engine::ram::GameMode;

fn drawn(model: &ViewModel, width: u16, height: u16, colours: ColourMode) -> Buffer {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| draw(frame, model, colours));
    terminal.backend().buffer().clone()
}

/// The characters, one line a row, no spaces at the ends.
fn text(buffer: &Buffer) -> String {
    let rows = buffer.content().chunks(usize::from(buffer.area.width));
    let lines = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
    lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_smallest_terminal_shows_everything_without_colour() {
    let expected = r"
 maxout  maxout cartridge · seed $8988      4x 240 frames/s
╭ PIECES ─── 140 ─╮╭───── LINES 57 ─────╮╭ SCORE ──────────╮
│T              21││                    ││score     312,400│
│J              19││                    ││level          20│
│Z              23││                    ││lines          57│
│O              18││                    ││tetris rate  77 %│
│S              22││          ██████    ││###--------  31 %│
│L              20││          ██        ││maxout          -│
│I              17││                    │╰─────────────────╯
│drought         4││                    │╭ NEXT ───────────╮
╰─────────────────╯│                    ││    ████████     │
╭ CLEARS ─────────╮│                    ││                 │
│singles         5││      ::::          │╰─────────────────╯
│doubles         4││        ::  []      │╭ GAMEPAD ────────╮
│triples         0││  ##    ::  [][][]  ││    ▴     sel sta│
│tetrises       11││  ######%%%%  [][]  ││[◂]    ▸         │
╰─────────────────╯│[]######%%%%[][]%%[]││    ▾      B  [A]│
╭ PLAN ─ 1 of 34 ─╮│[][]####[][]%%%%##[]│╰─────────────────╯
│cols 4-5   -31.27││%%[]####[][]%%%%##..│╭ RUN ────────────╮
│or 3-5      -0.67││######%%%%[][]%%%%..││frame       4,321│
│or 9-10     -7.13││[][]%%%%####[][]%%..││game time    1:06│
│or 1-3      -8.79││[][][]%%%%####%%%%..││desyncs         0│
╰─────────────────╯╰────────────────────╯╰─────────────────╯
  4,240  tetris                 space pause  ? keys  q quit
";
    let shown = text(&drawn(&sample::model(), 60, 24, ColourMode::Mono));
    assert_eq!(shown, expected.trim_matches('\n'), "\n{shown}");
}

#[test]
fn wider_and_taller_terminals_show_more() {
    let model = sample::model();
    let [small, wide, tall] =
        [(80, 24), (100, 24), (100, 30)].map(|(width, height)| text(&drawn(&model, width, height, ColourMode::True)));
    assert!(small.contains("columns 4-5") && small.contains("30 Hz") && !small.contains("MESSAGES"), "{small}");
    assert!(wide.contains("linear · 30 Hz · level 18"), "{wide}");
    assert!(tall.contains("MESSAGES") && tall.contains("  2,730  tetris"), "{tall}");
    for shown in [small, wide, tall] {
        for word in ["LINES 57", "312,400", "77 %", "31 %", "frame", "4,321", "▴", "[]", "NEXT", "1 of 34", "4x"] {
            assert!(shown.contains(word), "{word} is missing:\n{shown}");
        }
    }
}

#[test]
fn a_terminal_that_is_too_small_says_what_is_needed() {
    let model = sample::model();
    assert_eq!(text(&drawn(&model, 59, 24, ColourMode::True)).trim_end(), "terminal is too small: 60x24 needed");
    assert!(text(&drawn(&model, 10, 3, ColourMode::True)).starts_with("terminal i\n"));
}

#[test]
fn no_size_and_no_state_panics() {
    let mut model = sample::model();
    (model.help, model.status) = (true, Status::Paused);
    (model.stage, model.score) = (RunStage::Topout, MAXOUT);
    model.statistics = [u16::MAX; 7];
    model.say("w".repeat(500), Tone::Bad);
    for colours in [ColourMode::Mono, ColourMode::Sixteen, ColourMode::TwoHundredFiftySix, ColourMode::True] {
        for width in (1..140).step_by(7).chain([60, 61]) {
            for height in (1..60).step_by(5).chain([24, 25, 27, 28]) {
                drawn(&model, width, height, colours);
                drawn(&ViewModel::default(), width, height, colours);
            }
        }
    }
}

#[test]
fn pressed_buttons_are_lit() {
    let buffer = drawn(&sample::model(), 80, 24, ColourMode::True);
    let lit = |face: &str| {
        let cells = buffer.content().iter().filter(|cell| cell.symbol() == face);
        cells.map(|cell| cell.bg).collect::<Vec<_>>().contains(&Color::Rgb(255, 205, 84))
    };
    assert!(lit("◂") && lit("A"));
    assert!(!lit("▸") && !lit("B"));
}

#[test]
fn without_colour_nothing_is_coloured() {
    let buffer = drawn(&sample::model(), 100, 30, ColourMode::Mono);
    assert!(buffer.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(buffer.content().iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
}

#[test]
fn pause_end_and_maxout_are_written_over_the_playfield() {
    let mut model = sample::model();
    model.status = Status::Paused;
    assert!(text(&drawn(&model, 60, 24, ColourMode::Mono)).contains(" PAUSED "));
    (model.status, model.score, model.tally.uncapped) = (Status::Ended, MAXOUT, 10_418_757);
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.contains(" MAXOUT ") && shown.contains(" ENDED - Q QUITS "), "{shown}");
    assert!(shown.contains("│score     999,999│") && shown.contains("│no cap 10,418,757│"), "{shown}");
    let shown = text(&drawn(&model, 120, 30, ColourMode::Mono));
    let line = shown.lines().find(|line| line.contains("uncapped")).expect("a wide panel");
    assert!(line.contains(" 10,418,757"), "{line}");
}

#[test]
fn the_result_stands_on_a_card_over_the_playfield_s_upper_half() {
    let saved = vec!["game.csv".to_owned(), format!("{}/game.fm2", "a".repeat(60))];
    let stuck = Some("no lock for 2,444 frames".to_owned());
    let card = Some(EndCard { outcome: "maxout reached".to_owned(), stuck, saved });
    let mut model = ViewModel { status: Status::Ended, score: MAXOUT, card, ..sample::model() };
    model.tally.uncapped = 1_012_345;
    for showing in [Showing::Panels, Showing::Screen] {
        model.showing = showing;
        let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
        for words in [
            "╭──────────── maxout reached ────────────╮",
            "stuck       no lock for 2,444 frames",
            "score   999,999 (1,012,345 uncapped)",
            "tetris rate                     77 %",
            "frame                          4,321",
            "game time                       1:06",
            "saved to                    game.csv",
            "saved to …aaaaaaaaaaaaaaaaa/game.fm2",
            "q or Enter: leave   s: screenshot",
        ] {
            assert!(shown.contains(words), "{words} is missing:\n{shown}");
        }
        assert!(!shown.contains("ENDED"), "{shown}");
    }
    let shown = text(&drawn(&ViewModel { showing: Showing::Panels, ..model }, 60, 24, ColourMode::Mono));
    assert!(shown.lines().skip(14).all(|line| !line.contains("saved")), "the pile stays in view:\n{shown}");
}

#[test]
fn bad_news_go_before_the_keys_when_there_is_no_room_for_both() {
    let mut model = sample::model();
    model.say("desync: promised x 5 y 3, found x 6 y 3", Tone::Bad);
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.ends_with("desync: promised x 5 y 3, found x 6 y 3"), "{shown}");
}

/// A picture of four quarters: black, red, white, blue.
fn quarters() -> Picture {
    let colour = |index: usize| match (index / Picture::WIDTH < 120, index % Picture::WIDTH < 128) {
        (true, true) => [0, 0, 0],
        (true, false) => [255, 0, 0],
        (false, true) => [255, 255, 255],
        (false, false) => [0, 0, 255],
    };
    Picture { pixels: (0..Picture::WIDTH * Picture::HEIGHT).map(colour).collect() }
}

fn on_screen() -> ViewModel {
    ViewModel { showing: Showing::Screen, picture: Some(Arc::new(quarters())), ..sample::model() }
}

#[test]
fn the_console_s_picture_is_drawn_in_the_terminal_s_colours() {
    for (mode, expected) in [
        (
            ColourMode::True,
            [Color::Rgb(0, 0, 0), Color::Rgb(255, 0, 0), Color::Rgb(255, 255, 255), Color::Rgb(0, 0, 255)],
        ),
        (ColourMode::TwoHundredFiftySix, [16, 196, 231, 21].map(Color::Indexed)),
        (ColourMode::Sixteen, [Color::Black, Color::Red, Color::White, Color::Blue]),
    ] {
        let buffer = drawn(&on_screen(), 60, 24, mode);
        let area = picture_area(buffer.area, &on_screen()).expect("a picture");
        let corners = [(0, 0), (area.width - 1, 0), (0, area.height - 1), (area.width - 1, area.height - 1)];
        assert_eq!(corners.map(|(x, y)| buffer[(area.x + x, area.y + y)].bg), expected);
    }
    let shown = text(&drawn(&on_screen(), 60, 24, ColourMode::Mono));
    assert!(shown.lines().nth(15).is_some_and(|row| row.contains("@@@@@")), "{shown}");
}

#[test]
fn panels_stand_beside_the_picture() {
    let [small, wide] = [60, 80].map(|width| text(&drawn(&on_screen(), width, 24, ColourMode::Mono)));
    for word in ["GAMEPAD", "1 of 34", "77 %", "31 %", "312,400", "level 20", "lines 57", "desyncs"] {
        for shown in [&small, &wide] {
            assert!(shown.contains(word), "{word} is missing:\n{shown}");
        }
    }
}

#[test]
fn the_plan_is_drawn_into_the_console_s_picture() {
    let black = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
    let mut model = ViewModel { picture: Some(Arc::new(black)), cells: Default::default(), ..on_screen() };
    let lit = |model: &ViewModel| {
        let buffer = drawn(model, 80, 24, ColourMode::True);
        let area = picture_area(buffer.area, model).expect("a picture");
        let dark = [Color::Rgb(0, 0, 0), Color::Reset];
        let places: Vec<(u16, u16)> = area
            .positions()
            .filter(|&at| {
                !dark.contains(&buffer[at].bg) || (buffer[at].symbol() == "▀" && !dark.contains(&buffer[at].fg))
            })
            .map(|at| (at.x - area.x, at.y - area.y))
            .collect();
        (area, places)
    };
    assert_eq!(lit(&model).1, []);
    // The bottom left cell of the playfield: 8 pixels from 96, 200.
    model.cells[19][0] = crate::Cell::Target(crate::Tile::White);
    let (area, places) = lit(&model);
    assert!(!places.is_empty());
    let (left, right) = (96 * area.width / 256, 104 * area.width / 256);
    let (top, bottom) = (200 * area.height / 240, 208 * area.height / 240);
    for (x, y) in places {
        assert!((left..=right).contains(&x) && (top..=bottom).contains(&y), "{x}, {y} in {area}");
    }
}

#[test]
fn a_screen_without_a_picture_says_why() {
    let mut model = ViewModel { picture: None, ..on_screen() };
    assert!(text(&drawn(&model, 60, 24, ColourMode::Mono)).contains("comes with the next frame"));
    model.is_blind = true;
    assert!(text(&drawn(&model, 60, 24, ColourMode::Mono)).contains("this console draws no pictures"));
}

#[test]
fn no_size_breaks_the_screen() {
    for (status, help) in [(Status::Running, false), (Status::Paused, true), (Status::Ended, false)] {
        let model = ViewModel { status, help, ..on_screen() };
        for width in [1, 59, 60, 61, 83, 140, 199] {
            for height in [1, 23, 24, 45, 79] {
                drawn(&model, width, height, if help { ColourMode::Mono } else { ColourMode::Sixteen });
            }
        }
    }
}

#[test]
fn depth_time_and_delays_stand_in_the_borders() {
    let mut model = sample::model();
    model.plan_cost.effort.plies = 3;
    model.plan_cost.time = Some(Duration::from_micros(4_240));
    model.speed = Speed::Times(1);
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.contains("╰ 3 plies 4.2 ms ─╯") && shown.contains("─ on time ─╯"), "{shown}");
    model.delays = Delays { count: 12, longest: Duration::from_millis(41) };
    model.is_rolling = true;
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.contains("╰ late 12x 41 ms ─╯"), "{shown}");
    assert!(shown.contains("REC 1x"), "{shown}");
    model.plan = None;
    assert!(!text(&drawn(&model, 60, 24, ColourMode::Mono)).contains("plies"));
}

#[test]
fn keys_that_do_not_fit_are_left_out_whole() {
    let model = sample::model();
    let [narrow, wide] = [60, 140].map(|width| text(&drawn(&model, width, 30, ColourMode::Mono)));
    assert!(narrow.ends_with("space pause   . one frame   + - speed      ? keys   q quit"), "{narrow}");
    assert!(wide.contains("v view   s screenshot") && wide.ends_with("? keys   q quit"), "{wide}");
}

#[test]
fn the_menus_say_how_long_they_take() {
    let mut model = ViewModel { frame: 312, stage: RunStage::Menu(GameMode::Title), ..sample::model() };
    model.cells = Default::default();
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    for words in [" TITLE ", " frame 312 of ~990 ", " wait of seed $8988 "] {
        assert!(shown.contains(words), "{words}:\n{shown}");
    }
    assert!(shown.contains("4x 240 frames/s"), "{shown}");
    model.is_hurried = true;
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.contains("menus, hurried 240 frames/s"), "{shown}");
    model.showing = Showing::Screen;
    let shown = text(&drawn(&model, 80, 24, ColourMode::Mono));
    assert!(shown.contains(" menus: frame 312 of about 990 "), "{shown}");
    model.stage = RunStage::Game;
    let shown = text(&drawn(&model, 80, 24, ColourMode::Mono));
    assert!(!shown.contains("of about 990"), "{shown}");
}

#[test]
fn the_playfield_grows_with_the_terminal() {
    let model = sample::model();
    // Characters across the playfield, and rows of the three cells side by side of the falling L.
    let size_of = |width, height| {
        let shown = text(&drawn(&model, width, height, ColourMode::Mono));
        let top = shown.lines().find(|line| line.contains("LINES 57")).expect("a playfield").to_owned();
        let field = top.split('╭').find(|part| part.contains("LINES 57")).expect("its border").to_owned();
        let across = field.split('╮').next().expect("a corner").chars().count();
        let cells = format!("│ {}", " ".repeat(across / 2 - 1)) + &"█".repeat(3 * across / 10);
        (across, shown.lines().filter(|line| line.contains(&cells)).count())
    };
    assert_eq!(size_of(79, 44), (20, 1));
    assert_eq!(size_of(80, 43), (20, 1));
    assert_eq!(size_of(80, 44), (40, 2));
    assert_eq!(size_of(100, 64), (60, 3));
    assert_eq!(size_of(200, 90), (80, 4));
    let shown = text(&drawn(&model, 80, 44, ColourMode::True));
    for words in ["┌──┐", "└──┘", "MESSAGES", "  2,730  tetris"] {
        assert!(shown.contains(words), "{words} is missing:\n{shown}");
    }
}

#[test]
fn a_speed_that_is_not_held_and_a_value_in_points_are_said() {
    let mut model = sample::model();
    model.frames_per_second = Some(126.2);
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    assert!(shown.contains("4x asked, 2.1x reached") && !shown.contains("frames/s"), "{shown}");
    model.header.unit = "points".to_owned();
    let plan = model.plan.as_mut().expect("a plan");
    plan.value = 1_084_321.0;
    model.alternatives[0].value = 1_083_237.0;
    let shown = text(&drawn(&model, 60, 24, ColourMode::Mono));
    // Without room for the unit the numbers stand alone.
    assert!(shown.contains("│4-5    +1,084,321│") && shown.contains("│3-5        -1,084│"), "{shown}");
    let [medium, wide] = [80, 100].map(|width| text(&drawn(&model, width, 24, ColourMode::Mono)));
    assert!(
        medium.contains("│ 4-5     +1,084,321 points │") && medium.contains("│ 3-5         -1,084 points │"),
        "{medium}"
    );
    assert!(
        wide.contains("│ cols 4-5  +1,084,321 points │") && wide.contains("│ or 3-5        -1,084 points │"),
        "{wide}"
    );
}

#[test]
fn past_the_maxout_the_next_lock_and_the_lines_to_the_next_danger_are_shown() {
    let mut model = sample::model();
    (model.score, model.level, model.tally.uncapped, model.tally.rebirths) = (999_999, 140, 12_345_678, 1);
    let lock = PlannedLock { cycles: 27_000, next_hidden: false, dodge: Dodge::default() };
    (model.lock, model.lines_to_danger) = (Some(lock), Some(1_172));
    for (width, words) in [
        (60, ["12,345,678", "lock  safe, 2,170", " danger in 1,172 ", "140 (reborn 1x)"]),
        (100, ["uncapped", "safe, 2,170 cycles", " danger in 1,172 lines ", "140 (reborn 1x)"]),
    ] {
        let shown = text(&drawn(&model, width, 24, ColourMode::Mono));
        assert!(words.iter().all(|words| shown.contains(words)), "{words:?}:\n{shown}");
    }
    model.lock = None;
    let shown = text(&drawn(&model, 100, 24, ColourMode::Mono));
    assert!(!shown.contains("danger"), "{shown}");
}

//! The lines that a player sends, read and checked: [`ExternalPlayer`](crate::ExternalPlayer) does it
//! for its child process; a host that reaches a player in another way can do it, too.

use serde::Deserialize;

use super::protocol::PROTOCOL;
use maxout_engine::gamepad::Buttons;
use maxout_engine::movegen::Reached;
use maxout_engine::text::is_hidden;

/// The longest name, in characters. Chosen by hand, not measured.
const LONGEST_NAME: usize = 40;
/// Characters of a line that an error message shows. Chosen by hand, not measured.
const SHOWN: usize = 80;

/// A line as an error message shows it.
pub(super) fn shortened(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}... ({} bytes)", &text[..end], line.len()),
        None => format!("{text:?}"),
    }
}

fn found(line: &[u8], expected: &str, why: impl std::fmt::Display) -> String {
    format!("expected {expected}, found {} ({why})", shortened(line))
}

/// A JSON error without its "at line 1", which would be mistaken for the line of the player's output.
fn json_problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(problem) if error.column() > 0 => format!("{problem} at column {}", error.column()),
        Some(problem) => problem.to_owned(),
        None => text,
    }
}

/// Reads the answer to the hello: the player's name.
///
/// # Errors
/// What was expected and what was found.
pub fn name(line: &[u8]) -> Result<String, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct HelloAnswer {
        protocol: u32,
        name: String,
    }
    let expected = format!("{{\"protocol\":{PROTOCOL},\"name\":\"...\"}} in answer to the hello");
    let HelloAnswer { protocol, name } =
        serde_json::from_slice(line).map_err(|error| found(line, &expected, json_problem(&error)))?;
    if protocol != PROTOCOL {
        return Err(found(line, &expected, format!("protocol {protocol} is not supported")));
    }
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(is_hidden) {
        let why = format!("a name has 1 to {LONGEST_NAME} printable characters");
        return Err(found(line, &expected, why));
    }
    Ok(name)
}

/// What a player wants to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Where the piece goes, or what is pressed.
    pub choice: Choice,
    /// The player's value of it, shown in the views.
    pub value: f64,
}

/// A choice that is legal.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// One of the placements that were offered.
    Placement(Reached),
    /// The buttons of each frame.
    Timeline(Vec<Buttons>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveAnswer {
    id: u64,
    placement: Option<u64>,
    x: Option<i64>,
    y: Option<i64>,
    orientation: Option<i64>,
    timeline: Option<Vec<String>>,
    #[serde(default)]
    value: f64,
}

impl Answer {
    /// Reads the answer to the request `id`, which offered these placements.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn read(line: &[u8], id: u64, reached: &[Reached]) -> Result<Answer, String> {
        let shape = || {
            format!("{{\"id\":{id},...}} with one of \"placement\"; \"x\", \"y\" and \"orientation\"; or \"timeline\"")
        };
        let answer: MoveAnswer =
            serde_json::from_slice(line).map_err(|error| found(line, &shape(), json_problem(&error)))?;
        if answer.id != id {
            return Err(found(line, &format!("an answer to request {id}"), format!("it answers {}", answer.id)));
        }
        let choice = match answer {
            MoveAnswer { placement: Some(number), x: None, y: None, orientation: None, timeline: None, .. } => {
                let offered = usize::try_from(number).ok().and_then(|number| reached.get(number));
                let expected = format!("a placement from 0 to {} (request {id} offered those)", reached.len() - 1);
                Choice::Placement(
                    *offered.ok_or_else(|| found(line, &expected, format!("there is no placement {number}")))?,
                )
            }
            MoveAnswer {
                placement: None, x: Some(x), y: Some(y), orientation: Some(turned), timeline: None, ..
            } => {
                let is_it = |reached: &&Reached| {
                    let placement = reached.placement;
                    (i64::from(placement.x), i64::from(placement.y), i64::from(placement.orientation.id()))
                        == (x, y, turned)
                };
                let expected = format!("one of the {} placements that request {id} offered", reached.len());
                let why = || format!("x {x}, y {y}, orientation {turned} is not among them");
                Choice::Placement(*reached.iter().find(is_it).ok_or_else(|| found(line, &expected, why()))?)
            }
            MoveAnswer { placement: None, x: None, y: None, orientation: None, timeline: Some(frames), .. } => {
                Choice::Timeline(timeline(&frames).map_err(|why| found(line, "a timeline that can be pressed", why))?)
            }
            _ => return Err(found(line, &shape(), "it has none of them, or parts of several")),
        };
        Ok(Answer { choice, value: answer.value })
    }
}

/// The buttons of each frame; opposite directions, Start and Select are refused.
fn timeline(frames: &[String]) -> Result<Vec<Buttons>, String> {
    let opposite = |buttons: Buttons| {
        buttons.contains(Buttons::LEFT | Buttons::RIGHT) || buttons.contains(Buttons::UP | Buttons::DOWN)
    };
    let buttons_of = |(frame, text): (usize, &String)| {
        let buttons = Buttons::from_keys(text).ok().filter(|buttons| buttons.keys() == *text);
        let buttons = buttons.ok_or_else(|| format!("frame {frame} is not RLDUTSBA with dots for what is up"))?;
        if opposite(buttons) {
            return Err(format!("frame {frame} presses opposite directions"));
        }
        if buttons.intersects(Buttons::START | Buttons::SELECT) {
            return Err(format!("frame {frame} presses Start or Select, which stop the game or hide the next box"));
        }
        Ok(buttons)
    };
    frames.iter().enumerate().map(buttons_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::{Piece, Placement};

    fn offered() -> Vec<Reached> {
        (1..4)
            .map(|x| Reached { placement: Placement { orientation: Piece::O.spawn(), x, y: 18 }, frames: 40 })
            .collect()
    }

    fn read(line: &str) -> Result<Answer, String> {
        Answer::read(line.as_bytes(), 7, &offered())
    }

    #[test]
    fn a_placement_is_chosen_by_its_id_or_by_where_it_is() {
        let by_id = read(r#"{"id":7,"placement":1,"value":2.5}"#).expect("legal");
        assert_eq!(by_id, Answer { choice: Choice::Placement(offered()[1]), value: 2.5 });
        let by_cell = read(r#"{"id":7,"x":2,"y":18,"orientation":10}"#).expect("legal");
        assert_eq!(by_cell.choice, by_id.choice);
    }

    #[test]
    fn a_timeline_is_taken_as_it_is() {
        let answer = read(r#"{"id":7,"timeline":["R......A","........","..D....."]}"#).expect("legal");
        let frames = vec![Buttons::RIGHT | Buttons::A, Buttons::NONE, Buttons::DOWN];
        assert_eq!(answer.choice, Choice::Timeline(frames));
    }

    #[test]
    fn an_answer_that_is_none_is_refused_with_its_reason() {
        for (line, words) in [
            ("", &["expected {\"id\":7,", "EOF"][..]),
            ("left!", &["left!", "column"]),
            (r#"{"id":7}"#, &["none of them"]),
            (r#"{"id":7,"placement":1,"timeline":[]}"#, &["parts of several"]),
            (r#"{"id":7,"x":1,"y":18}"#, &["parts of several"]),
            (r#"{"id":7,"placment":1}"#, &["unknown field `placment`"]),
            (r#"{"id":6,"placement":1}"#, &["request 7", "answers 6"]),
            (r#"{"id":7,"placement":3}"#, &["0 to 2", "no placement 3"]),
            (r#"{"id":7,"placement":-1}"#, &["-1"]),
            (r#"{"id":7,"x":9,"y":18,"orientation":10}"#, &["3 placements", "x 9, y 18, orientation 10"]),
            (r#"{"id":7,"timeline":["RL......"]}"#, &["frame 0", "opposite"]),
            (r#"{"id":7,"timeline":["........","..DU...."]}"#, &["frame 1", "opposite"]),
            (r#"{"id":7,"timeline":["....T..."]}"#, &["frame 0", "Start"]),
            (r#"{"id":7,"timeline":["L......."]}"#, &["frame 0", "RLDUTSBA"]),
            (r#"{"id":7,"timeline":["R"]}"#, &["frame 0", "RLDUTSBA"]),
        ] {
            let problem = read(line).expect_err(line);
            assert!(!problem.contains('\n') && !problem.contains("at line"), "{problem}");
            for word in words {
                assert!(problem.contains(word), "{line}: {word}: {problem}");
            }
        }
    }

    #[test]
    fn a_name_is_short_and_printable_and_of_this_protocol() {
        assert_eq!(name(br#"{"protocol":1,"name":"lowest"}"#), Ok("lowest".to_owned()));
        for line in [
            r#"{"protocol":2,"name":"later"}"#,
            r#"{"protocol":1,"name":""}"#,
            r#"{"protocol":1,"name":"a\u001bb"}"#,
            r#"{"protocol":1}"#,
            "hello",
        ] {
            let problem = name(line.as_bytes()).expect_err(line);
            assert!(problem.starts_with(r#"expected {"protocol":1,"name":"..."}"#), "{problem}");
        }
    }

    #[test]
    fn a_long_line_is_shown_shortened() {
        let shown = shortened("ä".repeat(5000).as_bytes());
        assert!(shown.chars().count() < 120 && shown.ends_with("... (10000 bytes)"), "{shown}");
        assert_eq!(shortened(b"short\r\n"), r#""short""#);
    }
}

//! The page in a browser without a window.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{Served, cells, done};
use crate::skipped;

/// The document of an address, as the browser has it in the end.
pub(crate) fn dumped(chromium: &Path, url: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(chromium);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
    command
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().display()));
    done(command.arg(url).stdin(Stdio::null()).output().expect("chromium"))
}

/// The text of the elements that this attribute or tag begins, up to the next tag.
fn texts<'a>(page: &'a str, start: &str) -> Vec<&'a str> {
    page.split(start).skip(1).filter_map(|rest| rest.split_once('>')?.1.split('<').next()).collect()
}

#[test]
fn a_position_in_the_address_is_drawn_asked_and_answered() {
    let Some(chromium) = skipped::program("chromium") else { return };
    let served = Served::start(&[]);
    let question = format!("playfield={}&piece=T&next=I&level=19&lines=60&tapRate=15&reactionFrames=0", cells());
    let page = dumped(&chromium, &format!("http://{}/#{question}&playouts=2&ask", served.address));
    assert_eq!(page.matches("class=\"cell full").count(), cells().matches('1').count());
    // The ghost of the best placement.
    assert_eq!(page.matches("class=\"cell ghost\"").count(), 4, "{page}");
    let query = format!("/analyze?{question}&playouts=2");
    let (status, answer) = served.ask("GET", &query, b"");
    assert_eq!(status, 200, "{answer}");
    let choices = answer["choices"].as_array().expect("choices");
    assert!(texts(&page, "id=\"asked\"")[0].starts_with(&format!("{} placements can be reached", choices.len())));
    let shown = texts(&page, "class=\"choice");
    assert_eq!(shown.len(), 10);
    for choice in &choices[..10] {
        let name = choice["placement"]["name"].as_str().expect("a name");
        assert!(page.contains(&format!("<td>{name}</td>")), "{name}");
    }
    assert_eq!(texts(&page, "id=\"way\""), [choices[0]["way"].as_str().expect("words")]);
    assert_eq!(texts(&page, "id=\"error\""), [""]);
    assert_eq!(texts(&page, "id=\"opening\""), [""]);
}

#[test]
fn what_a_reaction_time_leaves_to_be_pressed_is_shown() {
    let Some(chromium) = skipped::program("chromium") else { return };
    let served = Served::start(&[]);
    let question = format!("playfield={}&piece=T&next=I&level=19&lines=60&tapRate=15&reactionFrames=18", cells());
    let page = dumped(&chromium, &format!("http://{}/#{question}&playouts=0&ask", served.address));
    let (_, answer) = served.ask("GET", &format!("/analyze?{question}&playouts=0"), b"");
    let shown = texts(&page, "id=\"opening\"")[0];
    assert!(shown.starts_with("Pressed in the 18 frames before the next piece is used: "), "{shown}");
    let place = answer["opening"]["placement"]["name"].as_str().expect("a name");
    assert!(shown.ends_with(&format!("; best from there without knowing it: {place}")), "{shown}");
    let first = &answer["opening"]["presses"][0];
    assert!(shown.contains(&format!(": {}", first["frame"])), "{shown} {first}");
}

#[test]
fn what_the_server_refuses_is_shown_in_its_words() {
    let Some(chromium) = skipped::program("chromium") else { return };
    let served = Served::start(&[]);
    let page = dumped(&chromium, &format!("http://{}/#piece=T&next=I&level=19&lines=high&ask", served.address));
    let shown = texts(&page, "id=\"error\"");
    assert_eq!(shown, ["expected a whole number of 0 to 65535 as \"lines\", found \"high\""]);
}

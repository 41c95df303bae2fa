//! The commands that a page of the documentation shows, and what it says they print.

/// A command of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Line of the page, from 1.
    pub line: usize,
    /// As it is written, on one line.
    pub command: String,
    /// What the page says that it prints. A line `...` stands for any number of lines.
    pub output: Vec<String>,
}

/// All commands of a page, from top to bottom: the lines of blocks marked `sh`, the lines after `$` in
/// blocks marked `console`, and text in backticks that begins with `maxout` or `cargo`.
pub fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    // The language of the block that is open.
    let mut block: Option<&str> = None;
    let mut prose = String::new();
    for (at, text) in page.lines().enumerate() {
        let line = at + 1;
        // A span of text ends with its paragraph.
        if text.trim().is_empty() || ["```", "| ", "- "].iter().any(|start| text.starts_with(start)) {
            found.extend(spans(&std::mem::take(&mut prose), line.saturating_sub(1)));
        }
        match (text.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some("sh")) => found.extend(of_script(text).map(|command| shown(line, command))),
            (None, Some("console")) => match (text.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(shown(line, command)),
                (None, Some(last)) => last.output.push(text.to_owned()),
                (None, None) => panic!("line {line}: output before the first command"),
            },
            (None, Some(_)) => {}
            (None, None) => prose = format!("{prose} {}", text.trim()),
        }
    }
    assert!(block.is_none(), "a block has no end");
    found.extend(spans(&prose, page.lines().count()));
    found
}

fn shown(line: usize, command: &str) -> Shown {
    Shown { line, command: command.to_owned(), output: Vec::new() }
}

/// The command of a line without the comment behind it.
fn of_script(line: &str) -> Option<&str> {
    let command = line.split(" #").next().unwrap_or(line).trim();
    (!command.is_empty() && !command.starts_with('#')).then_some(command)
}

/// Commands in backticks.
fn spans(prose: &str, line: usize) -> Vec<Shown> {
    let quoted = prose.split('`').skip(1).step_by(2);
    let is_command = |text: &&str| ["maxout", "cargo"].contains(&text.split(' ').next().unwrap_or_default());
    quoted.filter(is_command).map(|command| shown(line, command)).collect()
}

/// Whether a program printed what the page shows.
pub fn agrees(shown: &[String], printed: &str) -> bool {
    fn rest(shown: &[String], printed: &[&str]) -> bool {
        match shown.split_first() {
            None => printed.is_empty(),
            Some((line, later)) if line == "..." => (0..=printed.len()).any(|skipped| rest(later, &printed[skipped..])),
            Some((line, later)) => {
                printed.split_first().is_some_and(|(first, more)| line == first && rest(later, more))
            }
        }
    }
    rest(shown, &printed.lines().collect::<Vec<_>>())
}

#[test]
fn all_commands_of_a_page_are_found() {
    let page = "Type `maxout`, `q`\nor `maxout play\n--json`.\n```sh\nls a  # why\n# no\nb\n```\n\
                | `cargo test` | `maxout.nes` |\n```console\n$ c\n...\nd\n```\n```text\ne\n```\n";
    let found = commands(page);
    let list: Vec<_> = found.iter().map(|shown| (shown.line, shown.command.as_str())).collect();
    assert_eq!(list, [(3, "maxout"), (3, "maxout play --json"), (5, "ls a"), (7, "b"), (9, "cargo test"), (11, "c")]);
    assert_eq!(found[5].output, ["...", "d"]);
    let output = ["...".to_owned(), "d".to_owned()];
    assert!(agrees(&output, "a\nd\n") && agrees(&output, "d\n"));
    assert!(!agrees(&output, "d\na\n") && !agrees(&output[1..], "a\nd\n"));
}

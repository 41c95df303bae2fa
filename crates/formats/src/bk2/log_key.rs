//! The columns of a BK2's input lines.

use crate::fm2::{MovieLine, POWER, RESET};
use crate::text::shortened;
use maxout_engine::gamepad::Buttons;

/// A gamepad's buttons in the order and with the letters that BizHawk's NES cores have.
const GAMEPAD: [(&str, char, Buttons); 8] = [
    ("Up", 'U', Buttons::UP),
    ("Down", 'D', Buttons::DOWN),
    ("Left", 'L', Buttons::LEFT),
    ("Right", 'R', Buttons::RIGHT),
    ("Start", 'S', Buttons::START),
    ("Select", 's', Buttons::SELECT),
    ("B", 'B', Buttons::B),
    ("A", 'A', Buttons::A),
];

/// What one character of a line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Command(u8),
    Button {
        pad: usize,
        button: Buttons,
    },
    /// Something that this game does not know.
    Other,
}

/// The groups of columns that a `LogKey` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogKey(Vec<Vec<Column>>);

impl LogKey {
    /// Reads the text after `LogKey:`: `#Reset|Power|#P1 Up|P1 Down|...|`.
    pub(super) fn parse(text: &str) -> Result<LogKey, String> {
        let groups = text.split('#').filter(|group| !group.is_empty());
        let key = LogKey(
            groups.map(|group| group.split('|').filter(|name| !name.is_empty()).map(Column::named).collect()).collect(),
        );
        let has_gamepad = key.0.iter().flatten().any(|column| matches!(column, Column::Button { pad: 0, .. }));
        if has_gamepad {
            Ok(key)
        } else {
            Err(format!("expected a LogKey with the buttons of P1, found {:?}", shortened(text)))
        }
    }

    /// The number of gamepads that have columns: 1 to 4.
    pub(super) fn gamepads(&self) -> usize {
        let pads = self.0.iter().flatten().filter_map(|column| match column {
            Column::Button { pad, .. } => Some(pad + 1),
            Column::Command(_) | Column::Other => None,
        });
        pads.max().unwrap_or(1)
    }

    /// Reads one input line.
    pub(super) fn line(&self, text: &str) -> Result<MovieLine, String> {
        let mut fields = text.strip_prefix('|').unwrap_or(text).split('|');
        let mut line = MovieLine::default();
        for (number, group) in self.0.iter().enumerate() {
            let field = fields.next().unwrap_or("");
            if field.chars().count() != group.len() {
                let found = shortened(text);
                return Err(format!(
                    "expected {} characters in group {number} of the LogKey, found {field:?} in {found:?}",
                    group.len()
                ));
            }
            for (column, letter) in group.iter().zip(field.chars()) {
                if letter == '.' || letter == ' ' {
                    continue;
                }
                match *column {
                    Column::Command(bit) => line.command |= bit,
                    Column::Button { pad, button } => line.pads[pad] |= button,
                    Column::Other => {}
                }
            }
        }
        match (fields.next(), fields.next()) {
            (Some(""), None) => Ok(line),
            _ => Err(format!("expected {} groups and a | at the end, found {:?}", self.0.len(), shortened(text))),
        }
    }

    /// The text after `LogKey:` that this program writes for this many gamepads.
    pub(super) fn names(gamepads: usize) -> String {
        let pads = (1..=gamepads).map(|pad| {
            let buttons: String = GAMEPAD.iter().map(|(name, ..)| format!("P{pad} {name}|")).collect();
            format!("#{buttons}")
        });
        std::iter::once("#Reset|Power|".to_owned()).chain(pads).collect()
    }

    /// An input line in the order of [`LogKey::names`].
    pub(super) fn text(line: &MovieLine, gamepads: usize) -> String {
        let letter = |down: bool, letter| if down { letter } else { '.' };
        let mut text = String::from("|");
        text.push(letter(line.command & RESET != 0, 'r'));
        text.push(letter(line.command & POWER != 0, 'P'));
        text.push('|');
        for pad in &line.pads[..gamepads] {
            text.extend(GAMEPAD.iter().map(|&(_, sign, button)| letter(pad.contains(button), sign)));
            text.push('|');
        }
        text + "\r\n"
    }
}

impl Column {
    fn named(name: &str) -> Column {
        match name {
            "Reset" => return Column::Command(RESET),
            "Power" => return Column::Command(POWER),
            _ => {}
        }
        let button = name.strip_prefix('P').and_then(|rest| rest.split_once(' ')).and_then(|(pad, button)| {
            let pad = pad.parse::<usize>().ok().filter(|pad| (1..=4).contains(pad))? - 1;
            let (_, _, button) = *GAMEPAD.iter().find(|(known, ..)| *known == button)?;
            Some(Column::Button { pad, button })
        });
        button.unwrap_or(Column::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_key_reads_our_own_lines() {
        for gamepads in 1..=4 {
            let key = LogKey::parse(&LogKey::names(gamepads)).unwrap();
            assert_eq!(key.gamepads(), gamepads);
            for bits in 0..=255 {
                let mut line = MovieLine { command: bits & 3, ..MovieLine::default() };
                line.pads[gamepads - 1] = Buttons::from_bits(bits);
                assert_eq!(key.line(LogKey::text(&line, gamepads).trim_end()), Ok(line));
            }
        }
    }

    #[test]
    fn the_key_of_the_format_s_description_is_what_we_write() {
        assert_eq!(LogKey::names(1), "#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|");
    }

    #[test]
    fn another_order_and_unknown_columns_are_obeyed() {
        let key = LogKey::parse("#Power|Reset|VS Coin 1|#P1 A|P1 Right|#P2 Up|").unwrap();
        let line = key.line("|.rC|.R|U|").unwrap();
        assert_eq!((line.command, line.pads[0], line.pads[1]), (RESET, Buttons::RIGHT, Buttons::UP));
        assert_eq!(key.line("|P..|A.|.|").unwrap().command, POWER);
    }

    #[test]
    fn lines_that_do_not_fit_the_key_are_refused() {
        let key = LogKey::parse(&LogKey::names(1)).unwrap();
        for text in ["|..|........", "|..|.......|", "|.|........|", "|..|........|.|", "|", "|..|.......é.|"] {
            assert!(key.line(text).unwrap_err().starts_with("expected"), "{text}");
        }
        for text in ["", "#Reset|Power|", "#P5 Up|", "|||###"] {
            assert!(LogKey::parse(text).is_err(), "{text}");
        }
    }
}

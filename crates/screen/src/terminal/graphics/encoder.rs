//! A picture as the commands of a protocol.

use maxout_engine::console::Picture;
use ratatui::layout::Rect;

use super::protocol::Protocol;
use super::{kitty, sixel};

/// Pixels of a character cell of a terminal that does not report its own. Chosen by hand, not
/// measured.
const CELL: (u16, u16) = (8, 16);

/// Writes pictures in a protocol.
#[derive(Debug)]
pub(crate) enum Encoder {
    Kitty(kitty::Kitty),
    Sixel,
}

impl Encoder {
    pub(crate) fn new(protocol: Protocol) -> Encoder {
        match protocol {
            Protocol::Kitty => Encoder::Kitty(kitty::Kitty::default()),
            Protocol::Sixel => Encoder::Sixel,
        }
    }

    /// The commands that show a picture over these cells.
    pub(crate) fn show(&mut self, picture: &Picture, area: Rect, cell: Option<(u16, u16)>) -> String {
        let mut text = format!("\x1b[{};{}H", area.y + 1, area.x + 1);
        match self {
            Encoder::Kitty(kitty) => kitty.show(&mut text, picture, (area.width, area.height)),
            Encoder::Sixel => {
                let (width, height) = cell.unwrap_or(CELL);
                let pixels = |cells: u16, pixels: u16| usize::from(cells) * usize::from(pixels);
                sixel::show(&mut text, picture, pixels(area.width, width), pixels(area.height, height));
            }
        }
        text
    }

    /// The commands that remove the picture. Sixels need none: characters written over them do.
    pub(crate) fn erase(&self) -> &'static str {
        match self {
            Encoder::Kitty(_) => kitty::ERASE,
            Encoder::Sixel => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_goes_to_the_corner_of_the_area_first() {
        let picture = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
        let area = Rect { x: 4, y: 1, width: 20, height: 10 };
        for protocol in [Protocol::Kitty, Protocol::Sixel] {
            assert!(Encoder::new(protocol).show(&picture, area, None).starts_with("\x1b[2;5H\x1b"));
        }
    }
}

//! The protocols for pictures, and the choice among those that a terminal has.

use std::fmt;

use crate::settings::GraphicsChoice;

/// A protocol for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// That of the terminal kitty; other terminals have it too.
    Kitty,
    /// That of DEC's VT300 series.
    Sixel,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Kitty => "kitty graphics",
            Protocol::Sixel => "sixel graphics",
        })
    }
}

/// The protocol to use of those that the terminal has; `None` for half blocks.
pub(crate) fn chosen(choice: GraphicsChoice, has: &[Protocol]) -> Option<Protocol> {
    let if_there = |wanted| has.contains(&wanted).then_some(wanted);
    match choice {
        GraphicsChoice::Blocks => None,
        GraphicsChoice::Auto => if_there(Protocol::Kitty).or(if_there(Protocol::Sixel)),
        GraphicsChoice::Kitty => if_there(Protocol::Kitty),
        GraphicsChoice::Sixel => if_there(Protocol::Sixel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_terminal_does_not_have_is_not_used() {
        let both = [Protocol::Sixel, Protocol::Kitty];
        assert_eq!(chosen(GraphicsChoice::Auto, &both), Some(Protocol::Kitty));
        assert_eq!(chosen(GraphicsChoice::Auto, &both[..1]), Some(Protocol::Sixel));
        assert_eq!(chosen(GraphicsChoice::Kitty, &both[..1]), None);
        assert_eq!(chosen(GraphicsChoice::Sixel, &both), Some(Protocol::Sixel));
        assert_eq!(chosen(GraphicsChoice::Blocks, &both), None);
        assert_eq!(chosen(GraphicsChoice::Auto, &[]), None);
    }
}

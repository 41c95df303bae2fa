//! Quirks of the game, one sentence each.

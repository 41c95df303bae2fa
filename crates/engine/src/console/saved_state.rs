//! A console's state as bytes.

use crate::state::StateError;

/// A saved state of a console. Only a console of the same kind, with the same ROM, can go on from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedState(Vec<u8>);

impl SavedState {
    /// A state of a console of this [name](crate::console::Console::name).
    pub fn new(console: &'static str, state: &[u8]) -> SavedState {
        let mut bytes = vec![console.len() as u8];
        bytes.extend_from_slice(console.as_bytes());
        bytes.extend_from_slice(state);
        SavedState(bytes)
    }

    /// The state, for a console of this name.
    ///
    /// # Errors
    /// When it is of another kind of console.
    pub fn of(&self, console: &'static str) -> Result<&[u8], StateError> {
        let state = self.0.strip_prefix(&[console.len() as u8]).and_then(|rest| rest.strip_prefix(console.as_bytes()));
        state.ok_or_else(|| StateError::new("a state of the same console", "one of another kind"))
    }

    /// The state as bytes, with the name of its console.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The state with these [bytes](SavedState::bytes). A console checks them when it restores the state.
    pub fn from_bytes(bytes: Vec<u8>) -> SavedState {
        SavedState(bytes)
    }
}

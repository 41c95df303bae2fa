//! Whether the next box may be used.

/// May the next box be used?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Yes.
    WithNext,
    /// No: the reaction time has not passed yet.
    WithoutNext,
}

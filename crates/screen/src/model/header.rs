//! What is known of a run before it begins.

/// What is known of a run before its first frame, as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunHeader {
    /// Name of the ROM.
    pub rom: String,
    /// Seed of the pieces.
    pub seed: String,
    /// Name of the evaluator, or of the external player.
    pub evaluator: String,
    /// What its values of placements are in: `points`. Empty where they have no unit.
    pub unit: String,
    /// How buttons are pressed: `30 Hz`, `DAS`.
    pub input: String,
    /// Why the run is not honest, as in `CHEATS: drag writes RAM`; `None` for an honest one.
    pub mark: Option<String>,
    /// Level at which the game starts.
    pub start_level: u8,
    /// About how many frames pass in the menus before the game; `None` where that is not known.
    pub menu_frames: Option<u64>,
    /// When the run ends: `999,999`, `topout`.
    pub until: String,
}

//! What is shown of a run, as plain data.

mod card;
mod cells;
mod cost;
mod header;
mod message;
mod placement;
mod stage;
mod view_model;

pub(crate) use card::CARD_KEYS;
pub use card::EndCard;
pub(crate) use cells::cells;
pub use cells::{Cell, Tile};
pub use cost::{Delays, PlanCost};
pub use header::RunHeader;
pub use message::{Message, Tone};
pub use placement::RatedPlacement;
pub use stage::{RunStage, Showing, Status};
pub(crate) use view_model::LONG_DROUGHT;
pub use view_model::ViewModel;

//! A learned value of playfields: the rewards still to be won from here.

mod expand;
mod features;
mod inflate;
mod net;
mod origin;
mod outlook;
mod rule;
pub mod weights;

pub use expand::{Child, Expander};
pub use features::{FEATURES, Features, MOST_FEATURES};
pub use net::{Activation, Dense, HIDDEN, LANES, Net, OUTPUTS, QuickNet, Row, SUMMED, Values, value_for};
pub use origin::Origin;
pub use outlook::{FINALE, Outlook};
pub use weights::{NumberSize, TrainedNet};

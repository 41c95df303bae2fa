//! A learned value of playfields: the rewards still to be won from here.

mod dense;
mod expand;
mod features;
mod head;
mod inflate;
mod net;
mod opening;
mod origin;
mod outlook;
mod quick;
mod rule;
mod set;
mod spans;
mod table;
mod vectors;
pub mod weights;

pub use dense::{Activation, Dense, HIDDEN, OUTPUTS, SUMMED, Values};
pub use expand::{Child, Expander};
pub use features::{FEATURES, Features, MOST_FEATURES, SPAN_ROWS, SPANS};
pub use head::{Head, TrainedFor};
pub use net::{Net, QuickNet, value_for};
pub use opening::keep_best_opening;
pub use origin::Origin;
pub use outlook::{FINALE, Outlook};
pub use set::{HeadOf, Heads, NetSet};
pub use table::{LANES, Row};
pub use weights::{NumberSize, TrainedNet};

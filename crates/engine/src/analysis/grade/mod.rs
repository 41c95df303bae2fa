//! What each placement of a played game gave up, and what kind of error it was.
//!
//! [`Grader`] compares the placements of a [`PlayedGame`](super::PlayedGame) with all that were
//! within reach of that player's [`Hand`].

mod aim;
mod class;
mod grader;
mod hand;
mod piece;
mod totals;

pub use aim::{Aim, aim_of};
pub use class::{Class, accuracy};
pub use grader::{GameGrade, GradeSettings, Grader};
pub use hand::{Hand, MeasuredHand, Seen};
pub use piece::{Cause, Checked, GradedPiece, GradedPlacement, Within};
pub use totals::{DROUGHT, Drought, Share, Totals};

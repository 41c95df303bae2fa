//! What the search hands to the pilot: a placement, its timeline, and what each frame will show.

use super::cheat::Cheat;
use super::dodge::PlannedLock;
use super::effort::Effort;
use super::falling::Falling;
use super::foresee::Foreseen;
use super::promise::{Promise, landing, play_out};
use super::settings::Settings;
use crate::game::crash::Scene;
use crate::game::{Placement, Playfield, Position, Ruleset};
use crate::gamepad::InputTimeline;
use crate::judge::handmade::Afterstate;

/// A placement that the plan did not choose, with its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alternative {
    /// Where the falling piece would lock.
    pub placement: Placement,
    /// Value of the best continuation; higher is better.
    pub value: f64,
}

/// The plan for one piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Where the falling piece locks.
    pub placement: Placement,
    /// Where the search would put the next piece.
    pub next_placement: Option<Placement>,
    /// Buttons from the first control frame on.
    pub timeline: InputTimeline,
    /// What is written into RAM instead of pressing buttons; `None` in honest play.
    pub cheat: Option<Cheat>,
    /// What each of those frames must show, up to the frame in which the drop fails.
    pub promises: Vec<Promise>,
    /// The playfield after the lock and its clears.
    pub playfield: Playfield,
    /// Rows that the lock completes.
    pub clears: u8,
    /// How long the pass takes that scores the lock, from level 130 on where the game can crash; `None` elsewhere and
    /// where the player does not say.
    pub lock: Option<PlannedLock>,
    /// The next spawn, where the player reads the generator; `None` for an honest one.
    pub foreseen: Option<Foreseen>,
    /// Value of the choice; higher is better. With the learned player: expected points, as if all
    /// were scored at the level of the position; points of a later piece count less, by the
    /// discount of the net's [outlook](crate::judge::learned::Outlook).
    pub value: f64,
    /// The best of the other placements that were looked into deepest, best first.
    pub alternatives: Vec<Alternative>,
    /// Number of placements that the falling piece can reach.
    pub reachable: usize,
    /// What the choice cost.
    pub effort: Effort,
}

impl Plan {
    /// The plan that presses these buttons until the piece lands, at any place, by these rules. It has
    /// no value, no next placement and no alternatives.
    pub fn of_timeline(
        position: &Position,
        falling: &Falling,
        timeline: InputTimeline,
        reachable: usize,
        rules: Ruleset,
    ) -> Plan {
        let gravity = rules.gravity(position.level);
        let (promises, _) = play_out(&position.playfield, falling.piece, falling.held, gravity, timeline.frames());
        let afterstate = Afterstate::of(&position.playfield, landing(&promises));
        // Buttons after the lock do not belong to this piece.
        let frames = timeline.len().min(promises.len());
        let timeline = InputTimeline::new(timeline.frames()[..frames].to_vec());
        Plan {
            placement: afterstate.placement,
            next_placement: None,
            timeline,
            cheat: None,
            promises,
            playfield: afterstate.playfield,
            clears: afterstate.cleared.count,
            lock: None,
            foreseen: None,
            value: 0.0,
            alternatives: Vec::new(),
            reachable,
            effort: Effort::default(),
        }
    }

    /// The same with the length of the pass that scores the lock, where the game can crash by these settings.
    pub fn timed(self, position: &Position, falling: &Falling, scene: &Scene, settings: &Settings) -> Plan {
        let lock = settings.times_locks(position.level).then(|| {
            let gravity = settings.gravity(position.level);
            let frames = self.timeline.frames();
            let (_, piece) = play_out(&position.playfield, falling.piece, falling.held, gravity, frames);
            PlannedLock::of(position, self.placement, piece.pushdown, *scene)
        });
        Plan { lock, ..self }
    }
}

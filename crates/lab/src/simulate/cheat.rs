//! The inputs that write RAM, drag and teleport, on the model.

use maxout_engine::game::Placement;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::simulation::address::{CURRENT_PIECE, FALL_TIMER, PLAY_STATE, ROW_Y, X, Y};
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::PieceWrite;

/// Play states: rows vanish; lines and points are counted.
const CLEAR_ANIMATION: u8 = 4;
const COUNTING: u8 = 5;
/// `rowY` after the animation's last step.
const ANIMATED: u8 = 5;

/// Writes the falling piece before a frame.
pub(super) fn write(simulation: &mut Simulation, write: PieceWrite) {
    let PieceWrite { place: Placement { orientation, x, y }, fall_timer } = write;
    for (address, value) in [(X, x as u8), (Y, y as u8), (CURRENT_PIECE, orientation.id()), (FALL_TIMER, fall_timer)] {
        simulation.poke(address as u16, value);
    }
}

/// Advances to the next spawn or a top-out, with the clear animation cut short; returns the
/// frames.
pub(super) fn skip_entry_delay(simulation: &mut Simulation) -> u32 {
    /// Longer than any entry delay.
    const LIMIT: u32 = 256;
    let mut frames = 0;
    while matches!(simulation.peek(PLAY_STATE as u16), 2..=8) && frames < LIMIT {
        if simulation.peek(PLAY_STATE as u16) == CLEAR_ANIMATION {
            simulation.poke(ROW_Y as u16, ANIMATED);
            simulation.poke(PLAY_STATE as u16, COUNTING);
        }
        simulation.step(Buttons::NONE);
        frames += 1;
    }
    frames
}

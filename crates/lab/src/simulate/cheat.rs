//! The inputs that write RAM, drag and teleport, on the model.

use maxout_engine::game::Placement;
use maxout_engine::game::memory::address::{CURRENT_PIECE, FALL_TIMER, PLAY_STATE, ROW_Y, TETRIMINO_X, TETRIMINO_Y};
use maxout_engine::game::memory::{ANIMATION_STEPS, PlayState};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::planner::PieceWrite;

/// Writes the falling piece before a frame.
pub(super) fn write(simulation: &mut Simulation, write: PieceWrite) {
    let PieceWrite { place: Placement { orientation, x, y }, fall_timer } = write;
    let writes =
        [(TETRIMINO_X, x as u8), (TETRIMINO_Y, y as u8), (CURRENT_PIECE, orientation.id()), (FALL_TIMER, fall_timer)];
    for (address, value) in writes {
        simulation.poke(address as u16, value);
    }
}

/// Advances to the next spawn or a topout, with the clear animation cut short; returns the frames.
pub(super) fn skip_entry_delay(simulation: &mut Simulation) -> u32 {
    /// Longer than any entry delay.
    const LIMIT: u32 = 256;
    let mut frames = 0;
    while let Some(state) = PlayState::from_byte(simulation.peek(PLAY_STATE as u16))
        && state.is_entry_delay()
        && frames < LIMIT
        && simulation.crashed().is_none()
        && simulation.hangs().is_none()
    {
        if state == PlayState::ClearAnimation {
            simulation.poke(ROW_Y as u16, ANIMATION_STEPS);
            simulation.poke(PLAY_STATE as u16, PlayState::Score.byte());
        }
        simulation.step(Buttons::NONE);
        frames += 1;
    }
    frames
}

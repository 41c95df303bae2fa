//! Trials: a poke at a savepoint, and how the game reacts. They distinguish the byte that the game
//! reads from copies of it.

use super::error::Error;
use super::lockstep::{Lockstep, Savepoint};
use maxout_engine::game::Piece;
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::Ram;

/// The stack; the bytes below its top are left over from earlier calls.
const STACK: std::ops::Range<usize> = 0x0100..0x0200;
/// Frames in which scratch must be overwritten: from a lock past the row checks and the spawn of the
/// next piece, or until a new screen is drawn. Chosen by hand, not measured.
const SCRATCH_FRAMES: usize = 20;
/// Bits that are flipped in a byte of scratch: every second one. Chosen by hand, not measured.
const MARK: u8 = 0x55;

/// One frame after these pokes; `None` when they crash the program.
fn one_frame(
    lockstep: &mut Lockstep<'_>,
    from: &Savepoint,
    pokes: &[(u16, u8)],
    pressed: Buttons,
) -> Result<Option<Ram>, Error> {
    Ok(lockstep.try_out(from, pokes, &[pressed])?.and_then(|samples| samples.last().copied()))
}

fn at(ram: &Ram, address: u16) -> u8 {
    ram[usize::from(address)]
}

fn equal_but_for(left: &Ram, right: &Ram, address: u16) -> bool {
    (0..left.len()).all(|at| left[at] == right[at] || at == usize::from(address) || STACK.contains(&at))
}

/// Of bytes that are always equal, the one that the others follow when it is poked, while these
/// buttons are pressed.
pub(super) fn source(
    lockstep: &mut Lockstep<'_>,
    from: &Savepoint,
    candidates: &[u16],
    buttons: &[Buttons],
) -> Result<Vec<u16>, Error> {
    let Some(base) = lockstep.try_out(from, &[], buttons)? else { return Ok(Vec::new()) };
    let mut sources = Vec::new();
    for &address in candidates {
        let poke = (address, at(&from.ram, address) ^ 1);
        let Some(poked) = lockstep.try_out(from, &[poke], buttons)? else { continue };
        let follows = |&other: &u16| {
            other == address || poked.iter().zip(&base).any(|(poked, base)| at(poked, other) != at(base, other))
        };
        if candidates.iter().all(follows) {
            sources.push(address);
        }
    }
    Ok(sources)
}

/// The byte of held buttons that the next poll compares with: a button poked into it is not new.
pub(super) fn held_buttons(
    lockstep: &mut Lockstep<'_>,
    from: &Savepoint,
    candidates: &[u16],
    new_buttons: u16,
) -> Result<Vec<u16>, Error> {
    let mut sources = Vec::new();
    for &address in candidates {
        let ram = one_frame(lockstep, from, &[(address, Buttons::A.bits())], Buttons::A)?;
        if ram.is_some_and(|ram| at(&ram, new_buttons) == 0) {
            sources.push(address);
        }
    }
    Ok(sources)
}

/// The byte that becomes the current piece at a spawn.
pub(super) fn next_piece(
    lockstep: &mut Lockstep<'_>,
    before_spawn: &Savepoint,
    candidates: &[u16],
    current: u16,
) -> Result<Vec<u16>, Error> {
    let mut sources = Vec::new();
    for &address in candidates {
        let other = spawn_ids().find(|&id| id != at(&before_spawn.ram, address)).expect("there are seven");
        let ram = one_frame(lockstep, before_spawn, &[(address, other)], Buttons::NONE)?;
        if ram.is_some_and(|ram| at(&ram, current) == other) {
            sources.push(address);
        }
    }
    Ok(sources)
}

/// The last pick, which the draw of a piece uses: with another value in it, the draw changes as the
/// formula says.
pub(super) fn last_pick(
    lockstep: &mut Lockstep<'_>,
    before_spawn: &Savepoint,
    candidates: &[u16],
    (rng, count): (u16, u16),
) -> Result<Vec<u16>, Error> {
    let ram = &before_spawn.ram;
    let randomizer = Randomizer::from_bytes([at(ram, rng), at(ram, rng + 1)]).clocked();
    let draw = |id| randomizer.draw(id, at(ram, count)).orientation.id();
    let mut sources = Vec::new();
    for &address in candidates {
        let usual = draw(at(ram, address));
        let Some(other) = spawn_ids().find(|&id| draw(id) != usual) else { continue };
        let sample = one_frame(lockstep, before_spawn, &[(address, other)], Buttons::NONE)?;
        if sample.is_some_and(|sample| at(&sample, address) == draw(other)) {
            sources.push(address);
        }
    }
    Ok(sources)
}

fn spawn_ids() -> impl Iterator<Item = u8> {
    Piece::ALL.iter().map(|piece| piece.spawn().id())
}

/// Is the byte written in every frame, for any value that it had?
pub(super) fn is_polled(lockstep: &mut Lockstep<'_>, from: &Savepoint, address: u16) -> Result<bool, Error> {
    let base = one_frame(lockstep, from, &[], Buttons::NONE)?;
    let poked = one_frame(lockstep, from, &[(address, 0xFF)], Buttons::NONE)?;
    let (Some(base), Some(poked)) = (base, poked) else { return Ok(false) };
    Ok(at(&poked, address) == at(&base, address) && equal_but_for(&poked, &base, address))
}

/// A stretch of the game in which scratch is looked for: buttons that are pressed from a savepoint
/// on, and what the console then shows.
pub(super) struct Stretch<'a> {
    from: &'a Savepoint,
    buttons: Vec<Buttons>,
    base: Vec<Ram>,
}

impl<'a> Stretch<'a> {
    /// These buttons for a frame, and then none.
    pub fn new(lockstep: &mut Lockstep<'_>, from: &'a Savepoint, pressed: Buttons) -> Result<Stretch<'a>, Error> {
        let buttons: Vec<_> =
            std::iter::once(pressed).chain(std::iter::repeat_n(Buttons::NONE, SCRATCH_FRAMES - 1)).collect();
        let base = lockstep.try_out(from, &[], &buttons)?.unwrap_or_default();
        Ok(Stretch { from, buttons, base })
    }
}

/// What becomes of a byte that nothing in the rules depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Something reads it before it is overwritten.
    Read,
    /// Nothing reads or writes it.
    Idle,
    /// It is overwritten before anything reads it.
    Overwritten,
}

/// How a byte is used in a stretch of the game.
pub(super) fn usage(lockstep: &mut Lockstep<'_>, stretch: &Stretch<'_>, address: u16) -> Result<Use, Error> {
    let poke = at(&stretch.from.ram, address) ^ MARK;
    let samples = lockstep.try_out(stretch.from, &[(address, poke)], &stretch.buttons)?;
    let Some(samples) = samples.filter(|samples| samples.len() == stretch.base.len()) else { return Ok(Use::Read) };
    if !samples.iter().zip(&stretch.base).all(|(sample, base)| equal_but_for(sample, base, address)) {
        return Ok(Use::Read);
    }
    let overwritten = samples.last().is_some_and(|last| at(last, address) != poke);
    Ok(if overwritten { Use::Overwritten } else { Use::Idle })
}

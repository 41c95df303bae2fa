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
/// Frames in which scratch must be overwritten: from the lock past the row checks and the spawn of the
/// next piece. Chosen by hand, not measured.
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

/// Of bytes that are always equal, the one that the others follow when it is poked.
pub(super) fn source(lockstep: &mut Lockstep<'_>, from: &Savepoint, candidates: &[u16]) -> Result<Vec<u16>, Error> {
    let Some(base) = one_frame(lockstep, from, &[], Buttons::NONE)? else { return Ok(Vec::new()) };
    let mut sources = Vec::new();
    for &address in candidates {
        let poke = (address, at(&from.ram, address) ^ 1);
        let Some(ram) = one_frame(lockstep, from, &[poke], Buttons::NONE)? else { continue };
        let follows = |&other: &u16| other == address || at(&ram, other) != at(&base, other);
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
        if sample.is_some_and(|sample| candidates.iter().all(|&twin| at(&sample, twin) == draw(other))) {
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

/// The frames without a poke, to compare with those of [`is_scratch`].
pub(super) fn scratch_base(lockstep: &mut Lockstep<'_>, lock: &Savepoint) -> Result<Vec<Ram>, Error> {
    Ok(lockstep.try_out(lock, &[], &[Buttons::NONE; SCRATCH_FRAMES])?.unwrap_or_default())
}

/// Is a byte scratch: overwritten before anything reads it, around a lock and a spawn?
pub(super) fn is_scratch(
    lockstep: &mut Lockstep<'_>,
    lock: &Savepoint,
    base: &[Ram],
    address: u16,
) -> Result<bool, Error> {
    let poke = at(&lock.ram, address) ^ MARK;
    let Some(samples) = lockstep.try_out(lock, &[(address, poke)], &[Buttons::NONE; SCRATCH_FRAMES])? else {
        return Ok(false);
    };
    let untouched = samples.iter().zip(base).all(|(sample, base)| equal_but_for(sample, base, address));
    let overwritten = samples.last().is_some_and(|last| at(last, address) != poke);
    Ok(untouched && overwritten)
}

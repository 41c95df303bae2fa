//! The plan of a piece as bytes, for a saved run.

use crate::game::control::ControlOutcome;
use crate::game::{Orientation, Piece, Placement, Playfield};
use crate::gamepad::{Buttons, InputTimeline};
use crate::planner::{Alternative, Cheat, Dodge, Effort, Foreseen, PieceWrite, Plan, PlannedLock, Promise};
use crate::state::{StateError, StateReader, StateWriter};

pub(super) fn write_plan(plan: &Plan, writer: &mut StateWriter) {
    // Field by field, so that a new field of a plan does not compile until it is saved.
    let Plan {
        placement,
        next_placement,
        timeline,
        cheat,
        promises,
        playfield,
        clears,
        lock,
        foreseen,
        value,
        alternatives,
        reachable,
        effort: Effort { plies, expansions, judged },
    } = plan;
    write_placement(writer, *placement);
    writer.option(*next_placement, write_placement);
    write_all(writer, timeline.frames(), |writer, buttons| writer.u8(buttons.bits()));
    writer.option(cheat.as_ref(), |writer, Cheat { writes, skips_clear }| {
        write_all(writer, writes, |writer, write| {
            write_placement(writer, write.place);
            writer.u8(write.fall_timer);
        });
        writer.bool(*skips_clear);
    });
    write_all(writer, promises, |writer, promise| {
        let Promise { x, y, orientation, outcome } = *promise;
        write_placement(writer, Placement { orientation, x, y });
        writer.bool(outcome == ControlOutcome::Landed);
    });
    write_playfield(playfield, writer);
    writer.u8(*clears);
    writer.option(*lock, |writer, PlannedLock { cycles, next_hidden, dodge }| {
        let Dodge { placement, pushdown, select } = dodge;
        writer.u32(cycles);
        [next_hidden, placement, pushdown, select].into_iter().for_each(|is| writer.bool(is));
    });
    writer.option(*foreseen, write_foreseen);
    writer.f64(*value);
    write_all(writer, alternatives, |writer, alternative| {
        write_placement(writer, alternative.placement);
        writer.f64(alternative.value);
    });
    writer.u64(*reachable as u64);
    writer.u8(*plies);
    writer.u64(*expansions);
    writer.u64(*judged);
}

pub(super) fn read_plan(reader: &mut StateReader<'_>) -> Result<Plan, StateError> {
    Ok(Plan {
        placement: read_placement(reader)?,
        next_placement: reader.option(read_placement)?,
        timeline: InputTimeline::new(read_all(reader, |reader| reader.u8().map(Buttons::from_bits))?),
        cheat: reader.option(|reader| {
            let writes =
                read_all(reader, |reader| Ok(PieceWrite { place: read_placement(reader)?, fall_timer: reader.u8()? }))?;
            Ok(Cheat { writes, skips_clear: reader.bool()? })
        })?,
        promises: read_all(reader, |reader| {
            let Placement { orientation, x, y } = read_placement(reader)?;
            let outcome = if reader.bool()? { ControlOutcome::Landed } else { ControlOutcome::Falling };
            Ok(Promise { x, y, orientation, outcome })
        })?,
        playfield: read_playfield(reader)?,
        clears: reader.u8()?,
        lock: reader.option(|reader| {
            let (cycles, next_hidden) = (reader.u32()?, reader.bool()?);
            let dodge = Dodge { placement: reader.bool()?, pushdown: reader.bool()?, select: reader.bool()? };
            Ok(PlannedLock { cycles, next_hidden, dodge })
        })?,
        foreseen: reader.option(read_foreseen)?,
        value: reader.f64()?,
        alternatives: read_all(reader, |reader| {
            Ok(Alternative { placement: read_placement(reader)?, value: reader.f64()? })
        })?,
        reachable: {
            let count = reader.u64()?;
            usize::try_from(count).map_err(|_| StateError::new("a number of placements", count.to_string()))?
        },
        effort: Effort { plies: reader.u8()?, expansions: reader.u64()?, judged: reader.u64()? },
    })
}

pub(super) fn write_foreseen(writer: &mut StateWriter, Foreseen { entry_delay, drawn }: Foreseen) {
    writer.u32(entry_delay);
    writer.u8(drawn.index() as u8);
}

pub(super) fn read_foreseen(reader: &mut StateReader<'_>) -> Result<Foreseen, StateError> {
    let entry_delay = reader.count()?;
    let index = reader.u8()?;
    let drawn = Piece::ALL.get(usize::from(index)).copied();
    let drawn = drawn.ok_or_else(|| StateError::new("a piece, 0 to 6", index.to_string()))?;
    Ok(Foreseen { entry_delay, drawn })
}

pub(super) fn write_playfield(playfield: &Playfield, writer: &mut StateWriter) {
    playfield.all_rows().iter().for_each(|&row| writer.u16(row));
}

pub(super) fn read_playfield(reader: &mut StateReader<'_>) -> Result<Playfield, StateError> {
    let mut playfield = Playfield::EMPTY;
    for row in -2..20 {
        let bits = reader.u16()?;
        playfield.set_row(row, bits);
        if playfield.row(row) != bits {
            return Err(StateError::new("a row of ten cells", format!("{bits:#06x}")));
        }
    }
    Ok(playfield)
}

fn write_placement(writer: &mut StateWriter, Placement { orientation, x, y }: Placement) {
    writer.u8(orientation.id());
    writer.i8(x);
    writer.i8(y);
}

fn read_placement(reader: &mut StateReader<'_>) -> Result<Placement, StateError> {
    let id = reader.u8()?;
    let orientation =
        Orientation::from_id(id).ok_or_else(|| StateError::new("an orientation, 0 to 18", id.to_string()))?;
    Ok(Placement { orientation, x: reader.i8()?, y: reader.i8()? })
}

fn write_all<T>(writer: &mut StateWriter, items: &[T], write: impl Fn(&mut StateWriter, &T)) {
    writer.u32(items.len() as u32);
    items.iter().for_each(|item| write(writer, item));
}

/// Reserves no memory for the count that it reads: a damaged count can be any number.
fn read_all<'a, T>(
    reader: &mut StateReader<'a>,
    read: impl Fn(&mut StateReader<'a>) -> Result<T, StateError>,
) -> Result<Vec<T>, StateError> {
    let count = reader.u32()?;
    let mut items = Vec::new();
    for _ in 0..count {
        items.push(read(reader)?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No two fields have the same value.
    fn plan() -> Plan {
        let place = |id, x, y| Placement { orientation: Orientation::from_id(id).expect("an id"), x, y };
        let promise = |id, outcome| Promise { orientation: place(id, 0, 0).orientation, x: -1, y: 17, outcome };
        let mut playfield = Playfield::EMPTY;
        [(-2, 9), (-1, 8), (0, 7), (19, 0)].iter().for_each(|&(row, column)| playfield.set(row, column));
        Plan {
            placement: place(1, 2, -3),
            next_placement: Some(place(18, 5, 19)),
            timeline: InputTimeline::new(vec![Buttons::LEFT, Buttons::NONE, Buttons::A]),
            cheat: Some(Cheat { writes: vec![PieceWrite { place: place(4, 6, 7), fall_timer: 8 }], skips_clear: true }),
            promises: vec![promise(9, ControlOutcome::Falling), promise(10, ControlOutcome::Landed)],
            playfield,
            clears: 11,
            lock: Some(PlannedLock {
                cycles: 29_000,
                next_hidden: true,
                dodge: Dodge { placement: false, pushdown: true, select: false },
            }),
            foreseen: Some(Foreseen { entry_delay: 20, drawn: Piece::L }),
            value: -12.5,
            alternatives: vec![
                Alternative { placement: place(13, 1, 2), value: 14.5 },
                Alternative { placement: place(12, 3, 4), value: 15.5 },
            ],
            reachable: 16,
            effort: Effort { plies: 17, expansions: 18, judged: 19 },
        }
    }

    fn written(plan: &Plan) -> Vec<u8> {
        let mut writer = StateWriter::default();
        write_plan(plan, &mut writer);
        writer.into_bytes()
    }

    #[test]
    fn a_plan_survives_saving_and_no_part_of_it_is_enough() {
        let honest = Plan { cheat: None, next_placement: None, lock: None, foreseen: None, ..plan() };
        for plan in [plan(), honest] {
            let bytes = written(&plan);
            let mut reader = StateReader::new(&bytes);
            let read = read_plan(&mut reader).expect("its own bytes");
            assert_eq!(format!("{read:?}"), format!("{plan:?}"));
            assert_eq!(reader.end(), Ok(()));
            for length in 0..bytes.len() {
                assert!(read_plan(&mut StateReader::new(&bytes[..length])).is_err(), "{length} bytes");
            }
        }
    }

    #[test]
    fn each_flag_of_a_lock_is_saved_by_itself() {
        for flag in 0..4 {
            let is = |place| place == flag;
            let dodge = Dodge { placement: is(0), pushdown: is(1), select: is(2) };
            let lock = Some(PlannedLock { cycles: 29_000, next_hidden: is(3), dodge });
            let bytes = written(&Plan { lock, ..plan() });
            assert_eq!(read_plan(&mut StateReader::new(&bytes)).expect("its own bytes").lock, lock);
        }
    }

    #[test]
    fn a_piece_that_is_none_and_a_row_of_more_than_ten_cells_are_refused() {
        let mut bytes = written(&plan());
        bytes[0] = 19;
        let error = read_plan(&mut StateReader::new(&bytes)).expect_err("no orientation").to_string();
        assert!(error.ends_with("expected an orientation, 0 to 18, found 19"), "{error}");
        let rows = [[0xFF, 0x03], [0x00, 0x04]].concat();
        let error = read_playfield(&mut StateReader::new(&rows)).expect_err("eleven cells").to_string();
        assert!(error.ends_with("expected a row of ten cells, found 0x0400"), "{error}");
    }
}

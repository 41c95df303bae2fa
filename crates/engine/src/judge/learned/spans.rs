//! The numbers of a net's spans as they are packed: in 8 bits, all with one step.

use super::dense::OUTPUTS;
use super::table::{LARGEST, greatest_divisor, narrow};

/// The step in 256ths with which all of these numbers fit into 8 bits: the largest one of which all are multiples, but no less
/// than `least` and than their size needs.
pub(super) fn step(rows: &[[i16; OUTPUTS]], least: u8) -> i16 {
    let numbers = || rows.iter().flatten().map(|number| number.unsigned_abs());
    let needed = numbers().max().unwrap_or(0).div_ceil(LARGEST as u16).min(i16::MAX as u16 / LARGEST as u16);
    let shared = numbers().fold(0, greatest_divisor).min(i16::MAX as u16);
    shared.max(needed).max(least.into()).max(1) as i16
}

/// What a number in steps stands for.
pub(super) fn widened(steps: i8, step: i16) -> i16 {
    i16::from(steps).saturating_mul(step)
}

/// The step with which nothing of these numbers is lost in 8 bits, if there is one.
pub(super) fn exact_step(rows: &[[i16; OUTPUTS]]) -> Option<i16> {
    let step = step(rows, 1);
    let is_exact = |&number: &i16| widened(narrow(number, step), step) == number;
    rows.iter().flatten().all(is_exact).then_some(step)
}

/// The same numbers as multiples of their [`step`]. With a least step of 1 nothing is lost: numbers for which 8 bits do not do
/// stay as they are.
pub(super) fn packed(rows: &[[i16; OUTPUTS]], least: u8) -> Vec<[i16; OUTPUTS]> {
    if least == 1 {
        return rows.to_vec();
    }
    let step = step(rows, least);
    rows.iter().map(|row| row.map(|number| widened(narrow(number, step), step))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_multiples_of_the_step_that_loses_least() {
        let of = |numbers: [i16; 3]| {
            let mut row = [0; OUTPUTS];
            row[..3].copy_from_slice(&numbers);
            row
        };
        for (numbers, least, expected, found) in [
            ([0, 0, 0], 2, 2, [0, 0, 0]),
            ([127, -3, 5], 2, 2, [128, -4, 4]),
            ([300, -3, 5], 2, 3, [300, -3, 6]),
            ([120, -30, 600], 2, 30, [120, -30, 600]),
            ([127, -3, 5], 4, 4, [128, -4, 4]),
            ([i16::MAX, i16::MIN, 130], 2, 258, [32_766, -32_766, 258]),
            ([i16::MIN, 0, 0], 2, i16::MAX, [-i16::MAX, 0, 0]),
        ] {
            let rows = [of([0; 3]), of(numbers)];
            assert_eq!(step(&rows, least), expected);
            let packed = packed(&rows, least);
            assert_eq!(packed, [of([0; 3]), of(found)]);
            assert_eq!(super::packed(&packed, least), packed, "they stay as they are");
            assert!(exact_step(&packed).is_some());
            assert_eq!(super::packed(&rows, 1), rows);
        }
        let exact = |numbers| exact_step(&[of(numbers)]);
        assert_eq!([exact([127, -3, 5]), exact([128, -3, 5]), exact([1270, -30, 20])], [Some(1), None, Some(10)]);
    }
}

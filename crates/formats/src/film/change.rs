//! What is different between two pictures.

use super::colour::Rgb;

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

impl Area {
    /// The pixels of the rectangle in a picture that is `width` pixels wide, row by row.
    pub(super) fn rows<'a>(&self, picture: &'a [Rgb], width: usize) -> impl Iterator<Item = &'a [Rgb]> + use<'a> {
        let (left, across) = (self.left, self.width);
        picture.chunks_exact(width).skip(self.top).take(self.height).map(move |row| &row[left..left + across])
    }
}

/// The smallest rectangle that holds every pixel that is not the same; `None` if all are.
pub(super) fn changed(before: &[Rgb], now: &[Rgb], width: usize) -> Option<Area> {
    let rows = || before.chunks_exact(width).zip(now.chunks_exact(width));
    let top = rows().position(|(before, now)| before != now)?;
    let bottom = rows().rposition(|(before, now)| before != now)?;
    let (mut left, mut right) = (width, 0);
    for (before, now) in rows().take(bottom + 1).skip(top) {
        let differs = |column: &usize| before[*column] != now[*column];
        if let Some(first) = (0..left).find(differs) {
            left = first;
        }
        if let Some(last) = (right..width).rfind(differs) {
            right = last;
        }
    }
    Some(Area { left, top, width: right + 1 - left, height: bottom + 1 - top })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDTH: usize = 9;
    const HEIGHT: usize = 7;

    #[test]
    fn the_same_picture_has_no_change() {
        let picture = [[1, 2, 3]; WIDTH * HEIGHT];
        assert_eq!(changed(&picture, &picture, WIDTH), None);
    }

    proptest! {
        #[test]
        fn the_rectangle_holds_every_change_and_touches_one_on_each_side(
            places in prop::collection::vec(0..WIDTH * HEIGHT, 1..6)
        ) {
            let before = [[0; 3]; WIDTH * HEIGHT];
            let mut now = before;
            for &place in &places {
                now[place] = [0, 0, 1];
            }
            let rows = places.iter().map(|at| at / WIDTH);
            let columns = places.iter().map(|at| at % WIDTH);
            let (left, right) = (columns.clone().min().unwrap(), columns.max().unwrap());
            let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
            let expected = Area { left, top, width: right + 1 - left, height: bottom + 1 - top };
            prop_assert_eq!(changed(&before, &now, WIDTH), Some(expected));
            let inside: Vec<Rgb> = expected.rows(&now, WIDTH).flatten().copied().collect();
            let changes = now.iter().filter(|pixel| **pixel != [0; 3]).count();
            prop_assert_eq!(inside.iter().filter(|pixel| **pixel != [0; 3]).count(), changes);
        }
    }
}

//! Gaps between taps, for hands that tap the first few times of a piece faster than later, and for
//! rates that are no whole number of frames.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The frames from one tap of a piece to its next: 1 to 8 gaps of 2 to 60 frames each. The first tap
/// may come at any time.
///
/// Its text has the gaps with `-` between them. After the last gap they begin anew: `2-3` is 24 Hz,
/// gaps of 2 and 3 frames in turn. With a `+` at the end the last gap is repeated instead: `2-2-2-5+`
/// is 30 Hz up to the fourth tap and 12 Hz from the fifth on.
///
/// A tap that does not move the piece does not count, and the hand never makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TapGaps {
    /// The gaps, and zeros after them.
    gaps: [u8; TapGaps::MOST],
    length: u8,
    /// Is the last gap repeated, rather than all?
    repeats_last: bool,
}

impl TapGaps {
    /// Most gaps.
    pub const MOST: usize = 8;
    /// The longest gap, in frames: that of 1 Hz.
    pub const LONGEST: u8 = 60;
    /// The shortest gap, in frames: that of 30 Hz. A button that goes down has to be up in the frame
    /// before.
    pub const SHORTEST: u8 = 2;

    /// `2+`: 30 Hz.
    pub const FASTEST: TapGaps = TapGaps { gaps: [2, 0, 0, 0, 0, 0, 0, 0], length: 1, repeats_last: true };

    /// `2-3`: 24 Hz, which is no whole number of frames.
    pub const HZ_24: TapGaps = TapGaps { gaps: [2, 3, 0, 0, 0, 0, 0, 0], length: 2, repeats_last: false };

    /// `2-2-2-5+`, by the name of `slow5` in published results: four taps at 30 Hz, and slow from the
    /// fifth on.
    ///
    /// How slow is not published. 12 Hz is a guess from the results: a hand of 24 Hz, whose fifth tap
    /// comes 10 frames after its first, did better there up to level 29, so that the fifth tap must come
    /// later than that. By these gaps it comes after 11.
    pub const SLOW5: TapGaps = TapGaps { gaps: [2, 2, 2, 5, 0, 0, 0, 0], length: 4, repeats_last: true };

    /// Number of different gaps, by their place: 1 to 8.
    pub const fn count(self) -> usize {
        self.length as usize
    }

    /// The frames of the gap at a place, from 0.
    pub const fn frames(self, place: usize) -> u8 {
        self.gaps[place]
    }

    /// The place of the gap that comes after the one at a place.
    pub const fn after(self, place: usize) -> usize {
        match (place + 1 < self.length as usize, self.repeats_last) {
            (true, _) => place + 1,
            (false, true) => place,
            (false, false) => 0,
        }
    }

    /// The place of the gap that comes after a number of taps and one more.
    pub fn place_after(self, taps: usize) -> usize {
        let last = self.count() - 1;
        if self.repeats_last { taps.min(last) } else { taps % self.count() }
    }

    /// The longest of the gaps, in frames.
    pub fn longest(self) -> u8 {
        self.gaps.into_iter().fold(0, u8::max)
    }

    /// Mean frames from tap to tap, over the first five taps of a piece: few pieces need more.
    pub fn mean_frames(self) -> f64 {
        let gaps = (0..4).map(|tap| f64::from(self.frames(self.place_after(tap))));
        gaps.sum::<f64>() / 4.0
    }
}

impl Display for TapGaps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gaps: Vec<String> = self.gaps[..self.count()].iter().map(u8::to_string).collect();
        formatter.pad(&(gaps.join("-") + if self.repeats_last { "+" } else { "" }))
    }
}

/// A text that is no gaps between taps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TapGapsError {
    /// A gap is no number of frames, or out of range.
    #[error(
        "a gap between taps is {least} to {most} frames, as in 2-3 or 2-2-2-5+, found {0:?}",
        least = TapGaps::SHORTEST,
        most = TapGaps::LONGEST
    )]
    Gap(String),
    /// There are more than a hand can have.
    #[error("expected at most {most} gaps between taps, found {0}", most = TapGaps::MOST)]
    TooMany(usize),
}

impl FromStr for TapGaps {
    type Err = TapGapsError;

    fn from_str(text: &str) -> Result<TapGaps, TapGapsError> {
        let (list, repeats_last) = text.strip_suffix('+').map_or((text, false), |list| (list, true));
        let length = list.split('-').count();
        if length > TapGaps::MOST {
            return Err(TapGapsError::TooMany(length));
        }
        let mut gaps = [0; TapGaps::MOST];
        for (gap, word) in gaps.iter_mut().zip(list.split('-')) {
            // Rust would read a plus sign, too.
            let frames = if word.starts_with('+') { None } else { word.parse().ok() };
            let frames = frames.filter(|frames| (TapGaps::SHORTEST..=TapGaps::LONGEST).contains(frames));
            *gap = frames.ok_or_else(|| TapGapsError::Gap(word.to_owned()))?;
        }
        Ok(TapGaps { gaps, length: length as u8, repeats_last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(text: &str) -> TapGaps {
        text.parse().expect(text)
    }

    /// The frames of the first taps of a piece that taps as fast as it can.
    fn taps(text: &str) -> Vec<u32> {
        let gaps = gaps(text);
        let (mut frame, mut place) = (0, 0);
        let mut taps = vec![frame];
        for tap in 0..8 {
            assert_eq!(gaps.place_after(tap), place);
            frame += u32::from(gaps.frames(place));
            taps.push(frame);
            place = gaps.after(place);
        }
        taps
    }

    #[test]
    fn taps_come_after_their_gaps() {
        assert_eq!(taps("2-3"), [0, 2, 5, 7, 10, 12, 15, 17, 20]);
        assert_eq!(taps("2-2-2-5+"), [0, 2, 4, 6, 11, 16, 21, 26, 31]);
        assert_eq!(taps("2+"), [0, 2, 4, 6, 8, 10, 12, 14, 16]);
        assert_eq!(taps("4"), taps("4+"));
        assert_eq!((gaps("2-3"), gaps("2-2-2-5+"), gaps("2+")), (TapGaps::HZ_24, TapGaps::SLOW5, TapGaps::FASTEST));
        assert_eq!([gaps("2-3"), gaps("2-2-2-5+"), gaps("2+")].map(TapGaps::mean_frames), [2.5, 2.75, 2.0]);
        assert_eq!((gaps("2-7-3").longest(), gaps("2-7-3").count()), (7, 3));
    }

    #[test]
    fn gaps_are_written_as_they_were_read() {
        for text in ["2", "2+", "2-3", "2-2-2-5+", "60-2-3-4-5-6-7-8+"] {
            assert_eq!(gaps(text).to_string(), text);
        }
    }

    #[test]
    fn a_text_that_is_no_gaps_is_refused_with_one_line() {
        for (text, words) in [
            ("2-1", "2 to 60 frames, as in 2-3 or 2-2-2-5+, found \"1\""),
            ("2-61", "found \"61\""),
            ("2-", "found \"\""),
            ("-2", "found \"\""),
            ("2--3", "found \"\""),
            ("2-+3", "found \"+3\""),
            ("2-3++", "found \"3+\""),
            ("2- 3", "found \" 3\""),
            ("2-2-2-2-2-2-2-2-2", "at most 8 gaps between taps, found 9"),
        ] {
            let error = text.parse::<TapGaps>().expect_err(text).to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}

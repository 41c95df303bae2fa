//! The formats of films, and the format that a file's name stands for.

use std::path::Path;

/// A format of films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilmFormat {
    /// Moving GIF: shown everywhere, at most 50 pictures a second.
    Gif,
    /// Animated PNG: every colour, every frame, shown by browsers.
    Apng,
    /// MP4, written by an installed ffmpeg.
    Mp4,
}

impl FilmFormat {
    /// All of them.
    pub const ALL: [FilmFormat; 3] = [FilmFormat::Gif, FilmFormat::Apng, FilmFormat::Mp4];

    /// The format that a file's name stands for, in upper or lower case.
    pub fn of_path(path: &Path) -> Option<FilmFormat> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "gif" => Some(FilmFormat::Gif),
            "png" | "apng" => Some(FilmFormat::Apng),
            "mp4" => Some(FilmFormat::Mp4),
            _ => None,
        }
    }

    /// The format in words.
    pub const fn name(self) -> &'static str {
        match self {
            FilmFormat::Gif => "GIF",
            FilmFormat::Apng => "PNG",
            FilmFormat::Mp4 => "MP4",
        }
    }

    /// The unit in which the format counts time, as a part of a second; `None` where pictures come
    /// at a constant rate.
    pub(super) const fn ticks_per_second(self) -> Option<u32> {
        match self {
            FilmFormat::Gif => Some(100),
            // The finest that still has room for six seconds in 16 bits.
            FilmFormat::Apng => Some(10_000),
            FilmFormat::Mp4 => None,
        }
    }

    /// The shortest showing of a picture, in seconds: browsers stretch shorter ones to a tenth.
    pub(super) const fn shortest_showing(self) -> f64 {
        match self {
            FilmFormat::Gif => 0.02,
            FilmFormat::Apng => 0.0101,
            FilmFormat::Mp4 => 0.001,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        let of = |name: &str| FilmFormat::of_path(Path::new(name));
        assert_eq!(of("a/game.gif"), Some(FilmFormat::Gif));
        assert_eq!(of("GAME.PNG"), Some(FilmFormat::Apng));
        assert_eq!(of("game.v2.apng"), Some(FilmFormat::Apng));
        assert_eq!(of("game.mp4"), Some(FilmFormat::Mp4));
        for name in ["game", "game.webm", ".gif", "gif", "game.gif.gz"] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}

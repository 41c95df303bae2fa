//! Pictures of simulated games and of training, as SVG or PNG.
//!
//! The same code draws a picture on both kinds of canvas. The font is built in, so a PNG looks the
//! same on every machine; an SVG keeps its text as text and names a sans-serif font. The same numbers
//! give the same bytes.
//!
//! The font, `DejaVuSans-subset.ttf` in `font`, is DejaVu Sans 2.37 cut down to Latin-1 and a
//! few signs; its licence is in `DejaVuSans-LICENSE.txt` beside it.
//!
//! ```no_run
//! use std::path::Path;
//!
//! let best = [(0.0, 81_000.0), (1.0, 240_000.0), (2.0, 395_000.0)];
//! maxout_lab::plot::curve(
//!     Path::new("training.svg"),
//!     "Training",
//!     "iteration",
//!     "mean points",
//!     &[("best particle".to_owned(), best.to_vec())],
//! )?;
//! # Ok::<(), maxout_lab::plot::Error>(())
//! ```

mod axis;
mod bitmap;
mod canvas;
mod chart;
mod colours;
mod curve;
mod error;
mod field;
mod numbers;
mod page;
mod placement;
#[cfg(test)]
mod sample;

use std::path::Path;

pub use error::Error;
pub use numbers::DrawnGames;
pub use placement::PlacementPicture;

/// Is this a name of a picture? To be checked before long work; nothing is written.
///
/// # Errors
/// When the name ends neither in `.svg` nor in `.png`.
pub fn check(path: &Path) -> Result<(), Error> {
    canvas::PictureFormat::of(path).map(|_| ())
}

/// Draws the games of one or several players on one page: the share of games above each number of
/// points (without pushdown), the histogram of the points, the lock rows, the first player's lock
/// cells, and the pieces between two perfect clears.
///
/// # Errors
/// When the name ends neither in `.svg` nor in `.png`, or the file cannot be written.
pub fn simulation(path: &Path, title: &str, players: Vec<(String, DrawnGames)>) -> Result<(), Error> {
    canvas::save(path, &page::Page::new(title, players))
}

/// Draws series of x and y as lines, such as the curves of a training; points that are not
/// finite are left out.
///
/// # Errors
/// As [`simulation`].
pub fn curve(
    path: &Path,
    title: &str,
    x_label: &str,
    y_label: &str,
    series: &[(String, Vec<(f64, f64)>)],
) -> Result<(), Error> {
    canvas::save(path, &curve::Curve::new(title, x_label, y_label, series))
}

/// Draws a playfield with a placement in it, and words about it.
///
/// # Errors
/// As [`simulation`].
pub fn placement(path: &Path, picture: &PlacementPicture) -> Result<(), Error> {
    canvas::save(path, picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::GameResult;
    use sample::{games, result};

    fn drawn(players: &[(String, &[GameResult])]) -> Vec<(String, DrawnGames)> {
        players.iter().map(|(name, games)| (name.clone(), games.iter().collect())).collect()
    }

    fn draw(name: &str, players: &[(String, &[GameResult])]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        simulation(&path, "A title", drawn(players)).unwrap();
        std::fs::read(path).unwrap()
    }

    fn svg(players: &[(String, &[GameResult])]) -> String {
        String::from_utf8(draw("page.svg", players)).unwrap()
    }

    #[test]
    fn the_extension_chooses_the_format() {
        let games = games(30, 1_200_000);
        let players = [("one".to_owned(), games.as_slice())];
        assert!(draw("a.svg", &players).starts_with(b"<svg "));
        assert!(draw("b.PNG", &players).starts_with(b"\x89PNG\r\n\x1a\n"));
        for name in ["page.jpg", "page", ".svg"] {
            let error = simulation(Path::new(name), "", drawn(&players)).unwrap_err().to_string();
            assert_eq!(error, format!("{name}: expected a name that ends in .svg or .png"));
            assert!(check(Path::new(name)).is_err());
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_one_line() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["page.svg", "page.png"] {
            let path = folder.path().join("missing").join(name);
            let error = simulation(&path, "", Vec::new()).unwrap_err().to_string();
            assert!(error.starts_with("cannot write ") && error.lines().count() == 1, "{error}");
        }
    }

    #[test]
    fn a_page_holds_the_title_the_players_and_the_panels() {
        let (strong, weak) = (games(300, 1_300_000), games(100, 500_000));
        let page = svg(&[("strong <1>".to_owned(), &strong), ("weak".to_owned(), &weak)]);
        for text in [
            "A title",
            "strong &lt;1&gt;",
            "weak",
            "Share of games above each number of points",
            "Histogram of points",
            "Lock rows",
            "Lock cells: strong &lt;1&gt;",
            "Pieces per perfect clear",
            "999,999",
            "400k",
            "1.2M",
            "100 %",
        ] {
            assert!(page.contains(&format!(">\n{text}\n<")), "{text}");
        }
        assert!(page.contains("sans-serif") && page.ends_with("</svg>\n"));
    }

    #[test]
    fn the_same_games_give_the_same_bytes() {
        let games = games(50, 900_000);
        let players = [("one".to_owned(), games.as_slice())];
        for name in ["a.svg", "a.png"] {
            assert!(draw(name, &players) == draw(name, &players), "{name}");
        }
    }

    #[test]
    fn no_games_give_a_page_that_says_so() {
        for page in [svg(&[]), svg(&[("nobody".to_owned(), &[])])] {
            assert!(page.contains(">\nno games\n<") && page.contains(">\nno locks\n<"), "{page}");
        }
        assert!(!draw("page.png", &[]).is_empty());
    }

    #[test]
    fn any_games_give_a_page() {
        let one = [result(123_456)];
        let nothing = [result(0), result(0)];
        let equal: Vec<_> = (0..100).map(|_| result(999_999)).collect();
        let huge = [result(u64::MAX), result(1)];
        let mut without_locks = [result(5_000)];
        (without_locks[0].lock_rows, without_locks[0].lock_cells) = Default::default();
        let all: [&[GameResult]; 5] = [&one, &nothing, &equal, &huge, &without_locks];
        for games in all {
            let players = [("one".to_owned(), games)];
            assert!(svg(&players).ends_with("</svg>\n"));
            assert!(draw("page.png", &players).starts_with(b"\x89PNG"));
        }
        let many: Vec<_> =
            (0..30).map(|number| (format!("{number} {}", "long ".repeat(40)), all[number % 5])).collect();
        assert!(svg(&many).contains('…'), "long names are cut");
    }

    #[test]
    fn perfect_clears_are_a_mean_or_none() {
        let without = [result(1_000)];
        let mut with = [result(1_000), result(2_000)];
        (with[0].perfect_clears, with[0].pieces, with[1].pieces) = (2, 2_000, 400);
        let page = svg(&[("with".to_owned(), &with), ("without".to_owned(), &without)]);
        assert!(page.contains(">\n1,200 (2 in 2,400 pieces)\n<"), "{page}");
        assert!(page.contains(">\nnone in 500 pieces\n<"), "{page}");
    }

    #[test]
    fn a_placement_is_drawn_where_it_locks() {
        use maxout_engine::game::{Piece, Placement, Playfield};
        let folder = tempfile::tempdir().unwrap();
        let at = |x, y| Some(Placement { orientation: Piece::O.spawn(), x, y });
        let picture = PlacementPicture {
            playfield: Playfield::drawn("#........."),
            best: at(5, 18),
            second: at(9, 18),
            title: "O <falls>".to_owned(),
            lines: vec![(Some(0), "1,000 points".to_owned()), (None, "tetris-ready".to_owned())],
        };
        let [svg, png] = ["a.svg", "a.png"].map(|name| folder.path().join(name));
        placement(&svg, &picture).unwrap();
        let text = std::fs::read_to_string(&svg).unwrap();
        for words in ["O &lt;falls&gt;", "1,000 points", "tetris-ready"] {
            assert!(text.contains(&format!(">\n{words}\n<")), "{words}: {text}");
        }
        placement(&png, &picture).unwrap();
        let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&png).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let width = reader.next_frame(&mut pixels).unwrap().width as usize;
        // The middle of the cell in row 18 and this column.
        let seen = |column: usize| {
            let pixel = 3 * ((48 + 48 * 18 + 24) * width + 48 + 48 * column + 24);
            [pixels[pixel], pixels[pixel + 1], pixels[pixel + 2]]
        };
        assert_eq!((seen(4), seen(5)), ([0x00, 0x72, 0xb2], [0x00, 0x72, 0xb2]));
        assert_ne!(seen(8), seen(2), "the second is shaded");
        assert_eq!(seen(2), [0xfa, 0xfa, 0xfc]);
    }

    #[test]
    fn a_curve_holds_its_labels() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curve.svg");
        let series = |points: &[(f64, f64)]| ("best & mean".to_owned(), points.to_vec());
        curve(&path, "Training", "iteration", "mean points", &[series(&[(0.0, 80_000.0), (40.0, 1_150_000.0)])])
            .unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for label in ["Training", "iteration", "mean points", "best &amp; mean", "400k", "1M", "20"] {
            assert!(text.contains(&format!(">\n{label}\n<")), "{label}");
        }
        let odd: [&[(f64, f64)]; 6] = [
            &[],
            &[(1.0, 1.0)],
            &[(f64::NAN, 1.0), (1.0, f64::INFINITY)],
            &[(0.0, -5.0), (1.0, -5.0)],
            &[(f64::MIN, f64::MAX), (f64::MAX, f64::MIN)],
            &[(1e18, 1e-300), (1e18 + 1.0, 2e-300)],
        ];
        for points in odd {
            for name in ["curve.svg", "curve.png"] {
                curve(&folder.path().join(name), "t", "x", "y", &[series(points)]).unwrap();
            }
        }
        curve(&path, "t", "x", "y", &[]).unwrap();
    }
}

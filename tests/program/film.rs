//! Films, decoded again: every picture is the one that was written, shown at its time.

#[path = "film/program.rs"]
mod program;
#[path = "film/shown.rs"]
mod shown;

use std::fs;
use std::path::Path;

use maxout_formats::film::{Film, FilmFormat, Reel, Rgb, enlarged};
use proptest::prelude::*;
use shown::Shown;

const RATE: f64 = 60.0988;
const WIDTH: usize = 24;
const HEIGHT: usize = 17;

/// Pictures that differ in some places, now and then in nothing or everywhere.
fn pictures(changes: &[(usize, u8, u8)]) -> Vec<Vec<Rgb>> {
    let mut picture = vec![[9, 9, 9]; WIDTH * HEIGHT];
    let mut all = Vec::new();
    for &(place, kind, colour) in changes {
        let place = place % picture.len();
        match kind % 8 {
            0..3 => {}
            3..6 => picture[place] = [colour, 0, colour / 2],
            6 => picture[place..(place + 40).min(WIDTH * HEIGHT)].fill([0, colour, 30]),
            _ => picture.fill([colour; 3]),
        }
        all.push(picture.clone());
    }
    all
}

fn film(path: &Path, reel: &Reel, pictures: &[Vec<Rgb>]) {
    let mut film = Film::create(path, reel).expect("a film");
    for picture in pictures {
        film.frame(|| Ok(picture.clone())).expect("written");
    }
    film.finish().expect("written");
}

fn reel(format: FilmFormat) -> Reel {
    Reel::new(WIDTH as u32, HEIGHT as u32, RATE, format)
}

fn ticks_per_second(format: FilmFormat) -> f64 {
    if format == FilmFormat::Gif { 100.0 } else { 10_000.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_kept_frame_is_shown_pixel_for_pixel_at_its_moment(
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..90),
        (speed, more, scale) in (1..=5_u32, 0..=3_u32, 1..=3_u32),
        known in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let pictures = pictures(&changes);
        for (format, name, fewest) in [(FilmFormat::Gif, "f.gif", 1.202), (FilmFormat::Apng, "f.png", 0.607)] {
            let path = folder.path().join(name);
            let every = (fewest * f64::from(speed)).ceil() as u32 + more;
            let colours = if known { pictures[0].clone() } else { Vec::new() };
            let reel = reel(format).with_colours(colours).at_speed(speed).unwrap().keeping(every).unwrap();
            film(&path, &reel.scaled(scale).unwrap(), &pictures);
            let shown = Shown::read(&path);
            prop_assert_eq!(shown.width, WIDTH * scale as usize);
            let tick = |frame: usize| frame as f64 / (RATE * f64::from(speed)) * ticks_per_second(format);
            for (frame, picture) in pictures.iter().enumerate().step_by(every as usize) {
                let expected = enlarged(picture, WIDTH, scale as usize);
                // A film may end within the tick of its last frame.
                let moment = (tick(frame).round() as u64).min(shown.ticks() - 1);
                prop_assert!(shown.at(moment) == expected, "{} frame {}", name, frame);
            }
            // The last picture is shown for at least the shortest time of the format, counted from its
            // frame.
            let kept: Vec<usize> = (0..pictures.len()).step_by(every as usize).collect();
            let came = kept.windows(2).rev().find(|pair| pictures[pair[0]] != pictures[pair[1]]);
            let last = came.map_or(0, |pair| pair[1]);
            let shortest = if format == FilmFormat::Gif { 2.0 } else { 101.0 };
            let expected = tick(pictures.len()).max(tick(last) + shortest);
            prop_assert!((shown.ticks() as f64 - expected).abs() <= 1.0, "{} of {}", shown.ticks(), expected);
        }
    }
}

#[test]
fn a_film_of_ten_minutes_lasts_ten_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let frames = 36_059;
    for (format, name) in [(FilmFormat::Gif, "long.gif"), (FilmFormat::Apng, "long.png")] {
        let path = folder.path().join(name);
        let mut film = Film::create(&path, &reel(format)).unwrap();
        for frame in 0..frames {
            // One pixel moves and stops for ten seconds on its way.
            let at = if (5000..5600).contains(&frame) { 5000 } else { frame } % (WIDTH * HEIGHT);
            let picture = || {
                let mut picture = vec![[0; 3]; WIDTH * HEIGHT];
                picture[at] = [255; 3];
                Ok(picture)
            };
            film.frame(picture).unwrap();
        }
        film.finish().unwrap();
        let shown = Shown::read(&path);
        let seconds = shown.ticks() as f64 / ticks_per_second(format);
        assert!((seconds - frames as f64 / RATE).abs() <= 1.0 / ticks_per_second(format), "{name}: {seconds}");
    }
}

#[test]
fn an_unfinished_film_can_be_read_after_every_picture() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<_> = (0..60).map(|frame| (frame * 7, 5, frame as u8)).collect();
    let all = pictures(&all);
    for (format, name) in [(FilmFormat::Gif, "f.gif"), (FilmFormat::Apng, "f.png")] {
        let path = folder.path().join(name);
        let mut film = Film::create(&path, &reel(format)).unwrap();
        for (frame, picture) in all.iter().enumerate() {
            film.frame(|| Ok(picture.clone())).unwrap();
            // The file as another program finds it now, or after the writer was killed.
            if frame > 3 {
                let shown = Shown::read(&path);
                let kept = if format == FilmFormat::Gif { 2 } else { 1 };
                assert_eq!(shown.pictures.len(), frame / kept, "{name}: all but the one that is on show");
            }
        }
        drop(film);
        let shown = Shown::read(&path);
        assert!(
            shown.pictures.last().is_some_and(
                |(picture, _)| Some(picture) == all.iter().rev().nth(usize::from(format == FilmFormat::Gif))
            )
        );
    }
}

#[test]
fn pictures_with_too_many_colours_for_a_gif_keep_the_frequent_colours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.gif");
    // 408 pixels, 300 of them with a unique colour.
    let picture: Vec<Rgb> =
        (0..WIDTH * HEIGHT).map(|at| if at < 300 { [at as u8, (at / 256) as u8, 40] } else { [200; 3] }).collect();
    film(&path, &reel(FilmFormat::Gif), &[picture.clone(), picture.clone()]);
    let shown = Shown::read(&path);
    let found = &shown.pictures[0].0;
    assert!(found[300..].iter().all(|&pixel| pixel == [200; 3]));
    let exact = found.iter().zip(&picture).take(300).filter(|(found, expected)| found == expected).count();
    assert_eq!(exact, 254, "and one place for what has not changed");
    for (found, expected) in found.iter().zip(&picture) {
        assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 50), "{found:?} for {expected:?}");
    }
}

#[test]
fn only_frames_that_are_kept_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let mut film = Film::create(&folder.path().join("f.gif"), &reel(FilmFormat::Gif).keeping(4).unwrap()).unwrap();
    let mut drawn = Vec::new();
    for frame in 0..10 {
        film.frame(|| {
            drawn.push(frame);
            Ok(vec![[0; 3]; WIDTH * HEIGHT])
        })
        .unwrap();
    }
    assert_eq!(drawn, [0, 4, 8]);
    let error = film.frame(|| Ok(vec![[0; 3]; 5])).and(film.frame(|| Ok(vec![]))).and(film.frame(|| Ok(vec![])));
    let error = format!("{:#}", anyhow::Error::from(error.unwrap_err()));
    assert!(error.contains("f.gif: expected a picture of 408 pixels, found 0"), "{error}");
}

#[test]
fn a_path_that_cannot_be_written_is_one_clear_line() {
    let reels = FilmFormat::ALL.map(|format| (format, Path::new("/no/such/folder/game")));
    for (format, path) in reels {
        let error = Film::create(path, &reel(format)).map(drop).unwrap_err();
        let error = format!("{:#}", anyhow::Error::from(error));
        assert!(error.starts_with("cannot write the recording /no/such/folder/game: ") && error.lines().count() == 1);
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_an_error_and_a_pipe_gets_a_whole_gif() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let write = |format, frames: usize, reader: fn(&Path) -> Vec<u8>| {
        std::thread::scope(|scope| {
            let read = scope.spawn(|| reader(&pipe));
            let mut film = Film::create(&pipe, &reel(format)).unwrap();
            let mut result = Ok(());
            for frame in 0..frames {
                let mut picture = vec![[0; 3]; WIDTH * HEIGHT];
                picture[frame % 400] = [frame as u8; 3];
                result = film.frame(|| Ok(picture));
                if result.is_err() {
                    break;
                }
            }
            let result = result.and(film.finish()).map_err(|error| format!("{:#}", anyhow::Error::from(error)));
            // The reader reaches the end when the pipe is closed.
            drop(film);
            (result, read.join().unwrap())
        })
    };
    let (result, bytes) = write(FilmFormat::Gif, 2000, |pipe| fs::read(pipe).unwrap());
    assert_eq!(result, Ok(()));
    let shown = Shown::gif(&bytes);
    assert_eq!((shown.pictures.len(), bytes.last()), (1000, Some(&0x3B)));
    // Far more than a pipe holds, so that the error is seen even if the reader closes late.
    let (result, _) = write(FilmFormat::Gif, 1_000_000, |pipe| {
        let opened = fs::File::open(pipe).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        drop(opened);
        Vec::new()
    });
    assert!(result.is_err_and(|error| error.contains("Broken pipe")));
    let (result, _) = write(FilmFormat::Apng, 2000, |pipe| fs::read(pipe).unwrap());
    assert!(result.is_err_and(|error| error.contains("expected a file, found a pipe")));
}

#[test]
fn a_film_may_be_written_by_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Film>();
}

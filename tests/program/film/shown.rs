//! Films decoded by the crates that read them.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use maxout_formats::film::{FilmFormat, Rgb};

/// How many pictures an animated PNG names that is not finished.
const UNFINISHED: u32 = 1 << 20;

/// A film as a player shows it: pictures, and for how many ticks each.
pub struct Shown {
    pub width: usize,
    pub pictures: Vec<(Vec<Rgb>, u64)>,
}

impl Shown {
    pub fn read(path: &Path) -> Shown {
        let bytes = fs::read(path).expect("a film");
        match FilmFormat::of_path(path) {
            Some(FilmFormat::Gif) => Shown::gif(&bytes),
            _ => Shown::png(&bytes),
        }
    }

    pub fn gif(bytes: &[u8]) -> Shown {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a GIF");
        let width = usize::from(decoder.width());
        let mut canvas = vec![[0; 3]; width * usize::from(decoder.height())];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
            let rgba = frame.buffer.as_chunks::<4>().0;
            for (row, pixels) in rgba.chunks_exact(usize::from(frame.width)).enumerate() {
                let start = (usize::from(frame.top) + row) * width + usize::from(frame.left);
                for (pixel, [r, g, b, alpha]) in canvas[start..].iter_mut().zip(pixels) {
                    if *alpha != 0 {
                        *pixel = [*r, *g, *b];
                    }
                }
            }
            pictures.push((canvas.clone(), u64::from(frame.delay)));
        }
        Shown { width, pictures }
    }

    fn png(bytes: &[u8]) -> Shown {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let frames = reader.info().animation_control().expect("an animation").num_frames;
        let mut canvas = vec![[0; 3]; width * height];
        let mut pictures = Vec::new();
        for _frame in 0..frames {
            let mut buffer = vec![0; reader.output_buffer_size().expect("it fits")];
            // A film that is not finished names more pictures than it has.
            match reader.next_frame(&mut buffer) {
                Err(_) if frames == UNFINISHED && !pictures.is_empty() => break,
                read => read.expect("a frame"),
            };
            let control = *reader.info().frame_control().expect("its place");
            assert_eq!((control.dispose_op, control.blend_op), (png::DisposeOp::None, png::BlendOp::Source));
            assert_eq!(control.delay_den, 10_000);
            let (left, top) = (control.x_offset as usize, control.y_offset as usize);
            let (across, down) = (control.width as usize, control.height as usize);
            let rows = buffer.as_chunks::<3>().0.chunks_exact(across).take(down);
            for (row, pixels) in rows.enumerate() {
                canvas[(top + row) * width + left..][..across].copy_from_slice(pixels);
            }
            pictures.push((canvas.clone(), u64::from(control.delay_num)));
        }
        Shown { width, pictures }
    }

    pub fn ticks(&self) -> u64 {
        self.pictures.iter().map(|(_, ticks)| ticks).sum()
    }

    /// The picture that is shown at a time.
    pub fn at(&self, tick: u64) -> &[Rgb] {
        let mut until = 0;
        let found = self.pictures.iter().find(|(_, ticks)| {
            until += ticks;
            tick < until
        });
        &found.unwrap_or_else(|| panic!("nothing at {tick}")).0
    }
}

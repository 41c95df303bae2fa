//! From a drawing to a file.

use std::io;
use std::path::Path;

use ab_glyph::FontRef;
use plotters::coord::Shift;
use plotters::prelude::{BitMapBackend, DrawingArea, DrawingBackend, IntoDrawingArea, SVGBackend};
use plotters::style::FontStyle;

use super::bitmap::Bitmap;
use super::error::Error;
use maxout_formats::whole;

/// The font of every word: what an SVG names, and the name of the built-in one.
pub const FAMILY: &str = "'DejaVu Sans',Verdana,Arial,sans-serif";
const FONT: &[u8] = include_bytes!("../../font/DejaVuSans-subset.ttf");

/// The result of drawing on a canvas.
pub type Drawn<DB, T = ()> = Result<T, plotters::drawing::DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Something that can be drawn on any canvas.
pub trait Plot {
    /// Width and height in units; half a pixel each in an SVG, a whole one in a PNG.
    fn size(&self) -> (u32, u32);

    /// Draws on a white canvas of that size.
    fn draw<DB: DrawingBackend>(&self, canvas: &DrawingArea<DB, Shift>) -> Drawn<DB>;
}

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Svg,
    Png,
}

impl PictureFormat {
    /// By the extension.
    pub fn of(path: &Path) -> Result<PictureFormat, Error> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(PictureFormat::Svg),
            Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(PictureFormat::Png),
            _ => Err(Error::Extension { path: path.to_owned() }),
        }
    }
}

/// Draws a picture and writes it.
pub fn save(path: &Path, picture: &impl Plot) -> Result<(), Error> {
    let format = PictureFormat::of(path)?;
    let draw = |reason: String| Error::Draw { path: path.to_owned(), reason };
    // Needed for the sizes of text, even where the text is not drawn.
    plotters::style::register_font(FAMILY, FontStyle::Normal, FONT)
        .map_err(|_| draw("the built-in font cannot be read".to_owned()))?;
    let bytes = match format {
        PictureFormat::Svg => svg(picture).map_err(draw)?,
        PictureFormat::Png => png(picture).map_err(draw)?,
    };
    whole::replace(path, &bytes).map_err(|error| Error::Write { path: path.to_owned(), error })
}

fn paint<DB: DrawingBackend>(backend: DB, picture: &impl Plot) -> Drawn<DB> {
    let canvas = backend.into_drawing_area();
    canvas.fill(&plotters::style::WHITE)?;
    picture.draw(&canvas)?;
    canvas.present()
}

fn svg(picture: &impl Plot) -> Result<Vec<u8>, String> {
    let (width, height) = picture.size();
    let mut text = String::new();
    paint(SVGBackend::with_string(&mut text, (width, height)), picture).map_err(|error| error.to_string())?;
    // Coordinates are whole numbers: shown at half their size they are twice as fine.
    let whole = format!(r#"width="{width}" height="{height}""#);
    Ok(text.replacen(&whole, &format!(r#"width="{}" height="{}""#, width / 2, height / 2), 1).into_bytes())
}

fn png(picture: &impl Plot) -> Result<Vec<u8>, String> {
    let (width, height) = picture.size();
    let mut pixels = vec![0; width as usize * height as usize * 3];
    let font = FontRef::try_from_slice(FONT).map_err(|error| error.to_string())?;
    let backend = Bitmap::new(BitMapBackend::with_buffer(&mut pixels, (width, height)), font);
    paint(backend, picture).map_err(|error| error.to_string())?;
    encode(&pixels, width, height).map_err(|error| error.to_string())
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = vec![];
    let mut encoder = png::Encoder::new(io::Cursor::new(&mut bytes), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

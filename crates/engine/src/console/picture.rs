//! One frame of video.

/// Does a console draw pictures?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Video {
    /// No: a few percent faster.
    Off,
    /// Yes: [`Console::picture`](super::Console::picture) has a picture.
    On,
}

/// A picture of 256 by 240 pixels, row by row from the top left, as red, green, blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The pixels.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Pixels in a row.
    pub const WIDTH: usize = 256;
    /// Rows.
    pub const HEIGHT: usize = 240;
}

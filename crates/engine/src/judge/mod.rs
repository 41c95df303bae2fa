//! Who judges playfields: by hand-made features, or by a learned net.

pub mod handmade;
pub mod learned;

//! A picture without its metadata.

/// A picture without its metadata, and its size in pixels.
pub(super) struct Stripped {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

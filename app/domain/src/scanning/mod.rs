//! Codes that a scanner reads, or that somebody types: what they mean before any look-up. Also for the browser.

mod check_digits;
mod code;
mod command;
#[cfg(test)]
mod tests;

pub use code::{MAX_CODE_CHARS, ScannedCode, label_barcode};
pub use command::{MAX_COUNT, ScanCommand};

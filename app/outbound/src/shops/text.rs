//! Texts of a shop, cut to what the contract allows rather than rejecting the order because of them.

/// The longest text, in characters.
const MAX_TEXT_CHARS: usize = 500;
/// The longest line of an address, in characters.
const MAX_ADDRESS_LINE_CHARS: usize = 200;

/// A text on one line, without the spaces around it.
pub(super) fn bounded_text(text: &str) -> String {
    bounded(text, MAX_TEXT_CHARS)
}

/// A line of an address.
pub(super) fn address_line(text: &str) -> String {
    bounded(text, MAX_ADDRESS_LINE_CHARS)
}

fn bounded(text: &str, max_chars: usize) -> String {
    text.replace(char::is_control, " ").trim().chars().take(max_chars).collect()
}

/// Whether it is a complete URL: shops without an asset server have paths, or nothing.
pub(super) fn is_web_url(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

//! The names of all server functions.

/// Every server function, with the page to show if somebody opens its address.
pub const NAMES: [(&str, &str); 13] = [
    ("answer", "details"),
    ("cancel", "returns"),
    ("choose", "purchases"),
    ("gift", "gift"),
    ("is-waiting", "returns"),
    ("leave", ""),
    ("link", "link"),
    ("look-up", ""),
    ("pay", "returns"),
    ("ship", "review"),
    ("submit", "review"),
    ("withdraw", "withdraw"),
    ("withdraw-confirm", "withdraw/confirm"),
];

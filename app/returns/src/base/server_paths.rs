//! The server's own paths.

/// The first segments of the server's own paths. Every host answers them alike, and no account's slug is one of them.
pub const SERVER_PATHS: [&str; 9] =
    ["api", "auth", "consumer", "demo", "embed.js", "favicon.svg", "health", "metrics", "pkg"];

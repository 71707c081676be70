//! The portal's writes: one `#[server]` function for each, one file a step, compiled for both sides.
//!
//! A plain form and an island call the same function, at `POST /{slug}/call/{name}` (`/call/{name}` at a host of the shop's
//! own). A form gets a redirect or a page, an island gets JSON: [`Next`] or [`Problem`]. What the server does behind a
//! function is in `http`, beside the page that shows its outcome.
//!
//! To add a function: a file here with its arguments, what was typed and its mistakes; the step in `http`; its name in
//! [`NAMES`]. Give each argument `#[server(default)]`: what a form leaves out is then a mistake that the page shows.

#![allow(missing_docs)] // the macro makes items that cannot bear any
#![allow(clippy::unused_async)] // of what the macro makes for the browser

mod answer;
mod cancel;
mod choose;
pub mod gift;
mod is_waiting;
mod json;
mod leave;
pub mod link;
pub mod look_up;
mod pay;
mod problem;
mod ship;
mod submit;
mod transport;
pub mod withdraw;

pub use answer::*;
pub use cancel::*;
pub use choose::*;
pub use is_waiting::*;
pub use leave::*;
pub use pay::*;
pub use problem::{Changed, NextPage, Problem};
pub use ship::*;
pub use submit::*;

/// Every function, with the page that somebody comes back to who opens its address.
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

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use leptos::server_fn::axum::server_fn_paths;
    use std::collections::BTreeSet;

    #[test]
    fn the_registered_functions_are_those_that_are_named() {
        let registered: BTreeSet<_> =
            server_fn_paths().map(|(path, method)| (path.to_owned(), method.to_string())).collect();
        let named = NAMES.map(|(name, _)| (format!("/call/{name}"), "POST".to_owned()));
        assert_eq!(registered, BTreeSet::from(named));
    }
}

//! The portal's writes: one `#[server]` function each, in a file of its own, compiled for both sides.
//!
//! A plain form and an island call the same function, at `POST /{slug}/call/{name}` (`/call/{name}` at the shop's own host). A form
//! gets a redirect or a page, an island gets JSON: [`NextPage`](crate::forms::problem::NextPage) or
//! [`Problem`](crate::forms::problem::Problem). The body of a function calls one step in `steps`.
//!
//! To add a function: a file here with its arguments, its fields and mistakes in [`forms`](crate::forms), its step in `steps`, its name
//! in [`names`]. Give each argument `#[server(default)]`: a field that a form omits is then a mistake that the page shows.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]
#![allow(clippy::unused_async, reason = "the macro makes async functions for the browser")]

pub mod answer;
#[cfg(feature = "ssr")]
pub(crate) mod call;
pub mod cancel;
pub mod choose;
pub mod gift;
pub mod is_waiting;
pub mod leave;
pub mod link;
pub mod look_up;
pub mod names;
pub mod pay;
#[cfg(feature = "ssr")]
pub(crate) mod route;
pub mod ship;
pub mod shipped;
#[cfg(feature = "ssr")]
pub(crate) mod steps;
pub mod submit;
pub mod withdraw;

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::names::NAMES;
    use leptos::server_fn::axum::server_fn_paths;
    use std::collections::BTreeSet;

    #[test]
    fn every_registered_function_is_named() {
        let registered: BTreeSet<_> =
            server_fn_paths().map(|(path, method)| (path.to_owned(), method.to_string())).collect();
        let named = NAMES.map(|(name, _)| (format!("/call/{name}"), "POST".to_owned()));
        assert_eq!(registered, BTreeSet::from(named));
    }
}

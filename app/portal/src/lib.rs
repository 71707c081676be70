//! The shopper's portal: `/{slug}` look an order up → `/{slug}/purchases` choose what goes back → `/{slug}/review`
//! see what it costs and send it → `/{slug}/returns/{id}` label, code, what happens next.
//!
//! A page is a document. Its handler (`http`) asks the use cases, decides about status and redirects, and fills
//! in a plain struct; a component (`pages`) makes a view of it; [`render`](http) makes HTML of that. Each write is a
//! server function ([`calls`]), which forms and islands call alike. A form is answered by a redirect (Post/Redirect/Get):
//! reloading or going back sends nothing twice, and everything works without scripting. What was typed, and which
//! mistakes it had, is kept in the session as codes.
//!
//! To add a page: its struct and component in `pages`, its words in `words`, a handler in `http` that fills the
//! struct, a line in [`router`]. Only what moves under the shopper's fingers is an island ([`islands`]): it
//! depends on `domain` alone, is written once for both sides, and the page must work without it.
//!
//! Features: `ssr` for the server, `hydrate` for the browser, `bench` for what measures rendering.

#![recursion_limit = "256"] // a view's type is as deep as the view
#![allow(clippy::needless_pass_by_value)] // components own their properties

#[cfg(feature = "ssr")]
mod brand;
pub mod calls;
pub mod choice;
mod components;
pub mod estimate;
#[cfg(feature = "ssr")]
mod following;
#[cfg(feature = "ssr")]
mod http;
pub mod islands;
#[cfg(feature = "ssr")]
mod mail;
pub mod money;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod promises;
pub mod receipt;
pub mod words;

#[cfg(feature = "bench")]
pub use http::answer_with;
#[cfg(feature = "ssr")]
pub use http::{
    MixesSecrets, by_host, not_found, not_read, router, session_id, shopper, sorry, too_many, within_sessions,
};
#[cfg(feature = "ssr")]
pub use mail::Writer;
#[cfg(feature = "ssr")]
pub use words::check_wording;

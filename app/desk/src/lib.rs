//! The desk: the pages of a merchant's staff, under `/desk` or on a host of its own.
//!
//! The lowest folder first; each imports only from the ones before it:
//!
//! | folder | content | built for |
//! |---|---|---|
//! | `words` | the texts, one table for each page | server |
//! | [`problem`] | why a server function does not succeed | both |
//! | `mail` | mails to users | server |
//! | [`keys`] | keys of the desk | both |
//! | `frame` | the HTML document around a page: navigation, person's menu, headers | server |
//! | `visit` | a request: the person, their session, language and choices; error pages | server |
//! | `components` | what pages are made of | server |
//! | [`calls`] | the server functions | both |
//! | [`islands`] | what scripting adds | both |
//! | [`presence`] | the island that calls a server function | both |
//! | `pages` | one folder a page: `load` calls the use cases and fills a struct, `view` renders it | server |
//! | `route` | how forms and islands reach the server functions | server |
//! | `router` | the routes | server |
//!
//! A page is a document, and each form works without scripting. A form posts to a server function; see [`calls`] for how it is
//! answered. To add a page: a folder in `pages`, its texts in `words`, its style sheet in `style/desk`, a line in `router` and, for the
//! navigation, one in `frame/navigation.rs`.
//!
//! Features: `ssr` for the server, `hydrate` for the browser.

#![allow(clippy::needless_pass_by_value)] // components own their properties

pub mod calls;
#[cfg(feature = "ssr")]
mod components;
#[cfg(feature = "ssr")]
mod frame;
#[cfg(feature = "ssr")]
mod host;
pub mod islands;
pub mod keys;
#[cfg(feature = "ssr")]
mod mail;
#[cfg(feature = "ssr")]
mod pages;
pub mod presence;
pub mod problem;
#[cfg(feature = "ssr")]
mod route;
#[cfg(feature = "ssr")]
mod router;
#[cfg(feature = "ssr")]
mod visit;
#[cfg(feature = "ssr")]
mod words;

#[cfg(feature = "ssr")]
pub use host::{DeskHost, by_host, owns};
#[cfg(feature = "ssr")]
pub use mail::staff_letter;
#[cfg(feature = "ssr")]
pub use router::router;
#[cfg(feature = "ssr")]
pub use visit::{
    error_pages::{not_read, sorry, too_many},
    session::{caller, session_token},
};

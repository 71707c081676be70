//! The shopper's portal: `/{slug}` looks an order up → `/{slug}/purchases` selects items → `/{slug}/review` shows the costs and
//! submits → `/{slug}/returns/{id}` shows label, code and progress.
//!
//! The lowest folder first; each imports only from the ones before it:
//!
//! | folder | content | built for |
//! |---|---|---|
//! | [`words`] | the texts, in eight languages and in a merchant's own words | both |
//! | [`forms`] | what forms contain, and what can be wrong with it | both |
//! | [`amounts`] | receipts and estimates | both |
//! | `frame` | the HTML document around a page, the shop's theme | server |
//! | `visit` | a request: its shop, session, language, frame; error pages | server |
//! | `progress` | where a return stands, in words: for its page and its mail | server |
//! | `selection` | from a selection to a draft | server |
//! | [`calls`] | the server functions, and their steps on the server | both |
//! | [`islands`] | what moves under the shopper's fingers | both |
//! | `pages` | one folder a page: `load` calls the use cases and fills a struct, `view` renders it | server |
//! | `mail` | mail about a return | server |
//! | `router` | the routes | server |
//!
//! A page is a document. Each write is a server function, called by forms and islands alike. A form gets a redirect
//! (Post/Redirect/Get): reloading or going back sends nothing twice, and everything works without scripting. The session stores what
//! was typed, and its mistakes as codes.
//!
//! To add a page: a folder in `pages`, its texts in `words`, a line in `router`. To add a write: see [`calls`]. Only what reacts
//! while a shopper types is an island; the page works without it.
//!
//! Features: `ssr` for the server, `hydrate` for the browser, `bench` for measuring rendering.

#![allow(clippy::needless_pass_by_value)] // components own their properties

#[cfg(feature = "ssr")]
mod acknowledgement;
pub mod amounts;
pub mod calls;
pub mod forms;
#[cfg(feature = "ssr")]
mod frame;
pub mod islands;
#[cfg(feature = "ssr")]
mod mail;
#[cfg(feature = "ssr")]
mod own_host;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod progress;
#[cfg(feature = "ssr")]
mod router;
#[cfg(feature = "ssr")]
mod selection;
#[cfg(feature = "ssr")]
mod visit;
pub mod words;

#[cfg(feature = "bench")]
pub use frame::render::answer_with;
#[cfg(feature = "ssr")]
pub use mail::{StaffTexts, Writer};
#[cfg(feature = "ssr")]
pub use own_host::by_host;
#[cfg(feature = "ssr")]
pub use pages::look_up::load::MixesSecrets;
#[cfg(feature = "ssr")]
pub use router::{router, within_sessions};
#[cfg(feature = "ssr")]
pub use visit::{
    error_pages::{not_found, not_read, sorry, too_many},
    session::{session_id, shopper},
};
#[cfg(feature = "ssr")]
pub use words::check_wording;

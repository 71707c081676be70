//! A request to the portal: who sends it, to which shop, with which session, language and frame.

pub mod at_own_host;
pub mod browser;
pub mod embedded;
pub mod error_pages;
pub mod form;
pub mod headers;
pub mod language;
pub mod own_tab;
pub mod prefill;
pub mod preview;
pub mod response;
pub mod session;
pub mod shop;
pub mod state;
pub mod visit_session;
pub mod visitor;

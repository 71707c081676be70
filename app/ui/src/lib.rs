//! What every page of ours is made of: the shopper's portal and the desk of a merchant's staff. Nothing here knows what a page is about.
//!
//! A table of texts ([`word_table!`]) stays with the pages that show it. It implements [`words::PageWords`] for the server and
//! [`words::NumberWords`] for both sides; components, dates and amounts take their texts from these.
//!
//! The feature `ssr` adds what only the server needs, `hydrate` what only the browser needs. Everything else compiles for the browser too and stays small there.

#![allow(clippy::needless_pass_by_value)] // components own their properties

pub mod calls;
pub mod components;
#[cfg(feature = "ssr")]
pub mod dates;
#[cfg(feature = "ssr")]
pub mod html;
#[cfg(feature = "ssr")]
pub mod language;
pub mod money;
pub mod text;
#[cfg(feature = "ssr")]
pub mod tokens;
#[cfg(feature = "ssr")]
pub mod web;
pub mod words;

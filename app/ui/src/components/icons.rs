//! One set of icons: 24 px grid, 1.5 px stroke. To add one, add a constant with the content of its `<svg>`.

#![allow(missing_docs, reason = "the names of fields and constants say what they are")]
#![cfg_attr(not(feature = "ssr"), allow(dead_code))] // the browser needs few of them

use leptos::prelude::*;

/// A contract that ends: a document with a cross.
pub const WITHDRAWN: &str = r#"<path d="M6 3.75h12v16.5H6z"/><path d="m9.25 9.25 5.5 5.5m0-5.5-5.5 5.5"/>"#;
/// A page beside another one.
pub const ASIDE: &str = r#"<path d="M4 5h16v14H4zM14.5 5v14"/>"#;
/// Its path length is 1, so that the style sheet can animate the stroke.
pub const CHECK: &str = r#"<path pathLength="1" d="m5 12.5 4.5 4.5L19 7.5"/>"#;

pub const ALERT: &str = r#"<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.5"/><path d="M12 17v.01"/>"#;

pub const INFO: &str = r#"<circle cx="12" cy="12" r="8.75"/><path d="M12 11v5"/><path d="M12 8v.01"/>"#;

pub const BOX: &str = r#"<path d="m12 3 8 4.25v9.5L12 21l-8-4.25v-9.5L12 3Z"/><path d="m4.2 7.4 7.8 4.1 7.8-4.1M12 11.5V21M8 5.2l8 4.2"/>"#;

pub const PRINTER: &str = r#"<path d="M7 8.5V3.75h10V8.5M7 17H4.75A1.25 1.25 0 0 1 3.5 15.75v-6c0-.7.55-1.25 1.25-1.25h14.5c.7 0 1.25.55 1.25 1.25v6c0 .7-.55 1.25-1.25 1.25H17"/><path d="M7 14h10v6.25H7zM17 11.25h.01"/>"#;

pub const QR: &str = r#"<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM20 14v2.5M17.5 20H20v-1.5M14 20v.01M7 7v.01M17 7v.01M7 17v.01"/>"#;

pub const CLOCK: &str = r#"<circle cx="12" cy="12" r="8.75"/><path d="M12 7v5l3.25 2"/>"#;

pub const TRUCK: &str = r#"<path d="M2.75 6h11.5v11H9.5M5 17H2.75V6M14.25 9.5h3.9l3.1 3.75V17H19.5M15 17h-.75"/><circle cx="7.25" cy="17.25" r="2"/><circle cx="17.25" cy="17.25" r="2"/>"#;

pub const STORE: &str = r#"<path d="M4.5 11v9h15v-9M3.5 8.5 5 4h14l1.5 4.5a2.6 2.6 0 0 1-2.75 2.25A2.9 2.9 0 0 1 14.9 8.5a2.9 2.9 0 0 1-5.8 0 2.9 2.9 0 0 1-2.85 2.25A2.6 2.6 0 0 1 3.5 8.5Z"/><path d="M10 20v-5h4v5"/>"#;

pub const WALLET: &str = r#"<path d="M5.5 6.5h12.75c.97 0 1.75.78 1.75 1.75v9.5c0 .97-.78 1.75-1.75 1.75H5.75A1.75 1.75 0 0 1 4 17.75v-12c0-.97.78-1.75 1.75-1.75H17v2.5"/><path d="M20 11.25h-4a1.75 1.75 0 0 0 0 3.5h4"/>"#;

pub const PLUS: &str = r#"<path d="M12 5v14M5 12h14"/>"#;

pub const MINUS: &str = r#"<path d="M5 12h14"/>"#;

pub const SEARCH: &str = r#"<circle cx="10.75" cy="10.75" r="6.25"/><path d="m15.5 15.5 5 5"/>"#;

pub const DOWNLOAD: &str = r#"<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15"/>"#;

pub const PICTURE: &str = r#"<path d="M5.25 4.5h13.5c.7 0 1.25.55 1.25 1.25v12.5c0 .7-.55 1.25-1.25 1.25H5.25c-.7 0-1.25-.55-1.25-1.25V5.75c0-.7.55-1.25 1.25-1.25Z"/><circle cx="9" cy="9.5" r="1.5"/><path d="m4.5 17.5 4.75-4.5 3 2.75 3.5-4 4 4.5"/>"#;

pub const CAMERA: &str = r#"<path d="M4.25 7.5h3l1.5-2.75h6.5l1.5 2.75h3c.7 0 1.25.55 1.25 1.25v9c0 .7-.55 1.25-1.25 1.25H4.25C3.55 19 3 18.45 3 17.75v-9c0-.7.55-1.25 1.25-1.25Z"/><circle cx="12" cy="13" r="3.25"/>"#;

pub const CHEVRON: &str = r#"<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>"#;

pub const CHEVRON_RIGHT: &str = r#"<path d="m9.5 6.5 5.5 5.5-5.5 5.5"/>"#;

pub const RETURN: &str = r#"<path d="M8.5 4.5 4 9l4.5 4.5"/><path d="M4 9h10.25a5.25 5.25 0 0 1 0 10.5H8"/>"#;

pub const EYE: &str =
    r#"<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/>"#;
pub const X: &str = r#"<path d="m6 6 12 12M18 6 6 18"/>"#;
pub const OFFLINE: &str = r#"<path d="m4 4 16 16M8.6 15.4a5 5 0 0 1 6 0M5.3 12a9.6 9.6 0 0 1 4-2.4M14.2 9.4a9.6 9.6 0 0 1 4.5 2.6M2.5 8.8a14 14 0 0 1 4.3-2.6M11 5.1a14 14 0 0 1 10.5 3.7M12 19v.01"/>"#;

pub const UP: &str = r#"<path d="M12 19V5m-5.5 5.5L12 5l5.5 5.5"/>"#;

pub const DOWN: &str = r#"<path d="M12 5v14m-5.5-5.5L12 19l5.5-5.5"/>"#;

pub const INBOX: &str = r#"<path d="M4 13.5 6.5 5h11L20 13.5v4.75c0 .7-.55 1.25-1.25 1.25H5.25c-.7 0-1.25-.55-1.25-1.25V13.5Z"/><path d="M4 13.5h4.5l1 2.5h5l1-2.5H20"/>"#;

pub const LIST: &str = r#"<path d="M8.5 6.5h11.25M8.5 12h11.25M8.5 17.5h11.25M4.5 6.5v.01M4.5 12v.01M4.5 17.5v.01"/>"#;

pub const SCAN: &str = r#"<path d="M4 8V5.25C4 4.55 4.55 4 5.25 4H8M16 4h2.75c.7 0 1.25.55 1.25 1.25V8M20 16v2.75c0 .7-.55 1.25-1.25 1.25H16M8 20H5.25C4.55 20 4 19.45 4 18.75V16M8 9v6M11 9v6M13.5 9v6M16 9v6"/>"#;

pub const PEOPLE: &str = r#"<circle cx="9" cy="8.5" r="3.25"/><path d="M3 19.5c.4-3.4 2.7-5.25 6-5.25s5.6 1.85 6 5.25M15.5 5.5a3.1 3.1 0 0 1 0 6M17.5 14.75c2 .7 3.25 2.3 3.5 4.75"/>"#;

pub const PERSON: &str =
    r#"<circle cx="12" cy="8.25" r="3.5"/><path d="M5 20c.5-3.7 3.2-5.75 7-5.75s6.5 2.05 7 5.75"/>"#;

pub const SHIELD: &str = r#"<path d="m12 3 7.5 2.75v5.5c0 4.6-3 8-7.5 9.75-4.5-1.75-7.5-5.15-7.5-9.75v-5.5L12 3Z"/><path d="m8.75 12 2.25 2.25L15.5 9.75"/>"#;

pub const KEY: &str =
    r#"<circle cx="8" cy="14.5" r="4.25"/><path d="m11 11.5 8.5-8M16 6.75l2.5 2.5M13.5 9l1.75 1.75"/>"#;

pub const LOG: &str = r#"<path d="M6 3.75h12v16.5H6zM9 8h6M9 12h6M9 16h3"/>"#;

pub const MORE: &str = r#"<path d="M5 12v.01M12 12v.01M19 12v.01"/>"#;

pub const FLAG: &str = r#"<path d="M5.5 20.5V4.25M5.5 5c4-2 7.5 2 13 0v8.5c-5.5 2-9-2-13 0"/>"#;

pub const NOTE: &str = r#"<path d="M4 19.75V16l11-11 3.75 3.75-11 11H4ZM12.5 7.5l3.75 3.75"/>"#;

/// An icon beside a word. Screen readers skip it.
pub fn icon(path: &'static str) -> impl IntoView {
    view! { <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=path></svg> }
}

/// A small icon.
pub fn icon_s(path: &'static str) -> impl IntoView {
    view! { <svg class="icon icon-s" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=path></svg> }
}

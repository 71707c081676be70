//! The browser's way in: brings the portal's islands to life, and nothing else.

pub use portal::*; // the islands' entry points must end up in this library

/// The page's script calls this once. Afterwards `<html>` has `data-hydrated`: a browser test that waits for it finds
/// islands that listen.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
    if let Some(html) = leptos::prelude::document().document_element() {
        let _ = html.set_attribute("data-hydrated", "");
    }
}

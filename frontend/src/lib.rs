//! The browser's way in: brings the portal's islands to life, and nothing else.

pub use portal::*; // the islands' entry points must end up in this library

/// Called once by the script in the page.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}

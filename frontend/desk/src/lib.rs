//! The WebAssembly library of the browser for the desk: it starts the islands and does nothing else.

pub use desk::*; // this library has to contain the islands' entry points

/// The page's script calls this once. Afterwards `<html>` has `data-hydrated`, which browser tests wait for: the islands react from
/// then on.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
    if let Some(html) = leptos::prelude::document().document_element() {
        let _ = html.set_attribute("data-hydrated", "");
    }
}

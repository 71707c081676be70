//! What the browser keeps for the next page.

use leptos::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use web_sys::Storage;

/// What all tabs share.
pub fn of_all_tabs() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What belongs to this tab.
pub fn of_tab() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

pub fn keep(storage: &Storage, key: &str, value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        let _ = storage.set_item(key, &text);
    }
}

pub fn read<T: DeserializeOwned>(storage: &Storage, key: &str) -> Option<T> {
    serde_json::from_str(&storage.get_item(key).ok().flatten()?).ok()
}

/// Reads and removes.
pub fn take<T: DeserializeOwned>(storage: &Storage, key: &str) -> Option<T> {
    let value = read(storage, key);
    let _ = storage.remove_item(key);
    value
}

/// The path and query of this page.
pub fn here() -> String {
    let location = window().location();
    format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default())
}

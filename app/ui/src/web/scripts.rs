//! The scripts that start the islands of a page.

use leptos::{nonce::use_nonce, prelude::*};

/// Leptos starts the islands when the browser is idle, and waits for that without a limit: on a page that is never idle, they would never
/// react. This script gives each such wait a limit of one second.
const LIMITED_WAITS: &str = "{let idle=window.requestIdleCallback;\
    if(idle)window.requestIdleCallback=(work,options)=>idle(work,{timeout:1000,...options})}";

/// Loads the library of the browser, and starts the islands. For the head of a page with islands.
#[component]
pub fn IslandScripts(
    /// Where the library is.
    options: LeptosOptions,
) -> impl IntoView {
    view! {
        <script nonce=use_nonce() inner_html=LIMITED_WAITS></script>
        <HydrationScripts options islands=true/>
    }
}

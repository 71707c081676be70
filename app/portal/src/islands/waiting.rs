//! Waits for a change of the return.

use leptos::prelude::*;

/// Reloads the page once the return no longer waits. Without scripting there is a link.
#[island]
pub fn Waiting(id: String) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    poll::again_in_a_while(id.clone(), 0);
    let _ = id;
    view! { <span hidden data-waiting="on"></span> }
}

#[cfg(feature = "hydrate")]
mod poll {
    use crate::calls::is_waiting::is_waiting;
    use leptos::{prelude::*, task::spawn_local};
    use std::time::Duration;

    /// So many tries come in quick succession. What has not happened by then takes longer.
    const QUICK: u32 = 20;
    /// After so many tries nobody is likely to be at the page.
    const LAST: u32 = 200;

    pub(super) fn again_in_a_while(id: String, tries: u32) {
        let wait = Duration::from_secs(if tries < QUICK { 2 } else { 15 });
        set_timeout(
            move || {
                spawn_local(async move {
                    match is_waiting(id.clone()).await {
                        Ok(false) => drop(window().location().reload()),
                        _ if tries < LAST => again_in_a_while(id, tries + 1),
                        _ => {}
                    }
                });
            },
            wait,
        );
    }
}

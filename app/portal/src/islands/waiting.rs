//! Waiting for something that changes the page.

use leptos::prelude::*;

/// Shows the page anew once nothing is waited for any more. Without scripting there is a link.
#[island]
pub fn Waiting() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    look::again_in_a_while(0);
    view! { <span hidden data-waiting="on"></span> }
}

#[cfg(feature = "hydrate")]
mod look {
    use leptos::{prelude::*, task::spawn_local};
    use std::time::Duration;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::Response;

    /// Stands in a page for as long as something is waited for.
    const MARK: &str = "data-waiting";
    /// Tries in quick succession; what has not come by then takes longer.
    const QUICK: u32 = 20;
    /// Then nobody is likely to look at the page any more.
    const LAST: u32 = 200;

    pub(super) fn again_in_a_while(tries: u32) {
        let wait = Duration::from_secs(if tries < QUICK { 2 } else { 15 });
        set_timeout(
            move || {
                spawn_local(async move {
                    match is_over().await {
                        Ok(true) => drop(window().location().reload()),
                        _ if tries < LAST => again_in_a_while(tries + 1),
                        _ => {}
                    }
                });
            },
            wait,
        );
    }

    /// Whether the page, as it is now, waits for nothing.
    async fn is_over() -> Result<bool, JsValue> {
        let location = window().location();
        let is_embedded = document().body().is_some_and(|body| body.class_list().contains("embedded"));
        let href = format!("{}{}", location.pathname()?, if is_embedded { "?embedded" } else { "" });
        let response: Response = JsFuture::from(window().fetch_with_str(&href)).await?.dyn_into()?;
        let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
        Ok(response.ok() && !text.contains(MARK))
    }
}

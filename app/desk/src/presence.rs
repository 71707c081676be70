//! Who else looks at a return, without a reload. This island calls a server function, so it is not below the frame as the others are.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

use leptos::prelude::*;
use ui::components::icons::{self, icon_s};

/// Asks every 15 seconds who else looks at a return, while the page is visible and the person is active. `seen`: sentences about those
/// who did when the page was made.
#[island]
pub fn Presence(order: String, seen: Vec<String>) -> impl IntoView {
    let seen = RwSignal::new(seen);
    #[cfg(feature = "hydrate")]
    browser::watch(order, seen);
    #[cfg(not(feature = "hydrate"))]
    let _ = order;
    let list = move || {
        let one = |sentence: String| view! { <li>{icon_s(icons::EYE)}<span>{sentence}</span></li> };
        let all = seen.get();
        (!all.is_empty()).then(|| view! { <ul class="return-visits">{all.into_iter().map(one).collect_view()}</ul> })
    };
    view! { <div role="status">{list}</div> }
}

#[cfg(feature = "hydrate")]
mod browser {
    use crate::calls::presence::look;
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
    use std::{cell::Cell, rc::Rc, time::Duration};
    use web_sys::Element;

    const ASK_EVERY: Duration = Duration::from_secs(15);
    /// Somebody who does nothing for so long is not there: their session may end. In milliseconds.
    const ACTIVE_FOR: f64 = 300_000.0;
    /// Where somebody writes about the return.
    const WRITING: &str =
        "main form[method=post] :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))";

    pub(super) fn watch(order: String, seen: RwSignal<Vec<String>>) {
        let active = Rc::new(Cell::new(now()));
        let touched = Rc::clone(&active);
        let _ = window_event_listener(ev::keydown, move |_| touched.set(now()));
        let touched = Rc::clone(&active);
        let _ = window_event_listener(ev::pointerdown, move |_| touched.set(now()));
        set_interval(
            move || {
                if document().hidden() || now() - active.get() > ACTIVE_FOR {
                    return;
                }
                let order = order.clone();
                spawn_local(async move {
                    let writing = if is_writing() { "yes" } else { "" };
                    // Without an answer, what is shown stays.
                    if let Ok(answer) = look(order, writing.to_owned()).await
                        && seen.get_untracked() != answer.sentences
                    {
                        seen.set(answer.sentences);
                    }
                });
            },
            ASK_EVERY,
        );
    }

    fn is_writing() -> bool {
        document().active_element().is_some_and(|element: Element| element.matches(WRITING).unwrap_or(false))
    }

    fn now() -> f64 {
        window().performance().map(|clock| clock.now()).unwrap_or_default()
    }
}

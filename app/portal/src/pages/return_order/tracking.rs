//! Links to shipments on their carriers' sites.

use crate::{progress::tracking::Tracked, words::Words};
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon},
    html::IntoHtml,
};

/// Links to the tracking pages of carriers.
#[component]
pub fn Tracking(shipments: Vec<Tracked>, is_embedded: bool, words: &'static Words) -> impl IntoView {
    let shipment = |tracked: Tracked| {
        let (text, facts) = (tracked.button(words), tracked.facts(words));
        let heading = (!tracked.shipment.is_empty()).then(|| view! { <h3>{tracked.shipment.clone()}</h3> });
        // Screen readers list links by name, so links to different pages need different names.
        let which = (!tracked.shipment.is_empty())
            .then(|| view! { <span class="visually-hidden">{format!(" ({})", tracked.shipment)}</span> });
        // Carriers do not allow frames.
        let target = is_embedded.then_some("_blank");
        let link = tracked.url.map(|url| {
            view! {
                <div class="actions actions-top">
                    <a class="button button-wide" href=url target=target rel="noopener noreferrer">{icon(icons::TRUCK)}{text}{which}</a>
                </div>
            }
        });
        let fact = |(label, value): (&'static str, String)| {
            view! { <div><dt>{label}</dt><dd><bdi><span class="code">{value}</span></bdi></dd></div> }
        };
        let facts =
            (!facts.is_empty()).then(|| view! { <dl class="facts">{facts.into_iter().map(fact).collect_view()}</dl> });
        view! { {heading}{link}{facts} }
    };
    view! {
        <section class="tracking" aria-labelledby="track">
            <h2 class="visually-hidden" id="track">{words.track}</h2>
            {shipments.into_iter().map(shipment).collect_view()}
        </section>
    }
    .into_html()
}

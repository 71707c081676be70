//! A person's own settings.

use crate::{
    components::{Field, field, form, problems},
    visit::Visit,
};
use leptos::prelude::*;

/// The settings of a person, and their choices for this browser.
pub fn me_page(visit: &Visit) -> AnyView {
    let words = visit.words.me;
    let user = &visit.session.user;
    let option = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    let choices = &visit.preferences;
    let density = Field::select(
        "density",
        words.density,
        vec![option("compact", words.density_compact), option("comfortable", words.density_comfortable)],
    )
    .value(if choices.is_comfortable { "comfortable" } else { "compact" });
    let keys = Field::select("keys", words.keys, vec![option("on", words.keys_on), option("off", words.keys_off)])
        .value(if choices.has_keys { "on" } else { "off" });
    let content = view! {
        <p class="hint">{words.this_browser}</p>
        {field(visit, density)}
        {field(visit, keys)}
        <div class="actions"><button class="button">{visit.words.common.save}</button></div>
    };
    view! {
        <h1>{words.title}</h1>
        {problems(visit)}
        <dl class="facts">
            <div><dt>{words.name}</dt><dd><bdi>{user.name.clone()}</bdi></dd></div>
            <div><dt>{words.email}</dt><dd><bdi>{user.email.clone()}</bdi></dd></div>
            <div><dt>{words.role}</dt><dd>{user.role.name()}</dd></div>
        </dl>
        <section class="section">
            <h2>{words.appearance}</h2>
            {form(visit, "choices", content)}
        </section>
    }
    .into_any()
}

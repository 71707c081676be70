//! What the pages of people and of API keys share.

use crate::{
    components::{Weight, confirm, problems},
    visit::Visit,
};
use leptos::prelude::*;
use ui::{
    html::{Html, IntoHtml},
    text::{format, isolated},
};

/// A person or an API key, for a question about it.
pub(super) struct About {
    pub id: String,
    pub name: String,
    /// The address of its page.
    pub page: String,
}

/// The page between a button and its effect. `texts`: the title, with a slot for the name, and what will happen.
pub(super) fn asked(
    visit: &Visit,
    about: &About,
    (title, text): (&'static str, &'static str),
    function: &'static str,
    button: (Weight, String),
) -> Html {
    let content = view! { <input type="hidden" name="id" value=about.id.clone()/> }.into_html();
    view! {
        <h1>{format(title, &[&isolated(&about.name, visit.words)])}</h1>
        {problems(visit)}
        {confirm(visit, text, function, content, button, about.page.clone())}
    }
    .into_html()
}

/// A secret that is shown only now.
pub(super) fn once(title: &'static str, text: &'static str, secret: String) -> Html {
    view! {
        <div class="notice" role="status">
            <h2>{title}</h2>
            <p>{text}</p>
            <p><code class="secret" dir="ltr">{secret}</code></p>
        </div>
    }
    .into_html()
}

/// The links at the end of a page: to what they changed, and back.
pub(super) fn foot(visit: &Visit, id: &str) -> Html {
    let words = visit.words.people;
    view! {
        <p>
            <a class="textlink" href=format!("{}?actor={id}", visit.path("audit"))>{words.log}</a>
            " "
            <a class="textlink" href=visit.path("people")>{words.back}</a>
        </p>
    }
    .into_html()
}

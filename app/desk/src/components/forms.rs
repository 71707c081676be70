//! Forms.

use crate::visit::Guest;
use leptos::prelude::*;
use ui::{
    components::{
        Alert,
        icons::{self, icon},
    },
    html::{Html, IntoHtml},
};

/// A form that posts to a server function.
pub fn form(guest: &Guest, function: &str, content: impl IntoView + 'static) -> Html {
    let action = guest.path(&format!("call/{function}"));
    let hidden = hidden_fields(guest);
    view! { <form method="post" action=action novalidate=true>{hidden}{content}</form> }.into_html()
}

/// The fields that every form needs: the page that it is on, and a key with which it is carried out once.
pub fn hidden_fields(guest: &Guest) -> Html {
    let (here, key) = (guest.here().to_owned(), guest.retour.request_id());
    view! {
        <input type="hidden" name="here" value=here/>
        <input type="hidden" name="key" value=key/>
    }
    .into_html()
}

/// What is wrong with a form of this page: the mistakes, each linked to its field, or why a rule refuses it.
pub fn problems(guest: &Guest) -> Html {
    problems_with(guest, false)
}

/// The same on a page where a field keeps the focus, such as the one that a scanner types into.
pub fn problems_beside_focus(guest: &Guest) -> Html {
    problems_with(guest, true)
}

fn problems_with(guest: &Guest, leaves_focus: bool) -> Html {
    let words = guest.words;
    if let Some(reason) = guest.refusal() {
        return view! {
            <div class="alert" role="alert" tabindex="-1" autofocus=!leaves_focus>
                {icon(icons::ALERT)}
                <p>{reason.to_owned()}</p>
            </div>
        }
        .into_html();
    }
    let mistakes =
        guest.mistakes().iter().map(|mistake| (format!("#{}", mistake.field), mistake.text.clone())).collect();
    view! { <Alert mistakes leaves_focus words/> }.into_html()
}

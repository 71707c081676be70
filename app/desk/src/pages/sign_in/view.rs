//! The form of the sign-in.

use crate::{
    components::{Field, field, form, problems},
    visit::Guest,
};
use leptos::prelude::*;

/// The form for e-mail address and password. `next`: the page to continue at.
pub fn sign_in_page(guest: &Guest, next: Option<String>, notice: Option<&'static str>) -> AnyView {
    let words = guest.words.sign_in;
    let email = Field::of_type("email", words.email, "email").autocomplete("username").max_length(320).required();
    let password = Field::of_type("password", words.password, "password").autocomplete("current-password").required();
    let fields = (field(guest, email), field(guest, password));
    let content = view! {
        <input type="hidden" name="next" value=next/>
        {fields}
        <div class="actions"><button class="button button-full">{words.submit}</button></div>
    };
    view! {
        <div class="door">
            <h1>{words.title}</h1>
            <p class="lede">{words.lede}</p>
            {notice.map(|text| view! { <p class="door-notice" role="status">{text}</p> })}
            {problems(guest)}
            {form(guest, "sign-in", content)}
        </div>
    }
    .into_any()
}

//! A person's passkeys.

use crate::{
    components::{Column, Field, Row, Weight, confirm, field, form, moment, problems, table},
    pages::passkey_forms::new_passkey_form,
    visit::Visit,
};
use leptos::prelude::*;
use returns::view::{Passkey, Passkeys};
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// The passkeys, and the form for another one.
pub fn passkeys(visit: &Visit, passkeys: Passkeys) -> Html {
    let words = visit.words.me;
    let place = match &passkeys.host {
        Some(host) => format(words.passkeys_where, &[host]),
        None => words.passkeys_nowhere.to_owned(),
    };
    let columns = vec![
        Column::new(words.passkey),
        Column::new(words.passkey_created),
        Column::new(words.passkey_used),
        Column::new(words.passkey_remove).hidden_head(),
    ];
    let known = if passkeys.data.is_empty() {
        view! { <p>{words.passkeys_none}</p> }.into_html()
    } else {
        let rows = passkeys.data.into_iter().map(|passkey| row(visit, passkey)).collect();
        table(words.passkeys, columns, rows)
    };
    let name = Field::text("passkey_name", words.passkey_name).max_length(100).hint(words.passkey_name_hint);
    let next = visit.path("me");
    let content = view! { <input type="hidden" name="next" value=next/>{field(visit, name)} };
    view! {
        <section class="section" id="passkeys">
            <h2>{words.passkeys}</h2>
            <p>{words.passkeys_lede}</p>
            {known}
            <p class="hint">{place}</p>
            {new_passkey_form(visit, words.passkey_add, content)}
        </section>
    }
    .into_html()
}

fn row(visit: &Visit, passkey: Passkey) -> Row {
    let words = visit.words.me;
    let used = passkey.last_used_at.map_or_else(|| words.passkey_never.into_html(), |at| moment(at, visit));
    let (label, href) = (
        format(words.passkey_remove_of, &[&passkey.name]),
        visit.path(&std::format!("me/passkeys/{}/remove", passkey.id)),
    );
    let (rename_label, rename_href) = (
        format(words.passkey_rename_of, &[&passkey.name]),
        visit.path(&std::format!("me/passkeys/{}/rename", passkey.id)),
    );
    let remove = view! {
        <a class="button button-second button-small" href=rename_href aria-label=rename_label>{words.passkey_rename}</a>
        " "
        <a class="button button-second button-small" href=href aria-label=label>{words.passkey_remove}</a>
    };
    let name = view! { <bdi>{passkey.name}</bdi> };
    Row::new(vec![name.into_html(), moment(passkey.created_at, visit), used, remove.into_html()])
}

/// The form for another name of a passkey.
pub fn rename_passkey_page(visit: &Visit, passkey: &Passkey) -> Html {
    let words = visit.words.me;
    let name = Field::text("name", words.passkey_new_name).value(passkey.name.clone()).max_length(100).required();
    let content = view! {
        <input type="hidden" name="id" value=passkey.id.to_string()/>
        {field(visit, name)}
        <div class="actions">
            <button class="button">{visit.words.common.save}</button>
            <a class="button button-second" href=visit.path("me")>{visit.words.common.cancel}</a>
        </div>
    };
    view! {
        <h1>{words.passkey_rename_title}</h1>
        {problems(visit)}
        <section class="section">{form(visit, "rename-passkey", content)}</section>
    }
    .into_html()
}

/// The question before a passkey is removed.
pub fn remove_passkey_page(visit: &Visit, passkey: &Passkey) -> Html {
    let words = visit.words.me;
    let button = (Weight::Danger, words.passkey_remove_submit.to_owned());
    let text = format(words.passkey_remove_text, &[&passkey.name]);
    let id = view! { <input type="hidden" name="id" value=passkey.id.to_string()/> }.into_html();
    view! {
        <h1>{words.passkey_remove_title}</h1>
        {confirm(visit, text, "remove-passkey", id, button, visit.path("me"))}
    }
    .into_html()
}

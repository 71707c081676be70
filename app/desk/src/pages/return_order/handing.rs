//! Who has the return, and its flags.

use crate::{
    components::{Field, field, form},
    pages::return_order::load::ReturnPage,
    visit::Visit,
};
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// Who has the return, its flags, and whether bulk changes leave it out.
pub fn handing(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let order = &page.order;
    let mut people = vec![(String::new(), words.assignee_nobody.to_owned())];
    people.extend(page.assignees.iter().map(|one| (one.id.to_string(), one.name.clone())));
    let stored = order.assignee_id.map(|id| id.to_string()).unwrap_or_default();
    if !page.may_write {
        let has_it = people.into_iter().find(|(id, _)| *id == stored).map(|(_, name)| name).unwrap_or_default();
        return view! {
            <section class="section" aria-labelledby="handing-title">
                <h2 id="handing-title">{words.handling}</h2>
                <p>{words.assignee}": "<bdi>{has_it}</bdi></p>
            </section>
        }
        .into_html();
    }
    let me = visit.session.user.id;
    let hidden = || {
        view! {
            <input type="hidden" name="order" value=order.id.to_string()/>
            <input type="hidden" name="version" value=order.version.to_string()/>
        }
    };
    let to_me = (order.assignee_id != Some(me)).then(|| {
        let content = view! {
            {hidden()}
            <button class="button button-second" data-press="e">{words.assign_me}</button>
        };
        form(visit, "take-return", content)
    });
    let assignee = Field::select("assignee", words.assignee, people).value(stored);
    let flags = Field::text("flags", words.flags).hint(words.flags_hint).value(order.flags.join(", ")).max_length(250);
    let is_left_out = match visit.typed("flags") {
        Some(_) => visit.typed("leaveOut").is_some(),
        None => order.leave_out_of_bulk,
    };
    let content = view! {
        {hidden()}
        {field(visit, assignee)}
        {field(visit, flags)}
        <p class="field check">
            <label><input type="checkbox" name="leaveOut" value="yes" checked=is_left_out/>" "{words.leave_out}</label>
        </p>
        <div class="actions"><button class="button button-second">{words.save}</button></div>
    };
    view! {
        <section class="section" aria-labelledby="handing-title">
            <h2 id="handing-title">{words.handling}</h2>
            {to_me}
            {form(visit, "hand-return", content)}
        </section>
    }
    .into_html()
}

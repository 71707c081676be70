//! The form that finds orders. It posts, so that names and e-mail addresses are in no address.

use crate::{
    components::{Field, field, form},
    visit::Visit,
};
use domain::integration::Bridge;
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// The form. `is_for_return`: one order that is found leads to its new return.
pub fn finder(visit: &Visit, is_for_return: bool) -> Html {
    let words = visit.words.orders;
    let proof = (visit.account.bridge != Bridge::Catalog)
        .then(|| field(visit, Field::text("proof", words.shop_field).hint(words.shop_hint).max_length(320)));
    let purpose = if is_for_return { "return" } else { "look" };
    let content = view! {
        <input type="hidden" name="purpose" value=purpose/>
        {field(visit, Field::text("q", words.field).max_length(320).required())}
        {proof}
        <div class="actions"><button class="button">{words.find}</button></div>
    };
    view! { <div class="finder">{form(visit, "find-orders", content)}</div> }.into_html()
}

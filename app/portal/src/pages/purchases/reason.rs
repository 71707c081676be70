//! The reason: a few are chips, many are a list. And the shopper's note.

use crate::{
    forms::choice::{ChoiceField, MAX_COMMENT_CHARS},
    pages::purchases::row::{PurchaseRow, ReasonOption},
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::{
        FieldMistake,
        icons::{self, icon, icon_s},
        typed,
    },
    html::{Html, IntoHtml},
};

/// More reasons than these, and reasons under headings, are a list.
const MOST_CHIPS: usize = 7;

/// The question for the reason of a row.
pub fn reason(row: &PurchaseRow, reasons: Vec<ReasonOption>, words: &'static Words) -> Html {
    let is_plain = reasons.iter().all(|reason| reason.finer.is_empty());
    if is_plain && reasons.len() <= MOST_CHIPS { chips(row, reasons, words) } else { list(row, reasons, words) }
}

fn chips(row: &PurchaseRow, reasons: Vec<ReasonOption>, words: &'static Words) -> Html {
    let key = &row.key;
    let error = row.error(ChoiceField::Reason, words);
    let (invalid, described) = (error.is_some().then_some("true"), error.is_some().then(|| format!("{key}-why-error")));
    let class = if error.is_some() { "choices has-error" } else { "choices" };
    let chip = |(index, reason): (usize, ReasonOption)| {
        let value = reason.id.to_string();
        let checked = value == row.choice.reason;
        // The link from a mistake leads to the first chip.
        let id = (index == 0).then(|| format!("{key}-why"));
        view! {
            <label class="chip">
                <input type="radio" id=id name=format!("{key}.reason") value=value checked=checked/>
                <bdi>{reason.text}</bdi>
            </label>
        }
    };
    let chips = reasons.into_iter().enumerate().map(chip).collect_view();
    view! {
        <fieldset class=class role="radiogroup" aria-labelledby=format!("{key}-why-title") aria-invalid=invalid aria-describedby=described>
            <legend id=format!("{key}-why-title")>{words.why}</legend>
            <FieldMistake id=format!("{key}-why-error") text=error words/>
            <div class="choices-row">{chips}</div>
        </fieldset>
    }
    .into_html()
}

fn list(row: &PurchaseRow, reasons: Vec<ReasonOption>, words: &'static Words) -> Html {
    let key = &row.key;
    let error = row.error(ChoiceField::Reason, words);
    let (invalid, described) = (error.is_some().then_some("true"), error.is_some().then(|| format!("{key}-why-error")));
    let class = if error.is_some() { "field has-error" } else { "field" };
    view! {
        <div class=class>
            <label for=format!("{key}-why")>{words.why}</label>
            <FieldMistake id=format!("{key}-why-error") text=error words/>
            <div class="select">
                <select id=format!("{key}-why") name=format!("{key}.reason") required aria-invalid=invalid aria-describedby=described>
                    {options(reasons, &row.choice.reason, words)}
                </select>
                {icon(icons::CHEVRON)}
            </div>
        </div>
    }
    .into_html()
}

/// The reasons as options, with refining reasons under their heading.
pub fn options(reasons: Vec<ReasonOption>, chosen: &str, words: &'static Words) -> Html {
    let option = |reason: ReasonOption| {
        let id = reason.id.to_string();
        let selected = id == chosen;
        view! { <option value=id selected=selected>{reason.text}</option> }
    };
    let choice = |reason: ReasonOption| {
        if reason.finer.is_empty() {
            option(reason).into_html()
        } else {
            let finer = reason.finer.into_iter().map(option).collect_view();
            view! { <optgroup label=reason.text>{finer}</optgroup> }.into_html()
        }
    };
    let choices = reasons.into_iter().map(choice).collect_view();
    view! { <option value="">{words.choose_reason}</option>{choices} }.into_html()
}

/// A note, folded until it has text.
pub fn note(row: &PurchaseRow, words: &'static Words) -> Html {
    let key = &row.key;
    let error = row.error(ChoiceField::Comment, words);
    let is_open = error.is_some() || !row.choice.comment.is_empty();
    let (invalid, described) =
        (error.is_some().then_some("true"), error.is_some().then(|| format!("{key}-note-error")));
    let class = if error.is_some() { "field has-error" } else { "field" };
    view! {
        <details class="note" open=is_open>
            <summary>
                {icon_s(icons::PLUS)}
                <span>{words.anything_to_say}" "<span class="label-note">{words.optional}</span></span>
            </summary>
            <div class=class>
                <label class="visually-hidden" for=format!("{key}-note")>{words.anything_to_say}</label>
                <FieldMistake id=format!("{key}-note-error") text=error words/>
                <textarea class="textarea" id=format!("{key}-note") name=format!("{key}.comment") rows="2" maxlength=MAX_COMMENT_CHARS.to_string() aria-invalid=invalid aria-describedby=described>{typed(&row.choice.comment)}</textarea>
            </div>
        </details>
    }
    .into_html()
}

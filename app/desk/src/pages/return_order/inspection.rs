//! What the inspection of an item found, and the form that records one.

use crate::{
    components::{Field, condition_text, disposition_text, field},
    visit::Visit,
};
use domain::stage::Inspection;
use leptos::prelude::*;
use returns::view::ReturnRequestView;
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// The accepted and refused units, their condition, what happens with them, and the note.
pub fn found(visit: &Visit, inspection: &Inspection) -> Html {
    let words = visit.words;
    let units = [inspection.accepted, inspection.refused].map(|units| units.to_string());
    let [accepted, refused] = &units;
    let mut said = vec![format(words.return_order.inspection_units, &[accepted, refused])];
    said.extend(inspection.condition.map(|condition| condition_text(condition, words.scan).to_owned()));
    said.extend(inspection.disposition.map(|disposition| disposition_text(disposition, words.scan).to_owned()));
    let note = inspection.note.clone().filter(|note| !note.trim().is_empty());
    let note = note.map(|note| view! { <p class="return-quote"><bdi>{note}</bdi></p> });
    view! { {said.join(" · ")}{note} }.into_html()
}

/// The fields of the form that records one.
pub fn fields(visit: &Visit, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let option = |(value, text): (&str, &str)| (value.to_owned(), text.to_owned());
    let conditions = [
        ("", words.not_said),
        ("New", words.condition_new),
        ("Opened", words.condition_opened),
        ("Used", words.condition_used),
        ("Damaged", words.condition_damaged),
        ("Incomplete", words.condition_incomplete),
        ("WrongItem", words.condition_wrong),
    ];
    let dispositions = [
        ("", words.not_said),
        ("Restock", words.disposition_restock),
        ("Refurbish", words.disposition_refurbish),
        ("Outlet", words.disposition_outlet),
        ("Donate", words.disposition_donate),
        ("Dispose", words.disposition_dispose),
        ("ReturnToConsumer", words.disposition_return),
    ];
    let received = request.received_quantity.to_string();
    let accepted = Field::of_type("accepted", words.accepted, "number").value(received).required();
    let refused = Field::of_type("refused", words.refused, "number").value("0").required();
    let condition = Field::select("condition", words.condition, conditions.into_iter().map(option).collect());
    let disposition = Field::select("disposition", words.disposition, dispositions.into_iter().map(option).collect());
    let note = Field::lines("note", words.inspection_note).max_length(2_000);
    let all = [accepted, refused, condition, disposition, note].map(|one| field(visit, one));
    all.into_iter().collect_view().into_html()
}

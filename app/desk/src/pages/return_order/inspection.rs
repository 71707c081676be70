//! What the inspection of an item found.

use crate::{
    components::{condition_text, disposition_text},
    visit::Visit,
};
use domain::stage::Inspection;
use leptos::prelude::*;
use ui::text::format;

/// The accepted and refused units, their condition, what happens with them, and the note.
pub fn found(visit: &Visit, inspection: &Inspection) -> AnyView {
    let words = visit.words;
    let units = [inspection.accepted, inspection.refused].map(|units| units.to_string());
    let [accepted, refused] = &units;
    let mut said = vec![format(words.return_order.inspection_units, &[accepted, refused])];
    said.extend(inspection.condition.map(|condition| condition_text(condition, words.scan).to_owned()));
    said.extend(inspection.disposition.map(|disposition| disposition_text(disposition, words.scan).to_owned()));
    let note = inspection.note.clone().filter(|note| !note.trim().is_empty());
    let note = note.map(|note| view! { <p class="return-quote"><bdi>{note}</bdi></p> });
    view! { {said.join(" · ")}{note} }.into_any()
}

//! Photos of what goes back: those that were sent, and a form for more.

use crate::{
    components::{Mistaken, Thing, icons, icons::icon, icons::icon_s},
    islands::Upload,
    words::{Words, fill},
};
use domain::ReturnRequestId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Why a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Problem {
    /// The form had no file.
    NoneChosen,
    /// It is longer than may be.
    TooLarge,
    /// It is wider or higher than can be shown.
    TooManyDots,
    /// It is no photo, or broken.
    Unreadable,
    /// There are as many as there may be.
    TooMany,
    /// It is all settled.
    TooLate,
}

/// What was wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// What it was about.
    pub request: Option<ReturnRequestId>,
    /// As the file is called.
    pub name: String,
    /// What was wrong.
    pub problem: Problem,
}

impl Mistake {
    /// What to do about it.
    pub fn text(&self, words: &Words) -> String {
        let text = match self.problem {
            Problem::NoneChosen => words.photo_missing,
            Problem::TooLarge => words.live().photo_too_large,
            Problem::TooManyDots => words.photo_too_many_dots,
            Problem::Unreadable => words.photo_unreadable,
            Problem::TooMany => words.photo_too_many,
            Problem::TooLate => words.photo_too_late,
        };
        let name = if self.name.is_empty() { words.photo } else { &self.name };
        fill(text, &[name])
    }

    /// The field that it was about.
    pub fn href(&self, photos: &Photos) -> String {
        let first = photos.of.first().map(|of| of.request);
        self.request.or(first).map_or("#photos".to_owned(), |request| format!("#{}", field(request)))
    }
}

/// What the section shows.
#[derive(Debug, Clone)]
pub struct Photos {
    /// Where photos are sent to.
    pub action: String,
    /// Where it goes on.
    pub next: String,
    /// Whether nothing goes on without one.
    pub are_awaited: bool,
    /// What may be shown.
    pub of: Vec<PhotosOf>,
    /// What was wrong with those that were sent before.
    pub mistakes: Vec<Mistake>,
}

/// The photos of a thing.
#[derive(Debug, Clone)]
pub struct PhotosOf {
    /// Which.
    pub request: ReturnRequestId,
    /// What it is.
    pub thing: Thing,
    /// Where those are that were sent, and whether browsers can show them.
    pub sent: Vec<(String, bool)>,
}

/// A field's name, which is its id as well.
fn field(request: ReturnRequestId) -> String {
    format!("photos-{request}")
}

/// The section: open where photos are waited for, else behind a line that says so.
#[component]
pub fn PhotosSection(photos: Photos, words: &'static Words) -> impl IntoView {
    let is_open = photos.are_awaited || !photos.mistakes.is_empty();
    if photos.are_awaited {
        return view! {
            <section class="section photos" aria-labelledby="photos-title">
                <h2 id="photos-title">{words.photos_title}</h2>
                <PhotosForm photos words/>
            </section>
        }
        .into_any();
    }
    view! {
        <details class="more photos" open=is_open>
            <summary>{words.photos_add}{icon(icons::CHEVRON)}</summary>
            <div class="more-in"><PhotosForm photos words/></div>
        </details>
    }
    .into_any()
}

#[component]
fn PhotosForm(photos: Photos, words: &'static Words) -> impl IntoView {
    let is_one = photos.of.len() == 1;
    let rows = photos.of.iter().map(|of| {
        let wrong: Vec<String> = photos
            .mistakes
            .iter()
            .filter(|mistake| mistake.request.is_none_or(|request| request == of.request))
            .map(|mistake| mistake.text(words))
            .collect();
        row(of, is_one, (!wrong.is_empty()).then(|| wrong.join(" ")), words)
    });
    let button = if photos.are_awaited { "button button-wide" } else { "button button-second button-wide" };
    view! {
        <form id="photos" class="photos-form" method="post" enctype="multipart/form-data" action=photos.action.clone() data-next=photos.next.clone() novalidate>
            <p class="hint" id="photos-hint">{words.photos_hint}</p>
            {rows.collect_view()}
            <Upload language=words.tag.to_owned()/>
            <button class=button>{icon(icons::CAMERA)}{words.photos_send}</button>
        </form>
    }
    .into_any()
}

fn row(of: &PhotosOf, is_one: bool, wrong: Option<String>, words: &'static Words) -> impl IntoView + use<> {
    let id = field(of.request);
    let error = format!("{id}-error");
    let sent = of.sent.iter().zip(1..).map(|((href, is_shown), number)| {
        let name = fill(words.photo_number, &[&number.to_string()]);
        let picture = if *is_shown {
            view! { <img src=href.clone() alt=name width="80" height="80" loading="lazy"/> }.into_any()
        } else {
            view! { {icon_s(icons::CAMERA)}<span class="visually-hidden">{name}</span> }.into_any()
        };
        view! { <li><a class="photo photo-l" href=href.clone()>{picture}</a></li> }
    });
    let sent = sent.collect::<Vec<_>>();
    let sent = (!sent.is_empty()).then(|| view! { <ul class="photos-sent" aria-label=words.photos_sent>{sent}</ul> });
    let described = if wrong.is_some() { format!("photos-hint {error}") } else { "photos-hint".to_owned() };
    let label = if is_one { words.photos_choose.to_owned() } else { fill(words.photos_of, &[&of.thing.name]) };
    view! {
        <div class=if wrong.is_some() { "field has-error" } else { "field" }>
            <label for=id.clone()><bdi>{label}</bdi></label>
            {sent}
            <Mistaken id=error text=wrong.clone() words/>
            <input
                class="file"
                type="file"
                id=id.clone()
                name=id
                multiple
                accept="image/*"
                aria-describedby=described
                aria-invalid=wrong.is_some().then_some("true")
            />
        </div>
    }
    .into_any()
}

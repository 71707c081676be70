//! Photos of what goes back: those that were sent, and a form for more.

use crate::{
    components::{FieldMistake, ProductSummary, icons, icons::icon, icons::icon_s},
    islands::{Corrections, Upload},
    words::{Words, format, isolated},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Why a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhotoProblem {
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
pub struct PhotoMistake {
    /// What it was about: a return request, or a purchase of which none was made yet.
    pub of: Option<Uuid>,
    /// As the file is called.
    pub name: String,
    /// What was wrong.
    pub problem: PhotoProblem,
}

/// The longest name of a file that is kept or said back, characters.
const MAX_NAME_CHARS: usize = 60;

impl PhotoMistake {
    /// What was wrong with a file of that name.
    pub fn new(of: Option<Uuid>, name: &str, problem: PhotoProblem) -> Self {
        Self { of, name: Self::short(name), problem }
    }

    /// As much of a file's name as is kept: telephones write paths or nothing, and a name is for people alone.
    pub fn short(name: &str) -> String {
        name.chars().take(MAX_NAME_CHARS).collect()
    }

    /// What to do about it.
    pub fn text(&self, words: &Words) -> String {
        let text = match self.problem {
            PhotoProblem::NoneChosen => words.photo_missing,
            PhotoProblem::TooLarge => words.live().photo_too_large,
            PhotoProblem::TooManyDots => words.photo_too_many_dots,
            PhotoProblem::Unreadable => words.photo_unreadable,
            PhotoProblem::TooMany => words.photo_too_many,
            PhotoProblem::TooLate => words.photo_too_late,
        };
        let name = if self.name.is_empty() { words.photo.to_owned() } else { isolated(&self.name, words) };
        format(text, &[&name])
    }

    /// The field that it was about.
    pub fn href(&self, photos: &Photos) -> String {
        let first = photos.of.first().map(|of| of.id);
        self.of.or(first).map_or("#photos".to_owned(), |of| format!("#{}", field(of)))
    }
}

/// What the section shows.
#[derive(Debug, Clone)]
pub struct Photos {
    /// Where photos are sent to.
    pub action: String,
    /// Whether nothing goes on without one.
    pub are_awaited: bool,
    /// What may be shown.
    pub of: Vec<PhotosOf>,
    /// What was wrong with those that were sent before.
    pub mistakes: Vec<PhotoMistake>,
}

/// The photos of a thing.
#[derive(Debug, Clone)]
pub struct PhotosOf {
    /// Which: a return request, or a purchase of which none was made yet.
    pub id: Uuid,
    /// What it is.
    pub product: ProductSummary,
    /// Those that were sent, unless they stand with the thing.
    pub sent: Vec<SentPhoto>,
}

/// A photo that was sent.
#[derive(Debug, Clone)]
pub struct SentPhoto {
    /// Where it is.
    pub href: String,
    /// Whether browsers can show it.
    pub is_shown: bool,
    /// What the form says to have it taken away; `None` where it stays.
    pub removal: Option<String>,
}

/// A field's name, which is its id as well.
pub fn field(of: Uuid) -> String {
    format!("photos-{of}")
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
            .filter(|mistake| mistake.of.is_none_or(|id| id == of.id))
            .map(|mistake| mistake.text(words))
            .collect();
        let label = if is_one {
            words.photos_choose.to_owned()
        } else {
            format(words.photos_of, &[&isolated(&of.product.name, words)])
        };
        files(of, (label, None, "photos-hint".to_owned()), (!wrong.is_empty()).then(|| wrong.join(" ")), words)
    });
    let button = if photos.are_awaited { "button button-wide" } else { "button button-second button-wide" };
    view! {
        <form id="photos" class="photos-form" method="post" enctype="multipart/form-data" action=photos.action.clone() novalidate>
            <p class="hint" id="photos-hint">{words.photos_hint}</p>
            {rows.collect_view()}
            <Corrections language=words.tag.to_owned()/>
            <Upload language=words.tag.to_owned()/>
            <button class=button>{icon(icons::CAMERA)}{words.photos_send}</button>
        </form>
    }
    .into_any()
}

/// Photos that were sent, each a link to its whole picture. Nothing where there are none.
pub fn thumbnails(photos: &[SentPhoto], words: &'static Words) -> impl IntoView + use<> {
    let photo = |(photo, number): (&SentPhoto, u32)| {
        let (href, number) = (&photo.href, number.to_string());
        let name = format(words.photo_number, &[&number]);
        let picture = if photo.is_shown {
            view! { <img src=href.clone() alt=name width="80" height="80" loading="lazy"/> }.into_any()
        } else {
            view! { {icon_s(icons::CAMERA)}<span class="visually-hidden">{name}</span> }.into_any()
        };
        let removal = photo.removal.clone().map(|value| {
            let label = format(words.photo_remove, &[&number]);
            view! { <button class="photo-remove" name="remove" value=value aria-label=label>{icon(icons::X)}</button> }
        });
        view! { <li><a class="photo photo-l" href=href.clone()>{picture}</a>{removal}</li> }
    };
    let list = photos.iter().zip(1..).map(photo).collect::<Vec<_>>();
    (!list.is_empty()).then(|| view! { <ul class="photos-sent" aria-label=words.photos_sent>{list}</ul> })
}

/// The field for photos of a thing, with those that were sent. `before`: why they are asked for; `hint`: the ids of what is
/// said about it.
pub fn files(
    of: &PhotosOf,
    (label, before, hint): (String, Option<&'static str>, String),
    wrong: Option<String>,
    words: &'static Words,
) -> impl IntoView + use<> {
    let id = field(of.id);
    let error = format!("{id}-error");
    let sent = thumbnails(&of.sent, words);
    let described = if wrong.is_some() { format!("{hint} {error}") } else { hint };
    view! {
        <div class=if wrong.is_some() { "field has-error" } else { "field" }>
            <label for=id.clone()><bdi>{label}</bdi></label>
            {before.map(|text| view! { <p class="photos-why" id=format!("{id}-why")>{text}</p> })}
            {sent}
            <FieldMistake id=error text=wrong.clone() words/>
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

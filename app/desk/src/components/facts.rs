//! Facts as a definition list, and photos.

use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// A list of facts: names and what is known.
pub fn facts(all: Vec<(String, Html)>) -> Html {
    let fact = |(name, value): (String, Html)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    view! { <dl class="facts">{all.into_iter().map(fact).collect_view()}</dl> }.into_html()
}

/// A photo: a small picture that links to the large one.
#[derive(Debug, Clone)]
pub struct Photo {
    pub thumbnail: String,
    pub href: String,
    /// What it is of, in words.
    pub alt: String,
}

/// Photos side by side.
pub fn photo_grid(photos: Vec<Photo>) -> Html {
    let photo = |photo: Photo| {
        view! {
            <li>
                <a href=photo.href>
                    <img src=photo.thumbnail alt=photo.alt width="160" height="160" loading="lazy" decoding="async"/>
                </a>
            </li>
        }
    };
    view! { <ul class="photos">{photos.into_iter().map(photo).collect_view()}</ul> }.into_html()
}

//! Photos of returned items: those that were sent, and a form for more.

use crate::{
    forms::photos::{PhotoMistake, SentPhoto, field},
    islands::{Corrections, Upload},
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::{
        FieldMistake, ProductSummary,
        icons::{self, icon, icon_s},
    },
    html::IntoHtml,
    text::{format, isolated},
};
use uuid::Uuid;

/// What the section shows.
#[derive(Debug, Clone)]
pub struct Photos {
    /// The address that photos are sent to.
    pub action: String,
    /// Whether the return waits for photos.
    pub are_awaited: bool,
    /// The items to take photos of.
    pub of: Vec<PhotosOf>,
    /// Photos that were refused.
    pub mistakes: Vec<PhotoMistake>,
}

/// The photos of an item.
#[derive(Debug, Clone)]
pub struct PhotosOf {
    /// A return request, or a purchase without one.
    pub id: Uuid,
    pub product: ProductSummary,
    /// The photos that were sent, unless the page shows them with the item.
    pub sent: Vec<SentPhoto>,
}

/// The section. It is open while the return waits for photos, and folded otherwise.
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
        .into_html();
    }
    view! {
        <details class="more photos" open=is_open>
            <summary>{words.photos_add}{icon(icons::CHEVRON)}</summary>
            <div class="more-in"><PhotosForm photos words/></div>
        </details>
    }
    .into_html()
}

#[component]
fn PhotosForm(photos: Photos, words: &'static Words) -> impl IntoView {
    // Of several items, the return may wait for photos of one.
    let is_clear = photos.of.len() == 1 && !photos.are_awaited;
    let rows = photos.of.iter().map(|of| {
        let wrong: Vec<String> = photos
            .mistakes
            .iter()
            .filter(|mistake| mistake.of.is_none_or(|id| id == of.id))
            .map(|mistake| mistake.text(words))
            .collect();
        let label = if is_clear {
            words.photos_choose.to_owned()
        } else {
            format(words.photos_of, &[&isolated(&of.product.name, words)])
        };
        let about = FileFieldTexts { label, before: None, hint: "photos-hint".to_owned() };
        file_field(of, about, (!wrong.is_empty()).then(|| wrong.join(" ")), words)
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
    .into_html()
}

/// Photos that were sent, each a link to the full picture. Nothing without photos.
pub fn thumbnails(photos: &[SentPhoto], words: &'static Words) -> impl IntoView + use<> {
    let photo = |(photo, number): (&SentPhoto, u32)| {
        let (href, number) = (&photo.href, number.to_string());
        let name = format(words.photo_number, &[&number]);
        let picture = if photo.is_shown {
            view! { <img src=href.clone() alt=name width="80" height="80" loading="lazy"/> }.into_html()
        } else {
            view! { {icon_s(icons::CAMERA)}<span class="visually-hidden">{name}</span> }.into_html()
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

/// The texts around a file field.
#[derive(Debug, Clone)]
pub struct FileFieldTexts {
    pub label: String,
    /// Why photos are needed.
    pub before: Option<&'static str>,
    /// The ids of further descriptions.
    pub hint: String,
}

/// The file field of an item, with the photos that were sent.
pub fn file_field(
    of: &PhotosOf,
    FileFieldTexts { label, before, hint }: FileFieldTexts,
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
    .into_html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        forms::photos::PhotoProblem,
        frame::render::{html, tags},
        words::EN,
    };

    fn of(number: u128) -> PhotosOf {
        let product = ProductSummary { name: format!("Item {number}"), image: None, attributes: Vec::new() };
        PhotosOf { id: Uuid::from_u128(number), product, sent: Vec::new() }
    }

    fn shown(are_awaited: bool, of: Vec<PhotosOf>, mistakes: Vec<PhotoMistake>) -> String {
        let photos = Photos { action: "/shop/photos".to_owned(), are_awaited, of, mistakes };
        html(|| view! { <PhotosSection photos words=&EN/> }.into_html())
    }

    #[test]
    fn fields_name_their_items_if_there_are_several() {
        let one = shown(false, vec![of(1)], Vec::new());
        assert!(one.contains(&format!("<bdi>{}</bdi>", EN.photos_choose)) && !one.contains("Item 1"), "{one}");
        let awaited = shown(true, vec![of(1)], Vec::new());
        assert!(awaited.contains("<bdi>Photos of Item 1</bdi>"), "{awaited}");
        let two = shown(true, vec![of(1), of(2)], Vec::new());
        for name in ["Photos of Item 1", "Photos of Item 2"] {
            assert!(two.contains(&format!("<bdi>{name}</bdi>")), "{two}");
        }
        assert!(!two.contains(&format!("<bdi>{}</bdi>", EN.photos_choose)), "{two}");
    }

    #[test]
    fn mistakes_are_beside_the_field_of_their_item() {
        let right = shown(true, vec![of(1), of(2)], Vec::new());
        assert!(!right.contains("has-error") && !right.contains("aria-invalid"), "{right}");
        assert!(!right.contains("-error"), "{right}");
        let id = field(Uuid::from_u128(2));
        let refused = PhotoMistake::new(Some(Uuid::from_u128(2)), "a.gif", PhotoProblem::TooMany);
        let wrong = shown(true, vec![of(1), of(2)], vec![refused]);
        let inputs = tags(&wrong, "<input", &["aria-invalid=\"true\""]);
        assert!(inputs.len() == 1 && inputs[0].contains(&format!("id=\"{id}\"")), "{wrong}");
        assert!(inputs[0].contains(&format!("aria-describedby=\"photos-hint {id}-error\"")), "{wrong}");
        assert_eq!(wrong.matches("a.gif is one too many.").count(), 1, "{wrong}");
        let none = PhotoMistake::new(None, "", PhotoProblem::NoneChosen);
        let none = shown(true, vec![of(1), of(2)], vec![none]);
        assert_eq!(none.matches(EN.photo_missing).count(), 2, "a mistake of no item is one of each: {none}");
    }

    #[test]
    fn the_section_is_folded_unless_it_has_something_to_say() {
        let awaited = shown(true, vec![of(1)], Vec::new());
        assert!(awaited.contains("<h2 id=\"photos-title\">") && !awaited.contains("<details"), "{awaited}");
        let folded = shown(false, vec![of(1)], Vec::new());
        assert_eq!(tags(&folded, "<details", &[]).len(), 1, "{folded}");
        assert_eq!(tags(&folded, "<details", &[" open"]).len(), 0, "{folded}");
        let none = PhotoMistake::new(None, "", PhotoProblem::NoneChosen);
        assert_eq!(tags(&shown(false, vec![of(1)], vec![none]), "<details", &[" open"]).len(), 1);
    }

    #[test]
    fn sent_photos_are_numbered_pictures_that_can_be_removed() {
        let sent = |href: &str, is_shown, removal: Option<&str>| SentPhoto {
            href: href.to_owned(),
            is_shown,
            removal: removal.map(str::to_owned),
        };
        let photos = [sent("/a", true, Some("1/2")), sent("/b", false, None)];
        let list = html(|| thumbnails(&photos, &EN).into_html());
        let first = format(EN.photo_number, &["1"]);
        assert_eq!(tags(&list, "<img", &["src=\"/a\"", &format!("alt=\"{first}\"")]).len(), 1, "{list}");
        assert!(!list.contains("src=\"/b\"") && list.contains("href=\"/b\""), "{list}");
        assert_eq!(tags(&list, "<button", &["name=\"remove\"", "value=\"1/2\""]).len(), 1, "{list}");
        assert_eq!(tags(&list, "<button", &[]).len(), 1, "{list}");
        assert!(!html(|| thumbnails(&[], &EN).into_html()).contains("<ul"));
    }
}

//! `/{slug}/details`: the shop's questions about the selected items, and photos of them.

use crate::{
    forms::photos::{PhotoMistake, field},
    frame::{steps::Steps, theme::Theme},
    islands::{Corrections, Upload},
    pages::photos::view::{FileFieldTexts, PhotosOf, file_field},
    words::Words,
};
use domain::{
    PurchaseId,
    policy::{
        question::{AnswerError, MAX_ANSWER_CHARS},
        reason::EvidenceRule,
    },
};
use leptos::prelude::*;
use returns::view::QuestionView;
use ui::{
    components::{
        Alert, FieldMistake, ProductSummary,
        icons::{self, icon},
        product_photo, typed, variant,
    },
    html::{Html, IntoHtml},
    text::{format, isolated},
};

/// Up to so many options stand side by side. More of them are a list.
const FEW: usize = 5;

/// What the page shows.
#[derive(Debug, Clone)]
pub struct Details {
    pub theme: Theme,
    pub items: Vec<DetailsItem>,
    /// Photos that were refused.
    pub mistakes: Vec<PhotoMistake>,
}

/// A selected item with the questions about it.
#[derive(Debug, Clone)]
pub struct DetailsItem {
    pub id: PurchaseId,
    pub product: ProductSummary,
    /// The reason.
    pub why: String,
    pub questions: Vec<AskedQuestion>,
    /// Whether photos are asked for.
    pub evidence: EvidenceRule,
    /// Photos that were sent.
    pub photos: PhotosOf,
}

/// A question and what was typed.
#[derive(Debug, Clone)]
pub struct AskedQuestion {
    pub question: QuestionView,
    /// The answer; may be empty.
    pub given: String,
    /// What is wrong with the answer.
    pub wrong: Option<AnswerError>,
}

/// The name of an answer's field, which is also its id.
pub fn answer_field(of: PurchaseId, question: &str) -> String {
    format!("answer-{of}-{question}")
}

impl AskedQuestion {
    fn mistake(&self, words: &'static Words) -> Option<&'static str> {
        let text = match self.wrong? {
            AnswerError::TooLong => words.answer_too_long,
            AnswerError::Missing if self.question.options.is_empty() => words.answer_missing,
            AnswerError::Missing | AnswerError::NotOffered => words.answer_choose,
        };
        Some(text)
    }
}

/// The page.
#[component]
pub fn DetailsPage(page: Details, words: &'static Words) -> impl IntoView {
    let alerts = alerts(&page, words);
    let Details { theme, items, mistakes } = page;
    // Photos travel in a multipart form, which server functions do not read.
    let takes_photos = items.iter().any(|item| item.evidence != EvidenceRule::None);
    let action = theme.path(if takes_photos { "details" } else { "call/answer" });
    let action = format!("{action}{}", theme.fetched());
    let items = items.into_iter().map(|item| view! { <ItemSection item mistakes=mistakes.clone() words/> });
    view! {
        <Steps current=1 theme=theme.clone() words/>
        <Alert mistakes=alerts words/>
        <div class="head">
            <h1>{words.details_title}</h1>
            <p class="lede">{words.details_lede}</p>
        </div>
        <form id="photos" class="details" method="post" enctype=takes_photos.then_some("multipart/form-data") action=action novalidate>
            // Enter presses the first button of a form, which would otherwise remove a photo.
            <button class="visually-hidden" tabindex="-1" aria-hidden="true"></button>
            {items.collect_view()}
            <Corrections language=words.tag.to_owned()/>
            <div class="details-end">
                {takes_photos.then(|| view! { <Upload language=words.tag.to_owned()/> })}
                <div class="actions">
                    <button class="button button-wide">{words.live().continue_}</button>
                    <a class="textlink" href=theme.path("purchases")>{words.details_back}</a>
                </div>
            </div>
        </form>
    }
    .into_html()
}

/// All mistakes, each with the address of its field.
fn alerts(page: &Details, words: &'static Words) -> Vec<(String, String)> {
    let mut alerts = Vec::new();
    for item in &page.items {
        let about = |text: &str| format(words.live().about_row, &[&isolated(&item.product.name, words), text]);
        for asked in &item.questions {
            if let Some(text) = asked.mistake(words) {
                let address = format!("#{}", answer_field(item.id, asked.question.id.as_str()));
                alerts.push((address, about(&format!("{} – {text}", isolated(&asked.question.text, words)))));
            }
        }
        let of_item = page.mistakes.iter().filter(|mistake| mistake.of == Some(item.id.0));
        alerts.extend(of_item.map(|mistake| (format!("#{}", field(item.id.0)), about(&mistake.text(words)))));
    }
    alerts
}

#[component]
fn ItemSection(item: DetailsItem, mistakes: Vec<PhotoMistake>, words: &'static Words) -> impl IntoView {
    let DetailsItem { id, product, why, questions, evidence, photos } = item;
    let (heading, labelled) = (format!("about-{id}"), format!("about-{id}"));
    let questions = questions.into_iter().map(|asked| question(id, asked, words)).collect_view();
    let photos = (evidence != EvidenceRule::None).then(|| photo_field(&photos, evidence, &mistakes, words));
    view! {
        <section class="section details-item" aria-labelledby=labelled>
            <div class="details-head">
                {product_photo(&product, true)}
                <div class="item-body">
                    <h2 id=heading><bdi>{product.name.clone()}</bdi></h2>
                    <p class="item-meta">{variant(&product)}</p>
                    <p class="quiet small"><bdi>{why}</bdi></p>
                </div>
            </div>
            {questions}
            {photos}
        </section>
    }
    .into_html()
}

fn photo_field(
    photos: &PhotosOf,
    evidence: EvidenceRule,
    mistakes: &[PhotoMistake],
    words: &'static Words,
) -> impl IntoView + use<> {
    let wrong: Vec<String> =
        mistakes.iter().filter(|mistake| mistake.of == Some(photos.id)).map(|mistake| mistake.text(words)).collect();
    let (hint, why) = (format!("{}-hint", field(photos.id)), format!("{}-why", field(photos.id)));
    let text = match evidence {
        EvidenceRule::Required => words.photos_awaited,
        EvidenceRule::Optional | EvidenceRule::None => words.photos_may,
    };
    let about = FileFieldTexts { label: words.photos.to_owned(), before: Some(text), hint: format!("{why} {hint}") };
    let files = file_field(photos, about, (!wrong.is_empty()).then(|| wrong.join(" ")), words);
    view! { <div class="details-photos">{files}<p class="hint" id=hint>{words.photos_hint}</p></div> }
}

/// A question. A few options of a required question stand side by side; otherwise they are a list.
fn question(of: PurchaseId, asked: AskedQuestion, words: &'static Words) -> Html {
    let name = answer_field(of, asked.question.id.as_str());
    let wrong = asked.mistake(words).map(str::to_owned);
    let must = asked.question.required;
    if !asked.question.options.is_empty() && asked.question.options.len() <= FEW && must {
        return radios(name, asked, wrong, words);
    }
    let error = format!("{name}-error");
    let (invalid, described) = (wrong.is_some().then_some("true"), wrong.is_some().then(|| error.clone()));
    let optional = (!must).then(|| view! { " "<span class="label-note">{words.optional}</span> });
    let AskedQuestion { question, given, .. } = asked;
    let control = if question.options.is_empty() {
        view! {
            <textarea class="textarea" id=name.clone() name=name.clone() rows="2" maxlength=MAX_ANSWER_CHARS.to_string() required=must aria-invalid=invalid aria-describedby=described>{typed(&given)}</textarea>
        }
        .into_html()
    } else {
        let option = |option: returns::view::AnswerOptionView| {
            let selected = option.id.as_str() == given;
            view! { <option value=option.id.to_string() selected=selected>{option.text}</option> }
        };
        let none = if must { words.answer_choose } else { words.answer_none };
        view! {
            <div class="select">
                <select id=name.clone() name=name.clone() required=must aria-invalid=invalid aria-describedby=described>
                    <option value="">{none}</option>
                    {question.options.into_iter().map(option).collect_view()}
                </select>
                {icon(icons::CHEVRON)}
            </div>
        }
        .into_html()
    };
    let class = if wrong.is_some() { "field has-error" } else { "field" };
    view! {
        <div class=class>
            <label for=name><bdi>{question.text}</bdi>{optional}</label>
            <FieldMistake id=error text=wrong words/>
            {control}
        </div>
    }
    .into_html()
}

fn radios(name: String, asked: AskedQuestion, wrong: Option<String>, words: &'static Words) -> Html {
    let error = format!("{name}-error");
    let AskedQuestion { question, given, .. } = asked;
    let radio = |(index, option): (usize, returns::view::AnswerOptionView)| {
        let id = (index == 0).then(|| name.clone());
        let checked = option.id.as_str() == given;
        view! {
            <label class="choice">
                <input class="tick" type="radio" id=id name=name.clone() value=option.id.to_string() checked=checked required/>
                <bdi>{option.text}</bdi>
            </label>
        }
    };
    let class = if wrong.is_some() { "choices has-error" } else { "choices" };
    let described = wrong.is_some().then(|| error.clone());
    view! {
        <fieldset class=class aria-describedby=described>
            <legend><bdi>{question.text}</bdi></legend>
            <FieldMistake id=error text=wrong words/>
            <div class="choices-row">{question.options.into_iter().enumerate().map(radio).collect_view()}</div>
        </fieldset>
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
    use domain::policy::question::QuestionKey;
    use returns::view::AnswerOptionView;
    use uuid::Uuid;

    fn key(text: &str) -> QuestionKey {
        QuestionKey::parse(text).unwrap()
    }

    fn asked(required: bool, options: &[&str], wrong: Option<AnswerError>) -> AskedQuestion {
        let option = |text: &&str| AnswerOptionView { id: key(text), text: text.to_uppercase() };
        let (id, text) = (key("where"), "Where?".to_owned());
        let question = QuestionView { id, text, options: options.iter().map(option).collect(), required };
        AskedQuestion { question, given: String::new(), wrong }
    }

    fn item(number: u128, questions: Vec<AskedQuestion>, evidence: EvidenceRule) -> DetailsItem {
        let id = PurchaseId(Uuid::from_u128(number));
        let product = ProductSummary { name: format!("Item {number}"), image: None, attributes: Vec::new() };
        let photos = PhotosOf { id: id.0, product: product.clone(), sent: Vec::new() };
        DetailsItem { id, product, why: String::new(), questions, evidence, photos }
    }

    fn shown(items: Vec<DetailsItem>, mistakes: Vec<PhotoMistake>) -> String {
        let page = Details { theme: Theme::for_tests(), items, mistakes };
        html(|| view! { <DetailsPage page words=&EN/> }.into_html())
    }

    fn question_alone(asked: AskedQuestion) -> String {
        shown(vec![item(1, vec![asked], EvidenceRule::None)], Vec::new())
    }

    #[test]
    fn a_few_options_of_a_required_question_are_radios() {
        let name = answer_field(PurchaseId(Uuid::from_u128(1)), "where");
        let given = AskedQuestion { given: "b".to_owned(), ..asked(true, &["a", "b", "c", "d", "e"], None) };
        let radios = question_alone(given);
        let all = tags(&radios, "<input", &["type=\"radio\"", &format!("name=\"{name}\""), "required"]);
        let is_first: Vec<bool> = all.iter().map(|tag| tag.contains(&format!(" id=\"{name}\""))).collect();
        assert_eq!(is_first, [true, false, false, false, false], "links lead to the first: {radios}");
        let checked: Vec<bool> = all.iter().map(|tag| tag.contains(" checked")).collect();
        assert_eq!(checked, [false, true, false, false, false], "{radios}");
        assert!(!radios.contains("<select") && !radios.contains("has-error"), "{radios}");
        for list in [asked(true, &["a", "b", "c", "d", "e", "f"], None), asked(false, &["a", "b"], None)] {
            let (is_required, count) = (list.question.required, list.question.options.len());
            let list = question_alone(AskedQuestion { given: "b".to_owned(), ..list });
            assert!(list.contains("<select") && !list.contains("type=\"radio\""), "{list}");
            assert_eq!(tags(&list, "<option", &[]).len(), count + 1, "one for no answer: {list}");
            assert_eq!(tags(&list, "<option", &["value=\"b\"", " selected"]).len(), 1, "{list}");
            assert_eq!(tags(&list, "<option", &[" selected"]).len(), 1, "{list}");
            assert_eq!(list.contains(EN.optional), !is_required, "{list}");
            assert_eq!(list.contains(EN.answer_none), !is_required, "{list}");
        }
        let text = question_alone(asked(true, &[], None));
        assert!(
            text.contains("<textarea") && !text.contains("type=\"radio\"") && !text.contains("<fieldset"),
            "{text}"
        );
    }

    #[test]
    fn mistakes_are_linked_to_their_fields() {
        let name = answer_field(PurchaseId(Uuid::from_u128(1)), "where");
        for (options, wrong, says) in [
            (&[][..], AnswerError::Missing, EN.answer_missing),
            (&[], AnswerError::TooLong, EN.answer_too_long),
            (&["a"], AnswerError::Missing, EN.answer_choose),
            (&["a"], AnswerError::NotOffered, EN.answer_choose),
        ] {
            let page = question_alone(asked(true, options, Some(wrong)));
            let link = format!("<li><a href=\"#{name}\">Item 1: Where? – {says}</a></li>");
            assert!(page.contains(&link), "no {link} in {page}");
            assert!(page.contains("has-error") && page.contains(&format!("id=\"{name}-error\"")), "{page}");
            assert_eq!(tags(&page, "<", &[&format!("aria-describedby=\"{name}-error\"")]).len(), 1, "{page}");
        }
        let right = question_alone(asked(true, &[], None));
        assert!(!right.contains("role=\"alert\"") && !right.contains("has-error"), "{right}");
    }

    #[test]
    fn a_refused_photo_is_a_mistake_of_its_item() {
        let items = [1, 2].map(|number| item(number, Vec::new(), EvidenceRule::Required));
        let [first, second] = [1, 2].map(|number| field(Uuid::from_u128(number)));
        let refused = PhotoMistake::new(Some(Uuid::from_u128(2)), "a.gif", PhotoProblem::Unreadable);
        let page = shown(items.to_vec(), vec![refused]);
        let sentence = "a.gif couldn’t be read as a photo. Use a JPEG or PNG instead.";
        assert!(page.contains(&format!("<li><a href=\"#{second}\">Item 2: {sentence}</a></li>")), "{page}");
        assert!(!page.contains(&format!("href=\"#{first}\"")), "{page}");
        assert_eq!(page.matches("has-error").count(), 1, "{page}");
        assert!(page.contains(&format!("id=\"{second}-error\"")), "{page}");
        assert!(page.contains(EN.photos_awaited) && !page.contains(EN.photos_may), "{page}");
    }

    #[test]
    fn only_photos_need_a_multipart_form() {
        let without = question_alone(asked(true, &[], None));
        assert_eq!(tags(&without, "<form", &["action=\"/shop/call/answer\""]).len(), 1, "{without}");
        assert!(!without.contains("enctype") && !without.contains("type=\"file\""), "{without}");
        assert!(!without.contains("<progress"), "{without}");
        let items = vec![item(1, Vec::new(), EvidenceRule::None), item(2, Vec::new(), EvidenceRule::Optional)];
        let with = shown(items, Vec::new());
        let form = ["action=\"/shop/details\"", "enctype=\"multipart/form-data\""];
        assert_eq!(tags(&with, "<form", &form).len(), 1, "{with}");
        assert_eq!(tags(&with, "<input", &["type=\"file\""]).len(), 1, "{with}");
        assert!(with.contains("<progress") && with.contains(EN.photos_may), "{with}");
    }
}

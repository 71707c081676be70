//! The page of a draft as a shopper sees it.

use crate::{
    frame::{
        render::{html, tags},
        theme::Theme,
    },
    pages::review::view::{Offer, Review, ReviewItem, ReviewPage, Way},
    progress::outcome::ExpectedOutcome,
    words::EN,
};
use domain::{DraftReturnOrderId, ShippingOptionId, shipping::ShippingMethod};
use leptos::prelude::*;
use ui::{
    components::{NoticeText, ProductSummary, Tone, icons},
    html::IntoHtml,
};
use uuid::Uuid;

fn way(number: u128, description: &str) -> Way {
    let offer = Offer {
        id: ShippingOptionId(Uuid::from_u128(number)),
        name: format!("Option {number}"),
        description: description.to_owned(),
        method: ShippingMethod::Label,
        price: Some("£3.95".to_owned()),
    };
    Way { option: Some(offer), ..kept() }
}

/// Nothing is sent.
fn kept() -> Way {
    let outcome =
        ExpectedOutcome { text: EN.you_get_nothing, figures: Vec::new(), frame: EN.sentence_nothing, note: None };
    Way { option: None, receipt: None, outcome, when: String::new(), button: "Send".to_owned() }
}

fn item(comment: &str, answers: &[(&str, &str)]) -> ReviewItem {
    let answer = |(question, answer): &(&str, &str)| ((*question).to_owned(), (*answer).to_owned());
    ReviewItem {
        product: ProductSummary { name: "Mug".to_owned(), image: None, attributes: Vec::new() },
        what: "1 · Refund".to_owned(),
        why: "Broken".to_owned(),
        answers: answers.iter().map(answer).collect(),
        comment: comment.to_owned(),
        photos: Vec::new(),
        change: "/shop/purchases#p1-row".to_owned(),
    }
}

fn review(ways: Vec<Way>) -> Review {
    Review {
        theme: Theme { terms_url: Some("https://shop.example/terms".to_owned()), ..Theme::for_tests() },
        draft: DraftReturnOrderId(Uuid::from_u128(1)),
        items: vec![item("", &[])],
        kept: false,
        ways,
        chosen: 0,
        way_missing: false,
        cannot_go: false,
        stopped_by_customs: Vec::new(),
        notice: None,
        changes: Vec::new(),
    }
}

fn shown(review: Review) -> String {
    html(|| view! { <ReviewPage page=review words=&EN/> }.into_html())
}

/// Whether each of the radio buttons is checked.
fn checked(html: &str) -> Vec<bool> {
    let radios = tags(html, "<input", &["type=\"radio\"", "name=\"shippingOption\""]);
    radios.iter().map(|tag| tag.contains(" checked")).collect()
}

#[test]
fn the_selected_option_is_checked_and_its_amounts_are_shown() {
    let two = || vec![way(1, ""), way(2, "")];
    let page = shown(Review { chosen: 1, ..review(two()) });
    assert_eq!(checked(&page), [false, true], "{page}");
    for start in ["<div", "<p", "<button"] {
        assert_eq!(tags(&page, start, &["data-way=\"2\"", "data-saved"]).len(), 1, "{start}: {page}");
        assert_eq!(tags(&page, start, &["data-way=\"1\""]).len(), 1, "{start}: {page}");
        assert_eq!(tags(&page, start, &["data-saved"]).len(), 1, "{start}: {page}");
    }
    assert!(page.contains("<bdi class=\"bar-way\">Option 2</bdi>"), "{page}");
    assert!(!shown(review(vec![way(1, "")])).contains("bar-way"), "one option needs no name");
    assert!(!page.contains("role=\"alert\"") && !page.contains("way-error"), "{page}");
    let missing = shown(Review { way_missing: true, ..review(two()) });
    assert_eq!(checked(&missing), [false, false], "{missing}");
    assert!(missing.contains(&format!("<a href=\"#way1\">{}</a>", EN.option_missing)), "{missing}");
    assert!(missing.contains("id=\"way-error\""), "{missing}");
}

#[test]
fn an_option_shows_its_description_if_it_has_one() {
    let page = shown(review(vec![way(1, ""), way(2, "At any post office")]));
    let bodies: Vec<&str> = page.split("class=\"card-body\"").skip(1).collect();
    let first = |body: &str| body.split_once('>').unwrap().1.split("<ul").next().unwrap().to_owned();
    assert_eq!([first(bodies[0]).as_str(), &first(bodies[1])], ["", "<p>At any post office</p>"], "{page}");
    assert_eq!(page.matches("class=\"card-price\"").count(), 2, "{page}");
}

#[test]
fn without_an_option_the_page_says_why_and_sends_nothing() {
    let plain = shown(review(vec![way(1, "")]));
    for absent in ["class=\"notice", EN.no_way_title, EN.customs_title] {
        assert!(!plain.contains(absent), "{absent} in {plain}");
    }
    for there in ["class=\"terms\"", "class=\"bar\"", "<aside", EN.review_lede] {
        assert!(plain.contains(there), "no {there} in {plain}");
    }
    let stuck = shown(Review { cannot_go: true, ..review(vec![kept()]) });
    assert!(stuck.contains(EN.no_way_title) && stuck.contains(EN.no_way), "{stuck}");
    for absent in ["class=\"terms\"", "class=\"bar\"", "<aside", EN.review_lede, "<button class", EN.how_send] {
        assert!(!stuck.contains(absent), "{absent} in {stuck}");
    }
    let customs = Review { stopped_by_customs: vec!["Mug".to_owned()], ..review(vec![way(1, "")]) };
    let some = shown(customs.clone());
    assert!(some.contains(EN.customs_title) && some.contains("<li><bdi>Mug</bdi></li>"), "{some}");
    let none = shown(Review { cannot_go: true, ways: vec![kept()], ..customs });
    assert!(none.contains(EN.no_way_title) && none.contains(EN.customs_no_way), "{none}");
    let keeps = shown(Review { kept: true, ..review(vec![kept()]) });
    assert!(keeps.contains(EN.keep_lede) && keeps.contains(EN.stays) && !keeps.contains(EN.how_send), "{keeps}");
}

#[test]
fn items_show_what_the_shopper_said() {
    let silent = shown(review(vec![way(1, "")]));
    assert!(!silent.contains("<blockquote") && !silent.contains("answers-given"), "{silent}");
    let items = vec![item("It <b> leaks", &[("Where?", "At the handle")])];
    let page = shown(Review { items, ..review(vec![way(1, "")]) });
    assert!(page.contains("It &lt;b&gt; leaks</blockquote>"), "{page}");
    assert!(page.contains("<dt><bdi>Where?</bdi></dt><dd><bdi>At the handle</bdi></dd>"), "{page}");
}

#[test]
fn changed_amounts_are_shown_before_and_after() {
    let (title, text) = (EN.changed_title, EN.changed);
    let notice = Some(NoticeText { icon: icons::ALERT, tone: Tone::Warn, title, text });
    let page = shown(Review { notice: notice.clone(), ..review(vec![way(1, "")]) });
    assert!(page.contains(EN.changed_title) && !page.contains("class=\"changes\""), "{page}");
    let changes = vec![("Handling fee", "£0.00".to_owned(), "£4.95".to_owned())];
    let page = shown(Review { notice, changes, ..review(vec![way(1, "")]) });
    let (_, list) = page.split_once("class=\"changes\"").unwrap();
    let at = |what: &str| list.find(what).unwrap_or_else(|| panic!("no {what} in {list}"));
    assert!(at("Handling fee") < at("£0.00") && at("£0.00") < at("£4.95"), "{list}");
}

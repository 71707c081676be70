//! Links to the shop's staff: in the footer and in every state that needs a person.

use crate::{
    frame::{contact::Contact, theme::Theme},
    words::Words,
};
use leptos::prelude::*;
use std::fmt::Write as _;
use ui::{
    components::sentence,
    html::{Html, IntoHtml},
};

/// The best way to reach the shop, as a secondary action.
pub fn contact_link(theme: &Theme, words: &'static Words) -> Option<Html> {
    let Contact { url, email, phone } = &theme.contact;
    if let Some(href) = url.clone().or_else(|| email.as_deref().map(mailto)) {
        let target = tab(theme, url.is_some());
        return Some(view! { <a class="textlink" href=href target=target>{words.contact}</a> }.into_html());
    }
    phone.as_deref().map(|phone| view! { <a class="textlink" href=tel(phone)>{call(phone, words)}</a> }.into_html())
}

/// All ways to reach the shop, as items of the footer's list.
pub fn contact_items(theme: &Theme, words: &'static Words) -> Vec<Html> {
    let Contact { url, email, phone } = &theme.contact;
    let url = url.clone().map(|url| {
        let target = tab(theme, true);
        view! { <li><a href=url target=target>{words.contact}</a></li> }.into_html()
    });
    let email = email
        .as_deref()
        .map(|email| view! { <li><a href=mailto(email)><bdi dir="ltr">{email.to_owned()}</bdi></a></li> }.into_html());
    let phone =
        phone.as_deref().map(|phone| view! { <li><a href=tel(phone)>{call(phone, words)}</a></li> }.into_html());
    [url, email, phone].into_iter().flatten().collect()
}

/// A frame shows only the portal, so other pages open in a new tab.
fn tab(theme: &Theme, is_page: bool) -> Option<&'static str> {
    (is_page && theme.is_embedded).then_some("_blank")
}

/// The text of a link to a phone number. It is one element, because a flexible link would underline each of its parts alone.
fn call(phone: &str, words: &'static Words) -> Html {
    let number = view! { <bdi dir="ltr">{phone.to_owned()}</bdi> }.into_html();
    view! { <span>{sentence(words.contact_phone, vec![number])}</span> }.into_html()
}

fn tel(phone: &str) -> String {
    format!("tel:{}", phone.replace(' ', ""))
}

/// The address of a new mail (RFC 6068). Characters that could begin the query or another address are escaped.
fn mailto(email: &str) -> String {
    email.bytes().fold("mailto:".to_owned(), |mut address, byte| {
        if byte.is_ascii_alphanumeric() || b"@.-_+~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
        address
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;
    use domain::branding::Branding;

    fn theme(contact: Contact) -> Theme {
        Theme { contact, ..Theme::for_tests() }
    }

    #[test]
    fn the_contact_page_precedes_the_address_and_the_address_the_number() {
        let some = |text: &str| Some(text.to_owned());
        let all = Contact {
            url: some("https://shop.example/help"),
            email: some("a&b@shop.example"),
            phone: some("+44 131 496 0000"),
        };
        let html = |contact: &Contact| contact_link(&theme(contact.clone()), &EN).map(RenderHtml::to_html);
        assert!(html(&all).unwrap().contains(r#"href="https://shop.example/help""#));
        let without_page = Contact { url: None, ..all.clone() };
        assert!(html(&without_page).unwrap().contains(r#"href="mailto:a%26b@shop.example""#));
        let phone = Contact { email: None, ..without_page };
        let called = html(&phone).unwrap();
        assert!(called.contains(r#"href="tel:+441314960000""#) && called.contains("+44 131 496 0000"), "{called}");
        assert!(called.contains("><span>Call "), "the link is one element, with one line below it: {called}");
        assert_eq!(html(&Contact::default()), None);
        assert_eq!(contact_items(&theme(all.clone()), &EN).len(), 3);
        assert_eq!(all.line(&EN), "https://shop.example/help, a&b@shop.example, +44 131 496 0000");
    }

    #[test]
    fn the_reply_address_is_the_contact_address_if_there_is_no_other() {
        let branding = Branding { reply_to: Some("reply@shop.example".to_owned()), ..Branding::default() };
        assert_eq!(Contact::new(&branding).email.as_deref(), Some("reply@shop.example"));
        assert_eq!(Contact::new(&Branding::default()), Contact::default());
    }
}

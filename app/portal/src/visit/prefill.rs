//! What a link from the shop fills in: `?orderNumber=…&email=…&postalCode=…`.
//!
//! The values go into the session, and the browser is redirected to the address without them, so that no history, bookmark or
//! referrer contains them. The form is filled in but not sent. A visitor who has proved an order stays signed in.

use crate::visit::{response::EarlyResponse, shop::ShopRequest};
use axum::response::{IntoResponse, Redirect, Response};
use domain::ReturnOrderId;
use ui::{language::Language, web::form::Fields};

/// No order number is longer, and no e-mail address (RFC 3696: 64 characters, `@`, 255 characters).
pub const MAX_TYPED_CHARS: usize = 320;

/// The values in a link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefill {
    pub order_number: String,
    pub email: String,
    pub postal_code: String,
}

impl Prefill {
    /// The values in an address. `None` if it has none.
    pub fn of(query: &Fields) -> Option<Self> {
        let value = |name| shortened(query.get(name).trim());
        let (order_number, email, postal_code) = (value("orderNumber"), value("email"), value("postalCode"));
        // A plus sign that the shop did not encode has become a blank, and addresses have no blanks.
        let email = email.replace(' ', "+");
        let is_empty = order_number.is_empty() && email.is_empty() && postal_code.is_empty();
        (!is_empty).then_some(Self { order_number, email, postal_code })
    }
}

/// Saves the values, and redirects to the page without them.
pub async fn save_and_redirect(shop: &ShopRequest, page: &str, query: &Fields) -> Result<Response, EarlyResponse> {
    shop.save_for_visitor().await?;
    let next = query.get("next").parse::<ReturnOrderId>().ok().map(|id| format!("next={id}"));
    let lang = Language::parse(query.get("lang")).map(|language| format!("lang={}", language.tag()));
    let rest: Vec<String> = next.into_iter().chain(lang).collect();
    let rest = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    Ok(Redirect::to(&format!("{}{rest}", shop.theme.path(page))).into_response())
}

/// The address of a page, with the return to show next.
pub fn with_next(shop: &ShopRequest, page: &str, next: Option<ReturnOrderId>) -> String {
    let query = next.map(|id| format!("?next={id}")).unwrap_or_default();
    format!("{}{query}", shop.theme.path(page))
}

/// Shortens what was typed. This bounds the size of sessions.
pub fn shortened(text: &str) -> String {
    text.chars().take(MAX_TYPED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Option<Prefill> {
        Prefill::of(&Fields::parse(query.as_bytes()).unwrap_or_default())
    }

    #[test]
    fn links_fill_in_their_values() {
        let filled = of("orderNumber=%231001&email=ann%2Bshop%40example.com&postalCode=1012+AB").unwrap();
        let Prefill { order_number, email, postal_code } = filled;
        assert_eq!((&*order_number, &*email, &*postal_code), ("#1001", "ann+shop@example.com", "1012 AB"));
        assert_eq!(of("email=ann+shop@example.com").unwrap().email, "ann+shop@example.com");
        for nothing in
            ["", "next=1", "lang=de&notice=left", "orderNumber=&email=+", "orderNumber=%FF", "orderNumber=a%00"]
        {
            assert_eq!(of(nothing), None, "{nothing}");
        }
        assert_eq!(of(&format!("orderNumber={}", "1".repeat(5_000))).unwrap().order_number.len(), MAX_TYPED_CHARS);
    }
}

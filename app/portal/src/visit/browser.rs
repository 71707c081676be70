//! What a request tells about the browser that sends it.

use crate::visit::{embedded::Embedded, session::cookie_name};
use axum::http::{HeaderMap, request::Parts};
use returns::ClientAddress;
use ui::web::headers::cookies;

/// The browser that sends a request.
#[derive(Debug, Clone, Copy)]
pub struct Browser {
    /// Its address.
    pub client: ClientAddress,
    /// Whether the page is in a frame on a shop's page.
    pub embedded: Option<Embedded>,
    /// Whether it says that it runs on a telephone, which rarely has a printer beside it.
    pub on_phone: bool,
    /// Whether it sends a session cookie.
    pub has_session_cookie: bool,
}

impl Browser {
    /// Reads the request. `None` without the layer that knows client addresses.
    pub fn of(parts: &Parts, secure_cookies: bool) -> Option<Self> {
        let name = cookie_name(secure_cookies);
        Some(Self {
            client: *parts.extensions.get::<ClientAddress>()?,
            embedded: parts.extensions.get::<Embedded>().copied(),
            on_phone: is_phone(&parts.headers),
            has_session_cookie: cookies(&parts.headers).iter().any(|(known, _)| known == name),
        })
    }

    /// Whether it keeps our cookies. Some browsers do not, in frames.
    pub fn keeps_cookies(&self) -> bool {
        self.embedded.is_none_or(|embedded| embedded.keeps_cookies)
    }
}

/// Chromium sends a client hint, other browsers have it in their user agent.
fn is_phone(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match text("sec-ch-ua-mobile") {
        Some(hint) => hint == "?1",
        None => text("user-agent").is_some_and(|agent| agent.contains("Mobi")),
    }
}

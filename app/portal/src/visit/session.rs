//! Sessions by cookie. The use cases store them, under the hash of the cookie.

use crate::visit::headers::{cookie_set_to, remove_set_cookie};
use axum::{extract::Request, http::Extensions, middleware::Next, response::Response};
use domain::Timestamp;
use returns::{Retour, Shopper};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::SameSite,
    session::{self, Id, Record},
    session_store::{Error, Result},
};
use ui::web::headers::cookies;

/// How long a session lasts after its last change.
const HOURS: i64 = 24;

/// The key under which a session stores the shopper who proved an order last, in any shop. A visit stores its shopper under the
/// same name.
const SHOPPER: &str = "shopper";

/// The shopper of a request's session, for the server's rate limit.
pub async fn shopper(extensions: &Extensions) -> Option<Shopper> {
    extensions.get::<Session>()?.get(SHOPPER).await.ok().flatten()
}

/// The session id in a request's cookie. The session may not exist; after [`shopper`] has looked for it, the id of a missing one is
/// `None`.
pub fn session_id(extensions: &Extensions) -> Option<i128> {
    Some(extensions.get::<Session>()?.id()?.0)
}

/// Stores the shopper in the session.
pub async fn belongs_to(session: &Session, shopper: Shopper) -> std::result::Result<(), session::Error> {
    session.insert(SHOPPER, shopper).await
}

/// The name of the session cookie.
pub fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-retour" } else { "retour" }
}

/// The session layer. It creates a session only when there is something to store.
pub fn layer(retour: Retour, secure: bool) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(Store(retour))
        .with_name(cookie_name(secure))
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(expiry())
}

/// The expiry of a known shopper's session.
pub fn expiry() -> Expiry {
    Expiry::OnInactivity(time::Duration::hours(HOURS))
}

/// Whether a request has ended its own session.
#[derive(Debug, Clone, Default)]
pub struct Ended(Arc<AtomicBool>);

impl Ended {
    /// Marks the session as ended.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Leaves the cookie of a missing session alone. Another tab may have signed in or out in the meantime: setting or deleting the
/// cookie would lose that tab's session. A request that ends its own session deletes its cookie.
pub async fn current_cookie(retour: Retour, secure: bool, mut request: Request, next: Next) -> Response {
    let (name, ended) = (cookie_name(secure), Ended::default());
    let sent = cookies(request.headers());
    request.extensions_mut().insert(ended.clone());
    let mut response = next.run(request).await;
    let set = cookie_set_to(response.headers(), name).map(str::to_owned);
    let is_gone = match set.as_deref() {
        None => return response,
        Some("") => !ended.0.load(Ordering::Relaxed),
        Some(id) => {
            let is_old = sent.iter().any(|(known, sent)| known == name && sent == id);
            is_old && matches!(retour.load_session(id).await, Ok(None))
        }
    };
    if is_gone {
        remove_set_cookie(response.headers_mut(), name);
    }
    response
}

/// Stores sessions through the use cases.
#[derive(Debug, Clone)]
pub struct Store(Retour);

fn data(record: &Record) -> Result<String> {
    serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))
}

/// All shoppers of a session, in any shop.
fn shoppers(record: &Record) -> BTreeSet<Shopper> {
    let of = |(name, value): (&String, &serde_json::Value)| {
        let shopper = if name == SHOPPER { Some(value) } else { value.get(SHOPPER) };
        serde_json::from_value(shopper?.clone()).ok()
    };
    record.data.iter().filter_map(of).collect()
}

fn failed(error: returns::Error) -> Error {
    Error::Backend(error.to_string())
}

#[async_trait::async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let data = data(record)?;
        while !self
            .0
            .create_session(record.id.to_string(), data.clone(), shoppers(record), record.expiry_date.into())
            .await
            .map_err(failed)?
        {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.0.save_session(record.id.to_string(), data(record)?, record.expiry_date.into()).await.map_err(failed)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = self.0.load_session(&id.to_string()).await.map_err(failed)?;
        // A session of another version that this one cannot read does not exist.
        let record = |(data, expires): (String, Timestamp)| {
            Some(Record { id: *id, data: serde_json::from_str(&data).ok()?, expiry_date: expires.utc() })
        };
        Ok(found.and_then(record))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.0.delete_session(id.to_string()).await.map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderMap, HeaderValue, header};

    #[test]
    fn removing_a_set_cookie_keeps_the_others() {
        let mut headers = HeaderMap::new();
        for set in ["retour=abc; HttpOnly; Path=/", "retour-language=de; Path=/"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(set));
        }
        assert_eq!(
            (cookie_set_to(&headers, "retour"), cookie_set_to(&headers, "retour-language")),
            (Some("abc"), Some("de"))
        );
        remove_set_cookie(&mut headers, "retour");
        let left: Vec<&HeaderValue> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(left, ["retour-language=de; Path=/"]);
        assert_eq!(cookie_set_to(&headers, "retour"), None);
        headers.append(header::SET_COOKIE, HeaderValue::from_static("retour=; Path=/; Max-Age=0"));
        assert_eq!(cookie_set_to(&headers, "retour"), Some(""));
    }
}

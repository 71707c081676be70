//! Sessions: what a browser's cookie stands for. Kept by the use cases, under the hash of the cookie.

use super::embedded::cookies;
use crate::{
    calls::{
        AnswerMistake, RowMistake, gift,
        look_up::{self, LookUpFields},
        withdraw,
    },
    choice::Choice,
    pages::{photos, withdraw::Draft},
};
use axum::{
    extract::Request,
    http::{Extensions, HeaderMap, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use domain::{DraftReturnOrderId, PurchaseId, ReturnOrderId, ShippingOptionId, Timestamp, WithdrawalId};
use returns::{Retour, Shopper};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
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

/// No id of a reason is longer.
const MAX_REASON_CHARS: usize = 40;
/// How long a session lasts after it was last changed.
const HOURS: i64 = 24;

/// What a browser has done in one shop.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Visit {
    /// Who has proved an order.
    pub shopper: Option<Shopper>,
    /// What was typed to prove one.
    pub typed: LookUpFields,
    /// What was wrong with that.
    pub look_up_mistakes: Vec<LookUpMistake>,
    /// What was typed to prove a gift.
    pub gift: GiftFields,
    /// What was wrong with that.
    pub gift_mistakes: Vec<GiftMistake>,
    /// What was typed to have a link sent to, where that is no e-mail address.
    pub link: Option<String>,
    /// Where a link was sent to last, if there are orders of that address; masked.
    pub link_sent: Option<String>,
    /// What was chosen and typed for purchases.
    pub choices: BTreeMap<PurchaseId, Choice>,
    /// The way of sending that was chosen last.
    pub option: Option<ShippingOptionId>,
    /// The draft that was made last.
    pub draft: Option<DraftReturnOrderId>,
    /// What was typed to withdraw from a contract, until it is confirmed.
    pub withdrawal: Option<WithdrawalDraft>,
    /// What was wrong with that.
    pub withdrawal_mistakes: Vec<WithdrawalMistake>,
    /// The withdrawal that was sent last.
    pub withdrawn: Option<WithdrawalId>,
    /// What the next page has to say once.
    pub flash: Option<Flash>,
}

impl Visit {
    /// Somebody has proved an order: what another shopper did here before is forgotten. What was sent before anybody
    /// was known is theirs: they send it on once their session has ended.
    pub fn sign_in(&mut self, shopper: Shopper) {
        if self.shopper.is_some_and(|before| before != shopper) {
            *self = Self::default();
        }
        self.shopper = Some(shopper);
        (self.typed, self.gift) = (LookUpFields::default(), GiftFields::default());
    }

    /// Chooses all of these, with all units that can go back; what is chosen already keeps its quantity.
    pub fn choose_all(&mut self, rows: impl Iterator<Item = (PurchaseId, u32)>) {
        for (id, left) in rows {
            let choice = self.choices.entry(id).or_default();
            if !choice.chosen {
                (choice.chosen, choice.quantity) = (true, left.to_string());
            }
        }
    }

    /// Chooses nothing; what was typed stays.
    pub fn choose_nothing(&mut self) {
        for choice in self.choices.values_mut() {
            choice.chosen = false;
        }
        self.choices.retain(|_, choice| !choice.is_blank());
    }

    /// Gives a reason to what is chosen and has none.
    pub fn give_reason(&mut self, reason: &str) {
        let reason: String = reason.chars().take(MAX_REASON_CHARS).collect();
        for choice in self.choices.values_mut().filter(|choice| choice.chosen && choice.reason.is_empty()) {
            choice.reason.clone_from(&reason);
        }
    }

    /// Keeps what was chosen and typed; forgets what was taken back.
    pub fn choose(&mut self, rows: impl IntoIterator<Item = (PurchaseId, Choice)>) {
        for (id, choice) in rows {
            let before = self.choices.remove(&id);
            if !choice.is_blank() {
                // Answers are given on another page.
                let answers = before.map(|before| before.answers).unwrap_or_default();
                self.choices.insert(id, Choice { answers, ..choice });
            }
        }
    }
}

/// Something to say once: codes, no sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flash {
    /// Nothing was chosen.
    NothingChosen,
    /// Something was chosen that was not asked about yet.
    Asking,
    /// These rows have mistakes.
    Mistakes(Vec<RowMistake>),
    /// These rows were returned meanwhile.
    Fewer(Vec<RowMistake>),
    /// The draft does not hold any more.
    DraftOver,
    /// No way of sending was chosen.
    OptionMissing,
    /// It is too late to call a return off.
    CannotCancel,
    /// These answers have mistakes, and these photos could not be taken.
    Details(Vec<AnswerMistake>, Vec<PhotoMistake>),
    /// Photos of this return were sent; these could not be taken.
    Photos(ReturnOrderId, Vec<PhotoMistake>),
}

/// Where a session keeps who proved an order last, in whichever shop; the field of a [`Visit`] is called so too.
const SHOPPER: &str = "shopper";

/// Whose session a request comes with, if they have proved an order: for the server's rate limit.
pub async fn shopper(extensions: &Extensions) -> Option<Shopper> {
    extensions.get::<Session>()?.get(SHOPPER).await.ok().flatten()
}

/// The session that a request comes with, by its cookie. It may not exist: once [`shopper`] has looked, there is none then.
pub fn session_id(extensions: &Extensions) -> Option<i128> {
    Some(extensions.get::<Session>()?.id()?.0)
}

/// Notes whose session this is.
pub async fn belongs_to(session: &Session, shopper: Shopper) -> std::result::Result<(), session::Error> {
    session.insert(SHOPPER, shopper).await
}

/// The cookie's name.
pub fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-retour" } else { "retour" }
}

/// Sessions by cookie. None is made before there is something to keep.
pub fn layer(retour: Retour, secure: bool) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(Store(retour))
        .with_name(cookie_name(secure))
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(expiry())
}

/// When the session of somebody who has proved an order ends.
pub fn expiry() -> Expiry {
    Expiry::OnInactivity(time::Duration::hours(HOURS))
}

/// Whether a request has ended its own session.
#[derive(Debug, Clone, Default)]
pub struct Ended(Arc<AtomicBool>);

impl Ended {
    /// It has.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Leaves the cookie of a session that is gone as the browser has it. Another tab may have signed in or out while the answer was made:
/// setting the cookie again, or deleting it, would lose the session of that tab. A request that ends its own session deletes it.
pub async fn current_cookie(retour: Retour, secure: bool, mut request: Request, next: Next) -> Response {
    let (name, ended) = (cookie_name(secure), Ended::default());
    let sent = cookies(request.headers());
    request.extensions_mut().insert(ended.clone());
    let mut response = next.run(request).await;
    let set = set_to(response.headers(), name).map(str::to_owned);
    let is_gone = match set.as_deref() {
        None => return response,
        Some("") => !ended.0.load(Ordering::Relaxed),
        Some(id) => {
            let is_old = sent.iter().any(|(known, sent)| known == name && sent == id);
            is_old && matches!(retour.load_session(id).await, Ok(None))
        }
    };
    if is_gone {
        unset(response.headers_mut(), name);
    }
    response
}

/// What an answer sets a cookie to; empty where it deletes it.
fn set_to<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let set = headers.get_all(header::SET_COOKIE).iter().filter_map(pair);
    set.filter(|(known, _)| *known == name).map(|(_, value)| value).next_back()
}

/// Takes a cookie out of those that an answer sets.
fn unset(headers: &mut HeaderMap, name: &str) {
    let set: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for value in set.into_iter().filter(|set| pair(set).is_none_or(|(known, _)| known != name)) {
        headers.append(header::SET_COOKIE, value);
    }
}

/// The name and the value of a cookie that is set.
fn pair(set: &HeaderValue) -> Option<(&str, &str)> {
    set.to_str().ok()?.split(';').next()?.trim().split_once('=')
}

/// Keeps sessions through the use cases.
#[derive(Debug, Clone)]
pub struct Store(Retour);

fn data(record: &Record) -> Result<String> {
    serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))
}

/// Who proved an order in any of the shops that a session knows.
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
            .create_session(record.id.to_string(), (data.clone(), shoppers(record)), record.expiry_date.into())
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
        // What an older version has written and this one cannot read is no session.
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

    #[test]
    fn a_cookie_is_taken_out_of_an_answer_and_others_stay() {
        let mut headers = HeaderMap::new();
        for set in ["retour=abc; HttpOnly; Path=/", "retour-language=de; Path=/"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(set));
        }
        assert_eq!((set_to(&headers, "retour"), set_to(&headers, "retour-language")), (Some("abc"), Some("de")));
        unset(&mut headers, "retour");
        let left: Vec<&HeaderValue> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(left, ["retour-language=de; Path=/"]);
        assert_eq!(set_to(&headers, "retour"), None);
        headers.append(header::SET_COOKIE, HeaderValue::from_static("retour=; Path=/; Max-Age=0"));
        assert_eq!(set_to(&headers, "retour"), Some(""));
    }
}

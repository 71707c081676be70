//! Access tokens of the client credentials grant (RFC 6749, 4.4). They last a day and are kept in memory.

use super::{credentials::ShopifyCredentials, errors::CREDENTIALS_REFUSED};
use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, parse, success_body},
    http::{Bytes, Call, Endpoint, Http, Method},
};
use domain::Timestamp;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex as StdMutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Mutex;
use url::form_urlencoded;

/// A token is renewed this long before it ends, so that no call begins with a token that ends during the call.
const RENEWAL_MARGIN: Duration = Duration::from_mins(10);
/// How many bytes a response may have.
const MAX_RESPONSE_BYTES: usize = 16 * 1024;
/// The most tokens in memory, which is more than an instance has accounts with calls in a day. Beyond that, all are renewed.
const MAX_TOKENS: usize = 10_000;

/// The tokens of all shops that this process calls. Clones share them.
#[derive(Clone, Default)]
pub struct TokenCache(Arc<StdMutex<HashMap<[u8; 32], SharedToken>>>);

/// Concurrent calls wait for one renewal.
type SharedToken = Arc<Mutex<Option<Token>>>;

#[derive(Clone)]
struct Token {
    text: ApiKey,
    renew_at: Instant,
}

/// Shows no token.
impl fmt::Debug for TokenCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenCache")
    }
}

impl TokenCache {
    /// The token of an app in a shop. Another client secret is another key, so that a wrong secret cannot use the token that
    /// the right one got.
    fn of(&self, url: &str, client_id: &str, client_secret: &ApiKey) -> SharedToken {
        let mut hash = Sha256::new();
        for part in [url, client_id, client_secret.as_str()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MAX_TOKENS {
            tokens.clear();
        }
        Arc::clone(tokens.entry(hash.finalize().into()).or_default())
    }
}

#[derive(Deserialize)]
struct GrantedToken {
    access_token: String,
    expires_in: u64,
}

/// Where the tokens of one shop come from.
#[derive(Debug, Clone)]
pub(super) struct TokenSource {
    pub http: Http,
    /// The URL that grants tokens.
    pub url: Endpoint,
    pub credentials: ShopifyCredentials,
    pub cache: TokenCache,
}

impl TokenSource {
    /// The token for the next request. `refused` is a token that the shop has just refused: another one replaces it, unless a
    /// concurrent call has done so already. `None`: there is no other one.
    pub async fn token(
        &self,
        refused: Option<&ApiKey>,
        deadline: Instant,
        now: Timestamp,
    ) -> Result<Option<ApiKey>, BridgeError> {
        let (client_id, client_secret) = match &self.credentials {
            ShopifyCredentials::Token(token) => return Ok(Some(token.clone()).filter(|_| refused.is_none())),
            ShopifyCredentials::App { client_id, client_secret } => (client_id, client_secret),
        };
        let shared = self.cache.of(self.url.as_str(), client_id, client_secret);
        let mut known = shared.lock().await;
        let usable = known.as_ref().filter(|token| Instant::now() < token.renew_at && refused != Some(&token.text));
        if let Some(token) = usable {
            return Ok(Some(token.text.clone()));
        }
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_id", client_id)
            .append_pair("client_secret", client_secret.as_str())
            .finish();
        let token = self.grant(form, deadline, now).await?;
        Ok(Some(known.insert(token).text.clone()))
    }

    /// Forgets the token: the next request gets another one. One that is just being renewed stays.
    pub fn forget(&self) {
        if let ShopifyCredentials::App { client_id, client_secret } = &self.credentials
            && let Ok(mut known) = self.cache.of(self.url.as_str(), client_id, client_secret).try_lock()
        {
            *known = None;
        }
    }

    async fn grant(&self, form: String, deadline: Instant, now: Timestamp) -> Result<Token, BridgeError> {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded".to_owned()),
            ("accept", "application/json".to_owned()),
        ];
        let call = Call {
            to: &self.url,
            method: Method::POST,
            headers: &headers,
            body: Bytes::from(form),
            max_response_bytes: MAX_RESPONSE_BYTES,
            is_repeatable: true, // a second token does not end the first
        };
        let asked_at = Instant::now();
        let left = deadline.saturating_duration_since(asked_at);
        let response = self.http.clone().with_timeout(left).call(call).await?;
        if matches!(response.status, 400 | 401 | 403) {
            return Err(BridgeError::KeyRefused(CREDENTIALS_REFUSED));
        }
        let granted: GrantedToken = parse(&success_body(response, now)?).map_err(BridgeError::BadAnswer)?;
        let text = ApiKey::parse(&granted.access_token)
            .map_err(|_| BridgeError::bad_field("access_token", "expected an access token"))?;
        let lasts = Duration::from_secs(granted.expires_in);
        // A token that ends sooner than the margin is renewed after half of its time.
        let lasts = lasts.checked_sub(RENEWAL_MARGIN).unwrap_or(lasts / 2);
        Ok(Token { text, renew_at: asked_at.checked_add(lasts).unwrap_or(asked_at) })
    }
}

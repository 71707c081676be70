//! The connection to a Shopify shop, as the merchant sets it.

use super::bridge_input::BridgeInput;
use crate::base::{Result, Retour};
use domain::{
    AccountId, Problems, RefusalCode,
    integration::{Bridge, BridgeConnection, PreviousSecret, ShopifyAccess, ShopifyConnection, ShopifyVersion},
};
use outbound::{api_key::ApiKey, shops::shopify::shop_address};

/// How long a replaced secret remains valid, unless a webhook with the present one arrives before.
const OVERLAP_DAYS: u32 = 30;

/// The secrets that were replaced: the oldest one that may still sign, and the latest one.
type PreviousSecrets = [Option<PreviousSecret>; 2];

impl BridgeInput {
    /// Refuses the fields that only a Shopify shop has.
    pub(super) fn refuse_fields_of_shopify(&self, problems: &mut Problems) {
        let fields = [
            ("bridge.clientId", self.client_id.is_some()),
            ("bridge.accessToken", self.access_token.is_some()),
            ("bridge.version", self.version.is_some()),
            ("bridge.returns", self.returns.is_some()),
            ("bridge.duties", self.duties.is_some()),
        ];
        for (field, _) in fields.into_iter().filter(|(_, is_given)| *is_given) {
            problems.add(field, RefusalCode::NotAllowed, "expected nothing: only shopify has this field");
        }
    }
}

impl Retour {
    /// The connection to store, with its secrets encrypted; `None` with problems.
    pub(super) fn shopify_of(
        &self,
        account: AccountId,
        input: &BridgeInput,
        before: &Bridge,
        problems: &mut Problems,
    ) -> Result<Option<Box<ShopifyConnection>>> {
        let url = self.shopify_url(input.url.as_deref(), problems);
        // A caller who may change the URL but does not know the secrets must not redirect them to another server.
        let known = before.shopify().filter(|known| url.as_ref() == Some(&known.connection.url));
        let access = self.shopify_access(account, input, known, problems)?;
        // The client secret belongs to the client id, and the API secret key to the app of the token.
        let same_app = known.filter(|known| match (&known.access, &access) {
            (ShopifyAccess::App { client_id: before }, Some(ShopifyAccess::App { client_id })) => before == client_id,
            (ShopifyAccess::Token { .. }, Some(ShopifyAccess::Token { .. })) => true,
            _ => false,
        });
        let mut previous = PreviousSecrets::default();
        let secret = match (input.secret.as_deref().map(ApiKey::parse), same_app) {
            (Some(Ok(secret)), same_app) => {
                previous = same_app.map(|known| self.previous(account, known, secret.as_str())).unwrap_or_default();
                Some(self.seal_bridge_secret(account, secret.as_str())?)
            }
            (Some(Err(error)), _) => {
                problems.add("bridge.secret", RefusalCode::NotAllowed, error.to_string());
                None
            }
            (None, Some(known)) => {
                previous = [known.connection.previous_secret.clone(), known.latest_previous_secret.clone()];
                Some(known.connection.secret.clone())
            }
            (None, None) => {
                let message =
                    "expected the app's client secret, or the API secret key that belongs to the access token";
                problems.add("bridge.secret", RefusalCode::Required, message);
                None
            }
        };
        let version = input.version.or(known.map(|known| known.version)).unwrap_or(ShopifyVersion::LATEST);
        let returns = input.returns.or(known.map(|known| known.returns)).unwrap_or_default();
        let duties = input.duties.or(known.map(|known| known.duties)).unwrap_or_default();
        let (Some(url), Some(secret), Some(access)) = (url, secret, access) else { return Ok(None) };
        let [previous_secret, latest_previous_secret] = previous;
        let connection = BridgeConnection { url, secret, previous_secret };
        Ok(Some(Box::new(ShopifyConnection { connection, latest_previous_secret, version, access, returns, duties })))
    }

    /// Shopify signs webhooks with the oldest secret until it is revoked, then with the next one. A webhook with the present one shows
    /// that all others are revoked.
    fn previous(&self, account: AccountId, known: &ShopifyConnection, secret: &str) -> PreviousSecrets {
        let now = self.now();
        let mut signing = known.previous_secrets(now).cloned();
        let (oldest, latest) = (signing.next(), signing.next());
        match self.open_bridge_secret(account, &known.connection.secret) {
            Ok(present) if present == secret => [oldest, latest],
            Ok(_) => {
                let ends_at = Some(now.plus_days(OVERLAP_DAYS));
                let replaced = PreviousSecret { secret: known.connection.secret.clone(), ends_at };
                if oldest.is_some() { [oldest, Some(replaced)] } else { [Some(replaced), None] }
            }
            Err(_) => [oldest, latest], // it cannot be decrypted, so it cannot sign
        }
    }

    fn shopify_url(&self, url: Option<&str>, problems: &mut Problems) -> Option<String> {
        let Some(url) = url else {
            let message = "expected the shop's domain at Shopify, such as x.myshopify.com";
            problems.add("bridge.url", RefusalCode::Required, message);
            return None;
        };
        match shop_address(url) {
            Ok(address) => self.checked_url(address.as_str(), "bridge.url", problems),
            Err(error) => {
                problems.add("bridge.url", RefusalCode::NotAllowed, error.to_string());
                None
            }
        }
    }

    fn shopify_access(
        &self,
        account: AccountId,
        input: &BridgeInput,
        known: Option<&ShopifyConnection>,
        problems: &mut Problems,
    ) -> Result<Option<ShopifyAccess>> {
        Ok(match (input.client_id.as_deref(), input.access_token.as_deref()) {
            (Some(_), Some(_)) => {
                let message = "expected either clientId or accessToken";
                problems.add("bridge.accessToken", RefusalCode::NotAllowed, message);
                None
            }
            (Some(client_id), None) => match ApiKey::parse(client_id) {
                Ok(client_id) => Some(ShopifyAccess::App { client_id: client_id.as_str().to_owned() }),
                Err(_) => {
                    let message = "expected the client id of an app: letters and digits, without spaces";
                    problems.add("bridge.clientId", RefusalCode::NotAllowed, message);
                    None
                }
            },
            (None, Some(token)) => match ApiKey::parse(token) {
                Ok(token) => {
                    Some(ShopifyAccess::Token { access_token: self.seal_bridge_secret(account, token.as_str())? })
                }
                Err(error) => {
                    problems.add("bridge.accessToken", RefusalCode::NotAllowed, error.to_string());
                    None
                }
            },
            (None, None) => {
                if known.is_none() {
                    let message = "expected the client id of an app, or accessToken of a custom app";
                    problems.add("bridge.clientId", RefusalCode::Required, message);
                }
                known.map(|known| known.access.clone())
            }
        })
    }
}

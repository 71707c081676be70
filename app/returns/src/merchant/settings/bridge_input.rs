//! The connection to an account's shop, as the merchant sets it.

use crate::base::{OrBroken, Result, Retour, error::check};
use domain::{
    AccountId, Problems, RefusalCode,
    integration::{
        Bridge, BridgeConnection, BridgeKind, PreviousSecret, ShopifyDuties, ShopifyReturns, ShopifyVersion,
    },
};
use outbound::{api_key::ApiKey, http::Endpoint, webhook::Secret};
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// How long the previous secret of a component remains valid.
const OVERLAP_HOURS: u32 = 24;

/// The shop that purchases come from and that carries out resolutions. Replaces the whole setting.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BridgeInput")]
pub struct BridgeInput {
    /// `catalog`: Retour holds the orders. `http`: Retour calls the merchant's component. `vendure`, `medusa`, `shopify`:
    /// Retour calls such a shop.
    pub kind: BridgeKind,
    /// The base URL of the calls: `https://…`, without `/get-purchases`, `/admin-api` or `/admin`. For `shopify` the shop's
    /// domain at Shopify, such as `x.myshopify.com`. Required for every kind but `catalog`.
    #[schemars(extend("examples" = ["https://shop.example/retour"]))]
    pub url: Option<String>,
    /// The secret that signs the calls: `whsec_…`, 24 to 64 bytes in Base64; for `vendure` and `medusa` an API key; for
    /// `shopify` the app's client secret, or with `accessToken` its API secret key. May be left out if kind, URL and
    /// `clientId` stay. With `http`, the previous secret signs too for 24 hours. Shopify signs its webhooks with the previous secret
    /// until you revoke it, so Retour accepts it until a webhook has the new one, for 30 days at most.
    #[schemars(extend("examples" = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]))]
    pub secret: Option<String>,
    /// For `shopify`: the client id of an app of Shopify's developer dashboard. A new connection needs this or `accessToken`.
    #[schemars(extend("examples" = ["0c9f1f0a7be34d0f9c5a3a4f8f6c2d11"]))]
    pub client_id: Option<String>,
    /// For `shopify`: the Admin API access token of a custom app that was created in the shop's admin.
    #[schemars(extend("examples" = ["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"]))]
    pub access_token: Option<String>,
    /// For `shopify`: the version of the Admin API. If you leave it out, it stays; a new connection has the newest version
    /// that Retour knows.
    pub version: Option<ShopifyVersion>,
    /// For `shopify`: what its admin shows of returns. `refunds`: their refunds only. `mirror`: the returns themselves, which
    /// needs the scope `write_returns`. If you leave it out, it stays; a new connection has `refunds`.
    pub returns: Option<ShopifyReturns>,
    /// For `shopify`: whether units that come back give their share of the duties that the shopper paid. `keep`: no. `refund`: yes, for
    /// orders that Retour reads from then on. If you leave it out, it stays; a new connection has `keep`.
    pub duties: Option<ShopifyDuties>,
}

/// Omits the secret.
impl fmt::Debug for BridgeInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BridgeInput").field("kind", &self.kind).field("url", &self.url).finish_non_exhaustive()
    }
}

impl Retour {
    /// The connection to store, with its secret encrypted.
    pub(crate) fn bridge_of(&self, account: AccountId, input: &BridgeInput, before: &Bridge) -> Result<Bridge> {
        let mut problems = Problems::default();
        let mut connection = |wrong: Option<String>| self.connection(account, input, before, wrong, &mut problems);
        let secret = input.secret.as_deref();
        let no_key = || secret.and_then(|text| ApiKey::parse(text).err()).map(|error| error.to_string());
        let no_secret = || secret.and_then(|text| Secret::parse(text).err()).map(|error| error.to_string());
        let bridge = match input.kind {
            BridgeKind::Http => connection(no_secret())?.map(Bridge::Http),
            BridgeKind::Vendure => connection(no_key())?.map(Bridge::Vendure),
            BridgeKind::Medusa => connection(no_key())?.map(Bridge::Medusa),
            BridgeKind::Shopify => self.shopify_of(account, input, before, &mut problems)?.map(Bridge::Shopify),
            BridgeKind::Catalog => {
                for (field, given) in [("bridge.url", &input.url), ("bridge.secret", &input.secret)] {
                    if given.is_some() {
                        problems.add(field, RefusalCode::NotAllowed, "expected nothing: a catalog has no URL to call");
                    }
                }
                Some(Bridge::Catalog)
            }
        };
        if input.kind != BridgeKind::Shopify {
            input.refuse_fields_of_shopify(&mut problems);
        }
        check(problems)?;
        bridge.or_broken() // without problems there is one
    }

    fn connection(
        &self,
        account: AccountId,
        input: &BridgeInput,
        before: &Bridge,
        wrong: Option<String>,
        problems: &mut Problems,
    ) -> Result<Option<BridgeConnection>> {
        let url = self.bridge_url(input.url.as_deref(), problems);
        let Some(secret) = input.secret.as_deref() else {
            // A caller who may change the URL but does not know the secret must not redirect it to another server.
            let same =
                before.connection().filter(|known| before.kind() == input.kind && url.as_ref() == Some(&known.url));
            if same.is_none() {
                problems.add("bridge.secret", RefusalCode::Required, "expected the secret that signs the calls");
            }
            return Ok(same.cloned());
        };
        if let Some(message) = wrong {
            problems.add("bridge.secret", RefusalCode::NotAllowed, message);
            return Ok(None);
        }
        let Some(url) = url else { return Ok(None) };
        let is_rotation = input.kind == BridgeKind::Http && before.kind() == BridgeKind::Http;
        let replaced = before.connection().filter(|known| is_rotation && known.url == url);
        let previous_secret = replaced.and_then(|known| self.previous_secret(account, known, secret));
        Ok(Some(BridgeConnection { url, secret: self.seal_bridge_secret(account, secret)?, previous_secret }))
    }

    /// The previous secret signs too until a time, so that the other side can be updated at another time.
    fn previous_secret(&self, account: AccountId, known: &BridgeConnection, secret: &str) -> Option<PreviousSecret> {
        let ends_at = Some(self.now().plus_hours(OVERLAP_HOURS));
        match self.open_bridge_secret(account, &known.secret) {
            Ok(present) if present == secret => known.previous_secret.clone(),
            Ok(_) => Some(PreviousSecret { secret: known.secret.clone(), ends_at }),
            Err(_) => None, // it cannot be decrypted, so it cannot sign
        }
    }

    fn bridge_url(&self, url: Option<&str>, problems: &mut Problems) -> Option<String> {
        let Some(url) = url else {
            problems.add("bridge.url", RefusalCode::Required, "expected the address of the component");
            return None;
        };
        let endpoint = match Endpoint::parse(url.trim()) {
            Ok(endpoint) => endpoint,
            Err(error) => {
                problems.add("bridge.url", RefusalCode::NotAllowed, error.to_string());
                return None;
            }
        };
        if let Some(Err(error)) = self.config.http.as_ref().map(|http| http.check(&endpoint)) {
            problems.add("bridge.url", RefusalCode::NotAllowed, error.to_string());
            return None;
        }
        if let Err(error) = endpoint.below("get-purchases") {
            problems.add("bridge.url", RefusalCode::NotAllowed, error.to_string());
            return None;
        }
        Some(endpoint.as_str().to_owned())
    }
}

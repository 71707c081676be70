//! The carrier of an account, as the merchant sets it.

use crate::base::{OrBroken, Result, Retour, error::check};
use domain::{
    AccountId, Problems, RefusalCode,
    integration::{Carrier, CarrierKind, Karrio},
};
use outbound::api_key::ApiKey;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// The carrier that creates labels. Replaces the whole setting.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CarrierInput")]
pub struct CarrierInput {
    /// `own`: Retour draws the labels. `simulated`: Retour draws specimens and moves the shipments, for accounts with
    /// `test`. `bridge`: the merchant's component. `karrio`: the merchant's karrio server.
    pub kind: CarrierKind,
    /// The URL of the karrio server, without `/v1`.
    #[schemars(extend("examples" = ["https://karrio.example"]))]
    pub url: Option<String>,
    /// The merchant's key for the karrio server. May be left out if the URL stays.
    #[schemars(extend("examples" = ["key_6f1f8c0d9b"]))]
    pub api_key: Option<String>,
}

/// Omits the key.
impl fmt::Debug for CarrierInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CarrierInput").field("kind", &self.kind).field("url", &self.url).finish_non_exhaustive()
    }
}

impl Retour {
    /// The carrier to store, with its key encrypted.
    pub(crate) fn carrier_of(&self, account: AccountId, input: &CarrierInput, before: &Carrier) -> Result<Carrier> {
        let mut problems = Problems::default();
        let carrier = match input.kind {
            CarrierKind::Own => Some(Carrier::Own),
            CarrierKind::Simulated => Some(Carrier::Simulated),
            CarrierKind::Bridge => Some(Carrier::Bridge),
            CarrierKind::Karrio => self.karrio_of(account, input, before, &mut problems)?.map(Carrier::Karrio),
        };
        if input.kind != CarrierKind::Karrio {
            for (field, _) in
                [("url", &input.url), ("apiKey", &input.api_key)].into_iter().filter(|(_, given)| given.is_some())
            {
                let message = "expected nothing: only karrio has a URL to call";
                problems.add(format!("carrier.{field}"), RefusalCode::NotAllowed, message);
            }
        }
        check(problems)?;
        carrier.or_broken() // without problems there is one
    }

    fn karrio_of(
        &self,
        account: AccountId,
        input: &CarrierInput,
        before: &Carrier,
        problems: &mut Problems,
    ) -> Result<Option<Karrio>> {
        let url = input.url.as_deref().or(before.karrio().map(|known| known.url.as_str()));
        let url = match url {
            Some(url) => self.checked_url(url, "carrier.url", problems),
            None => {
                problems.add("carrier.url", RefusalCode::Required, "expected the address of the karrio server");
                None
            }
        };
        // A caller who may change the URL but does not know the key must not redirect it to another server.
        let same = before.karrio().filter(|known| url.as_ref() == Some(&known.url));
        let api_key = match (input.api_key.as_deref().map(ApiKey::parse), same) {
            (Some(Ok(key)), _) => Some(self.seal_carrier_secret(account, key.as_str())?),
            (Some(Err(error)), _) => {
                problems.add("carrier.apiKey", RefusalCode::NotAllowed, error.to_string());
                None
            }
            (None, Some(known)) => Some(known.api_key.clone()),
            (None, None) => {
                problems.add("carrier.apiKey", RefusalCode::Required, "expected the API key of your karrio server");
                None
            }
        };
        Ok(url.zip(api_key).map(|(url, api_key)| Karrio { url, api_key }))
    }
}

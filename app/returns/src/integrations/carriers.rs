//! The connection to an account's carrier.

use crate::base::{OrBroken, Result, Retour};
use domain::account::Account;
use outbound::{api_key::ApiKey, carriers::karrio::Karrio, http::Endpoint};

impl Retour {
    /// The account's karrio server, or `None` if the account has another carrier. The settings were validated when they
    /// were saved, so an invalid one here is a bug.
    pub(crate) fn karrio(&self, account: &Account) -> Result<Option<Karrio>> {
        let Some(known) = account.carrier.karrio() else { return Ok(None) };
        let http = self.config.http.clone().or_broken()?;
        let url = Endpoint::parse(&known.url).or_broken()?;
        let opened = self.open_carrier_secret(account.id, &known.api_key)?;
        let key = ApiKey::parse(&opened).or_broken()?;
        Ok(Some(Karrio::new(http, &url, key).or_broken()?))
    }
}

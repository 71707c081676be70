//! A merchant's settings as they apply to a shopper.

use crate::{
    base::{Error, Result, Retour, Shopper, offer_cache::Offer},
    returning::parcels::receiver,
};
use domain::{
    AccountId, ShippingOptionId,
    account::Account,
    address::Address,
    policy::reason::ReturnReason,
    proof::EmailKey,
    shipping::{ShippingOption, customs::is_border_between},
};
use std::sync::Arc;
use store::{
    Db,
    consumers::{self, Consumer, WithAccount},
    withdrawals::{self, Withdrawn},
};

/// A merchant's current settings, as they apply to one shopper.
pub struct Settings {
    /// The account, with its policy.
    pub account: Account,
    /// The shipping options on offer.
    pub options: Arc<Vec<ShippingOption>>,
    /// The return reasons on offer.
    pub reasons: Arc<Vec<ReturnReason>>,
    /// Shipping options whose parcels pass customs, with a carrier that makes their labels.
    pub past_customs: Vec<ShippingOptionId>,
    /// Withdrawals with the shopper's e-mail address.
    pub withdrawn: Vec<Withdrawn>,
    /// Whether the shopper is a gift recipient: then the policy for gifts applies, nothing is to be paid, and no
    /// amounts are shown.
    pub is_gift: bool,
}

impl Settings {
    /// Loads the settings for this shopper: with the shipping options that are offered in their country, and the rules
    /// for gifts if the order was a gift. Also returns the consumer.
    pub(crate) async fn load(
        retour: &Retour,
        mut reading: store::Reading,
        shopper: &Shopper,
    ) -> Result<(Self, Consumer, store::Reading)> {
        let found = consumers::find_with_account(reading.db(), shopper.account, shopper.consumer).await?;
        let WithAccount { consumer, account, has_withdrawals } = found.ok_or(Error::NotFound)?;
        let mut settings = Self::with(retour, reading.db(), account).await?;
        if has_withdrawals {
            let email: Vec<EmailKey> = EmailKey::new(&consumer.email).into_iter().collect();
            settings.withdrawn = withdrawals::list_withdrawn_of_emails(reading.db(), shopper.account, &email).await?;
        }
        if consumer.credentials.is_gift() {
            settings.is_gift = true;
            settings.withdrawn.clear(); // a gift recipient has no contract to withdraw from
            settings.account.policy = settings.account.policy.of_gifts();
        }
        let carrier = settings.account.carrier.kind();
        let asks_carrier = carrier.is_external();
        if !carrier.gives_codes() {
            Arc::make_mut(&mut settings.options).retain(|option| !option.method.shows_code());
        }
        if asks_carrier || settings.options.iter().any(|option| !option.countries.is_empty()) {
            Arc::make_mut(&mut settings.options).retain(|option| option.serves(&consumer.address.country));
            if asks_carrier {
                settings.find_past_customs(reading.db(), &consumer.address).await?;
            }
        }
        Ok((settings, consumer, reading))
    }

    /// Loads the settings of an account, for no shopper in particular.
    pub async fn of_account(retour: &Retour, mut db: Db<'_>, id: AccountId) -> Result<Self> {
        let account = store::accounts::find(db.reborrow(), id).await?.ok_or(Error::NotFound)?;
        Self::with(retour, db, account).await
    }

    async fn with(retour: &Retour, db: Db<'_>, account: Account) -> Result<Self> {
        let Offer { options, reasons } = retour.offers.read(db, &account).await?;
        Ok(Self { account, options, reasons, past_customs: Vec::new(), withdrawn: Vec::new(), is_gift: false })
    }

    async fn find_past_customs(&mut self, mut db: Db<'_>, sender: &Address) -> Result<()> {
        for option in self.options.iter().filter(|option| option.method.has_label()) {
            let receiver = receiver(db.reborrow(), &self.account, Some(option)).await?;
            if is_border_between(sender, &receiver) {
                self.past_customs.push(option.id);
            }
        }
        Ok(())
    }
}

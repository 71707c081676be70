//! A merchant's shipping options.

use super::common::{archive, check_position, check_room, check_version, next_position};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check, patch_field::PatchField,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, Problems, RefusalCode, ReturnLocationId, ShippingOptionId, Timestamp, Translated,
    address::is_country,
    audit::AuditAction,
    money::Prices,
    order::MAX_WEIGHT,
    shipping::{ShippingMethod, ShippingOption, WeightPrice},
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{Db, lists::Listing, return_locations, settings::Kept, shipping_options};

const MAX_NAME_CHARS: usize = 200;
const MAX_DESCRIPTION_CHARS: usize = 2_000;
/// The most price steps by weight.
const MAX_STEPS: usize = 100;
const MAX_SERVICE_CHARS: usize = 100;
/// More countries than exist.
const MAX_COUNTRIES: usize = 250;

/// A shipping option to create.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewShippingOption {
    /// The name that consumers read, by language: 1 to 200 characters each.
    #[schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 200}))]
    pub name: Translated,
    /// How sending works, by language: up to 2,000 characters each; may be left out.
    #[serde(default)]
    pub description: Translated,
    /// What the consumer has to do to send the parcel.
    pub method: ShippingMethod,
    /// The prices by currency, at least one. The option is offered in these currencies only.
    pub prices: Prices,
    /// Prices by weight, in place of `prices`, lightest first, at most 100. If left out, the price is the same for
    /// every weight.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub weight_prices: Vec<WeightPrice>,
    /// The maximum weight of the shipment in grams, 1 to 1,000,000; no limit, if left out.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_weight: Option<u32>,
    /// The value of the return from which shipping is free, by currency; never free, if left out.
    #[serde(default)]
    pub free_from: Prices,
    /// The countries where it is offered: ISO 3166-1 codes of two letters, at most 250; everywhere, if left out.
    #[serde(default)]
    #[schemars(length(max = 250))]
    pub countries: Vec<String>,
    /// The position in the list of options, 0 to 1,000,000; after the last one, if left out.
    #[schemars(range(max = 1_000_000))]
    pub position: Option<u32>,
    /// The location that its shipments go to, if not the default one.
    pub return_location_id: Option<ReturnLocationId>,
    /// The name of the service at the account's carrier, up to 100 characters: a `service` of karrio. If left out, the
    /// carrier's cheapest service.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub carrier_service: String,
}

/// Changes to a shipping option. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ShippingOptionChange {
    /// The name that consumers read, by language. Replaces all languages.
    #[schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 200}))]
    pub name: PatchField<Translated>,
    /// How sending works, by language. Replaces all languages.
    pub description: PatchField<Translated>,
    /// What the consumer has to do to send the parcel.
    pub method: PatchField<ShippingMethod>,
    /// The prices by currency. Replaces all of them.
    pub prices: PatchField<Prices>,
    /// Prices by weight, in place of `prices`. Replaces all steps; `[]`: the price is the same for every weight.
    #[schemars(length(max = 100))]
    pub weight_prices: PatchField<Vec<WeightPrice>>,
    /// The maximum weight of the shipment in grams; `null`: no limit.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_weight: PatchField<Option<u32>>,
    /// The value of the return from which shipping is free, by currency. Replaces all amounts; `[]`: never free.
    pub free_from: PatchField<Prices>,
    /// The countries where it is offered. Replaces all countries; `[]`: everywhere.
    #[schemars(length(max = 250))]
    pub countries: PatchField<Vec<String>>,
    /// The position in the list of options; lower comes first.
    #[schemars(range(max = 1_000_000))]
    pub position: PatchField<u32>,
    /// The location that its shipments go to; `null`: the default one.
    pub return_location_id: PatchField<Option<ReturnLocationId>>,
    /// The name of the service at the account's carrier; if empty, the carrier's cheapest service.
    #[schemars(length(max = 100))]
    pub carrier_service: PatchField<String>,
    /// `true` archives the option, `false` restores it.
    pub archived: PatchField<bool>,
}

impl ShippingOptionChange {
    fn apply(&self, kept: &mut Kept<ShippingOption>, now: Timestamp) {
        let option = &mut kept.value;
        self.name.put_into(&mut option.name);
        self.description.put_into(&mut option.description);
        self.method.put_into(&mut option.method);
        self.prices.put_into(&mut option.prices);
        self.weight_prices.put_into(&mut option.weight_prices);
        self.max_weight.put_into(&mut option.max_weight);
        self.free_from.put_into(&mut option.free_from);
        self.countries.put_into(&mut option.countries);
        self.position.put_into(&mut option.position);
        self.return_location_id.put_into(&mut option.return_location_id);
        self.carrier_service.put_into(&mut option.carrier_service);
        archive(&mut kept.archived_at, self.archived.0, now);
    }
}

fn problems_of(option: &ShippingOption) -> Problems {
    let mut problems = option.name.check("name", 1, MAX_NAME_CHARS);
    problems.0.extend(option.description.check("description", 0, MAX_DESCRIPTION_CHARS).0);
    if option.prices.iter().next().is_none() {
        problems.add("prices", RefusalCode::Required, "expected at least one amount; 0 if it is free");
    }
    problems.check_prices("prices", &option.prices);
    problems.check_prices("freeFrom", &option.free_from);
    check_weights(&mut problems, option);
    problems.check_text("carrierService", &option.carrier_service, 0..=MAX_SERVICE_CHARS);
    check_countries(&mut problems, &option.countries);
    check_position(&mut problems, option.position);
    problems
}

fn check_weights(problems: &mut Problems, option: &ShippingOption) {
    let is_weight = |grams: u32| (1..=MAX_WEIGHT).contains(&grams);
    let allowed = format!("expected a whole number from 1 to {MAX_WEIGHT}: grams");
    if option.max_weight.is_some_and(|most| !is_weight(most)) {
        problems.add("maxWeight", RefusalCode::OutOfRange, &allowed);
    }
    if option.weight_prices.len() > MAX_STEPS {
        problems.add("weightPrices", RefusalCode::OutOfRange, format!("expected at most {MAX_STEPS} of them"));
    }
    let mut before = 0;
    for (index, step) in option.weight_prices.iter().enumerate().take(MAX_STEPS) {
        let field = |name| format!("weightPrices[{index}].{name}");
        if !is_weight(step.above) {
            problems.add(field("above"), RefusalCode::OutOfRange, &allowed);
        } else if step.above <= before {
            problems.add(field("above"), RefusalCode::Mismatch, "expected more than in the previous step");
        } else if option.max_weight.is_some_and(|most| step.above >= most) {
            problems.add(
                field("above"),
                RefusalCode::Mismatch,
                "expected less than maxWeight, the highest weight allowed",
            );
        }
        if step.prices.iter().next().is_none() {
            problems.add(field("prices"), RefusalCode::Required, "expected at least one amount; 0 if it is free");
        }
        problems.check_prices(&field("prices"), &step.prices);
        before = step.above;
    }
}

fn check_countries(problems: &mut Problems, countries: &[String]) {
    if countries.len() > MAX_COUNTRIES {
        let message = format!("expected at most {MAX_COUNTRIES} countries, or an empty list for all countries");
        problems.add("countries", RefusalCode::OutOfRange, message);
    }
    for (place, country) in countries.iter().enumerate() {
        let field = format!("countries[{place}]");
        if !is_country(country) {
            problems.add(field, RefusalCode::NotAllowed, "expected two letters of ISO 3166-1, such as NL");
        } else if countries.iter().position(|one| one == country) != Some(place) {
            problems.add(field, RefusalCode::Mismatch, "expected each country once");
        }
    }
}

/// Refuses a location that does not exist or is archived.
async fn check_location(db: Db<'_>, account: AccountId, id: Option<ReturnLocationId>) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    match return_locations::find(db, account, id).await? {
        Some(location) if location.archived_at.is_none() => Ok(()),
        _ => {
            let message = "expected the id of a return location that is not archived";
            Err(Error::invalid("returnLocationId", RefusalCode::NotAllowed, message))
        }
    }
}

impl MerchantHandle<'_> {
    /// An account's shipping options.
    pub async fn shipping_options(self, listing: &Listing) -> Result<view::List<view::ShippingOption>> {
        let mut reading = self.retour.store.read().await?;
        let rows = shipping_options::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A shipping option, archived or not.
    pub async fn shipping_option(self, id: ShippingOptionId) -> Result<view::ShippingOption> {
        let mut reading = self.retour.store.read().await?;
        Ok(shipping_options::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Adds a shipping option.
    pub async fn create_shipping_option(
        self,
        new: NewShippingOption,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ShippingOption>> {
        let option = ShippingOption {
            id: ShippingOptionId(self.retour.source.id()),
            name: new.name,
            description: new.description,
            method: new.method,
            prices: new.prices,
            weight_prices: new.weight_prices,
            max_weight: new.max_weight,
            free_from: new.free_from,
            countries: new.countries,
            position: new.position.unwrap_or(0),
            return_location_id: new.return_location_id,
            carrier_service: new.carrier_service,
        };
        check(problems_of(&option))?;
        let (retour, staff, last) = (self.retour.clone(), self.staff, new.position.is_none());
        detached(async move {
            again_on_deadlock(|| retour.create_shipping_option_once(staff, option.clone(), last, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn create_shipping_option_once(
        &self,
        staff: Staff,
        mut option: ShippingOption,
        last: bool,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShippingOption>> {
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let room = shipping_options::room(writing.db(), account).await?;
        check_room(room.count, "shipping options")?;
        check_location(writing.db(), account, option.return_location_id).await?;
        if last {
            option.position = next_position(room.last);
        }
        shipping_options::insert(writing.db(), account, &option, self.now()).await?;
        let kept = shipping_options::find(writing.db(), account, option.id).await?.or_broken()?;
        let made = view::ShippingOption::from(kept);
        audit::record_created(&mut writing, &staff, self.now(), AuditAction::ShippingOptionCreated, made.id, &made)?;
        conclude(writing, account, key, 201, made).await
    }
}

impl MerchantHandle<'_> {
    /// Changes a shipping option, field by field. `version`: the version that the caller has seen.
    pub async fn change_shipping_option(
        self,
        id: ShippingOptionId,
        change: ShippingOptionChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ShippingOption>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_shipping_option_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_shipping_option_once(
        &self,
        staff: Staff,
        id: ShippingOptionId,
        change: &ShippingOptionChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShippingOption>> {
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut kept = shipping_options::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, kept.version)?;
        let before = kept.clone();
        change.apply(&mut kept, self.now());
        check(problems_of(&kept.value))?;
        check_location(writing.db(), account, change.return_location_id.0.flatten()).await?;
        if kept != before {
            kept.updated_at = self.now();
            if !shipping_options::update(writing.db(), account, &kept).await? {
                return Err(Error::broken()); // cannot happen: the settings are locked
            }
            kept.version += 1;
            let views = (&before.into(), &view::ShippingOption::from(kept.clone()));
            audit::record_changed(
                &mut writing,
                &staff,
                kept.updated_at,
                AuditAction::ShippingOptionUpdated,
                id,
                views,
            )?;
        }
        conclude(writing, account, key, 200, kept.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Deletes a shipping option that no return uses, and archives any other one.
    pub async fn delete_shipping_option(self, id: ShippingOptionId) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.delete_shipping_option_once(staff, id)).await }).await
    }
}

impl Retour {
    async fn delete_shipping_option_once(&self, staff: Staff, id: ShippingOptionId) -> Result<()> {
        let (account, now) = (staff.account(), self.now());
        let mut writing = self.store.write().await?;
        store::accounts::hold(writing.db(), account).await?;
        let mut kept = shipping_options::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let before = view::ShippingOption::from(kept.clone());
        let is_archived = kept.archived_at.is_some();
        let is_deleted = shipping_options::delete_unused(writing.db(), account, id).await?;
        if !is_deleted && !is_archived {
            kept.updated_at = now;
            kept.archived_at = Some(now);
            shipping_options::update(writing.db(), account, &kept).await?;
        }
        if is_deleted || !is_archived {
            audit::record_deleted(&mut writing, &staff, now, AuditAction::ShippingOptionDeleted, id, &before)?;
        }
        Ok(writing.commit().await?)
    }
}

//! The addresses that shipments go to.

use super::{
    common::{archive, check_room, check_version},
    printable::unprintable_lines,
};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check, patch_field::PatchField,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    Problems, RefusalCode, ReturnLocationId, Timestamp, address::Address, audit::AuditAction, shipping::ReturnLocation,
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{lists::Listing, return_locations, settings::Kept};

const MAX_NAME_CHARS: usize = 200;

/// A return location to create.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReturnLocation {
    /// The merchant's name for the location: 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// The address on labels. Street, city and country are required; up to 200 characters in each line.
    pub address: Address,
    /// Whether shipments go there unless their shipping option names another location. There is one default location:
    /// the previous one loses the mark.
    #[serde(default)]
    pub is_default: bool,
}

/// Changes to a location. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReturnLocationChange {
    /// The merchant's name for the location.
    #[schemars(length(min = 1, max = 200))]
    pub name: PatchField<String>,
    /// The address that labels show. Replaces the whole address.
    pub address: PatchField<Address>,
    /// Whether shipments go there unless their shipping option names another location.
    pub is_default: PatchField<bool>,
    /// `true` archives the location, which then is no longer the default; `false` restores it.
    pub archived: PatchField<bool>,
}

impl ReturnLocationChange {
    fn apply(&self, kept: &mut Kept<ReturnLocation>, now: Timestamp) {
        self.name.put_into(&mut kept.value.name);
        self.address.put_into(&mut kept.value.address);
        archive(&mut kept.archived_at, self.archived.0, now);
        if kept.archived_at.is_some() {
            kept.value.is_default = false;
        }
        self.is_default.put_into(&mut kept.value.is_default);
    }
}

fn problems_of(location: &ReturnLocation, archived: bool) -> Problems {
    let mut problems = Problems::default();
    problems.check_text("name", &location.name, 1..=MAX_NAME_CHARS);
    problems.add_parts("address", location.address.check_complete());
    problems.add_parts("address", unprintable_lines(&location.address));
    if archived && location.is_default {
        problems.add(
            "isDefault",
            RefusalCode::Mismatch,
            "an archived location cannot be the default: restore it first",
        );
    }
    problems
}

impl MerchantHandle<'_> {
    /// An account's return locations.
    pub async fn return_locations(self, listing: &Listing) -> Result<view::List<view::ReturnLocation>> {
        let mut reading = self.retour.store.read().await?;
        let rows = return_locations::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A return location, archived or not.
    pub async fn return_location(self, id: ReturnLocationId) -> Result<view::ReturnLocation> {
        let mut reading = self.retour.store.read().await?;
        Ok(return_locations::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Adds a return location.
    pub async fn create_return_location(
        self,
        new: NewReturnLocation,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnLocation>> {
        let NewReturnLocation { name, address, is_default } = new;
        let location = ReturnLocation { id: ReturnLocationId(self.retour.source.id()), name, address, is_default };
        check(problems_of(&location, false))?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.create_return_location_once(staff, &location, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn create_return_location_once(
        &self,
        staff: Staff,
        location: &ReturnLocation,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnLocation>> {
        let now = self.now();
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        check_room(return_locations::count(writing.db(), account).await?, "return locations")?;
        return_locations::insert(writing.db(), account, location, now).await?;
        if location.is_default {
            return_locations::unset_default(writing.db(), account, location.id, now).await?;
        }
        let kept = return_locations::find(writing.db(), account, location.id).await?.or_broken()?;
        let made = view::ReturnLocation::from(kept);
        audit::record_created(&mut writing, &staff, self.now(), AuditAction::ReturnLocationCreated, made.id, &made)?;
        conclude(writing, account, key, 201, made).await
    }
}

impl MerchantHandle<'_> {
    /// Changes a return location, field by field. `version`: the version that the caller has seen.
    pub async fn change_return_location(
        self,
        id: ReturnLocationId,
        change: ReturnLocationChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnLocation>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_return_location_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_return_location_once(
        &self,
        staff: Staff,
        id: ReturnLocationId,
        change: &ReturnLocationChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnLocation>> {
        let now = self.now();
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut kept = return_locations::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, kept.version)?;
        let before = kept.clone();
        change.apply(&mut kept, now);
        check(problems_of(&kept.value, kept.archived_at.is_some()))?;
        if kept != before {
            kept.updated_at = now;
            if kept.value.is_default {
                return_locations::unset_default(writing.db(), account, id, now).await?;
            }
            if !return_locations::update(writing.db(), account, &kept).await? {
                return Err(Error::broken()); // cannot happen: the settings are locked
            }
            kept.version += 1;
            let views = (&before.into(), &view::ReturnLocation::from(kept.clone()));
            audit::record_changed(
                &mut writing,
                &staff,
                kept.updated_at,
                AuditAction::ReturnLocationUpdated,
                id,
                views,
            )?;
        }
        conclude(writing, account, key, 200, kept.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Deletes a return location that no shipping option refers to, and archives any other one.
    pub async fn delete_return_location(self, id: ReturnLocationId) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.delete_return_location_once(staff, id)).await }).await
    }
}

impl Retour {
    async fn delete_return_location_once(&self, staff: Staff, id: ReturnLocationId) -> Result<()> {
        let (account, now) = (staff.account(), self.now());
        let mut writing = self.store.write().await?;
        store::accounts::hold(writing.db(), account).await?;
        let mut kept = return_locations::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let before = view::ReturnLocation::from(kept.clone());
        let is_archived = kept.archived_at.is_some();
        let is_deleted = return_locations::delete_unused(writing.db(), account, id).await?;
        if !is_deleted && !is_archived {
            kept.updated_at = now;
            kept.archived_at = Some(now);
            kept.value.is_default = false;
            return_locations::update(writing.db(), account, &kept).await?;
        }
        if is_deleted || !is_archived {
            audit::record_deleted(&mut writing, &staff, now, AuditAction::ReturnLocationDeleted, id, &before)?;
        }
        Ok(writing.commit().await?)
    }
}

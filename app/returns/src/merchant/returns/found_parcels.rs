//! Parcels that arrived without papers: recorded, matched to a return, closed.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, conclude, detached,
        error::check, patch_field::PatchField,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    returning::withdrawals::NUMBER_ATTEMPTS,
    view,
};
use domain::{
    FoundParcelId, Problems, RefusalCode, ReturnOrderId,
    audit::AuditAction,
    returning::{FoundParcel, FoundParcelStatus},
    scanning::{MAX_CODE_CHARS, label_barcode},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{found_parcels, lists::Listing, return_orders};

const MAX_CARRIER_CHARS: usize = 100;
const MAX_TEXT_CHARS: usize = 2_000;

/// A parcel that no paper and no number connects with a return.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewFoundParcel {
    /// The code on it, as it was scanned or typed.
    #[schemars(length(max = 200))]
    pub code: String,
    /// The carrier's name.
    #[schemars(length(max = 100))]
    pub carrier: String,
    /// The contents of the parcel, in the words of the person who opened it.
    #[schemars(length(max = 2000))]
    pub contents: String,
    /// A note for the merchant's staff.
    #[schemars(length(max = 2000))]
    pub note: String,
}

/// Changes to a found parcel. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FoundParcelChange {
    /// `Closed`: nothing remains to be done. The note says why.
    pub status: PatchField<ClosedFoundParcel>,
    /// The return that it belongs to: one of the account's.
    pub return_order_id: PatchField<ReturnOrderId>,
    /// The carrier's name.
    #[schemars(length(max = 100))]
    pub carrier: PatchField<String>,
    /// The contents of the parcel, in the words of the person who opened it.
    #[schemars(length(max = 2000))]
    pub contents: PatchField<String>,
    /// A note for the merchant's staff.
    #[schemars(length(max = 2000))]
    pub note: PatchField<String>,
}

/// The only status that can be set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "ClosedFoundParcel")]
pub enum ClosedFoundParcel {
    /// Nothing remains to be done.
    Closed,
}

domain::string_enum!(ClosedFoundParcel);

impl MerchantHandle<'_> {
    /// An account's found parcels.
    pub async fn found_parcels(self, listing: &Listing) -> Result<view::List<view::FoundParcelView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = found_parcels::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A found parcel.
    pub async fn found_parcel(self, id: FoundParcelId) -> Result<view::FoundParcelView> {
        let mut reading = self.retour.store.read().await?;
        Ok(found_parcels::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Records a parcel without papers. It gets a number to write on it.
    pub async fn create_found_parcel(
        self,
        input: NewFoundParcel,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::FoundParcelView>> {
        check(input.problems())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(
            async move { again_on_deadlock(|| retour.create_found_parcel_once(staff, &input, key.as_ref())).await },
        )
        .await
    }

    /// Changes a found parcel: matches it to a return, or closes it. `version`: the version that the caller has seen.
    pub async fn change_found_parcel(
        self,
        id: FoundParcelId,
        change: FoundParcelChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::FoundParcelView>> {
        check(change.problems())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_found_parcel_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn create_found_parcel_once(
        &self,
        staff: Staff,
        input: &NewFoundParcel,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::FoundParcelView>> {
        let (account, now) = (staff.account(), self.now());
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let NewFoundParcel { code, carrier, contents, note } = input.clone();
        let mut parcel = FoundParcel {
            id: FoundParcelId(self.source.id()),
            number: String::new(),
            status: FoundParcelStatus::Open,
            code: label_barcode(&code),
            carrier: carrier.trim().to_owned(),
            contents: contents.trim().to_owned(),
            note: note.trim().to_owned(),
            return_order_id: None,
            found_by: staff.actor_id(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        // A collision of numbers is rare.
        for _ in 0..NUMBER_ATTEMPTS {
            parcel.number = self.short_number("F-");
            if found_parcels::insert(writing.db(), account, &parcel).await? {
                let created = AuditAction::FoundParcelCreated;
                audit::record(&mut writing, &staff, now, created, parcel.id, None, Some(recorded(&parcel)));
                return conclude(writing, account, key, 201, parcel.into()).await;
            }
        }
        Err(Error::broken())
    }

    async fn change_found_parcel_once(
        &self,
        staff: Staff,
        id: FoundParcelId,
        change: &FoundParcelChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::FoundParcelView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let before = found_parcels::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, before.version)?;
        let mut changed = before.clone();
        if let Some(order) = change.return_order_id.0 {
            if return_orders::find(writing.db(), account, order).await?.is_none() {
                let message = "expected the id of one of the account's return orders";
                return Err(Error::invalid("returnOrderId", RefusalCode::NotAllowed, message));
            }
            (changed.return_order_id, changed.status) = (Some(order), FoundParcelStatus::Matched);
        }
        change.carrier.put_into(&mut changed.carrier);
        change.contents.put_into(&mut changed.contents);
        change.note.put_into(&mut changed.note);
        if change.status.0.is_some() {
            changed.status = FoundParcelStatus::Closed;
            if changed.note.trim().is_empty() && changed.return_order_id.is_none() {
                let message = "expected a note that says why the parcel is closed without a return";
                return Err(Error::invalid("note", RefusalCode::Required, message));
            }
        }
        if changed != before {
            changed.updated_at = self.now();
            if !found_parcels::update(writing.db(), account, &changed).await? {
                return Err(Error::broken()); // cannot happen: the row is locked
            }
            changed.version += 1;
            let (at, was, is) = (changed.updated_at, Some(recorded(&before)), Some(recorded(&changed)));
            audit::record(&mut writing, &staff, at, AuditAction::FoundParcelUpdated, id, was, is);
        }
        conclude(writing, account, key, 200, changed.into()).await
    }
}

/// What the audit log says of a found parcel: no texts, which may be about a person.
fn recorded(parcel: &FoundParcel) -> Value {
    json!({"number": parcel.number, "status": parcel.status, "returnOrderId": parcel.return_order_id})
}

/// Adds the problem of a text that may have several lines.
fn check_lines(problems: &mut Problems, field: &str, text: &str) {
    problems.check_text(field, &text.replace(['\n', '\r', '\t'], " "), 0..=MAX_TEXT_CHARS);
}

impl NewFoundParcel {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if self.code.chars().count() > MAX_CODE_CHARS {
            problems.add("code", RefusalCode::OutOfRange, format!("expected at most {MAX_CODE_CHARS} characters"));
        } else if self.code.contains('\0') {
            problems.add("code", RefusalCode::NotAllowed, "expected a text without NUL characters");
        }
        problems.check_text("carrier", &self.carrier, 0..=MAX_CARRIER_CHARS);
        check_lines(&mut problems, "contents", &self.contents);
        check_lines(&mut problems, "note", &self.note);
        if [&self.code, &self.carrier, &self.contents, &self.note].iter().all(|text| text.trim().is_empty()) {
            let message = "expected something that describes the parcel: a code, a carrier, contents or a note";
            problems.add("contents", RefusalCode::Required, message);
        }
        problems
    }
}

impl FoundParcelChange {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if let Some(carrier) = &self.carrier.0 {
            problems.check_text("carrier", carrier, 0..=MAX_CARRIER_CHARS);
        }
        for (field, text) in [("contents", &self.contents), ("note", &self.note)] {
            if let Some(text) = &text.0 {
                check_lines(&mut problems, field, text);
            }
        }
        problems
    }
}

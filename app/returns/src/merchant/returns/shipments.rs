//! Parcels: seeing them, their labels, and what carriers report of them.

use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, conclude,
        detached,
    },
    merchant::handle::MerchantHandle,
    returning::{
        change::{Change, Returned},
        labels::check_label_retry,
        parcels::check_parcel_cancellable,
        printing::PrintedLabel,
    },
    view,
};
use domain::{
    AccountId, RefusalCode, ReturnOrderId, ShipmentId, Timestamp,
    party::Actor,
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
    shipping::LabelFormat,
    stage::Scan,
};
use store::{Writing, consumers, lists::Listing, return_orders, shipments};

/// The longest explanation, characters: the report is found by it, and an index holds no more.
const MAX_EXPLANATION_CHARS: usize = 500;
const MAX_NAME_CHARS: usize = 100;
const MAX_URL_CHARS: usize = 2_000;
/// Clocks differ; a report from further ahead would make all that follow it late.
const MAX_AHEAD_SECONDS: i64 = 600;

/// What a carrier reports of a parcel.
#[derive(Debug, Clone)]
pub struct TrackingReport {
    /// What it saw.
    pub status: Scan,
    /// In its words; may be empty.
    pub explanation: String,
    /// When, in its time; now, if it does not say.
    pub happened_at: Option<Timestamp>,
    /// Who carries it.
    pub carrier: Option<String>,
    /// The carrier's number.
    pub tracking_number: Option<String>,
    /// Where to follow it.
    pub tracking_url: Option<String>,
}

impl MerchantHandle<'_> {
    /// An account's parcels.
    pub async fn shipments(self, listing: &Listing) -> Result<view::List<view::ShipmentView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = shipments::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A parcel.
    pub async fn shipment(self, id: ShipmentId) -> Result<view::ShipmentView> {
        let mut reading = self.retour.store.read().await?;
        Ok(shipments::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// A parcel's label (A6), in the first of these forms that it comes in, unless it has none yet or it is void.
    pub async fn label(self, id: ShipmentId, wanted: &[LabelFormat]) -> Result<PrintedLabel> {
        let account = self.staff.account();
        let mut reading = self.retour.store.read().await?;
        let shipment = shipments::find(reading.db(), account, id).await?.ok_or(Error::NotFound)?;
        shipment.check_label()?;
        let order = return_orders::find(reading.db(), account, shipment.return_order_id).await?.or_broken()?;
        let settings = store::accounts::find(reading.db(), account).await?.or_broken()?;
        drop(reading);
        self.retour.print(settings, order, shipment, wanted).await
    }

    /// Has the carrier asked again for a label that could not be made. Where that is being done already, nothing happens.
    pub async fn retry_label(self, id: ShipmentId, key: Option<IdempotencyKey>) -> Result<Done<view::ShipmentView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.retry_label_once(staff, id, key.as_ref())).await }).await
    }
}

impl Retour {
    async fn retry_label_once(
        &self,
        staff: Staff,
        id: ShipmentId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = shipments::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let order = found.return_order_id;
        hold_owner(&mut writing, account, order).await?;
        let mut returned = Returned::lock(&mut writing, account, order).await?.or_broken()?;
        let mut shipment = shipments::find(writing.db(), account, id).await?.or_broken()?;
        check_label_retry(&shipment)?;
        if shipment.status == ShipmentStatus::LabelFailed {
            let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
            let (now, actor, staff) = (self.now(), Actor::Merchant, staff.actor_id());
            let (account, comment) = (&settings, String::new());
            let change = Change { retour: self, account, now, actor, staff, comment, parcel: None };
            change.retry_label_request(&mut writing, &mut returned, &mut shipment).await?;
            change.follow_up(&mut writing, &mut returned).await?;
        }
        conclude(writing, account, key, 200, shipment.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Calls a parcel off that is not sent, beside others of its return order. Where that was done already, nothing happens.
    pub async fn cancel_parcel(self, id: ShipmentId, key: Option<IdempotencyKey>) -> Result<Done<view::ShipmentView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.cancel_parcel_once(staff, id, key.as_ref())).await }).await
    }
}

impl Retour {
    async fn cancel_parcel_once(
        &self,
        staff: Staff,
        id: ShipmentId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = shipments::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let order = found.return_order_id;
        hold_owner(&mut writing, account, order).await?;
        let mut returned = Returned::lock(&mut writing, account, order).await?.or_broken()?;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        let mut parcel = parcels.iter().find(|parcel| parcel.id == id).cloned().or_broken()?;
        check_parcel_cancellable(&parcel, &returned.order, &parcels)?;
        if parcel.status != ShipmentStatus::Cancelled {
            let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
            let (now, actor, staff) = (self.now(), Actor::Merchant, staff.actor_id());
            let (account, comment) = (&settings, String::new());
            let change = Change { retour: self, account, now, actor, staff, comment, parcel: None };
            change.cancel_one_parcel(&mut writing, &mut returned, &mut parcel).await?;
        }
        conclude(writing, account, key, 200, parcel.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Keeps what a carrier reports, once, and moves the parcel and what is in it on: in the carrier's time, never
    /// backwards. A report that comes after a later one is kept and moves nothing.
    pub async fn track(
        self,
        id: ShipmentId,
        report: TrackingReport,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        check(&report, self.retour.now())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.track_once(staff, id, &report, key.as_ref())).await }).await
    }
}

impl Retour {
    async fn track_once(
        &self,
        staff: Staff,
        id: ShipmentId,
        report: &TrackingReport,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let account = staff.account();
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = shipments::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        hold_owner(&mut writing, account, found.return_order_id).await?;
        return_orders::lock(writing.db(), account, found.return_order_id).await?;
        // As it is now that nobody else can change it.
        let mut shipment = shipments::find(writing.db(), account, id).await?.or_broken()?;
        shipment.check_label()?;
        let update = TrackingUpdate {
            status: report.status,
            explanation: report.explanation.clone(),
            happened_at: report.happened_at.unwrap_or(now),
        };
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let (actor, staff, comment) = (Actor::Merchant, staff.actor_id(), update.explanation.clone());
        let change = Change { retour: self, account: &settings, now, actor, staff, comment, parcel: None };
        let details = |shipment: &mut Shipment, is_late| keep_details(shipment, report, is_late);
        change.report(&mut writing, &mut shipment, &update, details).await?;
        conclude(writing, account, key, 200, shipment.into()).await
    }
}

/// Whose it is, and is forgotten at this moment, is forgotten before or after this.
async fn hold_owner(writing: &mut Writing, account: AccountId, order: ReturnOrderId) -> Result<()> {
    let order = return_orders::find(writing.db(), account, order).await?.or_broken()?;
    consumers::hold(writing.db(), account, order.consumer_id).await?;
    Ok(())
}

/// Who carries it and under which number. A late report only says what nobody has said.
fn keep_details(shipment: &mut Shipment, report: &TrackingReport, late: bool) {
    let keep = |known: &mut String, told: &Option<String>| {
        if let Some(told) = told.as_ref().filter(|_| !late || known.is_empty()) {
            told.clone_into(known);
        }
    };
    keep(&mut shipment.carrier, &report.carrier);
    keep(&mut shipment.tracking_number, &report.tracking_number);
    keep(&mut shipment.tracking_url, &report.tracking_url);
}

fn check(report: &TrackingReport, now: Timestamp) -> Result<()> {
    let mut errors = Vec::new();
    let texts = [
        ("explanation", Some(&report.explanation), MAX_EXPLANATION_CHARS),
        ("carrier", report.carrier.as_ref(), MAX_NAME_CHARS),
        ("trackingNumber", report.tracking_number.as_ref(), MAX_NAME_CHARS),
        ("trackingUrl", report.tracking_url.as_ref(), MAX_URL_CHARS),
    ];
    for (field, text, most) in texts {
        if text.is_some_and(|text| text.chars().count() > most || text.contains('\0')) {
            let allowed = format!("expected at most {most} characters, none of them NUL");
            errors.push(FieldError::new(field, RefusalCode::OutOfRange, allowed));
        }
    }
    if report.tracking_url.as_ref().is_some_and(|url| !is_web_address(url)) {
        let allowed = "expected an address that begins with https:// or http://";
        errors.push(FieldError::new("trackingUrl", RefusalCode::NotAllowed, allowed));
    }
    if report.happened_at.is_some_and(|at| at > now.plus_seconds(MAX_AHEAD_SECONDS)) {
        let allowed = "expected a time that is not in the future";
        errors.push(FieldError::new("happenedAt", RefusalCode::OutOfRange, allowed));
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}

/// People follow it: nothing that a browser would run.
fn is_web_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let has_host = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']));
    has_host && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}

//! Shipments: their labels, and the tracking reports of carriers.

use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit,
        conclude, detached,
    },
    merchant::handle::MerchantHandle,
    returning::{
        change::{Change, Returned},
        labels::check_label_retry,
        parcels::check_parcel_cancellable,
        printing::PrintedLabel,
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    AccountId, RefusalCode, ReturnOrderId, ShipmentId, Timestamp,
    audit::AuditAction,
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
    shipping::LabelFormat,
    stage::Scan,
};
use store::{Writing, consumers, lists::Listing, return_orders, shipments};

/// The longest explanation, in characters. An index contains it, which limits its length.
const MAX_EXPLANATION_CHARS: usize = 500;
const MAX_NAME_CHARS: usize = 100;
const MAX_URL_CHARS: usize = 2_000;
/// Tolerance for clocks that run ahead. A report from further ahead would make all later ones count as late.
const MAX_AHEAD_SECONDS: i64 = 600;

/// A carrier's report about a shipment.
#[derive(Debug, Clone)]
pub struct TrackingReport {
    /// The event that the carrier reports.
    pub status: Scan,
    /// The carrier's own words; may be empty.
    pub explanation: String,
    /// When it happened, by the carrier's clock; now, if the carrier does not say.
    pub happened_at: Option<Timestamp>,
    /// The name of the carrier.
    pub carrier: Option<String>,
    /// The tracking number.
    pub tracking_number: Option<String>,
    /// The address of the tracking page.
    pub tracking_url: Option<String>,
}

impl MerchantHandle<'_> {
    /// An account's shipments.
    pub async fn shipments(self, listing: &Listing) -> Result<view::List<view::ShipmentView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = shipments::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::<view::ShipmentView>::new(listing.page, rows, Into::into).seen_by_staff(&self.staff))
    }

    /// A shipment.
    pub async fn shipment(self, id: ShipmentId) -> Result<view::ShipmentView> {
        let mut reading = self.retour.store.read().await?;
        let found = shipments::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        Ok(view::ShipmentView::from(found).seen_by_staff(&self.staff))
    }

    /// A shipment's label (A6), in the first of the `wanted` formats that it has. Fails if there is no label yet, or if
    /// it is void.
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

    /// Asks the carrier again for a label that failed. While that request is pending, nothing happens.
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
        let mut returned = lock_return_of(&mut writing, account, id).await?;
        let mut shipment = shipments::find(writing.db(), account, id).await?.or_broken()?;
        check_label_retry(&shipment)?;
        if shipment.status == ShipmentStatus::LabelFailed {
            record_work(&mut writing, &staff, shipment.return_order_id, self.now()).await?;
            let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
            let change = self.change_by(&staff, &settings, String::new());
            change.retry_label_request(&mut writing, &mut returned, &mut shipment).await?;
            change.follow_up(&mut writing, &mut returned).await?;
        }
        conclude(writing, account, key, 200, shipment.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Cancels a shipment that is not sent, if its return order has others. Cancelling it again changes nothing.
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
        let mut returned = lock_return_of(&mut writing, account, id).await?;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[returned.order.id]).await?;
        let mut parcel = parcels.iter().find(|parcel| parcel.id == id).cloned().or_broken()?;
        check_parcel_cancellable(&parcel, &returned.order, &parcels)?;
        if parcel.status != ShipmentStatus::Cancelled {
            audit::record(&mut writing, &staff, self.now(), AuditAction::ShipmentCancelled, id, None, None);
            record_work(&mut writing, &staff, returned.order.id, self.now()).await?;
            let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
            let change = self.change_by(&staff, &settings, String::new());
            change.cancel_one_parcel(&mut writing, &mut returned, &mut parcel).await?;
        }
        conclude(writing, account, key, 200, parcel.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Records a carrier's report once, and moves the shipment and its contents on: by the carrier's clock and never
    /// backwards. A report that arrives after a later one is recorded and moves nothing.
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
        let mut returned = lock_return_of(&mut writing, account, id).await?;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[returned.order.id]).await?;
        let mut shipment = parcels.iter().find(|parcel| parcel.id == id).cloned().or_broken()?;
        shipment.check_label()?;
        record_work(&mut writing, &staff, shipment.return_order_id, now).await?;
        let update = TrackingUpdate {
            status: report.status,
            explanation: report.explanation.clone(),
            happened_at: report.happened_at.unwrap_or(now),
        };
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let change = Change { now, ..self.change_by(&staff, &settings, update.explanation.clone()) };
        let details = |shipment: &mut Shipment, is_late| keep_details(shipment, report, is_late);
        change.report(&mut writing, &mut returned, &parcels, &mut shipment, &update, details).await?;
        conclude(writing, account, key, 200, shipment.into()).await
    }
}

/// Locks the return of a shipment, and its consumer.
pub(super) async fn lock_return_of(writing: &mut Writing, account: AccountId, id: ShipmentId) -> Result<Returned> {
    let found = shipments::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
    hold_owner(writing, account, found.return_order_id).await?;
    Returned::lock(writing, account, found.return_order_id).await?.or_broken()
}

/// Locks the consumer, so that an erasure runs either before or after this transaction.
async fn hold_owner(writing: &mut Writing, account: AccountId, order: ReturnOrderId) -> Result<()> {
    let order = return_orders::find(writing.db(), account, order).await?.or_broken()?;
    consumers::hold(writing.db(), account, order.consumer_id).await?;
    Ok(())
}

/// The carrier and the tracking number. A late report only fills in what is missing.
fn keep_details(shipment: &mut Shipment, report: &TrackingReport, late: bool) {
    let keep = |known: &mut String, reported: &Option<String>| {
        if let Some(reported) = reported.as_ref().filter(|_| !late || known.is_empty()) {
            reported.clone_into(known);
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

/// Shoppers follow the link, so it must not be a URL that a browser executes.
fn is_web_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let has_host = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']));
    has_host && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}

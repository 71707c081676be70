//! Everything that happened to a return order, in one list.

use super::actors::names;
use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view::{ActivityEntry, ActivityType, redaction::activity_seen_by},
};
use domain::{
    ReturnOrderId, ReturnRequestId, Timestamp,
    mail::Mail,
    party::Actor,
    payment::Payment,
    returning::{Shipment, TimelineEntry, WarehouseStep, WarehouseStepKind},
};
use store::{
    mails, receipts, return_order_notes, return_orders, return_requests, shipments, timeline, warehouse_steps,
    webhook_deliveries::{self, Delivery},
};
use uuid::Uuid;

impl MerchantHandle<'_> {
    /// Everything that happened to a return order, oldest first: stages, corrections, receipts, inspections, tracking,
    /// mails, notes, payments and deliveries of its events.
    pub async fn activity(self, id: ReturnOrderId) -> Result<Vec<ActivityEntry>> {
        let (mut reading, account) = (self.retour.store.read().await?, self.staff.account());
        let order = return_orders::find(reading.db(), account, id).await?.ok_or(Error::NotFound)?;
        let mut all: Vec<ActivityEntry> = Vec::new();
        let requests = return_requests::list_of_return_orders(reading.db(), account, &[id]).await?;
        let requests: Vec<ReturnRequestId> = requests.iter().map(|request| request.id).collect();
        let received = receipts::list_of_return_requests(reading.db(), account, &requests).await?;
        let steps = warehouse_steps::list_of_return_order(reading.db(), account, id).await?;
        all.extend(received.into_iter().map(|(request, receipt)| of_receipt(request, &receipt, &steps)));
        all.extend(steps.iter().filter(|step| step.kind == WarehouseStepKind::Inspection).map(of_inspection));
        let parcels = shipments::list_of_return_orders(reading.db(), account, &[id]).await?;
        all.extend(parcels.iter().flat_map(of_shipment));
        let entries = timeline::list_of_return_order(reading.db(), account, id).await?;
        all.extend(entries.into_iter().map(of_timeline));
        let notes = return_order_notes::list_of_return_order(reading.db(), account, id).await?;
        all.extend(notes.into_iter().map(of_note));
        let sent = mails::list_of_return_order(reading.db(), account, id).await?;
        all.extend(sent.into_iter().map(of_mail));
        all.extend(order.payment.iter().flat_map(of_payment));
        let delivered = webhook_deliveries::list_of_return_order(reading.db(), account, id).await?;
        all.extend(delivered.iter().map(of_delivery));
        // Entries with the same time stay in this order: a receipt or a scan before the stages that follow from it.
        all.sort_by_key(|entry| entry.at);
        let actors: Vec<Uuid> = all.iter().filter_map(|entry| entry.actor_id).collect();
        let names = names(reading.db(), account, &actors).await?;
        for entry in &mut all {
            entry.actor_name = entry.actor_id.and_then(|id| names.get(&id).cloned());
        }
        Ok(activity_seen_by(all, &self.staff))
    }
}

fn of_timeline(entry: TimelineEntry) -> ActivityEntry {
    let kind = match (entry.is_for_staff(), entry.actor) {
        (false, _) => ActivityType::Stage,
        (true, Actor::Merchant) => ActivityType::Correction,
        (true, Actor::Consumer | Actor::System) => ActivityType::FailedAttempt,
    };
    ActivityEntry {
        actor_id: entry.actor_id,
        return_request_id: Some(entry.return_request_id),
        from_stage: entry.from,
        to_stage: Some(entry.to),
        text: entry.comment,
        ..ActivityEntry::new(entry.at, kind, Some(entry.actor))
    }
}

/// A receipt. While it can be taken back, its step of the warehouse knows who reported it.
fn of_receipt(request: ReturnRequestId, receipt: &receipts::Receipt, steps: &[WarehouseStep]) -> ActivityEntry {
    let mut of_request =
        steps.iter().filter(|step| step.return_request_id == request && step.kind == WarehouseStepKind::Receipt);
    let step = of_request.find(|step| step.external_reference == receipt.external_reference);
    ActivityEntry {
        actor_id: step.and_then(|step| step.actor_id),
        return_request_id: Some(request),
        receipt_id: step.map(|step| step.id),
        quantity: Some(receipt.units),
        ..ActivityEntry::new(receipt.at, ActivityType::Receipt, Some(Actor::Merchant))
    }
}

fn of_inspection(step: &WarehouseStep) -> ActivityEntry {
    ActivityEntry {
        actor_id: step.actor_id,
        return_request_id: Some(step.return_request_id),
        ..ActivityEntry::new(step.created_at, ActivityType::Inspection, Some(Actor::Merchant))
    }
}

fn of_shipment(parcel: &Shipment) -> impl Iterator<Item = ActivityEntry> {
    parcel.tracking.iter().map(|update| ActivityEntry {
        shipment_id: Some(parcel.id),
        status: Some(update.status.name().to_owned()),
        text: update.explanation.clone(),
        ..ActivityEntry::new(update.happened_at, ActivityType::TrackingUpdate, None)
    })
}

fn of_note(note: return_order_notes::Note) -> ActivityEntry {
    ActivityEntry {
        actor_id: note.author_id,
        note_id: Some(note.id),
        text: note.text,
        ..ActivityEntry::new(note.created_at, ActivityType::Note, Some(Actor::Merchant))
    }
}

fn of_mail(mail: Mail) -> ActivityEntry {
    ActivityEntry {
        mail_id: Some(mail.id),
        status: Some(mail.status.name().to_owned()),
        about: Some(mail.about),
        ..ActivityEntry::new(mail.created_at, ActivityType::Mail, Some(Actor::System))
    }
}

/// The request for the payment, and each time that the consumer began to pay.
fn of_payment(payment: &Payment) -> impl Iterator<Item = ActivityEntry> {
    let entry = |at: Timestamp, actor, status: &str| ActivityEntry {
        payment_id: Some(payment.id),
        status: Some(status.to_owned()),
        ..ActivityEntry::new(at, ActivityType::Payment, Some(actor))
    };
    let checkouts = payment.checkouts.iter();
    std::iter::once(entry(payment.created_at, Actor::System, payment.state.name()))
        .chain(checkouts.map(move |checkout| entry(checkout.begun_at, Actor::Consumer, checkout.state.name())))
}

fn of_delivery(delivery: &Delivery) -> ActivityEntry {
    ActivityEntry {
        webhook_delivery_id: Some(delivery.id),
        status: Some(delivery.status.name().to_owned()),
        about: Some(delivery.event_type.name().to_owned()),
        ..ActivityEntry::new(delivery.created_at, ActivityType::WebhookDelivery, Some(Actor::System))
    }
}

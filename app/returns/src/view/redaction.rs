//! What members of the staff see. Those who only receive parcels see no amounts, e-mail addresses or streets.
//!
//! Each function names every field of its type, so that a new field does not compile before somebody decides about it.

use super::{
    consumer::Consumer,
    costs::Costs,
    drafts::Draft,
    expandable::Expandable,
    handling::{ActivityEntry, ActivityType},
    list::List,
    return_requests::{ResolutionView, ReturnRequestView},
    returns::{ReturnOrderView, TimelineEntryView},
    shipments::ShipmentView,
};
use crate::base::Staff;
use domain::{
    ConsumerId, DraftReturnOrderId,
    address::Address,
    stage::{StageGroup, StageName},
};

/// An answer that depends on who reads it.
pub(crate) trait SeenByStaff: Sized {
    /// The answer without the fields that this member of the staff may not see.
    #[must_use]
    fn seen_by_staff(self, staff: &Staff) -> Self;
}

impl<T: SeenByStaff> SeenByStaff for Vec<T> {
    fn seen_by_staff(self, staff: &Staff) -> Self {
        self.into_iter().map(|one| one.seen_by_staff(staff)).collect()
    }
}

impl<T: SeenByStaff> SeenByStaff for Option<T> {
    fn seen_by_staff(self, staff: &Staff) -> Self {
        self.map(|one| one.seen_by_staff(staff))
    }
}

impl<T: SeenByStaff> SeenByStaff for List<T> {
    fn seen_by_staff(self, staff: &Staff) -> Self {
        Self { data: self.data.seen_by_staff(staff), ..self }
    }
}

impl SeenByStaff for ReturnOrderView {
    fn seen_by_staff(mut self, staff: &Staff) -> Self {
        let Self {
            id: _,
            number: _,
            consumer_id,
            draft_return_order_id,
            purchase_order_numbers: _,
            shipping_option_id: _,
            costs,
            status: _,
            payment_status: _,
            payment,
            assignee_id: _,
            flags: _,
            leave_out_of_bulk: _,
            source: _,
            created_at: _,
            updated_at: _,
            version: _,
            shipments,
            return_requests,
        } = &mut self;
        redact(consumer_id, staff);
        redact(draft_return_order_id, staff);
        redact(shipments, staff);
        redact(return_requests, staff);
        if !staff.sees_money() {
            *costs = Costs::Hidden {};
            *payment = None;
        }
        self
    }
}

impl SeenByStaff for ReturnRequestView {
    fn seen_by_staff(mut self, staff: &Staff) -> Self {
        let Self {
            id: _,
            purchase_id: _,
            purchase_external_id: _,
            purchase_order_number: _,
            return_order_id: _,
            return_number: _,
            consumer_id,
            return_reason_id: _,
            return_reason_comment: _,
            answers: _,
            requested_resolution: _,
            exchange_for: _,
            stage: _,
            due_at: _,
            stage_since: _,
            quantity: _,
            received_quantity: _,
            surplus_quantity: _,
            product: _,
            purchase_price,
            resolution,
            review_reason,
            proposal,
            evidence: _,
            created_at: _,
            updated_at: _,
            version: _,
        } = &mut self;
        redact(consumer_id, staff);
        resolution.redact(staff);
        if !staff.sees_money() {
            *purchase_price = None;
            *review_reason = None; // it tells of amounts
            *proposal = None;
        }
        self
    }
}

impl ResolutionView {
    fn redact(&mut self, staff: &Staff) {
        let Self {
            kind: _,
            value,
            full_value,
            status: _,
            denial_reason: _,
            external_reference,
            error_message,
            failed_attempts: _,
            next_attempt_at: _,
        } = self;
        if !staff.sees_money() {
            *value = None;
            *full_value = None;
            *external_reference = None;
            *error_message = None; // a shop's error may name an amount
        }
    }
}

impl SeenByStaff for ShipmentView {
    fn seen_by_staff(mut self, staff: &Staff) -> Self {
        let Self {
            id: _,
            return_order_id: _,
            contents: _,
            status: _,
            reason: _,
            sender,
            sender_country: _,
            receiver: _,
            carrier: _,
            label_url: _,
            label_media_types: _,
            label_barcode: _,
            qr_code: _,
            tracking_number: _,
            tracking_url,
            tracking_updates: _,
            error_code: _,
            error_message,
            failed_attempts: _,
            next_attempt_at: _,
            created_at: _,
            updated_at: _,
            version: _,
        } = &mut self;
        if !staff.sees_contact() {
            *sender = without_street(std::mem::take(sender));
            *tracking_url = None; // some carriers put the postal code into it
            *error_message = None; // a carrier's error may repeat the address
        }
        self
    }
}

impl SeenByStaff for Consumer {
    fn seen_by_staff(mut self, staff: &Staff) -> Self {
        let Self { id: _, email, address, gift_recipient: _, created_at: _ } = &mut self;
        if !staff.sees_contact() {
            email.clear();
            *address = without_street(std::mem::take(address));
        }
        self
    }
}

impl SeenByStaff for TimelineEntryView {
    fn seen_by_staff(mut self, staff: &Staff) -> Self {
        let Self { return_request_id: _, at: _, actor: _, actor_id: _, from_stage, to_stage, comment } = &mut self;
        // Comments are free text: about money and people, unless the warehouse itself writes them. Within a stage, staff
        // change the value.
        let is_of_warehouse = is_of_warehouse(*to_stage) && *from_stage != Some(*to_stage);
        if !(is_of_warehouse || staff.sees_money() && staff.sees_contact()) {
            comment.clear();
        }
        self
    }
}

impl SeenByStaff for Expandable<ConsumerId, Consumer> {
    fn seen_by_staff(self, staff: &Staff) -> Self {
        match self {
            Self::Object(consumer) => Self::Object(Box::new(consumer.seen_by_staff(staff))),
            id @ Self::Id(_) => id,
        }
    }
}

impl SeenByStaff for Expandable<DraftReturnOrderId, Draft> {
    fn seen_by_staff(self, staff: &Staff) -> Self {
        // A draft is about amounts.
        if staff.sees_money() { self } else { Self::Id(self.id()) }
    }
}

/// The activity without the entries and texts that this member of the staff may not see. A warehouse sees where the items
/// and parcels are, not what is said and paid.
pub(crate) fn activity_seen_by(mut entries: Vec<ActivityEntry>, staff: &Staff) -> Vec<ActivityEntry> {
    if staff.sees_money() && staff.sees_contact() {
        return entries;
    }
    entries.retain(|entry| match entry.kind {
        ActivityType::Stage | ActivityType::Receipt | ActivityType::Inspection | ActivityType::TrackingUpdate => true,
        ActivityType::FailedAttempt
        | ActivityType::Correction
        | ActivityType::Mail
        | ActivityType::Note
        | ActivityType::Payment
        | ActivityType::WebhookDelivery => false,
    });
    for entry in entries.iter_mut().filter(|entry| entry.kind == ActivityType::Stage) {
        if !entry.to_stage.is_some_and(is_of_warehouse) {
            entry.text.clear();
        }
    }
    entries
}

fn redact<T: SeenByStaff + Clone>(field: &mut T, staff: &Staff) {
    if !(staff.sees_money() && staff.sees_contact()) {
        *field = field.clone().seen_by_staff(staff);
    }
}

/// The part of an address that tells where a parcel comes from, but not whose door.
fn without_street(address: Address) -> Address {
    let Address { name, street: _, additional: _, postal_code: _, city, province, country } = address;
    Address { name, city, province, country, ..Address::default() }
}

fn is_of_warehouse(stage: StageName) -> bool {
    matches!(stage.group(), StageGroup::Received | StageGroup::Inspection)
}

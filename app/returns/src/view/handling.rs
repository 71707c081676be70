//! What staff do about a return order besides moving it: notes, visits, and everything that happened in one list.

use crate::base::FieldError;
use domain::{
    MailId, NoteId, PaymentId, RefusalCode, ReturnOrderId, ReturnRequestId, ShipmentId, Timestamp, UserId,
    WarehouseStepId, WebhookDeliveryId, party, returning::BatchOutcome, stage::StageName,
};
use schemars::JsonSchema;
use serde::Serialize;
use store::{return_order_notes, users};
use uuid::Uuid;

/// A note of staff about a return order. Consumers never see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Note")]
pub struct NoteView {
    /// Unique identifier of the note.
    pub id: NoteId,
    /// The return order that the note is about.
    pub return_order_id: ReturnOrderId,
    /// The user or service user who wrote the note; `null`: the operator.
    pub author_id: Option<Uuid>,
    /// The text of the note; may have several lines; empty after the consumer's data were erased.
    pub text: String,
    /// When the note was written.
    pub created_at: Timestamp,
    /// When the note last changed.
    pub updated_at: Timestamp,
    /// The version of the note, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl From<return_order_notes::Note> for NoteView {
    fn from(note: return_order_notes::Note) -> Self {
        Self {
            id: note.id,
            return_order_id: note.return_order_id,
            author_id: note.author_id,
            text: note.text,
            created_at: note.created_at,
            updated_at: note.updated_at,
            version: note.version,
        }
    }
}

/// A member of the staff who looked at a return order in the last minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Visit")]
pub struct VisitView {
    /// The user or service user.
    pub visitor_id: Uuid,
    /// The name of the user or service user; `null`: they were deleted.
    pub visitor_name: Option<String>,
    /// When they last looked at the return order.
    pub seen_at: Timestamp,
    /// Whether they wrote something about it at that time.
    pub is_writing: bool,
}

/// A user who can have a return order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignee {
    /// The id of the user.
    pub id: UserId,
    /// The user's name; the e-mail address of a user without a name.
    pub name: String,
}

impl From<users::User> for Assignee {
    fn from(user: users::User) -> Self {
        Self { id: user.id, name: if user.name.is_empty() { user.email } else { user.name } }
    }
}

/// What an entry of the activity is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ActivityType {
    /// A return request entered a stage.
    Stage,
    /// A call to the shop, the carrier or the payment provider failed. The return request stayed in its stage.
    FailedAttempt,
    /// Staff changed something of a return request within its stage: its value, a rule that they overrode, or what the
    /// warehouse recorded and took back. `text` says what or why.
    Correction,
    /// Units arrived.
    Receipt,
    /// Units were inspected. Inspections of the last months only.
    Inspection,
    /// A carrier reported where a shipment is.
    TrackingUpdate,
    /// A mail to the consumer was sent or failed.
    Mail,
    /// Staff wrote a note.
    Note,
    /// A payment was requested, or the consumer began to pay.
    Payment,
    /// An event was delivered to a webhook subscription, or waits to be.
    WebhookDelivery,
}

/// One thing that happened to a return order: what, when, who and why.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntry {
    /// When it happened.
    pub at: Timestamp,
    /// The kind of event that the entry is about.
    #[serde(rename = "type")]
    pub kind: ActivityType,
    /// The party that did it; `null`: another system, such as the carrier.
    pub actor: Option<party::Actor>,
    /// The user or service user who did it, if staff did.
    pub actor_id: Option<Uuid>,
    /// The name of that user or service user.
    pub actor_name: Option<String>,
    /// The return request that it is about; `null`: the whole return order.
    pub return_request_id: Option<ReturnRequestId>,
    /// The receipt, as long as it can be taken back.
    pub receipt_id: Option<WarehouseStepId>,
    /// The shipment of a tracking update.
    pub shipment_id: Option<ShipmentId>,
    /// The id of the note that was written.
    pub note_id: Option<NoteId>,
    /// The id of the mail that was sent.
    pub mail_id: Option<MailId>,
    /// The id of the payment that was requested or made.
    pub payment_id: Option<PaymentId>,
    /// The delivery to a webhook subscription.
    pub webhook_delivery_id: Option<WebhookDeliveryId>,
    /// The stage before.
    pub from_stage: Option<StageName>,
    /// The stage that the return request entered, or was in.
    pub to_stage: Option<StageName>,
    /// The number of units of a receipt.
    pub quantity: Option<u32>,
    /// The state of the mail, the payment or the delivery, or what the carrier reports.
    pub status: Option<String>,
    /// The kind of mail, or the type of the delivered event.
    pub about: Option<String>,
    /// The reason, the note, or the other system's own words; may be empty.
    pub text: String,
}

impl ActivityEntry {
    /// An entry with nothing but what every entry has.
    pub(crate) fn new(at: Timestamp, kind: ActivityType, actor: Option<party::Actor>) -> Self {
        Self {
            at,
            kind,
            actor,
            actor_id: None,
            actor_name: None,
            return_request_id: None,
            receipt_id: None,
            shipment_id: None,
            note_id: None,
            mail_id: None,
            payment_id: None,
            webhook_delivery_id: None,
            from_stage: None,
            to_stage: None,
            quantity: None,
            status: None,
            about: None,
            text: String::new(),
        }
    }
}

/// The results of many moves, in the order of the moves.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchResults {
    /// The number of moves that were made, or had been made before.
    pub done: u32,
    /// The number of moves that were not made.
    pub failed: u32,
    /// One result for each move.
    pub results: Vec<BatchResult>,
}

/// The result of one move of a batch.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchResult {
    /// The return request.
    pub return_request_id: ReturnRequestId,
    /// Whether the move was made.
    pub outcome: BatchOutcome,
    /// The stage of the return request after the move; `null`: the move was not made.
    pub stage: Option<StageName>,
    /// The version of the return request after the move; `null`: the move was not made.
    pub version: Option<i64>,
    /// Why a rule refused the move, for programs; `null`: no rule did.
    pub code: Option<RefusalCode>,
    /// Why the move was not made, as a sentence for people; `null`: it was made.
    pub message: Option<String>,
    /// The fields with values that are not allowed.
    pub details: Vec<FieldError>,
}

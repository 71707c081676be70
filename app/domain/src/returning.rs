//! The resources of returning: draft, return order, return request, shipment, timeline.

use crate::{
    ConsumerId, Currency, DraftReturnOrderId, EvidenceId, Money, OrderId, PurchaseId, Refusal, RefusalCode,
    ReturnOrderId, ReturnReasonId, ReturnRequestId, ShipmentId, ShippingOptionId, Timestamp,
    carrier::ParcelLabel,
    costs::CostBreakdown,
    customs::CustomsFact,
    order::{ExchangeOption, Product},
    payment::Payment,
    policy::{Address, Resolution},
    quantity::{TakenUnits, Units},
    question::Answer,
    reason::ReasonRules,
    shipping::ShippingOption,
    stage::{self, Move, ReviewReason, Scan},
    status::{DraftStatus, PaymentStatus, ReturnOrderStatus, ShipmentStatus},
};
use serde::{Deserialize, Serialize};

/// How long a draft holds its figures.
pub const DRAFT_LIFE_HOURS: u32 = 24;

/// A return that is being put together. It holds no units: submitting takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftReturnOrder {
    /// Identifier.
    pub id: DraftReturnOrderId,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// How far it got.
    pub status: DraftStatus,
    /// The return order that it became, as of when it was read; `None` until it is accepted.
    pub return_order_id: Option<ReturnOrderId>,
    /// What is to go back, each purchase once.
    pub items: Vec<DraftItem>,
    /// How, once that is chosen.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// At what cost.
    pub cost_breakdown: CostBreakdown,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its figures stop holding.
    pub expires_at: Timestamp,
}

/// One purchase in a draft, with the figures that the draft fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftItem {
    /// Which.
    pub purchase_id: PurchaseId,
    /// The sales order that it is of.
    #[serde(default = "unknown_order")]
    pub order_id: OrderId,
    /// Which of its units.
    pub taken: TakenUnits,
    /// The purchase's units when the draft was made: the price holds while they cost the same and as many dear ones
    /// are gone.
    pub seen: Units,
    /// What they cost, minor units.
    pub value: i64,
    /// Their share of the outbound shipping that is paid back, minor units.
    pub outbound_shipping: i64,
    /// What of both does not come back, because no more is left of the order, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limit: i64,
    /// What the shop had given back of the order without Retour when the draft was made, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refunded_by_shop: i64,
    /// Why a person decides about it, whatever the policy says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewReason>,
    /// What they weigh together, grams.
    #[serde(default)]
    pub weight: u64,
    /// What customs would want to know of them and nobody has said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_to_customs: Vec<CustomsFact>,
    /// Why.
    pub return_reason_id: ReturnReasonId,
    /// What the reason entailed when the draft was made.
    pub rules: ReasonRules,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What they answered to the reason's questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What for.
    pub requested_resolution: Resolution,
    /// With an exchange: what is wanted in its place, where the shop offers a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_for: Option<ExchangeOption>,
    /// Whether the consumer keeps it and is refunded all the same.
    pub kept: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it; of 4-byte pointers clippy does not complain")]
fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

/// Of drafts from before it was kept.
fn unknown_order() -> OrderId {
    OrderId(uuid::Uuid::nil())
}

/// One act of returning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnOrder {
    /// Identifier.
    pub id: ReturnOrderId,
    /// Short, for people; unique in the account.
    pub number: String,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// What it was made from.
    pub draft_return_order_id: DraftReturnOrderId,
    /// Where it stands, derived from its requests.
    pub status: ReturnOrderStatus,
    /// What is to be paid for it, or was; `None` where nothing is.
    pub payment: Option<Payment>,
    /// The sales orders whose items it holds.
    pub order_numbers: Vec<String>,
    /// How it is sent, as it was offered; `None` when nothing is sent.
    pub shipping_option: Option<ShippingOption>,
    /// At what cost.
    pub cost_breakdown: CostBreakdown,
    /// Who made it.
    pub source: Source,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl ReturnOrder {
    /// Where its payment stands.
    pub fn payment_status(&self) -> PaymentStatus {
        self.payment.as_ref().map_or(PaymentStatus::NotRequired, Payment::status)
    }
}

/// The way in which a return order was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ReturnSource"))]
pub enum Source {
    /// By the consumer in the portal.
    Portal,
    /// By the consumer's operations of the API.
    Api,
    /// By the merchant for the consumer.
    Merchant,
}

impl Source {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portal => "Portal",
            Self::Api => "Api",
            Self::Merchant => "Merchant",
        }
    }

    /// The source of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Portal, Self::Api, Self::Merchant].into_iter().find(|one| one.name() == name)
    }
}

/// One purchase within a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnRequest {
    /// Identifier.
    pub id: ReturnRequestId,
    /// What it belongs to.
    pub return_order_id: ReturnOrderId,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// What goes back.
    pub purchase_id: PurchaseId,
    /// The shop's own id of it.
    pub purchase_external_id: String,
    /// The sales order it was bought in.
    pub purchase_order_number: String,
    /// Why it goes back.
    pub return_reason_id: ReturnReasonId,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What they answered to the reason's questions.
    pub answers: Vec<Answer>,
    /// What for.
    pub requested_resolution: Resolution,
    /// With an exchange: what is to be sent in its place; `None` where people see to that.
    pub exchange_for: Option<ExchangeOption>,
    /// Units.
    pub quantity: u32,
    /// What they cost.
    pub purchase_price: Money,
    /// What is given for it, less its share of the fees, minor units: its lines of the return's costs.
    pub resolution_value: i64,
    /// What is missing from that because no more is left of what was paid for the order, minor units.
    pub refund_limit: i64,
    /// What it is, as it was then.
    pub product: Product,
    /// Where it stands.
    pub state: stage::Request,
    /// Photos and papers that were added to it, oldest first.
    pub evidence: Vec<EvidenceFile>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl ReturnRequest {
    /// What its amounts are in.
    pub fn currency(&self) -> Currency {
        self.purchase_price.currency
    }
}

/// One parcel of a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipment {
    /// Identifier.
    pub id: ShipmentId,
    /// What is in it.
    pub return_order_id: ReturnOrderId,
    /// Which of it, where that was said; `None`: all that is sent.
    pub contents: Option<Vec<ParcelContent>>,
    /// Where it stands.
    pub status: ShipmentStatus,
    /// Its number: 18 digits of GS1's SSCC.
    pub sscc: String,
    /// Its label.
    pub label: ParcelLabel,
    /// What scanners read on the label: the SSCC on ours; empty while it is not known.
    pub label_barcode: String,
    /// Who sends it; empty where unknown.
    pub sender: Address,
    /// Where it goes.
    pub receiver: Address,
    /// Who carries it; empty where nobody has said.
    pub carrier: String,
    /// The carrier's number; may be empty.
    pub tracking_number: String,
    /// Where to follow it; may be empty.
    pub tracking_url: String,
    /// Why there is no label, for programs; may be empty.
    pub error_code: String,
    /// The same, for people.
    pub error_message: String,
    /// The number of failed requests for the label since a person last asked for it.
    pub failed_attempts: u32,
    /// When Retour asks the carrier again; `None`: it does not.
    pub next_attempt_at: Option<Timestamp>,
    /// What the carrier reported, in its time.
    pub tracking: Vec<TrackingUpdate>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// Units of a return request in a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParcelContent {
    /// The return request whose units are in the parcel.
    pub return_request_id: ReturnRequestId,
    /// How many of its units; at least 1.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 1_000_000)))]
    pub quantity: u32,
}

/// Parcels that a return order can have, beside those that were called off.
pub const MAX_PARCELS: usize = 20;

impl Shipment {
    /// The report that says where it is: the latest in the carrier's time; once it was handed over, that.
    pub fn latest(&self) -> Option<&TrackingUpdate> {
        self.tracking.iter().max_by_key(|update| update.rank())
    }

    /// Removes the error of its label.
    pub fn clear_error(&mut self) {
        (self.error_code, self.error_message) = Default::default();
        (self.failed_attempts, self.next_attempt_at) = (0, None);
    }

    /// Adds a report, and says which move it is for what is in the parcel; `None` when it is known already.
    pub fn record(&mut self, update: TrackingUpdate) -> Option<Move> {
        if self.tracking.contains(&update) {
            return None;
        }
        let scan = update.status;
        let late = self.latest().is_some_and(|latest| latest.rank() > update.rank());
        self.tracking.push(update);
        self.tracking.sort_by_key(|update| update.happened_at);
        if late {
            return Some(Move::TrackLate(scan));
        }
        self.status = match scan {
            Scan::InTransit => ShipmentStatus::InTransit,
            Scan::Exception => ShipmentStatus::Exception,
            Scan::Delivered => ShipmentStatus::Delivered,
        };
        Some(Move::Track(scan))
    }

    /// Whether it can be sent, or why not.
    pub fn check_label(&self) -> Result<(), Refusal> {
        match self.status {
            ShipmentStatus::Cancelled => {
                Err(Refusal::new(RefusalCode::ShipmentCancelled, "This shipment is cancelled and its label is void."))
            }
            ShipmentStatus::New | ShipmentStatus::LabelFailed => {
                Err(Refusal::new(RefusalCode::LabelNotReady, "This shipment has no label yet. Ask again later."))
            }
            _ => Ok(()),
        }
    }
}

/// What a carrier reported of a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingUpdate {
    /// What it saw.
    pub status: Scan,
    /// In its words; may be empty.
    pub explanation: String,
    /// When, in its time.
    pub happened_at: Timestamp,
}

impl TrackingUpdate {
    /// The greater, the later: nothing comes after the delivery.
    pub fn rank(&self) -> (bool, Timestamp, Scan) {
        (self.status == Scan::Delivered, self.happened_at, self.status)
    }
}

/// A photo or paper that was added to a return request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceFile {
    /// Identifier, by which its bytes are found.
    pub id: EvidenceId,
    /// Whose.
    pub return_request_id: ReturnRequestId,
    /// As the file was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// How long it is.
    pub bytes: i64,
    /// SHA-256 of what was sent: the same file again is the same evidence.
    pub sha256: Vec<u8>,
    /// Who added it.
    pub actor: Actor,
    /// When.
    pub created_at: Timestamp,
}

/// Files that a return request can have.
pub const MAX_EVIDENCE: usize = 10;

/// Who changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum Actor {
    /// The consumer whose return it is.
    Consumer,
    /// The merchant: a user or a program with an API key.
    Merchant,
    /// Retour itself: a rule or a background job.
    System,
}

impl Actor {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consumer => "Consumer",
            Self::Merchant => "Merchant",
            Self::System => "System",
        }
    }

    /// The actor of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Consumer, Self::Merchant, Self::System].into_iter().find(|one| one.name() == name)
    }
}

/// One stage that a request entered, or a failed call to another system while the request stayed in its stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// Whose.
    pub return_request_id: ReturnRequestId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// Which of the merchant's users or programs, where it was one of those.
    pub actor_id: Option<uuid::Uuid>,
    /// Where from; `None` at the start.
    pub from: Option<stage::StageName>,
    /// Where to; the same as `from` for a failed call.
    pub to: stage::StageName,
    /// Why; may be empty.
    pub comment: String,
}

impl TimelineEntry {
    /// Whether this is a failed call to another system. Only the merchant's staff sees such entries.
    pub fn is_failed_attempt(&self) -> bool {
        self.from == Some(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::StageName;
    use uuid::Uuid;

    fn entry(from: Option<StageName>, to: StageName) -> TimelineEntry {
        let (return_request_id, comment) = (ReturnRequestId(Uuid::nil()), String::new());
        TimelineEntry {
            return_request_id,
            at: Timestamp::from_seconds(0),
            actor: Actor::System,
            actor_id: None,
            from,
            to,
            comment,
        }
    }

    #[test]
    fn a_failed_attempt_leaves_the_stage_as_it_was() {
        let (approved, processing) = (StageName::ResolutionApproved, StageName::ResolutionProcessing);
        assert!(entry(Some(processing), processing).is_failed_attempt());
        assert!(!entry(Some(approved), processing).is_failed_attempt());
        assert!(!entry(None, StageName::RequestedApproved).is_failed_attempt());
    }

    #[test]
    fn amounts_of_a_draft_are_left_out_of_its_json_where_they_are_zero() {
        let item = |limit| DraftItem {
            purchase_id: PurchaseId(Uuid::nil()),
            order_id: unknown_order(),
            taken: TakenUnits { units: 1, dear: 0 },
            seen: Units {
                bought: 1,
                fulfilled: 1,
                taken: 0,
                taken_dear: 0,
                settled: 0,
                shop_refunded: 0,
                total: 1_250,
            },
            value: 1_250,
            outbound_shipping: 0,
            limit,
            refunded_by_shop: 0,
            review: None,
            weight: 0,
            unknown_to_customs: Vec::new(),
            return_reason_id: ReturnReasonId(Uuid::nil()),
            rules: ReasonRules::default(),
            return_reason_comment: String::new(),
            answers: Vec::new(),
            requested_resolution: Resolution::Refund,
            exchange_for: None,
            kept: false,
        };
        let json = |limit| serde_json::to_value(item(limit)).unwrap();
        assert_eq!(json(100)["limit"], 100);
        assert!(json(0).get("limit").is_none());
    }
}

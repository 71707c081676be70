//! What the API shows: each resource as JSON (camelCase). Portal and events use the same types.

use domain::{
    ConsumerId, Currency, DraftReturnOrderId, Locale, Money, Percent, PurchaseId, ReturnOrderId, ReturnReasonId,
    ReturnRequestId, ShipmentId, ShippingOptionId, Timestamp,
    costs::CostBreakdown,
    eligibility::{Eligibility, IneligibleCode},
    order::{Product, Purchase},
    policy::{Address, LookUpBy, Policy, Resolution},
    reason::{Evidence, Fault, ReturnReason},
    returning::{self, DraftReturnOrder, ReturnOrder, ReturnRequest},
    shipping::{ShippingMethod, ShippingOption},
    stage::{Stage, StageName},
    status::{DraftStatus, PaymentStatus, ReturnOrderStatus, ShipmentStatus},
};
use serde::Serialize;
use store::page::Rows;

/// The envelope of a list (spec 2.4).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct List<T> {
    /// The results of the page.
    pub data: Vec<T>,
    /// Results per page.
    pub limit: i64,
    /// The cursor that was sent; 1 for the first page.
    pub page: i64,
    /// The cursor to send next; `null` at the end.
    pub next_page: Option<i64>,
    /// Whether more results follow.
    pub has_more: bool,
}

impl<T> List<T> {
    /// A page with nothing on it.
    pub fn empty(page: store::page::Page) -> Self {
        Self::new(page, Rows { rows: Vec::<T>::new(), next: None }, |row| row)
    }

    pub(crate) fn new<R>(page: store::page::Page, rows: Rows<R>, view: impl FnMut(R) -> T) -> Self {
        Self {
            data: rows.rows.into_iter().map(view).collect(),
            limit: page.limit,
            page: page.after.unwrap_or(1),
            next_page: rows.next,
            has_more: rows.next.is_some(),
        }
    }
}

/// A consumer: one pair of order credentials.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    /// Identifier.
    pub id: ConsumerId,
    /// The order's e-mail; may be empty.
    pub email: String,
    /// The order's address; its fields may be empty.
    pub address: Address,
    /// When the order was first looked up.
    pub created_at: Timestamp,
}

impl Consumer {
    /// As a consumer sees themselves: of e-mail and address only what they proved. Who knows an order's number and
    /// its postal code does not learn the e-mail, and the other way round.
    pub fn proved(consumer: store::consumers::Consumer) -> Self {
        let (email, address) = match consumer.credentials.kind {
            LookUpBy::Email => (consumer.email, Address::default()),
            LookUpBy::PostalCode => {
                let postal_code = consumer.address.postal_code;
                (String::new(), Address { postal_code, ..Address::default() })
            }
        };
        Self { id: consumer.id, email, address, created_at: consumer.created_at }
    }
}

impl From<store::consumers::Consumer> for Consumer {
    fn from(consumer: store::consumers::Consumer) -> Self {
        Self { id: consumer.id, email: consumer.email, address: consumer.address, created_at: consumer.created_at }
    }
}

/// An id, or in its place the object, when it was expanded.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Expandable<I, T> {
    /// The id alone.
    Id(I),
    /// The whole object.
    Object(Box<T>),
}

impl Expandable<ConsumerId, Consumer> {
    /// The consumer's id, expanded or not.
    pub fn id(&self) -> ConsumerId {
        match self {
            Self::Id(id) => *id,
            Self::Object(consumer) => consumer.id,
        }
    }
}

/// A purchase as a consumer sees it: what it is, whether it can go back, how and why.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseView {
    /// Identifier.
    pub id: PurchaseId,
    /// The shop's own id of the line.
    pub external_id: String,
    /// The number of the sales order.
    pub order_number: String,
    /// When the order was placed.
    pub ordered_at: Timestamp,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// What it is.
    pub product: Product,
    /// Units bought.
    pub quantity: u32,
    /// Units that can go back now.
    pub returnable_quantity: u32,
    /// What a unit cost: after discount, tax included. Some units may cost one minor unit more, so that all of
    /// them come to `totalPrice`.
    pub unit_price: Money,
    /// What all units cost.
    pub total_price: Money,
    /// What the next units to go back cost, for estimates: so many of them cost one minor unit more than `unitPrice`.
    pub dearer_units: u32,
    /// Whether it can go back, and if not, why.
    pub eligibility: EligibilityView,
    /// Ways of sending it.
    pub shipping_options: Vec<ShippingOptionView>,
    /// Why it may go back.
    pub return_reasons: Vec<ReturnReasonView>,
    /// What may be asked for.
    pub resolutions: Vec<Resolution>,
}

/// Whether a purchase can go back.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EligibilityView {
    /// Whether any of it can.
    pub returnable: bool,
    /// Why not.
    pub code: Option<IneligibleCode>,
    /// The same as a sentence.
    pub message: Option<String>,
    /// The last moment.
    pub return_by: Option<Timestamp>,
}

impl From<Eligibility> for EligibilityView {
    fn from(eligibility: Eligibility) -> Self {
        let message = eligibility.obstacle.map(|code| {
            match code {
                IneligibleCode::FinalSale => "It was sold as final sale.",
                IneligibleCode::ReturnWindowExpired => "The time to return it is over.",
                IneligibleCode::NotFulfilled => "It has not been sent yet.",
                IneligibleCode::AlreadyReturned => "All of it is returned or on its way back.",
                IneligibleCode::NotReturnable => "The shop does not take it back.",
            }
            .to_owned()
        });
        Self {
            returnable: eligibility.returnable > 0,
            code: eligibility.obstacle,
            message,
            return_by: eligibility.return_by,
        }
    }
}

/// A way of sending things back, at its price in the order's currency.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShippingOptionView {
    /// Identifier.
    pub id: ShippingOptionId,
    /// What the consumer reads first.
    pub name: String,
    /// How it works, in a sentence.
    pub description: String,
    /// What the consumer has to do.
    pub method: ShippingMethod,
    /// What it costs.
    pub price: Money,
}

impl ShippingOptionView {
    /// The option in a language and currency; `None` where it has no price in that currency.
    pub fn new(option: &ShippingOption, currency: Currency, locale: &Locale) -> Option<Self> {
        Some(Self {
            id: option.id,
            name: option.name.get(locale).to_owned(),
            description: option.description.get(locale).to_owned(),
            method: option.method,
            price: Money::new(option.prices.minor(currency)?, currency),
        })
    }
}

/// A reason to return something.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReturnReasonView {
    /// Identifier.
    pub id: ReturnReasonId,
    /// The reason that this one refines.
    pub parent_id: Option<ReturnReasonId>,
    /// What the consumer reads.
    pub description: String,
    /// Whether photos are asked for.
    pub evidence: Evidence,
    /// Whose fault it is: sending the merchant's faults back is free.
    pub fault: Fault,
    /// What is kept of the price.
    pub restocking_fee_percent: Percent,
    /// What may be asked for with it.
    pub resolutions: Vec<Resolution>,
}

impl ReturnReasonView {
    /// The reason in a language, under an account's policy.
    pub fn new(reason: &ReturnReason, policy: &Policy, locale: &Locale) -> Self {
        let allowed = |resolution: &Resolution| reason.rules.allows(*resolution, &policy.resolutions);
        Self {
            id: reason.id,
            parent_id: reason.parent_id,
            description: reason.description.get(locale).to_owned(),
            evidence: reason.rules.evidence,
            fault: reason.rules.fault,
            restocking_fee_percent: reason.rules.restocking_fee_percent,
            resolutions: policy.resolutions.iter().copied().filter(allowed).collect(),
        }
    }
}

/// A purchase and everything that goes with it.
pub(crate) fn purchase(
    purchase: Purchase,
    eligibility: Eligibility,
    settings: &crate::consumer::Settings,
    locale: &Locale,
) -> PurchaseView {
    let currency = purchase.order.currency;
    let reasons = settings.reasons.iter();
    let options = settings.options.iter();
    PurchaseView {
        id: purchase.id,
        order_number: purchase.order.number.clone(),
        ordered_at: purchase.order.ordered_at,
        fulfilled_at: purchase.fulfilled_at,
        quantity: purchase.units.bought,
        returnable_quantity: eligibility.returnable,
        unit_price: purchase.money(purchase.units.unit_price()),
        total_price: purchase.money(purchase.units.total),
        dearer_units: purchase.units.dear().saturating_sub(purchase.units.taken_dear),
        eligibility: eligibility.into(),
        shipping_options: options.filter_map(|option| ShippingOptionView::new(option, currency, locale)).collect(),
        return_reasons: reasons.map(|reason| ReturnReasonView::new(reason, &settings.account.policy, locale)).collect(),
        resolutions: settings.account.policy.resolutions.clone(),
        external_id: purchase.external_id,
        product: purchase.product,
    }
}

/// A return that is being put together.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Identifier.
    pub id: DraftReturnOrderId,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// How far it got.
    pub status: DraftStatus,
    /// What is to go back.
    pub selected_purchases: Vec<SelectedPurchase>,
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

/// One purchase in a draft.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectedPurchase {
    /// Which.
    pub purchase_id: PurchaseId,
    /// How many units.
    pub quantity: u32,
    /// Why.
    pub return_reason_id: ReturnReasonId,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What for.
    pub requested_resolution: Resolution,
    /// Whether the consumer keeps it and is refunded all the same.
    pub keep_item: bool,
}

impl From<DraftReturnOrder> for Draft {
    fn from(draft: DraftReturnOrder) -> Self {
        let selected = |item: returning::DraftItem| SelectedPurchase {
            purchase_id: item.purchase_id,
            quantity: item.taken.units,
            return_reason_id: item.return_reason_id,
            return_reason_comment: item.return_reason_comment,
            requested_resolution: item.requested_resolution,
            keep_item: item.kept,
        };
        Self {
            id: draft.id,
            consumer_id: draft.consumer_id,
            status: draft.status,
            selected_purchases: draft.items.into_iter().map(selected).collect(),
            shipping_option_id: draft.shipping_option_id,
            cost_breakdown: draft.cost_breakdown,
            created_at: draft.created_at,
            updated_at: draft.updated_at,
            expires_at: draft.expires_at,
        }
    }
}

/// One act of returning (spec 2.2).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReturnOrderView {
    /// Identifier.
    pub id: ReturnOrderId,
    /// Short, for people; unique in the account.
    pub number: String,
    /// Whose; the whole consumer with `expand=consumer`.
    pub consumer_id: Expandable<ConsumerId, Consumer>,
    /// What it was made from.
    pub draft_return_order_id: DraftReturnOrderId,
    /// The sales orders whose items it holds.
    pub purchase_order_numbers: Vec<String>,
    /// How it is sent; `null` when nothing is sent.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// At what cost.
    pub cost_breakdown: CostBreakdown,
    /// Where it stands.
    pub status: ReturnOrderStatus,
    /// Where its payment stands.
    pub payment_status: PaymentStatus,
    /// Who made it.
    pub source: returning::Source,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
    /// Its parcels, with `expand=shipments`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipments: Option<Vec<ShipmentView>>,
    /// Its requests, with `expand=returnRequests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_requests: Option<Vec<ReturnRequestView>>,
}

impl From<ReturnOrder> for ReturnOrderView {
    fn from(order: ReturnOrder) -> Self {
        Self {
            id: order.id,
            number: order.number,
            consumer_id: Expandable::Id(order.consumer_id),
            draft_return_order_id: order.draft_return_order_id,
            purchase_order_numbers: order.order_numbers,
            shipping_option_id: order.shipping_option.map(|option| option.id),
            cost_breakdown: order.cost_breakdown,
            status: order.status,
            payment_status: order.payment_status,
            source: order.source,
            created_at: order.created_at,
            updated_at: order.updated_at,
            version: order.version,
            shipments: None,
            return_requests: None,
        }
    }
}

/// One purchase within a return order (spec 2.1).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReturnRequestView {
    /// Identifier.
    pub id: ReturnRequestId,
    /// What goes back.
    pub purchase_id: PurchaseId,
    /// The shop's own id of it.
    pub purchase_external_id: String,
    /// The sales order it was bought in.
    pub purchase_order_number: String,
    /// What it belongs to.
    pub return_order_id: ReturnOrderId,
    /// Whose; the whole consumer with `expand=consumer`.
    pub consumer_id: Expandable<ConsumerId, Consumer>,
    /// Why it goes back.
    pub return_reason_id: ReturnReasonId,
    /// In the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// What for.
    pub requested_resolution: Resolution,
    /// Where it stands.
    pub stage: StageName,
    /// Units.
    pub quantity: u32,
    /// What it is, as it was then.
    pub product: Product,
    /// What the units cost.
    pub purchase_price: Money,
    /// What came of it.
    pub resolution: ResolutionView,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// What came of a request.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolutionView {
    /// What is given.
    #[serde(rename = "type")]
    pub kind: Resolution,
    /// How far it is: the second half of its stage, once it is there.
    pub status: Option<&'static str>,
    /// Why it was denied.
    pub denial_reason: Option<String>,
    /// What the system that carried it out calls it.
    pub external_reference: Option<String>,
}

impl From<ReturnRequest> for ReturnRequestView {
    fn from(request: ReturnRequest) -> Self {
        let stage = request.state.stage.name();
        let (denial_reason, external_reference) = match request.state.stage {
            Stage::ResolutionDenied { reason } => (Some(reason), None),
            Stage::ResolutionCompleted { external_reference } => (None, external_reference),
            _ => (None, None),
        };
        Self {
            id: request.id,
            purchase_id: request.purchase_id,
            purchase_external_id: request.purchase_external_id,
            purchase_order_number: request.purchase_order_number,
            return_order_id: request.return_order_id,
            consumer_id: Expandable::Id(request.consumer_id),
            return_reason_id: request.return_reason_id,
            return_reason_comment: request.return_reason_comment,
            requested_resolution: request.requested_resolution,
            stage,
            quantity: request.quantity,
            product: request.product,
            purchase_price: request.purchase_price,
            resolution: ResolutionView {
                kind: request.requested_resolution,
                status: stage.as_str().strip_prefix("Resolution: "),
                denial_reason,
                external_reference,
            },
            created_at: request.created_at,
            updated_at: request.updated_at,
            version: request.version,
        }
    }
}

/// One parcel of a return order.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentView {
    /// Identifier.
    pub id: ShipmentId,
    /// What is in it.
    pub return_order_id: ReturnOrderId,
    /// Where it stands.
    pub status: ShipmentStatus,
    /// Who sends it; its fields may be empty.
    pub sender: Address,
    /// Where it goes.
    pub receiver: Address,
    /// What scanners read on the label: the SSCC, 18 digits.
    pub label_barcode: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl From<returning::Shipment> for ShipmentView {
    fn from(shipment: returning::Shipment) -> Self {
        Self {
            id: shipment.id,
            return_order_id: shipment.return_order_id,
            status: shipment.status,
            sender: shipment.sender,
            receiver: shipment.receiver,
            label_barcode: shipment.sscc,
            created_at: shipment.created_at,
            updated_at: shipment.updated_at,
        }
    }
}

/// One stage that a request entered.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntryView {
    /// Whose.
    pub return_request_id: ReturnRequestId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: returning::Actor,
    /// Where from; `null` at the start.
    pub from_stage: Option<StageName>,
    /// Where to.
    pub to_stage: StageName,
    /// Why; may be empty.
    pub comment: String,
}

impl From<returning::TimelineEntry> for TimelineEntryView {
    fn from(entry: returning::TimelineEntry) -> Self {
        Self {
            return_request_id: entry.return_request_id,
            at: entry.at,
            actor: entry.actor,
            from_stage: entry.from,
            to_stage: entry.to,
            comment: entry.comment,
        }
    }
}

//! What the API shows: each resource as JSON (camelCase). Portal and events use the same types.

mod bought;
mod costs;
mod drafts;
mod event_data;
mod evidence;
mod integrations;
mod mails;
mod pending_evidence;
mod people;
mod purchases;
mod returns;
mod settings;
mod shipments;
mod team;
mod webhooks;
mod withdrawals;

pub use bought::{ImportReport, Purchase, RefusedOrder, SalesOrder, SkippedRow};
pub use costs::{Costs, GiftCosts};
pub use drafts::{Draft, SelectedPurchase};
pub use event_data::{
    ConsumerErasedEventData, PingEventData, ReturnOrderEventData, ReturnRequestEventData, ShipmentEventData,
    SubscriptionDisabledEventData, event_data,
};
pub use evidence::EvidenceView;
pub use integrations::{HealthView, Integration, IntegrationKind, OperationHealth};
pub use mails::MailView;
pub use pending_evidence::PendingEvidenceView;
pub use people::{OrderData, OrderLine, PersonalData};
pub(crate) use purchases::purchase;
pub use purchases::{
    AnswerOptionView, EligibilityView, Offered, OfferedFare, PurchasePrices, PurchaseView, QuestionView,
    ReturnReasonView, ShippingOptionView,
};
pub use returns::{PaymentView, ReceiptView, ResolutionView, ReturnOrderView, ReturnRequestView, TimelineEntryView};
pub use settings::{Account, Preview, ReturnLocation, ReturnReason, ShippingOption};
pub use shipments::{ShipmentReason, ShipmentView, TrackingUpdateView};
pub use team::{InvitedUser, ServiceUser, ServiceUserWithKey, User, UserStatus};
pub use webhooks::{
    Event, WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails, WebhookRequest, WebhookSecret, WebhookSubscription,
    WebhookTimelineEntry,
};
pub use withdrawals::Withdrawal;

use domain::{ConsumerId, DraftReturnOrderId, Timestamp, policy::Address};
use schemars::JsonSchema;
use serde::Serialize;
use store::{consumers::Proof, page::Rows};

/// One page of a list.
// Source: spec 2.4.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}List")]
pub struct List<T> {
    /// The results of this page.
    pub data: Vec<T>,
    /// The number of results per page.
    pub limit: i64,
    /// The `page` that was asked for; 1 if none was.
    #[schemars(range(min = 1))]
    pub page: i64,
    /// The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    /// the last page.
    #[schemars(range(min = 10_001))]
    pub next_page: Option<i64>,
    /// Whether more results follow after this page.
    pub has_more: bool,
}

impl<T> List<T> {
    /// A list that is never cut into pages.
    pub fn whole(data: Vec<T>) -> Self {
        let limit = i64::try_from(data.len()).unwrap_or(i64::MAX);
        Self { data, limit, page: 1, next_page: None, has_more: false }
    }

    /// A page with nothing on it.
    pub fn empty(page: store::page::Page) -> Self {
        Self::new(page, Rows { rows: Vec::<T>::new(), next: None }, |row| row)
    }

    pub(crate) fn new<R>(page: store::page::Page, rows: Rows<R>, view: impl FnMut(R) -> T) -> Self {
        Self {
            data: rows.rows.into_iter().map(view).collect(),
            limit: page.limit,
            page: page.number(),
            next_page: rows.next.map(|next| page.number_of(next)),
            has_more: rows.next.is_some(),
        }
    }
}

/// A consumer: one pair of order credentials.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    /// Unique identifier of the consumer.
    pub id: ConsumerId,
    /// The order's e-mail address, which may be empty; for a gift recipient, their own.
    pub email: String,
    /// The order's address; its fields may be empty.
    pub address: Address,
    /// Whether the consumer is a gift recipient. Do not send them amounts, and do not write to the buyer.
    pub gift_recipient: bool,
    /// When the order was looked up for the first time.
    pub created_at: Timestamp,
}

impl Consumer {
    /// As a consumer sees themselves: of e-mail and address only what they proved. Who knows an order's number and
    /// its postal code does not learn the e-mail, and the other way round.
    pub fn proved(consumer: store::consumers::Consumer) -> Self {
        let seen = Self::from(consumer.clone());
        let code_alone = Address { postal_code: consumer.address.postal_code, ..Address::default() };
        match consumer.credentials.proof {
            Proof::Email(_) => Self { address: Address::default(), ..seen },
            Proof::PostalCode(_) => Self { email: String::new(), address: code_alone, ..seen },
            Proof::Gift { .. } => Self { address: code_alone, ..seen },
        }
    }
}

impl From<store::consumers::Consumer> for Consumer {
    fn from(consumer: store::consumers::Consumer) -> Self {
        let gift_recipient = consumer.credentials.is_gift();
        let store::consumers::Consumer { id, email, address, created_at, .. } = consumer;
        Self { id, email, address, gift_recipient, created_at }
    }
}

/// An id, or in its place the object, when it was expanded.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "{T}OrId")]
pub enum Expandable<I, T> {
    /// The id of the object.
    Id(I),
    /// The whole object, where `expand` names it.
    Object(Box<T>),
}

impl Expandable<DraftReturnOrderId, Draft> {
    /// The draft's id, expanded or not.
    pub fn id(&self) -> DraftReturnOrderId {
        match self {
            Self::Id(id) => *id,
            Self::Object(draft) => draft.id,
        }
    }
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

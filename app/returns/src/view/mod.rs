//! Resources as JSON (camelCase). The API, the portal and events use the same types.

mod audit;
mod bought;
mod bulk;
mod consumer;
mod costs;
mod drafts;
mod event_data;
mod evidence;
pub(crate) mod expand;
mod expandable;
mod figures;
mod found;
mod handling;
mod integrations;
mod list;
pub mod lists;
pub(crate) mod mail;
mod mails;
mod passkeys;
mod payments;
mod pending_evidence;
mod people;
mod purchases;
mod queues;
pub(crate) mod redaction;
mod return_requests;
mod returns;
mod saved_views;
mod settings;
mod shipments;
mod team;
mod warehouse;
mod webhooks;
mod withdrawals;

pub use audit::AuditEntry;
pub use bought::{ImportReport, NamedOrders, Purchase, RefusedOrder, SalesOrder, SkippedRow};
pub use bulk::{BulkObstacle, BulkPlanItem, BulkRun, BulkRunResult};
pub use consumer::{Consumer, ReturnAddress};
pub use costs::{Costs, GiftCosts};
pub use domain::returning::BatchOutcome;
pub use drafts::{Draft, SelectedPurchase};
pub(crate) use event_data::to_value;
pub use event_data::{
    ConsumerErasedEventData, NoteEventData, PingEventData, ReturnOrderEventData, ReturnRequestEventData,
    ShipmentEventData, SubscriptionDisabledEventData, event_data,
};
pub use evidence::EvidenceView;
pub use expandable::Expandable;
pub use figures::{FigureAmounts, FiguresSummary, PeriodFigures};
pub use found::{Found, FoundKind};
pub use handling::{ActivityEntry, ActivityType, Assignee, BatchResult, BatchResults, NoteView, VisitView};
pub use integrations::{HealthView, Integration, IntegrationKind, OperationHealth};
pub use list::{Count, List};
pub use mails::MailView;
pub use passkeys::{
    NewPasskey, Passkey, PasskeyAlgorithm, PasskeyCreationOptions, PasskeyReference, PasskeyRequestOptions,
    PasskeySelection, PasskeySite, PasskeyUser, Passkeys,
};
pub use payments::PaymentView;
pub use pending_evidence::PendingEvidenceView;
pub use people::{OrderData, OrderLine, PersonalData};
pub use purchases::{
    AnswerOptionView, EligibilityView, Offered, OfferedFare, PurchasePrices, PurchaseView, QuestionView,
    ReturnReasonView, ShippingOptionView,
};
pub use queues::QueueView;
pub use return_requests::{AmendmentPreview, ResolutionView, ReturnRequestView};
pub use returns::{ReceiptView, ReturnOrderView, TimelineEntryView};
pub use saved_views::SavedView;
pub use settings::{Account, Preview, ReturnLocation, ReturnReason, ShippingOption};
pub use shipments::{ShipmentReason, ShipmentView, TrackingUpdateView};
pub use team::{
    InvitedUser, NewRecoveryCodes, NewTotp, SecondFactor, ServiceUser, ServiceUserWithKey, User, UserSession,
    UserSessionKind, UserSessions, UserStatus,
};
pub use warehouse::{FoundParcelView, LastReceiving, Receiving, Scan, ScanKind, ScanMatch, ScanTally};
pub use webhooks::{
    Event, WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails, WebhookRequest, WebhookSecret, WebhookSubscription,
    WebhookTimelineEntry,
};
pub use withdrawals::Withdrawal;
pub(crate) use withdrawals::line_of;

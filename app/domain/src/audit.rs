//! The audit log: what people and programs change, apart from the moves of returns, which are in their timelines.

use crate::base::{
    id::{
        AccountId, BulkRunId, ConsumerId, DraftReturnOrderId, EventId, EvidenceId, FoundParcelId, ReturnLocationId,
        ReturnOrderId, ReturnReasonId, ReturnRequestId, ServiceUserId, ShipmentId, ShippingOptionId, UserId,
        WebhookDeliveryId, WebhookSubscriptionId, WithdrawalId,
    },
    timestamp::Timestamp,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $topic:ident $text:literal;)+) => {
        /// The kinds of entries in the audit log.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[serde(remote = "AuditAction")]
        pub enum AuditAction {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        string_enum!(AuditAction);

        impl AuditAction {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// What the action is about.
            pub const fn topic(self) -> AuditTopic {
                match self {
                    $(Self::$name => AuditTopic::$topic,)+
                }
            }
        }
    };
}

actions! {
    /// The account was created.
    AccountCreated = Settings "account.created";
    /// Settings of the account changed: its policy, branding, carrier, payments or shop connection.
    AccountUpdated = Settings "account.updated";
    /// A link to a preview of the portal was created.
    PreviewCreated = Settings "preview.created";
    /// A return location was created.
    ReturnLocationCreated = Settings "return_location.created";
    /// A return location changed.
    ReturnLocationUpdated = Settings "return_location.updated";
    /// A return location was deleted or archived.
    ReturnLocationDeleted = Settings "return_location.deleted";
    /// A return reason was created.
    ReturnReasonCreated = Settings "return_reason.created";
    /// A return reason changed.
    ReturnReasonUpdated = Settings "return_reason.updated";
    /// A return reason was deleted or archived.
    ReturnReasonDeleted = Settings "return_reason.deleted";
    /// A shipping option was created.
    ShippingOptionCreated = Settings "shipping_option.created";
    /// A shipping option changed.
    ShippingOptionUpdated = Settings "shipping_option.updated";
    /// A shipping option was deleted or archived.
    ShippingOptionDeleted = Settings "shipping_option.deleted";
    /// A user signed in.
    UserSignedIn = Team "user.signed_in";
    /// Somebody tried to sign in as a user, with a wrong password or code.
    UserSignInFailed = Team "user.sign_in_failed";
    /// A user signed out.
    UserSignedOut = Team "user.signed_out";
    /// A user set a password.
    UserPasswordSet = Team "user.password_set";
    /// A user signed in with a passkey.
    UserSignedInWithPasskey = Team "user.signed_in_with_passkey";
    /// A passkey of a user was refused: its signature or its counter is wrong.
    UserPasskeyRefused = Team "user.passkey_refused";
    /// A user added a passkey.
    UserPasskeyAdded = Team "user.passkey_added";
    /// A user renamed a passkey.
    UserPasskeyRenamed = Team "user.passkey_renamed";
    /// A user removed a passkey.
    UserPasskeyRemoved = Team "user.passkey_removed";
    /// A user set up an authenticator app.
    UserFactorAdded = Team "user.second_factor_added";
    /// A user removed the authenticator app.
    UserFactorRemoved = Team "user.second_factor_removed";
    /// A user got new recovery codes.
    UserRecoveryCodesRenewed = Team "user.recovery_codes_renewed";
    /// An administrator or the operator removed a user's second factor.
    UserFactorsReset = Team "user.factors_reset";
    /// Sessions of a user were ended.
    UserSessionsEnded = Team "user.sessions_ended";
    /// A user was invited, or created at the command line.
    UserInvited = Team "user.invited";
    /// A user got a new invitation.
    UserInvitedAgain = Team "user.invited_again";
    /// A user's name or role changed.
    UserUpdated = Team "user.updated";
    /// A user was deleted.
    UserDeleted = Team "user.deleted";
    /// A service user was created.
    ServiceUserCreated = Team "service_user.created";
    /// A service user's name or scopes changed.
    ServiceUserUpdated = Team "service_user.updated";
    /// A service user's API key was replaced.
    ServiceUserRotated = Team "service_user.rotated";
    /// A service user's API key was revoked.
    ServiceUserRevoked = Team "service_user.revoked";
    /// Orders were imported.
    OrdersImported = Data "orders.imported";
    /// A purchase was deleted.
    PurchaseDeleted = Data "purchase.deleted";
    /// The value of a return request was adjusted.
    AdjustmentMade = Money "return_request.adjusted";
    /// An agent proposed a decision above the agent's limit.
    ProposalMade = Money "return_request.proposal_made";
    /// Somebody approved what an agent proposed.
    ProposalApproved = Money "return_request.proposal_approved";
    /// Somebody refused what an agent proposed.
    ProposalRefused = Money "return_request.proposal_refused";
    /// Staff changed what a return request asks for.
    RequestAmended = Money "return_request.amended";
    /// Evidence was added.
    EvidenceAdded = Data "evidence.added";
    /// Evidence was deleted.
    EvidenceDeleted = Data "evidence.deleted";
    /// A shipment was added to a return order.
    ShipmentAdded = Data "shipment.added";
    /// Staff chose another way of sending for a return order.
    ShippingChanged = Money "return_order.shipping_changed";
    /// The sender of a shipment was corrected.
    SenderCorrected = Data "shipment.sender_corrected";
    /// A shipment was cancelled.
    ShipmentCancelled = Data "shipment.cancelled";
    /// Staff looked up the buyer of an order, who became a consumer.
    ConsumerCreated = Data "consumer.created";
    /// Rules were overridden for a draft return order.
    RulesOverridden = Money "draft_return_order.rules_overridden";
    /// A draft return order was mailed to its consumer.
    DraftMailed = Data "draft_return_order.mailed";
    /// A draft return order was rejected.
    DraftRejected = Data "draft_return_order.rejected";
    /// Who has a return order, its flags, or whether changes of many leave it out changed.
    ReturnOrderUpdated = Data "return_order.updated";
    /// A change of many return requests was started.
    BulkRunCreated = Data "bulk_run.created";
    /// A withdrawal was recorded.
    WithdrawalCreated = Data "withdrawal.created";
    /// A withdrawal changed.
    WithdrawalUpdated = Data "withdrawal.updated";
    /// A parcel without papers was recorded.
    FoundParcelCreated = Data "found_parcel.created";
    /// A parcel without papers was matched, closed or described anew.
    FoundParcelUpdated = Data "found_parcel.updated";
    /// Personal data of a person were exported.
    PersonalDataExported = Data "personal_data.exported";
    /// The erasure of a person's data was requested.
    PersonalDataErased = Data "personal_data.erased";
    /// A customer has asked the shop for their data: staff have to export and send it.
    PersonalDataRequested = Data "personal_data.requested";
    /// A webhook subscription was created.
    WebhookSubscriptionCreated = Webhooks "webhook_subscription.created";
    /// A webhook subscription changed.
    WebhookSubscriptionUpdated = Webhooks "webhook_subscription.updated";
    /// A webhook subscription was deleted.
    WebhookSubscriptionDeleted = Webhooks "webhook_subscription.deleted";
    /// A webhook subscription's secret was replaced.
    WebhookSecretRotated = Webhooks "webhook_subscription.secret_rotated";
    /// Past events were sent again.
    EventsRedelivered = Webhooks "events.redelivered";
}

impl AuditAction {
    /// The action with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.name() == name)
    }
}

/// What an audit entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum AuditTopic {
    /// Exceptions and adjustments that cost or save money.
    Money,
    /// Settings of the account.
    Settings,
    /// People, API keys and sign-ins.
    Team,
    /// Orders, withdrawals and personal data.
    Data,
    /// Webhook subscriptions and deliveries.
    Webhooks,
}

string_enum!(AuditTopic);
enum_names!(AuditTopic { Money, Settings, Team, Data, Webhooks });

/// The kind of party that acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum AuditActorKind {
    /// A user, who signed in.
    User,
    /// A service user: a program with an API key.
    ServiceUser,
    /// The operator, at the command line.
    Operator,
    /// Somebody unknown, such as a person with a wrong password.
    Nobody,
    /// The shop system that the account is connected to.
    Shop,
}

string_enum!(AuditActorKind);
enum_names!(AuditActorKind { User, ServiceUser, Operator, Nobody, Shop });

macro_rules! subjects {
    ($($(#[$doc:meta])* $kind:ident $(($id:ty))?;)+) => {
        /// The kind of object that an audit entry is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[serde(remote = "Self")]
        pub enum AuditSubjectKind {
            $($(#[$doc])* $kind,)+
        }

        string_enum!(AuditSubjectKind);
        enum_names!(AuditSubjectKind { $($kind),+ });

        $($(
            impl From<$id> for AuditSubject {
                fn from(id: $id) -> Self {
                    Self { kind: AuditSubjectKind::$kind, id: id.to_string() }
                }
            }
        )?)+
    };
}

subjects! {
    /// The account itself.
    Account(AccountId);
    /// A user.
    User(UserId);
    /// A service user.
    ServiceUser(ServiceUserId);
    /// A return location.
    ReturnLocation(ReturnLocationId);
    /// A return reason.
    ReturnReason(ReturnReasonId);
    /// A shipping option.
    ShippingOption(ShippingOptionId);
    /// A webhook subscription.
    WebhookSubscription(WebhookSubscriptionId);
    /// An event.
    Event(EventId);
    /// A webhook delivery.
    WebhookDelivery(WebhookDeliveryId);
    /// A purchase. Its id is the shop's own.
    Purchase;
    /// A consumer.
    Consumer(ConsumerId);
    /// A draft return order.
    DraftReturnOrder(DraftReturnOrderId);
    /// A return order.
    ReturnOrder(ReturnOrderId);
    /// A return request.
    ReturnRequest(ReturnRequestId);
    /// A shipment.
    Shipment(ShipmentId);
    /// A photo or document of a return request.
    Evidence(EvidenceId);
    /// A change of many return requests.
    BulkRun(BulkRunId);
    /// A withdrawal.
    Withdrawal(WithdrawalId);
    /// A parcel without papers.
    FoundParcel(FoundParcelId);
}

/// The object that an audit entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditSubject {
    /// The kind of object.
    pub kind: AuditSubjectKind,
    /// Its id.
    pub id: String,
}

impl AuditSubject {
    /// The purchase with this id of the shop.
    pub fn purchase(external_id: &str) -> Self {
        Self { kind: AuditSubjectKind::Purchase, id: external_id.to_owned() }
    }
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When it happened.
    pub created_at: Timestamp,
    /// The kind of party that acted.
    pub actor: AuditActorKind,
    /// The user or service user who acted.
    pub actor_id: Option<Uuid>,
    /// What was done.
    pub action: AuditAction,
    /// The object that changed.
    pub subject: AuditSubject,
    /// The network of the request, such as `203.0.113.0/24`; empty if unknown.
    pub network: String,
    /// The session at the desk.
    pub session_id: Option<Uuid>,
    /// The id of the request; empty if there was none.
    pub request_id: String,
    /// The fields that changed as they were before, in JSON.
    pub before: Option<String>,
    /// The same fields as they are since, in JSON.
    pub after: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_is_found_by_its_name() {
        for action in AuditAction::ALL {
            assert_eq!(AuditAction::from_name(action.name()), Some(*action));
            assert_eq!(serde_json::to_value(action).unwrap(), action.name());
        }
    }
}

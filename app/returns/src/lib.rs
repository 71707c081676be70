//! The use cases: what a consumer, a merchant and an operator can do. REST handlers and portal pages are thin
//! doors to the functions here, so that both can do exactly the same.
//!
//! Every use case is a method of [`Retour`] that takes who asks ([`Shopper`], [`Staff`]) as its first
//! argument, so that nothing is reached without an account. Those that write run in a task of their own and in
//! one transaction: a client that hangs up leaves nothing half done.
//!
//! The folders, from the ground up; each imports only from those above it in this list:
//!
//! - `base`: the application, its errors, transactions, credentials, secrets and uploads
//! - `view`: what the API answers
//! - `integrations`: the systems that accounts connect
//! - `privacy`: forgetting people
//! - `returning`: the steps of a return, their events, and the work that they put into the queue
//! - `orders`: orders that come in
//! - `drafting`: making a return
//! - `consumer`, `merchant`: what each of them can do
//! - `simulation`: test accounts
//! - `operator`: what the command line can do
//! - `workers`: what happens behind the requests

mod base;
mod consumer;
mod drafting;
mod integrations;
mod merchant;
mod operator;
mod orders;
mod privacy;
mod returning;
mod simulation;
pub mod view;
mod workers;

pub use base::{
    api_origins::ApiOrigins,
    bodies,
    client_address::{ClientAddress, ClientNetwork},
    clock::Source,
    credentials::{Caller, Program, Role, Scope, Shopper, SignedIn, Staff},
    error::{Broken, Error, ErrorCode, FieldError, Result},
    figures::{Figures, Latencies, Latency},
    guessing::Prover,
    idempotency::{Done, IdempotencyKey},
    patch_field::PatchField,
    retour::{Config, Retour, WordingCheck},
    sealed::SealedKey,
    secrets::{Pseudonyms, SecretKeys, SecretKeysError},
    tokens::ClaimedOwner,
    uploads::{Download, MAX_FILE_BYTES, Upload},
};
pub use consumer::{
    account::GeneralOffer,
    drafts::Offers,
    handle::ConsumerHandle,
    identify::{Identified, Proof},
    mail_links::{Opened, OrderToOpen},
    payment_pages::Pays,
    renewal::DraftStep,
    returns::FollowedReturn,
    withdraw::WithdrawnBy,
};
pub use domain::carrier::LabelFormat;
pub use drafting::{basis::Selection, submission::Sent};
pub use merchant::{
    catalog::order_input::{OrderInput, OrderWithPurchases, OrdersInput, PurchaseInput},
    handle::MerchantHandle,
    people::withdrawals::{WithdrawalChange, WithdrawalInput},
    returns::{
        new_shipment::NewShipment,
        progress::{Instead, Receipt, StatusUpdate},
        shipments::TrackingReport,
    },
    settings::{
        account::AccountChange,
        bridge_input::BridgeInput,
        carrier_input::CarrierInput,
        payment_input::PaymentInput,
        preview::NewPreview,
        return_locations::{NewReturnLocation, ReturnLocationChange},
        return_reasons::{NewReturnReason, ReturnReasonChange},
        shipping_options::{NewShippingOption, ShippingOptionChange},
    },
    team::{
        service_users::ServiceUserChange,
        sign_in::SignIn,
        users::{NewUser, UserChange},
    },
    webhooks::{
        events::EventRedelivery,
        secrets::SecretRotation,
        subscriptions::{NewWebhookSubscription, Redelivered, Redelivery, WebhookSubscriptionChange},
    },
};
pub use operator::{
    accounts::{AccountUpdate, NewAccount},
    backup, bridge_check, copy,
    demo::Demo,
    figures::{Backlog, Waiting},
    handle::OperatorHandle,
};
pub use orders::{
    import,
    importer::{ImportSummary, Importer, OrderSample, Written},
};
pub use outbound::{
    code::Code,
    files::{Files, FilesError, S3Settings},
    guard::Allowed,
    http::{Http, HttpError},
    mail::{Mailer, MailerError, Picture},
    pictures::Kind as FileKind,
    step, traces,
};
pub use privacy::erasure::Erasure;
pub use returning::{notices::NoticeRefused, printing::PrintedLabel};
pub use simulation::{Trigger, Triggered};
pub use store::{
    Connections, Tables,
    import::Refused,
    lists::{Direction, List, Listing, Sort},
    page::{MAX_LIMIT, MAX_PAGE_NUMBER, Page, Walk},
};
pub use view::{
    expand::Expand,
    lists,
    mail::{MailTemplates, NextNotification, Notification, ReturnMailContext, WayBack, Words},
};
pub use workers::handle::Workers;

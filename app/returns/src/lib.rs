//! The use cases: what a consumer, a merchant and an operator can do. REST handlers and portal pages are thin layers
//! over the functions here, so both can do exactly the same.
//!
//! [`Retour`] gives each party a handle, whose methods are the party's use cases: [`ConsumerHandle`] for a [`Shopper`],
//! [`MerchantHandle`] for [`Staff`], and [`OperatorHandle`]. So nothing is reached without an account. A use case that
//! writes runs in a separate task and in one transaction: a client that disconnects leaves nothing half done. What a
//! person does before they are known, such as proving an order, is a method of [`Retour`] itself.
//!
//! The folders, the lowest first; each imports only from the ones before it:
//!
//! - `base`: the application, its errors, transactions, credentials, secrets and uploads
//! - `view`: what the API returns
//! - `integrations`: the systems that accounts connect
//! - `privacy`: erasing people
//! - `returning`: the steps of a return, their events, and the work that they queue
//! - `orders`: orders that come in
//! - `drafting`: making a return
//! - `consumer`, `merchant`: what each of them can do
//! - `simulation`: test accounts
//! - `operator`: what the command line can do
//! - `internals`: what background jobs need of all of these, for the crate `workers` alone

mod base;
mod consumer;
mod drafting;
mod integrations;
pub mod internals;
mod merchant;
mod operator;
mod orders;
mod privacy;
mod returning;
mod simulation;
pub mod view;

pub use base::{
    api_origins::ApiOrigins,
    bodies,
    client_address::{ClientAddress, ClientNetwork},
    clock::Source,
    credentials::{Caller, Program, Shopper, SignedIn, Staff},
    error::{Broken, Error, ErrorCode, FieldError, Result},
    figures::{Figures, Latencies, Latency},
    guessing::Prover,
    idempotency::{Done, IdempotencyKey},
    origin::{MAX_REQUEST_ID_BYTES, Origin, RequestId},
    patch_field::PatchField,
    retour::{Config, Retour, WordingCheck},
    scopes::{Role, Scope},
    sealed::SealedKey,
    secrets::{Pseudonyms, SecretKeys, SecretKeysError},
    server_paths::SERVER_PATHS,
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
    purchases::{OutboundShipping, PurchasesToChoose, ReturnedWith},
    renewal::{DraftStep, OutdatedDraft},
    returns::ReturnDetails,
    withdraw::WithdrawnBy,
};
pub use domain::{shipping::LabelFormat, sign_in::SignInStep};
pub use drafting::{basis::Selection, overriding::OverrideInput, submission::Sent};
pub use merchant::{
    catalog::order_input::{OrderInput, OrderWithPurchases, OrdersInput, PurchaseInput},
    handle::MerchantHandle,
    people::{
        new_consumer::OrderOfConsumer,
        withdrawals::{Closed as ClosedWithdrawal, WithdrawalChange, WithdrawalInput},
    },
    returns::{
        adjustments::AdjustmentInput,
        amendments::AmendmentInput,
        batch::BatchMove,
        bulk::NewBulkRun,
        bulk_plan::BulkQuestion,
        command_sheet::SheetWords,
        drafts::ReturnForConsumer,
        found_parcels::{ClosedFoundParcel, FoundParcelChange, NewFoundParcel},
        handling::ReturnOrderChange,
        new_shipment::NewShipment,
        notes::NoteInput,
        proposals::{ProposalInput, Proposed},
        receiving::{NewReceiving, ReceivedInspection, ReceivedItem},
        senders::SenderInput,
        shipments::TrackingReport,
        shipping_changes::ShippingChangeInput,
        staff_action::{Instead, Receipt, StatusUpdate},
        take_back::TakeBack,
        visits::VisitInput,
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
        desk::{DeskProof, DeskSession, NewDeskSession},
        own_user::OwnUserChange,
        passkey_answers::{NewPasskey, PasskeyProof},
        saved_views::{NewSavedView, SavedViewChange},
        service_users::ServiceUserChange,
        sign_in::{SignIn, UserCredentials},
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
    demo::{people::DemoUser, shop::Demo},
    figures::{Backlog, Waiting},
    handle::OperatorHandle,
};
pub use orders::{
    import,
    importer::{ImportSummary, Importer, OrderSample, Written},
    shop_import::{
        ShopImportError, ShopImportReport, ShopImportStatus, ShopImportStep, ShopImportWish, UnreadableOrder,
    },
    shop_notices::{ShopNoticeRefused, ShopifyNotice},
};
pub use outbound::{
    files::{Files, FilesError, S3Settings},
    guard::Allowed,
    http::{Http, HttpError},
    labels::QrCode,
    mail::{InlineImage, Mailer, MailerError},
    pictures::Kind as FileKind,
    shops::shopify::ExportLoss,
    step, traces,
};
pub use privacy::erasure::Erasure;
pub use returning::{notices::NoticeRefused, printing::PrintedLabel};
pub use simulation::{Trigger, Triggered};
pub use store::{
    Connections, StoreError, Tables,
    import::RefusedBecause,
    lists::{Direction, List, Listing, Sort},
    page::{MAX_LIMIT, MAX_PAGE_NUMBER, Page, Walk},
};
pub use view::{
    expand::Expand,
    lists,
    mail::{MailTemplates, NextNotification, Notification, ReturnMailContext, StaffLetter, WayBack, Words},
};

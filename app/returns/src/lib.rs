//! The use cases: what a consumer, a merchant and an operator can do. REST handlers and portal pages are thin
//! doors to the functions here, so that both can do exactly the same.
//!
//! Every use case is a method of [`Retour`] that takes who asks ([`Shopper`], [`Staff`]) as its first
//! argument, so that nothing is reached without an account. Those that write run in a task of their own and in
//! one transaction: a client that hangs up leaves nothing half done.
//!
//! To add a use case: write it beside its kin, answer with a type from [`view`], and put the change, its
//! timeline entry and its events into one transaction (see [`change`](mod@self)).

mod api_origins;
mod approving;
pub mod backup;
pub mod bodies;
mod change;
mod cipher;
mod client_network;
mod consumer;
pub mod copy;
mod costs;
mod credentials;
mod deadlines;
mod demo;
mod error;
mod evidence;
mod figures;
mod given;
mod guessing;
mod health;
mod idempotency;
pub mod import;
mod importing;
mod labels;
mod mail;
mod merchant;
mod offers;
mod operator;
mod parcels;
mod passwords;
mod payments;
mod pending_evidence;
mod sealed;
mod secrets;
pub mod session;
mod shop;
mod sign_in;
mod simulation;
mod source;
mod together;
pub mod trial;
mod turns;
mod uploads;
mod usual;
pub mod view;
pub mod webhooks;
mod withdrawals;

pub use api_origins::ApiOrigins;
pub use client_network::ClientNetwork;
pub use consumer::{GeneralOffer, Identified, Offers, Proof, Selection, Sent};
pub use credentials::{Caller, Claimed, Program, Role, Scope, Shopper, SignedIn, Staff};
pub use demo::Demo;
pub use domain::carrier::LabelFormat;
pub use error::{Error, ErrorCode, FieldError};
pub use figures::{Backlog, Figures, Latencies, Latency, Waiting};
pub use given::Given;
pub use guessing::{ClientAddress, Prover};
pub use idempotency::Done;
pub use importing::{ImportReport, Importer, NamedOrders, Written};
pub use labels::PrintedLabel;
pub use mail::{Letters, News, Opened, OrderToOpen, ReturnNews, Telling, WayBack, Words};
pub use merchant::{
    AccountChange, BridgeInput, CarrierInput, Erasure, EventRedelivery, Expand, Instead, NewPreview, NewReturnLocation,
    NewReturnReason, NewShipment, NewShippingOption, NewUser, NewWebhookSubscription, OrderInput, OrderWithPurchases,
    OrdersInput, PaymentInput, PurchaseInput, Receipt, Redelivered, Redelivery, ReturnLocationChange,
    ReturnReasonChange, SecretRotation, ServiceUserChange, ShippingOptionChange, StatusUpdate, TrackingReport,
    UserChange, WebhookSubscriptionChange, WithdrawalChange, WithdrawalInput,
};
pub use operator::{AccountUpdate, NewAccount};
pub use outbound::{
    code::Code,
    files::{Files, FilesError, S3Settings},
    guard::Allowed,
    http::{Http, HttpError},
    mail::{Mailer, MailerError, Picture},
    pictures::Kind as FileKind,
    step, traces,
};
pub use payments::{NoticeRefused, Pays};
pub use sealed::SealedKey;
pub use secrets::{Pseudonyms, SecretKeys, SecretKeysError};
pub use sign_in::SignIn;
pub use simulation::{Trigger, Triggered};
pub use source::Source;
pub use store::{
    Connections, Tables,
    idempotency::Key as IdempotencyKey,
    import::Refused,
    lists::{Direction, List, Listing, Sort},
    page::{MAX_LIMIT, MAX_PAGE_NUMBER, Page, Walk},
};
pub use uploads::{Download, MAX_FILE_BYTES, Upload};
pub use withdrawals::WithdrawnBy;

/// What can be asked of each list.
pub mod lists {
    pub use store::{
        consumers::LIST as CONSUMERS,
        drafts::LIST as DRAFT_RETURN_ORDERS,
        events::LIST as EVENTS,
        lists::{Field, FieldKind, MAX_CHARS},
        mails::LIST as MAILS,
        purchases::LIST as PURCHASES,
        return_locations::LIST as RETURN_LOCATIONS,
        return_orders::LIST as RETURN_ORDERS,
        return_reasons::LIST as RETURN_REASONS,
        return_requests::LIST as RETURN_REQUESTS,
        service_users::LIST as SERVICE_USERS,
        shipments::LIST as SHIPMENTS,
        shipping_options::LIST as SHIPPING_OPTIONS,
        users::LIST as USERS,
        webhook_deliveries::LIST as WEBHOOK_DELIVERIES,
        webhook_subscriptions::LIST as WEBHOOK_SUBSCRIPTIONS,
        withdrawals::LIST as WITHDRAWALS,
    };
}

use std::future::Future;
use store::Store;
use tracing::Instrument as _;

/// Says what is wrong with texts of the portal in a merchant's own words, by `<key>` or `<key>.<language>`.
pub type WordingCheck = fn(&domain::wording::Wording) -> domain::Problems;

/// What every use case returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The application: a database, and where time and randomness come from. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Retour {
    store: Store,
    source: Source,
    files: Files,
    parcels: parcels::Parcels,
    passwords: passwords::Passwords,
    programs: credentials::Programs,
    keys: SecretKeys,
    http: Option<Http>,
    post: Option<mail::Post>,
    wording_check: Option<WordingCheck>,
    shops: shop::Shops,
    offers: offers::Offers,
    health: health::KnownHealth,
    api_origins: api_origins::KeptOrigins,
    figures: Figures,
    simulates_payments: bool,
    public_url: String,
}

impl Retour {
    /// The application on a migrated database. What people send lies in a folder that goes with it, unless it is told
    /// [`Self::keeping_files_in`] another.
    pub fn new(store: Store, source: Source) -> Self {
        let files = Files::scratch(&source.id().to_string());
        Self {
            store,
            source,
            files,
            parcels: parcels::Parcels::default(),
            passwords: passwords::Passwords::default(),
            programs: credentials::Programs::default(),
            keys: SecretKeys::default(),
            http: None,
            post: None,
            wording_check: None,
            shops: shop::Shops::default(),
            offers: offers::Offers::default(),
            health: health::KnownHealth::default(),
            api_origins: api_origins::KeptOrigins::default(),
            figures: Figures::default(),
            simulates_payments: false,
            public_url: "http://127.0.0.1:3000".to_owned(),
        }
    }

    /// The same with keys to keep secrets under. Without any, nothing that needs a secret can be made.
    #[must_use]
    pub fn keeping_secrets_under(self, keys: SecretKeys) -> Self {
        Self { keys, ..self }
    }

    /// The same, where merchants may try payments out that move no money.
    #[must_use]
    pub fn simulating_payments(self, simulates_payments: bool) -> Self {
        Self { simulates_payments, ..self }
    }

    /// The same, where shoppers find it at this address: payment providers lead them back there.
    #[must_use]
    pub fn at(self, public_url: &str) -> Self {
        Self { public_url: public_url.trim_end_matches('/').to_owned(), ..self }
    }

    /// The host that shows every account's portal.
    pub fn own_host(&self) -> Option<&str> {
        let (_, rest) = self.public_url.split_once("://")?;
        rest.split(['/', ':']).next()
    }

    /// Where an account's portal is: beneath our host, or `at_home`, at its own, by the scheme and port that ours has.
    pub fn portal_url(&self, account: &domain::order::Account, at_home: bool) -> String {
        let (scheme, rest) = self.public_url.split_once("://").unwrap_or(("https", ""));
        let port = rest.split('/').next().and_then(|authority| authority.rsplit_once(':')).map(|(_, port)| port);
        match (account.domain.as_ref().filter(|_| at_home), port) {
            (None, _) => format!("{}/{}", self.public_url, account.slug),
            (Some(domain), None) => format!("{scheme}://{domain}"),
            (Some(domain), Some(port)) => format!("{scheme}://{domain}:{port}"),
        }
    }

    /// The slug of the account whose portal is shown at a host.
    pub async fn shop_at(&self, host: &domain::host::Domain) -> Result<Option<String>> {
        let mut reading = self.store.read().await?;
        Ok(store::accounts::find_slug_by_domain(reading.db(), host).await?)
    }

    /// The same with a way to call others. Without one, nobody is called.
    #[must_use]
    pub fn calling_by(self, http: Http) -> Self {
        Self { http: Some(http), ..self }
    }

    /// Makes sure that files can be kept; tells whether the place also keeps what is deleted from it, which is not what
    /// somebody who is forgotten was promised.
    pub async fn check_files(&self) -> Result<bool> {
        self.files.check().await?;
        Ok(self.files.keeps_what_is_deleted().await)
    }

    /// The same with a place for files that stays.
    #[must_use]
    pub fn keeping_files_in(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// The same with somebody who knows the texts of the portal. Without, merchants cannot set any of their own.
    #[must_use]
    pub fn checking_wording_by(self, check: WordingCheck) -> Self {
        Self { wording_check: Some(check), ..self }
    }

    /// The application on the database at `sqlite://FILE` or `postgres://…`.
    pub async fn open(database_url: &str, source: Source) -> Result<Self> {
        Ok(Self::new(Store::open(database_url).await?, source))
    }

    /// The same for what goes through whole tables.
    pub async fn open_for_long(database_url: &str, source: Source) -> Result<Self> {
        Ok(Self::new(Store::open_for_long(database_url).await?, source))
    }

    /// Brings the database's tables up to date, while others use them; several programs may do so at once.
    pub async fn migrate(&self) -> Result<()> {
        self.store.migrate().await?;
        self.spell_orders().await
    }

    /// Adds spellings to orders that a program of the version before took in ([`store::order_spellings`]), in small steps.
    pub(crate) async fn spell_orders(&self) -> Result<()> {
        let mut reading = self.store.read().await?;
        let accounts = store::accounts::list_unspelled(reading.db()).await?;
        drop(reading);
        for (account, mut last) in accounts {
            loop {
                let store = self.store.clone();
                let step = detached(async move {
                    again_on_deadlock(|| async {
                        let mut writing = store.write().await?;
                        store::accounts::hold(writing.db(), account).await?; // before its orders, as imports do
                        let most = store::order_spellings::ORDERS_AT_ONCE;
                        let seen = store::order_spellings::step(writing.db(), account, last, most).await?;
                        if let Some(seen) = seen {
                            store::accounts::keep_spelled(writing.db(), account, seen).await?;
                        }
                        writing.commit().await?;
                        Ok(seen)
                    })
                    .await
                });
                match step.await? {
                    Some(seen) => last = seen,
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// The moment, as this application sees it.
    pub fn now(&self) -> domain::Timestamp {
        self.source.now()
    }

    /// A new id for a request.
    pub fn request_id(&self) -> String {
        self.source.id().to_string()
    }

    /// How the database's tables stand to what this program expects of them.
    pub async fn tables(&self) -> Result<Tables> {
        Ok(self.store.tables().await?)
    }

    /// Whether anything can be written, as of some seconds ago.
    pub async fn can_write(&self) -> bool {
        self.store.can_write().await
    }

    /// How often the database said that it is damaged, since the program began.
    pub fn damage_seen(&self) -> u64 {
        store::damage_seen()
    }

    /// What was looked up, or this error where there is none. Where the database is damaged, nobody can tell, and the error says
    /// that.
    pub(crate) async fn found<T>(&self, found: Option<T>, looked: store::Looked, missing: Error) -> Result<T> {
        match found {
            Some(found) => Ok(found),
            None => {
                self.store.make_sure_it_is_missing(looked).await?;
                Err(missing)
            }
        }
    }

    /// Whether the database's tables are as this program needs them.
    pub async fn is_ready(&self) -> bool {
        self.store.tables().await.is_ok_and(|tables| tables == Tables::Fit)
    }

    /// What is open to the database.
    pub fn connections(&self) -> Connections {
        self.store.connections()
    }

    /// What kind of database it is, for metrics.
    pub fn database_kind(&self) -> &'static str {
        match self.store.kind() {
            store::Kind::Sqlite => "sqlite",
            store::Kind::Postgres => "postgres",
        }
    }
}

/// Runs a transaction once more when the database gave up on it in favour of another one.
async fn again_on_deadlock<T, F: Future<Output = Result<T>>>(mut work: impl FnMut() -> F) -> Result<T> {
    for _ in 0..3 {
        match work().await {
            Err(Error::Store(error)) if error.is_worth_a_retry() => tracing::info!("a transaction is run again"),
            done => return done,
        }
    }
    work().await
}

/// Runs a use case that writes in a task of its own: when the client hangs up, axum drops the handler, but the
/// transaction goes on to its end.
async fn detached<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    tokio::spawn(work.in_current_span()).await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a use case panicked");
        Err(Error::Broken)
    })
}

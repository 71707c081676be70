//! The application itself: the database, and what the tasks of one process share.

use super::{
    api_origins,
    circuit_breakers::CircuitBreakers,
    clock::Source,
    count_cache::CountCache,
    credentials,
    error::{Error, Result},
    figures::Figures,
    known_health::WrittenSuccesses,
    offer_cache,
    parcel_numbers::{ParcelNumber, ParcelNumberPool},
    passwords,
    secrets::SecretKeys,
};
use domain::stage::Queue;
use outbound::{files::Files, http::Http, mail::Mailer, shops::shopify::TokenCache};

use std::{ops::Deref, sync::Arc};
use store::{
    Connections, Store, Tables,
    figures::{Period, PeriodSums},
    queues::Waiting,
};

/// Checks a merchant's own texts of the portal. Problems are reported by `<key>` or `<key>.<language>`.
pub type WordingCheck = fn(&domain::wording::Wording) -> domain::Problems;

/// The configuration of an installation.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where uploaded files are stored. `None` means a temporary folder, which is deleted with the application.
    pub files: Option<Files>,
    /// The keys that encrypt secrets. Without any, nobody can store a secret.
    pub secret_keys: SecretKeys,
    /// The HTTP client for other systems. Without one, Retour calls none.
    pub http: Option<Http>,
    /// The mail server. Without one, Retour sends no mail.
    pub mailer: Option<Mailer>,
    /// Checks a merchant's own texts of the portal. Without it, merchants cannot set any.
    pub wording_check: Option<WordingCheck>,
    /// Whether merchants may try out payments that move no money.
    pub simulates_payments: bool,
    /// The address of the installation for shoppers and payment providers.
    pub public_url: String,
    /// The host of the desk, if it has one of its own. Empty: the desk is at `/desk` of the public URL.
    pub desk_host: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            files: None,
            secret_keys: SecretKeys::default(),
            http: None,
            mailer: None,
            wording_check: None,
            simulates_payments: false,
            public_url: "http://127.0.0.1:3000".to_owned(),
            desk_host: String::new(),
        }
    }
}

/// The application: a database, its configuration, and what an instance keeps in memory. Clones share all of it, and each request
/// makes some, so a clone is one pointer.
#[derive(Debug, Clone)]
pub struct Retour(Arc<Shared>);

/// What the clones of an application share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub(crate) store: Store,
    pub(crate) source: Source,
    pub(crate) config: Config,
    pub(crate) files: Files,
    pub(crate) parcels: ParcelNumberPool,
    pub(crate) passwords: passwords::Passwords,
    pub(crate) programs: credentials::Programs,
    pub(crate) shops: CircuitBreakers,
    pub(crate) shopify_tokens: TokenCache,
    pub(crate) offers: offer_cache::OfferCache,
    pub(crate) queue_counts: CountCache<(), Vec<(Queue, Waiting)>>,
    pub(crate) summed_figures: CountCache<(Period, Period), (PeriodSums, PeriodSums)>,
    pub(crate) health: WrittenSuccesses,
    pub(crate) api_origins: api_origins::OriginCache,
    pub(crate) figures: Figures,
}

impl Deref for Retour {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Retour {
    /// Creates the application on a migrated database, with the default configuration.
    pub fn new(store: Store, source: Source) -> Self {
        let files = Files::scratch(&source.id().to_string());
        Self(Arc::new(Shared {
            store,
            source,
            config: Config::default(),
            files,
            parcels: ParcelNumberPool::default(),
            passwords: passwords::Passwords::default(),
            programs: credentials::Programs::default(),
            shops: CircuitBreakers::default(),
            shopify_tokens: TokenCache::default(),
            offers: offer_cache::OfferCache::default(),
            queue_counts: CountCache::default(),
            summed_figures: CountCache::default(),
            health: WrittenSuccesses::default(),
            api_origins: api_origins::OriginCache::default(),
            figures: Figures::default(),
        }))
    }

    /// The same application with another configuration. It shares what the process keeps in memory.
    #[must_use]
    pub fn configured(self, change: impl FnOnce(&mut Config)) -> Self {
        let mut shared = Arc::unwrap_or_clone(self.0);
        change(&mut shared.config);
        let length = shared.config.public_url.trim_end_matches('/').len();
        shared.config.public_url.truncate(length);
        if let Some(files) = &shared.config.files {
            shared.files = files.clone();
        }
        Self(Arc::new(shared))
    }

    /// The same application with another source of times and ids.
    pub(crate) fn with_source(&self, source: Source) -> Self {
        Self(Arc::new(Shared { source, ..Shared::clone(&self.0) }))
    }

    /// The installation's own host, which serves the portals of all accounts.
    pub fn own_host(&self) -> Option<&str> {
        let (_, rest) = self.config.public_url.split_once("://")?;
        rest.split(['/', ':']).next()
    }

    /// The URL of an account's portal: under the installation's host, or, with `at_home`, on the account's own host
    /// with the installation's scheme and port.
    pub fn portal_url(&self, account: &domain::account::Account, at_home: bool) -> String {
        let (scheme, rest) = self.config.public_url.split_once("://").unwrap_or(("https", ""));
        let port = rest.split('/').next().and_then(|authority| authority.rsplit_once(':')).map(|(_, port)| port);
        match (account.domain.as_ref().filter(|_| at_home), port) {
            (None, _) => format!("{}/{}", self.config.public_url, account.address_name()),
            (Some(domain), None) => format!("{scheme}://{domain}"),
            (Some(domain), Some(port)) => format!("{scheme}://{domain}:{port}"),
        }
    }

    /// The URL of a page of the desk, such as `me`.
    pub fn desk_url(&self, page: &str) -> String {
        let (public_url, host) = (&self.config.public_url, &self.config.desk_host);
        let scheme = public_url.split_once("://").map_or("https", |(scheme, _)| scheme);
        if host.is_empty() { format!("{public_url}/desk/{page}") } else { format!("{scheme}://{host}/{page}") }
    }

    /// Checks that files can be stored. Returns whether the storage keeps deleted files (versioning), which would break
    /// the promise of erasure.
    pub async fn check_files(&self) -> Result<bool> {
        self.files.check().await?;
        Ok(self.files.has_versioning().await)
    }

    /// Opens the database at `sqlite://FILE` or `postgres://…`.
    pub async fn open(database_url: &str, source: Source) -> Result<Self> {
        Ok(Self::new(Store::open(database_url).await?, source))
    }

    /// The same for work that reads whole tables.
    pub async fn open_for_long(database_url: &str, source: Source) -> Result<Self> {
        Ok(Self::new(Store::open_for_long(database_url).await?, source))
    }

    /// The websites whose scripts may call the API from a browser, of all accounts.
    pub async fn api_origins(&self) -> Arc<api_origins::ApiOrigins> {
        self.api_origins.get(&self.store, &self.source).await
    }

    /// The metrics of this instance.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// A number for a parcel. Call it before the transaction that needs it.
    pub(crate) async fn parcel_number(&self, account: domain::AccountId) -> Result<ParcelNumber> {
        self.parcels.number(&self.store, account).await
    }

    /// The current time of this application.
    pub fn now(&self) -> domain::Timestamp {
        self.source.now()
    }

    /// A new id for a request.
    pub fn request_id(&self) -> String {
        self.source.id().to_string()
    }

    /// The state of the database's schema compared with what this program expects.
    pub async fn tables(&self) -> Result<Tables> {
        Ok(self.store.tables().await?)
    }

    /// Whether the database accepts writes, as of a few seconds ago.
    pub async fn can_write(&self) -> bool {
        self.store.can_write().await
    }

    /// How often the database has reported damage since the program started.
    pub fn damage_seen(&self) -> u64 {
        store::damage_seen()
    }

    /// Returns the value, or the error `missing` if there is none. If the database is damaged, a missing value proves
    /// nothing, and the error says that instead.
    pub(crate) async fn found<T>(&self, found: Option<T>, looked: store::Lookup, missing: Error) -> Result<T> {
        match found {
            Some(found) => Ok(found),
            None => {
                self.store.confirm_missing(looked).await?;
                Err(missing)
            }
        }
    }

    /// Whether the database's schema is the one that this program needs.
    pub async fn is_ready(&self) -> bool {
        self.store.tables().await.is_ok_and(|tables| tables == Tables::Fit)
    }

    /// The open connections to the database.
    pub fn connections(&self) -> Connections {
        self.store.connections()
    }

    /// The kind of database, for metrics.
    pub fn database_kind(&self) -> &'static str {
        match self.store.kind() {
            store::DatabaseKind::Sqlite => "sqlite",
            store::DatabaseKind::Postgres => "postgres",
        }
    }
}

//! What every handler and middleware can reach.

use crate::edge::{
    backlog_cache::BacklogCache,
    health::Health,
    proxies::TrustedProxies,
    rate_limit::{RateLimit, SharingError, import_slots::ImportSlots},
    request_metrics::RequestMetrics,
};
use axum::http::HeaderMap;
use desk::DeskHost;
use returns::{
    Retour,
    bodies::{BodyBudget, BodyLimits},
};
use std::{ops::Deref, sync::Arc};

/// Bytes of large answers that one client may have waiting. This is more than for request bodies, because an export can be large.
const ANSWERS_OF_CLIENT: usize = 96 * 1024 * 1024;

/// What every handler and middleware can reach. Each layer of each request clones it, so a clone is one pointer.
#[derive(Debug, Clone)]
pub struct App(Arc<Shared>);

/// What the clones of an [`App`] share.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The use cases.
    pub retour: Retour,
    /// The rate limit.
    pub limit: RateLimit,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub proxies: TrustedProxies,
    /// The memory for bodies of requests.
    pub bodies: BodyBudget,
    /// The memory for large answers, until clients have read them.
    pub(crate) answers: BodyBudget,
    pub(crate) health: Health,
    pub(crate) backlog: BacklogCache,
    pub(crate) requests: RequestMetrics,
    pub(crate) imports: ImportSlots,
    /// The public URL of the service, for the OpenAPI document.
    pub(crate) public_url: Option<Arc<str>>,
    /// The host of the desk, if it has one of its own.
    pub(crate) desk_host: DeskHost,
    /// The best of the portal's languages for a request, by its `Accept-Language`. The API stores it with a return, so that mail to the
    /// consumer is in this language.
    pub(crate) accepted_language: fn(&HeaderMap) -> Option<&'static str>,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// The application with a limit of this many requests a minute; 0 means no limit.
    pub fn new(retour: Retour, rate_limit: u32, proxies: TrustedProxies) -> Self {
        Self(Arc::new(Shared {
            limit: RateLimit::new(rate_limit),
            proxies,
            bodies: BodyBudget::default(),
            answers: BodyBudget::new(BodyLimits { client: ANSWERS_OF_CLIENT, ..BodyLimits::default() }),
            health: Health::new(retour.now()),
            backlog: BacklogCache::default(),
            requests: RequestMetrics::default(),
            imports: ImportSlots::default(),
            public_url: None,
            desk_host: DeskHost::default(),
            accepted_language: |headers| portal::words::Language::spoken(headers).map(portal::words::Language::tag),
            retour,
        }))
    }

    fn with(self, change: impl FnOnce(&mut Shared)) -> Self {
        let mut shared = Arc::unwrap_or_clone(self.0);
        change(&mut shared);
        Self(Arc::new(shared))
    }

    /// Sets the public URL, which the OpenAPI document names.
    #[must_use]
    pub fn at(self, public_url: Option<&str>) -> Self {
        self.with(|shared| shared.public_url = public_url.map(Into::into))
    }

    /// Gives the desk a host of its own. Empty: none.
    #[must_use]
    pub fn with_desk_at(self, host: &str) -> Self {
        self.with(|shared| shared.desk_host = DeskHost::new(host))
    }

    /// Sets another budget for bodies of requests.
    #[must_use]
    pub fn with_bodies(self, bodies: BodyBudget) -> Self {
        self.with(|shared| shared.bodies = bodies)
    }

    /// Shares the rate limit with other instances in a Redis. While Redis does not answer, each instance counts by itself.
    pub async fn sharing_limit_in(self, redis_url: &str) -> Result<Self, SharingError> {
        let limit = self.limit.clone().shared_in(redis_url, self.retour.pseudonyms("rate limit")).await?;
        Ok(self.with(|shared| shared.limit = limit))
    }
}

//! The shop behind an account, where that is not our own catalog (design 5): orders are asked for when a shopper proves
//! one, and kept as they were then.
mod begin;
mod callers;
mod orders;
mod settle;

use crate::{ClientAddress, Error, Result, Retour, health::CallResult};
use callers::{Callers, NotNow};
use domain::{
    AccountId, Problems, Timestamp,
    bridge::{self, BridgeKind},
    integration::IntegrationOperation,
    order::Account,
    policy::{Policy, WindowStart},
};
use orders::Told;
use outbound::{
    bridge::{
        ApiKey, Breakers, Bridge, BridgeError, LookUp, Unavailable,
        contract::{Credentials, GetPurchases, Proof, Purchases},
    },
    http::{Endpoint, Http},
    medusa::{self, Medusa},
    vendure::{self, Vendure},
    webhook::Secret,
};
use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

/// Look-ups may take this part of the program's connections: each has somebody waiting for it.
const OF_EXCHANGES: usize = 4;
/// No shopper is told to come back later than this, seconds.
const LONGEST: i64 = 3_600;

/// Shops that are left alone for a while, by account and shop. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shops {
    look_ups: Arc<Breakers<(AccountId, String)>>,
    callers: Callers,
    /// Of their own: whoever looks orders up is anybody.
    settling: Arc<Breakers<(AccountId, String)>>,
    pub(crate) labels: Arc<Breakers<(AccountId, String)>>,
    /// Of their own: anybody can have a carrier asked where a parcel is.
    pub(crate) parcels: Arc<Breakers<(AccountId, String)>>,
}

/// What a shopper says of an order, as they typed it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub order_number: String,
    pub proof: Proof,
}

/// A shop that can be asked.
pub(crate) enum Shop {
    Http(Box<Bridge>),
    Vendure(Vendure),
    Medusa(Medusa),
}

impl Shop {
    /// The subject of a sentence about this shop.
    fn who(&self) -> &'static str {
        match self {
            Self::Http(_) => "The bridge",
            Self::Vendure(_) | Self::Medusa(_) => "The shop",
        }
    }

    /// For how many seconds after it was asked something may still be under way there, whatever became of our program.
    fn held_for(&self) -> i64 {
        let after = match self {
            Self::Http(_) => Duration::ZERO, // it knows what it has done, and may be asked at any time
            Self::Vendure(_) => vendure::SETTLED_AFTER,
            Self::Medusa(_) => medusa::SETTLED_AFTER,
        };
        i64::try_from(after.as_secs()).unwrap_or(i64::MAX).saturating_add(30)
    }

    async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        match self {
            Self::Http(bridge) => bridge.get_purchases(asked, now).await,
            Self::Vendure(vendure) => vendure.get_purchases(asked, now).await,
            Self::Medusa(medusa) => medusa.get_purchases(asked, now).await,
        }
    }
}

impl Retour {
    /// How many shops this program leaves alone at the moment, because they did not answer several times in a row.
    pub fn shops_left_alone(&self) -> usize {
        let of = |breakers: &Breakers<(AccountId, String)>| {
            breakers.not_closed().into_iter().map(|((account, _), _)| account).collect::<Vec<_>>()
        };
        let Shops { look_ups, callers, settling, labels, parcels } = &self.shops;
        let all: HashSet<_> = [of(look_ups), of(settling), of(labels), of(parcels), callers.left_alone(Instant::now())]
            .concat()
            .into_iter()
            .collect();
        all.len()
    }

    /// Asks the account's shop for an order. `None`: there is none for these details, or it is another's.
    pub(crate) async fn fetch_order(
        &self,
        account: &Account,
        asked: Asked,
        from: ClientAddress,
    ) -> Result<Option<Told>> {
        let connection = account.bridge.connection().ok_or(Error::Broken)?;
        let (proof, asked_at) = (asked.proof.clone(), self.now());
        let found =
            self.look_up(account, connection, (asked, from)).await.map_err(|error| failed(account.id, error))?;
        Ok(found.map(|found| Told::new(&found, &proof, asked_at)))
    }

    async fn look_up(
        &self,
        account: &Account,
        connection: &bridge::Connection,
        (asked, from): (Asked, ClientAddress),
    ) -> Result<Option<Purchases>, Failed> {
        let shop = self.shop(account, connection)?;
        let most = self.http.as_ref().map_or(0, Http::exchanges_at_once) / OF_EXCHANGES;
        let under_way = self.shops.callers.begin(account.id, from, most.max(1), Instant::now()).map_err(|not_now| {
            let (outcome, wait) = match not_now {
                NotNow::LeftAlone(wait) => ("LeftAlone", wait),
                NotNow::Busy(wait) => ("Busy", wait),
            };
            self.figures.look_ups.count(outcome, Duration::ZERO);
            Error::BridgeUnavailable { seconds: Some(seconds(wait)) }
        })?;
        let asked = GetPurchases {
            request_id: self.source.id(),
            account: account.slug.clone(),
            locale: account.branding.locale.clone(),
            credentials: Credentials { order_number: asked.order_number, proof: asked.proof },
            max_age_days: oldest(&account.policy),
        };
        let began = Instant::now();
        let call = shop.get_purchases(&asked, self.now());
        let counts = |failed| {
            if failed {
                return under_way.failed(Instant::now());
            }
            under_way.answered();
            true
        };
        let name = (account.id, account.bridge.shop());
        let answer = self.shops.look_ups.run_counting(&name, Instant::now, counts, call).await;
        let outcome = match &answer {
            Ok(LookUp::Found(_)) => "Found",
            Ok(LookUp::NotFound) => "NotFound",
            Ok(LookUp::NotTheirs(_)) => "NotTheirs",
            Err(error) => error.name(),
        };
        self.figures.look_ups.count(outcome, began.elapsed());
        let result = match &answer {
            Ok(LookUp::NotTheirs(problems)) => CallResult::Failed(not_theirs(problems, shop.who())),
            answer => CallResult::of(answer, shop.who()),
        };
        self.note_health_behind((account.id, IntegrationOperation::LookUp), result);
        match answer? {
            LookUp::Found(found) => Ok(Some(found)),
            LookUp::NotFound => Ok(None),
            LookUp::NotTheirs(problems) => {
                let fields: Vec<&String> = problems.0.iter().map(|(field, _)| field).collect();
                tracing::warn!(account = %account.id, ?fields, "a bridge answered with another order, or another person's");
                Ok(None)
            }
        }
    }

    /// What is broken here was checked when it was kept.
    pub(crate) fn shop(&self, account: &Account, connection: &bridge::Connection) -> Result<Shop> {
        let http = self.http.clone().ok_or(Error::Broken)?;
        let url = Endpoint::parse(&connection.url).map_err(|_| Error::Broken)?;
        let opened = self.open_bridge_secret(account.id, &connection.secret)?;
        match account.bridge.kind() {
            BridgeKind::Catalog => Err(Error::Broken),
            BridgeKind::Http => {
                let read = |opened: &str| Secret::parse(opened).map_err(|_| Error::Broken);
                let previous = connection.previous_secret(self.now());
                let previous =
                    previous.map(|sealed| read(&self.open_bridge_secret(account.id, sealed)?)).transpose()?;
                let bridge = Bridge::new(http, &url, read(&opened)?, previous).map_err(|_| Error::Broken)?;
                Ok(Shop::Http(Box::new(bridge)))
            }
            BridgeKind::Vendure => {
                let key = ApiKey::parse(&opened).map_err(|_| Error::Broken)?;
                Ok(Shop::Vendure(Vendure::new(http, &url, key).map_err(|_| Error::Broken)?))
            }
            BridgeKind::Medusa => {
                let key = ApiKey::parse(&opened).map_err(|_| Error::Broken)?;
                Ok(Shop::Medusa(Medusa::new(http, &url, key).map_err(|_| Error::Broken)?))
            }
        }
    }
}

/// How many days ago an order may have been placed, where its return window begins with that.
fn oldest(policy: &Policy) -> Option<u32> {
    let days = policy.return_window_days.filter(|_| policy.window_starts_on == WindowStart::Ordered)?;
    // The day of the order counts whole, and has 25 hours where clocks go back.
    Some(days.saturating_add(policy.grace_days).saturating_add(2))
}

/// Why nothing was found out.
enum Failed {
    Here(Error),
    There(BridgeError),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Here(error)
    }
}

impl From<BridgeError> for Failed {
    fn from(error: BridgeError) -> Self {
        Self::There(error)
    }
}

/// The merchant's log has what is to be mended; whoever asked learns that it is not their fault.
fn failed(account: AccountId, failed: Failed) -> Error {
    match failed {
        Failed::Here(error) => error,
        Failed::There(error) => {
            let problems = problems(&error);
            tracing::warn!(%account, %error, ?problems, "a shop could not be asked");
            let seconds = match &error {
                BridgeError::Unavailable(Unavailable::Status { wait_seconds: Some(seconds), .. }) => {
                    Some(i64::try_from(*seconds).unwrap_or(LONGEST).clamp(1, LONGEST))
                }
                BridgeError::Unavailable(Unavailable::LeftAlone { wait }) => Some(seconds(*wait)),
                _ => None,
            };
            if error.is_timeout() { Error::BridgeTimedOut } else { Error::BridgeUnavailable { seconds } }
        }
    }
}

/// Whole ones, and at least one.
fn seconds(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(LONGEST).clamp(1, LONGEST)
}

/// The error, for the merchant's staff, that an answer is about another order or person. It names fields but no values.
fn not_theirs(problems: &Problems, who: &str) -> String {
    let fields: Vec<&str> = problems.0.iter().map(|(field, _)| field.as_str()).collect();
    format!("{who} answered with another order, or with another person's: {}.", fields.join(", "))
}

/// Which fields of an answer cannot be, and why: for the merchant's log.
pub(crate) fn problems(error: &BridgeError) -> Vec<String> {
    match error {
        BridgeError::BadAnswer(problems) => {
            problems.0.iter().map(|(field, refusal)| format!("{field}: {}", refusal.message)).collect()
        }
        _ => Vec::new(),
    }
}

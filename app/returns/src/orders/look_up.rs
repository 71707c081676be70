//! Look-ups at an account's shop, for accounts that do not use Retour's catalog. Retour asks the shop when a shopper
//! proves an order, and stores the order as it was then.

use super::{
    look_up_error::{LookUpFailure, failed, seconds},
    shop_answer::ShopAnswer,
};
use crate::{
    base::{
        Error, OrBroken, Result, Retour, caller_limits::NotNow, circuit_breakers::CircuitBreakers,
        client_address::ClientAddress,
    },
    integrations::health::CallResult,
};
use domain::{
    AccountId, Problems,
    account::Account,
    integration::{self, IntegrationOperation},
    policy::{Policy, WindowStart},
};
use outbound::{
    bridge::{
        Breakers, LookUp,
        contract::{Credentials, GetPurchases, Proof, Purchases},
    },
    http::Http,
};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

/// Look-ups use at most one in this many of the process's outgoing connections.
const OF_EXCHANGES: usize = 4;

/// An order number and a proof, as the shopper typed them.
#[derive(Debug, Clone)]
pub(crate) struct TypedOrder {
    pub order_number: String,
    pub proof: Proof,
}

impl Retour {
    /// The number of accounts whose shop or carrier this process does not call at the moment, because calls failed
    /// several times in a row.
    pub fn shops_left_alone(&self) -> usize {
        let of = |breakers: &Breakers<(AccountId, String)>| {
            breakers.not_closed().into_iter().map(|((account, _), _)| account).collect::<Vec<_>>()
        };
        let CircuitBreakers { look_ups, callers, settling, changes, labels, parcels, returns } = &self.shops;
        let callers = callers.left_alone(Instant::now());
        let all = [of(look_ups), of(settling), of(changes), of(labels), of(parcels), of(returns), callers].concat();
        all.into_iter().collect::<HashSet<_>>().len()
    }

    /// Asks the account's shop for an order. `None`: there is no order with these details, or the shop answered with
    /// another one.
    pub(crate) async fn fetch_order(
        &self,
        account: &Account,
        asked: TypedOrder,
        from: ClientAddress,
    ) -> Result<Option<ShopAnswer>> {
        let connection = account.bridge.connection().or_broken()?;
        let (proof, asked_at) = (asked.proof.clone(), self.now());
        let found = self.look_up(account, connection, asked, from).await.map_err(|error| failed(account.id, error))?;
        Ok(found.map(|found| ShopAnswer::new(&found, Some(&proof), asked_at)))
    }

    async fn look_up(
        &self,
        account: &Account,
        connection: &integration::BridgeConnection,
        asked: TypedOrder,
        from: ClientAddress,
    ) -> Result<Option<Purchases>, LookUpFailure> {
        let shop = self.shop(account, connection)?;
        let most = self.config.http.as_ref().map_or(0, Http::max_concurrent_calls) / OF_EXCHANGES;
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
        let name = (account.id, account.bridge.shop_key());
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
        self.record_health_in_background((account.id, IntegrationOperation::LookUp), result);
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
}

/// The maximum age in days of an order that can be returned, if its return window begins with the order.
fn oldest(policy: &Policy) -> Option<u32> {
    let days = policy.return_window_days.filter(|_| policy.window_starts_on == WindowStart::Ordered)?;
    // One day for the order's own day, which counts in full, and one for the hour that the end of daylight saving time
    // adds.
    Some(days.saturating_add(policy.grace_days).saturating_add(2))
}

/// The error for staff when an answer is about another order or person. It names fields but no values.
fn not_theirs(problems: &Problems, who: &str) -> String {
    let fields: Vec<&str> = problems.0.iter().map(|(field, _)| field.as_str()).collect();
    format!("{who} answered with another order, or with another person's: {}.", fields.join(", "))
}

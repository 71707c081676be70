//! What has changed in accounts' shops: orders are read again when a notice or the nightly reading says that they have
//! changed, and requests about people are carried out. Only Shopify reports changes.

mod privacy;
mod reconcile;
mod refresh;

use crate::{
    backoff::{Backoff, retry_after},
    handle::Workers,
};
use domain::{Timestamp, account::Account, integration::IntegrationOperation};
use outbound::{
    bridge::{BridgeError, Unavailable},
    shops::shopify::Shopify,
};
use returns::{
    Result,
    internals::{CallResult, ShopConnection, problems},
};
use std::{future::Future, time::Instant};

/// The subject of a sentence about the shop.
const WHO: &str = "Shopify";
/// The shortest pause while calls to a shop are suspended, seconds.
const LEFT_ALONE_FOR: i64 = 10;
/// The longest pause that a shop can ask for, seconds.
const LONGEST: i64 = 86_400;

/// When a failed call is repeated.
struct NextAttempt {
    /// `None`: there is no further attempt.
    at: Option<Timestamp>,
    /// The number of failures by then.
    tries: u32,
}

impl NextAttempt {
    /// After so many earlier failures and this error.
    fn after(error: &BridgeError, tries: u32, back_off: Backoff, now: Timestamp) -> Self {
        // The shop was not called, so this does not count as an attempt.
        if let BridgeError::Unavailable(Unavailable::LeftAlone { wait }) = error {
            let wait = i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR);
            return Self { at: Some(now.plus_seconds(wait)), tries };
        }
        let pause = back_off.pause(tries).map(|seconds| seconds.max(retry_after(error, LONGEST)));
        Self { at: pause.map(|seconds| now.plus_seconds(seconds)), tries: tries.saturating_add(1) }
    }
}

impl Workers {
    /// The account's Shopify shop, if the account is connected to the one with this key.
    fn shopify(&self, account: &Account, shop: &str) -> Result<Option<Shopify>> {
        let Some(connection) = account.bridge.connection().filter(|_| account.bridge.shop_key() == shop) else {
            return Ok(None);
        };
        Ok(match self.retour.shop(account, connection)? {
            ShopConnection::Shopify(shopify) => Some(*shopify),
            ShopConnection::Http(_) | ShopConnection::Vendure(_) | ShopConnection::Medusa(_) => None,
        })
    }

    /// Calls a shop, unless calls are suspended after repeated failures. `next_attempt_at`: when a failed call is repeated.
    async fn ask_shop<T>(
        &self,
        account: &Account,
        next_attempt_at: impl FnOnce(&BridgeError) -> Option<Timestamp>,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let (began, name) = (Instant::now(), (account.id, account.bridge.shop_key()));
        let answer = self.retour.breakers().changes.run(&name, Instant::now, call).await;
        let outcome = answer.as_ref().map_or_else(BridgeError::name, |_| "Answered");
        self.retour.figures().changes.count(outcome, began.elapsed());
        let next = match &answer {
            Ok(_) => None,
            Err(error) => {
                let problems = problems(error);
                tracing::warn!(account = %account.id, %error, ?problems, "a shop could not be read");
                next_attempt_at(error)
            }
        };
        let result = CallResult::of(&answer, WHO);
        self.retour.record_health((account.id, IntegrationOperation::LookUp), result, next).await;
        answer
    }
}

//! Carries out what shops ask about their customers' data.

use crate::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::Timestamp;
use outbound::bridge::BridgeError;
use returns::{
    Result,
    internals::{OrBroken, again_on_deadlock},
};
use std::future::Future;
use store::{
    accounts,
    privacy_requests::{self, PrivacyRequest, PrivacyWork},
};
use uuid::Uuid;

/// The pauses between failed attempts, seconds. The last one repeats: an erasure is never given up.
const BACK_OFF: Backoff = Backoff::new(&[30, 300, 1_800, 3_600]);
const LONGEST: i64 = 3_600;
/// If a shop cannot be reached for so many days, its customers are erased without asking it.
const ASKED_FOR_DAYS: u32 = 3;

/// Whether a shop still has the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppState {
    Removed,
    Installed,
    Unknown,
}

impl Workers {
    /// Carries out requests about people until `stop` is ready.
    pub async fn answer_privacy_requests(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<PrivacyRequest>(stop).await;
    }

    async fn answer_privacy_request(&self, request: &PrivacyRequest) -> Result<()> {
        match request.work {
            PrivacyWork::Export => return self.retour.report_data_request(request).await,
            PrivacyWork::EraseCustomer => {}
            PrivacyWork::EraseShop if request.last_order.is_some() => {} // it has begun
            PrivacyWork::EraseShop => match self.app_state(request).await? {
                AppState::Removed => self.retour.record_erasure_of_shop(request.account_id).await?,
                AppState::Installed => {
                    tracing::warn!(account = %request.account_id, "ignored a shop's request to erase all of its customers: the app is installed");
                    return self.conclude_privacy_request(request, None).await;
                }
                AppState::Unknown => {
                    let at = self.retour.now().plus_seconds(LONGEST);
                    return self.conclude_privacy_request(request, Some((request, at))).await;
                }
            },
        }
        let mut rest = self.retour.erase_for_shop(request.clone()).await?;
        if let Some(rest) = &mut rest {
            rest.tries = 0;
        }
        let now = self.retour.now();
        self.conclude_privacy_request(request, rest.as_ref().map(|rest| (rest, now))).await
    }

    /// Asks the shop. A notice alone is no proof: it may be an old one, from before the app was installed again.
    async fn app_state(&self, request: &PrivacyRequest) -> Result<AppState> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), request.account_id).await?.or_broken()?;
        drop(reading);
        let Some(shopify) = self.shopify(&account, &request.shop)? else { return Ok(AppState::Removed) };
        Ok(match shopify.is_installed(self.retour.now()).await {
            Ok(()) => AppState::Installed,
            Err(BridgeError::KeyRefused(_) | BridgeError::Rejected(_)) => AppState::Removed,
            Err(_) if self.retour.now() >= request.created_at.plus_days(ASKED_FOR_DAYS) => AppState::Removed,
            Err(_) => AppState::Unknown,
        })
    }

    /// Stores what remains and when it is due, or deletes the request.
    async fn conclude_privacy_request(
        &self,
        request: &PrivacyRequest,
        rest: Option<(&PrivacyRequest, Timestamp)>,
    ) -> Result<()> {
        again_on_deadlock(|| async {
            let mut writing = self.retour.store().write().await?;
            match rest {
                Some((rest, at)) => privacy_requests::later(writing.db(), rest, at).await?,
                None => {
                    privacy_requests::delete(writing.db(), request).await?;
                }
            }
            Ok(writing.commit().await?)
        })
        .await
    }
}

impl Job for PrivacyRequest {
    const NAME: &'static str = "privacy requests";
    /// A step erases some people, one after the other.
    const HELD_FOR: i64 = 300;

    jobs_of_table!(privacy_requests);

    fn id(&self) -> Uuid {
        self.id
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.answer_privacy_request(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        let at = workers.retour.now().plus_seconds(BACK_OFF.pause_or(self.tries, LONGEST));
        let later = Self { tries: self.tries.saturating_add(1), ..self.clone() };
        workers.conclude_privacy_request(self, Some((&later, at))).await
    }
}

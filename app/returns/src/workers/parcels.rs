//! Asking carriers where parcels are, and to void labels: whose turn it is, and what comes of it.
//!
//! Where a parcel is, is asked now and then until it has arrived; what a carrier's system tells by itself only has it asked
//! at once. So notices may be lost, doubled, out of order or made up: what is believed is what is asked for.

use super::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use crate::{
    base::{Error, OrBroken, Result, again_on_deadlock},
    integrations::health::CallResult,
    returning::{change::Change, parcels::LABEL_NOT_VOIDED, queue::SIMULATED_STEP},
};
use domain::{
    account::Account,
    integration::{Carrier, IntegrationOperation},
    party::Actor,
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
};
use outbound::{
    bridge::BridgeError,
    carriers::karrio::{Karrio, Voided},
};
use std::{future::Future, time::Instant};
use store::{
    Writing, accounts, consumers,
    parcel_tasks::{self, ParcelTask, ParcelWork},
    return_orders, shipments,
};
use uuid::Uuid;

/// Where a parcel is, is asked so often, seconds…
const EVERY: i64 = 7_200;
/// … for so many days since its label was made; then once a day…
const OFTEN_FOR: u32 = 30;
const SELDOM_EVERY: i64 = 86_400;
/// … until so many days are over.
const FOLLOWED_FOR: u32 = 90;
/// When a carrier is asked again that could not be: after so many seconds each, and so on with the last.
const BACK_OFF: Backoff = Backoff::new(&[30, 120, 600, 1_800, 3_600, 14_400]);
const LONGEST: i64 = 43_200;
/// A label that could not be voided so often is left to people: after some three days.
const VOIDING_TRIES: u32 = 12;
/// Carriers that tell no time zone may be ahead of us, or behind, by so much at most.
const ZONES: i64 = 14 * 3_600;

/// How it ended.
enum ParcelOutcome {
    /// There is nothing more to ask.
    Over,
    /// It is asked again when it was to be.
    Asked,
    /// A simulated parcel moved, and another step follows.
    Moved,
    /// It is asked again later and later.
    Failed,
    /// Nobody can be asked again; why, for the merchant's people.
    GivenUp(String),
}

impl Workers {
    /// Asks carriers where parcels are, and has labels voided, until it is told to stop.
    pub async fn follow_parcels(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<ParcelTask>(stop).await;
    }

    async fn handle_parcel(&self, task: &ParcelTask) -> Result<()> {
        let mut reading = self.retour.store.read().await?;
        let account = accounts::find(reading.db(), task.account_id).await?.or_broken()?;
        let parcel = shipments::find(reading.db(), account.id, task.shipment_id).await?.or_broken()?;
        drop(reading);
        let is_over = matches!(parcel.status, ShipmentStatus::Cancelled | ShipmentStatus::Delivered)
            || self.retour.now() >= task.created_at.plus_days(FOLLOWED_FOR);
        let karrio = self.retour.karrio(&account)?.filter(|_| account.carrier_key() == task.reference.carrier);
        let is_simulated = account.carrier == Carrier::Simulated && account.carrier_key() == task.reference.carrier;
        let outcome = match (karrio, task.work) {
            (None, ParcelWork::Follow) if is_simulated => {
                if self.retour.advance_simulated_parcel(&account, &parcel).await? {
                    ParcelOutcome::Moved
                } else {
                    ParcelOutcome::Over
                }
            }
            (_, ParcelWork::Follow) if is_over => ParcelOutcome::Over,
            (Some(karrio), ParcelWork::Follow) => self.track_parcel(&account, task, &parcel, &karrio).await?,
            (Some(karrio), ParcelWork::Void | ParcelWork::VoidUnheard) => self.void(&account, task, &karrio).await,
            // It may be the account's carrier again.
            (None, ParcelWork::Follow) => ParcelOutcome::Asked,
            (None, ParcelWork::Void | ParcelWork::VoidUnheard) => {
                let message = "The account's carrier is another one by now: void this label where it was made.";
                ParcelOutcome::GivenUp(message.to_owned())
            }
        };
        again_on_deadlock(|| self.conclude_parcel(&account, task, &outcome)).await
    }

    async fn track_parcel(
        &self,
        account: &Account,
        task: &ParcelTask,
        parcel: &Shipment,
        karrio: &Karrio,
    ) -> Result<ParcelOutcome> {
        let now = self.retour.now();
        let call = Box::pin(karrio.track(&parcel.tracking_number, now)); // a call is large
        let Ok(updates) = self.asked(account, task, IntegrationOperation::Tracking, call).await else {
            return Ok(ParcelOutcome::Failed);
        };
        // Carriers give numbers out again: what happened before there was a label happened to another parcel.
        let possible = parcel.created_at.plus_seconds(-ZONES)..=now.plus_seconds(ZONES);
        let news =
            |update: &&TrackingUpdate| possible.contains(&update.happened_at) && !parcel.tracking.contains(update);
        let news: Vec<TrackingUpdate> = updates.iter().filter(news).cloned().collect();
        if news.is_empty() {
            return Ok(ParcelOutcome::Asked);
        }
        again_on_deadlock(|| self.write_reports(account, parcel, &news)).await
    }

    /// Takes what is new in, all of it or nothing.
    async fn write_reports(
        &self,
        account: &Account,
        parcel: &Shipment,
        news: &[TrackingUpdate],
    ) -> Result<ParcelOutcome> {
        let mut writing = self.retour.store.write().await?;
        let order = return_orders::find(writing.db(), account.id, parcel.return_order_id).await?.or_broken()?;
        // Who is forgotten at this moment is forgotten before or after this.
        if !consumers::hold(writing.db(), account.id, order.consumer_id).await? {
            return Ok(ParcelOutcome::Over);
        }
        return_orders::lock(writing.db(), account.id, order.id).await?;
        let mut parcel = shipments::find(writing.db(), account.id, parcel.id).await?.or_broken()?;
        for update in news {
            if parcel.check_label().is_err() {
                return Ok(ParcelOutcome::Over);
            }
            let comment = update.explanation.clone();
            let (now, actor) = (self.retour.now(), Actor::System);
            let change = Change { retour: &self.retour, account, now, actor, staff: None, comment, parcel: None };
            change.report(&mut writing, &mut parcel, update, |_: &mut Shipment, _| {}).await?;
        }
        writing.commit().await?;
        Ok(if parcel.status == ShipmentStatus::Delivered { ParcelOutcome::Over } else { ParcelOutcome::Asked })
    }

    async fn void(&self, account: &Account, task: &ParcelTask, karrio: &Karrio) -> ParcelOutcome {
        let (id, now) = (&task.reference.id, self.retour.now());
        let voided = match (task.work, id.parse()) {
            (ParcelWork::VoidUnheard, Ok(transaction)) => {
                self.asked(account, task, IntegrationOperation::Voiding, Box::pin(karrio.void_all(transaction, now)))
                    .await
            }
            _ => self.asked(account, task, IntegrationOperation::Voiding, Box::pin(karrio.void(id, now))).await,
        };
        match voided {
            Ok(Voided::Done) => ParcelOutcome::Over,
            Ok(Voided::Refused(why)) => ParcelOutcome::GivenUp(why),
            Ok(Voided::NotNow(why)) if task.tries >= VOIDING_TRIES => ParcelOutcome::GivenUp(why),
            Err(error) if task.tries >= VOIDING_TRIES => ParcelOutcome::GivenUp(error.told_of("Karrio")),
            Ok(Voided::NotNow(_)) | Err(_) => ParcelOutcome::Failed,
        }
    }

    /// Asks a carrier, unless it has failed often of late.
    async fn asked<T>(
        &self,
        account: &Account,
        task: &ParcelTask,
        operation: IntegrationOperation,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let began = Instant::now();
        let answer = self.retour.shops.parcels.run(&(account.id, account.carrier_key()), Instant::now, call).await;
        self.retour
            .figures
            .parcels
            .count(answer.as_ref().map_or_else(BridgeError::name, |_| "Answered"), began.elapsed());
        if let Err(error) = answer.as_ref().map_err(|error| error.told_of("Karrio")) {
            tracing::warn!(account = %account.id, %error, what = operation.name(), "a carrier could not be asked about a parcel; it is asked again");
        }
        let next_attempt_at = self.retour.now().plus_seconds(BACK_OFF.pause_or(task.tries, LONGEST));
        self.retour
            .record_health((account.id, operation), CallResult::of(&answer, "Karrio"), Some(next_attempt_at))
            .await;
        answer
    }

    async fn conclude_parcel(&self, account: &Account, task: &ParcelTask, outcome: &ParcelOutcome) -> Result<()> {
        let now = self.retour.now();
        let mut writing = self.retour.store.write().await?;
        if let ParcelOutcome::GivenUp(_) = outcome {
            tracing::warn!(account = %account.id, shipment = %task.shipment_id, "a label could not be voided: it is left to people");
        }
        match outcome {
            ParcelOutcome::Over | ParcelOutcome::GivenUp(_) => {
                if !parcel_tasks::delete(writing.db(), task).await? {
                    // Something else is to be asked by now: it is not to wait until this hold ends.
                    parcel_tasks::later(writing.db(), task, now, 0, None).await?;
                } else if let ParcelOutcome::GivenUp(why) = outcome {
                    self.report_label_not_voided(&mut writing, account, task, why).await?;
                }
            }
            ParcelOutcome::Asked => {
                let is_often = now < task.created_at.plus_days(OFTEN_FOR);
                let at = now.plus_seconds(if is_often { EVERY } else { SELDOM_EVERY });
                parcel_tasks::later(writing.db(), task, at, 0, Some(now)).await?;
            }
            ParcelOutcome::Moved => {
                parcel_tasks::later(writing.db(), task, now.plus_seconds(SIMULATED_STEP), 0, Some(now)).await?;
            }
            ParcelOutcome::Failed => {
                let at = now.plus_seconds(BACK_OFF.pause_or(task.tries, LONGEST));
                parcel_tasks::later(writing.db(), task, at, task.tries.saturating_add(1), None).await?;
            }
        }
        Ok(writing.commit().await?)
    }

    /// Whoever is to void it by hand has to know.
    async fn report_label_not_voided(
        &self,
        writing: &mut Writing,
        account: &Account,
        task: &ParcelTask,
        why: &str,
    ) -> Result<()> {
        let found = shipments::find(writing.db(), account.id, task.shipment_id).await?.or_broken()?;
        return_orders::lock(writing.db(), account.id, found.return_order_id).await?;
        let mut parcel = shipments::find(writing.db(), account.id, found.id).await?.or_broken()?;
        let order = return_orders::find(writing.db(), account.id, parcel.return_order_id).await?.or_broken()?;
        let is_erased = store::erasures::is_erased(writing.db(), account.id, order.consumer_id).await?;
        LABEL_NOT_VOIDED.clone_into(&mut parcel.error_code);
        // What a carrier says may name whoever is forgotten by now.
        if is_erased { "Void it at the carrier." } else { why }.clone_into(&mut parcel.error_message);
        parcel.updated_at = self.retour.now();
        if !shipments::update(writing.db(), account.id, &parcel).await? {
            return Err(Error::broken()); // the return order is locked: nobody else can have changed it
        }
        Ok(())
    }

    /// Something of ours is broken: it is tried again, less and less.
    async fn postpone_parcel(&self, task: &ParcelTask) -> Result<()> {
        let mut reading = self.retour.store.read().await?;
        let account = accounts::find(reading.db(), task.account_id).await?.or_broken()?;
        drop(reading);
        let is_enough = task.work != ParcelWork::Follow && task.tries >= VOIDING_TRIES;
        let broken = || ParcelOutcome::GivenUp("Karrio could not be asked to: void this label there.".to_owned());
        self.conclude_parcel(&account, task, &if is_enough { broken() } else { ParcelOutcome::Failed }).await
    }
}

impl Job for ParcelTask {
    const NAME: &'static str = "parcels";
    const CLAIMED_IN_ONE: bool = true;

    /// Carriers behind the one that is asked may take their time.
    const HELD_FOR: i64 = 90;

    jobs_of_table!(parcel_tasks);

    fn id(&self) -> Uuid {
        self.shipment_id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.handle_parcel(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        workers.postpone_parcel(self).await
    }
}

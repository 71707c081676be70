//! Queries carriers for the tracking of shipments, and asks them to void labels.
//!
//! A shipment is queried regularly until it arrives. A notification from the carrier only makes the next query due at
//! once. So notifications may be lost, repeated, out of order or forged: only answers to queries count.

use super::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
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
use returns::{
    Error, Result,
    internals::{CallResult, Change, LABEL_NOT_VOIDED, OrBroken, Returned, SIMULATED_STEP, again_on_deadlock},
};
use std::{future::Future, time::Instant};
use store::{
    Writing, accounts, consumers,
    parcel_tasks::{self, ParcelTask, ParcelWork},
    return_orders, shipments,
};
use uuid::Uuid;

/// The interval of tracking queries, seconds…
const EVERY: i64 = 7_200;
/// … for so many days after the label is made. Then they are daily…
const OFTEN_FOR: u32 = 30;
const SELDOM_EVERY: i64 = 86_400;
/// … until this day.
const FOLLOWED_FOR: u32 = 90;
/// The pauses between failed calls, seconds. The last one repeats.
const BACK_OFF: Backoff = Backoff::new(&[30, 120, 600, 1_800, 3_600, 14_400]);
const LONGEST: i64 = 43_200;
/// After so many attempts, about three days, staff have to void the label.
const VOIDING_TRIES: u32 = 12;
/// How far the times of carriers without time zones may be off, in both directions.
const ZONES: i64 = 14 * 3_600;

/// The result of a task.
enum ParcelOutcome {
    /// The task is done.
    Over,
    /// The carrier answered. The next query is at the regular time.
    Asked,
    /// A simulated shipment moved, and another step follows.
    Moved,
    /// The call failed. The pauses grow.
    Failed,
    /// The carrier cannot be called again. The reason is for the merchant's staff.
    GivenUp(String),
}

impl Workers {
    /// Queries tracking and voids labels until `stop` is ready.
    pub async fn follow_parcels(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<ParcelTask>(stop).await;
    }

    async fn handle_parcel(&self, task: &ParcelTask) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), task.account_id).await?.or_broken()?;
        let shipment = shipments::find(reading.db(), account.id, task.shipment_id).await?.or_broken()?;
        drop(reading);
        let is_over = matches!(shipment.status, ShipmentStatus::Cancelled | ShipmentStatus::Delivered)
            || self.retour.now() >= task.created_at.plus_days(FOLLOWED_FOR);
        // The account may have another carrier by now.
        let is_current = account.carrier_key() == task.reference.carrier;
        let outcome = match (&account.carrier, task.work) {
            (Carrier::Simulated, ParcelWork::Follow) if is_current => {
                if self.retour.advance_simulated_parcel(&account, &shipment).await? {
                    ParcelOutcome::Moved
                } else {
                    ParcelOutcome::Over
                }
            }
            (_, ParcelWork::Follow) if is_over => ParcelOutcome::Over,
            (Carrier::Karrio(_), work) if is_current => {
                let karrio = self.retour.karrio(&account)?.or_broken()?;
                match work {
                    ParcelWork::Follow => self.track_parcel(&account, task, &shipment, &karrio).await?,
                    ParcelWork::Void | ParcelWork::VoidUnheard => self.void(&account, task, &karrio).await,
                }
            }
            // The account may return to the carrier of the label.
            (Carrier::Own | Carrier::Simulated | Carrier::Bridge | Carrier::Karrio(_), ParcelWork::Follow) => {
                ParcelOutcome::Asked
            }
            (
                Carrier::Own | Carrier::Simulated | Carrier::Bridge | Carrier::Karrio(_),
                ParcelWork::Void | ParcelWork::VoidUnheard,
            ) => {
                let message = "The account now has another carrier. Void this label at the carrier that made it.";
                ParcelOutcome::GivenUp(message.to_owned())
            }
        };
        again_on_deadlock(|| self.conclude_parcel(&account, task, &outcome)).await
    }

    async fn track_parcel(
        &self,
        account: &Account,
        task: &ParcelTask,
        shipment: &Shipment,
        karrio: &Karrio,
    ) -> Result<ParcelOutcome> {
        let now = self.retour.now();
        let call = Box::pin(karrio.track(&shipment.tracking_number, now)); // a call is large
        let Ok(updates) = self.asked(account, task, IntegrationOperation::Tracking, call).await else {
            return Ok(ParcelOutcome::Failed);
        };
        // Carriers reuse numbers: events from before the label belong to another shipment.
        let possible = shipment.created_at.plus_seconds(-ZONES)..=now.plus_seconds(ZONES);
        let news =
            |update: &&TrackingUpdate| possible.contains(&update.happened_at) && !shipment.tracking.contains(update);
        let news: Vec<TrackingUpdate> = updates.iter().filter(news).cloned().collect();
        if news.is_empty() {
            return Ok(ParcelOutcome::Asked);
        }
        again_on_deadlock(|| self.write_reports(account, shipment, &news)).await
    }

    /// Writes all new events, or none.
    async fn write_reports(
        &self,
        account: &Account,
        shipment: &Shipment,
        news: &[TrackingUpdate],
    ) -> Result<ParcelOutcome> {
        let mut writing = self.retour.store().write().await?;
        let order = return_orders::find(writing.db(), account.id, shipment.return_order_id).await?.or_broken()?;
        // Locks the consumer, so that an erasure runs either before or after this transaction.
        if !consumers::hold(writing.db(), account.id, order.consumer_id).await? {
            return Ok(ParcelOutcome::Over);
        }
        let mut returned = Returned::lock(&mut writing, account.id, order.id).await?.or_broken()?;
        let parcels = shipments::list_of_return_orders(writing.db(), account.id, &[order.id]).await?;
        let mut shipment = parcels.iter().find(|parcel| parcel.id == shipment.id).cloned().or_broken()?;
        for update in news {
            if shipment.check_label().is_err() {
                return Ok(ParcelOutcome::Over);
            }
            let comment = update.explanation.clone();
            let (now, actor) = (self.retour.now(), Actor::System);
            let change = Change { retour: &self.retour, account, now, actor, staff: None, comment, parcel: None };
            let details = |_: &mut Shipment, _| {};
            change.report(&mut writing, &mut returned, &parcels, &mut shipment, update, details).await?;
        }
        writing.commit().await?;
        Ok(if shipment.status == ShipmentStatus::Delivered { ParcelOutcome::Over } else { ParcelOutcome::Asked })
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

    /// Calls a carrier, unless calls are suspended after repeated failures.
    async fn asked<T>(
        &self,
        account: &Account,
        task: &ParcelTask,
        operation: IntegrationOperation,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let began = Instant::now();
        let answer = self.retour.breakers().parcels.run(&(account.id, account.carrier_key()), Instant::now, call).await;
        self.retour
            .figures()
            .parcels
            .count(answer.as_ref().map_or_else(BridgeError::name, |_| "Answered"), began.elapsed());
        if let Err(error) = answer.as_ref().map_err(|error| error.told_of("Karrio")) {
            tracing::warn!(account = %account.id, %error, what = operation.name(), "a call to a carrier about a shipment failed; Retour tries again");
        }
        let next_attempt_at = self.retour.now().plus_seconds(BACK_OFF.pause_or(task.tries, LONGEST));
        self.retour
            .record_health((account.id, operation), CallResult::of(&answer, "Karrio"), Some(next_attempt_at))
            .await;
        answer
    }

    async fn conclude_parcel(&self, account: &Account, task: &ParcelTask, outcome: &ParcelOutcome) -> Result<()> {
        let now = self.retour.now();
        let mut writing = self.retour.store().write().await?;
        if let ParcelOutcome::GivenUp(_) = outcome {
            tracing::warn!(account = %account.id, shipment = %task.shipment_id, "a label could not be voided; staff have to void it");
        }
        match outcome {
            ParcelOutcome::Over | ParcelOutcome::GivenUp(_) => {
                if !parcel_tasks::delete(writing.db(), task).await? {
                    // A new task replaced this one. It must not wait until the lease ends.
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

    /// Shows staff that they have to void the label by hand.
    async fn report_label_not_voided(
        &self,
        writing: &mut Writing,
        account: &Account,
        task: &ParcelTask,
        why: &str,
    ) -> Result<()> {
        let found = shipments::find(writing.db(), account.id, task.shipment_id).await?.or_broken()?;
        let order = return_orders::lock(writing.db(), account.id, found.return_order_id).await?.or_broken()?;
        let mut shipment = shipments::find(writing.db(), account.id, found.id).await?.or_broken()?;
        let is_erased = store::erasures::is_erased(writing.db(), account.id, order.consumer_id).await?;
        LABEL_NOT_VOIDED.clone_into(&mut shipment.error_code);
        // The carrier's message may contain the name of an erased person.
        if is_erased { "Void it at the carrier." } else { why }.clone_into(&mut shipment.error_message);
        shipment.updated_at = self.retour.now();
        if !shipments::update(writing.db(), account.id, &shipment).await? {
            return Err(Error::broken()); // cannot happen: the return order is locked
        }
        Ok(())
    }

    /// Postpones a task after a fault of Retour, with growing pauses.
    async fn postpone_parcel(&self, task: &ParcelTask) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), task.account_id).await?.or_broken()?;
        drop(reading);
        let is_enough = task.work != ParcelWork::Follow && task.tries >= VOIDING_TRIES;
        let broken = || ParcelOutcome::GivenUp("Karrio could not be called. Void this label there.".to_owned());
        self.conclude_parcel(&account, task, &if is_enough { broken() } else { ParcelOutcome::Failed }).await
    }
}

impl Job for ParcelTask {
    const NAME: &'static str = "parcels";
    const CLAIMED_IN_ONE: bool = true;

    /// The carriers behind karrio may be slow.
    const HELD_FOR: i64 = 90;

    jobs_of_table!(parcel_tasks);

    fn id(&self) -> Uuid {
        self.shipment_id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        Box::pin(workers.handle_parcel(self)).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        workers.postpone_parcel(self).await
    }
}

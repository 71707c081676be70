//! Queries payment providers for the status of payments, and refunds payments.
//!
//! The payment itself determines what to do ([`Payment::provider_tasks`]); a task in the database determines when. Each
//! call is repeated with the same key until its result is known, so a crash leaves nothing half done.

use super::{
    backoff::{Backoff, seconds_within},
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{
    Money, Timestamp,
    integration::IntegrationOperation,
    payment::{Payment, ProviderTask, RefundOutcome},
};
use outbound::payments::{PaymentError, Processor, RefundRequest};
use returns::{
    Result,
    internals::{OTHER_PROVIDER, OrBroken, Which, asked_about, detached, result_of},
};
use std::future::Future;
use store::{
    accounts,
    payment_tasks::{self, PaymentTask},
};
use uuid::Uuid;

/// The pauses between failed calls, seconds. The last one repeats.
const BACK_OFF: Backoff = Backoff::new(&[10, 30, 120, 600, 1_800, 3_600, 14_400]);
const LONGEST: i64 = 43_200;

impl Workers {
    /// Queries and refunds payments until `stop` is ready.
    pub async fn follow_payments(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<PaymentTask>(stop).await;
    }

    async fn follow_payment(&self, task: &PaymentTask) -> Result<()> {
        let which = Which { account: task.account_id, order: task.return_order_id, wakes: false };
        let (_, payment) = self.retour.payment_of(which.account, which.order).await?;
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), which.account).await?.or_broken()?;
        drop(reading);
        let done = match self.retour.processor(&account, payment.kind)? {
            Some(processor) => self.do_todos(&processor, which, task.tries, &payment).await?,
            None => ProviderRound {
                failed: payment.provider_tasks().iter().map(ProviderTask::number).collect(),
                trouble: OTHER_PROVIDER.to_owned(),
                wait: 0,
            },
        };
        let payment = self.write_payment_trouble(which, task.tries, &done).await?;
        self.conclude_payment(task, &payment, done).await
    }

    /// Runs the provider tasks one after the other.
    async fn do_todos(
        &self,
        processor: &Processor,
        which: Which,
        tries: u32,
        payment: &Payment,
    ) -> Result<ProviderRound> {
        let mut done = ProviderRound::default();
        for todo in payment.provider_tasks() {
            let (number, operation) = (todo.number(), operation_of(&todo));
            let outcome = self.do_todo(processor, which, todo, payment.amount).await?;
            let again = outcome
                .as_ref()
                .err()
                .map(|error| self.retour.now().plus_seconds(wait_after(error).max(BACK_OFF.pause_or(tries, LONGEST))));
            self.retour.record_health((which.account, operation), result_of(&outcome), again).await;
            if let Err(error) = outcome {
                let (account, order) = (which.account, which.order);
                tracing::warn!(%account, %order, %error, "a payment provider could not do what was asked");
                done.failed.push(number);
                done.wait = done.wait.max(wait_after(&error));
                done.trouble = error.to_string();
            }
        }
        Ok(done)
    }

    async fn do_todo(
        &self,
        processor: &Processor,
        which: Which,
        todo: ProviderTask,
        amount: Money,
    ) -> Result<Result<(), PaymentError>> {
        let now = self.retour.now();
        let (number, heard) = match todo {
            ProviderTask::Refund(refund) => return self.give_back(processor, which, refund.number).await,
            ProviderTask::Check(number, id) => {
                (number, asked_about(self.retour.figures(), "look", processor.look(&id, amount, now)).await)
            }
            ProviderTask::Close(number, id) => {
                (number, asked_about(self.retour.figures(), "close", processor.close(&id, amount, now)).await)
            }
        };
        match heard {
            Ok(heard) => {
                self.retour
                    .change_payment(which, move |payment, _| payment.apply_report(number, heard.clone()))
                    .await?;
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Refunds a payment attempt. The amount is stored before the call.
    async fn give_back(&self, processor: &Processor, which: Which, number: u32) -> Result<Result<(), PaymentError>> {
        let begin = move |payment: &mut Payment, _| payment.begin_refund(number);
        let (payment, Some(refund)) = self.retour.change_payment(which, begin).await? else { return Ok(Ok(())) };
        let back = RefundRequest {
            key: format!("{}-{number}-refund-{}", payment.id, refund.before),
            id: refund.id.clone(),
            reference: refund.reference.clone(),
            amount: Money::new(refund.minor, payment.amount.currency),
            before: refund.refunded,
            was_seen: refund.on_its_way,
        };
        let done = asked_about(self.retour.figures(), "refund", processor.give_back(&back, self.retour.now())).await;
        let outcome = match &done {
            Ok(outcome) => *outcome,
            Err(error) if error.is_refusal() => RefundOutcome::Failed,
            Err(_) => return Ok(done.map(drop)), // the result is unknown: the call is repeated with the same key
        };
        self.retour.change_payment(which, move |payment, _| payment.end_refund(&refund, outcome)).await?;
        Ok(done.map(drop))
    }

    /// Writes why the payment does not progress and when Retour calls the provider again, or that it progresses again.
    async fn write_payment_trouble(&self, which: Which, tries: u32, done: &ProviderRound) -> Result<Payment> {
        let done = done.clone();
        let note = move |payment: &mut Payment, now| {
            if done.trouble.is_empty() {
                payment.recover();
            } else {
                payment.fail(&done.trouble, Some(asked_again_at(payment, tries, &done, now)));
            }
        };
        self.retour.change_payment(which, note).await.map(|(payment, ())| payment)
    }

    async fn conclude_payment(&self, task: &PaymentTask, payment: &Payment, done: ProviderRound) -> Result<()> {
        let (workers, task, payment, now) = (self.clone(), task.clone(), payment.clone(), self.retour.now());
        let (next, is_over) = (payment.next_check(&done.failed, now), payment.provider_tasks().is_empty());
        detached(async move {
            let mut writing = workers.retour.store().write().await?;
            if done.failed.is_empty() {
                let is_gone = is_over && payment_tasks::delete(writing.db(), &task).await?;
                if !is_gone {
                    payment_tasks::later(writing.db(), &task, next.unwrap_or(now), 0, Some(now)).await?;
                }
            } else {
                let at = asked_again_at(&payment, task.tries, &done, now);
                payment_tasks::later(writing.db(), &task, at, task.tries.saturating_add(1), None).await?;
            }
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// The result of one round of calls.
#[derive(Default, Clone)]
struct ProviderRound {
    /// The numbers of the payment attempts whose call failed.
    failed: Vec<u32>,
    /// The reason, for the merchant; empty if no call failed.
    trouble: String,
    /// The seconds of the provider's `Retry-After`.
    wait: i64,
}

/// The time of the next round after a failure: steps that did not fail may be due earlier.
fn asked_again_at(payment: &Payment, tries: u32, done: &ProviderRound, now: Timestamp) -> Timestamp {
    let again = now.plus_seconds(done.wait.max(BACK_OFF.pause_or(tries, LONGEST)));
    payment.next_check(&done.failed, now).map_or(again, |next| next.min(again))
}

/// `Retry-After`, limited to the longest pause.
fn wait_after(error: &PaymentError) -> i64 {
    seconds_within(error.wait_seconds(), LONGEST)
}

fn operation_of(todo: &ProviderTask) -> IntegrationOperation {
    match todo {
        ProviderTask::Refund(_) => IntegrationOperation::Refund,
        ProviderTask::Check(..) | ProviderTask::Close(..) => IntegrationOperation::PaymentStatus,
    }
}

impl Job for PaymentTask {
    const NAME: &'static str = "payments";
    const CLAIMED_IN_ONE: bool = true;
    /// A task makes several calls in sequence. If they take even longer, another worker may run the task too: both use
    /// the same keys, and the later one changes nothing.
    const HELD_FOR: i64 = 60;

    jobs_of_table!(payment_tasks);

    fn id(&self) -> Uuid {
        self.return_order_id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.follow_payment(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        let at = workers.retour.now().plus_seconds(BACK_OFF.pause_or(self.tries, LONGEST));
        let mut writing = workers.retour.store().write().await?;
        payment_tasks::later(writing.db(), self, at, self.tries.saturating_add(1), None).await?;
        Ok(writing.commit().await?)
    }
}

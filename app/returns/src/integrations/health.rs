//! Records the results of calls to the external systems of accounts, for the merchant's staff.
//!
//! Every failure is written. Of successes, this instance writes the first one, the one after a failure, and otherwise
//! at most one a minute, so that most look-ups cost no extra statement.

use crate::base::{Result, Retour, detached};
use domain::{
    AccountId, Timestamp,
    integration::{IntegrationOperation, bounded},
};
use outbound::bridge::{BridgeError, Unavailable};
use store::{Writing, integrations};
use tracing::Instrument as _;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallResult {
    /// The other system gave a usable answer, whatever it says.
    Succeeded,
    /// It gave none. The reason is for the merchant's staff.
    Failed(String),
    /// It was not called.
    NotCalled,
}

impl CallResult {
    /// The result of a call to a shop or carrier. `who` is the subject of the error's sentence.
    pub fn of<T>(answer: &Result<T, BridgeError>, who: &str) -> Self {
        match answer {
            Ok(_) => Self::Succeeded,
            Err(BridgeError::Unavailable(Unavailable::LeftAlone { .. })) => Self::NotCalled,
            Err(error) => Self::Failed(message_of(error, who)),
        }
    }
}

/// The sentence of an error, with the wrong fields of the answer. It repeats no values except currencies and numbers.
pub fn message_of(error: &BridgeError, who: &str) -> String {
    let sentence = error.told_of(who);
    let problems = problems(error);
    // A problem of the whole answer has no field.
    let problems: Vec<&str> = problems.iter().map(|problem| problem.trim_start_matches(": ")).collect();
    bounded(&if problems.is_empty() { sentence } else { format!("{sentence} {}", problems.join("; ")) })
}

impl Retour {
    /// Writes the result of a call as the last statement of a transaction, and commits: all calls of a kind update one
    /// row, and wait for each other's commit. `next_attempt_at`: when Retour repeats the call, if it failed and that is
    /// known.
    pub(crate) async fn commit_with_health(
        &self,
        mut writing: Writing,
        of: (AccountId, IntegrationOperation),
        result: &CallResult,
        next_attempt_at: Option<Timestamp>,
    ) -> Result<()> {
        let kept = match self.write_health(&mut writing, of, result, next_attempt_at).await {
            Ok(()) => writing.commit().await.map_err(Into::into),
            Err(error) => Err(error),
        };
        if kept.is_err() {
            self.health.forget(of); // the success was not written
        }
        kept
    }

    async fn write_health(
        &self,
        writing: &mut Writing,
        of: (AccountId, IntegrationOperation),
        result: &CallResult,
        next_attempt_at: Option<Timestamp>,
    ) -> Result<()> {
        let (account, operation) = of;
        let now = self.now();
        match result {
            CallResult::Succeeded if self.health.is_news(of, now) => {
                Ok(integrations::succeeded(writing.db(), account, operation, now).await?)
            }
            CallResult::Failed(error) => {
                self.health.forget(of);
                let times = (now, next_attempt_at);
                Ok(integrations::failed(writing.db(), account, operation, &bounded(error), times.0, times.1).await?)
            }
            CallResult::Succeeded | CallResult::NotCalled => Ok(()),
        }
    }

    /// Writes the result of a look-up in the background: the time of the answer must not reveal whether the order
    /// exists.
    pub(crate) fn record_health_in_background(&self, of: (AccountId, IntegrationOperation), result: CallResult) {
        let retour = self.clone();
        let noted = async move { retour.record_health(of, result, None).await };
        tokio::spawn(noted.in_current_span());
    }

    /// Writes the result in a separate transaction. If that fails, the caller continues.
    pub(crate) async fn record_health(
        &self,
        of: (AccountId, IntegrationOperation),
        result: CallResult,
        next_attempt_at: Option<Timestamp>,
    ) {
        let is_written = match &result {
            CallResult::Succeeded => self.health.is_news(of, self.now()),
            CallResult::Failed(_) => true,
            CallResult::NotCalled => false,
        };
        if !is_written {
            return;
        }
        self.health.forget(of);
        let retour = self.clone();
        let written = detached(async move {
            let writing = retour.store.write().await?;
            retour.commit_with_health(writing, of, &result, next_attempt_at).await
        });
        if let Err(error) = written.await {
            self.health.forget(of);
            tracing::warn!(account = %of.0, operation = of.1.name(), %error, "the result of a call could not be recorded");
        }
    }
}

/// The wrong fields of an answer, each with the reason: for the merchant's log.
pub fn problems(error: &BridgeError) -> Vec<String> {
    match error {
        BridgeError::BadAnswer(problems) => {
            problems.0.iter().map(|(field, refusal)| format!("{field}: {}", refusal.message)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Problems, RefusalCode};

    #[test]
    fn what_is_wrong_with_an_answer_is_told_by_its_fields_and_of_who_gave_it() {
        let mut problems = Problems::default();
        problems.add("items[0].amount", RefusalCode::Mismatch, "expected 9.99 EUR, as requested");
        problems.add("status", RefusalCode::Required, "expected a value");
        let wrong: Result<(), _> = Err(BridgeError::BadAnswer(problems));
        let message = "The bridge's answer violates the contract. items[0].amount: expected 9.99 EUR, as requested; \
                    status: expected a value";
        assert_eq!(CallResult::of(&wrong, "The bridge"), CallResult::Failed(message.to_owned()));
        let left_alone = BridgeError::Unavailable(Unavailable::LeftAlone { wait: std::time::Duration::from_secs(1) });
        assert_eq!(CallResult::of::<()>(&Err(left_alone), "The bridge"), CallResult::NotCalled);
        assert_eq!(CallResult::of(&Ok(1), "The bridge"), CallResult::Succeeded);
        let refused = BridgeError::KeyRefused("The bridge does not accept the API key.");
        assert_eq!(message_of(&refused, "Karrio"), "Karrio does not accept the API key.");
    }
}

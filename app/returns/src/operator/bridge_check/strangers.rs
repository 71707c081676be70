//! Requests that Retour did not sign, or signed too long ago. A component that answers them answers everyone.

use super::{BridgeCheck, CheckOutcome, Signed};
use outbound::http::{CallError, HttpResponse};

const HOUR_SECONDS: i64 = 60 * 60;

impl BridgeCheck {
    pub(super) async fn unsigned_look_up(&self) -> CheckOutcome {
        self.stranger(Signed::Not, "strangers can read orders: verify the signature before anything else").await
    }

    /// An empty resolution, so that it moves no money even if the component does not check the signature.
    pub(super) async fn unsigned_resolution(&self) -> CheckOutcome {
        let answer = self.send("resolve-return", "{}".to_owned(), Signed::Not).await;
        refusal(&answer, "strangers can request refunds: verify the signature here too")
    }

    pub(super) async fn wrong_signature(&self) -> CheckOutcome {
        let secret = self.strange_secret();
        let signed = Signed::With { secret: &secret, seconds_ago: 0 };
        self.stranger(signed, "compare the signature; its presence is not enough").await
    }

    pub(super) async fn old_signature(&self) -> CheckOutcome {
        let signed = Signed::With { secret: &self.secret, seconds_ago: HOUR_SECONDS };
        let mend = "a recorded request stays valid: refuse a webhook-timestamp that is older than five minutes";
        self.stranger(signed, mend).await
    }

    /// The right credentials, in a request without a valid signature.
    async fn stranger(&self, signed: Signed<'_>, mend: &str) -> CheckOutcome {
        let body = self.body(&self.asked.order_number, self.by_email());
        refusal(&self.send("get-purchases", body, signed).await, mend)
    }

    /// Retour recognizes by a 404 that a component does not implement an optional or future operation.
    pub(super) async fn unknown_path(&self) -> CheckOutcome {
        match self.send("no-such-operation", "{}".to_owned(), self.ours()).await {
            Ok(HttpResponse { status: 404, .. }) => CheckOutcome::passed(""),
            Ok(HttpResponse { status: status @ 400..=499, .. }) => CheckOutcome::warned(format!(
                "got {status}: answer 404, which tells Retour that the component lacks an operation"
            )),
            Ok(HttpResponse { status, .. }) => CheckOutcome::failed(format!(
                "expected 404, got {status}: only existing operations may answer otherwise"
            )),
            Err(error) => CheckOutcome::failed(format!("expected 404: {error}")),
        }
    }
}

pub(super) fn refusal(answer: &Result<HttpResponse, CallError>, mend: &str) -> CheckOutcome {
    match answer {
        Ok(HttpResponse { status: status @ (401 | 403), .. }) => CheckOutcome::passed(format!("refused with {status}")),
        Ok(HttpResponse { status: status @ 400..=499, .. }) => CheckOutcome::warned(format!(
            "refused with {status}: answer 401 before you read the body; it tells Retour that a secret is wrong"
        )),
        Ok(HttpResponse { status: status @ 200..=299, .. }) => {
            CheckOutcome::failed(format!("expected 401, got {status}: {mend}"))
        }
        Ok(HttpResponse { status, .. }) => {
            CheckOutcome::failed(format!("expected 401, got {status}: refuse unsigned requests instead of failing"))
        }
        Err(error) => CheckOutcome::failed(format!("expected 401: {error}")),
    }
}

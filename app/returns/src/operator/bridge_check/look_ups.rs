//! Look-ups of the given order, and of orders that must not be found.

use super::{BridgeCheck, CheckOutcome, CheckVerdict};
use domain::proof::EmailKey;
use outbound::{
    bridge::{
        LookUp,
        contract::{Proof, Purchases},
    },
    http::HttpResponse,
    shops::http::Bridge,
};
use serde_json::Value;
use std::time::Duration;

/// Shoppers start to doubt that the look-up works when it takes longer than this.
const PATIENCE: Duration = Duration::from_secs(2);

/// Checks how long the look-up of the right order took.
pub(super) fn time(took: Duration) -> CheckOutcome {
    let duration = format!("{:.2} s", took.as_secs_f64());
    if took > PATIENCE {
        CheckOutcome::warned(format!("{duration}: a shopper waits for the answer; stay below {} s", PATIENCE.as_secs()))
    } else {
        CheckOutcome::passed(duration)
    }
}

impl BridgeCheck {
    /// Looks up the right order. All other cases are compared with its answer.
    pub(super) async fn right_order(&self) -> (CheckOutcome, Option<Purchases>) {
        let number = &self.asked.order_number;
        match self.look_up(number, self.by_email()).await {
            Ok(LookUp::Found(found)) => {
                let lines = found.purchases.len();
                let unit = if lines == 1 { "line" } else { "lines" };
                (CheckOutcome::passed(format!("{lines} {unit}")), Some(found))
            }
            Ok(LookUp::NotFound) => {
                let message = format!(
                    "expected order {number}, got 404 or no purchases: check that the component's shop has an order with \
                     this number and e-mail address"
                );
                (CheckOutcome::failed(message), None)
            }
            Ok(LookUp::NotTheirs(problems)) => (CheckOutcome::from(&problems), None),
            Err(error) => (CheckOutcome::from(&error), None),
        }
    }

    pub(super) async fn same_again(&self, first: &Purchases) -> CheckOutcome {
        match self.look_up(&self.asked.order_number, self.by_email()).await {
            Ok(LookUp::Found(again)) if sorted(&again) == sorted(first) => CheckOutcome::passed(""),
            Ok(LookUp::Found(_)) => CheckOutcome::failed(
                "expected the same answer as before: purchaseId, order.id and amounts must not change from one look-up \
                 to the next",
            ),
            Ok(_) => CheckOutcome::failed("expected the same answer as before, got 404 or another order"),
            Err(error) => CheckOutcome::from(&error),
        }
    }

    /// Spellings that shoppers type. A component that does not normalize them loses returns but reveals nothing, so
    /// this only warns.
    pub(super) async fn other_spellings(&self) -> CheckOutcome {
        let (number, email) = (&self.asked.order_number, &self.asked.email);
        let bare = number.trim_start_matches('#');
        let numbers = [if bare == number { format!("#{number}") } else { bare.to_owned() }, format!(" {number} ")];
        let swapped = swap_case(number);
        let numbers = numbers.into_iter().chain((swapped != *number).then_some(swapped));
        let numbers = numbers.map(|number| (format!("the number as {number:?}"), number, email.clone()));
        let capitals = ("the e-mail address in capitals".to_owned(), number.clone(), email.to_uppercase());
        let mut missed = Vec::new();
        for (spelling, number, email) in numbers.chain([capitals]) {
            match self.look_up(&number, Proof::Email(email)).await {
                Ok(LookUp::Found(_)) => {}
                _ => missed.push(format!("not found with {spelling}: compare without a leading #, spaces and case")),
            }
        }
        if missed.is_empty() {
            CheckOutcome::passed("")
        } else {
            CheckOutcome { verdict: CheckVerdict::Warned, messages: missed }
        }
    }

    /// An order number that most likely does not exist but has the same form. Returns the component's answers too.
    pub(super) async fn wrong_number(&self) -> (CheckOutcome, Vec<HttpResponse>) {
        let request = (format!("{}9999", self.asked.order_number), self.by_email());
        self.wrong([("another order number", request)]).await
    }

    /// E-mail addresses that a careless comparison accepts: longer, shorter, a pattern of SQL's `LIKE`.
    pub(super) async fn wrong_emails(&self) -> (CheckOutcome, Vec<HttpResponse>) {
        let (number, email) = (&self.asked.order_number, &self.asked.email);
        let shorter: String = email.chars().skip(1).collect();
        let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
        let wrong = [
            ("another e-mail address", format!("not-{email}")),
            ("the e-mail address without its first letter", shorter),
            ("an e-mail address that is a pattern", format!("%@{domain}")),
        ];
        let is_other = |other: &String| EmailKey::new(other) != EmailKey::new(email) && other.contains('@');
        let wrong = wrong.into_iter().filter(|(_, other)| is_other(other));
        self.wrong(wrong.map(|(what, other)| (what, (number.clone(), Proof::Email(other))))).await
    }

    pub(super) async fn right_postal_code(&self, code: &str) -> CheckOutcome {
        match self.look_up(&self.asked.order_number, Proof::PostalCode(code.to_owned())).await {
            Ok(LookUp::Found(_)) => CheckOutcome::passed(""),
            Ok(LookUp::NotFound) => CheckOutcome::failed(
                "expected the order, got 404: credentials contain postalCode instead of email if the shopper typed a \
                 postal code",
            ),
            Ok(LookUp::NotTheirs(problems)) => CheckOutcome::from(&problems),
            Err(error) => CheckOutcome::from(&error),
        }
    }

    pub(super) async fn wrong_postal_code(&self, code: &str) -> CheckOutcome {
        let request = (self.asked.order_number.clone(), Proof::PostalCode(format!("{code}9")));
        self.wrong([("another postal code", request)]).await.0
    }

    async fn wrong(
        &self,
        requests: impl IntoIterator<Item = (&str, (String, Proof))>,
    ) -> (CheckOutcome, Vec<HttpResponse>) {
        let (mut messages, mut answers) = (Vec::new(), Vec::new());
        for (what, (number, proof)) in requests {
            match self.send("get-purchases", self.body(&number, proof), self.ours()).await {
                Ok(answer) => {
                    messages.extend(what_it_reveals(&answer).map(|seen| format!("{what}: expected 404, got {seen}")));
                    answers.push(answer);
                }
                Err(error) => messages.push(format!("{what}: {error}")),
            }
        }
        let verdict = if messages.is_empty() { CheckVerdict::Passed } else { CheckVerdict::Failed };
        (CheckOutcome { verdict, messages }, answers)
    }

    /// The answers must not reveal which of the two credentials was wrong.
    pub(super) async fn alike(&self, numbers: &[HttpResponse], emails: &[HttpResponse]) -> CheckOutcome {
        let Some(by_number) = numbers.first() else {
            return CheckOutcome::not_tried("there was no answer to a wrong order number");
        };
        if emails.iter().any(|answer| answer.status != by_number.status) {
            return CheckOutcome::failed(
                "expected the same status for a wrong order number and a wrong e-mail address: answer 404 to both",
            );
        }
        if emails.iter().all(|answer| answer.body == by_number.body) {
            return CheckOutcome::passed("");
        }
        let (_, again) = self.wrong_number().await; // some frameworks put a new id into every answer
        match again.first() {
            Some(again) if again.body != by_number.body => {
                CheckOutcome::warned("the body changes between requests; leave it empty, so that it reveals nothing")
            }
            _ => CheckOutcome::failed(
                "expected the same body for a wrong order number and a wrong e-mail address: it reveals which of them \
                 was wrong; leave it empty",
            ),
        }
    }

    /// During the rotation of a secret, a request has one signature per secret.
    pub(super) async fn two_signatures(&self) -> CheckOutcome {
        let bridge = Bridge::new(self.http.clone(), &self.url, self.strange_secret(), Some(self.secret.clone()));
        let bridge = match bridge {
            Ok(bridge) => bridge,
            Err(error) => return CheckOutcome::failed(error.to_string()), // `new` accepted this URL
        };
        let request = self.request(&self.asked.order_number, self.by_email());
        match bridge.get_purchases(&request, self.source.now()).await {
            Ok(LookUp::Found(_)) => CheckOutcome::passed(""),
            _ => CheckOutcome::failed(
                "expected the order: webhook-signature may have several signatures separated by spaces, and one valid \
                 signature is enough; otherwise the secret could not be replaced",
            ),
        }
    }

    pub(super) fn body(&self, number: &str, proof: Proof) -> String {
        serde_json::to_string(&self.request(number, proof)).unwrap_or_default()
    }
}

/// Describes an answer to wrong credentials if it is not the expected 404.
fn what_it_reveals(answer: &HttpResponse) -> Option<String> {
    let purchases = || {
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        body.and_then(|body| body.get("purchases").and_then(Value::as_array).map(Vec::len))
    };
    match answer.status {
        404 => None,
        status @ 200..=299 => match purchases() {
            Some(0) => None, // an empty list is equivalent to 404
            Some(_) => Some(format!("{status} with purchases: compare both with the order before you answer")),
            None => Some(format!("{status} without purchases")),
        },
        status @ (401 | 403) => Some(format!("{status}, which means that the signature is wrong")),
        status => Some(status.to_string()),
    }
}

fn sorted(purchases: &Purchases) -> Purchases {
    let mut sorted = purchases.clone();
    sorted.purchases.sort_by(|a, b| a.purchase_id.cmp(&b.purchase_id));
    sorted
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    text.chars().map(swap).collect()
}

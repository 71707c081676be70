//! Resolutions: a valid one, the same one repeated, and impossible ones.
//!
//! A faulty component does little harm: the amount is the smallest of the currency, and nothing is restocked.

use super::{BridgeCheck, CheckOutcome, CheckVerdict};
use domain::{Currency, Money, ReturnRequestId, policy};
use outbound::bridge::{
    BridgeError, LookUp, Rejected, Resolved,
    contract::{Item, Purchase, Purchases, ResolveReturn},
};

const NOTHING_LEFT: &str = "expected an order with a unit that was sent, is returnable and is not refunded yet: choose another \
    order";

impl BridgeCheck {
    pub(super) async fn try_settling(&self, found: &Purchases, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        if !self.asked.resolve {
            let message = "only with --resolve, which refunds one unit of this order: use a test shop";
            return tell("resolutions", CheckOutcome::not_tried(message));
        }
        let Some(line) = found.purchases.iter().find(|line| is_returnable(line)) else {
            return tell("resolutions", CheckOutcome::failed(NOTHING_LEFT));
        };
        let smallest = Money::new(line.total().minor.min(1), line.paid.currency);
        let mut unknown = self.resolution(line, 1, smallest);
        unknown.items.iter_mut().for_each(|item| item.purchase_id += "-no-such-line");
        tell("a resolution of an unknown line", self.impossible(&unknown, "the line does not exist").await);
        let too_many = self.resolution(line, line.quantity + 1, smallest);
        tell(
            "a resolution of more units than were bought",
            self.impossible(&too_many, "so many units were not bought").await,
        );
        let foreign = self.resolution(line, 1, Money::new(smallest.minor, other_currency(smallest.currency)));
        tell("a resolution in another currency", self.impossible(&foreign, "the order has another currency").await);
        self.try_refund(line, &self.resolution(line, 1, smallest), tell).await;
    }

    async fn try_refund(
        &self,
        line: &Purchase,
        asked: &ResolveReturn,
        tell: &mut impl FnMut(&'static str, CheckOutcome),
    ) {
        let (first, second) = tokio::join!(self.resolve(asked), self.resolve(asked));
        let third = self.resolve(asked).await;
        tell("a refund, requested twice at once", at_once(&first, &second));
        tell("the same refund again", once_more(&first, &second, &third));
        let is_done = [&first, &second, &third].iter().any(|outcome| matches!(outcome, Ok(Resolved::Completed { .. })));
        tell("units refunded", self.units(line, is_done).await);
    }

    fn resolution(&self, line: &Purchase, quantity: u32, amount: Money) -> ResolveReturn {
        let item = Item {
            return_request_id: ReturnRequestId(self.source.id()),
            purchase_id: line.purchase_id.clone(),
            quantity,
            amount,
            duties: Money::new(0, amount.currency),
            exchange_sku: None,
            disposition: None, // nothing was sent back, so nothing is restocked
        };
        let nothing = Money::new(0, amount.currency);
        ResolveReturn {
            transaction_id: self.source.id(),
            kind: policy::Resolution::Refund,
            order_id: line.order.id.clone(),
            return_order_number: "R-TRIAL".to_owned(),
            items: vec![item],
            shipping_refund: nothing,
            fees: nothing,
            gift_recipient_email: None,
        }
    }

    async fn resolve(&self, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
        self.bridge.resolve_return(asked, self.source.now()).await
    }

    async fn impossible(&self, asked: &ResolveReturn, why: &str) -> CheckOutcome {
        match self.resolve(asked).await {
            Ok(Resolved::Failed { .. }) => CheckOutcome::passed("Failed"),
            Err(BridgeError::Rejected(Rejected { status: status @ (400 | 402 | 404..=499) })) => {
                CheckOutcome::passed(format!("refused with {status}"))
            }
            Ok(Resolved::Completed { .. }) => {
                CheckOutcome::failed(format!("expected Failed with a reason, got Completed, although {why}"))
            }
            Ok(Resolved::Pending { .. } | Resolved::Unclear { .. }) => {
                CheckOutcome::warned(format!("got Pending, although {why}: answer Failed as soon as possible"))
            }
            Err(BridgeError::Unavailable(error)) => CheckOutcome::failed(format!(
                "expected Failed with a reason, since {why}. {error} Retour would repeat the request"
            )),
            Err(error) => CheckOutcome::from(&error),
        }
    }

    /// Checks how many units the component counts as refunded after the refund.
    async fn units(&self, line: &Purchase, is_done: bool) -> CheckOutcome {
        if !is_done {
            return CheckOutcome::not_tried("not meaningful before a refund is Completed");
        }
        let found = match self.look_up(&self.asked.order_number, self.by_email()).await {
            Ok(LookUp::Found(found)) => found,
            Ok(_) => {
                return CheckOutcome::failed("expected the order, got 404: a refunded order must still be found");
            }
            Err(error) => return CheckOutcome::from(&error),
        };
        let Some(now) = found.purchases.iter().find(|now| now.purchase_id == line.purchase_id) else {
            return CheckOutcome::failed(
                "expected the line, with its refundedQuantity: lines stay when they are refunded",
            );
        };
        let (before, after) = (line.refunded_quantity, now.refunded_quantity);
        let message = format!("refundedQuantity was {before} and is {after}");
        match after.checked_sub(before) {
            Some(1) => CheckOutcome::passed(message),
            Some(0) => CheckOutcome::warned(format!(
                "{message}: expected one more, because it includes refunds that Retour requests"
            )),
            _ => CheckOutcome::failed(format!(
                "{message}: expected one more. The same transactionId came three times and must be carried out once"
            )),
        }
    }
}

fn is_returnable(line: &Purchase) -> bool {
    line.obstacle().is_none() && line.fulfilled_at.is_some() && line.refunded_quantity < line.quantity
}

fn other_currency(currency: Currency) -> Currency {
    ["USD", "EUR"].into_iter().filter_map(Currency::from_code).find(|other| *other != currency).unwrap_or(currency)
}

fn at_once(first: &Result<Resolved, BridgeError>, second: &Result<Resolved, BridgeError>) -> CheckOutcome {
    match (first, second) {
        (Ok(Resolved::Failed { reason, .. }), _) | (_, Ok(Resolved::Failed { reason, .. })) => CheckOutcome::failed(
            format!("expected Completed or Pending, since a unit of this line can go back; got Failed: {reason}"),
        ),
        (Ok(_), Ok(_)) => CheckOutcome::passed(reference(first).unwrap_or_default()),
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => CheckOutcome {
            verdict: CheckVerdict::Warned,
            messages: CheckOutcome::from(error).messages.into_iter().chain([WAIT.to_owned()]).collect(),
        },
        (Err(error), Err(_)) => CheckOutcome::from(error),
    }
}

pub(super) const WAIT: &str =
    "one of the two concurrent requests got this: let the second wait for the first, and give both the same answer";

/// The same transaction id must give the same refund, with the same reference.
fn once_more(
    first: &Result<Resolved, BridgeError>,
    second: &Result<Resolved, BridgeError>,
    third: &Result<Resolved, BridgeError>,
) -> CheckOutcome {
    let answers = [first, second, third];
    if !answers.iter().take(2).any(|answer| is_accepted(answer)) {
        return CheckOutcome::not_tried("not meaningful before a refund is Completed or Pending");
    }
    match third {
        Err(error) => return CheckOutcome::from(error),
        Ok(Resolved::Failed { reason, .. }) => {
            return CheckOutcome::failed(format!(
                "expected the same answer as before, got Failed: {reason} A refund that was carried out is Completed \
                 in every answer"
            ));
        }
        Ok(_) => {}
    }
    let mut references: Vec<_> = answers.into_iter().filter(|answer| answer.is_ok()).map(reference).collect();
    references.dedup();
    match references.as_slice() {
        [Some(reference)] => CheckOutcome::passed(format!("{reference} again")),
        [None] => CheckOutcome::warned(
            "there is no externalReference: send the shop's own id of the refund, so that staff can find it",
        ),
        _ => CheckOutcome::failed(
            "expected the externalReference of the first request: the same transactionId must never refund twice. Store \
             the result with its transactionId, and look it up first",
        ),
    }
}

fn is_accepted(answer: &Result<Resolved, BridgeError>) -> bool {
    matches!(answer, Ok(Resolved::Completed { .. } | Resolved::Pending { .. }))
}

fn reference(answer: &Result<Resolved, BridgeError>) -> Option<String> {
    match answer {
        Ok(Resolved::Completed { external_reference } | Resolved::Pending { external_reference }) => {
            external_reference.clone()
        }
        _ => None,
    }
}

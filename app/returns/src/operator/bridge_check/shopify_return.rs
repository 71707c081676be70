//! Opens a return in a Shopify shop as Retour does, and cancels it: `retour bridge check --shopify --write`.
//!
//! It takes the steps that the mirror of returns takes. None of them refunds or sends something, and none asks Shopify to notify the
//! customer, which Shopify does only if it is asked to.

use super::CheckOutcome;
use crate::base::Source;
use outbound::{
    bridge::BridgeError,
    shops::shopify::{
        MirroredDecision, MirroredItem, MirroredReturn, MirroredUnits, NextStep, ReturnComparison, ReturnStatus,
        ReturnStep, Shopify, StepResult,
    },
};

/// What stands in the note after the number that names the check.
const REASON: &str = "opened by retour bridge check, which cancels it at once";

/// What the check knows of the return after it asked for it.
enum Made {
    /// Shopify has made none.
    No,
    /// Shopify may have made one.
    Perhaps,
    /// Shopify has made the return with this id.
    Yes(String),
}

/// A return of one unit.
pub(super) struct TrialReturn<'a> {
    shopify: &'a Shopify,
    source: &'a Source,
    order_name: String,
    asked: MirroredReturn,
}

/// Runs all cases and passes each result to `tell`.
pub(super) async fn try_return(
    shopify: &Shopify,
    source: &Source,
    order_number: &str,
    tell: &mut impl FnMut(&'static str, CheckOutcome),
) {
    let trial = match TrialReturn::of_a_unit(shopify, source, order_number).await {
        Ok(trial) => trial,
        Err(outcome) => {
            tell("a unit to return", outcome);
            return tell("a return", CheckOutcome::not_tried("not meaningful before a unit can be returned"));
        }
    };
    tell("a unit to return", CheckOutcome::passed(format!("of order {}", trial.order_name)));
    let (outcome, made) = trial.open().await;
    tell("a return is opened", outcome);
    let known = match made {
        Made::No => return tell("the rest", CheckOutcome::not_tried("no return was opened")),
        Made::Perhaps => None,
        Made::Yes(id) => Some(id),
    };
    let (outcome, found) = trial.find().await;
    tell("the return is found by its note", outcome);
    tell("the return is cancelled", trial.cancel(known.or(found)).await);
}

impl<'a> TrialReturn<'a> {
    /// A return of the first unit of an order that can be returned.
    async fn of_a_unit(shopify: &'a Shopify, source: &'a Source, order_number: &str) -> Result<Self, CheckOutcome> {
        let found = shopify.returnable_line(order_number, source.now()).await;
        let Some(order) = found.map_err(|error| CheckOutcome::from(&error))? else {
            return Err(CheckOutcome::failed(
                "the shop shows no order with this number: compare --order with the order's name in Shopify, and note that orders \
                 over 60 days old need the scope read_all_orders",
            ));
        };
        let Some(purchase_id) = order.line_id else {
            return Err(CheckOutcome::failed(format!(
                "order {} has no unit that can be returned: fulfil the order in Shopify first, or choose another one, if its units \
                 were refunded or are part of another return",
                order.order_name
            )));
        };
        let item = MirroredItem {
            purchase_id,
            quantity: 1,
            reason: REASON.to_owned(),
            exchange_sku: None,
            dropped_exchange_sku: None,
            decision: MirroredDecision::Approved,
            units: MirroredUnits::default(),
            is_over: false,
        };
        // A number of its own, so that the check finds this return, and never one of Retour or of an earlier check.
        let random: String = source.id().simple().to_string().chars().skip(20).collect();
        let asked = MirroredReturn {
            order_id: order.order_id,
            return_order_number: format!("retour-check-{random}"),
            external_id: None,
            items: vec![item],
            parcels: Vec::new(),
            refused: Vec::new(),
        };
        Ok(Self { shopify, source, order_name: order.order_name, asked })
    }

    async fn compare(&self, asked: &MirroredReturn) -> Result<ReturnComparison, BridgeError> {
        self.shopify.compare_return(asked, self.source.now()).await
    }

    async fn change(&self, step: &ReturnStep) -> Result<StepResult, BridgeError> {
        self.shopify.change_return(step, self.source.now()).await
    }

    async fn open(&self) -> (CheckOutcome, Made) {
        let step = match self.compare(&self.asked).await.map(|comparison| comparison.next) {
            Ok(NextStep::Step(step)) if step.makes_return() => step,
            Ok(NextStep::Impossible(reason) | NextStep::Elsewhere(reason)) => {
                return (CheckOutcome::failed(reason), Made::No);
            }
            Ok(_) => return (CheckOutcome::failed("Retour would not open one: report this as a bug"), Made::No),
            Err(error) => return (CheckOutcome::from(&error), Made::No),
        };
        match self.change(&step).await {
            Ok(StepResult::Done { external_id: Some(id) }) => {
                let note = format!("its note begins with {}", self.asked.return_order_number);
                (CheckOutcome::passed(note), Made::Yes(id))
            }
            Ok(StepResult::Done { external_id: None } | StepResult::Unknown) => {
                (CheckOutcome::failed("Shopify did not say whether it opened the return"), Made::Perhaps)
            }
            Ok(StepResult::Refused(reason)) => (CheckOutcome::failed(reason), Made::No),
            Ok(StepResult::RefusedParts(_)) => (CheckOutcome::failed("Shopify refused the return"), Made::No),
            Err(error) => (CheckOutcome::from(&error), Made::No),
        }
    }

    /// Reads the return back as the mirror finds a return whose id it does not know. Returns its id, too.
    async fn find(&self) -> (CheckOutcome, Option<String>) {
        let note = &self.asked.return_order_number;
        match self.compare(&self.asked).await {
            Ok(ReturnComparison { external_id: Some(id), status: Some(ReturnStatus::Open), .. }) => {
                (CheckOutcome::passed("open"), Some(id))
            }
            Ok(ReturnComparison { external_id: Some(id), .. }) => {
                (CheckOutcome::failed("expected Shopify to show the return as open"), Some(id))
            }
            Ok(_) => (CheckOutcome::failed(format!("the order shows no return with the note {note}")), None),
            Err(error) => (CheckOutcome::from(&error), None),
        }
    }

    async fn cancel(&self, id: Option<String>) -> CheckOutcome {
        if id.is_none() {
            let why = "Retour does not know the return, and Shopify may have opened it, or open it within two minutes";
            return CheckOutcome::failed(format!("{why}. {}", self.by_hand()));
        }
        let mut asked = MirroredReturn { external_id: id, ..self.asked.clone() };
        for item in &mut asked.items {
            item.decision = MirroredDecision::Refused;
        }
        match self.cancelled(&asked).await {
            Ok(()) => CheckOutcome::passed(
                "the unit can be returned again; the cancelled return stays in the order's history",
            ),
            Err(mut outcome) => {
                outcome.messages.push(self.by_hand());
                outcome
            }
        }
    }

    async fn cancelled(&self, asked: &MirroredReturn) -> Result<(), CheckOutcome> {
        let failed = |error: BridgeError| CheckOutcome::from(&error);
        let refusal = match self.compare(asked).await.map_err(failed)?.next {
            NextStep::Step(step) => match self.change(&step).await.map_err(failed)? {
                StepResult::Refused(reason) => Some(reason),
                StepResult::RefusedParts(parts) => parts.reason,
                StepResult::Done { .. } | StepResult::Unknown => None,
            },
            _ => Some("The return cannot be cancelled any more, because somebody has changed it.".to_owned()),
        };
        if self.compare(asked).await.map_err(failed)?.status == Some(ReturnStatus::Cancelled) {
            return Ok(());
        }
        let why = refusal.unwrap_or_else(|| "Shopify does not show the return as cancelled.".to_owned());
        Err(CheckOutcome::failed(why))
    }

    /// What to do if the return may stay.
    fn by_hand(&self) -> String {
        let (order, note) = (&self.order_name, &self.asked.return_order_number);
        format!(
            "Do it by hand: open order {order} in Shopify's admin. If it has an open return with the note {note}, open the menu of this \
             return and choose \"Cancel return\". Refund nothing."
        )
    }
}

//! Settling a return request, step by step: each looks whether it was made before.
//!
//! First the units are taken back, then the money is given: the refund pays what the shop owes since the return. The
//! other way round the shop would owe it once more, and somebody would pay it.

use super::{
    begun,
    client::{Session, Trouble},
    money::text,
    refund::{self, Given},
    shop::Order,
    take_back,
};
use crate::bridge::{
    BridgeError, Resolved,
    contract::{Item, ResolveReturn},
};
use domain::{Currency, Money, policy};

/// What ends a resolution before it is done.
#[derive(Debug)]
pub(super) enum Stop {
    /// An answer.
    Resolved(Resolved),
    /// None.
    Error(BridgeError),
}

impl From<BridgeError> for Stop {
    fn from(error: BridgeError) -> Self {
        Self::Error(error)
    }
}

/// What is to be done with an order.
pub(super) struct Plan<'a> {
    pub order: Order,
    pub items: &'a [Item],
    /// What the consumer gets, in minor units.
    pub owed: i64,
    /// What all that we do there bears, to be read.
    pub reason: String,
    /// The part of it that is looked for.
    pub mark: String,
}

/// See [`super::Medusa::resolve_return`].
pub(super) async fn resolve(session: &Session<'_>, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
    if let Some(reason) = by_hand(asked.kind) {
        return Ok(failed(reason));
    }
    match steps(session, asked).await {
        Ok(resolved) | Err(Stop::Resolved(resolved)) => Ok(resolved),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// Why a kind of resolution has to be settled by people.
fn by_hand(kind: policy::Resolution) -> Option<&'static str> {
    match kind {
        policy::Resolution::Refund => None,
        policy::Resolution::StoreCredit => Some("Retour gives no store credit in Medusa: settle it by hand."),
        policy::Resolution::Exchange => {
            Some("Retour makes no exchanges in Medusa: place the new order and settle it by hand.")
        }
    }
}

async fn steps(session: &Session<'_>, asked: &ResolveReturn) -> Result<Resolved, Stop> {
    let plan = Plan::new(session, asked).await?;
    let given = refund::given(&plan, &plan.order)?;
    begun::check(session, &plan, &given).await?;
    let mut taken = take_back::Taken::default();
    if given.is_empty() {
        refund::check(&plan, &plan.order, &given)?; // before anything is done
        taken = take_back::take_back(session, &plan).await?;
    }
    let (given, order) = refund::refund(session, &plan, taken.missing).await?;
    take_back::balance(session, &plan, &order, &taken).await;
    Ok(Resolved::Completed { external_reference: refund::reference(&given) })
}

impl<'a> Plan<'a> {
    /// Looks at the order, and refuses what cannot be meant for it.
    async fn new(session: &Session<'_>, asked: &'a ResolveReturn) -> Result<Self, Stop> {
        let Some(order) = session.order(&asked.order_id).await? else {
            return Err(stop("The shop does not know this order any more."));
        };
        for item in &asked.items {
            let line = order.items.iter().find(|line| line.id == item.purchase_id);
            let Some(line) = line else { return Err(stop("The order does not have this line any more.")) };
            if !(1..=line.quantity).contains(&item.quantity) {
                return Err(stop("More units are to be refunded than were ordered."));
            }
        }
        let owed = owed(asked, order.currency_code)?;
        let mark = asked.transaction_id.to_string();
        let reason = format!("Return {} ({mark})", asked.return_order_number);
        Ok(Self { order, items: &asked.items, owed, reason, mark })
    }

    /// An amount, to be read.
    pub fn text(&self, minor: i64) -> String {
        text(minor, self.order.currency_code)
    }
}

/// What the consumer gets, in minor units.
fn owed(asked: &ResolveReturn, currency: Currency) -> Result<i64, Stop> {
    let added = asked.items.iter().map(|item| item.amount).chain([asked.shipping_refund]);
    let amounts: Vec<Money> = added.clone().chain([asked.fees]).collect();
    if amounts.iter().any(|amount| amount.currency != currency) {
        return Err(stop("The refund is in another currency than the order."));
    }
    if amounts.iter().any(|amount| amount.minor < 0) {
        return Err(stop("An amount of the refund is below 0."));
    }
    let sum = added.map(|amount| amount.minor).try_fold(0_i64, i64::checked_add);
    let owed = sum.and_then(|sum| sum.checked_sub(asked.fees.minor)).filter(|owed| *owed >= 0);
    owed.ok_or_else(|| stop("What is to be refunded is below 0, or no number."))
}

/// What a step comes to that can be looked for, and made again, at any time.
pub(super) fn done(changed: Result<(), Trouble>) -> Result<(), Stop> {
    changed.map_err(|trouble| match trouble {
        Trouble::NotDone(error) => Stop::Error(error),
        Trouble::BrokenOff | Trouble::Lost => pending(&[]),
        Trouble::Refused(kind) => stop(&format!(
            "The shop did not take the units back ({kind}), and nothing was refunded. Look whether somebody has begun a \
             return or a change of the order there: finish it or take it back, then try again."
        )),
    })
}

pub(super) fn failed(reason: &str) -> Resolved {
    Resolved::Failed { external_reference: None, reason: reason.to_owned() }
}

pub(super) fn stop(reason: &str) -> Stop {
    Stop::Resolved(failed(reason))
}

pub(super) fn pending(given: &[Given]) -> Stop {
    Stop::Resolved(Resolved::Pending { external_reference: refund::reference(given) })
}

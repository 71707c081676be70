//! Settling a return request, step by step: each looks whether it was made before.
//!
//! First the units are taken back, then the money is given: the refund pays what the shop owes since the return. The
//! other way round the shop would owe it once more, and somebody would pay it.

use crate::shops::medusa::{client::Session, money::text, refund, refund_note, responses::Order, take_back};
use crate::{
    bridge::{
        BridgeError, Resolved,
        contract::{Item, ResolveReturn},
    },
    shops::resolution::{Stop, Trouble, ended, failed, owed, pending, reference, stop},
};
use domain::policy;

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
    ended(|| steps(session, asked)).await
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
    refund_note::check(session, &plan, &given).await?;
    let mut taken = take_back::Taken::default();
    if given.is_empty() {
        refund::check(&plan, &plan.order, &given)?; // before anything is done
        taken = take_back::take_back(session, &plan).await?;
    }
    let (given, order) = refund::refund(session, &plan, taken.missing).await?;
    take_back::balance(session, &plan, &order, &taken).await;
    Ok(Resolved::Completed { external_reference: reference(&given) })
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

/// What a step comes to that can be looked for, and made again, at any time.
pub(super) fn done(changed: Result<(), Trouble>) -> Result<(), Stop> {
    changed.map_err(|trouble| match trouble {
        Trouble::NotDone(error) => Stop::Error(error),
        Trouble::BrokenOff | Trouble::Lost => pending(&[]),
        Trouble::Refused(kind) => stop(&format!(
            "The shop did not take the units back ({kind}), and nothing was refunded. Look whether somebody has refund_note a \
             return or a change of the order there: finish it or take it back, then try again."
        )),
    })
}

//! Prepares the call of a settlement, and moves its request through the stages.

use crate::handle::Workers;
use domain::{
    Money, Timestamp,
    account::Account,
    integration::{BridgeConnection, FailedAttempts},
    party::Actor,
    policy::Resolution,
    stage::{Move, StageName},
};
use outbound::bridge::contract::{Item, ResolveReturn};
use returns::{
    Error, Result,
    internals::{Change, OrBroken, Returned, ShopConnection, failed_attempt},
};
use store::{
    Lease, Writing, accounts, orders, purchases, return_requests,
    settlements::{self, Settlement},
    shop_returns::{self, ShopReturn},
};

/// Why staff have to act.
const ELSEWHERE: &str = "The order comes from another shop than the connected one, or another shop received the \
    request. Check that shop before you try again.";

/// How often making the shop's return may fail before the settlement fails.
const FAILURES_TO_WAIT_FOR: u32 = 3;

/// A settlement that is ready for its call.
pub(crate) struct SettlementCall {
    pub shop: ShopConnection,
    /// The key that identifies the shop.
    pub name: String,
    pub asked: ResolveReturn,
    /// The end of the settlement's lease.
    pub held_until: Timestamp,
    pub way: SettlementWay,
}

/// How a shop carries out a settlement.
pub(crate) enum SettlementWay {
    /// By itself.
    Alone,
    /// By its own return, which has this id.
    ByReturn(String),
    /// By its own return, which it does not have yet. With a text, making it fails.
    AfterReturn(Option<String>),
}

impl Workers {
    /// Moves the request to `Resolution: Processing` and prepares the call. `None` if there is no call to make.
    pub(crate) async fn begin_settlement(&self, claimed: &Settlement) -> Result<Option<SettlementCall>> {
        let mut writing = self.retour.store().write().await?;
        let LockedSettlement { account, mut returned, index } = self.lock_settled(&mut writing, claimed).await?;
        // By now another instance may have claimed or completed the settlement.
        let found = settlements::find(writing.db(), account.id, claimed.id).await?;
        let Some(one) = found.filter(|now| now.held_until == claimed.held_until) else { return Ok(None) };
        let change = self.system(&account);
        let told_by = orders::shop_of(writing.db(), account.id, one.order_id).await?;
        let stage = returned.request(index)?.state.stage.name();
        let connection = match turn(stage, &one, &account, &told_by) {
            SettlementTurn::Begin(connection) => {
                change.make_move_and_follow_up(&mut writing, &mut returned, index, &Move::StartProcessing).await?;
                connection
            }
            SettlementTurn::GoOn(connection) => connection,
            SettlementTurn::Elsewhere => {
                if stage == StageName::ResolutionApproved {
                    change.make_move_and_follow_up(&mut writing, &mut returned, index, &Move::StartProcessing).await?;
                }
                let failed = Move::FailResolution { reason: ELSEWHERE.to_owned() };
                change.make_move_and_follow_up(&mut writing, &mut returned, index, &failed).await?;
                settlements::later(writing.db(), &one, None, 0, Lease::Ends).await?;
                writing.commit().await?;
                return Ok(None);
            }
            // It keeps its transaction id, in case the shop is called again.
            SettlementTurn::NotOurs => {
                settlements::later(writing.db(), &one, None, 0, Lease::Ends).await?;
                writing.commit().await?;
                return Ok(None);
            }
        };
        let shop = self.retour.shop(&account, connection)?;
        let asked = ask(&mut writing, &returned, index, &one).await?;
        let way = way(&mut writing, &returned, index, &one).await?;
        let (now, name) = (self.retour.now(), account.bridge.shop_key());
        let held_until = now.plus_seconds(shop.held_for());
        settlements::asked(writing.db(), &one, &name, now, held_until).await?;
        writing.commit().await?;
        Ok(Some(SettlementCall { shop, name, asked, held_until, way }))
    }

    /// Records the result of a settlement. `false` if staff have moved the request on during the call.
    pub(crate) async fn end_settlement(&self, writing: &mut Writing, one: &Settlement, mv: &Move) -> Result<bool> {
        let LockedSettlement { account, mut returned, index } = self.lock_settled(writing, one).await?;
        if settlements::find(writing.db(), account.id, one.id).await?.is_none() {
            return Ok(false); // another resolution has replaced it
        }
        let change = self.system(&account);
        match (returned.request(index)?.state.stage.name(), mv) {
            (StageName::ResolutionProcessing, _) => {}
            // Staff marked the request as failed while the shop was paying. It is paid, so it must not be paid again.
            (StageName::ResolutionFailed, Move::CompleteResolution { .. }) => {
                change.make_move_and_follow_up(writing, &mut returned, index, &Move::StartProcessing).await?;
            }
            _ => return Ok(false),
        }
        change.make_move_and_follow_up(writing, &mut returned, index, mv).await?;
        Ok(true)
    }

    /// Replaces the request's failed attempts by the result of `after`, and adds a new error to its timeline. Does
    /// nothing if a person has moved the request on since the call to the shop.
    pub(crate) async fn set_failed_attempts(
        &self,
        writing: &mut Writing,
        one: &Settlement,
        after: impl FnOnce(Option<&FailedAttempts>) -> Option<FailedAttempts> + Send,
    ) -> Result<()> {
        let LockedSettlement { account, mut returned, index } = self.lock_settled(writing, one).await?;
        if settlements::find(writing.db(), account.id, one.id).await?.is_none() {
            return Ok(()); // another resolution has replaced it
        }
        let change = self.system(&account);
        let request = returned.requests.get_mut(index).or_broken()?;
        let before = request.state.failed_attempts().map(|failed| failed.message.clone());
        let attempts = after(request.state.failed_attempts());
        let message = attempts.as_ref().map(|failed| failed.message.clone());
        if !request.state.set_failed_attempts(attempts) {
            return Ok(());
        }
        request.updated_at = change.now;
        if !return_requests::update(writing.db(), account.id, request).await? {
            return Err(Error::broken()); // cannot happen: the return order is locked
        }
        if let Some(error) = message.filter(|message| before.as_ref() != Some(message)) {
            writing.add_timeline_entry(failed_attempt(account.id, request, change.now, &error));
        }
        Ok(())
    }

    async fn lock_settled(&self, writing: &mut Writing, one: &Settlement) -> Result<LockedSettlement> {
        let account = accounts::find(writing.db(), one.account_id).await?.or_broken()?;
        let found = return_requests::find(writing.db(), account.id, one.return_request_id).await?.or_broken()?;
        let returned = Returned::lock(writing, account.id, found.return_order_id).await?.or_broken()?;
        let index = returned.requests.iter().position(|request| request.id == one.return_request_id);
        Ok(LockedSettlement { account, returned, index: index.or_broken()? })
    }

    fn system<'a>(&'a self, account: &'a Account) -> Change<'a> {
        let (actor, comment) = (Actor::System, String::new());
        Change { retour: &self.retour, account, now: self.retour.now(), actor, staff: None, comment, parcel: None }
    }
}

/// The locked rows of a settlement.
struct LockedSettlement {
    account: Account,
    returned: Returned,
    index: usize,
}

/// Who acts next on a settlement.
enum SettlementTurn<'a> {
    /// Retour calls this shop for the first time.
    Begin(&'a BridgeConnection),
    /// Retour calls this shop again, as the result of an earlier call is unknown.
    GoOn(&'a BridgeConnection),
    /// Staff: another shop than the connected one may have carried it out.
    Elsewhere,
    /// Another system or staff: they have settled it, are settling it, or have to report it.
    NotOurs,
}

fn turn<'a>(stage: StageName, one: &Settlement, account: &'a Account, told_by: &str) -> SettlementTurn<'a> {
    let connection = account.bridge.connection().filter(|_| account.is_settled_by_its_shop());
    let is_this = |shop: &str| shop == account.bridge.shop_key();
    match (stage, connection) {
        (StageName::ResolutionApproved, Some(connection)) if is_this(told_by) => SettlementTurn::Begin(connection),
        (StageName::ResolutionApproved, Some(_)) => SettlementTurn::Elsewhere,
        (StageName::ResolutionProcessing, connection) if one.first_asked_at.is_some() => connection
            .filter(|_| one.asked_shop.is_empty() || is_this(&one.asked_shop))
            .map_or(SettlementTurn::Elsewhere, SettlementTurn::GoOn),
        _ => SettlementTurn::NotOurs,
    }
}

/// Whether the shop has, or will have, a return of its own for the request. What consumers keep is in no return.
async fn way(writing: &mut Writing, returned: &Returned, index: usize, one: &Settlement) -> Result<SettlementWay> {
    if returned.request(index)?.state.kept {
        return Ok(SettlementWay::Alone);
    }
    let found = shop_returns::find(writing.db(), one.account_id, returned.order.id, one.order_id).await?;
    Ok(match found {
        Some(ShopReturn { external_id: Some(id), .. }) => SettlementWay::ByReturn(id),
        Some(ShopReturn { is_over: false, tries, error, .. }) => {
            SettlementWay::AfterReturn((tries >= FAILURES_TO_WAIT_FOR).then_some(error))
        }
        // The shop has none, and gets none.
        Some(ShopReturn { is_over: true, .. }) | None => SettlementWay::Alone,
    })
}

/// The amounts were fixed when the resolution was approved, so repeated calls are identical.
async fn ask(writing: &mut Writing, returned: &Returned, index: usize, one: &Settlement) -> Result<ResolveReturn> {
    let request = returned.request(index)?;
    let bought = purchases::find_whole(writing.db(), one.account_id, request.purchase_id).await?.or_broken()?;
    let (purchase, value, quantity) = (request.purchase_id, request.resolution_value, request.state.refundable_units());
    let costs = &returned.order.cost_breakdown;
    let settled = costs.settled(purchase, value);
    let money = |minor| Money::new(minor, request.currency());
    let is_exchange = request.requested_resolution == Resolution::Exchange;
    let duties = returned.item(purchase)?.duties_of(quantity);
    let item = Item {
        return_request_id: request.id,
        purchase_id: request.purchase_external_id.clone(),
        quantity,
        amount: money(if is_exchange { costs.worth(purchase) } else { settled.items }),
        duties: money(costs.settled_duties(purchase, value, duties)),
        exchange_sku: request.exchange_for.as_ref().filter(|_| is_exchange).map(|wanted| wanted.sku.clone()),
        disposition: request.state.inspection.as_ref().and_then(|inspection| inspection.disposition),
    };
    Ok(ResolveReturn {
        transaction_id: one.id.0,
        kind: request.requested_resolution,
        order_id: bought.order_external_id,
        return_order_number: returned.order.number.clone(),
        items: vec![item],
        shipping_refund: money(settled.shipping),
        fees: money(settled.fees),
        gift_recipient_email: returned.consumer.credentials.is_gift().then(|| returned.consumer.email.clone()),
    })
}

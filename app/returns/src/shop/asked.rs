//! What a shop is asked to carry out, and the stages that go with it.

use super::Shop;
use crate::{
    Error, Result, Retour,
    change::{Change, Returned},
};
use domain::{
    Money, TransactionId,
    bridge::Connection,
    order::Account,
    returning::Actor,
    stage::{Move, StageName, Step},
};
use outbound::bridge::contract::{Item, ResolveReturn};
use store::{
    Writing, accounts, purchases, return_requests,
    settlements::{self, Settlement},
};

/// Why a person has to look.
const ELSEWHERE: &str =
    "Another shop is connected than the one that was asked. Look there whether it was carried out before trying again.";

/// A settlement that can be carried out.
pub(super) struct Begun {
    pub shop: Shop,
    pub asked: ResolveReturn,
}

impl Change<'_> {
    /// Has the shop carry out what was approved just now, or what failed and is tried again; nothing where somebody else
    /// sees to it.
    pub(crate) async fn have_settled(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        (index, step): (usize, &Step),
    ) -> Result<()> {
        let request = returned.request(index)?;
        let first_asked_at = match step.state.stage.name() {
            StageName::ResolutionApproved => None,
            // By a person; it is the worker that begins what was approved.
            StageName::ResolutionProcessing
                if self.actor == Actor::Merchant && request.state.stage.name() == StageName::ResolutionFailed =>
            {
                Some(self.now)
            }
            _ => return Ok(()),
        };
        if !self.account.is_settled_by_its_shop() {
            return Ok(());
        }
        let settlement = Settlement {
            account_id: self.account.id,
            id: TransactionId(self.retour.source.id()),
            return_request_id: request.id,
            order_id: returned.item(request.purchase_id)?.order_id,
            tries: 0,
            first_asked_at,
            asked_url: String::new(),
        };
        Ok(settlements::insert(writing.db(), &settlement, self.now).await?)
    }
}

impl Retour {
    /// Puts the request into `Resolution: Processing` and tells what to ask. Nothing, where it is somebody else's by now.
    pub(super) async fn begin_settlement(&self, one: &Settlement) -> Result<Option<Begun>> {
        let mut writing = self.store.write().await?;
        let account = accounts::find(writing.db(), one.account_id).await?.ok_or(Error::Broken)?;
        let found =
            return_requests::find(writing.db(), account.id, one.return_request_id).await?.ok_or(Error::Broken)?;
        let mut returned =
            Returned::lock(&mut writing, account.id, found.return_order_id).await?.ok_or(Error::Broken)?;
        let index = place(&returned, one)?;
        let change = self.system(&account);
        let connection = match turn(returned.request(index)?.state.stage.name(), one, &account) {
            Turn::Begin(connection) => {
                change.go(&mut writing, &mut returned, (index, &Move::StartProcessing)).await?;
                connection
            }
            Turn::GoOn(connection) => connection,
            Turn::Elsewhere => {
                let failed = Move::FailResolution { reason: ELSEWHERE.to_owned() };
                change.go(&mut writing, &mut returned, (index, &failed)).await?;
                settlements::later(writing.db(), one, None, 0).await?;
                writing.commit().await?;
                return Ok(None);
            }
            Turn::NotOurs => {
                settlements::delete(writing.db(), one).await?;
                writing.commit().await?;
                return Ok(None);
            }
        };
        let shop = self.shop(&account, connection)?;
        let asked = ask(&mut writing, &returned, (index, one)).await?;
        let (now, url) = (self.now(), &connection.url);
        settlements::asked(writing.db(), one, url, now, now.plus_seconds(shop.held_for())).await?;
        writing.commit().await?;
        Ok(Some(Begun { shop, asked }))
    }

    /// Makes a move of the request that is settled; `false` where it is not being settled any more.
    pub(super) async fn move_settled(&self, writing: &mut Writing, one: &Settlement, mv: &Move) -> Result<bool> {
        let account = accounts::find(writing.db(), one.account_id).await?.ok_or(Error::Broken)?;
        let found =
            return_requests::find(writing.db(), account.id, one.return_request_id).await?.ok_or(Error::Broken)?;
        let mut returned = Returned::lock(writing, account.id, found.return_order_id).await?.ok_or(Error::Broken)?;
        let index = place(&returned, one)?;
        if returned.request(index)?.state.stage.name() != StageName::ResolutionProcessing {
            return Ok(false);
        }
        self.system(&account).go(writing, &mut returned, (index, mv)).await?;
        Ok(true)
    }

    fn system<'a>(&'a self, account: &'a Account) -> Change<'a> {
        let (actor, comment) = (Actor::System, String::new());
        Change { retour: self, account, now: self.now(), actor, staff: None, comment, parcel: None }
    }
}

/// Who is to do what with a settlement.
enum Turn<'a> {
    /// We ask this shop, for the first time.
    Begin(&'a Connection),
    /// We ask this shop again: nobody knows what became of it.
    GoOn(&'a Connection),
    /// A person: another shop than this one may have carried it out.
    Elsewhere,
    /// Whoever has settled it or is at it.
    NotOurs,
}

fn turn<'a>(stage: StageName, one: &Settlement, account: &'a Account) -> Turn<'a> {
    let connection = account.bridge.connection().filter(|_| account.is_settled_by_its_shop());
    match (stage, connection) {
        (StageName::ResolutionApproved, Some(connection)) => Turn::Begin(connection),
        (StageName::ResolutionProcessing, connection) if one.first_asked_at.is_some() => connection
            .filter(|now| one.asked_url.is_empty() || one.asked_url == now.url)
            .map_or(Turn::Elsewhere, Turn::GoOn),
        _ => Turn::NotOurs,
    }
}

impl Change<'_> {
    async fn go(&self, writing: &mut Writing, returned: &mut Returned, (index, mv): (usize, &Move)) -> Result<()> {
        let step = returned.request(index)?.state.apply(mv, &self.context())?;
        self.write_step(writing, returned, (index, step), self.actor).await?;
        self.follow_up(writing, returned).await
    }
}

fn place(returned: &Returned, one: &Settlement) -> Result<usize> {
    let mut requests = returned.requests.iter();
    requests.position(|request| request.id == one.return_request_id).ok_or(Error::Broken)
}

/// The figures were fixed when the resolution was approved: whenever this is asked, it is the same.
async fn ask(writing: &mut Writing, returned: &Returned, (index, one): (usize, &Settlement)) -> Result<ResolveReturn> {
    let request = returned.request(index)?;
    let bought =
        purchases::find_whole(writing.db(), one.account_id, request.purchase_id).await?.ok_or(Error::Broken)?;
    let settled = returned.order.cost_breakdown.settled(request.purchase_id, request.resolution_value);
    let money = |minor| Money::new(minor, request.currency());
    let item = Item {
        return_request_id: request.id,
        purchase_id: request.purchase_external_id.clone(),
        quantity: request.state.refundable_units(),
        amount: money(settled.items),
        exchange_sku: None,
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
    })
}

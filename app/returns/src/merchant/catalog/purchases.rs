//! The lines of a merchant's orders.

use super::order_input::{MAX_EXTERNAL_ID_CHARS, PurchaseInput};
use crate::{
    base::{Error, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, detached, error::check},
    drafting::settings::Settings,
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, OrderId, Problems, PurchaseId, Refusal, RefusalCode,
    audit::{AuditAction, AuditSubject},
    order::{NewOrder, NewPurchase},
    proof::EmailKey,
};
use store::{
    Db,
    import::{Incoming, OrderSource, RefusedBecause},
    known_lines,
    lists::Listing,
    purchases::{self, PurchaseWithOrder},
    withdrawals::{self, Withdrawn},
};

impl MerchantHandle<'_> {
    /// An account's purchases.
    pub async fn all_purchases(self, listing: &Listing) -> Result<view::List<view::Purchase>> {
        let mut reading = self.retour.store.read().await?;
        let settings = Settings::of_account(self.retour, reading.db(), self.staff.account()).await?;
        let rows = purchases::list_all(reading.db(), self.staff.account(), listing).await?;
        let withdrawn = withdrawn_by(reading.db(), self.staff.account(), &rows.rows).await?;
        Ok(view::List::new(listing.page, rows, |bought| self.retour.show_purchase(&settings, &withdrawn, bought)))
    }

    /// A purchase, by Retour's id or the shop's.
    pub async fn purchase(self, id: &str) -> Result<view::Purchase> {
        let mut reading = self.retour.store.read().await?;
        let bought = find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        let settings = Settings::of_account(self.retour, reading.db(), self.staff.account()).await?;
        let withdrawn = withdrawn_by(reading.db(), self.staff.account(), std::slice::from_ref(&bought)).await?;
        Ok(self.retour.show_purchase(&settings, &withdrawn, bought))
    }

    /// Creates or updates one purchase, found by the shop's id, or by Retour's if it exists. Amounts and quantities
    /// that a return was calculated from cannot change. `true` if the purchase is new.
    pub async fn put_purchase(self, id: String, input: PurchaseInput) -> Result<(bool, view::Purchase)> {
        let (retour, account) = (self.retour.clone(), self.staff.account());
        detached(async move { again_on_deadlock(|| retour.put_purchase_once(account, &id, &input)).await }).await
    }
}

impl Retour {
    async fn put_purchase_once(
        &self,
        account: AccountId,
        id: &str,
        input: &PurchaseInput,
    ) -> Result<(bool, view::Purchase)> {
        let mut writing = self.store.write().await?;
        // Serializes writers: one that updates locks the line before its order, one that inserts locks them in reverse.
        store::accounts::hold(writing.db(), account).await?;
        let known = find(writing.db(), account, id).await?;
        let external_id = match &known {
            Some(known) => known.purchase.external_id.clone(),
            None => {
                let mut problems = Problems::default();
                problems.check_text("externalId", id, 1..=MAX_EXTERNAL_ID_CHARS);
                check(problems)?;
                id.to_owned()
            }
        };
        let mut order = input.read(&external_id).or_else(|problems| check(problems).and(Err(Error::broken())))?;
        if let Some(PurchaseWithOrder { purchase, .. }) = &known {
            // An import may have set these; a single line cannot.
            order.is_partial = purchase.order.is_partial;
            for line in order.lines.iter_mut().filter(|_| input.removed_quantity.is_none()) {
                line.removed = purchase.removed.min(line.quantity.saturating_sub(line.fulfilled));
            }
        } else {
            let last = purchases::last_position(writing.db(), account, &order.external_id).await?;
            order.lines.iter_mut().for_each(|line| line.position = last.saturating_add(1));
        }
        Self::forget_erased(writing.db(), account, std::iter::once(&mut order)).await?;
        let new_id = PurchaseId(self.source.id());
        let incoming = Incoming { id: OrderId(self.source.id()), line_ids: vec![new_id], order };
        known_lines::hold(writing.db(), account, std::iter::once(&incoming.order)).await?;
        let upserted =
            store::import::upsert(writing.db(), account, OrderSource::HERE, std::slice::from_ref(&incoming)).await?;
        if let Some((_, why)) = upserted.refused.first() {
            return Err(refusal_of(*why).into());
        }
        let bought = purchases::find_by_external_id(writing.db(), account, &external_id).await?.or_broken()?;
        check_against(&bought, &incoming.order)?;
        let settings = Settings::of_account(self, writing.db(), account).await?;
        let withdrawn = withdrawn_by(writing.db(), account, std::slice::from_ref(&bought)).await?;
        writing.commit().await?;
        Ok((bought.purchase.id == new_id, self.show_purchase(&settings, &withdrawn, bought)))
    }
}

impl MerchantHandle<'_> {
    /// Deletes a purchase of which nothing was ever returned, and the order with its last purchase.
    pub async fn delete_purchase(self, id: String) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.delete_purchase_once(&staff, &id)).await }).await
    }
}

impl Retour {
    async fn delete_purchase_once(&self, staff: &Staff, id: &str) -> Result<()> {
        let account = staff.account();
        let mut writing = self.store.write().await?;
        let purchase = find(writing.db(), account, id).await?.ok_or(Error::NotFound)?.purchase;
        if !purchases::delete_unreturned(writing.db(), account, purchase.id).await? {
            let message = "Units of this purchase were returned, so it cannot be deleted.";
            return Err(Refusal::new(RefusalCode::InUse, message).into());
        }
        store::orders::delete_empty(writing.db(), account, purchase.order.id).await?;
        let subject = AuditSubject::purchase(&purchase.external_id);
        audit::record(&mut writing, staff, self.now(), AuditAction::PurchaseDeleted, subject, None, None);
        Ok(writing.commit().await?)
    }

    fn show_purchase(&self, settings: &Settings, withdrawn: &[Withdrawn], bought: PurchaseWithOrder) -> view::Purchase {
        let buyer = EmailKey::new(&bought.email);
        let of_buyer = withdrawn.iter().filter(|one| buyer.is_some() && one.email == buyer);
        let eligibility = settings.judge_withdrawn(&bought.purchase, of_buyer, self.now());
        view::Purchase::new(bought, eligibility)
    }
}

/// The withdrawals of the buyers of these purchases.
async fn withdrawn_by(db: Db<'_>, account: AccountId, bought: &[PurchaseWithOrder]) -> Result<Vec<Withdrawn>> {
    let mut emails: Vec<EmailKey> = bought.iter().filter_map(|one| EmailKey::new(&one.email)).collect();
    emails.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
    emails.dedup();
    Ok(withdrawals::list_withdrawn_of_emails(db, account, &emails).await?)
}

/// A purchase by Retour's id, or else by the shop's.
async fn find(mut db: Db<'_>, account: AccountId, id: &str) -> Result<Option<PurchaseWithOrder>> {
    if id.contains('\0') {
        return Ok(None); // Postgres rejects the whole query
    }
    if let Ok(ours) = id.parse::<PurchaseId>()
        && let Some(found) = purchases::find_whole(db.reborrow(), account, ours).await?
    {
        return Ok(Some(found));
    }
    Ok(purchases::find_by_external_id(db, account, id).await?)
}

/// Refuses an order that contradicts the known purchase.
fn check_against(bought: &PurchaseWithOrder, order: &NewOrder) -> Result<()> {
    if bought.order_external_id != order.external_id {
        let message = "This purchase belongs to another order.";
        return Err(Refusal::new(RefusalCode::OtherOrder, message).into());
    }
    let taken = bought.purchase.units.taken;
    let has_fewer = |line: &NewPurchase| line.quantity < taken || line.fulfilled < taken;
    if order.lines.iter().any(has_fewer) {
        let message =
            format!("Units of this purchase in returns: {taken}. The quantities bought and sent cannot be lower.");
        return Err(Refusal::new(RefusalCode::InUse, message).into());
    }
    Ok(())
}

/// The refusal for an order that cannot be imported.
fn refusal_of(why: RefusedBecause) -> Refusal {
    match why {
        RefusedBecause::KnownUnderAnotherId => Refusal::new(
            RefusalCode::KnownUnderAnotherId,
            "An order with the same number, e-mail address and postal code is stored under another id: its items could \
             be returned twice.",
        ),
        RefusedBecause::OtherOrder => Refusal::new(
            RefusalCode::OtherOrder,
            "Another order has this id, with another number, and with another buyer or another date. Or another order has \
             this number, and no id distinguishes the two.",
        ),
        RefusedBecause::OtherCurrency => Refusal::new(
            RefusalCode::OtherCurrency,
            "This order is stored in another currency. The currency of an order cannot change.",
        ),
    }
}

//! Storing orders that are read again from their shop: what look-ups stored is brought up to date.

use super::shop_answer::ShopAnswer;
use crate::base::{Result, Retour};
use domain::{Timestamp, account::Account};
use outbound::shops::shopify::{ChangedOrder, OrderNow};
use store::{
    Writing, accounts, known_lines, order_refreshes,
    orders::{self, PlacedOrder},
    shop_orders,
};

/// Shopify shows every app the orders of the last 60 days. A day less, because of the shop's time zone.
const SHOWN_DAYS: u32 = 59;
/// How far the clocks of the shop and of all instances may differ, seconds. An order that changed that long before it was
/// read is read again.
const CLOCKS_DIFFER: i64 = 300;

impl Retour {
    /// Stores an order as its shop has it now, with the code that stores the answer to a look-up. `asked_at`: when the shop was
    /// asked. The lines of an order that the shop no longer has cannot be returned any more.
    pub(crate) async fn keep_refreshed(
        &self,
        writing: &mut Writing,
        account: &Account,
        order: &PlacedOrder,
        now: &OrderNow,
        asked_at: Timestamp,
    ) -> Result<()> {
        if orders::find(writing.db(), account.id, order.id).await?.is_none() {
            return Ok(()); // deleted during the call: it is not stored anew
        }
        match now {
            OrderNow::Found(found) => {
                let answer = ShopAnswer::new(found, None, asked_at);
                self.keep(writing, account.id, &account.bridge.shop_key(), &answer).await
            }
            OrderNow::NotShown { sees_all } if *sees_all || asked_at < order.ordered_at.plus_days(SHOWN_DAYS) => {
                accounts::hold(writing.db(), account.id).await?;
                known_lines::hold_orders(writing.db(), account.id, &[order.external_id.as_str()]).await?; // locks the lines
                Ok(known_lines::withdraw_others(writing.db(), account.id, &order.external_id, &[]).await?)
            }
            OrderNow::NotShown { .. } => Ok(()),
        }
    }

    /// Requests that those of these orders are read again that are stored as they were before their change. The requests are
    /// due at once.
    pub(crate) async fn refresh_changed(
        &self,
        writing: &mut Writing,
        account: &Account,
        changed: &[ChangedOrder],
    ) -> Result<()> {
        let (shop, now) = (account.bridge.shop_key(), self.now());
        let ids: Vec<&str> = changed.iter().map(|order| order.id.as_str()).collect();
        let known = shop_orders::list_known(writing.db(), account.id, &shop, &ids).await?;
        for order in known {
            let is_news = |one: &ChangedOrder| {
                one.id == order.external_id && order.asked_at < one.updated_at.plus_seconds(CLOCKS_DIFFER)
            };
            if changed.iter().any(is_news) {
                order_refreshes::insert(writing.db(), account.id, order.id, now, now).await?;
            }
        }
        Ok(())
    }
}

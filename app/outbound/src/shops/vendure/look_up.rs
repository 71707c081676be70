//! Finding the order that a shopper names.

use super::{
    client::VendureSession,
    graphql, purchases,
    responses::{LookUpResponse, PlacedOrder},
};
use crate::bridge::{BridgeError, LookUp, contract::GetPurchases, verified};
use domain::proof::{TypedOrderNumber, order_number};
use serde_json::json;

/// See [`super::Vendure::get_purchases`].
pub(super) async fn look_up(session: &VendureSession<'_>, asked: &GetPurchases) -> Result<LookUp, BridgeError> {
    let number = &asked.credentials.order_number;
    let Some(wanted) = TypedOrderNumber::new(number) else { return Ok(LookUp::NotFound) };
    // Vendure compares codes exactly, and its default codes are in upper case.
    let typed: String = order_number::cleaned(number).chars().filter(|c| !c.is_whitespace()).collect();
    let plain = typed.trim_start_matches('#');
    let codes = [&typed, plain, &plain.to_uppercase()];
    let url = &session.api.url;
    let url = url.with("languageCode", &asked.locale.0.replace('-', "_")).unwrap_or_else(|_| url.clone());
    let found: LookUpResponse = session.query(&url, graphql::LOOK_UP, json!({"codes": codes})).await?;
    let is_wanted = |order: &PlacedOrder| wanted.fit(&order.code).is_some();
    let order = found.orders.items.into_iter().find(is_wanted).filter(PlacedOrder::can_be_returned);
    let Some(order) = order else { return Ok(LookUp::NotFound) };
    let decimals = found.global_settings.server_config.money_strategy_precision;
    Ok(match verified(purchases::purchases(&order.sorted(), decimals)?, &asked.credentials)? {
        // We searched by the number only, so another person's order is no error of the shop.
        LookUp::NotTheirs(_) => LookUp::NotFound,
        outcome => outcome,
    })
}

//! Finding the order that a shopper names.

use super::{
    client::ShopifySession,
    documents::{BY_ID, LOOK_UP, MORE_LINES, NAMES},
    purchases::purchases,
    responses::{ByIdResponse, LookUpResponse, MoreLinesResponse, NamedOrder, NamesResponse, PlacedOrder},
    supplement::Supplement,
};
use crate::bridge::{
    BridgeError, LookUp,
    contract::{GetPurchases, Purchases},
    valid_purchases, verified,
};
use domain::proof::{
    TypedOrderNumber,
    order_number::{self, NumberFit},
};
use serde_json::json;

/// The lines of a request. Orders with more lines need more requests. More lines could cost more than Shopify allows for one.
const LINES_PER_PAGE: u32 = 80;
/// The most lines of an order in the contract.
const MAX_LINES: usize = 1_000;

/// See [`super::Shopify::get_purchases`].
pub(super) async fn look_up(session: &ShopifySession<'_>, asked: &GetPurchases) -> Result<LookUp, BridgeError> {
    let number = &asked.credentials.order_number;
    let Some(wanted) = TypedOrderNumber::new(number) else { return Ok(LookUp::NotFound) };
    let Some(mut order) = find(session, number, &wanted).await? else { return Ok(LookUp::NotFound) };
    if !order.can_be_returned() {
        return Ok(LookUp::NotFound);
    }
    read_all_lines(session, &mut order).await?;
    let supplement = Supplement::read(session, &order).await?;
    Ok(match verified(purchases(&order, &supplement), &asked.credentials)? {
        // We searched by the number only, so another person's order is no error of the shop.
        LookUp::NotTheirs(_) => LookUp::NotFound,
        outcome => outcome,
    })
}

/// Reads one order by its id, with all of its lines; `None` if the shop does not show it.
pub(super) async fn by_id(
    session: &ShopifySession<'_>,
    id: &str,
) -> Result<Option<(PlacedOrder, Supplement)>, BridgeError> {
    let variables = json!({"id": id, "lines": LINES_PER_PAGE});
    let ByIdResponse { order } = session.query(BY_ID, variables).await?;
    let Some(mut order) = order else { return Ok(None) };
    if order.id != id {
        return Err(BridgeError::bad_field("data.order.id", "expected the order that was asked for"));
    }
    read_all_lines(session, &mut order).await?;
    let supplement = Supplement::read(session, &order).await?;
    Ok(Some((order, supplement)))
}

/// Reads one order by its id, for somebody who may see every order; `None` if a look-up would not find it.
pub(super) async fn read_order(session: &ShopifySession<'_>, id: &str) -> Result<Option<Purchases>, BridgeError> {
    let Some((order, supplement)) = by_id(session, id).await? else { return Ok(None) };
    shown(&order, &supplement)
}

/// What a look-up shows of an order; `None` if it shows nothing. All lines of the order have been read.
pub(super) fn shown(order: &PlacedOrder, supplement: &Supplement) -> Result<Option<Purchases>, BridgeError> {
    let found = purchases(order, supplement);
    if !order.can_be_returned() || found.purchases.is_empty() {
        return Ok(None);
    }
    valid_purchases(found).map(Some)
}

/// The order with this number. The search usually finds this order alone. If another result may fit better than the first, we
/// read all names that it found.
async fn find(
    session: &ShopifySession<'_>,
    number: &str,
    wanted: &TypedOrderNumber,
) -> Result<Option<PlacedOrder>, BridgeError> {
    let search = search_of(number, wanted);
    let variables = json!({"search": search, "lines": LINES_PER_PAGE});
    let LookUpResponse { orders } = session.query(LOOK_UP, variables).await?;
    let has_more = orders.page_info.has_next_page;
    let fit = |order: PlacedOrder| wanted.fit(&order.name).map(|fit| (fit, order));
    if let Some((fit, order)) = orders.nodes.into_iter().find_map(fit)
        && (fit == NumberFit::Whole || !has_more)
    {
        return Ok(Some(order));
    }
    if !has_more {
        return Ok(None);
    }
    let Some(named) = best_named(session, &search, wanted).await? else { return Ok(None) };
    let variables = json!({"id": named.id, "lines": LINES_PER_PAGE});
    let ByIdResponse { order } = session.query(BY_ID, variables).await?;
    Ok(order)
}

/// The id and name of the order with this number, without a proof: for the merchant's staff.
pub(super) async fn named(session: &ShopifySession<'_>, number: &str) -> Result<Option<NamedOrder>, BridgeError> {
    let Some(wanted) = TypedOrderNumber::new(number) else { return Ok(None) };
    best_named(session, &search_of(number, &wanted), &wanted).await
}

/// The order whose name fits best, among those that a search finds.
async fn best_named(
    session: &ShopifySession<'_>,
    search: &str,
    wanted: &TypedOrderNumber,
) -> Result<Option<NamedOrder>, BridgeError> {
    let NamesResponse { orders } = session.query(NAMES, json!({"search": search})).await?;
    let fitting = orders.nodes.into_iter().filter_map(|order| Some((wanted.fit(&order.name)?, order)));
    Ok(fitting.min_by_key(|(fit, _)| *fit).map(|(_, order)| order))
}

/// The search for an order's name, in Shopify's search syntax: each spelling in quotes, with and without `#`.
fn search_of(number: &str, wanted: &TypedOrderNumber) -> String {
    let cleaned = order_number::cleaned(number);
    let mut spellings: Vec<String> = Vec::new();
    for candidate in [cleaned.as_str()].into_iter().chain(wanted.candidates()) {
        let plain: String = candidate.trim_start_matches('#').trim().to_owned();
        for spelling in [plain.clone(), format!("#{plain}")] {
            let is_known = spellings.iter().any(|known| known.eq_ignore_ascii_case(&spelling));
            if !plain.is_empty() && !is_known {
                spellings.push(spelling);
            }
        }
    }
    let term = |spelling: &String| format!("name:\"{}\"", spelling.replace('\\', "\\\\").replace('"', "\\\""));
    spellings.iter().map(term).collect::<Vec<_>>().join(" OR ")
}

/// Reads the lines after the first page.
async fn read_all_lines(session: &ShopifySession<'_>, order: &mut PlacedOrder) -> Result<(), BridgeError> {
    while order.line_items.page_info.has_next_page && order.line_items.nodes.len() <= MAX_LINES {
        let Some(after) = &order.line_items.page_info.end_cursor else {
            return Err(BridgeError::bad_field("data.order.lineItems.pageInfo.endCursor", "expected a cursor"));
        };
        let variables = json!({"id": order.id, "lines": LINES_PER_PAGE, "after": after});
        let MoreLinesResponse { order: more } = session.query(MORE_LINES, variables).await?;
        let Some(more) = more else {
            return Err(BridgeError::bad_field("data.order", "expected the order that the shop has just shown"));
        };
        // Such pages would never end.
        if more.line_items.nodes.is_empty() || more.line_items.page_info.end_cursor.as_ref() == Some(after) {
            return Err(BridgeError::bad_field("data.order.lineItems", "expected another page of lines"));
        }
        order.line_items.page_info = more.line_items.page_info;
        order.line_items.nodes.extend(more.line_items.nodes);
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn search(number: &str) -> String {
        search_of(number, &TypedOrderNumber::new(number).unwrap())
    }

    #[test]
    fn all_spellings_of_a_name_are_searched() {
        assert_eq!(search("1001"), r##"name:"1001" OR name:"#1001""##);
        assert_eq!(search(" #1001 "), r##"name:"1001" OR name:"#1001""##);
        let with_words = search("Order EN1001-A");
        assert!(with_words.starts_with(r##"name:"EN1001-A" OR name:"#EN1001-A" OR "##), "{with_words}");
        let with_word = search("Gift #1001");
        assert!(with_word.contains(r#"name:"1001""#) && with_word.contains("Gift #1001"), "{with_word}");
    }

    #[test]
    fn a_number_cannot_change_the_search() {
        assert!(search(r#"1" OR email:"x"#).contains(r#"name:"1\" OR email:\"x""#), "{}", search(r#"1" OR email:"x"#));
    }
}

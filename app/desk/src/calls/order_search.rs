//! Finds orders for staff. The addresses of pages contain ids, and no names or e-mail addresses.

use super::call::Next;
use crate::{problem::Problem, visit::Visit};
use domain::{OrderId, integration::Bridge};
use returns::{Error, Listing, MAX_LIMIT, OrderOfConsumer, Page, Scope};

/// The most orders on one page.
pub const MOST_ORDERS: usize = 20;

/// What staff typed to find an order.
#[derive(Debug, Clone, Default)]
pub struct TypedSearch {
    pub words: String,
    /// An e-mail address or a postal code, for an order that only the shop knows.
    pub proof: String,
    /// Whether the person wants to return items of the order.
    pub is_for_return: bool,
}

/// Finds orders, and where to go on: the page of a new return, or the list of what was found.
pub async fn find(visit: &Visit, typed: TypedSearch) -> Result<Next, Problem> {
    let words = visit.words.orders;
    let staff = visit.may_act(Scope::Read)?;
    let wanted = typed.words.trim();
    if wanted.is_empty() {
        return Err(Problem::mistake("q", visit.words.common.required));
    }
    let listing = Listing { search: Some(wanted.to_owned()), ..Listing::newest(Page::first(MAX_LIMIT)) };
    let found = match visit.retour.merchant(&staff).all_purchases(&listing).await {
        Ok(found) => found.data,
        Err(Error::SearchTooBroad) => return Err(Problem::mistake("q", words.too_many)),
        Err(error) => return Err(visit.problem(error)),
    };
    let mut orders: Vec<OrderId> = Vec::new();
    for purchase in found {
        if !orders.contains(&purchase.order.id) {
            orders.push(purchase.order.id);
        }
    }
    match orders.as_slice() {
        [] => Box::pin(ask_shop(visit, wanted, typed.proof.trim())).await,
        [one] if typed.is_for_return && visit.may(Scope::Write) => Box::pin(begin(visit, *one)).await,
        _ => {
            let shown: Vec<String> = orders.iter().take(MOST_ORDERS).map(ToString::to_string).collect();
            let more = if orders.len() > MOST_ORDERS { "&more" } else { "" };
            Ok(Next::at(visit.path(&format!("orders?o={}{more}", shown.join(",")))))
        }
    }
}

/// Begins a return of an order that Retour knows.
pub async fn begin(visit: &Visit, order: OrderId) -> Result<Next, Problem> {
    open(visit, OrderOfConsumer { order_id: Some(order), ..OrderOfConsumer::default() }).await
}

/// Asks the account's shop for an order that is not stored yet.
async fn ask_shop(visit: &Visit, number: &str, proof: &str) -> Result<Next, Problem> {
    let words = visit.words.orders;
    if visit.account.bridge == Bridge::Catalog || !visit.may(Scope::Write) {
        return Err(Problem::mistake("q", words.none));
    }
    if proof.is_empty() {
        return Err(Problem::mistake("proof", words.none_at_shop));
    }
    let (email, postal_code) =
        if proof.contains('@') { (Some(proof.to_owned()), None) } else { (None, Some(proof.to_owned())) };
    let order = OrderOfConsumer { order_number: Some(number.to_owned()), order_id: None, email, postal_code };
    match open(visit, order).await {
        Err(Problem::Mistakes(_)) => Err(Problem::mistake("q", words.none)),
        opened => opened,
    }
}

async fn open(visit: &Visit, order: OrderOfConsumer) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let opened = visit.retour.merchant(&staff).create_consumer(order).await;
    let (_, consumer) = opened.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path(&format!("new-return?consumer={}", consumer.id))))
}

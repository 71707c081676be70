//! Finding the one order that a shopper names.

use super::{
    client::Session,
    purchases,
    shop::{Address, Candidate, Candidates, PlacedOrder, Single},
};
use crate::{
    bridge::{
        BridgeError, LookUp, checked,
        contract::{Credentials, Proof},
    },
    built_in::not_understood,
};
use domain::order::{OrderNumberKey, ProofKey};

/// Small, since Medusa adds every line of every order.
const PAGE: usize = 20;
/// Then the shop holds too many orders that fit. The smaller a number, the sooner it comes.
const MOST_PAGES: usize = 40;
const CANDIDATE: &str =
    "id,display_id,custom_display_id,email,shipping_address.postal_code,billing_address.postal_code";
/// The order as its shopper sees it.
const PLACED: &str = "id,display_id,custom_display_id,email,status,currency_code,created_at,total,*items,*items.detail,\
    items.tax_lines.rate,*items.adjustments,items.variant.hs_code,items.variant.origin_country,\
    items.variant.options.value,items.variant.options.option.title,*shipping_address,*billing_address,\
    *shipping_methods,shipping_methods.detail.return_id,shipping_methods.detail.claim_id,\
    shipping_methods.detail.exchange_id,*fulfillments,fulfillments.items.line_item_id,fulfillments.items.quantity,\
    *payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";

/// See [`super::Medusa::get_purchases`].
pub(super) async fn look_up(session: &Session<'_>, asked: &Credentials) -> Result<LookUp, BridgeError> {
    let Some(wanted) = Wanted::new(asked) else { return Ok(LookUp::NotFound) };
    let Some(id) = find(session, &wanted).await? else { return Ok(LookUp::NotFound) };
    let found: Option<Single<PlacedOrder>> = session.ask(&["orders", &id], &[("fields", PLACED)]).await?;
    let order = found.map(|found| found.order).filter(|order| {
        order.candidate.id == id && wanted.is(&order.candidate) && !matches!(&*order.status, "draft" | "canceled")
    });
    let Some(order) = order else { return Ok(LookUp::NotFound) };
    let number = order.candidate.number(&wanted.number);
    Ok(match checked(purchases::purchases(order, number), asked)? {
        LookUp::NotTheirs(_) => LookUp::NotFound, // the shop was not asked who it is, so it made no mistake
        looked_up => looked_up,
    })
}

/// What an order is known by. Medusa filters by none of it: its search narrows, and we compare.
struct Wanted {
    number: OrderNumberKey,
    proof: ProofKey,
    is_email: bool,
}

impl Wanted {
    /// None where nothing can fit. A number of signs alone would be a wildcard that finds every order.
    fn new(asked: &Credentials) -> Option<Self> {
        let (proof, is_email) = match &asked.proof {
            Proof::Email(email) => (email, true),
            Proof::PostalCode(code) => (code, false),
        };
        let number =
            OrderNumberKey::new(&asked.order_number).filter(|key| key.as_str().contains(char::is_alphanumeric));
        Some(Self { number: number?, proof: ProofKey::new(proof)?, is_email })
    }

    /// Words that are each somewhere in the order. Of a postal code only the beginning: shops have spaces within it.
    fn words(&self) -> String {
        let proof = self.proof.as_str();
        let start = proof.char_indices().nth(2).map_or(proof, |(end, _)| proof.get(..end).unwrap_or(proof));
        format!("{} {}", self.number.as_str(), if self.is_email { proof } else { start })
    }

    fn is(&self, order: &Candidate) -> bool {
        let is = |text: Option<&String>| text.and_then(|text| ProofKey::new(text)).as_ref() == Some(&self.proof);
        let numbers = [order.custom_display_id.clone(), Some(order.display_id.to_string())];
        let has_number =
            numbers.iter().flatten().any(|number| OrderNumberKey::new(number).as_ref() == Some(&self.number));
        has_number
            && if self.is_email {
                is(order.email.as_ref())
            } else {
                order.addresses().any(|address| is(address.postal_code.as_ref()))
            }
    }
}

impl Candidate {
    /// Where it was sent to and billed to, as far as it says.
    pub fn addresses(&self) -> impl Iterator<Item = &Address> {
        [&self.shipping_address, &self.billing_address].into_iter().flatten()
    }

    /// The one of its numbers that was asked for.
    fn number(&self, wanted: &OrderNumberKey) -> String {
        let own = self.custom_display_id.as_ref().filter(|number| OrderNumberKey::new(number).as_ref() == Some(wanted));
        own.cloned().unwrap_or_else(|| self.display_id.to_string())
    }
}

/// The shop's id of the order. What the search finds is compared: it looks into names and telephone numbers too.
async fn find(session: &Session<'_>, wanted: &Wanted) -> Result<Option<String>, BridgeError> {
    let (words, limit) = (wanted.words(), PAGE.to_string());
    let mut seen = 0;
    for _ in 0..MOST_PAGES {
        let offset = seen.to_string();
        let query = [
            ("q", words.as_str()),
            ("order", "display_id"),
            ("limit", &limit),
            ("offset", &offset),
            ("fields", CANDIDATE),
        ];
        let page: Option<Candidates> = session.ask(&["orders"], &query).await?;
        let Some(page) = page else { return Ok(None) };
        if let Some(order) = page.orders.iter().find(|order| wanted.is(order)) {
            return Ok(Some(order.id.clone()));
        }
        seen += page.orders.len();
        if page.orders.is_empty() || seen >= page.count {
            return Ok(None);
        }
    }
    Err(not_understood("count", "expected fewer orders that fit: does the shop search at all?"))
}

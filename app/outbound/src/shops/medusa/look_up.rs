//! Finding the one order that a shopper names.

use crate::shops::medusa::{
    client::Session,
    purchases,
    responses::{Address, Candidate, Candidates, PlacedOrder, Single},
};
use crate::{
    bridge::{
        BridgeError, LookUp, checked,
        contract::{Credentials, Proof},
    },
    shops::resolution::not_understood,
};
use domain::{
    policy,
    proof::{EmailKey, ProvingPostalCode, TypedOrderNumber, TypedPostalCode},
};

/// Small, since Medusa adds every line of every order.
const PAGE: usize = 20;
/// Then the shop holds too many orders that fit. The smaller a number, the sooner it comes.
const MOST_PAGES: usize = 40;
const CANDIDATE: &str = "id,display_id,custom_display_id,email,shipping_address.postal_code,shipping_address.country_code,\
     billing_address.postal_code,billing_address.country_code";
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
    number: TypedOrderNumber,
    proof: WantedProof,
}

enum WantedProof {
    Email(EmailKey),
    PostalCode(TypedPostalCode),
}

impl Wanted {
    /// None where nothing can fit. A number of signs alone would be a wildcard that finds every order.
    fn new(asked: &Credentials) -> Option<Self> {
        let proof = match &asked.proof {
            Proof::Email(email) => WantedProof::Email(EmailKey::new(email)?),
            Proof::PostalCode(code) => WantedProof::PostalCode(TypedPostalCode::new(code)?),
        };
        let number = TypedOrderNumber::new(&asked.order_number)?;
        number.counted().as_str().contains(char::is_alphanumeric).then_some(Self { number, proof })
    }

    /// Words that are each somewhere in the order. Of a postal code only the beginning: shops have blanks within it. Of an
    /// address whose domain has two spellings only what stands before it.
    fn words(&self) -> String {
        let number = self.number.counted();
        let proof = match &self.proof {
            WantedProof::Email(email) => match email.spellings() {
                [ascii, own] if ascii == own => ascii,
                [ascii, _] => ascii.split('@').next().unwrap_or_default().to_owned(),
            },
            WantedProof::PostalCode(code) => code.counted().as_str().chars().take(2).collect(),
        };
        format!("{} {proof}", number.as_str())
    }

    fn is(&self, order: &Candidate) -> bool {
        order.numbers().any(|number| self.number.fit(&number).is_some())
            && match &self.proof {
                WantedProof::Email(wanted) => {
                    order.email.as_ref().and_then(|email| EmailKey::new(email)).as_ref() == Some(wanted)
                }
                WantedProof::PostalCode(wanted) => order.addresses().any(|address| address.has(wanted)),
            }
    }
}

impl Address {
    fn has(&self, wanted: &TypedPostalCode) -> bool {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let address = policy::Address {
            postal_code: text(&self.postal_code),
            country: text(&self.country_code),
            ..policy::Address::default()
        };
        ProvingPostalCode::of(&address, "").is_some_and(|code| code.is(wanted))
    }
}

impl Candidate {
    /// Where it was sent to and billed to, as far as it says.
    pub fn addresses(&self) -> impl Iterator<Item = &Address> {
        [&self.shipping_address, &self.billing_address].into_iter().flatten()
    }

    /// What it is called.
    fn numbers(&self) -> impl Iterator<Item = String> {
        self.custom_display_id.clone().into_iter().chain([self.display_id.to_string()])
    }

    /// The one of its numbers that was asked for.
    fn number(&self, wanted: &TypedOrderNumber) -> String {
        let fits = self.numbers().filter_map(|number| Some((wanted.fit(&number)?, number)));
        fits.min_by_key(|(fit, _)| *fit).map_or_else(|| self.display_id.to_string(), |(_, number)| number)
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

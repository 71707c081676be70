//! Finding the order that a shopper names.

use super::{
    client::MedusaSession,
    purchases,
    responses::{Address, Candidate, CandidatesResponse, OrderResponse, PlacedOrder},
};
use crate::bridge::{
    BridgeError, LookUp,
    contract::{Credentials, Proof},
    verified,
};
use domain::address;
use domain::proof::{EmailKey, ProvingPostalCode, TypedOrderNumber, TypedPostalCode};

/// The size of a page of search results. It is small because Medusa adds all lines to each order.
const PAGE_SIZE: usize = 20;
/// How many pages are read before the search fails. Results are sorted by number, so low numbers come first.
const MAX_PAGES: usize = 40;
/// How many characters of a postal code are searched for.
const POSTAL_CODE_CHARS: usize = 2;
/// The fields that decide whether a search result is the wanted order.
const CANDIDATE_FIELDS: &str = "id,display_id,custom_display_id,email,shipping_address.postal_code,shipping_address.country_code,\
     billing_address.postal_code,billing_address.country_code";
/// The fields of an order that become purchases.
const PLACED_FIELDS: &str = "id,display_id,custom_display_id,email,status,currency_code,created_at,total,*items,*items.detail,\
    items.tax_lines.rate,*items.adjustments,items.variant.hs_code,items.variant.origin_country,\
    items.variant.options.value,items.variant.options.option.title,*shipping_address,*billing_address,\
    *shipping_methods,shipping_methods.detail.return_id,shipping_methods.detail.claim_id,\
    shipping_methods.detail.exchange_id,*fulfillments,fulfillments.items.line_item_id,fulfillments.items.quantity,\
    *payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";

/// See [`super::Medusa::get_purchases`].
pub(super) async fn look_up(session: &MedusaSession<'_>, asked: &Credentials) -> Result<LookUp, BridgeError> {
    let Some(wanted) = Wanted::new(asked) else { return Ok(LookUp::NotFound) };
    let Some(id) = find(session, &wanted).await? else { return Ok(LookUp::NotFound) };
    let found: Option<OrderResponse<PlacedOrder>> = session.get(&["orders", &id], &[("fields", PLACED_FIELDS)]).await?;
    let order = found.map(|found| found.order).filter(|order| {
        order.candidate.id == id && wanted.matches(&order.candidate) && !matches!(&*order.status, "draft" | "canceled")
    });
    let Some(order) = order else { return Ok(LookUp::NotFound) };
    let number = order.candidate.number(&wanted.number);
    Ok(match verified(purchases::purchases(order, number), asked)? {
        // Medusa cannot filter by the credentials, so another person's order is no error of the shop.
        LookUp::NotTheirs(_) => LookUp::NotFound,
        outcome => outcome,
    })
}

/// The credentials. Medusa has no filter for them: its search finds candidates, and we compare.
struct Wanted {
    number: TypedOrderNumber,
    proof: WantedProof,
}

enum WantedProof {
    Email(EmailKey),
    PostalCode(TypedPostalCode),
}

impl Wanted {
    /// `None` if no order can match. A number without letters and digits would be a wildcard that finds every order.
    fn new(asked: &Credentials) -> Option<Self> {
        let proof = match &asked.proof {
            Proof::Email(email) => WantedProof::Email(EmailKey::new(email)?),
            Proof::PostalCode(code) => WantedProof::PostalCode(TypedPostalCode::new(code)?),
        };
        let number = TypedOrderNumber::new(&asked.order_number)?;
        number.attempt_key().as_str().contains(char::is_alphanumeric).then_some(Self { number, proof })
    }

    /// The search words; Medusa finds orders that contain each of them somewhere. A postal code contributes only its beginning,
    /// because shops store it with or without spaces. An e-mail address whose domain has two spellings contributes only its
    /// local part.
    fn words(&self) -> String {
        let number = self.number.attempt_key();
        let proof = match &self.proof {
            WantedProof::Email(email) => match email.spellings() {
                [ascii, own] if ascii == own => ascii,
                [ascii, _] => ascii.split('@').next().unwrap_or_default().to_owned(),
            },
            WantedProof::PostalCode(code) => code.attempt_key().as_str().chars().take(POSTAL_CODE_CHARS).collect(),
        };
        format!("{} {proof}", number.as_str())
    }

    fn matches(&self, order: &Candidate) -> bool {
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
        let address = address::Address {
            postal_code: text(&self.postal_code),
            country: text(&self.country_code),
            ..address::Address::default()
        };
        ProvingPostalCode::of(&address, "").is_some_and(|code| code.is(wanted))
    }
}

impl Candidate {
    /// The shipping and the billing address, as far as known.
    pub fn addresses(&self) -> impl Iterator<Item = &Address> {
        [&self.shipping_address, &self.billing_address].into_iter().flatten()
    }

    /// The numbers that people may know it by.
    fn numbers(&self) -> impl Iterator<Item = String> {
        self.custom_display_id.clone().into_iter().chain([self.display_id.to_string()])
    }

    /// The number that fits the wanted one best.
    fn number(&self, wanted: &TypedOrderNumber) -> String {
        let fits = self.numbers().filter_map(|number| Some((wanted.fit(&number)?, number)));
        fits.min_by_key(|(fit, _)| *fit).map_or_else(|| self.display_id.to_string(), |(_, number)| number)
    }
}

/// The shop's id of the order. Each result is compared, because the search looks into names and telephone numbers too.
async fn find(session: &MedusaSession<'_>, wanted: &Wanted) -> Result<Option<String>, BridgeError> {
    let (words, limit) = (wanted.words(), PAGE_SIZE.to_string());
    let mut seen = 0;
    for _ in 0..MAX_PAGES {
        let offset = seen.to_string();
        let query = [
            ("q", words.as_str()),
            ("order", "display_id"),
            ("limit", &limit),
            ("offset", &offset),
            ("fields", CANDIDATE_FIELDS),
        ];
        let page: Option<CandidatesResponse> = session.get(&["orders"], &query).await?;
        let Some(page) = page else { return Ok(None) };
        if let Some(order) = page.orders.iter().find(|order| wanted.matches(order)) {
            return Ok(Some(order.id.clone()));
        }
        seen += page.orders.len();
        if page.orders.is_empty() || seen >= page.count {
            return Ok(None);
        }
    }
    Err(BridgeError::bad_field("count", "expected fewer matching orders: check that the shop's search works"))
}

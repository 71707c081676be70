//! A consumer that staff look up: the buyer of an order, without the shopper's own proof.

use crate::{
    base::{Error, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, client_address::ClientAddress, detached},
    consumer::held::prove_held,
    merchant::handle::MerchantHandle,
    orders::{look_up::TypedOrder, shop_answer::ShopAnswer},
    returning::withdrawals,
    view,
};
use domain::{
    ConsumerId, OrderId, RefusalCode,
    account::Account,
    audit::AuditAction,
    integration::Bridge,
    policy::LookUpBy,
    proof::{ClaimedProof, EmailKey, OrderClaim, TypedOrderNumber, TypedPostalCode, email, order_number},
};
use outbound::bridge::contract;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use store::{
    consumers::{self, Consumer, ProvedOrder},
    orders::{self, PlacedOrder},
};

/// Longer than any real order number or address.
const MAX_CHARS: usize = 320;

/// Staff count as one caller of the shop, from wherever they work.
const STAFF: ClientAddress = ClientAddress(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

const NO_SUCH_ORDER: &str = "no order has this number: expected the number of an order of this account";

/// The order of a consumer: its number or its id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderOfConsumer {
    /// The order number: `#`, spaces and case do not matter. Expected without `orderId`.
    #[schemars(length(min = 1, max = 320))]
    pub order_number: Option<String>,
    /// The id of an order that Retour knows: `order.id` of a purchase. Expected without `orderNumber`.
    pub order_id: Option<OrderId>,
    /// The e-mail address of the order, if several orders have the number, or if the shop has to be asked for the order.
    #[schemars(length(max = 320))]
    pub email: Option<String>,
    /// The postal code of the order, in place of the e-mail address.
    #[schemars(length(max = 320))]
    pub postal_code: Option<String>,
}

/// The order as it is looked up.
struct WantedOrder {
    named: NamedBy,
    proof: Option<ClaimedProof>,
    /// The proof as the shop is asked with it.
    asked: Option<contract::Proof>,
}

/// What names the order.
enum NamedBy {
    Number(String, TypedOrderNumber),
    Id(OrderId),
}

impl MerchantHandle<'_> {
    /// Finds the buyer of an order, or creates the consumer. The consumer is the one who proved the order, if somebody
    /// has. Returns whether the consumer is new.
    pub async fn create_consumer(self, order: OrderOfConsumer) -> Result<(bool, view::Consumer)> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        let wanted = WantedOrder::new(order)?;
        let (consumer, is_new) = detached(async move { retour.buyer(&staff, &wanted).await }).await?;
        Ok((is_new, consumer.into()))
    }
}

impl WantedOrder {
    fn new(order: OrderOfConsumer) -> Result<Self> {
        let OrderOfConsumer { order_number, order_id, email, postal_code } = order;
        let short = |text: &String| text.chars().count() <= MAX_CHARS && !text.contains('\0');
        let refused = |field: &'static str, message| Error::invalid(field, RefusalCode::NotAllowed, message);
        let named = match (order_number, order_id) {
            (Some(number), None) => {
                match Some(&number).filter(|text| short(text)).and_then(|text| TypedOrderNumber::new(text)) {
                    Some(typed) => NamedBy::Number(number, typed),
                    None => return Err(refused("orderNumber", NO_SUCH_ORDER)),
                }
            }
            (None, Some(id)) => NamedBy::Id(id),
            (None, None) => {
                return Err(Error::invalid("orderNumber", RefusalCode::Required, "expected orderNumber or orderId"));
            }
            (Some(_), Some(_)) => return Err(refused("orderId", "expected either orderNumber or orderId")),
        };
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (proof, asked) = match (filled(email), filled(postal_code)) {
            (None, None) => (None, None),
            (Some(typed), None) => {
                let key = Some(&typed).filter(|text| short(text)).and_then(|text| EmailKey::new(text));
                let key = key.filter(|key| key.as_str().contains('@'));
                let key = key.ok_or_else(|| refused("email", "expected an e-mail address, such as ada@example.com"))?;
                (Some(ClaimedProof::Email(key)), Some(contract::Proof::Email(email::cleaned(&typed))))
            }
            (None, Some(typed)) => {
                let code = Some(&typed).filter(|text| short(text)).and_then(|text| TypedPostalCode::new(text));
                let code = code.ok_or_else(|| refused("postalCode", "expected a postal code, such as EC1A 1BB"))?;
                (Some(ClaimedProof::PostalCode(code)), Some(contract::Proof::PostalCode(typed.trim().to_owned())))
            }
            (Some(_), Some(_)) => return Err(refused("postalCode", "expected either email or postalCode")),
        };
        Ok(Self { named, proof, asked })
    }

    /// The error if there is no such order.
    fn unknown(&self) -> Error {
        let (field, message) = match (&self.named, &self.proof) {
            (NamedBy::Id(_), _) => ("orderId", "expected the id of one of the account's orders"),
            (NamedBy::Number(..), None) => ("orderNumber", NO_SUCH_ORDER),
            (NamedBy::Number(..), Some(ClaimedProof::Email(_))) => {
                ("orderNumber", "no order has this number and this e-mail address: check both")
            }
            (NamedBy::Number(..), Some(_)) => {
                ("orderNumber", "no order has this number and this postal code: check both")
            }
        };
        Error::invalid(field, RefusalCode::NotAllowed, message)
    }
}

impl Retour {
    async fn buyer(&self, staff: &Staff, wanted: &WantedOrder) -> Result<(Consumer, bool)> {
        let mut reading = self.store.read().await?;
        let account = store::accounts::find(reading.db(), staff.account()).await?.or_broken()?;
        let shop = account.bridge.shop_key();
        let stored = match &wanted.named {
            NamedBy::Id(id) => orders::find(reading.db(), account.id, *id).await?.into_iter().collect(),
            NamedBy::Number(_, number) => orders::list_of_number(reading.db(), account.id, number, &shop).await?,
        };
        drop(reading);
        let told = match account.bridge {
            Bridge::Catalog => None,
            _ => Some(self.ask_for(&account, wanted, &stored).await?.ok_or_else(|| wanted.unknown())?),
        };
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            if let Some(told) = &told {
                self.keep(&mut writing, account.id, &shop, told).await?;
            }
            let mut proved: Option<ProvedOrder> = None;
            for claim in claims(&account, wanted, &stored)? {
                let Some(found) = prove_held(&mut writing, account.id, &claim, &shop).await? else { continue };
                // The one who proved the order comes first: their returns stay together.
                let is_known =
                    consumers::find_by_credentials(writing.db(), account.id, &found.credentials).await?.is_some();
                if is_known || proved.is_none() {
                    proved = Some(found);
                }
                if is_known {
                    break;
                }
            }
            let ProvedOrder { credentials, email, address } = proved.ok_or_else(|| wanted.unknown())?;
            let now = self.now();
            let new = Consumer { id: ConsumerId(self.source.id()), credentials, email, address, created_at: now };
            let (consumer, is_new) = consumers::insert_or_find(writing.db(), account.id, &new).await?;
            withdrawals::recognise(&mut writing, account.id, &consumer, now).await?;
            if is_new {
                audit::record(&mut writing, staff, now, AuditAction::ConsumerCreated, consumer.id, None, None);
            }
            writing.commit().await?;
            Ok((consumer, is_new))
        })
        .await
    }

    /// Asks the account's shop for the order, however old it is. The shop wants a proof: the one that staff typed, or
    /// that of the order as it is stored.
    async fn ask_for(
        &self,
        account: &Account,
        wanted: &WantedOrder,
        stored: &[PlacedOrder],
    ) -> Result<Option<ShopAnswer>> {
        let known = if wanted.asked.is_some() { stored.first() } else { only_buyer(stored)? };
        let of_stored = |known: &PlacedOrder| match (known.email.is_empty(), known.address.postal_code.is_empty()) {
            (false, _) => Some(contract::Proof::Email(known.email.clone())),
            (true, false) => Some(contract::Proof::PostalCode(known.address.postal_code.clone())),
            (true, true) => None,
        };
        let proof = wanted.asked.clone().or_else(|| known.and_then(of_stored)).ok_or_else(|| {
            let message = "this order is not stored yet, and the shop finds it by its number together with its e-mail \
                           address or its postal code: add email or postalCode";
            Error::invalid("email", RefusalCode::Required, message)
        })?;
        let number = match (&wanted.named, known) {
            (NamedBy::Number(typed, _), _) => order_number::cleaned(typed),
            (NamedBy::Id(_), Some(known)) => known.number.clone(),
            (NamedBy::Id(_), None) => return Err(wanted.unknown()),
        };
        let mut account = account.clone();
        account.policy.return_window_days = None; // staff may override the window
        self.fetch_order(&account, TypedOrder { order_number: number, proof }, STAFF).await
    }
}

/// The stored order, if all of these belong to one buyer.
fn only_buyer(stored: &[PlacedOrder]) -> Result<Option<&PlacedOrder>> {
    let Some(first) = stored.first() else { return Ok(None) };
    let buyer = |order: &PlacedOrder| (EmailKey::new(&order.email), TypedPostalCode::new(&order.address.postal_code));
    if stored.iter().all(|order| buyer(order) == buyer(first)) {
        return Ok(Some(first));
    }
    let message = "several people have an order with this number: add email or postalCode";
    Err(Error::invalid("email", RefusalCode::Required, message))
}

/// What proves the order, the account's preferred field first.
fn claims(account: &Account, wanted: &WantedOrder, stored: &[PlacedOrder]) -> Result<Vec<OrderClaim>> {
    if let (NamedBy::Number(_, number), Some(proof)) = (&wanted.named, &wanted.proof) {
        return Ok(vec![OrderClaim { number: number.clone(), proof: proof.clone() }]);
    }
    let Some(order) = only_buyer(stored)? else { return Ok(Vec::new()) };
    let Some(number) = TypedOrderNumber::new(&order.number) else { return Ok(Vec::new()) };
    let email = EmailKey::new(&order.email).map(ClaimedProof::Email);
    let code = TypedPostalCode::new(&order.address.postal_code).map(ClaimedProof::PostalCode);
    let by_email = account.policy.look_up_by.contains(&LookUpBy::Email);
    let proofs = if by_email { [email, code] } else { [code, email] };
    let claims: Vec<OrderClaim> =
        proofs.into_iter().flatten().map(|proof| OrderClaim { number: number.clone(), proof }).collect();
    if claims.is_empty() {
        let message = "this order has neither an e-mail address nor a postal code, so it has no consumer: add one to the \
                       order first";
        return Err(Error::invalid("orderNumber", RefusalCode::NotAllowed, message));
    }
    Ok(claims)
}

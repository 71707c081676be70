//! The purchases and returns of the simulated shopper.

use super::refusal::{refuse, refused};
use crate::{
    base::{Done, Error, OrBroken, Result, Retour, Shopper, client_address::ClientAddress},
    consumer::identify::Proof,
    drafting::{basis::Selection, submission::Sent},
    orders::import::{ImportError, Parsed},
    view,
};
use domain::{
    ReturnOrderId,
    account::Account,
    address::Address,
    integration::Bridge,
    order::{NewOrder, NewPurchase, OrderSums, Product},
    policy::{LookUpBy, reason::EvidenceRule},
    returning::ReturnSource,
    stage::StageName,
};
use std::net::{IpAddr, Ipv4Addr};
use store::page::Page;

/// The units of an order: two, so that one can arrive before the other.
const UNITS: u32 = 2;
/// The price of both, minor units.
const TOTAL: i64 = 5_000;

impl Retour {
    /// Imports an order that was delivered just now, and proves it.
    pub(crate) async fn buy(&self, account: &Account) -> Result<(NewOrder, Shopper)> {
        if account.bridge != Bridge::Catalog {
            return refuse(
                "The orders of this account come from its shop. Submit a return in the portal, and name it with --return.",
            );
        }
        let order = self.test_order(account);
        let parsed = std::iter::once(Ok::<_, ImportError>(Parsed::from(order.clone())));
        self.import(account.id, parsed).await?;
        let proof = if account.policy.look_up_by.contains(&LookUpBy::Email) {
            Proof::Email(order.email.clone())
        } else {
            Proof::PostalCode(order.address.postal_code.clone())
        };
        let here = ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let shopper = self.identify_without_token(account, &order.number, proof, here).await?;
        Ok((order, shopper))
    }

    /// Imports an order and returns all of it.
    pub(crate) async fn return_something(&self, account: &Account, wanted: Option<StageName>) -> Result<ReturnOrderId> {
        let (_, shopper) = self.buy(account).await?;
        let purchases = self.consumer(&shopper).purchases(Page::first(1), None).await?.data;
        let purchase = purchases.into_iter().next().or_broken()?;
        if let Some(why) = purchase.eligibility.message.clone().filter(|_| !purchase.eligibility.returnable) {
            return refuse(why);
        }
        let option = purchase.shipping_options.iter().find(|option| option.method.has_label());
        let option = option.or(purchase.shipping_options.first()).map(|option| option.id);
        let selection = selection(&purchase, wanted)?;
        let draft = fresh(self.consumer(&shopper).draft(vec![selection], option, None).await?)?;
        Ok(fresh(self.consumer(&shopper).submit(draft.id, Sent::from(ReturnSource::Api), None).await?)?.id)
    }

    fn test_order(&self, account: &Account) -> NewOrder {
        let id = self.source.id().simple().to_string().to_uppercase();
        let number = format!("TEST-{}", id.get(id.len() - 8..).unwrap_or_default());
        let now = self.now();
        let line = NewPurchase {
            external_id: format!("{number}/1"),
            position: 1,
            product: Product { name: "Test product".to_owned(), sku: "TEST-1".to_owned(), ..Product::default() },
            quantity: UNITS,
            fulfilled: UNITS,
            shop_refunded: 0,
            total: TOTAL,
            tax: 0,
            duties: 0,
            discount: 0,
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: Some(now),
            delivered_at: Some(now),
        };
        NewOrder {
            external_id: number.clone(),
            email: format!("{}@example.com", number.to_lowercase()),
            address: address(account),
            currency: account.currency,
            ordered_at: now,
            shipping_paid: 0,
            sums: OrderSums::default(),
            is_partial: false,
            review: None,
            billing_postal_code: String::new(),
            tags: Vec::new(),
            lines: vec![line],
            number,
        }
    }
}

/// An address in the warehouse's country, so that the country's shipping options are offered.
fn address(account: &Account) -> Address {
    let near = account.policy.return_address.clone().unwrap_or_else(|| Address {
        postal_code: "1013 AA".to_owned(),
        city: "Amsterdam".to_owned(),
        country: "NL".to_owned(),
        ..Address::default()
    });
    Address { name: "Ada Tester".to_owned(), street: "1 Test Street".to_owned(), additional: String::new(), ..near }
}

/// Selects all units, with a reason that requires no answers, and photos only if `wanted` is the stage that waits for them.
fn selection(purchase: &view::PurchaseView, wanted: Option<StageName>) -> Result<Selection> {
    let wants_photos = wanted == Some(StageName::RequestedEvidencePending);
    let reasons = &purchase.return_reasons;
    let is_head = |reason: &view::ReturnReasonView| reasons.iter().any(|other| other.parent_id == Some(reason.id));
    let fits = |reason: &&view::ReturnReasonView| {
        !is_head(reason)
            && (reason.evidence == EvidenceRule::Required) == wants_photos
            && !reason.resolutions.is_empty()
            && !reason.questions.iter().any(|question| question.required)
    };
    let reason = reasons.iter().find(fits).ok_or_else(|| {
        refused(
            "No return reason of this account suits the event: a reason must require no answers, and photos only for \
             the stage Requested: Evidence Pending. Submit a return in the portal, and name it with --return.",
        )
    })?;
    let resolution = reason.resolutions.iter().find(|resolution| purchase.resolutions.contains(resolution));
    Ok(Selection {
        purchase_id: purchase.id,
        quantity: i64::from(UNITS),
        return_reason_id: Some(reason.id),
        comment: String::new(),
        answers: Vec::new(),
        resolution: *resolution
            .ok_or_else(|| refused("This account offers no resolution for the item except an exchange."))?,
        exchange_for: None,
    })
}

/// The result of a call without an idempotency key, which is never a replay.
pub(crate) fn fresh<T>(done: Done<T>) -> Result<T> {
    match done {
        Done::Fresh { value, .. } => Ok(value),
        Done::Replayed(_) => Err(Error::broken()),
    }
}

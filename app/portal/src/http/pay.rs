//! `/{slug}/pay/{id}`: a payment that moves no money, to try things out. Whoever has the address may pay: it is where a
//! provider's own page would be.

use super::{
    errors,
    shop::{Answer, Framing, Portal, Shop, Stop},
};
use crate::{
    money,
    pages::pay::{Pay, PayPage},
    words::fill,
};
use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
};
use domain::{ReturnOrderId, payment::PaymentState};
use leptos::prelude::*;
use std::collections::HashMap;

/// Whoever comes to pay for a return.
pub struct Payer {
    shop: Shop,
    id: ReturnOrderId,
}

impl FromRequestParts<Portal> for Payer {
    type Rejection = Stop;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, Stop> {
        let shop = Shop::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let id = params.ok().and_then(|Path(params)| params.get("id")?.parse().ok());
        let known = shop.visit.shopper.is_some();
        let Some(id) = id else { return Err(errors::missing(shop.look.clone(), known, shop.words).into()) };
        Ok(Self { shop, id })
    }
}

/// Shows what is to be paid; what is paid already is shown where it belongs.
pub async fn show(Payer { shop, id }: Payer) -> Answer {
    let checkout = shop.retour.simulated_checkout(shop.account.id, id).await.map_err(|error| shop.stop(&error))?;
    let back = format!("returns/{id}");
    if checkout.state != PaymentState::Pending {
        return Ok(shop.redirect(&back));
    }
    let words = shop.words;
    let amount = money::format(checkout.amount, words.live());
    let page = Pay {
        href: shop.look.path(&format!("pay/{id}")),
        back: shop.look.path(&back),
        number: checkout.number,
        amount,
    };
    let title = fill(words.pay_amount, &[&page.amount]);
    Ok(shop.page(StatusCode::OK, &title, Framing::default(), &[], move || view! { <PayPage page words/> }.into_any()))
}

/// Pays it, once.
pub async fn send(Payer { shop, id }: Payer) -> Answer {
    shop.retour.pay_simulated(shop.account.id, id).await.map_err(|error| shop.stop(&error))?;
    Ok(shop.redirect(&format!("returns/{id}")))
}

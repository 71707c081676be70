//! Who sends a request: a shopper who has proved an order, or an unknown visitor.

use crate::visit::{
    response::EarlyResponse,
    shop::{Portal, ShopRequest},
};
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::ReturnOrderId;
use returns::{Shopper, view};
use std::collections::HashMap;

/// A visitor who has proved an order.
pub struct Visitor {
    /// The shop.
    pub shop: ShopRequest,
    /// The shopper.
    pub shopper: Shopper,
}

impl FromRequestParts<Portal> for Visitor {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        match FormSender::from_request_parts(parts, portal).await? {
            FormSender::Known(visitor) => Ok(*visitor),
            // A link to a return opens it once the order is proved.
            FormSender::Unknown(shop) => Err(shop.redirect_to_look_up(next_return(parts.uri.path())).into()),
        }
    }
}

/// The sender of a form. Their session may have ended since the form was shown.
pub enum FormSender {
    /// A visitor who has proved an order.
    Known(Box<Visitor>),
    /// A visitor who has to prove an order first.
    Unknown(Box<ShopRequest>),
}

impl From<ShopRequest> for FormSender {
    fn from(shop: ShopRequest) -> Self {
        match shop.shopper() {
            Some(shopper) => Self::Known(Box::new(Visitor { shop, shopper })),
            None => Self::Unknown(Box::new(shop)),
        }
    }
}

impl FromRequestParts<Portal> for FormSender {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        Ok(ShopRequest::from_request_parts(parts, portal).await?.into())
    }
}

/// The return in an address.
fn next_return(path: &str) -> Option<ReturnOrderId> {
    let mut segments = path.split('/').skip_while(|segment| *segment != "returns");
    segments.nth(1)?.parse().ok()
}

/// A request for one return.
pub struct OwnReturn {
    /// The visitor.
    pub visitor: Visitor,
    /// The return.
    pub id: ReturnOrderId,
}

impl FromRequestParts<Portal> for OwnReturn {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let visitor = Visitor::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let id = params.ok().and_then(|Path(params)| params.get("id")?.parse().ok());
        let id = id.ok_or_else(|| visitor.shop.missing())?;
        Ok(Self { visitor, id })
    }
}

impl OwnReturn {
    pub fn shop(&self) -> &ShopRequest {
        &self.visitor.shop
    }

    pub fn shop_mut(&mut self) -> &mut ShopRequest {
        &mut self.visitor.shop
    }

    pub fn shopper(&self) -> Shopper {
        self.visitor.shopper
    }

    pub fn id(&self) -> ReturnOrderId {
        self.id
    }

    /// The page of the return.
    pub fn path(&self) -> String {
        format!("returns/{}", self.id)
    }
}

/// The order that this visitor has proved: its number as the shop writes it, and the consumer. `None` if it cannot be read: pages only
/// offer to continue with it.
pub async fn known_order(shop: &ShopRequest) -> Option<(String, view::Consumer)> {
    let shopper = shop.shopper()?;
    shop.retour.consumer(&shopper).proved_order().await.ok().flatten()
}

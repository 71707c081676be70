//! What a merchant's people and programs can see and do.

mod account;
mod bridge_input;
mod carrier_input;
mod consumers;
mod drafts;
mod erasure;
mod events;
pub(crate) mod expand;
mod forgotten;
mod import;
mod integrations;
mod more_parcels;
mod order_input;
mod payment_input;
mod preview;
mod printable;
mod progress;
mod purchases;
mod return_locations;
mod return_reasons;
mod service_users;
mod settings;
mod shipments;
mod shipping_options;
mod users;
mod webhook_ping;
mod webhook_secrets;
mod webhook_subscriptions;
mod withdrawals;
mod wording;

pub use account::AccountChange;
pub(crate) use account::problems_of;
pub use bridge_input::BridgeInput;
pub use carrier_input::CarrierInput;
pub use erasure::Erasure;
pub use events::EventRedelivery;
pub use expand::Expand;
pub(crate) use forgotten::{email_hash, people_of};
pub use more_parcels::NewShipment;
pub use order_input::{OrderInput, OrderWithPurchases, OrdersInput, PurchaseInput};
pub use payment_input::PaymentInput;
pub use preview::NewPreview;
pub use progress::{Instead, Receipt, StatusUpdate};
pub use return_locations::{NewReturnLocation, ReturnLocationChange};
pub use return_reasons::{NewReturnReason, ReturnReasonChange};
pub use service_users::ServiceUserChange;
pub use shipments::TrackingReport;
pub use shipping_options::{NewShippingOption, ShippingOptionChange};
pub use users::{NewUser, UserChange};
pub use webhook_secrets::SecretRotation;
pub use webhook_subscriptions::{NewWebhookSubscription, Redelivered, Redelivery, WebhookSubscriptionChange};
pub use withdrawals::{WithdrawalChange, WithdrawalInput};

use crate::{Error, Listing, Result, Retour, Staff, view};
use domain::{RefusalCode, ReturnOrderId, ReturnRequestId, returning::ReturnRequest};
use expand::Audience;
use store::{return_orders, return_requests};

impl Retour {
    /// An account's return requests.
    pub async fn return_requests(
        &self,
        staff: &Staff,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnRequestView>> {
        let mut reading = self.store.read().await?;
        let rows = return_requests::list(reading.db(), staff.account(), listing).await?;
        let mut list = view::List::new(listing.page, rows, view::ReturnRequestView::from);
        expand::requests(reading.db(), staff.account(), &mut list.data, expand).await?;
        Ok(list)
    }

    /// A return request.
    pub async fn return_request(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        expand: &[Expand],
    ) -> Result<view::ReturnRequestView> {
        let mut reading = self.store.read().await?;
        let found: Option<ReturnRequest> = return_requests::find(reading.db(), staff.account(), id).await?;
        let mut request = view::ReturnRequestView::from(found.ok_or(Error::NotFound)?);
        expand::requests(reading.db(), staff.account(), std::slice::from_mut(&mut request), expand).await?;
        Ok(request)
    }

    /// An account's return orders.
    pub async fn return_orders(
        &self,
        staff: &Staff,
        listing: &Listing,
        expand: &[Expand],
    ) -> Result<view::List<view::ReturnOrderView>> {
        let mut reading = self.store.read().await?;
        let rows = return_orders::list(reading.db(), staff.account(), listing).await?;
        expand::list(reading.db(), staff.account(), listing.page, rows, (expand, Audience::Merchant)).await
    }

    /// A return order.
    pub async fn return_order(
        &self,
        staff: &Staff,
        id: ReturnOrderId,
        expand: &[Expand],
    ) -> Result<view::ReturnOrderView> {
        let mut reading = self.store.read().await?;
        let order = return_orders::find(reading.db(), staff.account(), id).await?.ok_or(Error::NotFound)?;
        expand::one(reading.db(), staff.account(), order, (expand, Audience::Merchant)).await
    }
}

/// The longest name of a person or program, characters.
const MAX_NAME_CHARS: usize = 100;

/// A name as it is kept, with at least so many characters.
fn name(text: &str, least: usize) -> Result<String> {
    let name = text.trim();
    if (least..=MAX_NAME_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    let message = format!("expected {least} to {MAX_NAME_CHARS} characters in one line");
    Err(Error::invalid("name", RefusalCode::OutOfRange, message))
}

/// Refuses a change that was made of another version than there is (`If-Match`).
fn check_version(seen: Option<i64>, now: i64) -> Result<()> {
    if seen.is_some_and(|seen| seen != now) { Err(Error::PreconditionFailed(now)) } else { Ok(()) }
}

//! The webhooks by which a shop reports changes to Retour, and which of them the app may have.

use super::{
    Shopify,
    client::{MutationError, ShopifySession},
    documents::{SUBSCRIBE, UNSUBSCRIBE, WEBHOOK_ADDRESSES, WEBHOOKS},
    order_state::UserErrors,
    responses::{Installation, Nodes},
};
use crate::{bridge::BridgeError, http::CallError};
use domain::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

/// What a shop reports.
struct Topic {
    /// Its name in Shopify's schema.
    name: &'static str,
    /// The app needs one of these scopes; none if this is empty.
    scopes: &'static [&'static str],
    /// The fields that Retour reads. No others are sent, so that notices contain no personal data.
    fields: &'static [&'static str],
}

const ORDERS: &[&str] = &["read_orders"];
const FULFILLMENTS: &[&str] = &["read_fulfillments"];
const RETURNS: &[&str] = &["read_returns"];
const ORDERS_OR_RETURNS: &[&str] = &["read_orders", "read_returns"];
/// With the time, so that no two notices are equal: Shopify might leave out the second one.
const OWN: &[&str] = &["id", "admin_graphql_api_id", "updated_at"];
const OF_ORDER: &[&str] = &["id", "order_id"];
/// With the status, for the same reason.
const OF_RETURN: &[&str] = &["id", "order.id", "order.admin_graphql_api_id", "status"];

/// The topics, with the scopes of Shopify's schema. Privacy topics are not among them: an app sets these in its settings.
const TOPICS: [Topic; 16] = [
    Topic { name: "ORDERS_UPDATED", scopes: ORDERS, fields: OWN },
    Topic { name: "ORDERS_CANCELLED", scopes: ORDERS, fields: OWN },
    Topic { name: "ORDERS_EDITED", scopes: ORDERS, fields: &["order_edit.id", "order_edit.order_id"] },
    Topic { name: "ORDERS_DELETE", scopes: ORDERS, fields: &["id"] },
    Topic { name: "REFUNDS_CREATE", scopes: ORDERS, fields: OF_ORDER },
    Topic { name: "FULFILLMENTS_CREATE", scopes: FULFILLMENTS, fields: OF_ORDER },
    Topic { name: "FULFILLMENTS_UPDATE", scopes: FULFILLMENTS, fields: &["id", "order_id", "updated_at"] },
    Topic { name: "RETURNS_REQUEST", scopes: RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_APPROVE", scopes: RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_DECLINE", scopes: RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_PROCESS", scopes: RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_UPDATE", scopes: RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_CANCEL", scopes: ORDERS_OR_RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_CLOSE", scopes: ORDERS_OR_RETURNS, fields: OF_RETURN },
    Topic { name: "RETURNS_REOPEN", scopes: ORDERS_OR_RETURNS, fields: OF_RETURN },
    Topic { name: "APP_UNINSTALLED", scopes: &[], fields: &["id"] },
];

/// The webhooks of an app to one address, after [`Shopify::subscribe`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subscribed {
    /// The topics that were there or were created.
    pub present: Vec<String>,
    /// The topics that Shopify refused to create.
    pub refused: Vec<String>,
    /// The topics for which the app lacks an access scope, each with the scope.
    pub withheld: Vec<(String, &'static str)>,
}

/// The response to `WEBHOOKS`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WebhooksResponse {
    current_app_installation: Installation,
    webhook_subscriptions: Nodes<Webhook>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Webhook {
    id: String,
    topic: String,
    include_fields: Vec<String>,
}

/// The response to `WEBHOOK_ADDRESSES`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddressesResponse {
    webhook_subscriptions: Nodes<Address>,
}

#[derive(Deserialize)]
struct Address {
    topic: String,
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SubscribeResponse {
    webhook_subscription_create: Option<UserErrors>,
}

impl Topic {
    fn is_allowed(&self, app: &Installation) -> bool {
        self.scopes.is_empty() || self.scopes.iter().any(|scope| app.has(scope))
    }

    fn is_the_same(&self, webhook: &Webhook) -> bool {
        let mut wanted: Vec<&str> = self.fields.to_vec();
        let mut present: Vec<&str> = webhook.include_fields.iter().map(String::as_str).collect();
        wanted.sort_unstable();
        present.sort_unstable();
        webhook.topic == self.name && wanted == present
    }
}

/// The topics that an app with these scopes can have, and those that it cannot, each with the scope that it lacks.
pub(super) fn topics_of(app: &Installation) -> (Vec<&'static str>, Vec<(&'static str, &'static str)>) {
    let (allowed, withheld): (Vec<&Topic>, Vec<&Topic>) = TOPICS.iter().partition(|topic| topic.is_allowed(app));
    let lacking = |topic: &Topic| (topic.name, topic.scopes.first().copied().unwrap_or_default());
    (allowed.into_iter().map(|topic| topic.name).collect(), withheld.into_iter().map(lacking).collect())
}

impl AddressesResponse {
    /// The topics that are reported to an address with this path.
    pub fn topics_to(self, path: &str) -> Vec<String> {
        let ours = self.webhook_subscriptions.nodes.into_iter().filter(|webhook| webhook.uri.contains(path));
        ours.map(|webhook| webhook.topic).collect()
    }
}

impl Shopify {
    /// Creates the webhooks that are missing at an address, and removes those that Retour does not want there. Each request has
    /// the whole timeout of a call. A failure leaves some out: the next call creates them.
    pub async fn subscribe(&self, uri: &str, now: Timestamp) -> Result<Subscribed, BridgeError> {
        let WebhooksResponse { current_app_installation: app, webhook_subscriptions } =
            self.0.session(now).query(WEBHOOKS, json!({"uri": uri})).await?;
        let (allowed, withheld): (Vec<&Topic>, Vec<&Topic>) = TOPICS.iter().partition(|topic| topic.is_allowed(&app));
        let lacking = |topic: &Topic| (topic.name.to_owned(), topic.scopes.first().copied().unwrap_or_default());
        let mut subscribed =
            Subscribed { withheld: withheld.into_iter().map(lacking).collect(), ..Subscribed::default() };
        let there = webhook_subscriptions.nodes;
        for other in there.iter().filter(|webhook| !allowed.iter().any(|topic| topic.is_the_same(webhook))) {
            unsubscribe(&self.0.session(now), &other.id).await?;
        }
        for topic in allowed {
            let name = topic.name.to_owned();
            if there.iter().any(|webhook| topic.is_the_same(webhook))
                || create(&self.0.session(now), topic, uri).await?
            {
                subscribed.present.push(name);
            } else {
                subscribed.refused.push(name);
            }
        }
        Ok(subscribed)
    }
}

/// Creates a webhook; `false` if Shopify refuses it.
async fn create(session: &ShopifySession<'_>, topic: &Topic, uri: &str) -> Result<bool, BridgeError> {
    let webhook = json!({"uri": uri, "format": "JSON", "includeFields": topic.fields});
    let created = session.mutate(SUBSCRIBE, &json!({"topic": topic.name, "webhook": webhook})).await;
    let SubscribeResponse { webhook_subscription_create: payload } = created.map_err(failure)?;
    Ok(payload.is_some_and(|payload| payload.user_errors.is_empty()))
}

/// Removes a webhook. One that is gone already is no error.
async fn unsubscribe(session: &ShopifySession<'_>, id: &str) -> Result<(), BridgeError> {
    let removed: Result<Value, _> = session.mutate(UNSUBSCRIBE, &json!({"id": id})).await;
    removed.map(drop).map_err(failure)
}

/// Whether the mutation was executed does not matter: the next call reads what is there.
fn failure(error: MutationError) -> BridgeError {
    match error {
        MutationError::NotDone(error) => error,
        MutationError::Unknown => CallError::BrokenOff.into(),
    }
}

/// The webhooks that the app has to any address of Retour.
pub(super) async fn addresses(session: &ShopifySession<'_>) -> Result<AddressesResponse, BridgeError> {
    session.query(WEBHOOK_ADDRESSES, json!({})).await
}

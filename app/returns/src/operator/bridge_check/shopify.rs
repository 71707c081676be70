//! Checks the connection to a Shopify shop: `retour bridge check --shopify`. Reads only, unless an order is given to return a unit of.

use super::{CheckOutcome, shopify_return::try_return};
use crate::base::Source;
use domain::{Timestamp, integration::ShopifyVersion};
use outbound::{
    bridge::BridgeError,
    http::{CallError, Endpoint, Http},
    shops::shopify::{
        ShopAddressError, ShopFact, ShopReport, Shopify, ShopifyCredentials, TokenCache, WebhookReport, shop_address,
    },
};

/// A Shopify shop to check.
#[derive(Debug)]
pub struct ShopifyCheck {
    shopify: Shopify,
    source: Source,
    order_to_return: Option<String>,
}

impl ShopifyCheck {
    /// A shop at its domain or URL.
    pub fn new(
        http: Http,
        url: &Endpoint,
        version: ShopifyVersion,
        credentials: ShopifyCredentials,
        source: Source,
    ) -> Result<Self, ShopAddressError> {
        let url = shop_address(url.as_str())?;
        let shopify = Shopify::new(http, TokenCache::default(), &url, version, credentials)?;
        Ok(Self { shopify, source, order_to_return: None })
    }

    /// The same check, which also opens a return of one unit of the order with this number, and cancels it. For development stores.
    #[must_use]
    pub fn returning_a_unit_of(self, order_number: Option<String>) -> Self {
        Self { order_to_return: order_number, ..self }
    }

    /// Runs all cases and passes each result to `tell`. Fails if the shop cannot be reached.
    pub async fn run(&self, mut tell: impl FnMut(&'static str, CheckOutcome)) -> Result<(), CallError> {
        let now = self.source.now();
        match self.shopify.check(now).await {
            Ok(report) => {
                tell_report(&report, now, &mut tell);
                self.try_to_write(&report, &mut tell).await;
            }
            Err(BridgeError::Unavailable(outbound::bridge::Unavailable::NoAnswer(error))) => return Err(error),
            Err(error) => {
                tell("the connection", CheckOutcome::from(&error));
                tell("the rest", CheckOutcome::not_tried("not meaningful before the connection works"));
            }
        }
        Ok(())
    }

    async fn try_to_write(&self, report: &ShopReport, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        let Some(order_number) = &self.order_to_return else { return };
        if !has(report, "write_returns") {
            let missing = "the scope write_returns is missing: add it to the app, install the app's new version in the shop, and \
                           check again";
            return tell("a return", CheckOutcome::failed(missing));
        }
        try_return(&self.shopify, &self.source, order_number, tell).await;
    }
}

fn tell_report(report: &ShopReport, now: Timestamp, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
    tell("the connection", CheckOutcome::passed(format!("{}, currency {}", report.shop, report.currency)));
    tell("the version of the Admin API", version(report, now));
    for (scope, why) in [
        ("read_orders", "look-ups need it"),
        ("write_orders", "refunds need it"),
        ("read_products", "the lines of an order need it"),
    ] {
        let missing = || CheckOutcome::failed(format!("missing: {why}"));
        tell(scope, if has(report, scope) { CheckOutcome::passed("") } else { missing() });
    }
    for (scope, effect) in [
        ("read_all_orders", "orders that are over 60 days old are not found"),
        ("read_locations", "returned units are not put back into stock"),
        ("write_returns", "returns cannot appear in Shopify's admin (\"returns\": \"mirror\")"),
    ] {
        let missing = || CheckOutcome::warned(format!("missing: {effect}"));
        tell(scope, if has(report, scope) { CheckOutcome::passed("") } else { missing() });
    }
    tell("protected customer data", protected_data(report));
    tell("the latest order", latest_order(report));
    tell("locations", locations(report));
    tell("webhooks", webhooks(report));
}

/// Whether the app has a scope. A scope to write contains the scope to read.
fn has(report: &ShopReport, scope: &str) -> bool {
    let writing = scope.strip_prefix("read_").map(|what| format!("write_{what}"));
    report.scopes.iter().any(|granted| granted == scope || Some(granted) == writing.as_ref())
}

fn version(report: &ShopReport, now: Timestamp) -> CheckOutcome {
    let (name, end) = (report.version.name(), report.version.may_end_on());
    if !report.is_version_supported {
        return CheckOutcome::failed(format!(
            "Shopify no longer supports {name}: connect the shop with a newer version"
        ));
    }
    report.version.warning(now).map_or_else(
        || CheckOutcome::passed(format!("{name}, which Shopify supports until {end} at least")),
        CheckOutcome::warned,
    )
}

fn protected_data(report: &ShopReport) -> CheckOutcome {
    match report.protected_data {
        ShopFact::Known(()) => CheckOutcome::passed(""),
        ShopFact::Withheld => CheckOutcome::failed(
            "Shopify withholds e-mail addresses and addresses, which prove an order: request access to protected customer \
             data (name, e-mail address, address) in the app's settings",
        ),
    }
}

fn latest_order(report: &ShopReport) -> CheckOutcome {
    match &report.latest_order {
        ShopFact::Known(Some((name, gateways))) if gateways.is_empty() => CheckOutcome::passed(name.clone()),
        ShopFact::Known(Some((name, gateways))) => {
            CheckOutcome::passed(format!("{name}, paid by {}", gateways.join(", ")))
        }
        ShopFact::Known(None) => CheckOutcome::warned("the shop has no order to read yet"),
        ShopFact::Withheld => CheckOutcome::not_tried("the app may not read orders"),
    }
}

fn locations(report: &ShopReport) -> CheckOutcome {
    match &report.locations {
        ShopFact::Known(names) if names.is_empty() => CheckOutcome::warned("the shop has no active location"),
        ShopFact::Known(names) => CheckOutcome::passed(names.join(", ")),
        ShopFact::Withheld => CheckOutcome::not_tried("the app may not read locations"),
    }
}

fn webhooks(report: &ShopReport) -> CheckOutcome {
    let WebhookReport { wanted, present, withheld } = &report.webhooks;
    if *present == 0 {
        return CheckOutcome::warned(
            "none to Retour: Retour creates them within a minute after the shop was connected, if RETOUR_PUBLIC_URL begins \
             with https://. Until then, changes are read once a day",
        );
    }
    if present < wanted {
        return CheckOutcome::warned(format!("{present} of {wanted} topics: Retour creates the others within a day"));
    }
    let lacking: Vec<String> = withheld.iter().map(|(topic, scope)| format!("{topic} needs {scope}")).collect();
    if !lacking.is_empty() {
        return CheckOutcome::warned(format!("{present} topics; {}", lacking.join(", ")));
    }
    CheckOutcome::passed(format!("{present} topics"))
}

//! `retour bridge`.

use super::{
    error::{CommandError, Result},
    output::Output,
};
use clap::{Args, Subcommand};
use domain::{
    integration::ShopifyVersion,
    proof::{EmailKey, TypedOrderNumber, TypedPostalCode},
};
use returns::{
    Allowed, Http, Source,
    bridge_check::{
        ApiKey, BridgeCheck, CheckOutcome, CheckVerdict, CheckedOrder, Endpoint, Secret, ShopifyCheck,
        ShopifyCredentials,
    },
};
use serde_json::{Value, json};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Test your bridge against the contract, case by case (docs/bridge.md), or the connection to a Shopify shop
    /// (docs/shopify.md). Exit code 0 means that all checks passed
    Check(Check),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Check {
    /// Base URL of the bridge: the URL above /get-purchases. With --shopify the shop's URL: https://x.myshopify.com
    url: Endpoint,
    /// Number of an existing order. With --shopify: only for --write
    #[arg(long, required_unless_present = "shopify")]
    order: Option<String>,
    /// E-mail address of the order
    #[arg(long, required_unless_present = "shopify")]
    email: Option<String>,
    /// Postal code of the order, to test look-ups by postal code as well
    #[arg(long)]
    postal_code: Option<String>,
    /// Slug of the account in the requests
    #[arg(long, default_value = "my-shop")]
    account: String,
    /// Secret that signs the requests: whsec_… with 24 to 64 bytes in Base64. With --client-id the app's client secret
    #[arg(long, env = "RETOUR_BRIDGE_SECRET", hide_env_values = true, required_unless_present = "access_token")]
    secret: Option<String>,
    /// Also refund one unit of this order, with the smallest amount of its currency. For a test shop: it moves money
    #[arg(long)]
    resolve: bool,
    /// Also create a label for a test parcel. For a test contract: otherwise the carrier may charge for it
    #[arg(long)]
    label: bool,
    /// Check the connection to a Shopify shop instead: scopes, version, locations, gateways. Reads only, without --write
    #[arg(long, conflicts_with_all = ["email", "postal_code", "resolve", "label"])]
    shopify: bool,
    /// With --shopify: also open a return of one unit of --order in the shop, and cancel it. For a development store: it
    /// refunds nothing and sends no mail, but the cancelled return stays in the order's history
    #[arg(long, requires = "shopify", requires = "order")]
    write: bool,
    /// With --shopify: client id of an app of Shopify's developer dashboard
    #[arg(long, requires = "shopify", conflicts_with = "access_token")]
    client_id: Option<String>,
    /// With --shopify: Admin API access token of a custom app
    #[arg(long, requires = "shopify", env = "RETOUR_SHOPIFY_ACCESS_TOKEN", hide_env_values = true)]
    access_token: Option<String>,
    /// With --shopify: version of the Admin API, 2026-07 or 2026-10
    #[arg(long, requires = "shopify", default_value = ShopifyVersion::LATEST.name())]
    api_version: ShopifyVersion,
    /// Private addresses or networks that may be called, also without TLS, such as 127.0.0.0/8; separated by commas
    #[arg(long, env = "RETOUR_OUTBOUND_ALLOW", default_value = "")]
    outbound_allow: Allowed,
}

/// The checks so far, and how many had which verdict.
#[derive(Debug, Default)]
struct CheckTally {
    checks: Vec<Value>,
    passed: usize,
    warned: usize,
    failed: usize,
    not_tried: usize,
}

pub(super) async fn run(output: &Output, command: Command) -> Result {
    let Command::Check(check) = command;
    let mut tally = CheckTally::default();
    let tell = |case: &'static str, outcome: CheckOutcome| tally.add(output, case, &outcome);
    if check.shopify {
        let outcome = shopify_trial(check)?.run(tell).await;
        outcome.map_err(|error| CommandError::Failed(error.to_string()))?;
    } else {
        let outcome = trial(check)?.run(tell).await;
        outcome.map_err(|error| CommandError::Failed(error.to_string()))?;
    }
    say!(output, "\n{}", tally.summary());
    let CheckTally { checks, passed, warned, failed, not_tried } = &tally;
    output.document(
        &json!({"checks": checks, "passed": passed, "warned": warned, "failed": failed, "notTried": not_tried}),
    )?;
    if tally.failed == 0 { Ok(()) } else { Err(CommandError::Reported) }
}

fn wrong(flag: &str, expected: &str) -> CommandError {
    CommandError::WrongOption(format!("{flag}: {expected}"))
}

fn shopify_trial(check: Check) -> Result<ShopifyCheck> {
    let Check { url, order, write, secret, client_id, access_token, api_version, outbound_allow, .. } = check;
    match &order {
        Some(_) if !write => return Err(wrong("--order", "with --shopify, it needs --write")),
        Some(order) if TypedOrderNumber::new(order).is_none() => {
            return Err(wrong("--order", "expected an order's number"));
        }
        _ => {}
    }
    let key = |flag: &str, text: Option<String>| {
        let text = text.ok_or_else(|| wrong(flag, "expected a secret"))?;
        ApiKey::parse(&text).map_err(|error| wrong(flag, &error.to_string()))
    };
    let credentials = match client_id {
        Some(client_id) => {
            ShopifyCredentials::App { client_id, client_secret: key("--secret (RETOUR_BRIDGE_SECRET)", secret)? }
        }
        None => ShopifyCredentials::Token(key("--client-id or --access-token", access_token)?),
    };
    let http = Http::new(outbound_allow).map_err(|error| CommandError::Failed(error.to_string()))?;
    let check = ShopifyCheck::new(http, &url, api_version, credentials, Source::system());
    check.map(|check| check.returning_a_unit_of(order)).map_err(|error| CommandError::Failed(error.to_string()))
}

fn trial(check: Check) -> Result<BridgeCheck> {
    let Check { url, order, email, postal_code, account, secret, resolve, label, write, outbound_allow, .. } = check;
    // Clap drops this requirement beside --email, with which --shopify conflicts.
    if write {
        return Err(wrong("--write", "only with --shopify"));
    }
    // Clap requires these three without --shopify.
    let (order, email, secret) = (order.unwrap_or_default(), email.unwrap_or_default(), secret.unwrap_or_default());
    if TypedOrderNumber::new(&order).is_none() {
        return Err(wrong("--order", "expected an order's number"));
    }
    if EmailKey::new(&email).is_none() || !email.contains('@') {
        return Err(wrong("--email", "expected an e-mail address"));
    }
    if postal_code.as_deref().is_some_and(|code| TypedPostalCode::new(code).is_none()) {
        return Err(wrong("--postal-code", "expected a postal code"));
    }
    let secret =
        Secret::parse(&secret).map_err(|error| wrong("--secret (RETOUR_BRIDGE_SECRET)", &error.to_string()))?;
    let http = Http::new(outbound_allow).map_err(|error| CommandError::Failed(error.to_string()))?;
    let asked = CheckedOrder { account, order_number: order, email, postal_code, resolve, label };
    BridgeCheck::new(http, url, secret, asked, Source::system())
        .map_err(|error| CommandError::Failed(error.to_string()))
}

impl CheckTally {
    /// Counts and prints a check: on one line, or with several messages below it.
    fn add(&mut self, output: &Output, case: &str, outcome: &CheckOutcome) {
        let (mark, verdict, count) = match outcome.verdict {
            CheckVerdict::Passed => ('✓', "passed", &mut self.passed),
            CheckVerdict::Warned => ('!', "warned", &mut self.warned),
            CheckVerdict::Failed => ('✗', "failed", &mut self.failed),
            CheckVerdict::NotTried => ('–', "notTried", &mut self.not_tried),
        };
        *count += 1;
        self.checks.push(json!({"name": case, "verdict": verdict, "messages": outcome.messages}));
        match outcome.messages.as_slice() {
            [] => say!(output, "{mark} {case}"),
            [one] => say!(output, "{mark} {case}: {one}"),
            several => say!(output, "{mark} {case}:\n    {}", several.join("\n    ")),
        }
    }

    fn summary(&self) -> String {
        let all = self.passed + self.warned + self.failed + self.not_tried;
        let rest = [(self.failed, "to fix"), (self.warned, "could be better"), (self.not_tried, "not tried")];
        let rest = rest.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{} of {all} passed{}", self.passed, rest.collect::<String>())
    }
}

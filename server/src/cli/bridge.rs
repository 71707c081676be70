//! `retour bridge`.

use super::{
    error::{CommandError, Result},
    output::Output,
};
use clap::{Args, Subcommand};
use domain::proof::{EmailKey, TypedOrderNumber, TypedPostalCode};
use returns::{
    Allowed, Http, Source,
    bridge_check::{BridgeCheck, CheckOutcome, CheckVerdict, CheckedOrder, Endpoint, Secret},
};
use serde_json::{Value, json};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Test your bridge against the contract, case by case (docs/bridge.md). Exit code 0 means that all checks passed
    Check(Check),
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Base URL of the bridge: the URL above /get-purchases
    url: Endpoint,
    /// Number of an existing order
    #[arg(long)]
    order: String,
    /// E-mail address of the order
    #[arg(long)]
    email: String,
    /// Postal code of the order, to test look-ups by postal code as well
    #[arg(long)]
    postal_code: Option<String>,
    /// Slug of the account in the requests
    #[arg(long, default_value = "my-shop")]
    account: String,
    /// Secret that signs the requests: whsec_… with 24 to 64 bytes in Base64
    #[arg(long, env = "RETOUR_BRIDGE_SECRET", hide_env_values = true)]
    secret: String,
    /// Also refund one unit of this order, with the smallest amount of its currency. For a test shop: it moves money
    #[arg(long)]
    resolve: bool,
    /// Also create a label for a test parcel. For a test contract: otherwise the carrier may charge for it
    #[arg(long)]
    label: bool,
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
    let outcome = trial(check)?.run(|case, outcome| tally.add(output, case, &outcome)).await;
    outcome.map_err(|error| CommandError::Failed(error.to_string()))?;
    say!(output, "\n{}", tally.summary());
    let CheckTally { checks, passed, warned, failed, not_tried } = &tally;
    output.document(
        &json!({"checks": checks, "passed": passed, "warned": warned, "failed": failed, "notTried": not_tried}),
    )?;
    if tally.failed == 0 { Ok(()) } else { Err(CommandError::Reported) }
}

fn trial(check: Check) -> Result<BridgeCheck> {
    let Check { url, order, email, postal_code, account, secret, resolve, label, outbound_allow } = check;
    let wrong = |flag: &str, expected: &str| CommandError::Failed(format!("{flag}: {expected}"));
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

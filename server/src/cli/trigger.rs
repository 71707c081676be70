//! `retour trigger`.

use super::{
    error::{CommandError, Result},
    output::Output,
    secret_key::SecretKeyParser,
};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use domain::{stage::StageName, webhook::EventType};
use returns::{Allowed, Http, Retour, SecretKeys, Trigger};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Type of the event
    #[arg(value_parser = event_types())]
    event: EventType,
    /// Slug of a test account
    #[arg(long)]
    account: String,
    /// Stage to enter, for return_request.stage_changed
    #[arg(long, value_parser = stages())]
    stage: Option<StageName>,
    /// Number of the return order that the event is about; without it, a new return order
    #[arg(long = "return", value_name = "NUMBER")]
    return_number: Option<String>,
    /// Key that encrypts secrets, as `retour serve` has it; for test.ping
    #[arg(long, env = "RETOUR_SECRET_KEY", default_value = "", hide_env_values = true, value_parser = SecretKeyParser)]
    secret_key: SecretKeys,
    /// Private addresses or networks that may be called, as `retour serve` has them; for test.ping
    #[arg(long, env = "RETOUR_OUTBOUND_ALLOW", default_value = "")]
    outbound_allow: Allowed,
}

pub(super) async fn run(retour: &Retour, output: &Output, options: Options) -> Result {
    let Options { event, account, stage, return_number, secret_key, outbound_allow } = options;
    let http = Http::new(outbound_allow).map_err(|error| CommandError::Failed(error.to_string()))?;
    let retour = retour
        .clone()
        .configured(|config| config.secret_keys = secret_key)
        .configured(|config| config.http = Some(http))
        .configured(|config| config.simulates_payments = true);
    let account = retour.account(&account).await?;
    let triggered = retour.operator().trigger(&account, &Trigger { event, stage, return_number }).await?;
    if let Some(order) = &triggered.return_order {
        say!(output, "Return order {} is {}.", order.number, order.status.name());
    }
    for event in &triggered.events {
        say!(output, "{}  {}  {}", event.timestamp, event.id, event.kind.name());
    }
    output.document(&triggered)
}

fn event_types() -> impl TypedValueParser<Value = EventType> {
    let names = PossibleValuesParser::new(EventType::ALL.iter().map(|kind| kind.name()));
    names.try_map(|name| EventType::parse(&name).ok_or("expected the type of an event"))
}

fn stages() -> impl TypedValueParser<Value = StageName> {
    let names = PossibleValuesParser::new(StageName::NAMES);
    names.try_map(|name| StageName::parse(&name).ok_or("expected a stage"))
}

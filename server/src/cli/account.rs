//! `retour account`.

use super::{CommandError, Result};
use crate::api::{self, Unread};
use clap::Subcommand;
use domain::{Currency, TimeZone, branding::Branding, policy::Policy};
use returns::{AccountUpdate, NewAccount, Retour};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a merchant's account, with the usual return reasons and a free label
    Create {
        /// Slug, for addresses: lower-case letters, digits, hyphens
        #[arg(long)]
        slug: String,
        /// Name that shoppers see
        #[arg(long)]
        name: String,
        /// Currency (ISO 4217), such as EUR
        #[arg(long)]
        currency: Currency,
        /// Time zone of its days (IANA), such as Europe/Berlin
        #[arg(long, default_value = "UTC", value_parser = time_zone)]
        time_zone: TimeZone,
        /// Rules other than the defaults: a JSON file with fields of the policy (docs/policy.md)
        #[arg(long)]
        policy: Option<PathBuf>,
        /// Origin of a website whose scripts may call the consumer operations, such as https://shop.example; may be repeated
        #[arg(long = "api-origin", value_name = "ORIGIN")]
        api_origins: Vec<String>,
    },
    /// Change an account's name, time zone, rules, host or API origins
    Update {
        /// Slug of the account
        #[arg(long)]
        slug: String,
        /// New name
        #[arg(long)]
        name: Option<String>,
        /// New time zone, such as Europe/Berlin
        #[arg(long, value_parser = time_zone)]
        time_zone: Option<TimeZone>,
        /// New rules: a JSON file as for `create`. Resets every field that the file leaves out to its default
        #[arg(long)]
        policy: Option<PathBuf>,
        /// Host of its own for the portal, such as returns.shop.example; empty: none
        #[arg(long)]
        domain: Option<String>,
        /// Origin of a website whose scripts may call the consumer operations; may be repeated. Replaces all of them; empty: none
        #[arg(long = "api-origin", value_name = "ORIGIN")]
        api_origins: Option<Vec<String>>,
    },
}

pub(super) async fn run(retour: &Retour, command: Command) -> Result {
    match command {
        Command::Create { slug, name, currency, time_zone, policy, api_origins } => {
            let policy = policy.map(|path| read_policy(&path)).transpose()?.unwrap_or_default();
            let address_missing = policy.return_address.is_none();
            let new =
                NewAccount { slug, name, currency, time_zone, policy, branding: Branding::default(), api_origins };
            let account = retour.create_account(new).await?;
            say!("Account {} made. Its portal is at /{}.", account.id, account.slug);
            if address_missing {
                say!("It has no returnAddress yet: its labels carry only its name.");
                say!("Set it with: retour account update --slug {} --policy FILE", account.slug);
            }
        }
        Command::Update { slug, name, time_zone, policy, domain, api_origins } => {
            let policy = policy.map(|path| read_policy(&path)).transpose()?;
            let time_zone = time_zone.map(|zone| zone.name().to_owned());
            let api_origins = api_origins.map(|given| given.into_iter().filter(|origin| !origin.is_empty()).collect());
            let update = AccountUpdate { name, time_zone, policy, domain, api_origins };
            retour.update_account(retour.account(&slug).await?.id, update).await?;
            say!("Account {slug} changed.");
        }
    }
    Ok(())
}

fn time_zone(name: &str) -> std::result::Result<TimeZone, String> {
    TimeZone::from_name(name).ok_or_else(|| TimeZone::refusal().message)
}

fn read_policy(path: &std::path::Path) -> Result<Policy> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| CommandError::Wrong(format!("--policy {}: {error}", path.display())))?;
    api::read(text.as_bytes()).map_err(|unread| {
        let why = match unread {
            Unread::Malformed(message) => message,
            Unread::Wrong(detail) => format!("{}: {}", detail.field, detail.message),
        };
        CommandError::Wrong(format!("--policy {}: {why}", path.display()))
    })
}

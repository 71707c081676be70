//! `retour account`.

use super::{
    error::{CommandError, Result},
    output::Output,
};
use crate::api::{self, JsonError, NullFields};
use clap::Subcommand;
use domain::{Currency, TimeZone, branding::Branding, policy::Policy};
use returns::{AccountUpdate, NewAccount, Retour, Staff, view};
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
        /// Create a test account: its labels are specimens, and its carrier is simulated (docs/cli.md)
        #[arg(long)]
        test: bool,
    },
    /// Change an account's name, time zone, rules, host, API origins or test mark
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
        /// Origin of a website whose scripts may call the consumer operations; may be repeated. Replaces the whole list; an empty value clears it
        #[arg(long = "api-origin", value_name = "ORIGIN")]
        api_origins: Option<Vec<String>>,
        /// Make it a test account, or with `--test=false` a real one; refused once it has returns
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
        test: Option<bool>,
    },
    /// List all accounts
    List,
    /// Show an account, without secrets
    Show {
        /// Slug of the account
        #[arg(long)]
        slug: String,
    },
}

pub(super) async fn run(retour: &Retour, output: &Output, command: Command) -> Result {
    match command {
        Command::Create { slug, name, currency, time_zone, policy, api_origins, test } => {
            let policy = policy.map(|path| read_policy(&path)).transpose()?.unwrap_or_default();
            let branding = Branding::default();
            create(retour, output, NewAccount { slug, name, currency, time_zone, policy, branding, api_origins }, test)
                .await
        }
        Command::Update { slug, name, time_zone, policy, domain, api_origins, test } => {
            let policy = policy.map(|path| read_policy(&path)).transpose()?;
            let time_zone = time_zone.map(|zone| zone.name().to_owned());
            let api_origins = api_origins.map(|given| given.into_iter().filter(|origin| !origin.is_empty()).collect());
            let update = AccountUpdate { name, time_zone, policy, domain, api_origins, test };
            let id = retour.account(&slug).await?.id;
            retour.operator().update_account(id, update).await?;
            say!(output, "Account {slug} changed.");
            output.document(&retour.merchant(&Staff::operator(id)).account_settings().await?)
        }
        Command::List => list(retour, output).await,
        Command::Show { slug } => {
            let staff = Staff::operator(retour.account(&slug).await?.id);
            output.object(&retour.merchant(&staff).account_settings().await?)
        }
    }
}

async fn create(retour: &Retour, output: &Output, new: NewAccount, is_test: bool) -> Result {
    let address_missing = new.policy.return_address.is_none();
    let created = if is_test {
        retour.operator().create_test_account(new).await?
    } else {
        retour.operator().create_account(new).await?
    };
    say!(output, "Account {} created. Its portal is at /{}.", created.id, created.slug);
    if address_missing {
        say!(output, "It has no returnAddress yet: its labels carry only its name.");
        say!(output, "Set it with: retour account update --slug {} --policy FILE", created.slug);
        say!(output, "That resets every field of the rules that FILE leaves out to its default.");
    }
    output.document(&retour.merchant(&Staff::operator(created.id)).account_settings().await?)
}

async fn list(retour: &Retour, output: &Output) -> Result {
    let cells = |account: &view::Account| {
        let test = if account.test { "test" } else { "" };
        [
            account.slug.clone(),
            account.id.to_string(),
            account.currency.code().to_owned(),
            test.to_owned(),
            account.name.clone(),
        ]
    };
    output.list(&retour.operator().accounts().await?, ["slug", "id", "currency", "test", "name"], cells)
}

fn time_zone(name: &str) -> std::result::Result<TimeZone, String> {
    TimeZone::from_name(name).ok_or_else(|| TimeZone::refusal().message)
}

fn read_policy(path: &std::path::Path) -> Result<Policy> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| CommandError::Failed(format!("--policy {}: {error}", path.display())))?;
    api::read_json(text.as_bytes(), NullFields::Refused).map_err(|error| {
        let why = match error {
            JsonError::Malformed(message) => message,
            JsonError::WrongField(detail) => format!("{}: {}", detail.field, detail.message),
        };
        CommandError::Failed(format!("--policy {}: {why}", path.display()))
    })
}

//! `retour service-user`.

use super::{CommandError, Result};
use clap::Subcommand;
use returns::{Retour, Scope};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make an API key for a program. It is printed once and cannot be shown again
    Create {
        /// The account's slug
        #[arg(long)]
        account: String,
        /// What the program is called
        #[arg(long)]
        name: String,
        /// What it may do: read, write, admin
        #[arg(long, value_delimiter = ',', default_value = "read")]
        scopes: Vec<String>,
    },
}

pub(super) async fn run(retour: &Retour, command: Command) -> Result {
    let Command::Create { account, name, scopes } = command;
    let known = |name: &String| Scope::from_name(name);
    let scopes: Option<Vec<Scope>> = scopes.iter().map(known).collect();
    let scopes =
        scopes.ok_or_else(|| CommandError::Wrong("--scopes: expected some of read, write, admin".to_owned()))?;
    let account = retour.account(&account).await?;
    say!("{}", retour.create_service_user(account.id, &name, &scopes).await?);
    Ok(())
}

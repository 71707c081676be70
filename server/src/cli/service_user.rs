//! `retour service-user`.

use super::{CommandError, Result};
use clap::Subcommand;
use returns::{Retour, Scope};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an API key for a program. It is printed once and cannot be shown again
    Create {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Name of the program
        #[arg(long)]
        name: String,
        /// Scopes: read, write, admin
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

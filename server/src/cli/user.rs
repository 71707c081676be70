//! `retour user`.

use super::{CommandError, Result};
use clap::Subcommand;
use returns::{NewUser, Retour, Role};
use std::io::{IsTerminal as _, stdin};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a user who can sign in. Asks for the password, or reads it from standard input if that is no terminal
    Create {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// E-mail address, to sign in with
        #[arg(long)]
        email: String,
        /// Role: admin, agent (may process returns) or viewer (may only read)
        #[arg(long)]
        role: String,
        /// Name
        #[arg(long, default_value = "")]
        name: String,
    },
}

pub(super) async fn run(retour: &Retour, command: Command) -> Result {
    let Command::Create { account, email, role, name } = command;
    let role = Role::from_name(&role)
        .ok_or_else(|| CommandError::Wrong("--role: expected admin, agent or viewer".to_owned()))?;
    let account = retour.account(&account).await?;
    let user = retour.create_user(account.id, NewUser { email, name, role }, password()?).await?;
    say!("{} can sign in as {}.", user.email, user.role.name());
    Ok(())
}

/// Typed twice without being seen; from a program, the first line that it sends.
fn password() -> Result<String> {
    if !stdin().is_terminal() {
        let mut line = String::new();
        stdin().read_line(&mut line)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let password = rpassword::prompt_password("Password: ")?;
    if rpassword::prompt_password("The same again: ")? == password {
        return Ok(password);
    }
    Err(CommandError::Wrong("the two passwords are not the same".to_owned()))
}

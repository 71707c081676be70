//! `retour user`.

use super::{
    error::{CommandError, Result},
    output::{Output, read_all},
};
use clap::Subcommand;
use domain::UserId;
use returns::{NewUser, Retour, Role, Staff, view};
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
        /// Role: admin, agent (works on returns), finance (decides about money), warehouse (receives) or viewer (reads)
        #[arg(long)]
        role: String,
        /// Name
        #[arg(long, default_value = "")]
        name: String,
    },
    /// List the users of an account
    List {
        /// Slug of the account
        #[arg(long)]
        account: String,
    },
    /// Show a user
    Show {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the user
        id: UserId,
    },
    /// Remove the authenticator app and the passkeys of a user who has lost them. All sessions of the user end
    ResetFactors {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the user
        id: UserId,
    },
    /// Delete a user: the user can no longer sign in
    Delete {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the user
        id: UserId,
    },
}

pub(super) async fn run(retour: &Retour, output: &Output, command: Command) -> Result {
    match command {
        Command::Create { account, email, role, name } => {
            let role = Role::from_name(&role).ok_or_else(|| {
                CommandError::WrongOption(format!("--role: expected one of {}", Role::ALL.map(Role::name).join(", ")))
            })?;
            let account = retour.account(&account).await?;
            let user = retour
                .operator()
                .create_user(account.id, NewUser { email, name, role, language: None }, read_password()?)
                .await?;
            say!(output, "{} can sign in as {}.", user.email, user.role.name());
            output.document(&user)
        }
        Command::List { account } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            let users = read_all(async |listing| retour.merchant(&staff).users(&listing).await).await?;
            let cells = |user: &view::User| {
                [user.id.to_string(), user.role.name().to_owned(), user.email.clone(), user.name.clone()]
            };
            output.list(&users, ["id", "role", "email", "name"], cells)
        }
        Command::Show { account, id } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            output.object(&retour.merchant(&staff).user(id).await?)
        }
        Command::ResetFactors { account, id } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            retour.merchant(&staff).reset_factors(id, None).await?;
            say!(output, "User {id} has no second factor any more, and is signed out everywhere.");
            output.document(&retour.merchant(&staff).user(id).await?)
        }
        Command::Delete { account, id } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            retour.merchant(&staff).delete_user(id).await?;
            say!(output, "User {id} deleted.");
            output.document(&serde_json::json!({"deleted": id}))
        }
    }
}

/// Asks for the password twice without showing it, or reads the first line of standard input if that is no terminal.
fn read_password() -> Result<String> {
    if !stdin().is_terminal() {
        let mut line = String::new();
        stdin().read_line(&mut line)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let password = rpassword::prompt_password("Password: ")?;
    if rpassword::prompt_password("Repeat the password: ")? == password {
        return Ok(password);
    }
    Err(CommandError::Failed("the two passwords differ".to_owned()))
}

//! `retour service-user`.

use super::{
    error::{CommandError, Result},
    output::{Output, read_all},
};
use clap::Subcommand;
use domain::ServiceUserId;
use returns::{Retour, Scope, Staff, view};

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
        /// Scopes: read, write, admin, receive, resolve, override, personal
        #[arg(long, value_delimiter = ',', default_value = "read")]
        scopes: Vec<String>,
    },
    /// List the service users of an account, including those with revoked keys
    List {
        /// Slug of the account
        #[arg(long)]
        account: String,
    },
    /// Show a service user, without its key
    Show {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the service user
        id: ServiceUserId,
    },
    /// Revoke the key of a service user, at once and permanently
    Revoke {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the service user
        id: ServiceUserId,
    },
}

pub(super) async fn run(retour: &Retour, output: &Output, command: Command) -> Result {
    match command {
        Command::Create { account, name, scopes } => {
            let scopes = parse_scopes(&scopes)?;
            let account = retour.account(&account).await?;
            let created = retour.operator().make_service_user(account.id, &name, &scopes).await?;
            if output.is_json() {
                return output.document(&created);
            }
            say!(output, "{}", created.api_key);
            Ok(())
        }
        Command::List { account } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            let users = read_all(async |listing| retour.merchant(&staff).service_users(&listing).await).await?;
            let cells = |user: &view::ServiceUser| {
                let state = if user.revoked_at.is_none() { "active" } else { "revoked" };
                let scopes: Vec<&str> = user.scopes.iter().map(|scope| scope.name()).collect();
                let key = format!("…{}", user.key_last_four);
                [user.id.to_string(), state.to_owned(), key, scopes.join(","), user.name.clone()]
            };
            output.list(&users, ["id", "state", "key", "scopes", "name"], cells)
        }
        Command::Show { account, id } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            output.object(&retour.merchant(&staff).service_user(id).await?)
        }
        Command::Revoke { account, id } => {
            let staff = Staff::operator(retour.account(&account).await?.id);
            retour.merchant(&staff).revoke_service_user(id).await?;
            say!(output, "The key of service user {id} is revoked.");
            output.document(&retour.merchant(&staff).service_user(id).await?)
        }
    }
}

fn parse_scopes(scopes: &[String]) -> Result<Vec<Scope>> {
    let scopes: Option<Vec<Scope>> = scopes.iter().map(|name| Scope::from_name(name)).collect();
    scopes.ok_or_else(|| CommandError::WrongOption(format!("--scopes: expected some of {}", Scope::names(&Scope::ALL))))
}

//! `retour webhook-subscription`.

use super::{
    error::Result,
    output::{Output, read_all},
};
use clap::Subcommand;
use domain::WebhookSubscriptionId;
use returns::{Retour, Staff, view};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the webhook subscriptions of an account
    List {
        /// Slug of the account
        #[arg(long)]
        account: String,
    },
    /// Show a webhook subscription, without its secret
    Show {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the subscription
        id: WebhookSubscriptionId,
    },
    /// Delete a webhook subscription: it receives no further events
    Delete {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Id of the subscription
        id: WebhookSubscriptionId,
    },
}

pub(super) async fn run(retour: &Retour, output: &Output, command: Command) -> Result {
    let account = match &command {
        Command::List { account } | Command::Show { account, .. } | Command::Delete { account, .. } => account,
    };
    let staff = Staff::operator(retour.account(account).await?.id);
    match command {
        Command::List { .. } => {
            let subscriptions =
                read_all(async |listing| retour.merchant(&staff).webhook_subscriptions(&listing).await).await?;
            let cells = |subscription: &view::WebhookSubscription| {
                let state = if subscription.enabled { "enabled" } else { "disabled" };
                let events: Vec<&str> = subscription.event_types.iter().map(|kind| kind.name()).collect();
                let events = if events.is_empty() { "all".to_owned() } else { events.join(",") };
                [subscription.id.to_string(), state.to_owned(), subscription.url.clone(), events]
            };
            output.list(&subscriptions, ["id", "state", "url", "events"], cells)
        }
        Command::Show { id, .. } => output.object(&retour.merchant(&staff).webhook_subscription(id).await?),
        Command::Delete { id, .. } => {
            retour.merchant(&staff).delete_webhook_subscription(id).await?;
            say!(output, "Webhook subscription {id} deleted.");
            output.document(&serde_json::json!({"deleted": id}))
        }
    }
}

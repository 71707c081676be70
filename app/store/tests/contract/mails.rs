//! Mail: tasks and how workers claim them, results, links, and opt-outs.

use crate::support::*;
use domain::{
    AccountId, MailId, ReturnOrderId, Timestamp,
    mail::{Mail, MailStatus},
};
use store::{
    mail_links::LinkTarget,
    mail_tasks::{MailSubject, MailTask},
    testing::Database,
};

async fn claimed(database: &Database, at: Timestamp) -> Vec<MailTask> {
    let shares: Vec<_> =
        look!(database, mail_tasks::waiting, at, EVERYBODY).into_iter().map(|account| (account, 5)).collect();
    keep!(database, mail_tasks::claim, at, at.plus_seconds(30), (&shares, 10))
}

fn mail(about: &str, order: Option<ReturnOrderId>, status: MailStatus) -> Mail {
    Mail {
        id: MailId(id()),
        about: about.to_owned(),
        return_order_id: order,
        language: "de".to_owned(),
        status,
        attempts: 2,
        error_code: (status == MailStatus::Failed).then_some(550),
        created_at: NOW,
    }
}

async fn listed(database: &Database, account: AccountId, clauses: &[&str]) -> Vec<Mail> {
    look!(database, mails::list, account, &asking(&store::mails::LIST, clauses)).rows
}

store::on_each_database! {
    async fn the_task_of_a_return_is_claimed_once_and_keeps_its_language_and_last_notification(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = ReturnOrderId(id());
        keep!(database, mail_tasks::wake, ours, order, "de", NOW, NOW);
        keep!(database, mail_tasks::wake, theirs, order, "fr", NOW.plus_seconds(9), NOW);
        keep!(database, mail_tasks::wake, ours, order, "", NOW.plus_seconds(45), NOW);
        assert_eq!(look!(database, mail_tasks::backlog, NOW), (1, Some(NOW)));
        let task = claimed(&database, NOW).await.remove(0);
        assert_eq!((task.account_id, &task.about, task.language.as_str()), (ours, &MailSubject::Return(order), "de"));
        assert_eq!((task.last_mail.as_str(), task.tries), ("", 0));
        assert!(claimed(&database, NOW).await.is_empty(), "it is leased");

        // A wake-up during the lease sets the next due time, and the task is not deleted.
        keep!(database, mail_tasks::wake, ours, order, "", NOW.plus_seconds(60), NOW);
        assert!(!keep!(database, mail_tasks::delete, &task));
        keep!(database, mail_tasks::later, &task, None, 3, "Ready");
        assert!(claimed(&database, NOW.plus_seconds(59)).await.iter().all(|task| task.account_id == theirs), "not before");
        let task = claimed(&database, NOW.plus_seconds(60)).await.into_iter().find(|task| task.account_id == ours).unwrap();
        assert_eq!((task.last_mail.as_str(), task.tries), ("Ready", 0));
        keep!(database, mail_tasks::later, &task, None, 0, "Ready");
        keep!(database, mail_tasks::later, &task, Some(NOW), 0, "Done"); // its lease is over
        assert_eq!(claimed(&database, NOW.plus_days(1)).await.len(), 1, "only the task of the other account");
        keep!(database, mail_tasks::wake, ours, order, "pl", NOW.plus_days(2), NOW);
        let task = claimed(&database, NOW.plus_days(2)).await.into_iter().find(|task| task.account_id == ours).unwrap();
        assert_eq!((task.language.as_str(), task.last_mail.as_str()), ("de", "Ready"));
        assert!(keep!(database, mail_tasks::delete, &task));
    }

    async fn a_mail_that_is_sent_again_is_due_at_once_without_a_last_notification(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = ReturnOrderId(id());
        keep!(database, mail_tasks::wake, ours, order, "de", NOW, NOW);
        let task = claimed(&database, NOW).await.remove(0);
        keep!(database, mail_tasks::later, &task, None, 0, "Ready");
        assert!(!keep!(database, mail_tasks::resend, theirs, order, NOW));
        assert!(keep!(database, mail_tasks::resend, ours, order, NOW));
        let task = claimed(&database, NOW).await.remove(0);
        assert_eq!((task.last_mail.as_str(), task.resent), ("", 1));
        // Once more while a worker sends it: the worker does not record its mail as the last one.
        assert!(keep!(database, mail_tasks::resend, ours, order, NOW));
        keep!(database, mail_tasks::later, &task, None, 0, "Ready");
        let task = claimed(&database, NOW).await.remove(0);
        assert_eq!((task.last_mail.as_str(), task.resent), ("", 2));
    }

    async fn a_link_is_requested_under_an_address(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            keep!(database, mail_tasks::ask, account, id(), "ada@example.com", "en", NOW);
        }
        keep!(database, mail_tasks::forget_links, theirs, "ada@example.com");
        let tasks = claimed(&database, NOW).await;
        assert_eq!(tasks.iter().map(|task| task.account_id).collect::<Vec<_>>(), [ours]);
        assert_eq!(tasks[0].about, MailSubject::Link("ada@example.com".to_owned()));
    }

    async fn a_draft_whose_link_is_requested_again_is_mailed_again(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let draft = domain::DraftReturnOrderId(id());
        keep!(database, mail_tasks::invite, ours, draft, "de", NOW);
        let task = claimed(&database, NOW).await.remove(0);
        assert_eq!((&task.about, task.language.as_str()), (&MailSubject::Draft(draft), "de"));
        keep!(database, mail_tasks::invite, ours, draft, "de", NOW.plus_seconds(5));
        assert!(!keep!(database, mail_tasks::delete, &task), "it was woken since");
        keep!(database, mail_tasks::later, &task, None, 0, "");
        assert_eq!(claimed(&database, NOW.plus_seconds(40)).await.len(), 1);
    }

    async fn results_of_mail_are_listed_and_deleted_after_a_time(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = ReturnOrderId(id());
        let kept = [mail("Ready", Some(order), MailStatus::Sent), mail("SignIn", None, MailStatus::Failed)];
        for one in &kept {
            keep!(database, mails::insert, ours, one);
        }
        keep!(database, mails::insert, theirs, &mail("Ready", Some(order), MailStatus::Sent));
        assert_eq!(listed(&database, ours, &[]).await, [kept[1].clone(), kept[0].clone()]);
        assert_eq!(listed(&database, ours, &["status:Failed"]).await, [kept[1].clone()]);
        assert_eq!(listed(&database, ours, &[&format!("returnOrderId:{order}")]).await, [kept[0].clone()]);
        assert_eq!(keep!(database, mails::prune, NOW), 0);
        assert_eq!(keep!(database, mails::prune, NOW.plus_seconds(1)), 3);
    }

    async fn a_link_opens_its_target_until_it_is_used_or_expires(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = domain::ConsumerId(id());
        let to_return = LinkTarget::Return(consumer, ReturnOrderId(id()));
        let to_orders = LinkTarget::Orders("ada@example.com".to_owned());
        let to_draft = LinkTarget::Draft(consumer, domain::DraftReturnOrderId(id()));
        let ends = NOW.plus_days(1);
        for (hash, opens) in [(b"one", &to_return), (b"two", &to_orders), (b"ten", &to_draft)] {
            keep!(database, mail_links::insert, ours, hash, opens, ends);
        }
        assert_eq!(look!(database, mail_links::find, ours, b"one", NOW), Some(to_return));
        assert_eq!(look!(database, mail_links::find, ours, b"two", NOW), Some(to_orders));
        assert_eq!(look!(database, mail_links::find, ours, b"ten", NOW), Some(to_draft));
        assert_eq!(look!(database, mail_links::find, theirs, b"one", NOW), None);
        assert_eq!(look!(database, mail_links::find, ours, b"one", ends), None);
        assert!(!keep!(database, mail_links::delete, theirs, b"two", NOW));
        assert!(keep!(database, mail_links::delete, ours, b"two", NOW));
        assert!(!keep!(database, mail_links::delete, ours, b"two", NOW), "used up");
        keep!(database, mail_links::forget, ours, consumer);
        for hash in [b"one", b"ten"] {
            assert_eq!(look!(database, mail_links::find, ours, hash, NOW), None);
        }
        keep!(database, mail_links::insert, ours, b"six", &LinkTarget::Orders("ada@example.com".to_owned()), ends);
        keep!(database, mail_links::forget_email, ours, "ada@example.com");
        assert_eq!(keep!(database, mail_links::prune, ends), 0);
    }

    async fn an_opt_out_of_mail_belongs_to_one_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for _ in 0..2 {
            keep!(database, mail_links::decline, ours, b"ada", NOW);
        }
        assert!(look!(database, mail_links::has_declined, ours, b"ada"));
        assert!(!look!(database, mail_links::has_declined, theirs, b"ada"));
        keep!(database, mail_links::accept, ours, b"ada");
        assert!(!look!(database, mail_links::has_declined, ours, b"ada"));
    }
}

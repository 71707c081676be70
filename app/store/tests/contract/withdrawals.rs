//! Withdrawals: the statement never changes, and an update of the handling needs the latest version.

use crate::support::*;
use domain::{
    AccountId, Locale, WithdrawalId,
    proof::EmailKey,
    withdrawal::{Statement, Withdrawal, WithdrawalStatus},
};
use store::{testing::Database, withdrawals::Withdrawn};

fn a_withdrawal(email: &str, orders: &[&str]) -> Withdrawal {
    Withdrawal {
        id: WithdrawalId(id()),
        number: format!("W-{}", next()),
        statement: Statement::typed("Ada Lovelace", "Order 1001\nand the mug", email),
        language: Locale("de".to_owned()),
        order_numbers: orders.iter().map(|&number| number.to_owned()).collect(),
        consumer_id: None,
        return_order_id: None,
        is_closed: false,
        note: String::new(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

async fn kept(database: &Database, account: AccountId, withdrawal: Withdrawal) -> Withdrawal {
    assert!(keep!(database, withdrawals::insert, account, &withdrawal));
    withdrawal
}

fn email(text: &str) -> EmailKey {
    EmailKey::new(text).unwrap()
}

store::on_each_database! {
    async fn a_withdrawal_is_inserted_once_and_found_in_its_own_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let one = kept(&database, ours, a_withdrawal("Ada@example.com", &["#1001", "#1002"])).await;
        assert_eq!(look!(database, withdrawals::find, ours, one.id), Some(one.clone()));
        assert_eq!(look!(database, withdrawals::find, theirs, one.id), None);
        assert!(!keep!(database, withdrawals::insert, ours, &one), "its id is taken");
        let same_number = Withdrawal { number: one.number.clone(), ..a_withdrawal("ada@example.com", &[]) };
        assert!(!keep!(database, withdrawals::insert, ours, &same_number), "its number is taken");
        assert!(keep!(database, withdrawals::insert, theirs, &same_number), "another account may have the same number");
        assert_eq!(look!(database, withdrawals::list_of_email, ours, &email(" ADA@example.com")), [one]);
    }

    async fn an_update_needs_the_latest_version(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut one = kept(&database, ours, a_withdrawal("ada@example.com", &[])).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let consumer = look!(database, return_orders::find, ours, order.id).unwrap().consumer_id;
        one.order_numbers.push("#1001".to_owned());
        (one.consumer_id, one.return_order_id) = (Some(consumer), Some(order.id));
        (one.note, one.updated_at) = ("by phone".to_owned(), NOW.plus_seconds(5));
        let stated = one.statement.clone();
        one.statement = Statement::typed("Eve", "all of it", "eve@example.com");
        assert!(keep!(database, withdrawals::update, ours, &one));
        assert!(!keep!(database, withdrawals::update, ours, &one), "another update was faster");
        let now = keep!(database, withdrawals::lock, ours, one.id).unwrap();
        assert_eq!((now.version, &now.statement), (2, &stated), "the statement never changes");
        assert_eq!(now, Withdrawal { version: 2, statement: stated, ..one });
        assert_eq!(now.status(), WithdrawalStatus::Returned);
        assert_eq!(look!(database, withdrawals::list_of_return_order, ours, order.id), [now.clone()]);
        let closed = Withdrawal { is_closed: true, ..now };
        assert!(keep!(database, withdrawals::update, ours, &closed));
        assert_eq!(look!(database, withdrawals::find, ours, closed.id).unwrap().status(), WithdrawalStatus::Closed);
    }

    async fn every_field_finds_exactly_the_rows_with_its_value(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let one = kept(&database, ours, a_withdrawal("ada@example.com", &["#1001"])).await;
        let later = Withdrawal { created_at: NOW.plus_hours(1), ..a_withdrawal("ben@example.com", &[]) };
        let two = kept(&database, ours, later).await;
        kept(&database, theirs, a_withdrawal("ada@example.com", &[])).await;
        for (clause, wanted) in [
            (format!("number:{}", one.number), vec![one.id]),
            ("status:OrderFound".to_owned(), vec![one.id]),
            ("status:Received".to_owned(), vec![two.id]),
            ("status:Closed".to_owned(), vec![]),
            ("email: Ada@Example.com".to_owned(), vec![one.id]),
            (format!("returnOrderId:{}", id()), vec![]),
            (format!("createdAt>{NOW}"), vec![two.id]),
            (format!("createdAt<={NOW}"), vec![one.id]),
        ] {
            let listing = asking(&store::withdrawals::LIST, &[&clause]);
            let found = look!(database, withdrawals::list, ours, &listing).rows;
            assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), wanted, "{clause}");
        }
        let all = look!(database, withdrawals::list, ours, &newest(None, 1));
        assert_eq!((all.rows[0].id, all.next.is_some()), (two.id, true));
        let rest = look!(database, withdrawals::list, ours, &newest(all.next, 1));
        assert_eq!((rest.rows[0].id, rest.next), (one.id, None));
    }

    async fn the_orders_of_withdrawals_are_found_by_e_mail_address(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await;
        let theirs_too = kept(&database, theirs, a_withdrawal(&consumer.email, &["#1"])).await;
        let one = kept(&database, ours, a_withdrawal(&consumer.email, &["#1001"])).await;
        kept(&database, ours, a_withdrawal(&consumer.email, &[])).await;
        kept(&database, ours, a_withdrawal("somebody@example.com", &["#1001"])).await;
        let key = email(&consumer.email);
        let wanted = [Withdrawn { email: Some(key.clone()), order_numbers: one.order_numbers.clone(), at: NOW }];
        assert_eq!(look!(database, withdrawals::list_withdrawn_of_emails, ours, std::slice::from_ref(&key)), wanted);
        assert_eq!(look!(database, withdrawals::list_withdrawn_of_emails, ours, &[]), []);
        let both = [key.clone(), email("somebody@example.com")];
        assert_eq!(look!(database, withdrawals::list_withdrawn_of_emails, ours, &both).len(), 2);
        assert_ne!(theirs_too.id, one.id);
    }

    async fn open_withdrawals_have_no_return_and_are_not_closed(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let open = kept(&database, ours, a_withdrawal("ada@example.com", &["#1001"])).await;
        kept(&database, ours, Withdrawal { is_closed: true, ..a_withdrawal("ada@example.com", &[]) }).await;
        kept(&database, ours, Withdrawal { return_order_id: Some(order.id), ..a_withdrawal("ada@example.com", &[]) }).await;
        kept(&database, ours, a_withdrawal("ben@example.com", &[])).await;
        assert_eq!(look!(database, withdrawals::list_open_of_email, ours, &email("ada@example.com")), [open]);
    }

    async fn a_scrubbed_withdrawal_has_no_personal_data(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let noted = Withdrawal { note: "Ada called".to_owned(), ..a_withdrawal("ada@example.com", &["#1001"]) };
        let one = kept(&database, ours, noted).await;
        keep!(database, withdrawals::scrub, theirs, one.id, NOW);
        assert_eq!(look!(database, withdrawals::find, ours, one.id).unwrap().version, 1, "another account scrubs nothing");
        keep!(database, withdrawals::scrub, ours, one.id, NOW.plus_seconds(1));
        let left = look!(database, withdrawals::find, ours, one.id).unwrap();
        let wanted = Withdrawal {
            statement: Statement::default(),
            note: String::new(),
            updated_at: NOW.plus_seconds(1),
            version: 2,
            ..one
        };
        assert_eq!(left, wanted);
        assert_eq!(look!(database, withdrawals::list_of_email, ours, &email("ada@example.com")), []);
        assert_eq!(database.texts("SELECT email_key FROM withdrawals").await, [""]);
    }
}

//! Withdrawals from a contract: stored once, matched only with orders of their e-mail address, and linked to returns.

use crate::shop::{ALL, EMAIL, HERE, NOW, Shop, fields, fresh, refusal, sent};
use domain::{
    Locale, RefusalCode, WithdrawalId,
    order::IneligibleCode,
    policy::Policy,
    withdrawal::{Statement, WithdrawalStatus as S},
};
use returns::{ClientAddress, Done, Erasure, Error, ErrorCode, IdempotencyKey, Listing, lists, view};
use serde_json::{Value, json};
use std::net::IpAddr;
use store::testing::Database;
use tokio::task::JoinSet;

fn at(number: u8) -> ClientAddress {
    ClientAddress(IpAddr::from([198, 51, 100, number]))
}

fn about(contract: &str) -> Statement {
    Statement::typed("Ada Lovelace", contract, EMAIL)
}

impl Shop {
    async fn try_withdraw(
        &self,
        id: WithdrawalId,
        statement: Statement,
        from: ClientAddress,
    ) -> Result<view::Withdrawal, Error> {
        self.retour.receive_withdrawal(self.account.id, id, statement, Locale("de".to_owned()), from).await
    }

    async fn withdraw(&self, contract: &str) -> view::Withdrawal {
        self.try_withdraw(self.retour.withdrawal_id(), about(contract), HERE).await.unwrap()
    }

    async fn withdrawal(&self, id: WithdrawalId) -> view::Withdrawal {
        self.retour.merchant(&self.staff).withdrawal(id).await.unwrap()
    }

    async fn change(
        &self,
        id: WithdrawalId,
        change: Value,
        version: Option<i64>,
    ) -> Result<Done<view::Withdrawal>, Error> {
        self.retour.merchant(&self.staff).change_withdrawal(id, sent(change), version, None).await
    }

    /// The data of all events about withdrawals.
    async fn received_events(&self) -> Vec<Value> {
        let only = lists::EVENTS.condition("type:withdrawal.received").unwrap();
        let listing = Listing { conditions: vec![only], ..Listing::newest(ALL) };
        let events = self.retour.merchant(&self.staff).events(&listing).await.unwrap().data;
        events.iter().map(|event| serde_json::from_str(event.data.get()).unwrap()).collect()
    }
}

store::on_each_database! {
    async fn a_repeated_withdrawal_is_stored_once_even_at_the_same_time(database: Database) {
        let shop = Shop::open(&database).await;
        let id = shop.retour.withdrawal_id();
        let mut sending = JoinSet::new();
        for _ in 0..8 {
            let shop = shop.clone();
            sending.spawn(async move { shop.try_withdraw(id, about("1001\nthe mug"), HERE).await.unwrap() });
        }
        let answers = sending.join_all().await;
        assert!(answers.iter().all(|answer| (answer.id, &answer.number) == (id, &answers[0].number)));
        let kept = shop.withdrawal(id).await;
        assert_eq!((kept.name.as_str(), kept.contract.as_str(), kept.email.as_str()), ("Ada Lovelace", "1001\nthe mug", EMAIL));
        assert_eq!((kept.status, kept.language.0.as_str(), kept.created_at), (S::Received, "de", NOW));
        assert!(kept.number.strip_prefix("W-").is_some_and(|rest| rest.len() == 8), "{}", kept.number);
        assert_eq!(database.rows("withdrawals").await, 1);
        let events = shop.received_events().await;
        assert_eq!(events, [serde_json::to_value(&kept).unwrap()], "one event with the full withdrawal");
        // A known id is not read again: the first statement stays.
        shop.try_withdraw(id, about("something else"), HERE).await.unwrap();
        assert_eq!(shop.withdrawal(id).await.contract, "1001\nthe mug");
        assert_eq!(shop.retour.sent_withdrawal(shop.account.id, id).await.unwrap().unwrap().number, kept.number);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert!(other.retour.sent_withdrawal(other.account.id, id).await.unwrap().is_none());
        assert_eq!(refusal(other.retour.merchant(&other.staff).withdrawal(id).await), ErrorCode::NotFound);
    }

    async fn one_address_can_send_20_withdrawals_a_day(database: Database) {
        let shop = Shop::open(&database).await;
        let mut sending = JoinSet::new();
        for _ in 0..30 {
            let shop = shop.clone();
            sending.spawn(async move { shop.try_withdraw(shop.retour.withdrawal_id(), about("1001"), at(1)).await });
        }
        let answers = sending.join_all().await;
        let refused = answers.iter().filter(|answer| matches!(answer, Err(Error::TooManyWithdrawals { seconds: 43_200 })));
        assert_eq!((answers.iter().filter(|answer| answer.is_ok()).count(), refused.count()), (20, 10));
        assert_eq!((database.rows("withdrawals").await, shop.received_events().await.len()), (20, 20), "refused withdrawals leave nothing behind");
        let first = answers.into_iter().find_map(Result::ok).unwrap();
        assert!(shop.try_withdraw(first.id, about("1001"), at(1)).await.is_ok(), "a repeat of a stored withdrawal does not count");
        assert!(shop.try_withdraw(shop.retour.withdrawal_id(), about("1001"), at(2)).await.is_ok(), "another address");
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert!(other.try_withdraw(other.retour.withdrawal_id(), about("1001"), at(1)).await.is_ok(), "another shop");
        shop.source.set(NOW.plus_days(1));
        assert!(shop.try_withdraw(shop.retour.withdrawal_id(), about("1001"), at(1)).await.is_ok(), "tomorrow");
    }

    async fn only_orders_of_its_e_mail_address_are_matched(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 100)]).await;
        let mut other = shop.order("1002", &[(1, 100)]);
        "ben@example.com".clone_into(&mut other.email);
        shop.import(vec![other, shop.order("1003", &[(1, 100)])]).await;
        let found = shop.withdraw("orders 1001, 1002 and #1003").await;
        assert_eq!(found.status, S::OrderFound);
        let mut numbers = found.purchase_order_numbers.clone();
        numbers.sort();
        assert_eq!(numbers, ["#1001", "#1003"], "not the other buyer's; both were ordered at the same moment");
        assert_eq!(found.consumer_id, Some(customer.shopper.consumer));
        let stranger = Statement::typed("Eve", "1001", "eve@example.com");
        let stranger = shop.try_withdraw(shop.retour.withdrawal_id(), stranger, HERE).await.unwrap();
        assert_eq!((stranger.status, stranger.purchase_order_numbers.len(), stranger.consumer_id), (S::Received, 0, None));
    }

    async fn an_unknown_order_is_matched_when_it_is_proved(database: Database) {
        let shop = Shop::open(&database).await;
        let (meant, other) = (shop.withdraw("Order 1001").await, shop.withdraw("Order 1007").await);
        let customer = shop.sell("1001", &[(1, 100)]).await;
        let found = shop.withdrawal(meant.id).await;
        assert_eq!((found.status, found.purchase_order_numbers, found.version), (S::OrderFound, vec!["#1001".to_owned()], 2));
        assert_eq!(found.consumer_id, Some(customer.shopper.consumer));
        assert_eq!(shop.withdrawal(other.id).await.status, S::Received);
        shop.customer("1001").await;
        assert_eq!(shop.withdrawal(meant.id).await.version, 2, "the match happens once");
    }

    async fn a_later_return_is_linked_to_the_withdrawal(database: Database) {
        let shop = Shop::open(&database).await;
        let (one, two) = (shop.sell("1001", &[(2, 200)]).await, shop.sell("1002", &[(1, 100)]).await);
        let before = one.send_back(&[(0, 1)]).await;
        let meant = shop.withdraw("1001").await;
        let closed = shop.withdraw("1001, sent twice by mistake").await;
        fresh(shop.change(closed.id, json!({"status": "Closed"}), None).await.unwrap(), 200);
        assert_eq!(shop.withdrawal(meant.id).await.return_order_id, None, "not a return from before the withdrawal: {}", before.number);
        two.send_back(&[(0, 1)]).await;
        assert_eq!(shop.withdrawal(meant.id).await.status, S::OrderFound, "not a return of another order");
        let order = one.send_back(&[(0, 1)]).await;
        let returned = shop.withdrawal(meant.id).await;
        assert_eq!((returned.status, returned.return_order_id), (S::Returned, Some(order.id)));
        let closed = shop.withdrawal(closed.id).await;
        assert_eq!((closed.status, closed.return_order_id), (S::Closed, None), "the merchant has closed it");
    }

    async fn a_timely_withdrawal_extends_the_return_window(database: Database) {
        let policy = Policy { return_window_days: Some(14), ..Policy::default() };
        let shop = Shop::open_with(&database, "fjord-fern", "EUR", policy).await;
        let (one, two) = (shop.sell("1001", &[(2, 200)]).await, shop.sell("1002", &[(1, 100)]).await);
        let last_day = NOW.plus_days(14);
        shop.source.set(last_day);
        shop.withdraw("1001").await;
        shop.source.set(last_day.plus_days(10));
        let eligibility = one.purchases().await[0].eligibility.clone();
        assert_eq!((eligibility.returnable, eligibility.code), (true, None));
        assert_eq!(eligibility.return_by.unwrap().to_string(), "2026-03-29T23:59:59Z", "14 days from the withdrawal, including the whole last day");
        let merchants = shop.retour.merchant(&shop.staff).purchase("1001/1").await.unwrap().eligibility;
        assert_eq!((merchants.returnable, merchants.return_by), (true, eligibility.return_by), "the merchant sees the same");
        let listed = shop.retour.merchant(&shop.staff).all_purchases(&Listing::newest(ALL)).await.unwrap().data;
        assert_eq!(listed.iter().filter(|purchase| purchase.eligibility.returnable).count(), 1);
        let late = |code| code == Some(IneligibleCode::ReturnWindowExpired);
        assert!(late(two.purchases().await[0].eligibility.code), "another order of the customer");
        one.send_back(&[(0, 1)]).await;
        one.draft(&[(0, 1)]).await; // the rest can be returned as well
        shop.source.set(last_day.plus_days(15));
        assert!(late(one.purchases().await[0].eligibility.code), "14 days and no more");
        shop.withdraw("1001").await;
        assert!(late(one.purchases().await[0].eligibility.code), "this withdrawal came too late");
    }

    async fn a_merchant_can_link_and_close_a_withdrawal(database: Database) {
        let shop = Shop::open(&database).await;
        let order = shop.sell("1001", &[(1, 100)]).await.send_back(&[(0, 1)]).await;
        let made = shop.withdraw("the blue mug").await;
        let linked = fresh(shop.change(made.id, json!({"returnOrderId": order.id, "note": "by phone\nat noon"}), Some(1)).await.unwrap(), 200);
        assert_eq!((linked.status, linked.return_order_id, linked.version), (S::Returned, Some(order.id), 2));
        let same = fresh(shop.change(made.id, json!({"returnOrderId": order.id}), None).await.unwrap(), 200);
        assert_eq!((same.version, same.note.as_str()), (2, "by phone\nat noon"), "nothing changed");
        assert_eq!(refusal(shop.change(made.id, json!({"status": "Closed"}), Some(1)).await), ErrorCode::PreconditionFailed);
        let closed = fresh(shop.change(made.id, json!({"status": "Closed"}), Some(2)).await.unwrap(), 200);
        assert_eq!((closed.status, closed.return_order_id), (S::Closed, Some(order.id)));
        assert_eq!(closed.contract, "the blue mug");
        let unknown = json!({"returnOrderId": uuid::Uuid::from_u128(1)});
        assert_eq!(fields(shop.change(made.id, unknown, None).await), ["returnOrderId"]);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let theirs = other.withdraw("x 1").await;
        assert_eq!(fields(other.change(theirs.id, json!({"returnOrderId": order.id}), None).await), ["returnOrderId"], "another account's return");
        assert_eq!(fields(shop.change(made.id, json!({"note": "x".repeat(2_001)}), None).await), ["note"]);
        let absent = WithdrawalId(uuid::Uuid::from_u128(1));
        assert_eq!(refusal(shop.change(absent, json!({"status": "Closed"}), None).await), ErrorCode::NotFound);
        assert_eq!(refusal(other.change(made.id, json!({"note": ""}), None).await), ErrorCode::NotFound);
    }

    async fn a_key_creates_a_withdrawal_once(database: Database) {
        let shop = Shop::open(&database).await;
        let key = || Some(IdempotencyKey { credential: "erp".to_owned(), key: "w-1".to_owned(), fingerprint: vec![1] });
        let input = || sent(json!({"name": " Ada ", "contract": "1001", "email": EMAIL}));
        let made = fresh(shop.retour.merchant(&shop.staff).create_withdrawal(input(), key()).await.unwrap(), 201);
        assert_eq!((made.name.as_str(), made.language.0.as_str()), ("Ada", "en"), "the account's language");
        let again = shop.retour.merchant(&shop.staff).create_withdrawal(input(), key()).await.unwrap();
        assert!(matches!(again, Done::Replayed(answer) if answer.status == 201));
        assert_eq!((database.rows("withdrawals").await, shop.received_events().await.len()), (1, 1));
        let bad = sent(json!({"name": "", "contract": "\n", "email": "ada", "language": "German"}));
        let bad = shop.retour.merchant(&shop.staff).create_withdrawal(bad, None).await;
        assert_eq!(fields(bad), ["name", "contract", "email", "language"]);
        for _ in 0..25 {
            shop.retour.merchant(&shop.staff).create_withdrawal(input(), None).await.unwrap(); // the limit does not apply to staff
        }
    }

    async fn withdrawals_are_part_of_personal_data_and_of_its_erasure(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 100)]).await;
        let meant = shop.withdraw("1001, for Ada").await;
        let elsewhere = Statement::typed("Ada L.", "the mug", "ada.l@example.com");
        let linked = shop.try_withdraw(shop.retour.withdrawal_id(), elsewhere, HERE).await.unwrap();
        let others = Statement::typed("Ben Bitdiddle", "1009", "ben@example.com");
        let others = shop.try_withdraw(shop.retour.withdrawal_id(), others, HERE).await.unwrap();
        let order = customer.send_back(&[(0, 1)]).await;
        fresh(shop.change(linked.id, json!({"returnOrderId": order.id, "note": "Ada called"}), None).await.unwrap(), 200);
        let data = shop.retour.merchant(&shop.staff).personal_data(customer.shopper.consumer).await.unwrap();
        assert_eq!(data.withdrawals.iter().map(|one| one.id).collect::<Vec<_>>(), [meant.id, linked.id]);
        fresh(customer.cancel(order.id).await.unwrap(), 200);
        let erased = shop.retour.merchant(&shop.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        assert_eq!(erased, Erasure::Done);
        for (id, number) in [(meant.id, &meant.number), (linked.id, &linked.number)] {
            let left = shop.withdrawal(id).await;
            let words = [left.name, left.contract, left.email, left.note];
            assert_eq!((words, &left.number, left.return_order_id), (Default::default(), number, Some(order.id)));
        }
        let kept = database.texts("SELECT data FROM events UNION ALL SELECT name || contract || email || email_key || note FROM withdrawals").await;
        assert!(kept.iter().any(|text| text.contains("Ben Bitdiddle")), "other withdrawals stay");
        let is_of_ada = |text: &String| ["ada@", "ada.l@", "Ada"].iter().any(|part| text.contains(part)); // an id may well have "ada" in it
        assert!(!kept.iter().any(is_of_ada), "{kept:#?}");
        // The e-mail address has a withdrawal, but no known order.
        let data = shop.retour.merchant(&shop.staff).personal_data_of_email(" Ben@example.com").await.unwrap();
        assert_eq!(data.withdrawals.iter().map(|one| one.id).collect::<Vec<_>>(), [others.id]);
        assert_eq!(shop.retour.merchant(&shop.staff).erase_email("ben@example.com").await.unwrap(), Erasure::Done);
        assert_eq!(shop.withdrawal(others.id).await.name, "");
        let kept = database.texts("SELECT data FROM events").await;
        assert!(kept.iter().all(|text| !text.contains("Bitdiddle")), "{kept:#?}");
    }

    async fn a_withdrawal_with_invalid_text_is_refused(database: Database) {
        let shop = Shop::open(&database).await;
        let sent = shop.try_withdraw(shop.retour.withdrawal_id(), Statement::typed("A\0da", "10\u{1}01", "ada"), HERE).await;
        let Err(Error::Invalid(errors)) = sent else { panic!("{sent:?}") };
        let refused: Vec<_> = errors.iter().map(|error| (error.field.as_str(), error.code)).collect();
        assert_eq!(refused, [("name", RefusalCode::NotAllowed), ("contract", RefusalCode::NotAllowed), ("email", RefusalCode::NotAllowed)]);
        assert_eq!(database.rows("withdrawals").await, 0);
    }
}

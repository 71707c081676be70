//! Every spelling that people take for the same proves the same, wherever something is proved.

use crate::shop::{ALL, HERE, NOW, Shop};
use domain::{
    Locale,
    order::NewOrder,
    policy::{LookUpBy, Policy, Resolution},
    withdrawal::{Statement, WithdrawalStatus},
};
use returns::{Erasure, Error, Listing, Proof};
use store::testing::Database;

fn policy() -> Policy {
    Policy {
        look_up_by: vec![LookUpBy::Email, LookUpBy::PostalCode],
        resolutions: vec![Resolution::Refund, Resolution::StoreCredit],
        gift_returns: true,
        ..Policy::default()
    }
}

fn email(text: &str) -> Proof {
    Proof::Email(text.to_owned())
}

fn code(text: &str) -> Proof {
    Proof::PostalCode(text.to_owned())
}

fn gift(text: &str) -> Proof {
    Proof::Gift { postal_code: text.to_owned(), recipient: "Eve <eve@example.com>".to_owned() }
}

async fn shop(database: &Database) -> Shop {
    Shop::open_with(database, "fjord-fern", "EUR", policy()).await
}

impl Shop {
    fn order_of(&self, number: &str, email: &str, (code, country): (&str, &str)) -> NewOrder {
        let mut order = self.order(number, &[(1, 100)]);
        email.clone_into(&mut order.email);
        (order.address.postal_code, order.address.country) = (code.to_owned(), country.to_owned());
        order
    }

    async fn proves(&self, number: &str, proof: Proof) -> bool {
        match self.retour.identify(&self.account, number, proof, HERE).await {
            Ok(identified) => {
                let bought = self.retour.consumer(&identified.shopper).purchases(ALL, None).await.unwrap();
                assert_eq!(bought.data.len(), 1, "the proved order is listed");
                true
            }
            Err(Error::InvalidOrderCredentials | Error::Invalid(_)) => false,
            Err(error) => panic!("{number}: {error}"),
        }
    }
}

store::on_each_database! {
    async fn look_ups_accept_what_people_type_and_copy(database: Database) {
        let shop = shop(&database).await;
        shop.import(vec![shop.order_of("1001", "user@xn--mller-kva.example", ("91601-3730", "US"))]).await;
        let user = || email("user@m\u{fc}ller.example");
        for typed in ["1001", "\u{ff11}\u{ff10}\u{ff10}\u{ff11}", "\u{ff03}1001", "#1001\u{200b}", "\u{202a}#1001\u{202c}", "Order #1001"] {
            assert!(shop.proves(typed, user()).await, "{typed}");
        }
        for proof in ["91601", "91601-3730", "US-91601", "\u{ff19}\u{ff11}\u{ff16}\u{ff10}\u{ff11}"] {
            assert!(shop.proves("1001", code(proof)).await, "{proof}");
            assert!(shop.proves("No. 1001", gift(proof)).await, "{proof}");
        }
        assert_eq!(database.rows("consumers").await, 3, "one consumer per kind of proof, whatever the spelling");
        for (number, proof) in [("1002", user()), ("1001", email("user@mueller.example")), ("1001", code("91602")), ("1001", gift("9160"))] {
            assert!(!shop.proves(number, proof).await, "{number}");
        }
    }

    async fn a_placeholder_postal_code_proves_nothing(database: Database) {
        let shop = shop(&database).await;
        let said = ["-", "0", "00000", "n/a", "."];
        let orders = (1..).zip(said).map(|(number, code)| shop.order_of(&number.to_string(), "", (code, "BD")));
        let mut orders: Vec<NewOrder> = orders.collect();
        let mut billed = shop.order_of("9", "", ("-", "DE"));
        "10115".clone_into(&mut billed.billing_postal_code);
        orders.push(billed);
        shop.import(orders).await;
        for (number, said) in (1..).zip(said) {
            assert!(!shop.proves(&number.to_string(), code(said)).await, "{said}");
            assert!(!shop.proves(&number.to_string(), gift(said)).await, "{said}");
        }
        assert!(shop.proves("9", code("D-10115")).await && shop.proves("9", gift("10115")).await);
    }

    async fn other_spellings_are_not_new_guesses(database: Database) {
        let shop = shop(&database).await;
        shop.import(vec![shop.order_of("1001", "ada@example.com", ("91601", "US"))]).await;
        let mut refused = None;
        for last in 0..40 {
            let wrong = code(&format!("91602-{last:04}"));
            let number = ["1001", "#1001", "Order #1001", "\u{ff11}001", "Gift #1001"][last % 5];
            refused = shop.retour.identify(&shop.account, number, wrong, HERE).await.err();
            if matches!(refused, Some(Error::TooManyGuesses { .. })) {
                assert!(last <= 20, "{last}");
                break;
            }
        }
        assert!(matches!(refused, Some(Error::TooManyGuesses { .. })), "{refused:?}");
    }

    async fn withdrawals_and_erasures_match_both_forms_of_an_address(database: Database) {
        let shop = shop(&database).await;
        let own = "user@m\u{fc}ller.example";
        shop.import(vec![shop.order_of("A\u{2013}1001", "user@xn--mller-kva.example", ("10115", "DE"))]).await;
        let statement = Statement::typed("Ada", "Bestellung \u{ff03}a-1001, bitte", own);
        let id = shop.retour.withdrawal_id();
        let kept = shop.retour.receive_withdrawal(shop.account.id, id, statement, Locale("de".to_owned()), HERE).await.unwrap();
        assert_eq!((kept.status, kept.purchase_order_numbers.len()), (WithdrawalStatus::OrderFound, 1));
        assert!(shop.proves("a-1001", email(own)).await);
        let data = shop.retour.merchant(&shop.staff).personal_data_of_email(own).await.unwrap();
        assert_eq!((data.orders.len(), data.consumers.len(), data.withdrawals.len()), (1, 1, 1));
        assert_eq!(shop.retour.merchant(&shop.staff).erase_email(own).await.unwrap(), Erasure::Done);
        for table in ["orders", "consumers", "withdrawals"] {
            assert_eq!(database.number(&format!("SELECT COUNT(*) FROM {table} WHERE email <> '' OR email_key <> ''")).await, 0);
        }
        // A later import does not bring it back, in either form.
        for (number, email) in [("A\u{2013}1001", own), ("2", own), ("3", "user@xn--mller-kva.example")] {
            let mut order = shop.order_of(number, email, ("10115", "DE"));
            order.ordered_at = NOW.plus_seconds(-60);
            shop.import(vec![order]).await;
        }
        assert_eq!(database.number("SELECT COUNT(*) FROM orders WHERE email <> ''").await, 0);
    }

    async fn searches_accept_what_staff_copy(database: Database) {
        let shop = shop(&database).await;
        shop.import(vec![shop.order_of("1001", "user@m\u{fc}ller.example", ("10115", "DE"))]).await;
        let customer = shop.retour.identify(&shop.account, "1001", code("10115"), HERE).await.unwrap();
        for search in ["Order #1001", "\u{ff11}\u{ff10}\u{ff10}1", "user@xn--mller-kva.example", "User@M\u{fc}ller.example", "user@m"] {
            let listing = Listing { search: Some(search.to_owned()), ..Listing::newest(ALL) };
            let found = shop.retour.merchant(&shop.staff).all_purchases(&listing).await.unwrap().data;
            assert_eq!(found.len(), 1, "{search}");
        }
        for clause in ["purchaseOrderNumber:Bestellung #1001", "email:user@xn--mller-kva.example"] {
            let condition = returns::lists::CONSUMERS.condition(clause).unwrap();
            let listing = Listing { conditions: vec![condition], ..Listing::newest(ALL) };
            let found = shop.retour.merchant(&shop.staff).consumers(&listing).await.unwrap().data;
            assert_eq!(found.len(), 1, "{clause}");
            assert_eq!(found[0].id, customer.shopper.consumer);
        }
    }

    async fn the_migration_adds_spellings_of_existing_orders(database: Database) {
        let shop = shop(&database).await;
        shop.import(vec![shop.order_of("A\u{2013}1001", "ada@example.com", ("10115", "DE"))]).await;
        database.run("DELETE FROM order_spellings").await;
        database.run("UPDATE accounts SET spelled_order_id = NULL").await;
        assert!(!shop.proves("a-1001", email("ada@example.com")).await);
        assert!(shop.proves("a\u{2013}1001", email("ada@example.com")).await, "the exact spelling works as before");
        shop.retour.operator().migrate().await.unwrap();
        assert!(shop.proves("a-1001", email("ada@example.com")).await);
        assert_eq!(database.rows("consumers").await, 1, "still the same consumer");
        assert_eq!(database.rows("order_spellings").await, 1);
        // Orders that an older version imports get their spellings with the hourly pruning.
        shop.source.set(NOW.plus_seconds(10));
        shop.import(vec![shop.order_of("B\u{2013}2", "ada@example.com", ("10115", "DE"))]).await;
        database.run("DELETE FROM order_spellings").await;
        shop.retour.operator().prune().await.unwrap();
        assert!(shop.proves("b-2", email("ada@example.com")).await);
    }
}

//! Orders whose numbers have other spellings, including those that a program of the previous version has imported.

use crate::support::*;
use domain::{
    AccountId, OrderId,
    order::NewOrder,
    proof::{EmailKey, OrderClaim},
};
use store::{
    consumers::{Consumer, ProvedOrder},
    testing::Database,
};
use uuid::Uuid;

/// Numbers, and what people type for them.
const NUMBERS: [(&str, &[&str]); 6] = [
    ("A\u{2013}1001", &["A-1001", "a-1001"]),
    ("Order #1002", &["1002", "#1002", "Bestellung Nr. 1002"]),
    ("\u{0661}\u{0660}\u{0660}\u{0663}", &["1003"]),
    ("1004\u{200b}", &["1004", "# 1004"]),
    ("#A#12", &["a#12", "A # 12"]),
    ("1001#2", &["1001 #2"]),
];

fn numbered(number: &str, email: &str) -> NewOrder {
    let order = an_order(number, vec![a_line(&format!("{number}/1"), 1, 100)]);
    NewOrder { number: number.to_owned(), email: email.to_owned(), ..order }
}

async fn prove(database: &Database, account: AccountId, claim: &OrderClaim) -> Option<ProvedOrder> {
    look!(database, consumers::prove, account, claim, "")
}

/// Removes the spellings, as the previous version writes none.
async fn as_the_previous_version_left_it(database: &Database) {
    database.run("DELETE FROM order_spellings").await;
    database.run("UPDATE accounts SET spelled_order_id = NULL").await;
}

/// Runs all steps of an account; returns how many there were.
async fn spell(database: &Database, account: AccountId, most: i64) -> usize {
    let accounts = look!(database, accounts::list_unspelled);
    let Some((_, mut last)) = accounts.into_iter().find(|(id, _)| *id == account) else { return 0 };
    for step in 1.. {
        let Some(seen) = keep!(database, order_spellings::step, account, last, most) else { return step };
        keep!(database, accounts::keep_spelled, account, seen);
        last = seen;
    }
    0
}

store::on_each_database! {
    async fn an_order_is_found_by_every_spelling_of_its_number_and_by_no_other_number(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, NUMBERS.iter().map(|(number, _)| numbered(number, "ada@example.com")).collect()).await;
        for (number, typed) in NUMBERS {
            let same = prove(&database, ours, &claim_by_email(number, "ada@example.com")).await.unwrap();
            for typed in typed {
                let claim = claim_by_email(typed, "ada@example.com");
                assert_eq!(prove(&database, ours, &claim).await.as_ref(), Some(&same), "{typed}");
                assert_eq!(prove(&database, theirs, &claim).await, None, "{typed}");
                assert_eq!(prove(&database, ours, &claim_by_email(typed, "eve@example.com")).await, None, "{typed}");
            }
        }
        for other in ["1001", "B-1001", "12", "2", "1001#3", "1005"] {
            assert_eq!(prove(&database, ours, &claim_by_email(other, "ada@example.com")).await, None, "{other}");
        }
    }

    async fn an_order_whose_whole_number_was_typed_is_preferred(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![numbered("1001", "ada@example.com")]).await;
        let claim = claim_by_email("EU #1001", "ada@example.com");
        let behind_sign = prove(&database, ours, &claim).await.unwrap().credentials;
        assert_eq!(behind_sign, proof_of("1001"));
        import(&database, ours, vec![numbered("EU #1001", "ada@example.com")]).await;
        assert_eq!(prove(&database, ours, &claim).await.unwrap().credentials, credentials("EU #1001", "ada@example.com"));
        assert_eq!(prove(&database, ours, &claim_by_email("1001", "ada@example.com")).await.unwrap().credentials, behind_sign);
    }

    async fn orders_of_a_number_are_listed_by_the_best_fit(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, NUMBERS.iter().map(|(number, _)| numbered(number, "ada@example.com")).collect()).await;
        let list = async |account, typed: &str| {
            let number = domain::proof::TypedOrderNumber::new(typed).unwrap();
            let found = look!(database, orders::list_of_number, account, &number, "");
            found.into_iter().map(|order| order.number).collect::<Vec<_>>()
        };
        for (number, typed) in NUMBERS {
            for typed in typed {
                assert_eq!(list(ours, typed).await, [number], "{typed}");
                assert!(list(theirs, typed).await.is_empty(), "{typed}");
            }
        }
        assert!(list(ours, "9999").await.is_empty());
        let number = domain::proof::TypedOrderNumber::new("a-1001").unwrap();
        let known = look!(database, orders::list_of_number, ours, &number, "").remove(0);
        assert_eq!(look!(database, orders::find, ours, known.id).map(|order| order.email), Some("ada@example.com".to_owned()));
        assert!(look!(database, orders::find, theirs, known.id).is_none());
    }

    async fn orders_of_the_previous_version_are_found_by_their_key_and_later_by_all_spellings(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, NUMBERS.iter().map(|(number, _)| numbered(number, "ada@example.com")).collect()).await;
        as_the_previous_version_left_it(&database).await;
        database.run("UPDATE orders SET email = 'Ann <ann@example.com>', email_key = 'ann<ann@example.com>' WHERE number = '1001#2'").await;
        let spelled = claim_by_email("A-1001", "ada@example.com");
        let as_it_was = prove(&database, ours, &claim_by_email("a\u{2013}1001", "ada@example.com")).await.unwrap();
        assert_eq!(prove(&database, ours, &spelled).await, None);
        // A consumer who proved it before is the same one afterwards.
        let consumer = Consumer { credentials: as_it_was.credentials.clone(), ..a_consumer(proof_of("1001")) };
        keep!(database, consumers::insert_or_find, ours, &consumer);

        assert_eq!(spell(&database, ours, 4).await, 3, "four, two, and then none");
        assert_eq!(prove(&database, ours, &spelled).await, Some(as_it_was.clone()));
        let again = Consumer { id: domain::ConsumerId(id()), credentials: as_it_was.credentials, ..consumer.clone() };
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &again), (consumer, false));
        assert_eq!(look!(database, purchases::list, ours, &again.credentials, FIRST_PAGE, "").rows.len(), 1);
        let ann = look!(database, orders::list_of_email, ours, &EmailKey::new("ann@example.com").unwrap());
        assert_eq!(ann.len(), 1, "by the address only");

        assert_eq!(spell(&database, ours, 4).await, 0, "all orders were read");
        import(&database, ours, vec![numbered("9\u{2013}1", "ada@example.com")]).await;
        assert!(spell(&database, ours, 4).await > 0, "new orders are read once");
        assert_eq!(spell(&database, theirs, 4).await, 0);
        keep!(database, accounts::keep_spelled, ours, OrderId(Uuid::nil()));
        assert_eq!(spell(&database, ours, 4).await, 0, "the position never moves back");
    }

    async fn both_forms_of_a_domain_are_one_e_mail_address(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let forms = ["user@m\u{fc}ller.example", "User@xn--mller-kva.example"];
        import(&database, ours, vec![numbered("1", forms[0]), numbered("2", forms[1])]).await;
        for form in forms {
            let key = EmailKey::new(form).unwrap();
            assert_eq!(look!(database, orders::list_of_email, ours, &key).len(), 2, "{form}");
            assert_eq!(look!(database, orders::list_of_email, theirs, &key).len(), 0);
            for number in ["1", "2"] {
                assert!(prove(&database, ours, &claim_by_email(number, form)).await.is_some(), "{number} {form}");
            }
        }
        let emptied = keep!(database, erasures::scrub_orders_of_email, ours, &EmailKey::new(forms[1]).unwrap());
        assert_eq!(emptied.len(), 2, "an erasure covers both forms");
    }

    async fn the_billing_postal_code_proves_an_order_without_a_delivery_address(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let with = |number: &str, code: &str, billing: &str| {
            let mut order = numbered(number, "");
            (order.address.postal_code, order.address.country) = (code.to_owned(), "DE".to_owned());
            order.billing_postal_code = billing.to_owned();
            order
        };
        let orders = vec![with("1", "", "10115"), with("2", "-", "'10115"), with("3", "20095", "10115"), with("4", "-", "n/a")];
        import(&database, ours, orders).await;
        let proves = async |number: &str, code: &str| {
            let claim = claim_by_postal_code(number, code);
            let Some(proved) = prove(&database, ours, &claim).await else { return false };
            // The purchases of the order are listed too.
            let bought = look!(database, purchases::list, ours, &proved.credentials, FIRST_PAGE, "");
            assert_eq!(bought.rows.len(), 1, "{number}");
            true
        };
        for (number, code, expected) in [
            ("1", "D-10115", true),
            ("2", "10115", true),
            ("3", "20095", true),
            ("3", "10115", false),
            ("1", "10116", false),
            ("4", "10115", false),
        ] {
            assert_eq!(proves(number, code).await, expected, "{number} {code}");
        }
        assert_eq!(database.number("SELECT COUNT(*) FROM orders WHERE postal_code_key = '' AND number = '4'").await, 1);
    }

    async fn lists_are_filtered_and_searched_by_every_spelling(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, NUMBERS.iter().map(|(number, _)| numbered(number, "ada@example.com")).collect()).await;
        for (number, typed) in NUMBERS {
            for typed in typed.iter().chain([&number]) {
                let listing = asking(&store::purchases::LIST, &[&format!("orderNumber:{typed}")]);
                let found = look!(database, purchases::list_all, ours, &listing).rows;
                assert_eq!(found.len(), 1, "{typed}");
            }
        }
    }
}

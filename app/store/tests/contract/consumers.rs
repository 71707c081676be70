//! Consumers and their tokens.

use crate::support::*;
use domain::{
    ConsumerId,
    proof::{ClaimedProof, EmailKey, OrderClaim, ProofKey, TypedOrderNumber, TypedPostalCode},
};
use store::{
    consumers::{Consumer, Credentials, Proof, ProvedOrder},
    testing::Database,
};

fn by_postal_code(number: &str, code: &str) -> Credentials {
    Credentials { proof: Proof::PostalCode(ProofKey::new(code).unwrap()), ..proof_of(number) }
}

fn given(number: &str, code: &str, recipient: &str) -> Credentials {
    let key = |text| ProofKey::new(text).unwrap();
    Credentials { proof: Proof::Gift { postal_code: key(code), recipient: key(recipient) }, ..proof_of(number) }
}

fn claim_gift(number: &str, code: &str, recipient: &str) -> OrderClaim {
    let (postal_code, recipient) = (TypedPostalCode::new(code).unwrap(), ProofKey::new(recipient).unwrap());
    OrderClaim { number: TypedOrderNumber::new(number).unwrap(), proof: ClaimedProof::Gift { postal_code, recipient } }
}

store::on_each_database! {
    async fn an_order_is_proved_by_its_number_and_its_email_or_postal_code(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 100)])]).await;
        let proved = |credentials| {
            Some(ProvedOrder { credentials, email: "Ada@Example.com".to_owned(), address: an_address() })
        };
        let prove = async |account, claim: OrderClaim| look!(database, consumers::prove, account, &claim, "");
        assert_eq!(prove(ours, claim_by_email(" # 1001", "ADA@example.com ")).await, proved(proof_of("1001")));
        let by_code = proved(by_postal_code("1001", "eh67ab"));
        assert_eq!(prove(ours, claim_by_postal_code("Order #1001", "eh6 7ab")).await, by_code);
        assert_eq!(prove(ours, claim_by_postal_code("１００１", "GB-EH67AB")).await, by_code, "all spellings lead to one consumer");
        assert_eq!(prove(theirs, claim_by_email("1001", "ada@example.com")).await, None);
        assert_eq!(prove(ours, claim_by_email("1002", "ada@example.com")).await, None);
        assert_eq!(prove(ours, claim_by_email("1001", "eve@example.com")).await, None);
        assert_eq!(prove(ours, claim_by_postal_code("1001", "EH6 7AC")).await, None);
        // A proof of one kind does not prove the other.
        assert_eq!(TypedPostalCode::new("ada@example.com"), None, "the e-mail address is no code");
        assert_eq!(prove(ours, claim_by_email("1001", "EH6 7AB")).await, None);
    }

    async fn the_same_credentials_always_give_the_same_consumer(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = a_consumer(proof_of("1001"));
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &first), (first.clone(), true));
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &a_consumer(proof_of("1001"))), (first.clone(), false));
        assert_eq!(look!(database, consumers::find, ours, first.id), Some(first.clone()));

        // Another order, proof, kind of proof or account is another consumer.
        let elsewhere = a_consumer(proof_of("1001"));
        assert!(keep!(database, consumers::insert_or_find, theirs, &elsewhere).1);
        for other in [proof_of("1002"), credentials("1001", "eve@example.com"), by_postal_code("1001", "ada@example.com")] {
            assert!(keep!(database, consumers::insert_or_find, ours, &a_consumer(other)).1);
        }
        assert_eq!(look!(database, consumers::find, theirs, first.id), None);
        assert_eq!(look!(database, consumers::find, ours, elsewhere.id), None);
    }

    async fn a_consumer_is_found_by_the_credentials(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = a_consumer(proof_of("1001"));
        keep!(database, consumers::insert_or_find, ours, &ada);
        assert_eq!(look!(database, consumers::find_by_credentials, ours, &ada.credentials), Some(ada.clone()));
        assert_eq!(look!(database, consumers::find_by_credentials, theirs, &ada.credentials), None);
        assert_eq!(look!(database, consumers::find_by_credentials, ours, &proof_of("1002")), None);
    }

    async fn a_held_consumer_comes_with_the_test_mark_of_the_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = a_consumer(proof_of("1001"));
        keep!(database, consumers::insert_or_find, ours, &ada);
        assert_eq!(keep!(database, consumers::hold_with_test_mark, ours, ada.id), Some(false));
        assert_eq!(keep!(database, consumers::hold_with_test_mark, theirs, ada.id), None);
        keep!(database, accounts::hold_mark, ours);
        let mut account = look!(database, accounts::find, ours).unwrap();
        account.is_test = true;
        keep!(database, accounts::update, &account, NOW);
        assert_eq!(keep!(database, consumers::hold_with_test_mark, ours, ada.id), Some(true));
    }

    async fn the_recipient_of_a_gift_is_another_consumer_than_the_buyer(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 100)])]).await;
        let eve = given("1001", "eh67ab", "Eve@example.com");
        let prove = async |account, claim: OrderClaim| look!(database, consumers::prove, account, &claim, "");
        let proved = prove(ours, claim_gift("1001", "EH67AB", "eve@example.com")).await;
        assert_eq!(proved.unwrap().credentials, eve, "by the postal code");
        assert_eq!(prove(ours, claim_gift("1001", "EH6 7AC", "eve@example.com")).await, None);
        assert_eq!(prove(theirs, claim_gift("1001", "EH67AB", "eve@example.com")).await, None);
        assert_eq!(look!(database, purchases::list, ours, &eve, FIRST_PAGE, "").rows.len(), 1);

        let first = Consumer { email: "Eve@example.com".to_owned(), ..a_consumer(eve.clone()) };
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &first), (first.clone(), true));
        assert_eq!(look!(database, consumers::find, ours, first.id), Some(first.clone()));
        let again = Consumer { id: ConsumerId(id()), ..first.clone() };
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &again), (first.clone(), false));
        for other in [proof_of("1001"), by_postal_code("1001", "eh67ab"), given("1001", "eh67ab", "bob@example.com")] {
            assert!(keep!(database, consumers::insert_or_find, ours, &a_consumer(other)).1);
        }
        assert_eq!(look!(database, consumers::find, ours, first.id), Some(first.clone()), "a recipient never has the e-mail address of another");
        let found = look!(database, consumers::list_of_email, ours, &EmailKey::new("eve@example.com").unwrap());
        assert_eq!(found, [first]);
    }

    async fn erasing_a_recipient_leaves_the_buyer(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 100)])]).await;
        let eve = Consumer { email: "eve@example.com".to_owned(), ..a_consumer(given("1001", "eh67ab", "eve@example.com")) };
        keep!(database, consumers::insert_or_find, ours, &eve);
        keep!(database, erasures::scrub_consumer, ours, &eve, NOW);
        let scrubbed = look!(database, consumers::find, ours, eve.id).unwrap();
        assert!(scrubbed.credentials.is_gift() && scrubbed.email.is_empty());
        let buyer = claim_by_email("1001", "ada@example.com");
        assert!(look!(database, consumers::prove, ours, &buyer, "").is_some(), "the buyer is still known");
    }

    async fn a_returning_consumer_gets_the_current_data_of_the_shop(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = kept_consumer(&database, ours).await;
        let later = Consumer { email: "ADA@example.com".to_owned(), created_at: NOW.plus_seconds(9), ..a_consumer(proof_of("1001")) };
        let expected = Consumer { email: later.email.clone(), ..first };
        assert_eq!(keep!(database, consumers::insert_or_find, ours, &later), (expected.clone(), false));
        assert_eq!(look!(database, consumers::find, ours, expected.id), Some(expected));
    }

    async fn two_tabs_that_prove_an_order_at_once_are_one_consumer(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, consumers::insert_or_find, ours, &a_consumer(proof_of("1001"))) })
            })
            .collect();
        let mut found = Vec::new();
        for task in tasks {
            found.push(task.await.unwrap());
        }
        assert!(found.iter().all(|(consumer, _)| consumer == &found[0].0));
        assert_eq!(found.iter().filter(|(_, is_new)| *is_new).count(), 1);
    }

    async fn a_token_is_valid_until_it_expires_and_in_its_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        keep!(database, consumers::insert_token, ours, b"token", consumer, NOW.plus_seconds(10));
        assert_eq!(look!(database, consumers::find_token, ours, b"token", NOW.plus_seconds(9)), Some(consumer));
        assert_eq!(look!(database, consumers::find_token, ours, b"token", NOW.plus_seconds(10)), None);
        assert_eq!(look!(database, consumers::find_token, theirs, b"token", NOW), None);
        assert_eq!(look!(database, consumers::find_token, ours, b"tokem", NOW), None);
    }

    async fn only_expired_tokens_are_deleted(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = ConsumerId(id());
        keep!(database, consumers::insert_token, ours, b"old", consumer, NOW);
        keep!(database, consumers::insert_token, ours, b"good", consumer, NOW.plus_seconds(1));
        assert_eq!(keep!(database, consumers::prune_tokens, NOW), 1);
        assert_eq!(keep!(database, consumers::prune_tokens, NOW), 0);
        assert_eq!(look!(database, consumers::find_token, ours, b"good", NOW), Some(consumer));
    }
}

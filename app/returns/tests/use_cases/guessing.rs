//! Wrong guesses at an order, an e-mail address, a postal code or a password are limited, and lock nobody else out.

use crate::{
    shop::{EMAIL, HERE, NOW, Shop},
    team::{PASSWORD, sign_in, user},
};
use domain::policy::{LookUpBy, Policy, Resolution};
use returns::{ClientAddress, Error, Identified, Proof, Prover, Role};
use std::net::{IpAddr, Ipv6Addr};
use store::testing::Database;
use tokio::task::JoinSet;

/// Seconds from [`NOW`], which is noon, to midnight.
const TO_MIDNIGHT: i64 = 12 * 3_600;

fn at(number: u8) -> ClientAddress {
    ClientAddress(IpAddr::from([198, 51, 100, number]))
}

/// An address in an IPv6 network.
fn within(network: u16, device: u16) -> ClientAddress {
    ClientAddress(Ipv6Addr::new(0x2001, 0xdb8, 7, network, 0, 0, 0, device).into())
}

async fn prove(shop: &Shop, number: &str, email: &str, from: impl Into<Prover>) -> Result<Identified, Error> {
    shop.retour.identify(&shop.account, number, Proof::Email(email.to_owned()), from).await
}

async fn prove_by_code(shop: &Shop, number: &str, code: &str, from: impl Into<Prover>) -> Result<Identified, Error> {
    shop.retour.identify(&shop.account, number, Proof::PostalCode(code.to_owned()), from).await
}

/// A shop that looks orders up by e-mail address and postal code, and takes gifts back.
async fn open_to_codes(database: &Database) -> Shop {
    let policy = Policy {
        look_up_by: vec![LookUpBy::Email, LookUpBy::PostalCode],
        gift_returns: true,
        resolutions: vec![Resolution::Refund, Resolution::StoreCredit],
        ..Policy::default()
    };
    Shop::open_with(database, "fjord-fern", "EUR", policy).await
}

/// Sells one order for each number, delivered to this postal code.
async fn sell_to(shop: &Shop, numbers: impl Iterator<Item = u16>, code: &str) {
    let order = |number: u16| {
        let mut order = shop.order(&number.to_string(), &[(1, 100)]);
        order.email = format!("buyer{number}@example.com");
        code.clone_into(&mut order.address.postal_code);
        order
    };
    shop.import(numbers.map(order).collect()).await;
}

/// Runs all guesses concurrently.
async fn at_once<F>(guesses: impl IntoIterator<Item = F>) -> Vec<F::Output>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    guesses.into_iter().collect::<JoinSet<_>>().join_all().await
}

/// How many guesses were evaluated and wrong, and how many were refused without evaluation.
fn tally<T: std::fmt::Debug>(outcomes: Vec<Result<T, Error>>) -> (usize, usize) {
    let (mut wrong, mut refused) = (0, 0);
    for outcome in outcomes {
        match outcome.unwrap_err() {
            Error::InvalidOrderCredentials | Error::InvalidCredentials => wrong += 1,
            Error::TooManyGuesses { seconds, link } => {
                assert_eq!((seconds, link), (TO_MIDNIGHT, None), "no link is offered without a mail server");
                refused += 1;
            }
            error => panic!("{error:?}"),
        }
    }
    (wrong, refused)
}

async fn guess_at_password(shop: &Shop, email: &'static str, count: u8) -> (usize, usize) {
    let mut guesses = JoinSet::new();
    for guess in 0..count {
        let shop = shop.clone();
        guesses.spawn(async move { sign_in(&shop, email, &format!("wrong password {guess}"), at(guess)).await });
    }
    tally(guesses.join_all().await)
}

store::on_each_database! {
    async fn of_100_simultaneous_guesses_from_one_network_20_are_evaluated(database: Database) {
        let shop = open_to_codes(&database).await;
        // The guesses differ in order, e-mail address, postal code and device.
        let guesses = (0..100).map(|guess| {
            let shop = shop.clone();
            let (number, from) = (format!("{}", 1000 + guess), within(7, guess));
            async move {
                if guess % 2 == 0 {
                    prove(&shop, &number, &format!("eve{guess}@example.com"), from).await
                } else {
                    prove_by_code(&shop, &number, &format!("1012 {guess}"), from).await
                }
            }
        });
        assert_eq!(tally(at_once(guesses).await), (20, 80));
        sell_to(&shop, 2000..2001, "1012AB").await;
        let own = prove(&shop, "2000", "buyer2000@example.com", within(7, 500)).await;
        assert!(matches!(own, Err(Error::TooManyGuesses { .. })), "correct credentials are refused too: {own:?}");
        assert!(prove(&shop, "2000", "buyer2000@example.com", within(8, 500)).await.is_ok(), "the neighbouring network is not blocked");
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(tally(vec![prove(&other, "1", EMAIL, within(7, 1)).await]), (1, 0), "each account counts separately");
        shop.source.set(NOW.plus_seconds(TO_MIDNIGHT));
        assert!(prove(&shop, "2000", "buyer2000@example.com", within(7, 500)).await.is_ok(), "tomorrow");
    }

    async fn wrong_e_mails_of_strangers_never_block_the_buyer(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        let guesses = (0..100).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, "1001", &format!("eve{guess}@example.com"), within(guess, 1)).await }
        });
        assert_eq!(tally(at_once(guesses).await), (100, 0), "no network has failed before");
        assert!(prove(&shop, "1001", EMAIL, at(1)).await.is_ok());
        // Guesses at other orders with her e-mail address do not block her either.
        let guesses = (0..100).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, &format!("{}", 5000 + guess), EMAIL, within(guess, 1)).await }
        });
        assert_eq!(tally(at_once(guesses).await), (100, 0));
        shop.sell("1002", &[(1, 100)]).await;
        assert!(prove(&shop, "1002", EMAIL, at(2)).await.is_ok());
    }

    /// A hundred strangers and a hundred buyers at once: each stranger spends a day's guesses on one buyer's order.
    async fn in_a_hundred_races_strangers_are_blocked_and_buyers_are_not(database: Database) {
        let shop = Shop::open(&database).await;
        sell_to(&shop, 0..100, "1012AB").await;
        let mut of_round: Vec<Vec<Result<Identified, Error>>> = (0..100).map(|_| Vec::new()).collect();
        // Ten rounds at a time: with all at once, a busy machine makes some wait too long for a connection.
        for first in (0..100_u16).step_by(10) {
            let mut guesses = JoinSet::new();
            for round in first..first + 10 {
                for guess in 0..24 {
                    let shop = shop.clone();
                    guesses.spawn(async move {
                        let email = format!("eve{guess}@example.com");
                        (Some(round), prove(&shop, &round.to_string(), &email, within(round, guess)).await)
                    });
                }
                let shop = shop.clone();
                guesses.spawn(async move {
                    let email = format!("buyer{round}@example.com");
                    (None, prove(&shop, &round.to_string(), &email, within(1000 + round, 1)).await)
                });
            }
            for (round, outcome) in guesses.join_all().await {
                match round {
                    Some(round) => of_round[usize::from(round)].push(outcome),
                    None => assert!(outcome.is_ok(), "{outcome:?}"),
                }
            }
        }
        for outcomes in of_round {
            assert_eq!(tally(outcomes), (20, 4));
        }
    }

    async fn one_client_can_try_an_e_mail_with_ten_orders_a_day(database: Database) {
        let shop = Shop::open(&database).await;
        let guesses = (0..40).map(|number| {
            let shop = shop.clone();
            async move { prove(&shop, &number.to_string(), EMAIL, at(1)).await }
        });
        assert_eq!(tally(at_once(guesses).await), (10, 30));
        shop.sell("1001", &[(1, 100)]).await;
        assert!(prove(&shop, "1001", EMAIL, at(2)).await.is_ok(), "other clients have their own guesses with it");
    }

    async fn all_clients_together_can_try_one_postal_code_at_20_orders_a_day(database: Database) {
        let shop = open_to_codes(&database).await;
        sell_to(&shop, 1000..1100, "1012AB").await;
        let guesses = (0..100).map(|guess| {
            let shop = shop.clone();
            let (number, from) = (format!("{}", 1000 + guess), within(guess, 1));
            async move {
                if guess % 2 == 0 {
                    return prove_by_code(&shop, &number, "10115", from).await;
                }
                let proof = Proof::Gift { postal_code: "10 115".to_owned(), recipient: "eve@example.com".to_owned() };
                shop.retour.identify(&shop.account, &number, proof, from).await
            }
        });
        assert_eq!(tally(at_once(guesses).await), (20, 80));
        assert!(prove_by_code(&shop, "1000", "1012AB", at(1)).await.is_ok(), "another postal code");
        sell_to(&shop, 2000..2001, "10115").await;
        let closed = prove_by_code(&shop, "2000", "10115", at(1)).await;
        assert!(matches!(closed, Err(Error::TooManyGuesses { .. })), "correct credentials are refused too: {closed:?}");
        assert!(prove(&shop, "2000", "buyer2000@example.com", at(1)).await.is_ok(), "the e-mail address is not blocked");
    }

    async fn all_clients_together_can_try_ten_postal_codes_at_one_order_a_day(database: Database) {
        let shop = open_to_codes(&database).await;
        sell_to(&shop, 1000..1002, "10115").await;
        assert!(prove_by_code(&shop, "1000", "10115", HERE).await.is_ok());
        let guesses = (0..100).map(|guess| {
            let shop = shop.clone();
            async move { prove_by_code(&shop, "1000", &format!("1012 {guess}"), within(guess, 1)).await }
        });
        assert_eq!(tally(at_once(guesses).await), (10, 90));
        let closed = prove_by_code(&shop, "1000", "10115", at(1)).await;
        assert!(matches!(closed, Err(Error::TooManyGuesses { .. })), "correct credentials are refused too: {closed:?}");
        assert!(prove_by_code(&shop, "1000", "10115", HERE).await.is_ok(), "this address has proved the order before");
        assert!(prove_by_code(&shop, "1001", "10115", at(1)).await.is_ok(), "another order");
        assert!(prove(&shop, "1000", "buyer1000@example.com", at(1)).await.is_ok(), "the e-mail address is not blocked");
    }

    async fn guesses_through_the_accounts_own_page_count_by_order_e_mail_and_postal_code(database: Database) {
        let shop = open_to_codes(&database).await;
        sell_to(&shop, 1000..1100, "1012AB").await;
        let page = Prover::Account(HERE);
        // Mistakes of forty shoppers block nothing.
        let honest_mistakes = (0..40).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, &format!("{}", 2000 + guess), &format!("ann{guess}@example.com"), page).await }
        });
        assert_eq!(tally(at_once(honest_mistakes).await), (40, 0));
        let at_order = (0..40).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, "1000", &format!("eve{guess}@example.com"), page).await }
        });
        assert_eq!(tally(at_once(at_order).await), (20, 20));
        let with_email = (0..40).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, &format!("{}", 3000 + guess), EMAIL, page).await }
        });
        assert_eq!(tally(at_once(with_email).await), (20, 20));
        let with_code = (0..90).map(|guess| {
            let shop = shop.clone();
            async move { prove_by_code(&shop, &format!("{}", 4000 + guess), "10115", page).await }
        });
        assert_eq!(tally(at_once(with_code).await), (50, 40));
        // None of them count on the portal's page.
        assert!(prove(&shop, "1000", "buyer1000@example.com", HERE).await.is_ok());
        assert!(prove_by_code(&shop, "1001", "1012AB", HERE).await.is_ok());
    }

    async fn a_known_shopper_is_not_blocked_when_others_use_up_the_networks_guesses(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        let others = (0..30).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, "1001", &format!("eve{guess}@example.com"), HERE).await }
        });
        assert_eq!(tally(at_once(others).await), (20, 10));
        shop.import(vec![shop.order("1002", &[(1, 100)])]).await;
        assert!(prove(&shop, "1002", EMAIL, HERE).await.is_ok(), "the e-mail address is trusted in this network");
        let own = (0..30).map(|guess| {
            let shop = shop.clone();
            async move { prove(&shop, &format!("{}", 2000 + guess), EMAIL, HERE).await }
        });
        assert_eq!(tally(at_once(own).await), (10, 20));
    }

    async fn a_malformed_e_mail_costs_no_guess(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        for mistyped in ["ada", "ada.example.com", " ada "] {
            for _ in 0..10 {
                match prove(&shop, "1001", mistyped, at(1)).await {
                    Err(Error::Invalid(fields)) => assert_eq!(fields[0].field, "email"),
                    other => panic!("{other:?}"),
                }
            }
        }
        assert_eq!(database.rows("guesses").await, 0);
        assert!(prove(&shop, "1001", EMAIL, at(1)).await.is_ok());
    }

    async fn one_network_can_add_20_recipients_to_a_gift_a_day(database: Database) {
        let shop = open_to_codes(&database).await;
        sell_to(&shop, 1000..1001, "10115").await;
        let give = async |recipient: &str, from: ClientAddress| {
            let proof = Proof::Gift { postal_code: "10115".to_owned(), recipient: recipient.to_owned() };
            shop.retour.identify(&shop.account, "1000", proof, from).await
        };
        for number in 0..20 {
            assert!(give(&format!("eve{number}@example.com"), at(1)).await.is_ok());
        }
        let another = give("eve20@example.com", at(1)).await;
        assert!(matches!(another, Err(Error::TooManyGuesses { .. })), "{another:?}");
        assert!(give("eve0@example.com", at(1)).await.is_ok(), "a known recipient does not count");
        assert!(give("eve20@example.com", at(2)).await.is_ok(), "other networks are not blocked");
        assert_eq!(database.rows("consumers").await, 21);
    }

    async fn of_200_simultaneous_passwords_ten_are_evaluated_whether_the_user_exists_or_not(database: Database) {
        let shop = Shop::open(&database).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok());
        for email in ["ada@example.com", "nobody@example.com"] {
            assert_eq!(guess_at_password(&shop, email, 200).await, (10, 190), "{email}");
        }
        let right = sign_in(&shop, "Ada@Example.com ", PASSWORD, at(1)).await;
        assert!(matches!(right, Err(Error::TooManyGuesses { .. })), "the correct password is refused too");
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok(), "this address has signed in before");
    }

    async fn a_known_address_has_ten_wrong_guesses_of_its_own(database: Database) {
        let shop = Shop::open(&database).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok());
        let mut guesses = JoinSet::new();
        for _ in 0..30 {
            let shop = shop.clone();
            guesses.spawn(async move { sign_in(&shop, "ada@example.com", "not the password", HERE).await });
        }
        assert_eq!(tally(guesses.join_all().await), (10, 20));
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, at(1)).await.is_ok(), "nobody has guessed from this address");
        shop.source.set(NOW.plus_days(90));
        assert_eq!(guess_at_password(&shop, "ada@example.com", 10).await, (10, 0));
        let forgotten = sign_in(&shop, "ada@example.com", PASSWORD, HERE).await;
        assert!(matches!(forgotten, Err(Error::TooManyGuesses { .. })), "{forgotten:?}");
    }

    async fn correct_credentials_never_count_as_guesses(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        let mut tries = JoinSet::new();
        for number in 0..40 {
            let shop = shop.clone();
            tries.spawn(async move { prove(&shop, "1001", EMAIL, at(number)).await.map(drop) });
        }
        assert!(tries.join_all().await.iter().all(Result::is_ok), "simultaneous proofs succeed");
        shop.import((0..40).map(|number| shop.order(&format!("2{number:03}"), &[(1, 100)])).collect()).await;
        let of_one_network = (0..40).map(|number| {
            let shop = shop.clone();
            async move { prove(&shop, &format!("2{number:03}"), EMAIL, within(7, number)).await.map(drop) }
        });
        assert!(at_once(of_one_network).await.iter().all(Result::is_ok), "simultaneous proofs from one network succeed");
        for number in 0..15 {
            sign_in(&shop, "ada@example.com", PASSWORD, at(number)).await.unwrap();
        }
        assert_eq!(database.number("SELECT CAST(SUM(failures) AS BIGINT) FROM guesses").await, 0);
    }

    async fn guesses_and_trusted_addresses_are_pruned_after_their_time(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        for number in 0..2 {
            prove(&shop, "1001", &format!("eve{number}@example.com"), at(number)).await.unwrap_err();
        }
        let kept = async || (database.rows("guesses").await, database.rows("trusted_addresses").await);
        assert_eq!(kept().await, (4, 1), "two networks with an e-mail address each, and one trusted address");
        shop.source.set(NOW.plus_days(1));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(kept().await, (0, 1));
        shop.source.set(NOW.plus_days(90));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(kept().await, (0, 0));
    }
}

//! Nobody guesses more than ten times a day at an order, an e-mail or a password, and nobody else is shut out by it.

use crate::{
    shop::{EMAIL, HERE, NOW, Shop},
    team::{PASSWORD, user},
};
use returns::{ClientAddress, Error, Identified, Proof, Role, SignIn};
use store::testing::Database;
use tokio::task::JoinSet;

/// Seconds from [`NOW`], which is noon, to midnight.
const TO_MIDNIGHT: i64 = 12 * 3_600;

fn at(number: u8) -> ClientAddress {
    ClientAddress(std::net::IpAddr::from([198, 51, 100, number]))
}

async fn prove(shop: &Shop, number: &str, email: &str, from: ClientAddress) -> Result<Identified, Error> {
    shop.retour.identify(&shop.account, number, Proof::Email(email.to_owned()), from).await
}

async fn sign_in(shop: &Shop, email: &str, password: &str, from: ClientAddress) -> Result<SignIn, Error> {
    shop.retour.sign_in(email, password.to_owned(), from).await
}

/// How many were looked at and found wrong, and how many were not looked at.
fn tally<T: std::fmt::Debug>(outcomes: Vec<Result<T, Error>>) -> (usize, usize) {
    let (mut wrong, mut refused) = (0, 0);
    for outcome in outcomes {
        match outcome.unwrap_err() {
            Error::InvalidOrderCredentials | Error::InvalidCredentials => wrong += 1,
            Error::TooManyGuesses { seconds } => {
                assert_eq!(seconds, TO_MIDNIGHT);
                refused += 1;
            }
            error => panic!("{error:?}"),
        }
    }
    (wrong, refused)
}

/// So many wrong guesses at once at the e-mail of an order, each with another address and from elsewhere.
async fn guess_at_order(shop: &Shop, number: &'static str, count: u8) -> (usize, usize) {
    let mut guesses = JoinSet::new();
    for guess in 0..count {
        let shop = shop.clone();
        guesses.spawn(async move { prove(&shop, number, &format!("eve{guess}@example.com"), at(guess)).await });
    }
    tally(guesses.join_all().await)
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
    async fn of_200_guesses_at_once_ten_are_looked_at_whether_there_is_such_an_order_or_not(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        for number in ["1001", "9999"] {
            assert_eq!(guess_at_order(&shop, number, 200).await, (10, 190), "{number}");
        }
        assert!(matches!(prove(&shop, "1001", EMAIL, at(1)).await, Err(Error::TooManyGuesses { .. })), "right or not");
        // Who has proved it before is not shut out; nor is anybody for another order; nor tomorrow.
        assert!(prove(&shop, "1001", EMAIL, HERE).await.is_ok());
        shop.sell("1002", &[(1, 100)]).await;
        assert!(prove(&shop, "1002", EMAIL, at(1)).await.is_ok());
        shop.source.set(NOW.plus_seconds(TO_MIDNIGHT));
        assert!(prove(&shop, "1001", EMAIL, at(1)).await.is_ok());
        assert_eq!(database.rows("consumers").await, 2);
    }

    async fn an_e_mail_is_tried_with_ten_orders_a_day(database: Database) {
        let shop = Shop::open(&database).await;
        let mut guesses = JoinSet::new();
        for number in 0..40 {
            let shop = shop.clone();
            guesses.spawn(async move { prove(&shop, &number.to_string(), EMAIL, at(1)).await });
        }
        assert_eq!(tally(guesses.join_all().await), (10, 30));
        let other = Shop::open_with(&database, "other", "EUR", domain::policy::Policy::default()).await;
        assert_eq!(tally(vec![prove(&other, "1", EMAIL, at(1)).await]), (1, 0), "another shop's guesses are its own");
    }

    async fn of_200_passwords_at_once_ten_are_looked_at_whether_there_is_such_a_user_or_not(database: Database) {
        let shop = Shop::open(&database).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok());
        for email in ["ada@example.com", "nobody@example.com"] {
            assert_eq!(guess_at_password(&shop, email, 200).await, (10, 190), "{email}");
        }
        let right = sign_in(&shop, "Ada@Example.com ", PASSWORD, at(1)).await;
        assert!(matches!(right, Err(Error::TooManyGuesses { .. })), "right or not");
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok(), "known here");
    }

    async fn who_was_right_before_has_ten_wrong_guesses_of_their_own(database: Database) {
        let shop = Shop::open(&database).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.is_ok());
        let mut guesses = JoinSet::new();
        for _ in 0..30 {
            let shop = shop.clone();
            guesses.spawn(async move { sign_in(&shop, "ada@example.com", "not the password", HERE).await });
        }
        assert_eq!(tally(guesses.join_all().await), (10, 20));
        assert!(sign_in(&shop, "ada@example.com", PASSWORD, at(1)).await.is_ok(), "elsewhere nobody has guessed");
        shop.source.set(NOW.plus_days(90));
        assert_eq!(guess_at_password(&shop, "ada@example.com", 10).await, (10, 0));
        let forgotten = sign_in(&shop, "ada@example.com", PASSWORD, HERE).await;
        assert!(matches!(forgotten, Err(Error::TooManyGuesses { .. })), "{forgotten:?}");
    }

    async fn what_was_right_never_counts(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        user(&shop, "ada@example.com", Role::Admin).await;
        let mut tries = JoinSet::new();
        for number in 0..40 {
            let shop = shop.clone();
            tries.spawn(async move { prove(&shop, "1001", EMAIL, at(number)).await.map(drop) });
        }
        assert!(tries.join_all().await.iter().all(Result::is_ok), "also when many come at once");
        for number in 0..15 {
            sign_in(&shop, "ada@example.com", PASSWORD, at(number)).await.unwrap();
        }
        assert_eq!(database.number("SELECT CAST(SUM(failures) AS BIGINT) FROM guesses").await, 0);
    }

    async fn counts_and_known_addresses_are_forgotten_when_they_are_over(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        guess_at_order(&shop, "1001", 2).await;
        let kept = async || (database.rows("guesses").await, database.rows("trusted_addresses").await);
        assert_eq!(kept().await, (4, 2), "an order and three e-mails; an order and an e-mail");
        shop.source.set(NOW.plus_days(1));
        shop.retour.prune().await.unwrap();
        assert_eq!(kept().await, (0, 2));
        shop.source.set(NOW.plus_days(90));
        shop.retour.prune().await.unwrap();
        assert_eq!(kept().await, (0, 0));
    }
}

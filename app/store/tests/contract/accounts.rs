//! Accounts.

use crate::support::*;
use domain::{AccountId, TimeZone, base::host::HostName};
use store::testing::Database;

store::on_each_database! {
    async fn an_account_is_found_unchanged_by_id_and_by_slug(database: Database) {
        let account = an_account("fjord-fern");
        assert!(keep!(database, accounts::insert, &account, NOW));
        assert_eq!(look!(database, accounts::find, account.id), Some(account.clone()));
        assert_eq!(look!(database, accounts::find_by_slug, "fjord-fern"), Some(account));
        assert_eq!(look!(database, accounts::find, AccountId(id())), None);
        assert_eq!(look!(database, accounts::find_by_slug, "fjord"), None);
    }

    async fn two_accounts_cannot_have_one_slug(database: Database) {
        let first = an_account("fjord-fern");
        assert!(keep!(database, accounts::insert, &first, NOW));
        assert!(!keep!(database, accounts::insert, &an_account("fjord-fern"), NOW));
        assert_eq!(look!(database, accounts::find_by_slug, "fjord-fern").map(|account| account.id), Some(first.id));
        assert_eq!(database.rows("accounts").await, 1);
    }

    async fn an_update_changes_everything_but_slug_and_currency(database: Database) {
        let (_, theirs) = two_accounts(&database).await;
        let mut account = look!(database, accounts::find_by_slug, "ours").unwrap();
        account.name = "Fern & Fjord".to_owned();
        account.policy.return_window_days = None;
        account.branding.color = None;
        account.domain = HostName::parse("returns.ours.example");
        account.time_zone = TimeZone::from_name("Europe/Berlin").unwrap();
        account.api_origins = vec!["https://shop.example".to_owned()];
        account.is_test = true;
        keep!(database, accounts::update, &account, NOW.plus_seconds(1));
        assert_eq!(look!(database, accounts::find, account.id), Some(account.clone()));
        let renamed = domain::account::Account { slug: "elsewhere".to_owned(), currency: domain::Currency::from_code("JPY").unwrap(), ..account.clone() };
        keep!(database, accounts::update, &renamed, NOW.plus_seconds(2));
        assert_eq!(look!(database, accounts::find, account.id), Some(account));
        assert_eq!(look!(database, accounts::find, theirs).unwrap().name, "Fjord & Fern");
        let kept = look!(database, accounts::find_kept, renamed.id).unwrap();
        assert_eq!((kept.created_at, kept.updated_at, kept.version), (NOW, NOW.plus_seconds(2), 3));
        let other = look!(database, accounts::find_kept, theirs).unwrap();
        assert_eq!((other.created_at, other.updated_at, other.version), (NOW, NOW, 1));
        assert_eq!(look!(database, accounts::find_kept, AccountId(id())), None);
    }

    async fn all_accounts_are_listed_in_the_order_of_their_slugs(database: Database) {
        assert_eq!(look!(database, accounts::list), []);
        let (second, first) = (an_account("b-test"), an_account("a"));
        let second = domain::account::Account { is_test: true, ..second };
        assert!(keep!(database, accounts::insert, &second, NOW));
        assert!(keep!(database, accounts::insert, &first, NOW.plus_seconds(1)));
        let listed = look!(database, accounts::list);
        let created: Vec<_> = listed.iter().map(|kept| (kept.created_at, kept.version)).collect();
        assert_eq!(created, [(NOW.plus_seconds(1), 1), (NOW, 1)]);
        assert_eq!(listed.into_iter().map(|kept| kept.value).collect::<Vec<_>>(), [first, second]);
    }

    async fn a_domain_belongs_to_one_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let host = HostName::parse("returns.ours.example").unwrap();
        assert_eq!(look!(database, accounts::find_slug_by_domain, &host), None);
        let mut account = look!(database, accounts::find, ours).unwrap();
        account.domain = Some(host.clone());
        keep!(database, accounts::update, &account, NOW);
        assert_eq!(look!(database, accounts::find_slug_by_domain, &host).as_deref(), Some("ours"));
        let mut other = look!(database, accounts::find, theirs).unwrap();
        other.domain = Some(host.clone());
        assert!(try_keep!(database, accounts::update, &other, NOW).is_err());
        account.domain = None;
        keep!(database, accounts::update, &account, NOW);
        keep!(database, accounts::update, &other, NOW);
        assert_eq!(look!(database, accounts::find_slug_by_domain, &host).as_deref(), Some("theirs"));
    }

    async fn api_origins_are_listed_with_their_accounts(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        assert_eq!(look!(database, accounts::list_api_origins), []);
        let mut account = look!(database, accounts::find, ours).unwrap();
        account.api_origins = vec!["https://shop.example".to_owned(), "http://localhost:8080".to_owned()];
        keep!(database, accounts::update, &account, NOW);
        let mut made = an_account("made-with-one");
        made.api_origins = vec!["https://made.example".to_owned()];
        assert!(keep!(database, accounts::insert, &made, NOW));
        let mut listed = look!(database, accounts::list_api_origins);
        listed.sort_unstable_by_key(|(id, _)| *id != ours);
        assert_eq!(listed, [(ours, account.api_origins.clone()), (made.id, made.api_origins.clone())]);
        account.api_origins.clear();
        keep!(database, accounts::update, &account, NOW);
        assert_eq!(look!(database, accounts::list_api_origins), [(made.id, made.api_origins)]);
    }

    async fn each_account_numbers_its_shipments_without_gaps_or_repetitions(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for (count, numbers) in [(1, 1..2), (50, 2..52), (2, 52..54)] {
            assert_eq!(keep!(database, accounts::next_parcels, ours, count), numbers);
        }
        assert_eq!(keep!(database, accounts::next_parcels, theirs, 1), 1..2);
    }

    async fn concurrent_shipments_get_distinct_numbers(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, accounts::next_parcels, ours, 1).start })
            })
            .collect();
        let mut serials = Vec::new();
        for task in tasks {
            serials.push(task.await.unwrap());
        }
        serials.sort_unstable();
        assert_eq!(serials, (1..=16).collect::<Vec<u64>>());
    }
}

//! Erasures beside everything that writes of a person: whichever comes first, nothing of them is left.
//!
//! A hundred rounds each: in a round, a person of their own is erased while others write of them. Names differ by round, so that
//! the whole database is searched once, after the last.

use crate::{
    race::{Work, at_once},
    shop::{Customer, NOW, Shop, fresh, refusal, sent},
};
use domain::{
    Locale,
    address::Address,
    order::NewOrder,
    policy::{LookUpBy, Policy, Resolution},
    returning::ReturnSource,
    withdrawal::Statement,
};
use fastrand::Rng;
use returns::{
    ClientAddress, Done, Erasure, Error, ErrorCode, FileKind, IdempotencyKey, MailTemplates, Mailer, NextNotification,
    Proof, ReturnMailContext, Shopper, Upload, WayBack, WithdrawalInput, Words, import::Parsed, view,
};
use serde_json::{Value, json};
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};
use store::{DatabaseKind, testing::Database};
use tokio::sync::watch;

const ROUNDS: u16 = 100;
/// Rounds that run at once.
const LANES: u16 = 20;
/// What no text may hold afterwards.
const WORDS: [&str; 2] = ["zoe", "hidden lane"];

/// One who is erased.
#[derive(Clone)]
struct Person {
    shop: Shop,
    round: u16,
}

impl Person {
    fn email(&self) -> String {
        format!("zoe{}@example.com", self.round)
    }

    fn code(&self) -> String {
        format!("{:04}ZZ", 1_000 + self.round)
    }

    fn order(&self) -> NewOrder {
        let Self { shop, round } = self;
        let address = Address {
            name: format!("Zoe{round} Verysecret"),
            street: format!("Hidden Lane {round}"),
            postal_code: self.code(),
            country: "NL".to_owned(),
            ..Address::default()
        };
        NewOrder { email: self.email(), address, ..shop.order(&round.to_string(), &[(3, 3_000)]) }
    }

    async fn import(&self, order: NewOrder) {
        let rows = std::iter::once(Ok(Parsed::Order(order.into())));
        self.shop.retour.operator().import(self.shop.account.id, rows).await.unwrap();
    }

    /// From a network of their own: what others guess wrong is none of theirs.
    fn at(&self) -> ClientAddress {
        let [high, low] = self.round.to_be_bytes();
        ClientAddress(IpAddr::V4(Ipv4Addr::new(10, high, low, 1)))
    }

    async fn look_up(&self, proof: Proof) -> Result<Shopper, Error> {
        let Self { shop, round } = self;
        Ok(shop.retour.identify(&shop.account, &round.to_string(), proof, self.at()).await?.shopper)
    }

    /// Every way of proving the order.
    fn proofs(&self) -> [Proof; 3] {
        let (postal_code, recipient) = (self.code(), self.email());
        [
            Proof::Email(self.email()),
            Proof::PostalCode(self.code()),
            Proof::Gift { postal_code, recipient }, // bought for themselves
        ]
    }

    /// Erases them, a moment after the others began or before.
    fn erased(&self) -> Work<()> {
        let person = self.clone();
        Box::pin(async move {
            person.waited(0).await;
            person.shop.retour.merchant(&person.shop.staff).erase_email(&person.email()).await.unwrap();
        })
    }

    /// Up to two milliseconds, others in each round.
    async fn waited(&self, place: u64) {
        let micros = Rng::with_seed(u64::from(self.round) * 31 + place).u64(..2_000);
        tokio::time::sleep(Duration::from_micros(micros)).await;
    }

    /// Something beside it. Whether it succeeds is its own affair, but nothing may break.
    fn beside<T>(&self, place: u64, work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Work<()> {
        let person = self.clone();
        Box::pin(async move {
            person.waited(place).await;
            if let Err(error) = work.await {
                assert_ne!(error.code(), ErrorCode::InternalError, "{error:?}");
            }
        })
    }

    async fn data(&self) -> Value {
        serde_json::to_value(
            self.shop.retour.merchant(&self.shop.staff).personal_data_of_email(&self.email()).await.unwrap(),
        )
        .unwrap()
    }

    async fn assert_nothing_is_held(&self) {
        let data = self.data().await;
        assert!(data.as_object().unwrap().values().all(|list| list == &json!([])), "round {}: {data:#}", self.round);
    }

    fn key(&self, name: &str) -> Option<IdempotencyKey> {
        let key = format!("{name}-{}", self.round);
        Some(IdempotencyKey { credential: "me".to_owned(), key, fingerprint: vec![1] })
    }
}

async fn open(database: &Database) -> Shop {
    let policy = Policy {
        look_up_by: vec![LookUpBy::Email, LookUpBy::PostalCode],
        gift_returns: true,
        resolutions: vec![Resolution::Refund, Resolution::StoreCredit],
        ..Policy::default()
    };
    Shop::open_with(database, "fjord-fern", "EUR", policy).await
}

/// Runs the rounds, each with an order that was taken in.
async fn rounds<F: Future<Output = ()> + Send + 'static>(shop: &Shop, round: impl Fn(Person) -> F) {
    for first in (0..ROUNDS).step_by(usize::from(LANES)) {
        let mut lanes = Vec::new();
        for number in first..first + LANES {
            let person = Person { shop: shop.clone(), round: number };
            person.import(person.order()).await;
            lanes.push(round(person));
        }
        at_once(lanes).await;
    }
}

/// Every text in every table.
async fn everything(database: &Database) -> Vec<String> {
    let columns = match database.store.kind() {
        DatabaseKind::Sqlite => {
            "SELECT m.name || ' ' || c.name FROM sqlite_master m CROSS JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'TEXT'"
        }
        DatabaseKind::Postgres => {
            "SELECT table_name || ' ' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text'"
        }
    };
    let mut all = Vec::new();
    for place in database.texts(columns).await {
        let (table, column) = place.split_once(' ').unwrap();
        let texts = database.texts(&format!("SELECT COALESCE({column}, '') FROM {table}")).await;
        all.extend(texts.into_iter().map(|text| format!("{place}: {}", text.to_lowercase())));
    }
    all
}

/// Nothing of them is in any row, nor in the bytes of SQLite's log.
async fn assert_forgotten(database: &Database) {
    let left: Vec<String> =
        everything(database).await.into_iter().filter(|text| WORDS.iter().any(|word| text.contains(word))).collect();
    assert!(left.is_empty(), "{} places: {:#?}", left.len(), &left[..left.len().min(5)]);
    // The last erasure may have met readers, and now it meets nobody.
    while !database.store.purge().await.unwrap() {
        tokio::task::yield_now().await;
    }
    // Of the file itself only the log: SQLite leaves copies in unused parts of pages when it moves rows (docs/guide.md).
    if database.store.kind() == DatabaseKind::Sqlite {
        let log = format!("{}-wal", database.url.trim_start_matches("sqlite://"));
        let bytes = std::fs::read(&log).unwrap_or_default().to_ascii_lowercase();
        for word in WORDS.map(str::as_bytes) {
            assert!(!bytes.windows(word.len()).any(|window| window == word), "in the bytes of {log}");
        }
    }
}

impl Customer {
    /// Has their returns ended, and waits for what waited for that.
    async fn end_returns(&self) {
        for order in self.retour.consumer(&self.shopper).own_return_orders(crate::shop::ALL, &[]).await.unwrap().data {
            drop(self.cancel(order.id).await.unwrap());
        }
        self.retour.operator().finish_erasures().await.unwrap();
    }
}

/// Writes little.
#[derive(Debug)]
struct Writer;

impl MailTemplates for Writer {
    fn of_return(&self, _: &ReturnMailContext) -> NextNotification {
        NextNotification::Nothing(None)
    }

    fn of_link(&self, _: &domain::account::Account, _: &str, link: &str) -> Words {
        Words { subject: "Your orders".to_owned(), text: link.to_owned(), html: link.to_owned(), pictures: Vec::new() }
    }

    fn of_withdrawal(&self, _: &domain::account::Account, _: &view::Withdrawal, _: WayBack<'_>) -> (Words, String) {
        let here = "It is here".to_owned();
        (Words { subject: here.clone(), text: here, html: String::new(), pictures: Vec::new() }, String::new())
    }
}

store::on_each_database! {
    async fn a_look_up_beside_an_erasure_is_before_or_after_it(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erased()];
            for (place, proof) in (1..).zip(person.proofs().into_iter().chain(person.proofs())) {
                let who = person.clone();
                work.push(person.beside(place, async move { who.look_up(proof).await }));
            }
            at_once(work).await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
    }

    async fn what_a_consumer_writes_beside_their_erasure_is_erased_or_refused(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
            let customer = Customer { retour: person.shop.retour.clone(), shopper };
            let mut chosen = customer.choose(&[(0, 1)]).await;
            chosen[0].comment = format!("Call Zoe{}", person.round);
            let option = customer.purchases().await[0].shipping_options[0].id;
            let draft = fresh(customer.try_draft(chosen.clone(), person.key("before")).await.unwrap(), 201).id;
            let mut work = vec![person.erased()];
            let (retour, key) = (customer.retour.clone(), person.key("draft"));
            let again = chosen.clone();
            work.push(person.beside(1, async move { retour.consumer(&shopper).draft(again, Some(option), key).await }));
            let (retour, key) = (customer.retour.clone(), person.key("option"));
            work.push(person.beside(2, async move { retour.consumer(&shopper).set_shipping_option(draft, option, key).await }));
            let (retour, key, purchase) = (customer.retour.clone(), person.key("photo"), chosen[0].purchase_id);
            let upload = Upload { name: format!("Zoe{}.pdf", person.round), kind: FileKind::Pdf, bytes: b"%PDF-1.7 it".to_vec() };
            work.push(person.beside(3, async move { retour.consumer(&shopper).add_pending_evidence(purchase, upload, key).await }));
            let (retour, round) = (customer.retour.clone(), person.round);
            let words = format!("{{\"shopper\":{},\"comment\":\"Zoe{round}\"}}", json!(shopper));
            work.push(person.beside(4, async move { retour.create_session(format!("cookie {round}"), words, [shopper].into(), NOW.plus_seconds(60)).await }));
            if person.round.is_multiple_of(3) {
                let (retour, key) = (customer.retour.clone(), person.key("submit"));
                work.push(person.beside(5, async move { retour.consumer(&shopper).submit(draft, ReturnSource::Portal, key).await }));
            }
            at_once(work).await;
            customer.end_returns().await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
        assert_eq!(database.rows("pending_evidence").await, 0);
        let told = database.texts("SELECT type FROM events WHERE type = 'consumer.erased'").await;
        assert_eq!(told.len(), usize::from(ROUNDS), "each of them once");
    }

    async fn what_is_taken_in_beside_an_erasure_brings_nobody_back(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erased()];
            for place in 1..4 {
                let who = person.clone();
                work.push(person.beside(place, async move {
                    who.import(who.order()).await;
                    Ok(())
                }));
            }
            let who = person.clone();
            work.push(person.beside(4, async move { who.look_up(Proof::PostalCode(who.code())).await }));
            at_once(work).await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
    }

    async fn a_withdrawal_beside_an_erasure_is_erased_with_it_or_comes_after_it(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let (round, email) = (person.round, person.email());
            let statement = Statement::typed(&format!("Zoe{round}"), &format!("#{round}, Zoe's"), &email);
            let (retour, account, staff) = (person.shop.retour.clone(), person.shop.account.id, person.shop.staff);
            let language = Locale("nl".to_owned());
            let before = retour.withdrawal_id();
            retour.receive_withdrawal(account, before, statement.clone(), language.clone(), person.at()).await.unwrap();
            let mut work = vec![person.erased()];
            let (stated, later, at) = (retour.clone(), retour.withdrawal_id(), person.at());
            work.push(person.beside(1, async move { stated.receive_withdrawal(account, later, statement, language, at).await }));
            let (taken, key) = (retour.clone(), person.key("withdrawal"));
            let input = WithdrawalInput { name: format!("Zoe{round}"), contract: format!("#{round}"), email, language: None };
            work.push(person.beside(2, async move { taken.merchant(&staff).create_withdrawal(input, key).await }));
            let (changed, key) = (retour.clone(), person.key("note"));
            let note = sent(json!({"note": "they called"}));
            work.push(person.beside(3, async move { changed.merchant(&staff).change_withdrawal(before, note, None, key).await }));
            let who = person.clone();
            work.push(person.beside(4, async move { who.look_up(Proof::Email(who.email())).await }));
            at_once(work).await;
            // Who states it afterwards states it anew, of an order that nobody has.
            let data = person.data().await;
            for left in data["withdrawals"].as_array().unwrap() {
                assert_eq!((&left["purchaseOrderNumbers"], left["consumerId"].is_string()), (&json!([]), false), "{left}");
                assert_ne!(left["id"], json!(before));
            }
            assert_eq!(data["consumers"], json!([]));
            retour.merchant(&staff).erase_email(&person.email()).await.unwrap();
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
    }

    async fn a_link_that_is_asked_for_beside_an_erasure_opens_nothing(database: Database) {
        let mut shop = open(&database).await;
        let folder = tempfile::tempdir().unwrap();
        let mailer = Mailer::new(&format!("file://{}", folder.path().display()), "shop@example.com").unwrap();
        shop.retour = shop.retour.clone().configured(|config| config.mailer = Some(mailer));
        let (stop, mut stopped) = watch::channel(false);
        let retour = shop.retour.clone();
        let worker = tokio::spawn(async move {
            returns::Workers::new(&retour).writing_mail_by(Arc::new(Writer)).send_mail(async move { drop(stopped.wait_for(|stopped| *stopped).await) }).await;
        });
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erased()];
            for place in 1..4 {
                let (who, shop) = (person.clone(), person.shop.clone());
                work.push(person.beside(place, async move { shop.retour.ask_for_link(&shop.account, &who.email(), "nl", who.at()).await }));
            }
            at_once(work).await;
        }).await;
        // What was asked for after an erasure is there until the worker finds that there is nothing to send. What failed is tried
        // again, by the clock.
        let mut now = NOW;
        while database.rows("mail_tasks").await > 0 {
            now = now.plus_seconds(1);
            shop.source.set(now);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.send(true).unwrap();
        worker.await.unwrap();
        assert_eq!(database.rows("mail_links").await, 0);
        assert_forgotten(&database).await;
    }

    async fn a_session_that_begins_after_an_erasure_is_not_kept(database: Database) {
        let shop = open(&database).await;
        let person = Person { shop: shop.clone(), round: 1 };
        person.import(person.order()).await;
        let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
        let words = || "{\"comment\":\"Zoe\"}".to_owned();
        assert!(shop.retour.create_session("before".to_owned(), words(), [shopper].into(), NOW.plus_seconds(60)).await.unwrap());
        assert!(shop.retour.load_session("before").await.unwrap().is_some());
        shop.retour.merchant(&shop.staff).erase_consumer(shopper.consumer).await.unwrap();
        assert!(shop.retour.create_session("after".to_owned(), words(), [shopper].into(), NOW.plus_seconds(60)).await.unwrap());
        assert!(shop.retour.load_session("after").await.unwrap().is_none());
    }

    async fn an_emptied_order_stays_empty_whatever_its_shop_tells_of_it(database: Database) {
        let shop = open(&database).await;
        let person = Person { shop: shop.clone(), round: 1 };
        let order = person.order();
        person.import(order.clone()).await;
        assert_eq!(shop.retour.merchant(&shop.staff).erase_email(&person.email()).await.unwrap(), Erasure::Done);
        let other_id = |number: &str| NewOrder { external_id: number.to_owned(), lines: shop.order(number, &[(1, 100)]).lines, ..order.clone() };
        for told in [
            order.clone(),
            NewOrder { email: String::new(), ..order.clone() },
            NewOrder { email: "zoe@elsewhere.example".to_owned(), ..order.clone() },
            NewOrder { email: String::new(), address: Address { postal_code: String::new(), ..order.address.clone() }, ..order.clone() },
            NewOrder { email: String::new(), ..other_id("of the bridge") },
        ] {
            person.import(told).await;
            assert_forgotten(&database).await;
        }
        // Another sale of that number, to somebody behind the same postal code, is theirs.
        let address = Address { name: "Ben".to_owned(), street: "Main Street".to_owned(), ..order.address.clone() };
        person.import(NewOrder { email: "ben@example.com".to_owned(), address, ..other_id("2nd shop") }).await;
        person.look_up(Proof::Email("ben@example.com".to_owned())).await.unwrap();
        assert_eq!(refusal(person.look_up(Proof::Email(person.email())).await), ErrorCode::InvalidOrderCredentials);
        // A number that is given out anew later is another order.
        shop.source.set(NOW.plus_seconds(100));
        let anew = NewOrder { ordered_at: NOW.plus_seconds(50), email: "eve@example.com".to_owned(), ..order.clone() };
        person.import(anew).await;
        person.look_up(Proof::Email("eve@example.com".to_owned())).await.unwrap();
    }

    async fn an_erasure_that_is_finished_twice_at_once_is_told_once(database: Database) {
        let shop = open(&database).await;
        for round in 0..20 {
            let person = Person { shop: shop.clone(), round };
            person.import(person.order()).await;
            let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
            let customer = Customer { retour: shop.retour.clone(), shopper };
            let order = customer.send_back(&[(0, 1)]).await.id;
            assert_eq!(shop.retour.merchant(&shop.staff).erase_consumer(shopper.consumer).await.unwrap(), Erasure::Waiting);
            let Done::Fresh { .. } = customer.cancel(order).await.unwrap() else { panic!("nobody sent a key") };
            let finish = || {
                let retour = shop.retour.clone();
                async move { retour.operator().finish_erasures().await.unwrap() }
            };
            at_once((0..4).map(|_| finish()).collect()).await;
            assert_eq!(database.number("SELECT COUNT(*) FROM events WHERE type = 'consumer.erased'").await, i64::from(round) + 1);
        }
        assert_forgotten(&database).await;
    }
}

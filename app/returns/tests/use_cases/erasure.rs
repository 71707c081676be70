//! Erasures that race with every write of personal data: whichever comes first, no personal data remains.
//!
//! Each test runs a hundred rounds. A round erases its own person while other tasks write about them. Names differ by
//! round, so that one search of the whole database after the last round suffices.

use crate::{
    race::{Work, at_once},
    seed::Seed,
    shop::{Customer, NOW, Shop, fresh, refusal, sent},
};
use domain::{
    Locale, Timestamp,
    address::Address,
    mail::StaffNotice,
    order::NewOrder,
    policy::{LookUpBy, Policy, Resolution},
    returning::ReturnSource,
    withdrawal::Statement,
};
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
/// Rounds that run at the same time.
const LANES: u16 = 20;
/// Words that no text may contain afterwards.
const WORDS: [&str; 2] = ["zoe", "hidden lane"];

/// The person that a round erases.
#[derive(Clone)]
struct Person {
    shop: Shop,
    round: u16,
    seed: Seed,
}

impl Person {
    fn email(&self) -> String {
        format!("zoe{}@example.com", self.round)
    }

    fn code(&self) -> String {
        format!("{:04}ZZ", 1_000 + self.round)
    }

    fn order(&self) -> NewOrder {
        let Self { shop, round, .. } = self;
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

    /// Each person has a network of their own, so that wrong guesses of other rounds do not count against them.
    fn at(&self) -> ClientAddress {
        let [high, low] = self.round.to_be_bytes();
        ClientAddress(IpAddr::V4(Ipv4Addr::new(10, high, low, 1)))
    }

    async fn look_up(&self, proof: Proof) -> Result<Shopper, Error> {
        let Self { shop, round, .. } = self;
        Ok(shop.retour.identify(&shop.account, &round.to_string(), proof, self.at()).await?.shopper)
    }

    /// Every way of proving the order.
    fn proofs(&self) -> [Proof; 3] {
        let (postal_code, recipient) = (self.code(), self.email());
        [
            Proof::Email(self.email()),
            Proof::PostalCode(self.code()),
            Proof::Gift { postal_code, recipient }, // the buyer is the recipient
        ]
    }

    /// Erases the person after a short random delay.
    fn erase(&self) -> Work<()> {
        let person = self.clone();
        Box::pin(async move {
            person.wait_briefly(0).await;
            person.shop.retour.merchant(&person.shop.staff).erase_email(&person.email()).await.unwrap();
        })
    }

    /// Waits up to two milliseconds, another time in each round and place.
    async fn wait_briefly(&self, place: u64) {
        let micros = self.seed.rng(u64::from(self.round) * 31 + place).u64(..2_000);
        tokio::time::sleep(Duration::from_micros(micros)).await;
    }

    /// Runs `work` concurrently with the erasure. It may fail, but not with an internal error.
    fn race_with<T>(&self, place: u64, work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Work<()> {
        let person = self.clone();
        Box::pin(async move {
            person.wait_briefly(place).await;
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

/// Runs the rounds, each with an imported order.
async fn rounds<F: Future<Output = ()> + Send + 'static>(shop: &Shop, round: impl Fn(Person) -> F) {
    let seed = Seed::of_this_run();
    for first in (0..ROUNDS).step_by(usize::from(LANES)) {
        let mut lanes = Vec::new();
        for number in first..first + LANES {
            let person = Person { shop: shop.clone(), round: number, seed };
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

/// Neither the rows nor the bytes of SQLite's WAL contain the person's words.
async fn assert_forgotten(database: &Database) {
    let left: Vec<String> =
        everything(database).await.into_iter().filter(|text| WORDS.iter().any(|word| text.contains(word))).collect();
    assert!(left.is_empty(), "{} places: {:#?}", left.len(), &left[..left.len().min(5)]);
    // The last erasure may have met readers; now there are none.
    while !database.store.purge().await.unwrap() {
        tokio::task::yield_now().await;
    }
    // Of the files, only the WAL is searched: SQLite leaves copies in unused parts of pages when it moves rows (docs/guide.md).
    if database.store.kind() == DatabaseKind::Sqlite {
        let log = format!("{}-wal", database.url.trim_start_matches("sqlite://"));
        let bytes = std::fs::read(&log).unwrap_or_default().to_ascii_lowercase();
        for word in WORDS.map(str::as_bytes) {
            assert!(!bytes.windows(word.len()).any(|window| window == word), "in the bytes of {log}");
        }
    }
}

impl Customer {
    /// Ends their returns, and waits for the erasure that wait_briefly for that.
    async fn end_returns(&self) {
        for order in self.retour.consumer(&self.shopper).return_orders(crate::shop::ALL, &[]).await.unwrap().data {
            drop(self.cancel(order.id).await.unwrap());
        }
        self.retour.operator().finish_erasures().await.unwrap();
    }
}

/// Writes short mails.
#[derive(Debug)]
pub struct Writer;

impl MailTemplates for Writer {
    fn of_return(&self, _: &ReturnMailContext) -> NextNotification {
        NextNotification::Nothing(None)
    }

    fn of_link(&self, _: &domain::account::Account, _: &str, link: &str) -> Words {
        Words { subject: "Your orders".to_owned(), text: link.to_owned(), html: link.to_owned(), pictures: Vec::new() }
    }

    fn of_draft(&self, account: &domain::account::Account, language: &str, link: &str) -> Words {
        self.of_link(account, language, link)
    }

    fn of_withdrawal(&self, _: &domain::account::Account, _: &view::Withdrawal, _: WayBack<'_>) -> (Words, String) {
        let here = "It is here".to_owned();
        (Words { subject: here.clone(), text: here, html: String::new(), pictures: Vec::new() }, String::new())
    }

    fn of_staff(
        &self,
        _: &domain::account::Account,
        language: &Locale,
        _: &StaffNotice,
        _: Timestamp,
        link: &str,
    ) -> Words {
        Words { subject: language.0.clone(), text: link.to_owned(), html: link.to_owned(), pictures: Vec::new() }
    }
}

store::on_each_database! {
    async fn a_look_up_during_an_erasure_happens_before_or_after_it(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erase()];
            for (place, proof) in (1..).zip(person.proofs().into_iter().chain(person.proofs())) {
                let who = person.clone();
                work.push(person.race_with(place, async move { who.look_up(proof).await }));
            }
            at_once(work).await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
    }

    async fn writes_of_a_consumer_during_their_erasure_are_erased_or_refused(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
            let customer = Customer { retour: person.shop.retour.clone(), shopper };
            let mut chosen = customer.choose(&[(0, 1)]).await;
            chosen[0].comment = format!("Call Zoe{}", person.round);
            let option = customer.purchases().await[0].shipping_options[0].id;
            let draft = fresh(customer.try_draft(chosen.clone(), person.key("before")).await.unwrap(), 201).id;
            let mut work = vec![person.erase()];
            let (retour, key) = (customer.retour.clone(), person.key("draft"));
            let again = chosen.clone();
            work.push(person.race_with(1, async move { retour.consumer(&shopper).draft(again, Some(option), key).await }));
            let (retour, key) = (customer.retour.clone(), person.key("option"));
            work.push(person.race_with(2, async move { retour.consumer(&shopper).set_shipping_option(draft, option, key).await }));
            let (retour, key, purchase) = (customer.retour.clone(), person.key("photo"), chosen[0].purchase_id);
            let upload = Upload { name: format!("Zoe{}.pdf", person.round), kind: FileKind::Pdf, bytes: b"%PDF-1.7 it".to_vec() };
            work.push(person.race_with(3, async move { retour.consumer(&shopper).add_pending_evidence(purchase, upload, key).await }));
            let (retour, round) = (customer.retour.clone(), person.round);
            let words = format!("{{\"shopper\":{},\"comment\":\"Zoe{round}\"}}", json!(shopper));
            work.push(person.race_with(4, async move { retour.create_session(format!("cookie {round}"), words, [shopper].into(), NOW.plus_seconds(60)).await }));
            if person.round.is_multiple_of(3) {
                let (retour, key) = (customer.retour.clone(), person.key("submit"));
                work.push(person.race_with(5, async move { retour.consumer(&shopper).submit(draft, ReturnSource::Portal, key).await }));
            }
            at_once(work).await;
            customer.end_returns().await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
        assert_eq!(database.rows("pending_evidence").await, 0);
        let erasures = database.texts("SELECT type FROM events WHERE type = 'consumer.erased'").await;
        assert_eq!(erasures.len(), usize::from(ROUNDS), "each person once");
    }

    async fn imports_during_an_erasure_bring_nobody_back(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erase()];
            for place in 1..4 {
                let who = person.clone();
                work.push(person.race_with(place, async move {
                    who.import(who.order()).await;
                    Ok(())
                }));
            }
            let who = person.clone();
            work.push(person.race_with(4, async move { who.look_up(Proof::PostalCode(who.code())).await }));
            at_once(work).await;
            person.assert_nothing_is_held().await;
        }).await;
        assert_forgotten(&database).await;
    }

    async fn a_withdrawal_during_an_erasure_is_erased_or_comes_after_it(database: Database) {
        let shop = open(&database).await;
        rounds(&shop, async |person: Person| {
            let (round, email) = (person.round, person.email());
            let statement = Statement::typed(&format!("Zoe{round}"), &format!("#{round}, Zoe's"), &email);
            let (retour, account, staff) = (person.shop.retour.clone(), person.shop.account.id, person.shop.staff);
            let language = Locale("nl".to_owned());
            let before = retour.withdrawal_id();
            retour.receive_withdrawal(account, before, statement.clone(), language.clone(), person.at()).await.unwrap();
            let mut work = vec![person.erase()];
            let (stated, later, at) = (retour.clone(), retour.withdrawal_id(), person.at());
            work.push(person.race_with(1, async move { stated.receive_withdrawal(account, later, statement, language, at).await }));
            let (taken, key) = (retour.clone(), person.key("withdrawal"));
            let input = WithdrawalInput { name: format!("Zoe{round}"), contract: format!("#{round}"), email, language: None };
            work.push(person.race_with(2, async move { taken.merchant(&staff).create_withdrawal(input, key).await }));
            let (changed, key) = (retour.clone(), person.key("note"));
            let note = sent(json!({"note": "they called"}));
            work.push(person.race_with(3, async move { changed.merchant(&staff).change_withdrawal(before, note, None, key).await }));
            let who = person.clone();
            work.push(person.race_with(4, async move { who.look_up(Proof::Email(who.email())).await }));
            at_once(work).await;
            // A withdrawal after the erasure is new and belongs to no order.
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

    async fn a_link_requested_during_an_erasure_opens_nothing(database: Database) {
        let mut shop = open(&database).await;
        let folder = tempfile::tempdir().unwrap();
        let mailer = Mailer::new(&format!("file://{}", folder.path().display()), "shop@example.com").unwrap();
        shop.retour = shop.retour.clone().configured(|config| config.mailer = Some(mailer));
        let (stop, mut stopped) = watch::channel(false);
        let retour = shop.retour.clone();
        let worker = tokio::spawn(async move {
            workers::Workers::new(&retour).writing_mail_by(Arc::new(Writer)).send_mail(async move { drop(stopped.wait_for(|stopped| *stopped).await) }).await;
        });
        rounds(&shop, async |person: Person| {
            let mut work = vec![person.erase()];
            for place in 1..4 {
                let (who, shop) = (person.clone(), person.shop.clone());
                work.push(person.race_with(place, async move { shop.retour.ask_for_link(&shop.account, &who.email(), "nl", who.at()).await }));
            }
            at_once(work).await;
        }).await;
        // A link requested after the erasure stays queued until the worker finds nothing to send. Failed mails are retried
        // when the clock moves.
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

    async fn a_session_created_after_an_erasure_is_not_kept(database: Database) {
        let shop = open(&database).await;
        let person = Person { shop: shop.clone(), round: 1, seed: Seed::of_this_run() };
        person.import(person.order()).await;
        let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
        let words = || "{\"comment\":\"Zoe\"}".to_owned();
        assert!(shop.retour.create_session("before".to_owned(), words(), [shopper].into(), NOW.plus_seconds(60)).await.unwrap());
        assert!(shop.retour.load_session("before").await.unwrap().is_some());
        shop.retour.merchant(&shop.staff).erase_consumer(shopper.consumer).await.unwrap();
        assert!(shop.retour.create_session("after".to_owned(), words(), [shopper].into(), NOW.plus_seconds(60)).await.unwrap());
        assert!(shop.retour.load_session("after").await.unwrap().is_none());
    }

    async fn an_erased_order_stays_empty_whatever_the_shop_reports(database: Database) {
        let shop = open(&database).await;
        let person = Person { shop: shop.clone(), round: 1, seed: Seed::of_this_run() };
        let order = person.order();
        person.import(order.clone()).await;
        assert_eq!(shop.retour.merchant(&shop.staff).erase_email(&person.email()).await.unwrap(), Erasure::Done);
        let other_id = |number: &str| NewOrder { external_id: number.to_owned(), lines: shop.order(number, &[(1, 100)]).lines, ..order.clone() };
        for reported in [
            order.clone(),
            NewOrder { email: String::new(), ..order.clone() },
            NewOrder { email: "zoe@elsewhere.example".to_owned(), ..order.clone() },
            NewOrder { email: String::new(), address: Address { postal_code: String::new(), ..order.address.clone() }, ..order.clone() },
            NewOrder { email: String::new(), ..other_id("of the bridge") },
        ] {
            person.import(reported).await;
            assert_forgotten(&database).await;
        }
        // Another sale with that number, to a buyer with the same postal code, belongs to that buyer.
        let address = Address { name: "Ben".to_owned(), street: "Main Street".to_owned(), ..order.address.clone() };
        person.import(NewOrder { email: "ben@example.com".to_owned(), address, ..other_id("2nd shop") }).await;
        person.look_up(Proof::Email("ben@example.com".to_owned())).await.unwrap();
        assert_eq!(refusal(person.look_up(Proof::Email(person.email())).await), ErrorCode::InvalidOrderCredentials);
        // A number that the shop reuses later means another order.
        shop.source.set(NOW.plus_seconds(100));
        let anew = NewOrder { ordered_at: NOW.plus_seconds(50), email: "eve@example.com".to_owned(), ..order.clone() };
        person.import(anew).await;
        person.look_up(Proof::Email("eve@example.com".to_owned())).await.unwrap();
    }

    async fn an_erasure_that_two_instances_finish_is_reported_once(database: Database) {
        let shop = open(&database).await;
        let seed = Seed::of_this_run();
        for round in 0..20 {
            let person = Person { shop: shop.clone(), round, seed };
            person.import(person.order()).await;
            let shopper = person.look_up(Proof::Email(person.email())).await.unwrap();
            let customer = Customer { retour: shop.retour.clone(), shopper };
            let order = customer.send_back(&[(0, 1)]).await.id;
            assert_eq!(shop.retour.merchant(&shop.staff).erase_consumer(shopper.consumer).await.unwrap(), Erasure::Waiting);
            let Done::Fresh { .. } = customer.cancel(order).await.unwrap() else { panic!("expected a fresh result: no key was sent") };
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

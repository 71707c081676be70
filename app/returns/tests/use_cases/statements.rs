//! Counts the statements of each step of a shopper, and of a migration without anything to do, on Postgres, where each
//! costs a network round trip.
//!
//! docs/performance.md shows the same table. A step with more statements is slower there, whatever a benchmark says.

use crate::shop::{EMAIL, HERE, Shop, fresh, select};
use domain::{Locale, returning};
use returns::{Page, Proof, Retour, Source};
use std::cell::Cell;
use store::{Store, testing::on_postgres};
use tracing::{Event, Metadata, Subscriber, span};

/// The target under which sqlx logs each statement.
const STATEMENT: &str = "sqlx::query";
/// The statements of each step. `BEGIN` is not counted, as sqlx does not log it.
const STEPS: [(&str, usize); 10] = [
    ("migrate, if there is nothing to do", 1),
    ("the look-up page", 1),
    ("prove an order", 9),
    ("whose a token is", 1),
    ("what can go back", 2),
    ("a draft", 5),
    ("submit", 15),
    ("look at the return", 2),
    ("a draft of eight lines", 5),
    ("submit eight lines", 16),
];

thread_local! {
    static STATEMENTS_SENT: Cell<usize> = const { Cell::new(0) };
}

const ORDERS: [&str; 6] = ["1001", "1002", "1003", "1004", "1005", "1006"];

/// Counts the statements of each thread. It subscribes for the whole process, because a subscriber of one thread misses
/// call sites that another thread reached first.
struct Counting;

impl Subscriber for Counting {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == STATEMENT
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        if event.metadata().target() == STATEMENT {
            STATEMENTS_SENT.set(STATEMENTS_SENT.get() + 1);
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn the_documentation_shows_the_statements_of_each_step() {
    on_postgres(|database| async move {
        let shop = Shop::open(&database).await;
        // The import also pays for what a process reads once, such as fifty parcel numbers in advance.
        let orders = ORDERS.map(|number| shop.order(number, &[(2, 500); 9]));
        shop.import(orders.into()).await;
        let (url, source) = (database.url.clone(), shop.source.clone());
        // The counted work runs on a thread of its own.
        let alone = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { fewest_statements(Store::open(&url).await.unwrap(), source).await })
        };
        let steps = tokio::task::spawn_blocking(alone).await.unwrap();
        assert_eq!(steps, STEPS);
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md")).unwrap();
        for (step, count) in STEPS {
            assert!(page.contains(&format!("| {step} | {count} |")), "docs/performance.md, statements of: {step}");
        }
    });
}

/// Takes several shoppers through all steps and returns the fewest statements of each step: a step that waits may need more.
async fn fewest_statements(store: Store, source: Source) -> Vec<(&'static str, usize)> {
    let retour = Retour::new(store.clone(), source);
    let mut fewest: Vec<(&str, usize)> = Vec::new();
    tracing::subscriber::set_global_default(Counting).unwrap();
    let step = |steps: &mut Vec<_>| steps.push((STEPS[steps.len()].0, STATEMENTS_SENT.replace(0)));
    for number in ORDERS {
        let mut last = Vec::new();
        STATEMENTS_SENT.set(0);
        store.migrate().await.unwrap();
        step(&mut last);
        let account = retour.account("fjord-fern").await.unwrap();
        retour.general_offer(&account, &Locale::default()).await.unwrap();
        step(&mut last);
        let identified = retour.identify(&account, number, Proof::Email(EMAIL.to_owned()), HERE).await.unwrap();
        step(&mut last);
        retour.caller(&identified.token).await.unwrap();
        step(&mut last);
        let shopper = identified.shopper;
        let list = retour.consumer(&shopper).purchases(Page::first(50), None).await.unwrap();
        step(&mut last);
        let returnable = list.data.iter().filter(|purchase| purchase.eligibility.code.is_none());
        let mut selected: Vec<_> = returnable.clone().map(|purchase| select(purchase, 1)).collect();
        let option = returnable.clone().map(|purchase| purchase.shipping_options[0].id).next();
        let draft =
            async |selected| fresh(retour.consumer(&shopper).draft(selected, option, None).await.unwrap(), 201).id;
        let submit = async |draft| {
            let submitted = retour.consumer(&shopper).submit(draft, returning::ReturnSource::Portal, None).await;
            fresh(submitted.unwrap(), 201).id
        };
        let of_one_line = draft(vec![selected.pop().unwrap()]).await;
        step(&mut last);
        let order = submit(of_one_line).await;
        step(&mut last);
        retour.consumer(&shopper).return_order(order, &[]).await.unwrap();
        step(&mut last);
        assert_eq!(selected.len(), 8);
        let of_eight_lines = draft(selected).await;
        step(&mut last);
        submit(of_eight_lines).await;
        step(&mut last);
        let before = if fewest.is_empty() { last.clone() } else { fewest };
        fewest = before.into_iter().zip(last).map(|((name, before), (_, now))| (name, before.min(now))).collect();
    }
    fewest
}

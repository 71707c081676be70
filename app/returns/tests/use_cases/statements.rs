//! How many statements each step of a shopper's way asks of Postgres, where every statement is a way there and back.
//!
//! docs/performance.md shows the same table. A step that asks more than before is slower there, whatever a benchmark says.

use crate::shop::{EMAIL, HERE, Shop, fresh, select};
use domain::{Locale, returning};
use returns::{Page, Proof, Retour};
use std::cell::Cell;
use store::{Store, testing::on_postgres};
use tracing::{Event, Metadata, Subscriber, span};

/// What sqlx calls a statement in what it tells of itself.
const STATEMENT: &str = "sqlx::query";
/// Each step and its statements; `BEGIN`, of which sqlx tells nothing, is not counted.
const STEPS: [(&str, usize); 7] = [
    ("the look-up page", 1),
    ("prove an order", 9),
    ("whose a token is", 1),
    ("what can go back", 2),
    ("a draft", 5),
    ("submit", 15),
    ("look at the return", 2),
];

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

const ORDERS: [&str; 6] = ["1001", "1002", "1003", "1004", "1005", "1006"];

/// Counts the statements of each thread. It listens to the whole process: a subscriber of one thread misses what another thread
/// met first.
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
            ASKED.set(ASKED.get() + 1);
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn the_documentation_says_how_many_statements_each_step_asks() {
    on_postgres(|database| async move {
        let shop = Shop::open(&database).await;
        // What a program asks once, such as numbers for fifty parcels, is asked with the first of these.
        let orders = ORDERS.map(|number| shop.order(number, &[(1, 1_999), (2, 500)]));
        shop.import(orders.into()).await;
        let (url, source) = (database.url.clone(), shop.source.clone());
        // Everything on one thread, whose statements are counted.
        let alone = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { counted(Retour::new(Store::open(&url).await.unwrap(), source)).await })
        };
        let steps = tokio::task::spawn_blocking(alone).await.unwrap();
        assert_eq!(steps, STEPS);
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md")).unwrap();
        for (step, count) in STEPS {
            assert!(page.contains(&format!("| {step} | {count} |")), "docs/performance.md, statements of: {step}");
        }
    });
}

/// The way of one shopper after the other: the fewest that each step asked. A step may ask more where it has to wait for another.
async fn counted(retour: Retour) -> Vec<(&'static str, usize)> {
    let mut fewest: Vec<(&str, usize)> = Vec::new();
    tracing::subscriber::set_global_default(Counting).unwrap();
    let step = |name, steps: &mut Vec<_>| steps.push((name, ASKED.replace(0)));
    for number in ORDERS {
        let mut last = Vec::new();
        ASKED.set(0);
        let account = retour.account("fjord-fern").await.unwrap();
        retour.general_offer(&account, &Locale::default()).await.unwrap();
        step(STEPS[0].0, &mut last);
        let identified = retour.identify(&account, number, Proof::Email(EMAIL.to_owned()), HERE).await.unwrap();
        step(STEPS[1].0, &mut last);
        retour.caller(&identified.token).await.unwrap();
        step(STEPS[2].0, &mut last);
        let shopper = identified.shopper;
        let list = retour.consumer(&shopper).purchases(Page::first(50), None).await.unwrap();
        step(STEPS[3].0, &mut last);
        let chosen = list.data.iter().find(|purchase| purchase.eligibility.code.is_none()).unwrap();
        let option = Some(chosen.shipping_options[0].id);
        let draft =
            fresh(retour.consumer(&shopper).draft(vec![select(chosen, 1)], option, None).await.unwrap(), 201).id;
        step(STEPS[4].0, &mut last);
        let order =
            fresh(retour.consumer(&shopper).submit(draft, returning::ReturnSource::Portal, None).await.unwrap(), 201)
                .id;
        step(STEPS[5].0, &mut last);
        retour.consumer(&shopper).own_return_order(order, &[]).await.unwrap();
        step(STEPS[6].0, &mut last);
        let before = if fewest.is_empty() { last.clone() } else { fewest };
        fewest = before.into_iter().zip(last).map(|((name, before), (_, now))| (name, before.min(now))).collect();
    }
    fewest
}

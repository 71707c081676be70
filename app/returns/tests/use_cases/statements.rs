//! Counts the statements of each step of a shopper, of staff and of a carrier, and of a migration without anything to do, on Postgres, where each
//! costs a network round trip.
//!
//! docs/performance.md shows the same table. A step with more statements is slower there, whatever a benchmark says.

use crate::{
    progress::to,
    shop::{EMAIL, HERE, Shop, fresh, select},
};
use domain::{
    Locale, ReturnOrderId, returning,
    stage::{Scan, StageName},
};
use returns::{Expand, Listing, Page, Proof, Receipt, Retour, Source, Staff, TrackingReport};
use std::{cell::RefCell, fmt::Debug};
use store::{Store, testing::on_postgres};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

/// The target under which sqlx logs each statement.
const STATEMENT: &str = "sqlx::query";
/// The statements of each step. `BEGIN` is not counted, as sqlx does not log it.
const STEPS: [(&str, usize); 17] = [
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
    ("a draft of seven lines", 7),
    ("submit seven lines", 22),
    ("staff open a return", 5),
    ("staff list fifty return requests", 2),
    ("a carrier reports a parcel as delivered", 20),
    ("staff count the units of a return request", 22),
    ("staff begin a resolution", 15),
];

/// The name of a step, and its statements.
type Step = (&'static str, Vec<String>);

thread_local! {
    static STATEMENTS_SENT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
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
            let mut statement = Statement::default();
            event.record(&mut statement);
            STATEMENTS_SENT.with_borrow_mut(|sent| sent.push(statement.text()));
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// What sqlx logs of a statement: its first words, and the whole one if it is longer.
#[derive(Default)]
struct Statement {
    summary: String,
    whole: String,
}

impl Statement {
    fn text(&self) -> String {
        let text = if self.whole.is_empty() { &self.summary } else { &self.whole };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A statement's verb and its first table, as in the documentation.
fn verb_and_table(statement: &str) -> String {
    let mut depth = 0;
    let outside: String = statement
        .chars()
        .filter(|sign| {
            depth += i32::from(*sign == '(') - i32::from(*sign == ')');
            depth == 0 && *sign != ')'
        })
        .collect();
    let words: Vec<&str> = outside.split_whitespace().collect();
    let before_table = words.iter().position(|word| ["FROM", "INTO", "UPDATE"].contains(word));
    match (words.first(), before_table.and_then(|before| words.get(before + 1))) {
        (Some(verb), Some(table)) => format!("{verb} `{table}`"),
        _ => statement.to_owned(),
    }
}

impl Visit for Statement {
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.whole),
            _ => {}
        }
    }
}

#[test]
fn the_documentation_shows_the_statements_of_each_step() {
    on_postgres(|database| async move {
        let shop = Shop::open(&database).await;
        // The import also pays for what a process reads once, such as fifty parcel numbers in advance.
        let orders = ORDERS.map(|number| shop.order(number, &[(2, 500); 16]));
        shop.import(orders.into()).await;
        let (url, source, staff) = (database.url.clone(), shop.source.clone(), shop.staff);
        // The counted work runs on a thread of its own.
        let alone = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { fewest_statements(Store::open(&url).await.unwrap(), source, staff).await })
        };
        let steps = tokio::task::spawn_blocking(alone).await.unwrap();
        for ((step, count), (_, statements)) in STEPS.into_iter().zip(&steps) {
            assert_eq!(statements.len(), count, "{step}:\n{}", statements.join("\n"));
        }
        assert_eq!(steps.len(), STEPS.len());
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md")).unwrap();
        for (step, count) in STEPS {
            assert!(page.contains(&format!("| {step} | {count} |")), "docs/performance.md, statements of: {step}");
        }
        let of_submit = steps.iter().find(|(step, _)| *step == "submit").map(|(_, statements)| statements).unwrap();
        let table = page.lines().skip_while(|line| !line.starts_with("| statement of a submit |")).skip(2);
        let rows: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), of_submit.len(), "docs/performance.md, statements of a submit");
        for (row, statement) in rows.iter().zip(of_submit) {
            assert!(
                row.starts_with(&format!("| {} |", verb_and_table(statement))),
                "docs/performance.md, {row}\n{statement}"
            );
        }
    });
}

/// Takes several shoppers and staff through all steps and returns the fewest statements of each step: a step that waits may
/// need more.
async fn fewest_statements(store: Store, source: Source, staff: Staff) -> Vec<Step> {
    let retour = Retour::new(store.clone(), source);
    let mut fewest: Vec<Step> = Vec::new();
    tracing::subscriber::set_global_default(Counting).unwrap();
    for number in ORDERS {
        let mut last = Vec::new();
        STATEMENTS_SENT.take();
        store.migrate().await.unwrap();
        ended(&mut last);
        let order = take_back(&retour, number, &mut last).await;
        handle(&retour, &staff, order, &mut last).await;
        if fewest.is_empty() {
            fewest = last;
            continue;
        }
        for ((_, before), (_, now)) in fewest.iter_mut().zip(last) {
            if now.len() < before.len() {
                *before = now;
            }
        }
    }
    fewest
}

/// Notes how many statements the next step sent.
fn ended(steps: &mut Vec<Step>) {
    steps.push((STEPS[steps.len()].0, STATEMENTS_SENT.take()));
}

/// A shopper's steps. Returns the return of one line.
async fn take_back(retour: &Retour, number: &str, steps: &mut Vec<Step>) -> ReturnOrderId {
    let account = retour.account("fjord-fern").await.unwrap();
    retour.general_offer(&account, &Locale::default()).await.unwrap();
    ended(steps);
    let identified = retour.identify(&account, number, Proof::Email(EMAIL.to_owned()), HERE).await.unwrap();
    ended(steps);
    retour.caller(&identified.token).await.unwrap();
    ended(steps);
    let shopper = identified.shopper;
    let list = retour.consumer(&shopper).purchases(Page::first(50), None).await.unwrap();
    ended(steps);
    let returnable = list.data.iter().filter(|purchase| purchase.eligibility.code.is_none());
    let mut selected: Vec<_> = returnable.clone().map(|purchase| select(purchase, 1)).collect();
    let option = returnable.clone().map(|purchase| purchase.shipping_options[0].id).next();
    let draft = async |selected| fresh(retour.consumer(&shopper).draft(selected, option, None).await.unwrap(), 201).id;
    let submit = async |draft| {
        let submitted = retour.consumer(&shopper).submit(draft, returning::ReturnSource::Portal, None).await;
        fresh(submitted.unwrap(), 201).id
    };
    let of_one_line = draft(vec![selected.pop().unwrap()]).await;
    ended(steps);
    let order = submit(of_one_line).await;
    ended(steps);
    retour.consumer(&shopper).return_order(order, &[]).await.unwrap();
    ended(steps);
    for lines in [8, 7] {
        let of_many_lines = draft(selected.drain(..lines).collect()).await;
        ended(steps);
        submit(of_many_lines).await;
        ended(steps);
    }
    order
}

/// The steps of staff and of a carrier, for the return of one line.
async fn handle(retour: &Retour, staff: &Staff, order: ReturnOrderId, steps: &mut Vec<Step>) {
    let expand = [Expand::ReturnRequests, Expand::Shipments];
    let whole = retour.merchant(staff).return_order(order, &expand).await.unwrap();
    ended(steps);
    let request = whole.return_requests.unwrap()[0].id;
    let shipment = whole.shipments.unwrap()[0].id;
    retour.merchant(staff).return_requests(&Listing::newest(Page::first(50)), &[]).await.unwrap();
    ended(steps);
    let delivered = TrackingReport {
        status: Scan::Delivered,
        explanation: String::new(),
        happened_at: None,
        carrier: None,
        tracking_number: None,
        tracking_url: None,
    };
    fresh(retour.merchant(staff).track(shipment, delivered, None).await.unwrap(), 200);
    ended(steps);
    let receipt = Receipt { quantity: 1, external_reference: None };
    fresh(retour.merchant(staff).receive(request, receipt, None).await.unwrap(), 200);
    ended(steps);
    fresh(retour.merchant(staff).update_status(request, to(StageName::ResolutionProcessing), None).await.unwrap(), 200);
    ended(steps);
}

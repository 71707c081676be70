//! Values to store: small, complete, and each with an id of its own.

use domain::{
    AccountId, ConsumerId, Currency, DraftReturnOrderId, EvidenceId, Money, OrderId, PaymentId, PurchaseId,
    ReturnOrderId, ReturnReasonId, ReturnRequestId, ShipmentId, ShippingOptionId, Timestamp, Translated,
    account::Account,
    address::Address,
    branding::Branding,
    costs::CostBreakdown,
    integration::{Bridge, Carrier},
    money::Prices,
    order::{NewOrder, NewPurchase, Product, Purchase, TakenUnits},
    party::Actor,
    payment::{Checkout, CheckoutState, Payment, PaymentKind, PaymentProvider, PaymentState, Refunding},
    policy::{Policy, Resolution, reason::ReasonRules},
    proof::{ClaimedProof, EmailKey, OrderClaim, OrderNumberKey, ProofKey, TypedOrderNumber, TypedPostalCode},
    returning::{
        DraftItem, DraftReturnOrder, DraftStatus, EvidenceFile, OverriddenRule, Override, ReturnOrder,
        ReturnOrderStatus, ReturnRequest, ReturnSource, Shipment, ShipmentStatus,
    },
    shipping::{ParcelLabel, ShippingMethod, ShippingOption, WeightPrice},
    stage::{RequestState, ReviewReason, Stage},
};
use std::sync::atomic::{AtomicU64, Ordering};
use store::{
    consumers::{Consumer, Credentials, Proof},
    import::{Incoming, OrderSource},
    lists::{List, Listing},
    page::Page,
    testing::Database,
};
use uuid::Uuid;

pub const NOW: Timestamp = Timestamp::from_seconds(1_772_366_400); // 2026-03-01T12:00:00Z
/// Looks for all accounts with due tasks.
pub const EVERYBODY: store::IsEnough<'static> = &|_| false;
pub const FIRST_PAGE: Page = Page::first(100);

/// A page of everything, newest first.
pub fn newest(after: Option<i64>, limit: i64) -> Listing {
    Listing::newest(Page::at(after, limit))
}

/// The first page of the rows that match these clauses.
pub fn asking(list: &'static List, clauses: &[&str]) -> Listing {
    let conditions = clauses.iter().map(|clause| list.condition(clause).unwrap()).collect();
    Listing { conditions, ..Listing::newest(FIRST_PAGE) }
}

/// A unique number, the same in every run.
pub fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub fn id() -> Uuid {
    Uuid::from_u128(u128::from(next()))
}

pub fn eur() -> Currency {
    Currency::from_code("EUR").unwrap()
}

pub fn units(units: u32, dear: u32) -> TakenUnits {
    TakenUnits { units, remainder_units: dear }
}

pub fn an_account(slug: &str) -> Account {
    Account {
        id: AccountId(id()),
        slug: slug.to_owned(),
        name: "Fjord & Fern".to_owned(),
        currency: eur(),
        policy: Policy { grace_days: 3, ..Policy::default() },
        branding: Branding { color: Some("#2f6f5e".to_owned()), ..Branding::default() },
        bridge: Bridge::default(),
        carrier: Carrier::default(),
        payment: PaymentProvider::default(),
        domain: None,
        time_zone: domain::TimeZone::UTC,
        api_origins: Vec::new(),
        settings_version: 0,
        is_test: false,
    }
}

/// Two accounts: the second must see nothing of the first.
pub async fn two_accounts(database: &Database) -> (AccountId, AccountId) {
    let (ours, theirs) = (an_account("ours"), an_account("theirs"));
    assert!(keep!(database, accounts::insert, &ours, NOW));
    assert!(keep!(database, accounts::insert, &theirs, NOW));
    (ours.id, theirs.id)
}

pub fn an_address() -> Address {
    Address {
        name: "Ada Lovelace".to_owned(),
        postal_code: "EH6 7AB".to_owned(),
        country: "GB".to_owned(),
        ..Address::default()
    }
}

pub fn a_line(external_id: &str, quantity: u32, total: i64) -> NewPurchase {
    NewPurchase {
        external_id: external_id.to_owned(),
        position: 1,
        product: Product { name: "Stoneware mug".to_owned(), sku: "CM-031".to_owned(), ..Product::default() },
        quantity,
        fulfilled: quantity,
        shop_refunded: 0,
        total,
        tax: 0,
        duties: 0,
        discount: 0,
        final_sale: false,
        requires_shipping: true,
        removed: 0,
        obstacle: None,
        fulfilled_at: Some(NOW),
        delivered_at: None,
    }
}

/// An order whose id is its number.
pub fn an_order(number: &str, lines: Vec<NewPurchase>) -> NewOrder {
    NewOrder {
        external_id: number.to_owned(),
        number: format!("#{number}"),
        email: "Ada@Example.com".to_owned(),
        address: an_address(),
        currency: eur(),
        ordered_at: NOW,
        shipping_paid: 495,
        sums: domain::order::OrderSums::default(),
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: vec!["vip".to_owned()],
        lines,
    }
}

/// An order with the ids that its rows get if they are new.
pub fn incoming(order: NewOrder) -> Incoming {
    let line_ids = order.lines.iter().map(|_| PurchaseId(id())).collect();
    Incoming { id: OrderId(id()), line_ids, order }
}

/// Imports orders; returns how many lines were new or changed.
pub async fn import(database: &Database, account: AccountId, orders: Vec<NewOrder>) -> u64 {
    let orders: Vec<Incoming> = orders.into_iter().map(incoming).collect();
    let upserted = keep!(database, import::upsert, account, OrderSource::HERE, &orders);
    assert_eq!(upserted.refused, []);
    upserted.changed
}

pub fn credentials(number: &str, email: &str) -> Credentials {
    Credentials {
        order_number: OrderNumberKey::new(number).unwrap(),
        proof: Proof::Email(ProofKey::new(email).unwrap()),
    }
}

/// A claim of an order by its e-mail address.
pub fn claim_by_email(number: &str, email: &str) -> OrderClaim {
    let proof = ClaimedProof::Email(EmailKey::new(email).unwrap());
    OrderClaim { number: TypedOrderNumber::new(number).unwrap(), proof }
}

/// A claim of an order by its postal code.
pub fn claim_by_postal_code(number: &str, code: &str) -> OrderClaim {
    let proof = ClaimedProof::PostalCode(TypedPostalCode::new(code).unwrap());
    OrderClaim { number: TypedOrderNumber::new(number).unwrap(), proof }
}

/// The credentials of the orders here.
pub fn proof_of(number: &str) -> Credentials {
    credentials(number, "ada@example.com")
}

pub fn a_consumer(credentials: Credentials) -> Consumer {
    Consumer {
        id: ConsumerId(id()),
        credentials,
        email: "Ada@Example.com".to_owned(),
        address: an_address(),
        created_at: NOW,
    }
}

/// Imports an order with one line.
pub async fn a_purchase(database: &Database, account: AccountId, number: &str, quantity: u32, total: i64) -> Purchase {
    import(database, account, vec![an_order(number, vec![a_line(&format!("{number}/1"), quantity, total)])]).await;
    the_purchase(database, account, number).await
}

/// The first line of an order, as it is stored.
pub async fn the_purchase(database: &Database, account: AccountId, number: &str) -> Purchase {
    look!(database, purchases::list, account, &proof_of(number), FIRST_PAGE, "").rows.remove(0)
}

pub fn no_costs() -> CostBreakdown {
    let zero = Money::new(0, eur());
    CostBreakdown {
        currency: eur(),
        lines: Vec::new(),
        refund_total: zero,
        fee_total: zero,
        estimated_refund: zero,
        estimated_credit: zero,
        payable_now: zero,
    }
}

pub fn a_draft(consumer: ConsumerId, purchase: PurchaseId) -> DraftReturnOrder {
    let item = DraftItem {
        purchase_id: purchase,
        order_id: OrderId(id()),
        taken: units(1, 0),
        seen: domain::order::Units {
            bought: 1,
            fulfilled: 1,
            taken: 0,
            taken_remainder_units: 0,
            settled: 0,
            shop_refunded: 0,
            total: 0,
        },
        value: 1_250,
        duties: 150,
        outbound_shipping: 0,
        limit: 100,
        refunded_by_shop: 300,
        review: Some(ReviewReason::RefundLimit),
        weight: 700,
        unknown_to_customs: vec![domain::shipping::customs::CustomsFact::HsCode],
        return_reason_id: ReturnReasonId(id()),
        rules: ReasonRules::default(),
        return_reason_comment: "Too small".to_owned(),
        answers: Vec::new(),
        requested_resolution: Resolution::Refund,
        exchange_for: None,
        kept: false,
        overrides: vec![Override {
            rule: OverriddenRule::ReturnWindow,
            reason: "Was in hospital".to_owned(),
            by: Some(id()),
            by_agent: true,
            needs_approval: true,
        }],
    };
    DraftReturnOrder {
        id: DraftReturnOrderId(id()),
        consumer_id: consumer,
        status: DraftStatus::Open,
        return_order_id: None,
        items: vec![item],
        shipping_option_id: None,
        cost_breakdown: no_costs(),
        created_at: NOW,
        updated_at: NOW,
        expires_at: NOW.plus_hours(24),
    }
}

pub fn a_shipping_option(name: &str) -> ShippingOption {
    ShippingOption {
        id: ShippingOptionId(id()),
        name: Translated::en(name),
        description: Translated::en("Print it."),
        method: ShippingMethod::Label,
        prices: Prices::new([Money::new(495, eur())]).unwrap(),
        weight_prices: vec![WeightPrice { above: 2_000, prices: Prices::new([Money::new(695, eur())]).unwrap() }],
        max_weight: Some(31_500),
        free_from: Prices::new([Money::new(10_000, eur())]).unwrap(),
        countries: vec!["DE".to_owned(), "AT".to_owned()],
        position: 1,
        return_location_id: None,
        carrier_service: "post_standard".to_owned(),
    }
}

pub fn a_return_order(consumer: ConsumerId, number: &str) -> ReturnOrder {
    ReturnOrder {
        id: ReturnOrderId(id()),
        number: number.to_owned(),
        consumer_id: consumer,
        draft_return_order_id: DraftReturnOrderId(id()),
        status: ReturnOrderStatus::Open,
        payment: None,
        order_numbers: vec!["#1001".to_owned()],
        shipping_option: Some(a_shipping_option("Label")),
        cost_breakdown: no_costs(),
        assignee_id: None,
        flags: Vec::new(),
        leave_out_of_bulk: false,
        source: ReturnSource::Portal,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

pub fn a_payment() -> Payment {
    Payment {
        id: PaymentId(id()),
        kind: PaymentKind::Simulated,
        amount: Money::new(495, eur()),
        state: PaymentState::Paid,
        refund_due: 495,
        refunded: 95,
        due: NOW,
        checkout: "/fjord-fern/pay/1".to_owned(),
        created_at: NOW,
        checkouts: vec![Checkout {
            number: 1,
            begun_at: NOW,
            ends_at: NOW,
            state: CheckoutState::Paid { id: "cs_1".to_owned(), reference: "ch_1".to_owned() },
            refunding: Some(Refunding { minor: 400, on_its_way: true }),
            refunds: 1,
            refunded: 95,
        }],
        settled_by: Some(1),
        last_error: "It said no.".to_owned(),
        failed_attempts: 2,
        next_attempt_at: Some(NOW.plus_seconds(30)),
    }
}

pub fn a_return_request(order: &ReturnOrder, purchase: &Purchase) -> ReturnRequest {
    ReturnRequest {
        id: ReturnRequestId(id()),
        return_order_id: order.id,
        return_number: order.number.clone(),
        consumer_id: order.consumer_id,
        purchase_id: purchase.id,
        purchase_external_id: purchase.external_id.clone(),
        purchase_order_number: purchase.order.number.clone(),
        return_reason_id: ReturnReasonId(id()),
        return_reason_comment: "Too small".to_owned(),
        answers: Vec::new(),
        requested_resolution: Resolution::Refund,
        exchange_for: None,
        quantity: 1,
        purchase_price: Money::new(1_250, eur()),
        resolution_value: 1_250,
        refund_limit: 250,
        adjustment: 0,
        proposal: None,
        product: purchase.product.clone(),
        state: state(Stage::RequestedReview),
        evidence: Vec::new(),
        created_at: NOW,
        stage_since: NOW,
        updated_at: NOW,
        version: 1,
    }
}

pub fn state(stage: Stage) -> RequestState {
    RequestState {
        stage,
        quantity: 1,
        taken: units(1, 0),
        kept: false,
        scanned: false,
        received: 0,
        surplus: 0,
        inspection: None,
        without_receipt: false,
        undecided: false,
        approved_units: None,
        review: None,
    }
}

pub fn a_shipment(order: &ReturnOrder, sscc: &str) -> Shipment {
    Shipment {
        id: ShipmentId(id()),
        return_order_id: order.id,
        contents: None,
        status: ShipmentStatus::LabelCreated,
        sscc: sscc.to_owned(),
        label: ParcelLabel::Own,
        label_barcode: sscc.to_owned(),
        sender: an_address(),
        receiver: Address::default(),
        carrier: String::new(),
        tracking_number: String::new(),
        tracking_url: String::new(),
        error_code: String::new(),
        error_message: String::new(),
        failed_attempts: 0,
        next_attempt_at: None,
        tracking: Vec::new(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// Inserts a consumer of order 1001.
pub async fn kept_consumer(database: &Database, account: AccountId) -> Consumer {
    keep!(database, consumers::insert_or_find, account, &a_consumer(proof_of("1001"))).0
}

/// Inserts a return order of that consumer.
pub async fn kept_return_order(database: &Database, account: AccountId, number: &str) -> ReturnOrder {
    let consumer = kept_consumer(database, account).await;
    let order = a_return_order(consumer.id, number);
    assert!(keep!(database, return_orders::insert, account, &order));
    order
}

pub fn an_evidence(request: &ReturnRequest, sha256: u8) -> EvidenceFile {
    EvidenceFile {
        id: EvidenceId(id()),
        return_request_id: request.id,
        name: "Ärmel „links“.jpg".to_owned(),
        media_type: "image/jpeg".to_owned(),
        bytes: 10 * 1024 * 1024,
        sha256: vec![sha256; 32],
        actor: Actor::Consumer,
        created_at: NOW,
    }
}

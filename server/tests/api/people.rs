//! Consumers, as a merchant finds, reads and erases them.

use crate::harness::{Answer, NOW, Service, choose, on_both_databases, send, text};
use domain::{
    Currency,
    address::Address,
    order::{NewOrder, NewPurchase, Product},
};
use reqwest::Method;
use returns::import::{ImportError, Parsed};
use serde_json::{Value, json};

on_both_databases! {
    consumers_are_listed_searched_and_retrieved
    the_export_contains_all_personal_data
    an_erasure_covers_every_table_and_file
    an_erasure_waits_for_the_end_of_open_returns
    a_later_import_does_not_bring_a_person_back
    only_an_admin_can_erase
    a_buyer_who_never_looked_an_order_up_is_exported_and_erased
    an_erasure_by_email_waits_for_open_returns
    an_erasure_covers_orders_whose_email_has_changed
    an_import_with_an_email_does_not_bring_back_an_erased_person
    a_concurrent_import_does_not_undo_an_erasure
}

const NAME: &str = "Zebedee Quillfeather";
const EMAIL: &str = "zebedee.quillfeather@post.example";

fn order(number: &str, placed: domain::Timestamp) -> NewOrder {
    let line = NewPurchase {
        external_id: format!("{number}/1"),
        position: 1,
        product: Product { name: "Kettle".to_owned(), ..Product::default() },
        quantity: 2,
        fulfilled: 2,
        shop_refunded: 0,
        total: 5_000,
        tax: 0,
        duties: 0,
        discount: 0,
        final_sale: false,
        requires_shipping: true,
        removed: 0,
        obstacle: None,
        fulfilled_at: Some(placed),
        delivered_at: None,
    };
    NewOrder {
        external_id: format!("order-{number}"),
        number: number.to_owned(),
        email: EMAIL.to_owned(),
        address: Address {
            name: NAME.to_owned(),
            street: "3 Quillfeather Lane".to_owned(),
            postal_code: "QF1 1ZZ".to_owned(),
            country: "GB".to_owned(),
            ..Address::default()
        },
        currency: Currency::from_code("GBP").unwrap(),
        ordered_at: placed,
        shipping_paid: 0,
        sums: domain::order::OrderSums::default(),
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: Vec::new(),
        lines: vec![line],
    }
}

async fn import(service: &Service, order: NewOrder) {
    let rows = std::iter::once(Ok::<_, ImportError>(Parsed::from(order)));
    service.retour.operator().import(service.demo.account.id, rows).await.unwrap();
}

/// A return of one kettle, with the consumer's name in every text. Returns the path of the return request.
pub async fn returned(service: &Service) -> (crate::harness::Consumer, String) {
    import(service, order("7001", NOW.plus_seconds(-86_400))).await;
    let consumer = service.prove("7001", EMAIL).await;
    let stated = json!({"name": NAME, "contract": format!("7001, as {NAME} bought it"), "email": EMAIL});
    let withdrawn = service.request(Method::POST, "/api/v0/withdrawals", &service.demo.key);
    assert_eq!(send(withdrawn.header("Idempotency-Key", "withdrawn").json(&stated)).await.status, 201);
    let purchases = service.purchases(&consumer).await;
    let mut chosen = choose(&purchases[0], 1);
    chosen["returnReasonComment"] = json!(format!("Call {NAME}, it is broken"));
    let body = json!({"consumerId": consumer.id, "selectedPurchases": [chosen],
        "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let request = service.request(Method::POST, "/api/v0/return-orders", &service.demo.key);
    let made = send(request.header("Idempotency-Key", "made-by-phone").json(&body)).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let list = service.get("/api/v0/return-requests?search=zebedee", &service.demo.key).await.json();
    let path = format!("/api/v0/return-requests/{}", text(&list["data"][0]["id"]));
    let words = format!("{NAME} wrote again");
    let moved = send(
        service
            .request(Method::PATCH, &path, &service.demo.key)
            .header("Idempotency-Key", "moved-on")
            .json(&json!({"stage": "Shipment: In Transit", "comment": words})),
    );
    assert_eq!(moved.await.status, 200);
    (consumer, path)
}

pub async fn finish(service: &Service, path: &str) {
    let words = format!("for {NAME}");
    for (rest, body) in [
        ("/receipts", json!({"quantity": 1, "externalReference": words})),
        ("/inspection", json!({"accepted": 1, "refused": 0, "note": words})),
    ] {
        let done = service.post(&format!("{path}{rest}"), &service.demo.key, body).await;
        assert_eq!(done.status, 200, "{}", done.text());
    }
    let done =
        service.patch(path, &service.demo.key, json!({"stage": "Resolution: Completed", "comment": words})).await;
    assert_eq!(done.status, 200, "{}", done.text());
}

pub async fn erase(service: &Service, consumer: &str) -> Answer {
    send(service.request(Method::DELETE, &format!("/api/v0/consumers/{consumer}"), &service.demo.key)).await
}

/// Every text in every table.
async fn all_texts(service: &Service) -> String {
    let tables = [
        "accounts",
        "consumers",
        "orders",
        "purchases",
        "draft_return_orders",
        "return_orders",
        "return_requests",
        "shipments",
        "tracking_updates",
        "timeline_entries",
        "events",
        "idempotency_keys",
        "sessions",
        "receipts",
        "evidence",
        "pending_evidence",
        "service_users",
        "users",
        "user_emails",
        "withdrawals",
    ];
    let mut all = String::new();
    for table in tables {
        let columns = service
            .database
            .texts(match service.database.store.kind() {
                store::DatabaseKind::Sqlite => format!("SELECT name FROM pragma_table_info('{table}') WHERE type = 'TEXT'"),
                store::DatabaseKind::Postgres => format!(
                    "SELECT column_name::text FROM information_schema.columns WHERE table_name = '{table}' AND data_type = 'text'"
                ),
            }.as_str())
            .await;
        for column in columns {
            all.extend(service.database.texts(&format!("SELECT COALESCE({column}, '') FROM {table}")).await);
        }
    }
    all.to_lowercase()
}

async fn assert_erased(service: &Service) {
    let all_texts = all_texts(service).await;
    for word in ["zebedee", "quillfeather", "qf1 1zz", "qf11zz"] {
        let place =
            all_texts.find(word).map(|at| all_texts[at.saturating_sub(200)..].chars().take(400).collect::<String>());
        assert_eq!(place, None, "{word}");
    }
    if service.database.store.kind() == store::DatabaseKind::Sqlite {
        let file = service.database.url.trim_start_matches("sqlite://");
        for file in [file.to_owned(), format!("{file}-wal")] {
            let bytes = std::fs::read(&file).unwrap_or_default();
            let found = bytes.windows(12).any(|window| window.eq_ignore_ascii_case(b"quillfeather"));
            assert!(!found, "the person is still in the bytes of {file}");
        }
    }
}

async fn a_buyer_who_never_looked_an_order_up_is_exported_and_erased(service: Service) {
    let key = &service.demo.key;
    import(&service, order("7001", NOW.plus_seconds(-86_400))).await;
    let of = json!({"email": EMAIL.to_uppercase()});
    let data = service.post("/api/v0/consumers/data", key, of.clone()).await;
    assert_eq!((data.status, text(&data.json()["orders"][0]["number"]).as_str()), (200, "7001"), "{}", data.text());
    assert_eq!(service.post("/api/v0/consumers/erasure", key, of.clone()).await.status, 204);
    assert_erased(&service).await;
    assert_eq!(
        service.post("/api/v0/consumers/erasure", key, of.clone()).await.status,
        204,
        "a second erasure gives the same answer"
    );
    // An import does not bring the person back.
    import(&service, order("7001", NOW.plus_seconds(-86_400))).await;
    assert_erased(&service).await;
    assert_eq!(service.post("/api/v0/consumers/data", key, of).await.json()["orders"], json!([]));
    let nobody = service.post("/api/v0/consumers/erasure", key, json!({"email": "nobody"})).await;
    assert_eq!((nobody.status, nobody.fields()), (422, vec!["email".to_owned()]));
}

async fn an_erasure_by_email_waits_for_open_returns(service: Service) {
    let (_, path) = returned(&service).await;
    let key = &service.demo.key;
    let of = json!({"email": EMAIL});
    assert_eq!(service.post("/api/v0/consumers/erasure", key, of.clone()).await.status, 202);
    finish(&service, &path).await;
    service.retour.operator().finish_erasures().await.unwrap();
    assert_erased(&service).await;
    assert_eq!(service.post("/api/v0/consumers/erasure", key, of).await.status, 204);
}

async fn an_erasure_covers_orders_whose_email_has_changed(service: Service) {
    let (consumer, path) = returned(&service).await;
    finish(&service, &path).await;
    let mut changed = order("7001", NOW.plus_seconds(-86_400));
    "quillfeather@elsewhere.example".clone_into(&mut changed.email);
    let rows = std::iter::once(Ok::<_, ImportError>(Parsed::from(changed)));
    service.retour.operator().import(service.demo.account.id, rows).await.unwrap();
    assert_eq!(erase(&service, &consumer.id).await.status, 204);
    assert_erased(&service).await;
}

async fn an_import_with_an_email_does_not_bring_back_an_erased_person(service: Service) {
    let key = &service.demo.key;
    let policy = json!({"policy": {"lookUpBy": ["email", "postalCode"]}});
    assert_eq!(service.patch("/api/v0/account", key, policy).await.status, 200);
    let placed = NOW.plus_seconds(-86_400);
    import(&service, NewOrder { email: String::new(), ..order("7001", placed) }).await;
    let proof = json!({"account": service.demo.account.slug, "orderNumber": "7001", "postalCode": "QF1 1ZZ"});
    let consumer = crate::harness::Consumer::of(service.post("/auth/consumer", "", proof).await);
    // The shop adds the address before the erasure, and sends it once more afterwards.
    import(&service, order("7001", placed)).await;
    assert_eq!(erase(&service, &consumer.id).await.status, 204);
    assert_erased(&service).await;
    import(&service, order("7001", placed)).await;
    assert_erased(&service).await;
}

async fn a_concurrent_import_does_not_undo_an_erasure(service: Service) {
    for day in 0..10 {
        // An order of another day belongs to a new customer.
        let (now, number) = (NOW.plus_seconds(day * 86_400), format!("80{day:02}"));
        service.clock.set(now);
        let placed = now.plus_seconds(-3_600);
        import(&service, order(&number, placed)).await;
        let consumer = service.prove(&number, EMAIL).await;
        let ((), erased) = tokio::join!(import(&service, order(&number, placed)), erase(&service, &consumer.id));
        assert_eq!(erased.status, 204, "{}", erased.text());
        assert_erased(&service).await;
    }
}

async fn consumers_are_listed_searched_and_retrieved(service: Service) {
    let (consumer, _) = returned(&service).await;
    service.ada().await;
    let key = &service.demo.key;
    let all = service.get("/api/v0/consumers", key).await;
    assert_eq!(all.json()["data"].as_array().unwrap().len(), 2);
    for found in [
        format!("filter=email:{}", EMAIL.to_uppercase()),
        "filter=purchaseOrderNumber:%237001".to_owned(),
        "search=zebe".to_owned(),
        "search=Quillfeather".to_owned(),
        format!("search={}", NAME.to_lowercase()),
        "search=7001".to_owned(),
    ] {
        let list = service.get(&format!("/api/v0/consumers?{found}"), key).await.json();
        let ids: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, [&json!(consumer.id)], "{found}");
    }
    service.get(&format!("/api/v0/consumer/{}", consumer.id), key).await.matches_snapshot("consumer");
    assert_eq!(service.get(&format!("/api/v0/consumers/{}", consumer.id), &service.other_key).await.status, 404);
}

async fn the_export_contains_all_personal_data(service: Service) {
    let (consumer, _) = returned(&service).await;
    let path = format!("/api/v0/consumers/{}/data", consumer.id);
    let data = service.get(&path, &service.demo.key).await;
    data.matches_snapshot("consumer-data");
    assert_eq!(service.get(&path, &service.other_key).await.status, 404);
    assert_eq!(service.get(&path, &consumer.token).await.status, 403);
}

/// Puts the name into a file name and a carrier's report, with stored answers.
async fn send_words(service: &Service, path: &str) {
    let add = service.request(Method::POST, &format!("{path}/evidence"), &service.demo.key);
    let add = add.header("Content-Type", "application/pdf").header("Idempotency-Key", "evidence-1");
    let named = add.header("Content-Disposition", format!("attachment; filename=\"{NAME}.pdf\""));
    assert_eq!(send(named.body("%PDF-1.7 a receipt")).await.status, 201);
    assert_eq!(files(service), 1);
    let order = text(&service.get(path, &service.demo.key).await.json()["returnOrderId"]);
    let list = service.get(&format!("/api/v0/shipments?filter=returnOrderId:{order}"), &service.demo.key).await.json();
    let track = format!("/api/v0/shipments/{}/tracking-updates", text(&list["data"][0]["id"]));
    let report = json!({"status": "InTransit", "explanation": format!("{NAME} handed it in"), "trackingNumber": "QUILLFEATHER1",
        "trackingUrl": "https://carrier.example/quillfeather"});
    let report =
        service.request(Method::POST, &track, &service.demo.key).header("Idempotency-Key", "track-1").json(&report);
    assert_eq!(send(report).await.status, 200);
}

/// How many files are stored for all accounts.
fn files(service: &Service) -> usize {
    let folders = std::fs::read_dir(service.files.path()).unwrap();
    folders.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum()
}

async fn an_erasure_covers_every_table_and_file(service: Service) {
    let (consumer, path) = returned(&service).await;
    // A second order of the same person, with a draft that was never submitted.
    import(&service, order("7002", NOW.plus_seconds(-7_200))).await;
    let twin = service.prove("7002", EMAIL).await;
    let purchases = service.purchases(&twin).await;
    let mut chosen = choose(&purchases[0], 1);
    chosen["returnReasonComment"] = json!(format!("{NAME} again"));
    let draft = json!({"selectedPurchases": [chosen]});
    let made = service.post(&format!("/consumer/{}/draft-return-order", twin.id), &twin.token, draft).await;
    assert_eq!(made.status, 201);
    send_words(&service, &path).await;
    finish(&service, &path).await;
    assert!(all_texts(&service).await.contains("quillfeather"));
    let amounts = service.get(&path, &service.demo.key).await.json()["resolution"]["value"].clone();

    let erased = erase(&service, &consumer.id).await;
    assert_eq!((erased.status, erased.body.len()), (204, 0), "{}", erased.text());
    assert_erased(&service).await;
    assert_eq!(files(&service), 0, "photos are deleted");
    let kept = service.get(&path, &service.demo.key).await.json();
    assert_eq!((&kept["resolution"]["value"], &kept["stage"]), (&amounts, &json!("Resolution: Completed")));
    assert_eq!(service.get(&format!("/consumer/{}/purchases", consumer.id), &consumer.token).await.status, 401);
    assert_eq!(service.get(&format!("/consumer/{}/purchases", twin.id), &twin.token).await.status, 401);
    let proof = json!({"account": "fjord-fern", "orderNumber": "7001", "email": EMAIL});
    assert_eq!(service.post("/auth/consumer", "", proof).await.status, 401);
    assert_eq!(erase(&service, &consumer.id).await.status, 204, "erasing again is harmless");
    let types = service.database.texts("SELECT type FROM events WHERE type LIKE 'consumer.%'").await;
    assert_eq!(types, ["consumer.erased"], "the event occurs once");
}

async fn an_erasure_waits_for_the_end_of_open_returns(service: Service) {
    let (consumer, path) = returned(&service).await;
    assert_eq!(erase(&service, &consumer.id).await.status, 202);
    let shown = service.get(&format!("/api/v0/consumers/{}", consumer.id), &service.demo.key).await.json();
    assert_eq!(shown["email"], EMAIL, "the open return needs the address");
    finish(&service, &path).await;
    service.retour.operator().finish_erasures().await.unwrap();
    assert_erased(&service).await;
}

async fn a_later_import_does_not_bring_a_person_back(service: Service) {
    import(&service, order("7001", NOW.plus_seconds(-86_400))).await;
    let consumer = service.prove("7001", EMAIL).await;
    assert_eq!(erase(&service, &consumer.id).await.status, 204);
    import(&service, order("7001", NOW.plus_seconds(-86_400))).await;
    import(&service, order("7003", NOW.plus_seconds(-3_600))).await;
    assert_erased(&service).await;
    // A later order belongs to a new customer.
    service.clock.set(NOW.plus_seconds(86_400));
    import(&service, order("7004", NOW.plus_seconds(43_200))).await;
    service.prove("7004", EMAIL).await;
}

async fn only_an_admin_can_erase(service: Service) {
    let ada = service.ada().await;
    let account = service.demo.account.id;
    let writer =
        service.retour.operator().create_service_user(account, "desk", &[returns::Scope::Write]).await.unwrap();
    let path = format!("/api/v0/consumers/{}", ada.id);
    for (credential, status) in [("", 401), (ada.token.as_str(), 403), (&writer, 403), (&service.other_key, 404)] {
        assert_eq!(send(service.request(Method::DELETE, &path, credential)).await.status, status);
    }
    assert_eq!(service.get(&path, &service.demo.key).await.json()["email"], "ada@example.com");
}

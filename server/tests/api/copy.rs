//! A service that has moved to another database answers as before, and accepts new requests.

use crate::{
    harness::{SECRET_KEY, Service, text},
    matrix::ShopObjects,
    receiver::Receiver,
};
use axum::http::Method;
use returns::{
    Files, Http, Retour, S3Settings,
    copy::{CopyProgress, Move},
};
use server::api::operations;
use std::collections::BTreeMap;
use store::testing::{Database, on_both};

fn ignore_progress(_: CopyProgress<'_>) {}

fn retour(service: &Service, database: &Database, files: &tempfile::TempDir) -> Retour {
    let files = Files::open(&format!("file://{}", files.path().display()), &S3Settings::default()).unwrap();
    Retour::new(database.store.clone(), service.clock.clone())
        .configured(|config| config.files = Some(files))
        .configured(|config| config.secret_keys = SECRET_KEY.parse().unwrap())
        .configured(|config| config.http = Some(Http::new("127.0.0.0/8".parse().unwrap()).unwrap()))
        .configured(|config| config.simulates_payments = true)
}

/// The answers of everything that can be read, but for the audit log, to which reading personal data adds an entry.
async fn answers(service: &Service, things: &ShopObjects) -> BTreeMap<String, Vec<u8>> {
    let mut answers = BTreeMap::new();
    for operation in operations().into_iter().filter(|operation| operation.method == Method::GET) {
        if operation.id == "listAuditEntries" {
            continue;
        }
        let path = things.path(&operation);
        let answer = service.get(&path, &service.demo.key).await;
        if answer.status == 200 {
            answers.insert(path, answer.body);
        }
    }
    answers
}

#[test]
fn the_copy_answers_byte_for_byte_and_accepts_new_requests() {
    on_both(|sqlite, postgres| async move {
        let mut service = Service::start(sqlite).await;
        let things = ShopObjects::of(&service, "fjord-fern", &service.demo.key).await;
        ShopObjects::of(&service, "other", &service.other_key).await;
        let dora = service.prove("1004", "dora@example.com").await;
        let bought = service.purchases(&dora).await;
        let returned = service.create_return(&dora, &bought[..1]).await;
        let before = answers(&service, &things).await;
        assert!(before.len() > 30, "{:?}", before.keys());

        let files = tempfile::tempdir().unwrap();
        let copy = retour(&service, &postgres, &files);
        let moving = Move::new(service.retour.clone(), copy.clone());
        let moved = moving.copy(3, &ignore_progress).await.unwrap();
        assert!(moved.is_same() && !moved.was_there, "{moved:#?}");
        let moved_files = moving.copy_files(false, |_| ()).await.unwrap();
        assert!(moved_files.files > 2 && moved_files.copied == moved_files.files, "{moved_files:?}");
        assert!(
            copy.operator().is_half_copied().await.unwrap(),
            "no service can start with the copy before it is complete"
        );
        moving.finish().await.unwrap();
        let again = moving.copy(3, &ignore_progress).await.unwrap();
        assert!(again.is_same() && again.was_there);
        assert_eq!(moving.copy_files(false, |_| ()).await.unwrap().copied, 0);

        service.serve(copy);
        let after = answers(&service, &things).await;
        for (path, answer) in &before {
            let (one, other) = (String::from_utf8_lossy(answer), String::from_utf8_lossy(&after[path]));
            assert_eq!(one, other, "{path}");
        }
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());

        // Numbers continue, tokens stay valid, and the newest return comes first.
        let next = service.create_return(&dora, &bought[1..2]).await;
        let list = service.get("/api/v0/return-orders", &service.demo.key).await.json();
        let newest: Vec<String> = list["data"].as_array().unwrap().iter().map(|order| text(&order["id"])).collect();
        assert_eq!(newest[..2], [text(&next["id"]), text(&returned["id"])]);
        let refused = moving.copy(3, &ignore_progress).await.unwrap_err().to_string();
        assert!(refused.contains("contains data that is not from this copy"), "{refused}");
        assert!(!moving.verify(&ignore_progress).await.unwrap().is_same());
    });
}

#[test]
fn waiting_webhooks_are_delivered_from_the_copy() {
    on_both(|sqlite, postgres| async move {
        let mut service = Service::start(sqlite).await;
        let receiver = Receiver::start().await;
        let body = serde_json::json!({"url": receiver.url});
        assert_eq!(service.post("/api/v0/webhook-subscriptions", &service.demo.key, body).await.status, 201);
        let dora = service.prove("1004", "dora@example.com").await;
        let bought = service.purchases(&dora).await;
        service.create_return(&dora, &bought[..1]).await;
        let files = tempfile::tempdir().unwrap();
        let copy = retour(&service, &postgres, &files);
        let moving = Move::new(service.retour.clone(), copy.clone());
        assert!(moving.copy(100, &ignore_progress).await.unwrap().is_same());
        moving.finish().await.unwrap();
        service.serve(copy);
        service.create_return(&dora, &bought[1..2]).await;
        let events = "SELECT return_order_id::text || ' ' || id::text FROM events ORDER BY seq";
        let events = postgres.texts(events).await;
        let events: Vec<(&str, &str)> = events.iter().map(|event| event.split_once(' ').unwrap()).collect();
        assert!(events.len() > 3, "{events:?}");
        service.deliver_webhooks();
        let came = receiver.wait_for(events.len()).await;
        let came: Vec<&str> = came.iter().map(|one| one.header("webhook-id")).collect();
        // Events of one return are in order, also those of a return from before the copy.
        for (order, _) in &events {
            let of_it: Vec<&str> = events.iter().filter(|(of, _)| of == order).map(|(_, id)| *id).collect();
            let found: Vec<&str> = came.iter().copied().filter(|id| of_it.contains(id)).collect();
            assert_eq!(found, of_it);
        }
    });
}

#[test]
fn nothing_is_copied_while_a_service_runs() {
    on_both(|sqlite, postgres| async move {
        let service = Service::start(sqlite).await;
        let files = tempfile::tempdir().unwrap();
        let copy = retour(&service, &postgres, &files);
        service
            .database
            .run(&format!(
                "INSERT INTO webhook_senders (id, seen_at) VALUES (X'{:032x}', {})",
                7,
                crate::harness::NOW.plus_seconds(-5).micros()
            ))
            .await;
        let moving = Move::new(service.retour.clone(), copy);
        let refused = moving.copy(3, &ignore_progress).await.unwrap_err().to_string();
        assert!(refused.starts_with("an instance is running on the source"), "{refused}");
        assert_eq!(postgres.rows("accounts").await, 0);
        service.clock.set(crate::harness::NOW.plus_seconds(60));
        assert!(moving.copy(3, &ignore_progress).await.unwrap().is_same());
    });
}

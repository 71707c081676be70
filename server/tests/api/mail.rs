//! Mail to consumers through an independent mail server: which mail is sent, when, and to which address.

use crate::{
    harness::{Consumer, Service, on_both_databases, send, text},
    mail_links::Browser,
    mail_server::MailServer,
};

use reqwest::{Method, StatusCode, header};
use returns::{Mailer, Retour};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

on_both_databases! {
    a_return_is_confirmed_with_its_label_in_the_consumers_language
    progress_is_mailed_once_after_it_has_settled
    late_reports_on_a_finished_return_send_no_mail
    a_consumer_who_has_not_sent_a_parcel_is_reminded_once
    an_unpaid_fee_is_mailed_after_a_while
    refused_mail_is_recorded_and_deferred_mail_is_retried
    two_instances_send_each_mail_once
    an_erased_consumer_gets_no_mail
    a_shop_can_turn_mail_off
    staff_have_the_last_mail_sent_again
    mail_about_a_gift_goes_to_the_recipient_without_amounts
    a_withdrawal_is_acknowledged_with_its_statement_and_time
}

/// The shops with a mail server, and instances that send their mail.
pub struct Post {
    pub server: MailServer,
}

impl Post {
    pub fn open(service: &mut Service, programs: usize) -> Self {
        let server = MailServer::start();
        let mailer = Mailer::new(&format!("smtp://127.0.0.1:{}", server.port), "returns@example.com").unwrap();
        service.serve(service.retour.clone().configured(|config| config.mailer = Some(mailer)));
        for _ in 0..programs {
            start_sending(service.retour.clone());
        }
        Self { server }
    }

    /// All mails, once there are this many and they are marked as sent. Time must not pass before that.
    pub async fn wait_for(&self, service: &Service, count: usize) -> Vec<Value> {
        self.server.wait_for(count).await;
        self.settled(service).await
    }

    /// Waits until no mail is due. Returns all mails.
    pub async fn settled(&self, service: &Service) -> Vec<Value> {
        for _ in 0..600 {
            if service.retour.operator().backlog().await.unwrap().mails.count == 0 {
                return self.server.mails();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("mail is still due: {:?}", service.retour.operator().backlog().await.unwrap().mails)
    }
}

fn start_sending(retour: Retour) {
    tokio::spawn(async move {
        workers::Workers::new(&retour)
            .writing_mail_by(Arc::new(portal::Writer { staff: desk::staff_letter }))
            .send_mail(std::future::pending())
            .await;
    });
}

pub async fn shirt(service: &Service) -> (Consumer, Value) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..1]).await;
    (ada, order)
}

/// Moves the clock forward.
pub fn advance(service: &Service, seconds: i64) {
    service.clock.set(service.retour.now().plus_seconds(seconds));
}

pub fn subject(mail: &Value) -> String {
    text(&mail["headers"]["Subject"])
}

/// The path of the first link in a mail that contains this text.
pub fn link(mail: &Value, part: &str) -> String {
    let text = text(&mail["text"]);
    let found = text.split_whitespace().find(|word| word.starts_with("http") && word.contains(part));
    let found = found.unwrap_or_else(|| panic!("no link with {part} in\n{text}"));
    found.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap()
}

async fn a_return_is_confirmed_with_its_label_in_the_consumers_language(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let draft = service.draft(&ada, &purchases[..1]).await;
    let path = format!("/consumer/{}/return-order", ada.id);
    let request = service.request(Method::POST, &path, &ada.token).header(header::ACCEPT_LANGUAGE, "de-AT,en;q=0.5");
    let order = send(request.json(&json!({"draftReturnOrderId": draft["id"]}))).await.json();

    let mails = post.wait_for(&service, 1).await;
    let (mail, number) = (&mails[0], text(&order["number"]));
    assert_eq!(mail["to"], json!(["ada@example.com"]));
    assert_eq!(mail["headers"]["From"], "Fjord & Fern <returns@example.com>");
    assert_eq!(subject(mail), format!("Ihre Retoure ist versandbereit ({number})"));
    for part in [text(&mail["text"]), text(&mail["html"])] {
        for said in [&number, "Linen shirt", "Meine Retoure ansehen"] {
            assert!(part.contains(said), "{said} is not in\n{part}");
        }
        assert!(!part.contains("{0") && !part.contains("{1"), "{part}");
    }
    let file = &mail["files"][0];
    assert_eq!(
        (text(&file["name"]), text(&file["type"])),
        (format!("return-{number}.pdf"), "application/pdf".to_owned())
    );
    assert!(text(&file["bytes"]).starts_with("JVBERi"), "base64 of %PDF");

    let link = link(mail, "/mail/rtl_");
    let browser = Browser::new(&service);
    for _ in 0..2 {
        let opened = browser.get(&link).await;
        let there = format!("/{}/returns/{}", service.demo.account.slug, text(&order["id"]));
        assert_eq!((opened.status, opened.location.as_str()), (StatusCode::SEE_OTHER, there.as_str()));
        let page = browser.get(&there).await;
        assert!(page.status == StatusCode::OK && page.text.contains(&number), "{}", page.status);
    }
    let listed = service.get("/api/v0/mails", &service.demo.key).await;
    listed.matches_snapshot("mails");
    let of_it =
        service.get(&format!("/api/v0/mails?filter=returnOrderId:{}", text(&order["id"])), &service.demo.key).await;
    assert_eq!(of_it.json()["data"].as_array().unwrap().len(), 1);
    let other = service.get("/api/v0/mails", &service.other_key).await;
    assert_eq!(other.json()["data"], json!([]));
}

async fn staff_have_the_last_mail_sent_again(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    post.wait_for(&service, 1).await;
    let list = format!("/api/v0/mails?filter=returnOrderId:{}", text(&order["id"]));
    let mail = text(&service.get(&list, &service.demo.key).await.json()["data"][0]["id"]);
    let again = format!("/api/v0/mails/{mail}/resend");
    assert_eq!(service.post(&again, &service.other_key, json!({})).await.status, 404);
    let answer = service.post(&again, &service.demo.key, json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mails = post.wait_for(&service, 2).await;
    assert_eq!(subject(&mails[0]), subject(&mails[1]));
    let id = |mail: &Value| text(&mail["headers"]["Message-ID"]);
    assert_ne!(id(&mails[0]), id(&mails[1]), "mail clients would show one of them");
    assert_eq!(service.get(&list, &service.demo.key).await.json()["data"].as_array().unwrap().len(), 2);
    // What follows is mailed as usual: the same news is not mailed a third time.
    advance(&service, 60);
    assert_eq!(post.settled(&service).await.len(), 2);
    let off = json!({"policy": {"mail": false}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, off).await.status, 200);
    let refused = service.post(&again, &service.demo.key, json!({})).await;
    assert_eq!((refused.status, refused.error_code().as_str()), (409, "IllegalTransition"));
}

pub async fn report(service: &Service, order: &Value, status: &str) {
    let path = format!("/api/v0/return-orders/{}?expand=shipments", text(&order["id"]));
    let shown = service.get(&path, &service.demo.key).await.json();
    let path = format!("/api/v0/shipments/{}/tracking-updates", text(&shown["shipments"][0]["id"]));
    let answer = service.post(&path, &service.demo.key, json!({"status": status})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn receive(service: &Service, order: &Value) {
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let shown = service.get(&path, &service.demo.key).await.json();
    for request in shown["returnRequests"].as_array().unwrap() {
        let path = format!("/api/v0/return-requests/{}/receipts", text(&request["id"]));
        let body = json!({"quantity": request["quantity"], "externalReference": request["id"]});
        let answer = service.post(&path, &service.demo.key, body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

async fn progress_is_mailed_once_after_it_has_settled(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    post.wait_for(&service, 1).await;
    // A drop-off sends no mail, unless the carrier has a tracking page.
    report(&service, &order, "InTransit").await;
    advance(&service, 60);
    assert_eq!(post.settled(&service).await.len(), 1);
    report(&service, &order, "Delivered").await;
    advance(&service, 10);
    assert_eq!(post.settled(&service).await.len(), 1, "another report may follow at once");
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("Your parcel has arrived"), "{}", subject(&mails[1]));
    // A repeated report sends no further mail.
    report(&service, &order, "Delivered").await;
    advance(&service, 3_600);
    assert_eq!(post.settled(&service).await.len(), 2);
    receive(&service, &order).await;
    advance(&service, 60);
    let mails = post.wait_for(&service, 3).await;
    let last = text(&mails[2]["text"]);
    assert!(last.contains("£") && mails[2]["files"] == json!([]), "{last}");
    let about = service.get("/api/v0/mails", &service.demo.key).await.json();
    let about: Vec<String> = about["data"].as_array().unwrap().iter().rev().map(|mail| text(&mail["about"])).collect();
    assert_eq!(about[..2], ["Ready", "Arrived"]);
    advance(&service, 40 * 86_400);
    assert_eq!(post.settled(&service).await.len(), about.len());
}

async fn late_reports_on_a_finished_return_send_no_mail(mut service: Service) {
    let policy = json!({"policy": {"resolveOn": "submission", "resolver": "external"}});
    let answer = service.patch("/api/v0/account", &service.demo.key, policy).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let request = service.get(&path, &service.demo.key).await.json()["returnRequests"][0].clone();
    let path = format!("/api/v0/return-requests/{}", text(&request["id"]));
    let done = service.patch(&path, &service.demo.key, json!({"status": "Resolution: Completed"})).await;
    assert_eq!(done.status, 200, "{}", done.text());
    advance(&service, 60);
    let sent_before = post.settled(&service).await.len();
    let last = post.server.mails().pop().unwrap();
    assert!(subject(&last).contains("You’ve been refunded"));
    assert!(text(&last["text"]).contains("You returned:"), "the mail uses the past tense: {}", last["text"]);
    receive(&service, &order).await;
    advance(&service, 3_600);
    assert_eq!(
        post.settled(&service).await.len(),
        sent_before,
        "the warehouse has counted the units, which is no news for the consumer"
    );
}

async fn a_consumer_who_has_not_sent_a_parcel_is_reminded_once(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    post.wait_for(&service, 1).await;
    advance(&service, 26 * 86_400);
    assert_eq!(post.settled(&service).await.len(), 1);
    advance(&service, 86_400 + 15 * 3_600); // three days before the end of its last day
    let mails = post.wait_for(&service, 2).await;
    assert!(subject(&mails[1]).starts_with("Drop it off by "), "{}", subject(&mails[1]));
    assert_eq!(text(&mails[1]["files"][0]["name"]), format!("return-{}.pdf", text(&order["number"])));
    advance(&service, 86_400);
    assert_eq!(post.settled(&service).await.len(), 2);
    // The expiry sends a mail, too.
    advance(&service, 86_400 * 12);
    workers::Workers::new(&service.retour).do_what_is_due().await.unwrap();
    advance(&service, 60);
    let mails = post.wait_for(&service, 3).await;
    assert!(subject(&mails[2]).starts_with("This return has expired"), "{}", subject(&mails[2]));
    post.settled(&service).await;
    let tasks =
        service.database.texts("SELECT kind FROM mail_tasks WHERE kind = 'Return' AND due_at IS NOT NULL").await;
    assert!(tasks.is_empty(), "no mail is left to send");
}

async fn an_unpaid_fee_is_mailed_after_a_while(mut service: Service) {
    let policy = json!({"policy": {"feeCollection": "prepay"}, "payment": {"kind": "simulated"}});
    let answer = service.patch("/api/v0/account", &service.demo.key, policy).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let post = Post::open(&mut service, 1);
    let (ada, order) = shirt(&service).await;
    let path = format!("/consumer/{}/return-order/{}", ada.id, text(&order["id"]));
    let shown = service.get(&path, &ada.token).await.json();
    assert_eq!(shown["status"], "AwaitingPayment", "{shown}");
    advance(&service, 300);
    assert_eq!(post.settled(&service).await.len(), 0, "the consumer may be paying now");
    advance(&service, 600);
    let mails = post.wait_for(&service, 1).await;
    assert!(subject(&mails[0]).starts_with("Pay £3.95 to get your label"), "{}", subject(&mails[0]));
    assert!(text(&mails[0]["text"]).contains("Pay £"), "{}", mails[0]["text"]);
    advance(&service, 86_400);
    let mails = post.wait_for(&service, 2).await;
    assert!(text(&mails[1]["text"]).contains("Pay £"));
}

async fn address(service: &Service, email: &str) {
    service
        .database
        .run(&format!("UPDATE orders SET email = '{email}', email_key = '{email}' WHERE number_key = '1001'"))
        .await;
}

async fn refused_mail_is_recorded_and_deferred_mail_is_retried(mut service: Service) {
    let post = Post::open(&mut service, 1);
    address(&service, "gone@example.com").await;
    let gone = service.prove("1001", "gone@example.com").await;
    let purchases = service.purchases(&gone).await;
    service.create_return(&gone, &purchases[..1]).await;
    post.settled(&service).await;
    let mails = service.get("/api/v0/mails?filter=status:Failed", &service.demo.key).await.json();
    assert_eq!((&mails["data"][0]["errorCode"], &mails["data"][0]["attempts"]), (&json!(550), &json!(1)));

    address(&service, "busy@example.com").await;
    let busy = service.prove("1001", "busy@example.com").await;
    service.create_return(&busy, &purchases[1..2]).await;
    for tries in 1..=9 {
        post.settled(&service).await;
        let tried = service.database.texts("SELECT CAST(tries AS TEXT) FROM mail_tasks WHERE tries > 0").await;
        assert_eq!(tried, [tries.to_string()]);
        advance(&service, 28_800);
    }
    post.settled(&service).await;
    let mails = service.get("/api/v0/mails?filter=status:Failed", &service.demo.key).await.json();
    assert_eq!(mails["data"].as_array().unwrap().len(), 2, "{mails}");
    assert_eq!((&mails["data"][0]["errorCode"], &mails["data"][0]["attempts"]), (&json!(451), &json!(10)));
    assert!(post.server.mails().is_empty());
}

async fn two_instances_send_each_mail_once(mut service: Service) {
    let post = Post::open(&mut service, 3);
    for _ in 0..4 {
        let ada = service.ada().await;
        let purchases = service.purchases(&ada).await;
        let left = purchases.iter().find(|one| one["eligibility"]["returnable"] == true);
        let Some(left) = left else { break };
        service.create_return(&ada, std::slice::from_ref(left)).await;
    }
    let returns = service.database.texts("SELECT number FROM return_orders").await;
    assert!(returns.len() > 2, "{returns:?}");
    post.wait_for(&service, returns.len()).await;
    advance(&service, 3_600);
    let mails = post.settled(&service).await;
    let mut subjects: Vec<String> = mails.iter().map(subject).collect();
    subjects.sort();
    subjects.dedup();
    assert_eq!((mails.len(), subjects.len()), (returns.len(), returns.len()));
}

async fn an_erased_consumer_gets_no_mail(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (ada, order) = shirt(&service).await;
    let link = link(&post.wait_for(&service, 1).await[0], "/mail/rtl_");
    let cancel = format!("/consumer/{}/return-order/{}/cancel", ada.id, text(&order["id"]));
    assert_eq!(service.post(&cancel, &ada.token, json!({})).await.status, 200);
    let erased = service.delete(&format!("/api/v0/consumers/{}", ada.id), &service.demo.key).await;
    assert!(erased.status < 300, "{}", erased.text());
    advance(&service, 3_600);
    assert_eq!(post.settled(&service).await.len(), 1);
    assert_eq!(Browser::new(&service).get(&link).await.status, StatusCode::NOT_FOUND);
    for table in ["mail_tasks", "mail_links", "mail_opt_outs"] {
        assert!(service.database.texts(&format!("SELECT 'x' FROM {table}")).await.is_empty(), "{table}");
    }
}

async fn a_shop_can_turn_mail_off(mut service: Service) {
    let answer = service.patch("/api/v0/account", &service.demo.key, json!({"policy": {"mail": false}})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let post = Post::open(&mut service, 1);
    shirt(&service).await;
    advance(&service, 60);
    assert_eq!(post.settled(&service).await.len(), 0);
    let slug = &service.demo.account.slug;
    assert_eq!(Browser::new(&service).get(&format!("/{slug}/link")).await.status, StatusCode::NOT_FOUND);
    assert!(!Browser::new(&service).get(&format!("/{slug}")).await.text.contains("/link\""));
}

async fn mail_about_a_gift_goes_to_the_recipient_without_amounts(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let eve = crate::gifts::eve(&service).await;
    let purchases = service.purchases(&eve).await;
    let mut chosen = crate::harness::choose(&purchases[0], 1);
    chosen["requestedResolution"] = json!("StoreCredit");
    let option = &purchases[0]["shippingOptions"][0]["id"];
    let body = json!({"selectedPurchases": [chosen], "shippingOptionId": option});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", eve.id), &eve.token, body).await.json();
    let body = json!({"draftReturnOrderId": draft["id"]});
    let order = service.post(&format!("/consumer/{}/return-order", eve.id), &eve.token, body).await;
    assert_eq!(order.status, 201, "{}", order.text());
    post.wait_for(&service, 1).await;
    report(&service, &order.json(), "Delivered").await;
    advance(&service, 60);
    post.wait_for(&service, 2).await;
    receive(&service, &order.json()).await;
    advance(&service, 60);
    let mails = post.wait_for(&service, 3).await;
    for mail in &mails {
        assert_eq!(mail["to"], json!(["eve@example.com"]));
        let said = format!("{} {} {}", subject(mail), text(&mail["text"]), text(&mail["html"]));
        for amount in ["£", "GBP", "18.51", "18.50", "37.01", "3.95", "4.45", "ada@example.com"] {
            assert!(!said.contains(amount), "{amount} in {said}");
        }
        assert!(said.contains("Scarf"), "{said}");
    }
}

async fn a_withdrawal_is_acknowledged_with_its_statement_and_time(mut service: Service) {
    // The law requires this mail, so it is sent even if the shop has turned mail off.
    let answer = service.patch("/api/v0/account", &service.demo.key, json!({"policy": {"mail": false}})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let post = Post::open(&mut service, 1);
    let state = async |name: &str, contract: &str, email: &str| {
        let body = json!({"name": name, "contract": contract, "email": email, "language": "en"});
        let answer = service.post("/api/v0/withdrawals", &service.demo.key, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    };
    let known = state("Ada <b>Lovelace</b>", "Order 1001\nthe shirt", "ada@example.com").await;
    post.settled(&service).await;
    let mails = post.wait_for(&service, 1).await;
    assert_eq!(mails[0]["to"], json!(["ada@example.com"]));
    assert!(subject(&mails[0]).contains(&text(&known["number"])), "{}", subject(&mails[0]));
    let file = &mails[0]["files"][0];
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text(&file["bytes"])).unwrap();
    for said in [text(&mails[0]["text"]), String::from_utf8(bytes).unwrap()] {
        for part in ["Ada <b>Lovelace</b>", "the shirt", "ada@example.com", "21 November", "10:00:00 (UTC)"] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
    }
    assert!(text(&mails[0]["html"]).contains("Ada &lt;b&gt;Lovelace"));
    // The order is known, so the mail links to the return, which is then linked to the withdrawal.
    let browser = Browser::new(&service);
    let opened = browser.post(&link(&mails[0], "/mail/rtl_"), &[("orderNumber", "1001")]).await;
    assert_eq!(opened.status, StatusCode::SEE_OTHER);
    // For an unknown order there is no such link, but the shop still gets the withdrawal.
    state("Eve", "Order 1001", "eve@example.com").await;
    let mails = post.wait_for(&service, 2).await;
    assert!(!text(&mails[1]["text"]).contains("rtl_") && mails[1]["to"] == json!(["eve@example.com"]));
    let listed = service.get("/api/v0/mails", &service.demo.key).await.json();
    assert_eq!(listed["data"].as_array().unwrap().iter().filter(|mail| mail["about"] == "Withdrawal").count(), 2);
}

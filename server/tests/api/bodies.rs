//! The memory for bodies: what is refused, whose share it counts towards, and what still passes.

use crate::{
    browser::Browser,
    calls::{json_of, value_of},
    details_page::{Part, send_parts},
    harness::{Service, on_both_databases},
};
use returns::bodies::{BodyBudget, BodyLimits};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

on_both_databases! {
    a_client_over_its_share_is_refused_at_once_and_small_requests_pass
    an_account_over_its_share_is_refused_and_others_are_not
    when_all_are_over_their_share_the_answer_is_503
    declared_but_unsent_bytes_are_not_charged
    forms_and_notices_are_charged
    photos_of_a_form_are_charged_one_at_a_time
    answers_of_a_form_are_charged_until_they_are_saved
    the_largest_form_of_photos_is_read
    files_that_clients_do_not_read_are_bounded
    a_body_that_stops_gets_408_ten_seconds_after_its_last_byte
}

const KIB: usize = 1024;
/// A limit that the test does not reach.
const AMPLE: usize = 64 << 20;

/// A connection with a request in flight.
struct Sending(TcpStream);

impl Sending {
    /// Sends the head, then this many bytes of the body.
    async fn start(service: &Service, head: &str, bytes: usize) -> Self {
        let stream = TcpStream::connect(service.base().trim_start_matches("http://")).await.unwrap();
        let mut sending = Self(stream);
        sending.send(format!("{head}\r\n\r\n").as_bytes()).await;
        sending.send(&vec![b' '; bytes]).await;
        sending
    }

    async fn send(&mut self, bytes: &[u8]) {
        let _ = self.0.write_all(bytes).await; // the server may have answered already
    }

    /// Reads the whole answer: the status, and head and body.
    async fn answer(mut self) -> (u16, String) {
        let mut answer = Vec::new();
        timeout(Duration::from_mins(1), self.0.read_to_end(&mut answer)).await.unwrap().unwrap();
        let answer = String::from_utf8(answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }
}

impl Sending {
    /// Reads the status of an answer, on a connection that stays open.
    async fn answer_of_kept(mut self) -> u16 {
        let mut answer = [0; 12];
        timeout(Duration::from_mins(1), self.0.read_exact(&mut answer)).await.unwrap().unwrap();
        String::from_utf8_lossy(&answer[9..]).parse().unwrap()
    }
}

fn post(path: &str, more: &str, length: usize) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: here\r\n{more}content-length: {length}")
}

/// A body that proves an order, from a client behind the trusted proxy.
fn proof_from(client: &str, length: usize) -> String {
    let more = format!("content-type: application/json\r\nx-forwarded-for: {client}\r\n");
    post("/auth/consumer", &more, length)
}

/// A body of an account, with its key.
fn purchases_by(key: &str, client: &str) -> String {
    let more =
        format!("content-type: application/json\r\nx-forwarded-for: {client}\r\nauthorization: Bearer {key}\r\n");
    post("/api/v0/purchases/import", &more, 720 * KIB)
}

fn limited(service: Service, limits: BodyLimits) -> (Service, BodyBudget) {
    let budget = BodyBudget::new(limits);
    (service.with_bodies(budget.clone()), budget)
}

/// Waits until the server has read this many bytes.
async fn until_held(budget: &BodyBudget, bytes: usize) {
    let read = async {
        while budget.held() < bytes {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_mins(1), read).await.unwrap_or_else(|_| panic!("{} of {bytes}", budget.held()));
}

async fn until_nothing_is_held(budget: &BodyBudget) {
    let ended = async {
        while budget.held() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_mins(1), ended).await.unwrap_or_else(|_| panic!("{} are held", budget.held()));
}

fn check_refusal((status, answer): &(u16, String), expected: u16, code: &str) {
    assert_eq!(*status, expected, "{answer}");
    assert!(answer.to_lowercase().contains("retry-after: 10"), "{answer}");
    assert!(answer.contains("connection: close"), "the rest of the body is not read: {answer}");
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["error"]["code"], code, "{answer}");
}

async fn a_client_over_its_share_is_refused_at_once_and_small_requests_pass(service: Service) {
    let limits = BodyLimits { all: AMPLE, account: AMPLE, client: 1024 * KIB };
    let (service, budget) = limited(service, limits);
    // Proving an order needs no credential, so the account is not known.
    let held = Sending::start(&service, &proof_from("2001:db8::1", 700 * KIB), 699 * KIB).await;
    until_held(&budget, 699 * KIB).await;
    let over = Sending::start(&service, &proof_from("2001:db8::2", 700 * KIB), 300 * KIB).await;
    check_refusal(&over.answer().await, 429, "TooManyRequests");
    let chunked = proof_from("2001:db8::3", 0).replace("content-length: 0", "transfer-encoding: chunked");
    let mut over = Sending::start(&service, &chunked, 0).await;
    over.send(b"100000\r\n").await;
    over.send(&vec![b' '; 300 * KIB]).await;
    check_refusal(&over.answer().await, 429, "TooManyRequests");
    let proof = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"}).to_string();
    let mut small = Sending::start(&service, &proof_from("2001:db8::4", proof.len()), 0).await;
    small.send(proof.as_bytes()).await;
    assert_eq!(small.answer_of_kept().await, 201);
    let other = Sending::start(&service, &proof_from("2001:db8:0:1::1", 700 * KIB), 700 * KIB).await;
    assert_eq!(other.answer_of_kept().await, 400, "another client's body is read to its end");
    drop(held);
    until_nothing_is_held(&budget).await;
    assert_eq!(budget.refused(), [("slow", 0), ("all", 0), ("account", 0), ("client", 2)]);
}

async fn an_account_over_its_share_is_refused_and_others_are_not(service: Service) {
    let limits = BodyLimits { all: AMPLE, account: 1024 * KIB, client: AMPLE };
    let (service, budget) = limited(service, limits);
    let held = Sending::start(&service, &purchases_by(&service.demo.key, "198.51.100.1"), 700 * KIB).await;
    until_held(&budget, 700 * KIB).await;
    let over = Sending::start(&service, &purchases_by(&service.demo.key, "198.51.100.2"), 300 * KIB).await;
    check_refusal(&over.answer().await, 429, "TooManyRequests");
    let other = Sending::start(&service, &purchases_by(&service.other_key, "198.51.100.2"), 720 * KIB).await;
    assert_eq!(other.answer_of_kept().await, 400, "spaces are not JSON");
    drop(held);
    until_nothing_is_held(&budget).await;
    assert_eq!(budget.refused()[2], ("account", 1));
}

async fn when_all_are_over_their_share_the_answer_is_503(service: Service) {
    let limits = BodyLimits { all: 1024 * KIB, account: AMPLE, client: AMPLE };
    let (service, budget) = limited(service, limits);
    let held = Sending::start(&service, &proof_from("198.51.100.1", 700 * KIB), 699 * KIB).await;
    until_held(&budget, 699 * KIB).await;
    let over = Sending::start(&service, &purchases_by(&service.demo.key, "198.51.100.2"), 300 * KIB).await;
    check_refusal(&over.answer().await, 503, "ServiceUnavailable");
    drop(held);
    until_nothing_is_held(&budget).await;
    assert_eq!(service.prove("1001", "ada@example.com").await.id.len(), 36);
}

async fn declared_but_unsent_bytes_are_not_charged(service: Service) {
    let limits = BodyLimits { all: 1024 * KIB, account: 1024 * KIB, client: 1024 * KIB };
    let (service, budget) = limited(service, limits);
    let mut idle = Vec::new();
    for _ in 0..24 {
        idle.push(Sending::start(&service, &proof_from("198.51.100.1", 900 * KIB), 1).await);
    }
    until_held(&budget, 24).await;
    let other = Sending::start(&service, &proof_from("198.51.100.1", 700 * KIB), 700 * KIB).await;
    assert_eq!(other.answer_of_kept().await, 400);
    drop(idle);
    until_nothing_is_held(&budget).await;
}

async fn forms_and_notices_are_charged(service: Service) {
    let limits = BodyLimits { all: AMPLE, account: 400 * KIB, client: AMPLE };
    let (service, budget) = limited(service, limits);
    let form = post(
        "/fjord-fern/call/look-up",
        "content-type: application/x-www-form-urlencoded\r\nx-forwarded-for: 198.51.100.1\r\n",
        1000 * KIB,
    );
    let over = Sending::start(&service, &form, 400 * KIB).await;
    let (status, page) = over.answer().await;
    assert_eq!(status, 429, "{page}");
    assert!(page.contains("We’re very busy right now") && page.to_lowercase().contains("retry-after: 10"), "{page}");
    let account = service.demo.account.id;
    let notice = |length| {
        post(&format!("/api/v0/payment-notices/stripe/{account}"), "x-forwarded-for: 198.51.100.2\r\n", length)
    };
    let held = Sending::start(&service, &notice(250 * KIB), 249 * KIB).await;
    until_held(&budget, 249 * KIB).await;
    let over = Sending::start(&service, &notice(250 * KIB), 200 * KIB).await;
    check_refusal(&over.answer().await, 429, "TooManyRequests");
    drop(held);
    until_nothing_is_held(&budget).await;
}

async fn photos_of_a_form_are_charged_one_at_a_time(service: Service) {
    let limits = BodyLimits { all: AMPLE, account: 2048 * KIB, client: AMPLE };
    let (service, budget) = limited(service, limits);
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let sent_back = service.create_return(&ada, &purchases[..1]).await;
    let whole = format!("/api/v0/return-orders/{}?expand=returnRequests", sent_back["id"].as_str().unwrap());
    let whole = service.get(&whole, &service.demo.key).await.json();
    let request = whole["returnRequests"][0]["id"].as_str().unwrap();
    let browser = reqwest::Client::builder().cookie_store(true).build().unwrap();
    let proof = [("orderNumber", "1001"), ("email", "ada@example.com")];
    let shown = browser.post(format!("{}/fjord-fern/call/look-up", service.base())).form(&proof).send().await.unwrap();
    assert_eq!(shown.status(), 200);
    let mut form = Vec::new();
    for number in 0..6 {
        let name = format!("photos-{request}");
        let head =
            format!("--xyz\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{number}.pdf\"\r\n\r\n");
        form.extend(head.as_bytes());
        form.extend(b"%PDF-1.7\n");
        form.extend(std::iter::repeat_n(b'0' + number, 1000 * KIB));
        form.extend(b"\r\n");
    }
    form.extend(b"--xyz--\r\n");
    let path = format!("{}/fjord-fern/returns/{}/photos", service.base(), sent_back["id"].as_str().unwrap());
    let form = browser.post(path).header("content-type", "multipart/form-data; boundary=xyz").body(form);
    let answer = form.send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let evidence = service.get(&format!("/api/v0/return-requests/{request}/evidence"), &service.demo.key).await;
    assert_eq!(evidence.json()["data"].as_array().unwrap().len(), 6, "six megabytes pass through a budget of two");
    until_nothing_is_held(&budget).await;
}

/// Ada has selected her shirt and her blanket with a reason that asks ten questions: the answers of all fields.
async fn asked(service: &Service, browser: &Browser<'_>) -> Vec<String> {
    let questions: Vec<Value> = (0..10).map(|id| json!({"id": format!("q{id}"), "text": {"en": "Why?"}})).collect();
    let reason = json!({"description": {"en": "Torn"}, "evidence": "optional", "questions": questions});
    let reason = service.post("/api/v0/return-reasons", &service.demo.key, reason).await.json()["id"].clone();
    let page = browser.get("/fjord-fern/purchases").await.text();
    let ids = ["p1.id", "p2.id"].map(|name| value_of(&page, name));
    let reason = reason.as_str().unwrap();
    let first = [("p1.id", ids[0].as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", reason)];
    let second = [("p2.id", ids[1].as_str()), ("p2.take", "1"), ("p2.quantity", "1"), ("p2.reason", reason)];
    let both = [first.as_slice(), &second, &[("go", "on")]].concat();
    assert_eq!(json_of(browser, "choose", &both).await, (200, json!({"href": "/fjord-fern/details"})));
    ids.iter().flat_map(|id| (0..10).map(move |question| format!("answer-{id}-q{question}"))).collect()
}

async fn answers_of_a_form_are_charged_until_they_are_saved(service: Service) {
    let limits = BodyLimits { all: AMPLE, account: 1024 * KIB, client: AMPLE };
    let (service, budget) = limited(service, limits);
    let browser = Browser::of_ada(&service).await;
    let names = asked(&service, &browser).await;
    // The same fields again and again: only the last value of each is kept.
    let answer = "ä".repeat(500);
    let parts: Vec<Part<'_>> =
        names.iter().cycle().take(1_500).map(|name| (name.as_str(), None, answer.as_bytes())).collect();
    let sent = send_parts(&service, &browser, "/fjord-fern/details", &parts[..400]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let over = send_parts(&service, &browser, "/fjord-fern/details", &parts).await;
    assert_eq!(over.status, 429, "{}", over.text());
    until_nothing_is_held(&budget).await;
}

async fn the_largest_form_of_photos_is_read(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..1]).await;
    let browser = Browser::of_ada(&service).await;
    let path = format!("/fjord-fern/returns/{}/photos", order["id"].as_str().unwrap());
    let content = vec![b'0'; 100 << 20];
    let around = vec![b'1'; 1000 * KIB];
    let parts: [Part<'_>; 2] = [("more", None, &content), ("around", None, &around)];
    let sent = send_parts(&service, &browser, &path, &parts).await;
    assert_eq!(sent.status, 303, "ten files and a megabyte around them: {}", sent.text());
    let parts: [Part<'_>; 3] = [("more", None, &content), ("around", None, &around), ("and", None, &around)];
    let sent = send_parts(&service, &browser, &path, &parts).await;
    assert_eq!(sent.status, 413);
}

/// Uses real sockets and real time, so it takes as long as the timeout.
async fn a_body_that_stops_gets_408_ten_seconds_after_its_last_byte(service: Service) {
    let (service, budget) = limited(service, BodyLimits::default());
    // A burst of bytes at the start extends no timeout.
    let silent = Sending::start(&service, &proof_from("198.51.100.1", 1000 * KIB), 999 * KIB).await;
    let form = post("/fjord-fern/call/look-up", "content-type: application/x-www-form-urlencoded\r\n", 1000 * KIB);
    let page = Sending::start(&service, &form, 999 * KIB).await;
    let (silent, page) = tokio::join!(silent.answer(), page.answer());
    assert_eq!(silent.0, 408, "{}", silent.1);
    assert!(silent.1.contains("\"code\":\"RequestTimeout\"") && silent.1.contains("connection: close"), "{}", silent.1);
    assert_eq!(page.0, 408, "{}", page.1);
    assert!(page.1.contains("That took too long"), "{}", page.1);
    until_nothing_is_held(&budget).await;
    assert_eq!(budget.refused()[0], ("slow", 2));
}

async fn files_that_clients_do_not_read_are_bounded(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let path = format!("/consumer/{}/purchase/{}/evidence", ada.id, purchases[0]["id"].as_str().unwrap());
    let mut paper = b"%PDF-1.7\n".to_vec();
    paper.resize((9 << 20) - 1000, b'0'); // eight of them are less than 72 MiB
    let sent = service.request(reqwest::Method::POST, &path, &ada.token).header("content-type", "application/pdf");
    let sent = crate::harness::send(sent.body(paper)).await.json();
    let head = format!(
        "GET {path}/{} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer {}",
        sent["id"].as_str().unwrap(),
        ada.token
    );
    let mut untaken = Vec::new();
    let mut refused = 0;
    for _ in 0..12 {
        let mut asked = Sending::start(&service, &head, 0).await;
        let mut status = [0; 12];
        timeout(Duration::from_mins(1), asked.0.read_exact(&mut status)).await.unwrap().unwrap();
        match &status[9..] {
            b"200" => untaken.push(asked), // and the rest is not read
            b"429" => refused += 1,
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    assert_eq!((untaken.len(), refused), (8, 4), "72 MiB");
    drop(untaken);
    while service.get(&format!("{path}/{}", sent["id"].as_str().unwrap()), &ada.token).await.status != 200 {}
}

//! Whatever a bridge does, a call ends in time with a reason, and a request that must not be repeated is sent once.

use crate::support::{
    Receiver, at_home,
    bridge::{asked, bridge, example, get_label, label_request, look_up, now, ok, refund, resolve, secret},
    read_request,
};
use domain::shipping::ShippingMethod;
use outbound::{
    bridge::{BridgeError, Labelled, LookUp, MAX_ANSWER_BYTES, Rejected, Resolved, Unavailable},
    http::{CallError, Endpoint, EndpointError},
    shops::http::Bridge,
    webhook::Secret,
};
use serde_json::Value;
use standardwebhooks::Webhook;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream},
    sync::mpsc,
    time::sleep,
};

/// A short timeout, so that the tests are fast.
const SHORT: Duration = Duration::from_millis(300);

fn no_answer<T>(error: CallError) -> Result<T, BridgeError> {
    Err(BridgeError::Unavailable(Unavailable::NoAnswer(error)))
}

/// Answers one request per connection, and passes the request to the test.
fn showing(answer: String) -> (Receiver, mpsc::UnboundedReceiver<String>) {
    let (sender, received) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let (sender, answer) = (sender.clone(), answer.clone());
        async move {
            while let Some(request) = read_request(&mut stream).await {
                sender.send(request).unwrap();
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    });
    (receiver, received)
}

/// The first line, the body, and whether the library of Standard Webhooks accepts the request.
fn verified(request: &str, secret: &Secret) -> (String, String, bool) {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let (first, fields) = head.split_once("\r\n").unwrap();
    let headers = fields.lines().filter_map(|field| {
        let (name, value) = field.split_once(": ")?;
        Some((name.parse::<hyper::header::HeaderName>().ok()?, value.parse().ok()?))
    });
    let verdict = Webhook::new(&secret.to_text()).unwrap().verify(body.as_bytes(), &headers.collect());
    (first.to_owned(), body.to_owned(), verdict.is_ok())
}

#[tokio::test]
async fn requests_are_signed_and_follow_the_contract() {
    let (receiver, mut requests) = showing(ok(&example("get-purchases", "Found")));
    assert!(matches!(look_up(&bridge(&receiver)).await, Ok(LookUp::Found(_))));
    let request = requests.recv().await.unwrap();
    let (first, body, is_ours) = verified(&request, &secret());
    assert_eq!((first.as_str(), is_ours), ("POST /hook/get-purchases?shop=1 HTTP/1.1", true));
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), serde_json::to_value(asked()).unwrap());
    assert!(request.contains("\r\nwebhook-id: 0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10\r\n"));
    assert!(request.contains("\r\ncontent-type: application/json\r\n"));
    assert!(!verified(&request, &Secret::from_random([8; 32])).2, "another secret");
    assert!(!verified(&request.replace("1001", "1002"), &secret()).2, "another body");

    let (receiver, mut requests) = showing(ok(&example("resolve-return", "Completed")));
    let new = Secret::from_random([1; 32]);
    let bridge = Bridge::new(at_home(), &receiver.url(), new.clone(), Some(secret())).unwrap();
    let completed = Resolved::Completed { external_reference: Some("re_77".to_owned()) };
    assert_eq!(resolve(&bridge).await, Ok(completed));
    let request = requests.recv().await.unwrap();
    for known in [new, secret()] {
        let (first, body, is_ours) = verified(&request, &known);
        assert_eq!((first.as_str(), is_ours), ("POST /hook/resolve-return?shop=1 HTTP/1.1", true));
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), serde_json::to_value(refund()).unwrap());
    }
    assert!(request.contains("\r\nwebhook-id: 0190a5b2-0c11-7b52-8d7e-51c0b7a9e2f4\r\n"));

    bridge.health(asked().request_id, now()).await.unwrap();
    let (first, body, is_ours) = verified(&requests.recv().await.unwrap(), &secret());
    assert_eq!((first.as_str(), body.as_str(), is_ours), ("GET /hook/health?shop=1 HTTP/1.1", "", true));
}

#[tokio::test]
async fn label_requests_follow_the_contract() {
    let (receiver, mut requests) = showing(ok(&example("get-label", "Created")));
    assert!(matches!(get_label(&bridge(&receiver)).await, Ok(Labelled::Created(_))));
    let request = requests.recv().await.unwrap();
    let (first, body, is_ours) = verified(&request, &secret());
    assert_eq!((first.as_str(), is_ours), ("POST /hook/get-label?shop=1 HTTP/1.1", true));
    let asked_for = serde_json::to_value(label_request(ShippingMethod::Label)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), asked_for);
    assert!(request.contains("\r\nwebhook-id: 0190a5b1-a1c2-7d34-8e5f-60718293a4b5\r\n"));
}

#[tokio::test]
async fn a_bridge_that_is_down_is_reported() {
    let taken = TcpSocket::new_v4().unwrap(); // reserves the port without listening
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url: Endpoint = format!("http://{}/", taken.local_addr().unwrap()).parse().unwrap();
    let down = Bridge::new(at_home(), &url, secret(), None).unwrap();
    assert_eq!(look_up(&down).await, no_answer(CallError::NotConnected));
    assert_eq!(resolve(&down).await, no_answer(CallError::NotConnected));
    assert_eq!(get_label(&down).await, no_answer(CallError::NotConnected));
    assert_eq!(down.health(asked().request_id, now()).await, no_answer(CallError::NotConnected));
    let inside: Endpoint = "https://10.0.0.7/".parse().unwrap();
    let inside = Bridge::new(at_home(), &inside, secret(), None).unwrap();
    assert_eq!(look_up(&inside).await, no_answer(CallError::AddressNotAllowed));
    let long: Endpoint = format!("https://example.com/{}", "a".repeat(2_020)).parse().unwrap();
    assert_eq!(Bridge::new(at_home(), &long, secret(), None).unwrap_err(), EndpointError::TooLong);
}

/// Reads the request, then runs a function that may never end.
fn after_request<F>(then: impl Fn(TcpStream) -> F + Clone + Send + Sync + 'static) -> Receiver
where
    F: Future<Output = ()> + Send + 'static,
{
    Receiver::start(move |mut stream| {
        let then = then.clone();
        async move {
            if read_request(&mut stream).await.is_some() {
                then(stream).await;
            }
        }
    })
}

#[tokio::test]
async fn a_slow_bridge_times_out() {
    let answer = ok(&example("get-purchases", "Found"));
    let slow = after_request(move |mut stream| {
        let answer = answer.clone();
        async move {
            sleep(Duration::from_mins(1)).await; // longer than any test waits
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    let hanging = after_request(async |mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{").await;
        std::future::pending::<()>().await;
    });
    let dripping = after_request(async |mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").await;
        while stream.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    });
    let dripping_head = after_request(async |mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ").await;
        while stream.write_all(b"x").await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    });
    for receiver in [slow, hanging, dripping, dripping_head] {
        let bridge = bridge(&receiver).with_timeout(SHORT);
        let started = Instant::now();
        let looked_up = look_up(&bridge).await;
        assert!(looked_up.as_ref().is_err_and(BridgeError::is_timeout), "{looked_up:?}");
        assert_eq!(resolve(&bridge).await, no_answer(CallError::TimedOut));
        let took = started.elapsed();
        assert!((2 * SHORT..20 * SHORT).contains(&took), "{took:?}");
        assert_eq!(receiver.connections(), 2, "a timeout is not retried");
    }
}

#[tokio::test]
async fn an_endless_answer_is_rejected() {
    let endless = after_request(async |mut stream| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n";
        let _ = stream.write_all(head).await;
        while stream.write_all(&[b' '; 16 * 1024]).await.is_ok() {}
    });
    for looked_up in [look_up(&bridge(&endless)).await.map(drop), resolve(&bridge(&endless)).await.map(drop)] {
        let Err(BridgeError::BadAnswer(problems)) = looked_up else { panic!("{looked_up:?}") };
        assert_eq!(problems.0[0].1.message, format!("expected at most {MAX_ANSWER_BYTES} bytes"));
    }
}

#[tokio::test]
async fn a_rejecting_status_is_reported_with_a_hint() {
    let answering = |head: &str| Receiver::writing(format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n"));
    let target = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let moved = answering(&format!("307 Moved\r\nLocation: {}", target.url().as_str()));
    assert_eq!(look_up(&bridge(&moved)).await, Err(Rejected { status: 307 }.into()));
    assert_eq!(target.connections(), 0, "redirects are not followed");
    let refusing = answering("401 Unauthorized");
    let error = look_up(&bridge(&refusing)).await.unwrap_err();
    assert_eq!(error, Rejected { status: 401 }.into());
    assert!(error.to_string().contains("it rejects the signature"), "{error}");
    let unknown = answering("404 Not Found");
    assert_eq!(resolve(&bridge(&unknown)).await, Err(Rejected { status: 404 }.into()));
    let health = bridge(&unknown).health(asked().request_id, now()).await;
    assert_eq!(health, Err(Rejected { status: 404 }.into()));
    let broken = answering("500 Oops");
    let unavailable = |status, wait_seconds| Err(BridgeError::from(Unavailable::Status { status, wait_seconds }));
    assert_eq!(look_up(&bridge(&broken)).await.map(drop), unavailable(500, None));
    assert_eq!(broken.connections(), 1, "an answer is not retried");
    let busy = answering("429 Too Many\r\nRetry-After: 17");
    assert_eq!(resolve(&bridge(&busy)).await.map(drop), unavailable(429, Some(17)));
}

/// Drops the connection of the first requests, then answers. Counts all requests.
fn losing(first: usize, answer: String) -> (Receiver, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let receiver = Receiver::start(move |mut stream| {
        let (count, answer) = (Arc::clone(&count), answer.clone());
        async move {
            while read_request(&mut stream).await.is_some() {
                if count.fetch_add(1, Ordering::SeqCst) < first {
                    return;
                }
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    });
    (receiver, requests)
}

#[tokio::test]
async fn a_look_up_is_repeated_once_after_a_lost_connection() {
    let (receiver, requests) = losing(1, ok(&example("get-purchases", "Found")));
    assert!(matches!(look_up(&bridge(&receiver)).await, Ok(LookUp::Found(_))));
    assert_eq!(requests.load(Ordering::SeqCst), 2);
    let (receiver, requests) = losing(9, String::new());
    assert_eq!(look_up(&bridge(&receiver)).await, no_answer(CallError::BrokenOff));
    assert_eq!(requests.load(Ordering::SeqCst), 2);

    // The second attempt has the time that the first one left.
    let whole = Duration::from_secs(5);
    let count = Arc::new(AtomicUsize::new(0));
    let late = after_request(move |stream| {
        let wait = if count.fetch_add(1, Ordering::SeqCst) == 0 { whole / 2 } else { whole * 10 };
        async move {
            sleep(wait).await;
            drop(stream);
        }
    });
    let started = Instant::now();
    let looked_up = look_up(&bridge(&late).with_timeout(whole)).await;
    assert_eq!((looked_up, late.connections()), (no_answer(CallError::TimedOut), 2));
    assert!(started.elapsed() < whole * 7 / 5, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_label_request_is_never_repeated() {
    let (receiver, requests) = losing(9, String::new());
    assert_eq!(get_label(&bridge(&receiver)).await, no_answer(CallError::BrokenOff));
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_resolution_is_never_repeated() {
    let (receiver, requests) = losing(9, String::new());
    assert_eq!(resolve(&bridge(&receiver)).await, no_answer(CallError::BrokenOff));
    assert_eq!(requests.load(Ordering::SeqCst), 1);

    // A pooled connection is not used either, because it may break while it carries the request.
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let answer = ok(&example("get-purchases", "Found"));
    let receiver = Receiver::start(move |mut stream| {
        let (count, answer) = (Arc::clone(&count), answer.clone());
        async move {
            while let Some(request) = read_request(&mut stream).await {
                if request.starts_with("POST /hook/resolve-return") {
                    count.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    });
    let bridge = bridge(&receiver);
    assert!(matches!(look_up(&bridge).await, Ok(LookUp::Found(_))));
    assert_eq!(resolve(&bridge).await, no_answer(CallError::BrokenOff));
    assert_eq!((receiver.connections(), requests.load(Ordering::SeqCst)), (2, 1));
}

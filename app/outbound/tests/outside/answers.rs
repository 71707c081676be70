//! Whatever a server sends, a call ends in time and with little memory: with the response, or with the reason for none.

use crate::support::{PATIENCE, Receiver, at_home, post, read_request, with_names};
use flate2::{Compression, write::GzEncoder};
use outbound::http::{CallError, HttpResponse, MAX_RESPONSE_BYTES};
use std::{io::Write as _, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    sync::mpsc,
    time::{sleep, timeout},
};

fn answer(status: u16, retry_after: Option<&str>, body: &str) -> HttpResponse {
    HttpResponse { status, retry_after: retry_after.map(str::to_owned), body: body.into() }
}

#[tokio::test]
async fn a_response_has_status_retry_after_and_body() {
    for (text, expected) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", answer(200, None, "ok")),
        ("HTTP/1.1 204 No Content\r\n\r\n", answer(204, None, "")),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
            answer(200, None, "abc"),
        ),
        ("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", answer(410, None, "")),
        ("HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n", answer(503, Some("120"), "")),
        ("HTTP/1.0 500 Oops\r\n\r\nuntil the end", answer(500, None, "until the end")),
    ] {
        assert_eq!(post(&at_home(), &Receiver::writing(text).url()).await, Ok(expected), "{text}");
    }
}

#[tokio::test]
async fn a_request_has_the_given_headers_and_body() {
    let (sender, mut received) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let sender = sender.clone();
        async move {
            sender.send(read_request(&mut stream).await.unwrap()).unwrap();
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
        }
    });
    post(&at_home(), &receiver.url()).await.unwrap();
    let expected = [
        "POST /hook?shop=1 HTTP/1.1".to_owned(),
        "content-type: application/json".to_owned(),
        concat!("user-agent: Retour/", env!("CARGO_PKG_VERSION")).to_owned(),
        format!("host: {}", receiver.address),
        "content-length: 8".to_owned(),
        String::new(),
        "{\"a\": 1}".to_owned(),
    ];
    assert_eq!(received.recv().await.unwrap().split("\r\n").collect::<Vec<_>>(), expected);
    let headers = [("webhook-id", "a\r\nb".to_owned())];
    assert_eq!(at_home().post(&receiver.url(), &headers, "").await, Err(CallError::BadHeader));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    for status in [301, 302, 307, 308] {
        let text = format!("HTTP/1.1 {status} Go\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", target.url().as_str());
        assert_eq!(post(&at_home(), &Receiver::writing(text).url()).await.unwrap().status, status);
    }
    assert_eq!(target.connections(), 0);
}

/// Writes a byte now and then until the client disconnects, then reports it.
fn dripping(head: &'static str) -> (Receiver, mpsc::UnboundedReceiver<()>) {
    let (sender, received) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await;
            let _ = stream.write_all(head.as_bytes()).await;
            while stream.write_all(b"x").await.is_ok() {
                sleep(Duration::from_millis(20)).await;
            }
            sender.send(()).unwrap();
        }
    });
    (receiver, received)
}

#[tokio::test]
async fn a_dripping_response_times_out_and_its_connection_is_closed() {
    for head in ["HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"] {
        let (receiver, mut ended) = dripping(head);
        let http = at_home().with_timeout(Duration::from_millis(200));
        assert_eq!(post(&http, &receiver.url()).await, Err(CallError::TimedOut), "{head}");
        timeout(PATIENCE, ended.recv()).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let silent = Receiver::start(|mut stream| async move {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let http = at_home().with_timeout(Duration::from_millis(200));
    assert_eq!(post(&http, &silent.url()).await, Err(CallError::TimedOut));
    let tls = silent.url().as_str().replace("http:", "https:").parse().unwrap();
    assert_eq!(post(&http, &tls).await, Err(CallError::TimedOut));
}

#[tokio::test]
async fn an_endless_response_is_cut_off() {
    let (sender, mut received) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await;
            let head = b"HTTP/1.1 202 Accepted\r\nContent-Length: 10000000000\r\n\r\n";
            stream.write_all(head).await.unwrap();
            let (part, mut written) = (vec![b'x'; 16 * 1024], 0_u64);
            while written < 10_000_000_000
                && let Ok(count) = stream.write(&part).await
            {
                written += count as u64;
            }
            sender.send(written).unwrap();
        }
    });
    let answer = post(&at_home(), &receiver.url()).await.unwrap();
    assert_eq!((answer.status, answer.body.len()), (202, MAX_RESPONSE_BYTES));
    let written = timeout(PATIENCE, received.recv()).await.unwrap().unwrap();
    assert!(written < 2 * 1024 * 1024, "{written} bytes were read");
}

#[tokio::test]
async fn a_gzip_bomb_is_not_decompressed() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 4 * 1024 * 1024]).unwrap();
    let bomb = encoder.finish().unwrap().repeat(50); // members of one file, 200 MiB in total
    assert!(bomb.len() > MAX_RESPONSE_BYTES, "{}", bomb.len());
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", bomb.len());
    let receiver = Receiver::writing([head.as_bytes(), &bomb].concat());
    let answer = post(&at_home(), &receiver.url()).await.unwrap();
    assert_eq!(answer.body, bomb[..MAX_RESPONSE_BYTES]);
}

#[tokio::test]
async fn a_broken_connection_or_other_protocol_is_reported() {
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(10_000));
    let long = format!("HTTP/1.1 200 OK\r\na: {}\r\nContent-Length: 0\r\n\r\n", "b".repeat(1024 * 1024));
    for text in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot all",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "SSH-2.0-OpenSSH_9.9\r\n",
        "\0\u{1}\u{2}\u{3}",
        &many,
        &long,
    ] {
        let result = post(&at_home(), &Receiver::writing(text).url()).await;
        assert_eq!(result, Err(CallError::BrokenOff), "{text:.60}");
    }
    let resetting = Receiver::start(|mut stream: TcpStream| async move {
        read_request(&mut stream).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot all").await.unwrap();
        stream.set_zero_linger().unwrap();
    });
    assert_eq!(post(&at_home(), &resetting.url()).await, Err(CallError::BrokenOff));
    let closing = Receiver::start(|stream| async move { drop(stream) });
    assert_eq!(post(&at_home(), &closing.url()).await, Err(CallError::BrokenOff));
}

#[tokio::test]
async fn a_closed_port_and_an_unknown_name_are_reported() {
    let taken = TcpSocket::new_v4().unwrap(); // reserves the port without listening
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let to = format!("http://{}/", taken.local_addr().unwrap()).parse().unwrap();
    assert_eq!(post(&at_home(), &to).await, Err(CallError::NotConnected));
    let to = "https://nowhere.example/".parse().unwrap();
    assert_eq!(post(&with_names("", &[]), &to).await, Err(CallError::UnknownHost));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_reused() {
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let http = at_home();
    for _ in 0..50 {
        post(&http.clone(), &receiver.url()).await.unwrap();
    }
    assert!(receiver.connections() < 5, "a connection that is not ready in time is dropped");
    // A connection with an unfinished response is not reused.
    let long = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n");
    let short = http.with_timeout(Duration::from_secs(1));
    assert_eq!(post(&short, &long.url()).await, Err(CallError::TimedOut));
    assert_eq!(post(&short, &long.url()).await, Err(CallError::TimedOut));
    assert_eq!(long.connections(), 2);
}

#[tokio::test]
async fn a_connection_that_the_server_closed_is_replaced() {
    // The server closes the connection after each response, without announcing it.
    let closing = Receiver::writing("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let http = at_home();
    for _ in 0..20 {
        post(&http, &closing.url()).await.unwrap();
    }
    assert_eq!(closing.connections(), 20);

    // The server closes the connection while it receives the second request.
    let requests = Arc::new(std::sync::Mutex::new(0));
    let count = Arc::clone(&requests);
    let late = Receiver::start(move |mut stream| {
        let count = Arc::clone(&count);
        async move {
            read_request(&mut stream).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
            if read_request(&mut stream).await.is_some() {
                *count.lock().unwrap() += 1;
            }
        }
    });
    for _ in 0..3 {
        assert_eq!(post(&http, &late.url()).await.unwrap().status, 200);
    }
    assert_eq!(
        (late.connections(), *requests.lock().unwrap()),
        (3, 2),
        "the broken request was repeated on a new connection"
    );
}

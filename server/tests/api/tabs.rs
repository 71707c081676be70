//! Two tabs of one browser that act at the same time.

use crate::{
    browser::Browser,
    calls::{ADA, value_of},
    harness::{Service, on_both_databases, text},
};
use reqwest::{Method, redirect::Policy};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

on_both_databases! {
    tabs_that_choose_concurrently_each_review_their_own_choice
    a_session_that_another_tab_has_ended_is_not_restored
}

/// The form of the list with one item selected. Like in a browser, it contains the other items too.
fn chosen(page: &str, position: usize) -> Vec<(String, String)> {
    let ids = (1..=2).map(|row| (format!("p{row}.id"), value_of(page, &format!("p{row}.id"))));
    let of_chosen = [
        (format!("p{position}.take"), "1".to_owned()),
        (format!("p{position}.quantity"), "1".to_owned()),
        (format!("p{position}.reason"), value_of(page, "p1.reason")),
        ("go".to_owned(), "on".to_owned()),
    ];
    ids.chain(of_chosen).collect()
}

async fn tabs_that_choose_concurrently_each_review_their_own_choice(service: Service) {
    let purchases = service.purchases(&service.ada().await).await;
    let names = [0, 1].map(|index| text(&purchases[index]["product"]["name"]));
    let browser = Browser::of_ada(&service).await;
    let page = browser.get("/fjord-fern/purchases").await.text();
    let tab = async |position: usize| {
        let fields = chosen(&page, position);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let answer = browser.call("choose", &fields, "text/html").await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        answer.header("location").unwrap().to_owned()
    };
    let (first, second) = tokio::join!(tab(1), tab(2));
    assert_ne!(first, second, "each tab has its own draft");
    for (place, [own, other]) in [(first, [0, 1]), (second, [1, 0])] {
        let review = browser.get(&place).await;
        assert_eq!(review.status, 200, "{place}");
        let review = review.text();
        assert!(review.contains(&names[own]), "{place}: {review}");
        assert!(!review.contains(&names[other]), "{place}: {review}");
    }
}

/// Signs Ada in, with the cookie of a session or without one. Returns the cookie of her new session.
async fn signed_in(service: &Service, cookie: Option<&str>) -> String {
    let client = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let request = client.post(format!("{}/fjord-fern/call/look-up", service.base())).form(&ADA);
    let request = if let Some(cookie) = cookie { request.header("cookie", cookie) } else { request };
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 303);
    let set: Vec<&str> = answer.headers().get_all("set-cookie").iter().map(|set| set.to_str().unwrap()).collect();
    let session = set.iter().find(|set| set.starts_with("retour=")).expect("a session");
    session.split(';').next().unwrap().to_owned()
}

/// Sends a request with a session's cookie: the status, and the value that the answer sets the cookie to.
async fn asked(service: &Service, method: Method, path: &str, cookie: &str) -> (u16, Option<String>) {
    let client = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let request = client.request(method, format!("{}{path}", service.base())).header("cookie", cookie);
    let answer = request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
    let set = answer.headers().get_all("set-cookie").iter().map(|set| set.to_str().unwrap().to_owned());
    let set = set.filter_map(|set| set.strip_prefix("retour=").map(str::to_owned)).next_back();
    (answer.status().as_u16(), set)
}

async fn a_session_that_another_tab_has_ended_is_not_restored(service: Service) {
    let ada = service.ada().await;
    let order = service.create_return(&ada, &service.purchases(&ada).await[..1]).await;
    let path = format!("/fjord-fern/returns/{}/photos", text(&order["id"]));
    let before = signed_in(&service, None).await;

    // One tab sends a form. The service asks for its body after it has read the session.
    let body = "--xyz\r\nContent-Disposition: form-data; name=\"more\"\r\n\r\n1\r\n--xyz--\r\n";
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: here\r\ncookie: {before}\r\ncontent-type: multipart/form-data; boundary=xyz\r\n\
         content-length: {}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let mut tab = TcpStream::connect(service.base().trim_start_matches("http://")).await.unwrap();
    tab.write_all(head.as_bytes()).await.unwrap();
    let wanted = b"HTTP/1.1 100 Continue\r\n\r\n";
    let mut answer = vec![0; wanted.len()];
    timeout(Duration::from_mins(1), tab.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer, wanted);

    // Another tab signs in, which ends the session.
    let now = signed_in(&service, Some(&before)).await;
    assert_ne!(now, before);

    tab.write_all(body.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(Duration::from_mins(1), tab.read_to_end(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
    let cookies = answer.lines().filter(|line| line.to_ascii_lowercase().starts_with("set-cookie: retour="));
    assert_eq!(cookies.collect::<Vec<_>>(), [""; 0], "otherwise, the browser would lose the session of the other tab");
    let page = "/fjord-fern/purchases";
    assert_eq!(asked(&service, Method::GET, page, &now).await, (200, None));
    assert_eq!(
        asked(&service, Method::GET, page, &before).await,
        (303, None),
        "a request can be in flight for a long time"
    );

    // Signing out deletes the cookie of the own session.
    let (status, set) = asked(&service, Method::POST, "/fjord-fern/call/leave", &now).await;
    assert_eq!(status, 303);
    assert!(set.is_some_and(|set| set.starts_with("; ") && set.contains("Max-Age=0")));
    assert_eq!(asked(&service, Method::GET, page, &now).await, (303, None));
}

//! The portal's page of questions and photos: what it keeps of a form, and what it shows beside each item.

use crate::{
    browser::Browser,
    calls::{json_of, value_of},
    harness::{Answer, Service, on_both_databases, text},
    money_pages::choosing,
};
use reqwest::header;
use serde_json::json;

on_both_databases! {
    answers_and_photos_stay_with_their_item
    a_refused_photo_is_named_beside_its_item
    answers_without_photos_are_sent_as_a_plain_form
    scripts_get_the_address_of_the_next_page
}

/// A photo of one pixel.
pub const PHOTO: &[u8] =
    b"\xFF\xD8\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x01\xFF\xD9";

/// It begins as a photo, and cannot be read.
pub const DAMAGED: &[u8] = b"\x89PNG\r\n\x1a\n and nothing else";

/// One field of a multipart form: its name, the name of the file, and the content.
pub type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

/// Sends a multipart form as a browser does.
pub async fn send_parts(service: &Service, browser: &Browser<'_>, path: &str, parts: &[Part<'_>]) -> Answer {
    send_parts_as(service, browser, path, parts, "text/html").await
}

/// Sends a multipart form, with this `Accept`.
async fn send_parts_as(
    service: &Service,
    browser: &Browser<'_>,
    path: &str,
    parts: &[Part<'_>],
    accept: &str,
) -> Answer {
    let mut body = Vec::new();
    for (name, file, content) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.extend(format!("--xyz\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").as_bytes());
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(b"--xyz--\r\n");
    let request = browser.client.post(format!("{}{path}", service.base())).header(header::ACCEPT, accept);
    let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=xyz").body(body);
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer { status, headers, body: response.bytes().await.unwrap().to_vec() }
}

/// Makes a reason that asks where the item is torn, and for photos by this rule. Returns its id.
pub async fn torn(service: &Service, evidence: &str) -> String {
    let questions = json!([{"id": "where", "text": {"en": "Where is it torn?"}, "required": true}]);
    let reason = json!({"description": {"en": "Torn"}, "evidence": evidence, "questions": questions});
    let made = service.post("/api/v0/return-reasons", &service.demo.key, reason).await;
    assert_eq!(made.status, 201, "{}", made.text());
    text(&made.json()["id"])
}

/// A browser in which Ada has selected her shirt and her blanket with this reason, and their ids.
async fn asked<'a>(service: &'a Service, reason: &str) -> (Browser<'a>, [String; 2]) {
    let browser = Browser::new(service);
    let page = choosing(&browser).await;
    let ids = ["p1", "p2"].map(|key| value_of(&page, &format!("{key}.id")));
    let second =
        [("p2.id", ids[1].as_str()), ("p2.take", "1"), ("p2.quantity", "1"), ("p2.reason", reason), ("go", "find")];
    assert_eq!(browser.call("choose", &second, "text/html").await.status, 303);
    let first =
        [("p1.id", ids[0].as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", reason), ("go", "on")];
    let (status, reply) = json_of(&browser, "choose", &first).await;
    assert_eq!((status, &reply), (200, &json!({"href": "/fjord-fern/details"})));
    (browser, ids)
}

/// The sections of the two items on the page.
async fn sections(browser: &Browser<'_>, status: u16, ids: &[String; 2]) -> [String; 2] {
    let page = browser.get("/fjord-fern/details").await;
    assert_eq!(page.status, status, "{}", page.text());
    let page = page.text();
    let title = if status == 200 { "<title>A few more details" } else { "<title>Error: A few more details" };
    assert!(page.contains(title), "no {title} in {page}");
    let (_, first) = page.split_once(&format!("aria-labelledby=\"about-{}\"", ids[0])).unwrap();
    let (first, second) = first.split_once(&format!("aria-labelledby=\"about-{}\"", ids[1])).unwrap();
    let (second, _) = second.split_once("class=\"details-end\"").unwrap();
    [first, second].map(str::to_owned)
}

fn location(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.header("location").unwrap_or_default())
}

async fn answers_and_photos_stay_with_their_item(service: Service) {
    let reason = torn(&service, "optional").await;
    let (browser, ids) = asked(&service, &reason).await;
    let [first, second] = sections(&browser, 200, &ids).await;
    assert!(!first.contains("photos-sent") && !second.contains("has-error"), "{first} {second}");

    // The photo and the only answer are kept, and the other answer is missing.
    let answers = ids.clone().map(|id| format!("answer-{id}-where"));
    let photos = format!("photos-{}", ids[1]);
    let long = "At the left sleeve, below the elbow, about as long as a finger, and a second one close to the hem";
    let parts: [Part<'_>; 4] = [
        (&photos, Some("sleeve.jpg"), PHOTO),
        (&photos, Some(""), b""),
        (&answers[0], None, long.as_bytes()),
        (&format!("answer-{}-nonsense", ids[0]), None, b"ignored"),
    ];
    let sent = send_parts(&service, &browser, "/fjord-fern/details", &parts).await;
    assert_eq!(location(&sent), (303, "/fjord-fern/details"), "{}", sent.text());
    let [first, second] = sections(&browser, 422, &ids).await;
    assert!(first.contains(&format!("\n{long}</textarea>")) && !first.contains("has-error"), "{first}");
    assert!(second.contains("Enter an answer") && second.contains("has-error"), "{second}");
    let photo = format!("/fjord-fern/details/photos/{}/", ids[1]);
    assert!(second.contains(&photo) && !first.contains("photos-sent"), "{first} {second}");
    assert_eq!(second.matches("<img src=\"/fjord-fern/details").count(), 1, "{second}");
    let [first, _] = sections(&browser, 200, &ids).await;
    assert!(first.contains(long), "the mistake shows once, and the answer stays: {first}");

    let removal = value_of(&second, "remove");
    let removed = send_parts(&service, &browser, "/fjord-fern/details", &[("remove", None, removal.as_bytes())]).await;
    assert_eq!(location(&removed), (303, "/fjord-fern/details"));
    let [_, second] = sections(&browser, 200, &ids).await;
    assert!(!second.contains("photos-sent"), "{second}");

    let parts: [Part<'_>; 2] = [(&answers[1], None, b"At the hem"), (&photos, Some("hem.jpg"), PHOTO)];
    let sent = send_parts(&service, &browser, "/fjord-fern/details", &parts).await;
    let (status, review) = location(&sent);
    assert!(status == 303 && review.starts_with("/fjord-fern/review?draft="), "{review}");
    let review = browser.get(review).await.text();
    for answer in [long, "At the hem"] {
        let given = format!("<dt><bdi>Where is it torn?</bdi></dt><dd><bdi>{answer}</bdi></dd>");
        assert!(review.contains(&given), "no {given} in {review}");
    }
    assert_eq!(review.matches("<img src=\"/fjord-fern/details/photos/").count(), 1, "{review}");
    let changes = ["p1-row", "p2-row"].map(|row| review.find(&format!("href=\"/fjord-fern/purchases#{row}\"")));
    assert!(changes[0].is_some() && changes[0] < changes[1], "each item is changed in its row: {review}");
}

async fn a_refused_photo_is_named_beside_its_item(service: Service) {
    let reason = torn(&service, "required").await;
    let (browser, ids) = asked(&service, &reason).await;
    let photos = ids.clone().map(|id| format!("photos-{id}"));
    let parts: [Part<'_>; 3] = [
        (&photos[1], Some("hem.gif"), b"GIF89a"),
        (&photos[1], Some("hem.png"), DAMAGED),
        (&photos[0], Some("sleeve.jpg"), PHOTO),
    ];
    let sent = send_parts(&service, &browser, "/fjord-fern/details", &parts).await;
    assert_eq!(location(&sent), (303, "/fjord-fern/details"));
    let page = browser.get("/fjord-fern/details").await;
    assert_eq!(page.status, 422);
    for name in ["hem.gif", "hem.png"] {
        let link = format!("<li><a href=\"#{}\">Lambswool blanket: {name} couldn’t be read as a photo.", photos[1]);
        assert!(page.text().contains(&link), "no {link} in {}", page.text());
    }
    assert!(!page.text().contains(&format!("href=\"#{}\"", photos[0])), "{}", page.text());
    let [first, second] = sections(&browser, 200, &ids).await;
    assert!(first.contains("photos-sent") && !second.contains("photos-sent"), "{first} {second}");
    assert_eq!(service.database.rows("pending_evidence").await, 1);
}

async fn answers_without_photos_are_sent_as_a_plain_form(service: Service) {
    let reason = torn(&service, "none").await;
    let (browser, ids) = asked(&service, &reason).await;
    let page = browser.get("/fjord-fern/details").await.text();
    assert!(page.contains("action=\"/fjord-fern/call/answer\"") && !page.contains("multipart"), "{page}");
    let answers = ids.clone().map(|id| format!("answer-{id}-where"));
    let (status, reply) = json_of(&browser, "answer", &[(&answers[0], "At the hem")]).await;
    assert_eq!((status, &reply), (422, &json!({"mistakes": [[ids[1], "where", "Missing"]]})));
    let [first, second] = sections(&browser, 422, &ids).await;
    assert!(first.contains("\nAt the hem</textarea>") && second.contains("Enter an answer"), "{first} {second}");
    let foreign = format!("answer-{}-nonsense", ids[0]);
    let (status, reply) = json_of(&browser, "answer", &[(&answers[1], "Everywhere"), (&foreign, "x")]).await;
    assert_eq!(status, 200, "{reply}");
    let review = browser.get(&text(&reply["href"])).await.text();
    assert!(review.contains("<dd><bdi>At the hem</bdi></dd>") && review.contains("<dd><bdi>Everywhere</bdi></dd>"));
}

async fn scripts_get_the_address_of_the_next_page(service: Service) {
    let reason = torn(&service, "optional").await;
    let (browser, ids) = asked(&service, &reason).await;
    let parts: [Part<'_>; 1] = [(&format!("photos-{}", ids[0]), Some("sleeve.jpg"), PHOTO)];
    let sent = send_parts_as(&service, &browser, "/fjord-fern/details", &parts, "application/json").await;
    let next = sent.header("content-location");
    assert_eq!((sent.status, next, sent.header("location")), (204, Some("/fjord-fern/details"), None));
}

//! The links in mail, and declining mail, in a browser without scripting.

use crate::{
    harness::{NOW, Service, on_both_databases, text},
    mail::{Post, advance, link, report, shirt},
};
use reqwest::{StatusCode, header, redirect};
use serde_json::{Value, json};

on_both_databases! {
    optional_mail_can_be_declined
    a_link_to_orders_reveals_nothing_to_others
    a_link_is_valid_for_one_account_and_for_a_limited_time
}

/// A browser with its own cookies that does not follow redirects.
pub struct Browser<'a> {
    service: &'a Service,
    client: reqwest::Client,
}

impl<'a> Browser<'a> {
    pub fn new(service: &'a Service) -> Self {
        let client = reqwest::Client::builder().cookie_store(true).redirect(redirect::Policy::none()).build().unwrap();
        Self { service, client }
    }

    pub async fn get(&self, path: &str) -> Page {
        Page::of(self.client.get(format!("{}{path}", self.service.base())).send().await.unwrap()).await
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        Page::of(self.client.post(format!("{}{path}", self.service.base())).form(fields).send().await.unwrap()).await
    }
}

pub struct Page {
    pub status: StatusCode,
    pub location: String,
    pub text: String,
}

impl Page {
    async fn of(response: reqwest::Response) -> Self {
        let location = response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        Self { status: response.status(), location: location.unwrap_or_default(), text: response.text().await.unwrap() }
    }
}

async fn optional_mail_can_be_declined(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let (_, order) = shirt(&service).await;
    let mails = post.wait_for(&service, 1).await;
    assert_eq!(mails[0]["headers"]["List-Unsubscribe"], Value::Null, "the label cannot be declined");
    report(&service, &order, "Delivered").await;
    advance(&service, 60);
    let mails = post.wait_for(&service, 2).await;
    let stop = link(&mails[1], "/stop");
    let header = text(&mails[1]["headers"]["List-Unsubscribe"]);
    assert!(header.ends_with(&format!("{stop}>")), "{header} {stop}");
    assert_eq!(mails[1]["headers"]["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");

    // Opening the page declines nothing; a mail program's POST does.
    let browser = Browser::new(&service);
    let page = browser.get(&stop).await;
    assert!(page.status == StatusCode::OK && page.text.contains("Unsubscribe?"), "{}", page.text);
    assert!(page.text.contains(&format!("method=\"post\" action=\"{stop}\"")), "{}", page.text);
    let declined = "SELECT 'x' FROM mail_opt_outs";
    assert_eq!(service.database.texts(declined).await.len(), 0);
    let boundary = "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
    let one_click = browser.client.post(format!("{}{stop}", service.base()));
    let one_click = one_click.header(header::CONTENT_TYPE, "multipart/form-data; boundary=x").body(boundary);
    assert_eq!(one_click.send().await.unwrap().status(), StatusCode::OK, "RFC 8058");
    assert_eq!(service.database.texts(declined).await.len(), 1);

    let second = service.purchases(&service.ada().await).await;
    let order = service.create_return(&service.ada().await, &second[1..2]).await;
    post.wait_for(&service, 3).await; // the mail with the label is still sent
    report(&service, &order, "Delivered").await;
    advance(&service, 60);
    assert_eq!(post.settled(&service).await.len(), 3);

    let page = browser.post(&stop, &[("resume", "yes")]).await;
    assert!(page.text.contains("You’re subscribed again"));
    assert_eq!(service.database.texts(declined).await.len(), 0);
}

async fn a_link_to_orders_reveals_nothing_to_others(mut service: Service) {
    let post = Post::open(&mut service, 1);
    let slug = service.demo.account.slug.clone();
    let browser = Browser::new(&service);
    let ask = async |email: &str| {
        let page = browser.post(&format!("/{slug}/call/link"), &[("email", email)]).await;
        (page.status, page.location)
    };
    let same = (StatusCode::SEE_OTHER, format!("/{slug}/link?notice=sent"));
    assert_eq!(ask("nobody@example.com").await, same);
    assert_eq!(ask(" Ada@Example.com ").await, same);
    // The page shows the address masked, whether or not it has orders.
    let sent = format!("/{slug}/link?notice=sent");
    let sent_page = browser.get(&sent).await;
    assert!(
        sent_page.status == StatusCode::OK && sent_page.text.contains("orders for A•••@Example.com,"),
        "{}",
        sent_page.text
    );
    assert_eq!(ask("nobody@example.com").await, same);
    let of_nobody = browser.get(&sent).await.text;
    let address = |text: &str| text.replace("A•••@Example.com", "").replace("n•••@example.com", "");
    assert!(of_nobody.contains("orders for n•••@example.com,"), "{of_nobody}");
    let sentence = |text: &str| text.split("<h1>").nth(1).and_then(|rest| rest.split("</p>").next()).map(address);
    assert_eq!(sentence(&of_nobody), sentence(&sent_page.text));
    let elsewhere = Browser::new(&service).get(&sent).await.text;
    assert!(elsewhere.contains("orders for that address") && !elsewhere.contains("•••"), "{elsewhere}");
    assert_eq!(ask("<ada>").await, (StatusCode::SEE_OTHER, format!("/{slug}/link")));
    let wrong = browser.get(&format!("/{slug}/link")).await;
    assert!(wrong.status == StatusCode::UNPROCESSABLE_ENTITY && wrong.text.contains("&lt;ada&gt;"), "{}", wrong.text);
    let mails = post.settled(&service).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0]["to"], json!(["ada@example.com"]));
    let link = link(&mails[0], "/mail/rtl_");

    // Opening the page does not use the link up.
    for _ in 0..2 {
        let page = Browser::new(&service).get(&link).await;
        assert!(page.status == StatusCode::OK && page.text.contains("1001"), "{}", page.text);
        assert!(page.text.contains(&format!("<form method=\"post\" action=\"{link}\">")), "{}", page.text);
    }
    let theirs = browser.post(&link, &[("orderNumber", "1003")]).await;
    assert_eq!(theirs.status, StatusCode::NOT_FOUND, "the order belongs to another consumer");
    let opened = browser.post(&link, &[("orderNumber", "1001")]).await;
    assert_eq!((opened.status, opened.location), (StatusCode::SEE_OTHER, format!("/{slug}/purchases")));
    assert!(browser.get(&format!("/{slug}/purchases")).await.text.contains("Linen shirt"));
    let again = browser.get(&link).await;
    assert!(
        again.status == StatusCode::NOT_FOUND && again.text.contains("This link no longer works"),
        "{}",
        again.text
    );
    assert_eq!(browser.post(&link, &[("orderNumber", "1001")]).await.status, StatusCode::NOT_FOUND);

    // Too many requests for a link get the same answer, and no further mail is sent.
    for _ in 0..8 {
        assert_eq!(ask("ada@example.com").await, same);
    }
    assert_eq!(post.settled(&service).await.len(), 5);
}

async fn a_link_is_valid_for_one_account_and_for_a_limited_time(mut service: Service) {
    let post = Post::open(&mut service, 1);
    shirt(&service).await;
    let link = link(&post.wait_for(&service, 1).await[0], "/mail/rtl_");
    let token = link.rsplit('/').next().unwrap();
    let elsewhere = Browser::new(&service).get(&format!("/other/mail/{token}")).await;
    assert_eq!(elsewhere.status, StatusCode::NOT_FOUND);
    for token in ["", "x", "rtl_", &token[..token.len() - 1], &format!("{token}0"), &token.replace("rtl_", "rtc_")] {
        let page = Browser::new(&service).get(&format!("/{}/mail/{token}", service.demo.account.slug)).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{token}");
    }
    // It is no credential of the API.
    assert_eq!(service.get("/api/v0/return-orders", token).await.status, 401);
    service.clock.set(NOW.plus_days(181));
    assert_eq!(Browser::new(&service).get(&link).await.status, StatusCode::NOT_FOUND);
    service.retour.operator().prune().await.unwrap();
    assert!(service.database.texts("SELECT 'x' FROM mail_links").await.is_empty());
}

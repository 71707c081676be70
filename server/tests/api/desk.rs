//! The desk: its door, its headers, its forms.

use crate::{
    browser::Browser,
    harness::{Answer, Service, on_both_databases},
};
use reqwest::Method;
use returns::{NewUser, Role};
use serde_json::json;

on_both_databases! {
    pages_are_for_people_who_are_signed_in
    a_person_signs_in_and_out
    a_wrong_password_shows_the_form_again
    forms_of_other_websites_are_refused
    damaged_forms_are_refused
    islands_get_json
    choices_are_kept_in_the_browser
    a_person_chooses_a_language
    an_old_proof_is_renewed_before_the_form_that_needs_it
    the_desk_has_a_host_of_its_own
    an_account_named_desk_is_reached_by_its_id
}

pub const PASSWORD: &str = "correct horse battery";
pub const ADA: &str = "ada@shop.example";

impl Service {
    /// Creates a person of the demo shop.
    pub async fn person(&self, email: &str, role: Role) {
        let new = NewUser { email: email.to_owned(), name: "Ada Lund".to_owned(), role, language: None };
        self.retour.operator().create_user(self.demo.account.id, new, PASSWORD.to_owned()).await.unwrap();
    }

    /// A browser in which a person has signed in to the desk.
    pub async fn at_desk(&self, email: &str, role: Role) -> Browser<'_> {
        self.person(email, role).await;
        let browser = Browser::new(self);
        let sent = sign_in(&browser, email, PASSWORD).await;
        assert_eq!((sent.status, sent.header("location")), (303, Some("/desk")), "{}", sent.text());
        browser
    }
}

async fn sign_in(browser: &Browser<'_>, email: &str, password: &str) -> Answer {
    let form = [("email", email), ("password", password), ("here", "/desk/sign-in")];
    browser.send(Method::POST, "/desk/call/sign-in", &form).await
}

async fn pages_are_for_people_who_are_signed_in(service: Service) {
    let browser = Browser::new(&service);
    for path in ["/desk", "/desk/me", "/desk/nothing/here", "/desk/me?x=1"] {
        let answer = browser.get(path).await;
        let encoded = path.replace('/', "%2F").replace('?', "%3F").replace('=', "%3D");
        let place = format!("/desk/sign-in?next={encoded}");
        assert_eq!((answer.status, answer.header("location")), (303, Some(place.as_str())), "{path}");
    }
    let page = browser.get("/desk/sign-in").await;
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"), "{policy}");
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-frame-options", "DENY"),
        ("x-robots-tag", "noindex, nofollow"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    assert!(page.text().contains("<meta name=\"robots\" content=\"noindex, nofollow\">"));
}

async fn a_person_signs_in_and_out(service: Service) {
    service.person(ADA, Role::Agent).await;
    let browser = Browser::new(&service);
    let form = [("email", ADA), ("password", PASSWORD), ("next", "/desk/me?a=b")];
    let sent = browser.send(Method::POST, "/desk/call/sign-in", &form).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/desk/me?a=b")));
    let cookie = sent.header("set-cookie").unwrap().to_owned();
    assert!(cookie.starts_with("retour-desk=") && cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
    let page = browser.get("/desk/me").await;
    assert_eq!(page.status, 200, "{}", page.text());
    for part in ["Ada Lund", ADA, "Fjord", "<h1>Your settings</h1>"] {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    assert_eq!(browser.get("/desk/nothing").await.status, 404);
    // A link of somebody else leads nowhere but here.
    for next in ["https://evil.example/", "//evil.example", "/desk//evil.example", "/deskevil", "/desk\\evil", ""] {
        let fresh = Browser::new(&service);
        let form = [("email", ADA), ("password", PASSWORD), ("next", next)];
        let sent = fresh.send(Method::POST, "/desk/call/sign-in", &form).await;
        assert_eq!(sent.header("location"), Some("/desk"), "{next}");
    }
    let out = browser.send(Method::POST, "/desk/call/sign-out", &[("key", "1")]).await;
    assert_eq!((out.status, out.header("location")), (303, Some("/desk/sign-in?out")));
    let session = cookie.split(';').next().unwrap();
    let again = service.request(Method::GET, "/desk/me", "").header("cookie", session).send().await.unwrap();
    let at = again.url().path().to_owned();
    assert_eq!(at, "/desk/sign-in", "the session has ended on the server, too");
}

async fn a_wrong_password_shows_the_form_again(service: Service) {
    service.person(ADA, Role::Agent).await;
    let browser = Browser::new(&service);
    let sent = sign_in(&browser, ADA, "wrong horse battery").await;
    let page = sent.text();
    assert_eq!(sent.status, 422);
    assert!(page.contains(&format!("value=\"{ADA}\"")) && page.contains("The email address or the password is wrong."));
    assert!(page.contains("aria-invalid=\"true\"") && !page.contains("wrong horse"), "{page}");
    assert!(sent.header("set-cookie").is_none());
    let unknown = sign_in(&browser, "nobody@shop.example", PASSWORD).await.text();
    assert!(unknown.contains("The email address or the password is wrong."));
}

async fn forms_of_other_websites_are_refused(service: Service) {
    let browser = service.at_desk(ADA, Role::Agent).await;
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        let path = format!("{}/desk/call/sign-out", service.base());
        let sent = browser.client.post(path).header(name, value).form(&[("key", "1")]).send().await.unwrap();
        assert_eq!(sent.status(), 403, "{name}");
        assert!(sent.text().await.unwrap().contains("This form came from another website"));
    }
    assert_eq!(browser.get("/desk/me").await.status, 200);
    // Reading changes nothing: a function's address only leads to a page.
    let opened = browser.get("/desk/call/sign-out").await;
    assert_eq!((opened.status, opened.header("location")), (303, Some("/desk")));
}

async fn damaged_forms_are_refused(service: Service) {
    let browser = service.at_desk(ADA, Role::Agent).await;
    let post = async |kind: &str, body: String| {
        let path = format!("{}/desk/call/choices", service.base());
        let sent = browser.client.post(path).header("content-type", kind.to_owned()).body(body).send().await.unwrap();
        sent.status().as_u16()
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(post(form, "density=%FF".to_owned()).await, 400);
    assert_eq!(post("text/plain", "density=compact".to_owned()).await, 400);
    assert_eq!(post(form, format!("density={}", "x".repeat(1024 * 1024))).await, 413);
    assert_eq!(browser.send(Method::POST, "/desk/call/nothing", &[("a", "b")]).await.status, 404);
    assert_eq!(browser.send(Method::POST, "/desk/me", &[("a", "b")]).await.status, 405);
}

async fn islands_get_json(service: Service) {
    let browser = Browser::new(&service);
    let call = async |name: &str, fields: &[(&str, &str)]| {
        let path = format!("{}/desk/call/{name}", service.base());
        let sent = browser.client.post(path).header("accept", "application/json").form(fields).send().await.unwrap();
        (sent.status().as_u16(), sent.json::<serde_json::Value>().await.unwrap())
    };
    assert_eq!(call("choices", &[]).await, (401, json!("signedOut")));
    assert_eq!(call("nothing", &[]).await, (404, json!("notThere")));
    let wrong = json!({"mistakes": [{"field": "email", "text": "The email address or the password is wrong."}]});
    assert_eq!(call("sign-in", &[("email", ADA), ("password", PASSWORD)]).await, (422, wrong));
    service.person(ADA, Role::Agent).await;
    let (status, next) = call("sign-in", &[("email", ADA), ("password", PASSWORD)]).await;
    assert_eq!((status, next), (200, json!({"href": "/desk"})));
    assert_eq!(call("choices", &[("zone", "Europe/Oslo")]).await, (200, json!({"href": "/desk/me"})));
}

async fn a_person_chooses_a_language(service: Service) {
    let guest = Browser::new(&service);
    let door = guest.get("/desk/sign-in?next=%2Fdesk%2Fme&lang=en").await;
    assert!(door.header("set-cookie").unwrap().starts_with("retour-desk-choices=lang:en;"), "{:?}", door.headers);
    assert!(door.text().contains("href=\"/desk/sign-in?next=%2Fdesk%2Fme&amp;lang=en\""), "{}", door.text());
    let browser = service.at_desk(ADA, Role::Viewer).await;
    let form = |language| [("here", "/desk/me"), ("name", "Ada"), ("language", language)];
    let odd = browser.send(Method::POST, "/desk/call/own-profile", &form("tlh")).await;
    assert!(odd.status == 422 && odd.text().contains("href=\"#language\""), "{}", odd.text());
    let sent = browser.send(Method::POST, "/desk/call/own-profile", &form("en")).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/desk/me")));
    let language = async || {
        let users = service.get("/api/v0/users", &service.demo.key).await.json();
        let user = users["data"].as_array().unwrap().iter().find(|user| user["email"] == ADA).unwrap().clone();
        (user["name"].clone(), user["language"].clone())
    };
    assert_eq!(language().await, (json!("Ada"), json!("en")));
    // In another browser, too.
    let elsewhere = Browser::with(&service, &[("accept-language", "nl")]);
    let sent = sign_in(&elsewhere, ADA, PASSWORD).await;
    assert_eq!(sent.status, 303);
    assert!(elsewhere.get("/desk/me").await.text().contains("<html lang=\"en\""));
    browser.send(Method::POST, "/desk/call/own-profile", &form("")).await;
    assert_eq!(language().await, (json!("Ada"), json!(null)));
}

async fn choices_are_kept_in_the_browser(service: Service) {
    let browser = service.at_desk(ADA, Role::Viewer).await;
    let here = ("here", "/desk/me");
    let form = [here, ("density", "comfortable"), ("keys", "off"), ("zone", "Europe/Oslo")];
    let sent = browser.send(Method::POST, "/desk/call/choices", &form).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/desk/me")));
    let page = browser.get("/desk/me").await.text();
    for part in ["data-density=\"comfortable\"", "value=\"Europe/Oslo\"", "Your settings are saved."] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("id=\"keys\" class=\"keys\""), "{page}");
    assert!(!browser.get("/desk/me").await.text().contains("Your settings are saved."), "the sentence shows once");
    let form = [here, ("density", "compact"), ("keys", "on"), ("zone", "Europe/Atlantis")];
    let sent = browser.send(Method::POST, "/desk/call/choices", &form).await;
    let page = sent.text();
    assert_eq!(sent.status, 422);
    for part in ["value=\"Europe/Atlantis\"", "There is no such time zone.", "href=\"#zone\""] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

async fn an_old_proof_is_renewed_before_the_form_that_needs_it(service: Service) {
    let browser = service.at_desk(ADA, Role::Agent).await;
    let form = [("here", "/desk/sign-in/app"), ("key", "7"), ("next", "/desk/me")];
    let begun = browser.send(Method::POST, "/desk/call/begin-app", &form).await;
    assert_eq!(begun.status, 200, "{}", begun.text());
    assert!(begun.text().contains("class=\"qr\""));
    service.clock.set(service.clock.now().plus_seconds(11 * 60));
    let asked = browser.send(Method::POST, "/desk/call/begin-app", &form).await;
    assert_eq!(asked.status, 403);
    let page = asked.text();
    assert!(
        page.contains("Confirm that it is you") && page.contains("name=\"function\" value=\"begin-app\""),
        "{page}"
    );
    let fields = crate::calls::value_of(&page, "fields").replace("&amp;", "&");
    let proof = |password| {
        let here = "/desk/confirm?next=%2Fdesk%2Fsign-in%2Fapp";
        [("here", here), ("function", "begin-app"), ("fields", fields.as_str()), ("password", password)]
    };
    let wrong = browser.send(Method::POST, "/desk/call/confirm", &proof("wrong horse battery")).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(crate::calls::value_of(&wrong.text(), "function"), "begin-app", "the form that was begun is kept");
    let right = browser.send(Method::POST, "/desk/call/confirm", &proof(PASSWORD)).await;
    assert_eq!(right.status, 200, "{}", right.text());
    assert!(right.text().contains("class=\"qr\""), "the form was sent: {}", right.text());
    assert_eq!(browser.get("/desk/me").await.status, 200, "the browser has the new token");
}

async fn the_desk_has_a_host_of_its_own(mut service: Service) {
    service.person(ADA, Role::Agent).await;
    service.serve_desk_at("desk.example.com");
    let ask = async |host: &str, path: &str| {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let sent = client.get(format!("{}{path}", service.base())).header("host", host).send().await.unwrap();
        let place = sent.headers().get("location").map(|place| place.to_str().unwrap().to_owned());
        (sent.status().as_u16(), place)
    };
    assert_eq!(ask("desk.example.com", "/").await, (303, Some("/sign-in?next=%2F".to_owned())));
    assert_eq!(ask("desk.example.com", "/sign-in").await, (200, None));
    assert_eq!(ask("desk.example.com:8443", "/me?x=1").await, (303, Some("/sign-in?next=%2Fme%3Fx%3D1".to_owned())));
    assert_eq!(ask("desk.example.com", "/health/live").await.0, 200);
    assert_eq!(ask("returns.example.com", "/desk/sign-in").await.0, 404);
    assert_eq!(ask("returns.example.com", "/fjord-fern").await.0, 200);
}

async fn an_account_named_desk_is_reached_by_its_id(service: Service) {
    let id = service.demo.account.id;
    let statement = format!("UPDATE accounts SET slug = 'desk' WHERE slug = '{}'", service.demo.account.slug);
    service.database.run(&statement).await;
    let browser = Browser::new(&service);
    let page = browser.get(&format!("/{id}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains(&format!("action=\"/{id}/call/look-up\"")), "{}", page.text());
    assert_eq!(browser.get("/desk").await.header("location"), Some("/desk/sign-in?next=%2Fdesk"));
}

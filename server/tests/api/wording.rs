//! Texts of the portal in a merchant's own words: setting them, errors, and where they are shown.

use crate::{
    browser::Browser,
    harness::{Answer, Service, on_both_databases, text},
    mail::{Post, shirt, subject},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, path::Path};

on_both_databases! {
    a_text_is_shown_in_its_language_and_only_by_its_shop
    islands_show_the_texts_of_the_shop
    mail_has_the_texts_of_the_shop
    error_pages_have_the_texts_of_the_shop
    a_wording_can_be_previewed
    errors_name_the_key_and_the_language_of_a_text
    all_texts_together_are_bounded
    an_unknown_stored_text_does_not_prevent_other_changes
    the_example_of_the_documentation_works
}

async fn change(service: &Service, branding: Value) -> Answer {
    service.patch("/api/v0/account", &service.demo.key, json!({"branding": branding})).await
}

async fn set(service: &Service, wording: Value) {
    let answer = change(service, json!({"wording": wording})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["branding"]["wording"], wording);
}

/// The text of a page, without the marks around inserted values.
async fn read(service: &Service, path: &str) -> String {
    Browser::new(service).get(path).await.text().replace("<!>", "")
}

async fn a_text_is_shown_in_its_language_and_only_by_its_shop(service: Service) {
    let own = json!({"findMyOrder": {"en": "Find my parcel <3 & go", "de": "Meine \u{200f}Bestellung suchen"}});
    set(&service, own.clone()).await;
    for (path, said) in [
        ("/fjord-fern", "Find my parcel &lt;3 &amp; go"),
        ("/fjord-fern?lang=de", "Meine \u{200f}Bestellung suchen"),
        ("/fjord-fern?lang=fr", "Retrouver ma commande"),
        ("/other", "Find my order"),
        ("/other?lang=de", "Bestellung finden"),
    ] {
        let page = read(&service, path).await;
        assert!(page.contains(said), "{said} is not on {path}: {page}");
    }
    // Changing other fields does not affect the wording. A new wording replaces the old one as a whole, and an empty one removes it.
    let answer = change(&service, json!({"color": "#123456"})).await;
    assert_eq!((answer.status, &answer.json()["branding"]["wording"]), (200, &own));
    assert_eq!(service.get("/api/v0/account", &service.demo.key).await.json()["branding"]["wording"], own);
    set(&service, json!({"email": {"en": "Your address"}})).await;
    let page = read(&service, "/fjord-fern").await;
    assert!(page.contains("Find my order") && page.contains("Your address"), "{page}");
    set(&service, json!({})).await;
    assert!(read(&service, "/fjord-fern").await.contains("Email address"));
}

async fn islands_show_the_texts_of_the_shop(service: Service) {
    set(&service, json!({"continue": {"en": "Save & continue"}, "barEmpty": {"en": "Nothing yet <3"}})).await;
    let browser = Browser::of_ada(&service).await;
    let page = browser.get("/fjord-fern/purchases").await.text().replace("<!>", "");
    let (_, told) = page.split_once("id=\"words\"").unwrap();
    let told = told.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
    assert!(told.lines().any(|line| line == "Save & continue"), "the script contains the unescaped text: {told}");
    assert!(told.lines().any(|line| line == "Nothing yet <3"), "{told}");
    assert!(page.contains("Save &amp; continue</button>") && page.contains("Nothing yet &lt;3"), "{page}");
    assert!(!page.contains(">Continue<"), "{page}");
    let german = browser.get("/fjord-fern/purchases?lang=de").await.text();
    assert!(german.contains(">Weiter<") && !german.contains("Save &amp; continue"), "{german}");
}

async fn mail_has_the_texts_of_the_shop(mut service: Service) {
    let post = Post::open(&mut service, 1);
    set(&service, json!({"readyTitle": {"en": "Ready & waiting"}, "mailSee": {"en": "To my return <3"}})).await;
    let (_, order) = shirt(&service).await;
    let mail = &post.wait_for(&service, 1).await[0];
    assert_eq!(subject(mail), format!("Ready & waiting ({})", text(&order["number"])));
    assert!(text(&mail["text"]).contains("To my return <3:\r\nhttp"), "{mail}");
    assert!(text(&mail["html"]).contains("To my return &lt;3</a>"), "{mail}");
}

async fn error_pages_have_the_texts_of_the_shop(service: Service) {
    let own = json!({
        "notFoundTitle": {"en": "Nothing to see"}, "notFoundEither": {"en": "No such order, sorry"},
        "notFoundEmail": {"en": "No such order, sorry"}, "malformedTitle": {"en": "Come again?"}, "offline": {"en": "No net."},
    });
    set(&service, own).await;
    assert!(read(&service, "/fjord-fern/nothing/here").await.contains("Nothing to see"));
    assert!(!read(&service, "/nobody/nothing/here").await.contains("Nothing to see"), "outside of any shop");
    let browser = Browser::new(&service);
    let form = [("orderNumber", "9999"), ("proof", "ada@example.com"), ("email", "ada@example.com")];
    let sent = browser.send(Method::POST, "/fjord-fern/call/look-up", &form).await;
    let page = browser.get(sent.header("location").unwrap()).await.text();
    assert!(page.contains("No such order, sorry") && page.contains("No net."), "{page}");
    let damaged = browser.send(Method::POST, "/fjord-fern/call/look-up", &[("a", "\0")]).await;
    assert!(damaged.status == 400 && damaged.text().contains("Come again?"), "{}", damaged.text());
}

async fn a_wording_can_be_previewed(service: Service) {
    let body = json!({"branding": {"wording": {"findMyOrder": {"en": "Only tried"}}}});
    let preview = service.post("/api/v0/account/previews", &service.demo.key, body).await;
    assert_eq!(preview.status, 201, "{}", preview.text());
    let url = text(&preview.json()["url"]);
    let path = url.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap();
    let browser = Browser::new(&service);
    let (_, page) = browser.follow(&path).await;
    assert!(page.contains("Only tried"), "{page}");
    assert!(read(&service, "/fjord-fern").await.contains("Find my order"));
    let bad = json!({"branding": {"wording": {"findMyOrdr": {"en": "x"}}}});
    let refused = service.post("/api/v0/account/previews", &service.demo.key, bad).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["branding.wording.findMyOrdr".to_owned()]));
}

async fn errors_name_the_key_and_the_language_of_a_text(service: Service) {
    let before = service.get("/api/v0/account", &service.demo.key).await.json();
    let long = "x".repeat(301);
    let cases = [
        (json!({"findMyOrdr": {"en": "x"}}), vec!["findMyOrdr"], "did you mean findMyOrder?"),
        (json!({"tag": {"en": "de"}}), vec!["tag"], "another key"),
        (json!({"withdraw": {"en": "Cancel"}}), vec!["withdraw"], "Directive (EU) 2023/2673"),
        (json!({"withdrawConfirm": {"de": "Los"}}), vec!["withdrawConfirm"], "Directive (EU) 2023/2673"),
        (json!({"findMyOrder": {"de-CH": "x"}}), vec!["findMyOrder.de-CH"], "en, de, es, fr, it, nl, pl, ar"),
        (json!({"findMyOrder": {"DE": "x"}}), vec!["findMyOrder"], "language tags"),
        (json!({"findMyOrder": {}}), vec!["findMyOrder"], "at least"),
        (json!({"findMyOrder": {"en": " "}}), vec!["findMyOrder.en"], "1 to 300 characters"),
        (json!({"findMyOrder": {"en": long}}), vec!["findMyOrder.en"], "300 characters"),
        (json!({"findMyOrder": {"en": "a\nb"}}), vec!["findMyOrder.en"], "one line"),
        (json!({"continue": {"en": "</script><script>"}}), vec!["continue.en"], "no tag"),
        (json!({"findMyOrder": {"en": "{9}"}}), vec!["findMyOrder.en"], "no placeholders"),
        (json!({"continueWith": {"en": "{0"}}), vec!["continueWith.en"], "{ as }"),
        (json!({"canItWithin": {"en": "{0} {0:few=d;other=d}"}}), vec!["canItWithin.en"], "one, other"),
        (json!({"findMyOrder": {"ar": "\u{202e}x"}}), vec!["findMyOrder.ar"], "isolates"),
        (
            json!({"a": {"en": "x"}, "email": {"en": "", "de": "{0}", "fr": "x"}}),
            vec!["a", "email.de", "email.en"],
            "expected",
        ),
    ];
    for (wording, fields, said) in cases {
        let answer = change(&service, json!({"wording": wording})).await;
        assert_eq!((answer.status, answer.error_code().as_str()), (422, "ValidationFailed"), "{wording}");
        let fields: Vec<_> = fields.iter().map(|field| format!("branding.wording.{field}")).collect();
        assert_eq!(answer.fields(), fields, "{wording}");
        let message = text(&answer.json()["error"]["details"][0]["message"]);
        assert!(message.contains(said), "{said} is not in {message}");
    }
    for (wording, field) in
        [(json!(null), ""), (json!({"email": "x"}), ".email"), (json!({"email": {"en": 1}}), ".email.en")]
    {
        let answer = change(&service, json!({"wording": wording})).await;
        assert_eq!((answer.status, answer.fields()), (422, vec![format!("branding.wording{field}")]), "{wording}");
    }
    assert_eq!(service.get("/api/v0/account", &service.demo.key).await.json(), before);
    assert!(read(&service, "/fjord-fern").await.contains("Find my order"));
}

async fn all_texts_together_are_bounded(service: Service) {
    let many = |count: usize, text: &str| -> Value {
        (0..count).map(|number| (format!("k{number}"), json!({"en": text}))).collect::<serde_json::Map<_, _>>().into()
    };
    for wording in [many(1_001, "x"), many(300, &"x".repeat(299))] {
        let answer = change(&service, json!({"wording": wording})).await;
        assert_eq!((answer.status, answer.fields()), (422, vec!["branding.wording".to_owned()]));
        assert!(answer.text().contains("at most 1000 texts and 64 kB"), "{}", answer.text());
    }
}

/// A later version can have other texts than the version that a wording was set with.
async fn an_unknown_stored_text_does_not_prevent_other_changes(service: Service) {
    let kept = r#"{"wording": {"goneSince": {"en": "x"}, "findMyOrder": {"en": "{0} gone"}, "email": {"en": "Your address"}}}"#;
    service.database.run(&format!("UPDATE accounts SET branding = '{kept}' WHERE slug = 'fjord-fern'")).await;
    let page = read(&service, "/fjord-fern").await;
    assert!(page.contains("Find my order") && page.contains("Your address"), "{page}");
    assert_eq!(change(&service, json!({"color": "#123456"})).await.status, 200);
    let own = json!({"goneSince": {"en": "x"}, "email": {"en": "E-mail"}});
    assert_eq!(change(&service, json!({"wording": own})).await.fields(), ["branding.wording.goneSince"]);
}

async fn the_example_of_the_documentation_works(service: Service) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/portal.md");
    let page = fs::read_to_string(path).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Your own words\n")).unwrap();
    let block = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let strict = "set -euo pipefail\ncurl() { command curl --silent --show-error --fail-with-body \"$@\"; }\n";
    let script = format!("{strict}{block}").replace("http://127.0.0.1:3000", service.base());
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script]).env("KEY", &service.demo.key);
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for (language, said) in [("en", "Find my parcel"), ("de", "Meine Bestellung suchen")] {
        let page = read(&service, &format!("/fjord-fern?lang={language}")).await;
        assert!(page.contains(said), "{said} is not in {page}");
    }
}

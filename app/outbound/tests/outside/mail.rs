//! Mail is sent to an independent server, and read back there.

use crate::{
    mail_server::MailServer,
    tls::{make_authority, make_certificate, run_child},
};
use outbound::mail::{InlineImage, MailAttachment, MailError, Mailer, OutgoingMail};
use std::path::Path;

/// Set in the child process that runs the actual test, because root certificates come from the environment.
const FOLDER: &str = "RETOUR_TEST_MAIL_CERTIFICATES";

const HTML: &str = r#"<p>Grüße &amp; Küsse</p><img src="cid:code-1@retour" alt="">"#;

fn mail(to: &str) -> OutgoingMail {
    OutgoingMail {
        id: "0195-Ready".to_owned(),
        from_name: "Żółw & Söhne".to_owned(),
        to: to.to_owned(),
        reply_to: Some("help@shop.example".to_owned()),
        subject: "Deine Rücksendung ist bereit — مرتجعك جاهز (R-7Q2M4KXD)".to_owned(),
        text: format!("Grüße\n.\n{}\n", "lang ".repeat(400)),
        html: HTML.to_owned(),
        pictures: vec![InlineImage {
            cid: "code-1@retour".to_owned(),
            media_type: "image/png",
            bytes: (0..=255).rev().cycle().take(1_000).collect(),
        }],
        files: vec![MailAttachment {
            name: "return-R-7Q2M4KXD.pdf".to_owned(),
            media_type: "application/pdf",
            bytes: (0..=255).cycle().take(40_000).collect(),
        }],
        decline: None,
    }
}

#[tokio::test]
async fn a_mail_arrives_unchanged() {
    let server = MailServer::start();
    let mailer = Mailer::new(&format!("smtp://127.0.0.1:{}", server.port), "returns@example.com").unwrap();
    let sent = mail("ada+returns@example.com");
    mailer.send(sent.clone()).await.unwrap();
    let mails = server.wait_for(1).await;
    let mail = &mails[0];
    assert_eq!((&mail["from"], &mail["to"][0]), (&"returns@example.com".into(), &"ada+returns@example.com".into()));
    let headers = &mail["headers"];
    assert_eq!(headers["Subject"], sent.subject);
    assert_eq!(headers["From"], "Żółw & Söhne <returns@example.com>");
    assert_eq!(headers["Reply-To"], "help@shop.example");
    assert_eq!(headers["Message-ID"], "<0195-Ready@example.com>");
    assert_eq!(mail["text"].as_str().unwrap().replace("\r\n", "\n").trim_end(), sent.text.trim_end());
    assert_eq!(mail["html"].as_str().unwrap().trim_end(), sent.html);
    assert_eq!(mail["files"][0]["name"], "return-R-7Q2M4KXD.pdf");
    let bytes =
        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, mail["files"][0]["bytes"].as_str().unwrap());
    assert_eq!(bytes.unwrap(), sent.files[0].bytes);
    assert_eq!(mail["files"].as_array().unwrap().len(), 1, "an inline image is no attachment");
    let picture = &mail["pictures"][0];
    assert_eq!((&picture["cid"], &picture["type"]), (&"code-1@retour".into(), &"image/png".into()));
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, picture["bytes"].as_str().unwrap());
    assert_eq!(bytes.unwrap(), sent.pictures[0].bytes);
}

#[tokio::test]
async fn the_servers_code_decides_about_a_retry() {
    let server = MailServer::start();
    let mailer = |port| Mailer::new(&format!("smtp://127.0.0.1:{port}"), "returns@example.com").unwrap();
    let here = mailer(server.port);
    assert_eq!(here.send(mail("gone@example.com")).await, Err(MailError::Refused(Some(550))));
    assert_eq!(here.send(mail("busy@example.com")).await, Err(MailError::Unavailable(Some(451))));
    assert_eq!(here.send(mail("not an address")).await, Err(MailError::Refused(None)));
    // The connection works after each error.
    assert_eq!(here.send(mail("ada@example.com")).await, Ok(()));
    assert_eq!(server.mails().len(), 1);
    let nobody = mailer(1);
    assert_eq!(nobody.send(mail("ada@example.com")).await, Err(MailError::Unavailable(None)));
}

/// Paused time: it advances while all tasks are idle.
#[tokio::test(start_paused = true)]
async fn a_silent_server_times_out() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let holds = tokio::spawn(async move {
        let _line = silent.accept().await.unwrap();
        std::future::pending::<()>().await;
    });
    let mailer = Mailer::new(&url, "returns@example.com").unwrap();
    assert_eq!(mailer.send(mail("ada@example.com")).await, Err(MailError::Unavailable(None)));
    assert!(!holds.is_finished());
}

#[tokio::test]
async fn a_folder_gets_a_mail_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let mails = folder.path().join("mails");
    let mailer = Mailer::new(&format!("file://{}", mails.display()), "returns@example.com").unwrap();
    mailer.send(mail("ada@example.com")).await.unwrap();
    let mail = std::fs::read_to_string(mails.join("0195-Ready.eml")).unwrap();
    assert!(mail.contains("To: ada@example.com"), "{mail}");
    let html = std::fs::read_to_string(mails.join("0195-Ready.html")).unwrap();
    assert!(html.starts_with(r#"<p>Grüße &amp; Küsse</p><img src="data:image/png;base64,//79"#), "{html}");
}

#[test]
fn a_password_is_sent_only_to_a_server_with_the_right_certificate() {
    let folder = tempfile::tempdir().unwrap();
    for authority in ["trusted", "unknown"] {
        make_authority(folder.path(), authority);
    }
    make_certificate(folder.path(), "good", "trusted", "2");
    make_certificate(folder.path(), "foreign", "unknown", "2");
    run_child("mail::with_a_certificate", FOLDER, folder.path(), &folder.path().join("trusted.pem"));
}

#[tokio::test]
#[ignore = "run by a_password_is_sent_only_to_a_server_with_the_right_certificate"]
async fn with_a_certificate() {
    let folder = std::env::var(FOLDER).unwrap();
    let file = |name: &str| Path::new(&folder).join(name);
    let server = |name: &str| MailServer::start_with(&[&file(&format!("{name}.pem")), &file(&format!("{name}.key"))]);
    let (good, foreign) = (server("good"), server("foreign"));
    let send = async |port: u16, password: &str, tls: &str| {
        let url = format!("smtp://shop:{password}@127.0.0.1:{port}{tls}");
        Mailer::new(&url, "returns@example.com").unwrap().send(mail("ada@example.com")).await
    };
    assert_eq!(send(good.port, "secret", "?tls=required").await, Ok(()));
    assert_eq!(good.mails()[0]["secure"], true);
    // The operator may fix a wrong password, so this is retried.
    assert_eq!(send(good.port, "wrong", "?tls=required").await, Err(MailError::Unavailable(Some(535))));
    assert!(matches!(send(good.port, "secret", "").await, Err(MailError::Unavailable(_))));
    assert_eq!(send(foreign.port, "secret", "?tls=required").await, Err(MailError::Unavailable(None)));
    assert!(good.mails().len() == 1 && foreign.mails().is_empty());
}

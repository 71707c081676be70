//! Files in a bucket of a server that checks signatures: through the API, and when `retour serve` starts.

use crate::{
    bridge_check::{CheckResult, run},
    harness::{Service, on_both_databases, send, text},
    people::{erase, finish, returned},
    s3_server::{Key, S3Server},
};
use reqwest::Method;
use returns::{Files, S3Settings};
use std::process::Command;

on_both_databases! {
    evidence_is_stored_in_a_bucket_and_erased_with_the_person
    a_failed_upload_is_an_error_and_no_evidence
}

const URL: &str = "s3://my-returns/files";
const PAPER: &[u8] = b"%PDF-1.7 a receipt";

/// Moves the files of the shops into a bucket.
fn with_bucket(service: &mut Service, server: &S3Server) {
    let key = server.key("retour");
    let settings = S3Settings {
        access_key_id: key.id,
        secret_access_key: key.secret,
        endpoint: server.url(),
        ..S3Settings::default()
    };
    let files = Files::open(URL, &settings).unwrap();
    service.serve(service.retour.clone().configured(|config| config.files = Some(files)));
}

async fn evidence_is_stored_in_a_bucket_and_erased_with_the_person(mut service: Service) {
    let mut server = S3Server::start();
    with_bucket(&mut service, &server);
    let (consumer, request) = returned(&service).await;
    let path = format!("{request}/evidence");
    let add = service.request(Method::POST, &path, &service.demo.key).header("Content-Type", "application/pdf");
    let added = send(add.body(PAPER)).await;
    assert_eq!(added.status, 201, "{}", added.text());
    let id = text(&added.json()["id"]);
    assert_eq!(server.names("my-returns"), [format!("files/{}/{id}", service.demo.account.id)]);
    assert_eq!(std::fs::read_dir(service.files.path()).unwrap().count(), 0, "no file is on this machine");
    let got = service.get(&text(&added.json()["url"]), &service.demo.key).await;
    assert_eq!((got.status, got.body.as_slice()), (200, PAPER));

    finish(&service, &request).await;
    let erased = erase(&service, &consumer.id).await;
    assert_eq!(erased.status, 204, "{}", erased.text());
    assert_eq!(server.names("my-returns"), [""; 0]);
    assert_eq!(service.database.rows("unclaimed_files").await, 0);
}

async fn a_failed_upload_is_an_error_and_no_evidence(mut service: Service) {
    let mut server = S3Server::start();
    with_bucket(&mut service, &server);
    let (_, request) = returned(&service).await;
    let path = format!("{request}/evidence");
    let upload = || {
        let add = service.request(Method::POST, &path, &service.demo.key).header("Content-Type", "application/pdf");
        add.body(PAPER)
    };
    server.kill();
    let failed = upload().send().await.unwrap(); // the answer is not documented, because it must not happen in operation
    assert_eq!(failed.status(), 500);
    let error = failed.text().await.unwrap();
    assert!(
        error.contains("\"code\":\"InternalError\"") && !error.contains("S3") && !error.contains("127.0.0.1"),
        "{error}"
    );
    assert_eq!(service.database.rows("evidence").await, 0);
    assert_eq!(service.get("/health/ready", "").await.status, 200, "everything else works");
    server.start_again();
    assert_eq!(send(upload()).await.status, 201);
    assert_eq!((service.database.rows("evidence").await, server.names("my-returns").len()), (1, 1));
}

/// Runs `retour serve` with this storage of files, until it fails.
async fn serve(database: &str, files_url: &str, endpoint: &str, key: Option<Key>) -> CheckResult {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
    // Nobody can listen at this address, so a start that gets this far fails here.
    program.args(["serve", "--addr", "203.0.113.1:1", "--database-url", database, "--files-url", files_url]);
    for name in ["AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] {
        program.env_remove(name);
    }
    let key = key.unwrap_or(Key { id: String::new(), secret: String::new(), token: String::new() });
    program
        .env("AWS_ACCESS_KEY_ID", key.id)
        .env("AWS_SECRET_ACCESS_KEY", key.secret)
        .env("AWS_SESSION_TOKEN", key.token);
    program.env("AWS_ENDPOINT_URL", endpoint).env("LOG", "warn");
    run(program).await
}

#[tokio::test]
async fn an_unusable_bucket_stops_the_start_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("retour.db").display());
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_retour"));
    migrate.args(["migrate", "--database-url", &database, "--files-url", URL]); // migrating needs no files
    assert_eq!(run(migrate).await.code, Some(0));

    let server = S3Server::start();
    let (key, url) = (server.key("retour"), server.url());
    let wrong = Key { secret: format!("{}x", key.secret), ..key.clone() };
    let own = Some(key);
    for (files_url, endpoint, key, expected) in [
        (URL, url.as_str(), None, "FILES_URL=s3://…: expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        (URL, "", own.clone(), "FILES_URL=s3://…: expected AWS_REGION, such as eu-central-1, or AWS_ENDPOINT_URL_S3"),
        (
            URL,
            "s3.example.com",
            own.clone(),
            "FILES_URL=s3://…: AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL): expected a URL",
        ),
        ("s3://", &url, own.clone(), "FILES_URL: expected file://FOLDER, such as file://data/files, or s3://BUCKET"),
        (
            URL,
            &url,
            Some(wrong),
            "FILES_URL: the bucket my-returns cannot be used: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
        ),
        (URL, &url, Some(server.key("reader")), "FILES_URL: the bucket my-returns cannot be used: the key may not put"),
        (
            "s3://with-versionz",
            &url,
            own.clone(),
            "FILES_URL: the bucket with-versionz cannot be used: there is no bucket with this name",
        ),
        (
            URL,
            "http://127.0.0.1:1",
            own.clone(),
            "FILES_URL: the bucket my-returns cannot be used: the request to the S3 server failed: No connection",
        ),
        (URL, &url, own, "cannot listen on 203.0.113.1:1"),
    ] {
        let secret = key.as_ref().map(|key| key.secret.clone());
        let ended = serve(&database, files_url, endpoint, key).await;
        let complained = ended.stderr;
        assert!(complained.contains(&format!("retour: {expected}")), "{files_url}, {endpoint}: {complained}");
        assert!(secret.is_none_or(|secret| !complained.contains(&secret)), "{complained}");
        // Only settings that can never work end with 2, after which a service manager does not start the program again.
        let can_never_work = expected.starts_with("FILES_URL") && expected.contains(": expected");
        assert_eq!(ended.code, Some(if can_never_work { 2 } else { 1 }), "{files_url}, {endpoint}");
    }
}

//! Files in a bucket of a server that verifies signatures.

use crate::{
    s3_server::{Key, S3Server},
    support::{Loses, Receiver},
};
use domain::AccountId;
use outbound::{
    files::{Files, FilesError, S3Settings},
    http::Endpoint,
};
use uuid::Uuid;

const URL: &str = "s3://my-returns/files";
const ACCOUNT: AccountId = AccountId(Uuid::from_u128(7));

fn settings(endpoint: &str, key: Key) -> S3Settings {
    S3Settings {
        access_key_id: key.id,
        secret_access_key: key.secret,
        session_token: key.token,
        region: String::new(),
        endpoint: endpoint.to_owned(),
    }
}

fn files(server: &S3Server, url: &str, who: &str) -> Files {
    Files::open(url, &settings(&server.url(), server.key(who))).unwrap()
}

/// The message that stops the program's start.
async fn check_message(files: &Files) -> String {
    files.check().await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_file_in_a_bucket_can_be_read_until_it_is_deleted() {
    let mut server = S3Server::start();
    for (who, other) in [("retour", AccountId(Uuid::nil())), ("guest", AccountId(Uuid::max()))] {
        let files = files(&server, URL, who);
        files.check().await.unwrap();
        // From empty to larger than a photo may be, including bytes that are no text.
        let large: Vec<u8> = (0..10 * 1024 * 1024_u32).map(|at| at.to_le_bytes()[1]).collect();
        for (id, bytes) in
            [(Uuid::nil(), Vec::new()), (Uuid::max(), b"\0\xFF\r\n\r\n".to_vec()), (Uuid::from_u128(3), large)]
        {
            assert!(matches!(files.get(ACCOUNT, id).await, Err(FilesError::Missing)));
            assert!(!files.exists(ACCOUNT, id).await.unwrap());
            files.put(ACCOUNT, id, "an earlier file").await.unwrap();
            files.put(ACCOUNT, id, bytes.clone()).await.unwrap();
            assert!(files.get(ACCOUNT, id).await.unwrap() == bytes, "{who}, {} bytes", bytes.len());
            assert!(files.exists(ACCOUNT, id).await.unwrap());
            assert!(!files.exists(other, id).await.unwrap(), "another account has its own files");
            assert_eq!(server.names("my-returns"), [format!("files/{ACCOUNT}/{id}")]);
            files.delete(ACCOUNT, id).await.unwrap();
            files.delete(ACCOUNT, id).await.unwrap();
            assert!(matches!(files.get(ACCOUNT, id).await, Err(FilesError::Missing)));
        }
    }
    assert!(server.names("my-returns").is_empty(), "the check deletes its file too");
}

#[tokio::test]
async fn the_check_explains_why_access_is_denied() {
    let server = S3Server::start();
    let key = server.key("retour");
    let wrong_secret = Key { secret: format!("{}x", key.secret), ..key.clone() };
    let wrong_id = Key { id: "AKIAIOSFODNN7EXAMPLE".to_owned(), ..key.clone() };
    let wrong_token = Key { token: "wrong".to_owned(), ..server.key("guest") };
    for key in [wrong_secret, wrong_id, wrong_token] {
        let files = Files::open(URL, &settings(&server.url(), key.clone())).unwrap();
        let message = check_message(&files).await;
        let expected = "FILES_URL: the bucket my-returns cannot be used: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or ";
        assert!(message.starts_with(expected), "{message}");
        assert!(!message.contains(&key.secret) && !message.contains(&key.id), "{message}");
        let refused = files.get(ACCOUNT, Uuid::nil()).await.unwrap_err();
        assert!(matches!(refused, FilesError::Refused { status: 400 | 403, .. }), "{refused}");
    }
    for (url, who, expected) in [
        ("s3://my-returns/files", "reader", "the key may not put, get and delete objects in it (403 AccessDenied)"),
        ("s3://my-returns/elsewhere", "retour", "the key may not put, get and delete objects in it (403 AccessDenied)"),
        ("s3://with-versionz", "retour", "there is no bucket with this name (404 NoSuchBucket)"),
    ] {
        let message = check_message(&files(&server, url, who)).await;
        assert!(message.ends_with(expected), "{url}: {message}");
    }
}

#[tokio::test]
async fn a_bucket_with_versioning_is_recognized() {
    let server = S3Server::start();
    let kept = files(&server, "s3://with-versions", "retour");
    kept.check().await.unwrap();
    assert!(kept.has_versioning().await);
    assert!(!files(&server, URL, "retour").has_versioning().await);
}

#[tokio::test]
async fn a_lost_request_is_repeated() {
    let mut server = S3Server::start();
    let id = Uuid::from_u128(1);
    for loses in [Loses::Request, Loses::Answer] {
        let way = Receiver::before(&Endpoint::parse(&server.url()).unwrap(), "PUT /", loses);
        let endpoint = format!("http://{}", way.address);
        let files = Files::open(URL, &settings(&endpoint, server.key("retour"))).unwrap();
        files.put(ACCOUNT, id, "a photo").await.unwrap();
        assert_eq!(way.connections(), 2);
        assert_eq!(files.get(ACCOUNT, id).await.unwrap(), b"a photo");
        assert_eq!(server.names("my-returns").len(), 1);
        files.delete(ACCOUNT, id).await.unwrap();
    }
}

#[tokio::test]
async fn an_unreachable_server_is_an_error_until_it_is_back() {
    let mut server = S3Server::start();
    let files = files(&server, URL, "retour");
    let id = Uuid::from_u128(1);
    files.put(ACCOUNT, id, "before").await.unwrap();
    server.kill();
    let (put, deleted) = tokio::join!(files.put(ACCOUNT, id, "meanwhile"), files.delete(ACCOUNT, id));
    for outcome in [put, deleted] {
        assert!(matches!(outcome, Err(FilesError::Unreachable(_))), "{outcome:?}");
    }
    assert!(check_message(&files).await.ends_with("the request to the S3 server failed: No connection could be made."));
    server.start_again();
    files.put(ACCOUNT, id, "after").await.unwrap();
    assert_eq!(files.get(ACCOUNT, id).await.unwrap(), b"after");
}

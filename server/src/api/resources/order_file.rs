//! Files of orders, taken in as they arrive: memory holds a few pieces of the body and one batch of orders, however large the file.
//!
//! Three work at the same time. The body's pieces go to a thread that unpacks and parses them ([`parse`]); what it finds goes to
//! the [`returns::Importer`], which commits batch by batch. Each waits for the next, so that a slow database slows the client.

use super::{
    body::{AnyBody, Fingerprint, idempotency_key, is_json, media_type, unsupported},
    door::done,
    error::{ApiError, response},
};
use crate::App;
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use domain::{AccountId, RefusalCode, TimeZone};
use http_body_util::BodyExt as _;
use returns::{
    Caller, Error, FieldError, IdempotencyKey, Importer, Staff, Written,
    bodies::BodyShare,
    import::{self, Bounds, Format, ImportError, Parsed},
};
use std::{
    collections::HashMap,
    io::{self, Read},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Media types of files of orders. Retour detects gzip and ZIP from the bytes.
const FILE_TYPES: &[&str] =
    &["text/csv", "text/tab-separated-values", "application/gzip", "application/zip", "application/octet-stream"];
/// The media types in the document: one for text, and one for any bytes, which every generated client can send.
pub(super) const DOCUMENTED_TYPES: &[&str] = &["text/csv", "application/octet-stream"];

/// Pieces of a body that wait for being parsed.
const PIECES: usize = 4;
/// Orders and skipped rows that are handed on together, and bytes of them.
const PART: usize = 256;
const PART_BYTES: usize = 256 * 1024;
/// Files that are read at a time: of all accounts, and of one. Each has a thread that waits for its client.
const FILES_OF_ALL: usize = 32;
const FILES_OF_ACCOUNT: usize = 2;

/// What `POST /purchases/import` takes.
pub(super) enum ImportBody {
    /// JSON, read to its end.
    Json(AnyBody),
    /// A file, of which nothing is read yet.
    File(OrderFile),
}

/// A file that arrives.
pub(super) struct OrderFile {
    body: FileBody,
    fingerprint: Fingerprint,
    key: Option<String>,
}

/// A body of which only those pieces are held that wait for being parsed.
struct FileBody {
    body: Body,
    /// The memory that it is charged with; none where nobody counts.
    share: Option<BodyShare>,
    /// Bytes that wait for being parsed.
    held: Arc<AtomicUsize>,
}

impl ImportBody {
    /// The answer to a body of another type.
    pub fn unsupported() -> Response {
        unsupported(
            "Send JSON with Content-Type: application/json, or a CSV file with Content-Type: text/csv, also gzipped; \
             Shopify's layout is CSV.",
        )
    }
}

impl<S: Send + Sync> FromRequest<S> for ImportBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (is_json, media_type) = (is_json(request.headers()), media_type(request.headers()));
        let is_file = FILE_TYPES.contains(&media_type.as_str());
        if !is_json && !is_file {
            return Err(Self::unsupported());
        }
        check_encoding(request.headers(), is_json)?;
        if is_json {
            return AnyBody::from_request(request, state).await.map(Self::Json);
        }
        let key = idempotency_key(request.headers())?;
        let fingerprint = Fingerprint::of_body(request.method(), request.uri());
        let share = request.extensions().get::<BodyShare>().cloned();
        let body = FileBody { body: request.into_body(), share, held: Arc::default() };
        Ok(Self::File(OrderFile { body, fingerprint, key }))
    }
}

fn check_encoding(headers: &HeaderMap, is_json: bool) -> Result<(), Response> {
    let encodings = headers.get_all(header::CONTENT_ENCODING).iter().map(|value| value.to_str().unwrap_or("?"));
    let is_known = |encoding: &str| {
        let encoding = encoding.trim().to_ascii_lowercase();
        encoding.is_empty() || encoding == "identity" || (!is_json && matches!(encoding.as_str(), "gzip" | "x-gzip"))
    };
    if encodings.flat_map(|encodings| encodings.split(',')).all(is_known) {
        return Ok(());
    }
    Err(unsupported(if is_json {
        "Send JSON without Content-Encoding."
    } else {
        "Send the file with Content-Encoding: gzip, or without it."
    }))
}

/// Places for files that are read at a time.
#[derive(Debug, Clone)]
pub(crate) struct ImportPlaces {
    all: Arc<Semaphore>,
    accounts: Arc<Mutex<HashMap<AccountId, Arc<Semaphore>>>>,
}

impl Default for ImportPlaces {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(FILES_OF_ALL)), accounts: Arc::default() }
    }
}

impl ImportPlaces {
    /// Waits for a place: of the account first, so that one account never keeps others from theirs.
    async fn take(&self, account: AccountId) -> Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)> {
        let own = {
            let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
            accounts.retain(|known, places| *known == account || Arc::strong_count(places) > 1);
            Arc::clone(accounts.entry(account).or_insert_with(|| Arc::new(Semaphore::new(FILES_OF_ACCOUNT))))
        };
        let own = own.acquire_owned().await.ok()?;
        Some((own, Arc::clone(&self.all).acquire_owned().await.ok()?))
    }
}

/// Takes in a file, unless its key was answered before.
pub(super) async fn take_in(
    app: &App,
    staff: &Staff,
    caller: &Caller,
    file: OrderFile,
    format: Format,
    is_dry_run: bool,
) -> Result<Response, ApiError> {
    let OrderFile { body, mut fingerprint, key } = file;
    let key = key.filter(|_| !is_dry_run);
    let key = key.map(|key| IdempotencyKey { credential: caller.credential_id(), key, fingerprint: Vec::new() });
    let _place = app.imports.take(caller.account()).await;
    if let Some(key) = &key
        && app.retour.is_import_answered(staff, key).await?
    {
        // Only the whole body tells whether it is the same request.
        if receive(body, &mut fingerprint, None).await.is_err() {
            return Err(broken_off(Written::default()).into());
        }
        let key = IdempotencyKey { fingerprint: fingerprint.finish(), ..key.clone() };
        let before = app.retour.import_before(staff, &key).await?;
        return before.map(done).ok_or_else(|| Error::IdempotencyMismatch.into());
    }
    let importer = app.retour.import_file(staff, is_dry_run).await?;
    let (pieces, arriving) = mpsc::channel(PIECES);
    let (found, parts) = mpsc::channel(1);
    let zone = importer.time_zone().clone();
    let file = Arriving { pieces: arriving, piece: Bytes::new(), held: Arc::clone(&body.held) };
    let parsing = tokio::task::spawn_blocking(move || parse(file, format, &zone, &found));
    let (received, imported) =
        tokio::join!(receive(body, &mut fingerprint, Some(pieces)), import_parts(importer, parts));
    parsing.await.map_err(|_| Error::Broken)?;
    match imported? {
        Imported::All(importer) => {
            let key = key.map(|key| IdempotencyKey { fingerprint: fingerprint.finish(), ..key });
            Ok(done(importer.conclude(key).await?))
        }
        Imported::Until(_, written) if received.is_err() => Err(broken_off(written).into()),
        Imported::Until(error, written) => Err(stopped(&error, written)),
    }
}

/// Hands on the pieces of a body, if there is somebody who takes them. `Err`: it broke off, and the parser knows.
async fn receive(
    body: FileBody,
    fingerprint: &mut Fingerprint,
    pieces: Option<mpsc::Sender<io::Result<Bytes>>>,
) -> Result<(), ()> {
    let FileBody { mut body, share, held } = body;
    while let Some(frame) = body.frame().await {
        let piece = match frame.map(hyper::body::Frame::into_data) {
            Ok(Ok(piece)) => piece,
            Ok(Err(_)) => continue, // trailers
            Err(_) => {
                if let Some(pieces) = &pieces {
                    let _ = pieces.send(Err(io::ErrorKind::ConnectionAborted.into())).await;
                }
                return Err(());
            }
        };
        fingerprint.add(&piece);
        if let Some(pieces) = &pieces {
            held.fetch_add(piece.len(), Ordering::Relaxed);
            if pieces.send(Ok(piece)).await.is_err() {
                break; // the parser has given up: it says why
            }
        }
        if let Some(share) = &share {
            share.keep_only(held.load(Ordering::Relaxed));
        }
    }
    Ok(())
}

/// The bytes of a body, for a thread that may wait.
struct Arriving {
    pieces: mpsc::Receiver<io::Result<Bytes>>,
    piece: Bytes,
    held: Arc<AtomicUsize>,
}

impl Read for Arriving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => {
                    self.piece = piece?;
                    self.held.fetch_sub(self.piece.len(), Ordering::Relaxed);
                }
                None => return Ok(0),
            }
        }
        let count = self.piece.len().min(buffer.len());
        let (target, _) = buffer.split_at_mut(count);
        target.copy_from_slice(&self.piece.split_to(count));
        Ok(count)
    }
}

type Part = Vec<Result<Parsed, ImportError>>;

fn parse(file: Arriving, format: Format, zone: &TimeZone, found: &mpsc::Sender<Part>) {
    let parsed = match import::orders_within(Bounds::SENT, format, file, zone) {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = found.blocking_send(vec![Err(error)]);
            return;
        }
    };
    let (mut part, mut bytes) = (Part::new(), 0);
    for one in parsed {
        bytes += if let Ok(Parsed::Order(order)) = &one { order.bytes } else { 0 };
        part.push(one);
        if part.len() >= PART || bytes >= PART_BYTES {
            bytes = 0;
            if found.blocking_send(std::mem::take(&mut part)).is_err() {
                return; // nobody takes it any more
            }
        }
    }
    let _ = found.blocking_send(part);
}

/// How far a file was taken in.
enum Imported {
    /// To its end; the last batch is not written yet.
    All(Box<Importer>),
    /// The rest cannot be read. So much is in the database.
    Until(ImportError, Written),
}

async fn import_parts(mut importer: Importer, mut parts: mpsc::Receiver<Part>) -> Result<Imported, Error> {
    while let Some(part) = parts.recv().await {
        for one in part {
            match one {
                Err(error) => return Ok(Imported::Until(error, importer.written())),
                parsed => importer.take(parsed).await?,
            }
        }
    }
    Ok(Imported::All(Box::new(importer)))
}

/// What of the file stays, for people.
fn so_far(written: Written) -> String {
    let Written { orders, lines } = written;
    if orders == 0 {
        return "Nothing of the file was taken in.".to_owned();
    }
    format!("{orders} orders with {lines} lines were taken in before; they stay. Sending the file again is safe.")
}

fn broken_off(written: Written) -> Response {
    let message = format!("The body ended too early, or took too long. {}", so_far(written));
    response(StatusCode::BAD_REQUEST, "BadRequest", &message, &[])
}

fn stopped(error: &ImportError, written: Written) -> ApiError {
    let told = error.to_string();
    if matches!(error, ImportError::TooLarge(_) | ImportError::TooManyOrders(_)) {
        let message = format!("Too large: {told}. {}", so_far(written));
        return response(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLarge", &message, &[]).into();
    }
    let told = if written.orders == 0 { told } else { format!("{told}. {}", so_far(written)) };
    Error::Invalid(vec![FieldError::new("body", RefusalCode::NotAllowed, told)]).into()
}

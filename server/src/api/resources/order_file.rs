//! Files of orders, imported as they arrive: memory holds a few pieces of the body and one batch of orders, however large the file is.
//!
//! Three tasks work at the same time. [`receive`] hands the pieces of the body to a thread that unpacks and parses them ([`parse`]). The parsed orders go to
//! the [`returns::Importer`], which commits them in batches ([`import_parts`]). Each task waits for the next one, so that a slow database slows the
//! client.

use crate::{
    api::base::{
        body::{AnyBody, is_json, media_type, unsupported},
        error::{ApiError, response},
        idempotency::{Fingerprint, idempotency_key},
        reply::done,
    },
    app::App,
};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use domain::{RefusalCode, TimeZone};
use http_body_util::BodyExt as _;
use returns::{
    Caller, Error, FieldError, IdempotencyKey, Importer, Staff, Written,
    bodies::BodyShare,
    import::{self, Bounds, Format, ImportError, Parsed},
};
use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::mpsc;

/// The media types of files of orders. Retour recognizes gzip and ZIP by the bytes.
const FILE_TYPES: &[&str] =
    &["text/csv", "text/tab-separated-values", "application/gzip", "application/zip", "application/octet-stream"];
/// The media types in the document: one for text, and one for any bytes, which every generated client can send.
pub(super) const DOCUMENTED_TYPES: &[&str] = &["text/csv", "application/octet-stream"];

/// Pieces of a body that wait to be parsed.
const WAITING_PIECES: usize = 4;
/// The most orders and skipped rows, and the most bytes of orders, that the parser hands on at once.
const PART_ROWS: usize = 256;
const PART_BYTES: usize = 256 * 1024;

/// The body of `POST /purchases/import`.
pub(super) enum ImportBody {
    /// JSON, read to its end.
    Json(AnyBody),
    /// A file, of which nothing is read yet.
    File(OrderFile),
}

/// A file that has not arrived yet.
pub(super) struct OrderFile {
    body: StreamedBody,
    fingerprint: Fingerprint,
    key: Option<String>,
}

/// A body of which memory holds only the pieces that wait to be parsed.
struct StreamedBody {
    body: Body,
    /// The memory that the body is charged with.
    share: Option<BodyShare>,
    /// Bytes that wait to be parsed.
    waiting_bytes: Arc<AtomicUsize>,
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
        let fingerprint = Fingerprint::start(request.method(), request.uri());
        let share = request.extensions().get::<BodyShare>().cloned();
        let body = StreamedBody { body: request.into_body(), share, waiting_bytes: Arc::default() };
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

/// How a file is imported.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImportOptions {
    pub format: Format,
    pub is_dry_run: bool,
}

/// Imports a file, or repeats the answer that its idempotency key has already.
pub(super) async fn import_file(
    app: &App,
    staff: &Staff,
    caller: &Caller,
    file: OrderFile,
    ImportOptions { format, is_dry_run }: ImportOptions,
) -> Result<Response, ApiError> {
    let OrderFile { body, mut fingerprint, key } = file;
    // The fingerprint is complete only when the whole file has arrived.
    let key = key.filter(|_| !is_dry_run);
    let key = key.map(|key| IdempotencyKey { credential: caller.credential_id(), key, fingerprint: Vec::new() });
    let _slot = app.imports.acquire(caller.account()).await;
    if let Some(key) = &key
        && app.retour.merchant(staff).is_import_answered(key).await?
    {
        return repeat_answer(app, staff, key.clone(), body, fingerprint).await;
    }
    let importer = app.retour.merchant(staff).import_file(is_dry_run).await?;
    let (piece_sender, pieces) = mpsc::channel(WAITING_PIECES);
    let (part_sender, parts) = mpsc::channel(1);
    let zone = importer.time_zone().clone();
    let file = ArrivingFile { pieces, piece: Bytes::new(), waiting_bytes: Arc::clone(&body.waiting_bytes) };
    let parsing = tokio::task::spawn_blocking(move || parse(file, format, &zone, &part_sender));
    let (received, imported) =
        tokio::join!(receive(body, &mut fingerprint, Some(piece_sender)), import_parts(importer, parts));
    parsing.await.map_err(|_| Error::broken())?;
    match imported? {
        Imported::All(importer) => {
            let key = key.map(|key| IdempotencyKey { fingerprint: fingerprint.finish(), ..key });
            Ok(done(importer.conclude(key).await?))
        }
        Imported::Until(_, written) if received.is_err() => Err(body_broke_off(written).into()),
        Imported::Until(error, written) => Err(import_failed(&error, written)),
    }
}

/// Reads the file without importing it, because only the whole body tells whether the request is the same as the one that was answered.
async fn repeat_answer(
    app: &App,
    staff: &Staff,
    key: IdempotencyKey,
    body: StreamedBody,
    mut fingerprint: Fingerprint,
) -> Result<Response, ApiError> {
    if receive(body, &mut fingerprint, None).await.is_err() {
        return Err(body_broke_off(Written::default()).into());
    }
    let key = IdempotencyKey { fingerprint: fingerprint.finish(), ..key };
    let answer = app.retour.merchant(staff).import_before(&key).await?;
    answer.map(done).ok_or_else(|| Error::IdempotencyMismatch.into())
}

/// The body ended before its end.
struct BodyBrokeOff;

/// Receives the body, and hands its pieces to the parser, if there is one.
async fn receive(
    body: StreamedBody,
    fingerprint: &mut Fingerprint,
    pieces: Option<mpsc::Sender<io::Result<Bytes>>>,
) -> Result<(), BodyBrokeOff> {
    let StreamedBody { mut body, share, waiting_bytes } = body;
    while let Some(frame) = body.frame().await {
        let piece = match frame.map(hyper::body::Frame::into_data) {
            Ok(Ok(piece)) => piece,
            Ok(Err(_)) => continue, // trailers
            Err(_) => {
                if let Some(pieces) = &pieces {
                    let _ = pieces.send(Err(io::ErrorKind::ConnectionAborted.into())).await;
                }
                return Err(BodyBrokeOff);
            }
        };
        fingerprint.add(&piece);
        if let Some(pieces) = &pieces {
            waiting_bytes.fetch_add(piece.len(), Ordering::Relaxed);
            if pieces.send(Ok(piece)).await.is_err() {
                break; // the parser has stopped, and has reported why
            }
        }
        if let Some(share) = &share {
            share.keep_only(waiting_bytes.load(Ordering::Relaxed));
        }
    }
    Ok(())
}

/// The body as a reader for the thread of the parser.
struct ArrivingFile {
    pieces: mpsc::Receiver<io::Result<Bytes>>,
    piece: Bytes,
    waiting_bytes: Arc<AtomicUsize>,
}

impl Read for ArrivingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => {
                    self.piece = piece?;
                    self.waiting_bytes.fetch_sub(self.piece.len(), Ordering::Relaxed);
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

/// Parsed orders, skipped rows, and the error that ends the file.
type Part = Vec<Result<Parsed, ImportError>>;

fn parse(file: ArrivingFile, format: Format, zone: &TimeZone, parts: &mpsc::Sender<Part>) {
    let parsed = match import::orders_within(Bounds::SENT, format, file, zone) {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = parts.blocking_send(vec![Err(error)]);
            return;
        }
    };
    let (mut part, mut bytes) = (Part::new(), 0);
    for row in parsed {
        bytes += if let Ok(Parsed::Order(order)) = &row { order.bytes } else { 0 };
        part.push(row);
        if part.len() >= PART_ROWS || bytes >= PART_BYTES {
            bytes = 0;
            if parts.blocking_send(std::mem::take(&mut part)).is_err() {
                return; // the importer has stopped
            }
        }
    }
    let _ = parts.blocking_send(part);
}

/// How much of a file was imported.
enum Imported {
    /// All of it. The last batch is not committed yet.
    All(Box<Importer>),
    /// A part, because the rest cannot be read.
    Until(ImportError, Written),
}

async fn import_parts(mut importer: Importer, mut parts: mpsc::Receiver<Part>) -> Result<Imported, Error> {
    while let Some(part) = parts.recv().await {
        for row in part {
            match row {
                Err(error) => return Ok(Imported::Until(error, importer.written())),
                parsed => importer.take(parsed).await?,
            }
        }
    }
    Ok(Imported::All(Box::new(importer)))
}

/// What was committed of a file that failed, as a sentence.
fn describe_committed(written: Written) -> String {
    let Written { orders, lines } = written;
    if orders == 0 {
        return "Nothing of the file was imported.".to_owned();
    }
    format!("{orders} orders with {lines} lines were imported before and stay. Sending the file again is safe.")
}

fn body_broke_off(written: Written) -> Response {
    let message = format!("The body ended too early, or took too long. {}", describe_committed(written));
    response(StatusCode::BAD_REQUEST, "BadRequest", &message, &[])
}

fn import_failed(error: &ImportError, written: Written) -> ApiError {
    let reason = error.to_string();
    if matches!(error, ImportError::TooLarge(_) | ImportError::TooManyOrders(_)) {
        let message = format!("Too large: {reason}. {}", describe_committed(written));
        return response(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLarge", &message, &[]).into();
    }
    let reason = if written.orders == 0 { reason } else { format!("{reason}. {}", describe_committed(written)) };
    Error::Invalid(vec![FieldError::new("body", RefusalCode::NotAllowed, reason)]).into()
}

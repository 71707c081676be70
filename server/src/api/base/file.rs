//! Uploads and downloads. An upload is the body itself, or the part `file` of `multipart/form-data`.

use super::{
    body::{media_type, validation_failed},
    error::response,
    idempotency::{Fingerprint, idempotency_key},
};
use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request, multipart::MultipartError},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::RefusalCode;
use returns::{Caller, Download, FieldError, FileKind, IdempotencyKey, MAX_FILE_BYTES, Upload};

/// The media types of files in the document. The API also accepts [`EVIDENCE_TYPES`], but a generated client needs no method for each.
pub const FILE_TYPES: &[&str] = &["application/octet-stream", "multipart/form-data"];
/// The media types of evidence.
pub const EVIDENCE_TYPES: &[&str] = &["image/jpeg", "image/png", "image/webp", "image/heic", "application/pdf"];
/// The largest body: a file in a form.
pub const MAX_FILE_BODY: usize = MAX_FILE_BYTES + FORM_BYTES;
/// The most bytes that a form adds to its file.
const FORM_BYTES: usize = 64 * 1024;

/// An uploaded file, with what an `Idempotency-Key` needs.
pub struct FileBody {
    pub upload: Upload,
    fingerprint: Vec<u8>,
    key: Option<String>,
}

impl FileBody {
    /// The client's idempotency key, among the keys of this caller.
    pub fn key(&self, caller: &Caller) -> Option<IdempotencyKey> {
        let key = self.key.clone()?;
        Some(IdempotencyKey { credential: caller.credential_id(), key, fingerprint: self.fingerprint.clone() })
    }
}

impl<S: Send + Sync> FromRequest<S> for FileBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (method, uri, headers) = (request.method().clone(), request.uri().clone(), request.headers().clone());
        let key = idempotency_key(&headers)?;
        let upload = if media_type(&headers) == "multipart/form-data" {
            from_form(request, state).await?
        } else {
            from_body(request, &headers, state).await?
        };
        if upload.bytes.len() > MAX_FILE_BYTES {
            return Err(too_large());
        }
        // The fingerprint is of the file, not of the body, because a form has another boundary each time.
        let kind = upload.kind.media_type().as_bytes();
        let parts: [&[u8]; 3] = [upload.name.as_bytes(), kind, &upload.bytes];
        let fingerprint = Fingerprint::of_parts(&method, &uri, &parts);
        Ok(Self { upload, fingerprint, key })
    }
}

async fn from_body<S: Send + Sync>(request: Request, headers: &HeaderMap, state: &S) -> Result<Upload, Response> {
    let declared = DeclaredKind::of(&media_type(headers))?;
    let disposition = headers.get(header::CONTENT_DISPOSITION).map(HeaderValue::as_bytes).unwrap_or_default();
    let name = file_name(&String::from_utf8_lossy(disposition));
    let bytes = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
    Ok(Upload { name, kind: declared.kind(&bytes)?, bytes: bytes.into() })
}

/// Reads the part `file`. Other parts are refused, so that a misspelled name is no success.
async fn from_form<S: Send + Sync>(request: Request, state: &S) -> Result<Upload, Response> {
    let mut form = Multipart::from_request(request, state).await.map_err(|_| malformed())?;
    let mut found = None;
    while let Some(part) = form.next_field().await.map_err(|error| broken_form(&error))? {
        if part.name() != Some("file") || found.is_some() {
            return Err(wrong_file("expected one part of this name, and no other"));
        }
        let declared = part.content_type().unwrap_or_default().to_ascii_lowercase();
        let declared = DeclaredKind::of(declared.split(';').next().unwrap_or_default().trim())?;
        let name = part.file_name().unwrap_or_default().to_owned();
        let bytes = part.bytes().await.map_err(|error| broken_form(&error))?;
        found = Some(Upload { name, kind: declared.kind(&bytes)?, bytes: bytes.into() });
    }
    found.ok_or_else(|| wrong_file("expected a part of this name"))
}

/// The kind of a file by its `Content-Type`.
enum DeclaredKind {
    Known(FileKind),
    /// No type, or `application/octet-stream`, as many HTTP clients send by default. The bytes decide.
    Unknown,
}

impl DeclaredKind {
    fn of(media_type: &str) -> Result<Self, Response> {
        match media_type {
            "" | "application/octet-stream" => Ok(Self::Unknown),
            known => FileKind::of_media_type(known).map(Self::Known).ok_or_else(unsupported),
        }
    }

    fn kind(self, bytes: &[u8]) -> Result<FileKind, Response> {
        match self {
            Self::Known(kind) => Ok(kind),
            Self::Unknown => FileKind::of_bytes(bytes).ok_or_else(unsupported),
        }
    }
}

fn broken_form(error: &MultipartError) -> Response {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE { too_large() } else { malformed() }
}

fn unreadable(status: StatusCode) -> Response {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large();
    }
    response(StatusCode::BAD_REQUEST, "BadRequest", "The body ended too early, or took too long.", &[])
}

fn too_large() -> Response {
    response(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLarge", "The file is larger than 10 MiB.", &[])
}

fn malformed() -> Response {
    let message = "The body is not valid multipart/form-data, or it took too long.";
    response(StatusCode::BAD_REQUEST, "BadRequest", message, &[])
}

fn unsupported() -> Response {
    let types = EVIDENCE_TYPES.join(", ");
    let message =
        format!("Send the file itself, with its Content-Type: {types}; or as the part file of multipart/form-data.");
    response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", &message, &[])
}

fn wrong_file(message: &str) -> Response {
    validation_failed(FieldError::new("file", RefusalCode::NotAllowed, message))
}

/// The name in a `Content-Disposition` (RFC 6266). `filename*`, which names its encoding, is preferred to `filename`.
fn file_name(disposition: &str) -> String {
    let (mut plain, mut extended) = (None, None);
    for (name, value) in parameters(disposition) {
        match name.as_str() {
            "filename" => plain = Some(value),
            "filename*" => extended = decoded(&value),
            _ => {}
        }
    }
    extended.or(plain).unwrap_or_default()
}

/// The parameters after the first word: `name=token` or `name="quoted \"text\""`.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = header.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, value)) = rest.split_once('=') {
        let name = name.trim_matches([' ', ';', '\t']).to_ascii_lowercase();
        let (text, after) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let (text, after) = value.split_once(';').unwrap_or((value, ""));
                (text.trim().to_owned(), after)
            }
        };
        found.push((name, text));
        rest = after;
    }
    found
}

/// The text up to the closing quote, and the rest of the header.
fn unquoted(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
            other => text.push(other),
        }
    }
    (text, "")
}

/// Decodes `UTF-8''na%C3%AFve.jpg` (RFC 8187).
fn decoded(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    // The encoding of forms, except that a plus sign is itself.
    let pairs = format!("name={}", encoded.replace('+', "%2B"));
    form_urlencoded::parse(pairs.as_bytes()).next().map(|(_, name)| name.into_owned())
}

/// The answer with a file. Its headers keep a malicious file from running scripts in the origin of the portal.
pub fn download(file: Download) -> Response {
    let name: String = file
        .name
        .chars()
        .map(|c| if c.is_ascii_graphic() && !"\"\\%;".contains(c) || c == ' ' { c } else { '_' })
        .collect();
    let encoded: String = file.name.bytes().map(percent).collect();
    let disposition = format!("attachment; filename=\"{name}\"; filename*=UTF-8''{encoded}");
    let headers = [
        (header::CONTENT_TYPE, file.media_type),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (headers, file.bytes).into_response()
}

fn percent(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_read_in_the_forms_that_clients_write() {
        let cases = [
            ("", ""),
            ("attachment", ""),
            ("attachment; filename=photo.jpg", "photo.jpg"),
            ("attachment; FileName=\"my photo.jpg\"", "my photo.jpg"),
            ("attachment; filename=\"a \\\"b\\\"; c.jpg\"; size=3", "a \"b\"; c.jpg"),
            ("attachment; filename=\"n.jpg\"; filename*=UTF-8''na%C3%AFve+1.jpg", "naïve+1.jpg"),
            ("attachment; filename*=iso-8859-1''x.jpg; filename=y.jpg", "y.jpg"),
            ("attachment; filename=\"never closed", "never closed"),
            ("attachment; filename=\"../../etc/passwd\"", "../../etc/passwd"),
        ];
        for (header, expected) in cases {
            assert_eq!(file_name(header), expected, "{header}");
        }
    }
}

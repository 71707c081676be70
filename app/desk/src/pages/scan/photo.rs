//! `POST /desk/scan/photo`: a photo of an item, by the same use case as `POST /return-requests/<id>/evidence`. Server functions do not
//! read files.

use crate::visit::{Desk, HandlerResult, Visit, error_pages, flash};
use axum::{
    extract::{FromRequest as _, FromRequestParts as _, Multipart, Request, State},
    response::{IntoResponse, Redirect},
};
use domain::ReturnRequestId;
use returns::{Error, FileKind, MAX_FILE_BYTES, Scope, Upload};

/// A photo of the largest size and the form around it.
pub const MAX_BYTES: usize = MAX_FILE_BYTES + 64 * 1024;

/// Takes the photo, and continues at the page of the parcel.
pub async fn send(State(desk): State<Desk>, request: Request) -> HandlerResult {
    let (mut parts, body) = request.into_parts();
    let visit = Visit::from_request_parts(&mut parts, &desk).await?;
    let staff = visit.staff(Scope::Receive)?;
    let malformed = || error_pages::malformed(visit.around(), visit.path("scan"));
    let Ok(mut form) = Multipart::from_request(Request::from_parts(parts, body), &desk).await else {
        return Err(malformed().into());
    };
    let (mut here, mut request, mut photo) = (String::new(), None, None);
    while let Some(part) = form.next_field().await.map_err(|_| malformed())? {
        let (name, file_name) = (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
        let bytes = part.bytes().await.map_err(|_| malformed())?;
        match name.as_str() {
            "here" => here = String::from_utf8_lossy(&bytes).into_owned(),
            "request" => request = str::from_utf8(&bytes).ok().and_then(|id| id.parse::<ReturnRequestId>().ok()),
            "file" if !bytes.is_empty() => photo = Some((file_name.unwrap_or_default(), bytes.to_vec())),
            _ => {}
        }
    }
    let words = visit.words.scan;
    let next = visit.local(&here).unwrap_or_else(|| visit.path("scan"));
    let Some(request) = request else { return Err(malformed().into()) };
    let said = match photo.map(|(name, bytes)| (name, FileKind::of_bytes(&bytes), bytes)) {
        None => words.photo_none,
        Some((name, Some(kind), bytes)) => {
            let upload = Upload { name, kind, bytes };
            match visit.retour.merchant(&staff).add_evidence(request, upload, None).await {
                Ok(_) => words.photo_saved,
                Err(Error::Invalid(_)) => words.photo_not_read,
                Err(error) => return Err(visit.failed(&error)),
            }
        }
        Some((_, None, _)) => words.photo_not_read,
    };
    let mut response = Redirect::to(&next).into_response();
    flash::set(response.headers_mut(), said, visit.secure);
    Ok(response)
}

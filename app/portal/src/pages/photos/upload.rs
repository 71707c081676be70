//! `POST /{slug}/returns/{id}/photos`: takes photos, one file in memory at a time.

use crate::{
    forms::photos::{PhotoMistake, PhotoProblem},
    visit::{
        error_pages,
        response::{EarlyResponse, HandlerResult},
        shop::{Portal, ShopRequest},
        state::Flash,
        visitor::OwnReturn,
    },
};
use axum::{
    extract::{
        FromRequest as _, FromRequestParts as _, Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{RefusalCode, ReturnRequestId};
use returns::{Done, Error, FileKind, MAX_FILE_BYTES, Upload, bodies::BodyShare};
use std::collections::HashSet;
use uuid::Uuid;

/// Ten files of the largest size and the form around them. One file at a time is in memory.
pub const MAX_BYTES: usize = 10 * MAX_FILE_BYTES + 1024 * 1024;

/// More parts than any of our forms has. Each could be a photo that has to be decoded.
const MAX_PARTS: usize = 100;

/// Accepts photos. Valid ones are stored, and each of the others gets a mistake.
pub async fn send(State(portal): State<Portal>, request: Request) -> HandlerResult {
    let (mut parts, body) = request.into_parts();
    let mut own = OwnReturn::from_request_parts(&mut parts, &portal).await?;
    let headers = parts.headers.clone();
    let path = parts.uri.path().to_owned();
    let share = parts.extensions.get::<BodyShare>().cloned();
    let around = own.shop().around();
    let form = Multipart::from_request(Request::from_parts(parts, body), &portal).await;
    let Ok(mut form) = form else { return Err(error_pages::malformed(&path, around).into()) };
    let unreadable = |error: &MultipartError| -> EarlyResponse {
        let (is_too_large, around) = (error.status() == StatusCode::PAYLOAD_TOO_LARGE, around.clone());
        if is_too_large { error_pages::too_large(&path, around) } else { error_pages::malformed(&path, around) }.into()
    };
    let (mut sent, mut mistakes, mut full) = (0, Vec::new(), HashSet::new());
    for number in 0.. {
        let Some(part) = form.next_field().await.map_err(|error| unreadable(&error))? else { break };
        if number == MAX_PARTS {
            return Err(error_pages::too_large(&path, around.clone()).into());
        }
        let Some(request) =
            part.name().and_then(photos_of).map(ReturnRequestId).filter(|request| !full.contains(request))
        else {
            skip(part, share.as_ref()).await.map_err(|error| unreadable(&error))?;
            continue;
        };
        let name = part.file_name().unwrap_or_default().to_owned();
        let bytes = read(part, share.as_ref()).await.map_err(|error| unreadable(&error))?;
        let problem = match bytes {
            Some(bytes) if bytes.is_empty() => continue, // no file was selected
            Some(bytes) => store(&own, request, &name, bytes).await?,
            None => Some(PhotoProblem::TooLarge),
        };
        match problem {
            None => sent += 1,
            Some(problem) => {
                // The following photos fail alike: one mistake says so.
                if matches!(problem, PhotoProblem::TooMany | PhotoProblem::TooLate) {
                    full.insert(request);
                }
                mistakes.push(PhotoMistake::new(Some(request.0), &name, problem));
            }
        }
        report_memory(share.as_ref(), 0); // the photo is on disk
    }
    if sent == 0 && mistakes.is_empty() {
        mistakes.push(PhotoMistake::new(None, "", PhotoProblem::NoneChosen));
    }
    // Uploading takes a while: changes from another tab stay.
    let shopper = own.shopper();
    own.shop_mut().reload().await?;
    if own.shop().visit.shopper != Some(shopper) {
        return Ok(own.shop().redirect_to_look_up(Some(own.id())));
    }
    own.shop_mut().visit.flash = Some(Flash::Photos(own.id(), mistakes));
    own.shop().save().await?;
    Ok(continue_at(own.shop(), &own.path(), &headers))
}

/// Redirects to a page. Scripts that show the progress go there by themselves.
pub fn continue_at(shop: &ShopRequest, page: &str, headers: &HeaderMap) -> Response {
    if headers.get(header::ACCEPT).is_some_and(|accepted| accepted == "application/json") {
        return (StatusCode::NO_CONTENT, [(header::CONTENT_LOCATION, shop.theme.path(page))]).into_response();
    }
    shop.redirect(page)
}

/// The id in the field `photos-<id>`.
pub fn photos_of(field: &str) -> Option<Uuid> {
    field.strip_prefix("photos-")?.parse().ok()
}

/// Reports how many bytes of the form are still in memory.
pub fn report_memory(share: Option<&BodyShare>, bytes: usize) {
    if let Some(share) = share {
        share.keep_only(bytes);
    }
}

/// Reads a part and drops it.
pub async fn skip(mut part: Field<'_>, share: Option<&BodyShare>) -> Result<(), MultipartError> {
    while part.chunk().await?.is_some() {
        report_memory(share, 0);
    }
    Ok(())
}

/// Reads a file. `None` if it is too large.
pub async fn read(mut part: Field<'_>, share: Option<&BodyShare>) -> Result<Option<Vec<u8>>, MultipartError> {
    let mut bytes = Vec::new();
    let mut is_too_large = false;
    while let Some(chunk) = part.chunk().await? {
        is_too_large |= bytes.len() + chunk.len() > MAX_FILE_BYTES;
        if is_too_large {
            bytes = Vec::new();
            report_memory(share, 0);
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((!is_too_large).then_some(bytes))
}

/// Stores a photo, or says what is wrong with it.
async fn store(
    own: &OwnReturn,
    request: ReturnRequestId,
    name: &str,
    bytes: Vec<u8>,
) -> Result<Option<PhotoProblem>, EarlyResponse> {
    // Browsers name the type by the device. The first bytes are reliable.
    let Some(kind) = FileKind::of_bytes(&bytes) else { return Ok(Some(PhotoProblem::Unreadable)) };
    let upload = Upload { name: PhotoMistake::short(name), kind, bytes };
    let shop = own.shop();
    let done = shop.retour.consumer(&own.shopper()).add_evidence(own.id(), request, upload, None).await;
    problem_of(done).map_err(|error| shop.failed(&error))
}

/// The mistake that a use case found in a photo. Other errors stay errors.
pub fn problem_of<T>(done: Result<Done<T>, Error>) -> Result<Option<PhotoProblem>, Error> {
    match done {
        Ok(Done::Fresh { .. } | Done::Replayed(_)) => Ok(None),
        Err(Error::Refused(refusal)) if refusal.code == RefusalCode::LimitReached => Ok(Some(PhotoProblem::TooMany)),
        Err(Error::Refused(_)) => Ok(Some(PhotoProblem::TooLate)),
        Err(Error::Invalid(details)) if details.iter().any(|detail| detail.code == RefusalCode::OutOfRange) => {
            Ok(Some(PhotoProblem::TooManyDots))
        }
        Err(Error::Invalid(_)) => Ok(Some(PhotoProblem::Unreadable)),
        Err(error) => Err(error),
    }
}

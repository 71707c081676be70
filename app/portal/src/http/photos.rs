//! `/{slug}/returns/{id}/photos`: what shoppers show the shop of what goes back.

use super::{
    errors,
    return_order::Asked,
    session::Flash,
    shop::{Answer, Portal, Shop, Stop},
};
use crate::{
    components::Thing,
    pages::{
        photos::{Mistake, Photos, PhotosOf, Problem},
        standing::Phase,
    },
};
use axum::{
    extract::{
        FromRequest as _, FromRequestParts as _, Multipart, Path, Request, State,
        multipart::{Field, MultipartError},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{EvidenceId, RefusalCode, ReturnRequestId, returning::Actor, stage::StageName};
use returns::{Done, Error, FileKind, MAX_FILE_BYTES, Upload, view};
use std::collections::{HashMap, HashSet};

/// The largest form: ten files, and what it wraps them in. One file at a time is in memory.
pub const MAX_BYTES: usize = 10 * MAX_FILE_BYTES + 1024 * 1024;
/// More parts than any form of ours has: each could be a photo that is to be looked at.
const MAX_PARTS: usize = 100;
/// The longest name of a file that is said back, characters.
const MAX_NAME_CHARS: usize = 60;

/// What can be shown of what goes back. Where the shop waits for photos, only what it waits for, and what was sent already.
pub fn of(shop: &Shop, order: &view::ReturnOrderView, phase: Phase, flash: Option<Flash>) -> Photos {
    let (path, fetched) = (shop.look.path(&format!("returns/{}", order.id)), shop.look.fetched());
    let are_awaited = phase == Phase::Evidence;
    let of = |request: &view::ReturnRequestView| {
        let own = request.evidence.iter().filter(|file| file.added_by == Actor::Consumer);
        // Browsers but Safari show no HEIC, and papers are no pictures.
        let is_shown = |kind: &str| matches!(kind, "image/jpeg" | "image/png" | "image/webp");
        PhotosOf {
            request: request.id,
            thing: Thing::new(&request.product),
            sent: own.map(|file| (format!("{path}/photos/{}{fetched}", file.id), is_shown(&file.media_type))).collect(),
        }
    };
    let is_wanted = |request: &&view::ReturnRequestView| {
        let is_waiting = request.stage == StageName::RequestedEvidencePending;
        !request.stage.is_end() && (!are_awaited || is_waiting || !request.evidence.is_empty())
    };
    Photos {
        action: format!("{path}/photos{fetched}"),
        next: path.clone(),
        are_awaited,
        of: order.return_requests.iter().flatten().filter(is_wanted).map(of).collect(),
        mistakes: match flash {
            Some(Flash::Photos(_, mistakes)) => mistakes,
            _ => Vec::new(),
        },
    }
}

/// Takes photos. What can be taken is, and of the rest it is told what is wrong with each.
pub async fn send(State(portal): State<Portal>, request: Request) -> Answer {
    let (mut parts, body) = request.into_parts();
    let mut asked = Asked::from_request_parts(&mut parts, &portal).await?;
    let headers = parts.headers.clone();
    let path = parts.uri.path().to_owned();
    let language = Some(asked.shop().words.language());
    let form = Multipart::from_request(Request::from_parts(parts, body), &portal).await;
    let Ok(mut form) = form else { return Err(errors::malformed(&path, language).into()) };
    let unreadable = |error: &MultipartError| -> Stop {
        let is_too_large = error.status() == StatusCode::PAYLOAD_TOO_LARGE;
        if is_too_large { errors::too_large(&path, language) } else { errors::malformed(&path, language) }.into()
    };
    let (mut sent, mut mistakes, mut full) = (0, Vec::new(), HashSet::new());
    for number in 0.. {
        let Some(part) = form.next_field().await.map_err(|error| unreadable(&error))? else { break };
        if number == MAX_PARTS {
            return Err(errors::too_large(&path, language).into());
        }
        let Some(request) = part.name().and_then(request_of).filter(|request| !full.contains(request)) else {
            continue;
        };
        let name = part.file_name().unwrap_or_default().to_owned();
        let bytes = read(part).await.map_err(|error| unreadable(&error))?;
        let problem = match bytes {
            Some(bytes) if bytes.is_empty() => continue, // no file was chosen
            Some(bytes) => keep(&asked, request, (name.clone(), bytes)).await?,
            None => Some(Problem::TooLarge),
        };
        match problem {
            None => sent += 1,
            Some(problem) => {
                // Those behind it come to the same: once is enough to say so.
                if matches!(problem, Problem::TooMany | Problem::TooLate) {
                    full.insert(request);
                }
                let name = name.chars().take(MAX_NAME_CHARS).collect();
                mistakes.push(Mistake { request: Some(request), name, problem });
            }
        }
    }
    if sent == 0 && mistakes.is_empty() {
        mistakes.push(Mistake { request: None, name: String::new(), problem: Problem::NoneChosen });
    }
    // It took a while: what was done in another tab meanwhile stays.
    let shopper = asked.shopper();
    asked.shop_mut().reload().await?;
    if asked.shop().visit.shopper != Some(shopper) {
        return Ok(asked.shop().ask_order(Some(asked.id())));
    }
    asked.shop_mut().visit.flash = Some(Flash::Photos(asked.id(), mistakes));
    asked.shop().keep().await?;
    // Scripts that show how far it is ask for the page themselves.
    if wants_no_page(&headers) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(asked.shop().redirect(&asked.path()))
}

fn wants_no_page(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).is_some_and(|accepted| accepted == "application/json")
}

/// What the field `photos-<request>` is about.
fn request_of(field: &str) -> Option<ReturnRequestId> {
    field.strip_prefix("photos-")?.parse().ok()
}

/// What is in a file; `None` where it is too large: the rest of it is not kept.
async fn read(mut part: Field<'_>) -> Result<Option<Vec<u8>>, MultipartError> {
    let mut bytes = Vec::new();
    let mut is_too_large = false;
    while let Some(chunk) = part.chunk().await? {
        is_too_large |= bytes.len() + chunk.len() > MAX_FILE_BYTES;
        if is_too_large {
            bytes.clear();
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((!is_too_large).then_some(bytes))
}

/// Adds a photo to what goes back, or says why not.
async fn keep(
    asked: &Asked,
    request: ReturnRequestId,
    (name, bytes): (String, Vec<u8>),
) -> Result<Option<Problem>, Stop> {
    // What browsers call a file depends on the device; what it begins with does not.
    let Some(kind) = FileKind::of_bytes(&bytes) else { return Ok(Some(Problem::Unreadable)) };
    // Telephones write paths or nothing, and a name is for people alone.
    let name = name.chars().take(MAX_NAME_CHARS).collect();
    let upload = Upload { name, kind, bytes };
    let shop = asked.shop();
    match shop.retour.add_own_evidence(&asked.shopper(), (asked.id(), request), upload, None).await {
        Ok(Done::Fresh { .. } | Done::Replayed(_)) => Ok(None),
        Err(Error::Refused(refusal)) if refusal.code == RefusalCode::LimitReached => Ok(Some(Problem::TooMany)),
        Err(Error::Refused(_)) => Ok(Some(Problem::TooLate)),
        Err(Error::Invalid(details)) if details.iter().any(|detail| detail.code == RefusalCode::OutOfRange) => {
            Ok(Some(Problem::TooManyDots))
        }
        Err(Error::Invalid(_)) => Ok(Some(Problem::Unreadable)),
        Err(error) => Err(shop.stop(&error)),
    }
}

/// Shows a photo that was sent.
pub async fn show(State(portal): State<Portal>, request: Request) -> Answer {
    let (mut parts, _) = request.into_parts();
    let asked = Asked::from_request_parts(&mut parts, &portal).await?;
    let params = Path::<HashMap<String, String>>::from_request_parts(&mut parts, &portal).await;
    let id = params.ok().and_then(|Path(params)| params.get("photo")?.parse::<EvidenceId>().ok());
    let shop: &Shop = asked.shop();
    let Some(id) = id else { return Err(shop.stop(&Error::NotFound)) };
    let file =
        shop.retour.own_evidence_file(&asked.shopper(), asked.id(), id).await.map_err(|error| shop.stop(&error))?;
    let is_picture = file.media_type.starts_with("image/");
    let how = if is_picture { "inline" } else { "attachment" };
    let headers = [
        (header::CONTENT_TYPE, file.media_type),
        (header::CONTENT_DISPOSITION, how.to_owned()),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
    ];
    let response: Response = (headers, file.bytes).into_response();
    Ok(response)
}

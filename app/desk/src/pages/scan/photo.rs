//! `POST /desk/scan/photo`: the parcel's form with photos of its items, by the same use case as `POST /return-requests/<id>/evidence`.
//! Server functions do not read files.

use super::load;
use crate::{
    calls::station,
    visit::{Desk, Guest, HandlerResult, Visit, error_pages, reasons, refused::SentForm, response::EarlyResponse},
};
use axum::{
    extract::{FromRequest as _, FromRequestParts as _, Multipart, Request, State},
    response::Response,
};
use returns::{Error, FileKind, MAX_FILE_BYTES, Scope, Staff, Upload};
use ui::web::form::{self, encoded};

/// A photo of the largest size and the form around it.
pub const MAX_BYTES: usize = MAX_FILE_BYTES + form::MAX_BYTES;

/// A photo that was chosen.
struct Chosen {
    /// The place of its item in the return.
    place: usize,
    name: String,
    bytes: Vec<u8>,
}

/// Takes the photos, and shows the page of the parcel again, with everything that was typed.
pub async fn send(State(desk): State<Desk>, request: Request) -> HandlerResult {
    let (mut parts, body) = request.into_parts();
    let visit = Visit::from_request_parts(&mut parts, &desk).await?;
    let staff = visit.staff(Scope::Receive)?;
    let malformed = || error_pages::malformed(visit.around(), visit.path("scan"));
    let Ok(sent) = Multipart::from_request(Request::from_parts(parts, body), &desk).await else {
        return Err(malformed().into());
    };
    let Some((fields, photos)) = read(sent).await else { return Err(malformed().into()) };
    let sent = SentForm::new("photo", fields);
    let said = save(&visit, &staff, &sent, photos).await?;
    load::show(visit.again(sent, said)).await
}

/// Leads from this address to the page of the parcel.
pub async fn back(guest: Guest) -> Response {
    Guest::go(&format!("{}?open={}", guest.path("scan"), encoded(guest.query.get("open"))))
}

/// The fields, encoded, and the photos. `None` if they cannot be read.
async fn read(mut sent: Multipart) -> Option<(String, Vec<Chosen>)> {
    let (mut fields, mut photos) = (Vec::new(), Vec::new());
    while let Some(part) = sent.next_field().await.ok()? {
        let (name, file_name) = (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
        let bytes = part.bytes().await.ok()?;
        match name.strip_prefix("file-") {
            Some(place) if !bytes.is_empty() => {
                let (place, name) = (place.parse().ok()?, file_name.unwrap_or_default());
                photos.push(Chosen { place, name, bytes: bytes.to_vec() });
            }
            Some(_) => {}
            None => fields.push(format!("{}={}", encoded(&name), encoded(str::from_utf8(&bytes).ok()?))),
        }
    }
    Some((fields.join("&"), photos))
}

/// Saves the photos, and says so. Sent twice, each is saved once.
async fn save(visit: &Visit, staff: &Staff, sent: &SentForm, photos: Vec<Chosen>) -> Result<String, EarlyResponse> {
    let words = visit.words.scan;
    let found = station::find(visit, staff, sent.fields.get("open")).await.map_err(|error| visit.failed(&error))?;
    let requests = found.ok_or_else(|| visit.missing())?.return_requests.unwrap_or_default();
    let mut said = words.photo_none.to_owned();
    for Chosen { place, name, bytes } in photos {
        let request = requests.get(place).ok_or_else(|| visit.missing())?.id;
        let Some(kind) = FileKind::of_bytes(&bytes) else { return Ok(words.photo_not_read.to_owned()) };
        let key = visit.key_of_part(sent, &format!("{place}-{}", bytes.len()));
        said = match visit.retour.merchant(staff).add_evidence(request, Upload { name, kind, bytes }, key).await {
            Ok(_) => words.photo_saved.to_owned(),
            Err(Error::Invalid(_)) => return Ok(words.photo_not_read.to_owned()),
            Err(Error::Refused(refusal)) => return Ok(reasons::of_rule(refusal.code, &refusal.message, visit.words)),
            Err(error) => return Err(visit.failed(&error)),
        };
    }
    Ok(said)
}

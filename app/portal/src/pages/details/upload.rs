//! `POST /{slug}/details`: answers and photos in one multipart form.

use crate::{
    forms::photos::{PhotoMistake, PhotoProblem},
    pages::photos::upload::{continue_at, photos_of, problem_of, read, report_memory, skip},
    selection::{
        draft, purchases,
        questions::{AskedPurchase, MAX_ANSWER_BYTES, answer_of, asked, short},
        send_back,
    },
    visit::{
        error_pages,
        response::{EarlyResponse, HandlerResult},
        shop::Portal,
        state::Flash,
        visitor::{FormSender, Visitor},
    },
};
use axum::{
    extract::{
        FromRequest as _, FromRequestParts as _, Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
    http::StatusCode,
};
use domain::{EvidenceId, PurchaseId, policy::reason::EvidenceRule};
use returns::{Error, FileKind, Upload, bodies::BodyShare};
use std::collections::{BTreeMap, HashSet};

/// A thousand items with ten questions each, and photos.
const MAX_PARTS: usize = 20_000;

/// Each photo is decoded. This is more than a consumer can store beside all purchases. Empty file fields count too.
const MAX_PHOTOS: usize = 1_200;

/// So many mistakes are shown at once.
const MAX_MISTAKES: usize = 20;

/// The content of a form.
#[derive(Default)]
struct DetailsForm {
    answers: BTreeMap<PurchaseId, BTreeMap<String, String>>,
    /// The approximate size of the answers in memory.
    bytes: usize,
    mistakes: Vec<PhotoMistake>,
    /// The photo to remove.
    removal: Option<(PurchaseId, EvidenceId)>,
}

/// Accepts answers and photos, then makes a draft.
pub async fn send(State(portal): State<Portal>, request: Request) -> HandlerResult {
    let (mut parts, body) = request.into_parts();
    let mut visitor = match FormSender::from_request_parts(&mut parts, &portal).await? {
        FormSender::Known(visitor) => *visitor,
        FormSender::Unknown(shop) => return Ok(shop.redirect_to_look_up(None)),
    };
    let (headers, path) = (parts.headers.clone(), parts.uri.path().to_owned());
    let share = parts.extensions.get::<BodyShare>().cloned();
    let around = visitor.shop.around();
    let form = Multipart::from_request(Request::from_parts(parts, body), &portal).await;
    let Ok(multipart) = form else { return Err(error_pages::malformed(&path, around).into()) };
    let purchases = purchases::load(&visitor).await?;
    let mut form = DetailsForm::default();
    let asked = asked(&visitor.shop, &purchases);
    let read = FormReader { visitor: &visitor, asked, share: share.as_ref(), path: &path }
        .read_into(&mut form, multipart)
        .await;
    // Uploading takes a while: changes from another tab stay.
    visitor.shop.reload().await?;
    if visitor.shop.visit.shopper != Some(visitor.shopper) {
        return Ok(visitor.shop.redirect_to_look_up(None));
    }
    let shop = &mut visitor.shop;
    for (id, answers) in form.answers {
        if let Some(choice) = shop.visit.choices.get_mut(&id) {
            choice.answers.extend(answers);
        }
    }
    if let Err(early) = read {
        shop.save().await?; // what was typed before the upload failed
        return Err(early);
    }
    if let Some((purchase, id)) = form.removal {
        match shop.retour.consumer(&visitor.shopper).delete_pending_evidence(purchase, id).await {
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => return Err(shop.failed(&error)),
        }
    }
    if form.removal.is_some() || !form.mistakes.is_empty() {
        shop.visit.flash = Some(Flash::Details(Vec::new(), form.mistakes));
        shop.save().await?;
        return Ok(continue_at(shop, "details", &headers));
    }
    let purchases = purchases::load(&visitor).await?; // the questions may have changed during the upload
    let next = match draft::make_draft(&mut visitor, &purchases).await? {
        Ok(page) => page,
        Err(flash) => {
            let page = if matches!(flash, Flash::Details(..)) { "details" } else { "purchases" };
            send_back::save_flash(&mut visitor.shop, flash).await?;
            page.to_owned()
        }
    };
    Ok(continue_at(&visitor.shop, &next, &headers))
}

/// Reads the form of a visitor.
struct FormReader<'a> {
    visitor: &'a Visitor,
    /// What the shop asks about the selection.
    asked: Vec<AskedPurchase<'a>>,
    /// The request's share of the memory for bodies.
    share: Option<&'a BodyShare>,
    /// The path to link back to.
    path: &'a str,
}

impl FormReader<'_> {
    /// Reads the form and stores its photos. Valid photos are kept, and each of the others gets a mistake.
    async fn read_into(&self, form: &mut DetailsForm, mut multipart: Multipart) -> Result<(), EarlyResponse> {
        let unreadable = |error: MultipartError| self.unreadable(error.status());
        let (mut photos, mut full) = (0, HashSet::new());
        for number in 0.. {
            let Some(part) = multipart.next_field().await.map_err(unreadable)? else { break };
            if number == MAX_PARTS || photos == MAX_PHOTOS {
                return Err(self.unreadable(StatusCode::PAYLOAD_TOO_LARGE));
            }
            let name = part.name().unwrap_or_default().to_owned();
            if let Some((of, key)) = answer_of(&name).filter(|(of, key)| self.asks(*of, key)) {
                let answer = text(part).await.map_err(unreadable)?;
                form.bytes += key.len() + answer.len();
                form.answers.entry(of).or_default().insert(key.to_owned(), answer);
            } else if name == "remove" {
                form.removal = removal_of(&text(part).await.map_err(unreadable)?);
            } else if let Some(of) = photos_of(&name).map(PurchaseId).filter(|of| self.takes_photos(*of))
                && !full.contains(&of)
            {
                photos += 1;
                let file = part.file_name().unwrap_or_default().to_owned();
                let bytes = read(part, self.share).await.map_err(unreadable)?;
                if let Some(problem) = self.store(of, &file, bytes).await? {
                    if problem == PhotoProblem::TooMany {
                        full.insert(of); // the following photos fail alike: one mistake says so
                    }
                    if form.mistakes.len() < MAX_MISTAKES {
                        form.mistakes.push(PhotoMistake::new(Some(of.0), &file, problem));
                    }
                }
            } else {
                skip(part, self.share).await.map_err(unreadable)?;
            }
            report_memory(self.share, form.bytes); // photos are on disk
        }
        Ok(())
    }

    /// The page for a form that could not be read.
    fn unreadable(&self, status: StatusCode) -> EarlyResponse {
        let around = self.visitor.shop.around();
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => error_pages::too_large(self.path, around).into(),
            _ => error_pages::malformed(self.path, around).into(),
        }
    }

    /// Whether the shop asks for photos of a purchase.
    fn takes_photos(&self, of: PurchaseId) -> bool {
        self.asked.iter().any(|asked| asked.purchase.id == of && asked.reason.evidence != EvidenceRule::None)
    }

    /// Whether the shop asks this question about a purchase.
    fn asks(&self, of: PurchaseId, key: &str) -> bool {
        let asked = self.asked.iter().find(|asked| asked.purchase.id == of);
        asked.is_some_and(|asked| asked.reason.questions.iter().any(|question| question.id.as_str() == key))
    }

    /// Stores a photo beside a purchase, or says what is wrong with it. Without bytes the file was too large.
    async fn store(
        &self,
        of: PurchaseId,
        name: &str,
        bytes: Option<Vec<u8>>,
    ) -> Result<Option<PhotoProblem>, EarlyResponse> {
        let Some(bytes) = bytes else { return Ok(Some(PhotoProblem::TooLarge)) };
        if bytes.is_empty() {
            return Ok(None); // no file was selected
        }
        let Some(kind) = FileKind::of_bytes(&bytes) else { return Ok(Some(PhotoProblem::Unreadable)) };
        let upload = Upload { name: PhotoMistake::short(name), kind, bytes };
        let Visitor { shop, shopper } = self.visitor;
        let done = shop.retour.consumer(shopper).add_pending_evidence(of, upload, None).await;
        problem_of(done).map_err(|error| shop.failed(&error))
    }
}

/// The purchase and the photo in `<purchase>/<photo>`.
fn removal_of(value: &str) -> Option<(PurchaseId, EvidenceId)> {
    let (purchase, photo) = value.split_once('/')?;
    Some((purchase.parse().ok()?, photo.parse().ok()?))
}

/// Reads an answer. One that is too long keeps one character more than allowed.
async fn text(mut part: Field<'_>) -> Result<String, MultipartError> {
    let (mut bytes, mut is_whole) = (Vec::new(), true);
    while let Some(chunk) = part.chunk().await? {
        let room = MAX_ANSWER_BYTES.saturating_sub(bytes.len());
        is_whole &= chunk.len() <= room;
        bytes.extend(chunk.iter().take(room));
    }
    Ok(short(&String::from_utf8_lossy(&bytes), is_whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn field_names_are_parsed() {
        let (purchase, photo) = (Uuid::from_u128(7), Uuid::from_u128(8));
        assert_eq!(answer_of(&format!("answer-{purchase}-too-small")), Some((PurchaseId(purchase), "too-small")));
        assert_eq!(removal_of(&format!("{purchase}/{photo}")), Some((PurchaseId(purchase), EvidenceId(photo))));
        for nonsense in ["", "answer-", "answer-7-a", &format!("answer-{purchase}"), &"ä".repeat(40)] {
            assert_eq!(answer_of(nonsense), None, "{nonsense}");
        }
        assert_eq!(removal_of("7/8"), None);
    }
}

//! `/{slug}/details`: what a shop asks about what goes back, and photos of it, before it is sent in.

use super::{
    call::{CallDone, CallRefusal, StepResult},
    errors,
    photos::{is_shown, keep_only, photos_of, picture, problem_of, read, sent_on, skip},
    purchases::{self, image_hosts},
    session::Flash,
    shop::{HandlerResult, FormSender, Framing, Portal, ShopRequest, EarlyResponse, Visitor},
};
use crate::{
    calls::{AnswerMistake, Problem},
    components::ProductSummary,
    pages::{
        details::{AskedQuestion, Details, DetailsPage, DetailsItem},
        photos::{self, PhotoMistake, PhotosOf, SentPhoto},
    },
    words::Words,
};
use axum::{
    extract::{
        FromRequest as _, FromRequestParts as _, Multipart, Path, Request, State,
        multipart::{Field, MultipartError},
    },
    http::StatusCode,
};
use domain::{
    EvidenceId, PurchaseId, RefusalCode,
    question::{MAX_ANSWER_CHARS, Wrong},
    reason::Evidence,
};
use leptos::prelude::*;
use returns::{Error, FieldError, FileKind, Upload, bodies::BodyShare, view};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A thousand things with ten questions each, and photos.
const MAX_PARTS: usize = 20_000;
/// Each of them is looked at; more than a consumer can lay beside all purchases. Fields without one count as well.
const MAX_PHOTOS: usize = 1_200;
/// So many mistakes are told at once.
const MAX_MISTAKES: usize = 20;
/// More bytes than an answer can have. The rest is read and forgotten.
const MAX_ANSWER_BYTES: usize = 4 * (MAX_ANSWER_CHARS + 1);

/// What is chosen that something is asked about: with the reason that asks it.
fn asked<'a>(
    shop: &ShopRequest,
    purchases: &'a [view::PurchaseView],
) -> Vec<(&'a view::PurchaseView, &'a view::ReturnReasonView)> {
    let chosen = purchases.iter().filter_map(|purchase| {
        let choice = shop.visit.choices.get(&purchase.id).filter(|choice| choice.chosen)?;
        let reason = purchase.return_reasons.iter().find(|reason| reason.id.to_string() == choice.reason)?;
        Some((purchase, reason))
    });
    chosen.filter(|(_, reason)| asks(reason)).collect()
}

fn asks(reason: &view::ReturnReasonView) -> bool {
    !reason.questions.is_empty() || reason.evidence != Evidence::None
}

/// Whether there is anything to ask about what is chosen.
pub fn is_anything_asked(shop: &ShopRequest, purchases: &[view::PurchaseView]) -> bool {
    !asked(shop, purchases).is_empty()
}

/// Shows the questions.
pub async fn show(mut visitor: Visitor) -> HandlerResult {
    let purchases = purchases::load(&visitor).await?;
    let flash = visitor.shop.take_flash(|flash| matches!(flash, Flash::Details(..))).await?;
    let shop = &visitor.shop;
    let asked = asked(shop, &purchases);
    if asked.is_empty() {
        return Ok(shop.redirect("purchases"));
    }
    let laid = shop.retour.pending_evidence(&visitor.shopper).await.map_err(|error| shop.failed(&error))?;
    let (wrong, mistakes) = match flash {
        Some(Flash::Details(wrong, mistakes)) => (wrong, mistakes),
        _ => Default::default(),
    };
    let is_error = !wrong.is_empty() || !mistakes.is_empty();
    let items: Vec<DetailsItem> =
        asked.into_iter().map(|(purchase, reason)| item(shop, (purchase, reason), &laid, &wrong)).collect();
    let page = Details { theme: shop.theme.clone(), items, mistakes };
    let status = if is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let framing = Framing { is_error, islands: true, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.details_title, framing, &image_hosts(&purchases), move || {
        view! { <DetailsPage page words/> }.into_any()
    }))
}

fn item(
    shop: &ShopRequest,
    (purchase, reason): (&view::PurchaseView, &view::ReturnReasonView),
    laid: &[view::PendingEvidenceView],
    wrong: &[AnswerMistake],
) -> DetailsItem {
    let given = shop.visit.choices.get(&purchase.id).map(|choice| &choice.answers);
    let question = |question: &view::QuestionView| AskedQuestion {
        given: given.and_then(|answers| answers.get(question.id.as_str()).cloned()).unwrap_or_default(),
        wrong: wrong
            .iter()
            .find(|(of, id, _)| (*of, id.as_str()) == (purchase.id, question.id.as_str()))
            .map(|(.., why)| *why),
        question: question.clone(),
    };
    let photo = |file: &view::PendingEvidenceView| SentPhoto {
        removal: Some(format!("{}/{}", purchase.id, file.id)),
        ..pending_photo(shop, file)
    };
    let product = ProductSummary::new(&purchase.product);
    let sent = laid.iter().filter(|file| file.purchase_id == purchase.id).map(photo).collect();
    DetailsItem {
        id: purchase.id,
        why: reason.description.clone(),
        questions: reason.questions.iter().map(question).collect(),
        evidence: reason.evidence,
        photos: PhotosOf { id: purchase.id.0, product: product.clone(), sent },
        product,
    }
}

/// A photo that lies beside a purchase until it is returned.
pub fn pending_photo(shop: &ShopRequest, file: &view::PendingEvidenceView) -> SentPhoto {
    let path = format!("details/photos/{}/{}{}", file.purchase_id, file.id, shop.theme.fetched());
    SentPhoto { href: shop.theme.path(&path), is_shown: is_shown(&file.media_type), removal: None }
}

/// What a form holds.
#[derive(Default)]
struct DetailsForm {
    answers: BTreeMap<PurchaseId, BTreeMap<String, String>>,
    /// About how many bytes the answers are.
    bytes: usize,
    mistakes: Vec<PhotoMistake>,
    /// A photo that is to be taken away.
    removal: Option<(PurchaseId, EvidenceId)>,
}

/// Takes answers and photos; then shows what it all comes to.
pub async fn send(State(portal): State<Portal>, request: Request) -> HandlerResult {
    let (mut parts, body) = request.into_parts();
    let mut visitor = match FormSender::from_request_parts(&mut parts, &portal).await? {
        FormSender::Known(visitor) => *visitor,
        FormSender::Unknown(shop) => return Ok(shop.redirect_to_look_up(None)),
    };
    let (headers, path) = (parts.headers.clone(), parts.uri.path().to_owned());
    let share = parts.extensions.get::<BodyShare>().cloned();
    let words = visitor.shop.words;
    let form = Multipart::from_request(Request::from_parts(parts, body), &portal).await;
    let Ok(form) = form else { return Err(errors::malformed(&path, words).into()) };
    let purchases = purchases::load(&visitor).await?;
    let (mut parts, mut form) = (form, DetailsForm::default());
    let taken = take((&visitor, &purchases), (&mut parts, share.as_ref()), &mut form, (&path, words)).await;
    // It took a while: what was done in another tab meanwhile stays.
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
    if let Err(stop) = taken {
        shop.save().await?; // what was typed before it broke off
        return Err(stop);
    }
    if let Some((purchase, id)) = form.removal {
        match shop.retour.delete_pending_evidence(&visitor.shopper, purchase, id).await {
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => return Err(shop.failed(&error)),
        }
    }
    if form.removal.is_some() || !form.mistakes.is_empty() {
        shop.visit.flash = Some(Flash::Details(Vec::new(), form.mistakes));
        shop.save().await?;
        return Ok(sent_on(shop, "details", &headers));
    }
    let purchases = purchases::load(&visitor).await?; // what is asked may have changed while photos came in
    let next = match purchases::make_draft(&mut visitor, &purchases).await? {
        Ok(page) => page,
        Err(flash) => {
            let page = if matches!(flash, Flash::Details(..)) { "details" } else { "purchases" };
            purchases::say(&mut visitor.shop, flash).await?;
            page.to_owned()
        }
    };
    Ok(sent_on(&visitor.shop, &next, &headers))
}

/// Takes answers without photos; then makes a draft.
pub async fn answer(shop: ShopRequest, given: BTreeMap<String, String>) -> StepResult<AnswerMistake> {
    let mut visitor = match shop.visitor() {
        FormSender::Known(visitor) => *visitor,
        FormSender::Unknown(shop) => return Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(None))),
    };
    let purchases = purchases::load(&visitor).await?;
    let questions = asked(&visitor.shop, &purchases).into_iter().flat_map(|(purchase, reason)| {
        reason.questions.iter().map(|question| (purchase.id, question.id.as_str().to_owned()))
    });
    let questions: HashSet<(PurchaseId, String)> = questions.collect();
    let answers = given.iter().filter_map(|(name, text)| {
        let (of, key) = answer_of(name)?;
        Some((of, key.to_owned(), short(text, true)))
    });
    for (of, key, answer) in answers {
        if !questions.contains(&(of, key.clone())) {
            continue;
        }
        if let Some(choice) = visitor.shop.visit.choices.get_mut(&of) {
            choice.answers.insert(key, answer);
        }
    }
    match purchases::make_draft(&mut visitor, &purchases).await? {
        Ok(page) => Ok(CallDone::at(&visitor.shop, &page)),
        Err(flash) => Err(purchases::sent_back(&mut visitor.shop, flash).await?),
    }
}

/// Reads a form and keeps its photos. What can be taken is, and of the rest it is told what is wrong with each.
async fn take(
    (visitor, purchases): (&Visitor, &[view::PurchaseView]),
    (parts, share): (&mut Multipart, Option<&BodyShare>),
    form: &mut DetailsForm,
    (path, words): (&str, &'static Words),
) -> Result<(), EarlyResponse> {
    let unreadable = |error: &MultipartError| -> EarlyResponse {
        let is_too_large = error.status() == StatusCode::PAYLOAD_TOO_LARGE;
        if is_too_large { errors::too_large(path, words) } else { errors::malformed(path, words) }.into()
    };
    let asked = asked(&visitor.shop, purchases);
    let takes_photos = |id: &PurchaseId| {
        asked.iter().any(|(purchase, reason)| purchase.id == *id && reason.evidence != Evidence::None)
    };
    let question = |of: PurchaseId, key: &str| {
        let reason = asked.iter().find(|(purchase, _)| purchase.id == of).map(|(_, reason)| reason);
        reason.is_some_and(|reason| reason.questions.iter().any(|question| question.id.as_str() == key))
    };
    let (mut photos, mut full) = (0, HashSet::new());
    for number in 0.. {
        let Some(part) = parts.next_field().await.map_err(|error| unreadable(&error))? else { break };
        if number == MAX_PARTS || photos == MAX_PHOTOS {
            return Err(errors::too_large(path, words).into());
        }
        let name = part.name().unwrap_or_default().to_owned();
        if let Some((of, key)) = answer_of(&name).filter(|(of, key)| question(*of, key)) {
            let answer = text(part).await.map_err(|error| unreadable(&error))?;
            form.bytes += key.len() + answer.len();
            form.answers.entry(of).or_default().insert(key.to_owned(), answer);
        } else if name == "remove" {
            form.removal = removal_of(&text(part).await.map_err(|error| unreadable(&error))?);
        } else if let Some(of) = photos_of(&name).map(PurchaseId).filter(takes_photos)
            && !full.contains(&of)
        {
            photos += 1;
            let file = part.file_name().unwrap_or_default().to_owned();
            let bytes = read(part, share).await.map_err(|error| unreadable(&error))?;
            if let Some(problem) = keep(visitor, of, (&file, bytes)).await? {
                if problem == photos::PhotoProblem::TooMany {
                    full.insert(of); // those behind it come to the same: once is enough to say so
                }
                if form.mistakes.len() < MAX_MISTAKES {
                    form.mistakes.push(PhotoMistake::new(Some(of.0), &file, problem));
                }
            }
        } else {
            skip(part, share).await.map_err(|error| unreadable(&error))?;
        }
        keep_only(share, form.bytes); // photos are on disk
    }
    Ok(())
}

/// What the field `answer-<purchase>-<question>` is about.
fn answer_of(field: &str) -> Option<(PurchaseId, &str)> {
    let (id, key) = field.strip_prefix("answer-")?.split_at_checked(36)?;
    Some((id.parse().ok()?, key.strip_prefix('-')?))
}

/// What `<purchase>/<photo>` is about.
fn removal_of(value: &str) -> Option<(PurchaseId, EvidenceId)> {
    let (purchase, photo) = value.split_once('/')?;
    Some((purchase.parse().ok()?, photo.parse().ok()?))
}

/// An answer, with one character more than it can have where it is too long.
async fn text(mut part: Field<'_>) -> Result<String, MultipartError> {
    let (mut bytes, mut is_whole) = (Vec::new(), true);
    while let Some(chunk) = part.chunk().await? {
        let room = MAX_ANSWER_BYTES.saturating_sub(bytes.len());
        is_whole &= chunk.len() <= room;
        bytes.extend(chunk.iter().take(room));
    }
    Ok(short(&String::from_utf8_lossy(&bytes), is_whole))
}

/// An answer as it is kept: with one character more than it can have where it is too long.
fn short(text: &str, is_whole: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if is_whole && text.chars().count() <= MAX_ANSWER_CHARS {
        return text.to_owned();
    }
    // What is left of it is too long: nothing is cut without a word.
    let kept = text.chars().filter(|c| !c.is_whitespace()).chain(std::iter::repeat('…'));
    kept.take(MAX_ANSWER_CHARS + 1).collect()
}

/// Lays a photo beside a purchase, or says why not. `None` in place of bytes: there were too many.
async fn keep(
    visitor: &Visitor,
    of: PurchaseId,
    (name, bytes): (&str, Option<Vec<u8>>),
) -> Result<Option<photos::PhotoProblem>, EarlyResponse> {
    let Some(bytes) = bytes else { return Ok(Some(photos::PhotoProblem::TooLarge)) };
    if bytes.is_empty() {
        return Ok(None); // no file was chosen
    }
    let Some(kind) = FileKind::of_bytes(&bytes) else { return Ok(Some(photos::PhotoProblem::Unreadable)) };
    let upload = Upload { name: PhotoMistake::short(name), kind, bytes };
    let done = visitor.shop.retour.add_pending_evidence(&visitor.shopper, of, upload, None).await;
    problem_of(done).map_err(|error| visitor.shop.failed(&error))
}

/// Which answers a use case has refused: its fields name them by position and question.
pub fn refused(errors: &[FieldError], ids: &[PurchaseId]) -> Vec<AnswerMistake> {
    let wrong = |error: &FieldError| {
        let (position, field) = error.field.strip_prefix("selectedPurchases[")?.split_once("].")?;
        let id = ids.get(position.parse::<usize>().ok()?)?;
        let why = match error.code {
            RefusalCode::Required => Wrong::Missing,
            RefusalCode::OutOfRange => Wrong::TooLong,
            _ => Wrong::NotOffered,
        };
        Some((*id, field.strip_prefix("answers.")?.to_owned(), why))
    };
    errors.iter().filter_map(wrong).collect()
}

/// Shows a photo that was sent.
pub async fn photo(visitor: Visitor, Path(params): Path<HashMap<String, String>>) -> HandlerResult {
    let shop = &visitor.shop;
    let purchase = params.get("purchase").and_then(|id| id.parse().ok());
    let photo = params.get("photo").and_then(|id| id.parse().ok());
    let (Some(purchase), Some(photo)) = (purchase, photo) else { return Err(shop.failed(&Error::NotFound)) };
    let file = shop.retour.pending_evidence_file(&visitor.shopper, purchase, photo).await;
    Ok(picture(file.map_err(|error| shop.failed(&error))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn fields_say_what_they_are_about() {
        let (purchase, photo) = (Uuid::from_u128(7), Uuid::from_u128(8));
        assert_eq!(answer_of(&format!("answer-{purchase}-too-small")), Some((PurchaseId(purchase), "too-small")));
        assert_eq!(removal_of(&format!("{purchase}/{photo}")), Some((PurchaseId(purchase), EvidenceId(photo))));
        for nonsense in ["", "answer-", "answer-7-a", &format!("answer-{purchase}"), &"ä".repeat(40)] {
            assert_eq!(answer_of(nonsense), None, "{nonsense}");
        }
        assert_eq!(removal_of("7/8"), None);
    }

    #[test]
    fn refused_answers_are_found_again() {
        let ids = [PurchaseId(Uuid::from_u128(1)), PurchaseId(Uuid::from_u128(2))];
        let error = |field: &str, code| FieldError::new(field, code, "");
        let errors = [
            error("selectedPurchases[1].answers.where", RefusalCode::Required),
            error("selectedPurchases[0].answers.how", RefusalCode::OutOfRange),
            error("selectedPurchases[0].quantity", RefusalCode::OutOfRange),
            error("selectedPurchases[9].answers.how", RefusalCode::OutOfRange),
        ];
        let wrong = [(ids[1], "where".to_owned(), Wrong::Missing), (ids[0], "how".to_owned(), Wrong::TooLong)];
        assert_eq!(refused(&errors, &ids), wrong);
    }
}

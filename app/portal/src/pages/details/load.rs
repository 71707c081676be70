//! `/{slug}/details`: asks the shop's questions about the selected items, and for photos.

use crate::{
    forms::{answers::AnswerMistake, photos::SentPhoto},
    pages::{
        details::view::{AskedQuestion, Details, DetailsItem, DetailsPage},
        photos::{
            load::{pending_photo, picture},
            view::PhotosOf,
        },
    },
    selection::{
        purchases::{self, image_hosts},
        questions::{AskedPurchase, asked},
    },
    visit::{
        response::HandlerResult,
        shop::{Framing, ShopRequest},
        state::Flash,
        visitor::Visitor,
    },
};
use axum::{extract::Path, http::StatusCode};
use leptos::prelude::*;
use returns::{Error, view};
use std::collections::HashMap;
use ui::{components::ProductSummary, html::IntoHtml};

/// Shows the questions.
pub async fn show(mut visitor: Visitor) -> HandlerResult {
    let purchases = purchases::load(&visitor).await?;
    let flash = visitor.shop.take_flash(|flash| matches!(flash, Flash::Details(..))).await?;
    let shop = &visitor.shop;
    let asked = asked(shop, &purchases);
    if asked.is_empty() {
        return Ok(shop.redirect("purchases"));
    }
    let pending =
        shop.retour.consumer(&visitor.shopper).pending_evidence().await.map_err(|error| shop.failed(&error))?;
    let (wrong, mistakes) = match flash {
        Some(Flash::Details(wrong, mistakes)) => (wrong, mistakes),
        _ => Default::default(),
    };
    let is_error = !wrong.is_empty() || !mistakes.is_empty();
    let items: Vec<DetailsItem> = asked.into_iter().map(|asked| item(shop, asked, &pending, &wrong)).collect();
    let page = Details { theme: shop.theme.clone(), items, mistakes };
    let status = if is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let framing = Framing { is_error, islands: true, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.details_title, framing, &image_hosts(&purchases), move || {
        view! { <DetailsPage page words/> }.into_html()
    }))
}

fn item(
    shop: &ShopRequest,
    AskedPurchase { purchase, reason }: AskedPurchase<'_>,
    pending: &[view::PendingEvidenceView],
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
    let sent = pending.iter().filter(|file| file.purchase_id == purchase.id).map(photo).collect();
    DetailsItem {
        id: purchase.id,
        why: reason.description.clone(),
        questions: reason.questions.iter().map(question).collect(),
        evidence: reason.evidence,
        photos: PhotosOf { id: purchase.id.0, product: product.clone(), sent },
        product,
    }
}

/// Shows a photo that was sent.
pub async fn photo(visitor: Visitor, Path(params): Path<HashMap<String, String>>) -> HandlerResult {
    let shop = &visitor.shop;
    let purchase = params.get("purchase").and_then(|id| id.parse().ok());
    let photo = params.get("photo").and_then(|id| id.parse().ok());
    let (Some(purchase), Some(photo)) = (purchase, photo) else { return Err(shop.failed(&Error::NotFound)) };
    let file = shop.retour.consumer(&visitor.shopper).pending_evidence_file(purchase, photo).await;
    Ok(picture(file.map_err(|error| shop.failed(&error))?))
}

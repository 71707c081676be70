//! `/{slug}/returns/{id}/photos`: photos of returned items.

use crate::{
    forms::photos::SentPhoto,
    pages::photos::view::{Photos, PhotosOf},
    progress::phase::Phase,
    visit::{
        response::HandlerResult,
        shop::{Portal, ShopRequest},
        state::Flash,
        visitor::OwnReturn,
    },
};
use axum::{
    extract::{FromRequestParts as _, Path, Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use domain::{EvidenceId, ReturnOrderId, party::Actor, stage::StageName};
use returns::{Download, Error, view};
use std::collections::HashMap;
use ui::components::ProductSummary;

/// The photos section of a return. While the shop waits for photos, only the items that it waits for, and photos that were sent
/// already.
pub fn photos_section(shop: &ShopRequest, order: &view::ReturnOrderView, phase: Phase, flash: Option<Flash>) -> Photos {
    let are_awaited = phase == Phase::Evidence;
    let of = |request: &view::ReturnRequestView| PhotosOf {
        id: request.id.0,
        product: ProductSummary::new(&request.product),
        sent: if are_awaited { sent_photos(shop, order.id, request) } else { Vec::new() },
    };
    let is_wanted = |request: &&view::ReturnRequestView| {
        let is_waiting = request.stage == StageName::RequestedEvidencePending;
        !request.stage.is_end() && (!are_awaited || is_waiting || !request.evidence.is_empty())
    };
    Photos {
        action: format!("{}{}", shop.theme.path(&format!("returns/{}/photos", order.id)), shop.theme.fetched()),
        are_awaited,
        of: order.return_requests.iter().flatten().filter(is_wanted).map(of).collect(),
        mistakes: match flash {
            Some(Flash::Photos(_, mistakes)) => mistakes,
            _ => Vec::new(),
        },
    }
}

/// The photos that the shopper has sent of an item.
pub fn sent_photos(shop: &ShopRequest, order: ReturnOrderId, request: &view::ReturnRequestView) -> Vec<SentPhoto> {
    let photo = |file: &view::EvidenceView| SentPhoto {
        href: shop.theme.path(&format!("returns/{order}/photos/{}{}", file.id, shop.theme.fetched())),
        is_shown: is_shown(&file.media_type),
        removal: None,
    };
    request.evidence.iter().filter(|file| file.added_by == Actor::Consumer).map(photo).collect()
}

/// Whether browsers can display a file. Only Safari displays HEIC, and documents are not pictures.
pub fn is_shown(media_type: &str) -> bool {
    matches!(media_type, "image/jpeg" | "image/png" | "image/webp")
}

/// Shows a photo that was sent.
pub async fn show(State(portal): State<Portal>, request: Request) -> HandlerResult {
    let (mut parts, _) = request.into_parts();
    let own = OwnReturn::from_request_parts(&mut parts, &portal).await?;
    let params = Path::<HashMap<String, String>>::from_request_parts(&mut parts, &portal).await;
    let id = params.ok().and_then(|Path(params)| params.get("photo")?.parse::<EvidenceId>().ok());
    let shop: &ShopRequest = own.shop();
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound)) };
    let file =
        shop.retour.consumer(&own.shopper()).evidence_file(own.id(), id).await.map_err(|error| shop.failed(&error))?;
    Ok(picture(file))
}

/// A file that browsers display or download but never run.
pub fn picture(file: Download) -> Response {
    let is_picture = file.media_type.starts_with("image/");
    let how = if is_picture { "inline" } else { "attachment" };
    let headers = [
        (header::CONTENT_TYPE, file.media_type),
        (header::CONTENT_DISPOSITION, how.to_owned()),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
    ];
    (headers, file.bytes).into_response()
}

/// A photo that waits beside a purchase until it is returned.
pub fn pending_photo(shop: &ShopRequest, file: &view::PendingEvidenceView) -> SentPhoto {
    let path = format!("details/photos/{}/{}{}", file.purchase_id, file.id, shop.theme.fetched());
    SentPhoto { href: shop.theme.path(&path), is_shown: is_shown(&file.media_type), removal: None }
}

//! `/{slug}/returns/{id}`: one return.

use crate::{
    pages::{
        photos,
        return_order::{
            to_do::ShippingSteps,
            view::{ReturnOrder, ReturnOrderPage},
        },
        returns::load::image_hosts,
    },
    progress::{
        followed_return::{FollowedReturn, waits},
        headline::Circumstances,
        phase::Phase,
        shipment::{number_of, qr_code, receiver},
        wording::ReturnItem,
    },
    visit::{
        response::HandlerResult,
        shop::{Framing, ShopRequest},
        state::Flash,
        visitor::OwnReturn,
    },
    words::Words,
};
use axum::{
    extract::RawQuery,
    http::{StatusCode, header},
    response::IntoResponse,
};
use domain::shipping::ShippingMethod;
use leptos::prelude::*;
use returns::{Error, Expand, LabelFormat, PrintedLabel, ReturnDetails, view};
use ui::{
    components::{NoticeText, Tone, icons},
    html::IntoHtml,
    text::{format, isolated, masked},
    web::form::Fields,
};

/// The formats of a label, the best for a shopper first.
const PRINTABLE: [LabelFormat; 3] = [LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl];

/// Shows a return.
pub async fn show(mut own: OwnReturn) -> HandlerResult {
    let here = own.id;
    let mine = |flash: &Flash| match flash {
        Flash::CannotCancel => true,
        Flash::Photos(id, _) => *id == here,
        _ => false,
    };
    let flash = own.visitor.shop.take_flash(mine).await?;
    let OwnReturn { visitor, id } = &own;
    let shop = &visitor.shop;
    let stop = |error: Error| shop.failed(&error);
    let expand = [Expand::Shipments, Expand::ReturnRequests, Expand::Consumer];
    let consumer = shop.retour.consumer(&visitor.shopper);
    let details = consumer.follow(*id, &expand, &shop.locale).await.map_err(stop)?;
    let ReturnDetails { order, timeline, can_cancel, offered } = details;
    let status = match &flash {
        Some(Flash::CannotCancel) => StatusCode::CONFLICT,
        Some(Flash::Photos(_, mistakes)) if !mistakes.is_empty() => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::OK,
    };
    let (account, now, words) = (&shop.account, shop.retour.now(), shop.words);
    let following = FollowedReturn { account, now, words, order: &order, timeline: &timeline, offered: &offered };
    let mut page = page(shop, &following, can_cancel, flash);
    if let Some(email) = emailed_to(&following)
        && shop.retour.mails_about(account, *id).await.map_err(stop)?
    {
        page.written_to = Some(format(words.emailed_to, &[&isolated(&email, words)]));
    }
    // Without a label there is no shipment that has the address.
    if let Some(sending) = page.sending.as_mut().filter(|sending| sending.method == ShippingMethod::OwnCarrier)
        && let Some(to) = consumer.return_address(*id).await.map_err(stop)?
    {
        sending.receiver = receiver(&to.address, &to.sent_from, words);
    }
    let title = page.headline.title.clone();
    let images = image_hosts(std::iter::once(&order));
    let words = shop.words;
    let has_islands = page.photos.is_some() || page.waits;
    let framing = Framing { wide: true, islands: has_islands, ..Framing::default() };
    Ok(shop.page(status, &title, framing, &images, move || view! { <ReturnOrderPage page words/> }.into_html()))
}

fn page(shop: &ShopRequest, following: &FollowedReturn<'_>, can_cancel: bool, flash: Option<Flash>) -> ReturnOrder {
    let FollowedReturn { words, order, .. } = *following;
    let (phase, method) = (following.phase(), following.method());
    let about = following.circumstances();
    let is_over = following.requests().all(|request| request.stage.is_end());
    let count = following.remaining().len();
    let payment = order.payment.as_ref();
    let (history, steps) = following.steps(&about).into_iter().partition(|step| step.when == "past");
    ReturnOrder {
        written_to: written_to(order).map(|email| format(words.gift_writes, &[&isolated(email, words)])),
        theme: shop.theme.clone(),
        href: shop.theme.path(&format!("returns/{}", order.id)),
        id: order.id,
        waits: waits(order, phase, shop.theme.is_embedded),
        tracked: following.tracked(),
        number: order.number.clone(),
        headline: following.headline(&about),
        dropped: following.dropped_items(),
        sending: method.filter(|_| phase == Phase::Ready).map(|method| sending_of(following, method, &about, count)),
        steps,
        history,
        receipt: following.receipt(),
        after: following.after(),
        items: items(shop, following),
        items_title: following.items_title(),
        pay: payment.and_then(|payment| Some((payment.checkout_url.clone()?, following.figure(payment.amount)))),
        cancel: can_cancel.then_some(match method.filter(|_| phase == Phase::Ready) {
            Some(method) if method.shows_code() => words.cancel_text_code,
            Some(method) if method.has_label() => words.cancel_text,
            _ => words.cancel_text_plain,
        }),
        notice: notice(flash.as_ref(), words),
        photos: (!is_over).then(|| photos::load::photos_section(shop, order, phase, flash)),
        needs_help: phase.needs_help(),
    }
}

/// The e-mail address that the recipient of a gift has entered.
fn written_to(order: &view::ReturnOrderView) -> Option<&str> {
    match &order.consumer_id {
        view::Expandable::Object(consumer) if consumer.gift_recipient => Some(&consumer.email),
        _ => None,
    }
}

fn notice(flash: Option<&Flash>, words: &'static Words) -> Option<NoticeText> {
    match flash? {
        Flash::CannotCancel => Some(NoticeText {
            icon: icons::ALERT,
            tone: Tone::Warn,
            title: words.cannot_cancel_title,
            text: words.cannot_cancel,
        }),
        Flash::Photos(_, mistakes) if mistakes.is_empty() => Some(NoticeText {
            icon: icons::CHECK,
            tone: Tone::Good,
            title: words.photos_thanks_title,
            text: words.photos_thanks,
        }),
        _ => None,
    }
}

fn sending_of(
    following: &FollowedReturn<'_>,
    method: ShippingMethod,
    about: &Circumstances,
    count: usize,
) -> ShippingSteps {
    let (order, option) = (following.order, following.option());
    let mut shipments = following.shipments();
    let labels: Vec<String> = following
        .shipments()
        .filter(|shipment| shipment.label_url.is_some())
        .map(|shipment| format!("label.pdf?parcel={}", shipment.id))
        .collect();
    let shipment = shipments.next();
    let units: u32 = following.remaining().into_iter().map(|request| request.quantity).sum();
    ShippingSteps {
        method: following.sends_by().unwrap_or(method),
        name: option.map(|option| option.name.clone()).unwrap_or_default(),
        // The page of the review has shown the description of other options. A store's address is needed again.
        description: option
            .filter(|_| !method.has_label())
            .map(|option| option.description.clone())
            .unwrap_or_default(),
        code: qr_code(shipment.and_then(|shipment| shipment.qr_code.as_deref()).unwrap_or(&order.number)),
        shipment: shipment.filter(|_| labels.len() < 2).map(|shipment| number_of(&shipment.label_barcode)),
        receiver: shipment
            .map(|shipment| receiver(&shipment.receiver, &shipment.sender_country, following.words))
            .unwrap_or_default(),
        until: about.due.clone(),
        is_pdf: shipment.is_some_and(|shipment| shipment.label_media_types.contains(&LabelFormat::Pdf)),
        many: count > 1 || units > 1,
        labels,
    }
}

/// The masked address that mail about this phase went to: one that the shopper has proved to know, and only in phases whose mail
/// everybody gets immediately. The page of a gift names the address anyway.
fn emailed_to(following: &FollowedReturn<'_>) -> Option<String> {
    let tells = matches!(following.phase(), Phase::Review | Phase::Evidence | Phase::Ready | Phase::Kept);
    match &following.order.consumer_id {
        view::Expandable::Object(consumer) if tells && !consumer.gift_recipient => masked(&consumer.email),
        _ => None,
    }
}

/// The items with their photos. While the return waits for photos, the form for more shows them instead.
fn items(shop: &ShopRequest, following: &FollowedReturn<'_>) -> Vec<ReturnItem> {
    let mut items = following.items();
    if following.phase() == Phase::Evidence {
        return items;
    }
    for (item, request) in items.iter_mut().zip(following.remaining()) {
        item.photos = photos::load::sent_photos(shop, following.order.id, request);
    }
    items
}

/// Redirects reloads of a form's address to the return.
pub async fn back(own: OwnReturn) -> HandlerResult {
    Ok(own.visitor.shop.redirect(&own.path()))
}

/// The label of a shipment, or of the first one, as a file.
pub async fn label(own: OwnReturn, RawQuery(query): RawQuery) -> HandlerResult {
    let OwnReturn { visitor, id } = &own;
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let shipment = query.get("parcel").parse().ok();
    let shop = &visitor.shop;
    let stop = |error: Error| shop.failed(&error);
    let order = shop.retour.consumer(&visitor.shopper).return_order(*id, &[]).await.map_err(stop)?;
    let label = shop.retour.consumer(&visitor.shopper).label(*id, shipment, &PRINTABLE).await.map_err(stop)?;
    let PrintedLabel::File { format, bytes } = label else { return Err(shop.broken(&"a label that cannot be shown")) };
    // Frames are too small for a file, and a download would not send the frame's cookie.
    let how = if shop.browser.embedded.is_some() { "attachment" } else { "inline" };
    let name = format!("{how}; filename=\"return-{}.{}\"", order.number, format.extension());
    let headers = [(header::CONTENT_TYPE, format.media_type().to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

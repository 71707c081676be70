//! `/{slug}/returns`: one's own returns, each with its label and what happens next.

use super::{
    call::{CallDone, CallRefusal, StepResult},
    errors,
    form::Fields,
    photos,
    session::Flash,
    shop::{HandlerResult, FormSender, Framing, Portal, ShopRequest, EarlyResponse, Visitor},
};
use crate::{
    calls::{Changed, Problem},
    components::{NoticeText, ProductSummary, Tone, icons, https_origin},
    following::{FollowedReturn, method, phase, wanted},
    money,
    pages::{
        return_order::{ReturnItem, ReturnOrder, ReturnOrderPage, ShippingSteps},
        returns::{ReturnCard, ReturnsPage},
        standing::{Circumstances, Phase},
    },
    words::{Calendar, Words, plural, day, format, isolated},
};
use axum::{
    extract::{FromRequestParts, Path, RawQuery},
    http::{StatusCode, header, request::Parts},
    response::IntoResponse,
};
use domain::{Locale, Money, ReturnOrderId, policy::Address, shipping::ShippingMethod};
use leptos::prelude::*;
use returns::{Code, Error, Expand, LabelFormat, Page, PrintedLabel, Shopper, view};
use std::{collections::HashMap, fmt::Write as _};

/// Forms of a label, the best for a shopper first.
const PRINTABLE: [LabelFormat; 3] = [LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl];

const RECENT: Page = Page::first(100);

/// Somebody who asks for one return.
pub struct OwnReturn {
    visitor: Visitor,
    id: ReturnOrderId,
}

impl FromRequestParts<Portal> for OwnReturn {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let visitor = Visitor::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let id = params.ok().and_then(|Path(params)| params.get("id")?.parse().ok());
        let Some(id) = id else {
            return Err(errors::missing(visitor.shop.theme.clone(), true, visitor.shop.words).into());
        };
        Ok(Self { visitor, id })
    }
}

impl OwnReturn {
    /// Where.
    pub fn shop(&self) -> &ShopRequest {
        &self.visitor.shop
    }

    /// The same, to note something for the next page.
    pub fn shop_mut(&mut self) -> &mut ShopRequest {
        &mut self.visitor.shop
    }

    /// Who.
    pub fn shopper(&self) -> Shopper {
        self.visitor.shopper
    }

    /// Which return.
    pub fn id(&self) -> ReturnOrderId {
        self.id
    }

    /// The page of the return.
    pub fn path(&self) -> String {
        format!("returns/{}", self.id)
    }
}

/// Shows one's own returns.
pub async fn list(visitor: Visitor) -> HandlerResult {
    let shop = &visitor.shop;
    let words = shop.words;
    let expand = [Expand::ReturnRequests, Expand::Shipments];
    let orders =
        shop.retour.own_return_orders(&visitor.shopper, RECENT, &expand).await.map_err(|error| shop.failed(&error))?;
    let offered = shop.retour.offered(&visitor.shopper, &shop.locale).await.map_err(|error| shop.failed(&error))?;
    let calendar = Calendar { zone: &shop.account.time_zone, now: shop.retour.now() };
    let card = |order: &view::ReturnOrderView| {
        let names: Vec<String> =
            order.return_requests.iter().flatten().map(|request| ProductSummary::new(&request.product).name).collect();
        ReturnCard {
            product: order.return_requests.iter().flatten().next().map(|request| ProductSummary::new(&request.product)),
            amount: amount(order, words),
            href: shop.theme.path(&format!("returns/{}", order.id)),
            number: order.number.clone(),
            tag: phase(order).tag(wanted(order), method(&offered, order), words),
            things: listed(&names, words),
            when: format(words.sent_in_on, &[&day(order.created_at, calendar, words)]),
        }
    };
    let cards: Vec<ReturnCard> = orders.data.iter().map(card).collect();
    let images = image_hosts(orders.data.iter());
    let theme = shop.theme.clone();
    let framing = Framing { in_returns: true, ..Framing::default() };
    Ok(shop.page(StatusCode::OK, words.my_returns, framing, &images, move || {
        view! { <ReturnsPage theme cards words/> }.into_any()
    }))
}

/// The first names of a list, and how many more there are.
fn listed(names: &[String], words: &Words) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [one, two] => format(words.and, &[&isolated(one, words), &isolated(two, words)]),
        [first, rest @ ..] => plural(words.tag, words.and_more, &[&isolated(first, words), &rest.len().to_string()]),
    }
}

/// What comes back of a return; `None` where nothing does, and where no amounts are shown.
fn amount(order: &view::ReturnOrderView, words: &Words) -> Option<String> {
    let costs = order.costs.breakdown().filter(|_| !phase(order).is_lost())?;
    let figure = |amount: Money| (amount.minor > 0).then(|| money::format(amount, words.live()));
    match (figure(costs.estimated_refund), figure(costs.estimated_credit)) {
        (Some(refund), Some(credit)) => Some(format!("{refund} {}", format(words.live().bar_also, &[&credit]))),
        (refund, credit) => refund.or(credit),
    }
}

/// Where pictures of returns come from, beside here.
fn image_hosts<'a>(orders: impl Iterator<Item = &'a view::ReturnOrderView>) -> Vec<String> {
    let requests = orders.flat_map(|order| order.return_requests.iter().flatten());
    let urls = requests.flat_map(|request| &request.product.image_urls);
    let mut hosts: Vec<String> = urls.filter_map(|url| https_origin(url)).map(str::to_owned).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

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
    let order = shop.retour.own_return_order(&visitor.shopper, *id, &expand).await.map_err(stop)?;
    let timeline = shop.retour.own_timeline(&visitor.shopper, *id).await.map_err(stop)?;
    let can_cancel = shop.retour.can_cancel(&visitor.shopper, *id).await.map_err(stop)?;
    let offered = shop.retour.offered(&visitor.shopper, &shop.locale).await.map_err(stop)?;
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
    // Without a label there is no parcel that knows where it goes.
    if let Some(sending) = page.sending.as_mut().filter(|sending| sending.method == ShippingMethod::OwnCarrier)
        && let Some(option) = order.shipping_option_id
    {
        let (address, from) = shop.retour.return_address(&visitor.shopper, option).await.map_err(stop)?;
        sending.receiver = receiver(&address, &from, words);
    }
    let title = page.headline.title.clone();
    let images = image_hosts(std::iter::once(&order));
    let words = shop.words;
    let has_islands = page.photos.is_some() || page.waits;
    let framing = Framing { wide: true, islands: has_islands, ..Framing::default() };
    Ok(shop.page(status, &title, framing, &images, move || view! { <ReturnOrderPage page words/> }.into_any()))
}

fn page(shop: &ShopRequest, following: &FollowedReturn<'_>, can_cancel: bool, flash: Option<Flash>) -> ReturnOrder {
    let FollowedReturn { words, order, .. } = *following;
    let (phase, method) = (following.phase(), following.method());
    let about = following.circumstances();
    let is_over = following.requests().all(|request| request.stage.is_end());
    let count = following.requests().count();
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
        photos: (!is_over).then(|| photos::of(shop, order, phase, flash)),
        needs_help: phase.needs_help(),
    }
}

/// Whether something is waited for that shows on the page by itself. Payments are made elsewhere where the page is in a frame.
fn waits(order: &view::ReturnOrderView, phase: Phase, is_embedded: bool) -> bool {
    let is_to_be_paid = order.payment.as_ref().is_some_and(|payment| payment.checkout_url.is_some());
    phase.waits_for_label() || (is_embedded && is_to_be_paid)
}

/// The e-mail address of somebody who was given what goes back: they said it themselves.
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

fn sending_of(following: &FollowedReturn<'_>, method: ShippingMethod, about: &Circumstances, count: usize) -> ShippingSteps {
    let (order, option) = (following.order, following.option());
    let mut parcels = following.parcels();
    let labels: Vec<String> = following
        .parcels()
        .filter(|parcel| parcel.label_url.is_some())
        .map(|parcel| format!("label.pdf?parcel={}", parcel.id))
        .collect();
    let parcel = parcels.next();
    let units: u32 = order.return_requests.iter().flatten().map(|request| request.quantity).sum();
    ShippingSteps {
        method: following.sends_by().unwrap_or(method),
        name: option.map(|option| option.name.clone()).unwrap_or_default(),
        // Said once, where the way of sending is chosen; but where to bring it is to be at hand.
        description: option
            .filter(|_| !method.has_label())
            .map(|option| option.description.clone())
            .unwrap_or_default(),
        code: qr_code(parcel.and_then(|parcel| parcel.qr_code.as_deref()).unwrap_or(&order.number)),
        parcel: parcel.filter(|_| labels.len() < 2).map(|parcel| number_of(&parcel.label_barcode)),
        receiver: parcel
            .map(|parcel| receiver(&parcel.receiver, &parcel.sender_country, following.words))
            .unwrap_or_default(),
        until: about.due.clone(),
        is_pdf: parcel.is_some_and(|parcel| parcel.label_media_types.contains(&LabelFormat::Pdf)),
        many: count > 1 || units > 1,
        labels,
    }
}

/// Where mail about a return has just gone to, masked: to the address that the shopper has proved to know, in phases of which
/// mail tells at once and to everybody. For gifts, the page names the address anyway.
fn emailed_to(following: &FollowedReturn<'_>) -> Option<String> {
    let tells = matches!(following.phase(), Phase::Review | Phase::Evidence | Phase::Ready | Phase::Kept);
    match &following.order.consumer_id {
        view::Expandable::Object(consumer) if tells && !consumer.gift_recipient => masked(&consumer.email),
        _ => None,
    }
}

/// What is in it. While photos are awaited, those that were sent stand above the form for more; else with each thing.
fn items(shop: &ShopRequest, following: &FollowedReturn<'_>) -> Vec<ReturnItem> {
    let mut items = following.items();
    if following.phase() == Phase::Evidence {
        return items;
    }
    for (item, request) in items.iter_mut().zip(following.requests()) {
        item.photos = photos::sent(shop, following.order.id, request);
    }
    items
}

/// An address that its owner recognises: the first character, and the domain.
pub fn masked(email: &str) -> Option<String> {
    let (local, domain) = email.trim().rsplit_once('@')?;
    let first = local.chars().next()?;
    (!domain.is_empty()).then(|| format!("{first}•••@{domain}"))
}

/// A parcel's number: ours in groups, a carrier's as the carrier writes it.
pub fn number_of(barcode: &str) -> String {
    if barcode.bytes().all(|byte| byte.is_ascii_digit()) { grouped(barcode) } else { barcode.to_owned() }
}

/// Long numbers in groups of four, to be read out.
fn grouped(digits: &str) -> String {
    digits.chars().enumerate().fold(String::new(), |mut text, (index, digit)| {
        if index > 0 && index.is_multiple_of(4) {
            text.push(' ');
        }
        text.push(digit);
        text
    })
}

/// The lines of the address that a parcel goes to, as seen from the country that it is sent from; empty while the address is not
/// known.
pub fn receiver(address: &Address, from: &str, words: &Words) -> Vec<String> {
    address.reading_lines(from, &Locale(words.language().tag().to_owned()))
}

/// A QR code as the path of its dark modules.
fn qr_code(text: &str) -> Option<(usize, String)> {
    let code = Code::new(text)?;
    let mut path = String::new();
    for (column, row) in code.dark() {
        let _ = write!(path, "M{column} {row}h1v1h-1z");
    }
    Some((code.width(), path))
}

/// Cancels a return, where that is still possible.
pub async fn cancel(shop: ShopRequest, id: Option<ReturnOrderId>) -> StepResult<()> {
    let Visitor { mut shop, shopper } = known(shop, id)?;
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound).into()) };
    let page = format!("returns/{id}");
    match shop.retour.cancel(shopper, id, None).await {
        Ok(returns::Done::Fresh { .. }) => Ok(CallDone::at(&shop, &page)),
        Ok(returns::Done::Replayed(_)) => Err(shop.broken(&"a cancellation without a key was replayed").into()),
        Err(Error::Refused(_)) => {
            shop.visit.flash = Some(Flash::CannotCancel);
            shop.save().await?;
            Err(CallRefusal::changed(Changed::TooLateToCancel, shop.redirect(&page)))
        }
        Err(error) => Err(shop.failed(&error).into()),
    }
}

/// Whether a return still waits for a payment or a label.
pub async fn is_waiting(shop: ShopRequest, id: Option<ReturnOrderId>) -> Result<CallDone<bool>, CallRefusal<()>> {
    let visitor = known(shop, id)?;
    let shop = &visitor.shop;
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound).into()) };
    let expand = [Expand::Shipments, Expand::ReturnRequests];
    let order = shop.retour.own_return_order(&visitor.shopper, id, &expand).await;
    let order = order.map_err(|error| shop.failed(&error))?;
    let value = waits(&order, phase(&order), shop.theme.is_embedded);
    Ok(CallDone { value, form: shop.redirect(&format!("returns/{id}")) })
}

/// Somebody who is signed in.
fn known(shop: ShopRequest, next: Option<ReturnOrderId>) -> Result<Visitor, CallRefusal<()>> {
    match shop.visitor() {
        FormSender::Known(visitor) => Ok(*visitor),
        FormSender::Unknown(shop) => Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(next))),
    }
}

/// Who comes here by reloading goes to the return itself.
pub async fn back(own: OwnReturn) -> HandlerResult {
    Ok(own.visitor.shop.redirect(&own.path()))
}

/// The label of a parcel, as a file to keep; without a parcel, the first one's.
pub async fn label(own: OwnReturn, RawQuery(query): RawQuery) -> HandlerResult {
    let OwnReturn { visitor, id } = &own;
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let parcel = query.get("parcel").parse().ok();
    let shop = &visitor.shop;
    let stop = |error: Error| shop.failed(&error);
    let order = shop.retour.own_return_order(&visitor.shopper, *id, &[]).await.map_err(stop)?;
    let label = shop.retour.own_label(&visitor.shopper, (*id, parcel), &PRINTABLE).await.map_err(stop)?;
    let PrintedLabel::File { format, bytes } = label else { return Err(shop.broken(&"a label that cannot be shown")) };
    // A frame is no place to look at a file, and what `download` fetches has no cookie of a frame's.
    let how = if shop.embedded.is_some() { "attachment" } else { "inline" };
    let name = format!("{how}; filename=\"return-{}.{}\"", order.number, format.extension());
    let headers = [(header::CONTENT_TYPE, format.media_type().to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn an_address_is_recognised_by_its_owner_alone() {
        for (email, shown) in [
            ("ada@example.com", Some("a•••@example.com")),
            ("a@example.com", Some("a•••@example.com")),
            ("éva.long@example.com", Some("é•••@example.com")),
            ("\"a@b\"@example.com", Some("\"•••@example.com")),
            ("@example.com", None),
            ("ada", None),
            ("ada@", None),
            ("", None),
        ] {
            assert_eq!(masked(email).as_deref(), shown, "{email}");
        }
    }

    #[test]
    fn names_in_a_list_are_kept_together_from_right_to_left() {
        let names = ["Mug", "Shirt", "Jug"].map(str::to_owned);
        assert_eq!(listed(&names[..2], Words::of(Language::En)), "Mug and Shirt");
        let arabic = Words::of(Language::Ar);
        let two = listed(&names[..2], arabic);
        assert!(two.contains("\u{2068}Mug\u{2069}") && two.contains("\u{2068}Shirt\u{2069}"), "{two}");
        assert!(listed(&names, arabic).contains("\u{2068}Mug\u{2069}"));
    }

    #[test]
    fn a_parcel_s_address_has_the_form_of_its_country_in_the_reader_s_language() {
        let address = |country: &str| Address {
            name: "Fjord & Fern Returns".to_owned(),
            street: "100 Main St".to_owned(),
            additional: "Suite 5".to_owned(),
            postal_code: "95820".to_owned(),
            city: "Sacramento".to_owned(),
            province: "CA".to_owned(),
            country: country.to_owned(),
        };
        let home = ["Fjord & Fern Returns", "100 Main St", "Suite 5", "Sacramento, CA 95820"];
        for (from, language, country) in [
            ("US", Language::De, None),
            ("DE", Language::De, Some("Vereinigte Staaten")),
            ("DE", Language::Ar, Some("الولايات المتحدة")),
            ("", Language::En, Some("United States")),
        ] {
            let lines = receiver(&address("US"), from, Words::of(language));
            assert_eq!(lines, home.into_iter().chain(country).collect::<Vec<_>>(), "{from} {language:?}");
        }
        let nothing = Address { country: "US".to_owned(), ..Address::default() };
        assert!(receiver(&nothing, "DE", Words::of(Language::En)).is_empty());
    }

    #[test]
    fn a_code_is_a_square_of_dark_modules() {
        let (width, path) = qr_code("R-7Q2M4KXD").unwrap();
        assert_eq!(width, 21);
        assert!(path.starts_with("M0 0h1v1h-1z"));
        assert_eq!(grouped("003404341234567890"), "0034 0434 1234 5678 90");
    }
}

//! Loads a return with everything around it.

use crate::{
    frame::navigation::Section,
    pages::return_order::{decisions::Decision, view::return_page},
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use axum::{extract::Path, response::Response};
use domain::{ReturnReasonId, ReturnRequestId, ShipmentId, shipping::ShippingMethod, stage::Inspection};
use returns::{Error, Expand, Listing, Page, Scope, Staff, VisitInput, lists, view};
use std::collections::{BTreeMap, HashMap};
use ui::{components::image_hosts, text::format, web::form::encoded};

/// How many other returns of a customer the page lists.
const EARLIER: i64 = 10;

/// A return with everything around it.
pub struct ReturnPage {
    pub order: view::ReturnOrderView,
    pub requests: Vec<view::ReturnRequestView>,
    /// What the inspections of its requests found.
    pub inspections: BTreeMap<ReturnRequestId, Inspection>,
    pub shipments: Vec<view::ShipmentView>,
    pub consumer: Option<view::Consumer>,
    /// What happened, oldest first.
    pub activity: Vec<view::ActivityEntry>,
    /// Who else looks at it.
    pub visits: Vec<view::VisitView>,
    /// Who can have it.
    pub assignees: Vec<view::Assignee>,
    /// What the reasons of its requests are called.
    pub reasons: HashMap<ReturnReasonId, String>,
    /// The reasons that the account offers, if the open form asks for one.
    pub offered_reasons: Vec<(ReturnReasonId, String)>,
    /// What its way of sending is called, and its kind; `None` if it has none, or if the option was deleted.
    pub option: Option<(String, ShippingMethod)>,
    /// The ways of sending that the account offers, if the open form asks for one.
    pub offered_options: Vec<(String, String)>,
    /// Other returns of the customer, newest first.
    pub others: Vec<view::ReturnOrderView>,
    /// The form that is open.
    pub open: Option<Open>,
    /// The query of the list that the person comes from.
    pub from: String,
    pub may_write: bool,
}

/// The most reasons that the form lists.
const MOST_REASONS: i64 = 100;
/// The most ways of sending that the form lists.
const MOST_OPTIONS: i64 = 100;

/// The form that is open, by `?do=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// A decision about a request.
    Decision(Decision, ReturnRequestId),
    /// The cancellation of the return.
    Cancel,
    /// The sender of a parcel.
    Sender(ShipmentId),
    /// Another way of sending.
    Shipping,
}

impl ReturnPage {
    /// The address of the page, with these further fields of its query.
    pub fn href(&self, visit: &Visit, more: &[(&str, &str)]) -> String {
        let from = Some(("from", self.from.as_str())).filter(|(_, from)| !from.is_empty());
        let fields = more.iter().copied().chain(from);
        let query: Vec<String> = fields.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", visit.path(&format!("returns/{}", self.order.number)), query.join("&"))
    }
}

/// Shows a return.
pub async fn show(visit: Visit, Path(number): Path<String>) -> HandlerResult {
    let staff = visit.reader()?;
    let page = load(&visit, &staff, &number).await?;
    Ok(shown(&visit, &page))
}

fn shown(visit: &Visit, page: &ReturnPage) -> Response {
    let title = format(visit.words.return_order.title, &[&page.order.number]);
    let images = image_hosts(page.requests.iter().flat_map(|request| &request.product.image_urls));
    visit.page(title, Section::Returns).images(images).render(|| return_page(visit, page))
}

async fn load(visit: &Visit, staff: &Staff, number: &str) -> Result<ReturnPage, EarlyResponse> {
    let stop = |error: Error| visit.failed(&error);
    let handle = visit.retour.merchant(staff);
    let id = find(visit, staff, number).await?;
    let expand = [Expand::Consumer, Expand::Shipments, Expand::ReturnRequests];
    let mut order = handle.return_order(id, &expand).await.map_err(stop)?;
    let requests = order.return_requests.take().unwrap_or_default();
    let consumer = match &order.consumer_id {
        view::Expandable::Object(consumer) => Some((**consumer).clone()),
        view::Expandable::Id(_) => None,
    };
    Ok(ReturnPage {
        shipments: order.shipments.take().unwrap_or_default(),
        inspections: handle.inspections(id).await.map_err(stop)?,
        activity: handle.activity(id).await.map_err(stop)?,
        visits: handle.visit_return_order(id, VisitInput::default()).await.map_err(stop)?,
        assignees: if visit.may(Scope::Write) { handle.assignees().await.map_err(stop)? } else { Vec::new() },
        reasons: reasons(visit, staff, &requests).await.map_err(stop)?,
        offered_reasons: match open(visit) {
            Some(Open::Decision(Decision::Amend, _)) => offered_reasons(visit, staff).await.map_err(stop)?,
            _ => Vec::new(),
        },
        option: option(visit, staff, &order).await,
        offered_options: match open(visit) {
            Some(Open::Shipping) => offered_options(visit, staff, &order).await.map_err(stop)?,
            _ => Vec::new(),
        },
        others: others(visit, staff, &order, consumer.as_ref()).await.map_err(stop)?,
        open: open(visit),
        from: visit.query.get("from").to_owned(),
        may_write: visit.may(Scope::Write),
        order,
        requests,
        consumer,
    })
}

/// The return order with this number.
async fn find(visit: &Visit, staff: &Staff, number: &str) -> Result<domain::ReturnOrderId, EarlyResponse> {
    let condition = lists::RETURN_ORDERS.condition(&format!("number:{}", number.trim().to_uppercase()));
    let Ok(condition) = condition else { return Err(visit.missing()) };
    let listing = Listing { conditions: vec![condition], ..Listing::newest(Page::first(1)) };
    let found =
        visit.retour.merchant(staff).return_orders(&listing, &[]).await.map_err(|error| visit.failed(&error))?;
    found.data.first().map(|order| order.id).ok_or_else(|| visit.missing())
}

/// What the reasons are called in the person's language.
async fn reasons(
    visit: &Visit,
    staff: &Staff,
    requests: &[view::ReturnRequestView],
) -> Result<HashMap<ReturnReasonId, String>, Error> {
    let mut named = HashMap::new();
    for id in requests.iter().map(|request| request.return_reason_id) {
        if named.contains_key(&id) {
            continue;
        }
        // A reason that was deleted has no text.
        if let Ok(reason) = visit.retour.merchant(staff).return_reason(id).await {
            named.insert(id, translated(&reason.description, visit));
        }
    }
    Ok(named)
}

/// The reasons that the account offers, in the person's language. A reason that others refine is their heading.
async fn offered_reasons(visit: &Visit, staff: &Staff) -> Result<Vec<(ReturnReasonId, String)>, Error> {
    let all = visit.retour.merchant(staff).return_reasons(&Listing::newest(Page::first(MOST_REASONS))).await?;
    let mut all: Vec<_> = all.data.into_iter().filter(|reason| reason.archived_at.is_none()).collect();
    all.sort_by_key(|reason| reason.position);
    let heads: HashMap<ReturnReasonId, String> =
        all.iter().map(|reason| (reason.id, translated(&reason.description, visit))).collect();
    let is_head = |id| all.iter().any(|other| other.parent_id == Some(id));
    let named = all.iter().filter(|reason| !is_head(reason.id)).map(|reason| {
        let text = translated(&reason.description, visit);
        let head = reason.parent_id.and_then(|id| heads.get(&id));
        (reason.id, head.map_or_else(|| text.clone(), |head| format!("{head}: {text}")))
    });
    Ok(named.collect())
}

/// What the way of sending of a return is called in the person's language, and its kind.
async fn option(visit: &Visit, staff: &Staff, order: &view::ReturnOrderView) -> Option<(String, ShippingMethod)> {
    let option = visit.retour.merchant(staff).shipping_option(order.shipping_option_id?).await;
    option.ok().map(|option| (translated(&option.name, visit), option.method))
}

/// The ways of sending that the account offers in the currency of the return, in the person's language.
async fn offered_options(
    visit: &Visit,
    staff: &Staff,
    order: &view::ReturnOrderView,
) -> Result<Vec<(String, String)>, Error> {
    let all = visit.retour.merchant(staff).shipping_options(&Listing::newest(Page::first(MOST_OPTIONS))).await?;
    let currency = order.costs.breakdown().map(|costs| costs.currency);
    let is_offered = |option: &view::ShippingOption| {
        option.archived_at.is_none() && currency.is_none_or(|currency| option.prices.minor(currency).is_some())
    };
    let mut all: Vec<_> = all.data.into_iter().filter(is_offered).collect();
    all.sort_by_key(|option| (option.position, option.created_at));
    Ok(all.iter().map(|option| (option.id.to_string(), translated(&option.name, visit))).collect())
}

/// A text in the person's language, or in another one.
pub fn translated(text: &domain::Translated, visit: &Visit) -> String {
    text.get(&visit.locale()).to_owned()
}

/// The customer's other returns: those of everybody with the same e-mail address.
async fn others(
    visit: &Visit,
    staff: &Staff,
    order: &view::ReturnOrderView,
    consumer: Option<&view::Consumer>,
) -> Result<Vec<view::ReturnOrderView>, Error> {
    // Those who may not see it get no e-mail address.
    let Some(email) = consumer.map(|consumer| consumer.email.clone()).filter(|email| !email.is_empty()) else {
        return Ok(Vec::new());
    };
    let listing = Listing { search: Some(email.clone()), ..Listing::newest(Page::first(EARLIER + 1)) };
    let mut found = match visit.retour.merchant(staff).return_orders(&listing, &[Expand::Consumer]).await {
        Ok(found) => found.data,
        Err(Error::SearchTooBroad) => Vec::new(),
        Err(error) => return Err(error),
    };
    // The search also finds longer addresses that begin with this one.
    let is_theirs = |other: &view::ReturnOrderView| match &other.consumer_id {
        view::Expandable::Object(consumer) => consumer.email.eq_ignore_ascii_case(&email),
        view::Expandable::Id(_) => false,
    };
    found.retain(|other| other.id != order.id && is_theirs(other));
    Ok(found)
}

fn open(visit: &Visit) -> Option<Open> {
    let asked = visit.query.get("do");
    if asked == "cancel" {
        return Some(Open::Cancel);
    }
    if asked == "shipping" {
        return Some(Open::Shipping);
    }
    if asked == "sender" {
        return visit.query.get("shipment").parse().ok().map(Open::Sender);
    }
    Some(Open::Decision(Decision::parse(asked)?, visit.query.get("request").parse().ok()?))
}

//! The filters of the list: as a form, and as what is set now.

use crate::{
    components::{Chip, Field, field, stage_text},
    pages::returns::address::{ListAddress, RowsOf},
    visit::Visit,
    words::Words,
};
use domain::{
    Timestamp,
    policy::Resolution,
    returning::{ProposalKind, ReturnSource},
    stage::{Queue, StageName},
};
use leptos::prelude::*;
use returns::{
    lists::{Operator, clause_parts, escaped},
    view,
};
use ui::{
    dates::Calendar,
    html::{Html, IntoHtml},
    text::format,
};

const DAY: i64 = 86_400;

/// What names the values of filters: the account's settings.
pub struct Named {
    pub reasons: Vec<view::ReturnReason>,
    pub options: Vec<view::ShippingOption>,
}

/// The fields of the form that are a field of the list by the same name.
const PLAIN: [&str; 14] = [
    "purchaseOrderNumber",
    "stage",
    "queue",
    "status",
    "requestedResolution",
    "returnReasonId",
    "sku",
    "carrier",
    "country",
    "shippingOptionId",
    "source",
    "gift",
    "withdrawn",
    "hasPhotos",
];

/// The list that the form of the filters asks for. Filters that the form does not show stay.
pub fn of_form(visit: &Visit) -> ListAddress {
    let form = &visit.query;
    let mut list = ListAddress::of(form).first_page();
    list.filters = form.all("keep").map(str::to_owned).collect();
    for name in PLAIN {
        let values: Vec<String> =
            form.all(name).map(str::trim).filter(|value| !value.is_empty()).map(escaped).collect();
        if !values.is_empty() {
            list.filters.push(format!("{name}:{}", values.join("|")));
        }
    }
    let currency = visit.account.currency;
    for (name, operator) in [("valueFrom", ">="), ("valueTo", "<=")] {
        let value = form.get(name).trim();
        if !value.is_empty() {
            list.filters.push(format!("purchasePrice{operator}{value} {currency}"));
        }
    }
    if let Ok(days @ 1..=3_650) = form.get("olderThan").trim().parse::<i64>() {
        list.filters.push(format!("stageSince<{}", visit.retour.now().plus_seconds(-days * DAY)));
    }
    let zone = &visit.account.time_zone;
    if let Some(noon) = noon_of(form.get("createdFrom")) {
        list.filters.push(format!("createdAt>={}", zone.start_of_day(noon.utc().date())));
    }
    if let Some(noon) = noon_of(form.get("createdTo")) {
        let start = zone.start_of_day(noon.utc().date());
        list.filters.push(format!("createdAt<={}", zone.end_of_day(start, 0)));
    }
    list
}

/// The middle of a day such as `2026-11-26`.
fn noon_of(day: &str) -> Option<Timestamp> {
    Timestamp::parse(&format!("{}T12:00:00Z", day.trim()))
}

/// The values of a field that are set, if they are compared in this way.
fn set_values(list: &ListAddress, field: &str, operator: Operator) -> Vec<String> {
    let of_clause = |clause: &String| {
        let parts = clause_parts(clause)?;
        (parts.field == field && parts.operator == operator).then_some(parts.values)
    };
    list.filters.iter().find_map(of_clause).unwrap_or_default()
}

fn set_value(list: &ListAddress, field: &str) -> String {
    set_values(list, field, Operator::Equal).into_iter().next().unwrap_or_default()
}

/// The clauses that the form does not show.
pub fn kept(list: &ListAddress) -> Vec<String> {
    let is_shown = |clause: &String| {
        clause_parts(clause).is_some_and(|parts| match parts.field {
            "createdAt" | "purchasePrice" => {
                matches!(parts.operator, Operator::GreaterOrEqual | Operator::LessOrEqual)
            }
            "stageSince" => parts.operator == Operator::Less,
            "queue" | "status" => false,
            name => PLAIN.contains(&name),
        })
    };
    list.filters.iter().filter(|clause| !is_shown(clause)).cloned().collect()
}

/// The fields of the form: the order and the stage, and the others behind a click.
pub fn form_fields(visit: &Visit, list: &ListAddress, named: &Named) -> Html {
    let words = visit.words.returns;
    let order = Field::of_type("purchaseOrderNumber", words.order_number, "search").max_length(200);
    let order = order.value(set_value(list, "purchaseOrderNumber"));
    let more = more_fields(visit, list, named);
    let is_open = list.filters.iter().any(|clause| {
        !clause.starts_with("stage:") && !clause.starts_with("purchaseOrderNumber:") && !kept(list).contains(clause)
    });
    view! {
        {field(visit, order)}
        {stages(visit, list)}
        <details class="more-filters" open=is_open>
            <summary>{words.filters}</summary>
            <div class="filter-fields">{more}</div>
        </details>
    }
    .into_html()
}

/// A tick for each stage.
fn stages(visit: &Visit, list: &ListAddress) -> Html {
    let words = visit.words;
    let set = set_values(list, "stage", Operator::Equal);
    let tick = |stage: &StageName| {
        let name = stage.as_str();
        let is_set = set.iter().any(|set| set == name);
        view! {
            <label class="tick">
                <input type="checkbox" name="stage" value=name checked=is_set/>
                <span>{stage_text(*stage, words)}</span>
            </label>
        }
    };
    let ticks = StageName::all().iter().map(tick).collect_view();
    view! {
        <details class="more-filters" open=!set.is_empty()>
            <summary>{words.returns.stage}</summary>
            <fieldset class="ticks"><legend class="visually-hidden">{words.returns.stage}</legend>{ticks}</fieldset>
        </details>
    }
    .into_html()
}

fn more_fields(visit: &Visit, list: &ListAddress, named: &Named) -> Html {
    let (words, locale) = (visit.words.returns, &visit.locale());
    let select = |name: &'static str, label: &str, options: Vec<(String, String)>| {
        let any = [(String::new(), words.any.to_owned())];
        let options = any.into_iter().chain(options).collect();
        field(visit, Field::select(name, label, options).value(set_value(list, name)))
    };
    let text = |name: &'static str, label: &str| {
        field(visit, Field::text(name, label).value(set_value(list, name)).max_length(200))
    };
    let yes_no = || vec![("true".to_owned(), words.yes.to_owned()), ("false".to_owned(), words.no.to_owned())];
    let wanted = Resolution::ALL.map(|one| (one.name().to_owned(), wanted_text(one, visit.words).to_owned()));
    let reasons = named.reasons.iter();
    let reasons = reasons.map(|reason| (reason.id.to_string(), reason.description.get(locale).to_owned())).collect();
    let options = named.options.iter();
    let options = options.map(|option| (option.id.to_string(), option.name.get(locale).to_owned())).collect();
    let sources = ReturnSource::ALL.map(|one| (one.name().to_owned(), source_text(one, visit.words).to_owned()));
    let of_items = (list.rows == RowsOf::Requests).then(|| item_fields(visit, list));
    let country = Field::text("country", words.country).hint(words.country_hint).max_length(2);
    let country = country.value(set_value(list, "country"));
    view! {
        {select("requestedResolution", words.wanted, wanted.to_vec())}
        {select("returnReasonId", words.reason, reasons)}
        {text("sku", words.sku)}
        {select("shippingOptionId", words.sending, options)}
        {text("carrier", words.carrier)}
        {field(visit, country)}
        {select("hasPhotos", words.has_photos, yes_no())}
        {select("gift", words.gift, yes_no())}
        {select("withdrawn", words.withdrawn, yes_no())}
        {select("source", words.source, sources.to_vec())}
        {day(visit, list, ("createdFrom", words.created_from), Operator::GreaterOrEqual)}
        {day(visit, list, ("createdTo", words.created_to), Operator::LessOrEqual)}
        {of_items}
    }
    .into_html()
}

fn day(visit: &Visit, list: &ListAddress, (name, label): (&'static str, &str), operator: Operator) -> Html {
    let set = set_values(list, "createdAt", operator);
    let set = set.first().and_then(|text| Timestamp::parse(text));
    let value = set.map(|at| visit.account.time_zone.date(at).to_string()).unwrap_or_default();
    field(visit, Field::of_type(name, label, "date").value(value))
}

/// Filters that only lists of items have.
fn item_fields(visit: &Visit, list: &ListAddress) -> Html {
    let words = visit.words.returns;
    let amount = |operator| {
        let set = set_values(list, "purchasePrice", operator);
        set.first().and_then(|text| text.split(' ').next()).unwrap_or_default().to_owned()
    };
    let since = set_values(list, "stageSince", Operator::Less);
    let since = since.first().and_then(|text| Timestamp::parse(text));
    let days = since.map(|at| ((visit.retour.now().seconds() - at.seconds()) / DAY).max(1).to_string());
    let older = Field::of_type("olderThan", words.older_than, "number").value(days.unwrap_or_default());
    let from = Field::text("valueFrom", words.value_from).value(amount(Operator::GreaterOrEqual)).max_length(15);
    let to = Field::text("valueTo", words.value_to).value(amount(Operator::LessOrEqual)).max_length(15);
    view! { {field(visit, older)}{field(visit, from)}{field(visit, to)} }.into_html()
}

/// What a consumer asked for.
pub fn wanted_text(resolution: Resolution, words: &Words) -> &'static str {
    let words = words.returns;
    match resolution {
        Resolution::Refund => words.refund,
        Resolution::Exchange => words.exchange,
        Resolution::StoreCredit => words.store_credit,
    }
}

fn source_text(source: ReturnSource, words: &Words) -> &'static str {
    let words = words.returns;
    match source {
        ReturnSource::Portal => words.source_portal,
        ReturnSource::Api => words.source_api,
        ReturnSource::Merchant => words.source_merchant,
    }
}

fn proposal_text(kind: ProposalKind, words: &Words) -> &'static str {
    let words = words.returns;
    match kind {
        ProposalKind::Adjustment => words.proposal_adjustment,
        ProposalKind::Resolution => words.proposal_resolution,
        ProposalKind::Override => words.proposal_override,
    }
}

/// The name of a queue.
pub fn queue_text(queue: Queue, words: &Words) -> &'static str {
    let words = words.queues;
    match queue {
        Queue::ToDecide => words.to_decide,
        Queue::WaitingForCustomer => words.waiting_for_customer,
        Queue::LabelTrouble => words.label_trouble,
        Queue::LateOnTheWay => words.late_on_the_way,
        Queue::ArrivedNotCounted => words.arrived_not_counted,
        Queue::ToInspect => words.to_inspect,
        Queue::ToApprove => words.to_approve,
        Queue::ToSettle => words.to_settle,
        Queue::ToPay => words.to_pay,
        Queue::PaymentFailed => words.payment_failed,
        Queue::Withdrawn => words.withdrawn,
        Queue::WithoutPapers => words.without_papers,
        Queue::Mine => words.mine,
        Queue::Flagged => words.flagged,
    }
}

/// The filters that are set, each with the address of the list without it.
pub fn chips(visit: &Visit, list: &ListAddress, named: &Named) -> Vec<Chip> {
    let chip = |clause: &String| Chip {
        text: clause_text(visit, clause, named),
        without: visit.path(&list.without(clause).path()),
    };
    list.filters.iter().map(chip).collect()
}

/// A clause in words.
pub fn clause_text(visit: &Visit, clause: &str, named: &Named) -> String {
    let words = visit.words.returns;
    let Some(parts) = clause_parts(clause) else { return clause.to_owned() };
    let label = match parts.field {
        "stage" => words.stage,
        "queue" => words.queue,
        "status" => words.status,
        "requestedResolution" => words.wanted,
        "returnReasonId" => words.reason,
        "sku" => words.sku,
        "carrier" => words.carrier,
        "country" => words.country,
        "shippingOptionId" => words.sending,
        "source" => words.source,
        "gift" => words.gift,
        "withdrawn" => words.withdrawn,
        "hasPhotos" => words.has_photos,
        "proposal" => words.proposal,
        "flag" => visit.words.return_order.flags,
        "flagged" => visit.words.queues.flagged,
        "assigneeId" => visit.words.return_order.assignee,
        "purchasePrice" => words.value,
        "createdAt" => words.created,
        "updatedAt" => words.changed,
        "consumerId" => words.customer,
        "purchaseOrderNumber" => words.order,
        "number" => words.number,
        "stageSince" => words.age,
        other => other,
    };
    let values: Vec<String> = parts.values.iter().map(|value| value_text(visit, parts.field, value, named)).collect();
    let values = values.join(visit.words.common.list_comma);
    let limit = match (parts.operator, parts.field) {
        (Operator::Equal, _) => None,
        (_, "stageSince") => return format(words.since_before, &[&values]),
        (Operator::Greater | Operator::GreaterOrEqual, "purchasePrice") => Some(words.from_value),
        (_, "purchasePrice") => Some(words.to_value),
        (Operator::Greater | Operator::GreaterOrEqual, _) => Some(words.from_time),
        _ => Some(words.to_time),
    };
    let values = limit.map_or(values.clone(), |limit| format(limit, &[&values]));
    format(words.chip, &[label, &values])
}

fn value_text(visit: &Visit, field: &str, value: &str, named: &Named) -> String {
    let (words, locale) = (visit.words, &visit.locale());
    let known = match field {
        "stage" => StageName::parse(value).map(|stage| stage_text(stage, words)),
        "queue" => Queue::from_name(value).map(|queue| queue_text(queue, words)),
        "requestedResolution" => Resolution::from_name(value).map(|one| wanted_text(one, words)),
        "source" => ReturnSource::from_name(value).map(|one| source_text(one, words)),
        "proposal" => ProposalKind::from_name(value).map(|one| proposal_text(one, words)),
        "gift" | "withdrawn" | "hasPhotos" | "flagged" => {
            Some(if value == "true" { words.returns.yes } else { words.returns.no })
        }
        "assigneeId" => {
            Some(&visit.session.user).filter(|user| user.id.to_string() == value).map(|user| user.name.as_str())
        }
        "returnReasonId" => {
            let mut reasons = named.reasons.iter();
            reasons.find(|reason| reason.id.to_string() == value).map(|reason| reason.description.get(locale))
        }
        "shippingOptionId" => {
            let mut options = named.options.iter();
            options.find(|option| option.id.to_string() == value).map(|option| option.name.get(locale))
        }
        _ => None,
    };
    if let Some(text) = known {
        return text.to_owned();
    }
    match Timestamp::parse(value) {
        Some(at) => {
            let calendar = Calendar { zone: &visit.account.time_zone, now: visit.retour.now() };
            ui::dates::day(at, calendar, words)
        }
        None => value.to_owned(),
    }
}

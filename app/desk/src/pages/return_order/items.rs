//! The items of a return: what each is, where it stands, and what can be decided about it.

use crate::{
    components::{
        Action, Field, Hold, Photo, Weight, actions, facts, field, form, moment, money, photo_grid, stage_badge,
    },
    pages::{
        return_order::{
            amendment,
            decisions::{Choice, Decision, Standing, choices, why_not},
            inspection,
            load::{Open, ReturnPage, translated},
            proposal::{limit_below, proposal},
        },
        returns::walk::next_path,
    },
    visit::Visit,
};
use domain::{
    policy::{Resolution, ResolveOn},
    stage::{ReviewReason, StageName as N},
};
use leptos::prelude::*;
use returns::view::ReturnRequestView;
use ui::{
    components::{ProductSummary, product_photo, variant},
    html::{Html, IntoHtml},
    text::{format, plural},
};

/// The items of a return.
pub fn items(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let all = page.requests.iter().map(|request| item(visit, page, request)).collect_view();
    view! {
        <section class="section" aria-labelledby="items-title">
            <h2 id="items-title">{words.items}</h2>
            {all}
        </section>
    }
    .into_html()
}

fn item(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let product = ProductSummary::new(&request.product);
    let sku = (!request.product.sku.is_empty()).then(|| format(words.sku, &[&request.product.sku]));
    let review = request.review_reason.map(|reason| match reason {
        ReviewReason::RefundLimit => words.review_refund_limit,
        ReviewReason::SumsDiffer => words.review_sums,
        ReviewReason::RefundedByShop => words.review_refunded,
    });
    let name = product.name.clone();
    view! {
        <article class="return-item" id=format!("item-{}", request.id)>
            <header class="return-item-head">
                {product_photo(&product, false)}
                <div>
                    <h3><bdi>{name}</bdi></h3>
                    <p class="quiet">{variant(&product)}{sku.map(|sku| view! { <bdi>{sku}</bdi> })}</p>
                </div>
                {stage_badge(request.stage, visit.words)}
            </header>
            <p class="return-next">{next(visit, request)}</p>
            {review.map(|text| view! { <p class="return-warn">{text}</p> })}
            {proposal(visit, page, request)}
            {facts(known(visit, page, request))}
            {photos(visit, page, request)}
            {decisions(visit, page, request)}
        </article>
    }
    .into_html()
}

/// What happens next, and on its own when.
fn next(visit: &Visit, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let text = match request.stage {
        N::RequestedEvidencePending => words.next_evidence,
        N::RequestedReview => words.next_review,
        N::RequestedApproved => words.next_approved,
        N::SubmittedPaymentPending => words.next_payment,
        N::SubmittedLabelPending => words.next_label,
        N::SubmittedLabelFailed => words.next_label_failed,
        N::SubmittedReady => words.next_ready,
        N::ShipmentInTransit => words.next_transit,
        N::ShipmentException => words.next_exception,
        N::ShipmentDelivered => words.next_delivered,
        N::ReceivedPartial => words.next_partial,
        N::ReceivedComplete => words.next_complete,
        N::InspectionPending => words.next_inspection,
        N::ResolutionPending => words.next_decide,
        N::ResolutionApproved if !visit.account.is_settled_by_its_shop() => words.next_pay,
        N::ResolutionApproved | N::ResolutionProcessing => words.next_shop_pays,
        N::ResolutionFailed => words.next_failed,
        N::ResolutionDenied => words.next_denied,
        N::ResolutionCompleted => words.next_completed,
        N::RequestedRejected => words.next_rejected,
        N::ClosedCancelled | N::ClosedExpired => words.next_over,
    };
    let due = request.due_at.map(|at| {
        let sentence = if request.stage == N::ReceivedPartial { words.given_up_at } else { words.ends_at };
        let (before, after) = sentence.split_once("{0}").unwrap_or((sentence, ""));
        view! { " "{before.to_owned()}{moment(at, visit)}{after.to_owned()} }
    });
    view! { {text}{due} }.into_html()
}

/// What is known of an item.
fn known(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Vec<(String, Html)> {
    let words = visit.words.return_order;
    let mut all: Vec<(String, Html)> = Vec::new();
    let mut add = |name: &str, value: Html| all.push((name.to_owned(), value));
    add(words.reason, reason(visit, page, request));
    add(words.wanted, wanted(visit, request));
    let here = format(words.units_here, &[&request.received_quantity.to_string(), &request.quantity.to_string()]);
    let surplus = (request.surplus_quantity > 0)
        .then(|| format!(" · {}", format(words.units_surplus, &[&request.surplus_quantity.to_string()])));
    add(words.units, view! { {here}{surplus} }.into_html());
    if let Some(found) = page.inspections.get(&request.id) {
        add(words.fact_inspection, inspection::found(visit, found));
    }
    let resolution = &request.resolution;
    if let Some(reason) = &resolution.denial_reason {
        add(words.fact_denied, view! { <bdi>{reason.clone()}</bdi> }.into_html());
    }
    if let Some(reference) = &resolution.external_reference {
        add(words.fact_reference, view! { <bdi>{reference.clone()}</bdi> }.into_html());
    }
    if let Some(error) = &resolution.error_message {
        let tries = resolution.failed_attempts;
        let tries = (tries > 0).then(|| {
            let tag = visit.words.language().tag();
            format!(" {}", plural(tag, words.tries, &[&tries.to_string()]))
        });
        let error = error.clone();
        add(words.fact_problem, view! { <span class="return-warn"><bdi>{error}</bdi>{tries}</span> }.into_html());
    }
    all
}

fn reason(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Html {
    let name = page.reasons.get(&request.return_reason_id).cloned();
    let comment = request.return_reason_comment.clone();
    let comment = (!comment.is_empty()).then(|| view! { <p class="return-quote"><bdi>{comment}</bdi></p> });
    let answers = request.answers.iter().map(|answer| {
        let said = answer.text.as_ref().map_or_else(|| answer.value.clone(), |text| translated(text, visit));
        view! { <p><span class="quiet"><bdi>{translated(&answer.question, visit)}</bdi></span>" "<bdi>{said}</bdi></p> }
    });
    view! { <bdi>{name}</bdi>{comment}{answers.collect_view()} }.into_html()
}

/// The wanted resolution, with what was paid and what is given.
fn wanted(visit: &Visit, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let what = match (request.requested_resolution, &request.exchange_for) {
        (Resolution::Refund, _) => words.wants_refund.to_owned(),
        (Resolution::StoreCredit, _) => words.wants_credit.to_owned(),
        (Resolution::Exchange, Some(product)) => {
            let name = if product.name.is_empty() { &product.sku } else { &product.name };
            format(words.wants_exchange_for, &[name])
        }
        (Resolution::Exchange, None) => words.wants_exchange.to_owned(),
    };
    let amount = |sentence: &'static str, amount: Option<domain::Money>| {
        amount.map(|amount| {
            let (before, after) = sentence.split_once("{0}").unwrap_or((sentence, ""));
            view! { <span class="quiet">" · "{before}{money(amount, visit.words)}{after}</span> }
        })
    };
    let (paid, worth) = (amount(words.paid, request.purchase_price), amount(words.worth, request.resolution.value));
    view! { <bdi>{what}</bdi>{paid}{worth} }.into_html()
}

fn photos(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Option<Html> {
    let words = visit.words.return_order;
    let (pictures, files): (Vec<_>, Vec<_>) =
        request.evidence.iter().enumerate().partition(|(_, file)| is_shown(&file.media_type));
    let href = |file: &returns::view::EvidenceView| {
        visit.path(&format!("returns/{}/photos/{}/{}", page.order.number, request.id, file.id))
    };
    let photo = |(index, file): (usize, &returns::view::EvidenceView)| {
        let href = href(file);
        Photo { thumbnail: href.clone(), href, alt: format(words.photo_alt, &[&(index + 1).to_string()]) }
    };
    let photos: Vec<Photo> = pictures.into_iter().map(photo).collect();
    let file = |(index, file): (usize, &returns::view::EvidenceView)| {
        view! { <li><a class="textlink" href=href(file)>{format(words.file, &[&(index + 1).to_string()])}</a></li> }
    };
    let files = (!files.is_empty()).then(|| view! { <ul>{files.into_iter().map(file).collect_view()}</ul> });
    let photos = (!photos.is_empty()).then(|| photo_grid(photos));
    (photos.is_some() || files.is_some())
        .then(|| view! { <div class="return-photos"><h4>{words.photos}</h4>{photos}{files}</div> }.into_html())
}

/// Whether browsers show files of this type.
fn is_shown(media_type: &str) -> bool {
    matches!(media_type, "image/jpeg" | "image/png" | "image/webp")
}

/// The decisions: the possible ones as buttons, the others with the reason, and the open form.
fn decisions(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let (possible, not): (Vec<Choice>, Vec<Choice>) = choices(standing(visit, request), words)
        .into_iter()
        .partition(|choice| choice.why_not.is_none() && may(visit, choice.decision));
    let button = |choice: Choice| action(visit, page, request, choice.decision);
    let possible: Vec<Action> = possible.into_iter().map(button).collect();
    let grey = |choice: Choice| Action::not(choice.decision.text(words), choice.why_not.unwrap_or(words.role));
    let not: Vec<Action> = not.into_iter().map(grey).collect();
    let not_id = format!("not-{}", request.id);
    let not_now = (!not.is_empty()).then(|| {
        view! {
            <details class="return-not">
                <summary>{words.not_now}</summary>
                {actions(visit, &not_id, not)}
            </details>
        }
    });
    let open = match page.open {
        Some(Open::Decision(decision, id)) if id == request.id => Some(open_form(visit, page, request, decision)),
        _ => None,
    };
    view! {
        {actions(visit, &format!("do-{}", request.id), possible)}
        {open}
        {not_now}
    }
    .into_html()
}

/// The button of a decision: it decides at once, or opens the form that asks for more.
fn action(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView, decision: Decision) -> Action {
    let words = visit.words.return_order;
    let text = decision.text(words);
    let (weight, key) = match decision {
        Decision::Approve | Decision::Grant | Decision::Propose => (Weight::Main, Some("a")),
        Decision::Reject | Decision::Deny => (Weight::Second, Some("r")),
        Decision::Count => (Weight::Second, Some("c")),
        Decision::Inspect => (Weight::Second, Some("i")),
        _ => (Weight::Second, None),
    };
    let action = match decision.stage(inspects(visit)).filter(|_| !decision.asks()) {
        Some(stage) => {
            let call = Action::call(text, "move-request", moved(page, request, stage));
            match hold(visit, page, request, decision) {
                Some(hold) => call.hold(hold),
                None => call,
            }
        }
        None => {
            let asked = [("do", decision.name()), ("request", &request.id.to_string())];
            Action::open(text, format!("{}#{}", page.href(visit, &asked), first_field(decision)))
        }
    };
    let action = action.weight(weight);
    match key {
        Some(key) => action.key(key),
        None => action,
    }
}

/// The field that the form of a decision begins with. The link to the form gives it the focus.
fn first_field(decision: Decision) -> &'static str {
    match decision {
        Decision::Count => "quantity",
        Decision::Inspect => "accepted",
        Decision::Complete => "reference",
        Decision::Adjust => "amount",
        _ => "comment",
    }
}

/// What is said while an approval can be undone. Once no other item waits for the same decision, the next return of the list opens.
fn hold(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView, decision: Decision) -> Option<Hold> {
    let words = visit.words.return_order;
    let (waiting, done, failed) = match decision {
        Decision::Approve => (words.approving_in, words.approved, words.approving_failed),
        Decision::Grant => (words.granting_in, words.granted, words.granting_failed),
        _ => return None,
    };
    let number = page.order.number.as_str();
    let waits = page.requests.iter().any(|other| other.id != request.id && other.stage == request.stage);
    let next = if page.from.is_empty() || waits { None } else { next_path(number, &visit.query) };
    Some(Hold {
        about: request.id.to_string(),
        waiting: format(waiting, &[number, "{1}"]),
        done: format(done, &[number]),
        failed: format(failed, &[number]),
        next: next.map(|path| visit.path(&path)),
    })
}

fn standing(visit: &Visit, request: &ReturnRequestView) -> Standing {
    Standing::of(request, limit_below(visit, request).is_some())
}

/// Whether the person's role allows a decision.
fn may(visit: &Visit, decision: Decision) -> bool {
    visit.may(decision.scope(inspects(visit)))
}

fn inspects(visit: &Visit) -> bool {
    visit.account.policy.resolve_on == ResolveOn::Inspection
}

/// The fields of a move to a stage.
fn moved(page: &ReturnPage, request: &ReturnRequestView, stage: N) -> Vec<(&'static str, String)> {
    vec![
        ("request", request.id.to_string()),
        ("stage", stage.as_str().to_owned()),
        ("fromStage", request.stage.as_str().to_owned()),
        ("from", page.from.clone()),
    ]
}

/// The form of a decision. If the decision has become impossible, what was typed stays to be copied.
fn open_form(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView, decision: Decision) -> Html {
    let words = visit.words.return_order;
    let title = decision.text(words);
    let why_not = why_not(decision, standing(visit, request), words).or((!may(visit, decision)).then_some(words.role));
    let function = match decision {
        Decision::Count => "count-units",
        Decision::Inspect => "inspect-units",
        Decision::Adjust => "adjust",
        Decision::Amend => "amend-request",
        Decision::Propose => "propose",
        _ => "move-request",
    };
    let stage = decision.stage(inspects(visit)).unwrap_or(request.stage);
    let hidden = moved(page, request, stage);
    let hidden = hidden.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let back = page.href(visit, &[]);
    let content = view! {
        {hidden.collect_view()}
        {fields(visit, page, request, decision)}
        {why_not.map(|why| view! { <p class="return-warn" id="why-not">{why}</p> })}
        {amendment::effect(visit)}
        <div class="actions">
            {amendment::preview_button(visit, decision)}
            <button class="button" disabled=why_not.is_some()>{title}</button>
            <a class="button button-second" href=back data-press="Escape">{visit.words.common.cancel}</a>
        </div>
    };
    view! {
        <section class="return-open" id="open" tabindex="-1" aria-label=title>
            <h4>{title}</h4>
            {form(visit, function, content)}
            {curl(visit, request, decision)}
        </section>
    }
    .into_html()
}

/// What the form of a decision asks for.
fn fields(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView, decision: Decision) -> Html {
    let words = visit.words.return_order;
    let comment = Field::lines("comment", words.comment).max_length(2_000).required();
    let missing = request.quantity.saturating_sub(request.received_quantity + request.surplus_quantity);
    match decision {
        Decision::Approve | Decision::Grant | Decision::Retry => ().into_html(),
        Decision::Reject | Decision::Deny => field(visit, comment.hint(words.reject_hint)),
        Decision::Lost | Decision::Reopen => {
            field(visit, Field::lines("comment", words.comment_internal).max_length(2_000).required())
        }
        Decision::GiveUp => field(visit, Field::lines("comment", words.comment_internal).max_length(2_000)),
        Decision::Count => {
            field(visit, Field::of_type("quantity", words.quantity, "number").value(missing.to_string()).required())
        }
        Decision::Complete => {
            let reference = Field::text("reference", words.reference).hint(words.reference_hint).max_length(200);
            field(visit, reference)
        }
        Decision::Adjust => {
            let currency = request.purchase_price.map(|price| price.currency.code().to_owned()).unwrap_or_default();
            let amount = Field::text("amount", format(words.amount, &[&currency])).hint(words.amount_hint).required();
            let reason = Field::lines("reason", words.comment_internal).max_length(500).required();
            view! { {field(visit, amount)}{field(visit, reason)} }.into_html()
        }
        Decision::Propose => {
            let limit = limit_below(visit, request).map(|limit| ui::money::format(limit, visit.words));
            let why = Field::lines("comment", words.comment_internal).max_length(500).required();
            let hint = limit.map(|limit| format(words.propose_hint, &[&limit]));
            field(visit, hint.into_iter().fold(why, Field::hint))
        }
        Decision::Inspect => inspection::fields(visit, request),
        Decision::Amend => amendment::fields(visit, page, request),
    }
}

/// The request of the API that does the same, for developers.
fn curl(visit: &Visit, request: &ReturnRequestView, decision: Decision) -> Html {
    let (id, from) = (request.id, request.stage);
    let (method, path, body) = match decision {
        Decision::Count => ("POST", "/receipts", format!("{{\"quantity\": {}}}", request.quantity)),
        Decision::Inspect => ("POST", "/inspection", "{\"accepted\": 1, \"refused\": 0}".to_owned()),
        Decision::Adjust => {
            let currency = request.purchase_price.map(|price| price.currency.code().to_owned()).unwrap_or_default();
            let amount = format!("{{\"value\": \"-5.00\", \"currency\": \"{currency}\"}}");
            ("POST", "/adjustments", format!("{{\"amount\": {amount}, \"reason\": \"…\", \"fromStage\": \"{from}\"}}"))
        }
        Decision::Propose => {
            let body = format!("{{\"kind\": \"Resolution\", \"comment\": \"…\", \"fromStage\": \"{from}\"}}");
            ("POST", "/proposals", body)
        }
        Decision::Amend => {
            let quantity = request.quantity;
            (
                "POST",
                "/amendments",
                format!("{{\"quantity\": {quantity}, \"reason\": \"…\", \"fromStage\": \"{from}\"}}"),
            )
        }
        decision => {
            let to = decision.stage(inspects(visit)).unwrap_or(from);
            ("PATCH", "", format!("{{\"stage\": \"{to}\", \"fromStage\": \"{from}\", \"comment\": \"…\"}}"))
        }
    };
    let text = format!(
        "curl -X {method} $BASE/api/v0/return-requests/{id}{path} \\\n  -H \"Authorization: Bearer $KEY\" -H 'Content-Type: \
         application/json' \\\n  -d '{body}'"
    );
    view! {
        <details class="curl">
            <summary>{visit.words.return_order.as_curl}</summary>
            <pre dir="ltr"><code>{text}</code></pre>
        </details>
    }
    .into_html()
}

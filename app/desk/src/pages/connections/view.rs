//! The connected systems: for each kind of call, the last success, the last error and the next try.

use crate::{
    components::{Column, Row, age, empty, moment, table},
    visit::Visit,
    words::Words,
};
use domain::integration::{IntegrationOperation, IntegrationRole};
use leptos::prelude::*;
use returns::view::{HealthView, Integration, IntegrationKind, OperationHealth};
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// The page.
pub fn connections_page(visit: &Visit, all: Vec<Integration>) -> Html {
    let words = visit.words.connections;
    let list = if all.is_empty() {
        empty(words.none_title, words.none, None)
    } else {
        let fails = all.iter().any(|one| one.health.failed_attempts > 0);
        let hint = fails.then(|| view! { <p class="notice">{words.hint}</p> });
        let systems = all.into_iter().map(|one| system(visit, one)).collect_view();
        view! { {hint}{systems} }.into_html()
    };
    view! {
        <h1>{words.title}</h1>
        <p class="lede">{words.lede}</p>
        {list}
    }
    .into_html()
}

/// Whether staff should look at a system: calls to it fail, or its connection ends soon.
pub fn has_problem(integration: &Integration) -> bool {
    integration.health.failed_attempts > 0 || integration.warning.is_some()
}

fn system(visit: &Visit, integration: Integration) -> Html {
    let words = visit.words.connections;
    let role = role_text(integration.role, visit.words);
    let (state, tone) = match &integration.health {
        HealthView { failed_attempts: 1.., .. } => (words.fails, "warn"),
        HealthView { last_success_at: Some(_), .. } => (words.works, "good"),
        HealthView { .. } => (words.not_called, "quiet"),
    };
    // Texts of the service about a call are in English.
    let warning = integration.warning.map(|warning| view! { <p class="notice" lang="en" dir="ltr">{warning}</p> });
    let calls = if integration.operations.is_empty() {
        view! { <p class="quiet">{words.none_called}</p> }.into_html()
    } else {
        let columns =
            [words.operation, words.last_success, words.attempts, words.last_error, words.next_try].map(Column::new);
        let rows = integration.operations.into_iter().map(|one| row(visit, one)).collect();
        table(format(words.caption, &[role]), columns.into(), rows)
    };
    view! {
        <section class="section">
            <h2>{role}": "<bdi>{kind_text(integration.kind, visit.words)}</bdi>" "<span class="badge" data-tone=tone>{state}</span></h2>
            {warning}
            {calls}
        </section>
    }
    .into_html()
}

fn row(visit: &Visit, OperationHealth { operation, health }: OperationHealth) -> Row {
    let words = visit.words.connections;
    let fails = health.failed_attempts > 0;
    let quiet = |text: &'static str| view! { <span class="quiet">{text}</span> }.into_html();
    let error = match (health.last_error_at, health.error_message) {
        (Some(at), Some(message)) => view! { {age(at, visit)}<br/><bdi lang="en">{message}</bdi> }.into_html(),
        _ => quiet(words.no_error),
    };
    let attempts = health.failed_attempts.to_string();
    let attempts =
        if fails { view! { <strong class="late">{attempts}</strong> }.into_html() } else { attempts.into_html() };
    let next = match health.next_attempt_at {
        Some(at) => moment(at, visit),
        None if fails => quiet(words.when_needed),
        None => quiet("–"),
    };
    let success = health.last_success_at.map_or_else(|| quiet(words.never), |at| age(at, visit));
    let row = Row::new(vec![operation_text(operation, visit.words).into_html(), success, attempts, error, next]);
    if fails { row.toned("warn") } else { row }
}

/// The part that a system plays.
pub fn role_text(role: IntegrationRole, words: &Words) -> &'static str {
    let words = words.connections;
    match role {
        IntegrationRole::Shop => words.shop,
        IntegrationRole::Carrier => words.carrier,
        IntegrationRole::PaymentProvider => words.payments,
    }
}

fn kind_text(kind: IntegrationKind, words: &Words) -> &'static str {
    match kind {
        IntegrationKind::Http | IntegrationKind::Bridge => words.connections.own,
        IntegrationKind::Vendure => "Vendure",
        IntegrationKind::Medusa => "Medusa",
        IntegrationKind::Shopify => "Shopify",
        IntegrationKind::Karrio => "karrio",
        IntegrationKind::Stripe => "Stripe",
        IntegrationKind::Mollie => "Mollie",
    }
}

fn operation_text(operation: IntegrationOperation, words: &Words) -> &'static str {
    let words = words.connections;
    match operation {
        IntegrationOperation::LookUp => words.look_up,
        IntegrationOperation::Resolution => words.resolution,
        IntegrationOperation::Return => words.shop_return,
        IntegrationOperation::Label => words.label,
        IntegrationOperation::Tracking => words.tracking,
        IntegrationOperation::Voiding => words.voiding,
        IntegrationOperation::Checkout => words.checkout,
        IntegrationOperation::PaymentStatus => words.payment_status,
        IntegrationOperation::Refund => words.refund,
    }
}

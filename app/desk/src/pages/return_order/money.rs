//! The money of a return, as the customer sees it.

use crate::{components::money, pages::return_order::load::ReturnPage, visit::Visit, words::ReturnOrder};
use domain::{Money, costs::LineKind, payment::PaymentState};
use leptos::prelude::*;
use returns::view::PaymentView;
use ui::{
    components::ProductSummary,
    html::{Html, IntoHtml},
    text::format,
};

/// The lines of the costs, their totals, and the payment.
pub fn money_section(visit: &Visit, page: &ReturnPage) -> Option<Html> {
    let words = visit.words.return_order;
    let costs = page.order.costs.breakdown()?;
    let has_several = page.requests.len() > 1;
    let name = |purchase| {
        let of = page.requests.iter().find(|request| has_several && request.purchase_id == purchase)?;
        Some(ProductSummary::new(&of.product).name)
    };
    let lines = costs.lines.iter().map(|line| {
        let of = name(line.purchase_id).map(|name| view! { " "<span class="quiet"><bdi>{name}</bdi></span> });
        view! { <tr><th scope="row">{line_text(line.kind, words)}{of}</th><td class="number">{money(line.amount, visit.words)}</td></tr> }
    });
    let total = |text: &'static str, amount: Money, is_always: bool| {
        (is_always || amount.minor != 0).then(|| {
            view! { <tr class="total"><th scope="row">{text}</th><td class="number">{money(amount, visit.words)}</td></tr> }
        })
    };
    let totals = (
        total(words.total_refund, costs.estimated_refund, costs.estimated_credit.minor == 0),
        total(words.total_credit, costs.estimated_credit, false),
        total(words.total_payable, costs.payable_now, false),
    );
    Some(
        view! {
            <section class="section" aria-labelledby="money-title">
                <h2 id="money-title">{words.money}</h2>
                <table class="sums">
                    <caption class="quiet">{words.money_hint}</caption>
                    <tbody>{lines.collect_view()}</tbody>
                    <tfoot>{totals}</tfoot>
                </table>
                {page.order.payment.as_ref().map(|paid| payment(visit, paid))}
            </section>
        }
        .into_html(),
    )
}

fn line_text(kind: LineKind, words: &ReturnOrder) -> &'static str {
    match kind {
        LineKind::ItemRefund => words.line_items,
        LineKind::OutboundShippingRefund => words.line_outbound,
        LineKind::ReturnShipping => words.line_return,
        LineKind::RestockingFee => words.line_restocking,
        LineKind::RequestFee => words.line_fee,
        LineKind::StoreCreditBonus => words.line_bonus,
        LineKind::ExchangeValue => words.line_exchange,
        LineKind::FeeWaiver => words.line_waiver,
        LineKind::RefundLimit => words.line_limit,
        LineKind::Adjustment => words.line_adjustment,
    }
}

/// What the customer paid or has to pay, and what went wrong with it.
fn payment(visit: &Visit, payment: &PaymentView) -> Html {
    let words = visit.words.return_order;
    let state = match payment.status {
        PaymentState::Pending if payment.on_its_way => words.payment_on_its_way,
        PaymentState::Pending => words.payment_pending,
        PaymentState::Paid => words.payment_paid,
        PaymentState::Expired => words.payment_closed,
    };
    let refunded = (payment.refunded.minor > 0).then(|| {
        let (before, after) = words.payment_refunded.split_once("{0}").unwrap_or_default();
        view! { <p>{before}{money(payment.refunded, visit.words)}{after}</p> }
    });
    let error = payment.error_message.as_ref();
    let error = error.map(|error| view! { <p class="return-warn"><bdi>{format(words.error, &[error])}</bdi></p> });
    view! {
        <h3>{words.payment}</h3>
        <p>{money(payment.amount, visit.words)}" · "{state}</p>
        {refunded}
        {error}
    }
    .into_html()
}

//! `/{slug}/purchases`: selects what to return.

use crate::{
    amounts::estimate::{OutboundShipping, Pick, Terms, estimate},
    islands::matches,
    pages::purchases::{
        estimates::{outbound, pick, replacements, terms, weight},
        limits,
        row::{PurchaseRow, ReasonOption, RowQuestions, RowState},
        view::{Order, Purchases, PurchasesPage, heading},
    },
    selection::purchases::image_hosts,
    visit::{
        response::HandlerResult,
        shop::{Framing, ShopRequest},
        state::Flash,
        visitor::Visitor,
    },
};
use axum::{extract::RawQuery, http::StatusCode};
use domain::{Percent, order::IneligibleCode, policy::Resolution};
use leptos::prelude::*;
use returns::{PurchasesToChoose, ReturnedWith, view};
use ui::{
    components::{NoticeText, ProductSummary, Tone, icons},
    dates::{Calendar, day},
    html::IntoHtml,
    money,
    text::{format, plural},
    web::form::Fields,
};

/// Longer searches are cut: no name of a product is longer.
const MAX_SEARCH_CHARS: usize = 200;

/// Shows the list.
pub async fn show(mut visitor: Visitor, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let shop = &visitor.shop;
    let to_choose = shop.retour.consumer(&visitor.shopper).purchases_to_choose(&shop.locale).await;
    let to_choose = to_choose.map_err(|error| shop.failed(&error))?;
    let mine = |flash: &Flash| !matches!(flash, Flash::OptionMissing | Flash::CannotCancel | Flash::Details(..));
    let flash = visitor.shop.take_flash(mine).await?;
    let page = page(&visitor.shop, &to_choose, flash.as_ref(), &query);
    let status = match flash {
        Some(Flash::NothingChosen | Flash::Mistakes(_)) => StatusCode::UNPROCESSABLE_ENTITY,
        Some(Flash::Fewer(_) | Flash::DraftOver) => StatusCode::CONFLICT,
        _ => StatusCode::OK,
    };
    let framing = Framing {
        is_error: matches!(flash, Some(Flash::NothingChosen | Flash::Mistakes(_) | Flash::Fewer(_))),
        wide: page.returnable > 0,
        islands: page.returnable > 0,
        ..Framing::default()
    };
    let words = visitor.shop.words;
    let title = match (page.total, page.returnable) {
        (0, _) => words.order_empty_title,
        (_, 0) => words.nothing_can_title,
        _ => words.choose_title,
    };
    Ok(visitor.shop.page(status, title, framing, &image_hosts(&to_choose.purchases), move || {
        view! { <PurchasesPage page words/> }.into_html()
    }))
}

fn page(shop: &ShopRequest, to_choose: &PurchasesToChoose, flash: Option<&Flash>, query: &Fields) -> Purchases {
    let PurchasesToChoose { purchases, returned_with, outbound_shipping } = to_choose;
    let no_mistakes = Vec::new();
    let wrong = match flash {
        Some(Flash::Mistakes(wrong) | Flash::Fewer(wrong)) => wrong,
        _ => &no_mistakes,
    };
    let (search, only) =
        (query.get("q").trim().chars().take(MAX_SEARCH_CHARS).collect::<String>(), !query.get("only").is_empty());
    let choices = &shop.visit.choices;
    let calendar = Calendar { zone: &shop.account.time_zone, now: shop.retour.now() };
    let mut orders: Vec<Order> = Vec::new();
    for (number, purchase) in (1..).zip(purchases) {
        let mut row = row(shop, format!("p{number}"), purchase, returned_with.get(&purchase.id), calendar);
        row.outbound = outbound(outbound_shipping, purchase.order_id);
        row.mistakes = wrong.iter().filter(|(id, _)| *id == purchase.id).map(|(_, mistake)| *mistake).collect();
        let called = format!("{} {}", row.product.name, row.product.attributes.join(" "));
        row.shown = matches(&called, &search) && (row.state.is_returnable() || !only);
        match orders.iter_mut().find(|order| order.number == purchase.order_number) {
            Some(order) => order.rows.push(row),
            None => {
                let (number, about, limit) = (purchase.order_number.clone(), String::new(), String::new());
                orders.push(Order { number, about, limit, rows: vec![row] });
            }
        }
    }
    for order in &mut orders {
        about_order(shop, order, purchases, calendar);
        order.limit = limits::sentence(shop, &order.number, purchases);
    }
    let selected = if search.is_empty() { Vec::new() } else { take_selected(&mut orders) };
    let returnable = purchases.iter().filter(|purchase| purchase.eligibility.returnable);
    let first = returnable.clone().next();
    let is_gift = purchases.iter().any(|purchase| purchase.prices.is_none());
    let terms = (!is_gift).then(|| Terms { left: limits::left(purchases.iter()), ..terms(shop, first) });
    let is_chosen = |purchase: &&view::PurchaseView| choices.get(&purchase.id).is_some_and(|choice| choice.chosen);
    let picks: Vec<Pick> = returnable
        .clone()
        .filter(is_chosen)
        .filter_map(|purchase| {
            pick(shop, choices.get(&purchase.id)?, purchase, outbound(outbound_shipping, purchase.order_id))
        })
        .collect();
    Purchases {
        theme: shop.theme.clone(),
        total: purchases.len(),
        returnable: returnable.clone().count(),
        chosen: returnable.clone().filter(is_chosen).count(),
        query: search,
        only,
        asked: asked(returnable.clone().find(|purchase| !can_be_exchanged(purchase))),
        asked_with_exchange: asked(returnable.clone().find(|purchase| can_be_exchanged(purchase))),
        bonus: bonus(shop),
        receipt: terms.as_ref().and_then(|terms| estimate(terms, &picks, shop.words.live())),
        terms,
        nothing_chosen: flash == Some(&Flash::NothingChosen),
        notice: notice(shop, flash),
        // Notice and mistakes share one message.
        cause: matches!(flash, Some(Flash::Fewer(_))).then_some(shop.words.fewer_now),
        orders,
        selected,
    }
}

/// Moves selected rows out of their orders: they are not results of the search.
fn take_selected(orders: &mut [Order]) -> Vec<PurchaseRow> {
    let mut selected = Vec::new();
    for (order, number) in orders.iter_mut().zip(1..) {
        let is_chosen = |row: &mut PurchaseRow| row.choice.chosen && row.state.is_returnable();
        selected.extend(order.rows.extract_if(.., is_chosen).map(|row| PurchaseRow {
            shown: true,
            home: Some(heading(number)),
            ..row
        }));
    }
    selected
}

fn notice(shop: &ShopRequest, flash: Option<&Flash>) -> Option<NoticeText> {
    let words = shop.words;
    let warn = |text| Some(NoticeText { icon: icons::ALERT, tone: Tone::Warn, title: words.draft_over_title, text });
    match flash? {
        Flash::Asking => {
            Some(NoticeText { icon: icons::INFO, tone: Tone::Quiet, title: words.now_say_title, text: words.now_say })
        }
        Flash::DraftOver => warn(words.draft_over),
        // With mistakes, the message about them says it.
        Flash::Fewer(wrong) if wrong.is_empty() => warn(words.fewer_now),
        _ => None,
    }
}

fn row(
    shop: &ShopRequest,
    key: String,
    purchase: &view::PurchaseView,
    with: Option<&ReturnedWith>,
    calendar: Calendar<'_>,
) -> PurchaseRow {
    let state = if purchase.eligibility.returnable {
        let dearer = purchase.prices.map_or(0, |prices| prices.dearer_units);
        RowState::Returnable { left: purchase.returnable_quantity, dearer, until: None }
    } else {
        let code = purchase.eligibility.code;
        let by_date = matches!(code, Some(IneligibleCode::ReturnWindowExpired | IneligibleCode::NotFulfilled));
        let with = with.map(|with| (with.number.clone(), shop.theme.path(&format!("returns/{}", with.id))));
        RowState::Not { by_date, why: why_not(shop, purchase, calendar), with }
    };
    PurchaseRow {
        key,
        id: purchase.id,
        product: ProductSummary::new(&purchase.product),
        bought: purchase.quantity,
        unit_price: purchase.prices.map(|prices| prices.unit_price),
        weight: weight(shop, purchase),
        exchange: replacements(shop, purchase),
        state,
        choice: shop.visit.choices.get(&purchase.id).cloned().unwrap_or_default(),
        mistakes: Vec::new(),
        shown: true,
        home: None,
        outbound: OutboundShipping::default(),
    }
}

fn why_not(shop: &ShopRequest, purchase: &view::PurchaseView, calendar: Calendar<'_>) -> String {
    let words = shop.words;
    match purchase.eligibility.code {
        Some(IneligibleCode::FinalSale) => words.final_sale.to_owned(),
        Some(IneligibleCode::ReturnWindowExpired) => {
            match (shop.account.policy.return_window_days, purchase.eligibility.return_by) {
                (Some(days), Some(until)) => {
                    plural(words.tag, words.window_over, &[&days.to_string(), &day(until, calendar, words)])
                }
                _ => words.window_over_plain.to_owned(),
            }
        }
        Some(IneligibleCode::NotFulfilled) => words.not_sent.to_owned(),
        Some(IneligibleCode::AlreadyReturned) => words.on_its_way_back.to_owned(),
        Some(IneligibleCode::NoShippingOption | IneligibleCode::NoReturnReason) => words.not_set_up.to_owned(),
        Some(IneligibleCode::ReturnedElsewhere) => words.returned_elsewhere.to_owned(),
        Some(IneligibleCode::NotInOrder) => words.not_in_order.to_owned(),
        Some(IneligibleCode::NotShippable) => words.not_shippable.to_owned(),
        Some(IneligibleCode::NotReturnable) | None => words.not_taken_back.to_owned(),
    }
}

/// Sets the return deadline of an order if all its items share it, and of each row otherwise.
fn about_order(shop: &ShopRequest, order: &mut Order, purchases: &[view::PurchaseView], calendar: Calendar<'_>) {
    let words = shop.words;
    let of_order = || purchases.iter().filter(|purchase| purchase.order_number == order.number);
    let until = |purchase: &view::PurchaseView| purchase.eligibility.return_by.map(|by| day(by, calendar, words));
    let mut days: Vec<Option<String>> =
        of_order().filter(|purchase| purchase.eligibility.returnable).map(until).collect();
    days.dedup();
    let ordered =
        of_order().next().map(|purchase| format(words.ordered_on, &[&day(purchase.ordered_at, calendar, words)]));
    if let [Some(day)] = days.as_slice() {
        order.about = format(words.return_until, &[day]);
        return;
    }
    order.about = ordered.unwrap_or_default();
    for row in &mut order.rows {
        let by = purchases.iter().find(|purchase| purchase.id == row.id).and_then(until);
        if let RowState::Returnable { until, .. } = &mut row.state {
            *until = by.map(|day| format(words.return_until, &[&day]));
        }
    }
}

fn can_be_exchanged(purchase: &view::PurchaseView) -> bool {
    purchase.resolutions.contains(&Resolution::Exchange)
}

/// The questions about purchases like this one.
fn asked(purchase: Option<&view::PurchaseView>) -> RowQuestions {
    purchase.map_or_else(RowQuestions::default, |purchase| RowQuestions {
        reasons: reasons(&purchase.return_reasons),
        resolutions: purchase.resolutions.clone(),
    })
}

/// The reasons in the merchant's order, with refining reasons below theirs. Reasons without any resolution are left out.
fn reasons(offered: &[view::ReturnReasonView]) -> Vec<ReasonOption> {
    let offered: Vec<_> = offered.iter().filter(|reason| !reason.resolutions.is_empty()).collect();
    let reason = |reason: &view::ReturnReasonView, finer| ReasonOption {
        id: reason.id,
        text: reason.description.clone(),
        finer,
    };
    let finer = |of: &view::ReturnReasonView| {
        offered.iter().filter(|one| one.parent_id == Some(of.id)).map(|one| reason(one, Vec::new())).collect()
    };
    let known = |id| offered.iter().any(|one| one.id == id);
    offered.iter().filter(|one| one.parent_id.is_none_or(|id| !known(id))).map(|one| reason(one, finer(one))).collect()
}

fn bonus(shop: &ShopRequest) -> String {
    let bonus = shop.account.policy.store_credit_bonus_percent;
    if bonus == Percent::default() { String::new() } else { money::percent(bonus, shop.words.live()) }
}

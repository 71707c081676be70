//! The page of purchases as a shopper sees it.

use crate::{
    amounts::estimate::OutboundShipping,
    forms::choice::{Choice, ChoiceMistake},
    frame::{
        render::{html, tags},
        theme::Theme,
    },
    pages::purchases::{
        limits,
        row::{PurchaseRow, ReasonOption, RowQuestions, RowState, Shared},
        row_view::RowItem,
        view::{Order, Purchases, PurchasesPage},
    },
    words::EN,
};
use domain::{
    Currency, Money, OrderId, PurchaseId, ReturnReasonId, Timestamp,
    order::{ExchangeOption, Product},
    policy::Resolution::{self, Exchange, Refund, StoreCredit},
};
use leptos::prelude::*;
use returns::view::{EligibilityView, PurchasePrices, PurchaseView};
use ui::{components::ProductSummary, html::IntoHtml};
use uuid::Uuid;

fn pounds(minor: i64) -> Money {
    Money::new(minor, Currency::from_code("GBP").unwrap())
}

fn reason(number: u128, finer: Vec<ReasonOption>) -> ReasonOption {
    ReasonOption { id: ReturnReasonId(Uuid::from_u128(number)), text: format!("Reason {number}"), finer }
}

fn reasons(count: u128) -> Vec<ReasonOption> {
    (1..=count).map(|number| reason(number, Vec::new())).collect()
}

fn returnable(left: u32) -> RowState {
    RowState::Returnable { left, dearer: 0, until: None }
}

fn not_returnable() -> RowState {
    RowState::Not { by_date: false, why: "It stays".to_owned(), with: None }
}

/// A row of one mug, of which this many units are returnable.
fn row(number: u128, state: RowState) -> PurchaseRow {
    PurchaseRow {
        key: format!("p{number}"),
        id: PurchaseId(Uuid::from_u128(number)),
        product: ProductSummary { name: format!("Mug {number}"), image: None, attributes: Vec::new() },
        bought: 1,
        unit_price: Some(pounds(1_250)),
        weight: 500,
        exchange: Vec::new(),
        state,
        choice: Choice::default(),
        mistakes: Vec::new(),
        shown: true,
        home: None,
        outbound: OutboundShipping::default(),
    }
}

fn shared(reasons: Vec<ReasonOption>, resolutions: &[Resolution]) -> Shared {
    let asked = RowQuestions { reasons, resolutions: resolutions.to_vec() };
    Shared { asks_all: true, asked: asked.clone(), asked_with_exchange: asked, bonus: "10%".to_owned() }
}

fn row_alone(row: PurchaseRow, shared: Shared) -> String {
    html(|| view! { <RowItem row shared words=&EN/> }.into_html())
}

/// The row with three reasons and the choice between a refund and store credit.
fn plain(row: PurchaseRow) -> String {
    row_alone(row, shared(reasons(3), &[Refund, StoreCredit]))
}

fn page(rows: Vec<PurchaseRow>) -> Purchases {
    let is_returnable = |row: &&PurchaseRow| row.state.is_returnable();
    Purchases {
        theme: Theme::for_tests(),
        total: rows.len(),
        returnable: rows.iter().filter(is_returnable).count(),
        chosen: 0,
        orders: vec![Order { number: "1001".to_owned(), about: String::new(), limit: String::new(), rows }],
        selected: Vec::new(),
        query: String::new(),
        only: false,
        asked: RowQuestions { reasons: reasons(3), resolutions: vec![Refund] },
        asked_with_exchange: RowQuestions::default(),
        bonus: String::new(),
        terms: None,
        receipt: None,
        nothing_chosen: false,
        notice: None,
        cause: None,
    }
}

fn shown(page: Purchases) -> String {
    html(|| view! { <PurchasesPage page words=&EN/> }.into_html())
}

/// The links of the mistakes: address and text.
fn alerts(html: &str) -> Vec<String> {
    let (_, list) = html.split_once("role=\"alert\"").unwrap_or_default();
    let (list, _) = list.split_once("</ul>").unwrap_or_default();
    let links = list.split("<li><a href=\"").skip(1).filter_map(|rest| rest.split("</a>").next());
    links.map(|link| link.replace("\">", " ")).collect()
}

#[test]
fn a_long_list_asks_only_about_selected_and_exchangeable_rows() {
    let long = Shared { asks_all: false, ..Shared::default() };
    let blank = row(1, returnable(1));
    let chosen = PurchaseRow { choice: Choice { chosen: true, ..Choice::default() }, ..blank.clone() };
    let swap = ExchangeOption { sku: "L".to_owned(), name: "Size L".to_owned() };
    let exchangeable = PurchaseRow { exchange: vec![swap], ..blank.clone() };
    assert_eq!([&blank, &chosen, &exchangeable].map(|row| long.asks(row)), [false, true, true]);
    assert!(Shared { asks_all: true, ..Shared::default() }.asks(&blank));
}

#[test]
fn a_row_that_cannot_be_returned_has_a_reason_and_no_fields() {
    assert!(returnable(1).is_returnable() && !not_returnable().is_returnable());
    let stays = plain(row(1, not_returnable()));
    assert!(stays.contains("<span>It stays</span>") && !stays.contains("<input"), "{stays}");
    let goes = plain(row(1, returnable(1)));
    assert_eq!(tags(&goes, "<input", &["type=\"checkbox\"", "id=\"p1\"", "name=\"p1.take\""]).len(), 1, "{goes}");
    assert!(!tags(&goes, "<input", &["type=\"checkbox\""])[0].contains(" checked"), "{goes}");
}

#[test]
fn the_price_is_that_of_a_unit_unless_units_differ() {
    let price = |bought, state, unit_price| {
        let html = plain(PurchaseRow { bought, unit_price, ..row(1, state) });
        let (_, price) = html.split_once("class=\"item-price\"")?;
        let (_, price) = price.split_once('>')?;
        let text = price.split("</p>").next()?.split('<').map(|part| part.rsplit('>').next().unwrap_or_default());
        Some(text.collect::<String>())
    };
    let dearer = |left, dearer| RowState::Returnable { left, dearer, until: None };
    let each = format!("£12.50 {}", EN.live().each);
    assert_eq!(price(1, dearer(1, 0), Some(pounds(1_250))).as_deref(), Some("£12.50"));
    assert_eq!(price(2, dearer(1, 0), Some(pounds(1_250))).as_deref(), Some(each.as_str()));
    assert_eq!(price(3, dearer(3, 1), Some(pounds(1_250))).as_deref(), Some("£37.51 for 3"));
    assert_eq!(price(1, dearer(1, 1), Some(pounds(1_250))).as_deref(), Some("£12.51"));
    assert_eq!(price(1, not_returnable(), Some(pounds(1_250))).as_deref(), Some("£12.50"));
    assert_eq!(price(1, dearer(1, 0), None), None, "the recipient of a gift sees no price");
}

#[test]
fn the_quantity_is_asked_for_if_there_is_a_choice() {
    let one = plain(row(1, returnable(1)));
    assert_eq!(tags(&one, "<input", &["name=\"p1.quantity\""]).len(), 1, "{one}");
    assert_eq!(tags(&one, "<input", &["type=\"hidden\"", "name=\"p1.quantity\"", "value=\"1\""]).len(), 1, "{one}");
    let several = |quantity: &str, mistakes: &[ChoiceMistake]| {
        let choice = Choice { quantity: quantity.to_owned(), ..Choice::default() };
        plain(PurchaseRow { bought: 3, choice, mistakes: mistakes.to_vec(), ..row(1, returnable(3)) })
    };
    for (typed, value, fewer, more) in [("", "1", 0, 1), ("2", "2", 1, 1), ("3", "3", 1, 0)] {
        let page = several(typed, &[]);
        let value = format!("value=\"{value}\"");
        let input = tags(&page, "<input", &["id=\"p1-qty\"", "type=\"number\"", "max=\"3\"", &value]);
        assert!(input.len() == 1 && !input[0].contains("aria-invalid"), "{typed}: {page}");
        let open = |step: &str| 1 - tags(&page, "<button", &[step, " disabled"]).len();
        assert_eq!((open("data-step=\"-1\""), open("data-step=\"1\"")), (fewer, more), "{typed}: {page}");
        assert_eq!(page.matches("<div class=\"field\">").count(), 2, "quantity and note: {page}");
    }
    let wrong = several("", &[ChoiceMistake::QuantityWrong]);
    let described = "aria-describedby=\"p1-max p1-qty-error\"";
    let input = tags(&wrong, "<input", &["id=\"p1-qty\"", "value=\"\"", "aria-invalid=\"true\"", described]);
    assert_eq!(input.len(), 1, "what was typed stays: {wrong}");
    assert_eq!(wrong.matches("class=\"field has-error\"").count(), 1, "{wrong}");
    assert!(wrong.contains("Enter a number from 1 to 3"), "{wrong}");
}

#[test]
fn a_few_reasons_are_chips_and_many_or_grouped_ones_are_a_list() {
    let chosen = |number: u128, reasons| {
        let choice = Choice { chosen: true, reason: Uuid::from_u128(number).to_string(), ..Choice::default() };
        row_alone(PurchaseRow { choice, ..row(1, returnable(1)) }, shared(reasons, &[Refund]))
    };
    let chips = chosen(2, reasons(7));
    let radios = tags(&chips, "<input", &["type=\"radio\"", "name=\"p1.reason\""]);
    let checked: Vec<bool> = radios.iter().map(|tag| tag.contains(" checked")).collect();
    assert_eq!(checked, [false, true, false, false, false, false, false], "{chips}");
    let linked: Vec<bool> = radios.iter().map(|tag| tag.contains("id=\"p1-why\"")).collect();
    assert_eq!(linked, [true, false, false, false, false, false, false], "{chips}");
    let list = chosen(2, reasons(8));
    assert!(list.contains("<select id=\"p1-why\"") && !list.contains("name=\"p1.reason\" value"), "{list}");
    let selected = tags(&list, "<option", &[" selected"]);
    assert!(selected.len() == 1 && selected[0].contains(&Uuid::from_u128(2).to_string()), "{list}");
    let grouped = chosen(9, vec![reason(1, vec![reason(9, Vec::new())]), reason(2, Vec::new())]);
    assert_eq!(tags(&grouped, "<optgroup", &["label=\"Reason 1\""]).len(), 1, "{grouped}");
    assert_eq!(tags(&grouped, "<optgroup", &[]).len(), 1, "{grouped}");
    assert_eq!(tags(&grouped, "<option", &[" selected"]).len(), 1, "{grouped}");
}

#[test]
fn the_resolution_is_asked_for_if_there_is_a_choice() {
    let with = |typed: &str, offered: &[Resolution]| {
        let choice = Choice { chosen: true, resolution: typed.to_owned(), ..Choice::default() };
        row_alone(PurchaseRow { choice, ..row(1, returnable(1)) }, shared(reasons(3), offered))
    };
    for (typed, wanted) in [("", [false, true]), ("StoreCredit", [true, false]), ("nonsense", [false, true])] {
        let page = with(typed, &[StoreCredit, Refund]);
        let radios = tags(&page, "<input", &["type=\"radio\"", "name=\"p1.resolution\""]);
        let checked: Vec<bool> = radios.iter().map(|tag| tag.contains(" checked")).collect();
        assert_eq!(checked, wanted, "{typed}: {page}");
        let linked: Vec<bool> = radios.iter().map(|tag| tag.contains("id=\"p1-what\"")).collect();
        assert_eq!(linked, [true, false], "{page}");
        let has_bonus: Vec<bool> =
            page.split("<label class=\"choice\">").skip(1).map(|label| label.contains("10%")).collect();
        assert_eq!(has_bonus, [true, false], "the bonus is on store credit: {page}");
    }
    let only = with("", &[Exchange]);
    assert_eq!(tags(&only, "<input", &["type=\"hidden\"", "name=\"p1.resolution\"", "value=\"Exchange\""]).len(), 1);
    assert!(!only.contains(EN.what_instead), "{only}");
    assert!(!with("", &[]).contains("p1.resolution"));
}

#[test]
fn the_replacement_is_asked_for_if_there_are_some() {
    let swap = |size: &str| ExchangeOption { sku: size.to_owned(), name: format!("Size {size}") };
    let choice = Choice { chosen: true, exchange_for: "L".to_owned(), ..Choice::default() };
    let exchangeable = PurchaseRow { choice, exchange: vec![swap("M"), swap("L")], ..row(1, returnable(1)) };
    let page = plain(exchangeable.clone());
    let options = tags(&page, "<option", &["value=\"L\"", " selected"]);
    assert!(options.len() == 1 && tags(&page, "<option", &[" selected"]).len() == 1, "{page}");
    assert!(page.contains("class=\"field item-swap\""), "{page}");
    let wrong = plain(PurchaseRow { mistakes: vec![ChoiceMistake::ExchangeForMissing], ..exchangeable });
    assert!(wrong.contains("class=\"field has-error item-swap\"") && wrong.contains("id=\"p1-swap-error\""), "{wrong}");
    assert!(!plain(row(1, returnable(1))).contains("item-swap"));
}

#[test]
fn mistakes_are_linked_to_the_fields_of_their_rows() {
    use ChoiceMistake as M;
    let wrong = |number, state, mistakes: &[M]| PurchaseRow { mistakes: mistakes.to_vec(), ..row(number, state) };
    let all = [M::QuantityTooMany, M::ReasonMissing, M::CommentTooLong, M::ResolutionNotOffered, M::MixedCurrencies];
    let rows =
        vec![wrong(1, returnable(2), &all), row(2, returnable(1)), wrong(3, not_returnable(), &[M::NotReturnable])];
    let html = shown(page(rows));
    let found = alerts(&html);
    let wanted = [
        "#p1-qty Mug 1: You can return up to 2",
        "#p1-why Mug 1: Select a reason",
        "#p1-note Mug 1: Keep it under 2,000 characters",
        "#p1-what Mug 1: Not available for this reason. Select something else.",
        "#p1 Mug 1: These were paid in different currencies. Return one currency at a time.",
        "#p3-row Mug 3: This can no longer be returned",
    ];
    assert_eq!(found, wanted, "{html}");
    let right = vec![row(1, not_returnable()), row(2, returnable(1))];
    assert!(!shown(page(right.clone())).contains("role=\"alert\""));
    let nothing = shown(Purchases { nothing_chosen: true, ..page(right) });
    assert_eq!(alerts(&nothing), [format!("#p2 {}", EN.live().nothing_chosen)], "{nothing}");
}

#[test]
fn several_rows_are_selected_together_and_long_lists_are_searched() {
    let rows = |count: u128| (1..=count).map(|number| row(number, returnable(1))).collect::<Vec<_>>();
    assert!(!shown(page(rows(1))).contains("id=\"all-why\""));
    assert!(shown(page(rows(2))).contains("id=\"all-why\""));
    assert!(!shown(page([rows(1), vec![row(2, not_returnable())]].concat())).contains("id=\"all-why\""));
    let eight = shown(page(rows(8)));
    assert!(!eight.contains("role=\"search\"") && !eight.contains("id=\"selected\""), "{eight}");
    let nine = shown(page(rows(9)));
    assert!(nine.contains("role=\"search\"") && nine.contains("id=\"selected\""), "{nine}");
    assert!(!nine.contains("<template"), "{nine}");
    let fifty = shown(page(rows(50)));
    assert!(fifty.contains("<template id=\"questions\">") && !fifty.contains("name=\"p1.reason\""));
}

fn bought(order: u128, total: i64, left: Option<i64>) -> PurchaseView {
    let prices = PurchasePrices {
        unit_price: pounds(total),
        total_price: pounds(total),
        dearer_units: 0,
        refundable_up_to: left.map(pounds),
    };
    let eligibility =
        EligibilityView { returnable: true, code: None, message: None, return_by: None, return_by_date: None };
    PurchaseView {
        id: PurchaseId(Uuid::from_u128(order)),
        external_id: String::new(),
        order_number: order.to_string(),
        order_id: OrderId(Uuid::from_u128(order)),
        ordered_at: Timestamp::from_seconds(0),
        fulfilled_at: None,
        product: Product::default(),
        quantity: 1,
        returnable_quantity: 1,
        prices: Some(prices),
        eligibility,
        shipping_options: Vec::new(),
        return_reasons: Vec::new(),
        resolutions: Vec::new(),
    }
}

#[test]
fn the_limits_of_all_orders_add_up_and_each_counts_once() {
    let left = |purchases: &[PurchaseView]| limits::left(purchases.iter());
    assert_eq!(left(&[bought(1, 900, Some(700)), bought(1, 500, Some(700)), bought(2, 300, Some(50))]), Some(750));
    assert_eq!(left(&[bought(1, 900, Some(700)), bought(2, 300, None)]), None, "an order without a limit");
    assert_eq!(left(&[PurchaseView { prices: None, ..bought(1, 900, Some(700)) }]), None, "a gift");
}

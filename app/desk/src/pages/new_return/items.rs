//! Choosing the items of a new return, their reasons, and what the customer wants for them.

use crate::{
    components::{empty, form, problems},
    pages::{
        new_return::{
            costs::customer_name,
            rules::{Rule, rules},
        },
        orders::why::{obstacle_of, why_not},
    },
    visit::Visit,
};
use domain::{order::IneligibleCode, policy::Resolution};
use leptos::prelude::*;
use returns::view;
use ui::{
    components::{
        FieldMistake, ProductSummary,
        icons::{self, icon},
        product_photo, variant,
    },
    html::{Html, IntoHtml},
    money::format as amount,
    text::{format, isolated, plural},
};

/// The end of the names of fields that all items share.
const ALL: &str = "all";
/// With more items, all of them share a reason and a wish: the page stays short.
const MOST_WITH_FIELDS: usize = 20;

/// What the page shows.
pub struct ItemsPage {
    pub consumer: view::Consumer,
    pub purchases: Vec<view::PurchaseView>,
}

/// The items of the customer's order, each with its fields.
pub fn items_page(visit: &Visit, page: ItemsPage) -> Html {
    let words = visit.words.new_return;
    let ItemsPage { consumer, purchases } = page;
    let Some(first) = purchases.first() else {
        return view! { <h1>{words.title}</h1>{empty(words.title, words.nothing, None)} }.into_html();
    };
    let number = isolated(&first.order_number, visit.words);
    let name = customer_name(&consumer).to_owned();
    let email = Some(consumer.email).filter(|email| *email != name).map(|email| view! { " · " <bdi>{email}</bdi> });
    let can_return: Vec<bool> = purchases.iter().map(|one| is_possible(one, visit)).collect();
    // One item that can come back is most likely the one that the customer calls about.
    let is_only_one = purchases.iter().filter(|one| one.returnable_quantity > 0).count() == 1;
    let codes: Vec<IneligibleCode> = purchases.iter().filter_map(obstacle_of).collect();
    let is_any = can_return.iter().any(|can| *can);
    let is_long = purchases.len() > MOST_WITH_FIELDS;
    let shared = is_long.then(|| shared_fields(visit, first));
    let mut number_of_line = 0;
    let lines = purchases.iter().zip(&can_return).map(|(purchase, can)| {
        if !can {
            return shown_line(visit, purchase);
        }
        let line = number_of_line;
        number_of_line += 1;
        item_line(visit, purchase, line, is_only_one, !is_long)
    });
    let lines = lines.collect_view();
    let rest = is_any.then(|| {
        view! {
            {rules(visit, &codes)}
            <div class="actions"><button class="button">{words.show_costs}</button></div>
        }
    });
    let content = view! {
        <input type="hidden" name="consumer" value=consumer.id.to_string()/>
        {shared}
        {lines}
        {rest}
    };
    view! {
        <h1>{format(words.of_order, &[&number])}</h1>
        <p class="lede">{format(words.for_customer, &[&isolated(&name, visit.words)])} {email}</p>
        {problems(visit)}
        {(!is_any).then(|| view! { <p>{words.nothing}</p> })}
        {form(visit, "draft-return", content)}
    }
    .into_html()
}

/// Whether the item can come back, at least if staff override a rule.
fn is_possible(purchase: &view::PurchaseView, visit: &Visit) -> bool {
    match obstacle_of(purchase) {
        None => true,
        Some(code) => Rule::of(code).is_some_and(|_| Rule::may_override(visit)),
    }
}

/// The head of a line: the product, and whether it can be returned.
fn line_head(visit: &Visit, purchase: &view::PurchaseView) -> Html {
    let product = ProductSummary::new(&purchase.product);
    let quantity = purchase.quantity.to_string();
    let paid = purchase.prices.map_or_else(String::new, |prices| amount(prices.total_price, visit.words));
    let obstacle = obstacle_of(purchase).map(|code| why_not(visit, code, purchase.eligibility.return_by));
    view! {
        <span class="line-item">
            {product_photo(&product, true)}
            <span class="line-name">
                <bdi>{product.name.clone()}</bdi> <span class="hint">{variant(&product)}</span>
                <span class="hint">{plural(visit.words.common.tag, visit.words.new_return.paid, &[&quantity, &paid])}</span>
                {obstacle.map(|why| view! { <span class="line-why">{why}</span> })}
            </span>
        </span>
    }
    .into_html()
}

/// An item that cannot come back, with the reason.
fn shown_line(visit: &Visit, purchase: &view::PurchaseView) -> Html {
    view! { <div class="return-line" data-closed="">{line_head(visit, purchase)}</div> }.into_html()
}

/// The fields that all items share.
fn shared_fields(visit: &Visit, first: &view::PurchaseView) -> Html {
    view! {
        <fieldset class="return-line">
            <legend>{visit.words.new_return.for_all}</legend>
            <div class="line-fields">
                {reason_field(visit, first, ALL)}
                {wanted_field(visit, first, ALL)}
                {comment_field(visit, ALL)}
            </div>
        </fieldset>
    }
    .into_html()
}

fn item_line(
    visit: &Visit,
    purchase: &view::PurchaseView,
    line: usize,
    is_only_one: bool,
    has_own_fields: bool,
) -> Html {
    let line = line.to_string();
    let words = visit.words.new_return;
    let is_free = purchase.returnable_quantity > 0;
    let most = if is_free { purchase.returnable_quantity } else { purchase.quantity };
    let chosen = if is_only_one && is_free { "1" } else { "0" };
    let own = has_own_fields.then(|| {
        let comment = comment_field(visit, &line);
        (reason_field(visit, purchase, &line), wanted_field(visit, purchase, &line), comment)
    });
    let needs_tick = (!is_free).then(|| view! { <p class="hint">{words.needs_tick}</p> });
    let units = LineField { line: line.clone(), name: "units", label: words.units.to_owned() };
    let (units_name, most_text) = (units.id(), most.to_string());
    let value = visit.value(&units_name, chosen);
    let (invalid, described) = units.error(visit);
    let control = view! {
        <input class="input input-units" type="number" inputmode="numeric" min="0" max=most_text.clone() id=units_name.clone()
            name=units_name value=value aria-invalid=invalid aria-describedby=described/>
        <span class="hint">{format(words.units_of, &[&most_text])}</span>
    };
    view! {
        <fieldset class="return-line">
            <legend class="visually-hidden"><bdi>{purchase.product.name.clone()}</bdi></legend>
            <input type="hidden" name=format!("purchase-{line}") value=purchase.id.to_string()/>
            {line_head(visit, purchase)}
            {needs_tick}
            <div class="line-fields">
                {units.shown(visit, control.into_html())}
                {own}
            </div>
        </fieldset>
    }
    .into_html()
}

fn reason_field(visit: &Visit, purchase: &view::PurchaseView, line: &str) -> Html {
    let words = visit.words.new_return;
    let reasons = &purchase.return_reasons;
    let is_head = |reason: &view::ReturnReasonView| reasons.iter().any(|other| other.parent_id == Some(reason.id));
    let text = |reason: &view::ReturnReasonView| {
        let parent = reasons.iter().find(|other| Some(other.id) == reason.parent_id);
        parent
            .map_or_else(|| reason.description.clone(), |head| format!("{}: {}", head.description, reason.description))
    };
    let mut options = vec![(String::new(), words.choose_reason.to_owned())];
    options.extend(reasons.iter().filter(|one| !is_head(one)).map(|one| (one.id.to_string(), text(one))));
    LineField { line: line.to_owned(), name: "reason", label: words.reason.to_owned() }.select(visit, options)
}

fn wanted_field(visit: &Visit, purchase: &view::PurchaseView, line: &str) -> Html {
    let words = visit.words.new_return;
    let mut options = Vec::new();
    for resolution in &purchase.resolutions {
        let text = match resolution {
            Resolution::Refund => words.refund,
            Resolution::StoreCredit => words.store_credit,
            Resolution::Exchange => words.exchange,
        };
        options.push((resolution.name().to_owned(), text.to_owned()));
        // Each product has others to exchange it for.
        if *resolution == Resolution::Exchange && line != ALL {
            let others = purchase.product.exchange_options.iter();
            let exchange = |wanted: &domain::order::ExchangeOption| {
                (format!("Exchange:{}", wanted.sku), format(words.exchange_for, &[&wanted.name]))
            };
            options.extend(others.map(exchange));
        }
    }
    LineField { line: line.to_owned(), name: "wanted", label: words.wanted.to_owned() }.select(visit, options)
}

fn comment_field(visit: &Visit, line: &str) -> Html {
    let field = LineField { line: line.to_owned(), name: "comment", label: visit.words.new_return.comment.to_owned() };
    let (id, value) = (field.id(), visit.value(&field.id(), ""));
    let (invalid, described) = field.error(visit);
    let control = view! {
        <input class="input" type="text" maxlength="2000" id=id.clone() name=id value=value autocomplete="off"
            aria-invalid=invalid aria-describedby=described/>
    };
    field.shown(visit, control.into_html())
}

/// A field of a line: its name ends with the number of the line; `all`: of all lines.
struct LineField {
    line: String,
    name: &'static str,
    label: String,
}

impl LineField {
    fn id(&self) -> String {
        format!("{}-{}", self.name, self.line)
    }

    /// The attributes of a field with a mistake.
    fn error(&self, visit: &Visit) -> (Option<&'static str>, Option<String>) {
        match visit.mistake(&self.id()) {
            Some(_) => (Some("true"), Some(format!("{}-error", self.id()))),
            None => (None, None),
        }
    }

    fn select(self, visit: &Visit, options: Vec<(String, String)>) -> Html {
        let first = options.first().map(|(key, _)| key.clone()).unwrap_or_default();
        let (id, value) = (self.id(), visit.value(&self.id(), &first));
        let (invalid, described) = self.error(visit);
        let option = |(key, text): (String, String)| {
            let is_chosen = key == value;
            view! { <option value=key selected=is_chosen>{text}</option> }
        };
        let options = options.into_iter().map(option).collect_view();
        let control = view! {
            <span class="select">
                <select id=id.clone() name=id aria-invalid=invalid aria-describedby=described>{options}</select>
                {icon(icons::CHEVRON)}
            </span>
        };
        self.shown(visit, control.into_html())
    }

    fn shown(self, visit: &Visit, control: Html) -> Html {
        let id = self.id();
        let mistake = visit.mistake(&id);
        let (has_error, words) = (mistake.is_some(), visit.words);
        view! {
            <div class="field" class:has-error=has_error>
                <label for=id.clone()>{self.label}</label>
                <FieldMistake id=format!("{id}-error") text=mistake words/>
                {control}
            </div>
        }
        .into_html()
    }
}

//! A row as the page shows it.

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    amounts::estimate::OutboundShipping,
    forms::choice::{Choice, ChoiceField, preselected},
    islands::markup::TEMPLATE_KEY,
    pages::purchases::{
        reason::{note, reason},
        row::{PurchaseRow, RowState, Shared},
    },
    words::Words,
};
use domain::{Money, PurchaseId, order::ExchangeOption, policy::Resolution};
use leptos::prelude::*;
use ui::{
    components::{
        FieldMistake, ProductSummary,
        icons::{self, icon, icon_s},
        money_text, product_photo, sentence, variant,
    },
    html::{Html, IntoHtml},
    money,
    text::{format, plural},
};

/// The price of a unit. If some units cost one minor unit more, the price of all returnable units.
fn unit_price(row: &PurchaseRow, words: &Words) -> Option<Html> {
    let unit_price = row.unit_price?;
    let (left, dearer) = match row.state {
        RowState::Returnable { left, dearer, .. } => (left, dearer),
        RowState::Not { .. } => (0, 0),
    };
    let live = words.live();
    let figure = |minor: i64| money_text(money::format(Money::new(minor, unit_price.currency), live));
    if dearer > 0 && dearer < left {
        let all = unit_price.minor.saturating_mul(i64::from(left)).saturating_add(i64::from(dearer));
        let slots = vec![figure(all).into_html(), money::count(left, live).into_html()];
        return Some(sentence(words.price_for, slots).into_html());
    }
    let each = (row.bought > 1).then(|| view! { " "<span class="note">{live.each}</span> });
    Some(view! { {figure(unit_price.minor.saturating_add(i64::from(dearer > 0)))}{each} }.into_html())
}

/// The row.
#[component]
pub fn RowItem(row: PurchaseRow, shared: Shared, words: &'static Words) -> impl IntoView {
    let live = words.live();
    let price = unit_price(&row, words);
    match row.state.clone() {
        RowState::Not { by_date, why, with } => {
            let why = match with {
                Some((number, href)) => {
                    let link = format(words.return_number_link, &[&number]);
                    view! { {words.on_its_way_back_in}" "<a class="whole" href=href>{link}</a> }.into_html()
                }
                None => why.into_html(),
            };
            view! {
                <li class="item item-no" id=format!("{}-row", row.key) hidden=!row.shown>
                    <div class="item-head">
                        {product_photo(&row.product, false)}
                        <div class="item-body">
                            <span class="item-name"><bdi>{row.product.name.clone()}</bdi></span>
                            <p class="item-meta">{variant(&row.product)}</p>
                            {why_not(if by_date { icons::CLOCK } else { icons::INFO }, why)}
                        </div>
                        {price.map(|price| view! { <p class="item-price">{price}</p> })}
                    </div>
                </li>
            }
            .into_html()
        }
        RowState::Returnable { left, dearer, until } => {
            let (key, shown) = (row.key.clone(), row.shown);
            let row_error = row.error(ChoiceField::Row, words);
            let described_by = [("price", price.is_some()), ("error", row_error.is_some())];
            let described = described_by.iter().filter(|(_, is_there)| *is_there);
            let described = described.fold(format!("{key}-meta"), |all, (part, _)| format!("{all} {key}-{part}"));
            let minor = row.unit_price.map(|price| price.minor.to_string());
            let dearer = minor.as_ref().map(|_| dearer.to_string());
            let OutboundShipping { order, units, amount } = row.outbound;
            let outbound = |value: i64| (order > 0).then(|| value.to_string());
            let can = match row.bought {
                1 => words.can_go_back.to_owned(),
                bought => {
                    plural(words.tag, words.of_can_go_back, &[&money::count(left, live), &money::count(bought, live)])
                }
            };
            view! {
                <li class="item" id=format!("{key}-row") data-home=row.home.clone() data-price=minor data-weight=row.weight.to_string() data-dearer=dearer data-left=left.to_string() data-order=outbound(order) data-units=outbound(units) data-outbound=outbound(amount) hidden=!shown>
                    <div class="item-head">
                        <input class="tick" type="checkbox" id=key.clone() name=format!("{key}.take") value="1" aria-describedby=described checked=row.choice.chosen/>
                        {product_photo(&row.product, false)}
                        <div class="item-body">
                            <label class="item-name" id=format!("{key}-name") for=key.clone()><bdi>{row.product.name.clone()}</bdi></label>
                            <p class="item-meta" id=format!("{key}-meta")>
                                {variant(&row.product)}<span class="item-left">{can}</span>{until.map(|until| view! { <span>{until}</span> })}
                            </p>
                            <FieldMistake id=format!("{key}-error") text=row_error words/>
                        </div>
                        {price.map(|price| view! { <p class="item-price" id=format!("{key}-price")>{price}</p> })}
                    </div>
                    <input type="hidden" name=format!("{key}.id") value=row.id.to_string()/>
                    {shared.asks(&row).then(|| view! { <Questions row=row.clone() left shared words/> })}
                </li>
            }
            .into_html()
        }
    }
}

/// Quantity, reason, note and resolution.
#[component]
fn Questions(row: PurchaseRow, left: u32, shared: Shared, words: &'static Words) -> impl IntoView {
    let key = row.key.clone();
    let asked = if row.exchange.is_empty() { shared.asked } else { shared.asked_with_exchange };
    view! {
        <fieldset class="item-ask" aria-labelledby=format!("{key}-name")>
            {quantity(&row, left, words)}
            {reason(&row, asked.reasons, words)}
            {note(&row, words)}
            {resolution(&row, &asked.resolutions, &shared.bonus, words)}
            {exchange(&row, words)}
        </fieldset>
    }
    .into_html()
}

/// The questions as a template, from which the browser adds them to selected rows of a long list.
#[component]
pub fn Template(shared: Shared, words: &'static Words) -> impl IntoView {
    let row = PurchaseRow {
        key: TEMPLATE_KEY.to_owned(),
        id: PurchaseId(uuid::Uuid::nil()),
        product: ProductSummary { name: String::new(), image: None, attributes: Vec::new() },
        bought: 2,
        unit_price: None,
        weight: 500,
        exchange: Vec::new(),
        state: RowState::Returnable { left: 2, dearer: 0, until: None },
        choice: Choice::default(),
        mistakes: Vec::new(),
        shown: true,
        home: None,
        outbound: OutboundShipping::default(),
    };
    view! { <template id="questions"><Questions row left=2 shared words/></template> }.into_html()
}

fn field_class(wrong: bool) -> &'static str {
    if wrong { "field has-error" } else { "field" }
}

fn quantity(row: &PurchaseRow, left: u32, words: &'static Words) -> Html {
    let key = &row.key;
    let name = format!("{key}.quantity");
    let error = row.error(ChoiceField::Quantity, words);
    if left <= 1 && error.is_none() {
        return view! { <input type="hidden" name=name value="1"/> }.into_html();
    }
    let typed = if row.choice.quantity.is_empty() && row.mistakes.is_empty() {
        "1".to_owned()
    } else {
        row.choice.quantity.clone()
    };
    let number = typed.trim().parse::<u32>().unwrap_or(0);
    let (at_least, at_most) = (number <= 1, number >= left);
    let described = if error.is_some() { format!("{key}-max {key}-qty-error") } else { format!("{key}-max") };
    let invalid = error.is_some().then_some("true");
    let class = field_class(error.is_some());
    view! {
        <div class=class>
            <label for=format!("{key}-qty")>{words.how_many}</label>
            <FieldMistake id=format!("{key}-qty-error") text=error words/>
            <div class="stepper-row">
                <div class="stepper" data-stepper>
                    <button class="needs-script" type="button" data-step="-1" aria-label=words.one_fewer disabled=at_least>{icon(icons::MINUS)}</button>
                    <input id=format!("{key}-qty") name=name type="number" inputmode="numeric" min="1" max=left.to_string() value=typed aria-describedby=described aria-invalid=invalid/>
                    <button class="needs-script" type="button" data-step="1" aria-label=words.one_more disabled=at_most>{icon(icons::PLUS)}</button>
                </div>
                <span class="hint" id=format!("{key}-max")>{format(words.live().of, &[&money::count(left, words.live())])}</span>
            </div>
        </div>
    }
    .into_html()
}

/// The resolution. Without a choice there is no question.
fn resolution(row: &PurchaseRow, offered: &[Resolution], bonus: &str, words: &'static Words) -> Option<Html> {
    let key = &row.key;
    let error = row.error(ChoiceField::Resolution, words);
    if let ([only], None) = (offered, &error) {
        return Some(view! { <input type="hidden" name=format!("{key}.resolution") value=only.name()/> }.into_html());
    }
    if offered.is_empty() && error.is_none() {
        return None;
    }
    let known = offered.iter().copied().find(|one| one.name() == row.choice.resolution);
    let chosen = known.or(preselected(offered));
    let radio = |(index, one): (usize, Resolution)| {
        let checked = Some(one) == chosen;
        let text = match one {
            Resolution::Refund => words.refund,
            Resolution::Exchange => words.exchange,
            Resolution::StoreCredit => words.store_credit,
        };
        let note = (one == Resolution::StoreCredit && !bonus.is_empty())
            .then(|| view! { <span class="choice-note">{format(words.bonus, &[bonus])}</span> });
        let id = (index == 0).then(|| format!("{key}-what"));
        view! {
            <label class="choice">
                <input class="tick" type="radio" id=id name=format!("{key}.resolution") value=one.name() checked=checked/>
                <span>{text}<span class="choice-note" data-outcome=one.name()></span>{note}</span>
            </label>
        }
    };
    let class = if error.is_some() { "choices has-error" } else { "choices" };
    let described = error.is_some().then(|| format!("{key}-what-error"));
    let radios = offered.iter().copied().enumerate().map(radio).collect_view();
    let row = view! {
        <fieldset class=class aria-describedby=described>
            <legend>{words.what_instead}</legend>
            <FieldMistake id=format!("{key}-what-error") text=error words/>
            <div class="choices-row">{radios}</div>
        </fieldset>
    };
    Some(row.into_html())
}

/// The replacement. It is shown once the resolution is an exchange.
fn exchange(row: &PurchaseRow, words: &'static Words) -> Option<Html> {
    let error = row.error(ChoiceField::ExchangeFor, words);
    if row.exchange.is_empty() && error.is_none() {
        return None;
    }
    let key = &row.key;
    let (invalid, described) =
        (error.is_some().then_some("true"), error.is_some().then(|| format!("{key}-swap-error")));
    let class = format!("{} item-swap", field_class(error.is_some()));
    let chosen = row.choice.exchange_for.clone();
    let option = |one: ExchangeOption| {
        let selected = one.sku == chosen;
        view! { <option value=one.sku selected=selected>{one.name}</option> }
    };
    let select = view! {
        <div class=class>
            <label for=format!("{key}-swap")>{words.exchange_for}</label>
            <FieldMistake id=format!("{key}-swap-error") text=error words/>
            <div class="select">
                <select id=format!("{key}-swap") name=format!("{key}.exchange") aria-invalid=invalid aria-describedby=described>
                    <option value="">{words.choose_exchange}</option>
                    {row.exchange.clone().into_iter().map(option).collect_view()}
                </select>
                {icon(icons::CHEVRON)}
            </div>
        </div>
    };
    Some(select.into_html())
}

/// Why a row is not returnable, with an icon.
fn why_not(icon: &'static str, text: Html) -> impl IntoView {
    view! { <p class="item-why">{icon_s(icon)}<span>{text}</span></p> }.into_html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Resolution::{Exchange, Refund, StoreCredit};
    use ui::components::typed;

    #[test]
    fn typed_text_cannot_close_its_field_and_is_preserved() {
        let html = view! { <textarea>{typed("\n</textarea><script>1</script> size &lt;40")}</textarea> }.to_html();
        assert!(html.contains("\n\n&lt;/textarea>&lt;script>1&lt;/script> size &amp;lt;40"), "{html}");
    }

    #[test]
    fn a_refund_is_preselected_wherever_it_is_listed() {
        assert_eq!(preselected(&[StoreCredit, Exchange, Refund]), Some(Refund));
        assert_eq!(preselected(&[Exchange, StoreCredit]), Some(Exchange));
        assert_eq!(preselected(&[]), None);
    }
}

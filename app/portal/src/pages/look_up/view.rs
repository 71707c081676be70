//! `/{slug}`: which order?

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    forms::look_up::{LookUpFields, LookUpMistake, ProofKind},
    frame::{document::withdraw_link, steps::CustomText, theme::Theme},
    progress::promises,
    words::Words,
};
use domain::{Money, policy::ResolveOn};
use leptos::prelude::*;
use ui::{
    components::{
        Alert, FieldMistake, Notice, NoticeText,
        icons::{self, icon},
    },
    html::IntoHtml,
    money,
    text::{format, isolated, plural},
};

/// What a shop promises to everybody.
#[derive(Debug, Clone)]
pub struct ShopPromises {
    /// The return window, days.
    pub window_days: Option<u32>,
    /// The prices of the shipping options.
    pub prices: Vec<Money>,
    /// Whether the free option is the return in a store.
    pub free_in_store: bool,
    /// The fee for each return.
    pub request_fee: Option<Money>,
    /// The lowest and the highest restocking fee, as formatted percentages.
    pub restocking: Option<(String, String)>,
    /// When the refund is issued.
    pub resolve_on: ResolveOn,
    /// How many days a refund usually takes.
    pub refund_days: Option<u32>,
}

/// What the page shows.
#[derive(Debug, Clone)]
pub struct LookUp {
    pub theme: Theme,
    /// What the form asks for.
    pub proof_kind: ProofKind,
    /// The promises of the shop.
    pub promise: ShopPromises,
    /// The fields as typed.
    pub typed: LookUpFields,
    /// The mistakes in them.
    pub mistakes: Vec<LookUpMistake>,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
    /// The return to show once the order is proved.
    pub next: Option<String>,
    /// Whether a link to the orders can be sent.
    pub sends_links: bool,
    /// The address for gift returns. `None` if the shop does not accept them.
    pub gift: Option<String>,
    /// The number of the order that was proved before.
    pub known: Option<String>,
}

/// The page.
#[component]
pub fn LookUpPage(page: LookUp, words: &'static Words) -> impl IntoView {
    let LookUp { theme, proof_kind, promise, typed, mistakes, notice, next, sends_links, gift, known } = page;
    let link = sends_links.then(|| view! { <a class="textlink" href=theme.path("link")>{words.link_ask}</a> });
    let has = |mistake| mistakes.contains(&mistake);
    let not_found = has(LookUpMistake::NotFound).then(|| not_found(proof_kind, words));
    let order_error = has(LookUpMistake::OrderNumberMissing).then(|| words.order_number_missing.to_owned());
    let proof_missing = has(LookUpMistake::ProofMissing).then(|| proof_missing(proof_kind, words));
    let proof_wrong = has(LookUpMistake::EmailWrong).then(|| proof_wrong(proof_kind, words));
    let proof_error = proof_missing.or(proof_wrong).map(str::to_owned);
    let mut alerts: Vec<(String, String)> = Vec::new();
    alerts.extend(not_found.map(|(short, _)| ("#order".to_owned(), short.to_owned())));
    alerts.extend(order_error.clone().map(|text| ("#order".to_owned(), text)));
    alerts.extend(proof_error.clone().map(|text| ("#proof".to_owned(), text)));
    let order_error = order_error.or(not_found.map(|_| words.check_order_number.to_owned()));
    let proof_error = proof_error.or(not_found.map(|(_, check)| check.to_owned()));
    let (order_wrong, proof_wrong) = (order_error.is_some(), proof_error.is_some());
    let proof_described = match (proof_wrong, proof_hint(proof_kind, words)) {
        (true, None) => Some("proof-error"),
        (true, Some(_)) => Some("proof-hint proof-error"),
        (false, Some(_)) => Some("proof-hint"),
        (false, None) => None,
    };
    // After the first try the promises are known.
    let promise = mistakes.is_empty().then(|| view! { <PromiseList promise words/> });
    let withdraw = withdraw_link(&theme, Some("textlink"), words);
    let known = known.map(|number| go_on(&theme, &number, words));
    // The script of a frame shows this if the browser keeps no cookies there.
    let own_tab = theme.is_embedded.then(|| view! { <p class="own-tab" hidden>{words.own_tab_opens}</p> });
    view! {
        <Alert mistakes=alerts words/>
        {notice.map(|notice| view! { <Notice notice/> })}
        <h1>{words.look_up_title}</h1>
        <CustomText text=theme.custom_texts.look_up.clone()/>
        {known}
        {promise}
        <form class="lookup" method="post" action=theme.form_action("call/look-up", words) novalidate>
            {next.map(|next| view! { <input type="hidden" name="next" value=next/> })}
            <div class=field_class(order_wrong)>
                <label for="order">{words.order_number}</label>
                <p class="hint" id="order-hint">{words.order_number_hint}</p>
                <FieldMistake id="order-error".to_owned() text=order_error words/>
                <input
                    class="input input-code"
                    id="order"
                    name="orderNumber"
                    required
                    maxlength="320"
                    autocomplete="off"
                    autocapitalize="characters"
                    spellcheck="false"
                    enterkeyhint="go"
                    aria-describedby=if order_wrong { "order-hint order-error" } else { "order-hint" }
                    aria-invalid=order_wrong.then_some("true")
                    value=typed.order_number
                />
            </div>
            <div class=field_class(proof_wrong)>
                <label for="proof">{proof_label(proof_kind, words)}</label>
                {proof_hint(proof_kind, words).map(|hint| view! { <p class="hint" id="proof-hint">{hint}</p> })}
                <FieldMistake id="proof-error".to_owned() text=proof_error words/>
                <input
                    class="input"
                    id="proof"
                    name="proof"
                    type=if proof_kind == ProofKind::Email { "email" } else { "text" }
                    required
                    maxlength="320"
                    autocomplete=match proof_kind {
                        ProofKind::Email => "email",
                        ProofKind::PostalCode => "postal-code",
                        ProofKind::Either => "off",
                    }
                    autocapitalize="off"
                    spellcheck="false"
                    enterkeyhint="go"
                    aria-describedby=proof_described
                    aria-invalid=proof_wrong.then_some("true")
                    value=typed.proof
                />
            </div>
            <div class="actions"><button class="button button-wide">{words.find_my_order}</button>{link}</div>
            {own_tab}
        </form>
        {gift.map(|href| view! { <p class="lookup-else"><a class="textlink" href=href>{words.gift}</a></p> })}
        {withdraw.map(|link| view! { <p class="withdraw-way">{link}</p> })}
    }
    .into_html()
}

/// The link for a visitor who has proved an order.
fn go_on(theme: &Theme, number: &str, words: &'static Words) -> impl IntoView + use<> {
    let text = format(words.continue_with, &[&isolated(number, words)]);
    view! {
        <p class="go-on">
            <a class="go-on-way" href=theme.path("purchases")>
                {icon(icons::BOX)}
                <span>{text}</span>
                <svg class="icon icon-way" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=icons::CHEVRON_RIGHT></svg>
            </a>
        </p>
    }
}

/// The class of a field.
pub fn field_class(wrong: bool) -> &'static str {
    if wrong { "field has-error" } else { "field" }
}

fn proof_label(proof_kind: ProofKind, words: &Words) -> &'static str {
    match proof_kind {
        ProofKind::Email => words.email,
        ProofKind::PostalCode => words.postal_code,
        ProofKind::Either => words.email_or_postal_code,
    }
}

fn proof_hint(proof_kind: ProofKind, words: &Words) -> Option<&'static str> {
    match proof_kind {
        ProofKind::Email => None,
        ProofKind::PostalCode => Some(words.postal_code_hint),
        ProofKind::Either => Some(words.email_or_postal_code_hint),
    }
}

fn proof_missing(proof_kind: ProofKind, words: &Words) -> &'static str {
    match proof_kind {
        ProofKind::Email => words.email_missing,
        ProofKind::PostalCode => words.postal_code_missing,
        ProofKind::Either => words.either_missing,
    }
}

fn proof_wrong(proof_kind: ProofKind, words: &Words) -> &'static str {
    match proof_kind {
        ProofKind::Email => words.gift_email_wrong,
        ProofKind::PostalCode | ProofKind::Either => proof_missing(proof_kind, words),
    }
}

/// A short message, and what to do about the second field.
fn not_found(proof_kind: ProofKind, words: &Words) -> (&'static str, &'static str) {
    match proof_kind {
        ProofKind::Email => (words.not_found_email, words.check_email),
        ProofKind::PostalCode => (words.not_found_postal_code, words.check_postal_code),
        ProofKind::Either => (words.not_found_either, words.check_either),
    }
}

#[component]
fn PromiseList(promise: ShopPromises, words: &'static Words) -> impl IntoView {
    let until = match promise.window_days {
        Some(days) => plural(words.tag, words.can_it_within, &[&days.to_string()]),
        None => words.can_it_any_time.to_owned(),
    };
    let (in_days, once) = match promise.resolve_on {
        ResolveOn::Submission => (words.when_submission, words.when_submitted),
        ResolveOn::FirstScan => (words.when_first_scan, words.when_sent),
        ResolveOn::Delivery | ResolveOn::Receipt | ResolveOn::Inspection => (words.when_receipt, words.when_arrived),
    };
    let back = match promise.refund_days {
        Some(days) => promises::in_days(in_days, days, words),
        None => once.to_owned(),
    };
    let cost = |line: String| view! { <dd>{line}</dd> };
    view! {
        <dl class="promise">
            <div>{icon(icons::RETURN)}<dt>{words.can_it}</dt><dd>{until}</dd></div>
            <div>{icon(icons::TRUCK)}<dt>{words.what_cost}</dt>{costs(&promise, words).into_iter().map(cost).collect_view()}</div>
            <div>{icon(icons::WALLET)}<dt>{words.when_money}</dt><dd>{back}</dd></div>
        </dl>
    }
    .into_html()
}

/// The costs, line by line: the shipping, then the fees that apply to every option.
fn costs(promise: &ShopPromises, words: &Words) -> Vec<String> {
    let live = words.live();
    let fee = promise.request_fee.map(|fee| format(live.about_row, &[live.request_fee, &money::format(fee, live)]));
    let restocking = promise.restocking.as_ref().map(|(least, most)| {
        let frame = if least == most { live.about_row } else { words.restocking_from };
        format(frame, &[live.restocking, &format(words.percent, &[least])])
    });
    let fees: Vec<String> = fee.into_iter().chain(restocking).collect();
    // If only shipping is free, "free" would read as if the whole return were.
    let is_free = !promise.prices.is_empty() && promise.prices.iter().all(|price| price.minor == 0);
    let way = (fees.is_empty() || !is_free).then(|| shipping(promise, words));
    way.into_iter().chain(fees).collect()
}

fn shipping(promise: &ShopPromises, words: &Words) -> String {
    let has_free = promise.prices.iter().any(|price| price.minor == 0);
    let least = promise.prices.iter().filter(|price| price.minor > 0).min_by_key(|price| price.minor);
    match (least.map(|price| money::format(*price, words.live())), has_free) {
        (Some(least), true) => {
            let free = if promise.free_in_store { words.free_in_store } else { words.free_otherwise };
            format(words.cost_free_or, &[free, &least])
        }
        (Some(least), false) => format(words.cost_from, &[&least]),
        (None, true) => words.cost_free.to_owned(),
        (None, false) => words.cost_unknown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        frame::render::{html, tags},
        words::EN,
    };
    use domain::Currency;

    fn shown(proof_kind: ProofKind, mistakes: &[LookUpMistake]) -> String {
        let promise = ShopPromises {
            window_days: None,
            prices: Vec::new(),
            free_in_store: false,
            request_fee: None,
            restocking: None,
            resolve_on: ResolveOn::Receipt,
            refund_days: None,
        };
        let page = LookUp {
            theme: Theme::for_tests(),
            proof_kind,
            promise,
            typed: LookUpFields::default(),
            mistakes: mistakes.to_vec(),
            notice: None,
            next: None,
            sends_links: false,
            gift: None,
            known: None,
        };
        html(|| view! { <LookUpPage page words=&EN/> }.into_html())
    }

    #[test]
    fn an_order_that_is_not_found_is_one_mistake_of_both_fields() {
        for (kind, short, check) in [
            (ProofKind::Email, EN.not_found_email, EN.check_email),
            (ProofKind::PostalCode, EN.not_found_postal_code, EN.check_postal_code),
            (ProofKind::Either, EN.not_found_either, EN.check_either),
        ] {
            let page = shown(kind, &[LookUpMistake::NotFound]);
            assert!(page.contains(&format!("<li><a href=\"#order\">{short}</a></li>")), "{page}");
            assert!(!page.contains("href=\"#proof\""), "{page}");
            for says in [EN.check_order_number, check] {
                assert_eq!(page.matches(&format!("</span>{says}</span></p>")).count(), 1, "{says}: {page}");
            }
            assert_eq!(tags(&page, "<input", &["aria-invalid=\"true\""]).len(), 2, "{page}");
            assert!(!page.contains("class=\"promise\""), "the promises are known: {page}");
        }
    }

    #[test]
    fn each_field_has_its_own_mistakes() {
        for (kind, missing, wrong) in [
            (ProofKind::Email, EN.email_missing, EN.gift_email_wrong),
            (ProofKind::PostalCode, EN.postal_code_missing, EN.postal_code_missing),
            (ProofKind::Either, EN.either_missing, EN.either_missing),
        ] {
            for (mistake, says) in [(LookUpMistake::ProofMissing, missing), (LookUpMistake::EmailWrong, wrong)] {
                let page = shown(kind, &[mistake]);
                assert!(page.contains(&format!("<li><a href=\"#proof\">{says}</a></li>")), "{page}");
                assert!(!page.contains("href=\"#order\""), "{page}");
                let invalid = tags(&page, "<input", &["aria-invalid=\"true\""]);
                assert!(invalid.len() == 1 && invalid[0].contains("id=\"proof\""), "{page}");
            }
        }
        let page = shown(ProofKind::Email, &[LookUpMistake::OrderNumberMissing]);
        assert!(page.contains(&format!("<li><a href=\"#order\">{}</a></li>", EN.order_number_missing)), "{page}");
        let right = shown(ProofKind::Email, &[]);
        assert!(!right.contains("role=\"alert\"") && !right.contains("has-error"), "{right}");
        assert!(!right.contains("aria-invalid") && right.contains("class=\"promise\""), "{right}");
    }

    #[test]
    fn nothing_is_free_if_every_return_has_a_fee() {
        let pounds = |minor| Money::new(minor, Currency::from_code("GBP").unwrap());
        let promise = |prices: &[i64], fee: Option<i64>, restocking: Option<(&str, &str)>| ShopPromises {
            window_days: None,
            prices: prices.iter().copied().map(pounds).collect(),
            free_in_store: true,
            request_fee: fee.map(pounds),
            restocking: restocking.map(|(least, most)| (least.to_owned(), most.to_owned())),
            resolve_on: ResolveOn::Receipt,
            refund_days: None,
        };
        let shown = |promise: ShopPromises| costs(&promise, &EN);
        assert_eq!(shown(promise(&[0], None, None)), [EN.cost_free]);
        assert_eq!(shown(promise(&[0], Some(495), None)), ["Handling fee: £4.95"]);
        assert_eq!(shown(promise(&[395], Some(495), None)), ["From £3.95", "Handling fee: £4.95"]);
        assert_eq!(shown(promise(&[0], None, Some(("10", "10")))), ["Restocking fee: 10%"]);
        let both = shown(promise(&[0, 395], None, Some(("7.5", "10"))));
        assert_eq!(both, ["Free in store, by post from £3.95", "Restocking fee from 7.5%"]);
        assert_eq!(shown(promise(&[], Some(495), None)), [EN.cost_unknown, "Handling fee: £4.95"]);
    }
}

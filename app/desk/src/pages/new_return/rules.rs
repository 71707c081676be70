//! The rules that staff may override, each with a tick and a reason.

use crate::{calls::return_steps::RULES, visit::Visit};
use domain::{order::IneligibleCode, returning::OverriddenRule};
use leptos::prelude::*;
use returns::Scope;
use ui::{
    components::FieldMistake,
    html::{Html, IntoHtml},
};

/// A rule of the page.
pub struct Rule;

impl Rule {
    /// The rule that has to be overridden for an obstacle; `None` if staff cannot.
    pub fn of(code: IneligibleCode) -> Option<OverriddenRule> {
        match code {
            IneligibleCode::ReturnWindowExpired => Some(OverriddenRule::ReturnWindow),
            IneligibleCode::FinalSale => Some(OverriddenRule::FinalSale),
            _ => None,
        }
    }

    /// Whether the person may override rules.
    pub fn may_override(visit: &Visit) -> bool {
        visit.may(Scope::Override)
    }
}

/// The ticks. `codes`: what keeps the order's items from being returned.
pub fn rules(visit: &Visit, codes: &[IneligibleCode]) -> Html {
    if !Rule::may_override(visit) {
        return ().into_html();
    }
    let words = visit.words.new_return;
    let stands_in_the_way = |rule: OverriddenRule| codes.iter().any(|code| Rule::of(*code) == Some(rule));
    let passes_customs = visit.account.carrier.kind().is_external();
    let shown = RULES.into_iter().filter(|(rule, ..)| match rule {
        OverriddenRule::ReturnWindow | OverriddenRule::FinalSale => stands_in_the_way(*rule),
        OverriddenRule::CustomsData => passes_customs,
        OverriddenRule::Fees | OverriddenRule::SendingBack => true,
    });
    let ticks = shown.map(|(rule, tick, why)| one_rule(visit, rule, tick, why)).collect_view();
    let is_open = RULES.iter().any(|(_, tick, _)| visit.typed(tick).is_some())
        || stands_in_the_way(OverriddenRule::ReturnWindow)
        || stands_in_the_way(OverriddenRule::FinalSale);
    view! {
        <details class="overrides" open=is_open>
            <summary>{words.overrides}</summary>
            <p class="hint">{words.overrides_hint}</p>
            {ticks}
        </details>
    }
    .into_html()
}

fn one_rule(visit: &Visit, rule: OverriddenRule, tick: &'static str, why: &'static str) -> Html {
    let words = visit.words.new_return;
    let text = match rule {
        OverriddenRule::ReturnWindow => words.override_window,
        OverriddenRule::FinalSale => words.override_final_sale,
        OverriddenRule::Fees => words.override_fees,
        OverriddenRule::CustomsData => words.override_customs,
        OverriddenRule::SendingBack => words.override_keep,
    };
    let mistake = visit.mistake(why);
    let (is_ticked, has_error) = (visit.typed(tick).is_some(), mistake.is_some());
    let (invalid, described) = (has_error.then_some("true"), has_error.then(|| format!("{why}-error")));
    let (value, page_words) = (visit.value(why, ""), visit.words);
    view! {
        <div class="override">
            <label class="tick"><input type="checkbox" name=tick value="yes" checked=is_ticked/> <span>{text}</span></label>
            <div class="field" class:has-error=has_error>
                <label for=why>{words.why}</label>
                <FieldMistake id=format!("{why}-error") text=mistake words=page_words/>
                <input class="input" type="text" id=why name=why value=value minlength="3" maxlength="500" autocomplete="off"
                    aria-invalid=invalid aria-describedby=described/>
            </div>
        </div>
    }
    .into_html()
}

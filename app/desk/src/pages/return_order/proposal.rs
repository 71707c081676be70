//! What an agent asks others to approve about an item, and the decision about it.

use crate::{
    components::{Action, Weight, actions, form},
    pages::return_order::load::ReturnPage,
    visit::Visit,
};
use domain::{
    Money,
    policy::Resolution,
    returning::{Proposal, ProposalKind},
};
use leptos::prelude::*;
use returns::{Scope, Staff, view::ReturnRequestView};
use ui::{
    components::{FieldMistake, typed},
    html::{Html, IntoHtml},
    text::format,
};

/// The amount up to which the person decides about an item, if the item is worth more.
pub fn limit_below(visit: &Visit, request: &ReturnRequestView) -> Option<Money> {
    visit.may_act(Scope::Resolve).ok().filter(Staff::is_limited)?;
    let at_stake = match request.requested_resolution {
        Resolution::Exchange => request.purchase_price?,
        Resolution::Refund | Resolution::StoreCredit => request.resolution.value?,
    };
    let limit = visit.account.policy.agent_limit.minor(at_stake.currency)?;
    (at_stake.minor > limit).then(|| Money::new(limit, at_stake.currency))
}

/// Who asks for what and why, what it changes in money, and the buttons of those who decide.
pub fn proposal(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Option<Html> {
    let words = visit.words.return_order;
    let proposal = request.proposal.as_ref()?;
    let who = page.activity.iter().rev().find(|entry| entry.actor_id == proposal.proposed_by);
    let who = who.and_then(|entry| entry.actor_name.clone()).unwrap_or_else(|| words.who_staff.to_owned());
    let asks = match (proposal.kind, proposal.amount) {
        (ProposalKind::Adjustment, amount) => {
            let amount = amount.map(|amount| signed(visit, amount)).unwrap_or_default();
            format(words.asks_adjustment, &[&who, &amount])
        }
        (ProposalKind::Resolution, _) => format(words.asks_resolution, &[&who]),
        (ProposalKind::Override, _) => format(words.asks_override, &[&who]),
    };
    Some(
        view! {
            <section class="return-open" id=format!("proposal-{}", request.id) aria-label=words.propose>
                <p><bdi>{asks}</bdi></p>
                <p class="return-quote"><bdi>{proposal.comment.clone()}</bdi></p>
                {change(visit, request, proposal)}
                {decision(visit, page, request, proposal)}
            </section>
        }
        .into_html(),
    )
}

/// What the proposal changes in money.
fn change(visit: &Visit, request: &ReturnRequestView, proposal: &Proposal) -> Option<Html> {
    let words = visit.words.return_order;
    let now = request.resolution.value?;
    let text = |amount| ui::money::format(amount, visit.words);
    let sentence = match proposal.amount {
        Some(amount) => {
            let then = Money::new(now.minor.saturating_add(amount.minor), now.currency);
            format(words.proposal_now, &[&text(now), &text(then)])
        }
        None => format(words.worth, &[&text(now)]),
    };
    Some(view! { <p><bdi>{sentence}</bdi></p> }.into_html())
}

/// An amount with its sign.
fn signed(visit: &Visit, amount: Money) -> String {
    let sign = if amount.minor > 0 { "+" } else { "" };
    format!("{sign}{}", ui::money::format(amount, visit.words))
}

/// The buttons of those who decide. The person who proposed it can take it back.
fn decision(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView, proposal: &Proposal) -> Html {
    let words = visit.words.return_order;
    let needed = if proposal.kind == ProposalKind::Override { Scope::Override } else { Scope::Resolve };
    let staff = visit.may_act(needed).ok();
    let is_own = proposal.proposed_by == Some(visit.session.user.id.0);
    let may_approve = !is_own && staff.is_some_and(|staff| !staff.is_limited());
    let fields = || {
        vec![("request", request.id.to_string()), ("proposal", proposal.id.to_string()), ("from", page.from.clone())]
    };
    let approve = may_approve.then(|| {
        // What the person sees is what is approved.
        let version = ("version", request.version.to_string());
        let fields = fields().into_iter().chain([version]).collect();
        let button = Action::call(words.proposal_approve, "approve-proposal", fields).weight(Weight::Main);
        actions(visit, &format!("approve-{}", proposal.id), vec![button])
    });
    let refuse = (may_approve || is_own).then(|| {
        let is_read = proposal.kind == ProposalKind::Override;
        let text = if is_own { words.proposal_take_back } else { words.proposal_refuse };
        refusal(visit, proposal, text, is_read, fields())
    });
    let waits = (!may_approve).then(|| view! { <p class="hint">{words.proposal_waits}</p> });
    view! { {approve}{refuse}{waits} }.into_html()
}

/// The form that refuses a proposal, with the reason. `is_read`: the consumer reads it.
fn refusal(
    visit: &Visit,
    proposal: &Proposal,
    text: &'static str,
    is_read: bool,
    fields: Vec<(&'static str, String)>,
) -> Html {
    let words = visit.words.return_order;
    let id = format!("refusal-{}", proposal.id);
    let label = if is_read { words.comment } else { words.comment_internal };
    let hint = is_read.then(|| view! { <p class="hint">{words.reject_hint}</p> });
    let mistake = visit.mistake(&id);
    let is_open = mistake.is_some();
    let hidden = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let value = if is_open { visit.value("refusal", "") } else { String::new() };
    let content = view! {
        {hidden.collect_view()}
        <div class="field" class:has-error=is_open>
            <label for=id.clone()>{label}</label>
            {hint}
            <FieldMistake id=format!("{id}-error") text=mistake words=visit.words/>
            <textarea class="textarea" id=id name="refusal" dir="auto" maxlength="500" required=true>{typed(&value)}</textarea>
        </div>
        <div class="actions"><button class="button button-second">{text}</button></div>
    };
    view! { <details class="note-change" open=is_open><summary>{text}</summary>{form(visit, "refuse-proposal", content)}</details> }
        .into_html()
}

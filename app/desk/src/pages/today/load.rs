//! Loads the first page.

use crate::{
    frame::navigation::Section,
    pages::{
        connections::has_problem,
        today::view::{Step, TodayPage, today_page},
    },
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use domain::{integration::IntegrationRole, stage::Queue};
use futures_util::future::try_join4;
use returns::{Listing, Page, Scope, Staff, view};

/// Shows what waits. An account without returns gets the steps to the first one instead.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.reader()?;
    let steps = if staff.may(Scope::Read) { steps(&visit, &staff).await? } else { Vec::new() };
    let has_figures = staff.may(Scope::Read) && steps.is_empty();
    let (queues, recent) = (queues(&visit, &staff), recent(&visit, &staff));
    let read = try_join4(queues, figures(&visit, &staff, has_figures), recent, troubled(&visit, &staff));
    let (queues, figures, recent, troubled) = Box::pin(read).await?; // it is large
    let page = TodayPage { troubled, queues, steps, figures, recent };
    Ok(visit.render(visit.words.today.title, Section::Today, || today_page(&visit, page)))
}

/// The queues that the person acts on.
async fn queues(visit: &Visit, staff: &Staff) -> Result<Vec<view::QueueView>, EarlyResponse> {
    let queues = visit.retour.merchant(staff).queues().await.map_err(|error| visit.failed(&error))?.data;
    Ok(queues.into_iter().filter(|queue| is_for(staff, queue)).collect())
}

async fn figures(visit: &Visit, staff: &Staff, are_shown: bool) -> Result<Option<view::FiguresSummary>, EarlyResponse> {
    if !are_shown {
        return Ok(None);
    }
    visit.retour.merchant(staff).figures_summary().await.map(Some).map_err(|error| visit.failed(&error))
}

/// The parts that connected systems with a problem play.
async fn troubled(visit: &Visit, staff: &Staff) -> Result<Vec<IntegrationRole>, EarlyResponse> {
    if !staff.may(Scope::Read) {
        return Ok(Vec::new());
    }
    let all = visit.retour.merchant(staff).integrations().await.map_err(|error| visit.failed(&error))?.data;
    Ok(all.into_iter().filter(has_problem).map(|one| one.role).collect())
}

/// The returns that the person worked on last.
async fn recent(visit: &Visit, staff: &Staff) -> Result<Vec<view::ReturnOrderView>, EarlyResponse> {
    let recent = visit.retour.merchant(staff).worked_return_orders().await;
    Ok(recent.map_err(|error| visit.failed(&error))?.data)
}

/// Whether a person acts on the rows of a queue. People who only read see all queues.
fn is_for(staff: &Staff, queue: &view::QueueView) -> bool {
    let acts = [Scope::Write, Scope::Receive, Scope::Resolve].iter().any(|scope| staff.may(*scope));
    let scope = match queue.queue {
        Queue::ToDecide | Queue::WaitingForCustomer | Queue::LabelTrouble | Queue::Withdrawn => Scope::Write,
        Queue::LateOnTheWay | Queue::Mine | Queue::Flagged => return staff.may(Scope::Read) || !acts,
        Queue::ArrivedNotCounted | Queue::ToInspect | Queue::WithoutPapers => Scope::Receive,
        Queue::ToApprove if staff.is_limited() => return false,
        Queue::ToApprove | Queue::ToSettle | Queue::ToPay | Queue::PaymentFailed => Scope::Resolve,
    };
    staff.may(scope) || !acts
}

/// The steps to the first return; none if there is a return.
async fn steps(visit: &Visit, staff: &Staff) -> Result<Vec<Step>, EarlyResponse> {
    let merchant = visit.retour.merchant(staff);
    let failed = |error| visit.failed(&error);
    let one = Listing::newest(Page::first(1));
    if !merchant.return_orders(&one, &[]).await.map_err(failed)?.data.is_empty() {
        return Ok(Vec::new());
    }
    let words = visit.words.today;
    let has_orders = !merchant.all_purchases(&one).await.map_err(failed)?.data.is_empty();
    let has_location = !merchant.return_locations(&one).await.map_err(failed)?.data.is_empty();
    let has_address = has_location || visit.account.policy.return_address.is_some();
    let has_reasons = !merchant.return_reasons(&one).await.map_err(failed)?.data.is_empty();
    let has_options = !merchant.shipping_options(&one).await.map_err(failed)?.data.is_empty();
    let has_webhook =
        visit.may(Scope::Admin) && !merchant.webhook_subscriptions(&one).await.map_err(failed)?.data.is_empty();
    let step = |text, hint, is_done, path| Step { text, hint, is_done, path };
    let new_return = visit.may(Scope::Write).then_some("new-return");
    Ok(vec![
        step(words.orders, words.orders_hint, has_orders, Some("orders")),
        step(words.address, words.address_hint, has_address, None),
        step(words.reasons, words.reasons_hint, has_reasons, None),
        step(words.options, words.options_hint, has_options, None),
        step(words.first_return, words.first_return_hint, false, new_return),
        step(words.webhook, words.webhook_hint, has_webhook, None),
    ])
}

//! Triggers events in a test account.

use super::{
    action::{Action, is_ahead, next_action},
    carrier::{EXCEPTION, next_report},
    refusal::{refuse, refused},
    warehouse::missing,
};
use crate::{
    base::{Error, OrBroken, Result, Retour, Staff, detached, patch_field::PatchField},
    merchant::{
        people::withdrawals::WithdrawalInput,
        returns::{handling::ReturnOrderChange, notes::NoteInput, staff_action::StatusUpdate},
    },
    view,
};
use domain::{
    EventId, ReturnOrderId, WebhookSubscriptionId,
    account::Account,
    payment::PaymentKind,
    returning::{ReturnRequest, Shipment},
    stage::{Scan, StageGroup, StageName},
    webhook::{DisabledReason, EventType},
};
use serde::Serialize;
use std::collections::HashSet;
use store::{lists::Listing, page::Page};

/// The maximum number of steps: more than a return of many items takes.
const MOST_STEPS: usize = 2_000;

/// An event to trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// Its type.
    pub event: EventType,
    /// For `return_request.stage_changed`, the stage to enter; `None`: the next stage.
    pub stage: Option<StageName>,
    /// The number of the return order that the event is about; `None`: a new return order.
    pub return_number: Option<String>,
}

/// The result of a trigger.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Triggered {
    /// The return order after the event; `None` if the event is not about a return order.
    pub return_order: Option<view::ReturnOrderView>,
    /// The events that were written, oldest first. For a return order, they include the events that led to the triggered one.
    pub events: Vec<view::Event>,
}

impl Trigger {
    fn is_of_return(&self) -> bool {
        match self.event {
            EventType::StageChanged
            | EventType::ReturnOrderCreated
            | EventType::ReturnOrderConfirmed
            | EventType::ReturnOrderCompleted
            | EventType::ReturnOrderCancelled
            | EventType::NoteAdded
            | EventType::ReturnOrderAssigned
            | EventType::LabelCreated
            | EventType::TrackingUpdated
            | EventType::ShipmentDelivered => true,
            EventType::WithdrawalReceived
            | EventType::ConsumerErased
            | EventType::SubscriptionDisabled
            | EventType::Ping => false,
        }
    }

    fn check(&self, account: &Account) -> Result<()> {
        if !account.is_test {
            return refuse(format!(
                "{} is not a test account. Create one with: retour account create --test",
                account.slug
            ));
        }
        if self.stage.is_some() && self.event != EventType::StageChanged {
            return refuse("Only return_request.stage_changed takes a stage.");
        }
        if self.return_number.is_some() && !self.is_of_return() {
            return refuse(format!("{} is not an event of a return order.", self.event.name()));
        }
        Ok(())
    }

    /// Whether the event can happen to a return order with these requests and parcels.
    fn is_possible(&self, requests: &[ReturnRequest], shipments: &[Shipment]) -> bool {
        let stages: Vec<StageName> = requests.iter().map(|request| request.state.stage.name()).collect();
        let is_before_label = |stage: &StageName| {
            stage.group() == StageGroup::Requested && !stage.next().is_empty()
                || matches!(
                    stage,
                    StageName::SubmittedPaymentPending
                        | StageName::SubmittedLabelPending
                        | StageName::SubmittedLabelFailed
                )
        };
        match (self.event, self.stage) {
            (EventType::StageChanged, Some(wanted)) => stages.iter().any(|stage| is_ahead(*stage, wanted)),
            (EventType::StageChanged, None)
            | (EventType::ReturnOrderCompleted | EventType::ReturnOrderCancelled, _) => {
                stages.iter().any(|stage| !stage.next().is_empty())
            }
            (EventType::NoteAdded | EventType::ReturnOrderAssigned, _) => true,
            (EventType::ReturnOrderConfirmed | EventType::LabelCreated, _) => stages.iter().any(is_before_label),
            (EventType::TrackingUpdated | EventType::ShipmentDelivered, _) => {
                shipments.iter().any(|shipment| next_report(shipment).is_some()) || stages.iter().any(is_before_label)
            }
            (
                EventType::ReturnOrderCreated
                | EventType::WithdrawalReceived
                | EventType::ConsumerErased
                | EventType::SubscriptionDisabled
                | EventType::Ping,
                _,
            ) => false,
        }
    }

    /// Names the return order, because a new one stays.
    fn why_impossible(&self, number: &str, requests: &[ReturnRequest]) -> String {
        let stages: Vec<&str> = requests.iter().map(|request| request.state.stage.name().as_str()).collect();
        let to = self.stage.map(|stage| format!(" to {stage}")).unwrap_or_default();
        let (event, stages) = (self.event.name(), stages.join(", "));
        format!("{event}{to} cannot happen to return order {number}. Its requests are in: {stages}.")
    }

    fn is_cancellation(&self) -> bool {
        self.event == EventType::ReturnOrderCancelled || self.stage == Some(StageName::ClosedCancelled)
    }
}

impl Retour {
    /// Makes an event happen, and the events before it. The serving instance sends the deliveries.
    pub(crate) async fn trigger(&self, account: &Account, trigger: &Trigger) -> Result<Triggered> {
        trigger.check(account)?;
        let staff = Staff::operator(account.id);
        if trigger.is_of_return() {
            return self.trigger_of_return(account, &staff, trigger).await;
        }
        let clauses = [format!("type:{}", trigger.event.name())];
        let known = ids(&self.newest_events(&staff, &clauses).await?);
        match trigger.event {
            EventType::WithdrawalReceived => self.withdraw(account, &staff).await?,
            EventType::ConsumerErased => {
                let (_, shopper) = self.buy(account).await?;
                self.merchant(&staff).erase_consumer(shopper.consumer).await?;
            }
            EventType::SubscriptionDisabled => self.disable_subscription_for_test(&staff).await?,
            EventType::Ping => self.ping_all(&staff).await?,
            // `trigger_of_return` handles them.
            EventType::StageChanged
            | EventType::ReturnOrderCreated
            | EventType::ReturnOrderConfirmed
            | EventType::ReturnOrderCompleted
            | EventType::ReturnOrderCancelled
            | EventType::NoteAdded
            | EventType::ReturnOrderAssigned
            | EventType::LabelCreated
            | EventType::TrackingUpdated
            | EventType::ShipmentDelivered => return Err(Error::broken()),
        }
        Ok(Triggered { return_order: None, events: new_ones(self.newest_events(&staff, &clauses).await?, &known) })
    }

    async fn trigger_of_return(&self, account: &Account, staff: &Staff, trigger: &Trigger) -> Result<Triggered> {
        let (order, known) = match &trigger.return_number {
            Some(number) => {
                let order = self.find_by_number(staff, number).await?;
                (order, ids(&self.newest_events(staff, &[of_return(order)]).await?))
            }
            None => (self.return_something(account, trigger.stage).await?, HashSet::new()),
        };
        self.drive(account, staff, order, &known, trigger).await?;
        let events = new_ones(self.newest_events(staff, &[of_return(order)]).await?, &known);
        Ok(Triggered { return_order: Some(self.merchant(staff).return_order(order, &[]).await?), events })
    }

    /// Moves a return order on until the event happens.
    async fn drive(
        &self,
        account: &Account,
        staff: &Staff,
        order: ReturnOrderId,
        known: &HashSet<EventId>,
        trigger: &Trigger,
    ) -> Result<()> {
        let mut clauses = vec![of_return(order), format!("type:{}", trigger.event.name())];
        clauses.extend(trigger.stage.map(|stage| format!("stage:{stage}")));
        for _ in 0..MOST_STEPS {
            let events = self.newest_events(staff, &clauses).await?;
            if events.iter().any(|event| !known.contains(&event.id)) {
                return Ok(());
            }
            let (requests, shipments) = (self.requests_of(staff, order).await?, self.shipments_of(staff, order).await?);
            if !trigger.is_possible(&requests, &shipments) {
                let number = self.merchant(staff).return_order(order, &[]).await?.number;
                return refuse(trigger.why_impossible(&number, &requests));
            }
            match trigger.event {
                EventType::NoteAdded => {
                    let note = NoteInput { text: "Triggered for a test".to_owned() };
                    self.merchant(staff).add_note(order, note, None).await?;
                    continue;
                }
                EventType::ReturnOrderAssigned => {
                    self.assign_for_test(staff, order).await?;
                    continue;
                }
                _ => {}
            }
            if trigger.is_cancellation() {
                self.merchant(staff).cancel_return_order(order, None).await?;
                continue;
            }
            if let Err(error) = self.step(account, staff, &requests, &shipments, trigger).await
                && !self.has_moved(staff, order, &requests, &shipments).await?
            {
                return Err(error);
            }
        }
        Err(Error::broken())
    }

    /// Whether another trigger or the simulated carrier has moved the return order since it was read.
    async fn has_moved(
        &self,
        staff: &Staff,
        order: ReturnOrderId,
        requests: &[ReturnRequest],
        shipments: &[Shipment],
    ) -> Result<bool> {
        Ok(self.requests_of(staff, order).await? != requests || self.shipments_of(staff, order).await? != shipments)
    }

    /// Gives a return order to the newest user, or takes it from them.
    async fn assign_for_test(&self, staff: &Staff, order: ReturnOrderId) -> Result<()> {
        let assignee_id = match self.merchant(staff).return_order(order, &[]).await?.assignee_id {
            Some(_) => None,
            None => {
                let newest = Listing::newest(Page::first(1));
                let user = self.merchant(staff).users(&newest).await?.data.into_iter().next();
                Some(user.ok_or_else(|| refused("The account has no user."))?.id)
            }
        };
        let change = ReturnOrderChange { assignee_id: PatchField(Some(assignee_id)), ..ReturnOrderChange::default() };
        self.merchant(staff).change_return_order(order, change, None, None).await.map(drop)
    }

    /// Takes the first step that is possible.
    async fn step(
        &self,
        account: &Account,
        staff: &Staff,
        requests: &[ReturnRequest],
        shipments: &[Shipment],
        trigger: &Trigger,
    ) -> Result<()> {
        let is_of_parcel = matches!(trigger.event, EventType::TrackingUpdated | EventType::ShipmentDelivered);
        if is_of_parcel
            && let Some((shipment, report)) =
                shipments.iter().find_map(|shipment| next_report(shipment).map(|report| (shipment, report)))
        {
            return self.report_simulated_scan(staff, shipment, report).await;
        }
        let mut waits = None;
        for request in requests {
            match next_action(account, request, trigger.stage) {
                Action::Nothing => {}
                Action::Wait(why) => waits = Some(why),
                action => return self.act(staff, request, shipments, action).await,
            }
        }
        refuse(waits.unwrap_or("No step can advance this return order."))
    }

    async fn act(&self, staff: &Staff, request: &ReturnRequest, shipments: &[Shipment], action: Action) -> Result<()> {
        match action {
            Action::Update(stage) => {
                let is_completed = stage == StageName::ResolutionCompleted;
                let update = StatusUpdate {
                    stage,
                    from_stage: None,
                    comment: "Triggered for a test".to_owned(),
                    external_reference: is_completed.then(|| format!("simulated-{}", request.id)),
                    instead: None,
                    version: None,
                };
                self.merchant(staff).update_status(request.id, update, None).await.map(drop)
            }
            Action::Pay => self.pay_for_test(staff, request.return_order_id).await,
            Action::Carry(scan) => {
                let shipment =
                    shipments.iter().find_map(|shipment| next_report(shipment).map(|report| (shipment, report)));
                match shipment {
                    Some((shipment, _)) if scan == Scan::Exception => {
                        self.report_simulated_scan(staff, shipment, EXCEPTION).await
                    }
                    Some((shipment, report)) => self.report_simulated_scan(staff, shipment, report).await,
                    None => self.receive_missing(staff, request, missing(request)).await,
                }
            }
            Action::Receive(units) => self.receive_missing(staff, request, units).await,
            Action::Inspect => self.inspect_simulated(staff, request).await,
            Action::Wait(why) => refuse(why),
            Action::Nothing => Ok(()),
        }
    }

    async fn receive_missing(&self, staff: &Staff, request: &ReturnRequest, units: u32) -> Result<()> {
        // If another trigger was faster, the next step continues from what it left.
        self.receive_simulated(staff, request, units, format!("simulated-{}", self.source.id())).await.map(drop)
    }

    async fn pay_for_test(&self, staff: &Staff, order: ReturnOrderId) -> Result<()> {
        let payment = self.merchant(staff).return_order(order, &[]).await?.payment;
        if payment.is_none_or(|payment| payment.kind != PaymentKind::Simulated) {
            return refuse("The return request waits for a payment that is not simulated: the shopper has to pay.");
        }
        self.pay_simulated(staff.account(), order).await
    }

    async fn withdraw(&self, account: &Account, staff: &Staff) -> Result<()> {
        let (order, _) = self.buy(account).await?;
        let input =
            WithdrawalInput { name: order.address.name, contract: order.number, email: order.email, language: None };
        self.merchant(staff).create_withdrawal(input, None).await.map(drop)
    }

    /// Writes the event of a subscription that is disabled because its receiver answered 410, and then deleted. No
    /// subscription is stored, so an interruption leaves none behind.
    async fn disable_subscription_for_test(&self, staff: &Staff) -> Result<()> {
        let (retour, account, now) = (self.clone(), staff.account(), self.now());
        let (id, description) = (WebhookSubscriptionId(self.source.id()), "Made by retour trigger".to_owned());
        let event = self.disabled_event(
            account,
            &view::SubscriptionDisabledEventData {
                id,
                description,
                disabled_reason: DisabledReason::Gone,
                disabled_at: now,
                failing_since: now,
            },
        )?;
        detached(async move {
            let mut writing = retour.store.write().await?;
            writing.publish(event);
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Sends a ping to every enabled subscription.
    async fn ping_all(&self, staff: &Staff) -> Result<()> {
        let newest = Listing::newest(Page::first(MOST_LISTED));
        let subscriptions = self.merchant(staff).webhook_subscriptions(&newest).await?.data;
        let enabled: Vec<WebhookSubscriptionId> =
            subscriptions.into_iter().filter(|one| one.enabled).map(|one| one.id).collect();
        if enabled.is_empty() {
            return refuse("The account has no enabled webhook subscription.");
        }
        for id in enabled {
            self.merchant(staff).test_webhook_subscription(id, None).await?;
        }
        Ok(())
    }

    async fn find_by_number(&self, staff: &Staff, number: &str) -> Result<ReturnOrderId> {
        let condition = store::return_orders::LIST.condition(&format!("number:{number}")).map_err(refused)?;
        let listing = Listing { conditions: vec![condition], ..Listing::newest(Page::first(1)) };
        let found = self.merchant(staff).return_orders(&listing, &[]).await?.data.into_iter().next();
        found.map(|order| order.id).ok_or_else(|| refused(format!("The account has no return order {number}.")))
    }

    async fn newest_events(&self, staff: &Staff, clauses: &[String]) -> Result<Vec<view::Event>> {
        let conditions = clauses.iter().map(|clause| store::events::LIST.condition(clause));
        let conditions = conditions.collect::<Result<Vec<_>, _>>().ok().or_broken()?;
        let listing = Listing { conditions, ..Listing::newest(Page::first(MOST_LISTED)) };
        Ok(self.merchant(staff).events(&listing).await?.data)
    }
}

/// The maximum number of events that are read: more than one trigger of a small return writes.
const MOST_LISTED: i64 = store::page::MAX_LIMIT;

fn of_return(order: ReturnOrderId) -> String {
    format!("returnOrderId:{order}")
}

fn ids(events: &[view::Event]) -> HashSet<EventId> {
    events.iter().map(|event| event.id).collect()
}

/// The events that were not known before, oldest first.
fn new_ones(newest: Vec<view::Event>, known: &HashSet<EventId>) -> Vec<view::Event> {
    newest.into_iter().rev().filter(|event| !known.contains(&event.id)).collect()
}

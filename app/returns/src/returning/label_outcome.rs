//! Updates a shipment and its requests after a call for its label.

use super::{
    change::{Change, Returned},
    events::{OrderSnapshot, failed_attempt, order_data},
};
use crate::base::Result;
use domain::{
    Timestamp,
    returning::{ReturnRequest, Shipment, ShipmentStatus},
    stage::{Move, StageName},
    webhook::EventType,
};
use store::Writing;

/// Why there is no label yet: a code for programs, and a message for the merchant's staff.
#[derive(Debug, Clone)]
pub struct LabelProblem {
    /// The code, for programs.
    pub code: String,
    /// The message, for people.
    pub message: String,
}

/// The number of failed requests to a carrier, and the time of the next one.
#[derive(Debug, Clone, Copy)]
pub struct LabelAttempts {
    /// The number of failed requests.
    pub failed_attempts: u32,
    /// When the carrier is asked again; `None` if it is not.
    pub next_attempt_at: Option<Timestamp>,
}

impl Change<'_> {
    /// Moves the requests of the shipment on, and writes the event.
    pub async fn label_created(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mut shipment: Shipment,
    ) -> Result<()> {
        shipment.status = ShipmentStatus::LabelCreated;
        shipment.clear_error();
        self.update_parcel(writing, &mut shipment).await?;
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.make_move(writing, returned, index, &Move::RetryLabel).await?;
            }
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                self.make_move(writing, returned, index, &self.label_made()).await?;
            }
        }
        self.follow_up(writing, returned).await?;
        let Returned { order, consumer, requests, .. } = returned;
        let new_shipments = std::slice::from_ref(&shipment);
        let data = order_data(&OrderSnapshot { order, consumer, requests, new_shipments })?;
        self.write_shipment_event(writing, EventType::LabelCreated, &shipment, &data)
    }

    /// Moves the requests of the shipment to the stage in which staff have to act.
    pub async fn label_failed(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mut shipment: Shipment,
        trouble: &LabelProblem,
        tried: LabelAttempts,
    ) -> Result<()> {
        let is_new = shipment.status == ShipmentStatus::New;
        if is_new {
            shipment.status = ShipmentStatus::LabelFailed;
            for index in 0..returned.requests.len() {
                if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                    let failed = Move::LabelFailed { error: trouble.message.clone() };
                    self.make_move(writing, returned, index, &failed).await?;
                }
            }
            self.follow_up(writing, returned).await?;
        }
        if is_new {
            set_label_problem(&mut shipment, trouble, tried);
            return self.update_parcel(writing, &mut shipment).await;
        }
        self.write_label_problem(writing, returned, shipment, trouble, tried).await
    }

    /// Writes the reason why there is no label yet. If the reason is new, the timelines of the requests that wait for
    /// the label get an entry.
    pub async fn write_label_problem(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        mut shipment: Shipment,
        trouble: &LabelProblem,
        tried: LabelAttempts,
    ) -> Result<()> {
        let is_news = shipment.error_code != trouble.code || shipment.error_message != trouble.message;
        let before = (shipment.failed_attempts, shipment.next_attempt_at);
        if !is_news && before == (tried.failed_attempts, tried.next_attempt_at) {
            return Ok(());
        }
        let waits = |request: &&ReturnRequest| {
            matches!(request.state.stage.name(), StageName::SubmittedLabelPending | StageName::SubmittedLabelFailed)
        };
        for request in returned.requests.iter().filter(waits).filter(|_| is_news) {
            writing.add_timeline_entry(failed_attempt(self.account.id, request, self.now, &trouble.message));
        }
        set_label_problem(&mut shipment, trouble, tried);
        self.update_parcel(writing, &mut shipment).await
    }
}

fn set_label_problem(shipment: &mut Shipment, trouble: &LabelProblem, tried: LabelAttempts) {
    (shipment.failed_attempts, shipment.next_attempt_at) = (tried.failed_attempts, tried.next_attempt_at);
    shipment.error_code.clone_from(&trouble.code);
    shipment.error_message.clone_from(&trouble.message);
}

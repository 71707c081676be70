//! Writes a step of the state machine: the request, its units, its timeline and its events.

use super::change::{Change, Returned};
use crate::base::{Error, OrBroken, Result};
use domain::{
    party::Actor,
    returning::{ReturnOrderStatus, ReturnRequest},
    stage::{Move, RequestState, StageName, Step},
};
use store::{Writing, purchases, return_requests};

impl Change<'_> {
    /// Writes a step of a request, and recalculates the return's costs. If the step takes units again, the caller has
    /// taken them.
    pub async fn write_step(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        step: Step,
        actor: Actor,
    ) -> Result<()> {
        if step.repeated {
            return Ok(());
        }
        let accepted = self.accept(writing, returned, index, step).await?;
        self.move_units(writing, returned.request(index)?, &accepted.step).await?;
        // Costs first, so that the mails and events of the step contain the right amounts.
        self.recalculate_costs(writing, returned, index, &accepted).await?;
        let step = accepted.step;
        let request = returned.requests.get_mut(index).or_broken()?;
        let before = std::mem::replace(&mut request.state, step.state).stage.name();
        request.updated_at = self.now;
        let stage = request.state.stage.name();
        if stage != before {
            request.stage_since = self.now;
        }
        request.proposal = request.proposal.take().filter(|proposal| proposal.stands_in(stage));
        if !returned.is_new {
            if !return_requests::update(writing.db(), self.id(), request).await? {
                return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
            }
            request.version += 1;
            self.queue_settlement(writing, returned, index, Some(before)).await?;
        }
        let request = returned.request(index)?;
        self.write_stage_events(writing, request, &returned.consumer, Some(before), &step.entered, actor)
    }

    /// Makes a move of a request, as the party that makes the change.
    pub async fn make_move(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        mv: &Move,
    ) -> Result<()> {
        let step = returned.request(index)?.state.apply(mv, &self.context())?;
        self.write_step(writing, returned, index, step, self.actor).await
    }

    /// Makes a move, and updates the whole return.
    pub async fn make_move_and_follow_up(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        mv: &Move,
    ) -> Result<()> {
        self.make_move(writing, returned, index, mv).await?;
        self.follow_up(writing, returned).await
    }

    /// Releases or settles the units of a step.
    async fn move_units(&self, writing: &mut Writing, request: &ReturnRequest, step: &Step) -> Result<()> {
        if step.freed.units > 0 {
            purchases::give_back(writing.db(), self.id(), request.purchase_id, step.freed).await?;
        }
        if step.settled > 0 {
            purchases::settle(writing.db(), self.id(), request.purchase_id, step.settled).await?;
        }
        Ok(())
    }
}

/// The status of a return order, by its requests.
pub(crate) fn status_of(requests: &[ReturnRequest]) -> ReturnOrderStatus {
    let stages: Vec<StageName> = requests.iter().map(|request| request.state.stage.name()).collect();
    ReturnOrderStatus::derive(&stages)
}

/// The states of requests, borrowed, for the domain's functions over a whole return order.
pub(crate) fn states(requests: &[ReturnRequest]) -> Vec<&RequestState> {
    requests.iter().map(|request| &request.state).collect()
}

//! Proposals: an agent asks others to approve what is above the agent's limit.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Scope, Staff, again_on_deadlock, audit, conclude,
        detached, error::check,
    },
    merchant::{
        handle::MerchantHandle,
        returns::{
            adjustments::signed,
            staff_action::{StaffAction, StatusUpdate},
        },
        version::check_version,
    },
    returning::{
        adjusting::adjusted,
        change::{Change, Returned},
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Money, Problems, ProposalId, Refusal, RefusalCode, ReturnRequestId,
    audit::AuditAction,
    returning::{Proposal, ProposalKind, ReturnRequest},
    stage::StageName,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Writing, return_orders, return_requests};

const COMMENT_CHARS: std::ops::RangeInclusive<usize> = 3..=500;

/// What can be proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Proposed")]
pub enum Proposed {
    /// A change of the value of the return request.
    Adjustment,
    /// The approval of its resolution.
    Resolution,
}

domain::string_enum!(Proposed);

/// What an agent asks others to approve about a return request.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalInput {
    /// What it asks for.
    pub kind: Proposed,
    /// Of an adjustment: the amount to add to the value of the return request, in its currency; negative: to take off.
    pub amount: Option<Money>,
    /// The reason: 3 to 500 characters. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    pub comment: String,
    /// The current stage as you know it: any other stage is a conflict.
    pub from_stage: Option<StageName>,
}

impl ProposalInput {
    fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        check_comment(&mut problems, &self.comment);
        match (self.kind, self.amount) {
            (Proposed::Adjustment, None) => {
                problems.add("amount", RefusalCode::Required, "expected the amount of the adjustment");
            }
            (Proposed::Adjustment, Some(amount)) if amount.minor == 0 => {
                problems.add("amount", RefusalCode::OutOfRange, "expected an amount other than zero");
            }
            (Proposed::Resolution, Some(_)) => {
                problems.add("amount", RefusalCode::NotAllowed, "expected only with the kind Adjustment");
            }
            (Proposed::Adjustment, Some(_)) | (Proposed::Resolution, None) => {}
        }
        check(problems)
    }
}

fn check_comment(problems: &mut Problems, comment: &str) {
    if comment.trim().chars().count() < *COMMENT_CHARS.start() {
        let message = format!("expected {} to {} characters", COMMENT_CHARS.start(), COMMENT_CHARS.end());
        problems.add("comment", RefusalCode::Required, message);
    } else {
        problems.check_text("comment", &comment.replace(['\n', '\r', '\t'], " "), COMMENT_CHARS);
    }
}

/// What is decided about a proposal.
#[derive(Debug, Clone)]
enum Decided {
    /// Of the request in this version, if the caller names one: its value may have changed since the proposal.
    Approved { version: Option<i64> },
    /// With the reason.
    Refused(String),
}

impl MerchantHandle<'_> {
    /// Asks others to approve something about a request. It replaces what was proposed before.
    pub async fn propose(
        self,
        id: ReturnRequestId,
        input: ProposalInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        input.check()?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.propose_once(staff, id, &input, key.as_ref())).await }).await
    }

    /// Approves what somebody else proposed, and carries it out. `version`: the version of the request that the caller saw.
    pub async fn approve_proposal(
        self,
        id: ReturnRequestId,
        proposal: ProposalId,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.decide(id, proposal, Decided::Approved { version }, key).await
    }

    /// Refuses what was proposed. A return that overrides a rule is rejected, and its consumer reads the comment.
    pub async fn refuse_proposal(
        self,
        id: ReturnRequestId,
        proposal: ProposalId,
        comment: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let mut problems = Problems::default();
        check_comment(&mut problems, &comment);
        check(problems)?;
        self.decide(id, proposal, Decided::Refused(comment.trim().to_owned()), key).await
    }

    async fn decide(
        self,
        id: ReturnRequestId,
        proposal: ProposalId,
        decided: Decided,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        let once = move || {
            let (retour, decided, key) = (retour.clone(), decided.clone(), key.clone());
            async move { retour.decide_once(staff, (id, proposal), &decided, key.as_ref()).await }
        };
        detached(async move { again_on_deadlock(once).await }).await
    }
}

impl Retour {
    async fn propose_once(
        &self,
        staff: Staff,
        id: ReturnRequestId,
        input: &ProposalInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock_with(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        let index = returned.index_of(id)?;
        check_possible(&returned, index, input)?;
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let kind = match input.kind {
            Proposed::Adjustment => ProposalKind::Adjustment,
            Proposed::Resolution => ProposalKind::Resolution,
        };
        let proposal = Proposal {
            id: ProposalId(self.source.id()),
            kind,
            amount: input.amount,
            comment: input.comment.trim().to_owned(),
            proposed_by: staff.actor_id(),
            created_at: self.now(),
        };
        let change = self.change_by(&staff, &settings, format!("Proposed: {}", said(&proposal)));
        let after = recorded(&proposal);
        returned.requests.get_mut(index).or_broken()?.proposal = Some(proposal);
        change.store_within_stage(&mut writing, &mut returned, index).await?;
        record_work(&mut writing, &staff, returned.order.id, change.now).await?;
        audit::record(&mut writing, &staff, change.now, AuditAction::ProposalMade, id, None, Some(after));
        answer(writing, &staff, returned, index, key).await
    }

    async fn decide_once(
        &self,
        staff: Staff,
        (id, proposal): (ReturnRequestId, ProposalId),
        decided: &Decided,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        // The approval of a return may need a label.
        let parcel = Some(self.parcel_number(account).await?);
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock_with(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        let index = returned.index_of(id)?;
        let proposal = waiting(returned.request(index)?, proposal)?;
        check_may_decide(&staff, &proposal, decided)?;
        if let Decided::Approved { version } = decided {
            check_version(*version, returned.request(index)?.version)?;
        }
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let (comment, action) = match decided {
            Decided::Approved { .. } => (format!("Approved: {}", said(&proposal)), AuditAction::ProposalApproved),
            Decided::Refused(why) => (format!("Refused: {}. {why}", said(&proposal)), AuditAction::ProposalRefused),
        };
        let change = self.change_by(&staff, &settings, comment);
        match target(proposal.kind, decided) {
            // Consumers read the comment of a move, so who asked for it and why has an entry of its own.
            Some(stage) => {
                writing.add_timeline_entry(change.entry_within_stage(returned.request(index)?));
                let update = update_to(stage, decided);
                let moving = Change { parcel, ..self.change_by(&staff, &settings, update.comment.clone()) };
                if moving.make(&staff, &mut writing, &mut returned, index, &StaffAction::Update(update)).await? {
                    moving.follow_up(&mut writing, &mut returned).await?;
                }
            }
            None => {
                returned.requests.get_mut(index).or_broken()?.proposal = None;
                match proposal.amount.filter(|_| matches!(decided, Decided::Approved { .. })) {
                    Some(amount) => change.adjust(&mut writing, &mut returned, index, amount.minor).await?,
                    None => change.store_within_stage(&mut writing, &mut returned, index).await?,
                }
            }
        }
        record_work(&mut writing, &staff, returned.order.id, change.now).await?;
        audit::record(&mut writing, &staff, change.now, action, id, None, Some(recorded(&proposal)));
        let is_over = returned.order.status.is_over();
        let done = answer(writing, &staff, returned, index, key).await;
        if is_over {
            self.finish_erasures_soon();
        }
        done
    }
}

impl Change<'_> {
    /// Writes a request that stays in its stage, with an entry in the timeline.
    async fn store_within_stage(&self, writing: &mut Writing, returned: &mut Returned, index: usize) -> Result<()> {
        let request = returned.requests.get_mut(index).or_broken()?;
        request.updated_at = self.now;
        returned.order.updated_at = self.now;
        let is_written = return_requests::update(writing.db(), self.id(), request).await?
            && return_orders::update(writing.db(), self.id(), &returned.order).await?;
        if !is_written {
            return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
        }
        request.version += 1;
        returned.order.version += 1;
        writing.add_timeline_entry(self.entry_within_stage(request));
        Ok(())
    }
}

/// The stage that a decision leads to; `None`: the request stays in its stage.
fn target(kind: ProposalKind, decided: &Decided) -> Option<StageName> {
    match (kind, decided) {
        (ProposalKind::Override, Decided::Approved { .. }) => Some(StageName::RequestedApproved),
        (ProposalKind::Override, Decided::Refused(_)) => Some(StageName::RequestedRejected),
        (ProposalKind::Resolution, Decided::Approved { .. }) => Some(StageName::ResolutionApproved),
        (ProposalKind::Resolution, Decided::Refused(_)) | (ProposalKind::Adjustment, _) => None,
    }
}

fn update_to(stage: StageName, decided: &Decided) -> StatusUpdate {
    let comment = match decided {
        Decided::Approved { .. } => String::new(),
        Decided::Refused(why) => why.clone(),
    };
    StatusUpdate { stage, from_stage: None, comment, external_reference: None, instead: None, version: None }
}

/// Refuses a proposal that could not be carried out now.
fn check_possible(returned: &Returned, index: usize, input: &ProposalInput) -> Result<()> {
    let request = returned.request(index)?;
    let stage = request.state.stage.name();
    if let Some(believed) = input.from_stage.filter(|believed| *believed != stage) {
        let message = format!("The return request is in stage {stage}, not in {believed}.");
        return Err(Refusal::new(RefusalCode::StageConflict, message).into());
    }
    if request.proposal.as_ref().is_some_and(|proposal| proposal.kind == ProposalKind::Override) {
        let message = "The return itself waits for its approval, because a rule was overridden.";
        return Err(Refusal::new(RefusalCode::IllegalTransition, message).into());
    }
    match (input.kind, input.amount) {
        (Proposed::Adjustment, Some(amount)) if amount.currency != request.currency() => {
            let message = format!("expected an amount in {}", request.currency());
            Err(Error::invalid("amount", RefusalCode::NotAllowed, message))
        }
        (Proposed::Adjustment, Some(amount)) => adjusted(returned, index, amount.minor).map(drop),
        (Proposed::Adjustment, None) => Err(Error::broken()), // was checked
        (Proposed::Resolution, _) if stage == StageName::ResolutionPending => Ok(()),
        (Proposed::Resolution, _) => {
            let message = format!(
                "The return request is in stage {stage}. Its resolution can be proposed in Resolution: Pending."
            );
            Err(Refusal::new(RefusalCode::IllegalTransition, message).into())
        }
    }
}

/// The proposal of a request, if it is still the one that was decided about.
fn waiting(request: &ReturnRequest, id: ProposalId) -> Result<Proposal> {
    let found = request.proposal.clone().filter(|proposal| proposal.id == id);
    found.ok_or_else(|| {
        let message = "This proposal no longer waits: somebody has decided, or proposed something else.";
        Refusal::new(RefusalCode::StageConflict, message).into()
    })
}

/// Refuses agents, and people who would approve what they proposed themselves. They may take it back.
fn check_may_decide(staff: &Staff, proposal: &Proposal, decided: &Decided) -> Result<()> {
    let is_own = proposal.proposed_by.is_some() && proposal.proposed_by == staff.actor_id();
    if is_own && matches!(decided, Decided::Refused(_)) {
        return Ok(());
    }
    staff.check(if proposal.kind == ProposalKind::Override { Scope::Override } else { Scope::Resolve })?;
    let message = if is_own {
        "Nobody approves what they propose themselves: another user with the role finance or admin decides."
    } else if staff.is_limited() {
        "Agents do not decide about proposals: a user with the role finance or admin does."
    } else {
        return Ok(());
    };
    Err(Refusal::new(RefusalCode::AgentLimitExceeded, message).into())
}

/// What a proposal asks for, and why, for the timeline.
fn said(proposal: &Proposal) -> String {
    let comment = proposal.comment.trim_end_matches('.');
    match (proposal.kind, proposal.amount) {
        (ProposalKind::Adjustment, Some(amount)) => format!("{}, {comment}", signed(amount)),
        _ => comment.to_owned(),
    }
}

/// What the audit log says: no reason, which may be about a person.
fn recorded(proposal: &Proposal) -> Value {
    json!({"kind": proposal.kind, "amount": proposal.amount})
}

async fn answer(
    writing: Writing,
    staff: &Staff,
    returned: Returned,
    index: usize,
    key: Option<&IdempotencyKey>,
) -> Result<Done<view::ReturnRequestView>> {
    let request = returned.requests.into_iter().nth(index).or_broken()?;
    let shown = view::ReturnRequestView::from(request).seen_by_staff(staff);
    conclude(writing, staff.account(), key, 200, shown).await
}

//! Changes of many return requests: what they are, and how they begin. [`super::bulk_steps`] carries them out.

use super::bulk_plan::scopes_of;
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, conclude, detached,
        error::check,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    BulkRunId, Problems, Refusal, RefusalCode, Timestamp, UserId,
    audit::AuditAction,
    returning::{BulkAction, BulkChange, BulkItem},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use store::{
    bulk_runs::{self, BulkRun},
    users,
};

/// The most return requests of one run.
pub(crate) const MOST_ITEMS: usize = 1_000;
/// A user who changes more return requests than this needs a recent proof of who they are.
const PROVED_ABOVE: usize = 100;
/// How many runs the list has.
const MOST_LISTED: i64 = 20;
/// How long a run can be continued, in seconds: as long as the keys of its items are kept, so that nothing is done twice.
const CONTINUED_SECONDS: i64 = 23 * 3_600;
/// How long runs are kept, in seconds.
pub(crate) const RUNS_KEPT_SECONDS: i64 = 7 * 86_400;
const MAX_COMMENT_CHARS: usize = 2_000;
const MAX_FLAG_CHARS: usize = 40;
const MAX_NOTE_CHARS: usize = 4_000;

/// A change of many return requests.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewBulkRun {
    /// What to do to each of them.
    pub action: BulkAction,
    /// 1 to 1,000 return requests, each once. An action about return orders changes each return order once.
    #[schemars(length(min = 1, max = 1000))]
    pub items: Vec<BulkItem>,
    /// For `Approve`, `Reject` and `Complete`: the reason. `Reject` needs it, and the consumer reads it.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub comment: String,
    /// For `Assign`: the user who gets the return orders; `null`: nobody.
    pub assignee_id: Option<UserId>,
    /// For `Flag`: the flag to add, 1 to 40 characters.
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub flag: String,
    /// For `Note`: the text of the note, 1 to 4,000 characters.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub note: String,
}

impl NewBulkRun {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if !(1..=MOST_ITEMS).contains(&self.items.len()) {
            problems.add("items", RefusalCode::OutOfRange, format!("expected 1 to {MOST_ITEMS} return requests"));
        }
        let mut seen = HashSet::new();
        for (index, item) in self.items.iter().enumerate() {
            if !seen.insert(item.return_request_id) {
                let message = "expected each return request once";
                problems.add(format!("items[{index}].returnRequestId"), RefusalCode::NotAllowed, message);
            }
        }
        for (field, text, action, most) in [
            ("comment", &self.comment, BulkAction::Reject, MAX_COMMENT_CHARS),
            ("flag", &self.flag, BulkAction::Flag, MAX_FLAG_CHARS),
            ("note", &self.note, BulkAction::Note, MAX_NOTE_CHARS),
        ] {
            let least = usize::from(self.action == action);
            problems.check_text(field, &text.trim().replace(['\n', '\r', '\t'], " "), least..=most);
        }
        problems
    }

    fn change(&self) -> BulkChange {
        BulkChange {
            action: self.action,
            comment: self.comment.trim().to_owned(),
            assignee_id: self.assignee_id,
            flag: self.flag.trim().to_owned(),
            note: self.note.trim().to_owned(),
        }
    }
}

impl MerchantHandle<'_> {
    /// Starts a change of many return requests, and makes its first steps. The others follow in the background. The answer
    /// is the run as it began.
    pub async fn create_bulk_run(self, new: NewBulkRun, key: Option<IdempotencyKey>) -> Result<Done<view::BulkRun>> {
        check(new.problems())?;
        check_scope(&self.staff, new.action)?;
        if new.items.len() > PROVED_ABOVE {
            self.staff.check_fresh(self.retour.now())?;
        }
        let (retour, staff) = (self.retour.clone(), self.staff);
        let id = BulkRunId(retour.source.id());
        detached(async move {
            let done = again_on_deadlock(|| retour.create_bulk_run_once(staff, id, &new, key.as_ref())).await?;
            if matches!(done, Done::Fresh { .. }) {
                retour.make_bulk_steps(staff, id).await?;
            }
            Ok(done)
        })
        .await
    }

    /// Continues a run of the caller that has stopped, such as when its instance ended: its next steps now, and the others
    /// in the background. While an instance works on the run, nothing happens.
    pub async fn continue_bulk_run(self, id: BulkRunId) -> Result<view::BulkRun> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            let run = retour.find_bulk_run(&staff, id).await?;
            check_scope(&staff, run.change.action)?;
            if run.done < run.total && !can_continue(&run, retour.now()) {
                let message =
                    "A bulk run can be continued for 23 hours. Start another one with the items that are left.";
                return Err(Refusal::new(RefusalCode::TooLate, message).into());
            }
            retour.make_bulk_steps(staff, id).await?;
            Ok(shown(retour.find_bulk_run(&staff, id).await?, retour.now()))
        })
        .await
    }

    /// A run of the caller.
    pub async fn bulk_run(self, id: BulkRunId) -> Result<view::BulkRun> {
        Ok(shown(self.retour.find_bulk_run(&self.staff, id).await?, self.retour.now()))
    }

    /// The caller's newest 20 runs, the newest first, without their results.
    pub async fn bulk_runs(self) -> Result<view::List<view::BulkRun>> {
        let mut reading = self.retour.store.read().await?;
        let (account, owner) = (self.staff.account(), self.staff.id());
        let runs = bulk_runs::list_newest(reading.db(), account, owner, MOST_LISTED).await?;
        let now = self.retour.now();
        let without_results = |run: BulkRun| view::BulkRun { results: None, ..shown(run, now) };
        Ok(view::List::whole(runs.into_iter().map(without_results).collect()))
    }
}

impl Retour {
    pub(super) async fn find_bulk_run(&self, staff: &Staff, id: BulkRunId) -> Result<BulkRun> {
        let mut reading = self.store.read().await?;
        bulk_runs::find(reading.db(), staff.account(), id, staff.id()).await?.ok_or(Error::NotFound)
    }

    async fn create_bulk_run_once(
        &self,
        staff: Staff,
        id: BulkRunId,
        new: &NewBulkRun,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::BulkRun>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        if let Some(user) = new.assignee_id
            && users::find(writing.db(), account, user).await?.is_none()
        {
            let message = "expected the id of one of the account's users";
            return Err(Error::invalid("assigneeId", RefusalCode::NotAllowed, message));
        }
        let now = self.now();
        let run = BulkRun {
            id,
            owner_id: staff.id(),
            change: new.change(),
            items: new.items.clone(),
            results: Vec::new(),
            total: u32::try_from(new.items.len()).map_err(|_| Error::broken())?,
            done: 0,
            failed: 0,
            leased_until: Timestamp::from_micros(0),
            created_at: now,
            updated_at: now,
        };
        bulk_runs::insert(writing.db(), account, &run).await?;
        // Without the texts, which may be about people.
        let after = json!({"action": run.change.action, "items": run.total});
        audit::record(&mut writing, &staff, now, AuditAction::BulkRunCreated, id, None, Some(after));
        conclude(writing, account, key, 201, shown(run, now)).await
    }
}

/// Refuses an action that none of the caller's scopes allows. Each item is checked by itself, too.
fn check_scope(staff: &Staff, action: BulkAction) -> Result<()> {
    let scopes = scopes_of(action);
    match scopes {
        [scope] => staff.check(*scope),
        several if several.iter().any(|scope| staff.may(*scope)) => Ok(()),
        several => several.first().map_or(Ok(()), |scope| staff.check(*scope)),
    }
}

fn can_continue(run: &BulkRun, now: Timestamp) -> bool {
    now < run.created_at.plus_seconds(CONTINUED_SECONDS)
}

fn shown(run: BulkRun, now: Timestamp) -> view::BulkRun {
    let can_continue = run.done < run.total && can_continue(&run, now);
    view::BulkRun::new(run, now, can_continue)
}

//! Withdrawals, for the merchant: reading, recording and closing them.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check, patch_field::PatchField,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    returning::withdrawals::NewWithdrawal,
    view,
};
use domain::{
    Locale, Problems, RefusalCode, ReturnOrderId, WithdrawalId,
    audit::AuditAction,
    withdrawal::{Statement, Withdrawal},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{accounts, lists::Listing, return_orders, withdrawals};

const MAX_NOTE_CHARS: usize = 2_000;

/// A withdrawal that a consumer has stated and confirmed in the merchant's own portal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WithdrawalInput {
    /// The name of the person who withdraws: 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// The contract to withdraw from: an order number, or a description of the order; several lines are allowed.
    #[schemars(length(min = 1, max = 2000))]
    pub contract: String,
    /// The address for the acknowledgement.
    #[schemars(email, length(max = 320))]
    pub email: String,
    /// The language of the statement (BCP 47); the account's `branding.locale`, if left out.
    pub language: Option<Locale>,
}

/// Changes to a withdrawal. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WithdrawalChange {
    /// `Closed`: the merchant has dealt with it.
    pub status: PatchField<Closed>,
    /// The return order that results from it: one of the account's.
    pub return_order_id: PatchField<ReturnOrderId>,
    /// A note by the merchant's staff.
    #[schemars(length(max = 2000))]
    pub note: PatchField<String>,
}

/// The only status that can be set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ClosedWithdrawal")]
#[serde(remote = "Closed")]
pub enum Closed {
    /// The merchant has dealt with it.
    Closed,
}

domain::string_enum!(Closed);

impl MerchantHandle<'_> {
    /// An account's withdrawals.
    pub async fn withdrawals(self, listing: &Listing) -> Result<view::List<view::Withdrawal>> {
        let mut reading = self.retour.store.read().await?;
        let rows = withdrawals::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A withdrawal.
    pub async fn withdrawal(self, id: WithdrawalId) -> Result<view::Withdrawal> {
        let mut reading = self.retour.store.read().await?;
        Ok(withdrawals::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Records a withdrawal that a consumer has confirmed elsewhere.
    pub async fn create_withdrawal(
        self,
        input: WithdrawalInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Withdrawal>> {
        let WithdrawalInput { name, contract, email, language } = input;
        let statement = Statement::typed(&name, &contract, &email);
        let mut problems = statement.check();
        if language.as_ref().is_some_and(|language| !language.is_well_formed()) {
            problems.add("language", RefusalCode::NotAllowed, "expected a language tag, such as en or pt-BR");
        }
        check(problems)?;
        let (retour, staff, id) = (self.retour.clone(), self.staff, self.retour.withdrawal_id());
        let account = staff.account();
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let language = match language.clone() {
                    Some(language) => language,
                    None => accounts::find(writing.db(), account).await?.or_broken()?.branding.locale,
                };
                let new = NewWithdrawal { id, statement: statement.clone(), language };
                let (kept, _) = retour.keep_withdrawal(&mut writing, account, new).await?;
                audit::record(&mut writing, &staff, kept.created_at, AuditAction::WithdrawalCreated, id, None, None);
                conclude(writing, account, key.as_ref(), 201, kept.into()).await
            })
            .await
        })
        .await
    }

    /// Changes the merchant's fields of a withdrawal. `version`: the version that the caller has seen.
    pub async fn change_withdrawal(
        self,
        id: WithdrawalId,
        change: WithdrawalChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Withdrawal>> {
        check(problems_of(&change))?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_withdrawal_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_withdrawal_once(
        &self,
        staff: Staff,
        id: WithdrawalId,
        change: &WithdrawalChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Withdrawal>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let before = withdrawals::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, before.version)?;
        let mut changed = before.clone();
        if let Some(order) = change.return_order_id.0 {
            if return_orders::find(writing.db(), account, order).await?.is_none() {
                let message = "expected the id of one of the account's return orders";
                return Err(Error::invalid("returnOrderId", RefusalCode::NotAllowed, message));
            }
            changed.return_order_id = Some(order);
        }
        changed.is_closed |= change.status.0.is_some();
        change.note.put_into(&mut changed.note);
        if changed != before {
            changed.updated_at = self.now();
            if !withdrawals::update(writing.db(), account, &changed).await? {
                return Err(Error::broken()); // cannot happen: the row is locked
            }
            changed.version += 1;
            // Without the note, which is about a person.
            let shown = |withdrawal: &Withdrawal| {
                Some(json!({"status": withdrawal.status(), "returnOrderId": withdrawal.return_order_id}))
            };
            let (at, was, is) = (changed.updated_at, shown(&before), shown(&changed));
            audit::record(&mut writing, &staff, at, AuditAction::WithdrawalUpdated, id, was, is);
        }
        conclude(writing, account, key, 200, changed.into()).await
    }
}

fn problems_of(change: &WithdrawalChange) -> Problems {
    let mut problems = Problems::default();
    if let Some(note) = &change.note.0 {
        problems.check_text("note", &note.replace(['\n', '\r', '\t'], " "), 0..=MAX_NOTE_CHARS);
    }
    problems
}

//! `/api/v0/account/<account_id>/return-reasons`.

use super::settings::{self, Setting};
use crate::api::base::operation::{Operation, Resource};
use domain::ReturnReasonId;
use returns::{
    Done, IdempotencyKey, List, Listing, NewReturnReason, Result, Retour, ReturnReasonChange, Staff, lists, view,
};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        settings::list::<ReturnReasons>("listReturnReasons", "List return reasons", "A page of return reasons.")
            .described("Leaves archived ones out; `filter=archived:true` lists them. Consumers see them by `position`."),
        settings::create::<ReturnReasons>("createReturnReason", "Create a return reason", "The return reason.")
            .described("At most 200, with those that are archived. A sub-reason names its parent in `parentId`, one level deep."),
        settings::get::<ReturnReasons>("getReturnReason", "Retrieve a return reason", "The return reason."),
        settings::update::<ReturnReasons>("updateReturnReason", "Update a return reason", "The return reason, as it is now."),
        settings::delete::<ReturnReasons>("deleteReturnReason", "Delete or archive a return reason")
            .described("Deletes it if no return request names it and it has no sub-reasons; archives it otherwise: then neither it nor its sub-reasons are offered any more."),
    ]
}

struct ReturnReasons;

impl Setting for ReturnReasons {
    type Id = ReturnReasonId;
    type New = NewReturnReason;
    type Change = ReturnReasonChange;
    type View = view::ReturnReason;

    const RESOURCE: Resource = Resource::of_account("return-reasons", "return-reason", "Return reasons");
    const LIST: &'static List = &lists::RETURN_REASONS;

    fn version(view: &Self::View) -> i64 {
        view.version
    }

    async fn list(retour: &Retour, staff: &Staff, listing: &Listing) -> Result<view::List<Self::View>> {
        retour.return_reasons(staff, listing).await
    }

    async fn create(
        retour: &Retour,
        staff: &Staff,
        new: Self::New,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Self::View>> {
        retour.create_return_reason(staff, new, key).await
    }

    async fn find(retour: &Retour, staff: &Staff, id: Self::Id) -> Result<Self::View> {
        retour.return_reason(staff, id).await
    }

    async fn change(
        retour: &Retour,
        staff: &Staff,
        id: Self::Id,
        change: Self::Change,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Self::View>> {
        retour.change_return_reason(staff, id, change, version, key).await
    }

    async fn delete(retour: &Retour, staff: &Staff, id: Self::Id) -> Result<()> {
        retour.delete_return_reason(staff, id).await
    }
}

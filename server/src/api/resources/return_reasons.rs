//! `/api/v0/account/<account_id>/return-reasons`.

use super::settings::{self, Setting, use_cases};
use crate::api::base::operation::{Operation, Resource};
use domain::ReturnReasonId;
use returns::{List, NewReturnReason, ReturnReasonChange, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        settings::list::<ReturnReasons>("listReturnReasons", "List return reasons", "A page of return reasons.")
            .described(
                "Omits archived reasons; `filter=archived:true` lists them. Consumers see the reasons in the \
                 order of `position`.",
            ),
        settings::create::<ReturnReasons>("createReturnReason", "Create a return reason", "The return reason.")
            .described(
                "Creates a return reason. An account has at most 200 reasons, including archived ones. A \
                 sub-reason names its parent in `parentId`, one level deep.",
            ),
        settings::get::<ReturnReasons>("getReturnReason", "Retrieve a return reason", "The return reason."),
        settings::update::<ReturnReasons>(
            "updateReturnReason",
            "Update a return reason",
            "The return reason, as it is now.",
        ),
        settings::delete::<ReturnReasons>("deleteReturnReason", "Delete or archive a return reason").described(
            "Deletes the reason if no return request names it and it has no sub-reasons. Otherwise \
             archives it: then neither the reason nor its sub-reasons are offered.",
        ),
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

    use_cases! {
        list: return_reasons, find: return_reason, create: create_return_reason, change: change_return_reason, delete: delete_return_reason
    }
}

//! `/api/v0/account/<account_id>/return-locations`.

use super::settings::{self, Setting, use_cases};
use crate::api::base::operation::{Operation, Resource};
use domain::ReturnLocationId;
use returns::{List, NewReturnLocation, ReturnLocationChange, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        settings::list::<ReturnLocations>(
            "listReturnLocations",
            "List return locations",
            "A page of return locations.",
        )
        .described("Omits archived locations; `filter=archived:true` lists them."),
        settings::create::<ReturnLocations>("createReturnLocation", "Create a return location", "The return location.")
            .described(
                "Creates a return location. Shipments go to the location that their shipping option names, \
                 else to the default location, else to the policy's `returnAddress`. An account has at most 200 \
                 locations, including archived ones.",
            ),
        settings::get::<ReturnLocations>("getReturnLocation", "Retrieve a return location", "The return location."),
        settings::update::<ReturnLocations>(
            "updateReturnLocation",
            "Update a return location",
            "The return location, as it is now.",
        ),
        settings::delete::<ReturnLocations>("deleteReturnLocation", "Delete or archive a return location").described(
            "Deletes the location if no shipping option names it. Otherwise archives it: then no shipment \
             goes there, and it is not the default.",
        ),
    ]
}

struct ReturnLocations;

impl Setting for ReturnLocations {
    type Id = ReturnLocationId;
    type New = NewReturnLocation;
    type Change = ReturnLocationChange;
    type View = view::ReturnLocation;

    const RESOURCE: Resource = Resource::of_account("return-locations", "return-location", "Return locations");
    const LIST: &'static List = &lists::RETURN_LOCATIONS;

    use_cases! {
        list: return_locations, find: return_location, create: create_return_location, change: change_return_location, delete: delete_return_location
    }
}

//! `/api/v0/account/<account_id>/shipping-options`.

use super::settings::{self, Setting, use_cases};
use crate::api::base::operation::{Operation, Resource};
use domain::ShippingOptionId;
use returns::{List, NewShippingOption, ShippingOptionChange, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        settings::list::<ShippingOptions>("listShippingOptions", "List shipping options", "A page of shipping options.")
            .described("Leaves archived ones out; `filter=archived:true` lists them. Consumers see them by `position`."),
        settings::create::<ShippingOptions>("createShippingOption", "Create a shipping option", "The shipping option.")
            .described("At most 200, with those that are archived."),
        settings::get::<ShippingOptions>("getShippingOption", "Retrieve a shipping option", "The shipping option."),
        settings::update::<ShippingOptions>("updateShippingOption", "Update a shipping option", "The shipping option, as it is now."),
        settings::delete::<ShippingOptions>("deleteShippingOption", "Delete or archive a shipping option")
            .described("Deletes it if no draft and no return order names it; archives it otherwise: then it is not offered any more, and a draft that names it cannot be submitted with it."),
    ]
}

struct ShippingOptions;

impl Setting for ShippingOptions {
    type Id = ShippingOptionId;
    type New = NewShippingOption;
    type Change = ShippingOptionChange;
    type View = view::ShippingOption;

    const RESOURCE: Resource = Resource::of_account("shipping-options", "shipping-option", "Shipping options");
    const LIST: &'static List = &lists::SHIPPING_OPTIONS;

    use_cases! {
        list: shipping_options, find: shipping_option, create: create_shipping_option, change: change_shipping_option, delete: delete_shipping_option
    }
}

//! `/api/v0/account/<account_id>/shipping-options`.

use super::settings::{self, Setting, use_cases};
use crate::api::base::operation::{Operation, Resource};
use domain::ShippingOptionId;
use returns::{List, NewShippingOption, ShippingOptionChange, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        settings::list::<ShippingOptions>(
            "listShippingOptions",
            "List shipping options",
            "A page of shipping options.",
        )
        .described(
            "Omits archived options; `filter=archived:true` lists them. Consumers see the options in the \
             order of `position`.",
        ),
        settings::create::<ShippingOptions>("createShippingOption", "Create a shipping option", "The shipping option.")
            .described("Creates a shipping option. An account has at most 200 options, including archived ones."),
        settings::get::<ShippingOptions>("getShippingOption", "Retrieve a shipping option", "The shipping option."),
        settings::update::<ShippingOptions>(
            "updateShippingOption",
            "Update a shipping option",
            "The shipping option, as it is now.",
        ),
        settings::delete::<ShippingOptions>("deleteShippingOption", "Delete or archive a shipping option").described(
            "Deletes the option if no draft and no return order names it. Otherwise archives it: then it \
             is no longer offered, and a draft that names it needs another option.",
        ),
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

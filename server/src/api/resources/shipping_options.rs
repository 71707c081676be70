//! `/api/v0/account/<account_id>/shipping-options`.

use super::settings::{self, Setting};
use crate::api::base::operation::{Operation, Resource};
use domain::ShippingOptionId;
use returns::{
    Done, IdempotencyKey, List, Listing, NewShippingOption, Result, Retour, ShippingOptionChange, Staff, lists, view,
};

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

    fn version(view: &Self::View) -> i64 {
        view.version
    }

    async fn list(retour: &Retour, staff: &Staff, listing: &Listing) -> Result<view::List<Self::View>> {
        retour.shipping_options(staff, listing).await
    }

    async fn create(
        retour: &Retour,
        staff: &Staff,
        new: Self::New,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Self::View>> {
        retour.create_shipping_option(staff, new, key).await
    }

    async fn find(retour: &Retour, staff: &Staff, id: Self::Id) -> Result<Self::View> {
        retour.shipping_option(staff, id).await
    }

    async fn change(
        retour: &Retour,
        staff: &Staff,
        id: Self::Id,
        change: Self::Change,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Self::View>> {
        retour.change_shipping_option(staff, id, change, version, key).await
    }

    async fn delete(retour: &Retour, staff: &Staff, id: Self::Id) -> Result<()> {
        retour.delete_shipping_option(staff, id).await
    }
}

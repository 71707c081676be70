//! A merchant's settings: shipping options, return reasons, return locations.

use crate::support::*;
use domain::{
    AccountId, ReturnLocationId, ReturnReasonId, ShippingOptionId, Translated,
    address::Address,
    policy::reason::{EvidenceRule, Fault, ReasonRules, ReturnReason},
    shipping::{ReturnLocation, ShippingOption},
};
use store::{settings::SettingCount, testing::Database};

fn a_reason(parent_id: Option<ReturnReasonId>, position: u32) -> ReturnReason {
    let rules = ReasonRules {
        evidence: EvidenceRule::Optional,
        review: true,
        fault: Fault::Merchant,
        ..ReasonRules::default()
    };
    ReturnReason { id: ReturnReasonId(id()), parent_id, description: Translated::en("It is damaged"), position, rules }
}

fn a_location(name: &str, is_default: bool) -> ReturnLocation {
    let address = Address { city: name.to_owned(), ..an_address() };
    ReturnLocation { id: ReturnLocationId(id()), name: name.to_owned(), address, is_default }
}

async fn kept_option(database: &Database, account: AccountId, option: ShippingOption) -> ShippingOption {
    keep!(database, shipping_options::insert, account, &option, NOW);
    option
}

async fn kept_location(database: &Database, account: AccountId, name: &str, is_default: bool) -> ReturnLocation {
    let location = a_location(name, is_default);
    keep!(database, return_locations::insert, account, &location, NOW);
    location
}

/// The settings that are not archived, those that are, and all, by filters of the API.
const WAYS: [(&[&str], bool, bool); 4] = [
    (&[], true, false),
    (&["archived:false"], true, false),
    (&["archived:true"], false, true),
    (&["archived:true", "archived:false"], false, false),
];

store::on_each_database! {
    async fn shipping_options_are_listed_unchanged_in_the_merchants_order(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let location = ReturnLocationId(id());
        let label = ShippingOption { position: 2, return_location_id: Some(location), ..a_shipping_option("Label") };
        let label = kept_option(&database, ours, label).await;
        let shop = kept_option(&database, ours, a_shipping_option("Our shop")).await;
        assert_eq!(look!(database, shipping_options::list_offered, ours), [shop.clone(), label.clone()]);
        assert_eq!(look!(database, shipping_options::list_offered, theirs), []);
        let kept = look!(database, shipping_options::find, ours, label.id).unwrap();
        assert_eq!((&kept.value, kept.archived_at), (&label, None));
        assert_eq!((kept.created_at, kept.updated_at, kept.version), (NOW, NOW, 1));
        assert_eq!(look!(database, shipping_options::find, theirs, label.id), None);
        assert_eq!(look!(database, shipping_options::room, ours), SettingCount { count: 2, last: 2 });
        assert_eq!(look!(database, shipping_options::room, theirs), SettingCount { count: 0, last: 0 });
    }

    async fn an_update_of_a_shipping_option_needs_the_latest_version(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let option = kept_option(&database, ours, a_shipping_option("Label")).await;
        let mut kept = look!(database, shipping_options::find, ours, option.id).unwrap();
        kept.value = ShippingOption { position: 9, method: domain::shipping::ShippingMethod::InStore, id: option.id, ..a_shipping_option("Shop") };
        kept.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, shipping_options::update, theirs, &kept));
        assert!(keep!(database, shipping_options::update, ours, &kept));
        assert!(!keep!(database, shipping_options::update, ours, &kept), "the stored version is 2");
        kept.version = 2;
        assert_eq!(look!(database, shipping_options::find, ours, option.id), Some(kept));
    }

    async fn archived_settings_are_listed_only_by_the_filter(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            let (here, gone) = (kept_option(&database, account, a_shipping_option("Here")).await, kept_option(&database, account, a_shipping_option("Gone")).await);
            let mut kept = look!(database, shipping_options::find, account, gone.id).unwrap();
            kept.archived_at = Some(NOW);
            assert!(keep!(database, shipping_options::update, account, &kept));
            for (clauses, with_here, with_gone) in WAYS {
                let rows = look!(database, shipping_options::list, account, &asking(&store::shipping_options::LIST, clauses)).rows;
                let wanted = [(with_gone, gone.id), (with_here, here.id)];
                let wanted: Vec<ShippingOptionId> = wanted.into_iter().filter(|(with, _)| *with).map(|(_, id)| id).collect();
                assert_eq!(rows.into_iter().map(|kept| kept.value.id).collect::<Vec<_>>(), wanted, "{clauses:?}");
            }
            assert_eq!(look!(database, shipping_options::list_offered, account), [here]);
        }
    }

    async fn a_shipping_option_is_deleted_only_while_no_draft_names_it(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (used, unused) = (kept_option(&database, ours, a_shipping_option("Used")).await, kept_option(&database, ours, a_shipping_option("Not")).await);
        let purchase = a_purchase(&database, ours, "1001", 1, 100).await;
        let consumer = kept_consumer(&database, ours).await;
        let draft = domain::returning::DraftReturnOrder { shipping_option_id: Some(used.id), ..a_draft(consumer.id, purchase.id) };
        keep!(database, drafts::insert, ours, &draft);
        assert!(!keep!(database, shipping_options::delete_unused, theirs, unused.id));
        assert!(!keep!(database, shipping_options::delete_unused, ours, used.id));
        assert!(keep!(database, shipping_options::delete_unused, ours, unused.id));
        assert!(!keep!(database, shipping_options::delete_unused, ours, unused.id), "it was deleted already");
        assert_eq!(look!(database, shipping_options::list_offered, ours), [used]);
    }

    async fn return_reasons_are_listed_unchanged_in_the_merchants_order(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let parent = a_reason(None, 2);
        let (child, first) = (a_reason(Some(parent.id), 3), a_reason(None, 1));
        for reason in [&parent, &child, &first] {
            keep!(database, return_reasons::insert, ours, reason, NOW);
        }
        assert_eq!(look!(database, return_reasons::list_offered, ours), [first.clone(), parent.clone(), child.clone()]);
        assert_eq!(look!(database, return_reasons::list_offered, theirs), []);
        assert_eq!(look!(database, return_reasons::room, ours), SettingCount { count: 3, last: 3 });
        assert!(look!(database, return_reasons::has_parts, ours, parent.id));
        assert!(!look!(database, return_reasons::has_parts, theirs, parent.id) && !look!(database, return_reasons::has_parts, ours, child.id));
        let of_parent = asking(&store::return_reasons::LIST, &[&format!("parentId:{}", parent.id)]);
        assert_eq!(look!(database, return_reasons::list, ours, &of_parent).rows[0].value, child);

        let mut kept = look!(database, return_reasons::find, ours, parent.id).unwrap();
        assert_eq!((&kept.value, kept.created_at, kept.version), (&parent, NOW, 1));
        kept.archived_at = Some(NOW.plus_seconds(1));
        kept.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, return_reasons::update, theirs, &kept));
        assert!(keep!(database, return_reasons::update, ours, &kept));
        assert!(!keep!(database, return_reasons::update, ours, &kept));
        assert_eq!(look!(database, return_reasons::list_offered, ours), [first], "its sub-reasons are not on offer either");
        assert_eq!(look!(database, return_reasons::find, theirs, parent.id), None);
        for (clauses, with_here, with_gone) in WAYS {
            let rows = look!(database, return_reasons::list, ours, &asking(&store::return_reasons::LIST, clauses)).rows;
            assert_eq!(rows.len(), if with_here { 2 } else { 0 } + usize::from(with_gone), "{clauses:?}");
        }
    }

    async fn a_return_reason_is_deleted_only_while_no_request_and_no_sub_reason_names_it(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (used, parent) = (a_reason(None, 1), a_reason(None, 2));
        let part = a_reason(Some(parent.id), 3);
        for reason in [&used, &parent, &part] {
            keep!(database, return_reasons::insert, ours, reason, NOW);
        }
        let purchase = a_purchase(&database, ours, "1001", 1, 100).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let request = domain::returning::ReturnRequest { return_reason_id: used.id, ..a_return_request(&order, &purchase) };
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        for (account, reason) in [(ours, &used), (ours, &parent), (theirs, &part)] {
            assert!(!keep!(database, return_reasons::delete_unused, account, reason.id));
        }
        assert!(keep!(database, return_reasons::delete_unused, ours, part.id));
        assert!(keep!(database, return_reasons::delete_unused, ours, parent.id), "it has no sub-reasons any more");
        assert_eq!(look!(database, return_reasons::list_offered, ours), [used]);
    }

    async fn a_shipment_goes_to_the_location_of_its_option_or_to_the_default(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let city = async |account, named| {
            look!(database, return_locations::find_receiver, account, named).map(|address: Address| address.city)
        };
        let some = |city: &str| Some(city.to_owned());
        let leith = kept_location(&database, ours, "Leith", false).await;
        assert_eq!((city(ours, None).await, city(ours, Some(leith.id)).await), (None, some("Leith")));
        let perth = kept_location(&database, ours, "Perth", true).await;
        assert_eq!((city(ours, None).await, city(ours, Some(leith.id)).await), (some("Perth"), some("Leith")));
        assert_eq!(city(ours, Some(ReturnLocationId(id()))).await, some("Perth"));
        assert_eq!((city(theirs, None).await, city(theirs, Some(perth.id)).await), (None, None));

        let mut kept = look!(database, return_locations::find, ours, leith.id).unwrap();
        kept.archived_at = Some(NOW);
        assert!(keep!(database, return_locations::update, ours, &kept));
        assert_eq!(city(ours, Some(leith.id)).await, some("Perth"), "an archived location receives nothing");
    }

    async fn locations_are_listed_unchanged_and_one_is_the_default(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (leith, perth) = (kept_location(&database, ours, "Leith", true).await, kept_location(&database, ours, "Perth", true).await);
        let other = kept_location(&database, theirs, "Tromsø", true).await;
        keep!(database, return_locations::unset_default, ours, perth.id, NOW.plus_seconds(1));
        let found = look!(database, return_locations::find, ours, leith.id).unwrap();
        assert_eq!((found.value.is_default, found.updated_at, found.version), (false, NOW.plus_seconds(1), 2));
        let found = look!(database, return_locations::find, ours, perth.id).unwrap();
        assert_eq!((found.value.clone(), found.updated_at, found.version), (perth, NOW, 1));
        assert!(look!(database, return_locations::find, theirs, other.id).unwrap().value.is_default);
        assert_eq!(look!(database, return_locations::find, ours, other.id), None);
        assert_eq!(look!(database, return_locations::count, ours), 2);
        for (clauses, with_here, _) in WAYS {
            let rows = look!(database, return_locations::list, ours, &asking(&store::return_locations::LIST, clauses)).rows;
            assert_eq!(rows.len(), if with_here { 2 } else { 0 }, "{clauses:?}");
        }
    }

    async fn a_location_is_deleted_only_while_no_shipping_option_names_it(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (used, unused) = (kept_location(&database, ours, "Leith", false).await, kept_location(&database, ours, "Perth", false).await);
        kept_option(&database, ours, ShippingOption { return_location_id: Some(used.id), ..a_shipping_option("Label") }).await;
        assert!(!keep!(database, return_locations::delete_unused, ours, used.id));
        assert!(!keep!(database, return_locations::delete_unused, theirs, unused.id));
        assert!(keep!(database, return_locations::delete_unused, ours, unused.id));
        assert_eq!(look!(database, return_locations::find, ours, unused.id), None);
        let mut kept = look!(database, return_locations::find, ours, used.id).unwrap();
        kept.value.name = "Renamed".to_owned();
        assert!(keep!(database, return_locations::update, ours, &kept) && !keep!(database, return_locations::update, ours, &kept));
    }
}
